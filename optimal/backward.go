package optimal

import "math"

// backward is the memory of a backward pass: the Riccati recursion of LQR, the linear-quadratic
// regulator, along a trajectory.
type backward struct {
	q          Expansion // of one step: l alone, then Q of (2)
	vx, vxx    []float64 // of the step after
	vxxfx      []float64 // V_xx f_x (n×n)
	vxxfu      []float64 // V_xx f_u (n×m)
	quu        []float64 // without regularization
	qp         *boxQP    // (3)
	lo, hi     []float64 // bounds of k
	column, kq []float64 // a vector of m, Q_uu K + Q_ux (m×n)
	gradient   float64   // largest |Q_u| of a control that may move
}

// newBackward returns memory for tangents of n numbers and controls of m.
func newBackward(n, m int) backward {
	v := func(k int) []float64 { return make([]float64, k) }
	return backward{
		q:  Expansion{X: v(n), U: v(m), XX: v(n * n), UU: v(m * m), UX: v(m * n)},
		vx: v(n), vxx: v(n * n), vxxfx: v(n * n), vxxfu: v(n * m), quu: v(m * m), qp: newBoxQP(m),
		lo: v(m), hi: v(m), column: v(m), kq: v(m * n),
	}
}

// backwardPass computes k and K (3) of all steps and the decrease that they predict; false where
// Q_uu is not positive definite. μ shortens the step and makes Q_uu positive definite; it is no part of
// the cost, so that (4) and the expected decrease take Q_uu without it.
func (s *solver) backwardPass() (expected decrease, ok bool) {
	b := &s.back
	n := s.n
	b.gradient = 0
	// the end
	b.clear()
	s.cost.Expand(s.N, s.now.x[s.N], nil, &b.q)
	copy(b.vx, b.q.X)
	copy(b.vxx, b.q.XX)
	for k := s.N - 1; k >= 0; k-- {
		b.clear()
		s.cost.Expand(k, s.now.x[k], s.now.u[k], &b.q)
		b.propagate(s.fx[k], s.fu[k], n, s.m)
		copy(b.quu, b.q.UU)
		for i := range s.m {
			b.q.UU[i*s.m+i] += s.reg
		}
		// (3), with bounds of the change
		lo, hi := b.lo, b.hi
		if s.opt.Lower == nil {
			lo, hi = nil, nil
		}
		for i, u := range s.now.u[k] {
			if lo != nil {
				lo[i], hi[i] = s.opt.Lower[i]-u, s.opt.Upper[i]-u
			}
		}
		copy(b.qp.x, s.k[k]) // of the last iteration, which likely meets the same bounds
		if !b.qp.solve(b.q.UU, b.q.U, lo, hi) {
			return expected, false // the caller raises μ
		}
		copy(s.k[k], b.qp.x)
		s.feedback(k)
		// what is expected, of the cost without regularization
		for i, x := range s.k[k] {
			expected.linear += x * b.q.U[i]
			for j, y := range s.k[k] {
				expected.quadratic += 0.5 * x * y * b.quu[i*s.m+j]
			}
		}
		for i, g := range b.q.U {
			// at a bound that it pushes against
			if lo != nil && (lo[i] >= 0 && g > 0 || hi[i] <= 0 && g < 0) {
				continue
			}
			b.gradient = math.Max(b.gradient, math.Abs(g))
		}
		b.value(s.k[k], s.K[k], n, s.m)
	}
	return expected, true
}

// clear sets the expansion to zero, to which Expand adds the derivatives that are not.
func (b *backward) clear() {
	for _, x := range [][]float64{b.q.X, b.q.U, b.q.XX, b.q.UU, b.q.UX} {
		clear(x)
	}
}

// propagate adds the terms of V to the expansion, (2).
func (b *backward) propagate(fx, fu []float64, n, m int) {
	// f_xᵀ V_x and f_uᵀ V_x
	mulAdd(b.q.X, fx, b.vx, n, n, 1)
	mulAdd(b.q.U, fu, b.vx, n, m, 1)
	// V_xx f_x serves Q_xx and Q_ux
	multiply(b.vxxfx, b.vxx, fx, n, n)
	multiply(b.vxxfu, b.vxx, fu, n, m)
	mulAdd(b.q.XX, fx, b.vxxfx, n, n, n)
	mulAdd(b.q.UU, fu, b.vxxfu, n, m, m)
	mulAdd(b.q.UX, fu, b.vxxfx, n, m, n)
}

// feedback writes K (3): rows of controls at a bound are zero.
func (s *solver) feedback(k int) {
	b := &s.back
	// the control stays at the bound when the state changes a little
	clear(s.K[k])
	y := b.column[:len(b.qp.free)]
	// column j of −Q_uu⁻¹ Q_ux, by the factor that (3) left for the free controls
	for j := range s.n {
		for r, i := range b.qp.free {
			y[r] = -b.q.UX[i*s.n+j]
		}
		b.qp.solveFree(y)
		for r, i := range b.qp.free {
			s.K[k][i*s.n+j] = y[r]
		}
	}
}

// value writes V_x and V_xx (4), symmetric.
func (b *backward) value(k, K []float64, n, m int) {
	// These forms are valid for any k and K, so also for those of bounds and of μ > 0; the shorter ones of
	// textbooks are valid for the minimum without both.
	// V_x = Q_x + Kᵀ (Q_uu k + Q_u) + Q_uxᵀ k
	copy(b.vx, b.q.X)
	for i := range m {
		g := b.q.U[i]
		for j, x := range k {
			g += b.quu[i*m+j] * x
		}
		b.column[i] = g
	}
	mulAdd(b.vx, K, b.column, m, n, 1)
	mulAdd(b.vx, b.q.UX, k, m, n, 1)
	// V_xx = Q_xx + Kᵀ (Q_uu K + Q_ux) + Q_uxᵀ K
	copy(b.vxx, b.q.XX)
	multiply(b.kq, b.quu, K, m, n)
	for i, x := range b.q.UX {
		b.kq[i] += x
	}
	mulAdd(b.vxx, K, b.kq, m, n, n)
	mulAdd(b.vxx, b.q.UX, K, m, n, n)
	// round-off of the products would grow from step to step
	for i := range n {
		for j := range i {
			x := 0.5 * (b.vxx[i*n+j] + b.vxx[j*n+i])
			b.vxx[i*n+j], b.vxx[j*n+i] = x, x
		}
	}
}

// multiply writes A B, with A (r×r) and B (r×c).
func multiply(dst, A, B []float64, r, c int) {
	clear(dst)
	for i := range r {
		row := dst[i*c : (i+1)*c]
		for k, a := range A[i*r : (i+1)*r] {
			for j, b := range B[k*c : (k+1)*c] {
				row[j] += a * b
			}
		}
	}
}

// mulAdd adds Aᵀ B, with A (r×p) and B (r×c).
func mulAdd(dst, A, B []float64, r, p, c int) {
	for k := range r {
		row := B[k*c : (k+1)*c]
		for i, a := range A[k*p : (k+1)*p] {
			// rows of K are zero for controls at bounds, entries of f_x for states that do not feel each other
			if a == 0 {
				continue
			}
			d := dst[i*c : (i+1)*c]
			for j, b := range row {
				d[j] += a * b
			}
		}
	}
}
