package sim

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Stepper holds the scratch of stepping one model; it may be thrown away at any
// time, the State is the whole truth.
type Stepper struct {
	Model    *Model
	Geometry *geometry.Data  // placed at the start of the last step, or by Place
	Problem  cliques.Problem // of the last step
	Report   Report          // of the last step

	subsystems []Subsystem
	solved     []int // velocities that each has in the problem: those of fixed vertices are not
	rigid      *rigidTrees
	soft       []*softBody
	kin        constraints.Kinematics
	solver     convex.Solver
	pool       *workers.Pool // nil: one thread
	cleanup    runtime.Cleanup
	vNext      []float64

	modelTerms   []cliques.Handle // last handle of each model constraint, or −1
	touched      []geometry.Contact
	handles      []cliques.Handle // of each contact
	patches      []geometry.HydroelasticContact
	patchHandles []cliques.Handle // of each patch
	loads        []constraints.FaceLoad
	pair         constraints.Pair
	lag          lagger
	foresight    foresight
}

// Options are the settings of a stepper. They change its speed, never its results.
type Options struct {
	// Threads is the number of threads that a step runs on, the caller's included:
	// 0 for all cores, 1 for the caller's alone.
	Threads int
}

// NewStepper returns a stepper for the model, with its buffers sized and its threads
// started; the error says why the model cannot be stepped. Close ends the threads;
// those of a stepper that is no longer reachable end by themselves.
func NewStepper(m *Model, opt Options) (*Stepper, error) {
	if opt.Threads < 0 {
		return nil, fmt.Errorf("sim: Threads is %d: give 0 for all cores, or a positive number", opt.Threads)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if opt.Threads == 0 {
		opt.Threads = runtime.GOMAXPROCS(0)
	}
	pool := workers.NewPool(opt.Threads)
	s := &Stepper{Model: m, Geometry: geometry.NewData(m.Geometry)}
	s.Geometry.Pool = pool
	s.kin = kinematics{s}
	if m.Rigid != nil {
		s.rigid = &rigidTrees{Data: m.Rigid.NewData(), model: m.Rigid, gravity: m.Gravity, radius: linkRadii(m.Geometry)}
		s.subsystems = append(s.subsystems, s.rigid)
		for i := range s.Geometry.Kinematic {
			s.Geometry.Kinematic[i] = m.Rigid.IsKinematic(i)
		}
	}
	for i, b := range m.Deformables {
		sb := &softBody{Data: b.NewData(), model: b, gravity: m.Gravity, soft: i, pool: pool, touchesSelf: m.Geometry.Deformables[i].Self != nil}
		s.Geometry.ActiveTriangle[i] = sb.TriangleActive
		s.soft = append(s.soft, sb)
		s.subsystems = append(s.subsystems, sb)
	}
	s.solver.RelTol, s.solver.MaxIter, s.solver.Pool = m.RelTol, m.MaxIterations, pool
	s.solver.AlphaMax, s.solver.Condition = constraints.AlphaMax(m.Contact), m.ConditionNumber
	s.modelTerms = make([]cliques.Handle, len(m.Constraints))
	s.forget()
	s.solved = make([]int, len(s.subsystems))
	s.pool = pool
	if pool != nil {
		// the pool refers to a stepper only during its steps, so it can outlive it
		s.cleanup = runtime.AddCleanup(s, (*workers.Pool).Close, pool)
	}
	return s, nil
}

// Close ends the stepper's threads; it must not be stepped afterwards. Close may be
// called again, without effect.
func (s *Stepper) Close() {
	if s.pool != nil {
		s.cleanup.Stop()
		s.pool.Close()
		s.pool = nil
	}
}

// Step advances the state by h seconds. The state is unchanged when an error is
// returned, unless it is ErrNotConverged, which reports a step taken with the
// best velocities found. It panics when the state is not one of the model.
func (s *Stepper) Step(x *State, h float64) error {
	s.forget()
	if !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("sim: step of %g s: it must be positive and finite", h)
	}
	if err := s.checkState(x); err != nil {
		return err
	}
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	s.Place(x, h)
	clock.lap(Place)
	s.collide(h)
	clock.lap(Collide)
	s.freeMotion(x, h)
	clock.lap(FreeMotion)
	s.vNext = append(s.vNext[:0], s.Problem.V0...)
	for look := 1; ; look++ {
		if err := s.constrain(x, h); err != nil {
			return s.failed(x, err)
		}
		clock.lap(Constrain)
		if err := s.solve(); err != nil {
			return s.failed(x, err)
		}
		clock.lap(Solve)
		again := look < maxLooks && s.Geometry.CanTouch() && s.lookAgain(h)
		clock.lap(Collide)
		if !again {
			break
		}
	}
	s.Report.summarize(s)
	s.advance(x, h)
	clock.lap(Advance)
	if s.Report.Err != nil {
		return fmt.Errorf("sim: step at t = %.6g s: %w", x.Time-h, s.Report.Err)
	}
	return nil
}

