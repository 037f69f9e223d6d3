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
// and those of a chain of three links, of which the joint holds the second, are
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

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
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
// trees. Failures name the fact that does not hold.
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

// tree is a base, the joint, and a link on a hinge beyond it.
type tree struct {
	*rigid.Model
	*rigid.Data
	q, v []float64
	p    cliques.Problem // what FreeMotion fills in

	rule   timestep.Rule
	memory timestep.Memory
	before float64 // s, of the last step
}

// chain returns a tree at a random state, on a base with the joint given.
func (c *checker) chain(base rigid.Joint) *tree {
	c.t.Helper()
	// links of random mass and inertia, with frames F and M anywhere
	var b rigid.Builder
	for i, j := range []rigid.Joint{base, c.j, rigid.Revolute{Axis: c.vec().Unit()}} {
		pose := func() r3.Pose { return r3.Pose{R: r3.RotExp(c.vec()), P: c.vec().Scale(0.2)} }
		// an inertia of any orientation that a real body has: principal moments keep the triangle
		// inequality because they are sums of m
		R, m := r3.RotExp(c.vec()), r3.Vec{1 + c.r.Float64(), 1 + c.r.Float64(), 1 + c.r.Float64()}
		I := R.Mul(r3.Diag(r3.Vec{m[1] + m[2], m[2] + m[0], m[0] + m[1]})).Mul(R.T()).Scale(0.02)
		if _, err := b.Add(rigid.LinkSpec{Name: "link", Parent: i - 1, Joint: j, X_PF: pose(), X_BM: pose(),
			Mass: 0.5 + c.r.Float64(), Com_B: c.vec().Scale(0.1), Inertia_B: I.Add(I.T()).Scale(0.5)}); err != nil {
			c.t.Fatalf("chain: %v", err)
		}
	}
	m, err := b.Build()
	if err != nil {
		c.t.Fatalf("chain: %v", err)
	}
	// a random state
	w := &tree{Model: m, Data: m.NewData(), rule: c.rule}
	w.q, w.v = m.Start()
	w.Advance(1, c.floats(m.NumV(), spread), w.q, w.v, timestep.Memory{})
	copy(w.v, c.floats(m.NumV(), 1))
	return w
}

// power, (5): the efforts of inverse dynamics along v are the rate of the energy.
func (c *checker) power() {
	c.t.Helper()
	w, g := c.chain(rigid.Revolute{Axis: c.vec().Unit()}), c.vec().Scale(5)
	// random accelerations; the energy along that motion
	// efforts are those of the whole chain, as the joint's reactions act on its neighbours
	n := w.NumV()
	// any accelerations: the balance (5) holds for forced motions too
	vdot, tau := c.floats(n, 1), make([]float64, n)
	energy := func(h float64) float64 {
		q, v, mean := append([]float64(nil), w.q...), make([]float64, n), make([]float64, n)
		for k := range v {
			// at constant acceleration the mean velocity of a step moves the positions to third order
			v[k], mean[k] = w.v[k]+h*vdot[k], w.v[k]+0.5*h*vdot[k]
		}
		w.Advance(h, mean, q, mean, timestep.Memory{})
		w.Place(0, small, q, v)
		return w.KineticEnergy() + w.PotentialEnergy(g)
	}
	// the rate of the energy, and the power of the efforts that cause the motion
	rate := (energy(small) - energy(-small)) / (2 * small)
	w.Place(0, small, w.q, w.v)
	w.InverseDynamics(g, vdot, tau)
	power, scale := 0.0, 1.0
	for k := range tau {
		power, scale = power+tau[k]*w.v[k], scale+math.Abs(tau[k]*w.v[k])
	}
	if !(math.Abs(power-rate) <= 1e-7*scale) {
		c.t.Errorf("power: efforts give %.9g W, the energy grows by %.9g W", power, rate)
	}
}

// massMatrix, (6): A without springs and dampers is the Hessian of the kinetic energy,
// A_ij = T(e_i + e_j) − T(e_i) − T(e_j).
func (c *checker) massMatrix() {
	c.t.Helper()
	w := c.chain(rigid.Weld{})
	n := w.NumV()
	w.Place(0, 1, w.q, w.v)
	w.p.Reset(0, 1)
	// A of the chain without springs and dampers is M
	w.FreeMotion(r3.Vec{}, nil, &w.p)
	// kinetic energy of unit velocities, by the poses and inertias alone
	T := func(dofs ...int) float64 {
		v := make([]float64, n)
		for _, k := range dofs {
			v[k]++
		}
		w.Place(0, 1, w.q, v)
		return w.KineticEnergy()
	}
	// by the polarisation of T
	for _, q := range w.p.Cliques {
		// each clique is one tree: rows of A count from its first velocity
		for i := range q.Size {
			for j := range q.Size {
				a, b := q.Offset+i, q.Offset+j
				want := T(a, b) - T(a) - T(b)
				if got := q.A[q.Size*i+j]; !(math.Abs(got-want) <= 1e-11*(1+T(a)+T(b))) {
					c.t.Errorf("mass matrix: A[%d][%d] is %g, by kinetic energy %g", a, b, got, want)
					return
				}
			}
		}
	}
}

