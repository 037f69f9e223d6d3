package rigid

import "github.com/curlfree/curlfree/r3"

// Derivatives of the free motion of trees. At fixed velocities v⁺ of the end of the step, a tree's part of the
// gradient of the problem is
//
//	r = A (v⁺ − v0) − p                                                      (1)
//
// a function of its own q and v alone. Trees of joints with one axis have derivatives written by hand,
// inverse_dynamics_tangent.go; those of all others are central differences of (1) for one tree at a time.

// freeWidth is the width of these differences, m or rad; velocities move joints by as much in the step.
const freeWidth = 3e-7

// tangentScratch is working memory of derivatives.
type tangentScratch struct {
	at   *Data     // links at displaced states
	A    []float64 // of one tree
	mom  []float64
	r    [2][]float64
	hand inverseDynamicsTangent
	fast fastTangent
	// at is placed at the state
	placed bool
	// of wrench_tangent.go
	dofs []wrenchDof
}

// prepareTangents provides the memory of derivatives.
func (d *Data) prepareTangents() *tangentScratch {
	d.requireTangents()
	if d.tangent == nil {
		n := len(d.dv) // the widest tree
		s := &tangentScratch{at: d.m.NewData(), A: make([]float64, n*n), mom: make([]float64, n)}
		s.r = [2][]float64{make([]float64, n), make([]float64, n)}
		s.hand.resize(d.m, n)
		s.fast.resize(n)
		d.tangent = s
	}
	return d.tangent
}

// FreeMotionTangent adds to dst the derivatives of (1) of all trees at the state of the last Place, of time t
// (s), and FreeMotion, of a mimic joint as if it moved by itself, see FoldEfforts: column k, of stride numbers, is that
// by the position (rotations in the axes of their velocity), column velocities + k that by the velocity of dof k.
// gravity is in m/s², vNext (nv) is v⁺.
func (d *Data) FreeMotionTangent(t float64, gravity r3.Vec, vNext, dst []float64, stride, velocities int) {
	m, s := d.m, d.prepareTangents()
	s.placed = false
	for tree := range m.Trees() {
		first, n := m.treeStart[tree], m.treeStart[tree+1]-m.treeStart[tree]
		c := columns{dst: dst[first:], stride: stride, first: first, velocities: velocities}
		d.treeDerivative(tree, n, t, gravity, vNext[first:first+n], c)
	}
}

// placeDisplaced places the links that differences displace at the state itself.
func (d *Data) placeDisplaced(t float64, gravity r3.Vec) {
	s, at := d.tangent, d.tangent.at
	at.Hold, at.reference, at.recent = d.Hold, d.reference, d.recent
	at.Place(t, d.h, d.q, d.v)
	at.computeComposites(d.m.allLinks)
	at.rnea(d.m.articulatedLinks, gravity, &at.velocities, nil)
	s.placed = true
}

// columns are those of one tree in a matrix of derivatives: those of positions, then of velocities.
type columns struct {
	dst                       []float64
	stride, first, velocities int
}

// position and velocity return the column of a dof of the tree.
func (c *columns) position(k, n int) []float64 { return c.dst[(c.first+k)*c.stride:][:n] }
func (c *columns) velocity(k, n int) []float64 {
	return c.dst[(c.velocities+c.first+k)*c.stride:][:n]
}

// treeDerivative adds the derivatives of one tree.
func (d *Data) treeDerivative(t, n int, time float64, gravity r3.Vec, vNext []float64, c columns) {
	s := d.tangent
	A := s.A[:n*n]
	clear(A)
	single := d.m.singleBody[t]
	free := single != World && d.m.placing[single].kind == freeFloating
	if free {
		moved := d.compositeInertia[single]
		if d.m.placing[single].offset {
			moved = inertia{}
			moved.add(&d.compositeInertia[single], &d.p_MB[single])
		}
		floatingMassMatrix(&moved, d.m.links[single].RotorInertia, A)
	} else {
		d.massMatrix(t, A)
	}
	for k := range n {
		A[k*n+k] += d.drivetrain[d.m.treeStart[t]+k].mass
	}
	d.m.foldMatrix(t, A, n)
	if d.m.hasOneAxisJoints(t) {
		switch look := d.secondLook[t]; {
		case n == 1 || look == 0:
			d.handTangent(t, gravity, vNext, A, &s.hand, c)
			return
		case look <= 1 && d.fastTangent(t, gravity, vNext, A, &s.fast, c):
			return
		}
	}
	spun := free && d.spinTangent(single, vNext, c)
	if !spun && !s.placed {
		d.placeDisplaced(time, gravity)
	}
	for k := range n {
		if spun && k < 3 {
			continue
		}
		// A and p of a flying body depend on neither its place nor its translation
		if free && k >= 3 {
			col := c.velocity(k, n)
			for i := range col {
				col[i] -= A[i*n+k]
			}
			_, D := d.m.drivetrainOf(c.first+k, d.h) // p has −D v0
			col[k] += D
			continue
		}
		d.difference(t, k, time, freeWidth, gravity, vNext, c.position(k, n), true)
		d.difference(t, k, time, freeWidth/d.h, gravity, vNext, c.velocity(k, n), false)
	}
}

