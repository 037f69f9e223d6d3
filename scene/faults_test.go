package scene

import (
	"os"
	"strings"
	"testing"
)

// fault is a faulty scene and a part of the error that it must give; empty: none.
type fault struct{ name, text, want string }

// checkFaults loads scenes beside the fixtures in dir.
func checkFaults(t *testing.T, dir string, list []fault) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, dir, c.text)
			if c.want == "" && err != nil {
				t.Fatal(err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v\nwant %q in it", err, c.want)
			}
		})
	}
}

func TestFaultySettingsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"negative step", "time: {step: -0.01, duration: 1}\n" + ball, "scene.yaml:1:1: time.step is -0.01 s: it must be positive"},
		{"no time", ball, "time.duration is 0 s"},
		{"duration of 0", "time: {step: 0.01, duration: 0}\n" + ball, "time.duration is 0 s: it must be positive"},
		{"shorter than a step", "time: {step: 0.01, duration: 0.001}\n" + ball, "shorter than one time.step"},
		{"endless", "time: {step: 1e-9, duration: 1e9}\n" + ball, "1e+18 steps: at most 1e+09"},
		{"infinite", "time: {step: 0.01, duration: .inf}\n" + ball, "time.duration is infinite"},
		{"nothing to simulate", timeOf, "nothing to simulate"},
		{"only fixed bodies", timeOf + "bodies: {a: {fixed: true, shapes: [{sphere: {radius: 1}}]}}\n", "nothing to simulate"},
		{"rate of 0", timeOf + ball + "output: {rate: 0}\n", "output.rate is 0"},
		{"negative checkpoint", timeOf + ball + "output: {checkpoint: -1}\n", "output.checkpoint is -1 s"},
		{"tolerance", timeOf + ball + "solver: {tolerance: 2}\n", "solver.tolerance is 2"},
		{"iterations", timeOf + ball + "solver: {max_iterations: 0}\n", "solver.max_iterations is 0: at least 1"},
		{"margin", timeOf + ball + "solver: {speculative_margin: -1}\n", "solver.speculative_margin is -1 m"},
		{"contact law", timeOf + ball + "solver: {contact: laged}\n", "lagged"},
		{"stiction", timeOf + ball + "solver: {stiction_tolerance: 0}\n", "stiction"},
		{"screwing hinge", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {type: revolute, axis: [0, 0, 1], pitch: 1}}}\n", "bodies.b.joint.pitch has no meaning for a joint of kind revolute"},
		{"damped freedom", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {type: free, damping: 1}}}\n", "bodies.b.joint.damping has no meaning for a joint of type free"},
		{"normal law", timeOf + ball + "solver: {normal_law: hertzian}\n", `solver.normal_law: unknown normal law "hertzian": did you mean "hertz"?`},
		{"normal law of sap", timeOf + ball + "solver: {contact: sap, normal_law: hertz}\n", "solver.contact: contact model sap has its own, linear normal law: use lagged or similar"},
		{"barrier range", timeOf + ball + "solver: {normal_law: ipc, barrier_range: 0}\n", "solver.barrier_range is 0 m: it must be positive"},
		{"friction lag", timeOf + ball + "solver: {friction_lag: something}\n", `solver.friction_lag is "something": the choices are auto, geometry, previous, sweep`},
		{"method of a mesh", timeOf + "meshes: {m: {file: cube.stl, method: stufing}}\ndeformables: {d: {mesh: m}}\n", `unknown method "stufing": did you mean "stuffing"?`},
		{"friction lag of similar", timeOf + ball + "solver: {contact: similar, friction_lag: sweep}\n", "the friction of similar is not lagged"},
		{"grain alone", timeOf + ball + "materials: {default: {friction_direction: [1, 0, 0]}}\n", "materials.default: friction_transverse is required with friction_direction"},
		{"no grain", timeOf + ball + "materials: {default: {friction_transverse: 0.2}}\n", "there is no direction"},
		{"grain of a deformable", timeOf + soft + "materials: {default: {friction_direction: [1, 0, 0], friction_transverse: 0.2}}\n", "deformables.bar: its contact material has a friction direction"},
		{"nearest to nothing", timeOf + ball + "signals: {g: {body: ball, nearest: gap}}\n", "signals.g.from is required: rigid bodies"},
		{"nearest to a misspelled quantity", timeOf + ball + "signals: {g: {body: ball, from: [world], nearest: gab}}\n", `signals.g.nearest is "gab": did you mean "gap"?`},
		{"nearest to what has no shapes", timeOf + ball + "signals: {g: {body: ball, from: [world], nearest: gap}}\n", "signals.g: from: world: no collision shape there: name a body that has one"},
		{"nearest of what has no shapes", timeOf + "bodies: {ball: {shapes: [{sphere: {radius: 1}}]}, point: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}}\nsignals: {g: {body: point, from: [ball], nearest: gap}}\n", "signals.g: body: point has no collision shape: name a body that has one"},
	})
}

func TestFaultyMaterialsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"negative density", timeOf + ball + "materials: {default: {density: -1}}\n", "materials.default.density is -1 kg/m³"},
		{"no stiffness of the inside", timeOf + soft + "materials: {default: {youngs_modulus: 0}}\n", "youngs_modulus is 0 Pa: it must be positive"},
		{"negative Young's modulus", timeOf + soft + "materials: {default: {youngs_modulus: -1e5}}\n", "youngs_modulus is -100000 Pa"},
		{"incompressible", timeOf + soft + "materials: {default: {poissons_ratio: 0.5}}\n", "poissons_ratio is 0.5: it must lie between -1 and 0.5"},
		{"damping", timeOf + soft + "materials: {default: {stiffness_damping: -1}}\n", "stiffness_damping is -1 s"},
		{"contact layer", timeOf + soft + "materials: {default: {pressure_gradient: 0}, a: {}}\n", "materials.default.pressure_gradient is 0 Pa/m: it must be positive, such as 1e8"},
		{"negative modulus of pressure", timeOf + ball + "materials: {a: {hydroelastic_modulus: -1}}\n", "materials.a.hydroelastic_modulus is -1 Pa: it must be positive"},
		{"law", timeOf + soft + "materials: {default: {law: neohookean}}\n", `did you mean "neo_hookean"?`},
		{"negative friction", timeOf + ball + "materials: {rubber: {friction: -0.5}}\n", "materials.rubber: material: static friction is -0.5"},
		{"colour", timeOf + ball + "materials: {rubber: {color: red}}\n", `"red" is not a colour: write "#rrggbb"`},
		{"unknown material", timeOf + "materials: {rubber: {}}\nbodies: {a: {shapes: [{sphere: {radius: 1}, material: ruber}]}}\n", `scene.yaml:3:23: unknown material "ruber": did you mean "rubber"?`},
		{"unknown material of a pair", timeOf + ball + "materials: {rubber: {}}\npairs: [{materials: [rubber, stel]}]\n", `unknown material "stel"`},
		{"pair of one", timeOf + ball + "pairs: [{materials: [default]}]\n", "materials names two"},
	})
}

func TestFaultyMeshesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"missing mesh file", timeOf + soft + "bodies: {}\n", ""},
		{"mesh file that is not there", timeOf + ball + "meshes: {m: {file: gone.stl}}\n", "scene.yaml:3:10: meshes.m.file: " + dir + "/gone.stl: there is no such file"},
		{"mesh without a source", timeOf + ball + "meshes: {m: {unit: mm}}\n", "one of file, box and part is required"},
		{"unit of a part", timeOf + ball + "meshes: {m: {part: {spur: {}}, unit: mm}}\n", "meshes.m.unit applies to mesh files only: boxes and machine parts are in metres"},
		{"fineness of a box", timeOf + ball + "meshes: {m: {box: {size: [1, 1, 1], cells: [1, 1, 1]}, vertices: 10}}\n", "meshes.m.vertices applies to mesh files only"},
		{"unit", timeOf + ball + "meshes: {m: {file: cube.stl, unit: furlong}}\n", `unknown unit "furlong"`},
		{"scale", timeOf + ball + "meshes: {m: {file: cube.stl, scale: [1, -1, 1]}}\n", "three positive factors"},
		{"cells", timeOf + "meshes: {m: {box: {size: [1, 1, 1], cells: [1, 0, 1]}}}\n" + ball, "at least one in each direction"},
		{"too many cells", timeOf + "meshes: {m: {box: {size: [1, 1, 1], cells: [100000, 100000, 1000]}}}\n" + ball, "10010200201001 vertices, the limit is 200000"},
		{"NaN in an STL", timeOf + ball + "meshes: {m: {file: nan.stl}}\n", "nan.stl"},
		{"NaN in a VTK", timeOf + ball + "meshes: {m: {file: nan.vtk}}\n", "nan.vtk"},
		{"flat tetrahedron", timeOf + "meshes: {m: {file: flat.vtk}}\ndeformables: {d: {mesh: m}}\n", "the first number 1"},
		{"deformable of an open surface", timeOf + "meshes: {m: {file: holed.stl}}\ndeformables: {d: {mesh: m}}\n", "tetrahedra need a closed surface"},
		{"the hole's place", timeOf + "meshes: {m: {file: holed.stl}}\ndeformables: {d: {mesh: m}}\n", "at (0.016667, 0.033333, 0.05) m"},
		{"body of an open surface", timeOf + "meshes: {m: {file: holed.stl}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n", "a contact shape needs a closed surface"},
		{"unknown mesh", timeOf + "meshes: {part: {file: cube.stl}}\ndeformables: {d: {mesh: prat}}\n", `unknown mesh "prat": did you mean "part"?`},
	})
}

func TestFaultyBodiesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"negative mass", timeOf + "bodies: {b: {mass: -1, shapes: [{sphere: {radius: 0.1}}]}}\n", "scene.yaml:2:10: bodies.b: its mass is -1 kg"},
		{"no mass", timeOf + "bodies: {b: {}}\n", "bodies.b: it has no mass: give a mass"},
		{"point mass that is free", timeOf + "bodies: {b: {mass: 1}}\n", "no rotational inertia"},
		{"indefinite inertia", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: -1}}}\n", "not positive definite"},
		{"impossible inertia", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 3}}}\n", "cannot belong to a body"},
		{"NaN mass", timeOf + "bodies: {b: {mass: .nan}}\n", "scene.yaml:2:20: bodies.b.mass is not a number (NaN)"},
		{"infinite mass", timeOf + "bodies: {b: {mass: .inf}}\n", "bodies.b.mass is infinite"},
		{"radius", timeOf + "bodies: {b: {shapes: [{sphere: {radius: -1}}]}}\n", "radius"},
		{"two shapes at once", timeOf + "bodies: {b: {shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]}}\n", "sphere and box exclude each other"},
		{"no shape", timeOf + "bodies: {b: {mass: 1, shapes: [{}]}}\n", "a shape is required, one of box"},
		{"quaternion", timeOf + "bodies: {b: {pose: {quaternion: [1, 1, 0, 0]}, shapes: [{sphere: {radius: 1}}]}}\n", "unit quaternions"},
		{"two rotations", timeOf + "bodies: {b: {pose: {rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}, shapes: [{sphere: {radius: 1}}]}}\n", "one of rpy, rpy_deg and quaternion"},
		{"fixed with a joint", timeOf + "bodies: {b: {fixed: true, joint: {type: weld}}}\n", "leave out one of the two"},
		{"fixed and driven", timeOf + "bodies: {b: {fixed: true}}\ndrives: {d: {body: b, x: 1}}\n", "leave out one of the two"},
		{"joint type", timeOf + "bodies: {b: {mass: 1, joint: {type: revolut, axis: [0, 0, 1]}}}\n", `did you mean "revolute"?`},
		{"no axis", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute}}}\n", "joint.axis is required: axis of rotation"},
		{"no pitch", timeOf + "bodies: {b: {mass: 1, joint: {type: screw, axis: [0, 0, 1]}}}\n", "joint.pitch"},
		{"unknown parent", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute, parent: c, axis: [0, 0, 1]}}}\n", `unknown body "c"`},
		{"limits crossed", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], lower: 1, upper: 0}}}\n", "its lower limit exceeds the upper one"},
		{"loop of joints", timeOf + "bodies: {a: {mass: 1, joint: {type: weld, parent: b}}, b: {mass: 1, joint: {type: weld, parent: a}}}\n", "make a loop of a, b, a: close loops with constraints"},
		{"velocity of a joint", timeOf + "bodies: {b: {mass: 1, velocity: [1, 0, 0], joint: {type: prismatic, axis: [0, 0, 1]}}}\n", "give the velocity of the joint"},
		{"no_contact", timeOf + "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}], no_contact: [bal]}}\n", `unknown body "bal": did you mean "ball"?`},
	})
}

func TestFaultyNamesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"same name twice", timeOf + "bodies: {a: {mass: 1}, a: {mass: 2}}\n", "a"},
		{"body and deformable", timeOf + "bodies: {bar: {shapes: [{sphere: {radius: 1}}]}}\n" + soft, "scene.yaml:4:15: deformables.bar: the name is taken, it is one of bodies"},
		{"robot and body", timeOf + "robots: {ball: {file: arm.urdf}}\n" + ball, "bodies.ball: the name is taken"},
		{"world", timeOf + "bodies: {world: {mass: 1}}\n", "the name is taken"},
		{"dot", timeOf + "bodies: {a.b: {mass: 1}}\n", `"a.b" cannot be a name`},
	})
}

func TestFaultyRobotsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"device for a robot", timeOf + "robots: {r: {file: '" + os.DevNull + "'}}\n", "is a device, not a file"},
		{"missing URDF", timeOf + "robots: {r: {file: gone.urdf}}\n", "robots.r.file: " + dir + "/gone.urdf: there is no such file"},
		{"robot without a file", timeOf + "robots: {r: {}}\n", "file is required, one of mjcf, sdf, urdf"},
		{"missing collision mesh", timeOf + "robots: {r: {file: nocollision.urdf}}\n", "nocollision.urdf:2:1: " + dir + "/gone.stl: there is no such file"},
		{"loop in a URDF", timeOf + "robots: {r: {file: loop.urdf, strict: true}}\n", "is left out: link"},
		{"circle of mimics", timeOf + "robots: {r: {file: circle.urdf}}\n", "not in a cycle"},
		{"negative mass in a URDF", timeOf + "robots: {r: {file: negative.urdf, floating: true}}\n", "mass"},
		{"indefinite inertia in a URDF", timeOf + "robots: {r: {file: indefinite.urdf, strict: true}}\n", "no body has its principal moments"},
		{"NaN in a URDF", timeOf + "robots: {r: {file: nan.urdf}}\n", "nan.urdf:2"},
		{"unknown robot joint", timeOf + "robots: {r: {file: arm.urdf, joints: {sholder: 1}}}\n", `did you mean "shoulder"?`},
		{"floating and driven", timeOf + "robots: {r: {file: arm.urdf, floating: true}}\ndrives: {d: {body: r, x: 1}}\n", "leave out one of the two"},
	})
}

func TestFaultyDeformablesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"region without vertices", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar, attach: [{body: world, where: {x_min: 1}}]}}\n", "no vertex lies in this region; the mesh spans"},
		{"attach to nothing", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar, attach: [{where: {x_min: 0.1}}]}}\n", "attach: body is required"},
		{"attached twice", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\n" + ball + "deformables: {bar: {mesh: bar, attach: [{body: world, where: {x_min: 0}}, {body: ball, where: {x_max: 0}}]}}\n", "is attached to \"world\" and to \"ball\": attach it once"},
		{"unknown frame", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\n" + ball + "deformables: {bar: {mesh: bar, frame: bal}}\n", `unknown body "bal"`},
	})
}

func TestFaultyConstraintsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"constraint of two kinds", timeOf + ball + "constraints: {c: {ball: {a: ball}, weld: {a: ball}}}\n", "ball and weld exclude each other"},
		{"constraint of the world to itself", timeOf + ball + "constraints: {c: {ball: {}}}\n", "give two bodies of which at least one can move"},
		{"weld of two deformables", timeOf + ball + soft + "constraints: {c: {weld: {a: bar, b: bar}}}\n", "a weld of two deformables: weld both to one rigid body"},
		{"point beside a deformable", timeOf + ball + soft + "constraints: {c: {ball: {a: ball, b: bar, point_b: [1, 0, 0]}}}\n", "point_b: [1 0 0] m lies 0.9 m outside of the mesh"},
		{"distance of 0", timeOf + ball + "constraints: {c: {distance: {a: ball}}}\n", "length is 0 m: it must be positive"},
		{"coupler of nothing", timeOf + ball + "constraints: {c: {coupler: {a: x, b: y, ratio: 1}}}\n", `unknown joint "x"`},
		{"coupler without a ratio", timeOf + "robots: {r: {file: arm.urdf}}\nconstraints: {c: {coupler: {a: r.shoulder, b: r.elbow}}}\n", "ratio is required"},
	})
}

func TestFaultyDrivesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"drive of nothing", timeOf + ball + "drives: {d: {kp: 1}}\n", "a drive is required, one of body, "},
		{"drive of an unknown body", timeOf + ball + "drives: {d: {body: bal, x: 1}}\n", `drives.d.body: no body or robot is called "bal": did you mean "ball"?`},
		{"drive of an unknown joint", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.sholder}}\n", `unknown joint "r.sholder": did you mean "r.shoulder"?`},
		{"body driven twice", timeOf + ball + "drives: {d: {body: ball, x: 1}, e: {body: ball, y: 1}}\n", "moved by another drive already"},
		{"motion without a direction", timeOf + ball + "drives: {d: {body: ball}}\n", "needs at least one of x, y, z and angle"},
		{"angle without an axis", timeOf + ball + "drives: {d: {body: ball, angle: 1}}\n", "angle needs an axis"},
		{"gains of a motion", timeOf + ball + "drives: {d: {body: ball, x: 1, kp: 3}}\n", "drives.d.kp has no meaning for a drive of kind body"},
		{"path of a controller", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, x: 1}}\n", "drives.d.x has no meaning for a drive of kind joint"},
		{"negative gain", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, kp: -1}}\n", "drives.d.kp is -1"},
		{"effort", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, effort: 0}}\n", "effort is 0: a limit must be positive"},
		{"two targets", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, target: 1, velocity: 1}}\n", "exclude each other"},
		{"times that fall", timeOf + ball + "drives: {d: {body: ball, x: {times: [1, 0], values: [0, 1]}}}\n", "scene.yaml:3:26:"},
		{"values of a constant", timeOf + ball + "drives: {d: {body: ball, x: {values: 0.5}}}\n", `drives.d.x: a motion is required, one of delayed, live, sine, times, value: did you mean "value"?`},
		{"name of a motion alone", timeOf + ball + "drives: {d: {body: ball, x: sinne}}\n", `drives.d.x: a number or a motion with its parameters is expected, not "sinne": did you mean "sine"?`},
		{"motion with a unit", timeOf + ball + "drives: {d: {body: ball, x: 5 mm}}\n", "drives.d.x: a number is expected, not \"5 mm\": write 0.005"},
		{"as many times as values", timeOf + ball + "drives: {d: {body: ball, x: {times: [0, 1], values: [0]}}}\n", "2 times and 1 values"},
	})
}

func TestFaultySignalsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"signal of nothing", timeOf + ball + "signals: {s: {body: ball}}\n", "a signal is required, one of accelerometer, angular_momentum"},
		{"signal of two", timeOf + ball + "signals: {s: {body: ball, position: x, velocity: x}}\n", "position and velocity exclude each other"},
		{"signal without a body", timeOf + ball + "signals: {s: {position: x}}\n", "signals.s.body is required"},
		{"key of another quantity", timeOf + ball + "signals: {s: {energy: total, body: ball}}\n", "signals.s.body has no meaning"},
		{"unknown body of a signal", timeOf + ball + "signals: {s: {body: bal, position: x}}\n", `unknown body "bal"`},
		{"unknown component", timeOf + ball + "signals: {s: {body: ball, position: w}}\n", `signals.s.position is "w"`},
		{"unknown joint of a signal", timeOf + ball + "signals: {s: {joint: knee, joint_state: position}}\n", `unknown joint "knee": there are none`},
		{"effort over time", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, effort: {times: [0, 1], values: [1, -2]}}}\n", "drives.d: effort: -2 in its values: a limit must not be negative"},
		{"unknown drive", timeOf + ball + "signals: {s: {drive_effort: knee}}\n", `unknown drive "knee"`},
		{"unknown energy", timeOf + ball + "signals: {s: {energy: thermal}}\n", "signals.s.energy is \"thermal\""},
		{"stress of a rigid body", timeOf + ball + "signals: {s: {von_mises: ball}}\n", `unknown deformable "ball"`},
		{"point of a deformable", timeOf + soft + "signals: {s: {body: bar, position: x}}\n", "a point of deformable bar is required"},
		{"acceleration of a deformable", timeOf + soft + "signals: {s: {body: bar, accelerometer: x}}\n", "put the accelerometer on a rigid body, such as a small one that bar is attached to"},
		{"wrench without a joint", timeOf + ball + "signals: {s: {body: ball, joint_wrench: force_x}}\n", "ball floats, no joint transmits a force to it"},
		{"measured itself", timeOf + ball + "signals: {s: {measured: s}}\n", "s is measured itself: name the signal that it measures"},
		{"unknown signal", timeOf + ball + "signals: {s: {measured: force}}\n", `measured: unknown signal "force"`},
		{"the world's spin", timeOf + ball + "signals: {s: {body: world, angular_velocity: x}}\n", "the world does not turn"},
		{"unknown source of a force", timeOf + ball + "signals: {s: {body: ball, contact_force: x, from: [flor]}}\n", `unknown body "flor"`},
		{"column that is there", timeOf + ball + "signals: {time_s: {body: ball, position: x}}\n", "every table has this column: choose another name"},
	})
}

func TestFaultyExpectationsSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	checkFaults(t, dir, []fault{
		{"unknown signal", timeOf + ball + "signals: {height: {body: ball, position: z}}\nexpect: {e: {signal: heigth, max: 1}}\n", `unknown signal "heigth": did you mean "height"?`},
		{"unknown number", timeOf + ball + "expect: {e: {run: unconverged, max: 1}}\n", `did you mean "unconverged_steps"?`},
		{"unknown stat", timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, stat: mode, max: 1}}\n", `unknown stat "mode"`},
		{"no bound", timeOf + ball + "expect: {e: {run: steps}}\n", "a bound is required"},
		{"value without tolerance", timeOf + ball + "expect: {e: {run: steps, value: 10}}\n", "value needs within"},
		{"window after the end", timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, over: [1, 2], max: 1}}\n", "is outside of the run"},
		{"window from its end", timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, over: [0.1, 0.05], max: 1}}\n", "is outside of the run"},
	})
}
