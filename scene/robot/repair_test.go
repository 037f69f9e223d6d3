package robot_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Moments that no body has become those of the nearest body: at least as near as any of 20,000
// random bodies, whose moments are sums of two of three numbers that are not negative.
func TestMomentsBecomeTheNearestThatABodyCanHave(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range []r3.Vec{{1, 1, 3}, {3, 1, 1}, {0.1, 1, 5}, {-1, 1, 2}, {2, -3, 2.5}, {-1, -1, 0.5}, {0, 0, 1}} {
		Q := r3.RotRPY(0.3, -0.4, 1.1)
		m := &robot.Robot{Links: []robot.Link{{Name: "l", Line: 7, Inertial: &robot.Inertial{Mass: 1, Inertia: Q.Mul(r3.Diag(w)).Mul(Q.T())}}}}
		r := robot.Reader{File: "f"}
		r.MendInertias(m)
		if len(r.Warnings) != 1 || r.Warnings[0].Line != 7 || !r.Warnings[0].Repaired || !strings.Contains(r.Warnings[0].Text, `link "l": no body has its principal moments`) {
			t.Fatalf("%v: warnings %v", w, r.Warnings)
		}
		// in the axes of the given inertia
		got := Q.T().Mul(m.Links[0].Inertial.Inertia).Mul(Q)
		own := r3.Vec{got[0], got[4], got[8]}
		if off := math.Sqrt(got.Sub(r3.Diag(own)).Norm2()); off > 1e-12 {
			t.Errorf("%v: the axes turn by %g", w, off)
		}
		p := slices.Clone(own[:])
		slices.Sort(p)
		if p[0] < -1e-12 || p[0]+p[1] < p[2]-1e-12 {
			t.Errorf("%v becomes %v, which no body has", w, own)
		}
		best := own.Sub(w).Norm()
		for range 20000 {
			x := r3.Vec{3 * rng.Float64(), 3 * rng.Float64(), 3 * rng.Float64()}
			if d := (r3.Vec{x[1] + x[2], x[0] + x[2], x[0] + x[1]}).Sub(w).Norm(); d < best-1e-12 {
				t.Fatalf("%v becomes %v at a distance of %g; %v is at %g", w, own, best, x, d)
			}
		}
	}
}

// Moments that a body can have stay as they are, to the bit; those without mass go.
func TestSoundInertiasStay(t *testing.T) {
	in := robot.Inertial{Mass: 1, Inertia: r3.Diag(r3.Vec{1, 2, 2.9})}
	plate := robot.Inertial{Mass: 1, Inertia: r3.Diag(r3.Vec{1, 1, 2.0001})} // rounded
	m := &robot.Robot{Links: []robot.Link{{Inertial: &in}, {Inertial: &plate}, {Line: 3, Inertial: &robot.Inertial{Inertia: r3.Identity()}}, {}}}
	r := robot.Reader{File: "f"}
	r.MendInertias(m)
	if in.Inertia != r3.Diag(r3.Vec{1, 2, 2.9}) || plate.Inertia[8] != 2.0001 {
		t.Errorf("%v, %v", in.Inertia, plate.Inertia)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Line != 3 || m.Links[2].Inertial.Inertia != (r3.Mat{}) {
		t.Errorf("warnings %v, %v", r.Warnings, m.Links[2].Inertial)
	}
}

// Links without a parent float beside the base; a link called world is the base whatever its number.
func TestSeveralRootsFloat(t *testing.T) {
	for _, c := range []struct {
		name       string
		m          *robot.Robot
		root, free int
	}{
		{"first", connected(3, [2]int{0, 1}), 0, 2},
		{"world", connected(3, [2]int{0, 1}), 2, 0},
	} {
		if c.name == "world" {
			c.m.Links[2].Name = "world"
		}
		r := robot.Reader{File: "f"}
		r.FindRoot(c.m)
		if r.Err != nil || c.m.Root != c.root || len(c.m.Joints) != 2 {
			t.Fatalf("%s: root %d, %d joints, %v", c.name, c.m.Root, len(c.m.Joints), r.Err)
		}
		if j := c.m.Joints[1]; j.Type != robot.Floating || j.Parent != c.root || j.Child != c.free {
			t.Errorf("%s: %+v", c.name, j)
		}
		if len(r.Warnings) != 1 || !r.Warnings[0].Repaired || !strings.Contains(r.Warnings[0].Text, "both have no parent") {
			t.Errorf("%s: warnings %v", c.name, r.Warnings)
		}
	}
}

// A joint that is left out takes mimics of it along; numbers of the others follow.
func TestMimicsFollowWhenALoopIsOpened(t *testing.T) {
	m := connected(5, [2]int{0, 1}, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4})
	m.Joints[3].Mimic = &robot.Mimic{Joint: 2, Multiplier: 2}
	m.Joints[4].Mimic = &robot.Mimic{Joint: 1, Multiplier: 2}
	r := robot.Reader{File: "f"}
	r.FindRoot(m)
	if r.Err != nil || len(m.Joints) != 4 || len(r.Warnings) != 2 {
		t.Fatalf("%d joints, %v, warnings %v", len(m.Joints), r.Err, r.Warnings)
	}
	if f := m.Joints[2].Mimic; f == nil || f.Joint != 1 || m.Joints[3].Mimic != nil {
		t.Errorf("mimics %v and %v", f, m.Joints[3].Mimic)
	}
}

