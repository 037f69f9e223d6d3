package convex

import "math"

// Convergence is judged by the residual of the balance of momentum, measured by D, and
// never by costs: near the solution costs differ by less than their round-off long
// before velocities do. An island has converged when
//
//	‖D∇ℓ‖ ≤ ε_a + ε_r max(‖D A (v − v0)‖, ‖D P‖, ‖D Jᵀγ‖),   D = diag(A)^−½   (7)
//
//	ε_a, ε_r   AbsTol, RelTol
//	D          makes momenta of translations, rotations and bodies of any mass
//	           comparable; its unit makes that of all norms √J
//
// The scale on the right-hand side has the momenta that are exchanged in the step.
// ‖D A v‖ of Castro, Han and Masterjohn would change with the observer's velocity, and
// exceed whole impulses when steps are short.
//
// Stiff contact amplifies the round-off of c, so that (7) may be out of reach. A
// residual r at which full steps no longer make progress is accepted when it is not
// much above the norm that rounding alone can make,
//
//	r ≤ 4 ε ‖D (|q| + |Jᵀγ| + |P| + |J|ᵀ(|γ| + |G| (|J||v| + |b|)))‖              (8)
//
//	ε          unit round-off, 2⁻⁵³
//	q          A (v − v*)
//	|J||v|+|b| size of the terms whose sum is c: ε of it is the error of c, which G
//	           turns into an error of γ

// convergence measures residuals.
type convergence struct {
	*laws
	relTol, absTol float64 // ε_r; ε_a in √J
}

// balance computes Jᵀγ, ‖D∇ℓ‖, its scale and its tolerance on an island.
func (t *convergence) balance(is *island) {
	p := t.p
	for _, k := range t.cliquesOf(is) {
		c := &p.Cliques[k]
		clear(t.jtg[c.Offset : c.Offset+c.Size])
	}
	// Jᵀγ
	for _, k := range t.constraintsOf(is) {
		c := &p.Constraints[k]
		addJT(p, int(k), t.jtg, p.Gamma[c.Row:c.Row+c.Dim])
	}
	// squared norms of ∇ℓ, A (v − v0), P and Jᵀγ, scaled by D
	var r2, a2, p2, j2 float64
	for _, k := range t.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			d := t.d[i]
			r, a, f, j := d*(t.q[i]-t.jtg[i]), d*(t.q[i]+p.P[i]), d*p.P[i], d*t.jtg[i]
			r2, a2, p2, j2 = r2+r*r, a2+a*a, p2+f*f, j2+j*j
		}
	}
	is.res, is.scale = math.Sqrt(r2), math.Sqrt(max(a2, p2, j2))
	is.tol = t.tolerance(is)
}

// tolerance returns the right-hand side of (7).
func (t *convergence) tolerance(is *island) float64 { return t.absTol + t.relTol*is.scale }

// test decides whether an island has converged, by (7) or (8).
func (t *convergence) test(is *island) {
	// a full step that did not halve the least residual
	plateau := is.alpha > 0.5 && is.res > progress*is.leastRes
	is.leastRes = min(is.leastRes, is.res)
	switch {
	case is.isOptimal():
		is.done, is.criterion = true, Optimality
	case plateau && t.atRoundOff(is):
		is.done, is.criterion = true, RoundOff
	}
}

// atRoundOff reports whether (8) holds.
func (t *convergence) atRoundOff(is *island) bool { return is.res <= floorSlack*t.roundOff(is) }

// roundOff returns the right-hand side of (8) without its factor of 4. It uses dp and
// dc.
func (t *convergence) roundOff(is *island) float64 {
	p := t.p
	// |q| + |Jᵀγ| + |P|
	for _, k := range t.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			t.dp[i] = math.Abs(t.q[i]) + math.Abs(t.jtg[i]) + math.Abs(p.P[i])
		}
	}
	for _, k := range t.constraintsOf(is) {
		t.addLawRoundOff(int(k))
	}
	sum := 0.0
	for _, k := range t.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += t.d[i] * t.dp[i] * t.d[i] * t.dp[i]
		}
	}
	return unitRoundOff * math.Sqrt(sum)
}

// addLawRoundOff adds |J|ᵀ(|γ| + |G| (|J||v| + |b|)) of a constraint to dp.
func (t *convergence) addLawRoundOff(i int) {
	p := t.p
	c, blocks := &p.Constraints[i], p.Blocks(handle(i))
	// |J||v| + |b|
	dc := t.dc[c.Row : c.Row+c.Dim]
	for r := range dc {
		dc[r] = math.Abs(p.Bias[c.Row+r])
	}
	for _, b := range blocks {
		n := p.NodeSize[b.Node]
		for r := range dc {
			for j, a := range b.J[r*n : (r+1)*n] {
				dc[r] += math.Abs(a * t.v[p.NodeOffset[b.Node]+j])
			}
		}
	}
	// through G and Jᵀ
	G := t.hessianOf(i)
	for r := range dc {
		// error of impulse r, in units of ε
		f := math.Abs(p.Gamma[c.Row+r])
		for q, x := range dc {
			f += math.Abs(G[r*c.Dim+q]) * x
		}
		for _, b := range blocks {
			n := p.NodeSize[b.Node]
			for j, a := range b.J[r*n : (r+1)*n] {
				t.dp[p.NodeOffset[b.Node]+j] += math.Abs(a) * f
			}
		}
	}
}
