package sim

// Products r_xᵀy of a step with deformables, without columns of r_x. As in local_derivatives.go, r is a sum over
// bodies, contacts and constraints,
//
//	yᵀr = Σ_deformables yᵀ[A (v⁺ − v0) − p] + Σ_terms t_i + Σ_trees …,   t_i = −yᵀJ_iᵀγ_i                  (1)
//
// The first sum is differentiated backward by hand (fem/adjoint.go). A term depends on the vertices that it acts on, a
// face on three or four, so that many vertices are displaced at a time: those that no term has in common, a colour. The
// change of a term then is due to the one vertex of the colour that it acts on,
//
//	∂(yᵀr)/∂x_k = Σ_{terms on k} [t_i(x ⊞ w e) − t_i(x ⊞ −w e)]/(2 w),   e = Σ_{k of the colour} e_k        (2)
//
// Three axes of some five colours take the place of thousands of columns, and each side finds contacts and constraints
// again, but not the free motion of bodies. Coordinates of rigid bodies, which are few, have columns of whole
// assemblies. Source: (2) is the estimation of sparse Jacobians by Curtis, Powell and Reid, 1974, with the rows of r
// summed by terms.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// vertexTerms is the working memory of (2).
type vertexTerms struct {
	touched []touchedVertex
	of      []int32 // number among touched of the vertex at a velocity of the problem, or −1
	first   []int32 // where the terms of each vertex begin in terms
	terms   []int32
	taken   []int32 // the last colour of a vertex of each term
	colors  int32
	forces  [2][]r3.Vec // of loads, at two positions of the vertices
	at      []r3.Vec
	report  ContactReport // of adjoint_contacts.go
	rows    [3][6]float64 // of one term
	// predicted motion at the state itself
	translation []r3.Vec
	bound       []float64
	// (3), of each node of deformables
	diagonal []r3.Mat
	off      bool        // tests compare with columns
	impacts  impactTerms // adjoint_impacts.go
	faces    faceTerms   // adjoint_faces.go
}

// touchedVertex is a vertex on which a term acts.
type touchedVertex struct {
	entry int32 // first of its three velocities in the state
	place int32 // the same in the problem
	color int32
	next  int32
	ratio float64    // of the step of its body
	sum   [3]float64 // of one colour and axis, by axis
}

// hasVertexTerms reports whether (1) holds for the step: its deformables move without loads that depend on positions,
// and touch rigid bodies alone: a face in the field of another deformable depends on vertices on which it does not act.
// Nor are there contact surfaces, nor impacts of the midpoint rule that are alike.
func (l *Linearization) hasVertexTerms() bool {
	s := l.s
	if l.IsChain() || l.hasEqualImpacts() || l.vertices.off || len(s.deformables) == 0 || len(s.surfaces) > 0 || s.rest.holds {
		return false
	}
	for _, b := range s.deformables {
		if b.Nonlinear() || b.selfContact || l.vertices.followsVertices(b, l.x.Time+l.h) {
			return false
		}
	}
	n := s.Model.Geometry.NumRigid
	return !slices.ContainsFunc(s.contacts, func(c geometry.Contact) bool { return c.A.Body >= n && c.B.Body >= n })
}

// followsVertices reports whether loads on a deformable depend on the positions of its vertices.
func (t *vertexTerms) followsVertices(b *deformableBody, time float64) bool {
	// asked by a displacement that strains and turns
	for side := range t.forces {
		t.at, t.forces[side] = append(t.at[:0], b.Positions()...), t.forces[side][:0]
		for i := range t.at {
			t.forces[side] = append(t.forces[side], r3.Vec{})
			if side == 1 {
				t.at[i] = t.at[i].Add(r3.Vec{t.at[i][1], t.at[i][2], -t.at[i][0]}.Scale(0.1))
			}
		}
		for _, load := range b.loads {
			load.AddForces(time, t.at, t.forces[side])
		}
	}
	return !slices.Equal(t.forces[0], t.forces[1])
}

