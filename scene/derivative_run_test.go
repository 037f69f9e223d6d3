package scene_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// goldenModel returns the model of a golden file with the start of a case and another value of a
// parameter, and with signals for all joints: positions, then velocities.
func (g *golden) model(t *testing.T, q, v []float64, set ...string) *sim.Model {
	t.Helper()
	sc, err := scene.Load("testdata/derivatives/"+g.Scene, append(append(slices.Clone(g.Set), "solver.friction_lag=geometry"), set...))
	if err != nil {
		t.Fatal(err)
	}
	m := *sc.Model
	m.Start = *m.Start.Clone()
	copy(m.Start.Q, q)
	copy(m.Start.V, v)
	m.Signals = nil
	for i := range v {
		m.Signals = append(m.Signals, sim.NamedSignal{Name: fmt.Sprint("q", i), Unit: "m", Signal: sim.JointPosition{Dof: i}})
	}
	for i := range v {
		m.Signals = append(m.Signals, sim.NamedSignal{Name: fmt.Sprint("v", i), Unit: "m/s", Signal: sim.JointVelocity{Dof: i}})
	}
	return &m
}

// The gradient of Σ w_i s_i at the end of a run, of joints' positions and velocities, is wᵀP of the golden files, with
// both ways to compute it, for single steps and chains of 50, and with a memory that keeps every seventh state.
func TestGradientsOfRunsAgreeWithComplexSteps(t *testing.T) {
	weights := []float64{0.3, -1.1, 0.7, 0.4}
	for _, name := range []string{"slider", "arm"} {
		g := readGolden(t, name)
		for _, c := range g.Cases {
			if name == "arm" && len(c.Q) != len(c.V) {
				continue // its ball has no joint positions
			}
			var params []gradient.Parameter
			var want []float64
			for _, param := range g.Params {
				path, ok := goldenParameters[name][param]
				if !ok {
					continue
				}
				k, value := slices.Index(g.Params, param), c.Values[param]
				width := 1e-5 * value
				at := func(v float64) *sim.Model { return g.model(t, c.Q, c.V, fmt.Sprintf("%s=%.17g", path, v)) }
				params = append(params, gradient.Parameter{Name: path, Plus: at(value + width), Minus: at(value - width), Width: width})
				d := 0.0
				for i, w := range weights {
					d += w * c.P[i][k]
				}
				want = append(want, d)
			}
			for _, mode := range []gradient.Mode{gradient.Adjoint, gradient.Tangents} {
				for _, memory := range []int64{0, 1} {
					r, err := gradient.Compute(&gradient.Problem{Model: g.model(t, c.Q, c.V), H: g.H, Steps: c.Steps, Parameters: params, Mode: mode, Memory: memory,
						Loss: func(values, bar [][]float64) float64 {
							sum := 0.0
							for i, w := range weights {
								sum += w * values[c.Steps][i]
								bar[c.Steps][i] = w
							}
							return sum
						}})
					if err != nil {
						t.Fatal(name, c.Name, err)
					}
					for i, d := range r.Gradient {
						if math.Abs(d-want[i]) > 1e-6*math.Abs(want[i])+1e-9 {
							t.Errorf("%s/%s, mode %d, memory %d: by %s %.10g, want %.10g", name, c.Name, mode, memory, params[i].Name, d, want[i])
						}
					}
				}
			}
		}
	}
}
