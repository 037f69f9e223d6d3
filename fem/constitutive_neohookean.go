package fem

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// NeoHookean is the stable neo-Hookean law for large strains of rubber,
//
//	Ψ = ½ μ (F:F − 3) − μ (J − 1) + ½ Λ (J − 1)²,  J = det F,            (1)
//	P = μ F + (Λ(J − 1) − μ) cof F,                                       (2)
//
// finite for flat and inverted elements, which it pushes back. At rest its
// Hessian is that of Hooke's law with λ = Λ − μ, so Λ = λ + μ for given E and ν.
//
// The tangent is diagonal in nine modes of F = U diag(s) Vᵀ (U, V rotations),
// for each i with (i, j, k) cyclic and c = Λ(J − 1) − μ:
//
//	twist   U (e_j e_kᵀ − e_k e_jᵀ)/√2 Vᵀ   eigenvalue μ + c s_i,
//	flip    U (e_j e_kᵀ + e_k e_jᵀ)/√2 Vᵀ   eigenvalue μ − c s_i,         (3)
//	stretch U diag(y) Vᵀ, y eigenvectors of a_ii = μ + Λ s_j² s_k²,
//	        a_ij = s_k (c + Λ J).
//
// Source: Smith, de Goes, Kim, "Stable Neo-Hookean Flesh Simulation" (2018),
// sections 3.4 and 4, without the logarithmic barrier at F = 0.
type NeoHookean struct{ mu, bulk float64 } // μ, Λ

var _ cofactorLaw = NeoHookean{}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name: "neo_hookean",
	Doc:  "Stable neo-Hookean law for large strains of rubber.",
	About: "The free motion of a step takes some Newton iterations, each with a factorization. The energy is finite where a body is flat, so that the " +
		"force of a bar that is pressed has a maximum: at 58 % of its length for a Poisson's ratio of 0.3, 75 % for 0.4, 86 % for 0.45. Beyond it, layers collapse.",
	New: func() ConstitutiveSpec { return &NeoHookeanSpec{defaultElastic()} },
	Samples: func() (s []ConstitutiveSpec) {
		for _, e := range elasticSamples {
			s = append(s, &NeoHookeanSpec{e})
		}
		return s
	},
})

// NeoHookeanSpec are the parameters of the constitutive law neo_hookean.
type NeoHookeanSpec struct{ Elastic }

// Make implements ConstitutiveSpec.
func (s *NeoHookeanSpec) Make() (ConstitutiveLaw, error) {
	return NewNeoHookean(s.YoungsModulus, s.PoissonsRatio)
}

// NewNeoHookean returns the stable neo-Hookean law that agrees with Young's
// modulus (Pa) and Poisson's ratio at small strains. Errors: as Lame.
func NewNeoHookean(youngs, nu float64) (NeoHookean, error) {
	mu, lambda, err := Lame(youngs, nu)
	return NeoHookean{mu, lambda + mu}, err
}

// Class implements ConstitutiveLaw.
func (NeoHookean) Class() Class { return Nonlinear }

// Lame implements ConstitutiveLaw.
func (m NeoHookean) Lame() (mu, lambda float64) { return m.mu, m.bulk - m.mu }

// Energy implements ConstitutiveLaw.
func (m NeoHookean) Energy(F, _ r3.Mat) float64 { return m.EnergyWith(F, m.bulk) }

// Bulk implements VolumetricLaw.
func (m NeoHookean) Bulk() float64 { return m.bulk }

// EnergyWith implements VolumetricLaw.
func (m NeoHookean) EnergyWith(F r3.Mat, bulk float64) float64 {
	// With F = I + G the terms linear in G cancel on paper, so that nothing of
	// order 1 is subtracted: F:F − 3 − 2(J − 1) = G:G − 2 I₂(G) − 2 det G.
	G := F.Sub(r3.Identity())
	i2 := G[0]*G[4] - G[1]*G[3] + G[0]*G[8] - G[2]*G[6] + G[4]*G[8] - G[5]*G[7]
	det := G.Det()
	dJ := G.Trace() + i2 + det
	return m.mu*(0.5*G.Norm2()-i2-det) + 0.5*bulk*dJ*dJ
}

// Stress implements ConstitutiveLaw.
func (m NeoHookean) Stress(F, _ r3.Mat) r3.Mat { return m.StressWith(F, m.bulk*(F.Det()-1)) }

// StressWith implements VolumetricLaw.
func (m NeoHookean) StressWith(F r3.Mat, p float64) r3.Mat {
	return F.Scale(m.mu).Add(F.Cofactor().Scale(p - m.mu))
}

// Tangent implements ConstitutiveLaw.
func (m NeoHookean) Tangent(F, _ r3.Mat, project bool, dPdF *[81]float64) {
	m.TangentWith(F, m.bulk, m.bulk*(F.Det()-1), project, dPdF)
}

// TangentWith implements VolumetricLaw.
func (m NeoHookean) TangentWith(F r3.Mat, bulk, p float64, project bool, dPdF *[81]float64) {
	if project {
		m.projected(F, bulk, p-m.mu, dPdF)
		return
	}
	volumeTangent(F, bulk, p-m.mu, dPdF)
	for a := range 9 {
		dPdF[10*a] += m.mu
	}
}

// shear implements cofactorLaw.
func (m NeoHookean) shear() float64 { return m.mu }

// projected writes the tangent without its negative modes, by (3) with any Λ and c.
func (m NeoHookean) projected(F r3.Mat, bulk, c float64, dPdF *[81]float64) {
	U, s, V := r3.SVD(F)
	J := s[0] * s[1] * s[2]
	var twist, flip r3.Vec
	var stretch r3.Mat
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		twist[i], flip[i] = m.mu+c*s[i], m.mu-c*s[i]
		stretch[4*i] = m.mu + bulk*s[j]*s[j]*s[k]*s[k]
		stretch[3*j+k] = s[i] * (c + bulk*J)
		stretch[3*k+j] = stretch[3*j+k]
	}
	projectModes(U, V, twist, flip, stretch, dPdF)
}
