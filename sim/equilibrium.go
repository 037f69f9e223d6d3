package sim

// The state at rest (static equilibrium) under the loads, targets and motions of a time T: the point at which all
// forces F(x) balance, weight, loads, elastic forces, contacts and constraints, with friction that acts on what
// contacts have slipped since the state before. It is found by pseudo-steps of the convex problem. Each starts without
// velocity, so that it is
//
//	(M/h² + K) d = F(x + …),   d = h v⁺                                         (1)
//
// for a displacement d, with contact and friction as in any step and the true tangent K of deformables (fem/rest.go):
// Newton's method for F = 0, slowed by inertia the more the shorter the pseudo-step h. h follows how well the model
// of a pseudo-step has foretold the forces at its end. With the work of the forces before and after, and what the model
// has
//
//	g₁ = F(x)·d,   g₂ = F(x + d)·d,   m = dᵀM d/h²,   ρ = (g₁ + g₂)/(g₁ + m)           (2)
//
// is the decrease of the potential (trapezoidal rule) over the one foretold. Where ρ is small the displacement is taken
// back and h falls; where ρ is near 1 or more h grows, up to steps in which inertia does not count. So the potential
// falls from one state to the next, past states at rest that are not stable: where the tangent of all has a negative
// eigenvalue, the pseudo-step is taken with that of points projected (fem), and a state of balance with such a tangent
// is left along it: parts buckle and snap through. Source: this program's; for pseudo-transient continuation Kelley and
// Keyes, "Convergence analysis of pseudo-transient continuation", 1998; for (2) Conn, Gould and Toint, "Trust-region
// methods", 2000.
//
// The residual F(x) of a state is its own: no force of it depends on d. The state is at rest where
//
//	|F| ≤ 1e-10 (|weight and loads| + |forces of contacts and constraints|)                 (3)
//
// and the tangent there is positive definite; or, where round-off of positions does not let F fall further, as in thin
// sheets, |F| ≤ 1e-8 of these and of the forces that balance within the elements.
//
// Friction is that of the displacement s of the material points of a contact, one against the other, since the last
// state (incremental Coulomb friction): viscous below a slip of the stiction tolerance times RestStep, μ N beyond. So
// the path to a state counts where friction acts load: motions and loads that grow over several steps of a scene give
// the state of that path.
// Prescribed motions reach T within the first pseudo-step, in the time that the caller gives.

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
)

// RestStep is the length of the first pseudo-step of bodies that nothing holds at the start, s, for which the stiction
// tolerance and default margins are chosen.
const RestStep = 0.01

const (
	restTol        = 1e-10 // of (3)
	restKnown      = 0.3   // of round-off, below which forces are none
	restFloor      = 1e-8  // of (3) at round-off
	restFalls      = 0.9   // residual over the least before, of one that falls
	restStalls     = 3     // pseudo-steps without inertia in which the residual does not fall: round-off
	leastLoad      = 1e-8  // of a body's stiffness times its section: forces below are none
	restTurn       = 0.7   // of the joints of trees in a pseudo-step, rad or m
	restReject     = 0.1   // ρ of (2) below which a displacement is taken back
	restPoor       = 0.5   // below which h falls
	restGood       = 0.75  // from which h grows
	restExact      = 1e-9  // of the elastic energy, of which a foretold decrease is known by differences of energies
	restAstray     = 6     // pseudo-steps that may follow one that raises the potential, before all of them are taken back
	restRelax      = 1.1   // by which the bound of pseudo-steps that one taken back sets grows in each
	restSlow       = 0.3   // |F| over that before, from which pseudo-steps are accelerated
	restTail       = 0.1   // |F| over the forces that act, below which this is so
	restGrowth     = 10    // of pseudo-steps
	restShort      = 0.25  // of those that are taken back
	restHeld       = 1     // s, the first pseudo-step where all bodies are supported
	restFar        = 1e3   // displacement of a pseudo-step, relative to the size of the bodies, from which nothing holds them
	restNudge      = 1e-3  // displacement out of a state of balance that is not stable, relative to the size of the bodies
	restShorter    = 4     // pseudo-steps in turn that are made shorter for a matrix that is positive definite, before tangents are projected
	restShortened  = 24    // of a search
	restMoved      = 1e-6  // displacement, relative to the size of the bodies, within which contacts are those of the state
	restSettled    = 4     // of such detections, after which a displacement of restMovedMost is accepted
	restMovedMost  = 1e-4
	restParts      = 3    // depth to which the step of a search that fails is halved
	restRounds     = 24   // of contacts that are kept
	restHeldStalls = 4    // pseudo-steps in which |F| does not fall, after which contacts are kept
	restNudges     = 2    // of a search
	leastStep      = 1e-8 // s
	longestStep    = 1e2  // s
	inertiaStep    = 1    // s, from which inertia does not slow
	freeStiffness  = 1e11 // h² K over M of a node, up to which round-off of K leaves M known
	maxRestSteps   = 2000
	restRelTol     = 1e-12 // of the solver
)

