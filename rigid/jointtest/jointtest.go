// Package jointtest checks that a joint keeps the contract of rigid.Joint: poses,
// motion subspace, acceleration bias and the motion of positions agree with each
// other, and trees that contain the joint conserve energy and momentum.
//
// With positions q(t) that Advance moves at constant velocities v, and central differences
// D over ±h, the checks of the joint alone are
//
//	X(q₀) = 1 at the positions of Zero                                     (1)
//	H(q) v = D X(q(t))                                                     (2)
//	Ḣ v = D [H(q(t)) v]                                                    (3)
//	q(t) = q + t v where there are as many positions as velocities          (4)
//
// of a rigid.SteppedJoint, whose step from q, v ends with q⁺, v⁺, those of its step,
//
//	X(q⁺) = exp(h H(q) v) X(q),   H(q⁺) v⁺ = H(q) v                        (9)
//	StepTangent = D (q⁺, v⁺)                                               (10)
//
// and those of a chain of three links, of which the joint carries the second, are
//
//	τ·v = D E, τ by inverse dynamics, E the mechanical energy              (5)
//	A_ij = T(e_i + e_j) − T(e_i) − T(e_j), T the kinetic energy            (6)
//	momentum and angular momentum of a floating chain are constant         (7)
//	the energy error of a swinging chain falls with the step               (8)
//
// (2) and (5) are the balance of power, (6) the symmetry of the mass matrix, and (7) fails
// for a joint whose reactions do not cancel.
package jointtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/timestep"
)

const (
	samples = 8    // random configurations of each check
	spread  = 0.5  // standard deviation of positions, m and rad: far from the lock of a gimbal
	small   = 1e-5 // s, of differences
)

// Check tests a joint at zero and at random positions and velocities, alone and in
// trees. Failures name the fact that is not true.
func Check(t testing.TB, j rigid.Joint) {
	t.Helper()
	// what a joint refuses itself has no motion to test
	if err := j.Check(); err != nil {
		t.Errorf("parameters: %v", err)
		return
	}
	c := checker{t: t, j: j, r: rand.New(rand.NewPCG(20261122, 1))}
	// more positions than velocities where quaternions are among them
	c.nq, c.nv = j.Size()
	c.zero()
	// the joint alone first: a fault there explains those of the trees
	for range samples {
		q, v := c.sample()
		c.twist(q, v)
		c.bias(q, v)
		c.coordinates(q, v)
		c.step(q, v)
	}
	for range samples {
		c.power()
		c.massMatrix()
	}
	// these two take many steps of one chain, so that one sample has to do
	for _, rule := range []timestep.Rule{{}, {Midpoint: true, Damping: timestep.DefaultDamping}} {
		c.rule = rule
		c.momentum()
		c.energy()
	}
}

// checker tests one joint with random numbers of its own, so that joints do not depend on each
// other's order.
type checker struct {
	t      testing.TB
	j      rigid.Joint
	r      *rand.Rand
	nq, nv int // numbers of positions and velocities
	rule   timestep.Rule
}

// vec returns a random vector, for axes, places and weights.
func (c *checker) vec() r3.Vec {
	return r3.Vec{c.r.NormFloat64(), c.r.NormFloat64(), c.r.NormFloat64()}
}

// floats returns n random numbers of a standard deviation.
func (c *checker) floats(n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * c.r.NormFloat64()
	}
	return x
}

// sample returns random positions, reached from zero, and velocities.
func (c *checker) sample() (q, v []float64) {
	// far from zero, but along the joint's own motion: quaternions stay unit
	q = make([]float64, c.nq)
	c.j.Zero(q)
	c.j.Advance(1, q, c.floats(c.nv, spread))
	return q, c.floats(c.nv, 1)
}

// at returns q moved by h of v.
func (c *checker) at(h float64, q, v []float64) []float64 {
	x := append([]float64(nil), q...)
	c.j.Advance(h, x, v)
	return x
}

// motion is a spatial velocity or acceleration.
// Both parts are in the axes of F, at the origin of M, as rigid.Joint says.
type motion struct{ w, v r3.Vec }

// minus returns how far two motions are apart; rad and m count alike, for joints of unit size.
func (a motion) minus(b motion) float64 { return a.w.Sub(b.w).Norm() + a.v.Sub(b.v).Norm() }

// velocity returns H(q) v.
func (c *checker) velocity(q, v []float64) (V motion) {
	for k, x := range v {
		w, u := c.j.Subspace_FM(q, k)
		// a column for each velocity: H is linear in v by contract
		V.w, V.v = V.w.AddScaled(x, w), V.v.AddScaled(x, u)
	}
	return V
}

// zero, (1): X_FM(0) = 1, and no time changes nothing.
func (c *checker) zero() {
	c.t.Helper()
	q := make([]float64, c.nq)
	for i := range q {
		q[i] = math.NaN() // must be overwritten
	}
	c.j.Zero(q)
	// Featherstone's frames coincide at zero position: builders place links by that
	if X := c.j.Pose_FM(q); X.R.Sub(r3.Identity()).Norm2() > 1e-28 || X.P.Norm() > 1e-14 {
		c.t.Errorf("zero: M does not lie on F but at %v", X)
	}
}

