// Package check validates a model without simulating it (a lint for scenes): it warns
// of probable mistakes and estimates the stiffness and depth of contacts: stiffnesses
// that a step cannot resolve, bodies that overlap at the start or flatten under their
// own weight, gears that do not fit, meshes that are too coarse to bend right.
//
// Each check is a file that opens with the formula that it evaluates:
//
//	contact.go, rest.go  how stiff contact of rigid bodies is, and how deep they rest
//	deformable.go        the same of deformables under a pressure
//	gradient.go          whether a deformable's surface is softer than its inside
//	reach.go             which bodies can meet at all
//	overlap.go           overlaps at the start
//	resolution.go        facets of pressure fields of round shapes
//	margin.go            hydroelastic margins that are large beside a body
//	gears.go             whether machine parts fit, and have play
//	gear_loss.go         power that trains of gears lose to the step
//	weight.go            deformables that their weight flattens, or as light as air
//	bending.go           how far deformables bend from the truth, and meshes that are too coarse
//	step_damping.go      damping that the time step adds to deformables and springs
//	near_rigid.go        heavy bodies on light ones, which a contact law carries softly
//	lift.go              bodies that a contact law lifts where they slide
//	violated.go          constraints that are violated at the start
//	launch.go            bodies that start within the range of a barrier
//	targets.go           drives that are faster than their joint
//	cost.go              processor time of a step, and memory
//
// A check reads the facts of a model's laws, see constraints.NormalFacts, so that
// it is valid for laws that are added later.
package check

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// Input is a model and the other data that checks need. Only Model, Step and Materials are
// required; checks that need other data are skipped without them.
type Input struct {
	// Model is the model with its initial state.
	Model *sim.Model
	// Step is the time step h, s.
	Step float64
	// Duration is the duration of the run, s, over which the motions of Targets are examined.
	Duration float64
	// Materials are the contact materials of Model.ContactMaterials, in their order.
	Materials []Material
	// Paths are the scene paths of the scene bodies by number, rigid links first:
	// "bodies.ball", "robots.arm.wrist", "deformables.finger". Nil: bodies' names.
	Paths []string
	// Parts are the machine parts among Model.Geometry.Geoms, by index.
	Parts map[int]parts.Part
	// Margin is the hydroelastic margin (m) that the user chose for all pressure
	// fields, nil where it follows from sizes.
	Margin *float64
	// Targets are the driven joints with a known speed limit.
	Targets []Target
}

// Material is a contact material with its name.
type Material struct {
	// Name is the key under materials in the scene.
	Name string
	// Base is the index of the first material of this name. Links of robot files may
	// have variants of it, with their own friction or stiffness.
	Base int
	// Contact has the parameters of the material.
	Contact constraints.ContactMaterial
}

// Target is the motion that a controller makes a joint follow.
type Target struct {
	// Path is the scene path of the drive: "drives.shoulder".
	Path string
	// Joint is the name of the joint.
	Joint string
	// SpeedLimit is the speed limit of the joint, rad/s or m/s; +Inf: none.
	SpeedLimit float64
	// Held says that the controller keeps its command within the limit: it has a velocity gain.
	Held bool
	// Motion is the position to follow over time, rad or m.
	Motion motion.Motion
}

// Result has the warnings and estimates of the checks.
type Result struct {
	// Warnings are in the order of the checks.
	Warnings []Warning
	// Contacts are estimates between rigid bodies, one for each pair of materials that
	// can meet, sorted by the names of the materials.
	Contacts []ContactEstimate
	// Deformables are estimates of deformables with anything that they can meet,
	// likewise.
	Deformables []DeformableEstimate
	// Bending are the discretization errors of the deformables, in their order.
	Bending []BendingEstimate
}

// Kind is the kind of a warning: the check that found it.
type Kind string

// The checks.
const (
	Elements        Kind = "elements"          // the mesh of a deformable is too coarse to bend right
	Speed           Kind = "speed"             // a target is faster than its joint may move
	Overlap         Kind = "overlap"           // bodies overlap at the start
	Violated        Kind = "violated"          // a constraint is violated at the start
	Margin          Kind = "margin"            // the hydroelastic margin is large beside a body
	Resolution      Kind = "resolution"        // the facets of a round pressure field change its force
	Gradient        Kind = "gradient"          // a deformable's surface is softer than its inside
	Weight          Kind = "weight"            // a deformable is flattened by its weight, or as light as air
	Gears           Kind = "gears"             // machine parts do not fit, their pressure fields bridge the play, or the step takes power of them
	ContactLoad     Kind = "contact_load"      // a contact yields too far under its load
	NearRigid       Kind = "near_rigid"        // a contact law carries a heavy body on a light one too softly
	Lift            Kind = "lift"              // a contact law lifts bodies that slide
	Launch          Kind = "launch"            // a contact law throws bodies apart that start within its range
	ContactTooStiff Kind = "contact_too_stiff" // a contact is too stiff for the time step
)

