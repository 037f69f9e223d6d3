package supernodal

// The dense kernels in Go, for machines without the vector units of the assembly ones,
// which compute the same. Streaming down three columns of C with three columns of A and
// their nine factors in registers,
//
//	c_0 −= u x_0 + v y_0 + w z_0,   u, v, w columns of A,   x, y, z rows of Bᵀ         (1)
//
// is fastest: the reads are contiguous and free of bounds checks, and three is the block
// of a vertex (10 GF/s against 4.5 for register tiles along k, one Zen 4 core).
//
// Results differ from those of the assembly by round-off, since these fuse multiply and add.

// Blocking: a piece of A of rowBlock×colBlock, 24 KB, stays in a first-level cache of
// 32 KB while it is multiplied by all columns of B.
const (
	rowBlock = 64
	colBlock = 48
)

// gemm computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k), all column-major with strides, in
// pieces that fit the cache.
func gemm(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k int) {
	if n <= 3 || m <= rowBlock && k <= colBlock {
		gemmBlock(c, ldc, a, lda, b, ldb, m, n, k)
		return
	}
	for p := 0; p < k; p += colBlock {
		for i := 0; i < m; i += rowBlock {
			gemmBlock(c[i:], ldc, a[i+p*lda:], lda, b[p*ldb:], ldb, min(rowBlock, m-i), n, min(colBlock, k-p))
		}
	}
}

// gemmBlock is gemm for matrices that fit the cache: three columns of C by three of A,
// then what is left of either.
func gemmBlock(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k int) {
	if m == 0 {
		return
	}
	j := 0
	for ; j+3 <= n; j += 3 {
		c0, c1, c2 := c[j*ldc:][:m], c[(j+1)*ldc:][:m], c[(j+2)*ldc:][:m]
		p := 0
		// three columns of A at a time
		for ; p+3 <= k; p += 3 {
			strip33(c0, c1, c2, a[p*lda:][:m], a[(p+1)*lda:][:m], a[(p+2)*lda:][:m], b[j+p*ldb:], ldb)
		}
		for ; p < k; p++ {
			x := (*[3]float64)(b[j+p*ldb:])
			strip31(c0, c1, c2, a[p*lda:][:m], x[0], x[1], x[2])
		}
	}
	// the last one or two columns of C
	for ; j < n; j++ {
		c0 := c[j*ldc:][:m]
		p := 0
		for ; p+3 <= k; p += 3 {
			strip13(c0, a[p*lda:][:m], a[(p+1)*lda:][:m], a[(p+2)*lda:][:m], b[j+p*ldb], b[j+(p+1)*ldb], b[j+(p+2)*ldb])
		}
		for ; p < k; p++ {
			axpy(c0, b[j+p*ldb], a[p*lda:][:m])
		}
	}
}

// updatePortable computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k), or as mode
// says. In the lower trapezoid the triangle is computed three columns at a time, so that
// at most three entries above the diagonal of a column change.
func updatePortable(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k, mode int) {
	// C = 0 − A Bᵀ
	if mode&modeAssign != 0 {
		for j := range n {
			clear(c[j*ldc:][:m])
		}
	}
	if mode&modeLower == 0 {
		gemm(c, ldc, a, lda, b, ldb, m, n, k)
		return
	}
	// blocks of columns: the triangle, then the rectangle below
	for j0 := 0; j0 < n; j0 += colBlock {
		j1 := min(j0+colBlock, n)
		for j := j0; j < j1; j += 3 {
			gemm(c[j+j*ldc:], ldc, a[j:], lda, b[j:], ldb, j1-j, min(3, j1-j), k)
		}
		if j1 < m {
			gemm(c[j1+j0*ldc:], ldc, a[j1:], lda, b[j0:], ldb, m-j1, j1-j0, k)
		}
	}
}

// The strips are the inner loops of (1): rows and columns of the 3×3 block are in
// registers, and the slices are cut to one length first, so that the compiler drops the
// checks of bounds.

