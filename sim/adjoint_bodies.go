package sim

// What terms of adjoint_vertices.go read of whole deformables: mobilities, by the matrix A, and predicted motions.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// mobilityWidth is the relative width of differences by mobilities, which laws read smoothly.
const mobilityWidth = 1e-4

// addMobilities sets the cotangents of the blocks of A by which terms are regularized: with mobilities w = Σ J B⁻¹Jᵀ of
// each equation, where B are the blocks of the bodies on which a term acts,
//
//	B̄ = −Σ_r w̄_r z_r z_rᵀ,   z_r = B⁻¹J_rᵀ,   w̄_r = ∂t/∂w_r                              (3)
//
// Terms before the first are left out.
func (l *Linearization) addMobilities(y []float64, first int) {
	p, t := &l.s.Problem, &l.vertices
	_, joints := l.s.Model.RigidSize()
	t.diagonal = slices.Grow(t.diagonal[:0], (len(l.v)-joints)/3)[:(len(l.v)-joints)/3]
	clear(t.diagonal)
	w, wBar, gamma := &t.rows[0], &t.rows[1], &t.rows[2]
	for c := first; c < len(p.Constraints); c++ {
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

// addPredictions adds what the predicted motion of deformables changes: faces ahead of contact are found within the
// translation T = h v̄ of a body and the bound B = h |v_f − v̄| of its fastest vertex f,
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
				bar[k] += l.weighImpacts() / (2 * w)
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
