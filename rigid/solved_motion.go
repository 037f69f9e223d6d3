package rigid

// Free motion at solved velocities. The momentum p that a single floating body gains in a step is that of the
// orientation in which it ends (floating_body.go). Free motion predicts it; constraints on the body, as loops do, may
// turn it otherwise. With the inertia I about the centre of mass and the lever r from its joint's M, whose momenta
// change by impulses alone from the orientation of the start to that of the end, R = Exp(h ω),
//
//	p_ω = I ω − R I ω + r×p_v,   p_v = m (ω×(r − R r) + h g)                 (1)
//
// which is p of floating_body.go at ω = ω*. With it and constraints that do no work the kinetic energy changes by −½ |v
// − v0|² in the norm of A: it never grows, whatever the step. Source: this program.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// MomentumAt writes the momentum (6) that a single floating body, tree t, gains in the step at the velocities v (6) of
// its end, after FreeMotion, to mom. It is false for other trees. Under the midpoint rule v are the displacement
// velocities, trees with joints gain the momentum of their bias at v, and a problem that is solved again takes matrix
// and momentum from MotionAt.
func (d *Data) MomentumAt(t int, gravity *r3.Vec, v, mom []float64) bool {
	link := d.m.singleBody[t]
	switch {
	case d.rule.Midpoint && link == World:
		return d.treeMomentumAt(t, v, mom)
	case d.rule.Midpoint:
		d.flightMomentumAt(t, v, mom)
		return true
	case link == World:
		return false
	}
	l, at := &d.m.placing[link], &d.compositeInertia[link]
	if l.kind != freeFloating {
		return false
	}
	if l.offset {
		var moved inertia
		moved.add(at, &d.p_MB[link])
		at = &moved
	}
	var r, w, theta, p_v r3.Vec
	r.SetScale(1/at.mass, &at.mc)
	central := at.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(r.Dot(at.mc))).Add(r3.Outer(r, at.mc))
	copy(w[:], v[:3])
	theta.SetScale(d.h, &w)
	g, T := d.gravityOn(t, link, at, gravity)
	p_v.SetScale(d.h*at.mass, &g)
	if r != (r3.Vec{}) {
		var turned r3.Vec
		rotateExp(&turned, &theta, &r)
		turned.SetSub(&r, &turned)
		turned.SetScale(at.mass, &turned)
		p_v.IncCross(&w, &turned)
	}
	L := central.MulVec(w)
	var turned r3.Vec
	rotateExp(&turned, &theta, &L)
	p_w := L.Sub(turned).Add(r.Cross(p_v))
	p_w.IncScale(d.h, &T)
	copy(mom, p_w[:])
	copy(mom[3:], p_v[:])
	for k := range mom {
		mom[k] += d.drivetrain[l.v0+k].momentum
	}
	return true
}

// GainAtEnd returns the energy that a tree gains in the step beyond the work of impulses, springs and dampers, with its
// kinetic energy at the end, and what of the gain may be round-off of positions, J. A (n×n), v0 and p (n) are those of
// FreeMotion without efforts, v1 (n) those with which EndPoses was called last.
func (d *Data) GainAtEnd(t int, gravity *r3.Vec, A, v0, p, v1 []float64) (gained, kinetic, roundoff float64) {
	e, n, first := d.end, len(v0), d.m.treeStart[t]
	for _, i := range d.m.linksOfTree[t] {
		s := &d.m.links[i]
		V, R := &e.vel[i], &e.x_WB[i].R
		lever := R.MulVec(s.Com_B)
		c := V.v.Add(V.w.Cross(lever))
		w_B := R.TMulVec(V.w)
		kinetic += 0.5 * (s.Mass*c.Norm2() + w_B.Dot(s.Inertia_B.MulVec(w_B)))
		com := e.x_WB[i].P.Add(lever)
		gained -= s.WeightMass() * gravity.Dot(com.Sub(d.x_WB[i].Point(s.Com_B)))
		roundoff += positionRoundoff * s.Mass * gravity.Norm() * com.Norm()
	}
	ends := v1
	if d.rule.Midpoint {
		ends = e.v[first : first+n]
	}
	for k, v := range ends {
		kinetic += 0.5 * d.m.links[d.m.dofs[first+k]].RotorInertia * v * v
	}
	gained += kinetic - 0.5*d.balance[t].twiceKinetic
	for k, v := range v1 {
		Adv := 0.0
		for j, a := range A[k*n : k*n+n] {
			Adv += a * (v1[j] - v0[j])
		}
		l := &d.drivetrain[first+k]
		gained -= v * (Adv - p[k] + l.momentum - l.mass*(v-v0[k]))
	}
	if d.rule.Midpoint {
		gained -= max(0, d.balance[t].stored-d.storedAtEnd(t, v1)) // E may rise by what Π falls
	}
	return gained, kinetic, roundoff
}

// positionRoundoff is the relative round-off of the way of a centre of mass, of poses that are products of some ten.
const positionRoundoff = 1e-15

// TreeIsPushed reports whether impulses change the motion of a tree: arguments are those of GainAtEnd.
func (d *Data) TreeIsPushed(t int, A, v0, p, v1 []float64) bool {
	n := len(v0)
	for k := range v1 {
		Adv, size := 0.0, math.Abs(p[k])
		for j, a := range A[k*n : k*n+n] {
			Adv += a * (v1[j] - v0[j])
			size += math.Abs(a * v1[j])
		}
		if math.Abs(Adv-p[k]) > pushedTol*size {
			return true
		}
	}
	return false
}

// pushedTol is the share of a momentum that is round-off.
const pushedTol = 1e-9