// spinTangent adds the derivatives of (1) of a flying body about its centre of mass by orientation and spin ω₀. With
// symbols of floating_body.go, L = I ω₀ and D the derivative of its (3), the rotational part of (1) is I (ω⁺ − ω*), and
//
//	D δω* = Exp(−h ω*) δL − δI ω*,   δI = [δ] I − I [δ],   δL = δI ω₀ + I δω₀   (2)
//
// besides the rotor. It is false for bodies that turn about another point, and where ω* may not be known.
func (d *Data) spinTangent(link int, vNext []float64, c columns) bool {
	l, at := &d.m.placing[link], &d.compositeInertia[link]
	w0, I := d.vel[link].w, at.I
	if l.offset || at.mc != (r3.Vec{}) {
		return false
	}
	// the moment of carried weight turns with the body
	if lift := d.carriedOfTree(d.m.tree[link], &d.x_WB[link].P); lift.mc != (r3.Vec{}) {
		return false
	}
	L := I.MulVec(w0)
	w := spinAtEnd(&I, &L, &r3.Vec{}, &w0, d.h)
	theta := w.Scale(-d.h)
	if theta.Norm2() > 1 {
		return false
	}
	E := r3.RotExp(theta)
	inv, _ := I.Sub(r3.Skew(E.MulVec(L)).Mul(leftJacobian(theta)).Scale(d.h)).Inv()
	gain := r3.Vec(vNext[:3]).Sub(w)
	for k := range 3 {
		var e r3.Vec
		e[k] = 1
		dI := r3.Skew(e).Mul(I)
		dI = dI.Add(dI.T())
		dw := inv.MulVec(E.MulVec(dI.MulVec(w0)).Sub(dI.MulVec(w))) // (2)
		q := dI.MulVec(gain).Sub(I.MulVec(dw))
		v := I.MulVec(inv.MulVec(E.MulVec(I.Col(k))))
		v[k] += d.m.links[link].RotorInertia
		position, velocity := c.position(k, 6), c.velocity(k, 6)
		for i := range 3 {
			position[i] += q[i]
			velocity[i] -= v[i]
		}
	}
	return true
}

// difference adds the central difference of (1) by one dof of a tree.
func (d *Data) difference(t, k int, time, width float64, gravity r3.Vec, vNext, dst []float64, position bool) {
	m, s := d.m, d.tangent
	at, n := s.at, len(dst)
	dof := m.treeStart[t] + k
	link := m.dofs[dof]
	for side, w := range [2]float64{width, -width} {
		copy(at.q, d.q)
		copy(at.v, d.v)
		if position {
			// the other velocities of the joint are zero in the displacement
			clear(at.v[m.v0[link] : m.v0[link]+m.nv[link]])
			at.v[dof] = w
			m.displace(link, at.q, at.v)
			copy(at.v, d.v)
		} else {
			at.v[dof] += w
		}
		for _, i := range m.linksOfTree[t] {
			at.place(i, time, at.h)
		}
		A, mom := s.A[:n*n], s.mom[:n]
		clear(A)
		clear(mom)
		at.computeComposites(m.linksOfTree[t])
		if m.singleBody[t] == World {
			at.rnea(m.linksOfTree[t], gravity, &at.velocities, nil)
		}
		at.treeMotion(t, gravity, nil, A, mom)
		// (1)
		r := s.r[side][:n]
		for i := range r {
			r[i] = -mom[i]
			for j, v := range vNext {
				r[i] += A[i*n+j] * (v - at.v[m.treeStart[t]+j])
			}
		}
	}
	for i := range dst {
		dst[i] += (s.r[0][i] - s.r[1][i]) / (2 * width)
	}
	// as it was, for the trees that follow
	copy(at.q, d.q)
	copy(at.v, d.v)
}
