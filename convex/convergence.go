package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Convergence is judged by the residual of the balance of momentum, measured by D, and
// never by costs: near the solution costs differ by less than their round-off long
// before velocities do. An island has converged when
//
//	‖D∇ℓ‖ ≤ τ(s),   s = max(‖D A (v − v0)‖, ‖D P‖, ‖D Jᵀγ‖),   D = diag(A)^−½   (7)
//	‖D∇ℓ‖_k ≤ β τ(s_k)  for each clique k,   τ(s) = ε_r s + ε_a ‖D⁻¹ v0‖           (7a)
//	|D∇ℓ|_i ≤ β' τ(max(s_i, s_k √(A_ii/A_max)))  for each velocity i of a tree of links (7b)
//
//	ε_r        RelTol
//	ε_a        motionTol: a hundred times the round-off of momenta at the start, less than which is no motion of a body
//	           that flies on
//	D          makes momenta of translations, rotations and bodies of any mass
//	           comparable; its unit makes that of all norms √J
//	‖·‖_k      norm over the velocities of clique k, a body, and s_k its scale
//	β, β'      bodyShare, lightShare
//	s_i, A_max s of one velocity, the largest A_ii of the clique
//
// (7) alone would be a test of the heaviest bodies: s_k grows with the root of the mass, so
// that ε_r = 1e-5 would permit any motion of a body 1e10 times as light as another. β leaves (7)
// to decide in islands of similar bodies. A light link of a heavy tree is in (7b) what a light body is in (7a): its
// momenta may be as small as its mass is, and no smaller, lest velocities that rest by symmetry demand digits that
// there are not.
//
// The scale on the right-hand side has the momenta that are exchanged in the step. P has with those of its clique also
// those which velocities that are eliminated pass on (cliques.Clique.Passed2): opposite ones of a mimic joint and its
// leader would cancel, and leave a scale of round-off. ‖D A v‖ of Castro, Han and Masterjohn would change with the
// observer's velocity, and exceed whole impulses when steps are short.
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
//
// It takes the place of (7), or of (7a) and (7b) with the norms of its clique.

// convergence measures residuals.
type convergence struct {
	*laws
	relTol float64 // ε_r
}

// momenta are norms of an island or of one of its cliques, √J.
type momenta struct {
	res   float64 // ‖D∇ℓ‖
	scale float64 // max(‖D A (v − v0)‖, ‖D P‖, ‖D Jᵀγ‖)
	start float64 // ‖D⁻¹ v0‖
}

// balance computes Jᵀγ, and the two sides of (7) and (7a) on an island.
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
	// norms of the island, and of the clique that exceeds its tolerance most
	var sum squares
	is.body, is.light = momenta{}, 0
	for _, k := range t.cliquesOf(is) {
		s := t.squaresOf(&p.Cliques[k])
		sum.add(&s)
		body := s.norms()
		if t.excess(body) > t.excess(is.body) {
			is.body = body
		}
		if c := &p.Cliques[k]; hasLinks(c) {
			light, _ := t.lightExcess(c, body.scale)
			is.light = max(is.light, light)
		}
	}
	is.whole = sum.norms()
	t.compare(is)
}

// squares are squared norms of ∇ℓ, A (v − v0), P and Jᵀγ, scaled by D, and of v0, scaled by D⁻¹, J.
type squares struct{ r, a, p, j, v float64 }

// squaresOf returns those of a clique.
func (t *convergence) squaresOf(c *cliques.Clique) (s squares) {
	for i := c.Offset; i < c.Offset+c.Size; i++ {
		d, p := t.d[i], t.p.P[i]
		r, a, f, j := d*(t.q[i]-t.jtg[i]), d*(t.q[i]+p), d*p, d*t.jtg[i]
		v := t.p.V0[i] / d
		s.r, s.a, s.p, s.j, s.v = s.r+r*r, s.a+a*a, s.p+f*f, s.j+j*j, s.v+v*v
	}
	s.p += c.Passed2
	return s
}

// add adds those of another clique.
func (s *squares) add(x *squares) {
	s.r, s.a, s.p, s.j, s.v = s.r+x.r, s.a+x.a, s.p+x.p, s.j+x.j, s.v+x.v
}

// norms returns the norms that are compared.
func (s *squares) norms() momenta {
	return momenta{res: math.Sqrt(s.r), scale: math.Sqrt(max(s.a, s.p, s.j)), start: math.Sqrt(s.v)}
}

// excess returns a residual over its tolerance τ.
func (t *convergence) excess(m momenta) float64 {
	if m.res < leastMomentum {
		return 0
	}
	return m.res / t.tolerance(m.scale, m.start)
}

// tolerance returns τ(s), √J.
func (t *convergence) tolerance(scale, start float64) float64 {
	return t.relTol*scale + motionTol*start
}

