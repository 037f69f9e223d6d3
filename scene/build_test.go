package scene

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// contactOf returns a point contact of two surfaces of one material.
func contactOf(material int) *geometry.Contact {
	return &geometry.Contact{Materials: [2]int{material, material}}
}

// simulate steps a scene to a time and returns its signals then, by name.
func simulate(t *testing.T, sc *Scene, until float64) map[string]float64 {
	t.Helper()
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	memory := sc.Signals.NewMemory()
	h := sc.File.Time.Step
	st.Place(x, h)
	v := sc.Signals.Evaluate(st, x, memory, nil)
	for x.Time < until-h/2 {
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
		st.Place(x, h)
		v = sc.Signals.Evaluate(st, x, memory, v[:0])
	}
	m := map[string]float64{}
	for i, n := range sc.Signals.Names() {
		m[n] = v[i]
	}
	return m
}

// near reports values that differ from what is wanted by more than tol.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.9g, want %.9g ± %.3g", what, got, want, tol)
	}
}

func mustLoad(t *testing.T, dir, text string, set ...string) *Scene {
	t.Helper()
	sc, err := load(t, dir, text, set...)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

const noGravity = "gravity: [0, 0, 0]\n"

func TestMimicJointsStartAndStayWhereTheyBelong(t *testing.T) {
	sc := mustLoad(t, fixtures(t), "time: {step: 0.002, duration: 1}\nrobots: {r: {file: arm.urdf, joints: {shoulder: 0.2}}}\n"+
		"signals: {a: {joint: r.shoulder, joint_state: position}, b: {joint: r.elbow, joint_state: position}, va: {joint: r.shoulder, joint_state: velocity}, vb: {joint: r.elbow, joint_state: velocity}}\n")
	v := simulate(t, sc, 0)
	near(t, "shoulder", v["a"], 0.2, 0)
	near(t, "elbow", v["b"], 0.5, 1e-15) // 2 · 0.2 + 0.1
	v = simulate(t, sc, 0.2)
	if v["a"] < 0.25 {
		t.Errorf("the arm does not fall: %g", v["a"])
	}
	near(t, "elbow", v["b"], 2*v["a"]+0.1, 0)
	near(t, "elbow's speed", v["vb"], 2*v["va"], 0)
}

// A finger of a public hand (Schunk SVH), of which two links have no mass: its joints follow at any step, also where it
// starts straight.
func TestFingersWithoutMassFollow(t *testing.T) {
	for _, offset := range []float64{0, 1e-6, 1e-3} {
		dir := t.TempDir()
		joint := func(name, parent, child string, x, ratio float64) string {
			mimic := ""
			if ratio > 0 {
				mimic = fmt.Sprintf(`<mimic joint="j1" multiplier="%g" offset="%g"/>`, ratio, offset)
			}
			return fmt.Sprintf(`<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="%g 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1000" velocity="100"/>%s</joint>`,
				name, parent, child, x, mimic)
		}
		text := `<robot name="finger"><link name="palm"/><link name="a"/><link name="b"/><link name="c"><inertial><origin xyz="0.01 0 0"/><mass value="0.02"/><inertia ixx="2e-6" iyy="2e-6" izz="2e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>` +
			joint("j1", "palm", "a", 0, 0) + joint("j3", "a", "b", 0.0485, 1) + joint("j4", "b", "c", 0.03, 1.45) + "</robot>"
		if err := os.WriteFile(filepath.Join(dir, "finger.urdf"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, h := range []float64{5e-4, 2e-3, 1e-2} {
			sc := mustLoad(t, dir, fmt.Sprintf("time: {step: %g, duration: 1}\n", h)+noGravity+"robots: {h: {file: finger.urdf}}\n"+
				"drives: {d: {joint: h.j1, kp: 3, kd: 0.1, effort: 2, target: {times: [0, 0.8], values: [0, 0.95]}}}\n"+
				"signals: {q1: {joint: h.j1, joint_state: position}, q3: {joint: h.j3, joint_state: position}, q4: {joint: h.j4, joint_state: position}}\n")
			v := simulate(t, sc, 0.4)
			near(t, "leader", v["q1"], 0.475, 2e-3)
			near(t, "follower", v["q3"], v["q1"]+offset, 1e-15)
			near(t, "follower", v["q4"], 1.45*v["q1"]+offset, 1e-15)
		}
	}
}

// Drives of robots refuse mimic joints by name; a drive of a mimic joint alone acts on its leader.
func TestDrivesOfMimicJoints(t *testing.T) {
	_, err := load(t, fixtures(t), "time: {step: 0.002, duration: 1}\nrobots: {r: {file: arm.urdf}}\ndrives: {d: {robot: r, joints: [shoulder, elbow], kp: 10}}\n")
	if err == nil || !strings.Contains(err.Error(), "elbow is a mimic joint and moves with r.shoulder") {
		t.Errorf("error %v", err)
	}
	sc := mustLoad(t, fixtures(t), "time: {step: 0.002, duration: 1}\n"+noGravity+"robots: {r: {file: arm.urdf}}\ndrives: {d: {joint: r.elbow, kp: 200, kd: 20, target: 0.7}}\n"+
		"signals: {a: {joint: r.shoulder, joint_state: position}}\n")
	near(t, "shoulder", simulate(t, sc, 1)["a"], 0.3, 1e-3)
}

func TestJointLimitsStopTheArm(t *testing.T) {
	sc := mustLoad(t, fixtures(t), "time: {step: 0.002, duration: 2}\nrobots: {r: {file: arm.urdf}}\n"+
		"constraints: {}\nsignals: {a: {joint: r.shoulder, joint_state: position}, b: {joint: r.elbow, joint_state: position}}\n")
	v := simulate(t, sc, 2)
	// the elbow reaches 2 when the shoulder is at 0.95
	near(t, "elbow", v["b"], 2, 5e-3)
	near(t, "shoulder", v["a"], 0.95, 5e-3)
}

func TestRobotsHangOnPrescribedBases(t *testing.T) {
	sc := mustLoad(t, fixtures(t), "time: {step: 0.005, duration: 1}\n"+noGravity+"robots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 1]}}}\n"+
		"drives: {lift: {body: r, z: {times: [0, 0.4], values: [0, 0.3]}, axis: [0, 0, 1], angle: {times: [0, 0.4], values: [0, 1.5707963267948966], smooth: false}}}\n"+
		"signals: {z: {body: r.base, position: z}, turn: {body: r.base, rotation: angle}, w: {body: r.base, angular_velocity: z}, d: {body: r.base, position: z, since: 0.2}}\n")
	v := simulate(t, sc, 0.5)
	near(t, "height", v["z"], 1.3, 1e-12)
	near(t, "angle", v["turn"], math.Pi/2, 1e-12)
	near(t, "height since 0.2 s", v["d"], 0.15, 1e-12) // minimum jerk is half way at half time
	near(t, "height since 0.2 s, at 0.1 s", simulate(t, sc, 0.1)["d"], 0, 0)
	near(t, "spin", simulate(t, sc, 0.3)["w"], math.Pi/2/0.4, 1e-9)
}

// slider is a body of 2 kg on a prismatic joint along x.
const slider = "  slider: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}\n"

func TestDrivesReachWhatTheyAreSetTo(t *testing.T) {
	base := "time: {step: 0.001, duration: 2}\n" + noGravity + "bodies:\n" + slider +
		"signals: {x: {joint: slider, joint_state: position}, v: {joint: slider, joint_state: velocity}, f: {drive_effort: d}}\n"
	for _, c := range []struct {
		name, drive      string
		at, x, v, f, tol float64
	}{
		{"position", "{joint: slider, kp: 800, kd: 80, target: 0.3}", 1.5, 0.3, 0, 0, 1e-4},
		{"velocity", "{joint: slider, kd: 200, velocity: 0.5}", 0.5, math.NaN(), 0.5, math.NaN(), 1e-4},
		{"feed-forward", "{joint: slider, feed_forward: 4}", 0.5, 0.25, 1, 4, 1e-3},
		{"limited effort", "{joint: slider, kp: 1e5, kd: 10, effort: 4, target: 10}", 0.5, 0.25, 1, 4, 1e-3},
		{"table", "{joint: slider, kp: 8000, kd: 400, target: {times: [0, 1], values: [0, 0.2]}}", 1.5, 0.2, 0, 0, 1e-4},
		{"sine", "{joint: slider, kp: 1e6, kd: 1e4, target: {sine: {amplitude: 0.1, frequency: 1}}}", 0.25, 0.1, 0, math.NaN(), 5e-3},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := simulate(t, mustLoad(t, t.TempDir(), base+"drives: {d: "+c.drive+"}\n"), c.at)
			for _, k := range []struct {
				name string
				want float64
			}{{"x", c.x}, {"v", c.v}, {"f", c.f}} {
				if !math.IsNaN(k.want) {
					near(t, k.name, v[k.name], k.want, c.tol*max(1, math.Abs(k.want)))
				}
			}
		})
	}
}

// two free balls of 1 kg, 0.5 m apart, of which b is thrown.
const twoBalls = "time: {step: 0.001, duration: 1}\n" + noGravity + `bodies:
  a: {mass: 1, shapes: [{sphere: {radius: 0.05}}]}
  b: {mass: 1, pose: {xyz: [0.5, 0, 0]}, velocity: [0, 1, 0.2], shapes: [{sphere: {radius: 0.05}}]}
signals:
  gap: {body: b, position: norm, relative_to: a}
  x: {body: b, position: x, relative_to: a}
  y: {body: b, position: y, relative_to: a}
  turn: {body: b, rotation: angle, relative_to: a}
  p: {momentum: y}
`

func TestConstraintsKeepBodiesTogether(t *testing.T) {
	dir := t.TempDir()
	free := simulate(t, mustLoad(t, dir, twoBalls), 0.5)
	if free["gap"] < 0.6 {
		t.Fatalf("without a constraint the gap is %g", free["gap"])
	}
	for _, c := range []struct {
		name, constraint string
		want             map[string]float64
	}{
		{"weld", "{weld: {a: a, b: b}}", map[string]float64{"x": 0.5, "y": 0, "turn": 0, "p": 1}},
		{"ball", "{ball: {a: a, b: b}}", map[string]float64{"x": 0.5, "y": 0, "p": 1}},
		{"distance", "{distance: {a: a, b: b}}", map[string]float64{"gap": 0.5, "p": 1}},
		{"rope", "{distance: {a: a, b: b, length: 0.55, rope: true}}", map[string]float64{"gap": 0.55, "p": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := simulate(t, mustLoad(t, dir, twoBalls+"constraints: {c: "+c.constraint+"}\n"), 0.5)
			for name, want := range c.want {
				near(t, name, v[name], want, 1e-3)
			}
		})
	}
}

func TestCouplersTieJoints(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), "time: {step: 0.001, duration: 1}\n"+noGravity+"bodies:\n"+slider+
		"  other: {mass: 1, joint: {type: prismatic, axis: [0, 1, 0], position: 0.1}}\n"+
		"constraints: {c: {coupler: {a: other, b: slider, ratio: -2, offset: 0.1}}}\n"+
		"drives: {d: {joint: slider, kp: 800, kd: 80, target: 0.3}}\nsignals: {q: {joint: other, joint_state: position}}\n")
	near(t, "the coupled joint", simulate(t, sc, 1)["q"], 0.1-0.6, 1e-3)
}

