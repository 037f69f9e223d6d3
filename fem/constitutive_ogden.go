package fem

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Ogden is the law of Ogden for rubber and silicone at large strains, of powers of the principal stretches: with F =
// U diag(s) Vᵀ and J = s₁s₂s₃,
//
//	Ψ = Σ_p μ_p/α_p (s₁^α_p + s₂^α_p + s₃^α_p − 3) − κ (J − 1) + ½ Λ (J − 1)²,  κ = Σ μ_p,       (1)
//	P = U diag(f_i + (Λ(J − 1) − κ) s_j s_k) Vᵀ,   f(s) = Σ_p μ_p s^{α_p − 1}.                  (2)
//
// At rest its Hessian is that of Hooke's law with μ = ½ Σ μ_p α_p and λ = Λ − κ. One term of α = 2 is
// NeoHookean; two, of α = 2 and −2, have the stress of Mooney and Rivlin in a body that keeps its volume. The
// energy of stretches is that of |s|, a function of FᵀF, as F:F is: J alone sees that a body is inverted.
// Powers have no smooth value where it is flat: below a stretch s₀ their energy continues as a + b s² + ½ c s⁴,
// with the same force and stiffness at s₀,
//
//	f = s (2b + 2c s²),   2c = (f′ − f/s)/(2 s²),   2b = f/s − 2c s².                           (3)
//
// The tangent is diagonal in nine modes, for each i with (i, j, k) cyclic and c = Λ(J − 1) − κ:
//
//	twist   (f_j + f_k)/(s_j + s_k) + c s_i,   flip   (f_j − f_k)/(s_j − s_k) − c s_i,
//	stretch a_ii = f′_i + Λ s_j² s_k²,   a_ij = s_k (c + Λ J).                                  (4)
//
// Source: Ogden, "Large deformation isotropic elasticity", 1972; modes as in constitutive_modes.go; (3) of this
// program.
type Ogden struct {
	terms [maxOgdenTerms]ogdenTerm
	n     int
	kappa float64 // κ
	bulk  float64 // Λ
	limit float64
	// below s₀: energy is even + b s² + ½ c s⁴
	even, b, c float64
}

// ogdenTerm is a term of (1).
type ogdenTerm struct{ mu, alpha float64 }

const (
	maxOgdenTerms = 4
	ogdenLeast    = 1. / 8 // s₀
)

var _ VolumetricLaw = Ogden{}

// NewOgden returns the law of one to four terms of moduli μ_p (Pa) and exponents α_p, of Poisson's ratio nu at
// small strains, for stretches up to limit. Errors: lists of different or no length, μ_p α_p ≤ 0, which makes a
// body unstable, a ratio outside (−1, ½), a limit ≤ 1.
func NewOgden(moduli, exponents []float64, nu, limit float64) (m Ogden, err error) {
	if len(moduli) != len(exponents) || len(moduli) == 0 || len(moduli) > maxOgdenTerms {
		return m, fmt.Errorf("fem: ogden with %d moduli and %d exponents: give one to %d of each, such as moduli [1.27e5] and exponents [2.83]", len(moduli), len(exponents), maxOgdenTerms)
	}
	if !(limit > 1) {
		return m, fmt.Errorf("fem: ogden with stretch_limit %g: it must be greater than 1, such as 4", limit)
	}
	mu := 0.0
	for p, x := range moduli {
		a := exponents[p]
		if !(x*a > 0) || math.IsInf(x*a, 0) {
			return m, fmt.Errorf("fem: ogden, term %d: modulus %g Pa times exponent %g must be positive: a negative exponent wants a negative modulus", p+1, x, a)
		}
		m.terms[m.n] = ogdenTerm{x, a}
		m.n++
		m.kappa += x
		mu += 0.5 * x * a
	}
	_, lambda, err := Lame(2*mu*(1+nu), nu)
	if err != nil {
		return m, err
	}
	m.bulk, m.limit = lambda+m.kappa, limit
	if !(m.bulk > 0) {
		return m, fmt.Errorf("fem: ogden with moduli that sum to %g Pa: at a Poisson's ratio of %g they must sum to more than %g", m.kappa, nu, -lambda)
	}
	// (3)
	const s = ogdenLeast
	energy, f, df := m.powers(s)
	m.c = (df - f/s) / (4 * s * s)
	m.b = 0.5*f/s - m.c*s*s
	m.even = energy - m.b*s*s - 0.5*m.c*s*s*s*s
	return m, nil
}

// powers returns the terms of (1), without −3, at a stretch and their first and second derivatives f and f′.
func (m *Ogden) powers(s float64) (e, f, df float64) {
	log := math.Log(s)
	for _, t := range m.terms[:m.n] {
		e += t.mu / t.alpha * math.Expm1(t.alpha*log)
		x := t.mu * math.Exp((t.alpha-2)*log)
		f += x * s
		df += x * (t.alpha - 1)
	}
	return e, f, df
}

// along returns the energy of one stretch, which is 0 at 1 and even in s, with its derivatives f and f′.
func (m *Ogden) along(s float64) (e, f, df float64) {
	if q := s * s; q < ogdenLeast*ogdenLeast {
		return m.even + q*(m.b+0.5*m.c*q), 2 * s * (m.b + m.c*q), 2*m.b + 6*m.c*q
	}
	e, f, df = m.powers(math.Abs(s))
	return e, math.Copysign(1, s) * f, df
}

