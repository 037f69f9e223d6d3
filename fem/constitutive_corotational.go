package fem

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Corotational is the linear corotated law: Hooke's law in the frame R of the
// element, which is held fixed during a step,
//
//	ε = ½(RᵀF + FᵀR) − I,  Ψ = μ ε:ε + ½ λ tr²ε,  P = R(2μ ε + λ tr ε I),  (1)
//	∂P_ij/∂F_kl = μ (δ_ik δ_jl + R_il R_kj) + λ R_ij R_kl.                  (2)
//
// With R = polar(F) the energy is a frame indifferent function of F; at fixed R
// it is quadratic with the semi-definite Hessian (2), eigenvalues 0 (3×), 2μ
// (5×) and 2μ + 3λ, so that the free motion of a step is one linear solve and
// no element can ever make it indefinite.
type Corotational struct{ hooke }

var _ ConstitutiveLaw = Corotational{}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name:  "corotational",
	Doc:   "Hooke's law in a frame that rotates with each element: large rotations, small strains.",
	About: "The free motion of a step is one linear solve, so this is the fastest law for bodies that rotate.",
	New:   func() ConstitutiveSpec { return &CorotationalSpec{defaultElastic()} },
	Samples: func() (s []ConstitutiveSpec) {
		for _, e := range elasticSamples {
			s = append(s, &CorotationalSpec{e})
		}
		return s
	},
})

// CorotationalSpec are the parameters of the constitutive law corotational.
type CorotationalSpec struct{ Elastic }

// Make implements ConstitutiveSpec.
func (s *CorotationalSpec) Make() (ConstitutiveLaw, error) {
	return NewCorotational(s.YoungsModulus, s.PoissonsRatio)
}

// NewCorotational returns the linear corotated law of Young's modulus (Pa) and
// Poisson's ratio. Errors: as Lame.
func NewCorotational(youngs, nu float64) (Corotational, error) {
	mu, lambda, err := Lame(youngs, nu)
	return Corotational{hooke{mu, lambda}}, err
}

// Class implements ConstitutiveLaw.
func (Corotational) Class() Class { return Corotated }

// Energy implements ConstitutiveLaw.
func (m Corotational) Energy(F, R r3.Mat) float64 { return m.energy(strain(F, R)) }

// Stress implements ConstitutiveLaw.
func (m Corotational) Stress(F, R r3.Mat) r3.Mat { return R.Mul(m.stress(strain(F, R))) }

// Tangent implements ConstitutiveLaw.
func (m Corotational) Tangent(_, R r3.Mat, _ bool, dPdF *[81]float64) {
	m.rotatedTangent(R, dPdF)
}

// rotatedTangent writes (2).
func (m hooke) rotatedTangent(R r3.Mat, dPdF *[81]float64) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				for l := range 3 {
					d := m.mu*R[3*i+l]*R[3*k+j] + m.lambda*R[3*i+j]*R[3*k+l]
					if i == k && j == l {
						d += m.mu
					}
					dPdF[9*(3*i+j)+3*k+l] = d
				}
			}
		}
	}
}
