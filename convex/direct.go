package convex

import "math/bits"

// Small islands of dense cliques are eliminated block by block: with blocks of six,
// what calls and copies of a supernodal factorization cost is as much as its flops.
// Column j of the lower triangle in order of elimination is one panel of rows,
//
//	⎡ L_jj ⎤   L_jj L_jjᵀ = H_jj
//	⎢ L_ij ⎥   L_ij = H_ij L_jj⁻ᵀ                                         (1)
//	⎣  ⋮   ⎦   H_ik −= L_ij L_kjᵀ  for all pairs of rows i, k below        (2)
//
// in which H is assembled and overwritten. Nodes are eliminated in order of their
// number of neighbours at the time, which sets of 64 bits hold.
type direct struct {
	columns []column // in order of elimination, island after island
	below   []int32  // nodes of the rows below the diagonals
	dst     []int32  // where the products (2) go
	a, h    []float64
	diag    []float64                   // of H, by velocity of the problem: what elimination starts from
	at      [maxDirect][maxDirect]int32 // offset of block (i, j) of the island planned last, by place in it
	place   []int32                     // of a clique in its island
}

// column is one panel.
type column struct {
	node       int32
	width      int32
	rows       int32 // below the diagonal block
	val        int32 // of a and h
	below, end int32 // of direct.below
	dst        int32 // first of direct.dst
}

const (
	maxDirect   = 64  // nodes
	directFlops = 6e4 // multiplications above which dense kernels win
)

func (d *direct) reset(cliques int) {
	d.columns, d.below, d.dst = d.columns[:0], d.below[:0], d.dst[:0]
	d.place = resize(d.place, cliques)
}

// eliminate finds the order of an island's cliques and the rows below each, unless
// it is not a small one.
func (s *Solver) eliminate(is *island, order *[maxDirect]int, rows *[maxDirect]uint64) (small bool) {
	p := s.p
	seq := s.cliqueSeq[is.clique0:is.clique1]
	if len(seq) > maxDirect {
		return false
	}
	var adj [maxDirect]uint64
	for i, k := range seq {
		if p.Cliques[k].Pattern != nil {
			return false
		}
		s.direct.place[k] = int32(i)
	}
	for _, c := range s.consSeq[is.cons0:is.cons1] {
		set := uint64(0)
		blocks := p.Blocks(handle(int(c)))
		for i := range blocks {
			set |= 1 << s.direct.place[s.nodeClique[blocks[i].Node]]
		}
		for i := range blocks {
			adj[s.direct.place[s.nodeClique[blocks[i].Node]]] |= set
		}
	}
	live := ^uint64(0) >> (64 - len(seq))
	flops := 0.0
	for k := range seq {
		least, j := 65, 0
		for rest := live; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			if n := bits.OnesCount64(adj[i] & live); n < least {
				least, j = n, i
			}
		}
		live &^= 1 << j
		set := adj[j] & live
		w, m := float64(p.Cliques[seq[j]].Size), 0.0
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			adj[i] |= set
			m += float64(p.Cliques[seq[i]].Size)
		}
		order[k], rows[k] = j, set
		flops += w * (w*w/6 + w*m/2 + m*m/2)
	}
	return flops <= directFlops
}

// plan lays out the panels of a small island, whose H then is direct, and returns
// false for others.
func (s *Solver) plan(is *island) bool {
	var order [maxDirect]int
	var rows [maxDirect]uint64
	if !s.eliminate(is, &order, &rows) {
		return false
	}
	d, p := &s.direct, s.p
	seq := s.cliqueSeq[is.clique0:is.clique1]
	is.column0 = len(d.columns)
	val := 0
	if is.column0 > 0 {
		last := &d.columns[is.column0-1]
		val = int(last.val + last.width*(last.width+last.rows))
	}
	is.val0 = val
	var rank [maxDirect]int
	for k := range seq {
		j := order[k]
		rank[j] = k
		q := &p.Cliques[seq[j]]
		w := q.Size
		c := column{node: int32(q.First), width: int32(w), val: int32(val), below: int32(len(d.below))}
		d.at[j][j] = int32(val)
		s.diagAt[q.First] = int32(val)
		val += w * w
		for _, i := range order[k+1 : len(seq)] {
			if rows[k]>>i&1 != 0 {
				x := &p.Cliques[seq[i]]
				d.at[i][j] = int32(val)
				d.below = append(d.below, int32(x.First))
				c.rows += int32(x.Size)
				val += w * x.Size
			}
		}
		c.end = int32(len(d.below))
		d.columns = append(d.columns, c)
	}
	is.column1, is.val1 = len(d.columns), val
	for k := range d.columns[is.column0:] {
		c := &d.columns[is.column0+k]
		c.dst = int32(len(d.dst))
		for x, i := range d.below[c.below:c.end] {
			for _, j := range d.below[c.below : int(c.below)+x+1] {
				d.dst = append(d.dst, d.at[s.placeOf(i)][s.placeOf(j)])
			}
		}
	}
	for _, i := range s.consSeq[is.cons0:is.cons1] {
		s.pairOff[i] = int32(len(s.pairs))
		blocks := p.Blocks(handle(int(i)))
		for a := range blocks {
			x := s.placeOf(int32(blocks[a].Node))
			for b := range a + 1 {
				y := s.placeOf(int32(blocks[b].Node))
				if rank[x] >= rank[y] {
					s.pairs = append(s.pairs, d.at[x][y])
				} else {
					s.pairs = append(s.pairs, ^d.at[y][x])
				}
			}
		}
	}
	return true
}

