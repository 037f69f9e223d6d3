// Package supernodal factors symmetric positive definite matrices made of blocks
// of various sizes, H = L Lᵀ, by the multifrontal method: nodes are eliminated in
// an order of little fill, runs of like columns form supernodes, each is a dense
// front assembled from the matrix and its children's contribution blocks. The
// plan depends on the pattern alone and is kept while it stays; nodes whose
// entries change often can be put in class 1, and Refactor then computes only
// the fronts that depend on them.
//
// Sources: Duff, Reid, "The multifrontal solution of indefinite sparse symmetric
// linear equations", ACM TOMS 9, 1983; Liu, "The multifrontal method for sparse
// matrix solution", SIAM Review 34, 1992; Davis 2006.
package supernodal

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/workers"
)

// Cholesky is a factorization and its memory. The zero value is ready for
// Analyze.
type Cholesky struct {
	// Pool runs independent subtrees; nil is serial. Set it before Analyze.
	// Results are the same bits for any number of workers.
	Pool *workers.Pool

	s        *symbolic // the plan in use, one of plans
	plans    [orderings]symbolic
	scratch  scratch
	g        *Graph
	l        []float64 // panels
	cb       []float64 // contribution blocks
	diag     []float64 // assembled diagonal, permuted
	lo, hi   []float64 // smallest and largest entry on L's diagonal of each supernode
	loss     []float64 // largest ratio of diagonal entry and pivot
	failed   []int32   // failing row of each supernode, −1
	x        []float64 // permuted right-hand side
	inv      []float64 // reciprocals of L's diagonal
	z        []float64 // parts of a right-hand side in each front
	m        *Matrix
	job      job
	shared   product
	dirty    bool // of the job factorize: only those
	factored bool // L is that of the last matrix
	clean    bool // and so is the part that Refactor leaves alone
}

// PivotError says that a matrix is not positive definite to working precision.
type PivotError struct {
	Node int // graph node at which elimination met a pivot not clearly positive
	Row  int // row within the node
}

func (e *PivotError) Error() string {
	return fmt.Sprintf("supernodal: matrix is not positive definite: pivot of node %d, row %d", e.Node, e.Row)
}

// Analyze plans the factorization of matrices over a packed graph: ordering,
// supernodes, memory. The graph must not change while the plan is in use.
func (c *Cholesky) Analyze(g *Graph) {
	c.choose(g)
	c.g, c.factored, c.clean = g, false, false
	c.l, c.cb = resize(c.l, c.s.lSize), resize(c.cb, c.s.cbSize)
	n, k := int(c.s.start[len(c.s.order)]), len(c.s.node)
	c.diag, c.inv, c.x = resize(c.diag, n), resize(c.inv, n), resize(c.x, n)
	c.lo, c.hi, c.loss, c.failed = resize(c.lo, k), resize(c.hi, k), resize(c.loss, k), resize(c.failed, k)
	c.z = resize(c.z, c.s.zSize)
}

// choose plans by the order of the base, if there is one, and searches for others
// only where what it adds to the work of the base could pay for that.
func (c *Cholesky) choose(g *Graph) {
	if !g.hasBase() {
		c.search(g, dissectAbove)
		return
	}
	c.orderBase(g)
	c.scratch.adjacency(g)
	c.start(g, lasting)
	planning := planEdge * float64(len(g.Row))
	if c.s.cost-c.scratch.base.cost > searchGain*planning {
		c.try(g, minimumFill)
		if c.s.cost-c.scratch.base.cost > dissectAbove*planning {
			c.try(g, dissection)
		}
	}
	if c.s.recost > searchGain*planning {
		c.try(g, class1Last)
	}
}

// search plans by minimum degree, and by other orderings when what they may save
// is more than the time to plan them. The cheapest plan wins.
func (c *Cholesky) search(g *Graph, dissectAbove float64) {
	c.scratch.adjacency(g)
	c.start(g, minimumFill)
	planning := planEdge * float64(len(g.Row))
	if c.s.recost > planning {
		c.try(g, class1Last)
	}
	if c.s.cost+c.s.recost > dissectAbove*planning {
		c.try(g, dissection)
		c.try(g, roundDissection)
	}
}

// start plans by an ordering, and takes it.
func (c *Cholesky) start(g *Graph, by ordering) {
	c.s = &c.plans[by]
	c.s.scratch = &c.scratch
	c.s.analyze(g, by, c.Pool.Size())
}

func (c *Cholesky) try(g *Graph, by ordering) {
	s := &c.plans[by]
	s.scratch = &c.scratch
	if s.analyze(g, by, c.Pool.Size()); s.cost+s.recost < c.s.cost+c.s.recost {
		c.s = s
	}
}

