// Package rigid holds forests of articulated rigid bodies: trees of links
// connected by joints. It knows their kinematics, their inertia and how they move
// freely in a step; what acts between them comes from constraints.
package rigid

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"curlfree/r3"
)

// World is the parent of links whose joint is to the world.
const World = -1

// LinkSpec describes a link and the joint to its parent.
type LinkSpec struct {
	Name      string
	Parent    int // an earlier link, or World
	Joint     Joint
	X_PF      r3.Pose // joint frame F on the parent
	X_BM      r3.Pose // joint frame M on the link
	Mass      float64 // kg
	Com_B     r3.Vec  // centre of mass, m
	Inertia_B r3.Mat  // about the centre of mass, in the link's axes, kg m²

	// of each velocity of the joint; implicit in the step
	Damping      float64 // N s/m or N m s/rad
	Stiffness    float64 // N/m or N m/rad; of joints with one velocity
	Rest         float64 // where the spring is slack, m or rad
	RotorInertia float64 // of a motor behind a gear, as the joint feels it, kg or kg m²
}

// Model is a forest, immutable once built.
type Model struct {
	links  []LinkSpec
	q0, v0 []int // first position and velocity of each link's joint
	dofs   []int // link of each velocity
	tree   []int // tree of each link that moves by velocities, else −1
	first  []int // first velocity of each tree, then the total
	nq     int
}

// Builder collects links. The zero value is ready.
type Builder struct{ links []LinkSpec }

// Add appends a link and returns its number. The error names the link, what is
// wrong and how to mend it.
func (b *Builder) Add(s LinkSpec) (int, error) {
	if s.Joint == nil {
		return 0, fmt.Errorf("link %q has no joint", s.Name)
	}
	if s.Parent < World || s.Parent >= len(b.links) {
		return 0, fmt.Errorf("link %q: its parent %d is not an earlier link", s.Name, s.Parent)
	}
	if err := checkInertia(&s); err != nil {
		return 0, fmt.Errorf("link %q: %w", s.Name, err)
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"damping", s.Damping}, {"stiffness", s.Stiffness}, {"rotor inertia", s.RotorInertia}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return 0, fmt.Errorf("link %q: the joint's %s is %g: it must be finite and not negative", s.Name, x.name, x.value)
		}
	}
	if _, nv := s.Joint.Size(); s.Stiffness > 0 && nv != 1 {
		return 0, fmt.Errorf("link %q: only joints with one velocity have a spring", s.Name)
	}
	b.links = append(b.links, s)
	return len(b.links) - 1, nil
}

// checkInertia tells whether a body with this mass and inertia can exist.
func checkInertia(s *LinkSpec) error {
	if !(s.Mass >= 0) || math.IsInf(s.Mass, 0) {
		return fmt.Errorf("its mass is %g kg: it must be finite and not negative", s.Mass)
	}
	if !s.Com_B.IsFinite() || !s.Inertia_B.Col(0).Add(s.Inertia_B.Col(1)).Add(s.Inertia_B.Col(2)).IsFinite() {
		return errors.New("its centre of mass and inertia must be finite")
	}
	i := s.Inertia_B
	scale := math.Abs(i[0]) + math.Abs(i[4]) + math.Abs(i[8])
	for _, k := range [][2]int{{1, 3}, {2, 6}, {5, 7}} {
		if math.Abs(i[k[0]]-i[k[1]]) > 1e-9*scale {
			return errors.New("its inertia is not symmetric")
		}
	}
	if s.Mass == 0 && scale > 0 {
		return errors.New("it has inertia but no mass: give a mass")
	}
	if scale == 0 {
		return nil // a point mass
	}
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(3, []float64{i[0], i[1], i[2], i[1], i[4], i[5], i[2], i[5], i[8]}), false) {
		return errors.New("its inertia has no principal moments")
	}
	p := e.Values(nil)
	slices.Sort(p)
	const slack = 1e-6 // files round
	switch {
	case p[0] < -slack*p[2] || p[2] <= 0:
		return fmt.Errorf("its inertia is not positive definite (principal moments %.4g, %.4g, %.4g kg m²): check signs and units", p[0], p[1], p[2])
	case p[0]+p[1] < p[2]*(1-1e-3):
		return fmt.Errorf("its principal moments %.4g, %.4g, %.4g kg m² cannot belong to a body: the two smaller must add up to the largest at least", p[0], p[1], p[2])
	}
	return nil
}

// Build numbers positions and velocities, tree by tree, and returns the forest.
// The error names a link that moves without any inertia.
func (b *Builder) Build() (*Model, error) {
	n := len(b.links)
	m := &Model{links: slices.Clone(b.links), q0: make([]int, n), v0: make([]int, n), tree: make([]int, n)}
	trees := 0
	for i := range m.links {
		m.tree[i] = -1
		l := &m.links[i]
		if l.Parent != World {
			m.tree[i] = m.tree[l.Parent]
		}
		if _, nv := l.Joint.Size(); nv > 0 && m.tree[i] < 0 {
			m.tree[i] = trees
			trees++
		}
	}
	for t := range trees {
		m.first = append(m.first, len(m.dofs))
		for i := range m.links {
			nq, nv := m.links[i].Joint.Size()
			if m.tree[i] != t || nv == 0 {
				continue
			}
			m.q0[i], m.v0[i] = m.nq, len(m.dofs)
			m.nq += nq
			for range nv {
				m.dofs = append(m.dofs, i)
			}
		}
	}
	m.first = append(m.first, len(m.dofs))
	return m, m.checkMoving()
}

// checkMoving finds joints that would move nothing.
func (m *Model) checkMoving() error {
	mass := make([]float64, len(m.links))
	for i := len(m.links) - 1; i >= 0; i-- {
		l := &m.links[i]
		mass[i] += l.Mass
		if _, nv := l.Joint.Size(); nv > 0 && mass[i] == 0 && l.RotorInertia == 0 {
			return fmt.Errorf("link %q moves but has no mass, nor has anything it carries: give it an inertia", l.Name)
		}
		if _, free := l.Joint.(Floating); free && l.Inertia_B.Norm2() == 0 && mass[i] == l.Mass {
			return fmt.Errorf("link %q is free but has no rotational inertia: give it an inertia or shapes", l.Name)
		}
		if l.Parent != World {
			mass[l.Parent] += mass[i]
		}
	}
	return nil
}

// NumLinks, NumQ and NumV return the numbers of links, positions and velocities.
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
		if _, ok := m.links[i].Joint.(Floating); ok {
			q[m.q0[i]] = 1
		}
	}
	return q, v
}
