package profiles

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

func TestExtrusionIsFoundInASoup(t *testing.T) {
	bracket := bracket()
	fin, err := DefaultFinRay().Profile()
	if err != nil {
		t.Fatal(err)
	}
	poses := []r3.Pose{
		r3.PoseIdentity(),
		{R: r3.RotRPY(math.Pi/2, 0, 0), P: r3.Vec{0.1, 0.2, 0.3}},
		{R: r3.RotRPY(0.3, 1.1, -0.7), P: r3.Vec{-0.4, 0.1, 0.2}},
	}
	for name, p := range map[string]Profile{"bracket": bracket, "finger": fin} {
		for i, x := range poses {
			s, err := p.Extrude(0.02)
			if err != nil {
				t.Fatal(err)
			}
			m := samples.AsSTL(s, x)
			e, ok := FindExtrusion(m)
			if !ok {
				t.Errorf("%s, pose %d: not found", name, i)
				continue
			}
			if math.Abs(e.Width-0.02) > 1e-6 || math.Abs(e.Profile.Area()-p.Area()) > 1e-4*p.Area() || len(e.Profile.Holes) != len(p.Holes) {
				t.Errorf("%s, pose %d: width %g, area %g, %d holes", name, i, e.Width, e.Profile.Area(), len(e.Profile.Holes))
			}
			tets, _, err := e.Fill(FillOptions{Layers: 2, Size: 0.004})
			if err != nil {
				t.Fatal(err)
			}
			samples.CheckTets(t, tets)
			a, b := tets.Bounds(), m.Bounds()
			if a.Min.Sub(b.Min).Norm()+a.Max.Sub(b.Max).Norm() > 1e-6 {
				t.Errorf("%s, pose %d: bounds %v, want %v", name, i, a, b)
			}
		}
	}
}

func TestABoxIsExtrudedFromItsLargestFace(t *testing.T) {
	p := Profile{Outer: [][2]float64{{0, 0}, {0.1, 0}, {0.1, 0.02}, {0, 0.02}}}
	s, err := p.Extrude(0.3)
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := FindExtrusion(s); !ok || math.Abs(e.Width-0.02) > 1e-9 {
		t.Errorf("found %v, width %g", ok, e.Width)
	}
}

func TestWhatIsNoPrismIsNotTakenForOne(t *testing.T) {
	p := bracket()
	s, err := p.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	tilted := &meshes.Tri{Verts: append([]r3.Vec(nil), s.Verts...), Tris: s.Tris}
	for i, v := range tilted.Verts { // a slanted cap
		if v[2] > 0 {
			tilted.Verts[i][2] += 0.01 * v[0]
		}
	}
	tapered := &meshes.Tri{Verts: append([]r3.Vec(nil), s.Verts...), Tris: s.Tris}
	for i, v := range tapered.Verts { // draught
		if v[2] > 0 {
			tapered.Verts[i] = r3.Vec{0.97 * v[0], 0.97 * v[1], v[2]}
		}
	}
	for name, m := range map[string]*meshes.Tri{"tilted": tilted, "tapered": tapered, "empty": {}} {
		if _, ok := FindExtrusion(m); ok {
			t.Errorf("%s was taken for an extrusion", name)
		}
	}
}
