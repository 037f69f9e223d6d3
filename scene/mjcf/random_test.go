package mjcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// features are what MJCF can say of random robots.
var features = robottest.Features{
	Types:   []robot.JointType{robot.Fixed, robot.Revolute, robot.Continuous, robot.Prismatic, robot.Ball},
	Springs: true,
}

// parseRandom reads a robot and drops what the random one does not have: pairs of links
// that do not touch by their masks, axes of balls, included files.
func parseRandom(text string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	m, warnings, err := Parse(strings.NewReader(text), "r.xml", open)
	if err == nil {
		m.ExcludedPairs, m.AdjacentContact, m.Includes = nil, false, nil
		for i := range m.Joints {
			if m.Joints[i].Type == robot.Ball {
				m.Joints[i].Axis = r3.Vec{1, 0, 0}
			}
		}
	}
	return m, warnings, err
}

// Random robots, written as MJCF and read again, are the same: with angles in radians or
// degrees, with Euler angles, quaternions or axes, with and without frames around bodies
// and shapes, with common attributes in each element or in a class.
func TestRandomRobotsAreReadAsWritten(t *testing.T) {
	for _, w := range []writer{
		{orientation: "euler"}, {orientation: "euler", degrees: true}, {orientation: "quat"}, {orientation: "axisangle", degrees: true},
		{orientation: "xyaxes"}, {orientation: "quat", frames: true}, {orientation: "quat", classes: true},
	} {
		parse := func(text string) (*robot.Robot, []robot.Warning, error) { return parseRandom(text, nil) }
		robottest.Rewritten(t, features, parse, func(m *robot.Robot) string { w.Robot = m; return w.model() })
	}
}

// A file that is split into included ones gives the same robot.
func TestRandomRobotsMayBeSplitIntoFiles(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 20 {
		want := robottest.Random(rng, features)
		text := writer{Robot: want, orientation: "quat"}.model()
		// every line of the world that has no more than one element goes to a file
		parts := map[string]string{}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), "<geom") {
				name := fmt.Sprintf("part%d.xml", i)
				parts[name] = "<mujocoinclude>" + line + "</mujocoinclude>"
				lines[i] = fmt.Sprintf("<include file=%q/>", name)
			}
		}
		got, warnings, err := parseRandom(strings.Join(lines, "\n"), files(parts))
		if err != nil || len(warnings) > 0 {
			t.Fatalf("seed %d: %v, %v", seed, warnings, err)
		}
		if d := robottest.Differences(*got, *want, 1e-13); len(d) > 0 {
			t.Fatalf("seed %d: %q", seed, d)
		}
	}
}

// writer writes a robot as MJCF.
type writer struct {
	*robot.Robot
	orientation string // attribute
	degrees     bool
	frames      bool // poses of bodies and shapes are those of frames around them
	classes     bool // attributes that all elements share are in a class
}

func (w writer) model() string {
	angle, joint, geom := "radian", "", ""
	if w.degrees {
		angle = "degree"
	}
	if w.classes {
		joint, geom = `damping="99" frictionloss="99" axis="0 1 0"`, `friction="99 1 1" group="3" size="9 9 9"`
	}
	s := fmt.Sprintf("<mujoco model=%q><compiler angle=%q eulerseq=\"XYZ\"/>\n", w.Name, angle)
	s += fmt.Sprintf("<default><default class='a'><joint %s/><default class='b'><geom %s/></default></default></default>\n", joint, geom)
	s += "<worldbody>\n" + w.body(0) + "</worldbody>\n<equality>\n"
	for i := range w.Joints {
		if f := w.Joints[i].Mimic; f != nil {
			s += fmt.Sprintf("<joint joint1=%q joint2=%q polycoef=%q/>\n", w.Joints[i].Name, w.Joints[f.Joint].Name, robottest.Numbers(f.Offset, f.Multiplier, 0, 0, 0))
		}
	}
	return s + "</equality></mujoco>\n"
}

// body writes a link, with its joint and the links that it carries.
func (w writer) body(i int) string {
	l := &w.Links[i]
	X, class := r3.PoseIdentity(), ""
	if i > 0 {
		X = w.Joints[i-1].X_PF // joint i−1 moves link i
	} else if w.classes {
		class = " childclass='b'"
	}
	I := l.Inertial.Inertia
	s := fmt.Sprintf("<inertial pos=%q mass=\"%.17g\" fullinertia=%q/>\n", robottest.Numbers(l.Inertial.Com[:]...), l.Inertial.Mass,
		robottest.Numbers(I[0], I[4], I[8], I[1], I[2], I[5]))
	if i > 0 {
		s += w.joint(&w.Joints[i-1])
	}
	for k := range l.Visuals {
		s += w.shape(&l.Visuals[k], `group="0" contype="0" conaffinity="0"`)
	}
	for k := range l.Collisions {
		s += w.shape(&l.Collisions[k], fmt.Sprintf("group=\"3\" friction=\"%.17g\"", *l.Collisions[k].Material.Friction))
	}
	for k := range w.Joints {
		if w.Joints[k].Parent == i {
			s += w.body(w.Joints[k].Child)
		}
	}
	return w.placed(X, "body", fmt.Sprintf("name=%q%s", l.Name, class), "\n"+s)
}

