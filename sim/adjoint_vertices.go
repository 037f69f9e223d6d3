package sim

// Products r_xᵀy of a step with deformables, without columns of r_x. As in local_derivatives.go, r is a sum over bodies, contacts and
// constraints,
//
//	yᵀr = Σ_deformables yᵀ[A (v⁺ − v0) − p] + Σ_terms t_i + Σ_trees …,   t_i = −yᵀJ_iᵀγ_i                  (1)
//
// The first sum is differentiated backward by hand (fem/adjoint.go). A term depends on the vertices that it acts on, a face
// on three or four, so that many vertices are displaced at a time: those that no term has in common, a colour. The change
// of a term then is due to the one vertex of the colour that it acts on,
//
//	∂(yᵀr)/∂x_k = Σ_{terms on k} [t_i(x ⊞ w e) − t_i(x ⊞ −w e)]/(2 w),   e = Σ_{k of the colour} e_k        (2)
//
// Three axes of some five colours take the place of thousands of columns, and each side finds contacts and constraints anew, but not the
// free motion of bodies. Coordinates of rigid bodies, which are few, have columns of whole assemblies. Source: (2) is the
// estimation of sparse Jacobians by Curtis, Powell and Reid, 1974, with the rows of r summed by terms.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
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
	off      bool // tests compare with columns
}

// touchedVertex is a vertex on which a term acts.
type touchedVertex struct {
	entry int32 // first of its three velocities in the state
	place int32 // the same in the problem
	color int32
	next  int32
	sum   [3]float64 // of one colour and axis, by axis
}

