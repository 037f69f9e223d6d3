package optimal

// Dynamics is a system in discrete time. Each value serves one goroutine at a time.
type Dynamics interface {
	// Size returns the number of values nx of a state, the size ndx of its tangent
	// vectors and the number nu of controls.
	Size() (nx, ndx, nu int)
	// Step writes the state after step k from x with the controls u. An error ends the
	// trajectory: its cost is infinite.
	Step(k int, x, u, next []float64) error
	// Linearize writes the derivatives of Step at x and u: fx (ndx×ndx) and fu (ndx×nu), row-major, in
	// tangents.
	Linearize(k int, x, u, fx, fu []float64) error
	// Difference writes the tangent vector dx (ndx) from one state to another.
	Difference(from, to, dx []float64)
}

// Cost is l of (1), with its derivatives in tangents of the state. It must be safe for concurrent
// use.
type Cost interface {
	// Value returns l_k(x, u); u is nil at the end, k = N.
	Value(k int, x, u []float64) float64
	// Expand writes value and derivatives of l_k at x and u (nil at the end) into q, whose
	// matrices are zero.
	Expand(k int, x, u []float64, q *Expansion)
}

// Expansion is the Taylor expansion to second order of a function of state and controls,
// row-major.
type Expansion struct {
	X, U       []float64 // gradients l_x (ndx), l_u (nu)
	XX, UU, UX []float64 // second derivatives l_xx (ndx×ndx), l_uu (nu×nu), l_ux (nu×ndx)
}

// Quadratic is the cost of the distance from a target and of controls,
//
//	l_k = δᵀ diag(Q) δ + uᵀ diag(R) u,   l_N = δᵀ diag(End) δ,   δ = x ⊟ target           (5)
//
// without factors ½. The second derivative leaves out the curvature of ⊟, as in a Gauss-Newton method.
type Quadratic struct {
	Target    []float64                            // target state (nx)
	Q, R, End []float64                            // weights of state (ndx) and controls (nu) in one step, and of the final state (ndx)
	Distance  func(from, to, difference []float64) // difference of two states, as Dynamics.Difference
}

// Value implements Cost.
func (c *Quadratic) Value(k int, x, u []float64) float64 {
	w := c.Q
	if u == nil {
		w = c.End
	}
	// memory of the call, because several goroutines call at the same time
	d := make([]float64, len(w))
	c.Distance(c.Target, x, d)
	sum := 0.0
	for i, e := range d {
		sum += w[i] * e * e
	}
	for i, e := range u {
		sum += c.R[i] * e * e
	}
	return sum
}

// Expand implements Cost.
func (c *Quadratic) Expand(k int, x, u []float64, q *Expansion) {
	w := c.Q
	if u == nil {
		w = c.End
	}
	n, m := len(w), len(u)
	c.Distance(c.Target, x, q.X)
	for i := range n {
		// 2 Q δ, in place of the δ that Distance wrote, and 2 Q
		q.X[i] *= 2 * w[i]
		q.XX[i*n+i] = 2 * w[i]
	}
	for i := range m {
		q.U[i] = 2 * c.R[i] * u[i]
		q.UU[i*m+i] = 2 * c.R[i]
	}
}