// subtractTerms subtracts r_xᵀy, and adds E_xᵀλ of linearize_end.go, from dst, a cotangent. It is false, with dst
// unchanged, where a deformable has no derivative by hand.
func (l *Linearization) subtractTerms(y, dst []float64) (ok bool, err error) {
	nv := len(l.place)
	_, joints := l.s.Model.RigidSize()
	nx, _ := l.Size()
	l.products = sized(l.products, nx)
	clear(l.products)
	if err := l.addVertexTerms(y); err != nil {
		return false, err
	}
	if !l.addDeformables(y) {
		return false, nil
	}
	// rigid bodies by columns
	clear(l.direction)
	for k := range nx {
		if k%nv >= joints || l.isStill(k) {
			continue
		}
		clear(l.column)
		l.direction[k] = 1
		err := l.addDifference(l.direction, k, k+1)
		l.direction[k] = 0
		if err != nil {
			return false, err
		}
		l.products[k] = -l.weighColumn(y, l.ends.lambda)
	}
	l.subtractProducts(dst)
	return true, nil
}

// subtractProducts subtracts products, but for those of fixed vertices.
func (l *Linearization) subtractProducts(dst []float64) {
	for k, p := range l.products {
		if l.place[k%len(l.place)] >= 0 {
			dst[k] -= p
		}
	}
}

// addDeformables adds the free motion of deformables to products, each with its part of the state and of the solution.
// It is false where one has no derivative by hand.
func (l *Linearization) addDeformables(y []float64) bool {
	s, nv := l.s, len(l.place)
	nq, joints := s.Model.RigidSize()
	iq, iv, in := nq, joints, joints
	for i, b := range s.deformables {
		_, n := b.Size()
		free := s.solved[len(s.subsystems)-len(s.deformables)+i]
		nodes := l.vertices.diagonal[(in-joints)/3 : (in+free-joints)/3]
		switch {
		case l.endSize() > 0:
			b.Integrate(l.stepOf(i, iv, n))
			end, start := barsOf(l.ends.lambda, nv, iv, n), barsOf(l.products, nv, iv, n)
			if !b.MidpointAdjoint(l.h, l.x.Q[iq:iq+n], l.x.V[iv:iv+n], l.v[in:in+free], y[in:in+free], nodes, &end, &start) {
				return false
			}
		case !b.FreeMotionAdjoint(l.h, l.x.Q[iq:iq+n], l.x.V[iv:iv+n], l.v[in:in+free], y[in:in+free], nodes, l.products[iv:iv+n], l.products[nv+iv:nv+iv+n]):
			return false
		}
		iq, iv, in = iq+n, iv+n, in+free
	}
	return true
}

// barsOf returns the parts of a cotangent of a state that are those of n velocities from iv on, of nv.
func barsOf(x []float64, nv, iv, n int) fem.Bars {
	part := func(k int) []float64 { return x[k*nv+iv : k*nv+iv+n] }
	return fem.Bars{X: part(0), V: part(1), W: part(2), DV: part(3)}
}

// addVertexTerms adds (2) for all vertices.
func (l *Linearization) addVertexTerms(y []float64) error {
	s, nv := l.s, len(l.place)
	if err := l.addImpacts(y); err != nil {
		return err
	}
	if err := l.residualAt(s, &l.x, l.v, l.plus); err != nil {
		return err
	}
	l.color()
	l.noteImpactTerms()
	l.eachSoft(func(i, iv, _, n, _ int) {
		ratio := l.stepOf(i, iv, n).ChangeRatio
		for k := range l.vertices.touched {
			if v := &l.vertices.touched[k]; int(v.entry) >= iv && int(v.entry) < iv+n {
				v.ratio = ratio
			}
		}
	})
	l.addMobilities(y, 0)
	if err := l.addPredictions(y); err != nil {
		return err
	}
	parts := 2
	if len(l.x.Memory.W) > 0 {
		parts = 4
	}
	for part := range parts {
		width := vertexWidth
		if part > 0 {
			width /= l.h // velocities that displace by the width in the step
		}
		if part == 1 {
			l.moved.copyFrom(&l.x)
			if err := l.constrainAgain(func() {}); err != nil {
				return err
			}
		}
		for color := range l.vertices.colors {
			for axis := range 3 {
				for _, w := range [2]float64{width, -width} {
					if err := l.displaceColor(y, color, part, axis, w); err != nil {
						return err
					}
				}
				for i := range l.vertices.touched {
					if v := &l.vertices.touched[i]; v.color == color {
						l.products[part*nv+int(v.entry)+axis] += v.sum[axis]
						v.sum[axis] = 0
					}
				}
			}
		}
	}
	return nil
}

