package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints/lawtest"
)

// coupled returns a random law of n joints whose bounds matter at velocities of about 1; rank is that of S.
func coupled(r *rand.Rand, n, rank int) *CoupledControl {
	var l CoupledControl
	l.Resize(n)
	for range rank {
		row := make([]float64, n)
		for i := range row {
			row[i] = r.NormFloat64()
		}
		for i := range n {
			for j := range n {
				l.S[i*n+j] += row[i] * row[j]
			}
		}
	}
	for i := range n {
		l.B[i], l.Most[i] = r.NormFloat64(), math.Abs(r.NormFloat64())
		if r.IntN(5) == 0 {
			l.Most[i] = math.Inf(1)
		}
	}
	l.Prepare(1e-3, nil)
	return &l
}

func TestCoupledControlIsConvex(t *testing.T) {
	lawtest.Check(t, 200, func(r *rand.Rand) lawtest.Sample {
		n := 1 + r.IntN(7)
		scale := make([]float64, n)
		for i := range scale {
			scale[i] = 1
		}
		return lawtest.Sample{Law: coupled(r, n, n), Scale: scale, Name: "coupled control"}
	})
}

// Efforts are within their bounds, and −γ is in the subdifferential of (2): γ = b − S w with the
// velocity w beyond the clutch, which slips along γ only where γ is at its bound. This is so also
// for the springs of a frame, which leave some motions free.
func TestCoupledControlSlipsAtItsBoundsOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	slips := 0
	for range 2000 {
		n := 2 + r.IntN(6)
		l := coupled(r, n, 1+r.IntN(n))
		v, gamma, G := make([]float64, n), make([]float64, n), make([]float64, n*n)
		for i := range v {
			v[i] = 2 * r.NormFloat64()
		}
		l.Eval(v, gamma, G)
		for i := range n {
			want := l.B[i]
			for j := range n {
				want -= l.S[i*n+j] * l.w[j]
			}
			slip, size := l.w[i]-v[i], 1.0
			for _, w := range l.w {
				size = math.Max(size, math.Abs(w))
			}
			switch {
			case math.Abs(gamma[i]-want) > 1e-8*size:
				t.Fatalf("γ = %v, but b − S w = %g at %d", gamma, want, i)
			case math.Abs(gamma[i]) > l.Most[i]*(1+1e-12):
				t.Fatalf("effort %d is %g, above %g", i, gamma[i], l.Most[i])
			case slip != 0 && (gamma[i]*slip < 0 || math.Abs(gamma[i]) < l.Most[i]*(1-1e-12)):
				t.Fatalf("joint %d slips by %g under %g, bound %g", i, slip, gamma[i], l.Most[i])
			case slip != 0:
				slips++
			}
		}
	}
	if slips < 1000 {
		t.Errorf("%d slips only", slips)
	}
}
