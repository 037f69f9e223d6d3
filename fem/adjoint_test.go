package fem

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// freeResidual returns yᵀ[A (v⁺ − v0) − p] of a step, and adds D:A of the blocks on the diagonal.
func freeResidual(d *Data, h float64, x, v, vNext, y []float64, D []r3.Mat) float64 {
	var p cliques.Problem
	p.Reset(0, h)
	d.Linearise(h, r3.Vec{0, 0, -9.81}, x, v, nil, &p)
	A, v0, mom := d.part(&p)
	pat, sum := &d.model.pattern, 0.0
	for i := range y {
		sum -= y[i] * mom[i]
	}
	for j := range pat.N {
		for i := range 9 {
			sum += D[j][i] * A[9*int(pat.Ptr[j])+i]
		}
		for k := pat.Ptr[j]; k < pat.Ptr[j+1]; k++ {
			row := int(pat.Row[k])
			for a := range 3 {
				for b := range 3 {
					m := A[9*int(k)+3*a+b]
					sum += y[3*row+a] * m * (vNext[3*j+b] - v0[3*j+b])
					// the block above the diagonal
					if row != j {
						sum += y[3*j+b] * m * (vNext[3*row+a] - v0[3*row+a])
					}
				}
			}
		}
	}
	return sum
}

// Bodies of all elements, of linear and corotated laws, held and free, strained and turning: the adjoint of their free motion is the
// derivative of yᵀ[A (v⁺ − v0) − p] by the state.
func TestAdjointOfFreeMotionIsADerivative(t *testing.T) {
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
						if err != nil {
							continue // the kind has no such law
						}
						t.Run(fmt.Sprint(kind, " ", name, " ", form, " held ", held, " spin ", spin), func(t *testing.T) {
							checkAdjoint(t, r, m, spin)
						})
					}
				}
			}
		}
	}
}

// checkAdjoint compares along random directions of a strained body.
func checkAdjoint(t *testing.T, r *rand.Rand, m *Model, spin float64) {
	const h = 5e-3
	d, n := m.NewData(), 3*m.NumVerts()
	x, v, y, vNext := make([]float64, n), make([]float64, n), make([]float64, m.Dofs()), make([]float64, m.Dofs())
	turn := r3.RotExp(r3.Vec{0.7, -0.3, 0.4})
	for i, X := range m.spec.Mesh.Verts {
		p := turn.MulVec(X)
		w := r3.Vec{0.3, 1, 0.2}.Unit().Scale(spin).Cross(p)
		for k := range 3 {
			x[3*i+k] = p[k] + 0.03*r.NormFloat64()
			v[3*i+k] = w[k] + 0.5*r.NormFloat64()
			if m.node[i] < 0 {
				v[3*i+k] = 0
			}
		}
	}
	for i := range y {
		y[i], vNext[i] = r.NormFloat64(), r.NormFloat64()
	}
	D := make([]r3.Mat, m.Dofs()/3)
	for i := range D {
		s := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		D[i] = r3.Outer(s, s)
	}
	dx, dv := make([]float64, n), make([]float64, n)
	if !d.FreeMotionAdjoint(h, x, v, vNext, y, D, dx, dv) {
		if m.class == Nonlinear || d.free.rotation.unresolved {
			return
		}
		t.Fatal("no adjoint")
	}
	if m.class == Nonlinear {
		t.Fatal("an adjoint of a nonlinear law")
	}
	for _, part := range []struct {
		name      string
		at, slope []float64
		eps       float64
	}{{"positions", x, dx, 1e-6}, {"velocities", v, dv, 1e-4}} {
		for range 3 {
			want, dir := 0.0, make([]float64, n)
			for i := range dir {
				if m.node[i/3] >= 0 {
					dir[i] = r.NormFloat64()
				}
				want += dir[i] * part.slope[i]
			}
			side := func(w float64) float64 {
				for i := range dir {
					part.at[i] += w * dir[i]
				}
				f := freeResidual(d, h, x, v, vNext, y, D)
				for i := range dir {
					part.at[i] -= w * dir[i]
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
			if math.Abs(got-want) > 1e-7*size {
				t.Errorf("%s: %.12g, by differences %.12g, of %.3g", part.name, want, got, size)
			}
		}
	}
}
