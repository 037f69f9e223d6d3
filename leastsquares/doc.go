// Package leastsquares minimizes sums of squares of few unknowns within bounds, by Levenberg and Marquardt, and
// says how well the data determine them.
//
//	min over x of  F = ½ rᵀr,   lower ≤ x ≤ upper                                     (1)
//	(JᵀJ + μ D) d = −Jᵀr        for the unknowns that may move                       (2)
//
//	r     residuals, N numbers, N ≥ n
//	J     ∂r/∂x, N × n, from the caller
//	μ     damping, lowered after steps as good as (2) predicts, raised after others
//	D     largest squared norms of the columns of J so far, so that units of x do not matter
//
// An unknown at a bound that −Jᵀr pushes against does not move. What a step would carry beyond a bound goes to the
// bound.
//
// Near the minimum, with residuals that are independent noise of one variance s², x has the covariance
//
//	C = s² (JᵀJ)⁻¹,   s² = rᵀr/(N − n)                                                (3)
//
// of the free unknowns. Intervals of 95 % are ± t √C_ii with Student's t for N − n. Eigenvectors of JᵀJ, with columns
// of J scaled by the unknowns' ranges, show combinations that the data do not determine: their eigenvalue is below 1e-8
// of the largest.
//
// Sources: Marquardt, "An Algorithm for Least-Squares Estimation of Nonlinear Parameters", 1963; Moré, "The
// Levenberg-Marquardt algorithm: implementation and theory", 1978 (D); Nielsen, "Damping Parameter in Marquardt's
// Method", 1999 (μ).
package leastsquares
