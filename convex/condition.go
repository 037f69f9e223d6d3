package convex

import "math"

// The condition number that Solver.Condition requests is that of
//
//	B = D H D,  D = diag(A)^−½,  κ = λ_max(B)/λ_min(B)                    (16)
//
// with H of (3) at the solution, for each island: it has no unit, and B is the matrix
// that the residual (7) is measured with. H itself compares radians with metres; its
// condition number changes with the unit of length and with the ratio of masses, while
// the solution does not. Both ends of the spectrum come from the Lanczos recurrence, the
// lower one as the upper of B⁻¹ by the factors of H,
//
//	β_j q_{j+1} = B q_j − α_j q_j − β_{j−1} q_{j−1}                        (17)
//
// whose tridiagonal matrix T (α, β) has an upper eigenvalue θ_j that rises to λ_max.
// The estimate is from below; where θ has stopped rising it is good to a percent
// or so. Round-off makes copies of eigenvalues that have converged, which does not
// move the largest.
//
// Source: Golub, Van Loan, Matrix Computations, 4th ed., section 10.1.

// conditioner computes the condition number.
type conditioner struct {
	*direction
	lanczos []lanczos // of each island, of B and of its inverse
}

// lanczos is the state of the recurrence on one island.
type lanczos struct {
	alpha, beta [lanczosSteps]float64
	steps       int
	theta       float64 // largest eigenvalue of T so far
	flatSteps   int     // steps in a row that θ hardly rose
	done        bool
}

const (
	lanczosSteps = 100  // at most; some tens are usual
	lanczosRise  = 1e-3 // relative rise of θ in a step that counts as none
	lanczosFlat  = 4    // such steps that end the recurrence
)

// largest returns the largest κ of (16) over islands; +Inf when H of one is singular in
// floating point.
func (t *conditioner) largest() float64 {
	for i := range t.islands {
		// H at the solution, without regularization, and its factors
		is := &t.islands[i]
		is.lambda = 0
		t.assemble(is)
		if is.small && !t.direct.factor(is) {
			return math.Inf(1)
		}
	}
	// large islands share one factorization
	if len(t.large) > 0 {
		if _, ok := t.sparse.factor(nil); !ok {
			return math.Inf(1)
		}
	}
	n := len(t.islands)
	t.lanczos = resize(t.lanczos, 2*n)
	// upper ends of the spectra of B and of B⁻¹
	t.iterateLanczos(t.lanczos[:n], t.mulB)
	t.iterateLanczos(t.lanczos[n:], t.solveB)
	most := 1.0
	for i := range n {
		most = max(most, t.lanczos[i].theta*t.lanczos[n+i].theta)
	}
	return most
}

// iterateLanczos runs (17) on all islands at once; mul overwrites dp by the operator
// times dv. It uses work and saved.
func (t *conditioner) iterateLanczos(l []lanczos, mul func()) {
	q, last, next := t.dv, t.work, t.dp
	clear(q)
	clear(last)
	// q_1, and q_0 = 0
	for i := range l {
		l[i] = lanczos{}
		t.startVector(&t.islands[i], q)
	}
	// One product serves all islands, whose vectors have disjoint parts.
	for open := len(l); open > 0; {
		mul()
		open = 0
		for i := range l {
			// islands that have converged have zeros
			is, z := &t.islands[i], &l[i]
			if z.done {
				continue
			}
			t.step(is, z, q, last, next)
			if !z.done {
				open++
			}
		}
	}
}

// step does one step of (17) on an island: next is B q on entry, q and last move on.
func (t *conditioner) step(is *island, z *lanczos, q, last, next []float64) {
	j := z.steps
	before := 0.0 // β_{j−1}
	if j > 0 {
		before = z.beta[j-1]
	}
	a := 0.0
	// α_j = q_jᵀ B q_j
	t.each(is, func(i int) { a += q[i] * next[i] })
	// B q_j − α_j q_j − β_{j−1} q_{j−1}, and β_j, its length
	b2 := 0.0
	t.each(is, func(i int) {
		next[i] -= a*q[i] + before*last[i]
		b2 += next[i] * next[i]
	})
	b := math.Sqrt(b2)
	z.alpha[j], z.beta[j] = a, b
	z.steps++
	// θ_j, then q_{j+1}; zero where the recurrence has ended
	z.converge(b)
	t.each(is, func(i int) {
		last[i], q[i] = q[i], next[i]/b
		if z.done {
			q[i] = 0
		}
	})
}

