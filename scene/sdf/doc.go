// Package sdf reads robots in SDFormat, versions 1.4 to 1.11, as Gazebo and Drake read
// it, with the tags that Drake adds.
//
// SDFormat places links, joints and <frame>s in any of these or in the model, by
// <pose relative_to="…">. Without it a link is placed in the model, a joint in its child,
// a frame in what it is attached to. So the pose of a link that a joint names, and that of
// the joint, may lead to each other in any order; frames.go resolves them.
//
//	element                          read as
//	model                            robot.Robot; one, alone or in a world, with those in it
//	include                          a model in the model, from another file
//	model/pose, placement_frame      X_FR, with the pose of the root link; frames of the world count
//	model/static                     all joints fixed, the root a link called world
//	link/inertial                    Link.Inertial; 1 kg and 1 kg m² where left out
//	inertial auto="true", density    Link.Inertial of its collisions, see inertia.go
//	link/visual, link/collision      Link.Visuals, Link.Collisions
//	geometry/box … mesh, ellipsoid   Geometry; a plane is ignored with a warning
//	geometry/cone, polyline          Geometry.Mesh.Triangles
//	visual/material/diffuse          Geometry.Color
//	surface/friction/ode/mu, mu2     ContactMaterial: the greater static, the lesser dynamic
//	drake:proximity_properties       ContactMaterial
//	drake:deformable_properties      Robot.Deformables, see deformables.go
//	drake:wall_boundary_condition    Deformable.Walls
//	joint type, parent, child        Joint; parent world makes the world the root
//	a second joint to a link         Robot.Loops: fixed joints, balls and hinges
//	drake:ball_constraint            Robot.Loops
//	axis/xyz, expressed_in           Joint.Axis
//	axis/limit                       Lower, Upper, EffortLimit, VelocityLimit
//	axis/dynamics                    Damping, Friction, Stiffness, RestPosition
//	axis/mimic, drake:mimic          Joint.Mimic
//	gearbox                          Joint.Mimic of one of the two hinges that it ties
//	screw_thread_pitch               Joint.Pitch, m per revolution; 1
//	thread_pitch                     the same, in rad/m of a left-handed thread
//	drake:gear_ratio, rotor_inertia  Joint.RotorInertia, reflected through the gear
//	drake:collision_filter_group     Robot.ExcludedPairs
//
// # Frames and units
//
// M is the model's frame, L that of a link, J that of a joint, W the world of the file.
//
//	element                          unit, frame and default
//	pose                             x y z in m, then roll pitch yaw in rad about fixed axes; 0
//	pose degrees="true"              angles in degrees
//	pose rotation_format="quat_xyzw" quaternion (x, y, z, w), normalized
//	pose relative_to                 up to version 1.6 called frame
//	mass                             kg; 1
//	density                          kg/m³; 1000
//	inertia/ixx, iyy, izz            kg m², about the centre of mass, in axes of the inertial's pose; 1
//	inertia/ixy, ixz, iyz            kg m², entries of the matrix; 0
//	axis/xyz                         direction in J, made a unit vector; 0 0 1
//	axis/limit/lower, upper          rad or m; ±1e16 and more stand for no limit, as does a missing one
//	axis/limit/effort, velocity      N m or N, rad/s or m/s; 0, negative or missing: unlimited
//	axis/dynamics/damping            N m s/rad or N s/m; 0
//	axis/dynamics/friction           N m or N; 0
//	axis/dynamics/spring_stiffness   N m/rad or N/m; 0
//	axis/dynamics/spring_reference   rad or m; 0
//	box/size                         m, full edges
//	cylinder, capsule/length         m, along z; of a capsule between the centres of its caps
//	cone/length                      m, along z; the tip is at +z
//	ellipsoid/radii                  m, semi-axes
//	polyline/point, height           m; x y of a corner, from z = 0 to height
//	mesh/scale                       factors of the file's coordinates; 1 1 1
//	mu, mu2                          1; ODE's Coulomb coefficients along two directions
//
// Angles of limits, springs and mimics are in radians in all versions.
//
// # Rules of the format
//
//   - Names of links, joints and frames are one set; world and names like __model__ are
//     reserved. Up to version 1.6 they may clash, see names.go.
//
//   - The first link is the canonical link, which the model's frame moves with, unless
//     canonical_link names another.
//
//   - The axis of a joint is written in J, unless expressed_in names another frame. In
//     version 1.4 it is written in M; use_parent_model_frame says the same up to 1.6.
//
//   - A screw has a right-handed thread of screw_thread_pitch metres per revolution. The older
//     thread_pitch has the opposite sign and the inverse unit.
//
//   - <gravity> false of a link takes all of its weight off: Link.WeightCompensation is 1.
//
//   - A link without an <inertial> has the format's default of 1 kg and 1 kg m².
//
//   - Parent and child of a joint may be frames, which stand for the links that they move with.
//
//   - Names of nested and included models have the model's name and :: in front; see models.go.
//
//   - Joints of several axes become joints of one axis each; see joints_axes.go.
//
// Everything else is listed in the warnings.
//
// Source: http://sdformat.org/spec.
package sdf
