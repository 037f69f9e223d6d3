package sim

import (
	"fmt"
	"math"
	"time"

	"curlfree/cliques"
	"curlfree/constraints"
	"curlfree/convex"
	"curlfree/geometry"
	"curlfree/internal/workers"
	"curlfree/r3"
)

// Stepper holds the scratch of stepping one model; it may be thrown away at any
// time, the State is the whole truth.
type Stepper struct {
	Model   *Model
	Scene   *geometry.Scene // placed at the start of the last step, or by Place
	Problem cliques.Problem // of the last step
	Report  Report          // of the last step

	subsystems []Subsystem
	rigid      *rigidTrees
	soft       []*softBody
	kin        constraints.Kinematics
	solver     convex.Solver
	vNext      []float64

	modelTerms []cliques.Handle // last handle of each model constraint, or −1
	touched    []geometry.Contact
	handles    []cliques.Handle // of each contact
	pair       constraints.Pair
}

// NewStepper returns a stepper for the model whose loops run on the pool's
// workers; nil runs everything on the caller. Results do not depend on it.
func NewStepper(m *Model, pool *workers.Pool) (*Stepper, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	s := &Stepper{Model: m, Scene: geometry.NewScene(m.Geometry)}
	s.kin = kinematics{s}
	if m.Rigid != nil {
		s.rigid = &rigidTrees{Data: m.Rigid.NewData(), model: m.Rigid, gravity: m.Gravity, radius: linkRadii(m.Geometry)}
		s.subsystems = append(s.subsystems, s.rigid)
	}
	for i, b := range m.Soft {
		sb := &softBody{Data: b.NewData(), model: b, gravity: m.Gravity, soft: i, pool: pool}
		s.soft = append(s.soft, sb)
		s.subsystems = append(s.subsystems, sb)
	}
	s.solver.RelTol, s.solver.MaxIter, s.solver.Pool = m.RelTol, m.MaxIterations, pool
	s.modelTerms = make([]cliques.Handle, len(m.Constraints))
	return s, nil
}

// Step advances the state by h seconds. The state is unchanged when an error is
// returned, unless it is ErrNotConverged, which reports a step taken with the
// best velocities found.
func (s *Stepper) Step(x *State, h float64) error {
	if !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("sim: step of %g s: it must be positive", h)
	}
	clock := stopwatch{stages: &s.Report.Stages}
	clock.start()
	s.place(x, h)
	clock.lap(Place)
	s.collide(h)
	clock.lap(Collide)
	s.freeMotion(x, h)
	clock.lap(FreeMotion)
	if err := s.constrain(); err != nil {
		return err
	}
	clock.lap(Constrain)
	if err := s.solve(x); err != nil {
		return err
	}
	clock.lap(Solve)
	s.advance(x, h)
	clock.lap(Advance)
	s.Report.finish(s, x, h)
	return s.verdict(x)
}

// Place puts the scene where the state says, for pictures and signals between
// steps.
func (s *Stepper) Place(x *State, h float64) { s.place(x, h) }

// ContactsAt returns the contacts of a state, ahead of any step; the slice holds
// until the next call.
func (s *Stepper) ContactsAt(x *State, h float64) []geometry.Contact {
	s.place(x, h)
	s.collide(h)
	return s.touched
}

// place: q → poses of links, vertices of deformables, reach of both.
func (s *Stepper) place(x *State, h float64) {
	iq, iv := 0, 0
	for _, b := range s.subsystems {
		nq, nv := b.Size()
		b.Place(x.Time, h, x.Q[iq:iq+nq], x.V[iv:iv+nv], s.Scene)
		iq, iv = iq+nq, iv+nv
	}
}

// collide: placed scene → contacts, also those that may close within the step.
func (s *Stepper) collide(h float64) {
	s.Scene.Margin = s.Model.Margin
	if s.Scene.Margin == 0 {
		// what rests may tilt by the fall of a step: all corners must be known
		s.Scene.Margin = math.Max(minMargin, h*h*s.Model.Gravity.Norm())
	}
	s.Scene.SoftMargin = softShare * s.Scene.Margin
	s.touched = s.Scene.Collide()
}

// minMargin is the least gap at which contacts are considered, m.
const minMargin = 1e-5

// softShare is the part of the margin that deformable surfaces get: they conform
// to what they touch, and have no corners to rock on.
const softShare = 0.1

// freeMotion: q, v → the cliques A, v0 and p = A (v* − v0).
func (s *Stepper) freeMotion(x *State, h float64) {
	s.Problem.Reset(x.Time, h)
	iq, iv := 0, 0
	for _, b := range s.subsystems {
		nq, nv := b.Size()
		b.FreeMotion(h, x.Q[iq:iq+nq], x.V[iv:iv+nv], &s.Problem)
		iq, iv = iq+nq, iv+nv
	}
}

