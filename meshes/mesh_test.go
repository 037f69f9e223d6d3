package meshes_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

func TestSortedTriGivesTheSameKeyToAllOrders(t *testing.T) {
	for _, c := range []struct {
		tri [3]int32
		odd bool
	}{
		{[3]int32{1, 2, 3}, false}, {[3]int32{2, 3, 1}, false}, {[3]int32{3, 1, 2}, false},
		{[3]int32{1, 3, 2}, true}, {[3]int32{3, 2, 1}, true}, {[3]int32{2, 1, 3}, true},
	} {
		if got, odd := meshes.SortedTri(c.tri); got != [3]int32{1, 2, 3} || odd != c.odd {
			t.Errorf("%v: %v, odd %v", c.tri, got, odd)
		}
	}
}

// V = abc of a box, 4π/3 abc of an ellipsoid up to the chords, whatever the pose.
func TestVolumesDoNotDependOnThePose(t *testing.T) {
	r := samples.NewRand(t, 1)
	for range 20 {
		h := r3.Vec{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}
		m := samples.Moved(samples.GridBox(h, 2), samples.RandomPose(r, 3))
		if want := 8 * h[0] * h[1] * h[2]; math.Abs(m.Volume()-want) > 1e-12 {
			t.Errorf("box of half sizes %v: %g, want %g", h, m.Volume(), want)
		}
		if got := samples.FlippedTri(m).Volume(); math.Abs(got+m.Volume()) > 1e-12 {
			t.Errorf("turned inside out: %g", got)
		}
	}
	previous := 1.0
	for n := 1; n <= 5; n++ {
		m := samples.Scaled(samples.SphereSurface(1, n), r3.Vec{1, 2, 3})
		off := 1 - m.Volume()/(8*math.Pi)
		if off <= 0 || off > 0.4*previous { // the error of chords falls by four
			t.Errorf("ellipsoid refined %d times: volume off by %g after %g", n, off, previous)
		}
		previous = off
	}
}

// The volume inside a torus of chords: that of the polygon's area times the
// circumference of its centroid, Pappus, less the chords around.
func TestTorusVolumeIsThatOfPappus(t *testing.T) {
	const a, b, k = 1.0, 0.3, 40
	area := 0.5 * k * b * b * math.Sin(2*math.Pi/k)
	for _, n := range []int{8, 64, 512} {
		want := area * a * float64(n) * math.Sin(2*math.Pi/float64(n))
		got := samples.Torus(a, b, n, k).Volume()
		if math.Abs(got-want) > 1e-3*want {
			t.Errorf("%d steps: %g, want %g", n, got, want)
		}
	}
}

func TestSplittingATetKeepsVolumeAndBoundary(t *testing.T) {
	r := samples.NewRand(t, 2)
	for range 50 {
		m := &meshes.Tet{Verts: []r3.Vec{samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r)}, Tets: [][4]int32{{0, 1, 2, 3}}}
		if m.Volume(0) < 0 {
			m.Tets[0] = [4]int32{0, 1, 3, 2}
		}
		want := m.Volume(0)
		before, _ := m.Boundary()
		m.Verts = append(m.Verts, m.Centroid(0))
		m.Split(0, 4)
		if len(m.Tets) != 4 || math.Abs(samples.VolumeOf(m)-want) > 1e-14 {
			t.Fatalf("%d tets of volume %g, want 4 of %g", len(m.Tets), samples.VolumeOf(m), want)
		}
		for i := range m.Tets {
			if math.Abs(m.Volume(i)-want/4) > 1e-14 {
				t.Errorf("part %d has %g, want a quarter of %g", i, m.Volume(i), want)
			}
		}
		if after, _ := m.Boundary(); !sameTriangles(before, after) {
			t.Errorf("the boundary %v became %v", before, after)
		}
	}
}

