package scene

// Drives are built last, but some of their properties are needed before: whether a body or robot has a
// prescribed motion decides how it is attached to the world, so findMotions runs first. The joints that
// controllers move have no actuators of robot files. And a drive of a robot moves its base link, whose
// name only the robot file has.
//
// Package check gets the targets of controllers of joints with a speed limit, and warns of targets that are faster:
// the limit of a robot file does not act in the simulation.

import (
	"slices"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/sim"
)

// findMotions notes which bodies and robots have prescribed motions and which joints have controllers,
// before they are added.
func (l *loader) findMotions() {
	for _, name := range l.f.Drives.Keys {
		d := l.f.Drives.Get(name)
		switch s := d.Kind.Spec.(type) {
		case *sim.JointDrive:
			l.robots.driven[s.Joint] = true
		case *sim.MotorDrive:
			l.robots.driven[s.Joint] = true
		case *sim.RobotDrive:
			if s.Joints == nil && s.Robot != "" { // all joints of the robot
				l.robots.driven[s.Robot] = true
			}
			for _, j := range s.Joints {
				// a drive of a robot names joints as its file does, without the robot
				if s.Robot != "" {
					j = s.Robot + "." + j
				}
				l.robots.driven[j] = true
			}
		}
		// a body that is not named is reported as a missing key
		m, ok := d.Kind.Spec.(*sim.BodyMotion)
		if !ok || m.Body == "" {
			continue
		}
		// deformables and links cannot be moved
		if l.f.Bodies.Get(m.Body) == nil && l.f.Robots.Get(m.Body) == nil {
			l.fail(d.Pos, "drives.%s.body: no body or robot is called %q%s", name, m.Body, kinds.Suggest(m.Body, slices.Concat(l.f.Bodies.Keys, l.f.Robots.Keys)))
		} else if l.robots.motion[m.Body] != "" {
			l.fail(d.Pos, "drives.%s: %s is moved by another drive already", name, m.Body)
		} else {
			l.robots.motion[m.Body] = name
		}
	}
}

// addDrives adds the drives. The motion of a robot is that of its base.
func (l *loader) addDrives() {
	for _, name := range l.f.Drives.Keys {
		d := l.f.Drives.Get(name)
		path := "drives." + name
		l.put("drive", name, d.Pos, path)
		// a motion of a robot becomes one of its base link
		spec := d.Kind.Spec
		// motions need the name of the base, controllers the speed limit
		switch s := spec.(type) {
		case *sim.BodyMotion:
			if l.robots.motion[s.Body] != name {
				continue // a fault is reported
			}
			if base := l.robots.base[s.Body]; base != "" {
				// a copy: the file keeps what was written
				moved := *s
				moved.Body = base
				spec = &moved
			} else if l.f.Robots.Get(s.Body) != nil {
				continue // a fault of the robot is reported
			}
		case *sim.RobotDrive:
			if !l.robotTable(path, d.Pos, s) {
				continue // a fault is reported
			}
		case *sim.PolicyDrive:
			read, ok := l.policy(path, d.Pos, s)
			if !ok {
				continue // a fault is reported
			}
			spec = read
		}
		l.builder.AddDrive(name, spec)
	}
}

// targets returns the targets of joints whose drive or robot file limits their speed.
func (l *loader) targets() (list []check.Target) {
	speeds := map[string]float64{}
	for _, name := range l.builder.Names("joint") {
		if j, err := l.builder.Joint(name); err == nil && j.Velocity > 0 {
			speeds[name] = j.Velocity
		}
	}
	for _, name := range l.builder.Names("drive") {
		spec, _ := l.builder.Drive(name)
		d, ok := spec.(*sim.JointDrive)
		if !ok {
			continue
		}
		speed, limited := speeds[d.Joint]
		if d.VelocityLimit > 0 {
			speed, limited = d.VelocityLimit, true // of the drive, before that of the file
		}
		if target := d.Reference(); limited && target != nil {
			list = append(list, check.Target{Path: l.pathOf("drive", name), Joint: d.Joint, SpeedLimit: speed, Held: d.Kd > 0, Motion: target})
		}
	}
	return list
}
