package leastsquares

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence tells how well the data determine the unknowns, by (3) of the package: confidence intervals, and
// observability (identifiability) of combinations.
type Confidence struct {
	// Half are half the widths of 95 % intervals, in units of x; +Inf for unknowns that the data do
	// not determine, and NaN for those that a bound holds.
	Half []float64
	// Deviation is s, the standard deviation of residuals.
	Deviation float64
	// Undetermined are combinations of unknowns, n numbers of norm 1 in units of the ranges, that change no
	// residual noticeably.
	Undetermined [][]float64
}

// undetermined is the eigenvalue of JᵀJ, relative to the largest, below which a combination of unknowns counts as
// not determined: its effect on the residuals is 1e-4 of that of the best determined one.
const undetermined = 1e-8

// share is the part of an undetermined combination from which on an unknown counts as a part of it.
const share = 0.1

// Confidence returns the accuracy of a result. ranges are changes of the unknowns that one regards as equally large,
// such as the widths of their bounds; nil: 1 each.
func (r *Result) Confidence(ranges []float64) Confidence {
	n, N := len(r.X), len(r.R)
	c := Confidence{Half: make([]float64, n)}
	// J of the free unknowns in units of the ranges
	var free []int
	scale := make([]float64, n)
	for i := range n {
		scale[i] = 1
		if ranges != nil {
			scale[i] = ranges[i]
		}
		c.Half[i] = math.NaN()
		if !r.AtBound[i] {
			free = append(free, i)
		}
	}
	m := len(free)
	freedom := float64(N - m)
	if m == 0 {
		return c
	}
	A := mat.NewSymDense(m, nil)
	for a, i := range free {
		for b, j := range free[:a+1] {
			sum := 0.0
			for k := range N {
				sum += r.J[k*n+i] * r.J[k*n+j]
			}
			A.SetSym(a, b, sum*scale[i]*scale[j])
		}
	}
	if freedom > 0 {
		c.Deviation = math.Sqrt(2 * r.Cost / freedom)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(A, true) {
		return c
	}
	var V mat.Dense
	eigen.VectorsTo(&V)
	values := eigen.Values(nil) // ascending
	// (JᵀJ)⁻¹ by its eigenvectors, those that the data do not determine apart
	variance := make([]float64, m)
	for k, value := range values {
		if !(value > undetermined*values[m-1]) {
			c.Undetermined = append(c.Undetermined, c.combination(&V, k, free, n))
			for a := range free {
				if math.Abs(V.At(a, k)) > share {
					variance[a] = math.Inf(1)
				}
			}
			continue
		}
		for a := range free {
			variance[a] += V.At(a, k) * V.At(a, k) / value
		}
	}
	// exactly as many residuals as unknowns leave nothing to tell noise from
	quantile := math.Inf(1)
	if freedom > 0 {
		quantile = distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975)
	}
	for a, i := range free {
		c.Half[i] = math.Inf(1)
		if !math.IsInf(variance[a], 1) && freedom > 0 {
			c.Half[i] = quantile * c.Deviation * math.Sqrt(variance[a]) * scale[i]
		}
	}
	return c
}

// combination returns eigenvector k in the order of all unknowns.
func (c *Confidence) combination(V *mat.Dense, k int, free []int, n int) []float64 {
	y := make([]float64, n)
	for a, i := range free {
		y[i] = V.At(a, k)
	}
	return y
}
