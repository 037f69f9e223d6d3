package sim

// The state at rest (static equilibrium) under the loads, targets and motions of a time T, by
// pseudo-steps of the convex problem. Each starts without velocity, so that it is
//
//	M d/h² = f(x + d),   d = h v⁺                                               (1)
//
// for a displacement d, with all forces f linear in d, contact and friction as in any step:
// Newton's method for f = 0, held back by inertia the more the shorter h. The pseudo-step h
// follows the displacements: it grows as long as inertia holds back, and falls where d turns
// back, |d| being no smaller. That happens where geometric stiffness, which the frames of
// corotated elements leave out, is larger than elastic stiffness.
//
// Forces of contacts and constraints are those of the last pseudo-step, q = Jᵀγ/h, all others
// those of the state itself, P/h at v0 = 0. Their sum is the true residual,
//
//	r = P/h + q,   |r| ≤ 1e-10 (|weight and loads| + |q|)                        (2)
//
// and the state is at rest where (2) holds twice in turn with the same q to 1e-9; or where d does
// not move the bodies any more, so that the residual is round-off.
//
// Friction acts on the displacement of a pseudo-step: the sliding tolerance is scaled by the
// step and falls as the search goes on, lest what sticks creep on. So the path to the state counts where friction bears load:
// motions and loads that grow over several steps of a scene give the state of that path.
// Prescribed motions reach T within the first pseudo-step, in the time that the caller gives.
// Source: this program's; for pseudo-transient continuation Kelley and Keyes, "Convergence
// analysis of pseudo-transient continuation", 1998.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// RestStep is the length of the first pseudo-step, s, for which the sliding tolerance and
// default margins are chosen.
const RestStep = 0.01

const (
	restTol      = 1e-10 // of (2)
	restChange   = 1e-9  // of q in a pseudo-step, relative to forces
	restRoundoff = 1e-6  // residual below which one that does not fall may be round-off
	leastLoad    = 1e-8  // of a body's stiffness times its section: forces below are none
	leastSlip    = 1e-8  // of the stiction tolerance, as the search goes on
	restTurn     = 0.7   // of the joints of trees in a pseudo-step, rad or m
	restMotion   = 1e-14 // displacement of a pseudo-step relative to the size of the bodies that is round-off
	restGrowth   = 4     // of pseudo-steps
	restShort    = 0.5   // of one that turned back
	restRelax    = 1.1   // by which the bound of the pseudo-step that such a one set grows in each
	restFast     = 0.03  // ratio of displacements below which inertia does not hold back
	restFar      = 1e3   // displacement of a pseudo-step, relative to the size of the bodies, from which nothing holds them
	leastStep    = 1e-8  // s
	longestStep  = 1e2   // s
	maxRestSteps = 600
	restRelTol   = 1e-12 // of the solver
)

// equilibrium is the scratch of a search for the state at rest.
type equilibrium struct {
	holds    bool      // time is held
	force    []float64 // q of the last pseudo-step, N or N m
	before   []float64 // d of the one before
	residual float64   // |r|
	scale    float64   // of (2)
	change   float64   // |q − q of the pseudo-step before|
	known    bool      // force is known
	slip     float64   // factor of the stiction tolerance
	loose    int       // pseudo-steps for which nothing held a body
	saved    State
}

// Equilibrium solves for static equilibrium: it moves the state to rest under the loads,
// targets and prescribed motions of the time h (s) later, which becomes its time; inertia and
// damping are left out. Where friction carries load the result depends on the state before. The
// report is that of the last pseudo-step. When it returns an error the state is unchanged; the
// error says which body is not held, or that there is no rest.
func (s *Stepper) Equilibrium(x *State, h float64) error {
	s.resetReport()
	if !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("sim: equilibrium after %g s: the time must be positive and finite", h)
	}
	if err := s.checkState(x); err != nil {
		return err
	}
	if err := s.checkOperator(x); err != nil {
		return err
	}
	if s.takeTurn(x) {
		defer s.endTurn()
	}
	if err := s.placeDrags(x); err != nil {
		return err
	}
	if len(s.operator.teleops) > 0 {
		return fmt.Errorf("sim: equilibrium: the teleoperation of drive %q acts over time, not at rest: give the drive another target", s.Model.operator.teleops[0].drive)
	}
	if len(s.controllers) > 0 {
		return fmt.Errorf("sim: equilibrium: controller %q acts over time, not at rest: build the model without it", s.Model.Controllers[0].Name)
	}
	if len(s.held) > 0 {
		return fmt.Errorf("sim: equilibrium: drive %q holds and lets go over time, not at rest: give a weld in its place", s.Model.holds[0].name)
	}
	start := x.Clone()
	err := s.findRest(x, h)
	s.rest.holds, s.contact = false, s.Model.Contact
	if s.rigid != nil {
		s.rigid.Hold = false
	}
	if err != nil {
		*x = *start
		s.resetReport()
		return fmt.Errorf("sim: equilibrium at t = %.6g s: %w", x.Time+h, err)
	}
	clear(x.V)
	x.EnergyReference = x.EnergyReference[:0]
	x.Step, x.Time = start.Step+1, start.Time+h
	s.Report.Step = x.Step
	return nil
}

