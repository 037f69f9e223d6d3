// Package cliques has the convex problem of one time step,
//
//	v⁺ = argmin_v ½ (v − v*)ᵀ A (v − v*) + Σ_i ℓ_i(J_i v + b_i).        (1)
//
// Bodies append cliques (their blocks of A and the momentum A (v* − v0) they
// gain freely in the step); contacts, joints and controllers append constraints
// (Jacobian blocks J_i on the nodes they touch, a bias b_i and a convex
// potential ℓ_i). It is the narrow waist of the program: packages above it only append
// to the problem, package convex below only solves it, and neither imports the other.
//
// The problem is a graph. Its nodes are blocks of velocities that always move
// together in the linear algebra: all velocities of one articulated tree, or the
// three of one vertex of a deformable body. Its edges are the off-diagonal
// blocks of A within a deformable and the couplings J_iᵀ G_i J_i.
//
// Free motion enters as the momentum p = A (v* − v0), not as v*. The solver needs v*
// only of cliques that no constraint touches, so that bodies solve no equations, and
// v − v0 keeps digits that v − v* would lose.
package cliques

import (
	"fmt"
	"slices"
)

// Law is one convex potential ℓ(vc) of a constraint velocity vc = J v + b with
// Dim() equations. Source: Castro, Han, Masterjohn, "Irrotational Contact
// Fields", section III.
type Law interface {
	// Dim returns the number of equations nₑ.
	Dim() int
	// Prepare is called once a step before Eval, with the time step h (s) and
	// the diagonal w (nₑ) of the Delassus operator J A⁻¹ Jᵀ (1/kg for
	// translations, 1/(kg m²) for rotations), which scales regularization.
	Prepare(h float64, w []float64)
	// Eval writes γ = −∂ℓ/∂vc (nₑ; N s or N m s) and G = ∂²ℓ/∂vc² ⪰ 0 (nₑ×nₑ,
	// row-major, symmetric) and returns ℓ (J).
	Eval(vc, gamma, G []float64) float64
}

// Node is the number of a block of velocities, in order of appending from 0.
type Node int32

// Handle is the number of a constraint, in order of appending from 0.
type Handle int32

// Pattern is the lower triangle of a symmetric matrix of 3×3 blocks by block
// columns: rows Row[Ptr[j]:Ptr[j+1]] of column j ascend and start with j.
type Pattern struct {
	N   int     // block columns
	Ptr []int32 // start of each block column in Row, and the length of Row (N+1)
	Row []int32 // block row of each entry (Ptr[N])
}

// Clique is the diagonal block of the momentum matrix A that belongs to one body (an
// articulated tree or a deformable): dense, or sparse in blocks of 3×3.
type Clique struct {
	First   Node      // first node
	Nodes   int       // number of nodes, 1 when dense
	Offset  int       // first velocity
	Size    int       // number of velocities
	Pattern *Pattern  // sparsity pattern of A; nil when dense
	A       []float64 // values: dense Size×Size row-major, both triangles; else 9 per block of Pattern, row-major
	OneBody bool      // the velocities are those of one rigid body, which converges as a whole: angular and linear ones have other units
	Passed2 float64   // squared norm, by diag(A)⁻¹, of momenta that eliminated velocities pass to others of the clique, J: part of its scale
}

// Constraint is one term ℓ(J v + b) of the cost, such as one contact, joint limit or controller.
type Constraint struct {
	Law         Law // convex potential ℓ
	Row, Dim    int // its velocity is rows Row..Row+Dim of Problem.Vc
	first, last int // range of Problem.blocks
}

// Block is the part of a constraint's Jacobian that multiplies the velocities of one node.
type Block struct {
	Node Node      // node whose velocities J multiplies
	J    []float64 // Jacobian, Dim×NodeSize, row-major
}

// Problem is one step's convex problem (1). The zero value is ready; Reset
// keeps its memory, so that a steady sequence of steps allocates nothing.
type Problem struct {
	H    float64 // time step, s
	Time float64 // start of the step, s
	// Rest makes it the problem of a pseudo-step to static equilibrium, of displacements H v: what a constraint gives
	// at rest does not depend on H.
	Rest bool

	Cliques    []Clique  // in order of appending
	NodeSize   []int     // velocities of each node
	NodeOffset []int     // first velocity of each node
	V0         []float64 // velocities at the start of the step (n)
	P          []float64 // momentum A (v* − v0) gained without constraints (n)

	// Midpoint reports that the step is one of the midpoint rule (package timestep): the unknown is the displacement
	// velocity, and constraints take the forms that belong to it. Lagged and Slip are the velocities by which lagged
	// quantities are read: those of the last displacement, w₋, and those of the middle of the step as far as they are
	// known, v0 + ½ r′ Δv₋ (n each). Empty: V0. Theta has θ of each node; empty: 1. See BeginMidpoint.
	Midpoint            bool
	Lagged, Slip, Theta []float64

	Constraints []Constraint // in order of appending
	Bias        []float64    // b, stacked over constraints (rows)
	Gamma       []float64    // impulses γ, written by the solver (rows)
	Vc          []float64    // constraint velocities J v + b, written by the solver (rows)

	blocks []Block
	arena  arena
	pools  []resetter
}

