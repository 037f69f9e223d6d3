package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// controlled has the steps of a scaffold control their error.
func (w *scaffold) controlled(accuracy float64) {
	w.Rule, w.Control = midpointRule, StepControl{Accuracy: accuracy}
}

// bouncing is a ball of 0.1 kg and 5 cm that falls by 0.1 m onto a floor of 1e5 N/m.
func bouncing(t *testing.T, control func(*scaffold)) (*Stepper, *State) {
	w := newScaffold(t)
	control(w)
	mat := w.material(1e5, 0.5, 0)
	w.ground(mat)
	w.body("ball", w.sphere(0.025), 0.1, at(0, 0, 0.125), r3.Vec{}, r3.Vec{}, mat)
	return w.build()
}

// heights are those of the first body at the times k h of n steps, with the number of solves.
func heights(t *testing.T, s *Stepper, x *State, h float64, n int) (z []float64, solves, rejected int) {
	t.Helper()
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		solves += max(s.Report.Parts, 1) + s.Report.Rejected
		rejected += s.Report.Rejected
		s.Place(x, h)
		z = append(z, s.Geometry.X_WB[0].P[2])
	}
	return z, solves, rejected
}

// farApart returns the largest difference of two series.
func farApart(a, b []float64) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// Errors over the size of the ball, and steps with those that were rejected, by an independent implementation in Python
// of the same rule in one dimension.
func TestStepsOfABouncingBall(t *testing.T) {
	const h, n, size = 0.01, 100, 0.05
	s, x := bouncing(t, func(w *scaffold) { w.Rule = midpointRule })
	var want []float64
	for range n {
		for range 1000 {
			if err := s.Step(x, h/1000); err != nil {
				t.Fatal(err)
			}
		}
		s.Place(x, h)
		want = append(want, s.Geometry.X_WB[0].P[2])
	}
	for _, c := range []struct {
		accuracy, err float64
		steps         int
	}{{1e-3, 0.233, 305}, {1e-4, 0.0858, 551}, {1e-5, 0.0127, 1080}, {1e-6, 0.00453, 2848}} {
		s, x := bouncing(t, func(w *scaffold) { w.controlled(c.accuracy) })
		z, steps, rejected := heights(t, s, x, h, n)
		e := farApart(z, want) / size
		t.Logf("accuracy %g: error %.3g (%.3g), %d steps (%d), %d rejected", c.accuracy, e, c.err, steps, c.steps, rejected)
		if e > 2*c.err || float64(steps) > 1.2*float64(c.steps) {
			t.Errorf("accuracy %g: error %.3g for %.3g, %d steps for %d", c.accuracy, e, c.err, steps, c.steps)
		}
	}
}

// The error of a soft beam that swings falls with the accuracy, and with it the steps grow fewer than those of half the
// length each.
func TestErrorsOfABeamFallWithTheAccuracy(t *testing.T) {
	const h, n = 0.02, 15
	mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.04, 0.02}, [3]int{6, 2, 2}))
	tip := func(accuracy float64, parts int) (z []float64, steps int) {
		w := newScaffold(t)
		w.Rule, w.Control.Accuracy = midpointRule, accuracy
		w.soft("bar", r3.Vec{0.1, 0.04, 0.02}, [3]int{6, 2, 2}, 1e5, r3.PoseIdentity(), r3.Vec{}, w.material(1e5, 10, 0.5), damped(1e-3),
			fixed(VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.0499, 1, 1}})...))
		s, x := w.build()
		for range n {
			for range parts {
				if err := s.Step(x, h/float64(parts)); err != nil {
					t.Fatal(err)
				}
				steps += max(s.Report.Parts, 1) + s.Report.Rejected
			}
			z = append(z, x.Q[len(x.Q)-1])
		}
		return z, steps
	}
	want, _ := tip(0, 400)
	before, least := 0.0, 0
	// below 1e-5 the tolerance of strains of a step is left
	for _, accuracy := range []float64{1e-3, 1e-4, 1e-5} {
		z, steps := tip(accuracy, 1)
		e := farApart(z, want)
		t.Logf("accuracy %g: error %.3g m, %d steps", accuracy, e, steps)
		if before > 0 && (e > before/3 || float64(steps) > 3*float64(least)) {
			t.Errorf("accuracy %g: error %.3g after %.3g, %d steps after %d", accuracy, e, before, steps, least)
		}
		before, least = e, steps
	}
}

