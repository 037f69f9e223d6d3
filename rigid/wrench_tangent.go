package rigid

import "github.com/curlfree/curlfree/r3"

// Derivatives of a wrench between two links that depends on their relative motion alone, as that of a contact
// does. With spatial vectors in world axes about a fixed point C, S_k the motion of dof k and s_k = 1 where it moves
// B, −1 where it moves A, 0 where both or neither,
//
//	r_j = −s_j S_jᵀ W                                                        (1)
//
// is the part of the impulse W on B in the gradient of the problem. Position k moves the links that it carries by
// S_k, and so changes axes and velocities of all joints after it,
//
//	δS_j = S_k × S_j,   δV_B = S_k × (V_B − V_k)                              (2)
//
// and W by the motion of A, with which it turns, and by relative pose, velocity V⁰ at the start and V⁺ at the end,
//
//	δW = ξ_A ×* W + W_X (ξ_B − ξ_A) + Σ W_V (δV_B − δV_A − ξ_A × (V_B − V_A))   (3)
//
// Columns of one joint change each other where it has several axes: known for balls and floating bodies, else by
// differences of the joint.

// PairWrench is an impulse W of link A on link B with its derivatives, as seen from A: 6×6, row-major, rotations and
// moments first, in world axes about Center_W.
type PairWrench struct {
	// A and B are links; A may be World.
	A, B int
	// Center_W is the point about which moments are taken, m.
	Center_W r3.Vec
	// Wrench is W: moment about the centre, N m s, and impulse, N s.
	Wrench [6]float64
	// ByPose, ByStart and ByEnd are W_X, per rad and m, and W_V, per rad/s and m/s.
	ByPose, ByStart, ByEnd [36]float64
}

// wrenchDof is a dof that moves one of the links.
type wrenchDof struct {
	dof, link int
	on        [2]bool // carries A, B
	S         spatial
	sign      float64 // s
	fixed     bool    // its position changes no axis of its own joint
	// velocity of its link at the start and the end
	V [2]spatial
}

// columnWidth is the width of differences of columns by positions of their own joint, m or rad.
const columnWidth = 1e-6

// RelativeVelocity writes the velocity of link b relative to a (World: at rest), as of a rigid body, in world axes
// about a point, at joint velocities v (nv): ω, then that of the point. Prescribed joints have the velocity of the
// coming step.
func (d *Data) RelativeVelocity(a, b int, about_W *r3.Vec, v []float64, dst *[6]float64) {
	V := d.twistOf(b, about_W, v).sub(d.twistOf(a, about_W, v))
	copy(dst[:], V.w[:])
	copy(dst[3:], V.v[:])
}

// twistOf returns the velocity of a link as a rigid body, about a point.
func (d *Data) twistOf(link int, about_W *r3.Vec, v []float64) (V spatial) {
	if link == World {
		return V
	}
	V = d.prescribedVel[link].shiftMotion(about_W.Sub(d.x_WB[link].P))
	for i := d.m.inboard[link]; i != World; i = d.m.placing[i].nextInboard {
		for k := d.m.placing[i].v0; k < d.m.placing[i].v0+d.m.placing[i].nv; k++ {
			S := d.columnAbout(k, about_W)
			V.incScale(v[k], &S)
		}
	}
	return V
}

// columnAbout returns S of a dof about a point.
func (d *Data) columnAbout(dof int, about_W *r3.Vec) spatial {
	return d.subspace[dof].shiftMotion(about_W.Sub(d.x_WB[d.m.dofs[dof]].P))
}

// columnChange returns the derivative of S of a dof by the position of another of the same joint.
func (d *Data) columnChange(by, of *wrenchDof, about_W *r3.Vec) (change spatial) {
	if by.fixed {
		return change
	}
	l, spec := &d.m.placing[of.link], &d.m.links[of.link]
	if _, ok := spec.Joint.(Floating); ok {
		// axes of F, through a point that slides
		if of.dof-l.v0 < 3 {
			addCrossMotion(&by.S, &of.S, &change)
		}
		return change
	}
	s := d.prepareTangents()
	X_WF := spec.X_PF
	if l.parent != World {
		X_WF.SetMul(&d.x_WB[l.parent], &spec.X_PF)
	}
	nq, _ := spec.Joint.Size()
	for _, w := range [2]float64{columnWidth, -columnWidth} {
		q, v := s.at.q[l.q0:l.q0+nq], s.at.v[l.v0:l.v0+l.nv]
		copy(q, d.q[l.q0:])
		clear(v)
		v[by.dof-l.v0] = w
		spec.Joint.Advance(1, q, v)
		p_WM := X_WF.Point(spec.Joint.Pose_FM(q).P)
		turn, slide := spec.Joint.Subspace_FM(q, of.dof-l.v0)
		S := spatial{turn, slide}.rotated(X_WF.R).shiftMotion(about_W.Sub(p_WM))
		change.incScale(1/(2*w), &S)
	}
	return change
}

// AddPairWrench adds to dst the derivatives of (1) at the state of the last Place, as FreeMotionTangent does.
func (d *Data) AddPairWrench(w *PairWrench, vNext, dst []float64, stride, velocities int) {
	s := d.prepareTangents()
	s.dofs = d.wrenchDofs(w, s.dofs[:0])
	C := &w.Center_W
	W := asSpatial(w.Wrench[:])
	var V_B [2]spatial // start and end
	for i, v := range [2][]float64{d.v, vNext} {
		V_B[i] = d.twistBy(s.dofs, 1, w.B, C, v)
	}
	for i := range s.dofs {
		k := &s.dofs[i]
		switch {
		case i > 0 && s.dofs[i-1].link == k.link:
			k.V = s.dofs[i-1].V
			continue
		case k.link == w.B:
			k.V = V_B
			continue
		}
		for e, v := range [2][]float64{d.v, vNext} {
			side := 0
			if k.on[1] {
				side = 1
			}
			k.V[e] = d.twistBy(s.dofs, side, k.link, C, v)
		}
	}
	by := [2]*[36]float64{&w.ByStart, &w.ByEnd}
	for i := range s.dofs {
		k := &s.dofs[i]
		// (3)
		rel := k.S.scale(k.sign)
		change := mul6(&w.ByPose, &rel)
		if k.on[0] {
			change = change.add(crossForce(&k.S, &W))
		}
		for e, v := range [2][]float64{d.v, vNext} {
			dV := d.velocityChange(k, s.dofs, C, v, e, &V_B[e])
			change = change.add(mul6(by[e], &dV))
		}
		atStart := mul6(&w.ByStart, &rel)
		q, u := dst[k.dof*stride:], dst[(velocities+k.dof)*stride:]
		for j := range s.dofs {
			e := &s.dofs[j]
			if e.sign == 0 {
				continue
			}
			dS := d.axisChange(k, e, C)
			q[e.dof] -= e.sign * (dS.dot(W) + e.S.dot(change)) // (1)
			u[e.dof] -= e.sign * e.S.dot(atStart)
		}
	}
}

// wrenchDofs appends the dofs that move A or B.
func (d *Data) wrenchDofs(w *PairWrench, dst []wrenchDof) []wrenchDof {
	for side, link := range [2]int{w.A, w.B} {
		if link == World {
			continue
		}
		for i := d.m.inboard[link]; i != World; i = d.m.placing[i].nextInboard {
			for k := d.m.placing[i].v0; k < d.m.placing[i].v0+d.m.placing[i].nv; k++ {
				at := -1
				for j := range dst {
					if dst[j].dof == k {
						at = j
					}
				}
				if at < 0 {
					at = len(dst)
					dst = append(dst, wrenchDof{dof: k, link: i, S: d.columnAbout(k, &w.Center_W), fixed: d.m.keepsAxes(i, k)})
				}
				dst[at].on[side] = true
				dst[at].sign += float64(2*side - 1)
			}
		}
	}
	return dst
}

// twistBy is twistOf of a link between the root and A (side 0) or B, whose dofs have their columns.
func (d *Data) twistBy(dofs []wrenchDof, side, link int, C *r3.Vec, v []float64) (V spatial) {
	if link == World {
		return V
	}
	V = d.prescribedVel[link].shiftMotion(C.Sub(d.x_WB[link].P))
	for j := range dofs {
		// links are numbered outward
		if e := &dofs[j]; e.on[side] && e.link <= link {
			V.incScale(v[e.dof], &e.S)
		}
	}
	return V
}

// keepsAxes reports whether the position of a dof changes no axis of its own joint: joints with one axis, and rotations
// about axes of F through one point.
func (m *Model) keepsAxes(link, dof int) bool {
	l := &m.placing[link]
	switch m.links[link].Joint.(type) {
	case Ball:
		return true
	case Floating:
		return dof-l.v0 < 3
	}
	return l.nv == 1
}

// velocityChange returns δV_B − δV_A − ξ_A × (V_B − V_A) of (2), (3) by position k, at joint velocities v; V_B is that
// at this end of the step. It is s_k S_k × (V_B − V_k), and zero of joints that carry both links.
func (d *Data) velocityChange(k *wrenchDof, dofs []wrenchDof, C *r3.Vec, v []float64, end int, V_B *spatial) (change spatial) {
	if k.sign == 0 {
		return change
	}
	after := V_B.sub(k.V[end])
	change = change.addScaled(k.sign, crossMotion(&k.S, &after))
	// and by its own axes
	if k.fixed {
		return change
	}
	for j := range dofs {
		if e := &dofs[j]; e.link == k.link {
			own := d.columnChange(k, e, C)
			change.incScale(k.sign*v[e.dof], &own)
		}
	}
	return change
}

// axisChange returns δS of dof e by position k: (2) where k carries e's joint.
func (d *Data) axisChange(k, e *wrenchDof, C *r3.Vec) spatial {
	switch {
	case k.link == e.link:
		return d.columnChange(k, e, C)
	case k.link < e.link && (k.on[0] && e.on[0] || k.on[1] && e.on[1]): // links are numbered outward
		return crossMotion(&k.S, &e.S)
	}
	return spatial{}
}

// asSpatial returns six numbers as a spatial vector.
func asSpatial(x []float64) spatial {
	return spatial{r3.Vec(x[:3]), r3.Vec(x[3:6])}
}

// mul6 returns a 6×6 matrix times a spatial vector.
func mul6(M *[36]float64, x *spatial) (y spatial) {
	for i := range 6 {
		row := M[6*i : 6*i+6]
		s := row[0]*x.w[0] + row[1]*x.w[1] + row[2]*x.w[2] + row[3]*x.v[0] + row[4]*x.v[1] + row[5]*x.v[2]
		if i < 3 {
			y.w[i] = s
		} else {
			y.v[i-3] = s
		}
	}
	return y
}
