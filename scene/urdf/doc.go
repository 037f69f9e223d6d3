// Package urdf reads robots in the Unified Robot Description Format (URDF), with the
// tags that Drake adds to it.
//
// A URDF places the frame of each joint on the parent link by <origin>; the frame of
// the child link is that of the joint at zero. So X_PF of a joint is its origin and X_CM
// is the identity. Shapes and inertias are placed in the link's frame. Angles are in
// radians; <origin rpy> holds roll, pitch and yaw about fixed axes.
//
//	element                          read as
//	link/inertial                    Link.Inertial, turned into the link's axes
//	link/visual, link/collision      Link.Visuals, Link.Collisions
//	geometry/box … mesh              Geometry
//	drake:capsule, drake:ellipsoid   Geometry
//	material/color                   Geometry.Color
//	drake:proximity_properties       Geometry.Material
//	joint type, parent, child        Joint; planar joints are faults
//	joint/origin, axis               X_PF, Axis
//	joint/limit                      Lower, Upper, EffortLimit, VelocityLimit
//	joint/dynamics                   Damping, Friction
//	joint/mimic                      Joint.Mimic
//	drake:screw_thread_pitch         Joint.Pitch
//	transmission/actuator            Joint.RotorInertia, from drake:rotor_inertia and gear_ratio
//	drake:collision_filter_group     Robot.ExcludedPairs
//
// Everything else is listed in the warnings.
//
// Source: https://wiki.ros.org/urdf/XML; Drake's tags:
// https://drake.mit.edu/doxygen_cxx/group__multibody__parsing.html.
package urdf
