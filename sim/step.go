package sim

// A step advances positions q and velocities v by h seconds in six stages:
//
//	place        q → poses X_WB, vertices x_W, and how far each body may move in the step
//	collide      poses, vertices → contacts, present and about to close
//	free motion  q, v → A, v0, p, with v* = v0 + A⁻¹ p the velocities without constraints
//	constrain    contacts, constraints → J, b, ℓ
//	solve        v⁺ = argmin ½ (v − v*)ᵀ A (v − v*) + Σ ℓ(J v + b), impulses γ = −∂ℓ/∂v_c
//	advance      q⁺ = q ⊕ h v⁺ (symplectic Euler)
//
// Under the midpoint rule the unknown is the displacement velocity w in place of v⁺, which follows from it (package
// timestep).
//
// Contacts, constraints and deformables are linear about given velocities. Where the solution shows that this is not
// so, the last three stages but advance repeat about the solution: loop.go has that loop, and term_*.go what it looks
// at. Where it does not help the step is taken in halves (division.go). Most steps take one solve.

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
)

// Step advances the state by h seconds: as one step, or under control of errors (Model.Control) in as many as these
// ask for, however long h is. When it returns an error the state is
// unchanged, unless the error is ErrNotConverged: then the step was taken with the best
// velocities found. The error names the faulty body or constraint. Step panics if the
// length of the state is not that of the model.
func (s *Stepper) Step(x *State, h float64) error {
	s.resetReport()
	if !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("sim: step of %g s: it must be positive and finite", h)
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
	s.noteStart(x)
	return s.actedStep(x, h)
}

// take takes a step by its six stages. It returns false, and leaves the state unchanged,
// where the step has to be divided.
func (s *Stepper) take(x *State, h float64) (whole bool, err error) {
	// times of stages of repeated passes add up
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	s.Place(x, h)
	clock.lap(Place)
	s.faces.err = nil // of a step before that was interrupted
	s.collide(h)
	if err := s.detectionError(); err != nil {
		return true, s.failed(x, err)
	}
	if err := s.checkDepth(); err != nil {
		return true, s.failed(x, err)
	}
	clock.lap(Collide)
	s.beginMotion(x, h)
	s.checkEnergy(x)
	clock.lap(FreeMotion)
	s.beginIterate(x, h)
	switch whole, err := s.converge(x, h, newRows|newMatrix, &clock); {
	case err != nil:
		return true, s.failed(x, err)
	case !whole:
		return false, nil
	}
	// a search for contacts that was interrupted may have passed over some
	if s.interrupted != nil && s.interrupted() {
		return true, s.failed(x, ErrInterrupted)
	}
	// results, then the new state
	s.Report.summarize(s)
	s.Report.noteDefects(&s.loop)
	s.addReactions(h)
	s.addBodyImpulses()
	s.addWork()
	s.advance(x, h)
	clock.lap(Advance)
	if s.Report.Err != nil {
		return true, fmt.Errorf("sim: step at t = %.6g s: %w", x.Time-h, s.Report.Err)
	}
	return true, nil
}

// failed clears the report of a step that failed, and says when it did.
func (s *Stepper) failed(x *State, err error) error {
	s.resetReport()
	return fmt.Errorf("sim: step at t = %.6g s: %w", x.Time, err)
}

// resetReport empties the report, so that no forces of an earlier or failed step are
// read from it.
func (s *Stepper) resetReport() {
	s.Report = Report{contacts: s.Report.contacts[:0], surfaces: s.Report.surfaces[:0]}
	// no constraint is active in a step that was not taken
	for i := range s.modelTerms {
		s.modelTerms[i] = -1
	}
	s.resetReactions()
	s.resetBodyImpulses()
}