func TestBodiesHangOnRobotLinks(t *testing.T) {
	// the arm's upper link is at x = 0.2 of its base, which is turned by 90° about z
	sc := mustLoad(t, fixtures(t), timeOf+noGravity+"robots: {r: {file: arm.urdf, pose: {xyz: [1, 0, 0], rpy_deg: [0, 0, 90]}}}\n"+
		"bodies: {tool: {mass: 0.1, inertia: {ixx: 1e-4, iyy: 1e-4, izz: 1e-4}, pose: {xyz: [1, 0.3, 0]}, joint: {type: weld, parent: r.upper}}}\n"+
		"signals: {x: {body: tool, position: x}, y: {body: tool, position: y}, rx: {body: tool, position: x, relative_to: r.upper}}\n")
	v := simulate(t, sc, 0)
	near(t, "x", v["x"], 1, 1e-12)
	near(t, "y", v["y"], 0.3, 1e-12)
	near(t, "x on the link", v["rx"], 0.1, 1e-12)
}

func TestDeformablesStartInTheirFrameAndStayAttached(t *testing.T) {
	sc := mustLoad(t, fixtures(t), "time: {step: 0.01, duration: 1}\n"+noGravity+"robots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 1]}}}\n"+
		"meshes: {bar: {box: {size: [0.2, 0.02, 0.02], cells: [4, 1, 1]}}}\n"+
		"materials: {default: {youngs_modulus: 1e6, poissons_ratio: 0.3, stiffness_damping: 0.05}}\n"+
		"deformables: {bar: {mesh: bar, frame: r.base, pose: {xyz: [0, 0, 0.5]}, attach: [{body: r.base, where: {x_max: -0.1}}]}}\n"+
		"drives: {lift: {body: r, z: {times: [0, 0.5], values: [0, 0.2]}}}\n"+
		"signals:\n  root: {body: bar, point: [-0.1, 0.01, 0.01], position: z}\n  tip: {body: bar, point: [0.1, 0.01, 0.01], position: z}\n  stress: {von_mises: bar}\n  tv: {body: bar, point: [0.1, 0, 0], velocity: norm}\n")
	v := simulate(t, sc, 0)
	near(t, "root at the start", v["root"], 1.51, 1e-12)
	near(t, "stress at the start", v["stress"], 0, 1e-3)
	v = simulate(t, sc, 1)
	near(t, "root", v["root"], 1.71, 1e-4)
	near(t, "tip", v["tip"], 1.71, 5e-3)
	if s := simulate(t, sc, 0.25)["stress"]; s < 100 {
		t.Errorf("the lifted bar bends with %g Pa", s)
	}
}

