package convex

// Small islands of dense cliques are eliminated block by block: with blocks of six,
// the calls and copies of a supernodal factorization cost as much as its arithmetic.
// Column j of the lower triangle, in order of elimination, is one panel of rows,
//
//	⎡ L_jj ⎤   L_jj L_jjᵀ = H_jj
//	⎢ L_ij ⎥   L_ij = H_ij L_jj⁻ᵀ                                         (13)
//	⎣  ⋮   ⎦   H_ik −= L_ij L_kjᵀ  for all pairs of rows i, k below        (14)
//
//	H_ij   block of the nodes (cliques) i and j
//	L      lower triangular; H = L Lᵀ
//
// in which H is assembled and overwritten: a right-looking factorization, which subtracts
// the products of a column from all columns to its right at once. direct_plan.go chooses
// the order and finds the blocks that fill in. Islands are factored and solved at the
// same time by different threads: they share no panel.
//
// Source: Golub, Van Loan, Matrix Computations, 4th ed., section 4.2 (block Cholesky).

// direct has the panels of all small islands: each is (width + rows)×width, row-major,
// its diagonal block first, then the blocks below in order of elimination.
type direct struct {
	*iterate
	hessian *hessian // learns the places of blocks

	// in order of elimination, island after island
	columns []column
	below   []int32 // nodes of the rows below the diagonals
	// offsets of the blocks that the products (14) are taken off
	dst  []int32
	a, h []float64 // values of A and H
	// diagonal of H before elimination, by velocity of the problem
	diag []float64

	// at is the offset of block (i, j) of the island planned last, by places in it.
	at    [maxDirect][maxDirect]int32
	place []int32 // of a clique in its island
}

// column is one panel.
type column struct {
	node       int32
	width      int32 // velocities of the node
	rows       int32 // below the diagonal block
	val        int32 // start in a and h
	below, end int32 // range of direct.below
	dst        int32 // start in direct.dst
}

const (
	// maxDirect is the largest number of cliques of a small island: the bits of a set.
	maxDirect = 64
	// directFlops is the number of multiplications above which a supernodal
	// factorization with dense kernels is faster.
	directFlops = 6e4
)

// columnsOf returns the panels of an island.
func (d *direct) columnsOf(is *island) []column { return d.columns[is.column0:is.column1] }

// length returns the number of values of all columns so far.
func (d *direct) length() int {
	k := len(d.columns)
	if k == 0 {
		return 0
	}
	last := &d.columns[k-1]
	return int(last.val + last.width*(last.width+last.rows))
}

// load writes A of all small islands.
func (d *direct) load() {
	n := d.length()
	d.a, d.h, d.diag = resize(d.a, n), resize(d.h, n), resize(d.diag, d.p.Size())
	clear(d.a)
	// Cliques couple only through constraints: blocks below the diagonal are 0.
	for i := range d.columns {
		c := &d.columns[i]
		copy(d.a[c.val:], d.p.Cliques[d.nodeClique[c.node]].A)
	}
	for _, is := range d.small {
		is.a, is.h = d.a, d.h
	}
}

// factor overwrites H of an island by its factors. It returns false when a pivot
// fails.
func (d *direct) factor(is *island) bool {
	is.pivots = newPivots()
	columns := d.columnsOf(is)
	// diagonal of H, which pivots are compared with
	for i := range columns {
		d.saveDiagonal(&columns[i])
	}
	for i := range columns {
		// columns in order of elimination: all products with earlier ones are subtracted
		c := &columns[i]
		w, n := int(c.width), int(c.width+c.rows)
		panel := d.h[c.val : int(c.val)+n*w]
		if cholesky(panel, w, d.diag[d.p.NodeOffset[c.node]:], &is.pivots) >= 0 {
			return false
		}
		// (13)
		if w == 6 {
			l := (*[36]float64)(panel)
			for r := 6; r < n; r++ {
				solveRow6((*[6]float64)(panel[6*r:]), l)
			}
		} else {
			for r := w; r < n; r++ {
				solveRow(panel[r*w:(r+1)*w], panel, w)
			}
		}
		d.subtractProducts(c, panel[w*w:])
	}
	return true
}

// saveDiagonal keeps the diagonal of a column's block as assembled.
func (d *direct) saveDiagonal(c *column) {
	w := int(c.width)
	diag := d.diag[d.p.NodeOffset[c.node]:][:w]
	for k := range diag {
		diag[k] = d.h[int(c.val)+k*w+k]
	}
}

