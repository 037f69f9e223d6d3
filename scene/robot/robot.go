// Package robot holds robots as plain data, whatever format their files are in,
// and what readers of such formats share: XML elements that know their lines and
// list what nobody read, trees of links, mimics, contact filters, surfaces.
package robot

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Robot is a tree of links. Lengths in m, angles in rad, masses in kg.
type Robot struct {
	Name            string
	Links           []Link
	Joints          []Joint
	Root            int            // link without a parent
	X_FR            r3.Pose        // X_FR: the root in the frame of the file; the identity in URDF
	ExcludedPairs   [][2]int       // pairs of links, lower first, that collision filters keep apart; ascending, each once
	AdjacentContact bool           // links touch those that joints hold them on, but for NoContact
	Floating        bool           // the file says that the base is free
	Gravity         *r3.Vec        // that the file is meant for, m/s²; nil: not said
	Includes        []IncludedFile // files that this one includes, in the order of their lines
}

// IncludedFile is an included file: its lines are numbered on from the file before.
type IncludedFile struct {
	File      string
	FirstLine int // number of its first line
}

// Where returns the file and the line there of a line of the robot; file is the
// robot's own.
func (m *Robot) Where(file string, line int) (string, int) { return Where(m.Includes, file, line) }

// Where returns the file and the line there of a line in parts; file is the one
// that includes them.
func Where(parts []IncludedFile, file string, line int) (string, int) {
	for i := len(parts) - 1; i >= 0; i-- {
		if line >= parts[i].FirstLine {
			return parts[i].File, line - parts[i].FirstLine + 1
		}
	}
	return file, line
}

// Link is a rigid body.
type Link struct {
	Name       string
	Line       int
	Inertial   *Inertial // nil: none
	Visuals    []Geometry
	Collisions []Geometry
}

// Inertial is a link's mass and its inertia about the centre of mass.
type Inertial struct {
	Mass    float64
	Com     r3.Vec // in the link's frame
	Inertia r3.Mat // about Com, in the link's axes
}

// Geometry is a shape on a link: exactly one of the sizes is set.
type Geometry struct {
	Line              int
	X_LG              r3.Pose // X_LG
	Box               *r3.Vec // edge lengths
	Sphere            float64 // radius
	Cylinder, Capsule *Round
	Ellipsoid         *r3.Vec // semi-axes
	Mesh              *Mesh
	Color             string // #rrggbb, or empty
	Material          ContactMaterial
}

// Round is a cylinder, or a capsule of that straight length, along z.
type Round struct{ Radius, Length float64 }

// Mesh is a mesh file, or triangles that the robot file itself holds.
type Mesh struct {
	File       string      // as written: may begin with package://, model:// or file://
	Triangles  *meshes.Tri // instead of a file
	Scale      r3.Vec
	ConvexHull bool // in contact it stands for its convex hull
}

// ContactMaterial holds contact properties that a collision element gives; NaN: not
// given.
type ContactMaterial struct {
	Stiffness, Dissipation, RelaxationTime, StaticFriction, Friction float64

	HydroelasticModulus float64 // of drake:compliant_hydroelastic, Pa
	ResolutionHint      float64 // drake:mesh_resolution_hint, m
}

// JointType is a kind of joint.
type JointType string

// The joint types of URDF, the screw of drake:joint, the ball of SDFormat and MJCF.
const (
	Fixed      JointType = "fixed"
	Revolute   JointType = "revolute"
	Continuous JointType = "continuous"
	Prismatic  JointType = "prismatic"
	Floating   JointType = "floating"
	Screw      JointType = "screw"
	Ball       JointType = "ball"
)

// OneDOF reports whether the joint has one position.
func (t JointType) OneDOF() bool {
	return t == Revolute || t == Continuous || t == Prismatic || t == Screw
}

// Joint connects two links.
type Joint struct {
	Name          string
	Line          int
	Type          JointType
	Parent, Child int     // links
	X_PF          r3.Pose // X_PF: joint frame on the parent
	X_CM          r3.Pose // X_CM: joint frame on the child, which is at Origin at zero; the identity in URDF
	Axis          r3.Vec  // unit, in the joint's frame
	Lower, Upper  float64 // ∓Inf: none
	EffortLimit   float64 // +Inf: none
	VelocityLimit float64 // +Inf: none
	Damping       float64
	Friction      float64
	Stiffness     float64 // of a spring that is slack at Rest
	RestPosition  float64
	RotorInertia  float64 // reflected through the gear
	Pitch         float64 // of a screw, m per revolution
	StartPosition float64 // where it stands unless the scene says otherwise
	Mimic         *Mimic
}

// Mimic ties a joint to another: q = Multiplier q_other + Offset.
type Mimic struct {
	Joint              int
	Multiplier, Offset float64
}

// Warning is something in the file that was ignored or doubtful.
type Warning struct {
	Line int
	Text string
}

// Error is a fault of a robot file.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }
