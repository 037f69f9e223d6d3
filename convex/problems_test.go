package convex

import (
	"math/rand/v2"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/oracle"
)

// spec describes a random problem so that it can be built in any order and
// representation.
type spec struct {
	size  []int       // of bodies; every one is a dense block, or vertices
	vert  []bool      // body may be appended as vertices
	A     [][]float64 // of bodies, row-major
	v0, p [][]float64
	terms []term
}

type term struct {
	law  cliques.Law
	body []int
	node []int // 3·node is the first column touched, for vertex bodies
	J    [][]float64
	b    []float64
}

func randomVec(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// randomSPD returns B Bᵀ + n scaled by s; with chain, only neighbouring blocks
// of three are coupled.
func randomSPD(r *rand.Rand, n int, s float64, chain bool) []float64 {
	a := make([]float64, n*n)
	for i := range n {
		for j := range i {
			if chain && i/3-j/3 > 1 {
				continue
			}
			a[i*n+j] = s * (2*r.Float64() - 1)
			a[j*n+i] = a[i*n+j]
		}
		a[i*n+i] = s * (float64(min(n, 9)) + r.Float64())
	}
	return a
}

// randomSpec draws bodies, some of vertices, and constraints on one to four
// nodes with laws of the given stiffness; masses spread over a ratio.
func randomSpec(r *rand.Rand, bodies, terms int, stiff, ratio float64) *spec {
	s := new(spec)
	for k := range bodies {
		n := []int{1, 2, 6, 6, 7, 9, 15}[r.IntN(7)]
		vert := n%3 == 0 && n > 6
		scale := 1.0
		if k%2 == 1 {
			scale = ratio
		}
		s.size, s.vert = append(s.size, n), append(s.vert, vert)
		s.A = append(s.A, randomSPD(r, n, scale, vert))
		s.v0 = append(s.v0, randomVec(r, n))
		p := randomVec(r, n)
		for i := range p {
			p[i] *= scale
		}
		s.p = append(s.p, p)
	}
	for range terms {
		law := randomLaw(r, stiff)
		t := term{law: law, b: randomVec(r, law.Dim())}
		for i := range t.b {
			t.b[i] *= 0.1
		}
		for range 1 + r.IntN(4) {
			k := r.IntN(bodies)
			n, node := s.size[k], 0
			if s.vert[k] {
				n, node = 3, r.IntN(n/3)
			}
			again := false
			for i := range t.body {
				again = again || t.body[i] == k && t.node[i] == node
			}
			if again {
				continue
			}
			t.body, t.node = append(t.body, k), append(t.node, node)
			t.J = append(t.J, randomVec(r, law.Dim()*n))
		}
		s.terms = append(s.terms, t)
	}
	return s
}

// build appends the bodies and terms in the given orders and returns the
// problem and the first velocity of each body.
func (s *spec) build(p *cliques.Problem, bodies, terms []int, vertices bool) (offset []int) {
	p.Reset(0, 0.01)
	offset = make([]int, len(s.size))
	first := make([]cliques.Node, len(s.size))
	sparse := make([]bool, len(s.size))
	for _, k := range bodies {
		offset[k] = p.Size()
		n := s.size[k]
		if vertices && s.vert[k] {
			sparse[k] = true
			pat := chainPattern(n / 3)
			node, A, v0, mom := p.AddSparse(pat)
			first[k] = node
			copy(v0, s.v0[k])
			copy(mom, s.p[k])
			for j := range pat.N {
				for e := pat.Ptr[j]; e < pat.Ptr[j+1]; e++ {
					i := int(pat.Row[e])
					for x := range 9 {
						A[9*int(e)+x] = s.A[k][(3*i+x/3)*n+3*j+x%3]
					}
				}
			}
			continue
		}
		node, A, v0, mom := p.AddDense(n)
		first[k] = node
		copy(A, s.A[k])
		copy(v0, s.v0[k])
		copy(mom, s.p[k])
	}
	for _, i := range terms {
		t := &s.terms[i]
		p.AddConstraint(t.law)
		for x, k := range t.body {
			n := s.size[k]
			switch {
			case sparse[k]:
				copy(p.Block(first[k]+cliques.Node(t.node[x])), t.J[x])
			case s.vert[k]:
				J := p.Block(first[k])
				for row := range len(t.b) {
					for c := range 3 {
						J[row*n+3*t.node[x]+c] += t.J[x][3*row+c]
					}
				}
			default:
				copy(p.Block(first[k]), t.J[x])
			}
		}
		for row, b := range t.b {
			p.AddBias(row, b)
		}
	}
	return offset
}

func chainPattern(n int) *cliques.Pattern {
	pat := &cliques.Pattern{N: n}
	for j := range n {
		pat.Ptr = append(pat.Ptr, int32(len(pat.Row)))
		pat.Row = append(pat.Row, int32(j))
		if j+1 < n {
			pat.Row = append(pat.Row, int32(j+1))
		}
	}
	pat.Ptr = append(pat.Ptr, int32(len(pat.Row)))
	return pat
}

func count(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

// denseTwin returns A, v* and the terms of a problem as dense matrices.
func denseTwin(p *cliques.Problem) (A, vStar []float64, terms []oracle.Term) {
	n := p.Size()
	A = make([]float64, n*n)
	for k := range p.Cliques {
		c := &p.Cliques[k]
		o := c.Offset
		if c.Pattern == nil {
			for i := range c.Size {
				copy(A[(o+i)*n+o:], c.A[i*c.Size:(i+1)*c.Size])
			}
			continue
		}
		for j := range c.Nodes {
			for e := c.Pattern.Ptr[j]; e < c.Pattern.Ptr[j+1]; e++ {
				i := int(c.Pattern.Row[e])
				for x := range 9 {
					A[(o+3*i+x/3)*n+o+3*j+x%3] = c.A[9*int(e)+x]
					A[(o+3*j+x%3)*n+o+3*i+x/3] = c.A[9*int(e)+x]
				}
			}
		}
	}
	vStar = oracle.Solve(A, p.P)
	for i := range vStar {
		vStar[i] += p.V0[i]
	}
	for h := range p.Constraints {
		c := &p.Constraints[h]
		J := make([]float64, c.Dim*n)
		for _, b := range p.Blocks(handle(h)) {
			m, o := p.NodeSize[b.Node], p.NodeOffset[b.Node]
			for r := range c.Dim {
				copy(J[r*n+o:], b.J[r*m:(r+1)*m])
			}
		}
		terms = append(terms, oracle.Term{Law: c.Law, J: J, B: p.Bias[c.Row : c.Row+c.Dim]})
	}
	return A, vStar, terms
}