// converge updates θ after a step, and decides whether it was the last one: θ has stopped
// rising, there is no memory for more, or β vanishes, when q spans an invariant subspace.
func (z *lanczos) converge(beta float64) {
	theta := z.largestEigenvalue()
	if theta <= z.theta*(1+lanczosRise) {
		z.flatSteps++
	} else {
		z.flatSteps = 0
	}
	// θ may fall by round-off
	z.theta = max(z.theta, theta)
	z.done = z.flatSteps >= lanczosFlat || z.steps == lanczosSteps || beta <= unitRoundOff*theta
}

// startVector writes a unit vector of pseudo-random entries (xorshift), the same for an
// island wherever it stands in the problem.
func (t *conditioner) startVector(is *island, q []float64) {
	x, sum := uint64(0x9e3779b97f4a7c15), 0.0
	t.each(is, func(i int) {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		// between 0.5 and 1.5, of random sign: no entry is near zero
		q[i] = 0.5 + float64(x>>11)*0x1p-53
		if x&1 != 0 {
			q[i] = -q[i]
		}
		sum += q[i] * q[i]
	})
	t.each(is, func(i int) { q[i] /= math.Sqrt(sum) })
}

// largestEigenvalue returns the largest eigenvalue of T by bisection, between its
// largest diagonal entry and the bound of Gershgorin's circles.
func (z *lanczos) largestEigenvalue() float64 {
	lo, hi := math.Inf(-1), math.Inf(-1)
	for j := range z.steps {
		// radius of the circle: the off-diagonal entries of row j
		r := z.beta[j]
		if j+1 == z.steps {
			r = 0
		}
		if j > 0 {
			r += z.beta[j-1]
		}
		lo, hi = max(lo, z.alpha[j]), max(hi, z.alpha[j]+r)
	}
	// bisection, by the signs of pivots
	for hi-lo > 1e-9*hi {
		x := 0.5 * (lo + hi)
		if z.isAbove(x) {
			hi = x
		} else {
			lo = x
		}
	}
	return hi
}

// isAbove reports whether x is above all eigenvalues of T: all pivots of x − T are
// positive.
func (z *lanczos) isAbove(x float64) bool {
	d := x - z.alpha[0]
	for j := 1; j < z.steps; j++ {
		if d <= 0 {
			return false
		}
		// pivot j of the L D Lᵀ factorization of x − T
		d = x - z.alpha[j] - z.beta[j-1]*z.beta[j-1]/d
	}
	return d > 0
}

// mulB writes D H D dv to dp; dv comes back as it was.
func (t *conditioner) mulB() {
	for k := range t.islands {
		is := &t.islands[k]
		t.each(is, func(i int) {
			// D q
			t.saved[i] = t.dv[i]
			t.dv[i] *= t.d[i]
		})
		// A D q and J D q
		t.products(is)
		// + Jᵀ G J D q
		for _, j := range t.constraintsOf(is) {
			is.w = resize(is.w, t.p.Constraints[j].Dim)
			t.mulG(int(j), is.w)
			addJT(t.p, int(j), t.dp, is.w)
		}
		t.each(is, func(i int) {
			t.dv[i] = t.saved[i]
			t.dp[i] *= t.d[i]
		})
	}
}

// solveB writes (D H D)⁻¹ dv to dp.
func (t *conditioner) solveB() {
	clear(t.dp)
	// B⁻¹ = D⁻¹ H⁻¹ D⁻¹
	for k := range t.islands {
		t.each(&t.islands[k], func(i int) { t.dp[i] = t.dv[i] / t.d[i] })
	}
	// H⁻¹ D⁻¹ q, by the factors of largest
	for _, is := range t.small {
		t.direct.solve(is, t.dp)
	}
	if len(t.large) > 0 {
		t.sparse.solve(t.dp)
	}
	for k := range t.islands {
		t.each(&t.islands[k], func(i int) { t.dp[i] /= t.d[i] })
	}
}
