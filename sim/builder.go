package sim

// How the concepts of scene files map to the builder:
//
//	materials (contact)   AddMaterial, OverridePair
//	materials (inside)    ShapeSpec.Density; DeformableSpec.Law, Density, damping
//	bodies, robot links   AddBody; the shapes of a robot, which follow its links, AddShape
//	bodies.X.joint        BodySpec.Joint; a robot's joints with JointSpec.Frames and Name
//	robot mimic joints    AddMimic
//	deformables           AddDeformable
//	no_contact, collide   BodySpec.NoContact, DeformableSpec.NoContact, ExcludePair, JointSpec.ContactParent
//	constraints           AddConstraint
//	drives                AddDrive with a *JointDrive or *BodyMotion
//	loads                 AddLoad
//	live values           AddLive
//	signals               AddSignal
//	gravity, solver       the Builder's fields
//
// Items may be added in any order. Numbers follow from it all the same: links in the
// order of their bodies, each after its parent; then deformables; constraints in the
// order mimic joints, attachments, limits and dry friction of joints, constraints,
// drives, loads of rigid bodies.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Builder collects the items of a model under their names; Build makes the model. Items
// refer to each other by name and may be added in any order. Faults are collected:
// Build reports all of them.
type Builder struct {
	// Gravity is the acceleration of free fall, in world axes, m/s².
	Gravity r3.Vec
	// Contact is the contact law (friction and normal force).
	Contact constraints.ContactModel
	// FrictionLag selects the normal impulse that bounds lagged friction.
	FrictionLag FrictionLag

	// TimeStep is the step that the model is designed for, s. The default margin of pressure
	// fields follows from it; steps of other lengths are possible.
	TimeStep float64
	// Rule is the rule of integration in time; the zero value is that of Euler.
	Rule timestep.Rule
	// RelTol is the relative tolerance of the solver; 0: its default.
	RelTol float64
	// MaxIterations bounds the iterations of a solve; 0: the solver's default.
	MaxIterations int
	// MaxTreeDofs is the largest number of degrees of freedom that one tree may have; 0:
	// 2,000. Its matrix is dense: memory grows with the square, time of a step with the
	// cube.
	MaxTreeDofs int
	// ConditionNumber requests that the condition number of every step's problem is computed.
	ConditionNumber bool
	// SpeculativeMargin is the gap up to which contacts are detected even if bodies do
	// not approach (speculative contact), m; 0: the distance h² g of free fall in a step
	// from rest, and no less than a share of the smallest body.
	SpeculativeMargin float64
	// HydroelasticMargin is the width of the layer outside of a shape in which its
	// pressure field acts, m; nil: chosen by the tilting of a resting body in a step.
	HydroelasticMargin *float64

	// Meshes maps the mesh names of ShapeSpec.Spec to meshes. It must be set before
	// shapes are added; nil: there are none.
	Meshes geometry.MeshSource

	materials   materialTable
	bodies      []*bodyItem
	bodyOf      map[string]*bodyItem
	shapes      []shapeItem // with bodies, in the order of the calls
	deformables []*deformableItem
	mimics      []mimicItem
	motions     []motionItem
	constraints []constraintItem
	drives      []driveItem
	uncommanded map[string]string // why drives take no commands, by name
	robots      []robotItem
	rotors      map[string]float64 // inertias that motors add to joints by name, kg m² or kg
	loads       []loadItem
	signals     []signalItem
	controllers []NamedController
	live        []*motion.Live
	excluded    [][2]string
	apart       [][]string // groups of bodies that never touch each other

	taken    map[[2]string]bool // kind and name of what was added
	added    []error
	warnings []*Diagnostic
}

// DefaultTimeStep is the Builder's time step, s.
const DefaultTimeStep = 0.01

// NewBuilder returns a builder of an empty model: gravity of 9.81 m/s² along −z, lagged
// friction, and the contact material "default".
func NewBuilder() *Builder {
	b := &Builder{
		Gravity: r3.Vec{0, 0, -9.81}, Contact: constraints.Lagged{}, TimeStep: DefaultTimeStep,
		bodyOf: map[string]*bodyItem{}, taken: map[[2]string]bool{}, uncommanded: map[string]string{},
	}
	b.materials.number = map[string]int{}
	b.materials.add(defaultMaterial, constraints.DefaultContactMaterial())
	return b
}

// Diagnostic is an error or a warning about an item of a model.
type Diagnostic struct {
	// Kind is the kind of the item: "material", "body", "joint", "deformable",
	// "constraint", "drive", "load", "signal", or "model" for the whole.
	Kind string
	// Name is the name of the item, empty for the whole model.
	Name string
	// Err describes the fault and its remedy.
	Err error
}

// Error implements error.
func (d *Diagnostic) Error() string {
	if d.Name == "" {
		return fmt.Sprintf("%s: %v", d.Kind, d.Err)
	}
	return fmt.Sprintf("%s %q: %v", d.Kind, d.Name, d.Err)
}

// Unwrap returns the error without the item.
func (d *Diagnostic) Unwrap() error { return d.Err }

// Warnings returns the probable mistakes that the last Build found.
func (b *Builder) Warnings() []*Diagnostic { return b.warnings }

// add notes an item and reports whether its name is free and can be used.
func (b *Builder) add(kind, name string) bool {
	space := kind
	if kind == "deformable" {
		space = "body" // both are bodies, and named as such
	}
	switch key := [2]string{space, name}; {
	case name == "":
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("it has no name")})
	case space == "body" && name == worldName:
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("this is the name of the world: choose another")})
	case b.taken[key]:
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("the name is taken: choose another")})
	default:
		b.taken[key] = true
		return true
	}
	return false
}

// Build creates the model with its start state and names. The error joins a
// Diagnostic for every fault found. Afterwards items may be added and Build called
// again.
func (b *Builder) Build() (*Model, error) {
	b.warnings = nil
	a := newAssembly(b)
	// bodies, numbered
	a.contactMaterials()
	a.links()
	a.makeDeformables()
	a.plant()
	if err := a.failed(); err != nil {
		return nil, err // what follows refers to numbers of bodies
	}
	// constraints, in the order that their numbers keep, and contact
	a.couple()
	a.setDefaultGradients()
	a.placeDeformables()
	a.excludePairs()
	a.limits()
	a.addConstraints()
	a.addDrives()
	a.addLoads()
	a.addSignals()
	a.addHolds()
	a.findDependents()
	a.addOperator()
	a.m.Controllers = b.controllers
	if err := a.failed(); err != nil {
		return nil, err
	}
	if err := a.m.Validate(); err != nil {
		return nil, err
	}
	return a.m, nil
}

// MustBuild builds models that are known to be valid, such as those of tests and
// examples. It panics where Build returns an error.
func (b *Builder) MustBuild() *Model {
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}
