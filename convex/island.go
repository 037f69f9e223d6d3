package convex

import "math"

// island is a set of cliques that constraints connect, with the constraints: a
// problem of its own.
type island struct {
	clique0, clique1 int32 // of cliqueSeq
	cons0, cons1     int32 // of consSeq

	done      bool
	criterion Criterion

	cost        float64 // ℓ, J
	lawCost     float64 // Σ ℓ_i at the velocities last evaluated
	slope, curv float64 // Σ Δcᵀγ and Σ Δcᵀ G Δc there
	res, scale  float64
	tol         float64
	alpha       float64 // of the last step
	iterations  int
	judged      int // rows of the history
	evaluations int

	least float64 // residual so far

	lambda, most float64 // regularisation of the last direction, and the largest
	unit         float64 // of it

	ratio        float64 // cap in continuation; 0: not begun, +Inf: through
	kept         float64 // cost at its start
	continuation int     // iterations in it
}

// findIslands labels cliques by connected component through constraints (union
// by smallest index, path halving) and lists cliques and constraints by island
// in ascending order. Untouched cliques and constraints without blocks belong to
// none.
func (s *Solver) findIslands() {
	p := s.p
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
			s.islands = append(s.islands, island{least: math.Inf(1)})
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