// Place computes the poses of links and the vertices of deformables at a state, and
// bounds on how far both move in a step of h seconds. Step calls it; between steps call
// it before reading poses at the new state.
func (s *Stepper) Place(x *State, h float64) {
	s.placements++
	s.placed.keep(x, h, s.placements)
	if s.takeTurn(x) {
		defer s.endTurn()
	}
	// each subsystem reads its part of the state
	iq, iv := 0, 0
	for _, b := range s.subsystems {
		nq, nv := b.Size()
		b.Integrate(s.rule().Step(h, x.Memory.part(iv, nv), x.Memory.H))
		b.Place(x.Time, h, x.Q[iq:iq+nq], x.V[iv:iv+nv], s.Geometry)
		iq, iv = iq+nq, iv+nv
	}
}

// ContactsAt returns the contacts at a state without a step, those that may close within
// a step of h seconds included. The slice is valid until the next call of this method
// or of Step.
func (s *Stepper) ContactsAt(x *State, h float64) []geometry.Contact {
	s.Report.read() // before collide overwrites the contacts of the last step
	s.Place(x, h)
	s.collide(h)
	return s.contacts
}

// collide finds the contacts of the placed geometry, and those that may close within
// the step.
func (s *Stepper) collide(h float64) {
	h = s.reach(h)
	// the gap up to which contacts count however bodies move
	s.Geometry.SpeculativeDistance = s.Model.SpeculativeMargin
	if s.Geometry.SpeculativeDistance == 0 {
		// a resting body may tilt by the fall of a step: include the corners that this lifts
		s.Geometry.SpeculativeDistance = math.Max(minMarginShare*s.Geometry.LeastSize(), h*h*s.Model.Gravity.Norm())
	}
	s.Geometry.DeformableSpeculativeDistance = deformableMarginShare * s.Geometry.SpeculativeDistance
	// laws under which sliding lifts bodies act farther ahead than bodies move in a step
	s.Geometry.SpeculativeFactor = constraints.SpeculativeFactor(s.Model.Contact, s.Model.ContactMaterials, h)
	s.Geometry.SurfaceMotion = constraints.SurfaceMotion(s.Model.Contact, s.Model.ContactMaterials, h)
	// barrier laws act on open gaps: what bodies may fall in a step counts from their range, also for surfaces, since
	// little of the range stores much energy
	s.Geometry.ContactRange = constraints.ContactRange(s.Model.Contact)
	if ahead := s.Geometry.ContactRange; ahead > 0 {
		s.Geometry.SpeculativeDistance += ahead
		s.Geometry.DeformableSpeculativeDistance = s.Geometry.SpeculativeDistance
	}
	s.Geometry.Middle = s.rule().Midpoint
	// points and faces of deformables; then contact surfaces of pressure fields
	s.added = s.added[:0]
	s.setContacts(s.Geometry.Collide())
	s.surfaces = s.Geometry.HydroelasticContacts()
}

// reach returns the time for which bodies fall and move in a step of h, s. Pseudo-steps have no speed, however long
// they are.
func (s *Stepper) reach(h float64) float64 {
	if s.rest.holds {
		return RestStep
	}
	return h
}

// minMarginShare is the least default of the gap up to which contacts are considered, over the least size of the
// bodies.
const minMarginShare = 5e-4

// deformableMarginShare is the margin of deformable surfaces, relative to that of rigid
// ones: they conform to the other surface and have no corners to rock on.
const deformableMarginShare = 0.1

// beginIterate has the solver start from the velocities at the start of the step, or those predicted: a pure function
// of the state.
func (s *Stepper) beginIterate(x *State, h float64) {
	s.iterateFrom(x, h, s.Problem.V0)
	if s.rigid != nil {
		s.rigid.PredictedMotion(s.vNext[:s.solved[0]])
	}
}

// beginMotion makes the free motion of bodies from a placed state, of those that meet others with the θ of the impact.
func (s *Stepper) beginMotion(x *State, h float64) {
	if s.rule().Midpoint {
		s.findImpacts(x, h)
	}
	s.limitEnergy(x)
	s.freeMotion(x, h)
}

