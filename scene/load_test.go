package scene

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// fixtures writes the meshes and robots that the tests' scenes name into a folder.
func fixtures(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	surface := func(name string, edge float64, drop int) {
		box, err := meshes.BoxTets(r3.Vec{edge, edge, edge}, [3]int{2, 2, 2})
		if err != nil {
			t.Fatal(err)
		}
		tri, _ := box.Surface()
		tri.Tris = tri.Tris[:len(tri.Tris)-drop]
		if err := meshes.WriteTri(filepath.Join(dir, name), tri); err != nil {
			t.Fatal(err)
		}
	}
	surface("cube.stl", 0.1, 0)
	surface("cube.vtk", 0.1, 0)
	surface("holed.stl", 0.1, 1)
	surface("mm.stl", 100, 0)
	crossed := ""
	for _, from := range []float64{0, 0.05} { // two cubes of 0.1 m that cut each other
		for k := range 8 {
			crossed += fmt.Sprintf("v %g %g %g\n", from+0.1*float64(k&1), from+0.1*float64(k>>1&1), from+0.1*float64(k>>2))
		}
		n := map[float64]int{0: 0, 0.05: 8}[from]
		for _, f := range [][3]int{{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5}, {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}} {
			crossed += fmt.Sprintf("f %d %d %d\n", f[0]+n, f[1]+n, f[2]+n)
		}
	}
	write("crossed.obj", crossed)
	write("nan.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n")
	points := "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 0.1 0 0 0 0.1 0 0 0 0.1 "
	write("inverted.vtk", points+"0.1 0.1 0.1\nCELLS 2 10\n4 0 1 2 3\n4 1 3 2 4\nCELL_TYPES 2\n10 10\n")
	write("flat.vtk", points+"0.05 0.05 0\nCELLS 2 10\n4 0 1 2 3\n4 0 1 2 4\nCELL_TYPES 2\n10 10\n")
	write("nan.vtk", points+"nan 0 0\nCELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10 10\n")
	link := func(name, mass, ixx, inside string) string {
		return `<link name="` + name + `"><inertial><mass value="` + mass + `"/><inertia ixx="` + ixx + `" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>` + inside + "</link>\n"
	}
	joint := func(name, parent, child, more string) string {
		return `<joint name="` + name + `" type="revolute"><parent link="` + parent + `"/><child link="` + child + `"/><origin xyz="0.2 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3"/>` + more + "</joint>\n"
	}
	robot := func(name, body string) { write(name, "<robot name=\"r\">\n"+body+"</robot>\n") }
	robot("arm.urdf", `<link name="base"/>`+"\n"+
		link("upper", "1", "1e-3", `<collision><geometry><box size="0.1 0.02 0.02"/></geometry></collision>`)+
		link("lower", "0.5", "1e-3", "")+
		joint("shoulder", "base", "upper", "")+
		joint("elbow", "upper", "lower", `<mimic joint="shoulder" multiplier="2" offset="0.1"/>`))
	robot("loop.urdf", link("a", "1", "1e-3", "")+link("b", "1", "1e-3", "")+link("c", "1", "1e-3", "")+
		joint("ab", "a", "b", "")+joint("bc", "b", "c", "")+joint("ac", "a", "c", ""))
	robot("circle.urdf", link("a", "1", "1e-3", "")+link("b", "1", "1e-3", "")+link("c", "1", "1e-3", "")+
		joint("ab", "a", "b", `<mimic joint="bc"/>`)+joint("bc", "b", "c", `<mimic joint="ab"/>`))
	robot("negative.urdf", link("a", "-1", "1e-3", ""))
	robot("indefinite.urdf", `<link name="base"/>`+link("a", "1", "-1e-3", "")+joint("j", "base", "a", ""))
	robot("nan.urdf", `<link name="base"/>`+link("a", "nan", "1e-3", "")+joint("j", "base", "a", ""))
	quick := `<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><axis xyz="0 1 0"/><limit effort="3" velocity="%s"/></joint>` + "\n"
	robot("quick.urdf", `<link name="base"/>`+link("a", "1", "1e-3", "")+link("b", "1", "1e-3", "")+link("c", "1", "1e-3", "")+
		joint("ba", "base", "a", "")+fmt.Sprintf(quick, "ab", "continuous", "a", "b", "2")+fmt.Sprintf(quick, "bc", "continuous", "b", "c", "1"))
	write("door.sdf", `<sdf version="1.9"><model name="door"><link name="leaf"><pose>0.4 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>`+
		`<joint name="hinge" type="revolute"><pose>-0.4 0 0 0 0 0</pose><parent>world</parent><child>leaf</child><axis/></joint></model></sdf>`)
	write("hand.xml", `<mujoco><worldbody><body name="palm"><freejoint/><geom size="0.1"/><body name="finger" pos="0.2 0 0"><joint name="j"/><geom size="0.1"/></body></body></worldbody></mujoco>`)
	mesh := `<geometry><mesh filename="gone.stl"/></geometry>`
	robot("nocollision.urdf", `<link name="base"/>`+link("a", "1", "1e-3", "<collision>"+mesh+"</collision>")+joint("j", "base", "a", ""))
	robot("novisual.urdf", `<link name="base"/>`+link("a", "1", "1e-3", "<visual>"+mesh+"</visual>")+joint("j", "base", "a", ""))
	return dir
}

