// Package elastomers has laws of rubber fitted to tests of homogeneous strain, of a body that keeps its volume. With
// the principal stretches λ₁λ₂λ₃ = 1, the energy W and the direction 3 free of stress, the engineering stress is
//
//	P = (t₁ − t₃)/λ₁,   t_i = λ_i ∂W/∂λ_i,                                          (1)
//
//	uniaxial     λ₁ = λ,  λ₂ = λ₃ = λ^−½        also compression, λ < 1
//	equibiaxial  λ₁ = λ₂ = λ,  λ₃ = λ⁻²
//	planar       λ₁ = λ,  λ₂ = 1,  λ₃ = 1/λ     wide strips, pure shear
//
//	neo_hookean    t = μ λ²                                                         (2)
//	mooney_rivlin  t = 2 C₁₀ λ² − 2 C₀₁ λ⁻²
//	ogden          t = Σ μ_p λ^α_p
//	yeoh           t = 2 (C₁ + 2 C₂ x + 3 C₃ x²) λ²,   x = λ₁² + λ₂² + λ₃² − 3
//	arruda_boyce   t = 2 W′(x) λ², W as in fem.NewArrudaBoyce
//
// Parameters are those of the least squares of the residuals
//
//	r = (P − σ)/max(|σ|, 0.1 σ_max)/√N                                              (3)
//
// with the measured stress σ, its largest size in a test and the number N of its points, so that tests count alike.
// Package fem has the same laws for bodies that deform anyhow.
//
// Sources: Ogden, Saccomandi, Sgura, "Fitting hyperelastic models to experimental data", Computational Mechanics 34
// (2004); Treloar, "The Physics of Rubber Elasticity" (1975), for the tests.
package elastomers
