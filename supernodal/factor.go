// Package supernodal is a sparse Cholesky factorization, supernodal and multifrontal, of
// symmetric positive definite matrices made of blocks of various sizes,
//
//	H = L Lᵀ                                                                (1)
//
// by the multifrontal method. Nodes (block rows) are eliminated in an order that creates
// little fill. Runs of columns of L with the same rows form supernodes. A supernode s
// is a dense front, assembled from the matrix and from its children in the tree,
//
//	    ⎡F11    ⎤
//	F = ⎢       ⎥ = H_s + Σ U_c  over the children c of s  ("extend-add")      (2)
//	    ⎣F21 F22⎦
//	F11 = L11 L11ᵀ,  L21 = F21 L11⁻ᵀ,  U_s = F22 − L21 L21ᵀ                     (3)
//
//	H_s   entries of H in the columns of s, and below its diagonal
//	L11   w×w, the diagonal block of L; L21 (f−w)×w the rows below. Both make the panel
//	U_s   (f−w)×(f−w), the contribution block (a Schur complement): what the subtree of s
//	      adds to the rows that follow when it is eliminated
//
// The front is factored right-looking, by dense kernels in blocks that fit the caches.
// (A left-looking supernodal factorization would gather the products L Lᵀ of all
// descendants instead; the multifrontal one moves more memory, but fronts of disjoint
// subtrees share nothing, so that threads need no locks and sums have one order.)
//
// The plan (symbolic factorization: order, elimination tree, memory layout) depends
// on the sparsity pattern alone and is kept while the pattern stays. Nodes whose
// entries change often are put in class 1, and Refactor computes only the fronts
// that depend on their entries. In order of use:
//
//	var g Graph          // AddNode, AddEdge, MarkPersistent for edges that stay, Pack
//	var m Matrix         // Reset(&g), then write its blocks
//	var c Cholesky       // Pool on several threads
//	c.Analyze(&g)        // once for a pattern
//	err := c.Factor(&m)  // for every matrix; Refactor when only class 1 has changed
//	c.Solve(x)           // for every right-hand side
//
// FactorSolve and RefactorSolve are both in one, faster than one after the other.
//
// Steady sequences of factorizations and solutions allocate nothing.
//
// Sources: Duff, Reid, "The multifrontal solution of indefinite sparse symmetric
// linear equations", ACM TOMS 9, 1983; Liu, "The multifrontal method for sparse
// matrix solution", SIAM Review 34, 1992; Davis, "Direct Methods for Sparse Linear
// Systems", SIAM 2006. Orderings: amd.go, dissect.go, persistent.go.
package supernodal

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/curlfree/curlfree/workers"
)

// Cholesky is a factorization and its memory. The zero value is ready for
// Analyze. It serves one goroutine at a time.
type Cholesky struct {
	// Pool runs independent subtrees on several threads; nil is serial. Set it before
	// Analyze. Results have the same bits for any number of threads.
	Pool *workers.Pool
	// Interrupted is asked between parts of a factorization that take longer than it takes to ask; where it is true, as
	// it is from then on, the factorization ends with ErrInterrupted. Analyze ends likewise, see Err. nil: never. It is
	// called from several goroutines.
	Interrupted func() bool
	stopped     atomic.Bool

	s       *symbolic // the plan in use, one of plans
	plans   [orderings]symbolic
	scratch scratch
	g       *Graph
	// numValues is the number of values of a matrix over the graph.
	numValues int
	// err is why the last Analyze ended without a plan.
	err error

	l    []float64 // panels of all supernodes, column-major
	cb   []float64 // contribution blocks
	diag []float64 // diagonal of H, permuted
	inv  []float64 // reciprocals of L's diagonal, permuted
	// smallest and largest entry on L's diagonal of each supernode
	lo, hi []float64
	// largest ratio of diagonal entry and pivot of each supernode
	loss   []float64
	failed []int32   // failing row of each supernode, −1
	x      []float64 // permuted right-hand side
	z      []float64 // parts of a right-hand side in each front

	// of the loop that workers run:
	job     job
	m       *Matrix
	product product // that tiles are of
	// factorize only the supernodes that Refactor computes
	partial bool
	// factorize and solve forward
	solving bool

	factored bool // L is that of the last matrix
	// the part of L that Refactor does not compute is that of the last Factor
	reusable bool
	// pivot is where Factor failed last: steps that fall back on another matrix allocate nothing
	pivot PivotError
}

// PivotError reports that a matrix is not positive definite to working precision.
type PivotError struct {
	// graph node at which elimination found a pivot that is not clearly positive
	Node int
	Row  int // row within the node, from 0
}

// Error names the node and the row.
func (e *PivotError) Error() string {
	return fmt.Sprintf("supernodal: matrix is not positive definite: pivot of node %d, row %d", e.Node, e.Row)
}