// Warning is a probable mistake.
type Warning struct {
	// Kind is the check that found it.
	Kind Kind `json:"kind"`
	// Where are the scene paths of the faulty item, or of both bodies of a pair.
	Where []string `json:"where"`
	// Message describes the probable mistake, with values and units.
	Message string `json:"message"`
	// Remedy describes what to change.
	Remedy string `json:"remedy"`
}

// String returns the warning as one line: scene path, mistake, remedy.
func (w Warning) String() string {
	return strings.Join(w.Where, " and ") + ": " + w.Message + "; " + w.Remedy
}

// Run checks a model. The error gives the reason why the model cannot be stepped. Run
// takes about as long as two steps of the model, and up to two seconds for each mesh of a deformable
// that the process has not seen before.
func Run(in *Input) (*Result, error) {
	st, err := sim.NewStepper(in.Model, sim.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	c := newChecker(in)
	// of single bodies and drives
	c.Bending = c.bendings()
	c.targets()
	// of bodies where they start
	c.overlaps(st)
	c.violated(st)
	c.margin()
	c.resolutions()
	c.gradients()
	c.weights()
	c.gears()
	// of the contact law
	c.nearRigids()
	c.lifts()
	c.launches(st)
	// of materials wherever their bodies can meet
	c.Contacts = c.contacts()
	c.Deformables = c.deformables()
	return &c.Result, nil
}

// checker is one run of the checks: its input, what it has found so far, and what
// several checks need.
type checker struct {
	*Input
	Result

	excluded map[[2]int]bool        // pairs of bodies that never touch, both ways, beside those in one group
	pose     func(body int) r3.Pose // X_WB of rigid bodies at the start
}

// newChecker prepares the checks: it places the bodies where they start.
func newChecker(in *Input) *checker {
	c := &checker{Input: in, excluded: map[[2]int]bool{}}
	for _, p := range in.Model.Geometry.ExcludedPairs {
		c.excluded[p], c.excluded[[2]int{p[1], p[0]}] = true, true
	}
	m := in.Model
	kin := m.Rigid.NewData()
	nq, nv := m.RigidSize()
	kin.Place(0, in.Step, m.Start.Q[:nq], m.Start.V[:nv])
	c.pose = func(body int) r3.Pose {
		if body == geometry.World {
			return r3.PoseIdentity()
		}
		return kin.Pose(body)
	}
	return c
}

// filtered reports whether two bodies never touch.
func (c *checker) filtered(a, b int) bool {
	return c.Model.Geometry.InExcludedGroup(a, b) || c.excluded[[2]int{a, b}]
}

// warn adds a warning about the places in where.
func (c *checker) warn(kind Kind, where []string, remedy, format string, args ...any) {
	c.Warnings = append(c.Warnings, Warning{kind, where, fmt.Sprintf(format, args...), remedy})
}

// path returns the scene path of a body.
func (c *checker) path(body int) string {
	if body == geometry.World {
		return "world"
	}
	if body < len(c.Paths) {
		return c.Paths[body]
	}
	return c.name(body)
}

// paths returns the scene paths of two bodies.
func (c *checker) paths(a, b int) []string { return []string{c.path(a), c.path(b)} }

// name returns the name of a body.
func (c *checker) name(body int) string {
	switch n := c.Model.Rigid.NumLinks(); {
	case body == geometry.World:
		return "the world"
	case body >= n:
		return c.Model.Deformables[body-n].Name()
	}
	return c.Model.Rigid.LinkName(body)
}

// mass returns the mass (kg) that a geom's body brings to a contact, 0 where it is
// fixed or its motion is prescribed.
func (c *checker) mass(g *geometry.Geom) float64 {
	if g.Body == geometry.World || c.Model.Rigid.IsKinematic(g.Body) {
		return 0
	}
	return c.Model.Rigid.Link(g.Body).Mass
}
