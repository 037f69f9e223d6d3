package bench

// The factorization of the Newton matrix is measured apart from steps, because it dominates the
// cost of large bodies, and because its arithmetic can be compared with the peak of a processor and
// with other programs: the matrix can be written to a file.
//
// The matrix is assembled here by the plain sum of its terms, not by the solver: the tests compare it
// with the derivative of the gradient.

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/internal/matrixmarket"
	"github.com/curlfree/curlfree/supernodal"
	"github.com/curlfree/curlfree/workers"
)

// NewtonMatrix is the Hessian of the problem (1) of a step at its solution,
//
//	H = A + Σ J_iᵀ G_i J_i,      G_i = ∂²ℓ_i/∂v_c²                       (1)
//
// with its graph: nodes that constraints touch have class 1, others class 0.
type NewtonMatrix struct {
	// Graph is the sparsity pattern, in blocks of nodes.
	Graph *supernodal.Graph
	// H has the lower triangle in blocks.
	H supernodal.Matrix
}

// Factorization is the cost of the factorization H = L Lᵀ. Times are wall-clock times.
type Factorization struct {
	// Size is the number of rows.
	Size int `json:"size"`
	// AnalyzeMs is the time of ordering and symbolic factorization, needed once for each
	// sparsity pattern, ms.
	AnalyzeMs float64 `json:"analyze_ms"`
	// Ms is the time of a complete numeric factorization, needed once in a step, ms.
	Ms float64 `json:"ms"`
	// RefactorMs is the time of factoring only the nodes that constraints touch, needed in
	// further iterations of a step, ms.
	RefactorMs float64 `json:"refactor_ms"`
	// SolveMs is the time of a forward and a backward substitution, ms.
	SolveMs float64 `json:"solve_ms"`
	// CPUMs is the processor time of a complete factorization, summed over threads, ms; 0
	// if unknown.
	CPUMs float64 `json:"cpu_ms,omitempty"`
	// Mflop is the number of floating-point operations of a complete factorization, 10⁶.
	Mflop float64 `json:"mflop"`
	// GFlops is the rate Mflop/Ms, 10⁹ operations per second.
	GFlops float64 `json:"gflop_per_s"`
	// Nonzeros is the number of stored entries of L.
	Nonzeros int `json:"nonzeros"`
	// Residual is the relative residual max|b − H x| / max(|b| + |H| |x|) for b = 1.
	Residual float64 `json:"residual"`
}

// newtonMatrix assembles (1) at the solution of a problem.
// The graph comes first, because blocks have their places by it.
func newtonMatrix(p *cliques.Problem) *NewtonMatrix {
	m := &NewtonMatrix{Graph: pattern(p)}
	m.H.Reset(m.Graph)
	// A: dense blocks of trees, sparse ones of deformables
	for k := range p.Cliques {
		c := &p.Cliques[k]
		// a dense clique is one node
		if c.Pattern == nil {
			copy(m.H.Block(int(c.First), int(c.First)), c.A)
			continue
		}
		// blocks of 3×3 of the lower triangle, by columns
		for j := range c.Nodes {
			for e := c.Pattern.Ptr[j]; e < c.Pattern.Ptr[j+1]; e++ {
				copy(m.H.Block(int(c.First)+int(c.Pattern.Row[e]), int(c.First)+j), c.A[9*e:9*e+9])
			}
		}
	}
	// then the terms of (1), one constraint at a time
	for i := range p.Constraints {
		m.add(p, cliques.Handle(i))
	}
	return m
}

// pattern returns the graph of H.
// Elements and trees couple nodes in every step, constraints in this one only.
func pattern(p *cliques.Problem) *supernodal.Graph {
	g := new(supernodal.Graph)
	// class 1 is factored again in every iteration, class 0 once a step
	touched := make([]uint8, len(p.NodeSize))
	for i := range p.Constraints {
		for _, b := range p.Blocks(cliques.Handle(i)) {
			touched[b.Node] = 1
		}
	}
	for i, n := range p.NodeSize {
		g.AddNode(n, touched[i])
	}
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if c.Pattern == nil {
			continue
		}
		for j := range c.Nodes {
			for _, i := range c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]] {
				g.AddEdge(int(c.First)+int(i), int(c.First)+j)
			}
		}
	}
	// edges so far are of the model, those below of this step's contacts
	g.MarkPersistent()
	for i := range p.Constraints {
		blocks := p.Blocks(cliques.Handle(i))
		// a constraint couples all nodes that it touches, each pair once
		for a := range blocks {
			for b := range a {
				g.AddEdge(int(blocks[a].Node), int(blocks[b].Node))
			}
		}
	}
	// columns in order, as the factorization wants them
	g.Pack()
	return g
}