// failed forgets the step.
func (s *Stepper) failed(x *State, err error) error {
	s.forget()
	return fmt.Errorf("sim: step at t = %.6g s: %w", x.Time, err)
}

// forget empties the report, so that nobody takes what a failed step left for
// forces.
func (s *Stepper) forget() {
	s.Report = Report{contacts: s.Report.contacts[:0], patches: s.Report.patches[:0]}
	for i := range s.modelTerms {
		s.modelTerms[i] = -1
	}
}

// Place puts the scene where the state says: q → poses of links, vertices of
// deformables, reach of both in a step of h. Between steps it serves pictures and
// signals.
func (s *Stepper) Place(x *State, h float64) {
	iq, iv := 0, 0
	for _, b := range s.subsystems {
		nq, nv := b.Size()
		b.Place(x.Time, h, x.Q[iq:iq+nq], x.V[iv:iv+nv], s.Geometry)
		iq, iv = iq+nq, iv+nv
	}
}

// ContactsAt returns the contacts of a state, ahead of any step; the slice holds
// until the next call.
func (s *Stepper) ContactsAt(x *State, h float64) []geometry.Contact {
	s.Report.read() // while the last step's contacts are there
	s.Place(x, h)
	s.collide(h)
	return s.touched
}

// collide: placed scene → contacts, also those that may close within the step.
func (s *Stepper) collide(h float64) {
	s.Geometry.SpeculativeDistance = s.Model.SpeculativeMargin
	if s.Geometry.SpeculativeDistance == 0 {
		// what rests may tilt by the fall of a step: all corners must be known
		s.Geometry.SpeculativeDistance = math.Max(minMargin, h*h*s.Model.Gravity.Norm())
	}
	s.Geometry.DeformableSpeculativeDistance = softShare * s.Geometry.SpeculativeDistance
	s.Geometry.SpeculativeFactor = constraints.SpeculativeFactor(s.Model.Contact, s.Model.ContactMaterials, h)
	if ahead := constraints.ContactRange(s.Model.Contact); ahead > 0 { // barriers act there
		s.Geometry.SpeculativeDistance = math.Max(s.Geometry.SpeculativeDistance, ahead)
		s.Geometry.DeformableSpeculativeDistance = math.Max(s.Geometry.DeformableSpeculativeDistance, ahead)
	}
	s.touched = s.Geometry.Collide()
	s.patches = s.Geometry.HydroelasticContacts()
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
	for i, b := range s.subsystems {
		nq, nv := b.Size()
		before := s.Problem.Size()
		b.FreeMotion(h, x.Q[iq:iq+nq], x.V[iv:iv+nv], &s.Problem)
		s.solved[i] = s.Problem.Size() - before
		iq, iv = iq+nq, iv+nv
	}
	for _, b := range s.soft {
		if !b.FreeMotionConverged() {
			s.Report.FreeMotionUnconverged++
		}
	}
}

