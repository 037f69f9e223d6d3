package sim

// The derivative of a step. The velocities v⁺ of its end are the root of
//
//	r(x, v⁺, u) = A (v⁺ − v0) − p − Jᵀγ(J v⁺ + b) = 0                          (1)
//
// for the state x = (q, v) of its start and the inputs u. With the Hessian H = ∂r/∂v⁺ of the solver,
//
//	H δv⁺ = −(r_q δq + r_v δv + r_u δu)        forward                      (2)
//	H y = λ_v + h Yᵀ λ_q                        adjoint                      (3)
//	λ_q ← Xᵀ λ_q − r_qᵀ y,  λ_v ← −r_vᵀ y,  λ_u = −r_uᵀ y                      (4)
//	δq⁺ = X δq + h Y δv⁺                        advance, rigid/tangent.go    (5)
//
// The partial derivatives r_q, r_v, r_u are taken at fixed v⁺, from parts of the step where these have derivatives of
// their own (local_derivatives.go), else by central differences of (1): the stages place, collide, free motion and
// constrain at a displaced state, and one evaluation of the laws. No iteration of the solver is differentiated, so that
// its tolerance does not limit the width of the differences, and H is factored once for all directions. Source:
// implicit function theorem, as in Castro, Han, Masterjohn, "Irrotational Contact Fields", section VII.
//
// That holds as long as nearby states take the same branches. Where the loop of the step solves it again about a
// solution, A, J or b depend on that: such steps are chains of solves, linearize_rounds.go, and divided ones chains of
// steps, linearize_parts.go. Under the midpoint rule the unknown is w, and the end follows from it and from the start,
// linearize_end.go. Contact points that are detected again stay where they are found at the start of the step,
// and are no obstacle.

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
)

// ErrNotDifferentiable reports a model or a step that has no derivative by (2), with the
// reason.
var ErrNotDifferentiable = errors.New("sim: no derivative of the step")

const (
	// Widths of central differences of (1), far below depths of contact: of joints, m or rad;
	// of vertices, m, whose faces are cut into small polygons, and of joints in models with such faces or where
	// friction acts beside its points, which follow the loads. Velocities are displaced by as much in the step. Efforts
	// are linear in inputs, N or N m.
	jointWidth         = 3e-7
	jointNearFaceWidth = 3e-8
	vertexWidth        = 1e-8
	effortWidth        = 1e-2
)

// Linearization is the derivative of one step at one state. Tangents of a state are those of positions, as velocities
// over one second (rotations in the axes of their angular velocity), then those of velocities, and under the midpoint
// rule those of the memory, see Model.TangentSize; those of fixed vertices are zero. It belongs to its Stepper and
// holds until the stepper's next step or Linearize.
type Linearization struct {
	s *Stepper
	x State // at the start
	h float64
	v []float64 // v⁺ (n)
	// of linearize_rounds.go and linearize_parts.go: those of a step that was divided, or solved again; empty: it was
	// not
	parts   []stepPart
	part    int            // the one that x, h and v are of
	total   float64        // length of the whole step, s
	y       [][]float64    // solutions at which its problem is made
	round   int            // the solve whose residual is differentiated
	hessian *convex.Solver // with the factor of H
	// place of each velocity of the state in the problem; −1 for those of fixed vertices
	place []int
	// solutions along which contacts were detected again, from the first to the last (n each). The last solution may
	// move bodies less than those did: along it the contacts that stopped them would not be found
	redetections [][]float64
	// r_q and r_v, and r_u, a column of n each; whether they are computed
	partials, inputPartials []float64
	known, inputsKnown      bool
	isLocal                 bool // they are those of parts of the step
	adjoined                bool // an adjoint was taken
	local                   localDerivatives
	slopes                  [2][]float64     // of point contacts on both sides of a difference (touch.go)
	acting                  int              // slope that begins or ends (touch.go)
	bearing                 int              // point contacts that are loaded (touch.go); −1: not counted
	rest                    []float64        // r of the step itself (kink.go)
	restKnown               bool             // it is computed
	kinks, wider            [2][]float64     // scratch of hasKink (n each), at a width and at a wider one
	reach                   []float64        // displacements in the step along the whole direction of a tangent (n), or empty
	kinked                  [2]int           // velocities of the body with the last kink
	placement               int              // Stepper.placements after the solve
	terms                   []cliques.Handle // last of each constraint of the model there, or −1
	// scratch: the displaced state, columns of n, tangents of n_v and 2 n_v
	gradient            convex.Solver
	moved               State
	other               State // the start of the step in another model (linearize_fixed.go)
	column, plus, minus []float64
	dq, dv, direction   []float64
	// of adjoint.go: the solution y, and derivatives of signals
	cotangent []float64
	largest   []float64 // tangents of velocities after the parts of a divided step (n)
	signals   signalDerivative
	vertices  vertexTerms // of adjoint_vertices.go
	loops     loopTerms   // of linearize_loops.go
	ends      endTerms    // of linearize_end.go
	products  []float64   // r_xᵀy there (nx)
	before    []float64   // λ of the end
}

