package mjcf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// mustRead reads m.xml of files and checks the robot.
func mustRead(t *testing.T, texts map[string]string) *robot.Robot {
	t.Helper()
	m, _, err := Parse(strings.NewReader(texts["m.xml"]), "m.xml", files(texts))
	if err != nil {
		t.Fatal(err)
	}
	robottest.Check(t, m)
	return m
}

// jointNames returns the names of all joints.
func jointNames(m *robot.Robot) (names []string) {
	for i := range m.Joints {
		names = append(names, m.Joints[i].Name)
	}
	return names
}

const part = `<body name="b"><joint name="j" range="-90 90"/><geom size=".1" name="g"/><body name="c"><joint name="k"/><geom size=".1"/></body></body>`

const behind = `<tendon><fixed name="t" range="0 1"><joint joint="j" coef="1"/><joint joint="k" coef="1"/></fixed></tendon>
<actuator><motor name="m" joint="j" forcerange="-3 3"/><motor name="n" tendon="t"/></actuator>
<equality><joint name="e" joint1="k" joint2="j"/><weld name="w" body1="c"/></equality><contact><exclude body1="b" body2="c"/></contact>`

// What refers to copied bodies and joints is copied with them. Names as in MuJoCo 3.12.0.
func TestWhatRefersToReplicasIsCopied(t *testing.T) {
	m := mustRead(t, map[string]string{"m.xml": `<mujoco><worldbody><replicate count="3" sep="-" offset="1 0 0">` + part + `</replicate>` +
		`<body name="o"><joint name="oj"/><geom size=".1"/></body></worldbody>` + behind + `<actuator><motor name="x" joint="oj"/></actuator></mujoco>`})
	if want := []string{"j-0", "k-0", "j-1", "k-1", "j-2", "k-2", "oj"}; !slices.Equal(jointNames(m), want) {
		t.Errorf("joints %v, want %v", jointNames(m), want)
	}
	var actuators, couplings, loops []string
	for i := range m.Actuators {
		actuators = append(actuators, m.Actuators[i].Name)
	}
	for i := range m.Couplings {
		couplings = append(couplings, m.Couplings[i].Name)
	}
	for i := range m.Loops {
		loops = append(loops, m.Loops[i].Name)
	}
	slices.Sort(actuators)
	if want := []string{"m-0", "m-1", "m-2", "n-0", "n-1", "n-2", "x"}; !slices.Equal(actuators, want) {
		t.Errorf("actuators %v, want %v", actuators, want)
	}
	if want := []string{"t-0", "t-1", "t-2"}; !slices.Equal(couplings, want) {
		t.Errorf("couplings %v, want %v", couplings, want)
	}
	if want := []string{"w-0", "w-1", "w-2"}; !slices.Equal(loops, want) {
		t.Errorf("loops %v, want %v", loops, want)
	}
	for i := 0; i < 6; i += 2 {
		if j, k := m.Joints[i], m.Joints[i+1]; j.EffortLimit != 3 || k.Mimic == nil || k.Mimic.Joint != i {
			t.Errorf("%+v, %+v", j, k)
		}
	}
	if n := len(m.ExcludedPairs); n != 3 {
		t.Errorf("%d exclusions, want 3", n)
	}
}