// Factor computes L for all of the matrix, which must be one over the graph of Analyze.
// On failure, a *PivotError that is valid until the next call, Solve must not be called.
func (c *Cholesky) Factor(m *Matrix) error { return c.run(m, false, nil) }

// FactorSolve is Factor followed by Solve(x), with the same bits. The forward solution passes
// each panel right after its elimination, while the caches have it: Solve reads all of L from
// memory once more. On failure x stays as it is.
func (c *Cholesky) FactorSolve(m *Matrix, x []float64) error { return c.run(m, false, x) }

// Refactor computes L again where it depends on entries between two nodes of
// class 1, the only ones that may differ from the last successful Factor. After
// a failure it may be called again with other values. It panics without a successful
// Factor before.
func (c *Cholesky) Refactor(m *Matrix) error { return c.RefactorSolve(m, nil) }

// RefactorSolve is Refactor followed by Solve(x), like FactorSolve.
func (c *Cholesky) RefactorSolve(m *Matrix, x []float64) error {
	if !c.reusable {
		panic("supernodal: Refactor without Factor")
	}
	return c.run(m, true, x)
}

// run factors all supernodes, or those that Refactor computes: subtrees by tasks, then
// the top of the tree one by one. Unless x is nil it overwrites x by the solution.
func (c *Cholesky) run(m *Matrix, partial bool, x []float64) error {
	if c.err != nil {
		return c.err
	}
	c.mustBeAnalyzed("Factor")
	if len(m.Off) != len(c.g.Row)+1 || len(m.Val) != c.numValues {
		panic(fmt.Sprintf("supernodal: Factor: a matrix of %d blocks and %d values for an analyzed graph of %d blocks and %d values: call Analyze with its graph",
			max(0, len(m.Off)-1), len(m.Val), len(c.g.Row), c.numValues))
	}
	if c.solving = x != nil; c.solving {
		c.gather(x)
	}
	// subtrees, then the top
	c.m, c.partial, c.factored = m, partial, false
	c.stopped.Store(false)
	c.runTasks(factorize)
	for _, k := range c.s.top {
		if c.halted() {
			break
		}
		c.front(k, 0, true)
	}
	c.m = nil
	if c.stopped.Load() {
		c.reusable = false
		return ErrInterrupted
	}
	// the first failure in order of supernodes, whatever the order of threads
	for k, row := range c.failed {
		if row >= 0 {
			c.reusable = partial
			return c.pivotError(&c.s.node[k], row)
		}
	}
	c.factored, c.reusable = true, true
	if c.solving {
		c.backwardAll(x)
	}
	return nil
}

// Err returns why the last Analyze ended without a plan: nil where there is one, ErrInterrupted, or a *memory.LackError
// in an error that says how much it takes. Factor returns the same error.
func (c *Cholesky) Err() error { return c.err }

// mustBeAnalyzed panics before the first Analyze.
func (c *Cholesky) mustBeAnalyzed(method string) {
	if c.g == nil {
		panic("supernodal: " + method + " without Analyze")
	}
}

// job is what tasks do.
type job uint8

const (
	factorize job = iota // fronts of subtrees
	forward              // L y = x on subtrees
	backward             // Lᵀ y = x on subtrees
	tiles                // tiles of one large product
)

// runTasks does a job on all subtrees that are tasks.
func (c *Cholesky) runTasks(j job) {
	c.job = j
	pool := c.Pool
	if pool.Size() > c.s.workers { // memory is for fewer
		pool = nil
	}
	pool.Run(len(c.s.tasks), c)
}

// Do runs one task: it implements workers.Task.
func (c *Cholesky) Do(worker, i int) {
	if c.job == tiles {
		c.product.tile(c, i)
		return
	}
	t := &c.s.tasks[i]
	switch c.job {
	case factorize:
		asked := 0.0
		for k := t.lo; k < t.hi; k++ {
			if asked += c.s.node[k].work; asked > askFrom {
				if asked = 0; c.halted() {
					return
				}
			}
			c.front(k, worker, false)
		}
	case forward:
		for k := t.lo; k < t.hi; k++ {
			c.forward(k)
		}
	case backward:
		for k := t.hi - 1; k >= t.lo; k-- {
			c.backward(k)
		}
	}
}

// update returns the contribution block of a supernode.
func (c *Cholesky) update(t *supernode, worker int) []float64 {
	at := t.cb
	if !t.keep {
		at += c.s.cbKeep + worker*c.s.cbStack
	}
	return c.cb[at : at+t.update()]
}

// front assembles and eliminates supernode k by (2) and (3), with large products shared
// among the workers on request, and solves forward where that is asked for.
func (c *Cholesky) front(k int32, worker int, share bool) {
	if !c.partial || c.s.node[k].refactored {
		c.eliminate(k, worker, share)
	}
	// a front that failed has no factor
	if c.solving && c.failed[k] < 0 {
		c.forward(k)
	}
}

