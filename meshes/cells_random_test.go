package meshes_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// eachCellMesh calls check with meshes of every sort of cells under a random affine map: hexahedra
// and wedges that are numbered at random, a box, and ten-node tets.
func eachCellMesh(t *testing.T, check func(name string, m *meshes.Tet, volume float64)) {
	t.Helper()
	r := rand.New(rand.NewSource(31))
	for range 8 {
		n := 2 + r.Intn(3)
		verts, hexes, wedges := samples.MixedCells(r, n)
		box, err := meshes.BoxTets(r3.Vec{2, 3, 4}, [3]int{1 + r.Intn(3), 1 + r.Intn(3), 1 + r.Intn(3)})
		if err != nil {
			t.Fatal(err)
		}
		// parallelepipeds of volume det L: edges stay straight, faces plane
		L := r3.Identity()
		for i := range L {
			L[i] += 0.3 * (2*r.Float64() - 1)
		}
		shift := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		for _, list := range [][]r3.Vec{verts, box.Verts} {
			for i, p := range list {
				list[i] = L.MulVec(p).Add(shift)
			}
		}
		mixed, err := meshes.FillCells(verts, hexes, wedges)
		if err != nil {
			t.Fatal(err)
		}
		check("hexahedra and wedges", mixed, L.Det()*float64(2*n*n))
		check("box", box, L.Det()*24)
		check("ten nodes", box.Quadratic(), L.Det()*24)
	}
}

// A ball of tets has the Euler number V − E + F − T = 1 with as many faces as tets and boundary
// have, F = (4T + B)/2; NumEdges is that E. Volumes are those of the affine map.
func TestEulerNumberAndVolumeOfCells(t *testing.T) {
	eachCellMesh(t, func(name string, m *meshes.Tet, volume float64) {
		tris, _ := m.Boundary()
		faces := (4*len(m.Tets) + len(tris)) / 2
		if chi := len(m.Verts) - m.NumEdges() + faces - len(m.Tets); chi != 1 {
			t.Errorf("%s: Euler number %d", name, chi)
		}
		if got := samples.VolumeOf(m); math.Abs(got-volume) > 1e-12*volume {
			t.Errorf("%s: volume %g, want %g", name, got, volume)
		}
		// each edge gets one vertex; a second time, edges of edges: E' = 2E + 3F + T for eight tets
		// in each, of which the octahedron's diagonal is one edge
		q := m.Quadratic()
		if got, want := len(q.Verts), len(m.Verts)+m.NumEdges(); got != want {
			t.Errorf("%s: %d vertices with those on edges, want %d", name, got, want)
		}
		if got, want := q.NumEdges(), 2*m.NumEdges()+3*faces+len(m.Tets); got != want {
			t.Errorf("%s: %d edges of refined tets, want %d", name, got, want)
		}
	})
}

// Every boundary triangle of a mesh of cells is half a face of four vertices, a quarter of a
// triangle of six, or a triangle of a wedge. Halves and quarters make up their face, whose normal
// looks out; across from the fourth vertex of a parallelogram is the corner of the right angle's
// place, p_corner + p_fourth = p_other + p_other.
func TestParentFacesCoverTheBoundary(t *testing.T) {
	eachCellMesh(t, func(name string, m *meshes.Tet, _ float64) {
		tris, owner := m.Boundary()
		parents := m.ParentFaces(tris, owner)
		area := map[string]r3.Vec{} // of the triangles of each face
		face := map[string]r3.Vec{} // of the face, by its loop
		for i, p := range parents {
			x := func(k int) r3.Vec { return m.Verts[tris[i][k]] }
			n := samples.VectorArea([]r3.Vec{x(0), x(1), x(2)})
			if p.N == 3 {
				// the triangle of a wedge by itself
				if c := m.Cells.Cell(int(m.Cells.Of[owner[i]])); len(c) != 6 {
					t.Fatalf("%s: triangle %d of a cell of %d vertices has no parent", name, i, len(c))
				}
				continue
			}
			var loop []r3.Vec
			for _, v := range p.Verts[:min(p.N, 4)] {
				loop = append(loop, m.Verts[v])
			}
			if p.N == 6 {
				loop = loop[:3] // the corners; midpoints are on the sides
			}
			key := key(p.Verts[:p.N])
			area[key], face[key] = area[key].Add(n), samples.VectorArea(loop)
			if p.N != 4 {
				continue
			}
			corner, fourth := p.Across()
			if slices.Contains(tris[i][:], fourth) || !slices.Contains(p.Verts[:4], fourth) {
				t.Fatalf("%s: triangle %v of face %v has the fourth vertex %d", name, tris[i], p.Verts, fourth)
			}
			others := x((corner + 1) % 3).Add(x((corner + 2) % 3))
			if d := x(corner).Add(m.Verts[fourth]).Sub(others).Norm(); d > 1e-12 {
				t.Fatalf("%s: corner %d of %v is not across from %d: off by %g", name, corner, tris[i], fourth, d)
			}
		}
		for k, n := range face {
			if d := area[k].Sub(n).Norm(); d > 1e-12 {
				t.Errorf("%s: the triangles of a face have the area %v, the face %v", name, area[k], n)
			}
		}
		if len(face) == 0 {
			t.Errorf("%s: no faces", name)
		}
	})
	// linear tets have no cells, and no parents
	m := samples.UnitTets()
	if tris, owner := m.Boundary(); m.ParentFaces(tris, owner) != nil {
		t.Error("faces of linear tets have parents")
	}
}

