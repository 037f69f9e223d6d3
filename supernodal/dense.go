package supernodal

import "math"

// The dense work of a front. All matrices are column-major with a stride; only
// lower triangles are meaningful.

// Modes of update, bits.
const (
	modeLower  = 1 // only the lower trapezoid, m ≥ n; entries just above the diagonal become undefined
	modeAssign = 2 // C = −A Bᵀ, whatever C was
)

// Blocking: a block of B of blockCols×blockInner stays in the second-level cache
// (256 KB), a tile's rows of A of that depth in the first.
const (
	blockInner = 128
	blockCols  = 256
	panelBlock = 64 // columns of a panel updated at once by all to their left
)

// minPivot is the part of the assembled diagonal entry that elimination must
// leave: below it the pivot is round-off of what was subtracted.
const minPivot = 1e-15

func isPivot(d, diag float64) bool { return d > minPivot*diag && !math.IsInf(d, 1) }

// subtract is update for operands of any size, in blocks that caches hold.
func subtract(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k, mode int) {
	for p := 0; p < k; p += blockInner {
		inner := min(blockInner, k-p)
		for j := 0; j < n; j += blockCols {
			i := 0
			if mode&modeLower != 0 {
				i = j
			}
			update(c[i+j*ldc:], ldc, a[i+p*lda:], lda, b[j+p*ldb:], ldb, m-i, min(blockCols, n-j), inner, mode)
		}
		mode &^= modeAssign
	}
}
