//go:build !amd64 || purego

package supernodal

// The kernels of machines without assembly: those in Go.

// widest returns the widest set that the machine has.
func widest() kernel { return portable }

// update computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k), or as mode says.
func update(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k, mode int) {
	updatePortable(c, ldc, a, lda, b, ldb, m, n, k, mode)
}

// block factors a panel of f rows and w ≤ panelBlock columns; see panel.
func block(p []float64, ld, f, w int, diag, inv []float64) int {
	return blockPortable(p, ld, f, w, diag, inv)
}

// extend adds the columns of the first cols runs of a contribution block src (n×n)
// to dst.
func extend(dst []float64, ld int, src []float64, n int, runs []run, cols, shift int) {
	extendPortable(dst, ld, src, n, runs, cols, shift)
}

// dots computes r −= Aᵀ y.
func dots(r, a []float64, lda int, y []float64) { dotsPortable(r, a, lda, y) }

// axpys computes y −= A x.
func axpys(y, a []float64, lda int, x []float64) { axpysPortable(y, a, lda, x) }
