package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// mulIslandA writes A x on an island's velocities.
func (s *Solver) mulIslandA(is *island, dst, x []float64) {
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		mulClique(&s.p.Cliques[k], dst, x)
	}
}

func mulClique(c *cliques.Clique, dst, x []float64) {
	n := c.Size
	dst, x = dst[c.Offset:c.Offset+n], x[c.Offset:c.Offset+n]
	if c.Pattern == nil {
		if n == 6 {
			x6 := (*[6]float64)(x)
			for i := range dst {
				dst[i] = dot6((*[6]float64)(c.A[6*i:]), x6)
			}
			return
		}
		for i := range dst {
			sum := 0.0
			for j, a := range c.A[i*n : (i+1)*n] {
				sum += a * x[j]
			}
			dst[i] = sum
		}
		return
	}
	clear(dst)
	for j := range c.Nodes {
		xj := (*[3]float64)(x[3*j:])
		x0, x1, x2 := xj[0], xj[1], xj[2]
		rows := c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]]
		blocks := c.A[9*int(c.Pattern.Ptr[j]):]
		a := (*[9]float64)(blocks)
		yj := (*[3]float64)(dst[3*j:])
		y0 := yj[0] + a[0]*x0 + a[1]*x1 + a[2]*x2
		y1 := yj[1] + a[3]*x0 + a[4]*x1 + a[5]*x2
		y2 := yj[2] + a[6]*x0 + a[7]*x1 + a[8]*x2
		for e, i := range rows[1:] {
			a := (*[9]float64)(blocks[9*e+9:])
			xi, yi := (*[3]float64)(x[3*i:]), (*[3]float64)(dst[3*i:])
			u0, u1, u2 := xi[0], xi[1], xi[2]
			yi[0] += a[0]*x0 + a[1]*x1 + a[2]*x2
			yi[1] += a[3]*x0 + a[4]*x1 + a[5]*x2
			yi[2] += a[6]*x0 + a[7]*x1 + a[8]*x2
			y0 += a[0]*u0 + a[3]*u1 + a[6]*u2
			y1 += a[1]*u0 + a[4]*u1 + a[7]*u2
			y2 += a[2]*u0 + a[5]*u1 + a[8]*u2
		}
		yj[0], yj[1], yj[2] = y0, y1, y2
	}
}

// mulJ writes J_i x for one constraint to dst (Dim).
func (s *Solver) mulJ(i int, dst, x []float64) {
	clear(dst)
	for _, b := range s.p.Blocks(handle(i)) {
		n := s.p.NodeSize[b.Node]
		xb := x[s.p.NodeOffset[b.Node]:][:n]
		if n == 6 {
			x6 := (*[6]float64)(xb)
			for r := range dst {
				dst[r] += dot6((*[6]float64)(b.J[6*r:]), x6)
			}
			continue
		}
		for r := range dst {
			sum := 0.0
			for j, a := range b.J[r*n : (r+1)*n] {
				sum += a * xb[j]
			}
			dst[r] += sum
		}
	}
}

// addJT adds J_iᵀ y to dst for one constraint.
func (s *Solver) addJT(i int, dst, y []float64) {
	for _, b := range s.p.Blocks(handle(i)) {
		n := s.p.NodeSize[b.Node]
		db := dst[s.p.NodeOffset[b.Node]:][:n]
		for r, f := range y {
			if f == 0 {
				continue
			}
			if n == 6 {
				d, J := (*[6]float64)(db), (*[6]float64)(b.J[6*r:])
				d[0] += J[0] * f
				d[1] += J[1] * f
				d[2] += J[2] * f
				d[3] += J[3] * f
				d[4] += J[4] * f
				d[5] += J[5] * f
				continue
			}
			for j, a := range b.J[r*n : (r+1)*n] {
				db[j] += a * f
			}
		}
	}
}

// refresh computes q and c of an island from v, and makes Vc the same.
func (s *Solver) refresh(is *island) {
	p := s.p
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.dp[i] = s.v[i] - p.V0[i]
		}
		mulClique(c, s.q, s.dp)
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.q[i] -= p.P[i]
		}
	}
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		vc := s.c[c.Row : c.Row+c.Dim]
		s.mulJ(int(k), vc, s.v)
		for r := range vc {
			vc[r] += p.Bias[c.Row+r]
		}
		copy(p.Vc[c.Row:], vc)
	}
}

// quadratic returns ½ (v − v0)ᵀ A (v − v0) − Pᵀ(v − v0) on an island, which is
// ½ (v − v*)ᵀ A (v − v*) less its value at v0.
func (s *Solver) quadratic(is *island) float64 {
	sum := 0.0
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += (s.v[i] - s.p.V0[i]) * (s.q[i] - s.p.P[i])
		}
	}
	return 0.5 * sum
}

// evaluate computes ℓ, γ and G of an island at its current velocities.
func (s *Solver) evaluate(is *island) error {
	clearIsland(s, is, s.dc)
	if err := s.evaluateAt(is, 0, false); err != nil {
		return err
	}
	is.cost = s.quadratic(is) + is.lawCost
	return nil
}

func clearIsland(s *Solver, is *island, x []float64) {
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &s.p.Constraints[k]
		clear(x[c.Row : c.Row+c.Dim])
	}
}

