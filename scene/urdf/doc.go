// Package urdf reads robots in the Unified Robot Description Format (URDF), with the
// tags that Drake adds to it.
//
// A URDF places the frame of each joint on the parent link by <origin>; the frame of
// the child link is that of the joint at zero. So X_PF of a joint is its origin and X_CM
// is the identity. Shapes and inertias are placed in the link's frame. Angles are in
// radians; <origin rpy> is roll, pitch and yaw about fixed axes.
//
//	element                          read as
//	link/inertial                    Link.Inertial, turned into the link's axes
//	link/visual, link/collision      Link.Visuals, Link.Collisions
//	geometry/box … mesh              Geometry
//	drake:capsule, drake:ellipsoid   Geometry
//	material/color                   Geometry.Color
//	drake:proximity_properties       Geometry.Material
//	joint type, parent, child        Joint; planar and universal ones become several of one axis
//	joint/origin, axis               X_PF, Axis
//	joint/limit                      Lower, Upper, EffortLimit, VelocityLimit
//	joint/dynamics                   Damping, Friction
//	joint/mimic                      Joint.Mimic
//	drake:screw_thread_pitch         Joint.Pitch
//	transmission/actuator            Joint.RotorInertia, from drake:rotor_inertia and gear_ratio
//	drake:ball_constraint            Robot.Loops
//	drake:collision_filter_group     Robot.ExcludedPairs
//
// Everything else is listed in the warnings.
//
// # Frames and units
//
// L is the frame of a link, P and C the frames of the parent and the child link of a joint,
// F and M the frames of the joint on them.
//
//	attribute                        unit, frame and default
//	origin/xyz                       m; pose of the joint in P, of a shape or inertial in L; 0
//	origin/rpy                       rad; roll, pitch, yaw about the fixed axes x, y, z; 0
//	axis/xyz                         direction in F, made a unit vector; 1 0 0
//	mass/value                       kg, required
//	inertia/ixx … izz                kg m², about the centre of mass, in axes of the inertial's origin
//	inertia/ixy, ixz, iyz            kg m², entries of the matrix (negative products of inertia); 0
//	limit/lower, upper               rad or m; see limit for a missing one
//	limit/effort, velocity           N m or N, rad/s or m/s; 0 or missing: unlimited
//	dynamics/damping                 N m s/rad or N s/m; 0
//	dynamics/friction                N m or N; 0
//	mimic/multiplier, offset         q = multiplier q' + offset, rad or m; 1 and 0
//	drake:screw_thread_pitch         m per revolution, positive for a right-handed thread
//	drake:rotor_inertia, gear_ratio  kg m² and 1; the joint feels ratio² times inertia
//	box/size                         m, full edges
//	cylinder, capsule/length         m, along z; of a capsule between the centres of its caps
//	mesh/scale                       factors of the file's coordinates; 1 1 1
//
// Source: https://wiki.ros.org/urdf/XML; Drake's tags:
// https://drake.mit.edu/doxygen_cxx/group__multibody__parsing.html.
package urdf
