package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Poses X and velocities V of links, from the world to the tips:
//
//	X_WB = X_WP X_PB(q),  X_PB = X_PF X_FM(q) X_MB                       (1)
//	V_B  = X(r) V_P + H v,  r = p_WB − p_WP                              (2)
//
// with the columns of H at B's origin, world axes. A joint with one axis a turns by
// θ = |a| q about it and slides by q s, a weld does neither; for these (1) is linear in
// cos θ, sin θ and q,
//
//	R_PB = R_PF (ââᵀ + cos θ (1 − ââᵀ) + sin θ [â]×) R_MB
//	     = R₀ + cos θ R₁ + sin θ R₂                                      (3)
//	p_PB = p₀ + cos θ p₁ + sin θ p₂ + q p₃                               (4)
//
// and H is constant in B's axes. The coefficients are computed once, so that a step calls
// no method of these joints; nor of joints that float in the world's axes. For all other
// joints it calls Pose_FM and Subspace_FM.

// kind is the formula that places a link.
type kind uint8

const (
	general      kind = iota // by the methods of its joint
	axial                    // by (3) and (4)
	freeFloating             // a floating joint to the world, F in the world's axes
)

// placing has, of one link, all that place reads.
type placing struct {
	kind kind
	// offset: p_MB is not zero.
	offset bool
	// rotated: R_MB is not the identity.
	rotated bool
	// prescribed: a prescribed joint moves the link, or one that carries it.
	prescribed bool
	// isotropic: its inertia about its centre of mass is a multiple of the identity.
	isotropic bool
	parent    int
	// nextInboard: the nearest link with velocities towards the world, itself excluded, or World.
	nextInboard int
	nv          int
	q0, v0      int
	// axis has the coefficients of axial joints.
	axis *axis
	// biased: the joint, where its motion subspace depends on q, else nil.
	biased BiasedJoint
	// stepped: the joint, where its step is that of the body, else nil, as with a rotor.
	stepped SteppedJoint
	// p_MB_B is p_MB in B's axes, m.
	p_MB_B r3.Vec
}

// axis has the coefficients of (3) and (4).
type axis struct {
	turns    bool // R₁, R₂ are not zero
	R        [3]r3.Mat
	p        [4]r3.Vec
	angle    float64 // θ/q
	column_B spatial // H in B's axes
}

// preparePlacing fills the table that place reads.
func (m *Model) preparePlacing() {
	m.placing = make([]placing, len(m.links))
	for i := range m.links {
		l, p := &m.links[i], &m.placing[i]
		*p = placing{parent: l.Parent, nextInboard: m.nextInboard(i), nv: m.nv[i], q0: m.q0[i], v0: m.v0[i], p_MB_B: l.X_BM.P.Neg()}
		p.offset, p.rotated = l.X_BM.P != r3.Vec{}, l.X_BM.R != r3.Identity()
		p.isotropic = l.Inertia_B == r3.Diag(r3.Vec{1, 1, 1}).Scale(l.Inertia_B[0])
		_, p.prescribed = l.Joint.(Prescribed)
		p.biased, _ = l.Joint.(BiasedJoint)
		if s, ok := l.Joint.(SteppedJoint); ok {
			m.steppedLinks = append(m.steppedLinks, i)
			if l.RotorInertia == 0 {
				p.stepped = s
			}
		}
		p.prescribed = p.prescribed || l.Parent != World && m.placing[l.Parent].prescribed

		switch j := l.Joint.(type) {
		case Weld:
			p.axis = newAxis(l, r3.Vec{}, r3.Vec{})
		case Revolute:
			p.axis = newAxis(l, j.Axis, r3.Vec{})
		case Prismatic:
			p.axis = newAxis(l, r3.Vec{}, j.Axis)
		case Screw:
			turn, slide := j.Subspace_FM(nil, 0)
			p.axis = newAxis(l, turn, slide)
		case Floating:
			if l.Parent == World && l.X_PF.R == r3.Identity() {
				p.kind = freeFloating
			}
		}
		if p.axis != nil {
			p.kind = axial
		}
	}
}

// newAxis returns the coefficients of (3) and (4) for a rotation and a translation per
// unit of q, in F.
func newAxis(l *LinkSpec, turn, slide r3.Vec) *axis {
	// ââᵀ, 1 − ââᵀ and [â]× of (3)
	angle, a, X_MB := turn.Norm(), turn.Unit(), l.X_BM.Inv()
	R := [3]r3.Mat{r3.Identity()}
	if angle > 0 {
		R[0] = r3.Outer(a, a)
		R[1], R[2] = r3.Identity().Sub(R[0]), r3.Skew(a)
	}
	x := &axis{turns: angle > 0, angle: angle}
	for k := range R {
		R_P := l.X_PF.R.Mul(R[k])
		x.R[k], x.p[k] = R_P.Mul(X_MB.R), R_P.MulVec(X_MB.P)
	}
	x.p[0] = x.p[0].Add(l.X_PF.P)
	x.p[3] = l.X_PF.R.MulVec(slide)
	// H at B's origin, in B's axes
	x.column_B = spatial{turn, slide}.rotated(l.X_BM.R).shiftMotion(l.X_BM.P.Neg())
	return x
}

