package constrainttest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// CheckNormal tests that a normal law is at rest what its facts say, that it acts within
// its range only, that its impulse falls with the velocity, and that its potential is the
// antiderivative of its impulse. The work of the mean force of a step is the change of the energy that the law stores.
func CheckNormal(t testing.TB, m constraints.NormalModel) {
	t.Helper()
	r := rand.New(rand.NewPCG(20261122, 3))
	// s, that of contact-rich scenes: stiff and soft laws on both sides of it
	const h = 1e-3
	// stiffness over six decades, loads over four: 10 mN to 100 N
	for range 100 {
		// a load at rest: the depth, and the force and slope there
		k, load := math.Pow(10, 3+6*r.Float64()), math.Pow(10, 4*r.Float64()-2)
		depth := m.StaticDepth(k, load)
		force, slope := m.StaticForce(k, depth)
		// barriers carry loads before touch, at −depth up to their range
		if !(math.Abs(force-load) <= 1e-9*load+1e-15*m.Range()*slope) || !(depth >= -m.Range()) || !(slope > 0) {
			t.Errorf("static depth: %g N of stiffness %g N/m rest at %g m, where the force is %g N and its slope %g N/m", load, k, depth, force, slope)
			return
		}
		// the law of a step without velocity
		var p cliques.Problem
		p.Reset(0, h)
		law := m.New(&geometry.Contact{Phi: -depth}, &constraints.Pair{Stiffness: k}, &p)
		if _, impulse, dp := law.Eval(0); !(math.Abs(impulse-h*force) <= 1e-9*h*force) || !(math.Abs(dp+h*h*slope) <= 1e-9*h*h*slope) {
			t.Errorf("static force: %g N and %g N/m at %g m, the law has %g N and %g N/m", force, slope, depth, impulse/h, -dp/(h*h))
		}
		// friction of the next step is bounded by this impulse, that of the undamped law
		if lag := law.Lag(0); !(math.Abs(lag-h*force) <= 1e-9*h*force) {
			t.Errorf("lag: %g N s, want %g", lag, h*force)
		}
		checkDissipation(t, m, k, depth, h)
		checkSecant(t, m, k, depth, h)
		// beyond the range
		far := m.New(&geometry.Contact{Phi: 1.001*m.Range() + 1e-9}, &constraints.Pair{Stiffness: k, Dissipation: 10}, &p)
		// exact zeros: contacts beyond the range leave no trace in the solver
		if P, impulse, dp := far.Eval(0); P != 0 || impulse != 0 || dp != 0 {
			t.Errorf("range: the law acts beyond its range of %g m", m.Range())
		}
		if t.Failed() {
			return
		}
	}
}

// checkDissipation compares the law at closing and opening velocities with its kind of
// dissipation, and its derivatives with differences. Velocities are of the size that closes or opens
// the whole depth within the step: closing fast and slowly, at rest, opening while still in touch.
func checkDissipation(t testing.TB, m constraints.NormalModel, k, depth, h float64) {
	t.Helper()
	const d = 5.0 // s/m
	var p cliques.Problem
	p.Reset(0, h)
	law := m.New(&geometry.Contact{Phi: -depth}, &constraints.Pair{Stiffness: k, Dissipation: d, RelaxationTime: 0.1}, &p)
	scale := math.Abs(depth)/h + 1e-6
	for _, vn := range []float64{-2 * scale, -0.3 * scale, 0, 0.2 * scale} {
		P, impulse, dp := law.Eval(vn)
		// the force at the end of the step, with damping
		static, _ := m.StaticForce(k, depth-h*vn)
		want := h * static
		// f (1 − d vn)₊: Hunt–Crossley's factor at the end of the step
		if m.Dissipation() == constraints.HuntCrossleyDissipation {
			want *= max(0, 1-d*vn)
		}
		if !(math.Abs(impulse-want) <= 1e-9*(want+h*k*1e-12)) {
			t.Errorf("dissipation: impulse %g N s at %g m/s, want %g", impulse, vn, want)
		}
		// the potential by differences
		// so small that the law is nearly linear within it, and no branch lies there but by chance
		e := 1e-6 * scale
		Pa, pa, _ := law.Eval(vn - e)
		Pb, pb, _ := law.Eval(vn + e)
		// P ≤ 0 and grows to zero where contact ends;
		// p falls, so that its mean over an interval lies between the values at the ends
		mean, tol := (Pb-Pa)/(2*e), 1e-9*pa-1e-15*P/e
		if !(mean >= pb-tol && mean <= pa+tol) || !(dp <= 0) || !(P <= 0) {
			t.Errorf("potential: p = %g N s is not the falling derivative of P at %g m/s", impulse, vn)
		}
	}
}

