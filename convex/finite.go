package convex

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// checkFinite looks for NaN and infinities in the input, to blame them where
// they enter rather than where they surface.
func (s *Solver) checkFinite() error {
	p := s.p
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if i := notFinite(c.A); i >= 0 {
			node, row := int(c.First), 0
			if c.Pattern == nil {
				row = i / c.Size
			} else {
				node, row = int(c.First)+int(c.Pattern.Row[i/9]), i%9/3
			}
			return &NonFiniteError{"momentum matrix A", cliques.Node(node), -1, row}
		}
	}
	for _, x := range [...]struct {
		what string
		x    []float64
	}{{"velocity", p.V0}, {"momentum", p.P}, {"guess", s.v}} {
		if i := notFinite(x.x); i >= 0 {
			node := 0
			for i >= p.NodeOffset[node]+p.NodeSize[node] {
				node++
			}
			return &NonFiniteError{x.what, cliques.Node(node), -1, i - p.NodeOffset[node]}
		}
	}
	for h := range p.Constraints {
		c := &p.Constraints[h]
		if r := notFinite(p.Bias[c.Row : c.Row+c.Dim]); r >= 0 {
			return &NonFiniteError{"bias", -1, handle(h), r}
		}
		for _, b := range p.Blocks(handle(h)) {
			if i := notFinite(b.J); i >= 0 {
				return &NonFiniteError{"Jacobian", -1, handle(h), i / p.NodeSize[b.Node]}
			}
		}
	}
	return nil
}

// checkSymmetric panics when a clique's A is not symmetric to round-off: products
// would read one triangle and the factorization the other.
func (s *Solver) checkSymmetric() {
	check := func(k int, a []float64, n int) {
		for i := range n {
			for j := range i {
				x, y := a[i*n+j], a[j*n+i]
				if math.Abs(x-y) > 1e-9*math.Sqrt(math.Abs(a[i*n+i]*a[j*n+j])) {
					panic(fmt.Sprintf("convex: A of clique %d is not symmetric: %g and %g", k, x, y))
				}
			}
		}
	}
	for k := range s.p.Cliques {
		c := &s.p.Cliques[k]
		if c.Pattern == nil {
			check(k, c.A, c.Size)
			continue
		}
		for j := range c.Nodes {
			check(k, c.A[9*c.Pattern.Ptr[j]:], 3)
		}
	}
}

// notFinite returns the first index at which x is NaN or infinite, or −1.
func notFinite(x []float64) int {
	var a, b, c, d float64 // 0, or NaN; four, so that none waits for the last
	y := x
	for ; len(y) >= 4; y = y[4:] {
		a += y[0] - y[0]
		b += y[1] - y[1]
		c += y[2] - y[2]
		d += y[3] - y[3]
	}
	for _, v := range y {
		a += v - v
	}
	if a+b+c+d == 0 {
		return -1
	}
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

// blame names what is not finite in the evaluation of a constraint.
func (s *Solver) blame(i int) error {
	c := &s.p.Constraints[i]
	if r := notFinite(s.p.Gamma[c.Row : c.Row+c.Dim]); r >= 0 {
		return &NonFiniteError{"impulse", -1, handle(i), r}
	}
	if k := notFinite(s.g[s.gOff[i]:s.gOff[i+1]]); k >= 0 {
		return &NonFiniteError{"Hessian", -1, handle(i), k / c.Dim}
	}
	return &NonFiniteError{"cost", -1, handle(i), 0}
}