// Place computes poses, velocities and inertias at positions q (NumQ) and velocities v
// (NumV) at time t (s), and the motion of prescribed joints in a step of h (s) from there.
// It copies q and v, and panics when one is shorter than the model's.
func (d *Data) Place(t, h float64, q, v []float64) {
	if len(q) < d.m.nq || len(v) < len(d.m.dofs) {
		panic("rigid: Place: q or v is shorter than the model's")
	}
	d.h = h
	copy(d.q, q)
	copy(d.v, v)
	d.m.Follow(d.q, d.v)
	for i := range d.m.placing {
		d.place(i, t, h)
	}
	if d.rule.Midpoint {
		d.placeFlights()
		d.placeMiddle(t, h)
	}
}

// place computes the pose, velocity and inertia of a link whose parent is placed.
func (d *Data) place(i int, t, h float64) {
	switch l := &d.m.placing[i]; l.kind {
	case axial:
		d.placeAxial(i, l)
	case freeFloating:
		d.placeFloating(i, l)
	default:
		d.placeGeneral(i, l, t, h)
	}
	d.placeInertia(i)
}

// placeAxial places a link by (3) and (4).
func (d *Data) placeAxial(i int, l *placing) {
	x, X_WB := l.axis, &d.x_WB[i]
	q := 0.0
	if l.nv > 0 {
		q = d.q[l.q0]
	}
	// (3) and (4)
	X_PB := r3.Pose{R: x.R[0], P: x.p[0]}
	if x.turns {
		sin, cos := math.Sincos(x.angle * q)
		for k := range X_PB.R {
			X_PB.R[k] += cos*x.R[1][k] + sin*x.R[2][k] // (3)
		}
		for k := range X_PB.P {
			X_PB.P[k] += cos*x.p[1][k] + sin*x.p[2][k] // (4)
		}
	}
	X_PB.P.IncScale(q, &x.p[3])
	if l.parent == World {
		*X_WB = X_PB
	} else {
		X_WB.SetMul(&d.x_WB[l.parent], &X_PB) // (1)
	}
	if l.offset {
		d.p_MB[i].SetMul(&X_WB.R, &l.p_MB_B)
	}
	// H and the velocity relative to the parent
	if l.nv > 0 {
		H, v, rel := &d.subspace[l.v0], d.v[l.v0], &d.rel[i]
		H.w.SetMul(&X_WB.R, &x.column_B.w)
		H.v.SetMul(&X_WB.R, &x.column_B.v)
		rel.w.SetScale(v, &H.w)
		rel.v.SetScale(v, &H.v)
	}
	d.addParentMotion(i, l)
}

// placeFloating places a link that floats in the world. Its columns of H are the unit
// vectors that NewData wrote, but for the translation that a rotation about M causes at
// B's origin.
func (d *Data) placeFloating(i int, l *placing) {
	spec, X_WB, rel := &d.m.links[i], &d.x_WB[i], &d.rel[i]
	q, v := d.q[l.q0:l.q0+7:l.q0+7], d.v[l.v0:l.v0+6:l.v0+6]
	quat := r3.Quat{q[0], q[1], q[2], q[3]}
	X_WB.R.SetQuat(&quat)
	if l.rotated {
		X_WB.R = X_WB.R.Mul(d.m.x_MB[i].R)
	}
	p_MB := &d.p_MB[i]
	if l.offset {
		p_MB.SetMul(&X_WB.R, &l.p_MB_B)
		for j, H := range d.subspace[l.v0 : l.v0+3] {
			d.subspace[l.v0+j].v = H.w.Cross(*p_MB)
		}
	}
	for k := range 3 {
		X_WB.P[k] = q[4+k] + spec.X_PF.P[k] + p_MB[k]
		rel.w[k], rel.v[k] = v[k], v[3+k]
	}
	rel.v.IncCross(&rel.w, p_MB)
	V := &d.vel[i]
	for k := range 3 {
		V.w[k], V.v[k] = rel.w[k], rel.v[k]
	}
}

