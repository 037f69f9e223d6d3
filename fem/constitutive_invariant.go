package fem

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// InvariantPolynomial is a law of rubber whose energy is a polynomial of the first invariant, for elastomers that
// stiffen at large strains: with x = F:F − 3 and J = det F,
//
//	Ψ = W(x) − κ (J − 1) + ½ Λ (J − 1)²,   W = Σ_{i=1…5} C_i xⁱ,   κ = 2 C₁,        (1)
//	P = 2 W′ F + (Λ(J − 1) − κ) cof F.                                              (2)
//
// At rest its Hessian is that of Hooke's law with μ = 2 C₁ and λ = Λ − 2 C₁ + 8 C₂. Beyond the stretch to which the
// coefficients were fitted, negative ones would let W′ fall below zero: W continues there with the slope that W′ has,
// if it rises, and with constant W′ else,
//
//	W′(x) = W′(x_m) + max(W″(x_m), 0) (x − x_m),   x > x_m = s_m² + 2/s_m − 3            (3)
//
// for the largest stretch s_m. The tangent is diagonal in nine modes of F = U diag(s) Vᵀ, for each i with (i, j, k)
// cyclic and c = Λ(J − 1) − κ:
//
//	twist   2 W′ + c s_i,   flip   2 W′ − c s_i,
//	stretch a_ii = 2 W′ + 4 W″ s_i² + Λ s_j² s_k²,   a_ij = 4 W″ s_i s_j + s_k (c + Λ J).      (4)
//
// Source: Yeoh, Rubber Chemistry and Technology 66 (1993), page 754; Arruda and Boyce, Journal of the Mechanics
// and Physics of Solids 41 (1993), page 389, with the series of its inverse Langevin function; the rest state as
// in NeoHookean.
type InvariantPolynomial struct {
	c    [5]float64 // C₁ …
	bulk float64    // Λ
	end  float64    // x_m
}

var _ VolumetricLaw = InvariantPolynomial{}

// defaultStretchLimit is the stretch up to which rubber is mostly measured and used.
const defaultStretchLimit = 4

// RubberPoissonsRatio is that of laws of rubber that give none: softer in volume than rubber, which costs 0.2 %
// of the stress of a bar, but solvable.
const RubberPoissonsRatio = 0.49

// StretchLimit is the range of the data behind the coefficients of a law.
type StretchLimit struct {
	// StretchLimit is the largest stretch of the data that the law was fitted to.
	StretchLimit float64 `key:"stretch_limit" doc:"largest stretch of the data that the law was fitted to; beyond, it continues without falling" above:"1"`
}

// NewYeoh returns the law of Yeoh of coefficients c1, c2, c3 (Pa, the later ones of any sign) and Poisson's
// ratio nu, for stretches up to limit. Errors: c1 not positive, a ratio outside (−1, ½), a limit ≤ 1, and a
// stress of tension or compression that falls within the limit.
func NewYeoh(c1, c2, c3, nu, limit float64) (InvariantPolynomial, error) {
	return newInvariantPolynomial("yeoh", [5]float64{c1, c2, c3}, nu, limit)
}

// NewArrudaBoyce returns the law of Arruda and Boyce, of the shear modulus at rest mu (Pa), the stretch limit
// of chains lambda and Poisson's ratio nu, by the first five terms of its series. Errors: a modulus that is not
// positive, chains that do not stretch, a ratio outside (−1, ½).
func NewArrudaBoyce(mu, chain, nu float64) (InvariantPolynomial, error) {
	if !(mu > 0) || math.IsInf(mu, 0) {
		return InvariantPolynomial{}, fmt.Errorf("fem: arruda_boyce with a shear modulus of %g Pa: it must be positive and finite, such as 3e5", mu)
	}
	if !(chain > 1) {
		return InvariantPolynomial{}, fmt.Errorf("fem: arruda_boyce with chain_stretch %g: chains stretch by more than 1, such as 2.8", chain)
	}
	// W = μ̂ Σ a_i λ_m^{2−2i} ((3 + x)^i − 3^i), with μ̂ such that 2 C₁ = μ, in powers of x
	q := 1 / (chain * chain)
	a := [5]float64{1. / 2, 1. / 20, 11. / 1050, 19. / 7000, 519. / 673750}
	var c [5]float64
	scale := 1.0
	for i := 1; i <= 5; i++ {
		binomial := 1.0
		for j := 1; j <= i; j++ {
			binomial *= float64(i-j+1) / float64(j)
			c[j-1] += a[i-1] * scale * binomial * math.Pow(3, float64(i-j))
		}
		scale *= q
	}
	unit := 0.5 * mu / c[0]
	for i := range c {
		c[i] *= unit
	}
	return newInvariantPolynomial("arruda_boyce", c, nu, math.Inf(1))
}

