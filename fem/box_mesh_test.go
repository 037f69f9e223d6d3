package fem

import (
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
	"github.com/curlfree/curlfree/workers"
)

// boxMesh returns a box of nx×ny×nz cells, each cut into six tets around its
// main diagonal (Kuhn), with a corner at the origin.
func boxMesh(size r3.Vec, nx, ny, nz int) *meshes.Tet {
	m := &meshes.Tet{}
	at := func(i, j, k int) int32 { return int32((i*(ny+1)+j)*(nz+1) + k) }
	for i := range nx + 1 {
		for j := range ny + 1 {
			for k := range nz + 1 {
				m.Verts = append(m.Verts, r3.Vec{
					size[0] * float64(i) / float64(nx), size[1] * float64(j) / float64(ny), size[2] * float64(k) / float64(nz),
				})
			}
		}
	}
	paths := [6][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}
	for i := range nx {
		for j := range ny {
			for k := range nz {
				for n, path := range paths {
					c := [3]int{i, j, k}
					tet := [4]int32{at(i, j, k)}
					for s, axis := range path {
						c[axis]++
						tet[s+1] = at(c[0], c[1], c[2])
					}
					if n >= 3 { // odd permutations are inside out
						tet[2], tet[3] = tet[3], tet[2]
					}
					m.Tets = append(m.Tets, tet)
				}
			}
		}
	}
	return m
}

// where returns the vertices that satisfy a condition.
func where(m *meshes.Tet, cond func(p r3.Vec) bool) (vs []int32) {
	for i, p := range m.Verts {
		if cond(p) {
			vs = append(vs, int32(i))
		}
	}
	return vs
}

func mustModel(t testing.TB, s Spec) *Model {
	t.Helper()
	m, err := NewModel(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// flat returns the vertices of a mesh as a state.
func flat(vs []r3.Vec) []float64 {
	x := make([]float64, 0, 3*len(vs))
	for _, v := range vs {
		x = append(x, v[:]...)
	}
	return x
}

// world steps one body without constraints.
type world struct {
	d    *Data
	p    cliques.Problem
	pool *workers.Pool
	x, v []float64
	next []float64
}

func newWorld(m *Model) *world {
	w := &world{d: m.NewData(), x: flat(m.spec.Mesh.Verts), v: make([]float64, 3*m.NumVerts())}
	w.d.Place(w.x)
	return w
}

func (w *world) freeMotion(h float64, gravity r3.Vec) {
	w.p.Reset(0, h)
	w.d.FreeMotion(h, gravity, w.x, w.v, w.pool, &w.p)
}

// step takes one step, A (v − v0) = P being solved to round-off.
func (w *world) step(h float64, gravity r3.Vec) {
	w.freeMotion(h, gravity)
	w.next = append(w.next[:0], w.p.V0...)
	for i, dv := range conjugateGradients(&w.p.Cliques[0], w.p.P) {
		w.next[i] += dv
	}
	w.d.Advance(h, w.next, w.x, w.v, timestep.Memory{})
	w.d.Place(w.x)
}

func unitTet() *meshes.Tet {
	return &meshes.Tet{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Tets: [][4]int32{{0, 1, 2, 3}}}
}
