// Package oracle has brute-force twins of the product's algorithms for its
// tests: as short as possible, never optimized.
package oracle

import "math"

// Cholesky returns the lower factor of the symmetric n×n matrix a (row-major),
// or false when it is not positive definite.
func Cholesky(a []float64, n int) ([]float64, bool) {
	l := make([]float64, n*n)
	for j := range n {
		for i := j; i < n; i++ {
			s := a[i*n+j]
			for k := range j {
				s -= l[i*n+k] * l[j*n+k]
			}
			if i > j {
				l[i*n+j] = s / l[j*n+j]
			} else if s > 0 {
				l[i*n+i] = math.Sqrt(s)
			} else {
				return nil, false
			}
		}
	}
	return l, true
}

// Solve returns x of a x = b for a symmetric positive definite a (row-major).
func Solve(a, b []float64) []float64 {
	n := len(b)
	l, ok := Cholesky(a, n)
	if !ok {
		panic("oracle: matrix is not positive definite")
	}
	x := append([]float64(nil), b...)
	for i := range n {
		for k := range i {
			x[i] -= l[i*n+k] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= l[k*n+i] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	return x
}

// MulVec returns a x for a row-major matrix with len(x) columns.
func MulVec(a, x []float64) []float64 {
	n := len(x)
	y := make([]float64, len(a)/n)
	for i := range y {
		y[i] = Dot(a[i*n:(i+1)*n], x)
	}
	return y
}

// Dot returns xᵀ y.
func Dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}