// termOf returns −yᵀJᵀγ of a term.
func termOf(p *cliques.Problem, h cliques.Handle, gamma, y []float64) float64 {
	sum := 0.0
	for _, b := range p.Blocks(h) {
		first, n := p.NodeOffset[b.Node], p.NodeSize[b.Node]
		for r, g := range gamma {
			sum -= g * dot(b.J[r*n:(r+1)*n], y[first:first+n])
		}
	}
	return sum
}

// displaceColor adds the sums of (2) for the vertices of a colour moved by w along an axis: their positions (part 0),
// velocities (1), or those of the memory (2, 3).
func (l *Linearization) displaceColor(y []float64, color int32, part, axis int, w float64) error {
	s, t, p := l.s, &l.vertices, &l.s.Problem
	nq, joints := s.Model.RigidSize()
	l.moved.copyFrom(&l.x)
	for i := range t.touched {
		v := &t.touched[i]
		switch {
		case v.color != color:
		case part == 0:
			l.moved.Q[nq+int(v.entry)-joints+axis] += w
		default:
			if part == 1 {
				l.moved.V[int(v.entry)+axis] += w
			}
			l.moveStart(part, int(v.entry)+axis, int(v.place)+axis, w, v.ratio)
		}
	}
	err := error(nil)
	if part == 0 {
		// the prediction of motion depends on all vertices, addPredictions
		err = l.constrainAgain(func() {
			copy(s.Geometry.PredictedTranslation, t.translation)
			copy(s.Geometry.MotionBound, t.bound)
		})
	} else {
		// with it fixed, contacts stay where they are
		err = l.applyLaws()
	}
	if err == nil {
		t.sumTerms(p, y, color, axis, 1/(2*w))
		if part < 2 {
			l.sumImpacts(color, axis, 1/(2*w))
		}
		l.sumContacts(color, axis, -1/(2*w))
	}
	if part > 0 {
		for i := range t.touched {
			if v := &t.touched[i]; v.color == color {
				l.moveStart(part, int(v.entry)+axis, int(v.place)+axis, 0, v.ratio)
			}
		}
	}
	return err
}

// moveStart sets what the problem has of the velocities at the start, or of the memory (part 2 and 3), at an entry of
// the state to that of the state itself, moved by w; ratio is that of the step of its body.
func (l *Linearization) moveStart(part, entry, at int, w, ratio float64) {
	p, m := &l.s.Problem, &l.x.Memory
	v, by := l.x.V[entry], [4]float64{}
	by[part] = w
	p.V0[at] = v + by[1]
	if !p.Midpoint {
		return
	}
	p.Lagged[at], p.Slip[at] = v+by[1], v+by[1]
	if len(m.W) > 0 {
		p.Lagged[at] = m.W[entry] + by[2]
		p.Slip[at] += 0.5 * ratio * (m.DV[entry] + by[3])
	}
}

// constrainAgain takes the stages of residual at the state moved but the free motion, which is that of the start.
// predict changes the predicted motion.
func (l *Linearization) constrainAgain(predict func()) error {
	s := l.s
	s.Place(&l.moved, l.h)
	if s.Model.Rule.Midpoint && s.rigid != nil { // rows of rigid bodies are those of their step
		l.local.problem.Reset(l.x.Time, l.h)
		s.rigid.FreeMotion(l.h, nil, nil, &l.local.problem)
	}
	predict()
	s.collide(l.h)
	return l.applyLaws()
}

// applyLaws constrains the state moved, and computes impulses at v⁺.
func (l *Linearization) applyLaws() error {
	s := l.s
	s.lag.begin(s)
	s.beginIterate(&l.moved, l.h)
	if err := s.constrain(&l.moved, l.h); err != nil {
		return err
	}
	return l.gradient.Impulses(&s.Problem, l.v)
}

// sumTerms adds s t_i of each term to the vertex of a colour that it acts on.
func (t *vertexTerms) sumTerms(p *cliques.Problem, y []float64, color int32, axis int, s float64) {
	for c := range p.Constraints {
		h := cliques.Handle(c)
		if v := t.vertexOf(p, h, color); v != nil {
			v.sum[axis] += s * termOf(p, h, p.Impulse(h), y)
		}
	}
}

// vertexOf returns the vertex of a colour on which a term acts; nil: none.
func (t *vertexTerms) vertexOf(p *cliques.Problem, h cliques.Handle, color int32) *touchedVertex {
	for _, b := range p.Blocks(h) {
		if i := t.of[p.NodeOffset[b.Node]]; i >= 0 && t.touched[i].color == color {
			return &t.touched[i]
		}
	}
	return nil
}