// Steps have the same bits for any number of threads, and after a restart from any state between.
func TestControlledStepsHaveTheSameBits(t *testing.T) {
	w := newScaffold(t)
	w.controlled(1e-4)
	mat := w.material(1e5, 0.5, 0.3)
	w.ground(mat)
	w.body("ball", w.sphere(0.025), 0.1, at(0.2, 0, 0.125), r3.Vec{3, 0, 0}, r3.Vec{1, 0, 0}, mat)
	w.soft("block", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, tilted(0, 0, 0.1), r3.Vec{0, 0, -1}, mat, damped(1e-3))
	m := w.model()
	const h, n = 0.01, 30
	s, x := start(t, m, 1)
	var states []*State
	for range n {
		states = append(states, x.Clone())
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	other, y := start(t, m, 2)
	run(t, other, y, h, n)
	if y.Hash() != x.Hash() {
		t.Error("two threads end elsewhere")
	}
	for k := n - 1; k >= 0; k -= 7 {
		y := states[k].Clone()
		run(t, other, y, h, n-k)
		if y.Hash() != x.Hash() {
			t.Errorf("a run from step %d on ends elsewhere", k)
		}
	}
}

// Scenes that are ten times as large have the same steps in √10 of the time.
func TestControlHasNoScale(t *testing.T) {
	count := func(scale float64) (steps int) {
		w := newScaffold(t)
		w.Rule, w.Control = midpointRule, StepControl{Accuracy: 1e-4, MinStep: 1e-6 * math.Sqrt(scale)}
		mat := w.material(1e5*scale*scale, 0.5/math.Sqrt(scale), 0)
		w.ground(mat)
		w.body("ball", w.sphere(0.025*scale), 0.1*scale*scale*scale, at(0, 0, 0.125*scale), r3.Vec{}, r3.Vec{}, mat)
		s, x := w.build()
		_, steps, _ = heights(t, s, x, 0.01*math.Sqrt(scale), 100)
		return steps
	}
	small, large := count(1), count(10)
	near(t, "steps", float64(large), float64(small), 0.02*float64(small))
}

// Blocks that come to rest take the longest steps.
func TestControlledStackRests(t *testing.T) {
	const h = 0.01
	w := newScaffold(t)
	w.controlled(1e-3)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	for i := range 3 {
		w.soft(fmt.Sprint("block", i), r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.05+0.1*float64(i)), r3.Vec{}, mat, damped(0.03))
	}
	s, x := w.build()
	run(t, s, x, h, 100)
	for step := range 50 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		if s.Report.Parts != 0 || s.Report.Rejected != 0 {
			t.Errorf("step %d at rest has %d parts, %d rejected", step, s.Report.Parts, s.Report.Rejected)
		}
	}
}

// Steps that end where they are asked to: no part is longer than the step, or much shorter than its neighbours.
func TestControlledStepsEndOnTime(t *testing.T) {
	s, x := bouncing(t, func(w *scaffold) { w.controlled(1e-5) })
	for k := range 150 {
		h := 0.01
		if k%3 == 1 {
			h = 0.0037
		}
		end := x.Time + h
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		near(t, "time", x.Time, end, 1e-12)
		if r := &s.Report; !(r.LeastPart > 0) || r.MostPart > h || x.Step != k+1 {
			t.Fatalf("step %d: parts of %g to %g s", k, r.LeastPart, r.MostPart)
		}
	}
}

// A shortest step that is too long is counted, and the run continues.
func TestShortestStepsAreCounted(t *testing.T) {
	s, x := bouncing(t, func(w *scaffold) {
		w.Rule, w.Control = midpointRule, StepControl{Accuracy: 1e-6, MinStep: 1e-3}
	})
	left := 0
	for range 30 {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
		if s.Report.LeastPart < 1e-3*(1-1e-9) {
			t.Fatalf("a part of %g s", s.Report.LeastPart)
		}
		left += s.Report.Defects[AccuracyTerm].Left
	}
	if left == 0 {
		t.Error("no step is counted")
	}
}

// Under Euler the error is of second order, and bounds steps as well.
func TestControlUnderEuler(t *testing.T) {
	before := 0
	for _, accuracy := range []float64{1e-3, 1e-4, 1e-5} {
		s, x := bouncing(t, func(w *scaffold) { w.Control.Accuracy = accuracy })
		_, steps, _ := heights(t, s, x, 0.01, 50)
		if steps <= before || before > 0 && steps > 5*before {
			t.Errorf("accuracy %g: %d steps after %d", accuracy, steps, before)
		}
		before = steps
	}
}