// hasVertexTerms reports whether (1) holds for the step: its deformables move without loads that depend on positions, and touch rigid
// bodies alone: a face in the field of another deformable depends on vertices on which it does not act. Nor are there contact surfaces.
func (l *Linearization) hasVertexTerms() bool {
	s := l.s
	if l.vertices.off || len(s.deformables) == 0 || len(s.surfaces) > 0 || s.rest.holds {
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

// subtractTerms subtracts r_xᵀy from dst (2n_v). It is false, with dst unchanged, where a deformable has no derivative by hand.
func (l *Linearization) subtractTerms(y, dst []float64) (ok bool, err error) {
	s := l.s
	nv := len(l.place)
	nq, joints := s.Model.RigidSize()
	l.products = sized(l.products, 2*nv)
	clear(l.products)
	if err := l.addVertexTerms(y); err != nil {
		return false, err
	}
	// bodies, each with its part of the state and of the solution
	iq, iv, in := nq, joints, joints
	for i, b := range s.deformables {
		_, n := b.Size()
		free := s.solved[len(s.subsystems)-len(s.deformables)+i]
		nodes := l.vertices.diagonal[(in-joints)/3 : (in+free-joints)/3]
		if !b.FreeMotionAdjoint(l.h, l.x.Q[iq:iq+n], l.x.V[iv:iv+n], l.v[in:in+free], y[in:in+free], nodes, l.products[iv:iv+n], l.products[nv+iv:nv+iv+n]) {
			return false, nil
		}
		iq, iv, in = iq+n, iv+n, in+free
	}
	// rigid bodies by columns
	clear(l.direction)
	for k := range 2 * nv {
		if k%nv >= joints {
			continue
		}
		clear(l.column)
		l.direction[k] = 1
		err := l.addDifference(l.direction, k, k+1)
		l.direction[k] = 0
		if err != nil {
			return false, err
		}
		l.products[k] = dot(l.column, y)
	}
	for k, p := range l.products {
		if l.place[k%nv] >= 0 {
			dst[k] -= p
		}
	}
	return true, nil
}

// addVertexTerms adds (2) for all vertices.
func (l *Linearization) addVertexTerms(y []float64) error {
	s, nv := l.s, len(l.place)
	if err := s.residual(&l.x, l.h, l.v, l.redetections, &l.gradient, l.plus); err != nil {
		return err
	}
	l.color()
	l.addMobilities(y)
	if err := l.addPredictions(y); err != nil {
		return err
	}
	for part := range 2 {
		width := vertexWidth
		if part == 1 {
			width /= l.h // velocities that displace by the width in the step
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

// mobilityWidth is the relative width of differences by mobilities, which laws read smoothly.
const mobilityWidth = 1e-4

// addMobilities sets the cotangents of the blocks of A by which terms are regularised: with mobilities w = Σ J B⁻¹Jᵀ of each equation,
// where B are the blocks of the bodies on which a term acts,
//
//	B̄ = −Σ_r w̄_r z_r z_rᵀ,   z_r = B⁻¹J_rᵀ,   w̄_r = ∂t/∂w_r                              (3)
func (l *Linearization) addMobilities(y []float64) {
	p, t := &l.s.Problem, &l.vertices
	_, joints := l.s.Model.RigidSize()
	t.diagonal = slices.Grow(t.diagonal[:0], (len(l.v)-joints)/3)[:(len(l.v)-joints)/3]
	clear(t.diagonal)
	w, wBar, gamma := &t.rows[0], &t.rows[1], &t.rows[2]
	for c := range p.Constraints {
		h, law := cliques.Handle(c), p.Constraints[c].Law
		n, blocks := p.Constraints[c].Dim, p.Blocks(h)
		if n > len(w) || !slices.ContainsFunc(blocks, func(b cliques.Block) bool { return p.NodeOffset[b.Node] >= joints }) {
			continue
		}
		l.gradient.DelassusDiagonal(h, w[:n])
		depends := false
		for r := range n {
			wBar[r] = 0
			for _, side := range [2]float64{1, -1} {
				at := w[r]
				w[r] *= 1 + side*mobilityWidth
				law.Prepare(l.h, w[:n])
				w[r] = at
				law.Eval(p.Velocity(h), gamma[:n], l.local.G[:n*n])
				depends = depends || !slices.Equal(gamma[:n], p.Impulse(h))
				wBar[r] += side * termOf(p, h, gamma[:n], y) / (2 * mobilityWidth * at)
			}
		}
		if law.Prepare(l.h, w[:n]); !depends {
			continue
		}
		for _, b := range blocks {
			if at := p.NodeOffset[b.Node]; at >= joints {
				inverse, _ := l.massOf(b.Node).Inv()
				for r := range n {
					z := inverse.MulVec(r3.Vec(b.J[3*r : 3*r+3]))
					D := &t.diagonal[(at-joints)/3]
					*D = D.Sub(r3.Outer(z, z).Scale(wBar[r]))
				}
			}
		}
	}
}

// massOf returns the block of A of a vertex's node.
func (l *Linearization) massOf(node cliques.Node) r3.Mat {
	p := &l.s.Problem
	for k := range p.Cliques {
		if c := &p.Cliques[k]; c.Pattern != nil && node >= c.First && int(node-c.First) < c.Nodes {
			return r3.Mat(c.A[9*c.Pattern.Ptr[node-c.First]:][:9])
		}
	}
	return r3.Identity()
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

// color lists the vertices on which terms of the problem act, and colours them: no term acts on two of a colour.
func (l *Linearization) color() {
	t := &l.vertices
	l.listTouched()
	// one colour after the other takes what vertices it can, in their order
	t.taken = sized32(t.taken, len(l.s.Problem.Constraints))
	for i := range t.taken {
		t.taken[i] = -1
	}
	t.colors = 0
	for left := len(t.touched); left > 0; t.colors++ {
		for i := range t.touched {
			terms := t.terms[t.first[i]:t.first[i+1]]
			if t.touched[i].color >= 0 || slices.ContainsFunc(terms, func(c int32) bool { return t.taken[c] == t.colors }) {
				continue
			}
			t.touched[i].color = t.colors
			for _, c := range terms {
				t.taken[c] = t.colors
			}
			left--
		}
	}
}

// listTouched lists the vertices on which terms act, and the terms of each.
func (l *Linearization) listTouched() {
	p, t := &l.s.Problem, &l.vertices
	_, joints := l.s.Model.RigidSize()
	t.of = sized32(t.of, len(l.v))
	for i := range t.of {
		t.of[i] = -1
	}
	// how many terms each has, at its place
	for c := range p.Constraints {
		for _, b := range p.Blocks(cliques.Handle(c)) {
			if at := p.NodeOffset[b.Node]; at >= joints {
				t.of[at] = max(t.of[at], 0) + 1
			}
		}
	}
	// in the order of the state; terms begin where those of the vertex before end
	t.touched, t.first = t.touched[:0], append(t.first[:0], 0)
	for i := joints; i < len(l.place); i += 3 {
		if at := l.place[i]; at >= 0 && t.of[at] >= 0 {
			n := t.first[len(t.touched)]
			t.first = append(t.first, n+t.of[at])
			t.of[at] = int32(len(t.touched))
			t.touched = append(t.touched, touchedVertex{entry: int32(i), place: int32(at), color: -1, next: n})
		}
	}
	t.terms = sized32(t.terms, int(t.first[len(t.touched)]))
	for c := range p.Constraints {
		for _, b := range p.Blocks(cliques.Handle(c)) {
			if at := p.NodeOffset[b.Node]; at >= joints {
				v := &t.touched[t.of[at]]
				t.terms[v.next] = int32(c)
				v.next++
			}
		}
	}
}

// sized32 returns x with length n.
func sized32(x []int32, n int) []int32 {
	if cap(x) < n {
		return make([]int32, n)
	}
	return x[:n]
}

// displaceColor adds the sums of (2) for the vertices of a colour moved by w along an axis: their positions (part 0) or velocities.
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
			l.moved.V[int(v.entry)+axis] += w
			p.V0[int(v.place)+axis] += w
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
		l.sumContacts(color, axis, -1/(2*w))
	}
	if part == 1 {
		for i := range t.touched {
			if v := &t.touched[i]; v.color == color {
				p.V0[int(v.place)+axis] = l.x.V[int(v.entry)+axis]
			}
		}
	}
	return err
}

// constrainAgain takes the stages of residual at the state moved but the free motion, which is that of the start. predict
// changes the predicted motion.
func (l *Linearization) constrainAgain(predict func()) error {
	s := l.s
	s.Place(&l.moved, l.h)
	predict()
	s.collide(l.h)
	return l.applyLaws()
}

// applyLaws constrains the state moved, and computes impulses at v⁺.
func (l *Linearization) applyLaws() error {
	s := l.s
	s.lag.kept = s.lag.kept[:0]
	s.vNext = append(s.vNext[:0], s.Problem.V0...)
	if err := s.constrain(&l.moved, l.h); err != nil {
		return err
	}
	return l.gradient.Impulses(&s.Problem, l.v)
}

// addPredictions adds what the predicted motion of deformables changes: faces ahead of contact are found within the translation
// T = h v̄ of a body and the bound B = h |v_f − v̄| of its fastest vertex f,
//
//	v̄_i += h T̄/n − h B̄ u/n,   v̄_f += h B̄ u,   u = (v_f − v̄)/|v_f − v̄|                      (4)
func (l *Linearization) addPredictions(y []float64) error {
	s, t, nv := l.s, &l.vertices, len(l.place)
	g := s.Geometry
	t.translation, t.bound = append(t.translation[:0], g.PredictedTranslation...), append(t.bound[:0], g.MotionBound...)
	l.moved.copyFrom(&l.x)
	_, iv := s.Model.RigidSize()
	for i, b := range s.deformables {
		_, size := b.Size()
		body, first := s.Model.Geometry.NumRigid+i, iv
		iv += size
		// three components of T, then B
		var bar [4]float64
		for k := range bar {
			for _, w := range [2]float64{vertexWidth, -vertexWidth} {
				err := l.constrainAgain(func() {
					if k < 3 {
						g.PredictedTranslation[body][k] += w
					} else {
						g.MotionBound[body] += w
					}
				})
				if err != nil {
					return err
				}
				for c := range s.Problem.Constraints {
					h := cliques.Handle(c)
					bar[k] += termOf(&s.Problem, h, s.Problem.Impulse(h), y) / (2 * w)
				}
				for c := range s.contacts {
					bar[k] -= l.weighContact(c) / (2 * w)
				}
			}
		}
		l.spreadPrediction(l.x.V[first:iv], r3.Vec(bar[:3]), bar[3], l.products[nv+first:nv+iv])
	}
	return nil
}

// spreadPrediction adds (4) of a body with the velocities v of its vertices to dv.
func (l *Linearization) spreadPrediction(v []float64, T r3.Vec, B float64, dv []float64) {
	n := float64(len(v) / 3)
	var mean, u r3.Vec
	for i := 0; i < len(v); i += 3 {
		mean = mean.AddScaled(1/n, r3.Vec(v[i:i+3]))
	}
	fastest := 0
	for i := 0; i < len(v); i += 3 {
		if apart := r3.Vec(v[i : i+3]).Sub(mean); apart.Norm2() > u.Norm2() {
			u, fastest = apart, i
		}
	}
	if u.Norm2() > 0 {
		u = u.Unit()
	}
	all := T.AddScaled(-B, u).Scale(l.h / n)
	for i := range v {
		dv[i] += all[i%3]
	}
	for k := range u {
		dv[fastest+k] += l.h * B * u[k]
	}
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
