// Package robot represents robots as plain data, whatever the format of their files: trees
// of links that joints connect, with inertias, shapes and limits. It also has what
// readers of such formats share: XML elements that have their lines and record
// whether they were read, and the checks of trees, mimics and collision groups.
//
// Lengths are in m, angles in rad, masses in kg, forces in N, torques in N m.
//
// Frames, in the notation of CONVENTIONS.md:
//
//	F   the frame of the file, in which it places the robot
//	R   the root link
//	L   a link, in whose axes its inertia and shapes are given
//	P   the parent link of a joint, C its child
//	J   the frame of a joint, on the parent; M the same on the child
//
// M coincides with J at joint position zero, and moves relative to J with the
// joint: a revolute joint rotates M about Axis, a prismatic joint translates M
// along it.
package robot

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Robot is a tree of links. Links and joints are numbered in the order of the file.
type Robot struct {
	// Name is the robot's name in the file; it may be empty.
	Name string
	// Links are the rigid bodies.
	Links []Link
	// Joints connect them, one fewer than there are links; see Order.
	Joints []Joint
	// Root is the number of the link that is not the child of a joint.
	Root int
	// X_FR is the pose of the root link in the frame of the file; the identity in URDF.
	X_FR r3.Pose
	// ExcludedPairs are the pairs of links that the file excludes from contact:
	// lower number first, in ascending order, each once.
	ExcludedPairs [][2]int
	// Loops are loop closure constraints between links (kinematic loops), which the tree does
	// not contain.
	Loops []Loop
	// Couplings keep weighted sums of joint positions within limits.
	Couplings []Coupling
	// Actuators are the motors and servos of the file.
	Actuators []Actuator
	// Deformables are deformable bodies beside the tree.
	Deformables []Deformable
	// Keyframes are states that the file names, in its order.
	Keyframes []Keyframe
	// AdjacentContact enables contact between links that a joint connects, except
	// ExcludedPairs.
	AdjacentContact bool
	// Floating reports that the root link is free (floating base), unless a scene overrides it.
	Floating bool
	// Gravity is the gravity that the file defines, m/s²; nil where it defines none.
	Gravity *r3.Vec
	// Includes are the files that this one includes, in the order of FirstLine.
	Includes []IncludedFile
}

// Keyframe is a named state of a robot in its file.
type Keyframe struct {
	// Name is the name in the file, or the number among the keyframes, from 0.
	Name string
	// Line is the line of the file that describes it.
	Line int
	// X_FR is the pose of a floating root link in the frame of the file; nil for other robots.
	X_FR *r3.Pose
	// Positions are the positions of all joints, rad or m; NaN for joints without a single
	// position.
	Positions []float64
	// X_PC are the poses of links with a free joint of their own in their parents, by joint.
	X_PC map[int]r3.Pose
	// Controls and Activations are the controls and activations of Actuators, one of each for
	// every actuator.
	Controls, Activations []float64
}

// Start sets the state of a keyframe as the start of the robot.
func (m *Robot) Start(k *Keyframe) {
	if k.X_FR != nil {
		m.X_FR = *k.X_FR
	}
	for i, q := range k.Positions {
		if !math.IsNaN(q) {
			m.Joints[i].StartPosition = q
		}
	}
	for i, X := range k.X_PC {
		m.Joints[i].X_PF = X
	}
	for i, u := range k.Controls {
		m.Actuators[i].Control, m.Actuators[i].Activation = u, k.Activations[i]
	}
}

// Loop is a loop closure constraint, which joins two links and so closes a kinematic loop:
// a frame P of link A on a frame Q of link B, or the origins of these frames alone.
type Loop struct {
	// Name is unique among the robot's loops.
	Name string
	// Line is the line of the file that describes it.
	Line int
	// Weld reports that the frames coincide; else only their origins do.
	Weld bool
	// A and B are numbers of links; −1 stands for the frame of the file, in which it places the robot.
	A, B int
	// X_AP and X_BQ are the poses of the frames on A and B.
	X_AP, X_BQ r3.Pose
}

