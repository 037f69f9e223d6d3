package constraints

// The law of all constraints but contact and joint friction: for each equation a linear
// spring and damper, possibly too stiff for the step, possibly bounded. With the
// error g0 at the start of the step (m or rad), stiffness k, damping d, a set
// velocity v_d and a given force f,
//
//	force    −k (g0 + h c) − d (c − v_d) + f
//	R = 1/(h (h k + d)),   v̂ = (d v_d + f − k g0)/(h k + d)               (1)
//	y = (v̂ − c)/R,   γ = clamp(y, γ_lo, γ_hi)                            (2)
//	ℓ = γ R (y − ½ γ),   G = 1/R inside the bounds, else 0               (3)
//
// (3) is continuous at the bounds. (1) is implicit in the step and so stable at any k and d: a
// stiffness that is given acts, and a load deflects by its quotient by k whatever the step
// and the inertias. Equations without a stiffness are near-rigid: with the Delassus entry w, β = 0.1, of loops of rigid
// bodies 0.01, and of joints 0.02,
//
//	τ_nr = β h/π,   R_nr = β² h w/(4π² (h + τ_nr))                       (4)
//	R < R_nr:  R = R_nr,  τ ← max(τ, τ_nr),  v̂ = −(g0 − τ v_d)/(h + τ) + R h f   (5)
//
// where the part of v̂ that corrects g0 is bounded, lest a large error eject
// bodies. Equations of joints carry any load nevertheless, joint_return.go. A step then removes 97 % of a small error:
// this is the constraint stabilisation, in place of Baumgarte's. So are springs and dampers between bodies with R <
// 10⁻⁵ R_nr, where the common motion of both bodies would lose digits. Under the midpoint rule a spring has the mean
// force of the step, with the share η of the force at its end that contacts have, normal_mean.go:
//
//	−k (g0 + a h c) in place of −k (g0 + h c),   a = ½ (1 + η):   a h k + d in place of h k + d in (1)    (6)
//
// A one-sided spring with a gap at the start has that of the end, as limits of joints, motors and drags always.
// Source: the near-rigid form of Drake's ICF solver, made per equation; the cost
// (3) is Castro's with its jump removed.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Spring is the compliance of a constraint. The zero value is near-rigid: as stiff as the step
// resolves.
type Spring struct {
	Stiffness float64 // k, N/m or N m/rad; +Inf, or 0 without damping: rigid
	Damping   float64 // N s/m or N m s/rad; alone it is a pure damper
}

// Check implements Checker.
func (s Spring) Check() error {
	if !(s.Stiffness >= 0) {
		return fmt.Errorf("constraints: stiffness is %g, want ≥ 0 (0 without damping, or +Inf, is rigid)", s.Stiffness)
	}
	return checkPositive("damping", s.Damping)
}

// checkPositive returns an error unless x is finite and ≥ 0.
func checkPositive(name string, x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("constraints: %s is %g, want a finite number ≥ 0", name, x)
	}
	return nil
}

// checkFinite returns an error unless x is finite.
func checkFinite(name string, x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("constraints: %s is %g, want a finite number", name, x)
	}
	return nil
}

func (s Spring) rigid() bool {
	return math.IsInf(s.Stiffness, 1) || s.Stiffness == 0 && s.Damping == 0
}

// row is one equation.
type row struct {
	g0     float64 // error now, m or rad
	k, d   float64 // stiffness and damping; k = +Inf is rigid
	vd, f  float64 // set velocity and given force
	vmax   float64 // bound on the correcting velocity where near-rigid
	lo, hi float64 // bounds on the impulse
	gap    bool    // g0 is a gap that is free to close
	single bool    // it acts on one velocity alone
	loop   bool    // it joins rigid bodies
	joint  bool    // it acts on positions of joints, joint_return.go
	rate   float64 // of joints: ġ at the start of the step
	limit  velocityLimit
	mean   bool // of a step of the midpoint rule
	rest   bool // of a pseudo-step to static equilibrium: the impulse is h times a force of g0 + h c alone

	r, v float64 // R and v̂, by prepare; R = +Inf: v is a given impulse
}

// spring sets up a two-sided equation of error g0.
func (e *row) spring(s Spring, g0, vmax float64) {
	*e = row{g0: g0, k: s.Stiffness, d: s.Damping, vmax: vmax, lo: math.Inf(-1), hi: math.Inf(1)}
	if s.rigid() {
		e.k = math.Inf(1)
	}
}

// oneSided sets up an equation that keeps the gap g ≥ 0 and only pushes. Damping
// starts with touch: before, it would act ahead of it.
func (e *row) oneSided(s Spring, gap, vmax float64) {
	e.spring(s, gap, vmax)
	e.lo, e.gap = 0, true
	if gap > 0 {
		e.d = 0
	}
}

