package convex

import "math"

// iterate is the present iterate v and the vectors that follow from it,
//
//	q = A (v − v*),   Jᵀγ,   ∇ℓ = q − Jᵀγ,   A Δv,   c = J v + b,   J Δv
//
// Each island owns its part of every vector, so that islands may be iterated at the same
// time. A (v − v*) is computed as A (v − v0) − P, which needs no v* and loses no digits
// where velocities are large and their changes small.
type iterate struct {
	*partition

	v []float64 // the iterate (n), the caller's memory
	// D = diag(A)^−½ (n): the scaling that makes momenta comparable, in √J
	d []float64

	// A (v − v*) = A (v − v0) − P (n): momentum that constraints must supply
	q   []float64
	jtg []float64 // Jᵀγ (n): momentum that they supply
	dv  []float64 // Newton direction Δv (n)
	dp  []float64 // A Δv (n)

	work  []float64 // scratch (n)
	saved []float64 // iterate at the start of continuation (n)

	c  []float64 // constraint velocities J v + b (rows)
	dc []float64 // J Δv (rows)
}

// resize shapes the vectors for the problem.
func (x *iterate) resize() {
	n, rows := x.p.Size(), x.p.Rows()
	for _, y := range []*[]float64{&x.d, &x.q, &x.jtg, &x.dv, &x.dp, &x.work, &x.saved} {
		*y = resize(*y, n)
	}
	// constraint velocities
	x.c, x.dc = resize(x.c, rows), resize(x.dc, rows)
}

// refresh computes q and c of an island from v, and makes Vc the same.
func (x *iterate) refresh(is *island) {
	p := x.p
	// q = A (v − v0) − P
	for _, k := range x.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.dp[i] = x.v[i] - p.V0[i]
		}
		// dp is scratch here
		mulClique(c, x.q, x.dp)
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.q[i] -= p.P[i]
		}
	}
	// c = J v + b
	for _, k := range x.constraintsOf(is) {
		c := &p.Constraints[k]
		vc := x.c[c.Row : c.Row+c.Dim]
		mulJ(p, int(k), vc, x.v)
		for r := range vc {
			vc[r] += p.Bias[c.Row+r]
		}
		copy(p.Vc[c.Row:], vc)
	}
}

// move takes an island α along its direction. The constraints are already evaluated
// there.
func (x *iterate) move(is *island) {
	p := x.p
	// v and q = A (v − v*), by the increments of the direction
	for _, k := range x.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.v[i] += is.alpha * x.dv[i]
			x.q[i] += is.alpha * x.dp[i]
		}
	}
	// c: the laws were evaluated at c + α Δc, which is in Vc
	for _, k := range x.constraintsOf(is) {
		c := &p.Constraints[k]
		copy(x.c[c.Row:c.Row+c.Dim], p.Vc[c.Row:])
	}
	is.cost = x.quadratic(is) + is.lawCost
	// without the costs of all laws there is no sum
	if is.skippedHessian {
		is.cost = math.NaN()
	}
}

// exchange swaps the iterate with y on an island.
func (x *iterate) exchange(is *island, y []float64) {
	for _, k := range x.cliquesOf(is) {
		c := &x.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.v[i], y[i] = y[i], x.v[i]
		}
	}
}

// quadratic returns ½ (v − v0)ᵀ A (v − v0) − Pᵀ(v − v0) on an island, J, which is
// ½ (v − v*)ᵀ A (v − v*) less its value at v0: it needs no v*.
func (x *iterate) quadratic(is *island) float64 {
	sum := 0.0
	for _, k := range x.cliquesOf(is) {
		c := &x.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += (x.v[i] - x.p.V0[i]) * (x.q[i] - x.p.P[i])
		}
	}
	return 0.5 * sum
}

// products computes A Δv and J Δv on an island.
func (x *iterate) products(is *island) {
	// A is block diagonal over cliques
	for _, k := range x.cliquesOf(is) {
		mulClique(&x.p.Cliques[k], x.dp, x.dv)
	}
	for _, k := range x.constraintsOf(is) {
		c := &x.p.Constraints[k]
		mulJ(x.p, int(k), x.dc[c.Row:c.Row+c.Dim], x.dv)
	}
}

// descent returns ∇ℓᵀΔv on an island, J: negative where Δv descends.
func (x *iterate) descent(is *island) float64 {
	sum := 0.0
	for _, k := range x.cliquesOf(is) {
		c := &x.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += (x.q[i] - x.jtg[i]) * x.dv[i]
		}
	}
	return sum
}

// each calls f for the velocities of an island.
func (x *iterate) each(is *island, f func(i int)) {
	for _, k := range x.cliquesOf(is) {
		c := &x.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			f(i)
		}
	}
}
