// Package surfaces has what diagnosis, repair and filling of triangle surfaces share: edges, crossings, ears, unions,
// and the thickness of walls.
package surfaces

// For each edge, with n₊ forward and n₋ backward uses:
//
//	n₊ + n₋ = 1               boundary edge: part of a hole
//	n₊ = n₋ = 1               regular edge
//	n₊ = 2 or n₋ = 2          the two triangles disagree on the outside
//	n₊ + n₋ > 2               non-manifold edge
//	n₊ = n₋                   closed at this edge, manifold or not

// Adjacency of triangles by edges. A surface is seen as a chain in the sense of
// algebraic topology: each triangle uses each of its three edges once, forward if
// it runs from the lower to the higher vertex number, else backward. The uses,
// sorted by edge, answer all questions on adjacency without a half-edge structure,
// which could not have non-manifold edges.

import (
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
)

// EdgeUse is one side of one triangle: triangle tri runs along its edge from vertex
// a to vertex b if forward, else from b to a. The lower vertex number is a.
type EdgeUse struct {
	A, B int32
	Tri  int32
	// side k runs from corner k to corner k+1.
	Side    int8
	Forward bool
}

// EdgeUses returns all sides of all triangles, sorted by edge, then by triangle.
func EdgeUses(m *meshes.Tri) []EdgeUse {
	uses := make([]EdgeUse, 0, 3*len(m.Tris))
	for i, t := range m.Tris {
		for k := range 3 {
			// each side is kept under its lower vertex, with the direction apart
			u := EdgeUse{t[k], t[(k+1)%3], int32(i), int8(k), true}
			if u.A > u.B {
				u.A, u.B, u.Forward = u.B, u.A, false
			}
			uses = append(uses, u)
		}
	}
	return sortedUses(uses, len(m.Verts))
}

// sortedUses sorts the sides of triangles by a, then b. Two passes that count, first by b, then by
// a, keep the order of triangles within each edge; they take a fourth of the time of comparing.
func sortedUses(uses []EdgeUse, verts int) []EdgeUse {
	other := make([]EdgeUse, len(uses))
	start := make([]int32, verts+1)
	for i := range uses {
		start[uses[i].B+1]++
	}
	RunningSums(start)
	for i := range uses {
		k := &start[uses[i].B]
		other[*k] = uses[i]
		*k++
	}
	clear(start)
	for i := range other {
		start[other[i].A+1]++
	}
	RunningSums(start)
	for i := range other {
		k := &start[other[i].A]
		uses[*k] = other[i]
		*k++
	}
	return uses
}

// RunningSums replaces numbers by the sums of those up to each.
func RunningSums(x []int32) {
	var sum int32
	for i := range x {
		sum += x[i]
		x[i] = sum
	}
}

// EachEdge calls f once for each edge, in order, with the uses of that edge.
func EachEdge(uses []EdgeUse, f func(uses []EdgeUse)) {
	for lo := 0; lo < len(uses); {
		// uses of one edge stand together in the sorted list
		hi := lo + 1
		for hi < len(uses) && uses[hi].A == uses[lo].A && uses[hi].B == uses[lo].B {
			hi++
		}
		f(uses[lo:hi])
		lo = hi
	}
}

// Balance is the number of forward uses of an edge less the number of backward
// uses: zero where the chain of triangles has no boundary.
func Balance(uses []EdgeUse) int {
	// forward uses count +1, backward ones −1
	n := 0
	for _, u := range uses {
		if u.Forward {
			n++
		} else {
			n--
		}
	}
	return n
}

// Components numbers the pieces that are connected by edges of two triangles, in
// the order of their first triangles, and returns the piece of each triangle.
// Solids that touch along an edge, where four triangles meet, stay separate pieces.
func Components(m *meshes.Tri, uses []EdgeUse) (of []int32, n int) {
	f := unionfind.New(len(m.Tris))
	EachEdge(uses, func(u []EdgeUse) {
		// an edge of two triangles joins them
		if len(u) == 2 {
			f.Union(u[0].Tri, u[1].Tri)
		}
	})
	return f.Labels()
}

// boundaryArc is a boundary edge in the direction of its triangle.
type boundaryArc struct{ from, to int32 }

// arcGraph has the edges that belong to one triangle, and which of them a path
// has used.
type arcGraph struct {
	arcs []boundaryArc
	at   map[int32][]int32 // arcs at each vertex; those that leave it come first
	used []bool
}

// newArcGraph collects the boundary edges.
func newArcGraph(uses []EdgeUse) *arcGraph {
	g := &arcGraph{at: map[int32][]int32{}}
	EachEdge(uses, func(u []EdgeUse) {
		if len(u) != 1 {
			return
		}
		// in the direction in which the triangle runs along it
		if u[0].Forward {
			g.arcs = append(g.arcs, boundaryArc{u[0].A, u[0].B})
		} else {
			g.arcs = append(g.arcs, boundaryArc{u[0].B, u[0].A})
		}
	})
	// A path prefers arcs that leave a vertex over those that end there.
	for i, a := range g.arcs {
		g.at[a.from] = append(g.at[a.from], int32(i))
	}
	for i, a := range g.arcs {
		g.at[a.to] = append(g.at[a.to], int32(i))
	}
	g.used = make([]bool, len(g.arcs))
	return g
}

// next follows an unused arc from vertex v to its other end; false if there is none.
func (g *arcGraph) next(v int32) (int32, bool) {
	for _, i := range g.at[v] {
		if !g.used[i] {
			g.used[i] = true
			// the sum of both ends less the one gives the other
			return g.arcs[i].from + g.arcs[i].to - v, true
		}
	}
	return 0, false
}

// BoundaryLoops joins the edges that belong to one triangle into closed loops. A
// loop that passes a vertex twice is cut into two. Each loop runs along its
// triangles' own direction where they agree. Chains that do not close, because they
// end at a non-manifold edge, are returned as open paths.
func BoundaryLoops(uses []EdgeUse) [][]int32 {
	g := newArcGraph(uses)
	var loops [][]int32
	for i, first := range g.arcs {
		if g.used[i] {
			continue
		}
		g.used[i] = true
		path := []int32{first.from}
		place := map[int32]int{first.from: 0} // of each vertex on the path
		for v, ok := first.to, true; ok; v, ok = g.next(v) {
			k, back := place[v]
			if !back {
				place[v] = len(path)
				path = append(path, v)
				continue
			}
			// A vertex met again closes a loop, which is cut off the path.
			loops = append(loops, slices.Clone(path[k:]))
			for _, w := range path[k+1:] {
				delete(place, w)
			}
			path = path[:k+1]
		}
		// what has not come back to its start is an open path
		if len(path) > 1 {
			loops = append(loops, path)
		}
	}
	return loops
}