func TestFixedBodiesSupportDeformablesAndDistinguishTheirForces(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), `
time: {step: 0.005, duration: 1}
materials: {default: {friction: 0.5, dissipation: 20}}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  wall: {fixed: true, pose: {xyz: [0.15, 0, 0]}, shapes: [{box: {size: [0.1, 1, 1]}}]}
  block: {mass: 2, pose: {xyz: [0.05, 0, 0.05]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  weight: {mass: 1, pose: {xyz: [-1, 0, 0.05]}, shapes: [{sphere: {radius: 0.05}}]}
meshes: {bar: {box: {size: [0.2, 0.02, 0.02], cells: [4, 1, 1]}}}
deformables:
  bar: {mesh: bar, pose: {xyz: [0.25, 0, 0.3]}, attach: [{body: wall, where: {x_max: -0.1}}]}
signals:
  all: {body: block, contact_force: z}
  from_floor: {body: block, from: [floor], contact_force: z}
  from_wall: {body: block, from: [wall], contact_force: z}
  both: {body: block, from: [wall, floor], contact_force: normal}
  on_floor: {body: floor, contact_force: z}
  on_wall: {body: wall, contact_force: normal}
  count: {count: contacts}
  deep: {penetration: max}
  root: {body: bar, point: [-0.1, 0, 0], position: x}
`)
	v := simulate(t, sc, 1)
	near(t, "weight of the block", v["all"], 2*9.81, 1e-2)
	near(t, "on the floor", v["from_floor"], v["all"]-v["from_wall"], 1e-12)
	near(t, "floor's load", v["on_floor"], -3*9.81, 1e-2)
	near(t, "the wall's part of the block", math.Abs(v["from_wall"]), 0, 1)
	near(t, "root of the bar", v["root"], 0.15, 1e-12)
	if v["count"] < 5 || v["deep"] <= 0 || v["deep"] > 1e-4 {
		t.Errorf("%g contacts, %g m deep", v["count"], v["deep"])
	}
}