// Attached bodies keep the angles of their file inside of replicas, and what belongs to them comes along.
func TestAttachedModelsAreReplicated(t *testing.T) {
	m := mustRead(t, map[string]string{
		"c.xml": `<mujoco model="c"><compiler angle="degree"/><worldbody>` + part + `</worldbody>` + behind + `</mujoco>`,
		"m.xml": `<mujoco><compiler angle="radian"/><asset><model name="c" file="c.xml"/></asset><worldbody><replicate count="2" sep="-" euler="0 0 3"><frame pos="1 0 0"><attach model="c" body="b" prefix="_"/></frame></replicate></worldbody></mujoco>`,
	})
	if want := []string{"_j-0", "_k-0", "_j-1", "_k-1"}; !slices.Equal(jointNames(m), want) {
		t.Fatalf("joints %v, want %v", jointNames(m), want)
	}
	for i := 0; i < 4; i += 2 {
		if j := m.Joints[i]; math.Abs(j.Upper-math.Pi/2) > 1e-15 || j.EffortLimit != 3 || m.Joints[i+1].Mimic == nil {
			t.Errorf("%+v", j)
		}
	}
	if p := m.Joints[2].X_PF.P; math.Abs(p[0]-math.Cos(3)) > 1e-15 || math.Abs(p[1]-math.Sin(3)) > 1e-15 {
		t.Errorf("the second copy is at %v", p)
	}
}

// A model attaches another that lies beside it; classes, angles and names are those of each file.
func TestModelsThatAttachOthersAreAttached(t *testing.T) {
	m := mustRead(t, map[string]string{
		"a/b/c.xml": `<mujoco model="c"><compiler angle="degree" meshdir="d"/><asset><mesh name="s" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>` + part + `</worldbody>` + behind + `</mujoco>`,
		"a/mid.xml": `<mujoco model="mid"><compiler angle="radian"/><default><geom density="7"/></default><asset><model name="c" file="b/c.xml"/></asset><worldbody><body name="p"><joint name="q" range="-1 1"/><geom size=".1"/><frame pos="0 0 1"><attach model="c" body="b" prefix="_"/></frame></body></worldbody></mujoco>`,
		"m.xml":     `<mujoco><default><geom density="3"/></default><asset><model name="mid" file="a/mid.xml"/></asset><worldbody><attach model="mid" prefix="z"/></worldbody></mujoco>`,
	})
	if want := []string{"zq", "z_j", "z_k"}; !slices.Equal(jointNames(m), want) {
		t.Fatalf("joints %v, want %v", jointNames(m), want)
	}
	ball := 4.0 / 3 * math.Pi * 1e-3
	for i, want := range []struct{ upper, mass float64 }{{1, 7 * ball}, {math.Pi / 2, 1000 * ball}} {
		j := &m.Joints[i]
		if mass := m.Links[j.Child].Inertial.Mass; math.Abs(j.Upper-want.upper) > 1e-15 || math.Abs(mass-want.mass) > 1e-12*want.mass {
			t.Errorf("%s: up to %g rad, want %g; %g kg, want %g", j.Name, j.Upper, want.upper, mass, want.mass)
		}
	}
	if z := m.Joints[1].X_PF.P[2]; z != 1 || m.Joints[1].EffortLimit != 3 || m.Joints[2].Mimic == nil {
		t.Errorf("%+v", m.Joints[1])
	}
}

// Frames and shapes of an attached world have the angles and the defaults of their file.
func TestAttachedWorldsKeepTheirAnglesAndDefaults(t *testing.T) {
	m := mustRead(t, map[string]string{
		"c.xml": `<mujoco model="c"><compiler angle="degree"/><default><geom rgba="1 0 0 1"/></default><worldbody><geom size="1 1 1" type="box" euler="0 0 90"/>` +
			`<frame euler="0 0 90"><geom size="1 1 1" type="box" pos="1 0 0"/><body name="b"><joint name="j" range="-90 90"/><geom size="1" pos="1 0 0"/></body></frame></worldbody></mujoco>`,
		"m.xml": `<mujoco><compiler angle="radian"/><default><geom rgba="0 1 0 1"/></default><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" prefix="_"/><geom size="1 1 1" type="box"/></worldbody></mujoco>`,
	})
	world := m.Links[m.Root]
	if len(world.Collisions) != 3 {
		t.Fatalf("%+v", world.Collisions)
	}
	for i, want := range []struct {
		color string
		x     r3.Vec // axis x of the shape
		p     r3.Vec
	}{{"#ff0000", r3.Vec{0, 1, 0}, r3.Vec{}}, {"#ff0000", r3.Vec{0, 1, 0}, r3.Vec{0, 1, 0}}, {"#00ff00", r3.Vec{1, 0, 0}, r3.Vec{}}} {
		if g := world.Collisions[i]; g.Color != want.color || g.X_LG.R.Col(0).Sub(want.x).Norm() > 1e-15 || g.X_LG.P.Sub(want.p).Norm() > 1e-15 {
			t.Errorf("shape %d: %s at %v", i, g.Color, g.X_LG)
		}
	}
	if j := m.Joints[0]; math.Abs(j.Upper-math.Pi/2) > 1e-15 || j.X_PF.R.Col(0).Sub(r3.Vec{0, 1, 0}).Norm() > 1e-15 {
		t.Errorf("%+v", j)
	}
}