// slope returns (f(a) − f(b))/(a − b), f′ where both are equal.
func (m *Ogden) slope(a, b, fa, fb float64) float64 {
	if d := a - b; math.Abs(d) > 1e-4*math.Max(math.Abs(a), math.Abs(b)) {
		return (fa - fb) / d
	}
	// the mean of f′ between both
	_, _, x := m.along(a)
	_, _, y := m.along(b)
	_, _, z := m.along(0.5 * (a + b))
	return (x + 4*z + y) / 6
}

// Class implements ConstitutiveLaw.
func (Ogden) Class() Class { return Nonlinear }

// Lame implements ConstitutiveLaw.
func (m Ogden) Lame() (mu, lambda float64) {
	for _, t := range m.terms[:m.n] {
		mu += 0.5 * t.mu * t.alpha
	}
	return mu, m.bulk - m.kappa
}

// Limit returns the stretch up to which the law holds.
func (m Ogden) Limit() float64 { return m.limit }

// Energy implements ConstitutiveLaw.
func (m Ogden) Energy(F, _ r3.Mat) float64 { return m.EnergyWith(F, m.bulk) }

// Bulk implements VolumetricLaw.
func (m Ogden) Bulk() float64 { return m.bulk }

// EnergyWith implements VolumetricLaw.
func (m Ogden) EnergyWith(F r3.Mat, bulk float64) float64 {
	_, s, _ := r3.SVD(F)
	// what is of first order at rest cancels between all stretches and J
	x, y, z := s[0]-1, s[1]-1, s[2]-1
	dJ := x + y + z + x*y + y*z + z*x + x*y*z
	e := -m.kappa * dJ
	for _, s := range s {
		one, _, _ := m.along(s)
		e += one
	}
	return e + 0.5*bulk*dJ*dJ
}

// Stress implements ConstitutiveLaw.
func (m Ogden) Stress(F, _ r3.Mat) r3.Mat { return m.StressWith(F, m.bulk*(F.Det()-1)) }

// StressWith implements VolumetricLaw.
func (m Ogden) StressWith(F r3.Mat, p float64) r3.Mat {
	U, s, V := r3.SVD(F)
	var f r3.Vec
	for i := range 3 {
		_, f[i], _ = m.along(s[i])
		f[i] += (p - m.kappa) * s[(i+1)%3] * s[(i+2)%3]
	}
	return U.Mul(r3.Diag(f)).Mul(V.T())
}

// Tangent implements ConstitutiveLaw.
func (m Ogden) Tangent(F, _ r3.Mat, project bool, dPdF *[81]float64) {
	m.TangentWith(F, m.bulk, m.bulk*(F.Det()-1), project, dPdF)
}

// TangentWith implements VolumetricLaw.
func (m Ogden) TangentWith(F r3.Mat, bulk, p float64, project bool, dPdF *[81]float64) {
	U, s, V := r3.SVD(F)
	J, c := s[0]*s[1]*s[2], p-m.kappa
	var f, df, twist, flip r3.Vec
	for i := range 3 {
		_, f[i], df[i] = m.along(s[i])
	}
	var stretch r3.Mat
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		twist[i] = m.slope(s[j], -s[k], f[j], -f[k]) + c*s[i]
		flip[i] = m.slope(s[j], s[k], f[j], f[k]) - c*s[i]
		stretch[4*i] = df[i] + bulk*s[j]*s[j]*s[k]*s[k]
		stretch[3*j+k] = s[i] * (c + bulk*J)
		stretch[3*k+j] = stretch[3*j+k]
	}
	if project {
		projectModes(U, V, twist, flip, stretch, dPdF)
		return
	}
	sumModes(U, V, twist, flip, stretch, dPdF)
}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name: "ogden",
	Doc:  "Law of Ogden for rubber and silicone at large strains: powers of the principal stretches.",
	About: "One to four terms of a modulus and an exponent each, from a fit to a pull test: `curlfree material fit` makes one. Energy per volume is the sum of " +
		"modulus/exponent (s1^exponent + s2^exponent + s3^exponent - 3). Other programs write 2 modulus/exponent² or other factors: compare the shear modulus " +
		"at rest, half of the sum of modulus times exponent. Steps take Newton iterations.",
	New: func() ConstitutiveSpec {
		return &OgdenSpec{[]float64{1e5}, []float64{3}, Rubber{RubberPoissonsRatio}, StretchLimit{defaultStretchLimit}}
	},
	Samples: func() (s []ConstitutiveSpec) {
		return append(s,
			&OgdenSpec{[]float64{0.12726e6}, []float64{2.83043}, Rubber{0.49}, StretchLimit{4}},
			&OgdenSpec{[]float64{0.304571e6, 0.013826e6}, []float64{1.899305, 5.509194}, Rubber{0.45}, StretchLimit{4}},
			&OgdenSpec{[]float64{0.63e6, 0.0012e6, -0.01e6}, []float64{1.3, 5, -2}, Rubber{0.49}, StretchLimit{7}})
	},
})

// OgdenSpec are the parameters of the constitutive law ogden.
type OgdenSpec struct {
	// Moduli are μ_p.
	Moduli []float64 `key:"moduli" unit:"Pa" doc:"modulus of each term, of the sign of its exponent"`
	// Exponents are α_p.
	Exponents []float64 `key:"exponents" doc:"exponent of each term"`
	Rubber
	StretchLimit
}

// Make implements ConstitutiveSpec.
func (s *OgdenSpec) Make() (ConstitutiveLaw, error) {
	return NewOgden(s.Moduli, s.Exponents, s.PoissonsRatio, s.StretchLimit.StretchLimit)
}