// Linearize solves the step of h seconds from x, with the present inputs, and factors its Hessian. The
// state is not changed. The error wraps ErrNotDifferentiable where the step has no derivative, or is
// that of a step that fails. Afterwards the stepper's problem, contacts and report are no longer those
// of its last step.
func (s *Stepper) Linearize(x *State, h float64) (*Linearization, error) {
	return s.LinearizeTo(x, nil, h)
}

// LinearizeTo is Linearize of a step that is known to end about at the velocities of end, as that of a run: the solve
// begins there, and mostly only confirms it. nil: not known.
func (s *Stepper) LinearizeTo(x, end *State, h float64) (*Linearization, error) {
	s.resetReport()
	if !(h > 0) {
		return nil, fmt.Errorf("sim: step of %g s: it must be positive", h)
	}
	if err := s.checkState(x); err != nil {
		return nil, err
	}
	if err := s.checkDifferentiable(); err != nil {
		return nil, err
	}
	if err := s.obeyCommands(x); err != nil {
		return nil, err
	}
	l := s.linearization()
	l.s, l.h, l.known, l.inputsKnown, l.isLocal, l.adjoined, l.restKnown, l.bearing = s, h, false, false, false, false, false, -1
	l.x.copyFrom(x)
	s.linearizing = true
	err := l.solve(end)
	s.linearizing = false
	s.resetReport()
	if err != nil {
		return nil, err
	}
	return l, nil
}

// linearization returns the Linearization of a stepper, which keeps its memory from step to step.
func (s *Stepper) linearization() *Linearization {
	l, ok := s.derivative.(*Linearization)
	if !ok {
		l = &Linearization{}
		s.derivative = l
	}
	return l
}

// checkDifferentiable refuses models that have no derivative by (2).
func (s *Stepper) checkDifferentiable() error {
	if len(s.Model.Controllers) > 0 {
		return fmt.Errorf("%w: controller %q is a program, which has no derivative: build the model without it", ErrNotDifferentiable, s.Model.Controllers[0].Name)
	}
	if list := holdsOf(s.Model); len(list) > 0 {
		return fmt.Errorf("%w: drive %q holds and lets go, which jumps: build the model without it, or with a weld", ErrNotDifferentiable, list[0].name)
	}
	if lag := s.Model.FrictionLag; s.Geometry.CanTouch() && constraints.IsLagged(s.Model.Contact) && lag == FrictionLagPrevious {
		return fmt.Errorf("%w: the bound of lagged friction follows the step before: set solver.friction_lag to auto or geometry, or solver.contact to similar or sap", ErrNotDifferentiable)
	}
	if s.Model.Rule.Midpoint && (len(s.closings) > 0 || s.rigid != nil && s.rigid.model.HasFollowers()) {
		return fmt.Errorf("%w: steps of the midpoint rule of bodies on balls, welds, distances or couplers, or with joints that follow others, have no derivative: use the rule euler", ErrNotDifferentiable)
	}
	if s.Model.ContactMaterials.Rebounds() {
		return fmt.Errorf("%w: restitution makes velocities jump at impacts: leave it out", ErrNotDifferentiable)
	}
	for i, c := range s.Model.Constraints {
		if _, cable := c.(*constraints.Cable); cable {
			return fmt.Errorf("%w: %s is a cable, of which steps have no derivative: build the model without it", ErrNotDifferentiable, s.Model.constraintName(i))
		}
	}
	for i, d := range s.deformables {
		if d.Nonlinear() {
			return fmt.Errorf("%w: the law of %s is linearized along its free motion: take corotated or linear", ErrNotDifferentiable, s.BodyName(s.Model.Geometry.NumRigid+i))
		}
	}
	return nil
}

