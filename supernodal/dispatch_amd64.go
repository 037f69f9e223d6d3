//go:build !purego

package supernodal

import "golang.org/x/sys/cpu"

// The kernels, by set. All are written by internal/avo, whose comments give the
// meaning of the parameters; here lengths are checked and empty work is left out.

func widest() kernel {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasBMI2 && x.HasFMA:
		return avx512
	case x.HasAVX2 && x.HasFMA:
		return avx2
	}
	return portable
}

// last panics unless a column-major m×n matrix of stride ld lies in a.
func last(a []float64, ld, m, n int) { _ = a[m-1+(n-1)*ld] }

// update computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k), or as mode says.
func update(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k, mode int) {
	if active == portable {
		updatePortable(c, ldc, a, lda, b, ldb, m, n, k, mode)
		return
	}
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	last(c, ldc, m, n)
	last(a, lda, m, k)
	last(b, ldb, n, k)
	if active == avx512 {
		updateAVX512(&c[0], ldc, &a[0], lda, &b[0], ldb, m, n, k, mode)
	} else {
		updateAVX2(&c[0], ldc, &a[0], lda, &b[0], ldb, m, n, k, mode)
	}
}

// block factors a panel of f rows and w ≤ panelBlock columns, stride ld; see
// panel.
func block(p []float64, ld, f, w int, diag, inv []float64) int {
	if active == portable {
		return blockPortable(p, ld, f, w, diag, inv)
	}
	width := 6
	if active == avx512 {
		width = 8
	}
	last(p, ld, f, w)
	_ = inv[w-1]
	var pivot [8]float64
	for j := 0; j < w; j += width {
		n := min(width, w-j)
		if active == avx512 {
			factorAVX512(&p[j], ld, &inv[j], &pivot[0], n, j)
		} else {
			factorAVX2(&p[j], ld, &inv[j], &pivot[0], n, j)
		}
		for i, d := range pivot[:n] {
			if !isPivot(d, diag[j+i]) {
				return j + i
			}
		}
		m := f - j - n
		if m == 0 {
			break
		}
		if active == avx512 {
			solveAVX512(&p[j], ld, &inv[j], m, n, j)
		} else {
			solveAVX2(&p[j], ld, &inv[j], m, n, j)
		}
	}
	return -1
}

// extend adds the columns of the first cols runs of a contribution block src
// (n×n) to dst, whose row and column 0 are row and column shift of the front.
func extend(dst []float64, ld int, src []float64, n int, runs []run, cols, shift int) {
	if cols == 0 {
		return
	}
	switch active {
	case avx512:
		extendAVX512(&dst[0], ld, &src[0], n, &runs[0].src, cols, len(runs), shift)
	case avx2:
		extendAVX2(&dst[0], ld, &src[0], n, &runs[0].src, cols, len(runs), shift)
	default:
		extendPortable(dst, ld, src, n, runs, cols, shift)
	}
}

// dots computes r −= Aᵀ y.
func dots(r, a []float64, lda int, y []float64) {
	if len(r) == 0 || len(y) == 0 {
		return
	}
	last(a, lda, len(y), len(r))
	switch active {
	case avx512:
		dotsAVX512(&r[0], &a[0], lda, &y[0], len(y), len(r))
	case avx2:
		dotsAVX2(&r[0], &a[0], lda, &y[0], len(y), len(r))
	default:
		dotsPortable(r, a, lda, y)
	}
}

// axpys computes y −= A x.
func axpys(y, a []float64, lda int, x []float64) {
	if len(x) == 0 || len(y) == 0 {
		return
	}
	last(a, lda, len(y), len(x))
	switch active {
	case avx512:
		axpysAVX512(&y[0], &a[0], lda, &x[0], len(y), len(x))
	case avx2:
		axpysAVX2(&y[0], &a[0], lda, &x[0], len(y), len(x))
	default:
		axpysPortable(y, a, lda, x)
	}
}
