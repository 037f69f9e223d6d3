package convex

import "math"

// The condition number that Solver.Condition asks for is that of
//
//	B = D H D,  D = diag(A)^−½,  κ = λ_max(B)/λ_min(B)                    (7)
//
// with H of (3) at the solution, for each island: without units, and what the
// residual is measured in. H itself compares radians with metres; its condition
// number changes with the unit of length and with the ratio of masses, of which
// the solution does not know. Both ends of the spectrum come from the Lanczos
// recurrence, the lower one as the upper of B⁻¹ by the factors of H,
//
//	β_j q_{j+1} = B q_j − α_j q_j − β_{j−1} q_{j−1}                        (8)
//
// whose tridiagonal matrix (α, β) has an upper eigenvalue θ_j that rises to λ_max.
// The estimate is from below; where θ has stopped rising it is good to a percent
// or so. Rounding makes copies of eigenvalues that have converged, which does not
// move the largest.

// lanczos is the state of the recurrence on one island.
type lanczos struct {
	alpha, beta [lanczosSteps]float64
	steps       int
	theta       float64
	settled     int // steps in a row that θ hardly rose
	done        bool
}

const (
	lanczosSteps = 100
	lanczosRise  = 1e-3 // of θ in a step that counts as none
	lanczosStill = 4    // such steps that end it
)

// condition returns the largest (7) over islands; +Inf when H of one is singular
// in floating point.
func (s *Solver) condition() float64 {
	for i := range s.islands {
		is := &s.islands[i]
		is.lambda = 0
		s.assemble(is)
		if is.small && !s.factorDirect(is) {
			return math.Inf(1)
		}
	}
	if len(s.large) > 0 {
		if _, ok := s.factorSparse(); !ok {
			return math.Inf(1)
		}
	}
	n := len(s.islands)
	s.lanczos = resize(s.lanczos, 2*n)
	s.largest(s.lanczos[:n], s.mulB)
	s.largest(s.lanczos[n:], s.solveB)
	most := 1.0
	for i := range n {
		most = max(most, s.lanczos[i].theta*s.lanczos[n+i].theta)
	}
	return most
}

// largest runs (8) on all islands at once; mul overwrites s.dp by the operator
// times s.dv. It uses s.work and s.kept.
func (s *Solver) largest(l []lanczos, mul func()) {
	q, last, next := s.dv, s.work, s.dp
	clear(q)
	clear(last)
	for i := range l {
		l[i] = lanczos{}
		s.seed(&s.islands[i], q)
	}
	for open := len(l); open > 0; {
		mul()
		open = 0
		for i := range l {
			is, z := &s.islands[i], &l[i]
			if z.done {
				continue
			}
			s.recur(is, z, q, last, next)
			if !z.done {
				open++
			}
		}
	}
}

// recur takes one island a step on.
func (s *Solver) recur(is *island, z *lanczos, q, last, next []float64) {
	j := z.steps
	before := 0.0
	if j > 0 {
		before = z.beta[j-1]
	}
	a := 0.0
	s.each(is, func(i int) { a += q[i] * next[i] })
	b2 := 0.0
	s.each(is, func(i int) {
		next[i] -= a*q[i] + before*last[i]
		b2 += next[i] * next[i]
	})
	b := math.Sqrt(b2)
	z.alpha[j], z.beta[j] = a, b
	z.steps++
	theta := z.top()
	if theta <= z.theta*(1+lanczosRise) {
		z.settled++
	} else {
		z.settled = 0
	}
	z.theta = max(z.theta, theta)
	z.done = z.settled >= lanczosStill || z.steps == lanczosSteps || b <= unitRoundOff*theta
	s.each(is, func(i int) {
		last[i], q[i] = q[i], next[i]/b
		if z.done {
			q[i] = 0
		}
	})
}

// seed writes a unit vector without preference, the same for an island wherever
// it stands.
func (s *Solver) seed(is *island, q []float64) {
	x, sum := uint64(0x9e3779b97f4a7c15), 0.0
	s.each(is, func(i int) {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		q[i] = 0.5 + float64(x>>11)*0x1p-53
		if x&1 != 0 {
			q[i] = -q[i]
		}
		sum += q[i] * q[i]
	})
	s.each(is, func(i int) { q[i] /= math.Sqrt(sum) })
}

// top returns the largest eigenvalue of the tridiagonal matrix by bisection: x is
// above all when the pivots of x − T are positive.
func (z *lanczos) top() float64 {
	lo, hi := math.Inf(-1), math.Inf(-1)
	for j := range z.steps {
		r := z.beta[j]
		if j+1 == z.steps {
			r = 0
		}
		if j > 0 {
			r += z.beta[j-1]
		}
		lo, hi = max(lo, z.alpha[j]), max(hi, z.alpha[j]+r)
	}
	for hi-lo > 1e-9*hi {
		x := 0.5 * (lo + hi)
		if z.above(x) {
			hi = x
		} else {
			lo = x
		}
	}
	return hi
}

func (z *lanczos) above(x float64) bool {
	d := x - z.alpha[0]
	for j := 1; j < z.steps; j++ {
		if d <= 0 {
			return false
		}
		d = x - z.alpha[j] - z.beta[j-1]*z.beta[j-1]/d
	}
	return d > 0
}

// mulB writes D H D dv to dp; dv comes back as it was.
func (s *Solver) mulB() {
	for k := range s.islands {
		is := &s.islands[k]
		s.each(is, func(i int) {
			s.kept[i] = s.dv[i]
			s.dv[i] *= s.d[i]
		})
		s.products(is)
		for _, j := range s.consSeq[is.cons0:is.cons1] {
			c := &s.p.Constraints[j]
			is.w = resize(is.w, c.Dim)
			G := s.g[s.gOff[j]:s.gOff[j+1]]
			for r := range is.w {
				is.w[r] = 0
				for q, x := range s.dc[c.Row : c.Row+c.Dim] {
					is.w[r] += G[r*c.Dim+q] * x
				}
			}
			s.addJT(int(j), s.dp, is.w)
		}
		s.each(is, func(i int) {
			s.dv[i] = s.kept[i]
			s.dp[i] *= s.d[i]
		})
	}
}

// solveB writes (D H D)⁻¹ dv to dp.
func (s *Solver) solveB() {
	clear(s.dp)
	for k := range s.islands {
		s.each(&s.islands[k], func(i int) { s.dp[i] = s.dv[i] / s.d[i] })
	}
	for _, is := range s.small {
		s.solveDirect(is, s.dp)
	}
	if len(s.large) > 0 {
		s.solveSparse(s.dp)
	}
	for k := range s.islands {
		s.each(&s.islands[k], func(i int) { s.dp[i] /= s.d[i] })
	}
}

// each calls f for the velocities of an island.
func (s *Solver) each(is *island, f func(i int)) {
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			f(i)
		}
	}
}