// eliminate does (2) and (3) for supernode k.
func (c *Cholesky) eliminate(k int32, worker int, share bool) {
	s := c.s
	t := &s.node[k]
	f, w := int(t.f), int(t.w)
	m := f - w
	p, u := c.l[t.l:t.l+f*w], c.update(t, worker)
	diag, inv := c.diag[s.start[t.first]:][:w], c.inv[s.start[t.first]:][:w]
	c.assemble(t, p, diag, worker)
	c.failed[k] = -1
	if j := c.panel(p, f, w, diag, inv, share); j >= 0 {
		c.failed[k] = int32(j)
		return
	}
	// U = −L21 L21ᵀ, then the children's parts of F22: nothing need be cleared
	if m > 0 && !c.stopped.Load() {
		c.subtract(&product{u, p[w:], p[w:], m, f, f, m, m, w, modeLower | modeAssign}, share)
		for _, ch := range s.child[t.child0:t.child1] {
			b := &s.node[ch]
			extend(u, m, c.update(b, worker), int(b.f-b.w), s.runs[b.runSplit:b.run1], int(b.run1-b.runSplit), w)
		}
	}
	// estimates
	lo, hi, loss := math.Inf(1), 0.0, 1.0
	for i := range w {
		d := p[i+i*f]
		lo, hi, loss = min(lo, d), max(hi, d), max(loss, diag[i]/(d*d))
	}
	c.lo[k], c.hi[k], c.loss[k] = lo, hi, loss
}

// assemble writes the first w columns of (2) to the panel p, and the diagonal of H.
func (c *Cholesky) assemble(t *supernode, p, diag []float64, worker int) {
	s := c.s
	f := int(t.f)
	clear(p)
	for i := range s.scatters[t.scatter0:t.scatter1] {
		s.scatters[int(t.scatter0)+i].copy(p, f, c.m.Val)
	}
	for i := range diag {
		diag[i] = p[i+i*f]
	}
	for _, ch := range s.child[t.child0:t.child1] {
		b := &s.node[ch]
		extend(p, f, c.update(b, worker), int(b.f-b.w), s.runs[b.run0:b.run1], int(b.runSplit-b.run0), 0)
	}
}

// copy places one block in a panel of f rows.
func (b *scatter) copy(p []float64, f int, val []float64) {
	if b.rows == 3 && b.cols == 3 { // two vertices
		v := (*[9]float64)(val[b.val:])
		// three columns of the panel
		x, y, z := (*[3]float64)(p[b.dst:]), (*[3]float64)(p[int(b.dst)+f:]), (*[3]float64)(p[int(b.dst)+2*f:])
		if b.rs == 1 { // transposed
			x[0], x[1], x[2] = v[0], v[1], v[2]
			y[0], y[1], y[2] = v[3], v[4], v[5]
			z[0], z[1], z[2] = v[6], v[7], v[8]
		} else {
			x[0], x[1], x[2] = v[0], v[3], v[6]
			y[0], y[1], y[2] = v[1], v[4], v[7]
			z[0], z[1], z[2] = v[2], v[5], v[8]
		}
		return
	}
	for j := range int(b.cols) {
		for i := range int(b.rows) {
			p[int(b.dst)+i+j*f] = val[int(b.val)+i*int(b.rs)+j*int(b.cs)]
		}
	}
}

// pivotError returns the error for a row of a supernode.
func (c *Cholesky) pivotError(t *supernode, row int32) error {
	at := c.s.start[t.first] + row
	// the position that has the row
	q := t.first
	for c.s.start[q+1] <= at {
		q++
	}
	c.pivot = PivotError{Node: int(c.s.order[q]), Row: int(at - c.s.start[q])}
	return &c.pivot
}

// Condition returns a lower estimate of the condition number of H: the squared ratio
// of the largest and smallest entry on L's diagonal; 1 for an empty matrix.
func (c *Cholesky) Condition() float64 {
	lo, hi := math.Inf(1), 0.0
	for k := range c.lo {
		lo, hi = min(lo, c.lo[k]), max(hi, c.hi[k])
	}
	if hi == 0 {
		return 1
	}
	return hi / lo * (hi / lo)
}

// Cancellation returns the largest ratio of a diagonal entry of H and its pivot after
// elimination: its log10 is the number of digits lost. Unlike Condition it does not
// depend on the units of rows.
func (c *Cholesky) Cancellation() float64 {
	most := 1.0
	for _, x := range c.loss {
		most = max(most, x)
	}
	return most
}

// Nonzeros returns the number of floats stored for L, with the zeros that merging of
// supernodes adds.
func (c *Cholesky) Nonzeros() int {
	c.mustBeAnalyzed("Nonzeros")
	return c.s.lSize
}

// Flops returns the number of multiplications and additions of Factor.
func (c *Cholesky) Flops() float64 {
	c.mustBeAnalyzed("Flops")
	return c.s.flops
}

// Order returns the nodes in order of elimination; it must not be changed.
func (c *Cholesky) Order() []int32 {
	c.mustBeAnalyzed("Order")
	return c.s.order
}
