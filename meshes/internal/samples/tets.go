package samples

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// MixedCells returns a block of hexahedra and wedges with vertices numbered at random, which
// meets every orientation of the cuts: an n×n grid of squares, some cut in two, swept twice.
func MixedCells(r *rand.Rand, n int) (verts []r3.Vec, hexes [][8]int32, wedges [][6]int32) {
	side, layers := n+1, 2
	number := r.Perm(side * side * (layers + 1))
	verts = make([]r3.Vec, len(number))
	at := func(i, j, k int) int32 { return int32(number[i+side*(j+side*k)]) }
	for k := range layers + 1 {
		for j := range side {
			for i := range side {
				verts[at(i, j, k)] = r3.Vec{float64(i), float64(j), float64(k)}
			}
		}
	}
	for k := range layers {
		for j := range n {
			for i := range n {
				q := func(up int) [4]int32 {
					return [4]int32{at(i, j, k+up), at(i+1, j, k+up), at(i+1, j+1, k+up), at(i, j+1, k+up)}
				}
				a, b := q(0), q(1)
				if (i+j)%3 == 0 {
					wedges = append(wedges, [6]int32{a[0], a[1], a[2], b[0], b[1], b[2]}, [6]int32{a[0], a[2], a[3], b[0], b[2], b[3]})
				} else {
					hexes = append(hexes, [8]int32{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]})
				}
			}
		}
	}
	return verts, hexes, wedges
}

// UnitTets is one tet.
func UnitTets() *meshes.Tet {
	return &meshes.Tet{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Tets: [][4]int32{{0, 1, 2, 3}}}
}

// CheckTets fails unless all tets are positive, no face is shared by more than
// two, the boundary is a closed oriented surface, and it encloses the volume.
func CheckTets(t *testing.T, m *meshes.Tet) {
	t.Helper()
	vol := 0.0
	type face [3]int32
	faces := map[face]int{}
	used := make([]bool, len(m.Verts))
	for i, v := range m.Tets {
		if x := m.Volume(i); !(x > 0) {
			t.Fatalf("tet %d %v has volume %g", i, v, x)
		} else {
			vol += x
		}
		for _, f := range meshes.TetFaces {
			k := []int32{v[f[0]], v[f[1]], v[f[2]]}
			slices.Sort(k)
			faces[face(k)]++
		}
		for _, w := range v {
			used[w] = true
		}
	}
	for f, n := range faces {
		if n > 2 {
			t.Fatalf("face %v is shared by %d tets", f, n)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		t.Fatalf("vertex %d is in no tet", i)
	}
	tris, _ := m.Boundary()
	s := &meshes.Tri{Verts: m.Verts, Tris: tris}
	CheckClosed(t, s)
	if math.Abs(s.Volume()-vol) > 1e-9*vol {
		t.Fatalf("boundary encloses %g, tets fill %g", s.Volume(), vol)
	}
}

var OneTet = []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}

// GridTets returns n×n×n cubes of side a, each cut into six tets along its main
// diagonal (Kuhn): conforming.
func GridTets(n int, a float64) *meshes.Tet {
	m := &meshes.Tet{}
	id := func(i, j, k int) int32 { return int32(i + (n+1)*(j+(n+1)*k)) }
	for k := range n + 1 {
		for j := range n + 1 {
			for i := range n + 1 {
				m.Verts = append(m.Verts, r3.Vec{float64(i), float64(j), float64(k)}.Scale(a))
			}
		}
	}
	for k := range n {
		for j := range n {
			for i := range n {
				for _, p := range [6][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}} {
					at := [3]int{i, j, k}
					t := [4]int32{id(i, j, k)}
					for s, axis := range p {
						at[axis]++
						t[s+1] = id(at[0], at[1], at[2])
					}
					m.Tets = append(m.Tets, t)
					if l := len(m.Tets) - 1; m.Volume(l) < 0 {
						m.Tets[l][2], m.Tets[l][3] = m.Tets[l][3], m.Tets[l][2]
					}
				}
			}
		}
	}
	return m
}

// volumeOf returns the volumes of the cells by their tets.
func VolumesOf(m *meshes.Tet) []float64 {
	v := make([]float64, m.Cells.Len())
	for t, c := range m.Cells.Of {
		v[c] += m.Volume(t)
	}
	return v
}

// CheckClosed fails unless every directed edge has exactly one opposite.
func CheckClosed(t *testing.T, s *meshes.Tri) {
	t.Helper()
	edges := map[[2]int32]int{}
	for _, v := range s.Tris {
		for i := range 3 {
			edges[[2]int32{v[i], v[(i+1)%3]}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			t.Fatalf("edge %v occurs %d times, its opposite %d times", e, n, edges[[2]int32{e[1], e[0]}])
		}
	}
}

// OnBoundary marks the vertices that a boundary triangle uses.
func OnBoundary(m *meshes.Tet) []bool {
	on := make([]bool, len(m.Verts))
	tris, _ := m.Boundary()
	for _, t := range tris {
		for _, v := range t {
			on[v] = true
		}
	}
	return on
}