// Copies are made of bodies and frames of the file itself, of those that stand before, and of copies.
func TestBodiesOfTheFileItselfAreAttached(t *testing.T) {
	for _, c := range []struct {
		inside string
		want   []string
	}{
		{part + `<frame pos="1 0 0"><attach body="b" prefix="x_"/></frame>`, []string{"j", "k", "x_j", "x_k"}},
		{part + `<attach body="b" prefix="x_"/><attach body="x_c" prefix="y_"/>`, []string{"j", "k", "x_j", "x_k", "y_x_k"}},
		{`<frame name="f" pos="0 0 1">` + part + `</frame><attach frame="f" prefix="x_"/>`, []string{"j", "k", "x_j", "x_k"}},
		{part + `<replicate count="2"><attach body="b" prefix="x_"/></replicate>`, []string{"j", "k", "x_j0", "x_k0", "x_j1", "x_k1"}},
		// of the body around it what stands before the <attach>
		{`<body name="b"><joint name="j"/><geom size=".1"/><body name="c"><joint name="k"/><geom size=".1"/></body><attach body="b" prefix="x_"/></body>`, []string{"j", "k", "x_j", "x_k"}},
	} {
		m := mustRead(t, map[string]string{"m.xml": `<mujoco><worldbody>` + c.inside + `</worldbody>` + behind + `</mujoco>`})
		if got := jointNames(m); !slices.Equal(got, c.want) {
			t.Errorf("%s: joints %v, want %v", c.inside, got, c.want)
			continue
		}
		for i := range m.Joints {
			if j := &m.Joints[i]; strings.Contains(j.Name, "j") && j.EffortLimit != 3 {
				t.Errorf("%s: %s has %g N m, want 3", c.inside, j.Name, j.EffortLimit)
			}
		}
	}
}

// Two models may include the same file, as a left and a right hand do.
func TestModelsIncludeTheSameFile(t *testing.T) {
	hand := `<mujoco model="h"><include file="common.xml"/><worldbody>` + part + `</worldbody></mujoco>`
	m := mustRead(t, map[string]string{
		"common.xml": `<mujoco><default><joint damping="2"/></default></mujoco>`, "l.xml": hand, "r.xml": hand,
		"m.xml": `<mujoco><asset><model name="l" file="l.xml"/><model name="r" file="r.xml"/></asset><worldbody><attach model="l" body="b" prefix="l_"/><attach model="r" body="b" prefix="r_"/></worldbody></mujoco>`,
	})
	for i := range m.Joints {
		if m.Joints[i].Damping != 2 {
			t.Errorf("%+v", m.Joints[i])
		}
	}
}

// A tendon of joints that stay behind stays behind, with the actuator that pulls at it.
func TestTendonsOfOtherBodiesStayBehind(t *testing.T) {
	m := mustRead(t, map[string]string{
		"c.xml": `<mujoco model="c"><worldbody>` + part + `<body name="o"><joint name="oj"/><geom size=".1"/></body></worldbody>` +
			`<tendon><fixed name="t" range="0 1"><joint joint="j" coef="1"/><joint joint="oj" coef="1"/></fixed></tendon><actuator><motor tendon="t"/></actuator></mujoco>`,
		"m.xml": `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="b" prefix="_"/></worldbody></mujoco>`,
	})
	if len(m.Couplings)+len(m.Actuators) != 0 {
		t.Errorf("%+v, %+v", m.Couplings, m.Actuators)
	}
}