// strip33 subtracts three columns a times a 3×3 block of Bᵀ from three columns c.
func strip33(c0, c1, c2, a0, a1, a2, b []float64, ldb int) {
	n := len(c0)
	c1, c2, a0, a1, a2 = c1[:n], c2[:n], a0[:n], a1[:n], a2[:n]
	x, y, z := (*[3]float64)(b), (*[3]float64)(b[ldb:]), (*[3]float64)(b[2*ldb:])
	x0, x1, x2 := x[0], x[1], x[2]
	y0, y1, y2 := y[0], y[1], y[2]
	z0, z1, z2 := z[0], z[1], z[2]
	for i := range c0 {
		u, v, w := a0[i], a1[i], a2[i]
		c0[i] -= u*x0 + v*y0 + w*z0
		c1[i] -= u*x1 + v*y1 + w*z1
		c2[i] -= u*x2 + v*y2 + w*z2
	}
}

// strip31 subtracts one column a times three factors from three columns c.
func strip31(c0, c1, c2, a []float64, x0, x1, x2 float64) {
	n := len(c0)
	c1, c2, a = c1[:n], c2[:n], a[:n]
	for i := range c0 {
		u := a[i]
		c0[i] -= u * x0
		c1[i] -= u * x1
		c2[i] -= u * x2
	}
}

// strip13 subtracts three columns a times their factors from one column c.
func strip13(c, a0, a1, a2 []float64, x, y, z float64) {
	n := len(c)
	a0, a1, a2 = a0[:n], a1[:n], a2[:n]
	for i := range c {
		c[i] -= a0[i]*x + a1[i]*y + a2[i]*z
	}
}

// axpy computes y −= a x.
func axpy(y []float64, a float64, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] -= a * v
	}
}

// dotsPortable computes r −= Aᵀ y for A (len(y)×len(r)), column-major: y is read once for
// three columns.
func dotsPortable(r, a []float64, lda int, y []float64) {
	m, j := len(y), 0
	for ; j+3 <= len(r); j += 3 {
		s0, s1, s2 := dot3(a[j*lda:][:m], a[(j+1)*lda:][:m], a[(j+2)*lda:][:m], y)
		r[j] -= s0
		r[j+1] -= s1
		r[j+2] -= s2
	}
	for ; j < len(r); j++ {
		r[j] -= dot(a[j*lda:][:m], y)
	}
}

// axpysPortable computes y −= A x for A (len(y)×len(x)), column-major: y is read and
// written once for three columns.
func axpysPortable(y, a []float64, lda int, x []float64) {
	m, j := len(y), 0
	for ; j+3 <= len(x); j += 3 {
		strip13(y, a[j*lda:][:m], a[(j+1)*lda:][:m], a[(j+2)*lda:][:m], x[j], x[j+1], x[j+2])
	}
	for ; j < len(x); j++ {
		axpy(y, x[j], a[j*lda:][:m])
	}
}

// extendPortable adds the columns of the first cols runs of a contribution block
// v (n×n) to dst, whose row and column 0 are row and column shift of the front. Rows
// and columns of a run are contiguous in both, so that the inner loops are additions of
// vectors.
func extendPortable(dst []float64, ld int, v []float64, n int, runs []run, cols, shift int) {
	// pairs of runs: columns of one, rows of it and of later ones
	for a, rc := range runs[:cols] {
		for j := range int(rc.n) {
			col, to := v[(int(rc.src)+j)*n:][:n], dst[(int(rc.dst)-shift+j)*ld:][:ld]
			// the lower triangle of the diagonal pair
			add(to[int(rc.dst)-shift+j:], col[int(rc.src)+j:int(rc.src+rc.n)])
			for _, r := range runs[a+1:] {
				add(to[int(r.dst)-shift:], col[r.src:r.src+r.n])
			}
		}
	}
}

// add computes y += x.
func add(y, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += v
	}
}

// dot returns xᵀ y.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	// two sums, so that no addition waits for the one before
	var s0, s1 float64
	i := 0
	for ; i+2 <= len(x); i += 2 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
	}
	if i < len(x) {
		s0 += x[i] * y[i]
	}
	return s0 + s1
}

// dot3 returns the products of three columns with y.
func dot3(a0, a1, a2, y []float64) (s0, s1, s2 float64) {
	n := len(y)
	a0, a1, a2 = a0[:n], a1[:n], a2[:n]
	for i, v := range y {
		s0 += a0[i] * v
		s1 += a1[i] * v
		s2 += a2[i] * v
	}
	return s0, s1, s2
}
