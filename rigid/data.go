package rigid

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Data is the scratch of one stepper of a Model: where links are and how they
// move. Place comes first, everything else reads what it left.
type Data struct {
	m    *Model
	h    float64
	q, v []float64 // of the last Place

	x_WB       []r3.Pose
	velocities           // now
	driven     []spatial // of each link in this step as prescribed joints cause it, all v = 0
	pushed     []spatial // acceleration against its parent that a prescribed joint causes in this step
	p_PB       []r3.Vec  // from the origin of each link's parent to its own, world axes
	p_MB       []r3.Vec  // from the origin of each joint's M to its link's, world axes
	column     []spatial // motion subspace of each dof, at its link's origin

	next  []spatial      // of each link at the end of the step, by PredictMotion
	own   []inertia      // of each link
	comp  []inertia      // of each link and all it carries
	acc   []spatial      // bias accelerations
	force []spatial      // that each link and all it carries need
	node  []cliques.Node // of each tree in the last problem

	half      velocities // halfway through the step
	vHalf     []float64  // of one joint, halfway through the step
	lower     []float64  // factors of a tree's A, as eliminate leaves them
	dv, ddv   []float64  // v* − v0 of a tree, and by how much it was wrong
	ahead     *Data      // where links of a floating tree are at the end of the step, nil if none floats
	momStart  []float64  // momentum that a tree gains with the bias at v0
	given, dp []float64  // of a tree's momentum, what does not depend on v½, and by how much the rest was wrong
}

// velocities are how links move at one time, world axes, at each link's origin.
type velocities struct {
	vel  []spatial // of each link
	rel  []spatial // of each link against its parent's material
	bias []spatial // Ḣ v of each link's joint where it is a BiasedJoint, else unused
}

// NewData returns the scratch of one stepper.
func (m *Model) NewData() *Data {
	d := m.newData()
	for _, link := range m.floater {
		if link != World && d.ahead == nil {
			d.ahead = m.newData()
		}
	}
	return d
}

func (m *Model) newData() *Data {
	n, nv := len(m.links), len(m.dofs)
	s := make([]spatial, 11*n+nv)
	widest := 0 // velocities of a tree
	for t := range m.Trees() {
		widest = max(widest, m.first[t+1]-m.first[t])
	}
	take := func(k int) []spatial {
		t := s[:k:k]
		s = s[k:]
		return t
	}
	d := &Data{
		m: m, q: make([]float64, m.nq), v: make([]float64, nv), x_WB: make([]r3.Pose, n),
		velocities: velocities{vel: take(n), rel: take(n), bias: take(n)}, driven: take(n), pushed: take(n), acc: take(n), force: take(n), next: take(n), column: take(nv),
		half: velocities{vel: take(n), rel: take(n), bias: take(n)}, vHalf: make([]float64, widest), lower: make([]float64, widest*widest),
		dv: make([]float64, widest), ddv: make([]float64, widest), given: make([]float64, widest), momStart: make([]float64, widest), dp: make([]float64, widest),
		p_PB: make([]r3.Vec, n), p_MB: make([]r3.Vec, n), own: make([]inertia, n), comp: make([]inertia, n), node: make([]cliques.Node, m.Trees()),
	}
	for i := range m.placing {
		if l := &m.placing[i]; l.kind == flying {
			for j := range 3 {
				d.column[l.v0+j].w[j], d.column[l.v0+3+j].v[j] = 1, 1
			}
		}
	}
	return d
}

// Poses returns X_WB of every link: the data's own, as the last Place left them.
func (d *Data) Poses() []r3.Pose { return d.x_WB }

// Pose returns X_WB of a link.
func (d *Data) Pose(link int) r3.Pose { return d.x_WB[link] }

// Velocity returns a link's angular velocity and the velocity of its origin,
// world axes.
func (d *Data) Velocity(link int) (w, v r3.Vec) { return d.vel[link].w, d.vel[link].v }

// StepVelocity returns a link's angular velocity in this step and that of its
// origin as far as they are known beforehand: of prescribed joints they are, else
// they are as now. Valid until the next Place, to be read only.
func (d *Data) StepVelocity(link int) (w, v *r3.Vec) {
	V := &d.vel[link]
	if d.m.tree[link] < 0 {
		V = &d.driven[link]
	}
	return &V.w, &V.v
}

// PredictMotion computes the velocities that links have with the joint velocities v (nv)
// at the end of the step, where they stand now; see PredictedVelocity.
func (d *Data) PredictMotion(v []float64) {
	for i := range d.m.placing {
		l, next := &d.m.placing[i], &d.next[i]
		*next = d.driven[i]
		if p := l.parent; p != World {
			var w r3.Vec
			w.SetSub(&d.next[p].w, &d.driven[p].w)
			next.w.IncScale(1, &w)
			next.v.IncScale(1, &d.next[p].v)
			next.v.IncScale(-1, &d.driven[p].v)
			next.v.IncCross(&w, &d.p_PB[i])
		}
		for j := range l.nv {
			next.incScale(v[l.v0+j], &d.column[l.v0+j])
		}
	}
}

// PredictedVelocity returns a link's angular velocity and the velocity of its origin
// as the last PredictMotion has them, world axes, until the next; to be read only.
func (d *Data) PredictedVelocity(link int) (w, v *r3.Vec) { return &d.next[link].w, &d.next[link].v }

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
	for i := range d.m.nv {
		d.m.advance(i, h, q, v)
	}
}

// advance moves the positions of a link's joint, of all positions q, by h of its
// velocities, of all v.
func (m *Model) advance(link int, h float64, q, v []float64) {
	if nv := m.nv[link]; nv > 0 {
		joint, q0, v0 := m.links[link].Joint, m.q0[link], m.v0[link]
		nq, _ := joint.Size()
		joint.Advance(h, q[q0:q0+nq], v[v0:v0+nv])
	}
}
