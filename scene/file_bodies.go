package scene

// Frames of this file: W the world, B a body at its origin, Bcm its centre of mass, G a shape, M the
// mesh of a deformable, and for joints F on the parent and M on the body (Featherstone frames). X_AB
// is the pose of B in A.
//
// A body with a joint states its pose at joint position 0. From this and the joint's point follow the
// frames F and M, which coincide at position 0:
//
//	X_BM = (1, point),  X_PF = X_WP⁻¹ X_WB X_BM                               (1)
//
// so that moving the joint's point does not move the body.

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// Pose is a position and a rotation: roll-pitch-yaw, or a quaternion (w,x,y,z).
type Pose struct {
	Pos
	// XYZ is p_AB, the origin of B in the axes of A.
	XYZ [3]float64 `key:"xyz" unit:"m" doc:"position"`
	// RPY is R_AB = Rz(yaw) Ry(pitch) Rx(roll), as in URDF. It excludes RPYDeg and Quaternion.
	RPY *[3]float64 `key:"rpy" unit:"rad" doc:"roll, pitch and yaw: rotations about the fixed axes x, y and z, in this order"`
	// RPYDeg is RPY in degrees.
	RPYDeg *[3]float64 `key:"rpy_deg" unit:"°" doc:"roll, pitch and yaw"`
	// Quaternion has the real part first; its squared norm may differ from 1 by 1e-3, the rounding of
	// files, and is normalized then. q and −q are the same rotation.
	Quaternion *[4]float64 `key:"quaternion" doc:"unit quaternion (w, x, y, z)"`
}

// Shape is a shape of a body, of exactly one kind.
type Shape struct {
	Pos
	// Pose is the constant pose X_BG of the shape on its body.
	Pose Pose `key:"pose" doc:"pose of the shape in the body's frame"`
	// Material gives contact parameters, the density from which the body's mass follows, and the colour.
	Material string `key:"material" ref:"material" doc:"material" default:"default"`
	// Color takes precedence over the colours of body and material.
	Color string `key:"color" doc:"colour \"#rrggbb\"" default:"that of the body"`
	// Visual marks shapes without contact. They count for the mass only where a body has no
	// other shapes.
	Visual bool `key:"visual_only" doc:"only drawn: it does not touch anything"`
	// ResolutionHint is the longest edge of the mesh of hydroelastic contact, which alone uses it.
	// Halving it makes about four times the faces of a contact surface and eight times the tetrahedra
	// of a field.
	ResolutionHint float64 `key:"resolution_hint" formerly:"resolution" unit:"m" doc:"longest edge of the shape's pressure field, or of the rigid surface that fields press on" default:"a sixteenth of the size, or for round shapes what keeps the force at rest within 2 %"`

	// Kind is the kind of geometry, in the shape's own frame G.
	Kind Item[geometry.ShapeSpec] `kind:""`
}

