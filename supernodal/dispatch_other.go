//go:build !amd64 || purego

package supernodal

func widest() kernel { return portable }

func update(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k, mode int) {
	updatePortable(c, ldc, a, lda, b, ldb, m, n, k, mode)
}

func block(p []float64, ld, f, w int, diag, inv []float64) int {
	return blockPortable(p, ld, f, w, diag, inv)
}

func extend(dst []float64, ld int, src []float64, n int, runs []run, cols, shift int) {
	extendPortable(dst, ld, src, n, runs, cols, shift)
}

func dots(r, a []float64, lda int, y []float64)  { dotsPortable(r, a, lda, y) }
func axpys(y, a []float64, lda int, x []float64) { axpysPortable(y, a, lda, x) }