// placeGeneral places a link by the methods of its joint.
func (d *Data) placeGeneral(i int, l *placing, t, h float64) {
	spec := &d.m.links[i]
	// frames F, M and B
	X_WF := spec.X_PF
	if l.parent != World {
		X_WF.SetMul(&d.x_WB[l.parent], &spec.X_PF)
	}
	prescribed, ok := spec.Joint.(Prescribed)
	var X_WM r3.Pose
	nq, _ := spec.Joint.Size()
	q := d.q[l.q0 : l.q0+nq]
	if ok {
		at := t
		if d.inMiddle && !d.Hold {
			at += 0.5 * h
		}
		X_WM = X_WF.Mul(prescribed.PoseAt(at))
	} else {
		X_WM = X_WF.Mul(spec.Joint.Pose_FM(q))
	}
	X_WB := X_WM.Mul(d.m.x_MB[i])
	p_MB := X_WB.P.Sub(X_WM.P)
	d.x_WB[i], d.p_MB[i] = X_WB, p_MB

	// prescribed joints: mean velocities of the past and the coming step
	var rel, next spatial
	d.prescribedAcc[i] = spatial{}
	if ok && !d.Hold {
		past := prescribed.velocity(t-h, t).rotated(X_WF.R).shiftMotion(p_MB)
		next = prescribed.velocity(t, t+h).rotated(X_WF.R).shiftMotion(p_MB)
		rel, d.prescribedAcc[i] = past, next.sub(past).scale(1/h)
		if d.rule.Midpoint { // velocities of its states are those at their time
			rel = past.add(next).scale(0.5)
		}
		if d.inMiddle { // the change of the velocity from the start to the end of the step, each the mean of those beside it
			after := prescribed.velocity(t+h, t+2*h).rotated(X_WF.R).shiftMotion(p_MB)
			rel, d.prescribedAcc[i] = next, after.sub(past).scale(0.5/h)
		}
	}
	// columns of H at B's origin in world axes, and the relative velocity
	for j := range l.nv {
		k := l.v0 + j
		w, u := spec.Joint.Subspace_FM(q, j)
		d.subspace[k] = spatial{w, u}.rotated(X_WF.R).shiftMotion(p_MB)
		rel = rel.addScaled(d.v[k], d.subspace[k])
	}
	d.rel[i] = rel
	if l.biased != nil {
		d.bias[i] = d.jointBias(i, l, d.v[l.v0:l.v0+l.nv])
	}
	d.addParentMotion(i, l)
	if ok {
		d.prescribedVel[i] = d.prescribedVel[i].add(next)
	}
}

// jointBias returns Ḣ v, of (5) of dynamics.go, of a placed link's joint at the velocities v
// of the joint, in world axes at the link's origin.
func (d *Data) jointBias(i int, l *placing, v []float64) spatial {
	R_WF := d.m.links[i].X_PF.R
	if l.parent != World {
		R_WF = d.x_WB[l.parent].R.Mul(R_WF)
	}
	nq, _ := l.biased.Size()
	alpha, a := l.biased.AccelerationBias_FM(d.q[l.q0:l.q0+nq], v)
	return spatial{alpha, a}.rotated(R_WF).shiftMotion(d.p_MB[i])
}

// addParentMotion adds the velocity of a link's parent, (2).
func (d *Data) addParentMotion(i int, l *placing) {
	V, rel := &d.vel[i], &d.rel[i]
	if l.parent == World {
		V.w.SetScale(1, &rel.w)
		V.v.SetScale(1, &rel.v)
		if l.prescribed {
			d.prescribedVel[i] = spatial{}
		}
		return
	}
	P, r := &d.vel[l.parent], &d.p_PB[i]
	r.SetSub(&d.x_WB[i].P, &d.x_WB[l.parent].P)
	V.w.SetAdd(&P.w, &rel.w)
	V.v.SetAdd(&P.v, &rel.v)
	V.v.IncCross(&P.w, r)
	if l.prescribed {
		d.prescribedVel[i] = d.prescribedVel[l.parent].shiftMotion(*r)
	}
}

// placeInertia computes a link's inertia in world axes about its origin.
func (d *Data) placeInertia(i int) {
	l, R, own := &d.m.links[i], &d.x_WB[i].R, &d.bodyInertia[i]
	own.mass = l.Mass
	if d.m.placing[i].isotropic {
		own.I = l.Inertia_B
	} else {
		rotateTensor(&own.I, R, &l.Inertia_B)
	}
	if l.Com_B == (r3.Vec{}) {
		return
	}
	// parallel axes, from the centre of mass to the origin
	var c r3.Vec
	c.SetMul(R, &l.Com_B)
	own.mc.SetScale(l.Mass, &c)
	addPoint(&own.I, &c, &own.mc)
}
