package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Stage is a stage of a step.
type Stage int

// The stages of a step, in order.
const (
	Place      Stage = iota // poses and vertices from positions
	Collide                 // contacts from poses and vertices
	FreeMotion              // A, v0 and p
	Constrain               // J, b and ℓ
	Solve                   // v⁺ and impulses
	Advance                 // positions and velocities at the end
	numStages
)

// StageNames are the names of the stages in reports, by Stage.
var StageNames = [numStages]string{"place", "collide", "free_motion", "constrain", "solve", "advance"}

// ErrNotConverged is wrapped by the error of a step whose solve reached its limit of
// iterations. The step was taken with the best velocities found.
var ErrNotConverged = convex.ErrNotConverged

// ContactReport is one contact of the last step with its force: a point, a face of a
// deformable, or a face of a contact surface of pressure fields, whose Elem are the geoms.
type ContactReport struct {
	geometry.Contact
	// Force_W is the force on B, mean over the step, in world axes, N. That on A is its
	// negative.
	Force_W r3.Vec
	// Normal is the component of the force along the contact's normal, N.
	Normal float64
	// Slip_W is the tangential velocity of B relative to A at the end of the step,
	// surface velocities of the materials included, in world axes, m/s.
	Slip_W r3.Vec
}

// Report describes the last step. Contacts and ContactSurfaces are valid until the next
// step.
type Report struct {
	// Step is the number of the step, from 1; 0: no step was taken, or it failed.
	Step int
	// Solver has the solver's iterations and accuracy, summed over all solves of the step.
	Solver convex.Stats
	// Err is an ErrNotConverged, or nil.
	Err error
	// Stages are the wall times of the step's stages, s, by Stage.
	Stages [numStages]float64
	// Solves is the number of convex problems that were solved for the step. It is solved again where a term of it
	// differs from the truth at the solution, see StepTerm.
	Solves int
	// Rounds is the number of those solves of which more than the laws of contacts were new.
	Rounds int
	// Defects are the defects of the terms of the step at its end, by StepTerms.
	Defects [numTerms]TermDefect
	// Parts is the number of shorter steps (substeps) into which the step was divided because
	// its terms did not agree with the solution; 0: it was not divided. Contacts of all parts are listed,
	// with forces and areas that are their means over the step, see divided_step.go.
	Parts int
	// Rejected is the number of attempts at parts, or at the whole step, that were not taken, but shorter ones.
	Rejected int
	// LeastPart and MostPart are the lengths of the shortest and the longest part, or of the whole step, s.
	LeastPart, MostPart float64
	// PseudoSteps is the number of pseudo-steps in which Equilibrium found the state at rest.
	PseudoSteps int
	// RestResidual is the residual of the forces there, relative to weight, loads and forces of
	// contacts and constraints; where round-off of positions does not let it fall to 1e-10, relative to these and to
	// the forces that balance within the elements.
	RestResidual float64
	// RestMoved is how far that state is from the one where its contacts were detected, m or rad; 0: they were detected
	// there.
	RestMoved float64
	// Snap is the loss of stability on the way to that state, see RestSnap.
	Snap RestSnap
	// LinearizationUnconverged is the number of deformables that differ from their linear
	// models after the last solve. They move by the last solution without its spurious
	// strain.
	LinearizationUnconverged int
	// UnseenSupport is a support of a floating robot that the feed forward of its drive does not include.
	UnseenSupport UnseenSupport
	// NumContacts is the length of Contacts().
	NumContacts int
	// FirstFace is the index of the first face of pressure fields in Contacts().
	FirstFace int
	// Penetration is the deepest overlap at the start of the step, m; 0 without overlap.
	Penetration float64
	// RelativePenetration is the deepest overlap compared with the thickness of the bodies.
	RelativePenetration RelativePenetration
	// MeanPenetration is the mean depth of the contacts that overlap, m.
	MeanPenetration float64
	// FreeMotionUnconverged is the number of deformables whose iterative free motion did
	// not converge, see fem.Data.FreeMotionConverged. Their motion is less accurate.
	FreeMotionUnconverged int
	// EffectiveStiction is the slip speed below which friction of points is viscous rather than
	// Coulomb's, mean over the contact points with force, m/s; 0 where there are none.
	EffectiveStiction float64
	// FrictionLag is the error of lagged friction, the sum over all contacts, N s.
	FrictionLag constraints.LagError
	// LackingFriction is the largest share of its friction that the contact of two bodies
	// lacks because of the lag, of contacts that carry at least a twentieth of the load of
	// either body.
	LackingFriction float64
	// LackingBodies are the two bodies of that contact.
	LackingBodies [2]int
	// EnergyGained is the energy that the step before, or it and those before it, gave to bodies, contacts and springs
	// beyond the work done on them, and what contacts and deformables have too much in smallest parts of this step, J;
	// see energy_balance.go.
	EnergyGained GainedEnergy
	// NumericalDissipation is the energy that the damping of changes by the midpoint rule takes from bodies in the
	// step, J, negative where it gives back what it took before. ViscousDissipation is what Rayleigh damping of
	// deformables and dampers of joints take, J. With the energy E of bodies and the work W of all that acts on them
	// along their displacement velocities,
	//
	//	E⁺ = E + W − NumericalDissipation − ViscousDissipation
	//
	// for linear laws and single rigid bodies to round-off, else to the error of the rule. Both are 0 under Euler.
	NumericalDissipation, ViscousDissipation float64

	unread   *Stepper // the stepper, until its forces are read; nil: they were, or there are none
	contacts []ContactReport
	surfaces []ContactSurfaceReport
}

