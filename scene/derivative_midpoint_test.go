package scene_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// midpointGolden is a file of testdata/derivatives of steps of the damped midpoint rule from states without memory.
type midpointGolden struct {
	golden
	Cases []struct {
		Name  string      `json:"name"`
		Steps int         `json:"steps"`
		Q     []float64   `json:"q"`
		V     []float64   `json:"v"`
		Q1    []float64   `json:"q1"`
		V1    []float64   `json:"v1"`
		W1    []float64   `json:"w1"`
		DV1   []float64   `json:"dv1"`
		J     [][]float64 `json:"J"` // d(q⁺,v⁺,W,DV)_i/d(q,v)_k
	} `json:"cases"`
}

// Ends and Jacobians of steps of the midpoint rule are those of an independent implementation, which differentiates by
// complex steps.
func TestMidpointJacobiansAgreeWithComplexSteps(t *testing.T) {
	b, err := os.ReadFile("testdata/derivatives/slider_midpoint.json")
	if err != nil {
		t.Fatal(err)
	}
	var g midpointGolden
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	s := g.stepper(t)
	for _, c := range g.Cases {
		t.Run(c.Name, func(t *testing.T) {
			x := s.Model.Start.Clone()
			copy(x.Q, c.Q)
			copy(x.V, c.V)
			nx, tol := s.Model.TangentSize(), 1e-8
			if c.Steps > 1 {
				tol = 1e-6
			}
			var total []float64
			for range c.Steps {
				l, err := s.Linearize(x, g.H)
				if err != nil {
					t.Fatal(err)
				}
				fx := make([]float64, nx*nx)
				if err := l.Jacobian(fx, nil); err != nil {
					t.Fatal(err)
				}
				total = product(fx, total, nx)
				l.End(x)
			}
			for k, want := range [4][]float64{c.Q1, c.V1, c.W1, c.DV1} {
				got := [4][]float64{x.Q, x.V, x.Memory.W, x.Memory.DV}[k]
				for i := range want {
					if math.Abs(got[i]-want[i]) > 1e-10 {
						t.Errorf("number %d of part %d of the end is %.15g, want %.15g", i, k, got[i], want[i])
					}
				}
			}
			// blocks of two rows and two columns
			for i := 0; i < nx; i += 2 {
				for k := 0; k < nx/2; k += 2 {
					d2, w2 := 0.0, 0.0
					for a := range 4 {
						want := c.J[i+a/2][k+a%2]
						d := total[(i+a/2)*nx+k+a%2] - want
						d2, w2 = d2+d*d, w2+want*want
					}
					// blocks may vanish but for round-off
					if e := math.Sqrt(d2 / math.Max(w2, 1e-2)); e > tol {
						t.Errorf("block %d, %d is off by %.1e, want %g", i/2, k/2, e, tol)
					}
				}
			}
		})
	}
}
