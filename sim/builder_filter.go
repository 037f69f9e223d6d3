package sim

// Collision filter: pairs of bodies that never touch, besides those that a scene excludes: a body and
// its parent, which a joint connects; bodies of one piece, welded to each other or each to the world; a
// deformable and the bodies that hold its vertices. Such bodies often overlap where they meet and
// cannot part, so that contact would press against what holds them for good.

import (
	"slices"

	"github.com/curlfree/curlfree/rigid"
)

// ExcludePair excludes contact between two bodies, rigid or deformable (collision filter).
func (b *Builder) ExcludePair(bodyA, bodyB string) {
	b.revision++
	b.excluded = append(b.excluded, [2]string{bodyA, bodyB})
}

// ExcludeGroup excludes contact between all bodies of a group, rigid or deformable (collision filter
// group). A group of n bodies takes the memory of n numbers instead of n (n − 1)/2 pairs.
func (b *Builder) ExcludeGroup(bodies ...string) {
	b.revision++
	b.apart = append(b.apart, slices.Clone(bodies))
}

// excludeGroups numbers the groups of bodies of one piece, in one list, and those of ExcludeGroup, in as
// many lists as keep groups that share bodies apart.
func (a *assembly) excludeGroups(piece []int) {
	g := a.m.Geometry
	bodies := a.m.Rigid.NumLinks() + len(a.m.Deformables)
	// a list without groups: −1 for each body
	list := func() []int32 {
		l := make([]int32, bodies)
		for i := range l {
			l[i] = -1
		}
		return l
	}
	pieces := list()
	for i, p := range piece {
		pieces[i] = int32(p - rigid.World) // ≥ 0: the world is a piece, too
	}
	g.ExcludedGroups = append(g.ExcludedGroups, pieces)
	for n, names := range a.apart {
		var members []int
		for _, name := range names {
			i, err := a.names.Body(name)
			switch {
			case err != nil:
				a.fail("body", name, "group without contact: %w", err)
			case i >= 0: // the world touches nothing that does not move
				members = append(members, i)
			}
		}
		// the first list in which all members are free
		k := 1 // list 0 has the pieces
		for k < len(g.ExcludedGroups) && slices.ContainsFunc(members, func(i int) bool { return g.ExcludedGroups[k][i] >= 0 }) {
			k++
		}
		if k == len(g.ExcludedGroups) {
			g.ExcludedGroups = append(g.ExcludedGroups, list())
		}
		for _, i := range members {
			g.ExcludedGroups[k][i] = int32(n) // number of the group in its list
		}
	}
}

// excludePairs lists the pairs of bodies that never touch: those of ExcludePair, bodies
// that a joint connects, bodies in one piece, what items name, and deformables with what
// they are attached to.
func (a *assembly) excludePairs() {
	for _, p := range a.excluded {
		a.exclude("body", p[0], p[1:])
	}
	a.excludeGroups(a.excludeJointed())
	// what bodies and deformables name themselves
	for _, body := range a.bodies {
		a.exclude("body", body.name, body.spec.NoContact)
	}
	for _, d := range a.deformables {
		a.exclude("deformable", d.name, d.spec.NoContact)
		for _, t := range d.spec.Attach {
			a.exclude("deformable", d.name, []string{t.Body})
		}
	}
}

// excludeJointed excludes bodies that a joint connects, unless JointSpec.ContactParent
// lets them touch. It returns the piece of each body: the first link of those that welds join, or World.
func (a *assembly) excludeJointed() (piece []int) {
	// parents have lower numbers than their children, so their pieces are known
	g, trees := a.m.Geometry, a.m.Rigid
	piece = make([]int, trees.NumLinks())
	for i := range piece {
		// a link and its parent
		piece[i] = i
		p := trees.Parent(i)
		j := a.starts[i].item.spec.Joint
		if p != rigid.World && !(j != nil && j.ContactParent) {
			g.ExcludedPairs = append(g.ExcludedPairs, [2]int{p, i})
		}
		// all links of one piece
		if _, welded := trees.Link(i).Joint.(rigid.Weld); welded {
			piece[i] = p
			if p != rigid.World {
				piece[i] = piece[p]
			}
		}
	}
	return piece
}

// exclude excludes pairs of a body with others. kind and name are those of the item that messages name.
func (a *assembly) exclude(kind, name string, others []string) {
	if len(others) == 0 {
		return
	}
	// names to numbers of scene bodies; the world is allowed
	i, err := a.names.Body(name)
	if err != nil {
		a.fail(kind, name, "pairs without contact: %w", err)
		return
	}
	for _, o := range others {
		j, err := a.names.Body(o)
		if err != nil {
			a.fail(kind, name, "pairs without contact: %w", err)
			continue
		}
		a.m.Geometry.ExcludedPairs = append(a.m.Geometry.ExcludedPairs, [2]int{i, j})
	}
}