// prepare computes R and v̂ for a step of h and Delassus entry w.
func (e *row) prepare(h, w float64) {
	beta := rigidBeta
	switch {
	case e.loop:
		beta = loopBeta
	case e.joint:
		beta = jointBeta
	}
	tauNR := beta * h / math.Pi // (4)
	if e.rest {
		tauNR = 0
	}
	rNR := beta * beta * h * w / (4 * math.Pi * math.Pi * (h + tauNR))

	least := rNR // compliance below which it is near-rigid
	switch {
	case e.single && !math.IsInf(e.k, 1):
		least = 0
	case !math.IsInf(e.k, 1):
		least *= leastCompliance * (rigidBeta / beta) * (rigidBeta / beta)
	}
	way := h // a h of (6)
	if e.mean && !math.IsInf(e.k, 1) && !(e.gap && e.g0 > 0) {
		way = 0.5 * (1 + EndShare(h, e.k, 2*w)) * h // 2 w: the inverse mass where A is M/θ, θ ≈ ½
	}
	K := way*e.k + e.d
	switch {
	case K == 0: // only a given force
		e.r, e.v = math.Inf(1), h*e.f
	case least > 0 && 1/(h*K) < least: // (5)
		e.r = least
		tau := 0.0
		if !math.IsInf(e.k, 1) {
			tau = e.d / e.k // +Inf for a pure damper
		}
		if tau = math.Max(tau, tauNR); math.IsInf(tau, 1) {
			e.v = e.vd
		} else {
			if e.gap && e.g0 > 0 {
				tau = 0 // the whole gap is free to close
			}
			e.v = e.correct(h, tau, w) + e.vd*(tau/(h+tau))
		}
		e.v += e.r * h * e.f
	case math.IsInf(e.k, 1): // rigid, and nothing can move
		e.r, e.v = math.Inf(1), 0
	default: // (1)
		e.r, e.v = 1/(h*K), (e.d*e.vd+e.f-e.k*e.g0)/K
		e.prepareLimit(h, way)
	}
}

// correct returns the bounded velocity that corrects g0. A one-sided gap may close at any
// speed.
func (e *row) correct(h, tau, w float64) float64 {
	v := -e.g0 / (h + tau)
	if e.joint {
		return e.returnJoint(v, h, w)
	}
	if e.gap {
		return math.Min(v, e.vmax)
	}
	return math.Max(-e.vmax, math.Min(v, e.vmax))
}

// eval returns ℓ, γ and G of one equation.
func (e *row) eval(c float64) (cost, gamma, G float64) {
	if math.IsInf(e.r, 1) {
		gamma = math.Max(e.lo, math.Min(e.v, e.hi))
		return -gamma * c, gamma, 0
	}
	if e.limit.acts && !e.limit.inside(c) {
		return e.evalLimited(c)
	}
	y := (e.v - c) / e.r // (2)
	switch {
	case y <= e.lo:
		gamma = e.lo
	case y >= e.hi:
		gamma = e.hi
	default:
		gamma, G = y, 1/e.r
	}
	return gamma * e.r * (y - 0.5*gamma), gamma, G // (3)
}

// compliant is the law of up to six equations. Equations three by three have one
// unit.
type compliant struct {
	rows []row
	rest bool // Problem.Rest
	mean bool // Problem.Midpoint
}

// newCompliant returns a law of n equations, 1, 3 or 6, to set up.
func newCompliant(p *cliques.Problem, n int) *compliant {
	l := cliques.New[compliant](p)
	l.rest, l.mean = p.Rest, p.Midpoint
	switch n {
	case 1:
		l.rows = cliques.New[[1]row](p)[:]
	case 3:
		l.rows = cliques.New[[3]row](p)[:]
	case 6:
		l.rows = cliques.New[[6]row](p)[:]
	default:
		panic("constraints: a compliant law has 1, 3 or 6 equations")
	}
	return l
}

// Dim implements cliques.Law.
func (l *compliant) Dim() int { return len(l.rows) }

// IsQuadratic implements convex.Quadratic: without bounds, (3) has the Hessian 1/R everywhere.
func (l *compliant) IsQuadratic() bool {
	for i := range l.rows {
		e := &l.rows[i]
		if !math.IsInf(e.lo, -1) || !math.IsInf(e.hi, 1) || e.limit.most > 0 {
			return false
		}
	}
	return true
}

// Prepare implements cliques.Law.
func (l *compliant) Prepare(h float64, w []float64) {
	for i := 0; i < len(l.rows); i += 3 {
		n := min(i+3, len(l.rows))
		largest := 0.0
		for _, x := range w[i:n] {
			largest = math.Max(largest, x)
		}
		for j := i; j < n; j++ {
			l.rows[j].rest, l.rows[j].mean = l.rest, l.mean
			l.rows[j].prepare(h, math.Max(w[j], delassusFloor*largest))
		}
	}
}

// Eval implements cliques.Law.
func (l *compliant) Eval(vc, gamma, G []float64) float64 {
	clear(G)
	n, cost := len(l.rows), 0.0
	for i := range l.rows {
		var c float64
		c, gamma[i], G[i*n+i] = l.rows[i].eval(vc[i])
		cost += c
	}
	return cost
}
