package sdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// Random robots, written as SDFormat and read again, are the same: with each link placed
// by its joint and each joint by its parent, or all placed in the model.
func TestRandomRobotsAreReadAsWritten(t *testing.T) {
	features := robottest.Features{
		Types:   []robot.JointType{robot.Fixed, robot.Revolute, robot.Continuous, robot.Prismatic, robot.Screw, robot.Ball},
		Springs: true, Velocities: true, Properties: true, Pairs: true,
	}
	parse := func(text string) (*robot.Robot, []robot.Warning, error) {
		return Parse(strings.NewReader(text), "r.sdf", nil)
	}
	for _, absolute := range []bool{false, true} {
		robottest.Rewritten(t, features, parse, func(m *robot.Robot) string { return writer{m, absolute}.model() })
	}
}

// writer writes a robot as SDFormat.
type writer struct {
	*robot.Robot
	absolute bool // poses of links and joints are those in the model
}

func (w writer) model() string {
	X_ML := make([]r3.Pose, len(w.Links))
	for i := range X_ML {
		X_ML[i] = r3.PoseIdentity()
	}
	joints := ""
	for i := range w.Joints {
		j := &w.Joints[i]
		X_ML[j.Child] = X_ML[j.Parent].Mul(j.X_PF)
		pose := writePose(j.X_PF, w.Links[j.Parent].Name)
		if w.absolute {
			pose = writePose(X_ML[j.Child], "__model__")
		}
		joints += w.joint(j, pose)
	}
	s := fmt.Sprintf("<sdf version='1.11'><model name=%q>\n", w.Name)
	for i := range w.Links {
		pose := ""
		if w.absolute {
			pose = writePose(X_ML[i], "")
		} else if i > 0 { // joint i−1 moves link i
			pose = writePose(r3.PoseIdentity(), w.Joints[i-1].Name)
		}
		s += w.link(&w.Links[i], pose)
	}
	s += joints
	for i := range w.Links { // a group for each link
		s += fmt.Sprintf("<drake:collision_filter_group name=%q><drake:member>%s</drake:member>", w.Links[i].Name, w.Links[i].Name)
		for _, p := range w.ExcludedPairs {
			if p[0] == i {
				s += "<drake:ignored_collision_filter_group>" + w.Links[p[1]].Name + "</drake:ignored_collision_filter_group>"
			}
		}
		s += "</drake:collision_filter_group>\n"
	}
	return s + "</model></sdf>\n"
}

func (w writer) link(l *robot.Link, pose string) string {
	I := l.Inertial.Inertia
	s := fmt.Sprintf("<link name=%q>%s<inertial>%s%s<inertia>%s%s%s%s%s%s</inertia></inertial>\n", l.Name, pose,
		writePose(r3.Pose{R: r3.Identity(), P: l.Inertial.Com}, ""), number("mass", l.Inertial.Mass),
		number("ixx", I[0]), number("ixy", I[1]), number("ixz", I[2]), number("iyy", I[4]), number("iyz", I[5]), number("izz", I[8]))
	for k := range l.Visuals {
		g := &l.Visuals[k]
		var c [3]int
		if _, err := fmt.Sscanf(g.Color, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
			panic(err)
		}
		s += fmt.Sprintf(" <visual name='v%d'>%s<material><diffuse>%s 1</diffuse></material></visual>\n", k, writeShape(g),
			robottest.Numbers(float64(c[0])/255, float64(c[1])/255, float64(c[2])/255))
	}
	for k := range l.Collisions {
		s += fmt.Sprintf(" <collision name='c%d'>%s%s</collision>\n", k, writeShape(&l.Collisions[k]), writeMaterial(&l.Collisions[k].Material))
	}
	return s + "</link>\n"
}

func (w writer) joint(j *robot.Joint, pose string) string {
	s := fmt.Sprintf("<joint name=%q type=%q>%s<parent>%s</parent><child>%s</child>", j.Name, j.Type, pose, w.Links[j.Parent].Name, w.Links[j.Child].Name)
	if !j.Type.OneDOF() {
		return s + "</joint>\n"
	}
	limits := number("effort", j.EffortLimit) + number("velocity", j.VelocityLimit)
	if j.Type != robot.Continuous {
		limits += number("lower", j.Lower) + number("upper", j.Upper)
	}
	mimic := ""
	if f := j.Mimic; f != nil {
		mimic = fmt.Sprintf("<mimic joint=%q>%s%s</mimic>", w.Joints[f.Joint].Name, number("multiplier", f.Multiplier), number("offset", f.Offset))
	}
	s += fmt.Sprintf("<axis><xyz>%s</xyz><limit>%s</limit><dynamics>%s%s%s%s</dynamics>%s</axis>%s", robottest.Numbers(j.Axis[:]...), limits,
		number("damping", j.Damping), number("friction", j.Friction), number("spring_stiffness", j.Stiffness), number("spring_reference", j.RestPosition),
		mimic, number("drake:rotor_inertia", j.RotorInertia))
	if j.Type == robot.Screw {
		s += number("screw_thread_pitch", j.Pitch)
	}
	return s + "</joint>\n"
}

func number(tag string, x float64) string { return fmt.Sprintf("<%s>%.17g</%s>", tag, x, tag) }

func writePose(X r3.Pose, relativeTo string) string {
	if relativeTo != "" {
		relativeTo = fmt.Sprintf(" relative_to=%q", relativeTo)
	}
	rpy := robottest.RPY(X.R)
	return "<pose" + relativeTo + ">" + robottest.Numbers(append(X.P[:], rpy[:]...)...) + "</pose>"
}

func writeShape(g *robot.Geometry) string {
	round := func(r *robot.Round) string { return number("radius", r.Radius) + number("length", r.Length) }
	s := ""
	switch {
	case g.Box != nil:
		s = "<box><size>" + robottest.Numbers(g.Box[:]...) + "</size></box>"
	case g.Sphere > 0:
		s = "<sphere>" + number("radius", g.Sphere) + "</sphere>"
	case g.Cylinder != nil:
		s = "<cylinder>" + round(g.Cylinder) + "</cylinder>"
	case g.Capsule != nil:
		s = "<capsule>" + round(g.Capsule) + "</capsule>"
	case g.Ellipsoid != nil:
		s = "<ellipsoid><radii>" + robottest.Numbers(g.Ellipsoid[:]...) + "</radii></ellipsoid>"
	}
	return writePose(g.X_LG, "") + "<geometry>" + s + "</geometry>"
}

func writeMaterial(m *robot.ContactMaterial) string {
	s := ""
	for element, x := range m.Properties() {
		if *x != nil {
			s += number(element, **x)
		}
	}
	return "<drake:proximity_properties>" + s + "</drake:proximity_properties>"
}