// Reset empties the problem for a step of h seconds that starts at the given time
// (s). Laws from New and all slices of the last step become invalid.
func (p *Problem) Reset(time, h float64) {
	p.H, p.Time, p.Rest = h, time, false
	p.Cliques = p.Cliques[:0]
	p.NodeSize, p.NodeOffset = p.NodeSize[:0], p.NodeOffset[:0]
	p.V0, p.P = p.V0[:0], p.P[:0]
	p.Midpoint, p.Lagged, p.Slip, p.Theta = false, p.Lagged[:0], p.Slip[:0], p.Theta[:0]
	p.Constraints, p.blocks = p.Constraints[:0], p.blocks[:0]
	p.Bias, p.Gamma, p.Vc = p.Bias[:0], p.Gamma[:0], p.Vc[:0]
	p.arena.reset()
	for _, q := range p.pools {
		q.reset()
	}
}

// ResetConstraints removes all constraints and leaves the cliques, to append
// others in the same step. Their memory is reused after the next Reset.
func (p *Problem) ResetConstraints() {
	p.Constraints, p.blocks = p.Constraints[:0], p.blocks[:0]
	p.Bias, p.Gamma, p.Vc = p.Bias[:0], p.Gamma[:0], p.Vc[:0]
}

// BeginMidpoint makes the problem one of the midpoint rule, once it has all cliques and before it has constraints.
// Lagged and Slip begin as V0, as of bodies without memory of a last step, Theta as ½: the caller overwrites those of
// other bodies.
func (p *Problem) BeginMidpoint() {
	p.Midpoint = true
	p.Lagged, p.Slip = append(p.Lagged[:0], p.V0...), append(p.Slip[:0], p.V0...)
	p.Theta = slices.Grow(p.Theta[:0], len(p.NodeSize))[:len(p.NodeSize)]
	for i := range p.Theta {
		p.Theta[i] = 0.5
	}
}

// Size returns the number of velocities n.
func (p *Problem) Size() int { return len(p.V0) }

// Rows returns the number of constraint equations.
func (p *Problem) Rows() int { return len(p.Bias) }

// AddDense appends a clique of one node with n velocities and returns it with A
// (n×n), V0 (n) and P (n) to fill, all zero. The slices are valid until the next
// append: fill them at once.
func (p *Problem) AddDense(n int) (node Node, A, v0, mom []float64) {
	node = Node(len(p.NodeSize))
	off := len(p.V0)
	A = p.arena.floats(n * n)
	p.Cliques = append(p.Cliques, Clique{First: node, Nodes: 1, Offset: off, Size: n, A: A})
	p.addNode(n)
	return node, A, p.V0[off:], p.P[off:]
}

// AddSparse appends a clique of pat.N nodes with three velocities each and
// returns the first with the blocks of A (9 per entry of pat.Row), V0 and P to
// fill (3·pat.N), all zero. The pattern is kept, not copied.
func (p *Problem) AddSparse(pat *Pattern) (first Node, A, v0, mom []float64) {
	first = Node(len(p.NodeSize))
	off := len(p.V0)
	A = p.arena.floats(9 * len(pat.Row))
	p.Cliques = append(p.Cliques, Clique{First: first, Nodes: pat.N, Offset: off, Size: 3 * pat.N, Pattern: pat, A: A})
	for range pat.N {
		p.addNode(3)
	}
	return first, A, p.V0[off:], p.P[off:]
}

// addNode appends a node of n velocities, all zero.
func (p *Problem) addNode(n int) {
	p.NodeSize = append(p.NodeSize, n)
	p.NodeOffset = append(p.NodeOffset, len(p.V0))
	p.V0, p.P = zeros(p.V0, n), zeros(p.P, n)
}

// zeros appends n zeros.
func zeros(s []float64, n int) []float64 {
	k := len(s)
	s = slices.Grow(s, n)[:k+n]
	clear(s[k:])
	return s
}

// AddConstraint opens a constraint with law's number of rows, no blocks and
// zero bias. Its blocks come from Block before the next AddConstraint.
func (p *Problem) AddConstraint(law Law) Handle {
	h := Handle(len(p.Constraints))
	n := law.Dim()
	p.Constraints = append(p.Constraints, Constraint{law, len(p.Bias), n, len(p.blocks), len(p.blocks)})
	p.Bias, p.Gamma, p.Vc = zeros(p.Bias, n), zeros(p.Gamma, n), zeros(p.Vc, n)
	return h
}

