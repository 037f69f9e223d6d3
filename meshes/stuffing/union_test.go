package stuffing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// The union of two boxes has the volume and the sharp edges of the union, whether they
// cross, lie flush, touch at a face, or one is inside the other.
func TestUnionOfBoxesIsExact(t *testing.T) {
	unit := prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 1})
	for _, c := range []struct {
		name      string
		low, high r3.Vec
		// m³, m, m; 0: not compared
		volume, seams, edges float64
		tilt                 r3.Vec
	}{
		{"crossing", r3.Vec{0.5, 0.25, 0.25}, r3.Vec{1.5, 0.75, 0.75}, 1.125, 2, 18, r3.Vec{}},
		{"crossing, tilted", r3.Vec{0.5, 0.25, 0.25}, r3.Vec{1.5, 0.75, 0.75}, 1.125, 2, 18, r3.Vec{0.3, 0.5, 0.7}},
		{"through", r3.Vec{-0.5, 0.25, 0.25}, r3.Vec{1.5, 0.75, 0.75}, 1.25, 4, 24, r3.Vec{0.3, 0.5, 0.7}},
		{"flush", r3.Vec{0.5, 0, 0}, r3.Vec{1.5, 1, 1}, 1.5, 0, 0, r3.Vec{}},
		{"touching", r3.Vec{1, 0, 0}, r3.Vec{2, 1, 1}, 2, 0, 0, r3.Vec{}},
	} {
		m := samples.Moved(samples.Together(unit, prisms.BoxSurface(c.low, c.high)), r3.Pose{R: r3.RotRPY(c.tilt[0], c.tilt[1], c.tilt[2])})
		m = surfaces.Welded(m)
		u := surfaces.Unite(m, meshes.NewDistance(m))
		if u == nil {
			t.Errorf("%s: nothing overlaps", c.name)
			continue
		}
		if math.Abs(u.Volume-c.volume) > 1e-5 {
			t.Errorf("%s: volume %g, want %g", c.name, u.Volume, c.volume)
		}
		l := 0.0
		for _, s := range u.Seams {
			l += s[1].Sub(s[0]).Norm()
		}
		all := 0.0
		for _, e := range unionRidges(u).ends {
			all += e[1].Sub(e[0]).Norm()
		}
		if c.edges > 0 && math.Abs(all-c.edges) > 1e-5 {
			t.Errorf("%s: %g m of sharp edges, want %g", c.name, all, c.edges)
		}
		if c.seams > 0 && math.Abs(l-c.seams) > 1e-5 {
			t.Errorf("%s: %g m of seams, want %g", c.name, l, c.seams)
		}
	}
	// Solids apart, and a single one.
	for _, m := range []*meshes.Tri{unit, samples.Together(unit, prisms.BoxSurface(r3.Vec{3, 0, 0}, r3.Vec{4, 1, 1}))} {
		m = surfaces.Welded(m)
		if surfaces.Unite(m, meshes.NewDistance(m)) != nil {
			t.Error("solids apart are united")
		}
	}
}

// Overlapping solids are filled as their union: its volume, and its edges where they
// meet.
func TestOverlappingSolidsAreFilledAsOne(t *testing.T) {
	m := samples.Together(prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 1}), prisms.BoxSurface(r3.Vec{0.5, 0.2, 0.3}, r3.Vec{1.6, 0.8, 0.9}))
	m = samples.Moved(m, r3.Pose{R: r3.RotRPY(0.3, 0.5, 0.7)})
	const want = 1 + 0.6*0.6*0.6
	tets, rep := mustStuff(t, m, Options{Size: 0.13})
	if v := samples.VolumeOf(tets); math.Abs(v/want-1) > 0.003 || math.Abs(rep.SurfaceVolume-want) > 1e-5 {
		t.Errorf("volume %g, reported %g, want %g", v, rep.SurfaceVolume, want)
	}
	out, _ := tets.Surface()
	if top := repair.Topology(out); top.Components != 1 || top.Genus != 0 {
		t.Errorf("%d pieces, %d handles", top.Components, top.Genus)
	}
}

// Bodies that touch at a face, as CAD programs write parts of several bodies, are filled as one: a block on a plate is
// one piece, in any orientation, and keeps its volume.
func TestBodiesThatTouchAreFilledAsOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	m := samples.Together(prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 0.8, 0.2}), prisms.BoxSurface(r3.Vec{0.31, 0.22, 0.2}, r3.Vec{0.72, 0.61, 0.5}))
	const want = 1*0.8*0.2 + 0.41*0.39*0.3
	for range 4 {
		turned := samples.Moved(m, r3.Pose{R: r3.RotRPY(7*rng.Float64(), 7*rng.Float64(), 7*rng.Float64())})
		tets, _ := mustStuff(t, turned, Options{Size: 0.08})
		if v := samples.VolumeOf(tets); math.Abs(v/want-1) > 0.003 {
			t.Errorf("volume %g, want %g", v, want)
		}
		out, _ := tets.Surface()
		if top := repair.Topology(out); top.Components != 1 || top.Genus != 0 {
			t.Errorf("%d pieces, %d handles", top.Components, top.Genus)
		}
	}
}