// placed writes an element with its pose, in a frame if frames are asked for.
func (w writer) placed(X r3.Pose, tag, attributes, inside string) string {
	pose := fmt.Sprintf("pos=%q %s", robottest.Numbers(X.P[:]...), w.rotation(X.R))
	if w.frames {
		return fmt.Sprintf("<frame %s><%s %s>%s</%s></frame>\n", pose, tag, attributes, inside, tag)
	}
	return fmt.Sprintf("<%s %s %s>%s</%s>\n", tag, attributes, pose, inside, tag)
}

func (w writer) angle(x float64) float64 {
	if w.degrees {
		return x * 180 / math.Pi
	}
	return x
}

// rotation writes an orientation in the form that is asked for.
func (w writer) rotation(R r3.Mat) string {
	var x []float64
	switch w.orientation {
	case "euler": // about fixed axes: roll, pitch and yaw
		rpy := robottest.RPY(R)
		x = []float64{w.angle(rpy[0]), w.angle(rpy[1]), w.angle(rpy[2])}
	case "quat": // of any norm
		q := R.Quat()
		x = []float64{-2 * q[0], -2 * q[1], -2 * q[2], -2 * q[3]}
	case "axisangle":
		q := R.Quat()
		v := r3.Vec{q[1], q[2], q[3]}
		a := 2 * math.Atan2(v.Norm(), q[0])
		if a == 0 {
			v = r3.Vec{1, 0, 0}
		}
		x = []float64{v[0], v[1], v[2], w.angle(a)}
	case "xyaxes": // the second need not be at a right angle to the first
		a, b := R.Col(0), R.Col(1)
		b = b.Scale(3).Add(a)
		x = []float64{2 * a[0], 2 * a[1], 2 * a[2], b[0], b[1], b[2]}
	}
	return fmt.Sprintf("%s=%q", w.orientation, robottest.Numbers(x...))
}

func (w writer) joint(j *robot.Joint) string {
	kinds := map[robot.JointType]string{robot.Revolute: "hinge", robot.Continuous: "hinge", robot.Prismatic: "slide", robot.Ball: "ball"}
	if j.Type == robot.Fixed {
		return ""
	}
	if j.Type == robot.Ball {
		return fmt.Sprintf("<joint name=%q type='ball' damping='0' frictionloss='0'/>\n", j.Name)
	}
	angle := w.angle
	if j.Type == robot.Prismatic {
		angle = func(x float64) float64 { return x }
	}
	s := fmt.Sprintf("<joint name=%q type=%q axis=%q damping=\"%.17g\" frictionloss=\"%.17g\" armature=\"%.17g\" stiffness=\"%.17g\" springref=\"%.17g\" actuatorfrcrange=%q",
		j.Name, kinds[j.Type], robottest.Numbers(j.Axis[:]...), j.Damping, j.Friction, j.RotorInertia, j.Stiffness, angle(j.RestPosition), robottest.Numbers(-j.EffortLimit, j.EffortLimit))
	if j.Type != robot.Continuous {
		s += fmt.Sprintf(" range=%q", robottest.Numbers(angle(j.Lower), angle(j.Upper)))
	}
	return s + "/>\n"
}

// shape writes a geom, whose sizes are radii and half lengths.
func (w writer) shape(g *robot.Geometry, attributes string) string {
	kind, size := "", []float64{}
	switch {
	case g.Box != nil:
		kind, size = "box", []float64{g.Box[0] / 2, g.Box[1] / 2, g.Box[2] / 2}
	case g.Sphere > 0:
		kind, size = "sphere", []float64{g.Sphere}
	case g.Cylinder != nil:
		kind, size = "cylinder", []float64{g.Cylinder.Radius, g.Cylinder.Length / 2}
	case g.Capsule != nil:
		kind, size = "capsule", []float64{g.Capsule.Radius, g.Capsule.Length / 2}
	case g.Ellipsoid != nil:
		kind, size = "ellipsoid", g.Ellipsoid[:]
	}
	if g.Color != "" {
		var c [3]int
		if _, err := fmt.Sscanf(g.Color, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
			panic(err)
		}
		attributes += fmt.Sprintf(" rgba=\"%s 1\"", robottest.Numbers(float64(c[0])/255, float64(c[1])/255, float64(c[2])/255))
	}
	return w.placed(g.X_LG, "geom", fmt.Sprintf("type=%q size=%q %s", kind, robottest.Numbers(size...), attributes), "")
}
