package convex

// prepareLaws gives every law of an island its diagonal of J A⁻¹ Jᵀ. For nodes of
// dense cliques, trees and small bodies, it is exact through the Cholesky factor of
// their block; for vertices it takes A⁻¹ as the inverse of the vertex' own block
// and ignores what couples the vertices of one constraint. That only scales
// regularisation, for which a factor of a few does not matter. Rows that move
// nothing get 0.
func (s *Solver) prepareLaws(is *island) {
	p := s.p
	for _, i := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[i]
		is.w = resize(is.w, c.Dim)
		clear(is.w)
		for _, b := range p.Blocks(handle(int(i))) {
			n := p.NodeSize[b.Node]
			l := s.low[s.lowAt[b.Node]:][:n*n]
			is.gj = resize(is.gj, n)
			for r := range is.w {
				is.w[r] += norm2Solve(l, b.J[r*n:(r+1)*n], is.gj)
			}
		}
		c.Law.Prepare(p.H, is.w)
	}
}

// norm2Solve returns |L⁻¹ b|²; x is scratch.
func norm2Solve(l, b, x []float64) float64 {
	if len(b) == 6 {
		y := *(*[6]float64)(b)
		solveRow6(&y, (*[36]float64)(l))
		return dot6(&y, &y)
	}
	copy(x, b)
	solveRow(x, l, len(b))
	sum := 0.0
	for _, y := range x {
		sum += y * y
	}
	return sum
}
