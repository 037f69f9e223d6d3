package profiles

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
)

// Fingers of random dimensions: the surface is closed with a hole between each two
// ribs, the tets fill it exactly, and every vertex lies in the finger's box.
func TestRandomFinRaysAreSound(t *testing.T) {
	r := samples.NewRand(t, 91)
	made := 0
	for made < 12 {
		f := DefaultFinRay()
		f.Length *= 0.7 + 0.6*r.Float64()
		f.BaseDepth *= 0.8 + 0.5*r.Float64()
		f.Wall *= 0.6 + 0.4*r.Float64()
		f.Ribs = r.IntN(7)
		f.RibAngle = 0.6*r.Float64() - 0.3
		if made%2 == 1 {
			f.BackWall = f.Wall * (0.7 + 0.6*r.Float64())
		}
		f.TipDepth = f.Wall + f.backWall() + 0.001*r.Float64()
		p, err := f.Profile()
		if err != nil {
			if !strings.Contains(err.Error(), "meshes: finray: ") {
				t.Errorf("%+v: %v", f, err)
			}
			continue
		}
		made++
		if len(p.Holes) != f.Ribs+1 {
			t.Errorf("%d ribs, %d holes", f.Ribs, len(p.Holes))
		}
		surface, err := f.Surface()
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if err := repair.Watertight(surface); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
		if d := repair.Diagnose(surface); d.Genus != f.Ribs+1 || len(d.SelfIntersections) > 0 {
			t.Errorf("%d ribs: genus %d, %d intersections", f.Ribs, d.Genus, len(d.SelfIntersections))
		}
		m, err := f.Tets(FinRayOptions{Layers: 1, Across: 1})
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		samples.CheckTets(t, m)
		if want := p.Area() * f.Width; math.Abs(samples.VolumeOf(m)-want) > 1e-9*want || math.Abs(surface.Volume()-want) > 1e-9*want {
			t.Errorf("tets of %g, surface of %g, want %g m³", samples.VolumeOf(m), surface.Volume(), want)
		}
		b := m.Bounds()
		if size := b.Size(); math.Abs(size[0]-f.Length) > 1e-12 || math.Abs(size[1]-f.BaseDepth) > 1e-12 || math.Abs(size[2]-f.Width) > 1e-12 {
			t.Errorf("a finger of %v", size)
		}
		base := map[int32]bool{}
		for _, v := range f.BaseVertices(m) {
			base[v] = true
		}
		for i, q := range m.Verts {
			if base[int32(i)] != (q[0] <= f.BaseBlock*(1+1e-9)) {
				t.Errorf("vertex %d at x = %g, in the base %v", i, q[0], base[int32(i)])
			}
		}
	}
}

// Each level of refinement halves all edges and keeps the volume to the last digits.
func TestRefiningAFinRayKeepsItsVolume(t *testing.T) {
	f := DefaultFinRay()
	f.Ribs = 2
	before, err := f.Tets(FinRayOptions{Layers: 1, Across: 1})
	if err != nil {
		t.Fatal(err)
	}
	after, err := f.Tets(FinRayOptions{Layers: 1, Across: 1, Refine: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Tets) != 8*len(before.Tets) || math.Abs(samples.VolumeOf(after)-samples.VolumeOf(before)) > 1e-12*samples.VolumeOf(before) {
		t.Errorf("%d tets became %d, volume %g became %g", len(before.Tets), len(after.Tets), samples.VolumeOf(before), samples.VolumeOf(after))
	}
	if a, b := meshes.TetQuality(before), meshes.TetQuality(after); math.Abs(a.MaxEdge/b.MaxEdge-2) > 0.01 {
		t.Errorf("longest edge %g became %g", a.MaxEdge, b.MaxEdge)
	}
}

// Every dimension that makes no sense is named.
func TestFinRayDimensionsAreNamed(t *testing.T) {
	for name, change := range map[string]func(f *FinRay){
		"Length": func(f *FinRay) { f.Length = 0 }, "Width": func(f *FinRay) { f.Width = -1 }, "BaseDepth": func(f *FinRay) { f.BaseDepth = math.NaN() },
		"TipDepth": func(f *FinRay) { f.TipDepth = math.Inf(1) }, "Wall": func(f *FinRay) { f.Wall = 0 }, "Rib": func(f *FinRay) { f.Rib = 0 },
		"Neck": func(f *FinRay) { f.Neck = 1 }, "NeckLength": func(f *FinRay) { f.NeckLength = -1 }, "BaseBlock": func(f *FinRay) { f.BaseBlock = 0 },
		"TipBlock": func(f *FinRay) { f.TipBlock = 0 }, "Ribs": func(f *FinRay) { f.Ribs = -1 }, "RibAngle": func(f *FinRay) { f.RibAngle = 2 },
	} {
		f := DefaultFinRay()
		change(&f)
		for what, make := range map[string]func() error{
			"Profile": func() error { _, err := f.Profile(); return err }, "Surface": func() error { _, err := f.Surface(); return err },
			"Tets": func() error { _, err := f.Tets(FinRayOptions{}); return err },
		} {
			if err := make(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s with a bad %s: %v", what, name, err)
			}
		}
	}
	for want, opt := range map[string]FinRayOptions{
		"Refine 9": {Refine: 9}, "Across 99": {Across: 99}, "size -1 m": {Size: -1}, "-2 layers": {Layers: -2}, "choose a larger Size": {Size: 1e-4, Refine: 4},
	} {
		if _, err := DefaultFinRay().Tets(opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}