const (
	timeOf = "time: {step: 0.01, duration: 0.1}\n"
	ball   = "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}]}}\n"
	soft   = "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar}}\n"
)

// load loads a scene of this text, beside the fixtures.
func load(t testing.TB, dir, text string, set ...string) (*Scene, error) {
	t.Helper()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(path, set)
}

func TestFaultyScenesSayWhereWhatAndHow(t *testing.T) {
	dir := fixtures(t)
	for _, c := range []struct{ name, text, want string }{
		{"step of 0", "time: {step: 0, duration: 1}\n" + ball, "scene.yaml:1:1: time.step is 0 s: it must be positive"},
		{"negative step", "time: {step: -0.01, duration: 1}\n" + ball, "time.step is -0.01 s"},
		{"no time", ball, "time.step is 0 s"},
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
		{"friction lag", timeOf + ball + "solver: {friction_lag: last}\n", `solver.friction_lag is "last": the choices are geometry, previous, sweep`},
		{"friction lag of similar", timeOf + ball + "solver: {contact: similar, friction_lag: sweep}\n", "the friction of similar is not lagged"},
		{"grain alone", timeOf + ball + "materials: {default: {friction_direction: [1, 0, 0]}}\n", "materials.default: friction_transverse is wanted with friction_direction"},
		{"no grain", timeOf + ball + "materials: {default: {friction_transverse: 0.2}}\n", "there is no direction"},
		{"grain of a deformable", timeOf + soft + "materials: {default: {friction_direction: [1, 0, 0], friction_transverse: 0.2}}\n", "deformables.bar: its contact material has a friction direction"},
		{"nearest to nothing", timeOf + ball + "signals: {g: {body: ball, nearest: gap}}\n", "signals.g.from is wanted: rigid bodies"},
		{"nearest what", timeOf + ball + "signals: {g: {body: ball, from: [world], nearest: gab}}\n", `signals.g.nearest is "gab": did you mean "gap"?`},
		{"nearest to what has no shapes", timeOf + ball + "signals: {g: {body: ball, from: [world], nearest: gap}}\n", "have no shapes to touch with"},

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

		{"missing mesh file", timeOf + soft + "bodies: {}\n", ""},
		{"mesh file that is not there", timeOf + ball + "meshes: {m: {file: gone.stl}}\n", "scene.yaml:3:10: meshes.m.file: " + dir + "/gone.stl: there is no such file"},
		{"mesh without a source", timeOf + ball + "meshes: {m: {unit: mm}}\n", "one of file, box and part is wanted"},
		{"unit of a part", timeOf + ball + "meshes: {m: {part: {spur: {}}, unit: mm}}\n", "meshes.m.unit is of files: boxes and machine parts are in m"},
		{"fineness of a box", timeOf + ball + "meshes: {m: {box: {size: [1, 1, 1], cells: [1, 1, 1]}, vertices: 10}}\n", "meshes.m.vertices is of files"},
		{"unit", timeOf + ball + "meshes: {m: {file: cube.stl, unit: furlong}}\n", `unknown unit "furlong"`},
		{"scale", timeOf + ball + "meshes: {m: {file: cube.stl, scale: [1, -1, 1]}}\n", "three positive factors"},
		{"cells", timeOf + "meshes: {m: {box: {size: [1, 1, 1], cells: [1, 0, 1]}}}\n" + ball, "at least one in each direction"},
		{"too many cells", timeOf + "meshes: {m: {box: {size: [1, 1, 1], cells: [100000, 100000, 1000]}}}\n" + ball, "at most 1e7"},
		{"NaN in an STL", timeOf + ball + "meshes: {m: {file: nan.stl}}\n", "nan.stl"},
		{"NaN in a VTK", timeOf + ball + "meshes: {m: {file: nan.vtk}}\n", "nan.vtk"},
		{"flat tetrahedron", timeOf + "meshes: {m: {file: flat.vtk}}\ndeformables: {d: {mesh: m}}\n", "the first number 1"},
		{"deformable of an open surface", timeOf + "meshes: {m: {file: holed.stl}}\ndeformables: {d: {mesh: m}}\n", "tetrahedra need a closed surface"},
		{"the hole's place", timeOf + "meshes: {m: {file: holed.stl}}\ndeformables: {d: {mesh: m}}\n", "at (0.016667, 0.033333, 0.05) m"},
		{"body of an open surface", timeOf + "meshes: {m: {file: holed.stl}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n", "a contact shape needs a closed surface"},
		{"unknown mesh", timeOf + "meshes: {part: {file: cube.stl}}\ndeformables: {d: {mesh: prat}}\n", `unknown mesh "prat": did you mean "part"?`},

		{"negative mass", timeOf + "bodies: {b: {mass: -1, shapes: [{sphere: {radius: 0.1}}]}}\n", "scene.yaml:2:10: bodies.b: its mass is -1 kg"},
		{"no mass", timeOf + "bodies: {b: {}}\n", "bodies.b: it has no mass: give a mass"},
		{"point mass that is free", timeOf + "bodies: {b: {mass: 1}}\n", "no rotational inertia"},
		{"indefinite inertia", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: -1}}}\n", "not positive definite"},
		{"impossible inertia", timeOf + "bodies: {b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 3}}}\n", "cannot belong to a body"},
		{"NaN mass", timeOf + "bodies: {b: {mass: .nan}}\n", "scene.yaml:2:20: bodies.b.mass is not a number (NaN)"},
		{"infinite mass", timeOf + "bodies: {b: {mass: .inf}}\n", "bodies.b.mass is infinite"},
		{"radius", timeOf + "bodies: {b: {shapes: [{sphere: {radius: -1}}]}}\n", "radius"},
		{"two shapes at once", timeOf + "bodies: {b: {shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]}}\n", "sphere and box exclude each other"},
		{"no shape", timeOf + "bodies: {b: {mass: 1, shapes: [{}]}}\n", "a shape is wanted, one of box"},
		{"quaternion", timeOf + "bodies: {b: {pose: {quaternion: [1, 1, 0, 0]}, shapes: [{sphere: {radius: 1}}]}}\n", "unit quaternions"},
		{"two rotations", timeOf + "bodies: {b: {pose: {rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}, shapes: [{sphere: {radius: 1}}]}}\n", "one of rpy, rpy_deg and quaternion"},
		{"fixed with a joint", timeOf + "bodies: {b: {fixed: true, joint: {type: weld}}}\n", "leave out one of the two"},
		{"fixed and driven", timeOf + "bodies: {b: {fixed: true}}\ndrives: {d: {body: b, x: 1}}\n", "leave out one of the two"},
		{"joint type", timeOf + "bodies: {b: {mass: 1, joint: {type: revolut, axis: [0, 0, 1]}}}\n", `did you mean "revolute"?`},
		{"no axis", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute}}}\n", "joint.axis is wanted: axis of rotation"},
		{"no pitch", timeOf + "bodies: {b: {mass: 1, joint: {type: screw, axis: [0, 0, 1]}}}\n", "joint.pitch"},
		{"unknown parent", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute, parent: c, axis: [0, 0, 1]}}}\n", `unknown body "c"`},
		{"limits crossed", timeOf + "bodies: {b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], lower: 1, upper: 0}}}\n", "its lower limit exceeds the upper one"},
		{"loop of joints", timeOf + "bodies: {a: {mass: 1, joint: {type: weld, parent: b}}, b: {mass: 1, joint: {type: weld, parent: a}}}\n", "make a loop of a, b, a: close loops with constraints"},
		{"velocity of a joint", timeOf + "bodies: {b: {mass: 1, velocity: [1, 0, 0], joint: {type: prismatic, axis: [0, 0, 1]}}}\n", "give the velocity of the joint"},
		{"no_contact", timeOf + "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}], no_contact: [bal]}}\n", `unknown body "bal": did you mean "ball"?`},

		{"same name twice", timeOf + "bodies: {a: {mass: 1}, a: {mass: 2}}\n", "a"},
		{"body and deformable", timeOf + "bodies: {bar: {shapes: [{sphere: {radius: 1}}]}}\n" + soft, "scene.yaml:4:15: deformables.bar: the name is taken, it is one of bodies"},
		{"robot and body", timeOf + "robots: {ball: {file: arm.urdf}}\n" + ball, "bodies.ball: the name is taken"},
		{"world", timeOf + "bodies: {world: {mass: 1}}\n", "the name is taken"},
		{"dot", timeOf + "bodies: {a.b: {mass: 1}}\n", `"a.b" cannot be a name`},

		{"device for a robot", timeOf + "robots: {r: {file: '" + os.DevNull + "'}}\n", "is a device, not a file"},
		{"missing URDF", timeOf + "robots: {r: {file: gone.urdf}}\n", "robots.r.file: " + dir + "/gone.urdf: there is no such file"},
		{"robot without a file", timeOf + "robots: {r: {}}\n", "file is wanted, one of mjcf, sdf, urdf"},
		{"missing collision mesh", timeOf + "robots: {r: {file: nocollision.urdf}}\n", "nocollision.urdf:2:1: " + dir + "/gone.stl: there is no such file"},
		{"loop in a URDF", timeOf + "robots: {r: {file: loop.urdf}}\n", "loop.urdf"},
		{"circle of mimics", timeOf + "robots: {r: {file: circle.urdf}}\n", "not in a circle"},
		{"negative mass in a URDF", timeOf + "robots: {r: {file: negative.urdf, floating: true}}\n", "mass"},
		{"indefinite inertia in a URDF", timeOf + "robots: {r: {file: indefinite.urdf}}\n", "not positive definite"},
		{"NaN in a URDF", timeOf + "robots: {r: {file: nan.urdf}}\n", "nan.urdf:2"},
		{"unknown robot joint", timeOf + "robots: {r: {file: arm.urdf, joints: {sholder: 1}}}\n", `did you mean "shoulder"?`},
		{"floating and driven", timeOf + "robots: {r: {file: arm.urdf, floating: true}}\ndrives: {d: {body: r, x: 1}}\n", "leave out one of the two"},

		{"region without vertices", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar, attach: [{body: world, where: {x_min: 1}}]}}\n", "no vertex lies in this region; the mesh spans"},
		{"attach to nothing", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar, attach: [{where: {x_min: 0.1}}]}}\n", "attach: body is wanted"},
		{"attached twice", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\n" + ball + "deformables: {bar: {mesh: bar, attach: [{body: world, where: {x_min: 0}}, {body: ball, where: {x_max: 0}}]}}\n", "is attached to \"world\" and to \"ball\": attach it once"},
		{"unknown frame", timeOf + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\n" + ball + "deformables: {bar: {mesh: bar, frame: bal}}\n", `unknown body "bal"`},

		{"constraint of two kinds", timeOf + ball + "constraints: {c: {ball: {a: ball}, weld: {a: ball}}}\n", "ball and weld exclude each other"},
		{"constraint of the world to itself", timeOf + ball + "constraints: {c: {ball: {}}}\n", "two bodies are wanted of which one can move"},
		{"constraint to a deformable", timeOf + ball + soft + "constraints: {c: {ball: {a: ball, b: bar}}}\n", "bar is deformable: a rigid body is wanted here"},
		{"distance of 0", timeOf + ball + "constraints: {c: {distance: {a: ball}}}\n", "length is 0 m: it must be positive"},
		{"coupler of nothing", timeOf + ball + "constraints: {c: {coupler: {a: x, b: y, ratio: 1}}}\n", `unknown joint "x"`},
		{"coupler without a ratio", timeOf + "robots: {r: {file: arm.urdf}}\nconstraints: {c: {coupler: {a: r.shoulder, b: r.elbow}}}\n", "ratio is wanted"},

		{"drive of nothing", timeOf + ball + "drives: {d: {kp: 1}}\n", "a drive is wanted, one of body, "},
		{"drive of an unknown body", timeOf + ball + "drives: {d: {body: bal, x: 1}}\n", `drives.d.body: no body or robot is called "bal": did you mean "ball"?`},
		{"drive of an unknown joint", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.sholder}}\n", `unknown joint "r.sholder": did you mean "r.shoulder"?`},
		{"body driven twice", timeOf + ball + "drives: {d: {body: ball, x: 1}, e: {body: ball, y: 1}}\n", "moved by another drive already"},
		{"motion without a direction", timeOf + ball + "drives: {d: {body: ball}}\n", "wants one of x, y, z and angle"},
		{"angle without an axis", timeOf + ball + "drives: {d: {body: ball, angle: 1}}\n", "angle wants an axis"},
		{"gains of a motion", timeOf + ball + "drives: {d: {body: ball, x: 1, kp: 3}}\n", "drives.d.kp has no meaning for a drive of kind body"},
		{"path of a controller", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, x: 1}}\n", "drives.d.x has no meaning for a drive of kind joint"},
		{"negative gain", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, kp: -1}}\n", "drives.d.kp is -1"},
		{"effort", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, effort: 0}}\n", "effort is 0: a limit is positive"},
		{"two targets", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, target: 1, velocity: 1}}\n", "exclude each other"},
		{"times that fall", timeOf + ball + "drives: {d: {body: ball, x: {times: [1, 0], values: [0, 1]}}}\n", "scene.yaml:3:26:"},
		{"as many times as values", timeOf + ball + "drives: {d: {body: ball, x: {times: [0, 1], values: [0]}}}\n", "2 times and 1 values"},

		{"signal of nothing", timeOf + ball + "signals: {s: {body: ball}}\n", "a signal is wanted, one of angular_velocity"},
		{"signal of two", timeOf + ball + "signals: {s: {body: ball, position: x, velocity: x}}\n", "position and velocity exclude each other"},
		{"signal without a body", timeOf + ball + "signals: {s: {position: x}}\n", "signals.s.body is wanted"},
		{"key of another quantity", timeOf + ball + "signals: {s: {energy: total, body: ball}}\n", "signals.s.body has no meaning"},
		{"unknown body of a signal", timeOf + ball + "signals: {s: {body: bal, position: x}}\n", `unknown body "bal"`},
		{"unknown component", timeOf + ball + "signals: {s: {body: ball, position: w}}\n", `signals.s.position is "w"`},
		{"unknown joint of a signal", timeOf + ball + "signals: {s: {joint: knee, of: position}}\n", `unknown joint "knee": there are none`},
		{"effort over time", timeOf + "robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.shoulder, effort: {times: [0, 1], values: [1, -2]}}}\n", "drives.d: effort: -2 in its values: a limit is not negative"},
		{"unknown drive", timeOf + ball + "signals: {s: {drive_effort: knee}}\n", `unknown drive "knee"`},
		{"unknown energy", timeOf + ball + "signals: {s: {energy: thermal}}\n", "signals.s.energy is \"thermal\""},
		{"stress of a rigid body", timeOf + ball + "signals: {s: {von_mises: ball}}\n", `unknown deformable "ball"`},
		{"point of a deformable", timeOf + soft + "signals: {s: {body: bar, position: x}}\n", "a point of deformable bar is wanted"},
		{"the world's spin", timeOf + ball + "signals: {s: {body: world, angular_velocity: x}}\n", "the world does not turn"},
		{"unknown source of a force", timeOf + ball + "signals: {s: {body: ball, contact_force: x, from: [flor]}}\n", `unknown body "flor"`},
		{"column that is there", timeOf + ball + "signals: {time_s: {body: ball, position: x}}\n", "this column is there already"},

		{"unknown signal", timeOf + ball + "signals: {height: {body: ball, position: z}}\nexpect: {e: {signal: heigth, max: 1}}\n", `unknown signal "heigth": did you mean "height"?`},
		{"unknown number", timeOf + ball + "expect: {e: {run: unconverged, max: 1}}\n", `did you mean "unconverged_steps"?`},
		{"unknown stat", timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, stat: mode, max: 1}}\n", `unknown stat "mode"`},
		{"no bound", timeOf + ball + "expect: {e: {run: steps}}\n", "a bound is wanted"},
		{"value without tolerance", timeOf + ball + "expect: {e: {run: steps, value: 10}}\n", "value wants within"},
		{"window after the end", timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, over: [1, 2], max: 1}}\n", "no part of the run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, dir, c.text)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %q in it", err, c.want)
			}
		})
	}
}

