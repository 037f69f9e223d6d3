package sim

import (
	"fmt"
	"math"
	"runtime"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Stepper advances states of one model. It holds working memory and the results of the
// last step only: any stepper of the model can continue a run from a State. A stepper
// is used by one goroutine at a time.
type Stepper struct {
	// Model is the model, which is not changed.
	Model *Model
	// Geometry has poses and vertices in the world, at the start of the last step or where
	// Place put them, and the contacts found there.
	Geometry *geometry.Data
	// Problem is the convex problem of the last step, with its solution.
	Problem cliques.Problem
	// Report describes the last step.
	Report Report

	subsystems  []Subsystem
	solved      []int // number of velocities of each subsystem in the problem, without those of fixed vertices
	rigid       *rigidTrees
	deformables []*deformableBody
	kin         constraints.Kinematics
	kinAtEnd    constraints.Kinematics
	solver      convex.Solver
	pool        *workers.Pool // nil: one thread
	cleanup     runtime.Cleanup
	vNext       []float64

	modelTerms []cliques.Handle // last handle of each model constraint, or −1
	// lists of one step, which keep their memory from step to step
	contacts         []geometry.Contact             // points, and faces of deformables
	detected         []geometry.Contact             // those of them that the last detection found
	handles          []cliques.Handle               // of each contact
	surfaces         []geometry.HydroelasticContact // contact surfaces of pressure fields
	surfaceHandles   []cliques.Handle               // of each contact surface
	loads            []constraints.FaceLoad
	pair             constraints.Pair
	matched          impulseMatcher
	parts            parts     // of the step at hand
	kinks            []float64 // times at which velocities of prescribed joints jump, ascending, s
	saved            State     // before a step that was divided
	divided          dividedStep
	iterate          iterate
	loop             stepLoop
	added            []geometry.Contact // contacts that terms added in the step
	terms            [numTerms]term
	lag              *frictionBounds
	placed, ended    visited // the states at which bodies were placed last, and to which the last step led
	coverage         coverage
	gaps             *gaps
	paths            paths
	faces            *faces
	softness         deformables
	motions          motions
	curved           *curvedLoops
	treeEnergy       treeEnergy
	fieldEnergy      fieldEnergy
	deformableEnergy deformableEnergy
	jointSteps       jointSteps
	accuracy         accuracy
	balance          energyBalance
	reactions        reactions
	startMotion      startMotion
	bodyImpulses     bodyImpulses
	rest             equilibrium
	inputs           commands           // of the caller, to drives that controllers may command
	commanded        commands           // of controllers, and of callers (Model.Command)
	actors           []actor            // in the order in which they begin
	planner          planner            // of robots; nil: there are none
	acting           []actor            // in the step at hand
	before           State              // before the step at hand, to which it goes back where it fails
	hasTurn          bool               // other steppers of the model wait to read live values
	drags            []constraints.Drag // of the step at hand, by an operator
	derivative       any                // of steps, with its memory: a *Linearization, or nil
	round            []bool             // geoms whose point of contact moves over their surface as they turn
	surfaceContact   geometry.Contact   // of findSurfaceImpact
	stopAlong        r3.Vec             // of noteStop
	limits           []limit
	halfway          halfway
	rows             rowsPlace                // where rows of the contact at hand are taken
	impacts          []float64                // θ that impacts want, of trees and deformables
	impactContact    []int                    // the contact of each, or −1
	impactNext       []float64                // the largest θ but these
	meets            int                      // contact whose impact is measured
	impactShift      []float64                // added to impacts, of differences by θ; nil: nothing
	closings         []closing                // constraints that bodies may meet within a step
	begun            *State                   // at the start of the step, while impacts are found
	placements       int                      // calls of Place
	tape             *tape                    // of a step that is to be differentiated, or nil
	guess            []float64                // where the first solve of a step begins, or empty
	linearizing      bool                     // the solve is to be differentiated
	contact          constraints.ContactModel // of the model; in a search for equilibrium one of its own
	interrupted      func() bool              // nil: never
	watch            restWatch
}

// Options are the settings of a stepper. They change its speed, never its results.
type Options struct {
	// Threads is the number of threads that a step runs on, the caller's included:
	// 0 for all cores, 1 for the caller's alone.
	Threads int
}

// MaxThreads is the largest number of threads, beyond that of any machine.
const MaxThreads = 4096

// newStepper is NewStepper without actors.
func newStepper(m *Model, opt Options) (*Stepper, error) {
	// refuse what cannot be stepped
	if opt.Threads < 0 {
		return nil, fmt.Errorf("sim: Threads is %d: give 0 for all cores, or a positive number", opt.Threads)
	}
	if opt.Threads > MaxThreads {
		return nil, fmt.Errorf("sim: Threads is %d: at most %d", opt.Threads, MaxThreads)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	// 0 means what the machine, or GOMAXPROCS, offers
	// threads, geometry and kinematics
	if opt.Threads == 0 {
		opt.Threads = runtime.GOMAXPROCS(0)
	}
	s := &Stepper{Model: m, Geometry: geometry.NewData(m.Geometry), pool: workers.NewPool(opt.Threads)}
	s.Geometry.Pool = s.pool
	s.kin, s.kinAtEnd = kinematics{s}, kinematicsAtEnd{kinematics{s}}
	s.contact = m.Contact
	// without controllers drives are bound to commands by the first state that has some, see obeyCommands
	s.commanded = newCommands(m.Constraints, nil)
	if len(m.Controllers) > 0 {
		s.commanded = newCommands(m.Constraints, commandedDrives(m))
	}
	s.inputs = newCommands(s.commanded.constraints, nil)
	s.addSubsystems()
	s.round = roundGeoms(m.Geometry)
	s.limits, s.closings = limitsOf(m), closingsOf(m)
	for i := range s.closings {
		for _, t := range s.closings[i].trees {
			if t >= 0 {
				s.rigid.ExpectImpulses(t)
			}
		}
	}
	s.accuracy.links, s.kinks = linkSizes(m), kinksOf(m)
	s.parts.length = 1 << maxDivisions
	bodies := s.numTrees() + len(s.deformables)
	s.impacts, s.impactNext, s.impactContact = make([]float64, bodies), make([]float64, bodies), make([]int, bodies)
	for _, d := range s.deformables {
		if err := d.Err(); err != nil {
			s.pool.Close()
			return nil, fmt.Errorf("sim: %s: %w", d.model.Name(), err)
		}
	}
	s.watchReactions()
	// the solver, with the longest step of its line search that the contact law allows
	s.solver.RelTol, s.solver.MaxIter, s.solver.Pool = m.RelTol, m.MaxIterations, s.pool
	s.solver.AlphaMax, s.solver.Condition = constraints.AlphaMax(m.Contact), m.ConditionNumber
	s.modelTerms = make([]cliques.Handle, len(m.Constraints))
	s.iterate = newIterate(m.Geometry)
	s.balance.springs = newSpringParts(s)
	s.buildSurfaces()
	s.newTerms()
	s.resetReport()
	if s.pool != nil {
		// the pool refers to the stepper only during steps, so that it can outlive it
		s.cleanup = runtime.AddCleanup(s, (*workers.Pool).Close, s.pool)
	}
	return s, nil
}

// addSubsystems makes the scratch of the rigid trees and of every deformable.
func (s *Stepper) addSubsystems() {
	m := s.Model
	// rigid trees come first: their bodies have the lowest numbers
	if m.Rigid != nil {
		s.rigid = &rigidTrees{Data: m.Rigid.NewData(), model: m.Rigid, gravity: m.Gravity, radius: linkRadii(m.Geometry)}
		s.subsystems = append(s.subsystems, s.rigid)
		for i := range s.Geometry.Kinematic {
			s.Geometry.Kinematic[i] = m.Rigid.IsKinematic(i)
		}
	}
	// deformables, of which inverted elements make no contact
	for i, b := range m.Deformables {
		d := &deformableBody{Data: b.NewData(), model: b, gravity: m.Gravity, number: i, pool: s.pool, rest: &s.rest, selfContact: m.Geometry.Deformables[i].Self != nil}
		if len(m.Loads) > 0 && len(m.Loads[i]) > 0 {
			d.loads, d.force = m.Loads[i], make([]r3.Vec, b.NumVerts())
			d.SetForces(d.force)
		}
		s.Geometry.ActiveTriangle[i] = d.TriangleActive
		s.deformables = append(s.deformables, d)
		s.subsystems = append(s.subsystems, d)
	}
	s.solved = make([]int, len(s.subsystems))
}

// buildSurfaces makes what the contacts of deformables need before the first step, which then
// takes hardly longer than others: programs that step in real time have no time for it.
func (s *Stepper) buildSurfaces() {
	nq, _ := s.Model.RigidSize()
	if len(s.Model.Start.Q) <= nq { // built by hand without a start
		return
	}
	for i, b := range s.deformables {
		n := 3 * b.model.NumVerts()
		b.Data.Place(s.Model.Start.Q[nq : nq+n])
		s.Geometry.X_W[i] = b.Positions()
		nq += n
	}
	s.Geometry.BuildSurfaces()
}

// Close ends the stepper's threads. The stepper must not step afterwards; its results
// can still be read. A second Close has no effect.
func (s *Stepper) Close() {
	if s.pool != nil {
		s.cleanup.Stop()
		s.pool.Close()
		s.pool = nil
	}
}

// linkRadii returns the radius of a sphere about the origin of each link that contains
// its shapes, m.
func linkRadii(g *geometry.Model) []float64 {
	r := make([]float64, g.NumRigid)
	for _, geom := range g.Geoms {
		if _, endless := geom.Shape.(geometry.HalfSpace); endless || geom.Body == geometry.World {
			continue // a half-space has no farthest point; the motion bounds of bodies near it suffice
		}
		// the farthest corner of its bounding box, in the link's axes
		b := geom.Shape.Bounds().Transform(geom.X_BG)
		far := r3.Vec{
			math.Max(-b.Min[0], b.Max[0]), math.Max(-b.Min[1], b.Max[1]), math.Max(-b.Min[2], b.Max[2]),
		}
		r[geom.Body] = math.Max(r[geom.Body], far.Norm())
	}
	return r
}
