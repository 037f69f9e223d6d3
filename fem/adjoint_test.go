package fem

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// freeResidual returns yᵀ[A (v⁺ − v0) − p] of a step, and adds D:A of the blocks on the diagonal.
func freeResidual(d *Data, h float64, x, v, vNext, y []float64, D []r3.Mat) float64 {
	var p cliques.Problem
	p.Reset(0, h)
	d.Linearize(h, r3.Vec{0, 0, -9.81}, x, v, nil, &p)
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

// Bodies of all elements, of linear and corotated laws, fixed and free, strained and turning: the adjoint of their free
// motion is the derivative of yᵀ[A (v⁺ − v0) − p] by the state.
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
						t.Run(fmt.Sprint(kind, " ", name, " ", form, " fixed ", held, " spin ", spin), func(t *testing.T) {
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
	// of some blocks: elements with one take other code
	D := make([]r3.Mat, m.Dofs()/3)
	for i := range D[:r.Intn(len(D)+1)] {
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

// Bars of eight tets at once are those of one tet at a time, wherever positions are, with cotangents of A on some
// vertices. Tets that no frame turns uniquely, which are flat, refuse in both.
func TestBarsSideBySideAreBarsAlone(t *testing.T) {
	if !haveKernels {
		t.Skip("this machine or build has no vector kernels")
	}
	r := rand.New(rand.NewSource(70))
	law, err := NewCorotational(2.5e6, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	mesh := boxMesh(r3.Vec{0.1, 0.05, 0.03}, 5, 3, 3)
	m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, StiffnessDamping: 0.01, MassDamping: 2})
	d, n := m.NewData(), m.NumVerts()
	x, v, y, vNext := make([]float64, 3*n), make([]float64, 3*n), make([]float64, 3*n), make([]float64, 3*n)
	D := make([]r3.Mat, n)
	D[7] = r3.Diag(r3.Vec{1, 2, 3})
	refused, alone := 0, 0
	for _, noise := range []float64{0, 0.1, 0.3, 1, 1, 1, 2, 2, 3, 10, math.Inf(1)} {
		turn := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, X := range mesh.Verts {
			p := turn.MulVec(X)
			for k := range 3 {
				x[3*i+k] = p[k] + 0.002*noise*r.NormFloat64()
				if math.IsInf(noise, 1) {
					x[3*i+k] = 0 // all at one point, where no frame follows
				}
				vNext[3*i+k], y[3*i+k] = r.NormFloat64(), r.NormFloat64()
			}
		}
		dx, dv := make([]float64, 3*n), make([]float64, 3*n)
		ok := d.FreeMotionAdjoint(0.01, x, v, vNext, y, D, dx, dv)
		a := d.adjoint
		got := [2][]r3.Vec{slices.Clone(a.zBar), slices.Clone(a.xBar)}
		clear(a.zBar)
		clear(a.xBar)
		each := true
		for i := range m.elements {
			each = each && a.tet4(&m.elements[i])
			if F := m.elements[i].gradient(a.pos); F.Det() < 1e-6*math.Pow(F.Norm2(), 1.5) {
				alone++
			}
		}
		if ok != each {
			t.Fatalf("noise %g: side by side %t, alone %t", noise, ok, each)
		}
		if !ok {
			refused++
			continue
		}
		for k, want := range [2][]r3.Vec{a.zBar, a.xBar} {
			most := 0.0
			for _, b := range want {
				most = max(most, b.Norm())
			}
			for i := range want {
				if e := got[k][i].Sub(want[i]).Norm(); !(e <= 1e-10*most) {
					t.Fatalf("noise %g: %s of vertex %d off by %g of %g", noise, [2]string{"z̄", "x̄"}[k], i, e, most)
				}
			}
		}
	}
	if refused != 1 || alone < 100 {
		t.Errorf("%d states refused, %d tets flat or inside out", refused, alone)
	}
}
