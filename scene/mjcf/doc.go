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
//	attach, replicate                  copies in their place, see attach.go, replicate.go
//	worldbody                          the root link world, unless it has one free or fixed body
//	body, frame                        Link; poses by pos and one of five orientations
//	inertial                           Link.Inertial, else the mass of the shapes
//	body/gravcomp                      Link.WeightCompensation
//	geom                               Link.Collisions; Visuals if contype = conaffinity = 0
//	geom/size, fromto                  half lengths and radii, as Geometry
//	geom/hfield, asset/hfield          Mesh, closed, of heights in the file, PNG or MuJoCo's binary format
//	geom/mesh, asset/mesh              Mesh, in contact its convex hull, of a geom of type sdf itself
//	geom/rgba, material                Geometry.Color
//	geom/friction                      ContactMaterial: sliding friction
//	joint hinge, slide, ball, free     Joint; several in a body are a chain of massless links
//	joint/range, ref, springref        Lower, Upper, StartPosition, RestPosition
//	joint/damping, frictionloss        Damping, Friction
//	joint/stiffness, armature          Stiffness, RotorInertia
//	joint/springdamper                 Stiffness, Damping, see oscillators.go
//	joint/actuatorfrcrange             EffortLimit
//	actuator                           Robot.Actuators of joints and fixed tendons; EffortLimit
//	tendon/fixed                       a sum of joints of these; Robot.Couplings: limits, equalities
//	equality/joint                     Joint.Mimic, if it is linear
//	equality/connect, weld             Robot.Loops
//	keyframe/key                       Robot.Keyframes
//	contact/exclude, contype, ...      Robot.ExcludedPairs
//	option/gravity                     Robot.Gravity
//
// Everything else is listed in the warnings. MuJoCo's soft constraints (solref, solimp)
// have no exact counterpart in rigid contact with friction: stiffness and dissipation
// come from the materials of the scene.
//
// # Frames and units
//
// B is the frame of a body, P that of the body around it, M the frame of a joint in B.
//
//	attribute                   unit, frame and default
//	pos                         m; of a body in P, of a joint, geom or inertial in B; 0
//	quat                        (w, x, y, z), normalized; 1 0 0 0
//	axisangle                   direction and angle
//	euler                       three angles about the axes of compiler/eulerseq
//	xyaxes, zaxis              directions of the x and y axes, or of the z axis alone
//	angles                      degrees, unless compiler/angle is radian
//	inertial/mass               kg, required
//	inertial/diaginertia        kg m², about the centre of mass, in the inertial's own axes
//	inertial/fullinertia        kg m², xx yy zz xy xz yz, in axes of B
//	geom/mass, density          kg; else density times volume; 1000 kg/m³
//	geom/size                   m: radius, half length, half edges, semi-axes
//	geom/fromto                 m, two points in B
//	geom/contype, conaffinity   masks of 32 bits; 1
//	geom/friction               sliding, torsional, rolling; 1 0.005 0.0001, of which sliding is read
//	geom/group                  0; groups 0 to 2 are shown
//	joint/axis                  direction in B; 0 0 1
//	joint/range, ref, springref angle or m; ref is the position in which the file places the body; 0
//	joint/damping               N m s/rad or N s/m; 0
//	joint/frictionloss          N m or N; 0
//	joint/stiffness             N m/rad or N/m, towards springref; 0
//	joint/armature              kg m² or kg, added to the inertia that the joint feels; 0
//	joint/actuatorfrcrange      N m or N
//	actuator/gear               factor from the actuator's force to the joint's; 1
//	actuator/ctrlrange, kp, …   in the units of the joint times the gear, see actuators.go
//	equality/polycoef           a₀ … a₄ in rad or m; 0 1 0 0 0
//	option/gravity              m/s², in the world
//
// # Rules of the format
//
//   - An attribute of an element is its own, else that of its default class, else that of the
//     classes around that class, else the format's.
//   - A geom has contact unless contype and conaffinity are both 0; two geoms touch where contype
//     of one and conaffinity of the other have a common bit.
//   - Bodies that are fixed to each other, or are parent and child, do not touch, except the
//     world and its children.
//   - A body without <inertial> has the mass of its geoms, as do all bodies where
//     compiler/inertiafromgeom is true.
//   - A range limits a joint or an actuator if its flag (limited, forcelimited, ctrllimited) is
//     true, or is auto, compiler/autolimits is true and the range is not empty.
//   - A name that an element refers to may be defined later in the file.
//   - Attributes of numbers that may be shorter than their class's, such as size and friction,
//     keep the rest of the class's numbers.
//   - A mesh touches as its convex hull; vertices without faces mean their hull.
//
// # Names
//
// Links have the names of their bodies, joints those of the file. Where the file gives none, a
// body is called body and its number in the file, a joint its body and the name of its element,
// such as arm_joint, and a joint that fixes a body its parent and its own name. The massless
// links of a chain are called by the body and a number from 1. A number is appended where a name
// is taken.
//
// Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html.
package mjcf