// checkSecant compares the mean force of a step with the work that the law of the end does without damping, whose
// potential is the energy that it stores, and its damping with that of the end.
func checkSecant(t testing.TB, m constraints.NormalModel, k, depth, h float64) {
	t.Helper()
	const d = 5.0 // s/m
	var p cliques.Problem
	p.Reset(0, h)
	elastic, ok := m.New(&geometry.Contact{Phi: -depth}, &constraints.Pair{Stiffness: k}, &p).(constraints.SecantLaw)
	damped, _ := m.New(&geometry.Contact{Phi: -depth}, &constraints.Pair{Stiffness: k, Dissipation: d}, &p).(constraints.SecantLaw)
	if !ok {
		return
	}
	scale := math.Abs(depth)/h + 1e-6
	stored, force, _ := elastic.Eval(0)
	// closing, opening within and beyond the depth: the mean of a barrier ends at its range
	last := math.Inf(1)
	for _, vn := range []float64{-2 * scale, -0.3 * scale, 0.2 * scale, 0.99 * scale, 3 * scale} {
		P, impulse, dp := elastic.Secant(vn)
		end, endForce, _ := elastic.Eval(vn)
		if want := (end - stored) / vn; !(math.Abs(impulse-want) <= 1e-9*(force+endForce)) || !(impulse <= last) || !(dp <= 0) {
			t.Errorf("secant: impulse %g N s at %g m/s, the energy that the law stores gives %g", impulse, vn, want)
		}
		last = impulse
		_, lossy, _ := damped.Secant(vn)
		want := impulse
		if m.Dissipation() == constraints.HuntCrossleyDissipation {
			want *= max(0, 1-d*vn)
		}
		if !(math.Abs(lossy-want) <= 1e-9*(force+endForce)) {
			t.Errorf("secant: impulse %g N s at %g m/s with damping, want %g", lossy, vn, want)
		}
		e := 1e-6 * scale
		Pa, pa, _ := elastic.Secant(vn - e)
		Pb, pb, _ := elastic.Secant(vn + e)
		mean, tol := (Pb-Pa)/(2*e), 1e-9*pa+1e-15*math.Abs(P)/e
		if !(mean >= pb-tol && mean <= pa+tol) {
			t.Errorf("secant: p = %g N s is not the falling derivative of P at %g m/s", impulse, vn)
		}
	}
}

// CheckContact tests that a contact model bears at rest what its facts say, has friction
// within Coulomb's cone of the impulse that they name, and acts within the range of its
// normal law only.
func CheckContact(t testing.TB, m constraints.ContactModel) {
	t.Helper()
	facts := m.Facts()
	// a law that acts less than one step ahead misses contacts
	if !(facts.AlphaMax >= 1) || facts.Normal == nil {
		t.Errorf("facts: %+v", facts)
		return
	}
	// N/m and m: 0.1 N of a linear law
	const k, depth = 1e3, 1e-4
	c := newContact(m, -depth, k)
	// at rest
	force, _ := facts.Normal.StaticForce(k, depth)
	// at rest there is no friction, and the normal law is alone
	if g, want := c.eval(0, 0, 0), contactStep*force; !(math.Abs(g[2]-want) <= 1e-9*want) || g[0] != 0 || g[1] != 0 {
		t.Errorf("static force: impulse %v at rest, want %g along the normal", g, want)
	}
	// lag
	n0, lagged := constraints.LaggedImpulse(&c.w.P, c.h)
	if lagged != facts.LaggedFriction || constraints.IsLagged(m) != lagged {
		t.Errorf("lag: facts say %v, the law %v", facts.LaggedFriction, lagged)
	}
	// sliding in several directions
	for _, v := range [][3]float64{{1, 0, 0}, {-0.3, 0.4, 0.01}, {0.01, 2, -0.05}} {
		g := c.eval(v[0], v[1], v[2])
		// laws that lag take the impulse of the last step for the cone, n0
		bound := contactFriction * g[2]
		if lagged {
			bound = contactFriction * n0
		}
		// slip of a metre a second is far beyond stiction: friction must not vanish
		if slip := math.Hypot(g[0], g[1]); !(slip <= bound*(1+1e-9)) || !(g[0]*v[0]+g[1]*v[1] <= 0) || !(slip > 0) {
			t.Errorf("friction: impulse %v at a slip of %v, bound %g", g, v, bound)
		}
	}
	// beyond the range
	c = newContact(m, 1.01*facts.Normal.Range()+1e-9, k)
	if g := c.eval(0, 0, 0); g != [3]float64{} {
		t.Errorf("range: impulse %v beyond the range of %g m", g, facts.Normal.Range())
	}
}

const (
	contactStep     = 1e-3 // s
	contactFriction = 0.5  // of all coefficients
)

// contact is a point of a body on the ground, at the body's origin: forces there have no moment.
type contact struct {
	w *World
	h cliques.Handle
}

// newContact returns the contact at a gap phi (m) of stiffness k (N/m), in a step from rest.
func newContact(m constraints.ContactModel, phi, k float64) *contact {
	c := &contact{w: NewWorld()}
	c.w.begin(contactStep)
	g := &geometry.Contact{A: geometry.MaterialPoint{Body: geometry.World}, B: geometry.MaterialPoint{Body: 0},
		Pos_W: c.w.Poses[0].P, Normal_W: r3.Vec{0, 0, 1}, Phi: phi}
	// equal coefficients along and across: the cone is round
	const mu = contactFriction
	side := constraints.Side{Friction: mu, StaticFriction: mu, TransverseFriction: mu}
	pair := &constraints.Pair{Stiffness: k, Friction: mu, StaticFriction: mu, RelaxationTime: 0.01, Sides: [2]constraints.Side{side, side}}
	c.h = constraints.AppendContact(m, g, pair, c.w, &c.w.P)
	// the Delassus diagonal of unit mass against the ground
	c.w.P.Constraints[c.h].Law.Prepare(contactStep, []float64{1, 1, 1})
	return c
}

// eval returns the impulse at a contact velocity.
func (c *contact) eval(x, y, z float64) (gamma [3]float64) {
	c.w.P.Constraints[c.h].Law.Eval([]float64{x, y, z}, gamma[:], make([]float64, 9))
	return gamma
}