// DeformablesUnconverged returns the number of deformables whose free motion, or motion
// with constraints, did not converge.
func (r *Report) DeformablesUnconverged() int {
	return r.FreeMotionUnconverged + r.LinearizationUnconverged
}

// Contacts returns the contacts of the step with their forces: points and faces of
// deformables, then faces of pressure fields. Forces are computed by the first call after
// a step, as is ContactSurfaces.
func (r *Report) Contacts() []ContactReport {
	r.read()
	return r.contacts
}

// ContactSurfaces returns sums over the faces of each pair of bodies or geoms: pairs with
// a deformable first, then those of pressure fields.
func (r *Report) ContactSurfaces() []ContactSurfaceReport {
	r.read()
	return r.surfaces
}

// read computes the forces of the solved problem. It must run before contacts are
// detected again.
func (r *Report) read() {
	s := r.unread
	if s == nil {
		return
	}
	r.unread = nil
	// contact points and faces of deformables
	r.contacts = slices.Grow(r.contacts, r.NumContacts)[:len(s.contacts)]
	for i := range s.contacts {
		c := &r.contacts[i]
		c.Contact = s.contacts[i]
		c.Normal = constraints.ContactLoad(&s.Problem, s.handles[i], &c.Contact, &c.Force_W, &c.Slip_W)
	}
	// faces of pressure fields
	for i := range s.surfaces {
		s.loads = constraints.HydroelasticLoads(&s.Problem, s.surfaceHandles[i], s.loads[:0])
		r.collectFaces(&s.surfaces[i], s.loads)
	}
	r.collectSurfaces(s)
}

// collectFaces appends the faces of a contact surface with their loads.
func (r *Report) collectFaces(p *geometry.HydroelasticContact, loads []constraints.FaceLoad) {
	for k := range p.Surface.Faces {
		f := &p.Surface.Faces[k]
		r.contacts = append(r.contacts, ContactReport{
			Contact: geometry.Contact{
				A: geometry.MaterialPoint{Body: p.A, Pos_W: f.Pos_W}, B: geometry.MaterialPoint{Body: p.B, Pos_W: f.Pos_W},
				Materials: p.Materials, Pos_W: f.Pos_W, Normal_W: f.Normal_W, Phi: f.Phi, Area: f.Area, Elem: p.Elem,
			},
			Force_W: loads[k].Force_W, Normal: loads[k].Normal, Slip_W: loads[k].Slip_W,
		})
	}
}

// restart empties the report for a part of a step, but for what is summed over all parts.
func (r *Report) restart() {
	*r = Report{
		Solver: r.Solver, Stages: r.Stages, Solves: r.Solves, Rounds: r.Rounds, Defects: r.Defects, Parts: r.Parts, EnergyGained: r.EnergyGained,
		NumericalDissipation: r.NumericalDissipation, ViscousDissipation: r.ViscousDissipation,
		Rejected: r.Rejected, LeastPart: r.LeastPart, MostPart: r.MostPart,
		FrictionLag: r.FrictionLag, LackingFriction: r.LackingFriction, LackingBodies: r.LackingBodies,
		FreeMotionUnconverged: r.FreeMotionUnconverged, LinearizationUnconverged: r.LinearizationUnconverged,
		UnseenSupport: r.UnseenSupport,
		contacts:      r.contacts[:0], surfaces: r.surfaces[:0],
	}
}

