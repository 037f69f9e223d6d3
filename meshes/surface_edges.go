package meshes

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
// which could not hold non-manifold edges.

import (
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
)

// edgeUse is one side of one triangle: triangle tri runs along its edge from vertex
// a to vertex b if forward, else from b to a. The lower vertex number is a.
type edgeUse struct {
	a, b int32
	tri  int32
	// side k runs from corner k to corner k+1.
	side    int8
	forward bool
}

// edgeUses returns all sides of all triangles, sorted by edge, then by triangle.
func edgeUses(m *Tri) []edgeUse {
	uses := make([]edgeUse, 0, 3*len(m.Tris))
	for i, t := range m.Tris {
		for k := range 3 {
			// each side is kept under its lower vertex, with the direction apart
			u := edgeUse{t[k], t[(k+1)%3], int32(i), int8(k), true}
			if u.a > u.b {
				u.a, u.b, u.forward = u.b, u.a, false
			}
			uses = append(uses, u)
		}
	}
	return sortedUses(uses, len(m.Verts))
}

// sortedUses sorts the sides of triangles by a, then b. Two passes that count, first by b, then by
// a, keep the order of triangles within each edge; they take a fourth of the time of comparing.
func sortedUses(uses []edgeUse, verts int) []edgeUse {
	other := make([]edgeUse, len(uses))
	start := make([]int32, verts+1)
	for i := range uses {
		start[uses[i].b+1]++
	}
	running(start)
	for i := range uses {
		k := &start[uses[i].b]
		other[*k] = uses[i]
		*k++
	}
	clear(start)
	for i := range other {
		start[other[i].a+1]++
	}
	running(start)
	for i := range other {
		k := &start[other[i].a]
		uses[*k] = other[i]
		*k++
	}
	return uses
}

// running replaces numbers by the sums of those up to each.
func running(x []int32) {
	var sum int32
	for i := range x {
		sum += x[i]
		x[i] = sum
	}
}

// eachEdge calls f once for each edge, in order, with the uses of that edge.
func eachEdge(uses []edgeUse, f func(uses []edgeUse)) {
	for lo := 0; lo < len(uses); {
		// uses of one edge stand together in the sorted list
		hi := lo + 1
		for hi < len(uses) && uses[hi].a == uses[lo].a && uses[hi].b == uses[lo].b {
			hi++
		}
		f(uses[lo:hi])
		lo = hi
	}
}

// balance is the number of forward uses of an edge less the number of backward
// uses: zero where the chain of triangles has no boundary.
func balance(uses []edgeUse) int {
	// forward uses count +1, backward ones −1
	n := 0
	for _, u := range uses {
		if u.forward {
			n++
		} else {
			n--
		}
	}
	return n
}

// components numbers the pieces that are connected by edges of two triangles, in
// the order of their first triangles, and returns the piece of each triangle.
// Solids that touch along an edge, where four triangles meet, stay separate pieces.
func components(m *Tri, uses []edgeUse) (of []int32, n int) {
	f := unionfind.New(len(m.Tris))
	eachEdge(uses, func(u []edgeUse) {
		// an edge of two triangles joins them
		if len(u) == 2 {
			f.Union(u[0].tri, u[1].tri)
		}
	})
	return f.Labels()
}

// boundaryArc is a boundary edge in the direction of its triangle.
type boundaryArc struct{ from, to int32 }

// arcGraph holds the edges that belong to one triangle, and which of them a path
// has used.
type arcGraph struct {
	arcs []boundaryArc
	at   map[int32][]int32 // arcs at each vertex; those that leave it come first
	used []bool
}

// newArcGraph collects the boundary edges.
func newArcGraph(uses []edgeUse) *arcGraph {
	g := &arcGraph{at: map[int32][]int32{}}
	eachEdge(uses, func(u []edgeUse) {
		if len(u) != 1 {
			return
		}
		// in the direction in which the triangle runs along it
		if u[0].forward {
			g.arcs = append(g.arcs, boundaryArc{u[0].a, u[0].b})
		} else {
			g.arcs = append(g.arcs, boundaryArc{u[0].b, u[0].a})
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

// boundaryLoops joins the edges that belong to one triangle into closed loops. A
// loop that passes a vertex twice is cut into two. Each loop runs along its
// triangles' own direction where they agree. Chains that do not close, because they
// end at a non-manifold edge, are returned as open paths.
func boundaryLoops(uses []edgeUse) [][]int32 {
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
