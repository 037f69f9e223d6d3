// Package mjcf reads robots in MJCF, the XML of MuJoCo.
//
// In MJCF bodies nest: a body is placed in the one around it, and the joints in it connect
// it to that one. A body without joints is fixed. A joint is placed in the body, where it
// is at its position ref. Elements inherit attributes from <default> classes, by name
// (class) or from the bodies around them (childclass); defaults.go resolves these.
//
//	element or attribute               read as
//	compiler                           units of angles, Euler angles, folders, inertias
//	default                            attributes of the elements below
//	include                            elements in its place; lines, see Robot.Where
//	worldbody                          the root link world, unless it holds one free or fixed body
//	body, frame                        Link; poses by pos and one of five orientations
//	inertial                           Link.Inertial, else the mass of the shapes
//	geom                               Link.Collisions; Visuals if contype = conaffinity = 0
//	geom/size, fromto                  half lengths and radii, as Geometry
//	geom/mesh, asset/mesh              Mesh, in contact its convex hull
//	geom/rgba, material                Geometry.Color
//	geom/friction                      ContactMaterial: sliding friction
//	joint hinge, slide, ball, free     Joint; several in a body are a chain of massless links
//	joint/range, ref, springref        Lower, Upper, StartPosition, RestPosition
//	joint/damping, frictionloss        Damping, Friction
//	joint/stiffness, armature          Stiffness, RotorInertia
//	joint/actuatorfrcrange             EffortLimit
//	actuator/forcerange, ctrlrange     EffortLimit, times the gear ratio
//	equality/joint                     Joint.Mimic, if it is linear
//	contact/exclude, contype, ...      Robot.ExcludedPairs
//	option/gravity                     Robot.Gravity
//
// Everything else is listed in the warnings. MuJoCo's soft constraints (solref, solimp)
// have no exact counterpart in rigid contact with friction: stiffness and dissipation
// come from the materials of the scene.
//
// Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html.
package mjcf