// step takes a step without constraints: A (v* − v) = p, then q moves by h v*.
func (w *tree) step(t testing.TB, h float64, g r3.Vec) {
	w.Integrate(w.rule.Step(h, w.memory, w.before))
	w.Place(0, h, w.q, w.v)
	w.p.Reset(0, h)
	w.FreeMotion(g, nil, &w.p)
	next := append([]float64(nil), w.p.V0...)
	for _, q := range w.p.Cliques {
		var x mat.VecDense
		// a dense solution that shares no code with the solver of steps
		if err := x.SolveVec(mat.NewDense(q.Size, q.Size, q.A), mat.NewVecDense(q.Size, w.p.P[q.Offset:q.Offset+q.Size])); err != nil {
			t.Fatalf("the momentum matrix is singular: %v", err)
		}
		for i := range q.Size {
			next[q.Offset+i] += x.AtVec(i)
		}
	}
	if w.rule.Midpoint && w.memory.W == nil {
		w.memory = timestep.Memory{W: make([]float64, len(w.v)), DV: make([]float64, len(w.v))}
	}
	w.Advance(h, next, w.q, w.v, w.memory)
	w.before = h
}

// center returns the centre of mass of the placed tree.
func (w *tree) center() (c r3.Vec) {
	mass := 0.0
	for i := range w.NumLinks() {
		mass += w.Link(i).Mass
	}
	for i := range c {
		var g r3.Vec
		// potential energy in a weight of −1/mass along an axis is the mean of that coordinate
		g[i] = -1 / mass
		c[i] = w.PotentialEnergy(g)
	}
	return c
}

// momentum, (7): a tree that floats without weight keeps its momentum, and its angular
// momentum about its centre of mass, to round-off.
func (c *checker) momentum() {
	c.t.Helper()
	// long enough for round-off that drifts to show, 0.4 s
	const h, steps = 2e-3, 200
	w := c.chain(rigid.Floating{})
	w.Place(0, h, w.q, w.v)
	// momenta at the start, of an undisturbed chain and after many steps
	p0, L0 := w.Momentum(), w.AngularMomentum(w.center())
	for range steps {
		w.step(c.t, h, r3.Vec{})
	}
	w.Place(0, h, w.q, w.v)
	p, L := w.Momentum(), w.AngularMomentum(w.center())
	// (7) holds for every step, so that only round-off is left
	scale := 1 + p0.Norm() + L0.Norm()
	if e := p.Sub(p0).Norm(); !(e <= 1e-11*scale) {
		c.t.Errorf("momentum: a floating chain gains %g N s of %g in %d steps", e, p0.Norm(), steps)
	}
	if e := L.Sub(L0).Norm(); !(e <= 1e-11*scale) {
		c.t.Errorf("momentum: a floating chain gains %g N m s of %g in %d steps", e, L0.Norm(), steps)
	}
}

// energy, (8): a chain that swings under weight keeps its energy but for an error of first
// order in the step, of second under the midpoint rule.
func (c *checker) energy() {
	c.t.Helper()
	start := c.chain(rigid.Weld{})
	// longer swings become chaotic, and errors no longer scale with the step
	const T = 0.25 // s
	g := c.vec().Unit().Scale(3)
	// the largest energy error of a run
	drift := func(h float64) (worst float64) {
		// copies share the model and its scratch, not the state
		w := *start
		w.q, w.v = append([]float64(nil), start.q...), append([]float64(nil), start.v...)
		w.Place(0, h, w.q, w.v)
		E := w.KineticEnergy() + w.PotentialEnergy(g)
		// the largest error on the way: the energy may come back at the end
		for range int(math.Round(T / h)) {
			w.step(c.t, h, g)
			w.Place(0, h, w.q, w.v)
			worst = max(worst, math.Abs(w.KineticEnergy()+w.PotentialEnergy(g)-E))
		}
		return worst
	}
	// of first order: a quarter at a quarter of the step, of second a sixteenth, with some slack
	most := 0.35
	if c.rule.Midpoint {
		most = 0.1
	}
	coarse, fine := drift(1e-3), drift(2.5e-4)
	if !(fine <= most*coarse+1e-10) {
		c.t.Errorf("energy: drifts by %g J in %g s at steps of 1 ms and by %g J at 0.25 ms, want %g of it at most, midpoint %v", coarse, T, fine, most, c.rule.Midpoint)
	}
}
