package sim

// Mimic joints follow exactly, whatever acts on them; what acts on them acts on their leaders by the ratio.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// follows returns the largest distance of a mimic joint from where its leader puts it, of positions and velocities.
func (s *Stepper) follows(x *State) float64 {
	y := x.Clone()
	s.Model.Rigid.Follow(y.Q, y.V)
	off := 0.0
	for i := range x.Q {
		off = max(off, math.Abs(x.Q[i]-y.Q[i]))
	}
	for i := range x.V {
		off = max(off, math.Abs(x.V[i]-y.V[i]))
	}
	return off
}

// A leader with followers on the world, hinges and slides in chains of ratios and offsets, moves as one joint with the
// sums of masses ρ² m, rotors ρ² I, dampers ρ² d, springs ρ² k, frictions |ρ| f, drives and efforts ρ u, and the
// narrowest of all limits.
func TestMimicJointsActOnTheirLeaders(t *testing.T) {
	seed, n := shots(t, 30)
	for i := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, i))
		h := logUniform(r, 1e-3, 2e-2)
		sum := &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Limits: &[2]float64{math.Inf(-1), math.Inf(1)}}
		var mass, effort, kp, kd, target, restForce float64
		b := NewBuilder()
		b.Gravity, b.RelTol = r3.Vec{}, 1e-12
		type at struct{ ratio, offset float64 }
		made := []at{{1, 0}}
		q0 := 0.2 * r.NormFloat64()
		for k := range 2 + r.IntN(4) {
			name, own := fmt.Sprint("j", k), at{1, 0}
			if k > 0 {
				l, ratio, offset := r.IntN(k), r.NormFloat64(), 0.3*r.NormFloat64()
				b.AddMimic(name, fmt.Sprint("j", l), ratio, offset)
				own = at{ratio * made[l].ratio, ratio*made[l].offset + offset}
				made = append(made, own)
			}
			m := logUniform(r, 0.1, 10)
			I := r3.Diag(r3.Vec{m, m, m}.Scale(0.01))
			var joint rigid.Joint = rigid.Prismatic{Axis: randomDirection(r)}
			inertia := m
			if r.IntN(2) == 0 {
				joint, inertia = rigid.Revolute{Axis: randomDirection(r)}, 0.01*m
			}
			spec := &JointSpec{Joint: joint, Damping: r.Float64(), RotorInertia: r.Float64(), Stiffness: r.Float64() * 10, Rest: r.NormFloat64()}
			if k == 0 {
				spec.Q = []float64{q0}
			}
			if r.IntN(2) == 0 {
				spec.Friction = 0.1 * r.Float64()
			}
			if r.IntN(3) == 0 { // where the leader has gone a little, either way
				a, c := own.ratio*(q0-0.05*r.Float64())+own.offset, own.ratio*(q0+0.05*r.Float64())+own.offset
				spec.Limits = &[2]float64{min(a, c), max(a, c)}
				lo, hi := (spec.Limits[0]-own.offset)/own.ratio, (spec.Limits[1]-own.offset)/own.ratio
				sum.Limits[0], sum.Limits[1] = max(sum.Limits[0], min(lo, hi)), min(sum.Limits[1], max(lo, hi))
			}
			b.AddBody(name, BodySpec{Mass: m, Inertia: &I, Joint: spec})
			u := r.NormFloat64()
			d := &JointDrive{Joint: name, FeedForward: motion.Constant(u)}
			if r.IntN(2) == 0 {
				p, v, q := 20*r.Float64(), r.Float64(), r.NormFloat64()
				d.Kp, d.Kd, d.Target = p, v, motion.Constant(q)
				kp += own.ratio * own.ratio * p
				kd += own.ratio * own.ratio * v
				target += own.ratio * p * (q - own.offset)
			}
			b.AddDrive(name, d)
			rho := own.ratio
			mass += rho * rho * inertia
			sum.RotorInertia += rho * rho * spec.RotorInertia
			sum.Damping += rho * rho * spec.Damping
			sum.Stiffness += rho * rho * spec.Stiffness
			restForce += rho * spec.Stiffness * (spec.Rest - own.offset)
			sum.Friction += math.Abs(rho) * spec.Friction
			effort += rho * u
		}
		sum.Rest, sum.Q = restForce/sum.Stiffness, []float64{q0}
		// regularized friction is a sum of laws of unlike widths: it agrees where it slides
		c := NewBuilder()
		c.Gravity, c.RelTol = r3.Vec{}, 1e-12
		I := r3.Diag(r3.Vec{1, 1, 1})
		c.AddBody("j0", BodySpec{Mass: mass, Inertia: &I, Joint: sum})
		one := &JointDrive{Joint: "j0", FeedForward: motion.Constant(effort)}
		if kp > 0 {
			one.Kp, one.Kd, one.Target = kp, kd, motion.Constant(target/kp)
		}
		c.AddDrive("j0", one)
		s, x := stepperOf(t, b)
		w, y := stepperOf(t, c)
		for step := range 100 {
			if err := s.Step(x, h); err != nil {
				t.Fatalf("mimics %d of seed %d: %v", i, seed, err)
			}
			if err := w.Step(y, h); err != nil {
				t.Fatal(err)
			}
			if off := s.follows(x); off > 0 {
				t.Fatalf("mimics %d of seed %d: a joint is %g from its leader", i, seed, off)
			}
			// bounds of limits are compliant by the inertia that they feel, of one limit or of several
			if off := math.Abs(x.Q[0] - y.Q[0]); off > 2e-5*(1+math.Abs(y.Q[0])) {
				t.Errorf("mimics %d of seed %d, step %d of %.2g: the leader is at %.9g, one joint at %.9g", i, seed, step, h, x.Q[0], y.Q[0])
				break
			}
		}
	}
}

