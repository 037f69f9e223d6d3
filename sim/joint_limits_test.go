package sim

// A family of chains whose drives push joints against their limits: hinges and slides, single ones, mimic joints and
// sums of joints, at both ends. Masses, ranges, efforts and steps of 0.2 to 20 ms are drawn. A few draws of a fixed
// seed run in every test; CURLFREE_LONG=1 runs thousands of a fresh seed, which is logged, and CURLFREE_SEED repeats
// them. No position passes its limit by more than 10 mrad or mm as long as an effort moves its joint by 250 rad
// or m in a step at most; joints come to rest at their limits; limits never give energy.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

const (
	mostBeyond   = 0.01 // rad or m
	mostOfEffort = 250. // rad or m by which an effort moves its joint in a step
)

// limitDraw is one draw of the family.
type limitDraw struct {
	*Builder
	r      *rand.Rand
	h      float64
	text   string
	kind   string   // what is limited: joints, mimic or sum
	names  []string // of joints, from the world on
	driven int      // the first of them that have drives
	bounds []bound
}

// bound is a position that may not be passed.
type bound struct {
	dofs         []int
	coefficients []float64
	lower, upper float64
	end          float64 // of both, that at which the drives press; NaN: unknown
}

// at returns the position.
func (b *bound) at(s *Stepper) (l, rate float64) {
	return (&constraints.JointSum{Dofs: b.dofs, Coefficients: b.coefficients}).At(s.kin)
}

// newLimitDraw makes draw i of a seed.
func newLimitDraw(seed, i uint64) *limitDraw {
	d := &limitDraw{Builder: NewBuilder(), r: rand.New(rand.NewPCG(seed, i))}
	r := d.r
	d.h, d.Gravity = logUniform(r, 2e-4, 2e-2), r3.Vec{}
	d.kind = []string{"joints", "mimic", "sum"}[r.IntN(3)]
	n := 1 + r.IntN(4)
	if d.kind != "joints" {
		n = 2
	}
	slide := d.kind == "joints" && n == 1 && r.IntN(2) == 0
	// links of like inertias about their joints, the least of which bounds the efforts
	size, mass := logUniform(r, 0.01, 0.5), logUniform(r, 0.01, 5)
	least := math.Inf(1)
	parent := ""
	d.driven = n
	if d.kind == "mimic" {
		d.driven = 1
	}
	turn := logUniform(r, 1e-3, mostOfEffort) // in a step by the effort, with the lightest joint
	d.text = fmt.Sprintf("%s, %d links, slide %v, h %.3g ms, %.3g a step", d.kind, n, slide, 1e3*d.h, turn)
	for j := range n {
		name, m := fmt.Sprint("link", j), mass*(0.5+r.Float64())
		I := m * size * size * (0.1 + 0.2*r.Float64())
		axis := randomDirection(r)
		joint := rigid.Joint(rigid.Revolute{Axis: axis})
		if slide {
			joint, I = rigid.Prismatic{Axis: axis}, m
		}
		least = min(least, I)
		var at r3.Vec
		if j > 0 {
			at = randomDirection(r).Scale(size)
		}
		pose := r3.Pose{R: r3.Identity(), P: at.Scale(float64(j))}
		spec := &JointSpec{Joint: joint, Parent: parent}
		if d.kind == "joints" || j == 0 {
			spec.Limits = &[2]float64{-logUniform(r, 1e-3, 2), logUniform(r, 1e-3, 2)}
		}
		d.AddBody(name, BodySpec{Pose: pose, Inertial: &geometry.MassProperties{Mass: m, Com: randomDirection(r).Scale(0.3 * size), Inertia: r3.Diag(r3.Vec{I, I, I})}, Joint: spec})
		if spec.Limits != nil {
			d.bounds = append(d.bounds, bound{[]int{j}, []float64{1}, spec.Limits[0], spec.Limits[1], math.NaN()})
		}
		d.names, parent = append(d.names, name), name
	}
	// a joint's inverse inertia is that of the links on both of its sides; efforts of all joints add up
	effort := turn * least / (d.h * d.h) / (4 * float64(n))
	if n == 1 {
		effort *= 4
	}
	d.press(effort)
	return d
}

// press adds couplings, and drives that press all joints to an end.
func (d *limitDraw) press(effort float64) {
	r := d.r
	sign := float64(2*r.IntN(2) - 1)
	switch first := &d.bounds[0]; d.kind {
	case "mimic":
		// the follower's limits are those of the leader in other units, or tighter
		ratio := (0.3 + 2*r.Float64()) * float64(2*r.IntN(2)-1)
		d.AddMimic(d.names[1], d.names[0], ratio, 0)
		first.end = first.lower
		if sign > 0 {
			first.end = first.upper
		}
		d.bounds = append(d.bounds, bound{[]int{0, 1}, []float64{-ratio, 1}, 0, 0, 0})
		effort /= 1 + ratio*ratio
	case "sum":
		sum := constraints.JointSum{Dofs: []int{0, 1}, Coefficients: []float64{1, 0.3 + r.Float64()}}
		limit := &constraints.JointSumLimit{JointSum: sum, Lower: -logUniform(r, 1e-3, 2), Upper: logUniform(r, 1e-3, 2)}
		d.AddConstraint("sum", ConstraintFunc(func(*Resolver) (constraints.Constraint, error) { return limit, nil }))
		d.bounds = append(d.bounds, bound{sum.Dofs, sum.Coefficients, limit.Lower, limit.Upper, math.NaN()})
	}
	for j := range d.driven {
		if d.kind == "joints" {
			sign = float64(2*r.IntN(2) - 1)
			b := &d.bounds[j]
			if b.end = b.lower; sign > 0 {
				b.end = b.upper
			}
		}
		drive := &JointDrive{Joint: d.names[j]}
		if r.IntN(2) == 0 {
			drive.FeedForward = motion.Constant(sign * effort)
			d.text += ", effort"
		} else {
			// a position servo in saturation
			drive.Kp, drive.Target, drive.Effort = effort*logUniform(r, 1, 1e3), motion.Constant(sign*10), motion.Constant(effort)
			drive.Kd = drive.Kp * d.h * r.Float64()
			d.text += ", servo"
		}
		d.AddDrive("drive of "+d.names[j], drive)
	}
}

