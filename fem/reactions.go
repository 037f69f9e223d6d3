package fem

// Reaction forces: the support of fixed vertices exerts an impulse that keeps them at rest.
// They are not in the problem of a step; their rows of its equation (2) of free.go say what is
// missing there,
//
//	r_j = Σ_k A_jk (v_k − v0_k) − P_j,   v_j = 0,                              (1)
//
// with the blocks of A and the forces in P of the step's last linearisation: so the impulses
// of free vertices, of fixed ones and of gravity add up to the change of momentum to round-off.
// Contacts and constraints with impulses γ on the fixed vertices themselves are borne too: their
// rows J_j on these, which the problem has not, are kept, and −Σ J_jᵀ γ is added to r_j.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// heldRow is the part of a row of a constraint's Jacobian on a fixed vertex.
type heldRow struct {
	constraint cliques.Handle // of the problem of the step
	row        int            // of the constraint
	vert       int32          // fixed vertex
	J          r3.Vec         // derivative of the row's velocity by the vertex's
}

// KeepHeldRows requests that the rows of constraints on fixed vertices are stored, for
// AddReactions.
func (d *Data) KeepHeldRows() { d.keepHeld = true }

// ResetHeldRows discards these rows before constraints are appended anew.
func (d *Data) ResetHeldRows() { d.heldRows = d.heldRows[:0] }

// SetForces sets the external forces on all vertices besides gravity, N, in world axes. They
// act in free motion until they are set again. nil: none. The slice is kept, not copied.
func (d *Data) SetForces(force []r3.Vec) { d.free.load = force }

// atFixed lists the elements that have a fixed vertex.
func (m *Model) atFixed() []int32 {
	var list []int32
	for i := range m.numElements() {
		for _, v := range m.vertsOf(i) {
			if m.node[v] < 0 {
				list = append(list, int32(i))
				break
			}
		}
	}
	return list
}

// vertsOf returns the vertices of element i.
func (m *Model) vertsOf(i int) []int32 {
	if m.set != nil {
		return m.set.nodesOf(i)
	}
	return m.elements[i].verts[:]
}

// AddReactions adds the impulses (1) on the fixed vertices of the step whose problem was solved
// for the velocities vNext (Dofs, m/s) to dst, of NumVerts elements, N s.
func (d *Data) AddReactions(p *cliques.Problem, vNext []float64, dst []r3.Vec) {
	f, m := &d.free, d.model
	// weight and loads on the fixed vertices themselves, which P does not hold
	for i, n := range m.node {
		if n < 0 {
			dst[i] = dst[i].AddScaled(-f.h*m.nodalMass[i], f.gravity)
			if f.load != nil {
				dst[i] = dst[i].AddScaled(-f.h, f.load[i])
			}
		}
	}
	// contacts and constraints there
	for i := range d.heldRows {
		r := &d.heldRows[i]
		dst[r.vert] = dst[r.vert].AddScaled(-p.Impulse(r.constraint)[r.row], r.J)
	}
	if d.newton != nil && !d.newton.held.linear {
		// the minimum is the solution: forces there
		d.newton.setVelocities(vNext)
		d.newton.place(0)
		d.newton.evaluateHeld()
	}
	// elements that have a fixed vertex
	for k, i := range m.held {
		switch {
		case m.set != nil:
			f.reactElement(int(i), vNext, dst)
		case d.newton != nil:
			d.newton.reactNonlinear(k, int(i), vNext, dst)
		default:
			f.reactTet(int(i), vNext, dst)
		}
	}
}

// change returns v − v0 of a vertex, m/s.
func (f *freeMotion) change(vNext []float64, v int32) r3.Vec {
	n := f.model.node[v]
	if n < 0 {
		return r3.Vec{}
	}
	return r3.Vec(vNext[3*n : 3*n+3]).Sub(f.vel[v])
}

// reactTet adds (1) of a tet: the blocks (4) of free.go.
func (f *freeMotion) reactTet(t int, vNext []float64, dst []r3.Vec) {
	m, e := f.model, &f.model.elements[t]
	stiff := f.h * (f.h + m.spec.StiffnessDamping)
	mass := (1 + f.h*m.spec.MassDamping) * m.spec.Density * e.volume / 20
	for a, va := range e.verts {
		if m.node[va] >= 0 {
			continue
		}
		// the part of P
		r := f.force[4*t+a].vec().Scale(-f.h)
		// A (v − v0), which fixed vertices do not change
		wa := f.w[4*t+a].vec()
		for b, vb := range e.verts {
			u, wb := f.change(vNext, vb), f.w[4*t+b].vec()
			r = r.AddScaled(stiff*m.lambda*wb.Dot(u), *wa).AddScaled(stiff*m.mu*wa.Dot(u), *wb)
			r = r.AddScaled(mass+stiff*m.mu*e.volume*e.shape(a).Dot(e.shape(b)), u) // a ≠ b where u ≠ 0
		}
		dst[va] = dst[va].Add(r)
	}
}