func TestFaultyExpansionsAreRefused(t *testing.T) {
	deep := map[string]string{}
	for i := range 8 {
		deep[fmt.Sprintf("d%d.xml", i)] = fmt.Sprintf(`<mujoco model="d"><asset><model name="n" file="d%d.xml"/></asset><worldbody>%s</worldbody></mujoco>`, i+1, strings.Repeat(`<attach model="n" prefix="p"/>`, 30))
	}
	deep["d8.xml"] = `<mujoco model="d"><worldbody>` + part + `</worldbody></mujoco>`
	deep["m.xml"] = `<mujoco><asset><model name="n" file="d2.xml"/></asset><worldbody><attach model="n"/></worldbody></mujoco>`
	// of each file a small body is attached, but all of its assets
	broad := map[string]string{"b8.xml": `<mujoco model="d"><asset>` + strings.Repeat(`<texture/>`, 1000) + `</asset><worldbody>` + part + `</worldbody></mujoco>`}
	for i := range 8 {
		broad[fmt.Sprintf("b%d.xml", i)] = fmt.Sprintf(`<mujoco model="d"><asset><model name="n" file="b%d.xml"/></asset><worldbody>%s%s</worldbody></mujoco>`, i+1, part, strings.Repeat(`<attach model="n" body="b" prefix="p"/>`, 30))
	}
	broad["m.xml"] = `<mujoco><asset><model name="n" file="b2.xml"/></asset><worldbody><attach model="n" body="b"/></worldbody></mujoco>`
	for name, c := range map[string]struct {
		texts map[string]string
		want  string
	}{
		"broad":     {broad, "elements in all"},
		"referring": {map[string]string{"m.xml": `<mujoco><worldbody><replicate count="5000">` + part + `</replicate></worldbody><actuator>` + strings.Repeat(`<motor joint="j"/>`, 1000) + `</actuator></mujoco>`}, "what refers to copies would have more than 65536 elements"},
		"circle": {map[string]string{
			"a.xml": `<mujoco model="a"><asset><model name="b" file="b.xml"/></asset><worldbody/></mujoco>`,
			"b.xml": `<mujoco model="b"><asset><model name="a" file="a.xml"/></asset><worldbody/></mujoco>`,
			"m.xml": `<mujoco><asset><model name="a" file="a.xml"/></asset><worldbody/></mujoco>`,
		}, "more than 8 deep, perhaps in a circle"},
		"power":     {deep, "elements in all"},
		"later":     {map[string]string{"m.xml": `<mujoco><worldbody><attach body="b" prefix="x_"/>` + part + `</worldbody></mujoco>`}, `<attach body="b">: no such body stands before it in the file`},
		"nothing":   {map[string]string{"m.xml": `<mujoco><worldbody>` + part + `<attach prefix="x_"/></worldbody></mujoco>`}, "no such body stands before it"},
		"no prefix": {map[string]string{"m.xml": `<mujoco><worldbody>` + part + `<attach body="b"/></worldbody></mujoco>`}, "names must differ"},
		"frame":     {map[string]string{"c.xml": deep["d8.xml"], "m.xml": `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" frame="f"/></worldbody></mujoco>`}, `<attach frame="f">: the attached file has no such frame`},
		"many":      {map[string]string{"m.xml": `<mujoco><worldbody>` + part + strings.Repeat(`<attach body="b" prefix="x"/>`, 300) + `</worldbody></mujoco>`}, "more than 256 are in the file"},
	} {
		if _, _, err := Parse(strings.NewReader(c.texts["m.xml"]), "m.xml", files(c.texts)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %s", name, err, c.want)
		}
	}
}