func newInvariantPolynomial(kind string, c [5]float64, nu, limit float64) (m InvariantPolynomial, err error) {
	if !(c[0] > 0) || math.IsInf(c[0], 0) {
		return m, fmt.Errorf("fem: %s with c1 of %g Pa: it must be positive and finite, as half of the shear modulus at rest", kind, c[0])
	}
	for i, x := range c {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return m, fmt.Errorf("fem: %s with c%d of %g Pa: it must be finite", kind, i+1, x)
		}
	}
	if !(limit > 1) {
		return m, fmt.Errorf("fem: %s with stretch_limit %g: it must be greater than 1, such as 4", kind, limit)
	}
	_, lambda, err := Lame(4*c[0]*(1+nu), nu) // E = 2 μ (1 + ν), μ = 2 C₁
	if err != nil {
		return m, err
	}
	m = InvariantPolynomial{c: c, bulk: lambda + 2*c[0] - 8*c[1], end: math.Inf(1)}
	if !(m.bulk > 0) {
		return m, fmt.Errorf("fem: %s with c2 of %g Pa: it must be smaller than %g Pa at a Poisson's ratio of %g", kind, c[1], (lambda+2*c[0])/8, nu)
	}
	if !math.IsInf(limit, 1) {
		m.end = limit*limit + 2/limit - 3
		err = checkTension(kind, limit, func(s float64) float64 {
			_, w, _ := m.potential(s*s + 2/s - 3)
			return 2 * w * (s - 1/(s*s))
		})
	}
	return m, err
}

// checkTension verifies that the engineering stress of an incompressible bar rises with its stretch up to a
// limit, and as far in compression.
func checkTension(kind string, limit float64, stress func(stretch float64) float64) error {
	const parts = 400
	span := math.Log(limit)
	for i := -parts; i < parts; i++ {
		a, b := math.Exp(span*float64(i)/parts), math.Exp(span*float64(i+1)/parts)
		if !(stress(b) > stress(a)) {
			return fmt.Errorf("fem: %s: the stress of a bar falls from %.3g to %.3g Pa between the stretches %.3f and %.3f: such a body is not stable; "+
				"fit the law to data up to that stretch or lower stretch_limit", kind, stress(a), stress(b), a, b)
		}
	}
	return nil
}

// potential returns W, W′ and W″ at x.
func (m InvariantPolynomial) potential(x float64) (w, d, dd float64) {
	at := math.Min(x, m.end)
	for i := len(m.c) - 1; i >= 0; i-- { // Horner's rule
		n := float64(i + 1)
		w = at * (m.c[i] + w)
		d = n*m.c[i] + at*d
		if i > 0 {
			dd = n*(n-1)*m.c[i] + at*dd
		}
	}
	if over := x - at; over > 0 {
		dd = math.Max(dd, 0)
		w, d = w+over*(d+0.5*over*dd), d+over*dd
	}
	return w, d, dd
}

// Class implements ConstitutiveLaw.
func (InvariantPolynomial) Class() Class { return Nonlinear }

// Lame implements ConstitutiveLaw.
func (m InvariantPolynomial) Lame() (mu, lambda float64) {
	return 2 * m.c[0], m.bulk - 2*m.c[0] + 8*m.c[1]
}

// Energy implements ConstitutiveLaw.
func (m InvariantPolynomial) Energy(F, _ r3.Mat) float64 { return m.EnergyWith(F, m.bulk) }

// Bulk implements VolumetricLaw.
func (m InvariantPolynomial) Bulk() float64 { return m.bulk }

// EnergyWith implements VolumetricLaw.
func (m InvariantPolynomial) EnergyWith(F r3.Mat, bulk float64) float64 {
	// with F = I + G the terms linear in G cancel on paper, as in NeoHookean
	G := F.Sub(r3.Identity())
	i2 := G[0]*G[4] - G[1]*G[3] + G[0]*G[8] - G[2]*G[6] + G[4]*G[8] - G[5]*G[7]
	det, tr := G.Det(), G.Trace()
	dJ := tr + i2 + det
	x := 2*tr + G.Norm2()
	rest := m
	rest.c[0] = 0
	w, _, _ := rest.potential(x)
	if x > m.end { // the slope beyond belongs to all terms
		all, _, _ := m.potential(x)
		w = all - m.c[0]*x
	}
	return m.c[0]*(G.Norm2()-2*i2-2*det) + w + 0.5*bulk*dJ*dJ
}

// Stress implements ConstitutiveLaw.
func (m InvariantPolynomial) Stress(F, _ r3.Mat) r3.Mat { return m.StressWith(F, m.bulk*(F.Det()-1)) }

// StressWith implements VolumetricLaw.
func (m InvariantPolynomial) StressWith(F r3.Mat, p float64) r3.Mat {
	_, d, _ := m.potential(F.Norm2() - 3)
	return F.Scale(2 * d).Add(F.Cofactor().Scale(p - 2*m.c[0]))
}

// Tangent implements ConstitutiveLaw.
func (m InvariantPolynomial) Tangent(F, _ r3.Mat, project bool, dPdF *[81]float64) {
	m.TangentWith(F, m.bulk, m.bulk*(F.Det()-1), project, dPdF)
}

