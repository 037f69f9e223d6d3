package urdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// Random robots, written as URDF and read again, are the same.
func TestRandomRobotsAreReadAsWritten(t *testing.T) {
	robottest.Rewritten(t, robottest.Features{
		Types:      []robot.JointType{robot.Fixed, robot.Revolute, robot.Continuous, robot.Prismatic, robot.Screw, robot.Floating},
		Velocities: true, Properties: true, Pairs: true,
	}, func(text string) (*robot.Robot, []robot.Warning, error) {
		return Parse(strings.NewReader(text), "r.urdf")
	}, write)
}

// write writes a robot as URDF.
func write(m *robot.Robot) string {
	s := fmt.Sprintf("<robot name=%q>\n", m.Name)
	for i := range m.Links {
		l := &m.Links[i]
		I := l.Inertial.Inertia
		s += fmt.Sprintf("<link name=%q><inertial><origin xyz=%q/><mass value=\"%.17g\"/>", l.Name, robottest.Numbers(l.Inertial.Com[:]...), l.Inertial.Mass)
		s += fmt.Sprintf("<inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\" izz=\"%.17g\"/></inertial>\n", I[0], I[1], I[2], I[4], I[5], I[8])
		for k := range l.Visuals {
			s += " <visual>" + writeShape(&l.Visuals[k]) + "<material>" + writeColor(l.Visuals[k].Color) + "</material></visual>\n"
		}
		for k := range l.Collisions {
			s += " <collision>" + writeShape(&l.Collisions[k]) + writeMaterial(&l.Collisions[k].Material) + "</collision>\n"
		}
		s += "</link>\n"
	}
	for i := range m.Joints {
		s += writeJoint(m, &m.Joints[i])
	}
	for i := range m.Links { // a group for each link
		s += fmt.Sprintf("<drake:collision_filter_group name=%q><drake:member link=%q/>", m.Links[i].Name, m.Links[i].Name)
		for _, p := range m.ExcludedPairs {
			if p[0] == i {
				s += fmt.Sprintf("<drake:ignored_collision_filter_group name=%q/>", m.Links[p[1]].Name)
			}
		}
		s += "</drake:collision_filter_group>\n"
	}
	return s + "</robot>\n"
}

func writeOrigin(X r3.Pose) string {
	rpy := robottest.RPY(X.R)
	return fmt.Sprintf("<origin xyz=%q rpy=%q/>", robottest.Numbers(X.P[:]...), robottest.Numbers(rpy[:]...))
}

func writeColor(hex string) string {
	var c [3]int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		panic(err)
	}
	return fmt.Sprintf("<color rgba=\"%s 1\"/>", robottest.Numbers(float64(c[0])/255, float64(c[1])/255, float64(c[2])/255))
}

func writeShape(g *robot.Geometry) string {
	s := ""
	switch {
	case g.Box != nil:
		s = fmt.Sprintf("<box size=%q/>", robottest.Numbers(g.Box[:]...))
	case g.Sphere > 0:
		s = fmt.Sprintf("<sphere radius=\"%.17g\"/>", g.Sphere)
	case g.Cylinder != nil:
		s = fmt.Sprintf("<cylinder radius=\"%.17g\" length=\"%.17g\"/>", g.Cylinder.Radius, g.Cylinder.Length)
	case g.Capsule != nil:
		s = fmt.Sprintf("<drake:capsule radius=\"%.17g\" length=\"%.17g\"/>", g.Capsule.Radius, g.Capsule.Length)
	case g.Ellipsoid != nil:
		s = fmt.Sprintf("<drake:ellipsoid a=\"%.17g\" b=\"%.17g\" c=\"%.17g\"/>", g.Ellipsoid[0], g.Ellipsoid[1], g.Ellipsoid[2])
	}
	return writeOrigin(g.X_LG) + "<geometry>" + s + "</geometry>"
}

func writeMaterial(m *robot.ContactMaterial) string {
	s := ""
	for element, x := range m.Properties() {
		if *x != nil {
			s += fmt.Sprintf("<%s value=\"%.17g\"/>", element, **x)
		}
	}
	return "<drake:proximity_properties>" + s + "</drake:proximity_properties>"
}

func writeJoint(m *robot.Robot, j *robot.Joint) string {
	s := fmt.Sprintf("<joint name=%q type=%q><parent link=%q/><child link=%q/>%s", j.Name, j.Type, m.Links[j.Parent].Name, m.Links[j.Child].Name, writeOrigin(j.X_PF))
	if !j.Type.OneDOF() {
		return s + "</joint>\n"
	}
	s += fmt.Sprintf("<axis xyz=%q/><limit", robottest.Numbers(j.Axis[:]...))
	if j.Type != robot.Continuous {
		s += fmt.Sprintf(" lower=\"%.17g\" upper=\"%.17g\"", j.Lower, j.Upper)
	}
	s += fmt.Sprintf(" effort=\"%.17g\" velocity=\"%.17g\"/><dynamics damping=\"%.17g\" friction=\"%.17g\"/>", j.EffortLimit, j.VelocityLimit, j.Damping, j.Friction)
	if j.Type == robot.Screw {
		s += fmt.Sprintf("<drake:screw_thread_pitch value=\"%.17g\"/>", j.Pitch)
	}
	if f := j.Mimic; f != nil {
		s += fmt.Sprintf("<mimic joint=%q multiplier=\"%.17g\" offset=\"%.17g\"/>", m.Joints[f.Joint].Name, f.Multiplier, f.Offset)
	}
	return s + fmt.Sprintf("</joint>\n<transmission><joint name=%q/><actuator><drake:rotor_inertia value=\"%.17g\"/></actuator></transmission>\n", j.Name, j.RotorInertia)
}
