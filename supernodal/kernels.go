package supernodal

// The dense kernels. All matrices are column-major with a stride; only lower
// triangles are meaningful. Register tiles of 3×3 fit the sixteen vector
// registers of a plain amd64 and the block size of vertices.

// gemm computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k).
func gemm(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k int) {
	if k == 0 {
		return
	}
	j := 0
	for ; j+3 <= n; j += 3 {
		i := 0
		for ; i+3 <= m; i += 3 {
			tile3(c[i+j*ldc:], ldc, a[i:], lda, b[j:], ldb, k)
		}
		if i < m {
			gemmEdge(c[i+j*ldc:], ldc, a[i:], lda, b[j:], ldb, m-i, 3, k)
		}
	}
	if j < n {
		gemmEdge(c[j*ldc:], ldc, a, lda, b[j:], ldb, m, n-j, k)
	}
}

// syrk computes the lower triangle of C −= A Aᵀ for C (n×n), A (n×k); entries
// above the diagonal become undefined.
func syrk(c []float64, ldc int, a []float64, lda, n, k int) {
	for j := 0; j < n; j += 3 {
		gemm(c[j+j*ldc:], ldc, a[j:], lda, a[j:], lda, n-j, min(3, n-j), k)
	}
}

// tile3 computes a 3×3 tile of gemm.
func tile3(c []float64, ldc int, a []float64, lda int, b []float64, ldb, k int) {
	var c00, c10, c20, c01, c11, c21, c02, c12, c22 float64
	ia, ib := 0, 0
	for range k {
		x, y := (*[3]float64)(a[ia:]), (*[3]float64)(b[ib:])
		x0, x1, x2 := x[0], x[1], x[2]
		y0 := y[0]
		c00 += x0 * y0
		c10 += x1 * y0
		c20 += x2 * y0
		y1 := y[1]
		c01 += x0 * y1
		c11 += x1 * y1
		c21 += x2 * y1
		y2 := y[2]
		c02 += x0 * y2
		c12 += x1 * y2
		c22 += x2 * y2
		ia += lda
		ib += ldb
	}
	p := (*[3]float64)(c)
	p[0] -= c00
	p[1] -= c10
	p[2] -= c20
	p = (*[3]float64)(c[ldc:])
	p[0] -= c01
	p[1] -= c11
	p[2] -= c21
	p = (*[3]float64)(c[2*ldc:])
	p[0] -= c02
	p[1] -= c12
	p[2] -= c22
}

// gemmEdge is gemm for the borders that tiles leave.
func gemmEdge(c []float64, ldc int, a []float64, lda int, b []float64, ldb, m, n, k int) {
	for j := range n {
		for i := range m {
			s := 0.0
			for p := range k {
				s += a[i+p*lda] * b[j+p*ldb]
			}
			c[i+j*ldc] -= s
		}
	}
}