// reactElement adds (1) of an element with blocks of its own.
func (f *freeMotion) reactElement(i int, vNext []float64, dst []r3.Vec) {
	m, set := f.model, f.model.set
	nodes, blocks := set.slots()
	verts := set.nodesOf(i)
	stiff, mass := f.h*(f.h+m.spec.StiffnessDamping), 1+f.h*m.spec.MassDamping
	for a, va := range verts {
		if m.node[va] >= 0 {
			continue
		}
		// the part of P, then A (v − v0)
		r := f.force[nodes*i+a].vec().Scale(-f.h)
		for b, vb := range verts {
			u := f.change(vNext, vb)
			// blocks of pairs that are not in A are never transposed
			K := &f.stiff[blocks*i+symmetric(a, b)]
			if a >= b {
				r = r.AddScaled(stiff, K.MulVec(u))
			} else {
				r = r.AddScaled(stiff, K.TMulVec(u))
			}
			r = r.AddScaled(mass*set.massOf(i, a, b), u)
		}
		dst[va] = dst[va].Add(r)
	}
}

// heldTets keep what (1) needs of the tets at fixed vertices under a nonlinear law, whose passes
// overwrite it: of the last linearisation the iterate w_k and the forces there, and of the
// damping the stiffness at the start of the step.
type heldTets struct {
	linear  bool      // a linear model was solved; else w is the minimum itself
	w       []float64 // w_k
	force   []r3.Vec  // at y(w_k), four of each tet, N
	damping []r3.Mat  // ten blocks of each tet, N/m
}

// init makes room for the tets at fixed vertices.
func (t *heldTets) init(m *Model) {
	if len(m.held) > 0 {
		t.w, t.force, t.damping = make([]float64, m.Dofs()), make([]r3.Vec, 4*len(m.held)), make([]r3.Mat, 10*len(m.held))
	}
}

// keepModel keeps the linearisation at hand.
func (t *heldTets) keepModel(n *newton) {
	t.linear = true
	copy(t.w, n.w)
	for k, e := range n.model.held {
		for a := range 4 {
			t.force[4*k+a] = *n.force[4*int(e)+a].vec()
		}
	}
}

// keepDamping keeps the stiffness at hand.
func (t *heldTets) keepDamping(n *newton) {
	for k, e := range n.model.held {
		copy(t.damping[10*k:10*k+10], n.stiff[10*int(e):])
	}
}

// evaluateHeld computes the forces of the held tets at the positions strain, as those of a linear
// model at the iterate.
func (n *newton) evaluateHeld() {
	I := r3.Identity()
	for k, t := range n.model.held {
		e := &n.model.elements[t]
		P := n.model.spec.Law.Stress(e.gradient(n.strain), I)
		for a := range 4 {
			n.held.force[4*k+a] = P.MulVec(e.shape(a)).Scale(-e.volume)
		}
	}
	copy(n.held.w, n.w)
}

// reactNonlinear adds (1) of the kth held tet t.
func (n *newton) reactNonlinear(k, t int, vNext []float64, dst []r3.Vec) {
	m, e := n.model, &n.model.elements[t]
	stiff, force := n.stiff[10*t:10*t+10], n.held.force[4*k:4*k+4]
	mass := m.spec.Density * e.volume / 20
	for a, va := range e.verts {
		if m.node[va] >= 0 {
			continue
		}
		// forces at the iterate, and what the tangent there adds up to the solution
		r := force[a].Scale(-n.h)
		for b, vb := range e.verts {
			j := m.node[vb]
			if j < 0 {
				continue
			}
			w, v := n.change(vNext, vb), r3.Vec(vNext[3*j:3*j+3])
			r = r.AddScaled(mass, w).AddScaled(mass*n.h*m.spec.MassDamping, v)
			r = r.AddScaled(n.h*n.h, blockOf(stiff, a, b).MulVec(w.Sub(r3.Vec(n.held.w[3*j:3*j+3]))))
			if zeta := m.spec.StiffnessDamping; zeta > 0 {
				r = r.AddScaled(n.h*zeta, blockOf(n.held.damping[10*k:10*k+10], a, b).MulVec(v))
			}
		}
		dst[va] = dst[va].Add(r)
	}
}

// blockOf returns K_ab of the blocks of a tet's lower triangle.
func blockOf(K []r3.Mat, a, b int) r3.Mat {
	if a >= b {
		return K[triangle(a, b)]
	}
	return K[triangle(b, a)].T()
}
