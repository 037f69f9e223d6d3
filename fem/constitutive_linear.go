package fem

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// LinearElastic is Hooke's law of small strains and small rotations,
//
//	ε = ½(F + Fᵀ) − I,  Ψ = μ ε:ε + ½ λ tr²ε,  P = 2μ ε + λ tr ε I.     (1)
//
// Rotations cause spurious strain: use the law for comparison with linear theory,
// not for bodies that rotate.
type LinearElastic struct{ hooke }

var _ ConstitutiveLaw = LinearElastic{}

var _ = ConstitutiveLaws.Register(kinds.Kind[ConstitutiveSpec]{
	Name:  "linear",
	Doc:   "Hooke's law of small strains and small rotations.",
	About: "Rotation counts as strain: for comparison with linear theory, not for bodies that rotate.",
	New:   func() ConstitutiveSpec { return &LinearSpec{defaultElastic()} },
	Samples: func() (s []ConstitutiveSpec) {
		for _, e := range elasticSamples {
			s = append(s, &LinearSpec{e})
		}
		return s
	},
})

// LinearSpec are the parameters of the constitutive law linear.
type LinearSpec struct{ Elastic }

// Make implements ConstitutiveSpec.
func (s *LinearSpec) Make() (ConstitutiveLaw, error) {
	return NewLinear(s.YoungsModulus, s.PoissonsRatio)
}

// NewLinear returns the linear law of Young's modulus (Pa) and Poisson's ratio.
// Errors: as Lame.
func NewLinear(youngs, nu float64) (LinearElastic, error) {
	mu, lambda, err := Lame(youngs, nu)
	return LinearElastic{hooke{mu, lambda}}, err
}

// Class implements ConstitutiveLaw.
func (LinearElastic) Class() Class { return Linear }

// Energy implements ConstitutiveLaw.
func (m LinearElastic) Energy(F, _ r3.Mat) float64 { return m.energy(strain(F, r3.Identity())) }

// Stress implements ConstitutiveLaw.
func (m LinearElastic) Stress(F, _ r3.Mat) r3.Mat { return m.stress(strain(F, r3.Identity())) }

// Tangent implements ConstitutiveLaw.
func (m LinearElastic) Tangent(_, _ r3.Mat, _ bool, dPdF *[81]float64) {
	m.rotatedTangent(r3.Identity(), dPdF)
}
