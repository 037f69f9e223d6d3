package rigid

import (
	"math"

	"curlfree/cliques"
	"curlfree/r3"
)

// Data is the scratch of one stepper of a Model: where links are and how they
// move. Place comes first, everything else reads what it left.
type Data struct {
	m    *Model
	h    float64
	q, v []float64 // of the last Place

	x_WB   []r3.Pose
	vel    []spatial // of each link now
	driven []spatial // of each link in this step as prescribed joints cause it, all v = 0
	rel    []spatial // of each link now against its parent's material
	pushed []spatial // acceleration against its parent that a prescribed joint causes in this step
	p_MB   []r3.Vec  // from the origin of each joint's M to its link's, world axes
	column []spatial // motion subspace of each dof, at its link's origin

	next  []spatial      // of each link at the end of the step, by Foresee
	own   []inertia      // of each link
	comp  []inertia      // of each link and all it carries
	acc   []spatial      // bias accelerations
	force []spatial      // that each link and all it carries need
	node  []cliques.Node // of each tree in the last problem
}

// NewData returns the scratch of one stepper.
func (m *Model) NewData() *Data {
	n, nv := len(m.links), len(m.dofs)
	s := make([]spatial, 7*n+nv)
	take := func(k int) []spatial {
		t := s[:k:k]
		s = s[k:]
		return t
	}
	return &Data{
		m: m, q: make([]float64, m.nq), v: make([]float64, nv), x_WB: make([]r3.Pose, n),
		vel: take(n), driven: take(n), rel: take(n), pushed: take(n), acc: take(n), force: take(n), next: take(n), column: take(nv),
		p_MB: make([]r3.Vec, n), own: make([]inertia, n), comp: make([]inertia, n), node: make([]cliques.Node, m.Trees()),
	}
}

// Place computes poses and velocities at positions q (the first nq) and velocities
// v (the first nv) at time t (s), and what prescribed joints do in a step of h (s)
// from there. It panics when q or v is shorter.
func (d *Data) Place(t, h float64, q, v []float64) {
	if len(q) < d.m.nq || len(v) < len(d.m.dofs) {
		panic("rigid: Place: q or v is shorter than the model's")
	}
	d.h = h
	copy(d.q, q)
	copy(d.v, v)
	for i := range d.m.links {
		d.place(i, t, h)
	}
}

// place computes one link's pose and motion from its parent's:
//
//	X_WB = X_WP X_PF X_FM(q) X_MB,  V_B = X(r) V_P + H v                 (1)
//
// with the columns of H at B's origin.
func (d *Data) place(i int, t, h float64) {
	l := &d.m.links[i]
	X_WP, V_WP, driven := r3.PoseIdentity(), spatial{}, spatial{}
	if l.Parent != World {
		X_WP, V_WP, driven = d.x_WB[l.Parent], d.vel[l.Parent], d.driven[l.Parent]
	}
	X_WF := X_WP.Mul(l.X_PF)
	prescribed, ok := l.Joint.(Prescribed)
	var X_WM r3.Pose
	if ok {
		X_WM = X_WF.Mul(prescribed.PoseAt(t))
	} else {
		nq, _ := l.Joint.Size()
		X_WM = X_WF.Mul(l.Joint.Pose_FM(d.q[d.m.q0[i] : d.m.q0[i]+nq]))
	}
	X_WB := X_WM.Mul(d.m.x_MB[i])
	p_MB := X_WB.P.Sub(X_WM.P)
	d.x_WB[i], d.p_MB[i] = X_WB, p_MB

	r := X_WB.P.Sub(X_WP.P)
	var rel spatial
	d.driven[i] = driven.shifted(r)
	if ok {
		past := prescribed.velocity(t-h, t).turned(X_WF.R).shifted(p_MB)
		next := prescribed.velocity(t, t+h).turned(X_WF.R).shifted(p_MB)
		rel, d.pushed[i] = past, next.sub(past).scale(1/h)
		d.driven[i] = d.driven[i].add(next)
	}
	for j := range d.m.nv[i] {
		k := d.m.v0[i] + j
		w, u := l.Joint.Subspace_FM(j)
		d.column[k] = spatial{w, u}.turned(X_WF.R).shifted(p_MB)
		rel = rel.addScaled(d.v[k], d.column[k])
	}
	d.rel[i], d.vel[i] = rel, V_WP.shifted(r).add(rel) // (1)

	d.own[i] = inertia{}
	d.own[i].add(&inertia{mass: l.Mass, I: X_WB.R.Mul(l.Inertia_B).Mul(X_WB.R.T())}, X_WB.R.MulVec(l.Com_B))
}

// Pose returns X_WB of a link.
func (d *Data) Pose(link int) r3.Pose { return d.x_WB[link] }

// Velocity returns a link's angular velocity and the velocity of its origin,
// world axes.
func (d *Data) Velocity(link int) (w, v r3.Vec) { return d.vel[link].w, d.vel[link].v }

// StepVelocity returns a link's velocity in this step as far as it is known
// beforehand: that of prescribed joints is, else it is as now.
func (d *Data) StepVelocity(link int) (w, v r3.Vec) {
	if d.m.tree[link] < 0 {
		return d.driven[link].w, d.driven[link].v
	}
	return d.vel[link].w, d.vel[link].v
}

// Foresee computes the velocities that links have with the joint velocities v (nv)
// at the end of the step, where they stand now; see NextVelocity.
func (d *Data) Foresee(v []float64) {
	for i := range d.m.links {
		next := d.driven[i]
		if p := d.m.links[i].Parent; p != World {
			r := d.x_WB[i].P.Sub(d.x_WB[p].P)
			next = next.add(d.next[p].sub(d.driven[p]).shifted(r))
		}
		for j := range d.m.nv[i] {
			k := d.m.v0[i] + j
			next = next.addScaled(v[k], d.column[k])
		}
		d.next[i] = next
	}
}

// NextVelocity returns a link's angular velocity and the velocity of its origin
// as the last Foresee has them, world axes.
func (d *Data) NextVelocity(link int) (w, v r3.Vec) { return d.next[link].w, d.next[link].v }

// Dof returns the position and velocity of a dof; the position is NaN where a
// quaternion has none for each velocity.
func (d *Data) Dof(dof int) (q, v float64) {
	i := d.m.dofs[dof]
	if nq, nv := d.m.links[i].Joint.Size(); nq != nv {
		return math.NaN(), d.v[dof]
	}
	return d.q[d.m.q0[i]+dof-d.m.v0[i]], d.v[dof]
}

// Advance moves positions q (nq) by h of the velocities vNext (nv) and stores
// those in v.
func (d *Data) Advance(h float64, vNext, q, v []float64) {
	copy(v, vNext)
	for i, nv := range d.m.nv {
		if nv == 0 {
			continue
		}
		joint, q0, v0 := d.m.links[i].Joint, d.m.q0[i], d.m.v0[i]
		nq, _ := joint.Size()
		joint.Advance(h, q[q0:q0+nq], v[v0:v0+nv])
	}
}