// equilibrium is the scratch of a search for the state at rest.
type equilibrium struct {
	holds          bool       // time is fixed
	project        bool       // tangents are projected
	force          []float64  // forces of contacts and constraints at the state, N or N m
	now            restForces // of the state at hand
	before         restForces // of the state before the last pseudo-step
	moved          []float64  // d of the last pseudo-step, m or rad
	earlier        []float64  // d of the one before
	solved         []float64  // d as solved
	faster         acceleration
	followers      followers
	worked         float64       // g₁ of (2), J
	foretold       float64       // m of (2), J
	excess         float64       // of the decrease foretold, by forces that follow the bodies, over that of the convex problem, J
	residual       float64       // |F|
	scale          float64       // of (3)
	borne          float64       // Σ |f|² of the forces of contacts and constraints, each by itself, N²
	roundoff       float64       // of |F|, N
	gamma, hessian []float64     // of a law
	inner          float64       // of forces within elements, N
	loose          int           // pseudo-steps for which nothing supported a body
	nudges         int           // out of states that are not stable
	unstable       bool          // a branch of states at rest may have been lost on the way, see rest_path.go
	probe          convex.Solver // forces at a state
	fall           restFall
	zero           []float64
	whole          []float64 // velocities of all vertices of a deformable, m/s
	saved          State
	anchor         anchor // the last state at rest, from which friction counts slip
	held           heldContacts
}

// Equilibrium solves for static equilibrium: it moves the state to rest under the loads,
// targets and prescribed motions of the time h (s) later, which becomes its time; inertia and
// damping are left out. Where friction carries load the result depends on the state before. The
// report is that of the last pseudo-step. When it returns an error the state is unchanged; the
// error says which body nothing supports, or that there is no rest.
func (s *Stepper) Equilibrium(x *State, h float64) error {
	s.resetReport()
	if !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("sim: equilibrium after %g s: the time must be positive and finite", h)
	}
	if err := s.checkState(x); err != nil {
		return err
	}
	if err := s.obeyCommands(x); err != nil {
		return err
	}
	if s.takeTurn(x) {
		defer s.endTurn()
	}
	for _, a := range s.actors {
		if err := a.beginRest(s, x); err != nil {
			return err
		}
	}
	start := x.Clone()
	s.rest.unstable = false
	s.watch.begin()
	defer s.watch.end()
	err := s.findRestInParts(x, h, 0)
	if err == nil && (s.rest.unstable || s.runsAhead(start, x, start.Time+h)) {
		err = s.followRest(start, x, h)
	}
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
	x.Memory.Clear()
	x.EnergyReference = x.EnergyReference[:0]
	x.Step, x.Time = start.Step+1, start.Time+h
	s.Report.Step = x.Step
	s.ended.keep(x, h, s.placements)
	return nil
}

// errNoRest is wrapped by errors of searches that shorter steps of loads and motions may help.
var errNoRest = errors.New("no state at rest was found")

// findRestInParts finds the state at rest after h, over states in between where that fails.
func (s *Stepper) findRestInParts(x *State, h float64, depth int) error {
	start, unstable := x.Clone(), s.rest.unstable
	err := s.findRest(x, h)
	s.rest.holds, s.contact = false, s.Model.Contact
	if s.rigid != nil {
		s.rigid.Hold = false
	}
	if !errors.Is(err, errNoRest) || depth >= restParts {
		return err
	}
	*x = *start
	s.rest.unstable = unstable
	for range 2 {
		before := x.Time
		if err := s.findRestInParts(x, h/2, depth+1); err != nil {
			return err
		}
		clear(x.V)
		x.Time = before + h/2
	}
	x.Time = start.Time
	return nil
}

// evaluateRest places the state at the fixed time t, and makes the problem of a pseudo-step of h there with the forces
// F.
func (s *Stepper) evaluateRest(x *State, t, h float64) error {
	e := &s.rest
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	s.resetReactions()
	s.contact = constraints.AtRest(s.Model.Contact, RestStep/h)
	clear(x.V)
	x.EnergyReference, x.Time = x.EnergyReference[:0], t
	s.Place(x, h)
	clock.lap(Place)
	if e.held.on {
		e.held.update(s)
	} else {
		s.collide(h)
		if err := s.checkDepth(); err != nil {
			return err
		}
	}
	clock.lap(Collide)
	s.freeMotion(x, h)
	clock.lap(FreeMotion)
	s.beginTerms()
	s.iterateFrom(x, h, s.Problem.V0)
	if err := s.constrain(x, h); err != nil {
		return err
	}
	clock.lap(Constrain)
	// impulses without velocity
	e.zero = append(e.zero[:0], s.Problem.V0...)
	clear(e.zero)
	if err := e.probe.Impulses(&s.Problem, e.zero); err != nil {
		return s.crushed(err)
	}
	e.keepForces(s, h)
	e.measure(s, h)
	clock.lap(Solve)
	if math.IsNaN(e.residual) || math.IsInf(e.residual, 0) {
		return errors.New("forces are not finite")
	}
	return nil
}

// solveRest solves the problem of a pseudo-step of h that evaluateRest has made.
func (s *Stepper) solveRest(x *State, h float64) error {
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	s.iterateFrom(x, h, s.Problem.V0)
	s.solver.Pool = s.pool
	if _, err := s.converge(x, h, newMatrix, &clock); err != nil {
		return err
	}
	err := s.addFollowers()
	clock.lap(Solve)
	return err
}
