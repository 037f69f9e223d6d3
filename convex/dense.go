package convex

import "math"

// Cholesky factors of dense blocks: those of the cliques' A, and the columns of an
// elimination by blocks.
//
//	L_ij = (A_ij − Σ_{k<j} L_ik L_jk) / L_jj,   L_ii = √(A_ii − Σ_{k<i} L_ik²)   (12)
//
// computed row by row. Matrices are row-major; the reciprocals of L's diagonal stand in
// place of the diagonal, because solutions divide by it.
//
// Source: Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.

// minPivot is the fraction of a diagonal entry that elimination must leave: below it
// the pivot is the round-off of the sum in (12).
const minPivot = 1e-15

// pivots measures an elimination.
type pivots struct {
	// lo and hi are the least and largest entry on the diagonal of L.
	lo, hi float64
	// loss is the largest ratio of a diagonal entry to its pivot: log10 of it digits
	// were cancelled.
	loss float64
}

// newPivots returns the pivots of an empty matrix.
func newPivots() pivots { return pivots{math.Inf(1), 0, 1} }

// condition estimates the condition number of L Lᵀ from below, by the squared ratio of
// L's diagonal entries.
func (p *pivots) condition() float64 {
	if p.hi == 0 {
		return 1
	}
	return p.hi / p.lo * (p.hi / p.lo)
}

// cholesky factors a (n×n) in place by its lower triangle and returns the row whose
// pivot fails, or −1. original is its diagonal before other blocks were eliminated, nil
// where none were: pivots are compared with it.
func cholesky(a []float64, n int, original []float64, p *pivots) int {
	for i := range n {
		row := a[i*n : i*n+i+1]
		// entries left of the diagonal, by the rows above
		solveRow(row[:i], a, n)
		// pivot
		x := row[i]
		diag := x
		if original != nil {
			diag = original[i]
		}
		for _, l := range row[:i] {
			x -= l * l
		}
		// not positive, NaN, or round-off
		if !(x > minPivot*diag) || math.IsInf(x, 1) {
			return i
		}
		// L_ii
		l := math.Sqrt(x)
		p.lo, p.hi, p.loss = min(p.lo, l), max(p.hi, l), max(p.loss, diag/x)
		row[i] = 1 / l
	}
	return -1
}

// solveRow overwrites the row x by x L⁻ᵀ, for the leading len(x) rows of L (stride n).
// With x as a column it is forward substitution, L⁻¹ x.
func solveRow(x, l []float64, n int) {
	for j := range x {
		y := x[j]
		r := l[j*n : j*n+j+1]
		for k, z := range r[:j] {
			y -= x[k] * z
		}
		x[j] = y * r[j]
	}
}

// solveRow6 is solveRow for six columns, those of a rigid body.
func solveRow6(x *[6]float64, l *[36]float64) {
	x0 := x[0] * l[0]
	x1 := (x[1] - x0*l[6]) * l[7]
	x2 := (x[2] - x0*l[12] - x1*l[13]) * l[14]
	x3 := (x[3] - x0*l[18] - x1*l[19] - x2*l[20]) * l[21]
	x4 := (x[4] - x0*l[24] - x1*l[25] - x2*l[26] - x3*l[27]) * l[28]
	x5 := (x[5] - x0*l[30] - x1*l[31] - x2*l[32] - x3*l[33] - x4*l[34]) * l[35]
	x[0], x[1], x[2], x[3], x[4], x[5] = x0, x1, x2, x3, x4, x5
}

// solveBack overwrites x by L⁻ᵀ x: backward substitution by rows of L.
func solveBack(x, l []float64, n int) {
	for i := n - 1; i >= 0; i-- {
		y := x[i] * l[i*n+i]
		x[i] = y
		for k, z := range l[i*n : i*n+i] {
			x[k] -= z * y
		}
	}
}

// solve overwrites x by L⁻ᵀ L⁻¹ x = A⁻¹ x.
func solve(x, l []float64) {
	solveRow(x, l, len(x))
	solveBack(x, l, len(x))
}
