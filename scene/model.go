package scene

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// finishModel builds the trees and the geometry, and the initial state.
func (b *builder) finishModel() {
	if len(b.errs) > 0 {
		return
	}
	trees, err := b.trees.Build()
	if err != nil {
		b.errs = append(b.errs, &Error{File: b.path, Msg: err.Error()})
		return
	}
	m := b.model
	m.Rigid = trees
	m.Start.Q, m.Start.V = trees.Start()
	for _, s := range b.starts {
		copy(m.Start.Q[trees.QStart(s.link):], s.q)
		copy(m.Start.V[trees.VStart(s.link):], s.v)
	}
	for i := range trees.NumLinks() {
		b.static.Bodies = append(b.static.Bodies, trees.LinkName(i))
	}
	b.buildFields()
	m.Geometry = &geometry.Model{NumRigid: trees.NumLinks(), Geoms: b.geoms, Deformables: b.softGeoms}
	b.couplers()
	b.placeDeformables()
	b.contactFilter()
	for _, l := range b.limits {
		d := trees.VStart(l.link)
		if !math.IsInf(l.lower, -1) || !math.IsInf(l.upper, 1) {
			m.Constraints = append(m.Constraints, &constraints.Limit{Dof: d, Lower: l.lower, Upper: l.upper})
		}
		if l.friction > 0 {
			m.Constraints = append(m.Constraints, &constraints.JointFriction{Dof: d, Effort: l.friction})
		}
	}
}

// contactFilter lists the pairs that never touch: bodies that a joint connects,
// unless their file has its own rule for these, and what no_contact names.
func (b *builder) contactFilter() {
	g := b.model.Geometry
	g.ExcludedPairs = b.skip
	// what welds make one piece of, or of the world
	piece := make([]int, b.model.Rigid.NumLinks())
	for i := range piece {
		piece[i] = i
		p := b.model.Rigid.Parent(i)
		if p != rigid.World && !b.adjacent[i] {
			g.ExcludedPairs = append(g.ExcludedPairs, [2]int{p, i})
		}
		if _, welded := b.model.Rigid.Link(i).Joint.(rigid.Weld); welded {
			piece[i] = p
			if p != rigid.World {
				piece[i] = piece[p]
			}
		}
		for j := range i {
			if piece[i] == piece[j] {
				g.ExcludedPairs = append(g.ExcludedPairs, [2]int{j, i})
			}
		}
	}
	add := func(p Pos, name string, others []string) {
		if len(others) == 0 {
			return
		}
		i, ok := b.anyBody(p, name)
		for _, o := range others {
			j, ok2 := b.anyBody(p, o)
			if ok && ok2 {
				g.ExcludedPairs = append(g.ExcludedPairs, [2]int{i, j})
			}
		}
	}
	for _, n := range b.f.Bodies.Keys {
		s := b.f.Bodies.Get(n)
		add(s.Pos, n, s.NoContact)
	}
	for _, n := range b.f.Deformables.Keys {
		s := b.f.Deformables.Get(n)
		add(s.Pos, n, s.NoContact)
		// a deformable does not touch what holds it
		for _, a := range s.Attach {
			add(a.Pos, n, []string{a.Body})
		}
	}
}

// placed returns a function that gives X_WB of rigid bodies at the start.
func (b *builder) placed() func(body int) r3.Pose {
	m := b.model
	kin := m.Rigid.NewData()
	nq, nv := m.RigidSize()
	kin.Place(0, b.f.Time.Step, m.Start.Q[:nq], m.Start.V[:nv])
	return func(body int) r3.Pose {
		if body == geometry.World {
			return r3.PoseIdentity()
		}
		return kin.Pose(body)
	}
}