// solve finds v⁺, which is about that of end, unless nil, and factors H there.
func (l *Linearization) solve(end *State) error {
	s := l.s
	l.parts, l.total, l.hessian = l.parts[:0], l.h, &s.solver
	l.loops.follow, l.redetections = nil, l.redetections[:0]
	l.moved.copyFrom(&l.x)
	if err := l.takeParts(&l.moved, l.h, end); err != nil {
		return err
	}
	t := &l.parts[0].tape
	static := len(s.surfaces) == 0 && len(s.deformables) == 0 && len(s.curved.list) == 0
	switch {
	case len(l.parts) > 1:
		return l.beginParts()
	// contacts of rigid bodies stay where they are at the start of the step, along whichever motion they are found
	case static && !t.repeats(coverageTerm):
		for _, y := range t.y[:len(t.y)-1] {
			l.redetections = push(l.redetections, y)
		}
	case !t.repeats(loopsTerm) && !s.curved.anyCarries() && !(s.Model.Rule.Midpoint && t.moved[loopsTerm]):
		if !l.followLoops(t) {
			return l.beginParts()
		}
	default:
		return l.beginParts()
	}
	l.parts = l.parts[:0]
	l.v = append(l.v[:0], s.vNext...)
	l.ends.at.copyFrom(&l.parts[:1][0].end)
	l.beginEnd()
	l.keepPlacement()
	if err := s.solver.LinearizeSolution(&s.Problem, l.v); err != nil {
		return err
	}
	return l.differentiateLoops()
}

// takeParts takes a step of H from x, as a whole or in parts, and appends these to parts. It ends about at the
// velocities of end, unless nil. A step that is one part is taken without its end.
func (l *Linearization) takeParts(x *State, H float64, end *State) error {
	s := l.s
	for s.parts.begin(s.Model, x, s.kinks, H); ; {
		l.parts = slices.Grow(l.parts, 1)[:len(l.parts)+1]
		p := &l.parts[len(l.parts)-1]
		p.x.copyFrom(x)
		p.h, p.isReady = s.parts.h, false
		p.tape.reset()
		s.tape = &p.tape
		whole, err := l.takeWhole(&p.x, p.h, end)
		s.tape = nil
		switch {
		case err != nil:
			return err
		case !whole:
			l.parts = l.parts[:len(l.parts)-1]
			s.parts.shorten(s.errorRatio())
			end = nil
			continue
		case s.Model.Rule.Midpoint:
			l.endAt(s, p.h, &p.x, s.vNext, &p.end)
		}
		if s.parts.isWhole() {
			return nil
		}
		s.advance(x, p.h)
		end = nil
		if more := s.parts.next(s.errorRatio(), &x.Pace); !more {
			return nil
		}
	}
}