// TangentWith implements VolumetricLaw.
func (m InvariantPolynomial) TangentWith(F r3.Mat, bulk, p float64, project bool, dPdF *[81]float64) {
	_, d, dd := m.potential(F.Norm2() - 3)
	c := p - 2*m.c[0]
	if !project {
		volumeTangent(F, bulk, c, dPdF)
		for a, x := range F {
			for b, y := range F {
				dPdF[9*a+b] += 4 * dd * x * y
			}
			dPdF[10*a] += 2 * d
		}
		return
	}
	U, s, V := r3.SVD(F)
	J := s[0] * s[1] * s[2]
	var twist, flip r3.Vec
	var stretch r3.Mat
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		twist[i], flip[i] = 2*d+c*s[i], 2*d-c*s[i]
		stretch[4*i] = 2*d + 4*dd*s[i]*s[i] + bulk*s[j]*s[j]*s[k]*s[k]
		stretch[3*j+k] = 4*dd*s[j]*s[k] + s[i]*(c+bulk*J)
		stretch[3*k+j] = stretch[3*j+k]
	}
	projectModes(U, V, twist, flip, stretch, dPdF)
}

// Limit returns the stretch up to which the law holds, +∞ where it has no limit.
func (m InvariantPolynomial) Limit() float64 { return limitOfInvariant(m.end) }

// limitOfInvariant returns the stretch s > 1 of a bar with s² + 2/s − 3 = x.
func limitOfInvariant(x float64) float64 {
	if math.IsInf(x, 1) {
		return x
	}
	s := math.Sqrt(x + 3)
	for range 40 {
		s -= (s*s + 2/s - 3 - x) / (2*s - 2/(s*s))
	}
	return s
}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name: "yeoh",
	Doc:  "Law of Yeoh for silicones and rubber that stiffen at large strains.",
	About: "Three coefficients of the first invariant, from a fit to a pull test: `curlfree material fit` makes one. Young's modulus at rest is 4 c1 (1 + Poisson's " +
		"ratio). Steps take Newton iterations.",
	New: func() ConstitutiveSpec {
		return &YeohSpec{C1: 1e5, Rubber: Rubber{RubberPoissonsRatio}, StretchLimit: StretchLimit{defaultStretchLimit}}
	},
	Samples: func() (s []ConstitutiveSpec) {
		for _, c := range [][4]float64{{0.092977e6, 0.007852e6, -0.000217e6, 0.49}, {7559, 152, -3, 0.4}, {1e5, -5e2, 0, 0.45}, {1e5, 1e3, 1e2, 0.49}} {
			s = append(s, &YeohSpec{c[0], c[1], c[2], Rubber{c[3]}, StretchLimit{4}})
		}
		return s
	},
})

// Rubber is the volume of a law of rubber.
type Rubber struct {
	// PoissonsRatio is that at small strains.
	PoissonsRatio float64 `key:"poissons_ratio" doc:"Poisson's ratio at small strains: 0.5 is incompressible" above:"-1" below:"0.5"`
}

// YeohSpec are the parameters of the constitutive law yeoh.
type YeohSpec struct {
	// C1 is half of the shear modulus at rest.
	C1 float64 `key:"c1" unit:"Pa" doc:"coefficient of I1 - 3: half of the shear modulus at rest" above:"0"`
	// C2 is the coefficient of (I₁ − 3)².
	C2 float64 `key:"c2" unit:"Pa" doc:"coefficient of (I1 - 3)^2"`
	// C3 is the coefficient of (I₁ − 3)³.
	C3 float64 `key:"c3" unit:"Pa" doc:"coefficient of (I1 - 3)^3"`
	Rubber
	StretchLimit
}

// Make implements ConstitutiveSpec.
func (s *YeohSpec) Make() (ConstitutiveLaw, error) {
	return NewYeoh(s.C1, s.C2, s.C3, s.PoissonsRatio, s.StretchLimit.StretchLimit)
}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name:  "arruda_boyce",
	Doc:   "Law of Arruda and Boyce for rubber whose chains have a largest stretch.",
	About: "Two parameters, by the first five terms of the series of the eight-chain model. Steps take Newton iterations.",
	New: func() ConstitutiveSpec {
		return &ArrudaBoyceSpec{2e5, 2.8, Rubber{RubberPoissonsRatio}}
	},
	Samples: func() (s []ConstitutiveSpec) {
		return append(s, &ArrudaBoyceSpec{3e5, 2.8, Rubber{0.49}}, &ArrudaBoyceSpec{1e4, 1.5, Rubber{0.4}}, &ArrudaBoyceSpec{1e6, 10, Rubber{0.3}})
	},
})

// ArrudaBoyceSpec are the parameters of the constitutive law arruda_boyce.
type ArrudaBoyceSpec struct {
	// ShearModulus is that at rest.
	ShearModulus float64 `key:"shear_modulus" unit:"Pa" doc:"shear modulus at rest" above:"0"`
	// ChainStretch is the stretch at which chains lock.
	ChainStretch float64 `key:"chain_stretch" doc:"stretch at which the chains of molecules lock" above:"1"`
	Rubber
}

// Make implements ConstitutiveSpec.
func (s *ArrudaBoyceSpec) Make() (ConstitutiveLaw, error) {
	return NewArrudaBoyce(s.ShearModulus, s.ChainStretch, s.PoissonsRatio)
}