// compare computes the excess of an island: at most 1 where (7), (7a) and (7b) are satisfied.
func (t *convergence) compare(is *island) {
	is.excess = max(t.excess(is.whole), t.excess(is.body)/bodyShare, is.light/lightShare)
}

// lightExcess returns the largest residual of a velocity of a dense clique over its tolerance τ of (7b); scale is s_k.
// Where none exceeds that of its mass, 0. The residual is that of this velocity, √J.
func (t *convergence) lightExcess(c *cliques.Clique, scale float64) (worst, residual float64) {
	least := math.Inf(1) // 1/√A_max
	for _, d := range t.d[c.Offset : c.Offset+c.Size] {
		least = min(least, d)
	}
	for i := c.Offset; i < c.Offset+c.Size; i++ {
		d := t.d[i]
		res, ofMass := math.Abs(d*(t.q[i]-t.jtg[i])), scale*least/d
		start := math.Abs(t.p.V0[i] / d)
		if res <= t.tolerance(ofMass*lightShare, start) || res < leastMomentum {
			continue
		}
		p := t.p.P[i]
		own := d * max(math.Abs(t.q[i]+p), math.Abs(p), math.Abs(t.jtg[i]))
		if x := t.excess(momenta{res, max(own, ofMass), start}); x > worst {
			worst, residual = x, res
		}
	}
	return worst, residual
}

// isOptimal reports whether (7), (7a) and (7b) are satisfied, coarsely while laws are capped.
func (t *convergence) isOptimal(is *island) bool {
	if is.isCapped() {
		return is.excess <= max(1, coarseTol/t.relTol)
	}
	return is.excess <= 1
}

// test decides whether an island has converged, by (7), (7a) and (7b) or (8). A residual or a scale
// that overflows is an error.
func (t *convergence) test(is *island) error {
	if !(is.whole.res+is.whole.scale <= math.MaxFloat64) { // NaN, too
		return t.overflow(is)
	}
	// a full step that did not halve the least residual
	plateau := is.alpha > 0.5 && is.excess > progress*is.leastExcess
	is.leastExcess = min(is.leastExcess, is.excess)
	switch {
	case t.isOptimal(is):
		is.done, is.criterion = true, Optimality
	case plateau && t.atRoundOff(is):
		is.done, is.criterion = true, RoundOff
	}
	return nil
}

// overflow names the velocity with the largest momentum in an island whose norms overflow.
func (t *convergence) overflow(is *island) error {
	most, at := -1.0, 0
	t.each(is, func(i int) {
		size := t.d[i] * max(math.Abs(t.q[i]), math.Abs(t.p.P[i]), math.Abs(t.jtg[i]))
		if size > most || size != size && most == most { // NaN, too
			most, at = size, i
		}
	})
	node := nodeOf(t.p, at)
	return &NonFiniteError{"residual", node, -1, at - t.p.NodeOffset[node]}
}

// atRoundOff reports whether (8) holds on an island where (7) does not, and on all cliques
// where (7a) or (7b) does not.
func (t *convergence) atRoundOff(is *island) bool {
	t.addRoundOff(is)
	floor2 := 0.0
	for _, k := range t.cliquesOf(is) {
		c := &t.p.Cliques[k]
		f2 := t.roundOff2(c)
		floor2 += f2
		s := t.squaresOf(c)
		body, floor := s.norms(), floorSlack*math.Sqrt(f2)
		if t.excess(body) > bodyShare && body.res > floor {
			return false
		}
		if hasLinks(c) {
			if light, res := t.lightExcess(c, body.scale); light > lightShare && res > floor {
				return false
			}
		}
	}
	return t.excess(is.whole) <= 1 || is.whole.res <= floorSlack*math.Sqrt(floor2)
}

// addRoundOff computes the terms of (8) of an island, in dp. It uses dc.
func (t *convergence) addRoundOff(is *island) {
	// |q| + |Jᵀγ| + |P|
	for _, k := range t.cliquesOf(is) {
		c := &t.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			t.dp[i] = math.Abs(t.q[i]) + math.Abs(t.jtg[i]) + math.Abs(t.p.P[i])
		}
	}
	for _, k := range t.constraintsOf(is) {
		t.addLawRoundOff(int(k))
	}
}

// roundOff2 returns the square of the right-hand side of (8) on a clique, without its factor
// of 4, J.
func (t *convergence) roundOff2(c *cliques.Clique) float64 {
	sum := 0.0
	for i := c.Offset; i < c.Offset+c.Size; i++ {
		x := unitRoundOff * t.d[i] * t.dp[i]
		sum += x * x
	}
	return sum
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

// hasLinks reports whether (7b) holds for a clique.
func hasLinks(c *cliques.Clique) bool { return c.Pattern == nil && c.Size > 1 && !c.OneBody }
