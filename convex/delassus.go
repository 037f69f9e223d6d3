package convex

import "math"

// prepareLaws gives every law its diagonal of J A⁻¹ Jᵀ. For nodes of dense
// cliques, trees and small bodies, it is exact through the Cholesky factor of
// their block; for vertices it takes A⁻¹ as the inverse of the vertex' own block
// and ignores what couples the vertices of one constraint. That only scales
// regularisation, for which a factor of a few does not matter. Rows that move
// nothing get 0.
func (s *Solver) prepareLaws() {
	p := s.p
	s.factorTouched()
	for i := range p.Constraints {
		c := &p.Constraints[i]
		s.w = resize(s.w, c.Dim)
		clear(s.w)
		for _, b := range p.Blocks(handle(i)) {
			n := p.NodeSize[b.Node]
			l := s.low[s.lowAt[b.Node]:][:n*n]
			s.gj = resize(s.gj, n)
			for r := range s.w {
				s.w[r] += norm2Solve(l, b.J[r*n:(r+1)*n], s.gj)
			}
		}
		c.Law.Prepare(p.H, s.w)
	}
}

// factorTouched computes the Cholesky factors of the diagonal blocks of A of all
// touched nodes; A is known to be positive definite.
func (s *Solver) factorTouched() {
	p := s.p
	s.lowAt = resize(s.lowAt, len(p.NodeSize))
	s.low = s.low[:0]
	for node, n := range p.NodeSize {
		if s.touched[node] == 0 {
			continue
		}
		at := s.a.Off[s.graph.Ptr[node]]
		s.lowAt[node] = int32(len(s.low))
		s.low = append(s.low, s.a.Val[at:int(at)+n*n]...)
		l := s.low[s.lowAt[node]:]
		for j := range n {
			for i := j; i < n; i++ {
				x := l[i*n+j]
				for k := range j {
					x -= l[i*n+k] * l[j*n+k]
				}
				if i == j {
					l[i*n+i] = math.Sqrt(x)
				} else {
					l[i*n+j] = x / l[j*n+j]
				}
			}
		}
	}
}

// norm2Solve returns |L⁻¹ b|²; x is scratch.
func norm2Solve(l, b, x []float64) float64 {
	n, sum := len(b), 0.0
	for i := range n {
		y := b[i]
		for k := range i {
			y -= l[i*n+k] * x[k]
		}
		x[i] = y / l[i*n+i]
		sum += x[i] * x[i]
	}
	return sum
}