// constrain: contacts and the model's constraints → J, b, ℓ.
func (s *Stepper) constrain(x *State, h float64) error {
	m, p := s.Model, &s.Problem
	p.ResetConstraints()
	s.handles = s.handles[:0]
	if m.FrictionLag == FrictionLagPrevious {
		s.lag.match(s, x, h)
	}
	for i := range s.touched {
		c := &s.touched[i]
		if i == 0 || c.Area > 0 || c.Materials != s.touched[i-1].Materials || s.touched[i-1].Area > 0 { // else it is the last one's
			var err error
			if s.pair, err = m.ContactMaterials.Pair(c); err != nil {
				return fmt.Errorf("%s: %w", s.contactName(c), err)
			}
		}
		if m.FrictionLag == FrictionLagPrevious {
			s.pair.LaggedImpulse = &s.lag.impulse[i]
		}
		s.handles = append(s.handles, constraints.AppendContact(m.Contact, c, &s.pair, s.kin, p))
	}
	s.patchHandles = s.patchHandles[:0]
	for i := range s.patches {
		pt := &s.patches[i]
		var err error
		if s.pair, err = m.ContactMaterials.HydroelasticPair(pt); err != nil {
			return fmt.Errorf("contact of %s and %s: %w", s.BodyName(pt.A), s.BodyName(pt.B), err)
		}
		s.patchHandles = append(s.patchHandles, constraints.AppendHydroelasticContact(m.Contact, pt, &s.pair, s.kin, p))
	}
	for i, c := range m.Constraints {
		if c.Append(s.kin, p) > 0 {
			s.modelTerms[i] = cliques.Handle(len(p.Constraints) - 1)
		}
	}
	return nil
}

// solve: the problem → v⁺ and the impulses.
func (s *Stepper) solve() error {
	if err := s.minimize(); err != nil {
		return err
	}
	if s.Model.FrictionLag == FrictionLagSweep {
		return s.sweep()
	}
	return nil
}

// minimize solves the problem from vNext.
func (s *Stepper) minimize() error {
	stats, err := s.solver.Solve(&s.Problem, s.vNext)
	stats.Iterations += s.Report.Solver.Iterations
	stats.LineSearch += s.Report.Solver.LineSearch
	stats.Continuation += s.Report.Solver.Continuation
	s.Report.Solver = stats
	if err != nil {
		err = s.blame(err)
		if !errors.Is(err, ErrNotConverged) {
			return err
		}
	}
	s.Report.Err = err
	return s.checkSolution()
}

// advance: v⁺ → q, v.
func (s *Stepper) advance(x *State, h float64) {
	iq, iv, in := 0, 0, 0
	for i, b := range s.subsystems {
		nq, nv := b.Size()
		n := s.solved[i]
		b.Advance(h, s.vNext[in:in+n], x.Q[iq:iq+nq], x.V[iv:iv+nv])
		iq, iv, in = iq+nq, iv+nv, in+n
	}
	s.bearings(x)
	x.Step++
	x.Time += h
	s.Report.Step = x.Step
}

func (s *Stepper) subsystemOf(body int) Subsystem {
	if n := s.Model.Geometry.NumRigid; body >= n {
		return s.soft[body-n]
	}
	return s.rigid
}

// Term returns the handle of the last term that model constraint i appended in
// the last step, or −1 when it was out of reach or no step was taken.
func (s *Stepper) Term(i int) cliques.Handle { return s.modelTerms[i] }

// linkRadii bounds each link's shapes by a sphere about its origin.
func linkRadii(g *geometry.Model) []float64 {
	r := make([]float64, g.NumRigid)
	for _, geom := range g.Geoms {
		if _, endless := geom.Shape.(geometry.HalfSpace); endless || geom.Body == geometry.World {
			continue // a half-space has no farthest point: what is near it has
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
	start  time.Time
	last   time.Duration // of the last lap, from the start
}

func (w *stopwatch) lap(stage Stage) {
	now := time.Since(w.start) // reads one clock where time.Now reads two
	w.stages[stage] += (now - w.last).Seconds()
	w.last = now
}
