package sim

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// dome is a shallow dome of 60 mm and 1 mm thick on a square plan, 7 mm high, of rubber, on hinges at its edges.
func dome(t *testing.T, elements fem.Elements, material string) *scaffold {
	const side, rise, cells = 0.06, 0.007, 8
	mesh := must(meshes.BoxTets(r3.Vec{side, side, 0.001}, [3]int{cells, cells, 1}))
	for i := range mesh.Verts {
		p := &mesh.Verts[i]
		p[2] += rise * math.Cos(math.Pi*p[0]/side) * math.Cos(math.Pi*p[1]/side)
	}
	mesh = meshOf(mesh, elements)
	var held []int32
	for v, p := range mesh.Verts {
		if math.Max(math.Abs(p[0]), math.Abs(p[1])) > 0.4999*side && p[2] < -0.000499 {
			held = append(held, int32(v))
		}
	}
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.AddDeformable("dome", DeformableSpec{Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0.3)), Elements: elements, Material: material, StiffnessDamping: 0.002, MassDamping: 20, Attach: []AttachSpec{{Verts: held}}})
	return w
}

// loadedDome is a dome with a force of 0.16 N times the factor at its middle.
func loadedDome(t *testing.T, elements fem.Elements, factor motion.Motion) *Model {
	w := dome(t, elements, "")
	w.AddLoad("push", &ForceSpec{Force: r3.Vec{0, 0, 0.16}, Body: "dome", Axes: "world", Factor: factor, Where: Region{XMin: ptr(-0.006), XMax: ptr(0.006), YMin: ptr(-0.006), YMax: ptr(0.006)}})
	OnOneGoroutine(t)
	return w.model()
}

// A dome snaps through under a force at its middle, stays inverted without it, and snaps back under one the other way:
// at the loads at which a slow damped run leaves the branch.
func TestADomeSnapsThroughBothWays(t *testing.T) {
	for _, elements := range []fem.Elements{fem.Hex12, fem.Tet10} {
		if elements == fem.Tet10 && os.Getenv("CURLFREE_LONG") == "" {
			continue
		}
		factor := &motion.Piecewise{Times: []float64{0, 1, 2, 3, 4}, Values: []float64{0, -1, 0, 1, 0}}
		m := loadedDome(t, elements, factor)
		s, x := start(t, m, 1)
		top := 0
		for v, p := range m.Deformables[0].Spec().Mesh.Verts {
			if p[0] == 0 && p[1] == 0 && p[2] > 0.007 {
				top = v
			}
		}
		var snaps []RestSnap
		var before []*State // at the start of their steps
		height := func() float64 { return x.Q[3*top+2] }
		high := height()
		for k := range 40 {
			last := x.Clone()
			if err := s.Equilibrium(x, 0.1); err != nil {
				t.Fatalf("%s: %v", elements, err)
			}
			if snap := s.Report.Snap; snap.Moved > 0 {
				snaps, before = append(snaps, snap), append(before, last)
				t.Logf("%s: %+v", elements, snap)
				if !strings.Contains(snap.Where, "dome") {
					t.Errorf("%s: %q snapped", elements, snap.Where)
				}
			}
			switch {
			case k == 19 && height() > -0.2*high:
				t.Errorf("%s: without a load the middle is at %g m, not inverted", elements, height())
			case k == 39 && math.Abs(height()-high) > 1e-8:
				t.Errorf("%s: without a load the middle is at %g m again, not at %g", elements, height(), high)
			}
		}
		if len(snaps) < 2 {
			t.Fatalf("%s: %d losses of stability", elements, len(snaps))
		}
		first, last := 0, len(snaps)-1
		if !(snaps[first].Time < 1 && snaps[last].Time > 2) {
			t.Errorf("%s: it snaps at %g and %g s, not under load both ways", elements, snaps[first].Time, snaps[last].Time)
		}
		// a damped run stays at the state that carries a little less load, and leaves it with a little more
		const little = 0.005
		for _, k := range []int{first, last} {
			y, at := before[k], snaps[k].Time
			below := at - snaps[k].Within - little
			if err := s.Equilibrium(y, below-y.Time); err != nil {
				t.Fatal(err)
			}
			for _, time := range []float64{below, at + little} {
				load, _ := factor.At(time)
				other, z := start(t, loadedDome(t, elements, motion.Constant(load)), 1)
				copy(z.Q, y.Q)
				for v := range m.Deformables[0].NumVerts() { // a state without symmetry, for the branch may end where a symmetric one continues
					if m.Deformables[0].Node(int32(v)) >= 0 {
						z.V[3*v+2] = 0.01 * math.Sin(100*m.Deformables[0].Spec().Mesh.Verts[v][0])
					}
				}
				run(t, other, z, 2e-3, 1000)
				moved := largestDifference(z.Q, y.Q)
				t.Logf("%s: under the load at %g s a damped run moves by %g m", elements, time, moved)
				if leaves := moved > snaps[k].Moved/2; leaves != (time > at) {
					t.Errorf("%s: the state is lost at %g s; under the load at %g s a damped run moves by %g m", elements, at, time, moved)
				}
			}
		}
	}
}