// stepperOf builds a model and its stepper.
func stepperOf(t testing.TB, b *Builder) (*Stepper, *State) {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, m.Start.Clone()
}

// followingArm is a random arm or hand with mimic joints, drives, limits and friction, whose tips press on a ball on
// the floor.
func followingArm(b *Builder, r *rand.Rand, robot bool) {
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 1e4
	b.AddMaterial("default", soft)
	b.AddShape(worldName, ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("ball", BodySpec{Mass: 0.2, Pose: at3(r3.Vec{0, 0, 0.0499}), Velocity: r3.Vec{0.1, 0.2, 0}, Shapes: []ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	base := ""
	if r.IntN(3) == 0 {
		I := r3.Diag(r3.Vec{2e-2, 2e-2, 1e-2})
		base = "base"
		b.AddBody(base, BodySpec{Mass: 2, Inertia: &I, Pose: at3(r3.Vec{0, 0, 0.6}), Velocity: r3.Vec{0.1, 0, 0.2}, AngularVelocity: randomDirection(r)})
	}
	number := 0
	for finger := range 1 + r.IntN(2) {
		parent := base
		for link := range 2 + r.IntN(3) {
			name := fmt.Sprint("r.l", number)
			I := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
			j := &JointSpec{Joint: rigid.Revolute{Axis: randomDirection(r)}, Parent: parent, Point: randomDirection(r).Scale(0.05)}
			if r.IntN(4) == 0 {
				j.Joint = rigid.Prismatic{Axis: randomDirection(r)}
			}
			j.RotorInertia, j.Damping = 1e-3*r.Float64(), 0.01*r.Float64()
			if r.IntN(3) == 0 {
				j.Friction = 0.02
			}
			if r.IntN(3) == 0 {
				j.Stiffness, j.Rest = 2*r.Float64(), r.NormFloat64()
			}
			if number == 0 || number > 0 && r.IntN(2) == 0 {
				j.V = []float64{2 * r.NormFloat64()}
			}
			height := 0.4 - 0.1*float64(link)
			body := BodySpec{Mass: 0.3, Inertia: &I, Pose: at3(r3.Vec{0.3 * float64(finger), 0.02, height}), Joint: j}
			if link > 0 {
				body.Shapes = []ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.06}}}
			}
			b.AddBody(name, body)
			if number > 0 && r.IntN(3) > 0 {
				b.AddMimic(name, fmt.Sprint("r.l", r.IntN(number)), 1.2*r.NormFloat64(), 0.2*r.NormFloat64())
			}
			if !robot && r.IntN(2) == 0 {
				b.AddDrive(name, &JointDrive{Joint: name, Kp: 20 * r.Float64(), Kd: 0.3 * r.Float64(), FeedForward: motion.Constant(0.3 * r.NormFloat64())})
			}
			parent = name
			number++
		}
	}
	if robot {
		b.AddDrive("robot", &RobotDrive{Robot: "r", Kp: []float64{5}, Kd: []float64{0.1}})
	}
}

