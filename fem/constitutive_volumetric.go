package fem

import "github.com/curlfree/curlfree/r3"

// VolumetricLaw is a nonlinear law whose energy is Ψ = Ψ₀(F) + ½ Λ (J − 1)², J = det F. Elements
// with several points, which would lock if each kept its volume, take a part of Λ away from the
// points and give it to the mean of J: they need the law with less Λ, and with a pressure that
// does not follow from J alone.
type VolumetricLaw interface {
	ConstitutiveLaw
	// Bulk returns Λ, Pa.
	Bulk() float64
	// EnergyWith returns Ψ₀ + ½ bulk (J − 1)², J/m³.
	EnergyWith(F r3.Mat, bulk float64) float64
	// StressWith returns ∂Ψ₀/∂F + p cof F, Pa: Stress has p = Λ (J − 1).
	StressWith(F r3.Mat, p float64) r3.Mat
	// TangentWith writes ∂²Ψ₀/∂F² + bulk cof F ⊗ cof F + p ∂cof F/∂F as Tangent does.
	TangentWith(F r3.Mat, bulk, p float64, project bool, dPdF *[81]float64)
}

// cofactorLaw is a VolumetricLaw with ∂²Ψ₀/∂F² = shear (I − ∂cof F/∂F), as of Ψ₀ = ½ shear (F:F − 3) − shear (J − 1):
// elements then have their stiffness without the 81 numbers of a tangent.
type cofactorLaw interface {
	VolumetricLaw
	shear() float64
}