// findRest takes pseudo-steps until the state is at rest.
func (s *Stepper) findRest(x *State, h float64) error {
	e, end := &s.rest, x.Time+h
	e.known, e.loose, e.before = false, 0, e.before[:0]
	if s.hasMotions() {
		clear(x.V)
		x.EnergyReference = x.EnergyReference[:0]
		if err := s.takeOrHalve(x, h); err != nil && !errors.Is(err, ErrNotConverged) {
			return err
		}
	}
	// time stands still
	e.holds = true
	if s.rigid != nil {
		s.rigid.Hold = true
	}
	size, step, bound, rests, before := s.extent(x), RestStep, math.Inf(1), 0, math.Inf(1)
	var failure error
	last := step
	for n := 1; n <= maxRestSteps && step > leastStep; n++ {
		// what sticks creeps less and less
		if e.slip = 1; n > 5 {
			e.slip = math.Max(math.Pow(0.5, float64(n-5)), leastSlip)
		}
		e.saved.copyFrom(x)
		way, turn, err := s.pseudoStep(x, end, step)
		if errors.Is(err, ErrInterrupted) {
			return err
		}
		if err != nil { // too long a step
			failure = err
			x.copyFrom(&e.saved)
			step *= restShort * restShort
			continue
		}
		s.Report.PseudoSteps, s.Report.RestResidual = n, e.relative()
		still := step >= RestStep && way <= restMotion*size && e.relative() < restRoundoff
		if e.known && n > 2 && (still || e.residual <= restTol*e.scale && e.change <= restChange*e.scale) {
			if rests++; rests == 2 {
				return nil
			}
		} else {
			rests = 0
		}
		e.known = true
		if n > 8 {
			if why := s.unheld(way > restFar*math.Max(1, size)); why != "" {
				return errors.New(why)
			}
		}
		// the step whose displacement went too far is remembered for a while
		bound *= restRelax
		taken := step
		if turn < 0 && e.residual > restShort*before {
			bound = restShort * last
			step = min(step, bound)
		} else if turn > restFast || turn < -restFast && turn > -restShort/2 || n < 3 {
			step = min(restGrowth*step, bound, longestStep)
		}
		before, last = e.residual, taken
	}
	if step <= leastStep && failure != nil && !errors.Is(failure, errDivide) {
		return failure
	}
	if why := s.unheld(true); why != "" && e.relative() > 1e-3 && s.jointsMoved(step) > 0 {
		return errors.New(why)
	}
	return fmt.Errorf("no state at rest was found: the residual of the forces is still %.2g of the loads; apply loads and motions over more steps (time.step below time.duration), or look for parts that buckle, slide or swing freely", e.relative())
}

// relative returns the residual relative to the forces; 0 without either.
func (e *equilibrium) relative() float64 {
	if e.residual == 0 {
		return 0
	}
	return e.residual / e.scale
}

// errDivide reports that a pseudo-step is too long.
var errDivide = errors.New("the step has to be divided")

// pseudoStep takes (1) with step h at the held time t. It returns the largest displacement of
// a velocity's coordinate, and the ratio of the size of the displacement to that of the one
// before, negative where it turns back.
func (s *Stepper) pseudoStep(x *State, t, h float64) (way, turn float64, err error) {
	e := &s.rest
	s.Report.restart()
	s.resetReactions()
	s.contact = constraints.AtRest(s.Model.Contact, e.slip*min(1, RestStep/h))
	clear(x.V)
	x.EnergyReference, x.Time = x.EnergyReference[:0], t
	whole, err := s.take(x, h)
	switch {
	case !whole:
		return 0, 0, errDivide
	case err != nil:
		return 0, 0, err
	case s.jointsMoved(h) > restTurn:
		return 0, 0, errDivide
	}
	s.Report.read()
	e.keepForces(s, h)
	// d against that before
	dot, square, last := 0.0, 0.0, 0.0
	for i, v := range s.vNext {
		d := h * v
		way = math.Max(way, math.Abs(d))
		square += d * d
		if len(e.before) > 0 {
			dot += d * e.before[i]
			last += e.before[i] * e.before[i]
		}
	}
	if last > 0 {
		turn = math.Copysign(math.Sqrt(square/last), dot)
	}
	e.before = append(e.before[:0], s.vNext...)
	for i := range e.before {
		e.before[i] *= h
	}
	return way, turn, nil
}