// Derivatives of steps of arms with mimic joints are those of differences of whole steps, the adjoint and tangents give
// the same numbers, and steps allocate nothing.
func TestMimicJointsHaveDerivatives(t *testing.T) {
	OnOneGoroutine(t)
	seed, n := shots(t, 20)
	refused, off, compared := 0, 0, 0
arms:
	for i := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, i))
		b := NewBuilder()
		b.Contact, b.FrictionLag, b.RelTol = constraints.Lagged{StictionTolerance: 1e-2}, FrictionLagGeometry, 1e-13
		followingArm(b, r, i%5 == 4)
		s, x := stepperOf(t, b)
		const h, eps = 0.002, 1e-7
		nx := s.Model.TangentSize()
		fx, d, want := make([]float64, nx*nx), make([]float64, nx), make([]float64, nx)
		for step := range 12 {
			dx := make([]float64, nx)
			for k := range dx {
				dx[k] = r.NormFloat64()
			}
			var ends [2]*State
			for k, w := range [2]float64{eps, -eps} {
				y := x.Clone()
				y.EnergyReference = nil
				s.Model.MoveState(y, w, dx)
				if err := s.Step(y, h); err != nil && step == 0 {
					continue arms // it starts deep in the floor
				} else if err != nil {
					t.Fatal(err)
				}
				ends[k] = y
			}
			s.Model.StateDifference(ends[1], ends[0], want)
			l, err := s.Linearize(x, h)
			if err == nil {
				err = l.Jacobian(fx, nil)
			}
			switch {
			case errors.Is(err, ErrNotDifferentiable):
				refused++
			case err != nil:
				t.Fatalf("arm %d of seed %d: %v", i, seed, err)
			default:
				worst, size := 0.0, 0.0
				for k := range d {
					want[k] /= 2 * eps
					d[k] = dot(fx[k*nx:(k+1)*nx], dx)
					worst, size = max(worst, math.Abs(d[k]-want[k])), max(size, math.Abs(want[k]))
				}
				compared++
				if worst > 3e-5*size { // a contact appears within the widths
					off++
					t.Logf("arm %d of seed %d, step %d: off by %.1e of %.1e", i, seed, step, worst, size)
				}
				lambda := make([]float64, nx)
				for k := range lambda {
					lambda[k] = r.NormFloat64()
				}
				forward := dot(lambda, d)
				tangent := make([]float64, nx)
				if err := l.Tangent(dx, nil, tangent); err != nil {
					t.Fatal(err)
				}
				for k := range d {
					if math.Abs(tangent[k]-d[k]) > 3e-5*size {
						t.Logf("arm %d of seed %d, step %d: tangent %d is %g, by the Jacobian %g", i, seed, step, k, tangent[k], d[k])
						off++
						break
					}
				}
				if err := l.Adjoint(lambda, nil); err != nil {
					t.Fatal(err)
				}
				if back := dot(lambda, dx); math.Abs(forward-back) > 1e-10*math.Sqrt(dot(d, d)*float64(nx)) {
					t.Errorf("arm %d of seed %d: %.15g forward, %.15g by the adjoint", i, seed, forward, back)
				}
			}
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			if off := s.follows(x); off > 0 {
				t.Fatalf("arm %d of seed %d: a joint is %g from its leader", i, seed, off)
			}
		}
		if i < 3 {
			if k := alloctest.PerRun(3, func() {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
			}); k > 0 {
				t.Errorf("arm %d: %g allocations a step", i, k)
			}
		}
	}
	if refused > compared/8 || off > compared/40 {
		t.Errorf("of %d steps %d refused, %d off", compared+refused, refused, off)
	}
}

// Straight and nearly straight fingers of links without mass move as their one degree of freedom: with the mass m at
// the end of links of lengths l_k and ratios ρ_k of all joints to the first, and the effort τ of the first, at the
// start in the straight position q̈ = τ/(m (Σ ρ_k L_k)² + I (Σ ρ_k)²), L_k from joint k to the mass.
func TestFingersWithoutMassMoveAsOneJoint(t *testing.T) {
	seed, n := shots(t, 40)
	for i := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, i))
		h := logUniform(r, 1e-4, 1e-2)
		b := NewBuilder()
		b.Gravity, b.RelTol = r3.Vec{}, 1e-12
		links := 2 + r.IntN(3)
		m, I := 0.02, 2e-6
		var ratios, places []float64
		offset := [3]float64{0, 1e-9, 1e-3}[r.IntN(3)]
		parent, along := "", 0.0
		for k := range links {
			name, spec := fmt.Sprint("j", k), BodySpec{Inertial: &geometry.MassProperties{}, Pose: at3(r3.Vec{along, 0, 0})}
			spec.Joint = &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, Parent: parent}
			ratios, places = append(ratios, 1), append(places, along)
			if k > 0 {
				ratios[k] = 0.5 + r.Float64()
				b.AddMimic(name, "j0", ratios[k], offset)
			}
			along += 0.02 + 0.05*r.Float64()
			if k == links-1 {
				spec.Inertial = &geometry.MassProperties{Mass: m, Com: r3.Vec{along - places[k], 0, 0}, Inertia: r3.Diag(r3.Vec{I, I, I})}
			}
			b.AddBody(name, spec)
			parent = name
		}
		lever, turn := 0.0, 0.0
		for k, rho := range ratios {
			lever, turn = lever+rho*(along-places[k]), turn+rho
		}
		feels := m*lever*lever + I*turn*turn
		// 0.3 rad in 0.3 s
		tau := feels * 2 * 0.3 / 0.09
		b.AddDrive("d", &JointDrive{Joint: "j0", FeedForward: motion.Constant(tau)})
		s, x := stepperOf(t, b)
		if err := s.Step(x, h); err != nil {
			t.Fatalf("finger %d of seed %d: %v", i, seed, err)
		}
		if want := tau / feels * h; math.Abs(x.V[0]-want) > 3*offset*want*float64(links)+1e-9*want {
			t.Errorf("finger %d of seed %d: %g rad/s after a step, want %g", i, seed, x.V[0], want)
		}
		for x.Time < 0.25 {
			if err := s.Step(x, h); err != nil {
				t.Fatalf("finger %d of seed %d: %v", i, seed, err)
			}
		}
		if off := s.follows(x); off > 0 || !(x.Q[0] > 0.1 && x.Q[0] < 1) {
			t.Errorf("finger %d of seed %d: %g off after %g s, at %g", i, seed, off, x.Time, x.Q[0])
		}
	}
}

