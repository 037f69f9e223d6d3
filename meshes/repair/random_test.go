package repair

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/r3"
)

// Random solids, torn into triangles of their own, shaken, with triangles reversed,
// come back with their topology and volume.
func TestRepairRestoresRandomSolids(t *testing.T) {
	r := samples.NewRand(t, 31)
	for round := range 2 {
		for _, s := range prisms.RandomSolids(t, r) {
			name := samples.CaseName(s.Name, round)
			m := loosen(s.M, r, 1e-8)
			for i := range m.Tris {
				if r.IntN(3) == 0 {
					m.Tris[i][0], m.Tris[i][1] = m.Tris[i][1], m.Tris[i][0]
				}
			}
			got, rep := Repair(m, DefaultOptions())
			if err := Watertight(got); err != nil {
				t.Errorf("%s: %v\n%s", name, err, rep.String())
				continue
			}
			d := Diagnose(got)
			if d.Genus != s.Genus || d.Components != s.Components || len(got.Verts) != len(s.M.Verts) {
				t.Errorf("%s: genus %d, %d components, %d vertices of %d", name, d.Genus, d.Components, len(got.Verts), len(s.M.Verts))
			}
			if want := s.M.Volume(); math.Abs(got.Volume()-want) > 1e-5*want {
				t.Errorf("%s: volume %g, want %g", name, got.Volume(), want)
			}
			for i, from := range rep.VertexOf {
				if m.Verts[from] != got.Verts[i] {
					t.Fatalf("%s: vertex %d is not vertex %d of the original", name, i, from)
				}
			}
		}
	}
}

// Repairing twice changes nothing more.
func TestRepairIsIdempotent(t *testing.T) {
	r := samples.NewRand(t, 32)
	for _, s := range prisms.RandomSolids(t, r) {
		once, _ := Repair(loosen(s.M, r, 1e-9), DefaultOptions())
		twice, rep := Repair(once, DefaultOptions())
		if len(rep.List) != 0 || !slices.Equal(once.Tris, twice.Tris) || !slices.Equal(once.Verts, twice.Verts) {
			t.Errorf("%s: the second repair did\n%s", s.Name, rep.String())
		}
	}
}

// Single missing triangles anywhere are closed by the triangles that were there.
func TestMissingFacetsComeBack(t *testing.T) {
	r := samples.NewRand(t, 33)
	for _, s := range prisms.RandomSolids(t, r) {
		var kept [][3]int32
		gone := map[int]bool{}
		blocked := map[int32]bool{} // vertices of missing triangles: the holes stay apart
		for i, tri := range s.M.Tris {
			if len(gone) < 3 && r.IntN(4) == 0 && !blocked[tri[0]] && !blocked[tri[1]] && !blocked[tri[2]] {
				gone[i] = true
				for _, v := range tri {
					blocked[v] = true
				}
				continue
			}
			kept = append(kept, tri)
		}
		got, rep := Repair(&meshes.Tri{Verts: s.M.Verts, Tris: kept}, DefaultOptions())
		if err := Watertight(got); err != nil {
			t.Errorf("%s without %d facets: %v\n%s", s.Name, len(gone), err, rep.String())
		}
		if rep.Count("filled") != len(gone) || math.Abs(got.Volume()-s.M.Volume()) > 1e-12 {
			t.Errorf("%s: %d filled of %d, volume %g of %g", s.Name, rep.Count("filled"), len(gone), got.Volume(), s.M.Volume())
		}
	}
}

// A hole around a vertex of a sphere is filled nearly flat: the volume falls by the
// cap only.
func TestRoundHolesAreFilled(t *testing.T) {
	m := samples.SphereSurface(1, 3)
	for v := range int32(6) {
		var kept [][3]int32
		for _, tri := range m.Tris {
			if !slices.Contains(tri[:], v) {
				kept = append(kept, tri)
			}
		}
		got, rep := Repair(&meshes.Tri{Verts: m.Verts, Tris: kept}, DefaultOptions())
		if err := Watertight(got); err != nil || rep.Count("filled") != 1 {
			t.Errorf("vertex %d: %v\n%s", v, err, rep.String())
		}
		if loss := 1 - got.Volume()/m.Volume(); loss <= 0 || loss > 0.005 {
			t.Errorf("vertex %d: the volume fell by %g", v, loss)
		}
	}
}

// Welding against a search over all pairs: the first vertex within the tolerance
// that is itself kept.
func TestWeldMapAgreesWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 34)
	for range 20 {
		var verts []r3.Vec
		for range 80 {
			verts = append(verts, samples.RandomVec(r))
		}
		for range 40 {
			verts = append(verts, verts[r.IntN(80)].AddScaled(0.05*r.Float64(), samples.RandomVec(r)))
		}
		for _, tol := range []float64{0, 0.01, 0.05, 0.3} {
			got, welded := pointset.Weld(verts, tol)
			count := 0
			for i, p := range verts {
				want := int32(i)
				for j := range i {
					if got[j] == int32(j) && verts[j].Sub(p).Norm() <= tol {
						want = int32(j)
						break
					}
				}
				if want != int32(i) {
					count++
				}
				if got[i] != want {
					t.Fatalf("tolerance %g: vertex %d goes to %d, want %d", tol, i, got[i], want)
				}
			}
			if welded != count {
				t.Errorf("tolerance %g: %d welded, want %d", tol, welded, count)
			}
		}
	}
}

// Duplicates: two sheets back to back vanish, a doubled facet of a solid goes once.
func TestDuplicatesGoWhereTheSurfaceStaysClosed(t *testing.T) {
	cube := samples.CubeTri(r3.Vec{}, 1)
	doubled := &meshes.Tri{Verts: cube.Verts, Tris: append(slices.Clone(cube.Tris), cube.Tris[4], cube.Tris[4])}
	got, rep := Repair(doubled, Options{})
	if len(got.Tris) != 12 || Watertight(got) != nil || rep.Count("duplicate") != 2 {
		t.Errorf("%d triangles\n%s", len(got.Tris), rep.String())
	}
	fin := &meshes.Tri{Verts: append(slices.Clone(cube.Verts), r3.Vec{2, 2, 2}, r3.Vec{3, 2, 2}, r3.Vec{2, 3, 2}), Tris: slices.Clone(cube.Tris)}
	fin.Tris = append(fin.Tris, [3]int32{8, 9, 10}, [3]int32{8, 10, 9}) // a wall without thickness
	got, _ = Repair(fin, Options{})
	if len(got.Tris) != 12 || len(got.Verts) != 8 {
		t.Errorf("%d triangles, %d vertices after the sheet went", len(got.Tris), len(got.Verts))
	}
	sheet := &meshes.Tri{Verts: fin.Verts[8:], Tris: [][3]int32{{0, 1, 2}, {0, 2, 1}}}
	if got, _ = Repair(sheet, Options{}); len(got.Tris) != 2 {
		t.Errorf("a sheet on its own became %d triangles", len(got.Tris))
	}
}