// One fault is told once: not again by what is jointed to the body that has it.
func TestFaultsDoNotCascade(t *testing.T) {
	for name, text := range map[string]string{
		"mesh":  "meshes: {m: {file: gone.stl}}\nbodies: {a: {shapes: [{mesh: {mesh: m}}]}, B}\n",
		"shape": "bodies: {a: {shapes: [{sphere: {radius: -1}}]}, B}\n",
		"mass":  "bodies: {a: {}, B}\n",
		"robot": "robots: {a: {file: gone.urdf}}\nbodies: {R}\n",
	} {
		text = strings.ReplaceAll(text, "B", "b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: a}}, c: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: b}}")
		text = strings.ReplaceAll(text, "R", "b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: a.tip}}")
		_, err := load(t, fixtures(t), timeOf+text)
		if err == nil || strings.Contains(err.Error(), "unknown") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAMissingSceneIsNamed(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "gone.yaml"): "gone.yaml: there is no such file",
		dir:                             "is a folder: name the scene file in it",
	} {
		if _, err := Load(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestContactLawsAreMadeOfTheirParts(t *testing.T) {
	sc, err := load(t, fixtures(t), timeOf+ball+`
solver: {contact: lagged_regularized, normal_law: hertz, hertz_overlap: 2e-5, friction_lag: sweep, sigma: 2e-3}
materials:
  belt: {friction: {static: 0.9, dynamic: 0.4}, friction_direction: [0, 2, 0], friction_transverse: 0.1, surface_velocity: [0.5, 0, 0]}
`)
	if err != nil {
		t.Fatal(err)
	}
	law := constraints.Lagged{StictionTolerance: 1e-4, Sigma: 2e-3, Normal: constraints.Hertz{Overlap: 2e-5}, StaticFriction: true}
	if sc.Model.Contact != law || sc.Model.FrictionLag != sim.FrictionLagSweep {
		t.Errorf("%+v, lag %d", sc.Model.Contact, sc.Model.FrictionLag)
	}
	pair, err := sc.Model.ContactMaterials.Pair(&geometry.Contact{Materials: [2]int{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	side := constraints.Side{Friction: 0.4, StaticFriction: 0.9, TransverseFriction: 0.1, FrictionDirection_B: r3.Vec{0, 1, 0}, SurfaceVelocity_B: r3.Vec{0.5, 0, 0}}
	if pair.Sides[0] != side {
		t.Errorf("%+v", pair.Sides[0])
	}
}

func TestPairsReachSurfacesThatRobotFilesChange(t *testing.T) {
	dir := fixtures(t)
	urdf := `<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
		`<collision><geometry><sphere radius="0.1"/></geometry><drake:proximity_properties><drake:mu_dynamic value="0.3"/></drake:proximity_properties></collision></link>` +
		`<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`
	if err := os.WriteFile(filepath.Join(dir, "slick.urdf"), []byte(urdf), 0o666); err != nil {
		t.Fatal(err)
	}
	sc, err := load(t, dir, timeOf+ball+"robots: {r: {file: slick.urdf, pose: {xyz: [0, 0, 2]}}}\npairs: [{materials: [default, default], stiffness: 77}]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range sc.Model.Geometry.Geoms {
		pair, err := sc.Model.ContactMaterials.Pair(&geometry.Contact{Materials: [2]int{g.Material, 0}})
		if err != nil || pair.Stiffness != 77 {
			t.Errorf("%s: stiffness %g, %v", g.Name, pair.Stiffness, err)
		}
	}
}

// A mesh that is scaled after reading is not doubted for its size in the file.
func TestScaledMeshesAreNotDoubted(t *testing.T) {
	dir := fixtures(t)
	urdf := `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
		`<collision><geometry><mesh filename="mm.stl" scale="1e-3 1e-3 1e-3"/></geometry></collision></link></robot>`
	if err := os.WriteFile(filepath.Join(dir, "mm.urdf"), []byte(urdf), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"meshes: {m: {file: mm.stl, scale: [1e-3, 1e-3, 1e-3]}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n",
		"robots: {r: {file: mm.urdf, floating: true}}\n",
	} {
		if sc, err := load(t, dir, timeOf+text); err != nil || len(sc.Warnings) > 0 {
			t.Errorf("%s: %v, %v", text, err, sc.Warnings)
		}
	}
}

func TestDoubtfulScenesWarnAndLoad(t *testing.T) {
	dir := fixtures(t)
	for _, c := range []struct{ name, text, want string }{
		{"millimetres", timeOf + "meshes: {m: {file: mm.stl}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n", "`unit: mm`"},
		{"flattened by its weight", timeOf + soft + "materials: {default: {youngs_modulus: 1.5}}\n", "deformables.bar: youngs_modulus of 1.5 Pa does not carry its own weight, which presses with 2e+03 Pa"},
		{"light as air", timeOf + soft + "materials: {default: {density: 1.1}}\n", "deformables.bar: density of 1.1 kg/m³ is less than that of the lightest foam"},
		{"inverted tetrahedra", timeOf + "meshes: {m: {file: inverted.vtk}}\ndeformables: {d: {mesh: m}}\n", "mesh m: 1 tetrahedron of 2 with their vertices in the other order reversed"},
		{"a target beyond the velocity limit", timeOf + "robots: {r: {file: quick.urdf}}\ndrives: {d: {joint: r.bc, kp: 1, target: {sine: {amplitude: 1, frequency: 2}}}}\n",
			"drives.d: its target moves at up to 12.6 a second, but the speed limit of r.bc is 1: a simulated joint is not held to that limit"},
		{"a speed beyond it", timeOf + "robots: {r: {file: quick.urdf}}\ndrives: {d: {joint: r.bc, kd: 1, velocity: -1.1}}\n", "its target moves at up to 1.1 a second"},
		{"missing visual mesh", timeOf + "robots: {r: {file: novisual.urdf}}\n", "visual left out"},
		{"overlap", timeOf + "bodies:\n  a: {shapes: [{sphere: {radius: 0.1}}]}\n  b: {pose: {xyz: [0.15, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}\n", "bodies.a and bodies.b: they overlap by 50 mm at the start, and contact will push them apart; start them apart, or name one in the other's no_contact"},
		{"position beyond limits", timeOf + "robots: {r: {file: arm.urdf, joints: {shoulder: 3}}}\n", "outside of its limits -1 to 2"},
		{"mimic elsewhere", timeOf + "robots: {r: {file: arm.urdf, joints: {elbow: 1}}}\n", "it mimics r.shoulder and belongs at 0.1"},
		{"locking", timeOf + soft + "materials: {default: {poissons_ratio: 0.49}}\n", "lock above 0.45"},
		{"grain under sap", timeOf + ball + "solver: {contact: sap}\nmaterials: {default: {friction_direction: [1, 0, 0], friction_transverse: 0.2}}\n", "friction under sap has no direction"},
		{"unused resolution", timeOf + "bodies: {b: {shapes: [{sphere: {radius: 0.1}, resolution_hint: 0.01}]}}\n", "the resolution hint is not used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := load(t, dir, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(sc.Warnings, "\n"), c.want) {
				t.Errorf("got warnings %q\nwant %q in them", sc.Warnings, c.want)
			}
		})
	}
}

func TestAFaultlessSceneHasNoWarnings(t *testing.T) {
	sc, err := load(t, fixtures(t), timeOf+ball+"robots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 2]}}}\n")
	if err != nil || len(sc.Warnings) > 0 {
		t.Errorf("%v, %q", err, sc.Warnings)
	}
}

func TestSurfacesOfAnyFormatServeBodies(t *testing.T) {
	dir := fixtures(t)
	for _, file := range []string{"cube.stl", "cube.vtk"} {
		for _, kind := range []string{"mesh", "convex"} {
			sc, err := load(t, dir, timeOf+"meshes: {m: {file: "+file+"}}\nbodies: {b: {shapes: [{"+kind+": {mesh: m}}]}}\n")
			if err != nil {
				t.Errorf("%s as %s: %v", file, kind, err)
				continue
			}
			if m := sc.Model.Rigid.Link(0).Mass; m < 0.999 || m > 1.001 { // 1 litre of 1000 kg/m³
				t.Errorf("%s as %s weighs %g kg, want 1", file, kind, m)
			}
		}
	}
}

func TestOverridesTakeEffectAndTheirFaultsAreTheirOwn(t *testing.T) {
	dir := fixtures(t)
	text := timeOf + "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}]}}\nrobots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 2]}}}\n" +
		"drives: {d: {body: ball, x: {times: [0, 1], values: [0, 1]}}}\n"
	sc, err := load(t, dir, text, "time.step=0.002", "solver.contact=sap", "materials.default.stiffness=3e6",
		"materials.default.density=2000", "robots.r.joints.shoulder=0.5", "drives.d.x=0.25")
	if err != nil {
		t.Fatal(err)
	}
	p, err := sc.Model.ContactMaterials.Pair(contactOf(0))
	if err != nil {
		t.Fatal(err)
	}
	if sc.File.Time.Step != 0.002 || sc.File.Solver.Contact.Name != "sap" || p.Stiffness != 1.5e6 || sc.Model.Start.Q[0] != 0.5 {
		t.Errorf("step %g, law %s, pair %g N/m, joint %g", sc.File.Time.Step, sc.File.Solver.Contact.Name, p.Stiffness, sc.Model.Start.Q[0])
	}
	other, err := load(t, dir, text)
	if err != nil || other.Fingerprint == sc.Fingerprint {
		t.Errorf("overrides do not change the fingerprint (%v)", err)
	}
	var o *OverrideError
	for _, c := range []struct {
		set, want string
		override  bool
	}{
		{"time.stpe=1", `--set time.stpe=1: unknown path time.stpe: did you mean "step"?`, true},
		{"bodies.bal.mass=1", `bodies has no "bal": did you mean "ball"?`, true},
		{"time.step=soon", `time.step: a number is wanted, not "soon"`, true},
		{"time.step=.inf", "time.step is infinite", true},
		{"time.step=-1", "time.step is -1 s", false},
		{"robots.r.joints.knee=1", `called "knee"`, false},
	} {
		_, err := load(t, dir, text, c.set)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &o) != c.override {
			t.Errorf("%s: got %v, want %q in it", c.set, err, c.want)
		}
	}
}