// takeWhole takes a step of h from x without its end. It is false where the step has to be divided.
func (l *Linearization) takeWhole(x *State, h float64, end *State) (whole bool, err error) {
	s := l.s
	s.Place(x, h)
	t, g := &l.vertices, s.Geometry
	t.translation, t.bound = append(t.translation[:0], g.PredictedTranslation...), append(t.bound[:0], g.MotionBound...)
	s.collide(h)
	if err := s.detectionError(); err != nil {
		return true, s.failed(x, err)
	}
	s.beginMotion(x, h)
	l.ends.impacts, l.ends.nextImpacts = append(l.ends.impacts[:0], s.impacts...), append(l.ends.nextImpacts[:0], s.impactNext...)
	s.checkEnergy(x) // contacts at the end of the step are judged by the energy at its start
	if s.rigid != nil && s.rigid.EnergyLimited() {
		return true, l.noDerivative("the motion of a tree is limited by its energy in earlier steps")
	}
	l.findPlaces()
	s.guess = s.guess[:0]
	if end != nil {
		s.guess = append(s.guess, s.Problem.V0...)
		for i, at := range l.place {
			if at >= 0 {
				s.guess[at] = end.V[i]
			}
		}
	}
	s.beginIterate(x, h)
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	whole, err = s.converge(x, h, newRows|newMatrix, &clock)
	s.guess = s.guess[:0]
	if err == nil && whole {
		err = s.Report.Err
	}
	if err != nil {
		return true, s.failed(x, err)
	}
	if whole && s.tape.left[deformablesTerm] {
		return true, l.noDerivative(deformablesKind.again + ", which did not settle")
	}
	return whole, nil
}

// keepPlacement notes that the stepper is placed, and its problem made, at the start of the step.
func (l *Linearization) keepPlacement() {
	l.placement, l.terms = l.s.placements, append(l.terms[:0], l.s.modelTerms...)
}

// noDerivative returns the error of a step that has no derivative for a reason.
func (l *Linearization) noDerivative(reason string) error {
	return fmt.Errorf("%w at t = %.6g s: %s: take a shorter step", ErrNotDifferentiable, l.x.Time, reason)
}

// findPlaces finds where the velocities of the state stand in the problem.
func (l *Linearization) findPlaces() {
	s := l.s
	l.place = l.place[:0]
	first := 0
	for k, b := range s.subsystems {
		_, nv := b.Size()
		d, deformable := b.(*deformableBody)
		for i := range nv {
			at := first + i
			if deformable {
				at = -1
				if node := int(d.model.Node(int32(i / 3))); node >= 0 {
					at = first + 3*node + i%3
				}
			}
			l.place = append(l.place, at)
		}
		first += s.solved[k]
	}
	nv := len(l.place)
	for _, y := range []*[]float64{&l.column, &l.plus, &l.minus} {
		*y = sized(*y, l.columnSize())
	}
	nx, _ := l.Size()
	l.dq, l.dv, l.direction = sized(l.dq, nv), sized(l.dv, nv), sized(l.direction, nx)
}

// columnSize returns the number of entries of columns: n of r, and those of linearize_end.go.
func (l *Linearization) columnSize() int { return l.s.Problem.Size() + l.endSize() }

// residual writes r (1) of the step from x at the velocities v (n), with the contacts of every redetection, in a
// stepper of this model or of one with other numbers, and under the midpoint rule its end.
func (l *Linearization) residual(s *Stepper, x *State, v, r []float64) error {
	h := l.h
	s.Place(x, h)
	s.collide(h)
	s.beginMotion(x, h)
	// what a first pass reads of the solution so far is the start of the step, and bounds of friction are its own
	s.beginTerms()
	s.beginIterate(x, h)
	for _, found := range l.redetections {
		s.iterateFrom(x, h, found)
		s.detectAgain()
	}
	if y := l.loops.follow; y != nil {
		s.iterateFrom(x, h, y)
		s.curved.followSolution(s, 0)
	}
	if err := s.constrain(x, h); err != nil {
		return err
	}
	if err := l.gradient.Gradient(&s.Problem, v, r[:len(v)]); err != nil {
		return err
	}
	if l.endSize() > 0 {
		l.writeEnd(s, x, v, r[len(v):])
	}
	return nil
}
