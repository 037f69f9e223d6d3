package constraints

// The law of a controller that couples n joints, such as the spring and damper of a frame
// τ = Jᵀ (K e + D ė), or gains that the inertia multiplies. With the velocities v of the joints,
//
//	γ = b − S w,   |γ_i| ≤ g_i                                                       (1)
//	ℓ(v) = min_w ½ wᵀ S w − bᵀ w + Σ g_i |v_i − w_i|                                 (2)
//
// S is symmetric and positive semi-definite, b the impulse at rest, g_i the bound of an
// effort times the step. Where no effort is bounded w = v: a spring and damper, implicit in the
// step. Else w is the velocity beyond a clutch that slips where an effort is at its bound. ℓ is an
// infimal convolution of convex functions, so it is convex, and γ = −∂ℓ/∂v: clamping each
// effort by itself has no potential where joints are coupled. With the set C of joints at their
// bounds ±g and the others F, w_F = v_F and
//
//	S_CC w_C = b_C − S_CF v_F ∓ g_C                                                  (3)
//	γ_F = b_F − S_FF v_F − S_FC w_C,   G_FF = S_FF − S_FC S_CC⁻¹ S_CF                 (4)
//
// with w_i > v_i at +g_i and w_i < v_i at −g_i (5). C is found by exchanging the joint of least
// index that violates (1) or (5), which ends because S, with the least diagonal of leastShare,
// is positive definite. Source: Murty, "Note on a Bard-type scheme for solving the complementarity
// problem", Opsearch 11, 1974.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// CoupledControl is the law (2) of a controller of several coupled joints in one step. Its owner
// resizes it once and fills S, B and Most in each step.
type CoupledControl struct {
	// S is the matrix of (1), n×n, row-major, kg or kg m²; B is its impulse b and Most its
	// bound g, N s or N m s, +Inf: no bound.
	S, B, Most []float64

	side  []int     // of each joint: −1 or +1 at a bound, 0 between
	w     []float64 // velocities beyond the clutch
	block []float64 // S_CC, then its factor
	index []int     // of C
	work  []float64 // S_CC⁻¹ S_CF
}

var _ cliques.Law = (*CoupledControl)(nil)

// leastShare of the largest diagonal entry is added to the diagonal of S.
const leastShare = 1e-12

// Resize sets the number of joints.
func (l *CoupledControl) Resize(n int) {
	l.S, l.B, l.Most = make([]float64, n*n), make([]float64, n), make([]float64, n)
	l.side, l.w, l.index = make([]int, n), make([]float64, n), make([]int, 0, n)
	l.block, l.work = make([]float64, n*n), make([]float64, n*n)
}

// Dim implements cliques.Law.
func (l *CoupledControl) Dim() int { return len(l.B) }

// Prepare implements cliques.Law.
func (l *CoupledControl) Prepare(float64, []float64) {
	n, largest := len(l.B), 0.0
	for i := range n {
		largest = math.Max(largest, l.S[i*n+i])
	}
	for i := range n {
		l.S[i*n+i] += leastShare * largest
	}
}

// Eval implements cliques.Law.
func (l *CoupledControl) Eval(v, gamma, G []float64) (cost float64) {
	n := len(l.B)
	clear(l.side)
	for range exchanges * (n + 1) {
		l.solve(v, gamma)
		i := l.violated(v, gamma)
		if i < 0 {
			break
		}
		switch {
		case l.side[i] != 0:
			l.side[i] = 0
		case gamma[i] > 0:
			l.side[i] = 1
		default:
			l.side[i] = -1
		}
	}
	l.slopes(G)
	// (2)
	for i, w := range l.w {
		s := 0.0
		for j, u := range l.w {
			s += l.S[i*n+j] * u
		}
		cost += w * (0.5*s - l.B[i])
		if l.side[i] != 0 {
			cost += l.Most[i] * math.Abs(v[i]-w)
		}
	}
	return cost
}

// exchanges bounds the number of exchanges per joint: few are usual, 2ⁿ the worst case.
const exchanges = 40

// solve writes w of (3) and γ of (1) for the present sides.
func (l *CoupledControl) solve(v, gamma []float64) {
	n := len(l.B)
	copy(l.w, v)
	l.factorBounded()
	m := len(l.index)
	x := l.work[:m]
	for k, i := range l.index {
		x[k] = l.B[i] - float64(l.side[i])*l.Most[i]
		for j := range n {
			if l.side[j] == 0 {
				x[k] -= l.S[i*n+j] * v[j]
			}
		}
	}
	l.substitute(x)
	for k, i := range l.index {
		l.w[i] = x[k] // (3)
	}
	for i := range gamma {
		gamma[i] = l.B[i]
		for j, w := range l.w {
			gamma[i] -= l.S[i*n+j] * w // (1)
		}
		if l.side[i] != 0 {
			gamma[i] = float64(l.side[i]) * l.Most[i]
		}
	}
}

// violated returns the first joint beyond its bound or on the wrong side of its clutch, or −1.
func (l *CoupledControl) violated(v, gamma []float64) int {
	for i, side := range l.side {
		if side == 0 && math.Abs(gamma[i]) > l.Most[i] || float64(side)*(l.w[i]-v[i]) < 0 { // (5)
			return i
		}
	}
	return -1
}

// slopes writes G, (4).
func (l *CoupledControl) slopes(G []float64) {
	n, m := len(l.B), len(l.index)
	clear(G)
	for j := range n {
		if l.side[j] != 0 {
			continue
		}
		// S_CC⁻¹ of a column of S_CF
		x := l.work[:m]
		for k, i := range l.index {
			x[k] = l.S[i*n+j]
		}
		l.substitute(x)
		for i := range n {
			if l.side[i] != 0 {
				continue
			}
			G[i*n+j] = l.S[i*n+j]
			for k, c := range l.index {
				G[i*n+j] -= l.S[i*n+c] * x[k]
			}
		}
	}
	// round-off leaves it symmetric up to digits
	for i := range n {
		for j := range i {
			mean := 0.5 * (G[i*n+j] + G[j*n+i])
			G[i*n+j], G[j*n+i] = mean, mean
		}
	}
}

// factorBounded lists the joints at bounds and factors S_CC = L Lᵀ.
func (l *CoupledControl) factorBounded() {
	n := len(l.B)
	l.index = l.index[:0]
	for i, side := range l.side {
		if side != 0 {
			l.index = append(l.index, i)
		}
	}
	m := len(l.index)
	for a, i := range l.index {
		for b, j := range l.index[:a+1] {
			s := l.S[i*n+j]
			for k := range b {
				s -= l.block[a*m+k] * l.block[b*m+k]
			}
			if a == b {
				l.block[a*m+a] = math.Sqrt(math.Max(s, leastShare*l.S[i*n+i]))
			} else {
				l.block[a*m+b] = s / l.block[b*m+b]
			}
		}
	}
}

// substitute overwrites x by S_CC⁻¹ x.
func (l *CoupledControl) substitute(x []float64) {
	m := len(x)
	for a := range m {
		for k := range a {
			x[a] -= l.block[a*m+k] * x[k]
		}
		x[a] /= l.block[a*m+a]
	}
	for a := m - 1; a >= 0; a-- {
		for k := a + 1; k < m; k++ {
			x[a] -= l.block[k*m+a] * x[k]
		}
		x[a] /= l.block[a*m+a]
	}
}