// Body is a rigid body.
type Body struct {
	Pos
	// Fixed fixes the body to the world. It excludes Joint and drives; the mass then has no
	// effect.
	Fixed bool `key:"fixed" doc:"the body never moves"`
	// Mass scales the inertia of the shapes to this mass; their distribution is kept. 0: by density.
	Mass float64 `key:"mass" unit:"kg" doc:"mass" default:"from the shapes and the density of their materials"`
	// Com is the position p_BBcm of the centre of mass. It does not change the inertia, which
	// is about the centre of mass.
	Com *[3]float64 `key:"com" unit:"m" doc:"centre of mass in the body's frame" default:"of the shapes"`
	// Inertia must be positive definite and obey the triangle inequality of its principal moments.
	Inertia *Inertia `key:"inertia" unit:"kg m²" doc:"inertia about the centre of mass, in body axes" default:"of the shapes"`
	// WeightCompensation is the share of the weight that is carried: gravity acts on (1 − c) of the mass.
	WeightCompensation float64 `key:"weight_compensation" doc:"share of the weight that is carried: 1 for all of it, beyond 1 the body is driven up"`
	// Pose is X_WB at the start for free bodies.
	Pose Pose `key:"pose" doc:"pose in the world, with a joint that at joint position 0"`
	// Velocity is v_WB of the origin B, not of the centre of mass, in world axes. Bodies with joints take
	// the velocity of the joint in its place.
	Velocity [3]float64 `key:"velocity" unit:"m/s" doc:"initial velocity of a free body"`
	// AngularVelocity is w_WB in world axes.
	AngularVelocity [3]float64 `key:"angular_velocity" unit:"rad/s" doc:"initial angular velocity of a free body"`
	// Shapes of one body never touch each other. Without any, mass and inertia must be given.
	Shapes []Shape `key:"shapes" doc:"shapes of the body"`
	// Joint connects the body to its parent; nil: a free body with six degrees of freedom. The
	// joint has the name of the body.
	Joint *Joint `key:"joint" doc:"joint that connects the body to its parent" default:"free"`
	// NoContact lists bodies that never touch this one. It suffices that one body of a pair
	// lists the other.
	NoContact []string `key:"no_contact" ref:"body" doc:"bodies that it never touches, besides those to which a joint connects it and those welded to the same link"`
	// Color is the colour of all shapes of the body without one of their own.
	Color string `key:"color" doc:"colour \"#rrggbb\"" default:"that of the material"`
}

// Inertia is the rotational inertia about the centre of mass, kg m², in body axes.
type Inertia struct {
	// XX is the moment of inertia ∫ (y² + z²) dm.
	XX float64 `key:"ixx" unit:"kg m²" doc:"moment of inertia about x"`
	// YY is the moment of inertia ∫ (x² + z²) dm.
	YY float64 `key:"iyy" unit:"kg m²" doc:"moment of inertia about y"`
	// ZZ is the moment of inertia ∫ (x² + y²) dm.
	ZZ float64 `key:"izz" unit:"kg m²" doc:"moment of inertia about z"`
	// XY is the matrix entry −∫ x y dm (negative product of inertia), as in URDF and MJCF.
	XY float64 `key:"ixy" unit:"kg m²" doc:"product of inertia, −∫ x y dm"`
	// XZ is the matrix entry −∫ x z dm.
	XZ float64 `key:"ixz" unit:"kg m²" doc:"product of inertia, −∫ x z dm"`
	// YZ is the matrix entry −∫ y z dm.
	YZ float64 `key:"iyz" unit:"kg m²" doc:"product of inertia, −∫ y z dm"`
}

