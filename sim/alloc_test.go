package sim

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/timestep"
)

// hot are scenes of the tests of allocation and of the benchmarks.
var hot = map[string]func(w *scaffold){
	"stack":   func(w *scaffold) { stack(w, 10, 1, 1e6) },
	"pinched": func(w *scaffold) { pinch(w, 20) },
	"busy":    busy,
	"loaded":  loaded,
	"swept":   swept,
	"sensed":  sensed,
	"swept in fields": func(w *scaffold) {
		swept(w)
		w.mat(0).HydroelasticModulus = 1e6
	},
}

// swept is a soft block that falls fast onto thin plates, so that its vertices are followed through the steps.
func swept(w *scaffold) {
	mat := w.material(1e5, 10, 0.5)
	w.soft("block", r3.Vec{0.04, 0.03, 0.03}, [3]int{2, 1, 1}, 1e6, at(0, 0, 0.3), r3.Vec{0, 0, -20}, mat, damped(0.01))
	for i := range 3 {
		w.body("plate", w.box(0.1, 0.1, 0.002), 0.5, at(0.02*float64(i), 0, 0.2-0.05*float64(i)), r3.Vec{}, r3.Vec{}, mat)
	}
}

// loaded is a bar fixed at one end under all loads, with its reaction, that a ball hits.
func loaded(w *scaffold) {
	mat := w.material(1e5, 10, 0.5)
	w.soft("bar", r3.Vec{0.1, 0.02, 0.02}, [3]int{5, 1, 1}, 1e6, at(0, 0, 0.1), r3.Vec{}, mat, damped(0.01), fixed(0, 6, 12, 18))
	w.body("ball", w.sphere(0.02), 0.05, at(0.03, 0, 0.14), r3.Vec{}, r3.Vec{}, mat)
	w.AddLoad("press", &PressureSpec{Pressure: &motion.Sine{Amplitude: 500, Frequency: 5}, Body: "bar"})
	w.AddLoad("pull", &ForceSpec{Force: r3.Vec{0.1, 0, 0}, Body: "bar", Axes: "world"})
	w.AddLoad("push", &ForceSpec{Force: r3.Vec{0, 0.01, 0}, Body: "ball", Axes: "body"})
	w.AddSignal("z", &ReactionSpec{Component: "z", HeldSpec: HeldSpec{Body: "bar"}})
}

// sensed is a ball on a rod with sensors.
func sensed(w *scaffold) {
	w.body("ball", w.sphere(0.02), 0.05, at(0.1, 0, 0.4), r3.Vec{}, r3.Vec{}, w.material(1e5, 10, 0.5))
	w.AddBody("hook", BodySpec{Mass: 0.1, Inertia: &r3.Mat{1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4}, Pose: at(0, 0, 0.4), Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}}})
	w.AddConstraint("rod", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "hook", B: "ball"}}})
	for i, spec := range []constraints.Spec{
		&constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "ball", B: "bob 0"}, Rope: true},
		&constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "ball", B: "bob 1"}},
	} {
		name := fmt.Sprint("bob ", i)
		w.AddBody(name, BodySpec{Mass: 0.02, Inertia: &r3.Mat{1e-5, 0, 0, 0, 1e-5, 0, 0, 0, 1e-5}, Pose: at(0.1, 0.1*float64(i)-0.05, 0.3)})
		w.AddConstraint(name, spec)
	}
	w.AddSignal("wrench", &JointWrenchSpec{Component: "force_z", Body: "hook"})
	w.AddSignal("noisy", &MeasuredSpec{Signal: "wrench", Deviation: 1, Walk: 1})
	w.AddSignal("acceleration", &AccelerometerSpec{Component: "x", Body: "ball"})
}

// A step allocates nothing once its buffers have grown, also while contacts come
// and go.
func TestStepsAllocateNothing(t *testing.T) {
	for _, rule := range bothRules {
		for name, scene := range hot {
			t.Run(name+rule.name, func(t *testing.T) { allocateNothing(t, rule.rule, scene) })
		}
	}
}

// bothRules are the rules of integration, with suffixes of names of tests.
var bothRules = []struct {
	name string
	rule timestep.Rule
}{{"", timestep.Rule{}}, {" by midpoint", timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}}}

// allocateNothing is TestStepsAllocateNothing of a scene under a rule.
func allocateNothing(t *testing.T, rule timestep.Rule, scene func(w *scaffold)) {
	w := newScaffold(t)
	w.Rule = rule
	scene(w)
	m := w.model()
	s, x := start(t, m, 2)
	trace(t, s, x, 200)
	// Again, through contacts that begin and end. The mean of a step would hide what few steps allocate, and
	// the Go runtime allocates now and then itself, as for its cache of type assertions.
	const ofRuntime = 5
	least, values := uint64(math.MaxUint64), make([]float64, 0, len(m.Signals))
	for range 3 {
		x.copyFrom(&m.Start)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 150 {
			if err := s.Step(x, 2e-3); err != nil {
				t.Fatal(err)
			}
			s.Report.Contacts()
			values = s.Read(x, values[:0])
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least > ofRuntime && !raceDetector {
		t.Errorf("%d allocations in 150 steps", least)
	}
	if n := alloctest.PerRun(10, func() { s.Place(x, 1e-3); energy(s, x) }); n > 0 {
		t.Errorf("%g allocations to place and read", n)
	}
}

func BenchmarkStep(b *testing.B) {
	for name, scene := range hot {
		b.Run(name, func(b *testing.B) {
			w := newScaffold(b)
			scene(w)
			s, x := start(b, w.model(), 1)
			trace(b, s, x, 100)
			from := x.Clone()
			iterations, contacts, steps := 0, 0, 0
			b.ReportAllocs()
			for b.Loop() {
				if steps%200 == 0 {
					*x = State{Time: from.Time, Step: from.Step, Q: append(x.Q[:0], from.Q...), V: append(x.V[:0], from.V...)}
				}
				if err := s.Step(x, 2e-3); err != nil {
					b.Fatal(err)
				}
				steps++
				iterations += s.Report.Solver.Iterations
				contacts += len(s.Report.Contacts())
			}
			b.ReportMetric(float64(iterations)/float64(steps), "iterations/step")
			b.ReportMetric(float64(contacts)/float64(steps), "contacts/step")
		})
	}
}
