package jointtest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/timestep"
)

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
