package mjcf

// Keyframes: states of the robot by name. qpos lists the positions of all joints in the order of
// the bodies in the file, outer bodies first:
//
//	free          x y z, then a quaternion w x y z, in the world
//	ball          a quaternion
//	hinge, slide  rad or m, from the reference of the joint
//
// ctrl lists the controls of all actuators in the order of the file, act the activations of those that have
// one. Velocities are not read.

import (
	"math"
	"strconv"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// keyframes reads the positions of all keyframes.
func (r *reader) keyframes(root *robot.Element) {
	for _, s := range root.All("keyframe") {
		for _, e := range s.All("key") {
			// scenes may name a keyframe without a name by its number from 0
			k := robot.Keyframe{Name: strconv.Itoa(len(r.m.Keyframes)), Line: e.Line}
			if name, ok := e.Attr("name"); ok && name != "" {
				k.Name = name
			}
			q := r.numbers(e, "qpos", 0, math.MaxInt)
			if r.Err != nil {
				return
			}
			// numbers of qpos have no names: with a wrong count none can be assigned
			if want := r.positions(); q != nil && len(q) != want {
				r.Repair(e.Line, "<key name=%q>: its qpos has %d numbers, the robot %d: left out", k.Name, len(q), want)
				continue
			}
			// without qpos all joints are where the file puts them
			if q != nil {
				r.key(&k, q)
			}
			r.keyControls(e, &k)
			r.m.Keyframes = append(r.m.Keyframes, k)
		}
	}
}

// keyControls reads controls and activations of a keyframe.
func (r *reader) keyControls(e *robot.Element, k *robot.Keyframe) {
	// act has numbers of actuators with an activation only
	stateful := 0
	for _, c := range r.controls {
		if c.stateful {
			stateful++
		}
	}
	read := func(name string, want int) []float64 {
		x := r.numbers(e, name, 0, math.MaxInt)
		if r.Err != nil {
			return nil // how many there are has no meaning after a fault
		}
		if x != nil && len(x) != want {
			r.Repair(e.Line, "<key name=%q>: its %s has %d numbers, the robot %d: taken as 0", k.Name, name, len(x), want)
			return nil
		}
		return x
	}
	ctrl, act := read("ctrl", len(r.controls)), read("act", stateful)
	n := len(r.m.Actuators)
	k.Controls, k.Activations = make([]float64, n), make([]float64, n)
	// Lists of the file count every actuator, lists of the robot those that are simulated.
	stateful = 0
	for i, c := range r.controls {
		if c.actuator >= 0 && ctrl != nil {
			k.Controls[c.actuator] = ctrl[i]
		}
		if c.stateful {
			if c.actuator >= 0 && act != nil {
				k.Activations[c.actuator] = act[stateful]
			}
			stateful++
		}
	}
}

// positions returns how many numbers qpos has.
func (r *reader) positions() (n int) {
	// a floating root comes first and is no joint of the robot
	if r.m.Floating {
		n = 7
	}
	for i := range r.m.Joints {
		n += positionsOf(r.m.Joints[i].Type)
	}
	return n
}

// positionsOf returns the numbers of a joint in qpos.
func positionsOf(t robot.JointType) int {
	switch t {
	case robot.Fixed:
		return 0
	case robot.Floating:
		return 7
	case robot.Ball:
		return 4
	}
	return 1
}

// key fills a keyframe from the numbers of qpos.
func (r *reader) key(k *robot.Keyframe, q []float64) {
	if r.m.Floating {
		X := freePose(q)
		// in the world of MuJoCo, which is the frame F of the file
		k.X_FR, q = &X, q[7:]
	}
	for i := range r.m.Joints {
		j := &r.m.Joints[i]
		// NaN: the joint has no single position, or keeps that of the file
		x := math.NaN()
		switch n := positionsOf(j.Type); {
		case n == 1:
			x = q[0]
		case n == 7:
			if k.X_PC == nil {
				k.X_PC = map[int]r3.Pose{}
			}
			// in the world, which is the parent of a body that moves freely
			k.X_PC[i] = freePose(q)
		case n == 4 && r3.Quat(q[:4]).Unit() != (r3.Quat{1, 0, 0, 0}):
			r.Warn(k.Line, "<key name=%q>: ball %q starts as the file puts it", k.Name, j.Name)
		}
		q = q[positionsOf(j.Type):]
		k.Positions = append(k.Positions, x)
	}
}

// freePose returns the pose that the first seven numbers of q give; a quaternion without length does
// not turn.
func freePose(q []float64) r3.Pose {
	X := r3.Pose{R: r3.Identity(), P: r3.Vec(q[:3])}
	if n := math.Hypot(math.Hypot(q[3], q[4]), math.Hypot(q[5], q[6])); n > 1e-9 {
		X.R = r3.Quat(q[3:7]).Unit().Mat()
	}
	return X
}
