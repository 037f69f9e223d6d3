package fem

// Tangents at rest of hexahedra and wedges, whose frames turn with their nodes.

import (
	"github.com/curlfree/curlfree/r3"
)

// turnedCell evaluates (4) of one element.
type turnedCell struct {
	c      *cell
	y, k   [cellNodes]r3.Vec // of (4), in the frame
	q      r3.Vec
	D, U   r3.Mat // D⁻¹ and U
	ok     bool   // D has an inverse
	energy float64
}

// place computes k, q and the energy at the positions x of the nodes, with the gradient F and its frame R.
func (t *turnedCell) place(x *[cellNodes]r3.Vec, F, R *r3.Mat, turns bool) {
	c := t.c
	var u [cellNodes]r3.Vec
	c.turnBack(&t.y, x, R)
	for a := range c.n {
		u[a].SetSub(&t.y[a], &c.rest[a])
	}
	c.multiply(&t.k, &u)
	t.energy = 0.5 * c.work(&t.k, &u)
	t.q = r3.Vec{}
	if !turns {
		return
	}
	if t.D, t.U, t.ok = turning(F, R); !t.ok {
		return
	}
	var m r3.Vec
	for a := range c.n {
		m.IncCross(&t.y[a], &t.k[a])
	}
	t.q.SetMul(&t.D, &m)
}

// addTo adds the part of (4) that the turn of the frame makes, times scale, to the blocks K in world axes.
func (t *turnedCell) addTo(K *[cellBlocks]r3.Mat, R *r3.Mat, scale float64) {
	c := t.c
	// Z = K0 Y, one column of Y for each axis of ω
	var Z [cellNodes]r3.Mat
	for i := range 3 {
		var e r3.Vec
		e[i] = 1
		var u, f [cellNodes]r3.Vec
		for a := range c.n {
			u[a] = e.Cross(t.y[a])
		}
		c.multiply(&f, &u)
		for a := range c.n {
			for j := range 3 {
				Z[a][3*j+i] = f[a][j]
			}
		}
	}
	// N = YᵀZ + Σ [sym(k yᵀ) − k·y I] − ½ sym([q]× U)
	var N r3.Mat
	for a := range c.n {
		N = N.Add(r3.Skew(t.y[a]).Mul(Z[a])) // Y_a = −[y_a]×, Y_aᵀ = [y_a]×
		ky := t.k[a].Dot(t.y[a])
		N = N.Add(sym(r3.Outer(t.k[a], t.y[a]))).Sub(r3.Diag(r3.Vec{ky, ky, ky}))
	}
	N = sym(N.Sub(r3.Skew(t.q).Mul(t.U).Scale(0.5)))
	// Ω_a = D⁻¹ [g_a]× and L_a + ½ N Ω_a, in world axes
	var O, L [cellNodes]r3.Mat
	for a := range c.n {
		g := c.grad[a]
		o := t.D.Mul(r3.Skew(g))
		l := r3.Skew(t.k[a]).Sub(Z[a].T()).Sub(r3.Skew(t.q.Cross(g)).Scale(0.5)).Add(r3.Outer(t.q, g).Scale(0.5))
		qg := 0.25 * t.q.Dot(g)
		l = l.Sub(r3.Outer(g, t.q).Scale(0.25)).Sub(r3.Diag(r3.Vec{qg, qg, qg}))
		l = l.Add(N.Mul(o).Scale(0.5))
		O[a], L[a] = o.Mul(R.T()), l.Mul(R.T()).Scale(scale)
	}
	k := 0
	for a := range c.n {
		for b := range a + 1 {
			B := O[a].T().Mul(L[b]).Add(L[a].T().Mul(O[b]))
			if c.upper>>k&1 != 0 {
				B = B.T()
			}
			K[k] = K[k].Add(B)
			k++
		}
	}
}

// turnNonlinear implements elementSet: it adds what the frames of cells and their φ change,
//
//	E = V Ψ(F) + φ(F) e(x),   δ²E = … + φ δ²e + 2 δφ δe                          (5)
//
// without the second derivative of φ, whose part of the energy is small of second order.
func (s cellSet) turnNonlinear(r *restPass, i, end int) {
	for ; i < end; i++ {
		c := &s.cells[i]
		x := c.at(r.pos)
		F := c.gradient(&x)
		R := r3.Polar(F)
		t := turnedCell{c: c}
		t.place(&x, &F, &R, true)
		if !t.ok {
			continue
		}
		K := (*[cellBlocks]r3.Mat)(r.stiff[cellBlocks*i:])
		phi, slope := hardening(F, 1)
		t.addTo(K, &R, phi)
		// δφ = slope:δF, δe = Σ f_a·δx_a
		var p, f [cellNodes]r3.Vec
		for a := range c.n {
			p[a] = slope.MulVec(c.grad[a])
			f[a] = R.MulVec(t.k[a].Sub(t.q.Cross(c.grad[a])))
		}
		k := 0
		for a := range c.n {
			for b := range a + 1 {
				B := r3.Outer(p[a], f[b]).Add(r3.Outer(f[a], p[b]))
				if c.upper>>k&1 != 0 {
					B = B.T()
				}
				K[k] = K[k].Add(B)
				k++
			}
		}
	}
}