// add adds the term JᵀGJ of a constraint.
func (m *NewtonMatrix) add(p *cliques.Problem, h cliques.Handle) {
	c, blocks := &p.Constraints[h], p.Blocks(h)
	// G at the solution, from the law itself
	d := c.Dim
	G, gamma := make([]float64, d*d), make([]float64, d)
	c.Law.Eval(p.Velocity(h), gamma, G)
	for _, a := range blocks {
		for _, b := range blocks {
			// only the lower triangle is stored
			if a.Node < b.Node {
				continue
			}
			na, nb := p.NodeSize[a.Node], p.NodeSize[b.Node]
			H := m.H.Block(int(a.Node), int(b.Node))
			// a plain sum without tricks: it is not timed
			for i := range na {
				for j := range nb {
					for r := range d {
						for s := range d {
							H[i*nb+j] += a.J[r*na+i] * G[r*d+s] * b.J[s*nb+j]
						}
					}
				}
			}
		}
	}
}

// Size returns the number of rows.
// Nodes are of different sizes: three velocities of a vertex, all of a tree.
func (m *NewtonMatrix) Size() int {
	n := 0
	for _, s := range m.Graph.Size {
		n += int(s)
	}
	return n
}

// Each part of the factorization is timed for at least timeFor seconds and minRuns times, but
// at most maxRuns times. Below coarse, processor time is the mean of all runs, since its clock
// is not finer.
const (
	timeFor = 0.2
	minRuns = 3
	maxRuns = 50
	coarse  = 1e-3 // s
)

// time runs analysis, factorization and solution.
func (m *NewtonMatrix) time(pool *workers.Pool) (Factorization, error) {
	n := m.Size()
	f := Factorization{Size: n}
	// a scene without bodies that move has nothing to factor
	if n == 0 {
		return f, nil
	}
	// the factorization of steps, alone
	c := supernodal.Cholesky{Pool: pool}
	x := make([]float64, n)
	var err error
	// the least wall-clock time, as other load only adds
	best := func(run func()) (wall, cpu float64) {
		quickest, least, spent, used, runs := math.Inf(1), math.Inf(1), 0.0, 0.0, 0
		for ; err == nil && (runs < minRuns || runs < maxRuns && spent < timeFor); runs++ {
			before, begin := cputime.Used().Seconds(), time.Now()
			run()
			t, p := time.Since(begin).Seconds(), cputime.Used().Seconds()-before
			quickest, least, spent, used = min(quickest, t), min(least, p), spent+t, used+p
		}
		if least < coarse { // than processor time is counted
			least = used / float64(runs)
		}
		return 1e3 * quickest, 1e3 * least
	}
	c.Analyze(m.Graph) // grows buffers
	f.AnalyzeMs, _ = best(func() { c.Analyze(m.Graph) })
	// a matrix that is not positive definite ends the measurement with its cause
	if err = c.Factor(&m.H); err == nil {
		f.Ms, f.CPUMs = best(func() { err = c.Factor(&m.H) })
	}
	if err == nil {
		f.RefactorMs, _ = best(func() { err = c.Refactor(&m.H) })
	}
	if err != nil {
		return f, fmt.Errorf("the Newton matrix of the last step: %w", err)
	}
	// any right side costs the same; ones make the residual easy to judge
	f.SolveMs, _ = best(func() {
		for i := range x {
			x[i] = 1
		}
		c.Solve(x)
	})
	// the last solution shows whether the factor was right at all
	f.Residual = m.residual(x)
	f.Mflop, f.Nonzeros = c.Flops()/1e6, c.Nonzeros()
	f.GFlops = f.Mflop / f.Ms
	return f, nil
}

// residual returns the relative residual of H x = 1, see Factorization.Residual.
func (m *NewtonMatrix) residual(x []float64) float64 {
	// |b − H x| and |b| + |H||x|: a residual that does not depend on scaling (Oettli and Prager 1964)
	r, size := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		r[i], size[i] = 1, 1
	}
	m.entries(func(i, j int, h float64) {
		r[i] -= h * x[j]
		size[i] += math.Abs(h * x[j])
		if i != j {
			r[j] -= h * x[i]
			size[j] += math.Abs(h * x[i])
		}
	})
	// largest norms of both
	worst, most := 0.0, 0.0
	for i := range r {
		worst, most = max(worst, math.Abs(r[i])), max(most, size[i])
	}
	return worst / most
}

// entries calls f for the nonzero entries of the lower triangle, and for all of the diagonal.
func (m *NewtonMatrix) entries(f func(i, j int, h float64)) {
	g := m.Graph
	// rows count numbers, nodes have several
	offset := make([]int, g.Nodes())
	for i := 1; i < g.Nodes(); i++ {
		offset[i] = offset[i-1] + int(g.Size[i-1])
	}
	for j := range g.Nodes() {
		n := int(g.Size[j])
		for k := g.Ptr[j]; k < g.Ptr[j+1]; k++ {
			// blocks are stored by rows of n numbers
			for at, h := range m.H.Val[m.H.Off[k]:m.H.Off[k+1]] {
				if r, c := offset[g.Row[k]]+at/n, offset[j]+at%n; r == c || r > c && h != 0 {
					f(r, c, h)
				}
			}
		}
	}
}

// WriteMatrixMarket writes the lower triangle of H for other programs in the Matrix Market format.
func (m *NewtonMatrix) WriteMatrixMarket(w io.Writer) error {
	return matrixmarket.Write(w, m.Size(), m.entries)
}