// evaluateAt computes γ and G at c + α Δc and the sums over the island. On request
// it leaves out G and cost of laws that are GradientOnly, and their part of curv and
// lawCost.
func (s *Solver) evaluateAt(is *island, alpha float64, spare bool) error {
	p := s.p
	is.lawCost, is.slope, is.curv, is.spared = 0, 0, 0, false
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		vc, gamma := p.Vc[c.Row:c.Row+c.Dim], p.Gamma[c.Row:c.Row+c.Dim]
		base, dc := s.c[c.Row:c.Row+c.Dim], s.dc[c.Row:c.Row+c.Dim]
		for r := range vc {
			vc[r] = base[r] + alpha*dc[r]
		}
		var slope, curv float64
		if l, ok := spares(c.Law, spare); ok {
			is.spared = true
			l.EvalImpulse(vc, gamma)
			s.cost[k] = 0
			slope = dot(dc, gamma)
		} else {
			G := s.g[s.gOff[k]:s.gOff[k+1]]
			s.cost[k] = c.Law.Eval(vc, gamma, G)
			slope, curv = along(gamma, G, dc)
		}
		if sum := s.cost[k] + slope + curv; sum-sum != 0 {
			return s.blame(int(k))
		}
		is.lawCost += s.cost[k]
		is.slope += slope
		is.curv += curv
	}
	return nil
}

// evaluateFixed computes the impulses of constraints that touch no node, between
// bodies whose motion is prescribed: their velocity is the bias.
func (s *Solver) evaluateFixed() error {
	p := s.p
	for i := range p.Constraints {
		if len(p.Blocks(handle(i))) > 0 {
			continue
		}
		c := &p.Constraints[i]
		s.fixed = resize(s.fixed, c.Dim)
		clear(s.fixed)
		c.Law.Prepare(p.H, s.fixed)
		vc := p.Vc[c.Row : c.Row+c.Dim]
		copy(vc, p.Bias[c.Row:])
		s.cost[i] = c.Law.Eval(vc, p.Gamma[c.Row:c.Row+c.Dim], s.g[s.gOff[i]:s.gOff[i+1]])
		if notFinite(p.Gamma[c.Row:c.Row+c.Dim]) >= 0 {
			return s.blame(i)
		}
	}
	return nil
}

// residual computes Jᵀγ, ‖D∇ℓ‖ and the scale of momentum of an island (2): that
// exchanged in the step. All of A v would change with the observer's velocity, and
// hide whole impulses when steps are short.
func (s *Solver) residual(is *island) {
	p := s.p
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		clear(s.jtg[c.Offset : c.Offset+c.Size])
	}
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		s.addJT(int(k), s.jtg, p.Gamma[c.Row:c.Row+c.Dim])
	}
	var r2, a2, p2, j2 float64
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			d := s.d[i]
			r, a, f, j := d*(s.q[i]-s.jtg[i]), d*(s.q[i]+p.P[i]), d*p.P[i], d*s.jtg[i]
			r2, a2, p2, j2 = r2+r*r, a2+a*a, p2+f*f, j2+j*j
		}
	}
	is.res, is.scale = math.Sqrt(r2), math.Sqrt(max(a2, p2, j2))
	is.tol = or(s.AbsTol, defaultAbsTol) + or(s.RelTol, defaultRelTol)*is.scale
}

// roundOff estimates ‖D∇ℓ‖ that rounding alone makes: an error ε|J||v| + ε|b|
// in c passes through |J|ᵀ|G|, and ε of every term of the balance adds.
func (s *Solver) roundOff(is *island) float64 {
	p := s.p
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.dp[i] = math.Abs(s.q[i]) + math.Abs(s.jtg[i]) + math.Abs(p.P[i])
		}
	}
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		dc := s.dc[c.Row : c.Row+c.Dim]
		for r := range dc {
			dc[r] = math.Abs(p.Bias[c.Row+r])
		}
		blocks := p.Blocks(handle(int(k)))
		for _, b := range blocks {
			n := p.NodeSize[b.Node]
			for r := range dc {
				for j, a := range b.J[r*n : (r+1)*n] {
					dc[r] += math.Abs(a * s.v[p.NodeOffset[b.Node]+j])
				}
			}
		}
		G := s.g[s.gOff[k]:s.gOff[k+1]]
		for r := range dc {
			f := math.Abs(p.Gamma[c.Row+r])
			for q, x := range dc {
				f += math.Abs(G[r*c.Dim+q]) * x
			}
			for _, b := range blocks {
				n := p.NodeSize[b.Node]
				for j, a := range b.J[r*n : (r+1)*n] {
					s.dp[p.NodeOffset[b.Node]+j] += math.Abs(a) * f
				}
			}
		}
	}
	sum := 0.0
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += s.d[i] * s.dp[i] * s.d[i] * s.dp[i]
		}
	}
	return unitRoundOff * math.Sqrt(sum)
}

// along returns Δcᵀγ and Δcᵀ G Δc of one constraint.
func along(gamma, G, dc []float64) (slope, curv float64) {
	if len(dc) == 3 { // a contact
		x, y, z := dc[0], dc[1], dc[2]
		g, H := (*[3]float64)(gamma), (*[9]float64)(G)
		return x*g[0] + y*g[1] + z*g[2],
			x*(H[0]*x+H[1]*y+H[2]*z) + y*(H[3]*x+H[4]*y+H[5]*z) + z*(H[6]*x+H[7]*y+H[8]*z)
	}
	n := len(dc)
	slope = dot(dc, gamma)
	for r, x := range dc {
		row := 0.0
		for q, y := range dc {
			row += G[r*n+q] * y
		}
		curv += x * row
	}
	return slope, curv
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, a := range x {
		sum += a * y[i]
	}
	return sum
}
