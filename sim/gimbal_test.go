package sim_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// gimbalTop returns a stepper of an asymmetric top, without weight, on a joint through its centre of mass, and more.
func gimbalTop(t *testing.T, j sim.JointSpec, more func(*sim.Builder)) *sim.Stepper {
	t.Helper()
	b := sim.NewBuilder()
	b.Gravity = r3.Vec{}
	inertia := r3.Diag(r3.Vec{0.01, 0.02, 0.025})
	b.AddBody("top", sim.BodySpec{Mass: 1, Inertia: &inertia, Joint: &j})
	b.AddSignal("E", &sim.EnergySpec{Kind: "total"})
	if more != nil {
		more(b)
	}
	s, err := sim.NewStepper(b.MustBuild(), sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func energyOf(s *sim.Stepper, x *sim.State, h float64) float64 {
	s.Place(x, h)
	return s.Model.Signals[0].Signal.Value(s, x)
}

// A free top on a gimbal, at 2.3 rad/s and 10 ms a step, keeps its energy as one on a ball does, and moves as it does.
// In 20 s it comes near the lock again and again.
func TestTopOnAGimbalKeepsItsEnergy(t *testing.T) {
	const h = 0.01
	g := gimbalTop(t, sim.JointSpec{Joint: rigid.Gimbal{}, V: []float64{1, 2, 0.5}}, nil)
	b := gimbalTop(t, sim.JointSpec{Joint: rigid.Ball{}, V: []float64{1, 2, 0.5}}, nil)
	x, y := g.Model.Start.Clone(), b.Model.Start.Clone()
	start, worst := energyOf(g, x, h), 0.0
	for step := range 2000 {
		if err := g.Step(x, h); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(y, h); err != nil {
			t.Fatal(err)
		}
		if e, ball := energyOf(g, x, h)/start, energyOf(b, y, h)/start; math.Abs(e-1) > 1e-3 || math.Abs(e-ball) > 1e-9 {
			t.Fatalf("step %d: the energy changes by %g, of the top on a ball by %g", step, e-1, ball-1)
		} else {
			worst = math.Max(worst, math.Abs(e-1))
		}
		b.Place(y, h)
		if off := g.Geometry.X_WB[0].R.Mul(b.Geometry.X_WB[0].R.T()).Quat().Log().Norm(); off > 1e-6 {
			t.Fatalf("step %d: %g rad from the top on a ball", step, off)
		}
	}
	t.Logf("the energy changes by %.2g at most", worst)
}

// Near the lock a step fails by name, and leaves the state as it was, where rates of angles do not describe rotations;
// it continues where dampers make them.
func TestStepsInGimbalLockFailByName(t *testing.T) {
	lock := []float64{0, math.Pi / 2, 0}
	s := gimbalTop(t, sim.JointSpec{Joint: rigid.Gimbal{}, Q: lock, V: []float64{1, 2, 0.5}}, nil)
	x := s.Model.Start.Clone()
	err := s.Step(x, 0.01)
	if !errors.Is(err, rigid.ErrSingularJoint) || !strings.Contains(err.Error(), `"top"`) || !strings.Contains(err.Error(), "use a ball joint") {
		t.Errorf("in the lock: %v", err)
	}
	if x.Step != 0 || x.Q[1] != math.Pi/2 || x.V[1] != 2 {
		t.Errorf("the failed step changed the state: %v %v", x.Q, x.V)
	}
	// with dampers, at the rate of the second angle alone: ω₂(t) = ω₂ exp(−d t/I)
	s = gimbalTop(t, sim.JointSpec{Joint: rigid.Gimbal{}, Q: lock, V: []float64{0, 2, 0}, Damping: 0.01}, nil)
	x = s.Model.Start.Clone()
	for range 100 {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	if want := 2 * math.Pow(1+0.01*0.01/0.02, -100); math.Abs(x.V[1]-want) > 1e-9 {
		t.Errorf("the damped gimbal turns at %.9g rad/s, want %.9g", x.V[1], want)
	}
}

// A gimbal with rotors keeps to its angles. Where these turn far in a step, it is divided; where that does not help, as
// with rotors too small for the distance from the lock, the step fails by name. What passes has the energy that the
// order of the step leaves.
func TestGimbalsWithRotorsAreDividedNearTheLock(t *testing.T) {
	const h = 0.01
	failed, worst := 0, 0.0
	for _, rotor := range []float64{1e-12, 1e-8, 1e-6, 1e-4, 1e-3} {
		for k := range 20 {
			s := gimbalTop(t, sim.JointSpec{Joint: rigid.Gimbal{}, Q: []float64{0.3, math.Pi/2 - 0.05, 0.2}, V: []float64{0.02 * float64(k), 2, 0.1}, RotorInertia: rotor}, nil)
			x := s.Model.Start.Clone()
			start := energyOf(s, x, h)
			for range 200 {
				err := s.Step(x, h)
				if errors.Is(err, rigid.ErrSingularJoint) && strings.Contains(err.Error(), `"top"`) {
					failed++
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				gain := energyOf(s, x, h)/start - 1
				if worst = math.Max(worst, gain); gain > 0.05 {
					t.Errorf("rotors of %g, start %d: gains %.4f", rotor, k, gain)
					break
				}
			}
		}
	}
	t.Logf("%d of 100 fail, the others gain at most %.4f", failed, worst)
	if failed == 0 {
		t.Error("none fails")
	}
}

// Constraints may act on single angles of a gimbal. With the first fixed it moves as a universal joint does, to the
// order of the step, and is fixed to ½ h² ω², by which the angles of a body that turns at a constant rate are not
// linear in time.
func TestSingleAnglesOfGimbalsAreFixed(t *testing.T) {
	const T = 2.0
	universal := rigid.Universal{Axes: [2]r3.Vec{{0, 1, 0}, {0, 0, 1}}}
	for _, c := range []struct {
		name string
		hold func(*sim.Resolver) (constraints.Constraint, error)
	}{
		{"limit", func(*sim.Resolver) (constraints.Constraint, error) { return &constraints.Limit{Dof: 0}, nil }},
		{"controller", func(*sim.Resolver) (constraints.Constraint, error) {
			return &constraints.PD{Dof: 0, Kp: 1e5, Kd: 1e2}, nil
		}},
	} {
		for _, h := range []float64{0.01, 0.0025} {
			g := gimbalTop(t, sim.JointSpec{Joint: rigid.Gimbal{}, Q: []float64{0, 0.3, 0}, V: []float64{0, 0.2, 2}}, func(b *sim.Builder) { b.AddConstraint("hold", sim.ConstraintFunc(c.hold)) })
			u := gimbalTop(t, sim.JointSpec{Joint: universal, Q: []float64{0.3, 0}, V: []float64{0.2, 2}}, nil)
			x, y := g.Model.Start.Clone(), u.Model.Start.Clone()
			start, off, apart, gain := energyOf(g, x, h), 0.0, 0.0, 0.0
			for range int(math.Round(T / h)) {
				if err := g.Step(x, h); err != nil {
					t.Fatal(err)
				}
				if err := u.Step(y, h); err != nil {
					t.Fatal(err)
				}
				off, gain = math.Max(off, math.Abs(x.Q[0])), math.Max(gain, math.Abs(energyOf(g, x, h)/start-1))
				apart = math.Max(apart, math.Abs(x.Q[1]-y.Q[0])+math.Abs(x.Q[2]-y.Q[1]))
			}
			t.Logf("%s, %g s: fixed to %.2g rad, energy changes by %.2g, angles %.2g from those of the universal joint", c.name, h, off, gain, apart)
			if turn := 2.2 * h; off > turn*turn || apart > turn || gain > 2*turn {
				t.Errorf("%s, %g s: fixed to %.2g rad, energy changes by %.2g, angles %.2g from those of the universal joint", c.name, h, off, gain, apart)
			}
		}
	}
}
