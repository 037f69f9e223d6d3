package meshes

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
)

// edgeUse is one side of one triangle: triangle tri runs along its edge from
// vertex a to vertex b if forward, else from b to a; a < b.
type edgeUse struct {
	a, b    int32
	tri     int32
	side    int8 // from corner side to corner side+1
	forward bool
}

// edgeUses returns all sides of all triangles, ordered by edge, then triangle.
func (m *Tri) edgeUses() []edgeUse {
	uses := make([]edgeUse, 0, 3*len(m.Tris))
	for i, t := range m.Tris {
		for k := range 3 {
			u := edgeUse{t[k], t[(k+1)%3], int32(i), int8(k), true}
			if u.a > u.b {
				u.a, u.b, u.forward = u.b, u.a, false
			}
			uses = append(uses, u)
		}
	}
	slices.SortFunc(uses, func(u, v edgeUse) int {
		if c := cmp.Compare(u.a, v.a); c != 0 {
			return c
		}
		if c := cmp.Compare(u.b, v.b); c != 0 {
			return c
		}
		if c := cmp.Compare(u.tri, v.tri); c != 0 {
			return c
		}
		return cmp.Compare(u.side, v.side)
	})
	return uses
}

// eachEdge calls f with the uses of each edge, in order.
func eachEdge(uses []edgeUse, f func(uses []edgeUse)) {
	for lo := 0; lo < len(uses); {
		hi := lo + 1
		for hi < len(uses) && uses[hi].a == uses[lo].a && uses[hi].b == uses[lo].b {
			hi++
		}
		f(uses[lo:hi])
		lo = hi
	}
}

// balance is the number of forward uses less the number of backward ones: zero
// where the surface, seen as a chain, has no boundary.
func balance(uses []edgeUse) int {
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

// components numbers the pieces that hang together by edges of two triangles, in
// the order of their first triangles, and returns the piece of each triangle.
// Solids that touch along an edge are thus pieces of their own.
func (m *Tri) components(uses []edgeUse) (of []int32, n int) {
	f := unionfind.New(len(m.Tris))
	eachEdge(uses, func(u []edgeUse) {
		if len(u) == 2 {
			f.Union(u[0].tri, u[1].tri)
		}
	})
	return f.Labels()
}

// boundaryLoops follows the edges that belong to one triangle into closed loops.
// A loop that runs through a vertex twice is cut into two. Each loop runs along
// its triangles' own direction where they agree. Chains that do not close (at
// edges of three triangles) are returned as they end.
func boundaryLoops(uses []edgeUse) [][]int32 {
	type arc struct{ from, to int32 }
	var arcs []arc
	eachEdge(uses, func(u []edgeUse) {
		if len(u) != 1 {
			return
		}
		if u[0].forward {
			arcs = append(arcs, arc{u[0].a, u[0].b})
		} else {
			arcs = append(arcs, arc{u[0].b, u[0].a})
		}
	})
	// Arcs at each vertex, those that leave it first.
	at := map[int32][]int32{}
	for i, a := range arcs {
		at[a.from] = append(at[a.from], int32(i))
	}
	for i, a := range arcs {
		at[a.to] = append(at[a.to], int32(i))
	}
	used := make([]bool, len(arcs))
	next := func(v int32) (int32, bool) {
		for _, i := range at[v] {
			if !used[i] {
				used[i] = true
				return arcs[i].from + arcs[i].to - v, true
			}
		}
		return 0, false
	}
	var loops [][]int32
	for i := range arcs {
		if used[i] {
			continue
		}
		used[i] = true
		path := []int32{arcs[i].from}
		place := map[int32]int{arcs[i].from: 0}
		v, ok := arcs[i].to, true
		for ok {
			if k, back := place[v]; back {
				loops = append(loops, slices.Clone(path[k:]))
				for _, w := range path[k+1:] {
					delete(place, w)
				}
				path = path[:k+1]
			} else {
				place[v] = len(path)
				path = append(path, v)
			}
			v, ok = next(v)
		}
		if len(path) > 1 {
			loops = append(loops, path)
		}
	}
	return loops
}
