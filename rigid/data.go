package rigid

import (
	"curlfree/cliques"
	"curlfree/r3"
)

// motionVec is a spatial velocity, acceleration or force at a link's origin, in
// world axes: angular part (or moment) and linear part (or force).
type motionVec struct{ w, v r3.Vec }

// shifted returns the velocity that a body moving with m has at r from its
// origin.
func (m motionVec) shifted(r r3.Vec) motionVec { return motionVec{m.w, m.v.Add(m.w.Cross(r))} }

// inertia is a spatial inertia about a link's origin, in world axes.
type inertia struct {
	mass float64
	mc   r3.Vec // mass times the centre of mass
	I    r3.Mat // rotational, about the origin
}

// times returns the momentum (moment about the origin, linear) of a motion.
func (a *inertia) times(m motionVec) motionVec {
	return motionVec{
		a.I.MulVec(m.w).Add(a.mc.Cross(m.v)),
		m.v.Scale(a.mass).Sub(a.mc.Cross(m.w)),
	}
}

// shiftedFrom adds to a the inertia b of a body at r from a's origin.
func (a *inertia) add(b *inertia, r r3.Vec) {
	// about the new origin: I + m(|r|²1 − rrᵀ) + 2(r·mc)1 − r mcᵀ − mc rᵀ
	d := b.mass*r.Norm2() + 2*r.Dot(b.mc)
	a.I = a.I.Add(b.I).Sub(r3.Outer(r, r).Scale(b.mass)).Sub(r3.Outer(r, b.mc)).Sub(r3.Outer(b.mc, r))
	a.I[0] += d
	a.I[4] += d
	a.I[8] += d
	a.mc = a.mc.Add(b.mc).AddScaled(b.mass, r)
	a.mass += b.mass
}

// Data is the scratch of one stepper of a Model: where links are and how they
// move.
type Data struct {
	m    *Model
	h    float64
	q, v []float64 // of the last Place

	X_WB   []r3.Pose
	V_WB   []motionVec // velocity of each link now
	driven []motionVec // velocity in this step that prescribed joints cause, all v = 0
	past   []motionVec // relative velocity of each prescribed joint until now, at its M
	next   []motionVec // and in this step
	p_MB   []r3.Vec    // from M's origin to the link's, world axes
	own    []inertia   // of each link
	comp   []inertia   // of each link and all it carries
	column []motionVec // motion subspace of each dof, at its link's origin
	acc    []motionVec // bias accelerations
	force  []motionVec
	node   []cliques.Node // of each tree in the last problem
}

// NewData returns the scratch of one stepper.
func (m *Model) NewData() *Data {
	n, nv := len(m.links), len(m.dofs)
	d := &Data{
		m: m, q: make([]float64, m.nq), v: make([]float64, nv),
		X_WB: make([]r3.Pose, n), V_WB: make([]motionVec, n), driven: make([]motionVec, n),
		past: make([]motionVec, n), next: make([]motionVec, n), p_MB: make([]r3.Vec, n),
		own: make([]inertia, n), comp: make([]inertia, n), column: make([]motionVec, nv),
		acc: make([]motionVec, n), force: make([]motionVec, n), node: make([]cliques.Node, m.Trees()),
	}
	return d
}

// Place computes poses and velocities at positions q and velocities v at time t,
// and what prescribed joints do in a step of h from there.
func (d *Data) Place(t, h float64, q, v []float64) {
	d.h = h
	copy(d.q, q)
	copy(d.v, v)
	for i := range d.m.links {
		d.place(i, t, h)
	}
}

