// Package rigid is the dynamics of articulated rigid bodies (multibody dynamics):
// forests of kinematic trees, whose links are connected by joints. For each tree it
// gives the convex problem of a step the mass matrix A, the momentum gained in free
// motion, and Jacobians of points; forces between trees come from constraints.
//
// A Model is immutable and may be shared. A Data is the working memory of one stepper:
// Place computes poses and velocities, FreeMotion appends the trees to the problem,
// Advance takes the step. Coordinates q and velocities v are those of the joints, in the
// order of trees and of links within a tree.
package rigid

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Model is a forest of articulated body trees (kinematic trees), immutable once built.
type Model struct {
	// links are the specifications as added.
	links []LinkSpec
	// x_MB of each link: the inverse of its X_BM.
	x_MB []r3.Pose

	// Numbering.
	// q0 and v0: first position and first velocity of each link's joint.
	q0, v0 []int
	// nv: number of velocities of each link's joint.
	nv []int
	// dofs: link of each velocity.
	dofs []int
	// treeStart: first velocity of each tree, then their total number.
	treeStart []int
	// nq: number of positions.
	nq int

	// Topology.
	// inboard of each link: the nearest link towards the world, itself included, whose joint has velocities, or World.
	inboard []int
	// tree of each link: its tree, or −1 where no velocity moves it.
	tree []int
	// singleBody of each tree: the floating link that carries only welded links, or World.
	singleBody []int
	// floatingBase of each tree: the floating link that carries joints and feels no damping or rotor, or World.
	floatingBase []int

	// Mimic joints, see mimic.go.
	// lead and gain of each velocity: the one with which it moves, itself for most, and its own per that.
	lead []int
	gain []float64
	// followers of each tree.
	followers [][]follower

	// prescribedTree: a prescribed joint moves a link of the tree.
	prescribedTree []bool
	// carriedTree: a part of the weight of the tree is carried, see weight_compensation.go.
	carriedTree []bool

	// placing is the table that Place reads, of each link.
	placing  []placing
	allLinks []int
	// steppedLinks: the links of SteppedJoints.
	steppedLinks []int
	// articulatedLinks: the links outside of trees that are a single floating body.
	articulatedLinks []int
	// linksOfTree are the links of each tree, ascending.
	linksOfTree [][]int
	// rootsOfTree are the links of each tree that no other one carries: one, unless mimic joints join trees.
	rootsOfTree [][]int
}

// Builder collects links. The zero value is ready.
type Builder struct {
	// MaxTreeDofs is the largest number of degrees of freedom that one tree may have;
	// 0: DefaultMaxTreeDofs.
	MaxTreeDofs int
	links       []LinkSpec
	mimics      []mimic
}

// DefaultMaxTreeDofs is the default of Builder.MaxTreeDofs. It keeps the dense mass
// matrix of a tree below 32 MB, and its factorization below some seconds.
const DefaultMaxTreeDofs = 2000

// ErrLargeTree reports a tree with more degrees of freedom than Builder.MaxTreeDofs.
var ErrLargeTree = errors.New("a tree has too many degrees of freedom")

// Add appends a link and returns its number. The error names the link and describes
// the fault and its remedy.
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

