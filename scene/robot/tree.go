package robot

import "slices"

// FindRoot finds the root; it reports links that two joints hold, several roots and
// circles.
func (r *Reader) FindRoot(m *Robot) {
	if r.Err != nil {
		return
	}
	if len(m.Links) == 0 {
		r.Fail(1, "the robot has no links")
		return
	}
	holder := make([]int, len(m.Links))
	for i := range holder {
		holder[i] = -1
	}
	for i := range m.Joints {
		j := &m.Joints[i]
		if h := holder[j.Child]; h >= 0 {
			r.Fail(j.Line, "link %q is the child of two joints, %q and %q, a loop: robots are trees; close loops with constraints in the scene",
				m.Links[j.Child].Name, m.Joints[h].Name, j.Name)
			return
		}
		holder[j.Child] = i
	}
	m.Root = -1
	for i, h := range holder {
		if h >= 0 {
			continue
		}
		if m.Root >= 0 {
			r.Fail(m.Links[i].Line, "links %q and %q both have no parent: connect them with a joint, or give two robots",
				m.Links[m.Root].Name, m.Links[i].Name)
			return
		}
		m.Root = i
	}
	r.circle(m, holder)
}

// circle reports joints that hold each other around, apart from the root.
func (r *Reader) circle(m *Robot, holder []int) {
	held := make([]bool, len(m.Links))
	if m.Root >= 0 {
		held[m.Root] = true
		for _, j := range m.Order() {
			held[m.Joints[j].Child] = true
		}
	}
	l := slices.Index(held, false)
	if l < 0 {
		return
	}
	for range m.Links { // up, and surely into the circle
		l = m.Joints[holder[l]].Parent
	}
	j := &m.Joints[holder[l]]
	r.Fail(j.Line, "joint %q hangs link %q on %q, which hangs on it, a loop: robots are trees; close loops with constraints in the scene",
		j.Name, m.Links[j.Child].Name, m.Links[j.Parent].Name)
}

// Order returns the joints such that parents come before children.
func (m *Robot) Order() []int {
	children := make([][]int, len(m.Links))
	for i := range m.Joints {
		p := m.Joints[i].Parent
		children[p] = append(children[p], i)
	}
	var order []int
	queue := []int{m.Root}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, j := range children[l] {
			order = append(order, j)
			queue = append(queue, m.Joints[j].Child)
		}
	}
	return order
}
