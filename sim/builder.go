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
// Items may be added in any order, and edited or removed before each Build (builder_items.go). Numbers follow from it
// all the same: links in the order of their bodies, each after its parent; then deformables; constraints in the order
// mimic joints, attachments, limits and dry friction of joints, constraints, drives, loads of rigid bodies.

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Builder collects the items of a model under their names; Build makes the model. Items
// refer to each other by name and may be added in any order. Faults are collected:
// Build reports all of them.
//
// What was added is found by name and edited until Build, and after it for the next one: Body, Joint, Shapes,
// Deformable, Material, Constraint, Drive, Load and Signal; Remove takes an item away, Names lists those of a kind.
// A model that was built does not change with the builder.
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
	// Control bounds the errors of steps; the zero value takes steps as they are asked for.
	Control StepControl
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

	// Meshes maps the mesh names of ShapeSpec.Spec to meshes; nil: there are none.
	Meshes geometry.MeshSource

	materials   materialTable
	bodies      []*bodyItem
	bodyOf      map[string]*bodyItem
	shapes      []*shapeItem            // with bodies, in the order of the calls
	shapesOn    map[string][]*shapeItem // those of AddShape by the name of their body
	deformables []*deformableItem
	mimics      []mimicItem
	constraints []constraintItem
	drives      []driveItem
	loads       []loadItem
	signals     []signalItem
	controllers []NamedController
	live        []*motion.Live
	excluded    [][2]string
	apart       [][]string // groups of bodies that never touch each other

	// parts of drives, which Build lets them add to its copy of the builder
	motions     []motionItem
	driven      []drivenItem
	jointDrives []jointsItem
	rotors      map[string]float64 // inertias that motors add to joints by name, kg m² or kg

	uncommanded map[string]string // why drives take no commands, by name

	taken    map[[2]string]bool // kind and name of what was added
	revision int                // see Revision
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
		bodyOf: map[string]*bodyItem{}, shapesOn: map[string][]*shapeItem{}, taken: map[[2]string]bool{},
	}
	b.materials.number = map[string]int{}
	b.materials.add(defaultMaterial, constraints.DefaultContactMaterial())
	return b
}

// Diagnostic is an error or a warning about an item of a model.
type Diagnostic struct {
	// Kind is the kind of the item: "material", "body", "joint", "deformable",
	// "constraint", "drive", "load", "signal", "controller", "live value", or "model" for the whole.
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
	b.revision++
	switch key := nameKey(kind, name); {
	case name == "":
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("it has no name")})
	case key[0] == "body" && name == worldName:
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("this is the name of the world: choose another")})
	case b.taken[key]:
		b.added = append(b.added, &Diagnostic{kind, name, errors.New("the name is taken: choose another")})
	default:
		b.taken[key] = true
		return true
	}
	return false
}

// nameKey is the key of an item among the names that are taken. Rigid bodies and deformables are both bodies, and
// named as such.
func nameKey(kind, name string) [2]string {
	if kind == "deformable" {
		kind = "body"
	}
	return [2]string{kind, name}
}

// expanded returns the builder as one Build takes it: a copy in which shapes are made from their parameters, and to
// which drives have added their parts. Items keep their parameters, so that these can be edited for the next Build.
func (b *Builder) expanded() *Builder {
	c := *b
	c.warnings, c.added = nil, slices.Clone(b.added)
	c.controllers, c.taken = slices.Clone(b.controllers), maps.Clone(b.taken)
	c.bodies, c.bodyOf = make([]*bodyItem, len(b.bodies)), make(map[string]*bodyItem, len(b.bodies))
	for i, item := range b.bodies {
		body := &bodyItem{name: item.name, spec: item.spec, link: -1}
		body.spec.Shapes = slices.Clone(item.spec.Shapes)
		c.bodies[i], c.bodyOf[item.name] = body, body
	}
	// in the order of the calls, which is that of their faults
	c.shapes = make([]*shapeItem, len(b.shapes))
	for i, item := range b.shapes {
		s := *item
		c.shapes[i] = &s
		if s.body == nil {
			c.makeShape(s.on, &s.spec)
			continue
		}
		s.body = c.bodyOf[s.body.name]
		for k := range s.body.spec.Shapes {
			c.makeShape(s.body.name, &s.body.spec.Shapes[k])
		}
	}
	// parts of drives
	c.motions, c.driven, c.jointDrives, c.rotors = slices.Clone(b.motions), slices.Clone(b.driven), slices.Clone(b.jointDrives), maps.Clone(b.rotors)
	c.uncommanded = map[string]string{}
	for _, d := range b.drives {
		if u, ok := d.spec.(Uncommanded); ok {
			c.uncommanded[d.name] = u.Uncommanded()
		}
		d.spec.AddTo(&c, d.name)
	}
	return &c
}