// The boundary of any tets is closed, outward and encloses their volume.
func TestBoundariesOfTetsAreWatertight(t *testing.T) {
	r := samples.NewRand(t, 3)
	for round := range 4 {
		for name, m := range prisms.RandomTets(t, r) {
			surface, from := m.Surface()
			if err := repair.Watertight(surface); err != nil {
				t.Errorf("%s: %v", samples.CaseName(name, round), err)
			}
			if math.Abs(surface.Volume()-samples.VolumeOf(m)) > 1e-12 {
				t.Errorf("%s: %g enclosed, tets have %g", samples.CaseName(name, round), surface.Volume(), samples.VolumeOf(m))
			}
			for i, v := range from {
				if surface.Verts[i] != m.Verts[v] {
					t.Fatalf("%s: vertex %d is not vertex %d of the tets", name, i, v)
				}
			}
			tris, owner := m.Boundary()
			for i, tri := range tris {
				for _, v := range tri {
					if !slices.Contains(m.Tets[owner[i]][:], v) {
						t.Fatalf("%s: face %d does not belong to tet %d", name, i, owner[i])
					}
				}
			}
			if d := repair.Diagnose(surface); d.Genus != 0 || d.Components != 1 {
				t.Errorf("%s: genus %d, %d components", name, d.Genus, d.Components)
			}
		}
	}
}

// χ of a solid ball: V − E + F − T = 1 over the simplices of the mesh.
func TestEulerCharacteristicOfTetsIsOne(t *testing.T) {
	r := samples.NewRand(t, 4)
	for name, m := range prisms.RandomTets(t, r) {
		edges, faces := map[[2]int32]bool{}, map[[3]int32]bool{}
		for _, tet := range m.Tets {
			for _, e := range meshes.TetEdges {
				edges[meshes.SideKey(tet[e[0]], tet[e[1]])] = true
			}
			for _, f := range meshes.TetFaces {
				key, _ := meshes.SortedTri([3]int32{tet[f[0]], tet[f[1]], tet[f[2]]})
				faces[key] = true
			}
		}
		if chi := len(m.Verts) - len(edges) + len(faces) - len(m.Tets); chi != 1 {
			t.Errorf("%s: Euler characteristic %d", name, chi)
		}
	}
}

func TestBoundsContainAllVertices(t *testing.T) {
	r := samples.NewRand(t, 5)
	for range 20 {
		m := samples.Blob(r, 1)
		b := m.Bounds()
		for k := range 3 {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, p := range m.Verts {
				lo, hi = min(lo, p[k]), max(hi, p[k])
			}
			if b.Min[k] != lo || b.Max[k] != hi {
				t.Errorf("axis %d: [%g, %g], want [%g, %g]", k, b.Min[k], b.Max[k], lo, hi)
			}
		}
		if c := samples.ConeTets(m).Bounds(); c != b {
			t.Errorf("bounds of the tets %v, of the surface %v", c, b)
		}
	}
}

// Every box is filled without gaps: volume, conforming faces, positive tets.
func TestBoxTetsConformForAnyCells(t *testing.T) {
	r := samples.NewRand(t, 6)
	for range 12 {
		size := r3.Vec{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}
		cells := [3]int{1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(4)}
		m, err := meshes.BoxTets(size, cells)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Tets) != 6*cells[0]*cells[1]*cells[2] || len(m.Verts) != (cells[0]+1)*(cells[1]+1)*(cells[2]+1) {
			t.Errorf("%v cells: %d tets, %d vertices", cells, len(m.Tets), len(m.Verts))
		}
		want := size[0] * size[1] * size[2] / float64(len(m.Tets))
		for i := range m.Tets {
			if math.Abs(m.Volume(i)-want) > 1e-12*want {
				t.Fatalf("tet %d has volume %g, want %g", i, m.Volume(i), want)
			}
		}
		surface, _ := m.Surface()
		d := repair.Diagnose(surface)
		area := 2 * (size[0]*size[1] + size[1]*size[2] + size[2]*size[0])
		if d.Genus != 0 || math.Abs(d.Area-area) > 1e-12 {
			t.Errorf("%v cells: genus %d, area %g, want %g", cells, d.Genus, d.Area, area)
		}
	}
}
