// Package check says what is doubtful in a model and what to expect of its
// contacts, without simulating it: stiffnesses that a step cannot resolve, bodies
// that overlap at the start or flatten under their own weight, gears that do not
// fit, meshes that lock. Each estimate follows from a formula at the head of its
// file.
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

// Input is a model and what checks need besides it. Only Model, Step and
// Materials are required.
type Input struct {
	Model    *sim.Model
	Step     float64 // time step h, s
	Duration float64 // of the run, s: how long Targets are followed

	// Materials are those of Model.ContactMaterials, in their order.
	Materials []Material
	// Paths are the scene paths of the scene bodies by number, rigid links first:
	// "bodies.ball", "robots.arm.wrist", "deformables.finger". Nil: bodies' names.
	Paths []string
	// Parts are the machine parts among Model.Geometry.Geoms, by index.
	Parts map[int]parts.Part
	// Margin is the hydroelastic margin (m) that the user chose for all pressure
	// fields, nil where it follows from sizes.
	Margin *float64
	// Targets are the driven joints of known speed limit.
	Targets []Target
}

// Material is a contact material with its name.
type Material struct {
	Name    string // under materials in the scene
	Base    int    // index of the first material of this name: robot files make variants of it
	Contact constraints.ContactMaterial
}

// Target is the motion that a controller makes a joint follow.
type Target struct {
	Path       string  // scene path of the drive: "drives.shoulder"
	Joint      string  // name of the joint
	SpeedLimit float64 // of the joint, rad/s or m/s; +Inf: none
	Motion     motion.Motion
}

// Result is what checks found.
type Result struct {
	Warnings    []Warning            // in the order of the checks
	Contacts    []ContactEstimate    // between rigid bodies, one a pair of materials, sorted by their names
	Deformables []DeformableEstimate // of deformables with anything, likewise
}

// Kind of a warning: which check found it.
type Kind string

// The checks.
const (
	Elements        Kind = "elements"          // the mesh or Poisson's ratio of a deformable makes it too stiff
	Speed           Kind = "speed"             // a target is faster than its joint may move
	Overlap         Kind = "overlap"           // bodies overlap at the start
	Margin          Kind = "margin"            // the hydroelastic margin is large beside a body
	Gradient        Kind = "gradient"          // a deformable's surface is softer than its inside
	Weight          Kind = "weight"            // a deformable is flattened by its weight, or as light as air
	Gears           Kind = "gears"             // machine parts do not fit, or their pressure fields bridge the play
	ContactLoad     Kind = "contact_load"      // a contact yields too far under its load
	ContactTooStiff Kind = "contact_too_stiff" // a contact is too stiff for the time step
)

// Warning is something that is probably not meant.
type Warning struct {
	Kind    Kind     `json:"kind"`
	Where   []string `json:"where"`   // scene paths of what it is about, or of both partners
	Message string   `json:"message"` // what is doubtful, with values and units
	Remedy  string   `json:"remedy"`  // what to change
}

// String returns the warning as one line: where, what, how to mend.
func (w Warning) String() string {
	return strings.Join(w.Where, " and ") + ": " + w.Message + "; " + w.Remedy
}

// Run checks a model. The error says why the model cannot be stepped.
func Run(in *Input) (*Result, error) {
	st, err := sim.NewStepper(in.Model, sim.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	c := newChecker(in)
	c.elements()
	c.targets()
	c.overlaps(st)
	c.margin()
	c.gradients()
	c.weights()
	c.gears()
	c.Contacts = c.contacts()
	c.Deformables = c.deformables()
	return &c.Result, nil
}

// checker is one run of the checks.
type checker struct {
	*Input
	Result
	filtered map[[2]int]bool        // pairs of bodies that never touch, both ways
	pose     func(body int) r3.Pose // X_WB of rigid bodies at the start
}

func newChecker(in *Input) *checker {
	c := &checker{Input: in, filtered: map[[2]int]bool{}}
	for _, p := range in.Model.Geometry.ExcludedPairs {
		c.filtered[p], c.filtered[[2]int{p[1], p[0]}] = true, true
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