// pressedDome is a dome between two balls, with friction of a stiction tolerance (m/s), that go to and fro along z,
// from 0.2 mm above it, and from some millimetres below the inverted one.
func pressedDome(t *testing.T, elements fem.Elements, stiction float64, above, below motion.Motion) *scaffold {
	const R = 0.006
	mat := materialName(0)
	w := dome(t, elements, mat)
	w.material(1e4, 1, 0.3)
	for _, ball := range []struct {
		name string
		z    float64
		way  motion.Motion
	}{{"above", 0.0075 + R + 2e-4, above}, {"below", -0.012 - R, below}} {
		w.AddBody(ball.name, BodySpec{Mass: 0.1, Pose: at(0, 0, ball.z), Shapes: []ShapeSpec{{Shape: w.sphere(R), Material: mat}}})
		w.AddDrive("press "+ball.name, &BodyMotion{Body: ball.name, Z: ball.way})
	}
	w.Contact = contactModel(constraints.DefaultContactModel, constraints.DefaultNormalModel, stiction, stiction)
	OnOneGoroutine(t)
	return w
}

// A dome that a ball presses from above snaps through, stays inverted when the ball is gone, and snaps back when
// another presses it from below: at all of its states at rest its middle is where that of a slow damped run is, whose
// friction does not creep, and both snaps are reported.
func TestADomeSnapsThroughUnderAnIndenterBothWays(t *testing.T) {
	long(t)
	damped := os.Getenv("CURLFREE_LONG") != "" // compares with a damped run
	for _, elements := range []fem.Elements{fem.Hex12, fem.Tet10} {
		if elements == fem.Tet10 && os.Getenv("CURLFREE_LONG") == "" {
			continue
		}
		const slow = 2 // times as slow
		down := &motion.Piecewise{Times: []float64{0, slow, 2 * slow}, Values: []float64{0, -0.016, 0}}
		up := &motion.Piecewise{Times: []float64{2 * slow, 3 * slow, 4 * slow}, Values: []float64{0, 0.018, 0}}
		s, x := pressedDome(t, elements, constraints.DefaultStictionTolerance, down, up).build()
		other, y := pressedDome(t, elements, 1e-8, down, up).build()
		top := 0
		for v, p := range s.Model.Deformables[0].Spec().Mesh.Verts {
			if p[0] == 0 && p[1] == 0 && p[2] > 0.007 {
				top = v
			}
		}
		high := x.Q[3*top+2]
		var heights []float64
		var snaps []RestSnap
		var fastest [2]RestSnap
		worst := 0.0
		states, state := 40, slow*0.1
		if !damped { // the way down alone
			states = 9
		}
		for k := range states {
			if err := s.Equilibrium(x, state); err != nil {
				t.Fatalf("%s: %v", elements, err)
			}
			z := x.Q[3*top+2]
			heights = append(heights, z)
			if snap := s.Report.Snap; snap.Moved > 0 {
				snaps = append(snaps, snap)
			}
			if !damped {
				continue
			}
			for range int(math.Round(slow * 0.1 / RestStep)) {
				before := y.Q[3*top+2]
				run(t, other, y, RestStep, 1)
				// the fastest steps on either way
				if way := &fastest[k/20]; math.Abs(y.Q[3*top+2]-before) > way.Moved {
					*way = RestSnap{Time: y.Time, Moved: math.Abs(y.Q[3*top+2] - before)}
				}
			}
			w := y.Q[3*top+2]
			worst = math.Max(worst, math.Abs(z-w))
			if !(math.Abs(z-w) < 0.01*2*high) {
				t.Errorf("%s: state %d has the middle at %g m, the damped run at %g m", elements, k+1, z, w)
			}
		}
		if !damped {
			if len(snaps) != 1 || !(math.Abs(snaps[0].Time-0.8265*slow) < 0.01*slow) || !(snaps[0].Moved > 0.003) || heights[states-1] > -0.5*high {
				t.Errorf("%s: snaps %+v, the middle ends at %g m", elements, snaps, heights[states-1])
			}
			continue
		}
		t.Logf("%s: inverted %g m, at the end %g m, %g m from the damped run at most", elements, heights[19], heights[39], worst)
		// both snaps are reported; in the damped run the fastest motion comes some time after the branch has ended, as
		// it begins slowly
		if len(snaps) != 2 {
			t.Fatalf("%s: snaps %+v", elements, snaps)
		}
		for k, snap := range snaps {
			t.Logf("%s: %+v, in the damped run at %.4g s", elements, snap, fastest[k].Time)
			late := fastest[k].Time - snap.Time
			if !(late > 0 && late < 0.05*slow) || !(snap.Within <= 0.002*slow) || !(snap.Moved > 0.003) {
				t.Errorf("%s: %+v, in the damped run at %.4g s", elements, snap, fastest[k].Time)
			}
		}
		if heights[19] > -0.9*high {
			t.Errorf("%s: when the ball above is gone the middle is at %g m, not inverted", elements, heights[19])
		}
		if math.Abs(heights[39]-high) > 1e-8 {
			t.Errorf("%s: when the ball below is gone the middle is at %g m again, not at %g", elements, heights[39], high)
		}
	}
}