// IncludedFile is a file that a robot file includes. So that one number gives file
// and line, the lines of included files are numbered on from the last line before.
type IncludedFile struct {
	// File is the name of the file as the including file writes it.
	File string
	// FirstLine is the number of its first line.
	FirstLine int
}

// Where returns the file that a line of the robot is in and its number there. The
// parameter file is the name of the robot's own file.
func (m *Robot) Where(file string, line int) (string, int) { return Where(m.Includes, file, line) }

// Where returns the file that a line is in and its number there. The parameter file
// is the name of the file that includes the others.
func Where(includes []IncludedFile, file string, line int) (string, int) {
	for i := len(includes) - 1; i >= 0; i-- {
		if line >= includes[i].FirstLine {
			return includes[i].File, line - includes[i].FirstLine + 1
		}
	}
	return file, line
}

// Link is a rigid body.
type Link struct {
	// Name is unique among the robot's links.
	Name string
	// Line is where the file begins to describe the link.
	Line int
	// Inertial is the mass and inertia; nil where the file gives none, which means a
	// link without mass.
	Inertial *Inertial
	// WeightCompensation is the share of the link's weight that is carried: gravity acts on the rest.
	WeightCompensation float64
	// Visuals are the shapes that pictures show.
	Visuals []Geometry
	// Collisions are the shapes that touch others.
	Collisions []Geometry
}

// Inertial is the mass of a link and its inertia about the centre of mass.
type Inertial struct {
	// Mass is in kg, not negative.
	Mass float64
	// Com is the centre of mass in the link's frame, m.
	Com r3.Vec
	// Inertia is about Com in the link's axes, kg m².
	Inertia r3.Mat
}

// Geometry is a shape on a link. Exactly one of Box, Sphere, Cylinder, Capsule,
// Ellipsoid and Mesh is set.
type Geometry struct {
	// Line is where the file describes the shape.
	Line int
	// X_LG is the pose of the shape's frame in the link's.
	X_LG r3.Pose
	// Box has the edge lengths of a box about the origin, m.
	Box *r3.Vec
	// Sphere is the radius of a ball about the origin, m; 0 for other shapes.
	Sphere float64
	// Cylinder is a cylinder about the origin, its axis along z.
	Cylinder *Round
	// Capsule is a capsule about the origin, its axis along z.
	Capsule *Round
	// Ellipsoid has the semi-axes of an ellipsoid about the origin, m.
	Ellipsoid *r3.Vec
	// Mesh is a shape of triangles.
	Mesh *Mesh
	// Color is the colour in pictures as #rrggbb, empty where the file gives none.
	Color string
	// Material has the contact parameters of a collision shape; it has no meaning
	// for visuals.
	Material ContactMaterial
}

// Round is the size of a cylinder or a capsule.
type Round struct {
	// Radius is in m.
	Radius float64
	// Length is the height of a cylinder, or that of a capsule without its caps, m.
	Length float64
}

// Mesh is a mesh file, or triangles that the robot file itself has.
type Mesh struct {
	// File is the name as written; it may begin with package://, model:// or file://.
	File string
	// Triangles are set instead of File.
	Triangles *meshes.Tri
	// Scale multiplies the coordinates x, y and z; none of the factors is 0.
	Scale r3.Vec
	// ConvexHull reports that contact uses the convex hull of the mesh.
	ConvexHull bool
	// Sound reports that the triangles are closed and cut nothing by construction, as those of height
	// fields: they are not examined.
	Sound bool
}

// ContactMaterial has the contact parameters that a collision shape gives; nil
// stands for those that it does not give. The tag drake is the name of a drake:proximity_properties.
type ContactMaterial struct {
	constraints.GivenParameters
	// StaticFriction is the coefficient of friction at rest.
	StaticFriction *float64 `drake:"mu_static"`
	// Friction is the dynamic coefficient of friction.
	Friction *float64 `drake:"mu_dynamic"`
	// ResolutionHint is the longest edge of the mesh of the pressure field, m.
	ResolutionHint *float64 `drake:"mesh_resolution_hint"`
}

