package convex

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Values that are not finite come from bodies far out of their range: an inverted element,
// an overflow, a zero mass. All input is checked at every solve, and all values of
// laws at every evaluation.
//
// The check is one pass over values that a solve reads several times. The first fault
// is reported, by node or constraint; package sim names their owners.

// checkFinite looks for NaN and infinities in the input, to report the node or the
// constraint where they enter; later they would surface as a failed pivot elsewhere.
func checkFinite(p *cliques.Problem, guess []float64) error {
	// blocks of A
	for k := range p.Cliques {
		if err := checkClique(&p.Cliques[k]); err != nil {
			return err
		}
	}
	// vectors over velocities
	for _, x := range [...]struct {
		quantity string
		x        []float64
	}{{"velocity", p.V0}, {"momentum", p.P}, {"guess", guess}} {
		if i := notFinite(x.x); i >= 0 {
			node := nodeOf(p, i)
			return &NonFiniteError{x.quantity, node, -1, i - p.NodeOffset[node]}
		}
	}
	// Jacobians and biases
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

// nodeOf returns the node of velocity i.
func nodeOf(p *cliques.Problem, i int) cliques.Node {
	node := 0
	for i >= p.NodeOffset[node]+p.NodeSize[node] {
		node++
	}
	return cliques.Node(node)
}

// checkClique looks for NaN and infinities in A of a clique.
func checkClique(c *cliques.Clique) error {
	i := notFinite(c.A)
	if i < 0 {
		return nil
	}
	node, row := int(c.First), 0
	// index of the value → node and row: row-major, or blocks of nine
	if c.Pattern == nil {
		row = i / c.Size
	} else {
		node, row = int(c.First)+int(c.Pattern.Row[i/9]), i%9/3
	}
	return &NonFiniteError{"momentum matrix A", cliques.Node(node), -1, row}
}

// checkSymmetric panics when a clique's A is not symmetric to round-off: products
// would read one triangle and the factorization the other.
func checkSymmetric(p *cliques.Problem) {
	for k := range p.Cliques {
		c := &p.Cliques[k]
		// of 3×3 blocks only those on the diagonal have both triangles
		if c.Pattern == nil {
			checkBlock(k, c.A, c.Size)
			continue
		}
		for j := range c.Nodes {
			checkBlock(k, c.A[9*c.Pattern.Ptr[j]:], 3)
		}
	}
}

// checkBlock is checkSymmetric for one diagonal block (n×n) of clique k.
func checkBlock(k int, a []float64, n int) {
	for i := range n {
		for j := range i {
			x, y := a[i*n+j], a[j*n+i]
			if math.Abs(x-y) > 1e-9*math.Sqrt(math.Abs(a[i*n+i]*a[j*n+j])) {
				panic(fmt.Sprintf("convex: A of clique %d is not symmetric: %g and %g", k, x, y))
			}
		}
	}
}

// notFinite returns the first index at which x is NaN or infinite, or −1. It is called for
// all input of a solve: finite values, the usual ones, take one addition each.
func notFinite(x []float64) int {
	// y − y is 0, or NaN; four sums, so that no addition waits for the one before
	var a, b, c, d float64
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
	// NaN is not equal to 0
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
