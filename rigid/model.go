// Package rigid holds forests of articulated rigid bodies: trees of links
// connected by joints. It knows their kinematics, their inertia and how they move
// freely in a step; what acts between them comes from constraints.
package rigid

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Model is a forest, immutable once built.
type Model struct {
	links   []LinkSpec
	x_MB    []r3.Pose // of each link
	q0, v0  []int     // first position and velocity of each link's joint
	nv      []int     // velocities of each link's joint
	mover   []int     // of each link: the nearest one up the tree, itself included, whose joint has velocities, or World
	dofs    []int     // link of each velocity
	tree    []int     // tree of each link that moves by velocities, else −1
	first   []int     // first velocity of each tree, then the total
	flier   []int     // of each tree: the link that floats in the world and carries only what is welded to it, or World
	floater []int     // of each tree: the link that floats in the world and carries joints, on which nothing else acts, or World
	nq      int

	placing []placing // of each link
	every   []int     // all links
	jointed []int     // those not of a tree that flies
	ofTree  [][]int   // links of each tree
}

// Builder collects links. The zero value is ready.
type Builder struct{ links []LinkSpec }

// Add appends a link and returns its number. The error names the link, what is
// wrong and how to mend it.
func (b *Builder) Add(s LinkSpec) (int, error) {
	if s.Parent < World || s.Parent >= len(b.links) {
		return 0, fmt.Errorf("link %q: its parent %d is not an earlier link: add parents first", s.Name, s.Parent)
	}
	if err := s.check(); err != nil {
		return 0, fmt.Errorf("link %q: %w", s.Name, err)
	}
	b.links = append(b.links, s)
	return len(b.links) - 1, nil
}

// Build numbers positions and velocities, tree by tree, and returns the forest.
// The error names a link that moves without any inertia.
func (b *Builder) Build() (*Model, error) {
	n := len(b.links)
	m := &Model{
		links: slices.Clone(b.links), x_MB: make([]r3.Pose, n),
		q0: make([]int, n), v0: make([]int, n), nv: make([]int, n), mover: make([]int, n), tree: make([]int, n),
	}
	trees := m.plant()
	for t := range trees {
		m.first = append(m.first, len(m.dofs))
		for i := range m.links {
			if m.tree[i] != t || m.nv[i] == 0 {
				continue
			}
			nq, nv := m.links[i].Joint.Size()
			m.q0[i], m.v0[i] = m.nq, len(m.dofs)
			m.nq += nq
			for range nv {
				m.dofs = append(m.dofs, i)
			}
		}
	}
	m.first = append(m.first, len(m.dofs))
	m.findFliers()
	m.tabulate()
	m.ofTree = make([][]int, trees)
	for i := range m.links {
		if t := m.tree[i]; t >= 0 {
			m.ofTree[t] = append(m.ofTree[t], i)
		}
		m.every = append(m.every, i)
		if t := m.tree[i]; t < 0 || m.flier[t] == World {
			m.jointed = append(m.jointed, i)
		}
	}
	if err := m.checkMoving(); err != nil {
		return nil, err
	}
	return m, nil
}

// plant assigns links to trees, which begin at joints that move on what does not
// move by velocities, and returns the number of trees.
func (m *Model) plant() int {
	trees := 0
	for i := range m.links {
		l := &m.links[i]
		m.x_MB[i] = l.X_BM.Inv()
		_, m.nv[i] = l.Joint.Size()
		m.tree[i], m.mover[i] = -1, World
		if l.Parent != World {
			m.tree[i], m.mover[i] = m.tree[l.Parent], m.mover[l.Parent]
		}
		if m.nv[i] == 0 {
			continue
		}
		m.mover[i] = i
		if m.tree[i] < 0 {
			m.tree[i] = trees
			trees++
		}
	}
	return trees
}

// findFliers looks for trees that are one floating body, or float with joints.
func (m *Model) findFliers() {
	m.flier, m.floater = make([]int, m.Trees()), make([]int, m.Trees())
	for t := range m.flier {
		m.flier[t], m.floater[t] = World, World
	}
	for i := range m.links {
		t, l := m.tree[i], &m.links[i]
		switch l.Joint.(type) {
		case Floating:
			switch {
			case l.Parent != World:
			case m.first[t+1]-m.first[t] == m.nv[i]:
				m.flier[t] = i
			case l.Damping == 0 && l.RotorInertia == 0:
				m.floater[t] = i
			}
		case Prescribed:
			if t >= 0 {
				m.flier[t], m.floater[t] = World, World
			}
		}
	}
}

// above returns the next mover up the tree of one, or World.
func (m *Model) above(mover int) int {
	if p := m.links[mover].Parent; p != World {
		return m.mover[p]
	}
	return World
}

// NumLinks returns the number of links.
func (m *Model) NumLinks() int { return len(m.links) }

// NumQ returns the number of positions.
func (m *Model) NumQ() int { return m.nq }

// NumV returns the number of velocities.
func (m *Model) NumV() int { return len(m.dofs) }

// Trees returns the number of trees that move, the cliques of FreeMotion.
func (m *Model) Trees() int { return len(m.first) - 1 }

// LinkName returns the name of a link.
func (m *Model) LinkName(link int) string { return m.links[link].Name }

// Link returns the specification of a link.
func (m *Model) Link(link int) LinkSpec { return m.links[link] }

// Parent returns the parent of a link, or World.
func (m *Model) Parent(link int) int { return m.links[link].Parent }

// IsKinematic reports whether no force moves a link: it is fixed, or moves as
// prescribed, all the way to the world.
func (m *Model) IsKinematic(link int) bool { return m.mover[link] == World }

// QStart returns the first position of a link's joint.
func (m *Model) QStart(link int) int { return m.q0[link] }

// VStart returns the first velocity of a link's joint, a dof.
func (m *Model) VStart(link int) int { return m.v0[link] }

// LinkOfDof returns the link whose joint a velocity belongs to.
func (m *Model) LinkOfDof(dof int) int { return m.dofs[dof] }

// Start returns positions with every joint at zero, and velocities at rest.
func (m *Model) Start() (q, v []float64) {
	q, v = make([]float64, m.nq), make([]float64, len(m.dofs))
	for i := range m.links {
		nq, _ := m.links[i].Joint.Size()
		m.links[i].Joint.Zero(q[m.q0[i] : m.q0[i]+nq])
	}
	return q, v
}
