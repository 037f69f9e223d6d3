package robot

import "slices"

// FindRoot sets the Root of a robot. That a link is the child of two joints, that
// several links have no parent, and joints in a cycle are faults.
func (r *Reader) FindRoot(m *Robot) {
	if r.Err != nil {
		return
	}
	if len(m.Links) == 0 {
		r.Fail(1, "the robot has no links")
		return
	}
	holder, ok := r.holders(m)
	if !ok {
		return
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
	r.checkCycle(m, holder)
}

// holders returns of each link the joint whose child it is, −1 where there is none;
// false where a link has two.
func (r *Reader) holders(m *Robot) (holder []int, ok bool) {
	holder = make([]int, len(m.Links))
	for i := range holder {
		holder[i] = -1
	}
	for i := range m.Joints {
		j := &m.Joints[i]
		if h := holder[j.Child]; h >= 0 {
			r.Fail(j.Line, "link %q is the child of two joints, %q and %q, a loop: robots are trees; close loops with constraints in the scene",
				m.Links[j.Child].Name, m.Joints[h].Name, j.Name)
			return nil, false
		}
		holder[j.Child] = i
	}
	return holder, true
}

// checkCycle reports joints in a cycle, which the root is not connected to.
func (r *Reader) checkCycle(m *Robot, holder []int) {
	reached := make([]bool, len(m.Links))
	if m.Root >= 0 {
		reached[m.Root] = true
		for _, j := range m.Order() {
			reached[m.Joints[j].Child] = true
		}
	}
	l := slices.Index(reached, false)
	if l < 0 {
		return
	}
	// As many steps to the parent as there are links end in the cycle.
	for range m.Links {
		l = m.Joints[holder[l]].Parent
	}
	j := &m.Joints[holder[l]]
	r.Fail(j.Line, "joint %q hangs link %q on %q, which hangs on it, a loop: robots are trees; close loops with constraints in the scene",
		j.Name, m.Links[j.Child].Name, m.Links[j.Parent].Name)
}

// Order returns the numbers of the joints, sorted such that a joint comes after the
// one that its parent is the child of.
func (m *Robot) Order() []int {
	children := make([][]int, len(m.Links)) // joints by parent
	for i := range m.Joints {
		p := m.Joints[i].Parent
		children[p] = append(children[p], i)
	}
	// breadth first from the root
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