// freeMotion appends the cliques of all bodies to the problem: A, v0 and p = A (v* − v0).
func (s *Stepper) freeMotion(x *State, h float64) {
	t := x.Time
	if s.rest.holds {
		t -= h // loads and targets are those of its end
	}
	s.Problem.Reset(t, h)
	s.Problem.Rest = s.rest.holds
	s.plan(x)
	// note how many velocities each subsystem has in the problem: fixed vertices have none
	iq, iv := 0, 0
	for i, b := range s.subsystems {
		nq, nv := b.Size()
		before := s.Problem.Size()
		b.FreeMotion(h, x.Q[iq:iq+nq], x.V[iv:iv+nv], &s.Problem)
		s.solved[i] = s.Problem.Size() - before
		iq, iv = iq+nq, iv+nv
	}
	if s.rule().Midpoint {
		s.beginMidpoint()
	}
}

// constrain appends contacts and the model's constraints to the problem: J, b and ℓ.
func (s *Stepper) constrain(x *State, h float64) error {
	s.Problem.ResetConstraints()
	for _, d := range s.deformables {
		d.ResetHeldRows()
	}
	if err := s.appendContacts(x, h); err != nil {
		return err
	}
	if err := s.appendSurfaces(h); err != nil {
		return err
	}
	s.noteRows(true)
	// inactive constraints, such as limits at infinity, append nothing
	for i, c := range s.inputs.constraints {
		s.modelTerms[i] = -1
		if c.Append(s.kin, &s.Problem) > 0 {
			s.modelTerms[i] = cliques.Handle(len(s.Problem.Constraints) - 1)
		}
	}
	s.noteSpans()
	s.curved.carry(s)
	for i := range s.drags {
		s.drags[i].Append(s.kin, &s.Problem)
	}
	s.noteRows(false)
	return nil
}

// appendContacts appends contact points and the faces of deformables.
func (s *Stepper) appendContacts(x *State, h float64) error {
	m := s.Model
	s.handles = s.handles[:0]
	s.toMiddle()
	if err := constraints.SpreadFriction(s.contact, m.ContactMaterials, s.contacts); err != nil {
		return err
	}
	if m.FrictionLag == FrictionLagPrevious {
		s.matched.match(s, x, h)
	}
	for i := range s.contacts {
		c := &s.contacts[i]
		s.rows = s.rowsOf(i, c)
		if c.Core {
			handle, err := s.appendCoreContact(c, h)
			if err != nil {
				return err
			}
			s.handles = append(s.handles, handle)
			continue
		}
		// parameters of the pair, which consecutive points of the same materials and weight share
		if i == 0 || c.Area > 0 || c.Materials != s.contacts[i-1].Materials || c.Weight != s.contacts[i-1].Weight || s.contacts[i-1].Area > 0 || s.contacts[i-1].Core {
			var err error
			if s.pair, err = m.ContactMaterials.Pair(c); err != nil {
				return fmt.Errorf("%s: %w", s.contactName(c), err)
			}
		}
		if m.FrictionLag == FrictionLagPrevious {
			s.pair.LaggedImpulse = &s.matched.impulse[i]
		}
		// areas of faces change from step to step, and with them the potential whose secant the mean force is
		s.pair.EndForce = c.Area > 0
		if s.rest.holds {
			s.pairAtRest(h, s.slipOf(&c.A, &c.B, c.Pos_W))
		}
		s.handles = append(s.handles, constraints.AppendContact(s.contact, c, &s.pair, s.kin, &s.Problem))
	}
	s.rows = ofStart
	s.carryBounds()
	return nil
}