// subtractProducts does (14) for the rows below the diagonal block of a column.
func (d *direct) subtractProducts(c *column, rows []float64) {
	w, at := int(c.width), int(c.dst)
	below := d.below[c.below:c.end]
	ra := 0
	// pairs of blocks (a, b ≤ a) below the diagonal block
	for x, a := range below {
		na := d.p.NodeSize[a]
		A := rows[ra : ra+na*w]
		rb := 0
		for y := range x + 1 {
			nb := d.p.NodeSize[below[y]]
			dst := d.h[d.dst[at]:][:na*nb]
			at++
			B := rows[rb : rb+nb*w]
			if w == 6 {
				subtract6(dst, A, B, nb, x == y)
			} else {
				subtract(dst, A, B, w, nb, x == y)
			}
			rb += nb * w
		}
		ra += na * w
	}
}

// subtract takes A Bᵀ off dst, for rows of w numbers and nb rows of B; of a diagonal
// block only the lower triangle.
func subtract(dst, A, B []float64, w, nb int, lower bool) {
	for i := 0; i*w < len(A); i++ {
		a := A[i*w : (i+1)*w]
		// above the diagonal of a diagonal block nothing is stored
		n := nb
		if lower {
			n = i + 1
		}
		row := dst[i*nb : i*nb+n]
		for j := range row {
			sum := 0.0
			for k, b := range B[j*w : (j+1)*w] {
				sum += a[k] * b
			}
			row[j] -= sum
		}
	}
}

// subtract6 is subtract for rows of six.
func subtract6(dst, A, B []float64, nb int, lower bool) {
	for i := 0; 6*i < len(A); i++ {
		a := (*[6]float64)(A[6*i:])
		a0, a1, a2, a3, a4, a5 := a[0], a[1], a[2], a[3], a[4], a[5]
		n := nb
		if lower {
			n = i + 1
		}
		row := dst[i*nb : i*nb+n]
		for j := range row {
			b := (*[6]float64)(B[6*j:])
			row[j] -= a0*b[0] + a1*b[1] + a2*b[2] + a3*b[3] + a4*b[4] + a5*b[5]
		}
	}
}

// solve overwrites the island's part of x (n) by H⁻¹ x = L⁻ᵀ L⁻¹ x, by forward and backward
// substitution over the panels.
func (d *direct) solve(is *island, x []float64) {
	columns := d.columnsOf(is)
	// L⁻¹, in order of elimination
	for i := range columns {
		if c := &columns[i]; c.width == 6 {
			d.forward6(c, x)
		} else {
			d.forward(c, x)
		}
	}
	// L⁻ᵀ, in reverse
	for i := len(columns) - 1; i >= 0; i-- {
		d.backward(&columns[i], x)
	}
}

// forward solves for the rows of a column and takes its products off the rows below.
func (d *direct) forward(c *column, x []float64) {
	p, w := d.p, int(c.width)
	panel := d.h[c.val:]
	z := x[p.NodeOffset[c.node]:][:w]
	at := w * w
	// z = L_jj⁻¹ z, then x_i −= L_ij z for the rows below
	solveRow(z, panel, w)
	for _, b := range d.below[c.below:c.end] {
		for k := range x[p.NodeOffset[b]:][:p.NodeSize[b]] {
			sum := 0.0
			for j, l := range panel[at : at+w] {
				sum += l * z[j]
			}
			x[p.NodeOffset[b]+k] -= sum
			at += w
		}
	}
}

// forward6 is forward for a column of six.
func (d *direct) forward6(c *column, x []float64) {
	p := d.p
	panel := d.h[c.val:]
	z := (*[6]float64)(x[p.NodeOffset[c.node]:])
	at := 36
	solveRow6(z, (*[36]float64)(panel))
	for _, b := range d.below[c.below:c.end] {
		for k := range x[p.NodeOffset[b]:][:p.NodeSize[b]] {
			x[p.NodeOffset[b]+k] -= dot6((*[6]float64)(panel[at:]), z)
			at += 6
		}
	}
}

// backward takes the products with the rows below off a column's rows and solves for
// them.
func (d *direct) backward(c *column, x []float64) {
	p, w := d.p, int(c.width)
	panel := d.h[c.val:]
	z := x[p.NodeOffset[c.node]:][:w]
	at := w * w
	// z −= L_ijᵀ x_i, then z = L_jj⁻ᵀ z
	for _, b := range d.below[c.below:c.end] {
		for _, y := range x[p.NodeOffset[b]:][:p.NodeSize[b]] {
			for j, l := range panel[at : at+w] {
				z[j] -= l * y
			}
			at += w
		}
	}
	solveBack(z, panel, w)
}