// key is the same for all orders of the vertices of a face.
func key(verts []int32) string {
	v := slices.Clone(verts)
	slices.Sort(v)
	var b strings.Builder
	for _, x := range v {
		b.WriteString(string(rune(x)))
	}
	return b.String()
}

// A hexahedron has the same volume from each of the 24 positions into which a cube turns, and is
// refused from each of the 24 mirrored ones; a wedge likewise from its 6.
func TestCellsAreTheSameFromAllSides(t *testing.T) {
	var cube []r3.Vec
	for _, s := range [][3]float64{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}} {
		cube = append(cube, r3.Vec(s))
	}
	prism := []r3.Vec{{2, 0, -1}, {-1, math.Sqrt(3), -1}, {-1, -math.Sqrt(3), -1}, {2, 0, 1}, {-1, math.Sqrt(3), 1}, {-1, -math.Sqrt(3), 1}}
	// signed permutations of the axes are the cube's; those of a prism turn it by a third or about x
	var maps []r3.Mat
	for _, p := range [][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}} {
		for signs := range 8 {
			var M r3.Mat
			for i := range 3 {
				M[3*i+p[i]] = float64(1 - 2*(signs>>i&1))
			}
			maps = append(maps, M)
		}
	}
	for third := range 3 {
		for _, flip := range []float64{1, -1} {
			R := r3.RotExp(r3.Vec{0, 0, 2 * math.Pi / 3 * float64(third)})
			maps = append(maps, R.Mul(r3.Diag(r3.Vec{1, flip, flip})), R.Mul(r3.Diag(r3.Vec{1, flip, -flip})))
		}
	}
	// found by where the map takes each vertex
	turned := func(x []r3.Vec, M r3.Mat) (order []int32) {
		for _, p := range x {
			if i := slices.IndexFunc(x, func(q r3.Vec) bool { return q.Sub(M.MulVec(p)).Norm() < 1e-9 }); i >= 0 {
				order = append(order, int32(i))
			}
		}
		return order
	}
	seen := map[string][2]int{}
	for _, M := range maps {
		for name, x := range map[string][]r3.Vec{"hexahedron": cube, "wedge": prism} {
			order := turned(x, M)
			if len(order) < len(x) {
				continue
			}
			var m *meshes.Tet
			var err error
			volume := 8.0
			if len(x) == 8 {
				m, err = meshes.FillCells(x, [][8]int32{[8]int32(order)}, nil)
			} else {
				m, err = meshes.FillCells(x, nil, [][6]int32{[6]int32(order)})
				volume = 2 * 3 * math.Sqrt(3)
			}
			count := seen[name]
			if M.Det() < 0 {
				count[1]++
				if err == nil || !strings.Contains(err.Error(), "flat or inside out") {
					t.Errorf("a mirrored %s %v: %v", name, order, err)
				}
			} else {
				count[0]++
				if err != nil || math.Abs(samples.VolumeOf(m)-volume) > 1e-12 {
					t.Errorf("%s %v: %v", name, order, err)
				}
			}
			seen[name] = count
		}
	}
	if seen["hexahedron"][0] < 24 || seen["hexahedron"][1] < 24 || seen["wedge"][0] < 6 || seen["wedge"][1] < 6 {
		t.Errorf("positions: %v", seen)
	}
}

// Cells of wrong vertices are refused before tets are made of them, and a mesh has hexahedra and
// wedges or ten-node tets, not both.
func TestCellsOfWrongVerticesAreRefused(t *testing.T) {
	cube := []r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}
	for _, c := range []struct {
		hex  [8]int32
		want string
	}{
		{[8]int32{0, 1, 2, 3, 4, 5, 6, 8}, "cell 0: vertex 8 does not exist: there are 8"},
		{[8]int32{0, 1, 2, 3, 4, 5, 6, -1}, "cell 0: vertex -1 does not exist"},
		{[8]int32{0, 1, 2, 3, 0, 1, 2, 3}, "flat or inside out"},
		{[8]int32{0, 2, 1, 3, 4, 6, 5, 7}, "flat or inside out"}, // twisted
	} {
		if _, err := meshes.FillCells(cube, [][8]int32{c.hex}, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.hex, err, c.want)
		}
	}
	m := samples.UnitTets().Quadratic()
	m.Cells.Hexes = [][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}}
	if err := m.CheckCells(); err == nil || !strings.Contains(err.Error(), "1 ten-node tetrahedra beside 1 hexahedra and wedges: make two bodies") {
		t.Errorf("hexahedra beside ten-node tets: %v", err)
	}
	m.Cells.Hexes, m.Cells.Of[0] = nil, -1
	if err := m.CheckCells(); err == nil || !strings.Contains(err.Error(), "tetrahedron 0 is in cell -1, but there are 1 cells") {
		t.Errorf("a tet in no cell: %v", err)
	}
	if err := samples.UnitTets().CheckCells(); err != nil {
		t.Errorf("a mesh without cells: %v", err)
	}
}
