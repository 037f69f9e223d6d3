package sim

import "math"

// The pseudoinverse of a small matrix A = U Σ Vᵀ (m×n) whose entries are about 1, as a smooth function of A,
//
//	A⁺ = V f(Σ) Uᵀ,   f(σ) = σ³/(σ⁴ + μ⁴)                                            (1)
//
// which is 1/σ to round-off where σ ≫ μ, and nothing where σ is round-off: rows may be redundant, and columns free. In
// between, as next to a dead centre of a mechanism, it is bounded by about 0.6/μ. U Σ and V come from rotations of
// pairs of columns of A until all are orthogonal. Source: Hestenes, "Inversion of matrices by biorthogonalization",
// 1958.

// leastSingular is μ.
const leastSingular = 1e-5

// pseudoinverse is the decomposition (1) with its memory.
type pseudoinverse struct {
	m, n  int
	cols  []float64 // U Σ, column by column (n columns of m)
	V     []float64 // column by column (n of n)
	value []float64 // σ (n)
	share []float64 // f(σ)/σ (n)
}

// resize makes room for a matrix of m×n. Its columns are to be filled before decompose.
func (p *pseudoinverse) resize(m, n int) {
	p.m, p.n = m, n
	p.cols, p.V = sized(p.cols, m*n), sized(p.V, n*n)
	p.value, p.share = sized(p.value, n), sized(p.share, n)
}

// col returns a column of A, or of U Σ after decompose.
func (p *pseudoinverse) col(j int) []float64 { return p.cols[j*p.m : (j+1)*p.m] }

// v returns a column of V: the combination of the columns of A that is col(j).
func (p *pseudoinverse) v(j int) []float64 { return p.V[j*p.n : (j+1)*p.n] }

// mostSweeps bounds the sweeps over all pairs of columns; some six are usual.
const mostSweeps = 40

// decompose turns the columns of A into U Σ and V.
func (p *pseudoinverse) decompose() {
	clear(p.V)
	for j := range p.n {
		p.v(j)[j] = 1
	}
	for range mostSweeps {
		turned := false
		for i := range p.n {
			for j := range i {
				turned = p.orthogonalize(i, j) || turned
			}
		}
		if !turned {
			break
		}
	}
	for j := range p.n {
		c := p.col(j)
		sq := dot(c, c)
		p.value[j] = math.Sqrt(sq)
		p.share[j] = sq / (sq*sq + leastSingular*leastSingular*leastSingular*leastSingular) // (1)
	}
}

// orthogonalize turns two columns in their plane, and reports whether they were not orthogonal.
func (p *pseudoinverse) orthogonalize(i, j int) bool {
	a, b := p.col(i), p.col(j)
	aa, bb, ab := dot(a, a), dot(b, b), dot(a, b)
	// columns of round-off stay as they are
	if math.Abs(ab) <= 1e-15*math.Sqrt(aa*bb) || aa < 1e-28 || bb < 1e-28 {
		return false
	}
	zeta := (bb - aa) / (2 * ab)
	t := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Sqrt(1+zeta*zeta))
	c := 1 / math.Sqrt(1+t*t)
	s := c * t
	turn(a, b, c, s)
	turn(p.v(i), p.v(j), c, s)
	return true
}

// turn replaces a and b by c a − s b and s a + c b.
func turn(a, b []float64, c, s float64) {
	for k, x := range a {
		a[k], b[k] = c*x-s*b[k], s*x+c*b[k]
	}
}

// isNull reports whether the motion v(j) moves nothing that A sees.
func (p *pseudoinverse) isNull(j int) bool { return p.value[j] < leastSingular }

// subtractSolution subtracts A⁺ x of x (m) from y (n).
func (p *pseudoinverse) subtractSolution(x, y []float64) {
	for j := range p.n {
		if w := p.share[j] * dot(p.col(j), x); w != 0 {
			addScaled(y, -w, p.v(j))
		}
	}
}

// forces writes (A⁺)ᵀ b of b (n) to y (m): the least forces in the rows of A that balance b, as far as they can.
func (p *pseudoinverse) forces(b, y []float64) {
	clear(y)
	for j := range p.n {
		if w := p.share[j] * dot(p.v(j), b); w != 0 {
			addScaled(y, w, p.col(j))
		}
	}
}

// takeOut replaces x (m) by what of it the columns of A cannot make, (1 − A A⁺) x.
func (p *pseudoinverse) takeOut(x []float64) {
	for j := range p.n {
		if w := p.share[j] * dot(p.col(j), x); w != 0 {
			addScaled(x, -w, p.col(j))
		}
	}
}