// twist, (2): H(q) v is the velocity of the pose, (X(q(h)) − X(q(−h)))/2h.
func (c *checker) twist(q, v []float64) {
	c.t.Helper()
	a, b := c.j.Pose_FM(c.at(small, q, v)), c.j.Pose_FM(c.at(-small, q, v))
	// the rotation from −h to h as a vector, which is exact where the axis stays, to h² where it moves
	want := motion{a.R.Mul(b.R.T()).Quat().Log().Scale(0.5 / small), a.P.Sub(b.P).Scale(0.5 / small)}
	// differences of 1e-5 s err by 1e-10 and round-off alike; velocities are about 1
	if e := c.velocity(q, v).minus(want); !(e <= 1e-8) {
		c.t.Errorf("twist: Subspace_FM gives %v, differenced poses %v, at q = %v", c.velocity(q, v), want, q)
	}
}

// bias, (3): Ḣ v is the rate of H(q) v at constant v, zero for a joint that states none.
func (c *checker) bias(q, v []float64) {
	c.t.Helper()
	a, b := c.velocity(c.at(small, q, v), v), c.velocity(c.at(-small, q, v), v)
	want := motion{a.w.Sub(b.w).Scale(0.5 / small), a.v.Sub(b.v).Scale(0.5 / small)}
	var got motion
	// a joint of constant axes need not state that its bias is zero
	if j, ok := c.j.(rigid.BiasedJoint); ok {
		got.w, got.v = j.AccelerationBias_FM(q, v)
	}
	// the scale is that of the bias, which grows with the square of v
	if e := got.minus(want); !(e <= 1e-8*(1+want.w.Norm()+want.v.Norm())) {
		c.t.Errorf("bias: AccelerationBias_FM gives %v, differences of the subspace %v, at q = %v, v = %v", got, want, q, v)
	}
}

// coordinates, (4): where there are as many positions as velocities, q̇ = v, on which limits,
// springs and controllers rely.
func (c *checker) coordinates(q, v []float64) {
	c.t.Helper()
	// quaternions have no such coordinates: limits and springs are refused on them elsewhere
	if c.nq != c.nv {
		return
	}
	// 0.1 s is a finite motion: q is linear in time exactly, not only at the start
	for i, x := range c.at(0.1, q, v) {
		if math.Abs(x-q[i]-0.1*v[i]) > 1e-14 {
			c.t.Errorf("coordinates: q[%d] moves by %g in 0.1 s of %g", i, x-q[i], v[i])
		}
	}
}

// step, (9) and (10): the step of a joint that turns and slides its body as a whole.
func (c *checker) step(q, v []float64) {
	c.t.Helper()
	j, ok := c.j.(rigid.SteppedJoint)
	if !ok {
		return
	}
	// of finite turns, so that a step along the coordinates would show
	const h = 0.1
	end := func(q, v []float64) []float64 {
		x := append(append([]float64(nil), q...), v...)
		if err := j.Step(h, x[:c.nq], x[c.nq:]); err != nil {
			c.t.Errorf("step: from q = %v, v = %v: %v", q, v, err)
		}
		return x
	}
	if err := j.CheckRegular(q); err != nil {
		c.t.Errorf("step: at q = %v: %v", q, err)
	}
	x, V := end(q, v), c.velocity(q, v)
	// the pose, and the velocity of the body
	a, b := j.Pose_FM(q), j.Pose_FM(x[:c.nq])
	turned := motion{b.R.Mul(r3.RotExp(V.w.Scale(h)).Mul(a.R).T()).Quat().Log(), b.P.Sub(a.P.AddScaled(h, V.v))}
	if e := turned.minus(motion{}); !(e <= 1e-12) {
		c.t.Errorf("step: in %g s the body ends %g away from where its velocity brings it, at q = %v, v = %v", h, e, q, v)
	}
	if e := c.velocity(x[:c.nq], x[c.nq:]).minus(V); !(e <= 1e-12*(1+V.w.Norm()+V.v.Norm())) {
		c.t.Errorf("step: the velocity of the body changes by %g, at q = %v, v = %v", e, q, v)
	}
	// the same motion at other positions
	there, rates := c.at(1, q, c.floats(c.nv, 0.3)), append([]float64(nil), v...)
	if err := j.Transfer(q, there, rates); err != nil {
		c.t.Errorf("transfer: from q = %v to %v: %v", q, there, err)
	}
	if e := c.velocity(there, rates).minus(V); !(e <= 1e-12*(1+V.w.Norm()+V.v.Norm())) {
		c.t.Errorf("transfer: the velocity of the body changes by %g, from q = %v to %v, v = %v", e, q, there, v)
	}
	if c.nq != c.nv {
		return // positions without tangents that differences of numbers have
	}
	n := c.nv
	got, scale := make([]float64, 4*n*n), 1.0
	j.StepTangent(h, q, v, got)
	for _, x := range got {
		scale = math.Max(scale, math.Abs(x))
	}
	for k := range 2 * n {
		var ends [2][]float64
		for side, w := range [2]float64{small, -small} {
			x := append(append([]float64(nil), q...), v...)
			x[k] += w
			ends[side] = end(x[:n], x[n:])
		}
		for i := range 2 * n {
			want := (ends[0][i] - ends[1][i]) / (2 * small)
			if math.Abs(got[2*n*i+k]-want) > 1e-7*scale*scale {
				c.t.Errorf("step tangent: of %d by %d it is %g, differences %g, at q = %v, v = %v", i, k, got[2*n*i+k], want, q, v)
			}
		}
	}
}