// constrain: contacts and the model's constraints → J, b, ℓ.
func (s *Stepper) constrain() error {
	m, p := s.Model, &s.Problem
	s.handles = s.handles[:0]
	for i := range s.touched {
		c := &s.touched[i]
		var err error
		if s.pair, err = m.Surfaces.Pair(c); err != nil {
			return fmt.Errorf("sim: contact of %s and %s: %w", s.BodyName(c.A.Body), s.BodyName(c.B.Body), err)
		}
		s.handles = append(s.handles, m.Contact.Append(c, &s.pair, s.kin, p))
	}
	for i, c := range m.Constraints {
		s.modelTerms[i] = -1
		if c.Append(s.kin, p) > 0 {
			s.modelTerms[i] = cliques.Handle(len(p.Constraints) - 1)
		}
	}
	return nil
}

// solve: the problem → v⁺ and the impulses.
func (s *Stepper) solve(x *State) error {
	s.vNext = append(s.vNext[:0], s.Problem.V0...)
	stats, err := s.solver.Solve(&s.Problem, s.vNext)
	s.Report.Solver = stats
	if err != nil && !notConverged(err) {
		return fmt.Errorf("sim: step at t = %.6g s: %w", x.Time, err)
	}
	s.Report.Err = err
	return nil
}

// advance: v⁺ → q, v.
func (s *Stepper) advance(x *State, h float64) {
	iq, iv, in := 0, 0, 0
	for _, b := range s.subsystems {
		nq, nv := b.Size()
		n := s.solved(b)
		b.Advance(h, s.vNext[in:in+n], x.Q[iq:iq+nq], x.V[iv:iv+nv])
		iq, iv, in = iq+nq, iv+nv, in+n
	}
	x.Step++
	x.Time += h
}

// solved returns how many of the problem's velocities belong to a subsystem: a
// deformable's fixed vertices are in its state, not in the problem.
func (s *Stepper) solved(b Subsystem) int {
	if sb, ok := b.(*softBody); ok {
		return sb.model.Dofs()
	}
	_, nv := b.Size()
	return nv
}

// verdict reports a state that is not finite, naming the body.
func (s *Stepper) verdict(x *State) error {
	iv := 0
	for _, b := range s.subsystems {
		_, nv := b.Size()
		for i, v := range x.V[iv : iv+nv] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("sim: step at t = %.6g s: the velocity of %s is not finite: look for extreme stiffness, masses or a step too long",
					x.Time, s.nameOf(b, i))
			}
		}
		iv += nv
	}
	if s.Report.Err != nil {
		return fmt.Errorf("sim: step at t = %.6g s: %w", x.Time, s.Report.Err)
	}
	return nil
}

func (s *Stepper) subsystemOf(body int) Subsystem {
	if n := s.Model.Geometry.Rigid; body >= n {
		return s.soft[body-n]
	}
	return s.rigid
}

// BodyName returns the name of a scene body.
func (s *Stepper) BodyName(body int) string {
	switch n := s.Model.Geometry.Rigid; {
	case body == geometry.World:
		return "world"
	case body >= n:
		return s.Model.Geometry.Soft[body-n].Name
	}
	return s.Model.Rigid.LinkName(body)
}

// Term returns the handle of the last term that model constraint i appended in
// the last step, or −1 when it was out of reach.
func (s *Stepper) Term(i int) cliques.Handle { return s.modelTerms[i] }

func (s *Stepper) nameOf(b Subsystem, v int) string {
	if sb, ok := b.(*softBody); ok {
		return fmt.Sprintf("deformable %q (vertex %d)", sb.model.Name(), v/3)
	}
	return fmt.Sprintf("body %q", s.Model.Rigid.LinkName(s.Model.Rigid.LinkOfDof(v)))
}

// linkRadii bounds each link's shapes by a sphere about its origin.
func linkRadii(g *geometry.Model) []float64 {
	r := make([]float64, g.Rigid)
	for _, geom := range g.Geoms {
		if geom.Body == geometry.World {
			continue
		}
		b := geom.Shape.Bounds().Transform(geom.X_BG)
		far := r3.Vec{
			math.Max(-b.Min[0], b.Max[0]), math.Max(-b.Min[1], b.Max[1]), math.Max(-b.Min[2], b.Max[2]),
		}
		r[geom.Body] = math.Max(r[geom.Body], far.Norm())
	}
	return r
}

// stopwatch times the stages of a step.
type stopwatch struct {
	stages *[numStages]float64
	t      time.Time
}

func (w *stopwatch) start() { w.t = time.Now() }

func (w *stopwatch) lap(stage Stage) {
	now := time.Now()
	w.stages[stage] = now.Sub(w.t).Seconds()
	w.t = now
}