func TestForcesAreZeroBeforeTheFirstStep(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), timeOf+`
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.09]}, velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
signals: {n: {body: ball, contact_force: norm}, c: {count: contacts}, d: {penetration: max}, v: {speed: max}, k: {energy: kinetic}, p: {energy: potential}, m: {momentum: x}}
`)
	v := simulate(t, sc, 0)
	mass := 1000 * 4.0 / 3 * math.Pi * 1e-3
	for name, want := range map[string]float64{"n": 0, "c": 0, "d": 0, "v": 1, "k": mass / 2, "p": mass * 9.81 * 0.09, "m": mass} {
		near(t, name, v[name], want, 1e-9*max(1, want))
	}
}

func TestPairsReplaceWhatMaterialsCombineTo(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), timeOf+ball+`
materials: {a: {stiffness: 1e5}, b: {friction: {static: 0.8, dynamic: 0.6}}}
pairs: [{materials: [b, a], stiffness: 7e4, dissipation: 3, relaxation_time: 0.02, friction: 0.25, pressure_gradient: 5e7}]
`)
	c := geometry.Contact{Materials: [2]int{1, 2}}
	p, err := sc.Model.ContactMaterials.Pair(&c)
	if err != nil || p.Stiffness != 7e4 || p.Dissipation != 3 || p.RelaxationTime != 0.02 || p.Friction != 0.25 || p.StaticFriction != 0.25 {
		t.Errorf("%+v, %v", p, err)
	}
	c.Area = 2e-4
	if p, err = sc.Model.ContactMaterials.Pair(&c); err != nil || math.Abs(p.Stiffness-1e4) > 1e-9 {
		t.Errorf("a face's stiffness is %g, want 1e4 (%v)", p.Stiffness, err)
	}
}