// notePart notes that a part of h seconds was taken.
func (r *Report) notePart(h float64) {
	if r.LeastPart == 0 || h < r.LeastPart {
		r.LeastPart = h
	}
	r.MostPart = max(r.MostPart, h)
}

// await makes the forces of the problem those of the report, which reads them when they are asked for.
func (r *Report) await(s *Stepper) {
	r.unread = s
	r.FirstFace = len(s.contacts)
	r.NumContacts = r.FirstFace
	for i := range s.surfaces {
		r.NumContacts += len(s.surfaces[i].Surface.Faces)
	}
}

// summarize writes the numbers of a solved step.
func (r *Report) summarize(s *Stepper) {
	r.await(s)
	r.summarizeOverlap(s)
	r.RelativePenetration = s.relativePenetration()
	// mean effective stiction, updated contact by contact
	loaded := 0
	for _, h := range s.handles {
		if slip, ok := constraints.EffectiveStiction(&s.Problem, h); ok {
			loaded++
			r.EffectiveStiction += (slip - r.EffectiveStiction) / float64(loaded)
		}
	}
	r.summarizeLag(s)
}

// summarizeOverlap writes the largest and the mean overlap.
func (r *Report) summarizeOverlap(s *Stepper) {
	overlapping := 0
	// running maximum and mean
	overlap := func(depth float64) {
		r.Penetration = max(r.Penetration, depth)
		if depth > 0 {
			overlapping++
			r.MeanPenetration += (depth - r.MeanPenetration) / float64(overlapping)
		}
	}
	// points and faces of deformables have a gap, faces of pressure fields a depth
	for i := range s.detected {
		overlap(-s.detected[i].Phi)
	}
	for i := range s.surfaces {
		faces := s.surfaces[i].Surface.Faces
		for k := range faces {
			overlap(faces[k].Depth)
		}
	}
}

// Hash returns a digest of the state's bits, in hexadecimal. States with the same digest
// have the same future.
func (x *State) Hash() string {
	// all numbers in a fixed order, as little-endian 64-bit words
	h := sha256.New()
	var b [8]byte
	put := func(u uint64) {
		binary.LittleEndian.PutUint64(b[:], u)
		h.Write(b[:])
	}
	put(math.Float64bits(x.Time))
	put(uint64(x.Step))
	for _, s := range [][]float64{x.Q, x.V} {
		put(uint64(len(s)))
		for _, f := range s {
			put(math.Float64bits(f))
		}
	}
	// memory of the midpoint rule
	if m := &x.Memory; len(m.W) > 0 {
		put(math.Float64bits(m.H))
		for _, s := range [][]float64{m.W, m.DV} {
			for _, f := range s {
				put(math.Float64bits(f))
			}
		}
	}
	// control of errors
	if x.Pace != (Pace{}) {
		put(math.Float64bits(x.Pace.Next))
		put(math.Float64bits(x.Pace.Error))
	}
	// references of energy
	for _, e := range x.EnergyReference {
		put(math.Float64bits(e))
	}
	// commands and memory of controllers
	for _, c := range x.Commands {
		put(math.Float64bits(c))
	}
	for _, c := range x.Operator {
		put(math.Float64bits(c))
	}
	for _, c := range x.Holds {
		put(math.Float64bits(c))
	}
	for i := range x.Controllers {
		c := &x.Controllers[i]
		put(uint64(len(c.Controller)))
		h.Write([]byte(c.Controller))
		put(uint64(len(c.Data)))
		h.Write(c.Data)
	}
	// lagged contacts
	for i := range x.LaggedContacts {
		b := &x.LaggedContacts[i]
		for _, k := range [4]int32{b.Body[0], b.Body[1], b.Elem[0], b.Elem[1]} {
			put(uint64(k))
		}
		for _, f := range [7]float64{b.P[0][0], b.P[0][1], b.P[0][2], b.P[1][0], b.P[1][1], b.P[1][2], b.Force} {
			put(math.Float64bits(f))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// UnseenSupport is a link of a robot with a floating base, and the body on which it stands and from which the feed
// forward of the robot's drive takes no support, since joints that are not the robot's let it move.
type UnseenSupport struct {
	Drive      string // "": none
	Link, Body int    // of the scene
}
