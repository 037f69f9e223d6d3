package fem

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// MooneyRivlin is the Mooney–Rivlin law of two invariants, for silicones and rubber whose
// stiffness falls in tension more than neo-Hookean: with I₁ = F:F, I₂ = cof F:cof F, J = det
// F,
//
//	Ψ = ½ μ₁ (I₁ − 3) + ½ μ₂ (I₂ − 3) − κ (J − 1) + ½ Λ (J − 1)²,  κ = μ₁ + 2μ₂,   (1)
//	P = μ₁ F + μ₂ (I₁ F − F FᵀF) + (Λ(J − 1) − κ) cof F.                           (2)
//
// In the usual constants μ₁ = 2 C₁₀ and μ₂ = 2 C₀₁. κ takes the stress off the rest state; there the
// Hessian is that of Hooke's law with μ = μ₁ + μ₂, λ = Λ − μ₁. The energy is a polynomial in
// F: finite and smooth for flat and inverted elements, as that of NeoHookean, which is μ₂ = 0.
//
// The tangent is diagonal in nine modes of F = U diag(s) Vᵀ, for each i with (i, j, k) cyclic and
// c = Λ(J − 1) − κ:
//
//	twist   U (e_j e_kᵀ − e_k e_jᵀ)/√2 Vᵀ   eigenvalue μ₁ + μ₂ (s_i² + s_j s_k) + c s_i,
//	flip    U (e_j e_kᵀ + e_k e_jᵀ)/√2 Vᵀ   eigenvalue μ₁ + μ₂ (s_i² − s_j s_k) − c s_i,   (3)
//	stretch U diag(y) Vᵀ, y eigenvectors of a_ii = μ₁ + μ₂ (s_j² + s_k²) + Λ s_j² s_k²,
//	        a_ij = 2 μ₂ s_i s_j + s_k (c + Λ J).
//
// Source: Mooney 1940, Rivlin 1948; the polynomial form by the method of Smith, de Goes, Kim,
// "Stable Neo-Hookean Flesh Simulation" (2018), section 3.
type MooneyRivlin struct{ mu1, mu2, bulk float64 } // μ₁, μ₂, Λ

var _ VolumetricLaw = MooneyRivlin{}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name: "mooney_rivlin",
	Doc:  "Mooney-Rivlin law for large strains of silicone and rubber.",
	About: "c01_share divides the shear modulus between both invariants: 0, the default, is the neo-Hookean law. Of ten silicones of a public database none is fitted better " +
		"by a positive share: their law is ogden or yeoh. As with neo_hookean, steps take Newton iterations.",
	New: func() ConstitutiveSpec { return &MooneyRivlinSpec{defaultElastic(), 0} },
	Samples: func() (s []ConstitutiveSpec) {
		for i, e := range elasticSamples {
			s = append(s, &MooneyRivlinSpec{e, float64(i) / float64(len(elasticSamples)-1)})
		}
		return s
	},
})

// MooneyRivlinSpec are the parameters of the constitutive law mooney_rivlin.
type MooneyRivlinSpec struct {
	Elastic
	// C01Share is C₀₁/(C₁₀ + C₀₁), the share of the term of I₂ in the shear modulus.
	C01Share float64 `key:"c01_share" doc:"share of C01 in C10 + C01, of the law's usual constants" min:"0" max:"1"`
}

// Make implements ConstitutiveSpec.
func (s *MooneyRivlinSpec) Make() (ConstitutiveLaw, error) {
	return NewMooneyRivlin(s.YoungsModulus, s.PoissonsRatio, s.C01Share)
}

// NewMooneyRivlin returns the law that agrees with Young's modulus (Pa) and Poisson's ratio at
// small strains; share is C₀₁/(C₁₀ + C₀₁). Errors: as Lame, and a share beyond 0 … 1.
func NewMooneyRivlin(youngs, nu, share float64) (MooneyRivlin, error) {
	mu, lambda, err := Lame(youngs, nu)
	if err == nil && !(share >= 0 && share <= 1) {
		err = fmt.Errorf("fem: c01_share of %g: it must lie between 0 and 1, such as 0.2", share)
	}
	return MooneyRivlin{(1 - share) * mu, share * mu, lambda + (1-share)*mu}, err
}

// Class implements ConstitutiveLaw.
func (MooneyRivlin) Class() Class { return Nonlinear }

// Lame implements ConstitutiveLaw.
func (m MooneyRivlin) Lame() (mu, lambda float64) { return m.mu1 + m.mu2, m.bulk - m.mu1 }

