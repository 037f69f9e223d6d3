package sim

import "math"

// Anderson's acceleration of the search for the state at rest. Where the tangent lacks a part of the stiffness, of
// pressures at the edge of their surface, of trees and of the directions of constraints, pseudo-steps converge
// linearly, or in turns from side to side. With the displacements d_k of the pseudo-steps of one length and what the
// state moved, s_k, since the one before, the next displacement is
//
//	d = d_k − Σ γ_j (Δs_j + Δd_j),   γ = argmin |d_k − Σ γ_j Δd_j|                    (1)
//
// over the last few. Source: Anderson, "Iterative procedures for nonlinear integral equations", 1965; Walker and Ni,
// "Anderson acceleration for fixed-point iterations", 2011.

// accelerationDepth is how many differences (1) has at most.
const accelerationDepth = 6

// acceleration is the memory of (1).
type acceleration struct {
	h     float64                      // length of the pseudo-steps
	last  []float64                    // d of the last one, as solved
	d, s  [accelerationDepth][]float64 // Δd and Δs
	q     [accelerationDepth][]float64 // orthonormal basis of Δd
	r     [accelerationDepth][accelerationDepth]float64
	count int
}

// reset forgets.
func (a *acceleration) reset() { a.count, a.last = 0, a.last[:0] }

// add takes the displacement d of a pseudo-step of h as solved, and moved, by how much the state has moved since the
// one before.
func (a *acceleration) add(h float64, d, moved []float64) {
	if h != a.h || len(a.last) != len(d) || len(moved) != len(d) {
		a.h, a.count = h, 0
		a.last = append(a.last[:0], d...)
		return
	}
	i := a.count % accelerationDepth
	a.count++
	a.d[i], a.s[i] = append(a.d[i][:0], d...), append(a.s[i][:0], moved...)
	for k, x := range a.last {
		a.d[i][k] -= x
	}
	a.last = append(a.last[:0], d...)
}

// apply overwrites d, which was added last, by (1).
func (a *acceleration) apply(d []float64) {
	n := min(a.count, accelerationDepth)
	var gamma [accelerationDepth]float64
	rest := a.last
	kept := 0
	var from [accelerationDepth]int
	for j := range n { // the newest first, by modified Gram-Schmidt
		i := (a.count - 1 - j) % accelerationDepth
		q := append(a.q[kept][:0], a.d[i]...)
		whole := norm(q)
		for k := range kept {
			a.r[k][kept] = dotOf(a.q[k], q)
			for c := range q {
				q[c] -= a.r[k][kept] * a.q[k][c]
			}
		}
		a.q[kept] = q
		if length := norm(q); length > 1e-6*whole && length > 0 {
			a.r[kept][kept] = length
			for c := range q {
				q[c] /= length
			}
			from[kept] = i
			kept++
		}
	}
	for k := range kept {
		gamma[k] = dotOf(a.q[k], rest)
	}
	for k := kept - 1; k >= 0; k-- {
		for l := k + 1; l < kept; l++ {
			gamma[k] -= a.r[k][l] * gamma[l]
		}
		gamma[k] /= a.r[k][k]
	}
	for k := range kept {
		s, e := a.s[from[k]], a.d[from[k]]
		for c := range d {
			d[c] -= gamma[k] * (s[c] + e[c])
		}
	}
}

func dotOf(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(dotOf(a, a)) }
