package supernodal

import "math"

// The dense work of a front, equations (3) of the package. All matrices are column-major
// with a stride; of symmetric ones only lower triangles are meaningful.
//
// A panel of w columns is factored in blocks of panelBlock columns. Right-looking, each
// block would update all columns to its right; here each is updated once by all columns
// to its left (left-looking),
//
//	P_j −= P_{<j} (rows j of P_{<j})ᵀ,  then  P_jj = L_jj L_jjᵀ,  P_ij ← P_ij L_jj⁻ᵀ      (1)
//
// so that most of the work is in products with long inner dimensions.

// Modes of update, bits.
const (
	// modeLower computes only the lower trapezoid, m ≥ n; entries just above the diagonal
	// become undefined.
	modeLower = 1
	// modeAssign computes C = −A Bᵀ, whatever C was.
	modeAssign = 2
)

// Blocking: a block of B of blockCols×blockInner stays in the second-level cache
// (256 KB), a tile's rows of A of that depth in the first.
const (
	blockInner = 128
	blockCols  = 256
	panelBlock = 48 // columns of a panel updated at once by all to their left
)

// minPivot is the fraction of the assembled diagonal entry that elimination must
// leave: below it the pivot is the round-off of the products that were subtracted.
const minPivot = 1e-15

// panel factors the f×w panel p in place by (1): its top w×w into L and the rows below
// into A L⁻ᵀ. diag is the diagonal of H; inv receives the reciprocals of L's. It returns
// the column whose pivot fails, or −1.
func (c *Cholesky) panel(p []float64, f, w int, diag, inv []float64, share bool) int {
	for j := 0; j < w; j += panelBlock {
		if c.stopped.Load() {
			return -1
		}
		// the next block, all rows below included
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

// isPivot reports whether a pivot is positive beyond round-off, and finite.
func isPivot(d, diag float64) bool { return d > minPivot*diag && !math.IsInf(d, 1) }

// product is C −= A Bᵀ for C (m×n), A (m×k), B (n×k), or as mode says: an update of a
// panel by the columns to its left, or a contribution block.
type product struct {
	c, a, b       []float64
	ldc, lda, ldb int // strides
	m, n, k, mode int
}

// subtract computes the product in blocks that fit caches, unless the factorization is interrupted on the way.
func (x *product) subtract(c *Cholesky) {
	mode := x.mode
	ask := 2*float64(x.m)*float64(min(x.n, blockCols))*float64(min(x.k, blockInner)) > askFrom
	for p := 0; p < x.k; p += blockInner {
		inner := min(blockInner, x.k-p)
		for j := 0; j < x.n; j += blockCols {
			if ask && c.halted() {
				return
			}
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
// cut into square tiles for the workers. The sum of an entry has the same order
// whatever tile it is in.
const (
	// tileSide is the side of a tile: a multiple of what kernels keep in registers.
	tileSide = 144
	// shareFrom is the number of multiplications and additions for which waking workers
	// takes less than they save.
	shareFrom = 4e6
)

// subtract computes a product, on request by tiles on the workers if it is large.
func (c *Cholesky) subtract(x *product, share bool) {
	if !share || c.Pool.Size() == 1 || 2*float64(x.m)*float64(x.n)*float64(x.k) < shareFrom {
		x.subtract(c)
		return
	}
	c.product, c.job = *x, tiles
	c.Pool.Run(x.tileCount(), c)
}

// tilesDown returns the number of tiles in a column of tiles.
func (x *product) tilesDown() int { return (x.m + tileSide - 1) / tileSide }

// tileCount returns the number of tiles.
func (x *product) tileCount() int { return x.tilesDown() * ((x.n + tileSide - 1) / tileSide) }

// tile computes tile number t, counted by columns of tiles.
func (x *product) tile(c *Cholesky, t int) {
	i, j := t%x.tilesDown()*tileSide, t/x.tilesDown()*tileSide
	// above the diagonal
	if x.mode&modeLower != 0 && i < j {
		return
	}
	y := *x
	// below the diagonal: a whole rectangle
	if i > j {
		y.mode &^= modeLower
	}
	// A and B at the tile's rows and columns
	y.c, y.a, y.b = x.c[i+j*x.ldc:], x.a[i:], x.b[j:]
	y.m, y.n = min(tileSide, x.m-i), min(tileSide, x.n-j)
	y.subtract(c)
}