// Build numbers positions and velocities, tree by tree, and returns the forest. The
// error names a link whose joint would move no inertia.
func (b *Builder) Build() (*Model, error) {
	n := len(b.links)
	m := &Model{
		links: slices.Clone(b.links), x_MB: make([]r3.Pose, n),
		q0: make([]int, n), v0: make([]int, n), nv: make([]int, n), inboard: make([]int, n), tree: make([]int, n),
	}
	// velocities are numbered tree by tree, so that each clique is contiguous
	trees := m.joinTrees(b.mimics, m.assignTrees())
	m.linksOfTree, m.rootsOfTree, m.prescribedTree, m.carriedTree = make([][]int, trees), make([][]int, trees), make([]bool, trees), make([]bool, trees)
	for i, t := range m.tree {
		if t >= 0 {
			m.linksOfTree[t] = append(m.linksOfTree[t], i)
			if p := m.links[i].Parent; p == World || m.tree[p] != t {
				m.rootsOfTree[t] = append(m.rootsOfTree[t], i)
			}
		}
		m.allLinks = append(m.allLinks, i)
	}
	for _, links := range m.linksOfTree {
		m.treeStart = append(m.treeStart, len(m.dofs))
		for _, i := range links {
			if m.nv[i] == 0 {
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
	m.treeStart = append(m.treeStart, len(m.dofs))
	if err := m.checkSizes(cmp.Or(b.MaxTreeDofs, DefaultMaxTreeDofs)); err != nil {
		return nil, err
	}
	m.findFollowers(b.mimics)
	// constants that Place and FreeMotion read
	m.findFloatingTrees()
	m.preparePlacing()
	for i := range m.links {
		if t := m.tree[i]; t >= 0 {
			m.prescribedTree[t] = m.prescribedTree[t] || m.placing[i].prescribed
			m.carriedTree[t] = m.carriedTree[t] || m.links[i].WeightCompensation != 0 && m.links[i].Mass > 0
		}
		if t := m.tree[i]; t < 0 || m.singleBody[t] == World {
			m.articulatedLinks = append(m.articulatedLinks, i)
		}
	}
	if err := m.checkInertias(); err != nil {
		return nil, err
	}
	return m, nil
}

// checkSizes returns an error that names the first link of a tree with more degrees of
// freedom than most.
func (m *Model) checkSizes(most int) error {
	for t, links := range m.linksOfTree {
		if n := m.treeStart[t+1] - m.treeStart[t]; n > most {
			return fmt.Errorf("%w: that of link %q has %d, more than the limit of %d, and its matrix is dense: fix joints that need not move, divide it into parts that constraints join, or raise the limit, max_tree_dofs of a scene's solver", ErrLargeTree, m.links[links[0]].Name, n, most)
		}
	}
	return nil
}

// assignTrees assigns links to trees and returns their number. A tree begins at a joint
// with velocities whose parent no velocity moves.
func (m *Model) assignTrees() int {
	trees := 0
	for i := range m.links {
		l := &m.links[i]
		m.x_MB[i] = l.X_BM.Inv()
		_, m.nv[i] = l.Joint.Size()
		m.tree[i], m.inboard[i] = -1, World
		if l.Parent != World {
			m.tree[i], m.inboard[i] = m.tree[l.Parent], m.inboard[l.Parent]
		}
		// a link without velocities belongs to its parent's tree
		if m.nv[i] == 0 {
			continue
		}
		m.inboard[i] = i
		if m.tree[i] < 0 {
			m.tree[i] = trees
			trees++
		}
	}
	return trees
}

// findFloatingTrees finds trees that are a single floating body, and trees with a
// floating base. Their free motion conserves momentum exactly; damping or a rotor on the
// floating joint, or a prescribed joint in the tree, excludes them.
func (m *Model) findFloatingTrees() {
	m.singleBody, m.floatingBase = make([]int, m.Trees()), make([]int, m.Trees())
	for t := range m.singleBody {
		m.singleBody[t], m.floatingBase[t] = World, World
	}
	for i := range m.links {
		t, l := m.tree[i], &m.links[i]
		switch l.Joint.(type) {
		case Floating:
			switch {
			case l.Parent != World:
			case m.treeStart[t+1]-m.treeStart[t] == m.nv[i]:
				m.singleBody[t] = i
			case l.Damping == 0 && l.RotorInertia == 0:
				m.floatingBase[t] = i
			}
		case Prescribed:
			if t >= 0 {
				m.singleBody[t], m.floatingBase[t] = World, World
			}
		}
	}
}

// nextInboard returns the nearest link with velocities between a link with velocities
// and the world, or World.
func (m *Model) nextInboard(link int) int {
	if p := m.links[link].Parent; p != World {
		return m.inboard[p]
	}
	return World
}

// DofsOfTree returns the range [first, end) of the velocities of a tree.
func (m *Model) DofsOfTree(t int) (first, end int) { return m.treeStart[t], m.treeStart[t+1] }

// HasJoints reports whether a tree has joints besides the floating joint of a single free body.
func (m *Model) HasJoints(t int) bool { return m.singleBody[t] == World }

// NumLinks returns the number of links.
func (m *Model) NumLinks() int { return len(m.links) }

// NumQ returns the number of positions.
func (m *Model) NumQ() int { return m.nq }

// NumV returns the number of velocities.
func (m *Model) NumV() int { return len(m.dofs) }

// Trees returns the number of trees that velocities move: the cliques of FreeMotion.
func (m *Model) Trees() int { return len(m.treeStart) - 1 }

// LinkName returns the name of a link.
func (m *Model) LinkName(link int) string { return m.links[link].Name }

// Link returns the specification of a link.
func (m *Model) Link(link int) LinkSpec { return m.links[link] }

// Parent returns the parent of a link, or World.
func (m *Model) Parent(link int) int { return m.links[link].Parent }

// IsKinematic reports whether a link is a kinematic body, which no force moves: all
// joints between it and the world are welds or prescribed.
func (m *Model) IsKinematic(link int) bool { return m.inboard[link] == World }

// QStart returns the index in q of the first position of a link's joint.
func (m *Model) QStart(link int) int { return m.q0[link] }

// VStart returns the index in v of the first velocity of a link's joint, a dof.
func (m *Model) VStart(link int) int { return m.v0[link] }

// LinkOfDof returns the link whose joint a velocity belongs to.
func (m *Model) LinkOfDof(dof int) int { return m.dofs[dof] }

// Start returns positions q (NumQ) with every joint at zero, and zero velocities v (NumV).
func (m *Model) Start() (q, v []float64) {
	q, v = make([]float64, m.nq), make([]float64, len(m.dofs))
	for i := range m.links {
		nq, _ := m.links[i].Joint.Size()
		m.links[i].Joint.Zero(q[m.q0[i] : m.q0[i]+nq])
	}
	return q, v
}
