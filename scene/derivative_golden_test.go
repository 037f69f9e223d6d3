package scene_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// golden is a file of testdata/derivatives: Jacobians of single steps and of chains of them, made
// by complex steps through another implementation of the step, exact to round-off.
type golden struct {
	Scene  string   `json:"scene"`
	Set    []string `json:"set"`
	H      float64  `json:"h"`
	Params []string `json:"params"`
	Cases  []struct {
		Name       string             `json:"name"`
		Steps      int                `json:"steps"`
		Q          []float64          `json:"q"`
		V          []float64          `json:"v"`
		Q1         []float64          `json:"q1"`
		V1         []float64          `json:"v1"`
		J          [][]float64        `json:"J"` // d(q⁺,v⁺)_i/d(q,v)_k
		P          [][]float64        `json:"P"` // d(q⁺,v⁺)_i/dθ_k
		Values     map[string]float64 `json:"params"`
		Directions [][]float64        `json:"directions"`
		JD         [][]float64        `json:"JD"`
	} `json:"cases"`
}

func readGolden(t *testing.T, name string) golden {
	t.Helper()
	b, err := os.ReadFile("testdata/derivatives/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// stepper returns a stepper of the golden file's scene, with more overrides.
func (g *golden) stepper(t *testing.T, more ...string) *sim.Stepper {
	t.Helper()
	set := append(append([]string(nil), g.Set...), "solver.friction_lag=geometry")
	sc, err := scene.Load(filepath.Join("testdata/derivatives", g.Scene), append(set, more...))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// blockErrors returns ‖ΔJ‖/‖J‖ of the blocks qq, qv, vq, vv; J and want are n×n. Where a body has come to
// rest blocks are zero but for round-off: below 0.1 the error is compared with that.
func blockErrors(J []float64, want [][]float64) (e [4]float64) {
	n := len(want)
	var d2, w2 [4]float64
	for i := range n {
		for k := range n {
			b := i/(n/2)*2 + k/(n/2)
			d := J[i*n+k] - want[i][k]
			d2[b] += d * d
			w2[b] += want[i][k] * want[i][k]
		}
	}
	for b := range e {
		e[b] = math.Sqrt(d2[b] / math.Max(w2[b], 1e-2))
	}
	return e
}

// The end states agree to 1e-10, so that both differentiate the same step. Bounds are those that the
// differences of the stages allow: 1e-8 in a step, 1e-6 over chains.
func TestJacobiansAgreeWithComplexSteps(t *testing.T) {
	for _, name := range []string{"slider", "sphere", "brick", "arm", "bar_held"} {
		g := readGolden(t, name)
		s := g.stepper(t)
		for _, c := range g.Cases {
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				x := s.Model.Start.Clone()
				copy(x.Q, c.Q)
				copy(x.V, c.V)
				nx, tol := 2*len(x.V), 1e-8
				if c.Steps > 1 {
					tol = 1e-6
				}
				var total []float64
				dirs := slices.Clone(c.Directions)
				for range c.Steps {
					l, err := s.Linearize(x, g.H)
					if err != nil {
						t.Fatal(err)
					}
					if len(c.J) > 0 {
						fx := make([]float64, nx*nx)
						if err := l.Jacobian(fx, nil); err != nil {
							t.Fatal(err)
						}
						total = product(fx, total, nx)
					}
					for k, dx := range dirs {
						dirs[k] = make([]float64, nx)
						if err := l.Tangent(dx, nil, dirs[k]); err != nil {
							t.Fatal(err)
						}
					}
					l.End(x)
				}
				end, dx := x.Clone(), make([]float64, nx)
				copy(end.Q, c.Q1)
				copy(end.V, c.V1)
				s.Model.StateDifference(end, x, dx)
				if off := math.Max(slices.Max(dx), -slices.Min(dx)); off > 1e-10 {
					t.Errorf("end state off by %.1e", off)
				}
				if len(c.J) > 0 {
					if e := blockErrors(total, c.J); slices.Max(e[:]) > tol {
						t.Errorf("blocks qq, qv, vq, vv off by %.1e, want %g", e, tol)
					}
				}
				for k := range dirs {
					if e := relative(dirs[k], c.JD[k]); e > tol {
						t.Errorf("direction %d off by %.1e, want %g", k, e, tol)
					}
				}
			})
		}
	}
}

// goldenParameters are the scene's numbers behind the parameters of golden files.
var goldenParameters = map[string]map[string]string{
	"slider":   {"mu": "pairs.0.friction", "k": "pairs.0.stiffness", "d": "pairs.0.dissipation", "m_rail": "bodies.rail.mass", "m_block": "bodies.block.mass", "vs": "solver.stiction_tolerance", "f_x": "drives.push.feed_forward"},
	"brick":    {"mu": "pairs.0.friction", "k": "pairs.0.stiffness", "d": "pairs.0.dissipation", "vs": "solver.stiction_tolerance"},
	"arm":      {"vs": "solver.stiction_tolerance", "u1": "drives.shoulder.feed_forward", "u2": "drives.elbow.feed_forward", "m1": "bodies.upper.mass"},
	"bar_held": {"E": "materials.rubber.youngs_modulus", "nu": "materials.rubber.poissons_ratio", "density": "materials.rubber.density", "alpha": "materials.rubber.mass_damping", "zeta": "materials.rubber.stiffness_damping", "mu": "pairs.0.friction", "d": "pairs.0.dissipation", "layer": "pairs.0.contact_layer"},
}

// The derivative by a number of the scene, from two models that were loaded with it changed.
func TestDerivativesByParametersAgreeWithComplexSteps(t *testing.T) {
	for name, params := range goldenParameters {
		g := readGolden(t, name)
		for param, path := range params {
			k := slices.Index(g.Params, param)
			var s, plus, minus *sim.Stepper
			for _, c := range g.Cases {
				if c.Steps > 1 {
					continue
				}
				width := 1e-4 * c.Values[param]
				if param == "vs" { // small in r, and smooth
					width *= 3
				}
				if s == nil {
					set := func(v float64) string { return fmt.Sprintf("%s=%.17g", path, v) }
					s, plus, minus = g.stepper(t), g.stepper(t, set(c.Values[param]+width)), g.stepper(t, set(c.Values[param]-width))
				}
				x := s.Model.Start.Clone()
				copy(x.Q, c.Q)
				copy(x.V, c.V)
				l, err := s.Linearize(x, g.H)
				if err != nil {
					t.Fatal(err)
				}
				got, want := make([]float64, 2*len(x.V)), make([]float64, 2*len(x.V))
				if err := l.ModelTangent(plus, minus, width, got); err != nil {
					t.Fatal(err)
				}
				for i := range want {
					want[i] = c.P[i][k]
				}
				if e := relative(got, want); e > 1e-6 {
					t.Errorf("%s/%s: by %s off by %.1e", name, c.Name, param, e)
				}
			}
		}
	}
}

// product returns a b, or a where b is nil.
func product(a, b []float64, n int) []float64 {
	if b == nil {
		return a
	}
	c := make([]float64, n*n)
	for i := range n {
		for k := range n {
			if x := a[i*n+k]; x != 0 {
				for j := range n {
					c[i*n+j] += x * b[k*n+j]
				}
			}
		}
	}
	return c
}

// relative returns ‖a − b‖/‖b‖.
func relative(a, b []float64) float64 {
	d, w := 0.0, 0.0
	for i := range a {
		d += (a[i] - b[i]) * (a[i] - b[i])
		w += b[i] * b[i]
	}
	return math.Sqrt(d / math.Max(w, 1e-300))
}
