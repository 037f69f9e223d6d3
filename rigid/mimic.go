package rigid

// Mimic joints are eliminated as coordinates: a follower f has the position and the velocity of its leader l,
//
//	q_f = ρ q_l + o,   v_f = ρ v_l                                              (1)
//
// Positions and velocities of all joints keep their places in q and v, so that states, signals and constraints read
// followers as any joint. Place and Advance set them by (1). With v = R v_l for all joints, the momentum balance of the
// leaders is
//
//	Rᵀ A R (v_l⁺ − v_l0) = Rᵀ p + (J R)ᵀ γ                                       (2)
//
// The problem keeps a velocity for each joint. What belongs to leaders has (2), and each follower adds a term of its
// own,
//
//	½ D (s⁺ − s0)²,   s = v_f − ρ v_l                                           (3)
//
// which no impulse acts on, so that s⁺ = s0 = 0 whatever D > 0. (3) is in A and makes it positive definite also where a
// follower moves no inertia of its own. D has the size of the leader's inertia, for good condition. Efforts, springs,
// dampers, rotors and rows of Jacobians of followers so act on leaders by ρ. Source: this program's; R is the expansion
// matrix of Featherstone, Rigid Body Dynamics Algorithms, 3.5.

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// mimic is (1) as given, between links.
type mimic struct {
	follower, leader int
	ratio, offset    float64
}

// follower is (1) with a leader that follows no other.
type follower struct {
	dof, leader   int // velocities
	q, qLeader    int // positions
	ratio, offset float64
	before        int // followers of the same leader before this one
}

// AddMimic lets the joint of a link follow that of another: q = ratio q_leader + offset. Both joints have one position
// and one velocity. A leader may follow another one. Joints follow where both belong to one tree, or to trees of which
// none floats, which become one; others are left as they are, and Model.Leader does not have them. The error describes
// the fault.
func (b *Builder) AddMimic(link, leader int, ratio, offset float64) error {
	switch n := len(b.links); {
	case link < 0 || link >= n || leader < 0 || leader >= n:
		return fmt.Errorf("links %d and %d: a mimic joint needs two links that were added", link, leader)
	case math.IsNaN(ratio-ratio) || math.IsNaN(offset-offset):
		return fmt.Errorf("link %q: ratio %g and offset %g of its mimic joint must be finite", b.links[link].Name, ratio, offset)
	case slices.ContainsFunc(b.mimics, func(f mimic) bool { return f.follower == link }):
		return fmt.Errorf("link %q: its joint follows another one already", b.links[link].Name)
	}
	for _, i := range [2]int{link, leader} {
		if nq, nv := b.links[i].Joint.Size(); nq != 1 || nv != 1 {
			return fmt.Errorf("link %q: its joint has %d velocities: mimic joints and their leaders have one", b.links[i].Name, nv)
		}
	}
	b.mimics = append(b.mimics, mimic{link, leader, ratio, offset})
	// a cycle has no leader
	for at, n := link, 0; at >= 0; n++ {
		if n > len(b.mimics) {
			b.mimics = b.mimics[:len(b.mimics)-1]
			return errors.New("joints mimic each other in a cycle: leave one out")
		}
		at = b.leaderOf(at)
	}
	return nil
}

// leaderOf returns the link that a link follows, or −1.
func (b *Builder) leaderOf(link int) int {
	for _, f := range b.mimics {
		if f.follower == link {
			return f.leader
		}
	}
	return -1
}

// joinTrees gives trees whose joints follow each other one number, where none floats, and numbers trees again by their
// first links.
func (m *Model) joinTrees(mimics []mimic, trees int) int {
	if len(mimics) == 0 {
		return trees
	}
	floats := make([]bool, trees)
	for i := range m.links {
		if _, ok := m.links[i].Joint.(Floating); ok && m.tree[i] >= 0 {
			floats[m.tree[i]] = true
		}
	}
	for _, f := range mimics {
		if a, b := m.tree[f.follower], m.tree[f.leader]; a != b && !floats[a] && !floats[b] {
			for i, t := range m.tree {
				if t == max(a, b) {
					m.tree[i] = min(a, b)
				}
			}
		}
	}
	number := make([]int, trees)
	for t := range number {
		number[t] = -1
	}
	trees = 0
	for i, t := range m.tree {
		if t < 0 {
			continue
		}
		if number[t] < 0 {
			number[t] = trees
			trees++
		}
		m.tree[i] = number[t]
	}
	return trees
}