// Factor computes L for all of the matrix. On failure, a *PivotError, Solve must
// not be called.
func (c *Cholesky) Factor(m *Matrix) error { return c.run(m, false) }

// Refactor computes L again where it depends on entries between two nodes of
// class 1, the only ones that may differ from the last successful Factor. After
// a failure it may be called again with other values.
func (c *Cholesky) Refactor(m *Matrix) error {
	if !c.clean {
		panic("supernodal: Refactor without Factor")
	}
	return c.run(m, true)
}

func (c *Cholesky) run(m *Matrix, dirty bool) error {
	if len(m.Off) != len(c.g.Row)+1 {
		panic("supernodal: matrix of another graph than was analyzed")
	}
	c.m, c.dirty, c.factored = m, dirty, false
	c.runTasks(factorize)
	for _, k := range c.s.top {
		c.front(k, 0, true)
	}
	c.m = nil
	for k, row := range c.failed {
		if row >= 0 {
			c.clean = dirty
			return c.pivotError(&c.s.node[k], row)
		}
	}
	c.factored, c.clean = true, true
	return nil
}

// job is what tasks do.
type job uint8

const (
	factorize job = iota
	forward
	backward
	tiles
)

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
		c.shared.tile(i)
		return
	}
	t := &c.s.tasks[i]
	switch c.job {
	case factorize:
		for k := t.lo; k < t.hi; k++ {
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

// front assembles and eliminates supernode k, sharing large products among the
// workers if it may.
func (c *Cholesky) front(k int32, worker int, share bool) {
	s := c.s
	t := &s.node[k]
	if c.dirty && !t.dirty {
		return
	}
	f, w := int(t.f), int(t.w)
	m := f - w
	p, u := c.l[t.l:t.l+f*w], c.update(t, worker)
	clear(p)
	for i := range s.scatters[t.scatter0:t.scatter1] {
		s.scatters[int(t.scatter0)+i].copy(p, f, c.m.Val)
	}
	diag := c.diag[s.start[t.first]:][:w]
	for i := range diag {
		diag[i] = p[i+i*f]
	}
	for _, ch := range s.child[t.child0:t.child1] {
		b := &s.node[ch]
		extend(p, f, c.update(b, worker), int(b.f-b.w), s.runs[b.run0:b.run1], int(b.runSplit-b.run0), 0)
	}
	c.failed[k] = -1
	if j := c.panel(p, f, w, diag, c.inv[s.start[t.first]:][:w], share); j >= 0 {
		c.failed[k] = int32(j)
		return
	}
	if m > 0 { // children join last: nothing need be cleared
		c.subtract(&product{u, p[w:], p[w:], m, f, f, m, m, w, modeLower | modeAssign}, share)
		for _, ch := range s.child[t.child0:t.child1] {
			b := &s.node[ch]
			extend(u, m, c.update(b, worker), int(b.f-b.w), s.runs[b.runSplit:b.run1], int(b.run1-b.runSplit), w)
		}
	}
	lo, hi, loss := math.Inf(1), 0.0, 1.0
	for i := range w {
		d := p[i+i*f]
		lo, hi, loss = min(lo, d), max(hi, d), max(loss, diag[i]/(d*d))
	}
	c.lo[k], c.hi[k], c.loss[k] = lo, hi, loss
}

// copy places one block in a panel.
func (b *scatter) copy(p []float64, f int, val []float64) {
	if b.rows == 3 && b.cols == 3 {
		v := (*[9]float64)(val[b.val:])
		x, y, z := (*[3]float64)(p[b.dst:]), (*[3]float64)(p[int(b.dst)+f:]), (*[3]float64)(p[int(b.dst)+2*f:])
		if b.rs == 1 {
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

func (c *Cholesky) pivotError(t *supernode, row int32) error {
	at := c.s.start[t.first] + row
	q := t.first
	for c.s.start[q+1] <= at {
		q++
	}
	return &PivotError{Node: int(c.s.order[q]), Row: int(at - c.s.start[q])}
}

// Condition returns an estimate of the condition number from below: the squared
// ratio of the largest and smallest entry on L's diagonal; 1 for an empty matrix.
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

// Cancellation returns the largest ratio of a diagonal entry and what elimination
// leaves of it: log10 of it digits are lost. Unlike Condition it does not depend
// on the units of rows.
func (c *Cholesky) Cancellation() float64 {
	most := 1.0
	for _, x := range c.loss {
		most = max(most, x)
	}
	return most
}

// Nonzeros returns the floats stored for L, zeros of relaxation included, and
// Flops the multiplications and additions of Factor.
func (c *Cholesky) Nonzeros() int  { return c.s.lSize }
func (c *Cholesky) Flops() float64 { return c.s.flops }

// Order returns the nodes in order of elimination; it must not be changed.
func (c *Cholesky) Order() []int32 { return c.s.order }
