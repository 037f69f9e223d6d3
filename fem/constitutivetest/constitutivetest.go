// Package constitutivetest checks that an elastic law keeps the contract of
// fem.ConstitutiveLaw at random deformation gradients F and at those where laws fail: flat,
// inverted, collapsed to a line, with equal stretches.
//
//	Ψ(I) = 0,   P(I) = 0                                                   (1)
//	P(I + εH) = ε (2μ sym H + λ tr H I) + O(ε²)                            (2)
//	P = ∂Ψ/∂F,   C = ∂P/∂F = Cᵀ, projected to C ⪰ 0 by its eigenvalues      (3)
//	Ψ(QF) = Ψ(F),   P(QF) = Q P(F) for rotations Q                          (4)
//
// (1) is the rest state without stress, (2) Hooke's law with the Lamé parameters that the
// law states, (3) is compared with central differences, and (4) is frame indifference, which
// fem.Linear laws lack.
package constitutivetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"

	"gonum.org/v1/gonum/mat"
)

// Check tests a material at rest, at random deformations and at those where laws
// like to break: flat, inverted, collapsed to a line, with equal stretches.
// Failures print the deformation gradient.
func Check(t testing.TB, m fem.ConstitutiveLaw) {
	t.Helper()
	c := checker{t: t, m: m}
	// stresses are of the size of the Lamé parameters: the scale of all tolerances
	c.mu, c.lambda = m.Lame()
	c.scale = math.Abs(c.mu) + math.Abs(c.lambda)
	// these two do not depend on F
	c.rest()
	c.smallStrain()
	// the same deformations for every law, so that failures can be compared
	r := rand.New(rand.NewPCG(20261121, 0))
	for _, F := range deformations(r) {
		// the frame that an element has: the law may read it or not
		R := r3.Polar(F)
		if m.Class() == fem.Corotated {
			R = r3.RotExp(randomVec(r).Scale(0.2)).Mul(R) // any fixed rotation will do
		}
		c.stress(F, R)
		c.tangent(F, R)
		// a linear law takes rotation for strain, as it says
		if m.Class() != fem.Linear {
			c.indifferent(F, R, r3.RotExp(randomVec(r).Scale(2)))
		}
		if t.Failed() {
			return
		}
	}
}

// deformations returns random and switching deformation gradients.
func deformations(r *rand.Rand) []r3.Mat {
	// rotations on both sides, so that principal axes lie anywhere
	rot := func() r3.Mat { return r3.RotExp(randomVec(r).Scale(2)) }
	stretched := func(x, y, z float64) r3.Mat { return rot().Mul(r3.Diag(r3.Vec{x, y, z})).Mul(rot()) }
	Fs := []r3.Mat{
		r3.Identity(), rot(),
		stretched(1, 1, 0),         // flat
		stretched(1, 1, 1e-6),      // nearly flat
		stretched(1, 0.9, -0.2),    // inverted
		stretched(1, 0.3, -0.3),    // inverted, direction of inversion ambiguous
		stretched(1, 0.05, -0.049), //
		stretched(0.7, 0, 0),       // a line
		stretched(1.3, 1.3, 1.3), stretched(2, 2, 0.5), stretched(3, 0.2, 0.1),
	}
	for range 30 {
		// large random ones, half of them inverted, and small strains of 10 %
		var F r3.Mat
		for i := range F {
			F[i] = r.NormFloat64()
		}
		Fs = append(Fs, F, r3.Identity().Add(F.Scale(0.1)))
	}
	return Fs
}

// randomVec has normally distributed components: a random direction.
func randomVec(r *rand.Rand) r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

// checker tests one law.
type checker struct {
	t                 testing.TB
	m                 fem.ConstitutiveLaw
	mu, lambda, scale float64
}

// rest: (1), to round-off.
func (c *checker) rest() {
	c.t.Helper()
	I := r3.Identity()
	if e := c.m.Energy(I, I); math.Abs(e) > 1e-14*c.scale {
		c.t.Errorf("energy at rest is %g J/m³, not 0", e)
	}
	if P := c.m.Stress(I, I); !(math.Sqrt(P.Norm2()) <= 1e-14*c.scale) {
		c.t.Errorf("stress at rest is %v Pa, not 0", P)
	}
}

// smallStrain: P(I + εH) = ε (2μ sym H + λ tr H I) + O(ε²).
func (c *checker) smallStrain() {
	c.t.Helper()
	// between the error eps of (2) and the round-off 1e-16/eps² of the energy, which is quadratic
	const eps = 1e-6
	H := r3.Mat{0.3, 0.5, -0.2, 0.1, -0.4, 0.7, 0.6, -0.9, 0.2}
	F := r3.Identity().Add(H.Scale(eps))
	want := H.Add(H.T()).Scale(c.mu).Add(r3.Identity().Scale(c.lambda * H.Trace()))
	got := c.m.Stress(F, r3.Polar(F)).Scale(1 / eps)
	if e := distance(got, want); !(e <= 1e-5*c.scale) {
		c.t.Errorf("small strain: stress is off Hooke's law by %g Pa per unit of strain: got %v, want %v", e, got, want)
	}
	// ½ ε:σ, the second half of Hooke's law: laws whose stress is right by chance fail here
	energy := c.m.Energy(F, r3.Polar(F)) / (eps * eps)
	if w := 0.5 * dot(want, H.Add(H.T()).Scale(0.5)); math.Abs(energy-w) > 1e-4*c.scale {
		c.t.Errorf("small strain: energy is %g, want %g J/m³ per unit of strain squared", energy, w)
	}
}

