package convex

import "math"

// island is a set of cliques that constraints connect, with the constraints: a
// problem of its own.
type island struct {
	clique0, clique1 int32 // of cliqueSeq
	cons0, cons1     int32 // of consSeq

	small            bool // its H is direct, with these columns and values
	column0, column1 int
	val0, val1       int
	a, h             []float64 // values of A and H, small: Solver.direct's, else Solver's

	done      bool
	criterion Criterion
	err       error

	cost                    float64 // ℓ, J
	lawCost                 float64 // Σ ℓ_i at the velocities last evaluated
	slope, curv             float64 // Σ Δcᵀγ and Σ Δcᵀ G Δc there
	spared                  bool    // G and cost of laws that are GradientOnly are missing there
	res, scale              float64
	tol                     float64
	alpha                   float64 // of the last step
	iterations              int
	evaluations             int
	factorizations          int
	pivots                  pivots    // of the last one, of a small island
	condition, cancellation float64   // of H, see supernodal.Cholesky
	hist                    []float64 // residual over tolerance before each step

	least float64 // residual so far

	lambda, most float64 // regularisation of the last direction, and the largest
	unit         float64 // of it

	ratio        float64 // cap in continuation; 0: not begun, +Inf: through
	kept         float64 // cost at its start
	continuation int     // iterations in it

	gj, w []float64 // scratch: G_i J_i of one constraint; a number for each of its rows
}

// renew makes an island anew in the memory of an old one.
func (is *island) renew() {
	*is = island{least: math.Inf(1), condition: 1, hist: is.hist[:0], gj: is.gj, w: is.w}
}

// findIslands labels cliques by connected component through constraints (union
// by smallest index, path halving) and lists cliques and constraints by island
// in ascending order. Untouched cliques and constraints without blocks belong to
// none.
func (s *Solver) findIslands() {
	p := s.p
	s.findTouched()
	s.nodeClique = resize(s.nodeClique, len(p.NodeSize))
	s.label = resize(s.label, len(p.Cliques))
	for k := range p.Cliques {
		c := &p.Cliques[k]
		s.label[k] = -1 // untouched
		for i := range c.Nodes {
			s.nodeClique[int(c.First)+i] = int32(k)
			if s.touched[int(c.First)+i] != 0 {
				s.label[k] = int32(k)
			}
		}
	}
	for i := range p.Constraints {
		blocks := p.Blocks(handle(i))
		for b := 1; b < len(blocks); b++ {
			x, y := s.root(s.nodeClique[blocks[0].Node]), s.root(s.nodeClique[blocks[b].Node])
			s.label[max(x, y)] = min(x, y)
		}
	}
	// a root is the smallest of its island, so islands appear in ascending order
	s.islands, s.cliqueSeq, s.consSeq = s.islands[:0], resize(s.cliqueSeq, len(p.Cliques)), resize(s.consSeq, len(p.Constraints))
	for k := range p.Cliques {
		if s.label[k] == -1 {
			continue
		}
		r := s.root(int32(k))
		if r == int32(k) {
			if n := len(s.islands); n < cap(s.islands) {
				s.islands = s.islands[:n+1]
			} else {
				s.islands = append(s.islands, island{})
			}
			s.islands[len(s.islands)-1].renew()
			s.label[k] = int32(-1 - len(s.islands)) // root: −2 − number of island
		}
	}
	for k := range p.Cliques {
		if s.label[k] != -1 {
			s.islands[s.islandOf(int32(k))].clique1++
		}
	}
	for i := range p.Constraints {
		if blocks := p.Blocks(handle(i)); len(blocks) > 0 {
			s.islands[s.islandOf(s.nodeClique[blocks[0].Node])].cons1++
		}
	}
	var nk, nc int32
	for i := range s.islands {
		is := &s.islands[i]
		is.clique0, nk = nk, nk+is.clique1
		is.cons0, nc = nc, nc+is.cons1
		is.clique1, is.cons1 = is.clique0, is.cons0
	}
	for k := range p.Cliques {
		if s.label[k] != -1 {
			is := &s.islands[s.islandOf(int32(k))]
			s.cliqueSeq[is.clique1] = int32(k)
			is.clique1++
		}
	}
	for i := range p.Constraints {
		if blocks := p.Blocks(handle(i)); len(blocks) > 0 {
			is := &s.islands[s.islandOf(s.nodeClique[blocks[0].Node])]
			s.consSeq[is.cons1] = int32(i)
			is.cons1++
		}
	}
}

// findTouched marks the nodes that constraints touch.
func (s *Solver) findTouched() {
	s.touched = resize(s.touched, len(s.p.NodeSize))
	clear(s.touched)
	for i := range s.p.Constraints {
		for _, b := range s.p.Blocks(handle(i)) {
			s.touched[b.Node] = 1
		}
	}
}

// split plans the small islands and lists which are small and which are large.
func (s *Solver) split() {
	p := s.p
	s.diagAt = resize(s.diagAt, len(p.NodeSize))
	s.pairOff, s.pairs = resize(s.pairOff, len(p.Constraints)), s.pairs[:0]
	s.small, s.large = s.small[:0], s.large[:0]
	s.direct.reset(len(p.Cliques))
	for i := range s.islands {
		is := &s.islands[i]
		if is.small = s.plan(is); is.small {
			s.small = append(s.small, is)
		} else {
			s.large = append(s.large, is)
		}
	}
	s.loadDirect()
	for _, is := range s.small {
		is.a, is.h = s.direct.a, s.direct.h
	}
}

// root follows labels to the smallest clique of the set.
func (s *Solver) root(k int32) int32 {
	for s.label[k] >= 0 && s.label[k] != k {
		if up := s.label[k]; s.label[up] >= 0 {
			s.label[k] = s.label[up]
		}
		k = s.label[k]
	}
	return k
}

// islandOf returns the island of a touched clique, once roots are numbered.
func (s *Solver) islandOf(k int32) int32 { return -2 - s.label[s.root(k)] }
