package fem

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Bodies of all elements, fixed and free, strained and turning, with a memory and without: the adjoint of a step of the
// midpoint rule is the derivative of yᵀ[A (w − v0) − p] − λ·E by the state and the memory.
func TestMidpointAdjointIsADerivative(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for _, kind := range kindsOfElements() {
		for name, law := range everyLaw(t, 1e5, 0.45) {
			for form, mesh := range formsOf(t, r, kind) {
				for _, held := range []int{0, 2} {
					for _, spin := range []float64{0, 20} {
						spec := Spec{Name: "body", Mesh: mesh, Law: law, Density: 1000, Elements: kind, MassDamping: 3, StiffnessDamping: 0.004}
						for i := range held {
							spec.Fixed = append(spec.Fixed, int32(i))
						}
						m, err := NewModel(spec)
						if err != nil || m.class == Nonlinear {
							continue // the kind has no such law, or the rule has not
						}
						for _, before := range []float64{0, 4e-3} {
							t.Run(fmt.Sprint(kind, " ", name, " ", form, " fixed ", held, " spin ", spin, " after ", before), func(t *testing.T) {
								checkMidpointAdjoint(t, r, m, spin, before)
							})
						}
					}
				}
			}
		}
	}
}

// checkMidpointAdjoint compares along random directions of a strained body, with the memory of a step of `before`
// seconds; 0: without.
func checkMidpointAdjoint(t *testing.T, r *rand.Rand, m *Model, spin, before float64) {
	const h = 5e-3
	d, n := m.NewData(), 3*m.NumVerts()
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	x, v, y, w := make([]float64, n), make([]float64, n), random(m.Dofs()), random(m.Dofs())
	turn := r3.RotExp(r3.Vec{0.7, -0.3, 0.4})
	for i, X := range m.spec.Mesh.Verts {
		p := turn.MulVec(X)
		u := r3.Vec{0.3, 1, 0.2}.Unit().Scale(spin).Cross(p)
		for k := range 3 {
			x[3*i+k] = p[k] + 0.03*r.NormFloat64()
			v[3*i+k] = u[k] + 0.5*r.NormFloat64()
			if m.node[i] < 0 {
				v[3*i+k] = 0
			}
		}
	}
	memory := timestep.Memory{}
	if before > 0 {
		memory = timestep.Memory{W: random(n), DV: random(n)}
	}
	D := make([]r3.Mat, m.Dofs()/3)
	for i := range D[:r.Intn(len(D)+1)] {
		s := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		D[i] = r3.Outer(s, s)
	}
	end := Bars{V: random(n), W: random(n), DV: random(n)}
	rule := timestep.Rule{Midpoint: true, Damping: 0.05}
	residual := func() float64 {
		d.Integrate(rule.Step(h, memory, before))
		sum := freeResidual(d, h, x, v, w, y, D)
		ex, ev, next := append([]float64(nil), x...), append([]float64(nil), v...), timestep.Memory{W: make([]float64, n), DV: make([]float64, n)}
		d.Advance(h, w, ex, ev, next)
		for i := range ev {
			sum -= ev[i]*end.V[i] + next.W[i]*end.W[i] + next.DV[i]*end.DV[i]
		}
		return sum
	}
	d.Integrate(rule.Step(h, memory, before))
	start := Bars{X: make([]float64, n), V: make([]float64, n), W: make([]float64, n), DV: make([]float64, n)}
	if !d.MidpointAdjoint(h, x, v, w, y, D, &end, &start) {
		t.Fatal("no adjoint")
	}
	for _, part := range []struct {
		name      string
		at, slope []float64
		eps       float64
	}{{"positions", x, start.X, 1e-6}, {"velocities", v, start.V, 1e-4}, {"w₋", memory.W, start.W, 1e-4}, {"Δv₋", memory.DV, start.DV, 1e-4}} {
		for range 3 {
			if len(part.at) == 0 {
				continue
			}
			want, dir := 0.0, make([]float64, n)
			for i := range dir {
				if m.node[i/3] >= 0 {
					dir[i] = r.NormFloat64()
				}
				want += dir[i] * part.slope[i]
			}
			side := func(e float64) float64 {
				for i := range dir {
					part.at[i] += e * dir[i]
				}
				f := residual()
				for i := range dir {
					part.at[i] -= e * dir[i]
				}
				return f
			}
			// Richardson: the error is of fourth order
			e := part.eps
			one, two := (side(e)-side(-e))/(2*e), (side(2*e)-side(-2*e))/(4*e)
			got, size := (4*one-two)/3, 0.0
			for i := range dir {
				size += math.Abs(dir[i] * part.slope[i])
			}
			// round-off of differences over 1e-6 m is up to 3e-7 of the size
			if math.Abs(got-want) > 1e-6*size {
				t.Errorf("%s: %.12g, by differences %.12g, of %.3g", part.name, want, got, size)
			}
		}
	}
}