// findFollowers resolves chains of mimics of one tree each, leaders first.
func (m *Model) findFollowers(mimics []mimic) {
	m.lead, m.gain = make([]int, len(m.dofs)), make([]float64, len(m.dofs))
	for k := range m.lead {
		m.lead[k], m.gain[k] = k, 1
	}
	m.followers = make([][]follower, m.Trees())
	given := map[int]mimic{}
	for _, f := range mimics {
		if m.tree[f.follower] == m.tree[f.leader] {
			given[f.follower] = f
		}
	}
	count := map[int]int{}
	for i := range m.links {
		f, ok := given[i]
		if !ok {
			continue
		}
		// up the chain: q = ρ (ρ' q' + o') + o
		x := follower{dof: m.v0[i], q: m.q0[i], ratio: f.ratio, offset: f.offset}
		at := f.leader
		for next, follows := given[at]; follows; next, follows = given[at] {
			x.offset += x.ratio * next.offset
			x.ratio *= next.ratio
			at = next.leader
		}
		x.leader, x.qLeader = m.v0[at], m.q0[at]
		x.before = count[at]
		count[at]++
		m.lead[x.dof], m.gain[x.dof] = x.leader, x.ratio
		m.followers[m.tree[i]] = append(m.followers[m.tree[i]], x)
	}
}

// Leader returns the velocity that a mimic joint follows, and its own per that of the leader: v = ratio v_leader. ok is
// false, and leader dof itself, for joints that follow no other.
func (m *Model) Leader(dof int) (leader int, ratio float64, ok bool) {
	return m.lead[dof], m.gain[dof], m.lead[dof] != dof
}

// HasFollowers reports whether any joint follows another one.
func (m *Model) HasFollowers() bool {
	return slices.ContainsFunc(m.followers, func(f []follower) bool { return len(f) > 0 })
}

// SameMimics reports whether the mimic joints of two models follow the same leaders by the same numbers.
func (m *Model) SameMimics(o *Model) bool {
	return slices.EqualFunc(m.followers, o.followers, slices.Equal[[]follower])
}

// Follow sets positions q (NumQ) and velocities v (NumV) of mimic joints to those of their leaders, (1).
func (m *Model) Follow(q, v []float64) {
	for _, list := range m.followers {
		for i := range list {
			f := &list[i]
			q[f.q] = f.ratio*q[f.qLeader] + f.offset
		}
	}
	m.FollowVelocities(v)
}

// FollowVelocities is Follow of velocities, or of tangents of positions (NumV).
func (m *Model) FollowVelocities(v []float64) {
	for _, list := range m.followers {
		for i := range list {
			f := &list[i]
			v[f.dof] = f.ratio * v[f.leader]
		}
	}
}

// FoldEfforts moves the efforts tau (nv) of mimic joints, or what else is dual to velocities, to their leaders: Rᵀ tau
// (2).
func (m *Model) FoldEfforts(tau []float64) {
	for t := range m.followers {
		m.fold(t, tau[m.treeStart[t]:m.treeStart[t+1]])
	}
}

// fold is FoldEfforts of a tree (n).
func (m *Model) fold(t int, p []float64) {
	list, first := m.followers[t], m.treeStart[t]
	for i := range list {
		f := &list[i]
		p[f.leader-first] += f.ratio * p[f.dof-first]
		p[f.dof-first] = 0
	}
}

// foldMatrix replaces A of a tree (n×n) by that of (2) and (3).
func (m *Model) foldMatrix(t int, A []float64, n int) {
	list, first := m.followers[t], m.treeStart[t]
	for i := range list {
		f := &list[i]
		l, k := f.leader-first, f.dof-first
		for j := range n {
			A[l*n+j] += f.ratio * A[k*n+j]
			A[k*n+j] = 0
		}
		for j := range n {
			A[j*n+l] += f.ratio * A[j*n+k]
			A[j*n+k] = 0
		}
	}
	// (3)
	for i := range list {
		f := &list[i]
		l, k := f.leader-first, f.dof-first
		own := A[l*n+l] / float64(1+f.before) // each follower before has added as much
		if square := f.ratio * f.ratio; square > leastRatio*leastRatio {
			A[l*n+l] += own
			A[k*n+k] = own / square
			A[k*n+l] = -own / f.ratio
		} else {
			A[l*n+l] += own * square
			A[k*n+k] = own
			A[k*n+l] = -own * f.ratio
		}
		A[l*n+k] = A[k*n+l]
	}
}

// leastRatio is the ratio below which D of (3) is the inertia of the leader itself.
const leastRatio = 1e-6

// expand returns velocities and accelerations (nv) with those of mimic joints by their leaders; the slices are the
// arguments, or valid until the next call.
func (d *Data) expand(v, vdot []float64) (_, _ []float64) {
	if d.expanded[0] == nil {
		return v, vdot
	}
	for i, x := range [2][]float64{v, vdot} {
		copy(d.expanded[i], x)
		d.m.FollowVelocities(d.expanded[i])
	}
	return d.expanded[0], d.expanded[1]
}
