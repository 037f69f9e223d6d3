package leastsquares

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence says how well the data determine the unknowns, by (3) of the package: confidence intervals, and
// observability (identifiability) of combinations.
type Confidence struct {
	// Half are half the widths of 95 % intervals, in units of x; +Inf for unknowns that the data do
	// not determine, and NaN for those at a bound, and where Freedom is 0.
	Half []float64
	// Freedom is the number of residuals beyond that of free unknowns: without any, nothing distinguishes noise from
	// what the unknowns explain.
	Freedom int
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
	n := len(r.X)
	c := Confidence{Half: make([]float64, n)}
	// unknowns at a bound are known exactly, or not at all: the others are estimated as if they were known
	var free []int
	for i, held := range r.AtBound {
		c.Half[i] = math.NaN()
		if !held {
			free = append(free, i)
		}
	}
	// without ranges all unknowns count in their own units
	scale := ranges
	if scale == nil {
		scale = slices.Repeat([]float64{1}, n)
	}
	var eigen mat.EigenSym
	if len(free) == 0 || !eigen.Factorize(r.normal(free, scale), true) {
		return c
	}
	variance := c.variances(&eigen, free, n)
	// NaN without a degree of freedom, and so are the intervals
	quantile := math.NaN()
	if c.Freedom = max(0, len(r.R)-len(free)); c.Freedom > 0 {
		c.Deviation = math.Sqrt(2 * r.Cost / float64(c.Freedom))
		quantile = distuv.StudentsT{Sigma: 1, Nu: float64(c.Freedom)}.Quantile(0.975)
	}
	for a, i := range free {
		c.Half[i] = quantile * c.Deviation * math.Sqrt(variance[a]) * scale[i]
		// also where the deviation is 0, whose product with infinity is no number
		if math.IsInf(variance[a], 1) {
			c.Half[i] = math.Inf(1)
		}
	}
	return c
}

// normal returns JᵀJ of the free unknowns in units of scale.
func (r *Result) normal(free []int, scale []float64) *mat.SymDense {
	n := len(r.X)
	A := mat.NewSymDense(len(free), nil)
	for a, i := range free {
		for b, j := range free[:a+1] {
			sum := 0.0
			for k := range r.R {
				sum += r.J[k*n+i] * r.J[k*n+j]
			}
			A.SetSym(a, b, sum*scale[i]*scale[j])
		}
	}
	return A
}

// variances returns the diagonal of (JᵀJ)⁻¹ from the eigenvalues of JᵀJ, +Inf for unknowns with a share in a
// combination that the data do not determine, and notes these combinations.
func (c *Confidence) variances(eigen *mat.EigenSym, free []int, n int) []float64 {
	var V mat.Dense
	eigen.VectorsTo(&V)
	values := eigen.Values(nil) // ascending
	variance := make([]float64, len(free))
	for k, value := range values {
		if !(value > undetermined*values[len(values)-1]) {
			c.Undetermined = append(c.Undetermined, combination(&V, k, free, n))
			for a := range free {
				if math.Abs(V.At(a, k)) > share {
					variance[a] = math.Inf(1)
				}
			}
			continue
		}
		// Σ_k v_k v_kᵀ/λ_k
		for a := range free {
			variance[a] += V.At(a, k) * V.At(a, k) / value
		}
	}
	return variance
}

// combination returns eigenvector k in the order of all unknowns.
func combination(V *mat.Dense, k int, free []int, n int) []float64 {
	y := make([]float64, n)
	for a, i := range free {
		y[i] = V.At(a, k)
	}
	return y
}
