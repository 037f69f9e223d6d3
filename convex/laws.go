package convex

// laws evaluates the potentials of constraints,
//
//	ℓ_i(c),   γ_i = −∂ℓ_i/∂c,   G_i = ∂²ℓ_i/∂c²   at c = J_i v + b_i
//
// and keeps the costs ℓ_i and Hessians G_i; velocities and impulses go to Problem.Vc and
// Problem.Gamma, of which the last evaluation of a solve leaves the solution.
type laws struct {
	*iterate

	// G of all constraints, Dim×Dim each, row-major
	g    []float64
	gOff []int32   // start of each in g (constraints+1)
	cost []float64 // ℓ_i, J

	// Delassus diagonal of a constraint that touches no node: 0
	fixed []float64
}

// resize shapes the memory for the constraints of the problem.
func (l *laws) resize() {
	p := l.p
	l.cost = resize(l.cost, len(p.Constraints))
	// Hessians one after the other
	l.gOff = resize(l.gOff, len(p.Constraints)+1)
	total := int32(0)
	for i := range p.Constraints {
		l.gOff[i] = total
		total += int32(p.Constraints[i].Dim * p.Constraints[i].Dim)
	}
	l.gOff[len(p.Constraints)] = total
	l.g = resize(l.g, int(total))
}

// hessianOf returns G of a constraint (Dim×Dim).
func (l *laws) hessianOf(i int) []float64 { return l.g[l.gOff[i]:l.gOff[i+1]] }

// evaluate computes ℓ, γ and G of an island at its iterate. The error is a
// *NonFiniteError.
func (l *laws) evaluate(is *island) error {
	for _, k := range l.constraintsOf(is) {
		c := &l.p.Constraints[k]
		clear(l.dc[c.Row : c.Row+c.Dim])
	}
	// at α = 0, where Δc does not matter
	if err := l.evaluateAt(is, 0, false); err != nil {
		return err
	}
	is.cost = l.quadratic(is) + is.lawCost
	return nil
}

// evaluateAt computes γ and G at c + α Δc and their sums over the island. On request
// it skips G and cost of laws that are GradientOnly, and their parts of curvature and
// lawCost.
func (l *laws) evaluateAt(is *island, alpha float64, skipHessian bool) error {
	p := l.p
	is.lawCost, is.slope, is.curvature = 0, 0, 0
	is.skippedHessian, is.directionHessians = false, false
	// sums in order of constraints: the same for any number of threads
	for _, k := range l.constraintsOf(is) {
		c := &p.Constraints[k]
		vc, gamma := p.Vc[c.Row:c.Row+c.Dim], p.Gamma[c.Row:c.Row+c.Dim]
		c0, dc := l.c[c.Row:c.Row+c.Dim], l.dc[c.Row:c.Row+c.Dim]
		// velocity at α
		for r := range vc {
			vc[r] = c0[r] + alpha*dc[r]
		}
		var slope, curvature float64
		// potential and derivatives, or the impulse alone
		if law, ok := asGradientOnly(c.Law, skipHessian); ok {
			is.skippedHessian = true
			law.EvalImpulse(vc, gamma)
			l.cost[k] = 0
			slope = dot(dc, gamma)
		} else {
			G := l.g[l.gOff[k]:l.gOff[k+1]]
			l.cost[k] = c.Law.Eval(vc, gamma, G)
			slope, curvature = derivativesAlong(gamma, G, dc)
		}
		// NaN and infinities pass through all three
		if sum := l.cost[k] + slope + curvature; sum-sum != 0 {
			return l.notFinite(int(k))
		}
		is.lawCost += l.cost[k]
		is.slope += slope
		is.curvature += curvature
	}
	return nil
}

// derivativesAlong returns Δcᵀγ and Δcᵀ G Δc of one constraint.
func derivativesAlong(gamma, G, dc []float64) (slope, curvature float64) {
	if len(dc) == 3 { // a contact
		x, y, z := dc[0], dc[1], dc[2]
		g, H := (*[3]float64)(gamma), (*[9]float64)(G)
		return x*g[0] + y*g[1] + z*g[2],
			x*(H[0]*x+H[1]*y+H[2]*z) + y*(H[3]*x+H[4]*y+H[5]*z) + z*(H[6]*x+H[7]*y+H[8]*z)
	}
	n := len(dc)
	slope = dot(dc, gamma)
	// Δcᵀ (G Δc), row by row
	for r, x := range dc {
		row := 0.0
		for q, y := range dc {
			row += G[r*n+q] * y
		}
		curvature += x * row
	}
	return slope, curvature
}

// evaluateFixed computes the impulses of constraints that touch no node, between
// bodies whose motion is prescribed: their velocity is the bias.
func (l *laws) evaluateFixed() error {
	p := l.p
	for i := range p.Constraints {
		if len(p.Blocks(handle(i))) > 0 {
			continue
		}
		c := &p.Constraints[i]
		l.fixed = resize(l.fixed, c.Dim)
		clear(l.fixed)
		c.Law.Prepare(p.H, l.fixed)
		// J v = 0
		vc := p.Vc[c.Row : c.Row+c.Dim]
		copy(vc, p.Bias[c.Row:])
		l.cost[i] = c.Law.Eval(vc, p.Gamma[c.Row:c.Row+c.Dim], l.hessianOf(i))
		if notFinite(p.Gamma[c.Row:c.Row+c.Dim]) >= 0 {
			return l.notFinite(i)
		}
	}
	return nil
}

// notFinite returns the error that names the quantity which is NaN or infinite in the
// evaluation of a constraint.
func (l *laws) notFinite(i int) error {
	c := &l.p.Constraints[i]
	// impulse, then Hessian; where both are finite it is the cost
	if r := notFinite(l.p.Gamma[c.Row : c.Row+c.Dim]); r >= 0 {
		return &NonFiniteError{"impulse", -1, handle(i), r}
	}
	if k := notFinite(l.hessianOf(i)); k >= 0 {
		return &NonFiniteError{"Hessian", -1, handle(i), k / c.Dim}
	}
	return &NonFiniteError{"cost", -1, handle(i), 0}
}

// mulG writes G J Δv of a constraint to w (Dim), from J Δv in dc.
func (l *laws) mulG(i int, w []float64) {
	c := &l.p.Constraints[i]
	G := l.hessianOf(i)
	for r := range w {
		w[r] = dot(l.dc[c.Row:c.Row+c.Dim], G[r*c.Dim:(r+1)*c.Dim])
	}
}
