// Package sdf reads robots in SDFormat, versions 1.4 to 1.11, as Gazebo and Drake read
// it, with the tags that Drake adds.
//
// SDFormat places links, joints and <frame>s in any of these or in the model, by
// <pose relative_to="…">. Without it a link is placed in the model, a joint in its child,
// a frame in what it is attached to. So the pose of a link that a joint names, and that of
// the joint, may lead to each other in any order; frames.go resolves them.
//
//	element                          read as
//	model                            robot.Robot; one, alone or in a world
//	model/pose, placement_frame      X_FR, with the pose of the root link
//	model/static                     all joints fixed, the root a link called world
//	link/inertial                    Link.Inertial; 1 kg and 1 kg m² where left out
//	link/visual, link/collision      Link.Visuals, Link.Collisions
//	geometry/box … mesh, ellipsoid   Geometry; a plane is ignored with a warning
//	visual/material/diffuse          Geometry.Color
//	surface/friction/ode/mu, mu2     ContactMaterial: the greater static, the lesser dynamic
//	drake:proximity_properties       ContactMaterial
//	joint type, parent, child        Joint; parent world makes the world the root
//	axis/xyz, expressed_in           Joint.Axis
//	axis/limit                       Lower, Upper, EffortLimit, VelocityLimit
//	axis/dynamics                    Damping, Friction, Stiffness, RestPosition
//	axis/mimic, drake:mimic          Joint.Mimic
//	screw_thread_pitch               Joint.Pitch, m per revolution
//	thread_pitch                     the same, in rad/m of a left-handed thread
//	drake:gear_ratio, rotor_inertia  Joint.RotorInertia, reflected through the gear
//	drake:collision_filter_group     Robot.ExcludedPairs
//
// Everything else is listed in the warnings. Models are not put together: <include> and
// models in models are faults.
//
// Source: http://sdformat.org/spec.
package sdf