// JointType is a kind of joint.
type JointType string

// The types of joints: those of URDF, the screw of Drake, the ball of SDFormat and MJCF.
const (
	Fixed      JointType = "fixed"      // no degree of freedom
	Revolute   JointType = "revolute"   // hinge with limits
	Continuous JointType = "continuous" // hinge without limits
	Prismatic  JointType = "prismatic"  // slider along the axis
	Floating   JointType = "floating"   // six degrees of freedom
	Screw      JointType = "screw"      // hinge that advances along its axis by Pitch
	Ball       JointType = "ball"       // three rotations about one point
)

// OneDOF reports whether joints of the type have one position and one velocity.
func (t JointType) OneDOF() bool {
	return t == Revolute || t == Continuous || t == Prismatic || t == Screw
}

// Joint connects two links. Positions and limits are in rad for revolute, continuous
// and screw joints, in m for prismatic ones; efforts are torques or forces.
type Joint struct {
	// Name is unique among the robot's joints.
	Name string
	// Line is where the file begins to describe the joint.
	Line int
	// Type is the type of the joint.
	Type JointType
	// Parent is the number of the link that carries the joint.
	Parent int
	// Child is the number of the link that the joint moves.
	Child int
	// X_PF is the pose of the joint's frame on the parent, J above.
	X_PF r3.Pose
	// X_CM is the pose of the joint's frame on the child; the identity in URDF.
	X_CM r3.Pose
	// Axis is the unit axis of rotation or translation in the joint's frame.
	Axis r3.Vec
	// Lower is the least position; −Inf where there is no limit.
	Lower float64
	// Upper is the greatest position; +Inf where there is no limit.
	Upper float64
	// EffortLimit bounds the torque or force of drives, N m or N; +Inf: none.
	EffortLimit float64
	// VelocityLimit is the rated speed, rad/s or m/s; +Inf: none. A
	// simulated joint is not bound by it.
	VelocityLimit float64
	// Damping is the viscous friction, N m s/rad or N s/m.
	Damping float64
	// Friction is the dry friction, N m or N.
	Friction float64
	// Stiffness is the stiffness of a joint spring, N m/rad or N/m.
	Stiffness float64
	// RestPosition is the position at which the spring is slack, rad or m.
	RestPosition float64
	// RotorInertia is the reflected inertia of the motor's rotor: multiplied by the
	// square of the gear ratio, kg m² or kg.
	RotorInertia float64
	// Pitch is the travel of a screw per revolution, m.
	Pitch float64
	// StartPosition is the position at the start, unless a scene gives another.
	StartPosition float64
	// Mimic makes the joint a mimic joint, which follows another one; nil where it is
	// independent.
	Mimic *Mimic
}

// Mimic makes the position q of a mimic joint a linear function of that of another
// joint, q = Multiplier q_Joint + Offset.
type Mimic struct {
	// Joint is the number of the other joint.
	Joint int
	// Multiplier is the ratio of the velocities.
	Multiplier float64
	// Offset is the position where the other is at zero, rad or m.
	Offset float64
}

// Warning reports an element of the file that was ignored or is probably a mistake.
type Warning struct {
	// Line is its line; see Robot.Where for files with includes.
	Line int
	// Text describes it and, where it is ambiguous, the assumption made.
	Text string
	// Repaired reports that the file is faulty there and that Text names the value used instead.
	Repaired bool
	// LeftOut reports that the element moves the robot in the program that the file is for, and does not here.
	LeftOut bool
}

// Refused reports whether readers that are strict take the warning as an error.
func (w *Warning) Refused() bool { return w.Repaired || w.LeftOut }

// Error is a fault of a robot file.
type Error struct {
	// File is the name that the reader was given, or that of an included file.
	File string
	// Line is the number of the line in File, from 1.
	Line int
	// Msg describes the fault and its remedy.
	Msg string
}

// Error implements error: file, line and message.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }
