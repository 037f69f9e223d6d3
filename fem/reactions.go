package fem

// Reaction forces: the support of fixed vertices exerts an impulse that keeps them at rest.
// They are not in the problem of a step; their rows of its equation (2) of free.go say what is
// missing there,
//
//	r_j = Σ_k A_jk (v_k − v0_k) − P_j,   v_j = 0,                              (1)
//
// with the blocks of A and the forces in P of the step's last linearization: so the impulses
// of free vertices, of fixed ones and of gravity add up to the change of momentum to round-off.
// Contacts and constraints with impulses γ on the fixed vertices themselves are balanced too: their
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

// ResetHeldRows discards these rows before constraints are appended again.
func (d *Data) ResetHeldRows() { d.heldRows = d.heldRows[:0] }

// SetForces sets the external forces on all vertices besides gravity, N, in world axes. They
// act in free motion until they are set again. nil: none. The slice is kept, not copied.
func (d *Data) SetForces(force []r3.Vec) { d.free.load = force }

// atFixed lists the elements that have a fixed vertex.
func (m *Model) atFixed() []int32 {
	var list []int32
	for i := range m.set.len() {
		for _, v := range m.set.nodesOf(i) {
			if m.node[v] < 0 {
				list = append(list, int32(i))
				break
			}
		}
	}
	return list
}

// AddReactions adds the impulses (1) on the fixed vertices of the step whose problem was solved
// for the velocities vNext (Dofs, m/s) to dst, of NumVerts elements, N s.
func (d *Data) AddReactions(p *cliques.Problem, vNext []float64, dst []r3.Vec) {
	f, m := &d.free, d.model
	// weight and loads on the fixed vertices themselves, which P does not contain
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
	if d.resting {
		for _, i := range m.held {
			d.atRest.react(int(i), vNext, dst)
		}
		return
	}
	if d.newton != nil && !d.newton.held.linear {
		// the minimum is the solution: forces there
		d.newton.setVelocities(vNext)
		d.newton.place(0)
		d.newton.evaluateHeld()
	}
	// elements that have a fixed vertex
	for k, i := range m.held {
		if d.newton != nil {
			d.newton.reactNonlinear(k, int(i), vNext, dst)
		} else {
			f.react(int(i), vNext, dst)
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

// react adds (1) of element i.
func (f *freeMotion) react(i int, vNext []float64, dst []r3.Vec) {
	m, set := f.model, f.model.set
	nodes, _ := set.slots()
	verts := set.nodesOf(i)
	mass, stiff := f.factors()
	for a, va := range verts {
		if m.node[va] >= 0 {
			continue
		}
		// the part of P, then A (v − v0), which fixed vertices do not change
		r := f.force[nodes*i+a].vec().Scale(-f.h)
		for b, vb := range verts {
			if u := f.change(vNext, vb); u != (r3.Vec{}) {
				r = r.AddScaled(stiff, set.computedBlock(f, i, a, b).MulVec(u)).AddScaled(mass*set.massOf(i, a, b), u)
			}
		}
		dst[va] = dst[va].Add(r)
	}
}

// heldElements keep what (1) needs of the elements at fixed vertices under a nonlinear law, whose passes
// overwrite it: of the last linearization the iterate w_k and the forces there, and of the
// damping the stiffness at the start of the step.
type heldElements struct {
	nodes, blocks int       // slots of each element
	linear        bool      // a linear model was solved; else w is the minimum itself
	w             []float64 // w_k
	force         []r3.Vec  // at y(w_k), on the nodes of each element, N
	damping       []r3.Mat  // blocks of each element, N/m
}

// init makes room for the elements at fixed vertices.
func (t *heldElements) init(m *Model) {
	t.nodes, t.blocks = m.set.slots()
	if n := len(m.held); n > 0 {
		t.w, t.force, t.damping = make([]float64, m.Dofs()), make([]r3.Vec, t.nodes*n), make([]r3.Mat, t.blocks*n)
	}
}

// keepModel keeps the linearization at hand.
func (t *heldElements) keepModel(n *newton) {
	t.linear = true
	t.keepForces(n)
}

// keepForces keeps the iterate and the forces there.
func (t *heldElements) keepForces(n *newton) {
	copy(t.w, n.w)
	for k, e := range n.model.held {
		for a := range t.nodes {
			t.force[t.nodes*k+a] = *n.force[t.nodes*int(e)+a].vec()
		}
	}
}

// keepDamping keeps the stiffness at hand.
func (t *heldElements) keepDamping(n *newton) {
	for k, e := range n.model.held {
		copy(t.damping[t.blocks*k:t.blocks*(k+1)], n.stiff[t.blocks*int(e):])
	}
}

// evaluateHeld computes the forces of the elements with fixed vertices at the positions strain, as those of a
// linear model at the iterate.
func (n *newton) evaluateHeld() {
	n.tets.order = forces
	for _, e := range n.model.held {
		n.tets.derive(0, int(e), int(e)+1)
	}
	n.held.keepForces(n)
}

// reactNonlinear adds (1) of the kth element with a fixed vertex, i.
func (n *newton) reactNonlinear(k, i int, vNext []float64, dst []r3.Vec) {
	m, verts, held := n.model, n.model.set.nodesOf(i), &n.held
	stiff, force := n.stiff[held.blocks*i:held.blocks*(i+1)], held.force[held.nodes*k:]
	for a, va := range verts {
		if m.node[va] >= 0 {
			continue
		}
		// forces at the iterate, and what the tangent there adds up to the solution
		r := force[a].Scale(-n.h)
		for b, vb := range verts {
			j := m.node[vb]
			if j < 0 {
				continue
			}
			mass := m.set.massOf(i, a, b)
			w, v := n.change(vNext, vb), r3.Vec(vNext[3*j:3*j+3])
			r = r.AddScaled(mass, w).AddScaled(mass*n.h*m.spec.MassDamping, v)
			r = r.AddScaled(n.h*n.h, blockOf(stiff, a, b).MulVec(w.Sub(r3.Vec(held.w[3*j:3*j+3]))))
			if zeta := m.spec.StiffnessDamping; zeta > 0 {
				r = r.AddScaled(n.h*zeta, blockOf(held.damping[held.blocks*k:], a, b).MulVec(v))
			}
		}
		dst[va] = dst[va].Add(r)
	}
}

// blockOf returns K_ab of the blocks of an element's lower triangle.
func blockOf(K []r3.Mat, a, b int) r3.Mat {
	if a >= b {
		return K[triangle(a, b)]
	}
	return K[triangle(b, a)].T()
}
