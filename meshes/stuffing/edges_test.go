package stuffing

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// tiltedPart returns a profile's part, turned so that no face lies along the lattice.
func tiltedPart(t *testing.T, p profiles.Profile, height float64) *meshes.Tri {
	t.Helper()
	m, err := p.Extrude(height)
	if err != nil {
		t.Fatal(err)
	}
	return samples.Moved(m, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
}

// steppedProfile has a step of the given height, m, and the same on the other side of a
// rib twice as wide as high.
func steppedProfile(step float64) profiles.Profile {
	return profiles.Profile{Outer: [][2]float64{
		{0, 0}, {0.06, 0}, {0.06, 0.03}, {0.04, 0.03}, {0.04, 0.03 + step}, {0.02, 0.03 + step}, {0.02, 0.03}, {0, 0.03},
	}}
}

// The sides of a step face nothing, and are no walls or gaps: the distance of its edges asks
// for the cells that keep them. Holes of one and a half cells have round rims by (1).
func TestLowStepsAndRimsOfSmallHolesAreKept(t *testing.T) {
	hole := profiles.Profile{
		Outer: [][2]float64{{0, 0}, {0.06, 0}, {0.06, 0.03}, {0, 0.03}},
		Holes: [][][2]float64{samples.Circle(0.015, 0.015, 0.0025, 24), samples.Circle(0.035, 0.015, 0.0025, 24), samples.Circle(0.05, 0.015, 0.003, 24)},
	}
	const size = 0.0035
	for name, m := range map[string]*meshes.Tri{
		"step of 0.4 cells": tiltedPart(t, steppedProfile(0.4*size), 0.03),
		"step of 0.2 cells": tiltedPart(t, steppedProfile(0.2*size), 0.03),
		"holes":             tiltedPart(t, hole, 0.01),
	} {
		tets, rep := mustStuff(t, m, Options{Size: size})
		kept := sharpKept(m, tets, 0.05*size)
		t.Logf("%s: %.1f %% kept, %d vertices, least angle %.1f°", name, 100*kept, len(tets.Verts), rep.Quality.MinDihedral/samples.Degree)
		if kept < 0.97 || rep.Quality.MinDihedral < 8*samples.Degree {
			t.Errorf("%s: %.1f %% of the sharp edges kept, least angle %.1f°", name, 100*kept, rep.Quality.MinDihedral/samples.Degree)
		}
	}
}

// Edges that meet at a corner come as close to each other as one likes: that asks for no
// smaller cells, and neither do straight edges far from each other.
func TestCornersOfBoxesAskForNoSmallerCells(t *testing.T) {
	g := ridgeGauge{r: findRidges(prisms.BoxSurface(r3.Vec{}, r3.Vec{0.05, 0.03, 0.02})), along: map[int32]float64{}}
	const size = 0.003
	samples, ok := g.sample(size/4, size)
	if !ok || len(samples) < 12*20 {
		t.Fatalf("%d samples", len(samples))
	}
	for _, x := range samples {
		if k := x.need(size, maxEdgeHalvings); k != 0 {
			t.Fatalf("%d halvings at %v: %g m apart, chord %g m", k, x.at, x.apart, x.chord)
		}
	}
}

// The edges of a step are as far apart as it is high, but for what is nearer to its ends than
// the way around them.
func TestEdgesOfStepsAreAsFarApartAsTheStepIsHigh(t *testing.T) {
	const step, size = 0.001, 0.003
	p := steppedProfile(step)
	m, err := p.Extrude(0.03)
	if err != nil {
		t.Fatal(err)
	}
	g := ridgeGauge{r: findRidges(m), along: map[int32]float64{}}
	samples, _ := g.sample(size/4, size)
	seen := 0
	for _, x := range samples {
		// Both edges of the step at x = 0.04 m, away from the ends of the part.
		atStep := math.Abs(x.at[0]-0.04) < 1e-9 && x.at[1] > 0.03-1e-9 && math.Abs(x.at[2]) < 0.015-2*step
		if !atStep {
			continue
		}
		seen++
		if math.Abs(x.apart/step-1) > 1e-9 {
			t.Fatalf("%g m apart at %v, want %g m", x.apart, x.at, step)
		}
	}
	if seen < 2*20 {
		t.Errorf("%d samples at the step", seen)
	}
}

// Chords on the rim of a hole of radius r are halved until their middle is off by no more than the
// tolerance: r (1 − cos(c/2r)), which is (1) for short ones.
func TestChordsFollowTheRimsOfHoles(t *testing.T) {
	const size = 1
	for _, r := range []float64{0.3, 0.5, 0.8, 1.2, 2, 3, 5} {
		plate := profiles.Profile{Outer: [][2]float64{{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}, Holes: [][][2]float64{samples.Circle(0, 0, r, 400)}}
		m, err := plate.Extrude(8)
		if err != nil {
			t.Fatal(err)
		}
		want := float64(size)
		for range maxEdgeHalvings {
			if r*(1-math.Cos(want/2/r)) > edgeTolerance*size {
				want /= 2
			}
		}
		g := ridgeGauge{r: findRidges(m), along: map[int32]float64{}}
		samples, _ := g.sample(size, size)
		for _, x := range samples {
			if rim := math.Hypot(x.at[0], x.at[1]) < 1.01*r; rim && x.chord != want || !rim && x.chord != size {
				t.Fatalf("radius %g: chord %g at %v, want %g", r, x.chord, x.at, want)
			}
		}
	}
}

// The vertices that edges add have a limit: a staircase of edges all over would have many times
// those of a ramp.
func TestEdgesAddNoMoreVerticesThanTheirShare(t *testing.T) {
	const size, step, n = 0.004, 0.001, 30
	outer := [][2]float64{{0, -0.02}, {n * step, -0.02}}
	for i := n; i > 0; i-- {
		x := step * float64(i)
		outer = append(outer, [2]float64{x, x}, [2]float64{x - step, x})
	}
	s, err := newStuffing(tiltedPart(t, profiles.Profile{Outer: outer}, 0.04), Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	count := func(edges bool) float64 {
		g, _ := s.grade(size, maxHalvings, edges)
		m, _ := cutLattice(s.lattice(g, r3.Vec{}))
		return float64(len(m.Verts))
	}
	with, without := count(true), count(false)
	t.Logf("%.0f vertices, %.0f without edges", with, without)
	if with > (1+edgeShare)*without {
		t.Errorf("%.0f vertices, %.0f without edges", with, without)
	}
}
