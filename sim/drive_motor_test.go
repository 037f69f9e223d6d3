package sim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// flywheel is a wheel of an inertia on a hinge along z, with a drive.
func flywheel(inertia float64, d Drive) *Builder {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	b.RelTol = 1e-12
	b.AddBody("wheel", BodySpec{Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{inertia, 0, 0, 0, inertia, 0, 0, 0, inertia},
		Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}}})
	b.AddDrive("d", d)
	return b
}

// A motor at full voltage speeds a flywheel up along its torque-speed line: with the inertias I of the wheel and N² J
// of the rotor behind a gear, ω = ω_0/N (1 − exp(−t/T)) with T = (I + N² J) ω_0/(N² τ_s), which steps of h follow as (1
// + h/T)^−k. The effort is that of the line.
func TestMotorsReachTheirNoLoadSpeedWithTheirTimeConstant(t *testing.T) {
	seed, n := shots(t, 20)
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		stall, noLoad, ratio := logUniform(rng, 0.1, 10), logUniform(rng, 10, 500), []float64{1, 8, 100}[rng.IntN(3)]
		inertia, rotor := logUniform(rng, 1e-3, 1), logUniform(rng, 1e-6, 1e-3)
		sign := []float64{1, -1}[rng.IntN(2)]
		m := flywheel(inertia, &MotorDrive{Joint: "wheel", Stall: stall, NoLoad: noLoad, GearRatio: ratio, RotorInertia: rotor, FeedForward: motion.Constant(sign * 1e6)}).MustBuild()
		T := (inertia + ratio*ratio*rotor) * noLoad / (ratio * ratio * stall)
		h := T * logUniform(rng, 1e-3, 0.5)
		s, x := start(t, m, 1)
		for k := 1; k <= 200; k++ {
			run(t, s, x, h, 1)
			want := sign * noLoad / ratio * (1 - math.Pow(1+h/T, -float64(k)))
			near(t, "speed", x.V[0], want, 1e-9*noLoad/ratio)
			near(t, "effort", Effort{m.Names.Drives["d"]}.Value(s, x), sign*ratio*stall*(1-math.Abs(x.V[0])*ratio/noLoad), 1e-7*ratio*stall)
		}
	}
}

// Within its line a motor is the drive of kind joint with the same gains.
func TestMotorsWithinTheirLineAreServos(t *testing.T) {
	target := &motion.Sine{Amplitude: 0.5, Frequency: 1}
	a := flywheel(0.1, &MotorDrive{Joint: "wheel", Kp: 20, Kd: 1, Target: target, Stall: 1e4, NoLoad: 1e4}).MustBuild()
	b := flywheel(0.1, &JointDrive{Joint: "wheel", Kp: 20, Kd: 1, Target: target}).MustBuild()
	sa, xa := start(t, a, 1)
	sb, xb := start(t, b, 1)
	for range 300 {
		run(t, sa, xa, 5e-3, 1)
		run(t, sb, xb, 5e-3, 1)
		near(t, "position", xa.Q[0], xb.Q[0], 1e-12)
	}
}

// A load drives a motor beyond its no-load speed, where it brakes: the speed at which line and load balance is ω_0 (1 +
// τ/τ_s).
func TestMotorsBrakeBeyondTheirNoLoadSpeed(t *testing.T) {
	b := flywheel(0.1, &MotorDrive{Joint: "wheel", Stall: 2, NoLoad: 10, FeedForward: motion.Constant(100)})
	b.AddLoad("pull", &MomentSpec{Moment: r3.Vec{0, 0, 1}, Body: "wheel"})
	s, x := start(t, b.MustBuild(), 1)
	run(t, s, x, 1e-2, 2000)
	near(t, "speed", x.V[0], 15, 1e-9)
}

// Steps under a motor have exact derivatives: those of the line where it limits, those of the gains where it does not.
func TestStepsUnderMotorsAreDifferentiable(t *testing.T) {
	for _, kp := range []float64{0, 5, 5000} {
		m := flywheel(0.1, &MotorDrive{Joint: "wheel", Kp: kp, Kd: 0.1 + kp/50, Target: motion.Constant(1), Stall: 2, NoLoad: 10, FeedForward: motion.Constant(0.5)}).MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 1e-2, 3)
		const h, eps = 1e-2, 1e-6
		l, err := s.Linearize(x, h)
		if err != nil {
			t.Fatal(err)
		}
		A := make([]float64, 4)
		if err := l.Jacobian(A, nil); err != nil {
			t.Fatal(err)
		}
		for j := range 2 {
			var ends [2][2]float64
			for k, w := range [2]float64{eps, -eps} {
				y := x.Clone()
				y.EnergyReference = nil
				if j == 0 {
					y.Q[0] += w
				} else {
					y.V[0] += w
				}
				run(t, s, y, h, 1)
				ends[k] = [2]float64{y.Q[0], y.V[0]}
			}
			for i := range 2 {
				near(t, "derivative", A[i*2+j], (ends[0][i]-ends[1][i])/(2*eps), 1e-7*(1+math.Abs(A[i*2+j])))
			}
		}
	}
}

func TestFaultyMotorsAreRefused(t *testing.T) {
	for _, c := range []struct {
		d    MotorDrive
		want string
	}{
		{MotorDrive{Joint: "wheel", NoLoad: 1}, "stall effort 0"},
		{MotorDrive{Joint: "wheel", Stall: 1, NoLoad: math.Inf(1)}, "no-load speed +Inf"},
		{MotorDrive{Joint: "whel", Stall: 1, NoLoad: 1}, `"whel"`},
		{MotorDrive{Joint: "wheel", Stall: 1, NoLoad: 1, Kp: 1, Velocity: motion.Constant(1)}, "leave out kp"},
	} {
		if _, err := flywheel(1, &c.d).Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
}

// Commands that are delayed by k steps move a joint, and a robot, exactly as they do without a delay, k steps later.
func TestDelayedCommandsFollowWithExactlyTheDelay(t *testing.T) {
	const h, late = 0.0078125, 16 // a power of two: times are exact
	drives := map[string]func(by float64) Drive{
		"joint": func(by float64) Drive {
			var m motion.Motion = &motion.Sine{Amplitude: 0.5, Frequency: 1, Ramp: 0.5}
			if by > 0 {
				m = &motion.Delayed{By: by, Motion: m}
			}
			return &JointDrive{Joint: "r.wheel", Kp: 20, Kd: 1, Target: m}
		},
		"robot": func(by float64) Drive {
			var w RobotTarget = &JointSines{Amplitude: kinds.Numbers{0.5}, Frequency: 1, Ramp: 0.5}
			if by > 0 {
				w = &DelayedTarget{By: by, Target: w}
			}
			return &RobotDrive{Robot: "r", Kp: kinds.Numbers{20}, Kd: kinds.Numbers{1}, InverseDynamics: true, Target: w}
		},
	}
	for name, drive := range drives {
		var x [2]*State
		var s [2]*Stepper
		for i, by := range []float64{0, late * h} {
			b := NewBuilder()
			b.Gravity = r3.Vec{}
			b.AddBody("r.disc", BodySpec{Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1},
				Joint: &JointSpec{Name: "r.wheel", Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}}})
			b.AddDrive("d", drive(by))
			s[i], x[i] = start(t, b.MustBuild(), 1)
		}
		run(t, s[1], x[1], h, late)
		near(t, name+": at the delay", x[1].Q[0], 0, 0)
		for range 200 {
			run(t, s[0], x[0], h, 1)
			run(t, s[1], x[1], h, 1)
			near(t, name, x[1].Q[0], x[0].Q[0], 1e-12)
		}
	}
}