// appendSurfaces appends the contact surfaces of pressure fields.
func (s *Stepper) appendSurfaces(h float64) error {
	m := s.Model
	s.surfaceHandles = s.surfaceHandles[:0]
	for i := range s.surfaces {
		c := &s.surfaces[i]
		var err error
		if s.pair, err = m.ContactMaterials.HydroelasticPair(c); err != nil {
			return fmt.Errorf("contact of %s and %s: %w", s.BodyName(c.A), s.BodyName(c.B), err)
		}
		if s.rest.holds {
			A, B := geometry.MaterialPoint{Body: c.A}, geometry.MaterialPoint{Body: c.B}
			s.pairAtRest(h, s.slipOf(&A, &B, c.Centroid_W))
		}
		if s.rows = ofStart; c.Middle {
			s.rows = ofMiddle
		}
		s.surfaceHandles = append(s.surfaceHandles, constraints.AppendHydroelasticContact(s.contact, c, &s.pair, s.kin, &s.Problem))
	}
	s.rows = ofStart
	return nil
}

// minimize solves the problem, starting from vNext, and adds up the solver's statistics. After
// a change of friction bounds alone it resumes the last solve.
func (s *Stepper) minimize(resume bool) error {
	s.lag.current = false
	if s.solver.RelTol = s.relTol(); s.loop.coarse {
		s.solver.RelTol = math.Max(coarseTol, s.solver.RelTol)
	}
	var stats convex.Stats
	var err error
	if resume {
		stats, err = s.solver.Resume(&s.Problem, s.vNext, s.lag.changed)
	} else {
		stats, err = s.solver.Solve(&s.Problem, s.vNext)
	}
	// a step may solve several times
	// counts add up; residuals and conditions are those of the last solve
	stats.Iterations += s.Report.Solver.Iterations
	stats.LineSearch += s.Report.Solver.LineSearch
	stats.Continuation += s.Report.Solver.Continuation
	s.Report.Solver = stats
	// name the body at fault; only a step that did not converge continues
	if err != nil {
		err = s.attribute(err)
		if !errors.Is(err, ErrNotConverged) {
			return err
		}
	}
	s.Report.Err = err
	s.Report.Solves++
	s.iterate.forget()
	return s.checkSolution()
}

// advance writes the state at the end of the step from v⁺.
func (s *Stepper) advance(x *State, h float64) {
	if s.rule().Midpoint {
		x.Memory.begin(h, len(x.V))
	}
	// each subsystem has its part of the state and of the solution
	iq, iv, in := 0, 0, 0
	for i, b := range s.subsystems {
		nq, nv := b.Size()
		n := s.solved[i]
		b.Advance(h, s.vNext[in:in+n], x.Q[iq:iq+nq], x.V[iv:iv+nv], x.Memory.part(iv, nv))
		iq, iv, in = iq+nq, iv+nv, in+n
	}
	// the rest of the state
	s.keepLaggedContacts(x)
	x.EnergyReference = append(x.EnergyReference[:0], s.balance.reference...)
	x.Time = x.endTime(h)
	x.Step++
	s.Report.Step = x.Step
	s.ended.keep(x, h, s.placements)
}

// subsystemOf returns the subsystem of a scene body.
func (s *Stepper) subsystemOf(body int) Subsystem {
	if n := s.Model.Geometry.NumRigid; body >= n {
		return s.deformables[body-n]
	}
	return s.rigid
}

// Term returns the handle of the last term that constraint i of the model appended to
// the problem of the last step. It is −1 if the constraint appended none, such as a
// limit at infinity, or if no step was taken.
func (s *Stepper) Term(i int) cliques.Handle { return s.modelTerms[i] }

// stopwatch times the stages of a step.
type stopwatch struct {
	stages *[numStages]float64
	start  time.Time
	last   time.Duration // of the last lap, from the start
}

// lap adds the time since the last lap to a stage.
func (w *stopwatch) lap(stage Stage) {
	now := time.Since(w.start) // reads one clock where time.Now reads two
	w.stages[stage] += (now - w.last).Seconds()
	w.last = now
}