func (s *Solver) placeOf(node int32) int32 { return s.direct.place[s.nodeClique[node]] }

// loadDirect writes A of all small islands.
func (s *Solver) loadDirect() {
	d := &s.direct
	n := 0
	if k := len(d.columns); k > 0 {
		last := &d.columns[k-1]
		n = int(last.val + last.width*(last.width+last.rows))
	}
	d.a, d.h, d.diag = resize(d.a, n), resize(d.h, n), resize(d.diag, s.p.Size())
	clear(d.a)
	for i := range d.columns {
		c := &d.columns[i]
		copy(d.a[c.val:], s.p.Cliques[s.nodeClique[c.node]].A)
	}
}

// factorDirect overwrites H of an island by its factors. It returns false when a
// pivot fails.
func (s *Solver) factorDirect(is *island) bool {
	d := &s.direct
	is.pivots = newPivots()
	columns := d.columns[is.column0:is.column1]
	for i := range columns {
		c := &columns[i]
		w := int(c.width)
		diag := d.diag[s.p.NodeOffset[c.node]:][:w]
		for k := range diag {
			diag[k] = d.h[int(c.val)+k*w+k]
		}
	}
	for i := range columns {
		c := &columns[i]
		w, n := int(c.width), int(c.width+c.rows)
		panel := d.h[c.val : int(c.val)+n*w]
		if cholesky(panel, w, d.diag[s.p.NodeOffset[c.node]:], &is.pivots) >= 0 {
			return false
		}
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
		s.subtractProducts(c, panel[w*w:])
	}
	return true
}

// subtractProducts does (2) for the rows below the diagonal block of a column.
func (s *Solver) subtractProducts(c *column, rows []float64) {
	d, w, at := &s.direct, int(c.width), int(c.dst)
	below := d.below[c.below:c.end]
	ra := 0
	for x, a := range below {
		na := s.p.NodeSize[a]
		A := rows[ra : ra+na*w]
		rb := 0
		for y := range x + 1 {
			nb := s.p.NodeSize[below[y]]
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

// subtract takes A Bᵀ off dst, for rows of w numbers; of a diagonal block the lower
// triangle.
func subtract(dst, A, B []float64, w, nb int, lower bool) {
	for i := 0; i*w < len(A); i++ {
		a := A[i*w : (i+1)*w]
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

// solveDirect overwrites the island's part of x by H⁻¹ x.
func (s *Solver) solveDirect(is *island, x []float64) {
	d, p := &s.direct, s.p
	columns := d.columns[is.column0:is.column1]
	for i := range columns {
		c := &columns[i]
		w := int(c.width)
		panel := d.h[c.val:]
		z := x[p.NodeOffset[c.node]:][:w]
		at := w * w
		if w == 6 {
			z6 := (*[6]float64)(z)
			solveRow6(z6, (*[36]float64)(panel))
			for _, b := range d.below[c.below:c.end] {
				for k := range x[p.NodeOffset[b]:][:p.NodeSize[b]] {
					x[p.NodeOffset[b]+k] -= dot6((*[6]float64)(panel[at:]), z6)
					at += 6
				}
			}
			continue
		}
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
	for i := len(columns) - 1; i >= 0; i-- {
		c := &columns[i]
		w := int(c.width)
		panel := d.h[c.val:]
		z := x[p.NodeOffset[c.node]:][:w]
		at := w * w
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
}