// run steps the chain until all joints rest at the limits, and returns what is wrong.
func (d *limitDraw) run(t *testing.T) (fault string) {
	m, err := d.Build()
	if err != nil {
		t.Fatalf("%s: %v", d.text, err)
	}
	s, err := NewStepper(m, Options{})
	if err != nil {
		t.Fatalf("%s: %v", d.text, err)
	}
	x := m.Start.Clone()
	work, moved := 0., 0.
	// a chain of small efforts swings for long; then all joints have to stay
	const mostSteps, stay = 100000, 300
	resting := 0
	for step := 0; resting < stay; step++ {
		if err := s.Step(x, d.h); err != nil {
			return err.Error()
		}
		s.Place(x, d.h)
		for i := range d.bounds {
			b := &d.bounds[i]
			if l, _ := b.at(s); !(l >= b.lower-mostBeyond) || !(l <= b.upper+mostBeyond) {
				return fmt.Sprintf("step %d: position %d is %g, want %g to %g", step, i, l, b.lower, b.upper)
			}
		}
		given, scale := s.workOfLimits()
		work, moved = work+given, moved+scale
		if work > 1e-9*moved {
			return fmt.Sprintf("step %d: limits gave %g J, bodies %g", step, work, moved)
		}
		switch what := d.moves(s); {
		case what == "":
			resting++
		case step == mostSteps:
			return fmt.Sprintf("step %d: %s", step, what)
		default:
			resting = 0
		}
	}
	return ""
}

// moves returns which position does not rest at the end at which it is pressed, if any.
func (d *limitDraw) moves(s *Stepper) (what string) {
	for i := range d.bounds {
		b := &d.bounds[i]
		l, rate := b.at(s)
		if math.Abs(rate)*d.h > 1e-6 || math.Abs(l-b.end) > mostBeyond {
			return fmt.Sprintf("position %d is %g with %g a step, want %g at rest", i, l, rate*d.h, b.end)
		}
	}
	return ""
}

// workOfLimits returns the work of the limits of joints and their sums in the step, and the sum of its magnitudes, J.
func (s *Stepper) workOfLimits() (work, scale float64) {
	for i, c := range s.Model.Constraints {
		switch c.(type) {
		case *constraints.Limit, *constraints.JointSumLimit:
			h := s.Term(i)
			w := s.Problem.Impulse(h)[0] * s.Problem.Velocity(h)[0]
			work, scale = work+w, scale+math.Abs(w)
		}
	}
	return work, scale
}

func TestDrivesPushNoJointBeyondItsLimits(t *testing.T) {
	seed, n := shots(t, 60)
	failed := 0
	for i := range n {
		d := newLimitDraw(seed, uint64(i))
		if what := d.run(t); what != "" {
			if failed++; failed <= 10 {
				t.Errorf("draw %d: %s: %s", i, d.text, what)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d draws", failed, n)
	}
}

// Joints that start beyond their limits, at rest and without loads, return to them and stay there: what energy the
// return takes, the limits take back. Links of chains keep a part that Coriolis forces gave them.
func TestJointsReturnToTheirLimitsWithoutEnergy(t *testing.T) {
	seed, n := shots(t, 60)
	for i := range n {
		d := newLimitDraw(seed, uint64(i))
		d.drives = nil
		m, err := d.Build()
		if err != nil {
			t.Fatalf("%s: %v", d.text, err)
		}
		s, err := NewStepper(m, Options{})
		if err != nil {
			t.Fatalf("%s: %v", d.text, err)
		}
		x := m.Start.Clone()
		first := &d.bounds[0]
		beyond := logUniform(d.r, 1e-6, 1)
		x.Q[0] = first.upper + beyond
		if d.r.IntN(2) == 0 {
			x.Q[0] = first.lower - beyond
		}
		if d.kind == "mimic" {
			x.Q[1] = d.bounds[1].coefficients[0] * -x.Q[0]
		}
		most := 0.
		for range int(4/(math.Pi*d.h)) + 300 {
			run(t, s, x, d.h, 1)
			s.Place(x, d.h)
			most = max(most, s.KineticEnergy(x))
		}
		l, _ := first.at(s)
		chain := d.kind != "mimic" && len(d.names) > 1
		if e := s.KineticEnergy(x); e > 1e-3*most && !chain || !(l >= first.lower-1e-4) || !(l <= first.upper+1e-4) {
			t.Errorf("draw %d: %s: %g beyond: ends at %g, want %g to %g, with %g J of %g", i, d.text, beyond, l, first.lower, first.upper, e, most)
		}
	}
}
