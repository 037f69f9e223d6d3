package stuffing

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// Every cut of a lattice edge needs the distances of both of its ends: where cells of
// two sizes meet, an end may be far from the surface for the size of its own cell.
func TestEndsOfCutEdgesAreMeasured(t *testing.T) {
	for name, m := range map[string]*meshes.Tri{"fin": prisms.FinnedBlock(t), "plate": prisms.FramedPlate(t)} {
		s, err := newStuffing(m, Options{Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []float64{0.009, 0.0061, 0.005, 0.0043, 0.003} {
			for _, n := range nearby {
				g, _, err := s.fits(h)
				if err != nil {
					t.Fatal(err)
				}
				l := s.lattice(g, n.shift)
				for _, v := range l.tets {
					far, in, out := false, false, false
					for _, k := range v {
						far = far || math.IsInf(l.value[k], 0)
						in, out = in || l.value[k] < 0, out || l.value[k] > 0
					}
					if far && in && out {
						t.Fatalf("%s at %g m: a tet across the surface has a vertex without a distance", name, h)
					}
				}
			}
		}
	}
}

// wedge is a bar of 40 mm whose cross section tapers from 10 mm to an edge, tilted.
func wedge(t *testing.T) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.03, 0.005}, {0, 0.01}}}
	s, err := p.Extrude(0.04)
	if err != nil {
		t.Fatal(err)
	}
	return surfaces.Welded(samples.AsSTL(s, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)}))
}

// The edge of a wedge asks for no cells that resolve its tip, which has no size: one cell
// from the edge the wedge is a third of a cell thick, and two of half that do there.
func TestWedgesAskForCellsOfFiniteSize(t *testing.T) {
	m, rep := mustStuff(t, wedge(t), Options{Size: 0.003})
	if rep.LeastSize < 0.003/3/2/2 || len(m.Verts) > 10000 {
		t.Errorf("least cells of %g m, %d vertices", rep.LeastSize, len(m.Verts))
	}
	if off := samples.VolumeOf(m)/(0.5*0.03*0.01*0.04) - 1; math.Abs(off) > 0.01 {
		t.Errorf("volume off by %.2f %%", 100*off)
	}
}

// Sharp edges are kept however the part lies to the lattice.
func TestSharpEdgesOfTiltedPartsAreKept(t *testing.T) {
	bracket := prisms.BracketProfile()
	part, err := bracket.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	box := prisms.BoxSurface(r3.Vec{}, r3.Vec{0.05, 0.03, 0.02})
	for name, m := range map[string]*meshes.Tri{"bracket": part, "box": box, "fin": prisms.FinnedBlock(t)} {
		m = samples.Moved(m, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
		size := m.Bounds().Size().Norm() / 20
		tets, rep := mustStuff(t, m, Options{Size: size})
		kept := sharpKept(m, tets, 0.05*size)
		t.Logf("%s: %.1f %% kept, least angle %.1f°", name, 100*kept, rep.Quality.MinDihedral/samples.Degree)
		if kept < 0.95 || rep.Quality.MinDihedral < 8*samples.Degree {
			t.Errorf("%s: %.1f %% of the sharp edges kept, least angle %.1f°", name, 100*kept, rep.Quality.MinDihedral/samples.Degree)
		}
	}
}

// A flat tet on two faces of the boundary is taken off; the boundary stays closed, and
// the volume the same.
func TestFlatTetsOnTheBoundaryAreTakenOff(t *testing.T) {
	s := prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 1})
	m := &meshes.Tet{
		Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 1e-3}, {0, 1, 0}, {0.5, 0.5, -0.7}},
		Tets:  [][4]int32{{0, 2, 1, 4}, {0, 3, 2, 4}, {0, 1, 2, 3}},
	}
	for i := range m.Tets {
		if m.Volume(i) < 0 {
			m.Tets[i][2], m.Tets[i][3] = m.Tets[i][3], m.Tets[i][2]
		}
	}
	before := samples.VolumeOf(m)
	r := newRelaxer(m, make([]bool, 5), func(r3.Vec) float64 { return 1 }, meshes.NewDistance(s), findRidges(s))
	if !r.peelOnce() || len(m.Tets) != 2 {
		t.Fatalf("%d tets left, want 2", len(m.Tets))
	}
	if off := math.Abs(samples.VolumeOf(m) - before); off > 1e-3 {
		t.Errorf("volume changed by %g", off)
	}
	out, _ := m.Surface()
	if err := repair.Watertight(out); err != nil {
		t.Error(err)
	}
}

// A thin tet that reaches deep into the part stays: without it the boundary would have a
// pit as deep.
func TestNeedlesAreNotTakenOff(t *testing.T) {
	s := samples.SphereSurface(1, 1)
	m := samples.ConeTets(s)
	// One corner of the surface comes close to the opposite side of one of its triangles.
	tri := s.Tris[0]
	m.Verts[tri[0]] = m.Verts[tri[1]].Lerp(m.Verts[tri[2]], 0.5).Lerp(m.Verts[tri[0]], 0.02).Unit()
	skin := slices.Repeat([]bool{true}, len(m.Verts))
	skin[len(s.Verts)] = false
	r := newRelaxer(m, skin, func(r3.Vec) float64 { return 1 }, meshes.NewDistance(s), findRidges(s))
	if q := r.quality(0); q >= peelBelow || q <= 0 {
		t.Fatalf("the needle has quality %g", q)
	}
	if n := len(m.Tets); r.peelOnce() || len(m.Tets) != n {
		t.Errorf("%d of %d tets left", len(m.Tets), n)
	}
}