// Joint connects a body to its parent. The body's pose is its pose at zero
// joint position; the axis passes through point and is given in that pose's
// frame.
type Joint struct {
	Pos
	// Parent is the parent body: a link of a robot or any body of the file. Loops are an error;
	// close them by constraints.
	Parent string `key:"parent" ref:"body" doc:"body that carries this one" default:"world"`
	// Point is the position p_BM of the joint on the body. On the parent, the joint lies where
	// this point is in the body's pose at joint position 0.
	Point [3]float64 `key:"point" unit:"m" doc:"origin of the joint's frame in the body's frame, whose axes it shares at zero position"`
	// Position is the joint position at the start, which moves the body away from its pose. A ball
	// joint takes a unit quaternion, universal and gimbal joints take their angles in order.
	Position Numbers `key:"position" unit:"m or rad" doc:"initial position; a list for joints of several" default:"0"`
	// Velocity is the joint velocity at the start: that of the body relative to its parent, in
	// the order of the kind's degrees of freedom.
	Velocity Numbers `key:"velocity" formerly:"speed" unit:"m/s or rad/s" doc:"initial velocity; a list for joints of several" default:"0"`
	// Lower is the lower joint limit. Limits are one-sided constraints, which act in the step
	// that would pass them.
	Lower *float64 `key:"lower,inf" unit:"m or rad" doc:"lower limit" default:"none"`
	// Upper is the upper joint limit, not less than Lower; equal limits lock the joint.
	Upper *float64 `key:"upper,inf" unit:"m or rad" doc:"upper limit" default:"none"`
	// Damping is viscous damping of each degree of freedom, implicit in the step, so that any value
	// is stable.
	Damping float64 `key:"damping" unit:"N s/m or N m s" doc:"viscous damping"`
	// Friction is the dry friction of the joint in motion, independent of load, and at rest, unless
	// StaticFriction is more.
	Friction float64 `key:"friction" unit:"N or N m" doc:"dry friction"`
	// StaticFriction is the dry friction of the joint at rest, from which it falls to Friction within ten times the
	// sliding tolerance.
	StaticFriction float64 `key:"static_friction" unit:"N or N m" doc:"dry friction at rest (breakaway), where it is more than friction"`
	// Stiffness is the stiffness k of a joint spring with the effort −k (q − Rest), implicit in
	// the step.
	Stiffness float64 `key:"stiffness" unit:"N/m or N m/rad" doc:"stiffness of a spring"`
	// Rest is the position at which the spring is slack. It has no effect without Stiffness.
	Rest float64 `key:"rest" unit:"m or rad" doc:"position at which the spring is relaxed"`
	// RotorInertia is the reflected inertia of the motor (armature): the rotor's inertia times the
	// square of the gear ratio. It adds to the diagonal of the mass matrix but has no weight and no
	// gyroscopic torque.
	RotorInertia float64 `key:"rotor_inertia" unit:"kg or kg m²" doc:"reflected inertia of the motor's rotor"`

	// Kind is the type of the joint, with its axes in the joint's frame F.
	Kind Item[rigid.JointSpec] `kind:"type"`
}

// Robot is an articulated model from a robot file.
type Robot struct {
	Pos
	// File is the path of a URDF, SDFormat or MJCF file; the format follows from the extension,
	// else from the content.
	File string `key:"file" doc:"robot file"`
	// Pose is X_WF. A drive of the robot moves F from there.
	Pose Pose `key:"pose" doc:"pose of the file's own frame: the root link of a URDF, the world of SDFormat and MJCF files"`
	// Floating frees or fixes the base. nil: as in the file (free joints of MJCF float; bases
	// of URDF and SDFormat are fixed).
	Floating *bool `key:"floating" doc:"whether the base is free" default:"as the file says, else fixed"`
	// Joints are start positions of joints with one degree of freedom. Mimic joints follow their
	// leaders, unless they are listed. Other joints start at the file's reference position, clamped to
	// their limits.
	Joints Named[float64] `key:"joints" unit:"m or rad" doc:"initial positions of joints"`
	// Keyframe is the keyframe of an MJCF file at which the robot starts; Joints takes
	// precedence over it.
	Keyframe string `key:"keyframe" doc:"keyframe of an MJCF file at which the robot starts, by name, else by number" default:"the file's reference positions"`
	// Controls are in the unit that the actuator reads: rad or m of servos of position, N or N m of motors.
	Controls Named[motion.Motion] `key:"controls" doc:"controls of actuators of an MJCF file over time, by the name of the actuator, in the unit that it reads" default:"those of the keyframe, else 0"`
	// Actuators enables the actuators of the file. Those of joints that a drive of the scene
	// moves are always disabled.
	Actuators *bool `key:"actuators" doc:"whether actuators of an MJCF file act; those of joints that drives of the scene move never do" default:"true"`
	// Material is the contact material of the links. A material named here takes precedence over the
	// contact parameters of the robot file; the default material does not.
	Material string `key:"material" ref:"material" doc:"material of collision shapes that name none" default:"default"`
	// Packages are relative to the scene. Names that are missing are searched in folders above the file.
	Packages Named[string] `key:"packages" doc:"folder of each package:// name"`
	// Strict turns all corrections of a faulty robot file into errors, and what moves the robot in the program that the
	// file is for and is left out here. It serves files of one's own programs, and comparisons with others.
	Strict bool `key:"strict" doc:"refuse a file that has to be repaired, or acts by what is left out here, such as spatial tendons, with an error for each place" default:"false"`
	// MissingMeshes "skip" serves files whose meshes were not published.
	MissingMeshes string `key:"missing_meshes" doc:"error, or skip: leave out collision meshes whose file is missing, with a warning" default:"error"`
	// Model is the name of the model in an SDFormat file; files of other formats have one
	// robot.
	Model string `key:"model" doc:"which model of an SDFormat file with several" default:"the first"`
	// SelfContact enables contact between links of the robot. nil excludes pairs of links that joints
	// connect to one tree, so that free bodies of one file touch; false excludes all pairs of links;
	// true excludes those that the file excludes and, unless the format says otherwise, those that a
	// joint connects.
	SelfContact *bool `key:"self_contact" formerly:"self_collision" doc:"whether links of the robot touch each other" default:"only those of bodies that move freely beside each other"`
	// Visuals false shows collision shapes in pictures, which contact acts on.
	Visuals *bool `key:"visuals" doc:"whether pictures show the visual meshes" default:"true"`
}

