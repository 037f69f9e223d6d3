package scene_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// The cost of the Jacobian of a step by state and efforts, in steps from the same state, measured in turn in
// one process: of the example's arm and ball, at rest and with the arm fallen on the ball.
func BenchmarkJacobianInSteps(b *testing.B) {
	for _, c := range []struct {
		name    string
		efforts []float64
		touches string // the ball
	}{
		{"ball on the floor", []float64{0.000264, -18.4574, -0.322446, 4.33499, -0.001816, 1.83467, 0}, "floor"},
		{"arm on the ball", make([]float64, 7), "arm"},
	} {
		b.Run(c.name, func(b *testing.B) {
			sc, s := loaded(b, "../examples/kinova-push/scene.yaml")
			drives := []string{"u1", "u2", "u3", "u4", "u5", "u6", "u7"}
			if err := s.UseInputs(drives...); err != nil {
				b.Fatal(err)
			}
			s.SetInputs(c.efforts)
			const h = 0.01
			x := sc.Model.Start.Clone()
			touched := func() bool {
				for _, p := range s.ContactsAt(x, h) {
					// links have higher numbers than the ball, the floor a lower one
					if arm := s.BodyName(p.A.Body) == "ball"; p.Phi < 0 && arm == (c.touches == "arm") {
						return true
					}
				}
				return false
			}
			for k := 0; !touched(); k++ {
				if err := s.Step(x, h); err != nil || k == 100 {
					b.Fatal("the ball is not touched", err)
				}
			}
			x.EnergyReference = nil
			nx := s.Model.TangentSize()
			fx, fu := make([]float64, nx*nx), make([]float64, nx*len(drives))
			var steps, solves, jacobians time.Duration
			y := x.Clone()
			for b.Loop() {
				copyState(y, x)
				t0 := time.Now()
				if err := s.Step(y, h); err != nil {
					b.Fatal(err)
				}
				t1 := time.Now()
				l, err := s.Linearize(x, h)
				if err != nil {
					b.Fatal(err)
				}
				t2 := time.Now()
				if err := l.Jacobian(fx, fu); err != nil {
					b.Fatal(err)
				}
				jacobians = least(jacobians, time.Since(t2))
				solves = least(solves, t2.Sub(t1))
				steps = least(steps, t1.Sub(t0))
			}
			b.ReportMetric(float64(steps.Nanoseconds())/1e3, "step-µs")
			b.ReportMetric(float64(solves)/float64(steps), "linearize/step")
			b.ReportMetric(float64(jacobians)/float64(steps), "jacobian/step")
		})
	}
}

// loaded reads a scene, with a stepper of one thread.
func loaded(b *testing.B, path string) (*scene.Scene, *sim.Stepper) {
	sc, err := scene.Load(path, overrides())
	if err != nil {
		b.Fatal(err)
	}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	return sc, s
}

// copyState copies positions and velocities, and forgets the energy of the run.
func copyState(to, from *sim.State) {
	copy(to.Q, from.Q)
	copy(to.V, from.V)
	to.Time, to.Step, to.EnergyReference = from.Time, from.Step, nil
}

// least returns the lesser of two times, the first of which may be unknown: on a shared machine others take their part.
func least(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// The cost of the adjoint of a step with two soft fingers on a part, in steps from the same state, as above.
func BenchmarkAdjointInSteps(b *testing.B) {
	sc, s := loaded(b, "../examples/finray-grasp/scene.yaml")
	const h = 0.01
	x := sc.Model.Start.Clone()
	// the fingers hold the part, which rises
	for range 100 {
		if err := s.Step(x, h); err != nil {
			b.Fatal(err)
		}
	}
	x.EnergyReference = nil
	y, lambda := x.Clone(), make([]float64, s.Model.TangentSize())
	bar := make([]float64, len(sc.Model.Signals))
	grip := slices.IndexFunc(sc.Model.Signals, func(signal sim.NamedSignal) bool { return signal.Name == "grip_left_N" })
	if grip < 0 {
		b.Fatal("the scene has no signal grip_left_N: the adjoint would leave out that of its contacts")
	}
	bar[grip] = 1
	var steps, solves, adjoints time.Duration
	for b.Loop() {
		copyState(y, x)
		t0 := time.Now()
		if err := s.Step(y, h); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		l, err := s.LinearizeTo(x, y, h)
		if err != nil {
			b.Fatal(err)
		}
		t2 := time.Now()
		for i := range lambda {
			lambda[i] = float64(i%7) - 3
		}
		if err := l.AdjointOfSignals(bar, lambda, nil); err != nil {
			b.Fatal(err)
		}
		adjoints = least(adjoints, time.Since(t2))
		solves = least(solves, t2.Sub(t1))
		steps = least(steps, t1.Sub(t0))
	}
	b.ReportMetric(float64(steps.Nanoseconds())/1e3, "step-µs")
	b.ReportMetric(float64(solves)/float64(steps), "linearize/step")
	b.ReportMetric(float64(adjoints)/float64(steps), "adjoint/step")
}

// overrides are values of the scenes of benchmarks from the environment, such as time.rule=midpoint.
func overrides() []string { return strings.Fields(os.Getenv("CURLFREE_SET")) }
