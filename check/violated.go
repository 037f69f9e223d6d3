package check

// Constraints that are violated at the start, such as a kinematic loop (loop closure) of a gripper
// whose joints do not start where the loop was measured. They close within a step or two: an error g
// starts the run with a jolt of the speed g/h, and bodies end at poses that differ from those of the
// file.

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/sim"
)

const (
	// violatedDistance is the error above which a constraint is reported, m, or rad of joints.
	violatedDistance = 1e-4
	// violatedAngle is the same of a weld's rotation, rad.
	violatedAngle = 1e-3
)

// violated warns of constraints that do not hold at the start.
func (c *checker) violated(st *sim.Stepper) {
	// names of constraints and joints by number
	names, joints := map[int]string{}, map[int]string{}
	for name, i := range c.Model.Names.Constraints {
		names[i] = name
	}
	for name, i := range c.Model.Names.Joints {
		joints[i] = name
	}
	start := c.Model.Start.Clone()
	st.Place(start, c.Step)
	for i := range c.Model.Constraints {
		name, named := names[i]
		distance, angle, ok := st.ConstraintError(i)
		if !ok || !named || !exceeds(distance, violatedDistance) && !exceeds(angle, violatedAngle) {
			continue
		}
		var amounts []string
		switch c.Model.Constraints[i].(type) {
		case *constraints.Coupler, *constraints.JointSumLimit:
			amounts = append(amounts, fmt.Sprintf("%.3g (rad, of slides m)", distance))
		default:
			if exceeds(distance, violatedDistance) {
				amounts = append(amounts, metres(distance))
			}
			if exceeds(angle, violatedAngle) {
				amounts = append(amounts, fmt.Sprintf("%.3g rad", angle))
			}
		}
		// constraints of robot files are called ROBOT.NAME
		path := "constraints." + name
		if strings.Contains(name, ".") {
			path = "robots." + name
		}
		c.warn(Violated, []string{path}, "start the joints where it holds, or leave out points and poses, which then follow from the start",
			"it does not hold at the start: %s are off by %s, and will jump there within the first steps", c.held(i, joints), strings.Join(amounts, " and "))
	}
}

// held names the bodies or joints that a constraint holds.
func (c *checker) held(i int, joints map[int]string) string {
	bodies := func(a, b int) string {
		if a == geometry.World {
			a, b = b, a
		}
		return c.name(a) + " and " + c.name(b)
	}
	switch k := c.Model.Constraints[i].(type) {
	case *constraints.Weld:
		return bodies(k.A, k.B)
	case *constraints.Ball:
		return bodies(k.A.Body, k.B.Body)
	case *constraints.Distance:
		return bodies(k.A.Body, k.B.Body)
	case *constraints.Fixed:
		return bodies(k.Deformable, k.Body)
	case *constraints.Coupler:
		return "joints " + joints[k.A] + " and " + joints[k.B]
	case *constraints.JointSumLimit:
		var all []string
		for _, dof := range k.Dofs {
			all = append(all, joints[dof])
		}
		return "joints " + strings.Join(all, ", ")
	}
	return "bodies"
}
