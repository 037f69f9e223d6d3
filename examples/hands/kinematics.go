package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// kinematics places the links of a hand at positions of its joints.
type kinematics struct {
	robot   *robot.Robot
	stepper *sim.Stepper
	state   *sim.State
	index   map[string]int // of joints in robot.Joints
	body    []int          // scene bodies of links, −1 without
	shapes  [][]int        // geoms of links
}

// newKinematics reads the file of a robot, of which the model has a copy called "hand".
func newKinematics(file string, m *sim.Model) (*kinematics, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, _, err := robot.Parse(file, text, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(filepath.Dir(file), name)) })
	if err != nil {
		return nil, err
	}
	stepper, err := sim.NewStepper(m, sim.Options{Threads: 1}) // places links only
	if err != nil {
		return nil, err
	}
	k := &kinematics{robot: r, stepper: stepper, state: m.Start.Clone(), index: map[string]int{}}
	for i := range r.Joints {
		k.index[r.Joints[i].Name] = i
	}
	linkOf := map[int]int{}
	for i, l := range r.Links {
		b, ok := m.Names.Bodies["hand."+l.Name]
		if !ok {
			b = -1
		} else {
			linkOf[b] = i
		}
		k.body = append(k.body, b)
	}
	k.shapes = make([][]int, len(r.Links))
	for g := range m.Geometry.Geoms {
		if i, ok := linkOf[m.Geometry.Geoms[g].Body]; ok {
			k.shapes[i] = append(k.shapes[i], g)
		}
	}
	return k, nil
}

// joint returns the number of a joint that a hand may set.
func (k *kinematics) joint(name string) (int, error) {
	i, ok := k.index[name]
	switch {
	case !ok:
		return 0, fmt.Errorf("the file has no joint %q", name)
	case k.robot.Joints[i].Mimic != nil:
		return 0, fmt.Errorf("joint %q follows another one: set that", name)
	case !k.robot.Joints[i].Type.OneDOF():
		return 0, fmt.Errorf("joint %q is %s", name, k.robot.Joints[i].Type)
	}
	return i, nil
}

// place puts the links where joints (in the order of the file) have the positions q; those of mimic joints
// are set.
func (k *kinematics) place(q []float64) {
	for range q { // chains of mimics
		for i := range q {
			if m := k.robot.Joints[i].Mimic; m != nil {
				q[i] = m.Multiplier*q[m.Joint] + m.Offset
			}
		}
	}
	for i := range q {
		if dof, ok := k.stepper.Model.Names.Joints["hand."+k.robot.Joints[i].Name]; ok {
			k.state.Q[dof] = q[i] // the base is fixed and all joints have one position
		}
	}
	k.stepper.Place(k.state, 1e-3)
}

// pose is that of a link where the links were placed.
func (k *kinematics) pose(link int) r3.Pose {
	if k.body[link] < 0 {
		return r3.Pose{R: r3.Identity()}
	}
	return k.stepper.Geometry.X_WB[k.body[link]]
}

// distance is that of a point from the shapes of a link at a pose, with its gradient; more than far where it is farther
// away.
func (k *kinematics) distance(link int, X_WL r3.Pose, p r3.Vec, far float64) (phi float64, grad r3.Vec) {
	phi = math.Inf(1)
	for _, i := range k.shapes[link] {
		g := &k.stepper.Model.Geometry.Geoms[i]
		X := X_WL.Mul(g.X_BG)
		local := X.InvPoint(p)
		if limit := min(phi, far); g.Shape.Bounds().Dist2(local) > limit*limit {
			continue
		}
		if f, n := g.Shape.SignedDistance(local); f < phi {
			phi, grad = f, X.R.MulVec(n)
		}
	}
	return phi, grad
}

// movedBy lists the links that a finger moves.
func (k *kinematics) movedBy(f finger) (links []int, err error) {
	r := k.robot
	moves := make([]bool, len(r.Joints))
	for _, t := range f {
		i, err := k.joint(t.joint)
		if err != nil {
			return nil, err
		}
		moves[i] = true
	}
	moved := make([]bool, len(r.Links))
	for range r.Joints { // mimics of mimics, and joints in any order
		for i := range r.Joints {
			j := &r.Joints[i]
			moves[i] = moves[i] || j.Mimic != nil && moves[j.Mimic.Joint]
			moved[j.Child] = moved[j.Child] || moves[i] || moved[j.Parent]
		}
	}
	for i, m := range moved {
		if m {
			links = append(links, i)
		}
	}
	return links, nil
}