// Deformable is an entry of section deformables: a mesh with a material, a pose and what it is attached to.
type Deformable struct {
	Pos
	// Mesh is the name of a mesh, which several bodies may share.
	Mesh string `key:"mesh" ref:"mesh" doc:"volume mesh, or closed surface, which becomes tetrahedra"`
	// Material defines the interior (constitutive law, density, damping) and the surface
	// (pressure gradient, friction).
	Material string `key:"material" ref:"material" doc:"material" default:"default"`
	// Frame is the body whose frame places the deformable at the start. It is not attached to the
	// deformable, as Attach does.
	Frame string `key:"frame" ref:"body" doc:"body from which pose is measured at the start" default:"world"`
	// Pose is the pose X_FM of the mesh frame M in the frame F of Frame; the undeformed shape
	// is rotated with it.
	Pose Pose `key:"pose" doc:"pose of the mesh's frame"`
	// Velocity is the velocity of the centre of mass at the start, in world axes; the body
	// starts without strain rate.
	Velocity [3]float64 `key:"velocity" unit:"m/s" doc:"initial velocity"`
	// AngularVelocity is the angular velocity at the start, about the centre of mass, in world
	// axes.
	AngularVelocity [3]float64 `key:"angular_velocity" unit:"rad/s" doc:"initial angular velocity, about the centre of mass"`
	// Attach lists regions fixed to bodies. Regions must not share vertices.
	Attach []Attach `key:"attach" doc:"regions that are fixed to bodies"`
	// Color is the colour of the body in pictures that show no field.
	Color string `key:"color" doc:"colour \"#rrggbb\"" default:"that of the material"`
	// NoContact names rigid bodies, links or deformables.
	NoContact []string `key:"no_contact" ref:"body" doc:"bodies that it never touches, besides those to which it is attached"`
	// Elements is the kind of finite element. tet4 works with any mesh and law but is too stiff
	// in bending of thin walls; other kinds, which auto prefers, bend correctly.
	Elements Item[fem.ElementKind] `kind:"elements,optional" default:"auto"`
	// SelfContact enables contact of the surface with itself, at the cost of another pair of
	// bodies.
	SelfContact bool `key:"self_contact" doc:"parts of the body touch each other, as ribs, jaws and folds do; a pressure_gradient that the material states should be at least Young's modulus over the length of an element"`
}

// Attach fixes vertices to a body, or to the world.
type Attach struct {
	Pos
	// Body keeps the vertices where they are at the start, relative to it. On fixed bodies and on the world
	// they leave the problem; on moving bodies a stiff constraint ties them.
	Body string `key:"body" ref:"body" doc:"rigid body; world: the vertices never move"`
	// Where selects the vertices in the mesh frame M, before Pose is applied.
	Where Region `key:"where" doc:"region of the vertices"`
}

// Region selects vertices by a box in the mesh's own frame.
type Region = sim.Region