// Energy implements ConstitutiveLaw.
func (m MooneyRivlin) Energy(F, _ r3.Mat) float64 { return m.EnergyWith(F, m.bulk) }

// Bulk implements VolumetricLaw.
func (m MooneyRivlin) Bulk() float64 { return m.bulk }

// EnergyWith implements VolumetricLaw.
func (m MooneyRivlin) EnergyWith(F r3.Mat, bulk float64) float64 {
	// With F = I + G and cof F = I + D the terms linear in G cancel on paper, as in NeoHookean:
	// I₁ − 3 − 2(J − 1) = G:G − 2 i₂ − 2 det G, I₂ − 3 − 4(J − 1) = D:D − 2 i₂ − 4 det G.
	G := F.Sub(r3.Identity())
	i2 := G[0]*G[4] - G[1]*G[3] + G[0]*G[8] - G[2]*G[6] + G[4]*G[8] - G[5]*G[7]
	det, tr := G.Det(), G.Trace()
	D := r3.Identity().Scale(tr).Sub(G.T()).Add(G.Cofactor())
	dJ := tr + i2 + det
	return m.mu1*(0.5*G.Norm2()-i2-det) + m.mu2*(0.5*D.Norm2()-i2-2*det) + 0.5*bulk*dJ*dJ
}

// atRest returns κ, which takes the stress off the rest state.
func (m MooneyRivlin) atRest() float64 { return m.mu1 + 2*m.mu2 }

// Stress implements ConstitutiveLaw.
func (m MooneyRivlin) Stress(F, _ r3.Mat) r3.Mat { return m.StressWith(F, m.bulk*(F.Det()-1)) }

// StressWith implements VolumetricLaw.
func (m MooneyRivlin) StressWith(F r3.Mat, p float64) r3.Mat {
	P := F.Scale(m.mu1 + m.mu2*F.Norm2()).Sub(F.Mul(F.T()).Mul(F).Scale(m.mu2))
	return P.Add(F.Cofactor().Scale(p - m.atRest()))
}

// Tangent implements ConstitutiveLaw.
func (m MooneyRivlin) Tangent(F, _ r3.Mat, project bool, dPdF *[81]float64) {
	m.TangentWith(F, m.bulk, m.bulk*(F.Det()-1), project, dPdF)
}

// TangentWith implements VolumetricLaw.
func (m MooneyRivlin) TangentWith(F r3.Mat, bulk, p float64, project bool, dPdF *[81]float64) {
	if project {
		m.projected(F, bulk, p-m.atRest(), dPdF)
		return
	}
	volumeTangent(F, bulk, p-m.atRest(), dPdF)
	// μ₁ H + μ₂ (2 (F:H) F + I₁ H − H FᵀF − F HᵀF − F Fᵀ H) for H = e_k e_lᵀ
	right, left := F.T().Mul(F), F.Mul(F.T())
	for i := range 3 {
		for j := range 3 {
			row := dPdF[9*(3*i+j) : 9*(3*i+j)+9]
			row[3*i+j] += m.mu1 + m.mu2*F.Norm2()
			for k := range 3 {
				row[3*i+k] -= m.mu2 * right[3*k+j]
				row[3*k+j] -= m.mu2 * left[3*i+k]
				for l := range 3 {
					row[3*k+l] += m.mu2 * (2*F[3*i+j]*F[3*k+l] - F[3*i+l]*F[3*k+j])
				}
			}
		}
	}
}

// projected writes the tangent without its negative modes, by (3) with any Λ and c.
func (m MooneyRivlin) projected(F r3.Mat, bulk, c float64, dPdF *[81]float64) {
	U, s, V := r3.SVD(F)
	J := s[0] * s[1] * s[2]
	var twist, flip r3.Vec
	var stretch r3.Mat
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		twist[i] = m.mu1 + m.mu2*(s[i]*s[i]+s[j]*s[k]) + c*s[i]
		flip[i] = m.mu1 + m.mu2*(s[i]*s[i]-s[j]*s[k]) - c*s[i]
		stretch[4*i] = m.mu1 + m.mu2*(s[j]*s[j]+s[k]*s[k]) + bulk*s[j]*s[j]*s[k]*s[k]
		stretch[3*j+k] = 2*m.mu2*s[j]*s[k] + s[i]*(c+bulk*J)
		stretch[3*k+j] = stretch[3*j+k]
	}
	projectModes(U, V, twist, flip, stretch, dPdF)
}