// Block returns the Jacobian block (Dim×NodeSize, row-major) of the open, that
// is newest, constraint on a node: zero at the first call, the same
// slice after, so that contributions of two points of one node add up. It panics when no
// constraint is open, or no clique has the node.
func (p *Problem) Block(node Node) []float64 {
	if len(p.Constraints) == 0 {
		panic("cliques: Block: no constraint is open: call AddConstraint before")
	}
	if node < 0 || int(node) >= len(p.NodeSize) {
		panic(fmt.Sprintf("cliques: Block: node %d of a problem of %d nodes: append its clique before its constraints", node, len(p.NodeSize)))
	}
	c := &p.Constraints[len(p.Constraints)-1]
	for i := c.first; i < c.last; i++ {
		if p.blocks[i].Node == node {
			return p.blocks[i].J
		}
	}
	J := p.arena.floats(c.Dim * p.NodeSize[node])
	p.blocks = append(p.blocks, Block{node, J})
	c.last = len(p.blocks)
	return J
}

// AddBias adds b to the bias of one row (0..Dim−1) of the open constraint.
func (p *Problem) AddBias(row int, b float64) {
	p.Bias[p.Constraints[len(p.Constraints)-1].Row+row] += b
}

// Blocks returns the Jacobian blocks of a constraint.
func (p *Problem) Blocks(h Handle) []Block {
	c := &p.Constraints[h]
	return p.blocks[c.first:c.last]
}

// Impulse returns γ (Dim; N s or N m s) of a constraint after the solve.
func (p *Problem) Impulse(h Handle) []float64 {
	c := &p.Constraints[h]
	return p.Gamma[c.Row : c.Row+c.Dim]
}

// Velocity returns J v + b (Dim) of a constraint after the solve.
func (p *Problem) Velocity(h Handle) []float64 {
	c := &p.Constraints[h]
	return p.Vc[c.Row : c.Row+c.Dim]
}

// StartVelocities writes J v0 + b (Dim) of a constraint: its velocity at the start of
// the step.
func (p *Problem) StartVelocities(h Handle, dst []float64) { p.velocitiesAt(h, p.V0, dst) }

// LaggedVelocities writes J w₋ + b (Dim) of a constraint: the velocity of its last displacement, with which lagged
// forces are computed. It is that of the start where nothing is remembered.
func (p *Problem) LaggedVelocities(h Handle, dst []float64) {
	p.velocitiesAt(h, orStart(p.Lagged, p.V0), dst)
}

// SlipVelocities writes J (v0 + ½ r′ Δv₋) + b (Dim) of a constraint: its velocity in the middle of the step as the last
// one predicts it, by which coefficients of friction are chosen. It is that of the start where nothing is remembered.
func (p *Problem) SlipVelocities(h Handle, dst []float64) {
	p.velocitiesAt(h, orStart(p.Slip, p.V0), dst)
}

// orStart returns v, or v0 where v is empty.
func orStart(v, v0 []float64) []float64 {
	if len(v) == 0 {
		return v0
	}
	return v
}

// velocitiesAt writes J v + b (Dim) of a constraint at velocities v (n).
func (p *Problem) velocitiesAt(h Handle, v, dst []float64) {
	c := &p.Constraints[h]
	dst = dst[:c.Dim]
	copy(dst, p.Bias[c.Row:])
	for _, b := range p.blocks[c.first:c.last] {
		n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		v := v[off : off+n]
		for i := range dst {
			s := 0.0
			for j, x := range b.J[i*n : i*n+n][:len(v)] {
				s += x * v[j]
			}
			dst[i] += s
		}
	}
}

// Rate returns (J v + b) of one row of the open constraint at velocities v (n).
func (p *Problem) Rate(row int, v []float64) float64 {
	c := &p.Constraints[len(p.Constraints)-1]
	s := p.Bias[c.Row+row]
	for _, b := range p.blocks[c.first:c.last] {
		n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for j, x := range b.J[row*n : (row+1)*n] {
			s += x * v[off+j]
		}
	}
	return s
}

// StartVelocity returns (J v0 + b) of one row of a constraint: its velocity at
// the start of the step.
func (p *Problem) StartVelocity(h Handle, row int) float64 { return p.velocityAt(h, row, p.V0) }

// LaggedVelocity is LaggedVelocities of one row.
func (p *Problem) LaggedVelocity(h Handle, row int) float64 {
	return p.velocityAt(h, row, orStart(p.Lagged, p.V0))
}

// SlipVelocity is SlipVelocities of one row.
func (p *Problem) SlipVelocity(h Handle, row int) float64 {
	return p.velocityAt(h, row, orStart(p.Slip, p.V0))
}

// velocityAt returns (J v + b) of one row of a constraint at velocities v (n).
func (p *Problem) velocityAt(h Handle, row int, v []float64) float64 {
	c := &p.Constraints[h]
	s := p.Bias[c.Row+row]
	for _, b := range p.blocks[c.first:c.last] {
		n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for j, x := range b.J[row*n : (row+1)*n] {
			s += x * v[off+j]
		}
	}
	return s
}