// stress: P = ∂Ψ/∂F by central differences.
func (c *checker) stress(F, R r3.Mat) {
	c.t.Helper()
	// differences of second order: eps² times third derivatives beside round-off of 1e-16/eps
	const eps = 1e-5
	P := c.m.Stress(F, R)
	// energy is least at rest, wherever F is: inverted elements return
	if e := c.m.Energy(F, R); !(e >= -1e-12*c.scale) {
		c.t.Errorf("energy is %g J/m³ at F = %v: it must not be negative", e, F)
	}
	// entry i of F moves alone, the frame stays: P is the partial derivative at fixed R
	for i := range F {
		G, H := F, F
		G[i], H[i] = F[i]+eps, F[i]-eps
		d := (c.m.Energy(G, R) - c.m.Energy(H, R)) / (2 * eps)
		// third derivatives of polynomial laws grow with the cube of F
		if !(math.Abs(P[i]-d) <= 1e-8*c.scale*(1+cube(F))) {
			c.t.Errorf("stress component %d is %g, the energy's difference %g Pa, at F = %v", i, P[i], d, F)
		}
	}
}

// tangent: dP/dF by central differences, as they are and projected.
func (c *checker) tangent(F, R r3.Mat) {
	c.t.Helper()
	const eps = 1e-5
	// 9×9 by rows, with the entries of F by rows too
	var C, raw [81]float64
	for i := range C {
		C[i], raw[i] = math.NaN(), math.NaN() // must be overwritten
	}
	// projected for Newton matrices, raw for exact linearization
	c.m.Tangent(F, R, true, &C)
	c.m.Tangent(F, R, false, &raw)
	diff := mat.NewSymDense(9, nil)
	var D [81]float64
	// column k of ∂P/∂F
	for k := range F {
		between := func(size float64) r3.Mat {
			G, H := F, F
			G[k], H[k] = F[k]+size, F[k]-size
			return c.m.Stress(G, R).Sub(c.m.Stress(H, R))
		}
		// of fourth order: powers of small stretches have large third derivatives
		near, far := between(eps), between(2*eps)
		for i := range near {
			D[9*i+k] = (8*near[i] - far[i]) / (12 * eps)
		}
	}
	tol := 1e-7 * c.scale * (1 + cube(F))
	for i := range 9 {
		for j := range i + 1 {
			// second derivatives commute: a stress that is the gradient of nothing fails here
			if !(math.Abs(D[9*i+j]-D[9*j+i]) <= tol) {
				c.t.Errorf("stress is no gradient at F = %v", F)
				return
			}
			diff.SetSym(i, j, 0.5*(D[9*i+j]+D[9*j+i]))
		}
	}
	for i := range raw {
		if !(math.Abs(raw[i]-D[i]) <= tol) {
			c.t.Errorf("tangent [%d][%d] is %g, the stress's difference %g Pa, at F = %v", i/9, i%9, raw[i], D[i], F)
			return
		}
	}
	// an eigenvalue solver that shares no code with the law's closed forms
	want := project(diff)
	for i := range C {
		if !(math.Abs(C[i]-want[i]) <= tol) {
			c.t.Errorf("tangent [%d][%d] is %g, projected differences give %g Pa, at F = %v", i/9, i%9, C[i], want[i], F)
			return
		}
	}
}

// project clamps the eigenvalues of a symmetric matrix at zero, the definition of the projection that
// laws write in closed form.
func project(s *mat.SymDense) (p [81]float64) {
	var eig mat.EigenSym
	eig.Factorize(s, true)
	var V mat.Dense
	eig.VectorsTo(&V)
	for k, w := range eig.Values(nil) {
		for i := range 9 {
			for j := range 9 {
				// Σ max(w, 0) v vᵀ is the nearest semidefinite matrix in the Frobenius norm
				p[9*i+j] += max(w, 0) * V.At(i, k) * V.At(j, k)
			}
		}
	}
	return p
}

// indifferent: Ψ(QF) = Ψ(F) and P(QF) = Q P(F), the element's frame turning too.
func (c *checker) indifferent(F, R, Q r3.Mat) {
	c.t.Helper()
	// the element's frame turns with the body, as its polar decomposition would
	e0, e1 := c.m.Energy(F, R), c.m.Energy(Q.Mul(F), Q.Mul(R))
	// round-off of Q F grows with F, and laws are of up to sixth degree in it
	tol := 1e-12 * c.scale * (1 + cube(F)) * (1 + cube(F))
	if !(math.Abs(e1-e0) <= tol) {
		c.t.Errorf("energy feels a rotation: %g → %g J/m³ at F = %v", e0, e1, F)
	}
	P0, P1 := c.m.Stress(F, R), c.m.Stress(Q.Mul(F), Q.Mul(R))
	if !(distance(P1, Q.Mul(P0)) <= tol) {
		c.t.Errorf("stress does not turn with the body at F = %v", F)
	}
}

// distance is the Frobenius norm of a difference.
func distance(a, b r3.Mat) float64 { return math.Sqrt(a.Sub(b).Norm2()) }

// dot is the product A:B of tensors.
func dot(a, b r3.Mat) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// cube is the growth of round-off with F: laws are polynomials in F.
func cube(F r3.Mat) float64 { return F.Norm2() * math.Sqrt(F.Norm2()) }
