package convex

import "math/bits"

// The order of elimination of a small island: minimum degree, in which the node with the
// fewest neighbours left goes next, and its neighbours become neighbours of each other
// (Davis, Direct Methods for Sparse Linear Systems, section 7.1). With at most 64 nodes a set of
// neighbours is one word, and degrees are exact. Ties go to the clique with the lower
// number, so that the order is a function of the island's graph.

// elimination is the order of an island's cliques, and the structure of L.
type elimination struct {
	order [maxDirect]int    // places of cliques in order of elimination
	rank  [maxDirect]int    // its inverse
	rows  [maxDirect]uint64 // places in each column of L, in order of elimination
}

// reset empties the panels.
func (d *direct) reset(cliques int) {
	d.columns, d.below, d.dst = d.columns[:0], d.below[:0], d.dst[:0]
	d.place = resize(d.place, cliques)
}

// plan lays out the panels of an island, and returns false when the island is not a
// small one of dense cliques.
func (d *direct) plan(is *island) bool {
	var e elimination
	if !d.order(is, &e) {
		return false
	}
	d.layout(is, &e)
	d.findProducts(is)
	d.findPairs(is, &e)
	return true
}

// order finds the order of an island's cliques and the rows below each.
func (d *direct) order(is *island, e *elimination) (small bool) {
	p, seq := d.p, d.cliquesOf(is)
	if len(seq) > maxDirect {
		return false
	}
	// cliques of a deformable have a pattern and are factored by package supernodal
	// places in the island, in order of its cliques
	var adj [maxDirect]uint64
	for i, k := range seq {
		if p.Cliques[k].Pattern != nil {
			return false
		}
		d.place[k] = int32(i)
	}
	// neighbours: the cliques of one constraint
	for _, c := range d.constraintsOf(is) {
		// every clique of the constraint is a neighbour of the others, and of itself
		set := uint64(0)
		blocks := p.Blocks(handle(int(c)))
		for i := range blocks {
			set |= 1 << d.placeOf(int32(blocks[i].Node))
		}
		for i := range blocks {
			adj[d.placeOf(int32(blocks[i].Node))] |= set
		}
	}
	// elimination on the graph
	left := ^uint64(0) >> (64 - len(seq))
	flops := 0.0
	for k := range seq {
		// eliminate j
		j := leastDegree(&adj, left)
		left &^= 1 << j
		// rows of column k: the neighbours left, which become neighbours of each other
		set := adj[j] & left
		w, m := float64(p.Cliques[seq[j]].Size), 0.0
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			adj[i] |= set
			m += float64(p.Cliques[seq[i]].Size)
		}
		e.order[k], e.rank[j], e.rows[k] = j, k, set
		// Cholesky of the diagonal block, rows below, products (14)
		flops += w * (w*w/6 + w*m/2 + m*m/2)
	}
	return flops <= directFlops
}

// leastDegree returns the first node in left with the fewest neighbours in left.
func leastDegree(adj *[maxDirect]uint64, left uint64) int {
	least, j := maxDirect+1, 0
	// the lowest bit of rest is the next node
	for rest := left; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		if n := bits.OnesCount64(adj[i] & left); n < least {
			least, j = n, i
		}
	}
	return j
}

// layout appends the panels of an island in order of elimination.
func (d *direct) layout(is *island, e *elimination) {
	p, seq := d.p, d.cliquesOf(is)
	is.column0 = len(d.columns)
	val := d.length()
	is.val0 = val
	for k := range seq {
		j := e.order[k]
		q := &p.Cliques[seq[j]]
		// the panel starts where the last one ends
		w := q.Size
		c := column{node: int32(q.First), width: int32(w), val: int32(val), below: int32(len(d.below))}
		// diagonal block, then those of the rows below
		d.at[j][j] = int32(val)
		d.hessian.diagAt[q.First] = int32(val)
		val += w * w
		for _, i := range e.order[k+1 : len(seq)] {
			// clique i has a block in column k, given or filled in
			if e.rows[k]>>i&1 != 0 {
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
}

// findProducts looks up the blocks that the products (14) of an island's columns are
// taken off.
func (d *direct) findProducts(is *island) {
	for k := range d.columnsOf(is) {
		c := &d.columns[is.column0+k]
		c.dst = int32(len(d.dst))
		// in the order in which subtractProducts takes them
		for x, i := range d.below[c.below:c.end] {
			for _, j := range d.below[c.below : int(c.below)+x+1] {
				d.dst = append(d.dst, d.at[d.placeOf(i)][d.placeOf(j)])
			}
		}
	}
}

// findPairs looks up the blocks of H of an island's constraints, see hessian.
func (d *direct) findPairs(is *island, e *elimination) {
	h := d.hessian
	for _, i := range d.constraintsOf(is) {
		h.pairOff[i] = int32(len(h.pairs))
		blocks := d.p.Blocks(handle(int(i)))
		for a := range blocks {
			x := d.placeOf(int32(blocks[a].Node))
			for b := range a + 1 {
				y := d.placeOf(int32(blocks[b].Node))
				// the column is that of the clique that is eliminated first
				if e.rank[x] >= e.rank[y] {
					h.pairs = append(h.pairs, d.at[x][y])
				} else {
					h.pairs = append(h.pairs, ^d.at[y][x])
				}
			}
		}
	}
}

// placeOf returns the place of a node's clique in its island.
func (d *direct) placeOf(node int32) int32 { return d.place[d.nodeClique[node]] }