// A joint that moves nothing with a mass is fixed, with all joints beyond it; motors move alone.
func TestJointsWithoutMassAreFixed(t *testing.T) {
	m := connected(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 3}, [2]int{0, 4})
	for i := range m.Joints {
		m.Joints[i].Type, m.Joints[i].Axis, m.Joints[i].X_CM = robot.Revolute, r3.Vec{0, 0, 1}, r3.PoseIdentity()
	}
	m.Links[3].Inertial = &robot.Inertial{Mass: 1, Com: r3.Vec{0, 1, 0}}
	m.Joints[3].RotorInertia = 0.1
	r := robot.Reader{File: "f"}
	r.HoldMassless(m)
	var types []robot.JointType
	for _, j := range m.Joints {
		types = append(types, j.Type)
	}
	if want := []robot.JointType{robot.Fixed, robot.Fixed, robot.Revolute, robot.Revolute}; !slices.Equal(types, want) || len(r.Warnings) != 2 {
		t.Errorf("%v, warnings %v", types, r.Warnings)
	}
}

// A joint that moves no mass moves with one that mimics it, or that it mimics, and does; both are fixed where neither
// does.
func TestJointsWithoutMassMoveWithTheirMimics(t *testing.T) {
	for _, c := range []struct{ follower, leader, massive int }{{0, 1, 1}, {1, 0, 1}, {0, 1, -1}} {
		m := connected(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3})
		for i := range m.Joints {
			m.Joints[i].Type, m.Joints[i].Axis, m.Joints[i].X_CM = robot.Revolute, r3.Vec{0, 0, 1}, r3.PoseIdentity()
		}
		m.Links[3].Inertial = &robot.Inertial{Mass: 1, Com: r3.Vec{0, 1, 0}}
		if c.massive >= 0 {
			m.Links[m.Joints[c.massive].Child].Inertial = &robot.Inertial{Mass: 1, Com: r3.Vec{0, 1, 0}}
		}
		m.Joints[c.follower].Mimic = &robot.Mimic{Joint: c.leader, Multiplier: 2}
		r := robot.Reader{File: "f"}
		r.HoldMassless(m)
		moves := c.massive >= 0
		if f := &m.Joints[c.follower]; (f.Type == robot.Revolute) != moves || (m.Joints[c.leader].Type == robot.Revolute) != moves || (f.Mimic != nil) != moves || (len(r.Warnings) == 0) != moves {
			t.Errorf("%d mimics %d, mass on %d: %v and %v, mimic %v, warnings %v", c.follower, c.leader, c.massive, f.Type, m.Joints[c.leader].Type, f.Mimic, r.Warnings)
		}
		if m.Joints[2].Type != robot.Revolute {
			t.Error("a joint that moves a mass is fixed")
		}
	}
}

