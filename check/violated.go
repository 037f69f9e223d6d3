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

// violated warns of constraints that are violated at the start.
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
		v, ok := st.ConstraintError(i)
		if !ok || !named {
			continue
		}
		var amounts []string
		if exceeds(v.Distance, violatedDistance) {
			amounts = append(amounts, metres(v.Distance))
		}
		if exceeds(v.Angle, violatedAngle) {
			amounts = append(amounts, fmt.Sprintf("%.3g rad", v.Angle))
		}
		if exceeds(v.Joint, violatedDistance) {
			amounts = append(amounts, fmt.Sprintf("%.3g (rad, of slides m)", v.Joint))
		}
		if len(amounts) == 0 {
			continue
		}
		// constraints of robot files are called ROBOT.NAME
		path := "constraints." + name
		if strings.Contains(name, ".") {
			path = "robots." + name
		}
		c.warn(Violated, []string{path}, "start the joints where it is satisfied, or leave out points and poses, which then follow from the start",
			"it is violated at the start: %s are off by %s, and will jump there within the first steps", c.held(i, joints), strings.Join(amounts, " and "))
	}
}

// held names the bodies or joints that a constraint acts on.
func (c *checker) held(i int, joints map[int]string) string {
	about := c.Model.Constraints[i].(constraints.Described).Describe()
	var names []string
	kind := ""
	for _, dof := range about.Dofs {
		kind, names = "joints ", append(names, joints[dof])
	}
	bodies := about.Bodies()
	// the world last
	if len(bodies) > 1 && bodies[0] == geometry.World {
		bodies[0], bodies[1] = bodies[1], bodies[0]
	}
	for _, body := range bodies {
		names = append(names, c.name(body))
	}
	if last := len(names) - 1; last == 1 {
		return kind + names[0] + " and " + names[1]
	}
	return kind + strings.Join(names, ", ")
}