func (d *Data) place(i int, t, h float64) {
	l := &d.m.links[i]
	X_WP, V_WP, driven := r3.PoseIdentity(), motionVec{}, motionVec{}
	if l.Parent != World {
		X_WP, V_WP, driven = d.X_WB[l.Parent], d.V_WB[l.Parent], d.driven[l.Parent]
	}
	nq, nv := l.Joint.Size()
	q := d.q[d.m.q0[i] : d.m.q0[i]+nq]
	X_FM := l.Joint.Pose_FM(q)
	pre, prescribed := l.Joint.(Prescribed)
	if prescribed {
		X_FM = pre.PoseAt(t)
	}
	X_WF := X_WP.Mul(l.X_PF)
	X_WM := X_WF.Mul(X_FM)
	X := X_WM.Mul(l.X_BM.Inv())
	d.X_WB[i] = X
	p_MB := X.P.Sub(X_WM.P)
	d.p_MB[i] = p_MB

	r := X.P.Sub(X_WP.P)
	V := V_WP.shifted(r)
	d.driven[i] = driven.shifted(r)
	for j := range nv {
		w, u := l.Joint.Subspace_FM(j, q)
		c := motionVec{X_WF.R.MulVec(w), X_WF.R.MulVec(u)}.shifted(p_MB)
		d.column[d.m.v0[i]+j] = c
		s := d.v[d.m.v0[i]+j]
		V.w, V.v = V.w.AddScaled(s, c.w), V.v.AddScaled(s, c.v)
	}
	if prescribed {
		w, u := pre.velocity(t-h, t)
		d.past[i] = motionVec{X_WF.R.MulVec(w), X_WF.R.MulVec(u)}
		w, u = pre.velocity(t, t+h)
		d.next[i] = motionVec{X_WF.R.MulVec(w), X_WF.R.MulVec(u)}
		now, soon := d.past[i].shifted(p_MB), d.next[i].shifted(p_MB)
		V = motionVec{V.w.Add(now.w), V.v.Add(now.v)}
		d.driven[i] = motionVec{d.driven[i].w.Add(soon.w), d.driven[i].v.Add(soon.v)}
	}
	d.V_WB[i] = V

	c := X.R.MulVec(l.Com_B)
	d.own[i] = inertia{mass: l.Mass, mc: c.Scale(l.Mass), I: X.R.Mul(l.Inertia_B).Mul(X.R.T())}
	e := l.Mass * c.Norm2()
	d.own[i].I = d.own[i].I.Sub(r3.Outer(c, c).Scale(l.Mass))
	d.own[i].I[0] += e
	d.own[i].I[4] += e
	d.own[i].I[8] += e
}

// Pose returns X_WB of a link.
func (d *Data) Pose(link int) r3.Pose { return d.X_WB[link] }

// Velocity returns a link's angular velocity and the velocity of its origin,
// world axes.
func (d *Data) Velocity(link int) (w, v r3.Vec) { return d.V_WB[link].w, d.V_WB[link].v }

// StepVelocity returns a link's velocity in this step as far as it is known
// beforehand: that of prescribed joints is, else it is as now.
func (d *Data) StepVelocity(link int) (w, v r3.Vec) {
	if d.m.tree[link] < 0 {
		return d.driven[link].w, d.driven[link].v
	}
	return d.V_WB[link].w, d.V_WB[link].v
}

// Dof returns the position and velocity of a joint with one velocity.
func (d *Data) Dof(dof int) (q, v float64) {
	return d.q[d.m.q0[d.m.dofs[dof]]], d.v[dof]
}

// PointRow adds s·dir·v(p) of the point of a link at p_W to a row of the open
// constraint: Jacobian on the velocities, prescribed motion in the bias.
func (d *Data) PointRow(p *cliques.Problem, row, link int, p_W, dir_W r3.Vec, s float64) {
	u := d.driven[link].shifted(p_W.Sub(d.X_WB[link].P)).v
	if b := s * dir_W.Dot(u); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := link; i != World; i = d.m.links[i].Parent {
		_, nv := d.m.links[i].Joint.Size()
		if nv == 0 {
			continue
		}
		m := dir_W.Scale(s)
		moment := p_W.Sub(d.X_WB[i].P).Cross(m)
		at := d.m.v0[i]
		for j := range nv {
			c := &d.column[at+j]
			J[at+j-d.m.first[d.m.tree[i]]] += m.Dot(c.v) + moment.Dot(c.w)
		}
	}
}

// AngularRow adds s·dir·ω of a link to a row of the open constraint.
func (d *Data) AngularRow(p *cliques.Problem, row, link int, dir_W r3.Vec, s float64) {
	if b := s * dir_W.Dot(d.driven[link].w); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := link; i != World; i = d.m.links[i].Parent {
		_, nv := d.m.links[i].Joint.Size()
		for j := range nv {
			k := d.m.v0[i] + j
			J[k-d.m.first[d.m.tree[i]]] += s * dir_W.Dot(d.column[k].w)
		}
	}
}

// DofRow adds s·v[dof] to a row of the open constraint.
func (d *Data) DofRow(p *cliques.Problem, row, dof int, s float64) {
	link := d.m.dofs[dof]
	d.row(p, row, link)[dof-d.m.first[d.m.tree[link]]] += s
}

// row returns one row of the open constraint's block on a link's tree, nil when
// the link does not move by velocities.
func (d *Data) row(p *cliques.Problem, row, link int) []float64 {
	t := d.m.tree[link]
	if t < 0 {
		return nil
	}
	n := d.m.first[t+1] - d.m.first[t]
	return p.Block(d.node[t])[row*n : (row+1)*n]
}

// Advance moves positions by h of the velocities vNext and stores those.
func (d *Data) Advance(h float64, vNext, q, v []float64) {
	copy(v, vNext)
	for i := range d.m.links {
		nq, nv := d.m.links[i].Joint.Size()
		if nv == 0 {
			continue
		}
		q0, v0 := d.m.q0[i], d.m.v0[i]
		d.m.links[i].Joint.Advance(h, q[q0:q0+nq], v[v0:v0+nv])
	}
}
