package fem

// Constitutive laws. With the deformation gradient F and the energy density Ψ,
//
//	P = ∂Ψ/∂F,   dP/dF = ∂²Ψ/∂F²,   f_a = −V P ∇N_a                        (1)
//	μ = E/(2(1 + ν)),   λ = E ν/((1 + ν)(1 − 2ν))                          (2)
//
// are the first Piola stress, the tangent, the force on vertex a of a tet of volume V, and
// the Lamé parameters of Young's modulus E and Poisson's ratio ν.
// Source: Bonet and Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 2008.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Class is the type of a constitutive law that determines how the free motion of a body is
// computed.
type Class int

// Classes of constitutive laws.
const (
	// Linear is Hooke's law, with the parameters of Lame, of the small strain ½(F +
	// Fᵀ) − I. It is not frame indifferent and so valid for small rotations only.
	Linear Class = iota
	// Corotated is Hooke's law (corotational), with the parameters of Lame, of the
	// small strain in the element's own frame R, which is frozen during a step.
	Corotated
	// Nonlinear is any other function of F alone (hyperelasticity), with the free motion by
	// Newton's method.
	Nonlinear
)

// ConstitutiveLaw is a hyperelastic law: the energy density Ψ, per volume at rest, as a
// function of the deformation gradient F = ∂x/∂X. R is the rotation of the element, frozen
// during a step; only Corotated laws read it. Matrices are row-major. Laws are immutable
// and safe for concurrent use. Package constitutivetest checks an implementation.
type ConstitutiveLaw interface {
	// Energy returns Ψ ≥ 0, zero at rest, J/m³.
	Energy(F, R r3.Mat) float64
	// Stress returns the first Piola stress P = ∂Ψ/∂F at fixed R, Pa.
	Stress(F, R r3.Mat) r3.Mat
	// Tangent writes dPdF[9·(3i+j) + 3k+l] = ∂P_ij/∂F_kl at fixed R, Pa; with
	// project the positive semi-definite matrix nearest to it (Frobenius norm).
	Tangent(F, R r3.Mat, project bool, dPdF *[81]float64)
	// Class returns the type of the law, which determines how the free motion is computed and
	// which arguments are used.
	Class() Class
	// Lame returns the Lamé parameters at rest, Pa: the energy of a small strain
	// ε is mu ε:ε + ½ lambda tr²ε.
	Lame() (mu, lambda float64)
}

// Lame returns the Lamé parameters mu (shear modulus) and lambda, Pa, of
// Young's modulus youngs (Pa) and Poisson's ratio nu. A modulus that is not
// positive and a ratio outside (−1, ½) are errors.
func Lame(youngs, nu float64) (mu, lambda float64, err error) {
	if !(youngs > 0) || math.IsInf(youngs, 0) {
		return 0, 0, fmt.Errorf("fem: Young's modulus of %g Pa: it must be positive and finite, such as 1e6 for soft rubber", youngs)
	}
	if !(nu > -1 && nu < 0.5) {
		return 0, 0, fmt.Errorf("fem: Poisson's ratio of %g: it must lie between -1 and 0.5, such as 0.45 for rubber (0.5 would be incompressible)", nu)
	}
	mu = youngs / (2 * (1 + nu))
	lambda = youngs * nu / ((1 + nu) * (1 - 2*nu))
	return mu, lambda, nil
}

// ConstitutiveLaws are the registered kinds of constitutive laws.
var ConstitutiveLaws = kinds.NewRegistry[ConstitutiveSpec]("constitutive law", "How the stress of a deformable depends on its deformation.").In(kinds.Plain)

// ConstitutiveSpec creates a constitutive law from its parameters.
type ConstitutiveSpec interface {
	Make() (ConstitutiveLaw, error)
}

// Elastic are the parameters of isotropic elasticity at small strains.
type Elastic struct {
	// YoungsModulus is E, the ratio of stress and strain in uniaxial tension, Pa.
	YoungsModulus float64 `key:"youngs_modulus" unit:"Pa" doc:"Young's modulus" above:"0"`
	// PoissonsRatio is ν, minus the ratio of transverse and axial strain in uniaxial tension.
	PoissonsRatio float64 `key:"poissons_ratio" doc:"Poisson's ratio: 0.5 is incompressible" above:"-1" below:"0.5"`
}

// defaultElastic returns the parameters of scenes that give none: soft rubber.
func defaultElastic() Elastic { return Elastic{1e6, 0.4} }

// elasticSamples are parameters for the conformance suite: rubber, cork, an auxetic foam
// and a nearly incompressible gel.
var elasticSamples = []Elastic{{1e6, 0.4}, {2e7, 0}, {1e4, -0.4}, {2e5, 0.49}}

// hooke is the quadratic energy of a strain measure.
type hooke struct{ mu, lambda float64 }

// Lame implements ConstitutiveLaw.
func (m hooke) Lame() (mu, lambda float64) { return m.mu, m.lambda }

// energy returns μ ε:ε + ½ λ tr²ε.
func (m hooke) energy(strain r3.Mat) float64 {
	tr := strain.Trace()
	return m.mu*strain.Norm2() + 0.5*m.lambda*tr*tr
}

// stress returns 2μ ε + λ tr ε I.
func (m hooke) stress(strain r3.Mat) r3.Mat {
	s := strain.Scale(2 * m.mu)
	p := m.lambda * strain.Trace()
	s[0], s[4], s[8] = s[0]+p, s[4]+p, s[8]+p
	return s
}

// strain returns ½(RᵀF + FᵀR) − I.
func strain(F, R r3.Mat) r3.Mat {
	G := R.T().Mul(F)
	xy, xz, yz := 0.5*(G[1]+G[3]), 0.5*(G[2]+G[6]), 0.5*(G[5]+G[7])
	return r3.Mat{G[0] - 1, xy, xz, xy, G[4] - 1, yz, xz, yz, G[8] - 1}
}