// Parts of any length allocate nothing.
func TestControlOfErrorsAllocatesNothing(t *testing.T) {
	s, x := bouncing(t, func(w *scaffold) { w.controlled(1e-4) })
	run(t, s, x, 0.01, 30)
	if n := testing.AllocsPerRun(30, func() {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// What a model asks for is checked.
func TestControlIsChecked(t *testing.T) {
	for _, c := range []StepControl{{Accuracy: -1}, {Accuracy: 1}, {Accuracy: math.NaN()}, {Accuracy: 1e-3, MinStep: -1}, {Accuracy: 1e-3, MinStep: math.Inf(1)}} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	c := StepControl{Accuracy: 1e-3}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// The last link of a chain is compared with its own size, and a joint near the base counts by what it moves.
func TestErrorsCountByLinks(t *testing.T) {
	var sizes []linkSize
	w := newScaffold(t)
	mat := w.material(1e5, 1, 0.5)
	w.body("box", w.box(0.2, 0.1, 0.1), 1, at(0, 0, 1), r3.Vec{}, r3.Vec{}, mat)
	w.body("bare", w.sphere(0.1), 1, at(1, 0, 1), r3.Vec{}, r3.Vec{}, mat)
	b := NewBuilder()
	b.AddBody("bob", BodySpec{Inertial: &geometry.MassProperties{Mass: 1, Com: r3.Vec{0, 0.3, -0.4}}, Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{1, 0, 0}}}})
	near(t, "a point mass on its arm", linkSizes(must(b.Build()))[0].radius, 0.5, 1e-12)
	m := w.model()
	sizes = linkSizes(m)
	near(t, "half of the box", sizes[0].radius, 0.1, 1e-12)
	near(t, "ball", sizes[1].radius, 0.1, 1e-12)
	if m.Geometry.Geoms[0].Body == geometry.World {
		t.Error("the box is the world's")
	}
}

// Parts end where the velocity of a prescribed body jumps, and what rests on it follows to the accuracy.
func TestPartsEndAtKinks(t *testing.T) {
	w := newScaffold(t)
	w.controlled(1e-4)
	mat := w.material(1e5, 10, 0.5)
	kinks := []float64{0.0133, 0.0271, 0.0272, 0.05}
	table := &motion.Piecewise{Times: kinks, Values: []float64{0, 0.002, 0.002, 0.001}}
	floor := w.link(rigid.LinkSpec{Name: "floor", Parent: rigid.World, X_PF: r3.PoseIdentity(), Joint: rigid.Prescribed{Translation: [3]motion.Motion{nil, nil, table}}})
	w.geom(floor, at(0, 0, -0.05), w.box(1, 1, 0.1), mat)
	w.body("ball", w.sphere(0.025), 0.1, at(0, 0, 0.025), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	for range 8 {
		s.parts.begin(s.Model, x, s.kinks, 0.01)
		var ends []float64
		for more := true; more; {
			h := s.parts.h
			if whole, err := s.take(x, h); err != nil {
				t.Fatal(err)
			} else if !whole {
				s.parts.shorten(s.errorRatio())
				continue
			}
			ends = append(ends, x.Time)
			more = s.parts.next(s.errorRatio(), &x.Pace)
		}
		for _, k := range kinks {
			if k <= ends[0]-0.01 || k >= ends[len(ends)-1] {
				continue
			}
			nearest := math.Inf(1)
			for _, e := range ends {
				nearest = min(nearest, math.Abs(e-k))
			}
			if k > ends[0] && nearest > 1e-12 {
				t.Errorf("no part ends at %g s: %v", k, ends)
			}
		}
		near(t, "end", x.Time, math.Round(x.Time*100)/100, 1e-12)
	}
}

// The derivative of a step under control of errors is that of its parts, whose lengths are constants.
func TestControlledStepsHaveTheDerivativesOfTheirParts(t *testing.T) {
	w := newScaffold(t)
	w.Contact, w.FrictionLag, w.RelTol = constraints.Lagged{StictionTolerance: 1e-2}, FrictionLagGeometry, 1e-13
	w.Control.Accuracy = 1e-5
	mat := w.material(1e4, 0.5, 0.3)
	w.ground(mat)
	w.body("ball", w.sphere(0.05), 0.3, at(0, 0, 0.0499), r3.Vec{1, 2, 3}, r3.Vec{0.5, 0.1, -0.3}, mat)
	m := w.model()
	s, x := start(t, m, 1)
	free := *m
	free.Control = StepControl{}
	fixed, err := NewStepper(&free, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer fixed.Close()
	const h = 0.01
	divided := false
	for range 4 {
		l, err := s.Linearize(x, h)
		if err != nil {
			t.Fatal(err)
		}
		nx, _ := l.Size()
		dx, got, want := make([]float64, nx), make([]float64, nx), make([]float64, nx)
		for i := range dx {
			dx[i] = math.Sin(float64(3*i + 1))
		}
		if err := l.Tangent(dx, nil, got); err != nil {
			t.Fatal(err)
		}
		lengths := []float64{h}
		if len(l.parts) > 1 {
			lengths, divided = lengths[:0], true
			for k := range l.parts {
				lengths = append(lengths, l.parts[k].h)
			}
		}
		const eps = 1e-6
		var ends [2]*State
		for k, sign := range [2]float64{eps, -eps} {
			y := x.Clone()
			y.EnergyReference = nil
			m.MoveState(y, sign, dx)
			for _, part := range lengths {
				if err := fixed.Step(y, part); err != nil {
					t.Fatal(err)
				}
			}
			ends[k] = y
		}
		m.StateDifference(ends[1], ends[0], want)
		for i := range want {
			want[i] /= 2 * eps
			near(t, fmt.Sprint("tangent of number ", i), got[i], want[i], 1e-5*(1+math.Abs(want[i])))
		}
		run(t, s, x, h, 1)
	}
	if !divided {
		t.Error("no step has parts")
	}
}