// jointsMoved returns the largest displacement of a velocity of a tree with joints in the last
// pseudo-step of h, rad or m.
func (s *Stepper) jointsMoved(h float64) float64 {
	most := 0.0
	for i := range s.numTrees() {
		if !s.rigid.model.HasJoints(i) {
			continue
		}
		c := &s.Problem.Cliques[i]
		for _, v := range s.vNext[c.Offset : c.Offset+c.Size] {
			most = math.Max(most, h*math.Abs(v))
		}
	}
	return most
}

// measure computes the residual (2) of the state at which a pseudo-step of h begins.
func (e *equilibrium) measure(s *Stepper, h float64) {
	if !e.holds || !e.known {
		return
	}
	sum, forces := 0.0, 0.0
	for i, p := range s.Problem.P {
		r := p/h + e.force[i]
		sum += r * r
		forces += e.force[i] * e.force[i]
	}
	// weight and loads
	for _, d := range s.deformables {
		sq, _ := d.loadNorm()
		forces += sq
	}
	if s.rigid != nil {
		for i := range s.rigid.model.NumLinks() {
			if !s.rigid.model.IsKinematic(i) {
				w := s.rigid.model.Link(i).Mass * s.Model.Gravity.Norm()
				forces += w * w
			}
		}
	}
	// far below the stiffness of a body forces are round-off
	for _, d := range s.deformables {
		mu, lambda := d.model.Spec().Law.Lame()
		forces += math.Pow(leastLoad*(mu+math.Abs(lambda))*math.Pow(d.model.Mass()/d.model.Spec().Density, 2./3), 2)
	}
	e.residual, e.scale = math.Sqrt(sum), math.Sqrt(forces)
}

// keepForces keeps q of the problem that was solved.
func (e *equilibrium) keepForces(s *Stepper, h float64) {
	p := &s.Problem
	old := slices.Clone(e.force)
	e.force = append(e.force[:0], make([]float64, p.Size())...)
	for c := range p.Constraints {
		gamma := p.Impulse(cliques.Handle(c))
		for _, b := range p.Blocks(cliques.Handle(c)) {
			n, o := p.NodeSize[b.Node], p.NodeOffset[b.Node]
			for r, y := range gamma {
				for k := range n {
					e.force[o+k] += b.J[r*n+k] * y / h
				}
			}
		}
	}
	e.change = math.Inf(1)
	if len(old) == len(e.force) {
		sum := 0.0
		for i := range old {
			sum += (old[i] - e.force[i]) * (old[i] - e.force[i])
		}
		e.change = math.Sqrt(sum)
	}
}

// relTol returns the solver's relative tolerance.
func (s *Stepper) relTol() float64 {
	switch {
	case s.linearizing:
		return tangentTol
	case s.rest.holds:
		return restRelTol
	}
	return s.Model.RelTol
}

// hasMotions reports whether a joint is prescribed.
func (s *Stepper) hasMotions() bool {
	if s.rigid == nil {
		return false
	}
	for i := range s.rigid.model.NumLinks() {
		if _, ok := s.rigid.model.Link(i).Joint.(rigid.Prescribed); ok {
			return true
		}
	}
	return false
}

// extent returns the size of all bodies together with their places, m.
func (s *Stepper) extent(x *State) float64 {
	size := 0.0
	for _, q := range x.Q {
		size = math.Max(size, math.Abs(q))
	}
	return size
}

// loadNorm returns Σ |m_i g + f_i|² over the free vertices, N², and the resultant.
func (b *deformableBody) loadNorm() (square float64, total r3.Vec) {
	for v := range b.model.NumVerts() {
		if b.model.Node(int32(v)) < 0 {
			continue
		}
		f := b.gravity.Scale(b.model.NodalMass(int32(v)))
		if b.force != nil {
			f = f.Add(b.force[v])
		}
		square, total = square+f.Norm2(), total.Add(f)
	}
	return square, total
}