func TestWeldedPiecesDoNotTouchEachOther(t *testing.T) {
	// three boxes in one place on one welded piece, and two fixed ones in it
	sc := mustLoad(t, t.TempDir(), timeOf+noGravity+`
bodies:
  a: {shapes: [{box: {size: [1, 1, 1]}}]}
  b: {shapes: [{box: {size: [1, 1, 1]}}], joint: {type: weld, parent: a}}
  c: {shapes: [{box: {size: [1, 1, 1]}}], joint: {type: weld, parent: a}}
  far: {fixed: true, pose: {xyz: [9, 0, 0]}, shapes: [{box: {size: [1, 1, 1]}}]}
  farther: {fixed: true, pose: {xyz: [9, 0.1, 0]}, shapes: [{box: {size: [1, 1, 1]}}]}
signals: {n: {count: contacts}}
`)
	near(t, "contacts", simulate(t, sc, 0.05)["n"], 0, 0)
	if len(sc.Warnings) > 0 {
		t.Errorf("warnings %q", sc.Warnings)
	}
}

func TestTheRenderSectionPassesThrough(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), timeOf+ball+"title: A ball\nrender: {size: [320, 200], camera: [1, 2, 3], field: displacement, rate: 10, picture_time: 0.05}\n")
	want := `{"Size":[320,200],"Camera":[1,2,3],"Target":null,"Up":null,"FOV":30,"Field":"displacement","FieldMax":0,"Forces":null,"ContactSurfaces":null,"Cut":null,"Rate":10,"Slow":1,"Picture":0.05,"Background":""}`
	if got := string(sc.Static.Render); got != want || sc.Static.Title != "A ball" {
		t.Errorf("%s: %s, want %s", sc.Static.Title, got, want)
	}
}

func TestSignalsOfOneSceneServeManyRuns(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), timeOf+ball+"signals: {z: {body: ball, position: z, since: 0.02}}\n")
	a := simulate(t, sc, 0.1)["z"]
	sc.Model.Start.Q[6] = 5 // higher up
	if b := simulate(t, sc, 0.1)["z"]; math.Abs(a-b) > 1e-12 {
		t.Errorf("the second run measures %g from its own start, want %g", b, a)
	}
}

// An rpy of more than a turn is likely one in degrees, wherever a pose may stand; a whole turn, and
// degrees that are called so, are not.
func TestAnglesThatLookLikeDegreesAreDoubted(t *testing.T) {
	const scene = `
bodies:
  a: {fixed: true, shapes: [{half_space: {}, pose: {POSE_SHAPE}}]}
  b: {mass: 1, pose: {xyz: [0, 0, 1], POSE_BODY}, shapes: [{sphere: {radius: 0.1}}]}
constraints: {hold: {weld: {a: a, b: b, pose_b: {POSE_WELD}}}}
`
	const fine, wrong = "rpy: [0, 0, 6.2831853]", "rpy: [0, 0, 90]"
	for _, at := range []string{"SHAPE", "BODY", "WELD", ""} {
		text := scene
		for _, place := range []string{"SHAPE", "BODY", "WELD"} {
			pose := fine
			if place == at {
				pose = wrong
			}
			text = strings.Replace(text, "POSE_"+place, pose, 1)
		}
		all := strings.Join(mustLoad(t, t.TempDir(), timeOf+text).Warnings, "\n")
		if doubts := strings.Contains(all, "rpy is in rad: a yaw of 90 rad is 14.3 turns; write rpy_deg for degrees"); doubts != (at != "") {
			t.Errorf("%q: warnings %q", at, all)
		}
		if at != "" && !strings.Contains(all, ".yaml:") {
			t.Errorf("%q: no place in %q", at, all)
		}
	}
	text := strings.NewReplacer("POSE_SHAPE", "rpy_deg: [0, 0, 90]", "POSE_BODY", "rpy_deg: [90, 0, 0]", "POSE_WELD", "rpy_deg: [0, 90, 0]").Replace(scene)
	if all := strings.Join(mustLoad(t, t.TempDir(), timeOf+text).Warnings, "\n"); strings.Contains(all, "rpy") {
		t.Error(all)
	}
}

func TestPosesAreReadInEveryForm(t *testing.T) {
	l := newLoader("", defaults())
	want := r3.RotRPY(0.1, 0.2, 0.3)
	q := want.Quat()
	deg := [3]float64{0.1 * 180 / math.Pi, 0.2 * 180 / math.Pi, 0.3 * 180 / math.Pi}
	for i, p := range []Pose{{RPY: &[3]float64{0.1, 0.2, 0.3}}, {RPYDeg: &deg}, {Quaternion: (*[4]float64)(&q)}} {
		got := l.poseOf(&p).R
		for k := range got {
			near(t, "rotation", got[k], want[k], 1e-15*float64(10+i))
		}
	}
	if len(l.errs) > 0 {
		t.Error(l.errs)
	}
}
