package motion

import (
	"math"
	"testing"
)

// Differences of the integral are those of Simpson's rule over a piece, which is exact for polynomials of
// the third degree; short pieces make the rest of minimum jerk small.
func TestIntegralsAreThoseOfTheirMotion(t *testing.T) {
	times, values := []float64{-1, 0.5, 0.75, 3}, []float64{2, -1, 4, 4.5}
	for _, m := range []Integrable{Constant(3), &Value{Number: -2}, piecewise(t, times, values, false), piecewise(t, times, values, true)} {
		const h = 0.0125 // a divisor of all intervals
		for i := range 400 {
			a := -2 + float64(i)*h
			x0, _ := m.At(a)
			x1, _ := m.At(a + h/2)
			x2, _ := m.At(a + h)
			want := h / 6 * (x0 + 4*x1 + x2)
			if got := m.Integral(a+h) - m.Integral(a); math.Abs(got-want) > 1e-7 {
				t.Fatalf("%T from %g: %g, by Simpson's rule %g", m, a, got, want)
			}
		}
	}
}
