package fem

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// The tangent at rest is the derivative of the forces, by differences, at any positions, for every element and
// law; hexahedra under a nonlinear law leave out the second derivative of φ, of second order in what they bend.
// The projected tangent is positive definite.
func TestTangentAtRestIsTheDerivativeOfTheForces(t *testing.T) {
	for _, e := range kindsOfElements() {
		r := rand.New(rand.NewSource(7))
		for name, law := range everyLaw(t, 1, 0.45) {
			for i, mesh := range formsOf(t, r, e) {
				m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1, Elements: e})
				w := newWorld(m)
				tol, stray := 1e-6, 0.05
				if e == Hex12 && law.Class() == Nonlinear {
					tol, stray = 1e-3, 0.01
				}
				G := r3.RotExp(r3.Vec{0.4, -0.3, 0.8}).Mul(r3.Mat{1.2, 0.2, 0, -0.1, 0.8, 0.1, 0.1, 0, 0.9})
				x, d := make([]float64, 3*m.NumVerts()), make([]float64, 3*m.NumVerts())
				for v, X := range mesh.Verts {
					p := G.MulVec(X).Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(stray))
					copy(x[3*v:], p[:])
				}
				still := make([]float64, len(x))
				at := func(size float64, project bool) (f, Ad []float64) {
					y := make([]float64, len(x))
					for k := range x {
						y[k] = x[k] + size*d[k]
					}
					var p cliques.Problem
					p.Reset(0, 1)
					w.d.LinearizeAtRest(1, r3.Vec{}, y, still, project, nil, &p)
					Ad = make([]float64, len(x))
					m.multiply(Ad, p.Cliques[0].A, d)
					Md := make([]float64, len(x))
					M := make([]float64, 9*len(m.pattern.Row))
					for k := range m.pattern.Row {
						for c := range 3 {
							M[9*k+4*c] = m.blocks[k].mass
						}
					}
					m.multiply(Md, M, d)
					for k := range Ad {
						Ad[k] -= Md[k]
					}
					return append([]float64(nil), p.P...), Ad
				}
				for k := range d {
					d[k] = r.NormFloat64()
				}
				const eps = 3e-6 // powers of small stretches have large third derivatives
				ahead, _ := at(eps, false)
				back, _ := at(-eps, false)
				_, Kd := at(0, false)
				scale := 0.0
				for _, x := range Kd {
					scale = max(scale, math.Abs(x))
				}
				for k := range d {
					if got := (back[k] - ahead[k]) / (2 * eps); math.Abs(got-Kd[k]) > tol*scale {
						t.Errorf("%s, %s, form %d: the force changes by %g, the tangent says %g of %g", e, name, i, got, Kd[k], scale)
						break
					}
				}
				_, Kd = at(0, true)
				work := 0.0
				for k := range d {
					work += d[k] * Kd[k]
				}
				if work < 0 {
					t.Errorf("%s, %s, form %d: the projected tangent gives %g", e, name, i, work)
				}
			}
		}
	}
}
