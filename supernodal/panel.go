package supernodal

import "math"

// A block of a panel in Go, for machines without AVX2: three columns at a
// time, each updated by all columns to its left in the block (left-looking),
//
//	L_jj = √(A_jj − Σ_{k<j} L_jk²),  L_ij = (A_ij − Σ_{k<j} L_ik L_jk)/L_jj       (1)

// blockPortable factors a panel of f rows and w ≤ panelBlock columns, stride ld, in
// place: its top w×w into L (potrf) and the rows below into A L⁻ᵀ (trsm), three columns
// at a time after those to their left. See panel.
func blockPortable(p []float64, ld, f, w int, diag, inv []float64) int {
	for j := 0; j < w; j += 3 {
		n := min(3, w-j)
		d := p[j+j*ld:]
		// columns to the left
		gemm(d, ld, p[j:], ld, p[j:], ld, f-j, n, j)
		// diagonal block
		if c := potrf(d, ld, n, diag[j:]); c >= 0 {
			return j + c
		}
		for i := range n {
			inv[j+i] = 1 / d[i+i*ld]
		}
		// rows below
		if n == 3 {
			trsm3(d, ld, f-j, inv[j:])
		} else {
			trsm(d, ld, f-j, n)
		}
	}
	return -1
}

// potrf factors the lower triangle of an n×n matrix in place, A = L Lᵀ. diag has the
// diagonal of H. It returns the column whose pivot fails, or −1. (Names after LAPACK.)
func potrf(p []float64, ld, n int, diag []float64) int {
	for j := range n {
		// pivot
		d := p[j+j*ld]
		for k := range j {
			d -= p[j+k*ld] * p[j+k*ld]
		}
		if !isPivot(d, diag[j]) {
			return j
		}
		d = math.Sqrt(d)
		p[j+j*ld] = d
		// column
		for i := j + 1; i < n; i++ {
			s := p[i+j*ld]
			for k := range j {
				s -= p[i+k*ld] * p[j+k*ld]
			}
			p[i+j*ld] = s / d
		}
	}
	return -1
}

// trsm3 solves X Lᵀ = B for the rows 3..m of the three columns from p on: x_i0 = b_i0/L_00,
// x_i1 = (b_i1 − L_10 x_i0)/L_11, and so on.
func trsm3(p []float64, ld, m int, inv []float64) {
	l00, l10, l20 := inv[0], p[1], p[2]
	l11, l21, l22 := inv[1], p[ld+2], inv[2]
	x, y, z := p[:m], p[ld:][:m], p[2*ld:][:m]
	for i := 3; i < m; i++ {
		a := x[i] * l00
		b := (y[i] - a*l10) * l11
		x[i], y[i] = a, b
		z[i] = (z[i] - a*l20 - b*l21) * l22
	}
}

// trsm is trsm3 for n columns and the rows n..m.
func trsm(p []float64, ld, m, n int) {
	for j := range n {
		d := 1 / p[j+j*ld]
		for i := n; i < m; i++ {
			s := p[i+j*ld]
			for k := range j {
				s -= p[i+k*ld] * p[j+k*ld]
			}
			p[i+j*ld] = s * d
		}
	}
}
