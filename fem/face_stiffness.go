package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// The stiffness of a pressure that follows its faces. With the tangents u, v of a face and derivatives N,u and N,v of
// the shape functions, S_a of faces.go changes by
//
//	∂S_a/∂x_b = Σ w N_a (N_b,v [u]× − N_b,u [v]×)                              (1)
//
// so that the forces −p S_a have the stiffness p ∂S_a/∂x_b. Its symmetric part is that of a potential, and goes into A.
// Its skew part
//
//	½ p (∂S_a/∂x_b − (∂S_b/∂x_a)ᵀ)                                              (2)
//
// belongs to the edge of the surface: it vanishes where the surface is closed or its edge is fixed. It is kept apart,
// face by face. Source: Bonet and Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 9.4.

// skewBlock is (2) times h² of two nodes, row ≥ col; the block of (col, row) is minus its transpose.
type skewBlock struct {
	row, col int32
	k        r3.Mat
}

// AddPressureStiffness adds the symmetric part of the stiffness of a pressure p (Pa) on a face to A of the body's
// clique that LinearizeAtRest appended last, at the positions it had, and keeps the skew part for AddTangentRest.
func (d *Data) AddPressureStiffness(f *Face, p float64) {
	r := d.atRest
	var S [6][6]r3.Mat
	f.areaDerivatives(r.pos, &S)
	s := 0.5 * p * r.h * r.h
	for a, va := range f.Verts[:f.N] {
		for b, vb := range f.Verts[:f.N] {
			row, col := d.model.node[va], d.model.node[vb]
			if row < col || col < 0 {
				continue
			}
			T := S[b][a].T()
			K := S[a][b].Add(T)
			A := r.A[9*findBlock(&d.model.pattern, row, col):]
			for i, x := range K {
				A[i] += s * x
			}
			if s != 0 {
				r.skew = append(r.skew, skewBlock{row, col, S[a][b].Sub(T).Scale(s)})
			}
		}
	}
}

// findBlock returns the block of a row and column.
func findBlock(p *cliques.Pattern, row, col int32) int {
	lo, hi := int(p.Ptr[col]), int(p.Ptr[col+1])
	for lo+1 < hi {
		if mid := (lo + hi) / 2; p.Row[mid] <= row {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// areaDerivatives writes (1) at the positions x of all vertices.
func (f *Face) areaDerivatives(x []r3.Vec, S *[6][6]r3.Mat) {
	switch f.N {
	case 3:
		f.addDerivatives(x, S, 0.5, &[6]float64{1. / 3, 1. / 3, 1. / 3}, &[6]float64{-1, 1, 0}, &[6]float64{-1, 0, 1})
	case 4:
		for _, u := range gauss {
			for _, v := range gauss {
				N := [6]float64{0.25 * (1 - u) * (1 - v), 0.25 * (1 + u) * (1 - v), 0.25 * (1 + u) * (1 + v), 0.25 * (1 - u) * (1 + v)}
				du := [6]float64{-0.25 * (1 - v), 0.25 * (1 - v), 0.25 * (1 + v), -0.25 * (1 + v)}
				dv := [6]float64{-0.25 * (1 - u), -0.25 * (1 + u), 0.25 * (1 + u), 0.25 * (1 - u)}
				f.addDerivatives(x, S, 1, &N, &du, &dv)
			}
		}
	case 6:
		for _, rule := range triangleRule {
			for k := range 3 {
				L := [3]float64{rule.a, rule.a, rule.a}
				L[k] = 1 - 2*rule.a
				N, du, dv := quadraticShapes(&L)
				f.addDerivatives(x, S, 0.5*rule.w, &N, &du, &dv)
			}
		}
	}
}

// addDerivatives adds (1) of one point of weight w.
func (f *Face) addDerivatives(x []r3.Vec, S *[6][6]r3.Mat, w float64, N, du, dv *[6]float64) {
	var u, v r3.Vec
	for a, vert := range f.Verts[:f.N] {
		u, v = u.AddScaled(du[a], x[vert]), v.AddScaled(dv[a], x[vert])
	}
	for b := range f.N {
		D := r3.Skew(u).Scale(w * dv[b]).Sub(r3.Skew(v).Scale(w * du[b]))
		for a := range f.N {
			S[a][b] = S[a][b].Add(D.Scale(N[a]))
		}
	}
}
