package urdf

import "slices"

// tree finds the root; it reports links that two joints hold, several roots and
// circles.
func (r *reader) tree(robot *Robot) {
	if r.err != nil {
		return
	}
	if len(robot.Links) == 0 {
		r.fail(1, "the robot has no links")
		return
	}
	holder := make([]int, len(robot.Links))
	for i := range holder {
		holder[i] = -1
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if h := holder[j.Child]; h >= 0 {
			r.fail(j.Line, "link %q is the child of two joints, %q and %q, a loop: URDF describes trees; close loops with constraints in the scene",
				robot.Links[j.Child].Name, robot.Joints[h].Name, j.Name)
			return
		}
		holder[j.Child] = i
	}
	robot.Root = -1
	for i, h := range holder {
		if h >= 0 {
			continue
		}
		if robot.Root >= 0 {
			r.fail(robot.Links[i].Line, "links %q and %q both have no parent: connect them with a joint, or give two robots",
				robot.Links[robot.Root].Name, robot.Links[i].Name)
			return
		}
		robot.Root = i
	}
	r.circle(robot, holder)
}

// circle reports joints that hold each other around, apart from the root.
func (r *reader) circle(robot *Robot, holder []int) {
	held := make([]bool, len(robot.Links))
	if robot.Root >= 0 {
		held[robot.Root] = true
		for _, j := range robot.Order() {
			held[robot.Joints[j].Child] = true
		}
	}
	l := slices.Index(held, false)
	if l < 0 {
		return
	}
	for range robot.Links { // up, and surely into the circle
		l = robot.Joints[holder[l]].Parent
	}
	j := &robot.Joints[holder[l]]
	r.fail(j.Line, "joint %q hangs link %q on %q, which hangs on it, a loop: URDF describes trees; close loops with constraints in the scene",
		j.Name, robot.Links[j.Child].Name, robot.Links[j.Parent].Name)
}

// Order returns the joints such that parents come before children.
func (robot *Robot) Order() []int {
	children := make([][]int, len(robot.Links))
	for i := range robot.Joints {
		p := robot.Joints[i].Parent
		children[p] = append(children[p], i)
	}
	var order []int
	queue := []int{robot.Root}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, j := range children[l] {
			order = append(order, j)
			queue = append(queue, robot.Joints[j].Child)
		}
	}
	return order
}
