package robot

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// A robot is a kinematic tree: each link but the root is the child of one joint. Published files
// differ from that in three ways, of which the first two are corrected with a warning:
//
//	a link with two parents      a closed loop; the later joint is left out, or a constraint, see loops.go
//	links without a parent       several roots; all but one float
//	joints in a cycle            no root above them; a fault

// FindRoot sets the Root of a robot. Of several joints to one child the first is one of the tree. Of several
// links without a parent the first is the root, or the world where there is one, and the others
// float, by the joints that are returned. Joints in a cycle are faults.
func (r *Reader) FindRoot(m *Robot) (free []Joint) {
	if r.Err != nil {
		return nil
	}
	if len(m.Links) == 0 {
		r.Fail(1, "the robot has no links")
		return nil
	}
	// leaves out joints that close loops
	r.openLoops(m)
	ofFile := len(m.Joints)
	// the joint that carries each link
	holder := m.holders()
	// a link called world is where a format puts what does not move
	m.Root = -1
	for i, h := range holder {
		if h < 0 && (m.Root < 0 || m.Links[i].Name == "world") {
			m.Root = i
		}
	}
	for i, h := range holder {
		// joints are appended behind those of the file, whose numbers mimics refer to
		if h < 0 && i != m.Root {
			r.Repair(m.Links[i].Line, "links %q and %q both have no parent: %q is the base, %q moves freely",
				m.Links[m.Root].Name, m.Links[i].Name, m.Links[m.Root].Name, m.Links[i].Name)
			holder[i] = len(m.Joints)
			m.Joints = append(m.Joints, freeJoint(m, i))
		}
	}
	r.checkCycle(m, holder)
	return m.Joints[ofFile:]
}

// freeJoint returns a joint by which a link moves freely from the root, where both frames coincide.
func freeJoint(m *Robot, link int) Joint {
	inf := math.Inf(1)
	return Joint{
		Name: m.Links[link].Name + "_free", Line: m.Links[link].Line, Type: Floating, Parent: m.Root, Child: link,
		X_PF: r3.PoseIdentity(), X_CM: r3.PoseIdentity(), Axis: r3.Vec{1, 0, 0},
		Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf,
	}
}

// holders returns of each link the joint whose child it is, −1 where there is none.
func (m *Robot) holders() []int {
	holder := make([]int, len(m.Links))
	for i := range holder {
		holder[i] = -1
	}
	for i := range m.Joints {
		holder[m.Joints[i].Child] = i
	}
	return holder
}

// checkCycle reports joints in a cycle, which the root is not connected to.
func (r *Reader) checkCycle(m *Robot, holder []int) {
	// what cannot be reached from the root hangs on a cycle
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

// FreeTrees returns for each link the root of its tree: the link that a free joint carries above it, or
// the root.
func (m *Robot) FreeTrees() []int {
	top := make([]int, len(m.Links))
	top[m.Root] = m.Root
	for _, i := range m.Order() { // parents first
		j := &m.Joints[i]
		if top[j.Child] = top[j.Parent]; j.Type == Floating {
			top[j.Child] = j.Child
		}
	}
	return top
}
