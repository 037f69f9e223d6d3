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
	panelBlock = 48 // columns of a panel updated at once by all to their left
)

// minPivot is the part of the assembled diagonal entry that elimination must
// leave: below it the pivot is round-off of what was subtracted.
const minPivot = 1e-15

// panel factors the f×w panel p in place: its top w×w into L and the rows below
// into A L⁻ᵀ. diag is the diagonal as assembled; inv receives the reciprocals of
// L's. It returns the column whose pivot fails, or −1.
func (c *Cholesky) panel(p []float64, f, w int, diag, inv []float64, share bool) int {
	for j := 0; j < w; j += panelBlock {
		n := min(panelBlock, w-j)
		if j > 0 {
			c.subtract(&product{p[j+j*f:], p[j:], p[j:], f, f, f, f - j, n, j, modeLower}, share)
		}
		if i := block(p[j+j*f:], f, f-j, n, diag[j:], inv[j:]); i >= 0 {
			return j + i
		}
	}
	return -1
}

func isPivot(d, diag float64) bool { return d > minPivot*diag && !math.IsInf(d, 1) }

// product is C −= A Bᵀ for C (m×n), A (m×k), B (n×k), or as mode says.
type product struct {
	c, a, b       []float64
	ldc, lda, ldb int
	m, n, k, mode int
}

// subtract computes it in blocks that caches hold.
func (x *product) subtract() {
	mode := x.mode
	for p := 0; p < x.k; p += blockInner {
		inner := min(blockInner, x.k-p)
		for j := 0; j < x.n; j += blockCols {
			i := 0
			if mode&modeLower != 0 {
				i = j
			}
			update(x.c[i+j*x.ldc:], x.ldc, x.a[i+p*x.lda:], x.lda, x.b[j+p*x.ldb:], x.ldb,
				x.m-i, min(blockCols, x.n-j), inner, mode)
		}
		mode &^= modeAssign
	}
}

// Large products at the top of the tree, where no subtrees are left to share, are
// cut into square tiles for the workers. A number's sum has the same order
// whatever tile it is in.
const (
	tileSide  = 144
	shareFrom = 4e6 // multiplications and additions that are worth waking workers
)

func (c *Cholesky) subtract(x *product, share bool) {
	if !share || c.Pool.Size() == 1 || 2*float64(x.m)*float64(x.n)*float64(x.k) < shareFrom {
		x.subtract()
		return
	}
	c.shared, c.job = *x, tiles
	c.Pool.Run(x.tileCount(), c)
}

func (x *product) tilesDown() int { return (x.m + tileSide - 1) / tileSide }
func (x *product) tileCount() int { return x.tilesDown() * ((x.n + tileSide - 1) / tileSide) }

// tile computes tile number t, by columns of tiles.
func (x *product) tile(t int) {
	i, j := t%x.tilesDown()*tileSide, t/x.tilesDown()*tileSide
	if x.mode&modeLower != 0 && i < j {
		return
	}
	y := *x
	if i > j {
		y.mode &^= modeLower
	}
	y.c, y.a, y.b = x.c[i+j*x.ldc:], x.a[i:], x.b[j:]
	y.m, y.n = min(tileSide, x.m-i), min(tileSide, x.n-j)
	y.subtract()
}
