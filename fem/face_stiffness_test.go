package fem

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// facesOf returns random faces of 3, 4 and 6 vertices, neither flat nor regular, with the positions of their vertices.
func facesOf(r *rand.Rand) (faces []Face, x [][]r3.Vec) {
	for _, plan := range [][]r3.Vec{
		{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}},
	} {
		f := Face{N: len(plan)}
		var y []r3.Vec
		turn := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, p := range plan {
			f.Verts[i] = int32(i)
			y = append(y, turn.MulVec(p).Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.15)))
		}
		faces, x = append(faces, f), append(x, y)
	}
	return faces, x
}

// The derivatives of the vector areas are their differences. These are of second degree, so that central differences of
// any size are exact.
func TestDerivativesOfVectorAreasAreDifferences(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 20 {
		faces, places := facesOf(r)
		for i := range faces {
			f, x := &faces[i], places[i]
			var S [6][6]r3.Mat
			f.areaDerivatives(x, &S)
			for b := range f.N {
				for k := range 3 {
					const eps = 1e-3
					at := x[b]
					x[b][k] = at[k] + eps
					ahead := f.VectorAreas(x)
					x[b][k] = at[k] - eps
					back := f.VectorAreas(x)
					x[b] = at
					for a := range f.N {
						for c := range 3 {
							if got, want := S[a][b][3*c+k], (ahead[a][c]-back[a][c])/(2*eps); !(math.Abs(got-want) < 1e-11) {
								t.Fatalf("%d vertices: ∂S_%d,%d/∂x_%d,%d is %g, by differences %g", f.N, a, c, b, k, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// The stiffness that a pressure on the whole surface of a body adds to A is minus the derivative of its forces, by
// differences: a closed surface has a potential, p times the volume. That on a part of the surface is the symmetric
// part of it.
func TestThePressureStiffnessIsTheDerivativeOfItsForces(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	const p, h = 3.0, 0.1
	type form struct {
		mesh     *meshes.Tet
		elements Elements
	}
	var forms []form
	for _, e := range kindsOfElements() {
		for _, mesh := range formsOf(t, r, e) {
			forms = append(forms, form{mesh, e})
		}
	}
	for _, form := range forms {
		e := form.elements
		m := mustModel(t, Spec{Mesh: form.mesh, Law: everyLaw(t, 1, 0.3)["corotational"], Density: 1, Elements: e})
		n := 3 * m.NumVerts()
		x, still := make([]float64, n), make([]float64, n)
		for v, X := range m.spec.Mesh.Verts {
			for k := range 3 {
				x[3*v+k] = X[k] + 0.03*r.NormFloat64()
			}
		}
		all := m.Faces()
		for _, faces := range [][]Face{all, all[:(len(all)+1)/2]} {
			force := func(x []float64) []float64 {
				y, f := make([]r3.Vec, m.NumVerts()), make([]float64, n)
				for v := range y {
					y[v] = r3.Vec(x[3*v : 3*v+3])
				}
				for i := range faces {
					S := faces[i].VectorAreas(y)
					for a, v := range faces[i].Verts[:faces[i].N] {
						for k := range 3 {
							f[3*int(v)+k] -= p * S[a][k]
						}
					}
				}
				return f
			}
			// u·K w by what the pressure adds to A, and by differences with u and w in both orders
			u, w := make([]float64, n), make([]float64, n)
			for i := range u {
				u[i], w[i] = r.NormFloat64(), r.NormFloat64()
			}
			d := newWorld(m).d
			product := func(pressed bool) float64 {
				var problem cliques.Problem
				problem.Reset(0, 1)
				d.LinearizeAtRest(h, r3.Vec{}, x, still, false, nil, &problem)
				if pressed {
					for i := range faces {
						d.AddPressureStiffness(&faces[i], p)
					}
				}
				y := make([]float64, n)
				m.multiply(y, problem.Cliques[0].A, w)
				return dotOf(u, y)
			}
			got := (product(true) - product(false)) / (h * h)
			// with the rest all of it, and where A is the projected one that of the elements that is not, too
			whole := func(project bool) float64 {
				var problem cliques.Problem
				problem.Reset(0, 1)
				d.LinearizeAtRest(h, r3.Vec{}, x, still, false, nil, &problem)
				for i := range faces {
					d.AddPressureStiffness(&faces[i], p)
				}
				if project {
					d.HoldTangent()
					problem.Reset(0, 1)
					d.LinearizeAtRest(h, r3.Vec{}, x, still, true, nil, &problem)
				}
				y := make([]float64, n)
				m.multiply(y, problem.Cliques[0].A, w)
				d.AddTangentRest(y, w)
				return dotOf(u, y)
			}
			change := func(u, w []float64) float64 {
				const eps = 1e-3 // forces are of second degree: central differences are exact
				ahead, back := make([]float64, n), make([]float64, n)
				for i := range x {
					ahead[i], back[i] = x[i]+eps*w[i], x[i]-eps*w[i]
				}
				return (dotOf(u, force(back)) - dotOf(u, force(ahead))) / (2 * eps)
			}
			one, other := change(u, w), change(w, u)
			want := (one + other) / 2
			if len(faces) == len(all) && math.Abs(one-other) > 1e-9*math.Abs(want) {
				t.Fatalf("%s: the stiffness of a closed surface is not symmetric: %g, %g", e, one, other)
			}
			if !(math.Abs(got-want) < 1e-9*(math.Abs(one)+math.Abs(other))) {
				t.Errorf("%s, %d of %d faces: u·K w is %g, by differences %g", e, len(faces), len(all), got, want)
			}
			for _, project := range []bool{false, true} {
				if got := (whole(project) - product(false)) / (h * h); !(math.Abs(got-one) < 1e-8*(math.Abs(one)+math.Abs(other))) {
					t.Errorf("%s, %d of %d faces, projected %v: u·(K + S) w is %g, by differences %g", e, len(faces), len(all), project, got, one)
				}
			}
		}
	}
}

func dotOf(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