// Trees with mimic joints keep their energy as those without: it oscillates with the step and does not drift.
func TestMimicJointsKeepEnergy(t *testing.T) {
	seed, n := shots(t, 12)
	for i := range uint64(n) {
		var worst [2]float64
		for k, h := range [2]float64{2e-3, 1e-3} {
			r := rand.New(rand.NewPCG(seed, i))
			b := NewBuilder()
			b.Gravity = r3.Vec{0, 0, -1}
			parent := ""
			for link := range 3 + r.IntN(3) {
				name := fmt.Sprint("l", link)
				I := r3.Diag(r3.Vec{2e-2, 2e-2, 1e-2})
				j := &JointSpec{Joint: rigid.Revolute{Axis: randomDirection(r)}, Parent: parent, Point: randomDirection(r).Scale(0.1)}
				if link == 0 {
					j.V = []float64{2}
				}
				if r.IntN(3) == 0 {
					parent = "" // another finger
				}
				b.AddBody(name, BodySpec{Mass: 1, Inertia: &I, Pose: at3(r3.Vec{0.2 * float64(link), 0, 0}), Joint: j})
				if link > 0 && r.IntN(2) == 0 {
					b.AddMimic(name, fmt.Sprint("l", r.IntN(link)), r.NormFloat64(), 0.2*r.NormFloat64())
				}
				parent = name
			}
			s, x := stepperOf(t, b)
			first, scale := math.NaN(), 0.0
			for x.Time < 3 {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				// the mean of neighbouring steps takes the leapfrog's half step
				s.rigid.Data.Place(x.Time, h, x.Q, x.V)
				K, U := s.rigid.KineticEnergy(), s.rigid.PotentialEnergy(b.Gravity)
				if math.IsNaN(first) {
					first = K + U
				}
				scale = max(scale, K)
				worst[k] = max(worst[k], math.Abs(K+U-first))
			}
			worst[k] /= scale
		}
		if !(worst[0] < 0.08) || worst[1] > 0.7*worst[0]+1e-6 {
			t.Errorf("tree %d of seed %d: energy off by %.2g at 2 ms, %.2g at 1 ms", i, seed, worst[0], worst[1])
		}
	}
}

// A joint of a floating tree follows one of another tree by a coupler.
func TestMimicJointsOfFloatingTreesAreCoupled(t *testing.T) {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	I := r3.Diag(r3.Vec{0.1, 0.1, 0.1})
	hinge := rigid.Revolute{Axis: r3.Vec{0, 0, 1}}
	b.AddBody("arm", BodySpec{Mass: 1, Inertia: &I, Joint: &JointSpec{Joint: hinge, V: []float64{1}, Q: []float64{0.2}}})
	b.AddBody("base", BodySpec{Mass: 10, Inertia: &I, Pose: at3(r3.Vec{1, 0, 0})})
	b.AddBody("rotor", BodySpec{Mass: 1, Inertia: &I, Pose: at3(r3.Vec{1, 0, 0}), Joint: &JointSpec{Joint: hinge, Parent: "base"}})
	b.AddMimic("rotor", "arm", 2, 0.1)
	s, x := stepperOf(t, b)
	if c, ok := s.Model.Constraints[0].(*constraints.Coupler); !ok || c.Ratio != 2 || x.Q[s.Model.Rigid.QStart(2)] != 0.5 {
		t.Fatalf("constraint %T, start at %g", s.Model.Constraints[0], x.Q[s.Model.Rigid.QStart(2)])
	}
	for range 100 {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	if off := x.Q[s.Model.Rigid.QStart(2)] - 2*x.Q[s.Model.Rigid.QStart(0)] - 0.1; math.Abs(off) > 1e-3 {
		t.Errorf("%g off", off)
	}
}