// A hinge that turns a point mass on its axis is fixed, with what is fixed to it; not so where the
// mass lies beside the axis, has inertia about it, a motor, or hangs on a joint that may take it off
// the axis.
func TestHingesThatTurnMassOnTheirAxisAreFixed(t *testing.T) {
	build := func(change func(m *robot.Robot)) robot.JointType {
		m := connected(3, [2]int{0, 1}, [2]int{1, 2})
		for i := range m.Joints {
			j := robot.NewAxis(robot.Revolute, r3.Vec{0, 0, 1}, 0)
			j.Name, j.Parent, j.Child, j.X_PF, j.X_CM = m.Joints[i].Name, m.Joints[i].Parent, m.Joints[i].Child, r3.PoseIdentity(), r3.PoseIdentity()
			m.Joints[i] = j
		}
		m.Joints[1].Type = robot.Fixed
		m.Links[1].Inertial = &robot.Inertial{Mass: 1, Com: r3.Vec{0, 0, 5}, Inertia: r3.Diag(r3.Vec{1, 1, 0})}
		m.Links[2].Inertial = &robot.Inertial{Mass: 2}
		change(m)
		r := robot.Reader{File: "f"}
		r.HoldMassless(m)
		return m.Joints[0].Type
	}
	if kind := build(func(*robot.Robot) {}); kind != robot.Fixed {
		t.Errorf("on the axis: %s", kind)
	}
	for name, change := range map[string]func(m *robot.Robot){
		"beside the axis": func(m *robot.Robot) { m.Links[2].Inertial.Com = r3.Vec{0, 0.01, 0} },
		"placed beside":   func(m *robot.Robot) { m.Joints[1].X_PF.P = r3.Vec{0.01, 0, 0} },
		"inertia":         func(m *robot.Robot) { m.Links[1].Inertial.Inertia = r3.Identity() },
		"motor":           func(m *robot.Robot) { m.Joints[0].RotorInertia = 1 },
		"slide":           func(m *robot.Robot) { m.Joints[0].Type = robot.Prismatic },
		"moves": func(m *robot.Robot) {
			m.Joints[1].Type, m.Joints[1].Axis, m.Links[2].Inertial.Inertia = robot.Revolute, r3.Vec{1, 0, 0}, r3.Identity()
		},
	} {
		if kind := build(change); kind == robot.Fixed {
			t.Errorf("%s: held", name)
		}
	}
}

// Elements of a file whose namespace is Drake's have no prefix.
func TestDefaultNamespacesAreNoPrefix(t *testing.T) {
	text := `<robot xmlns="http://drake.mit.edu" xmlns:drake="http://other"><joint drake:x="1"/></robot>`
	root, err := robot.ReadElements(strings.NewReader(text), "f", "F", "root")
	if err != nil || root.Name != "robot" || root.Children[0].Name != "joint" || robot.RootName([]byte(text)) != "robot" {
		t.Errorf("%+v, %v", root, err)
	}
}

// What other parsers of robots tolerate in XML is read, with the lines of the file.
func TestOddXMLIsRead(t *testing.T) {
	for _, text := range []string{
		"<?xml version='0.0' ?>\n<root/>",
		"<?xml version=\"1.1\" encoding=\"utf-8\"?>\n<root/>",
		"<!-- a -- b ---->\n<root/>",
		"<!-- <other> -- \n--><root/>",
		"  <?xml version='1.0'?>\n<root/>\x00\x00",
	} {
		root, err := robot.ReadElements(strings.NewReader(text), "f", "F", "root")
		if err != nil || root.Name != "root" || root.Line != 2 {
			t.Errorf("%q: %+v, %v", text, root, err)
		}
	}
}
