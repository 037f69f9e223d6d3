package fem

import (
	"math"
	"math/rand"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The conformance suite of elements with one frame: what K0, masses and forces of every kind
// have to satisfy, whatever their shape.

// oneCell returns an element over the given nodes, of Young's modulus 1 and density 1.
func oneCell(t testing.TB, X []r3.Vec, nu float64) *cell {
	t.Helper()
	mesh := &meshes.Tet{Verts: X}
	var err error
	if len(X) == 8 {
		mesh, err = meshes.FillCells(X, [][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}}, nil)
	} else {
		mesh, err = meshes.FillCells(X, nil, [][6]int32{{0, 1, 2, 3, 4, 5}})
	}
	if err != nil {
		t.Fatal(err)
	}
	law, err := NewCorotational(1, nu)
	if err != nil {
		t.Fatal(err)
	}
	return &mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1, Elements: Hex12}).cells[0]
}

// unitWedge is a right prism of unit legs and height.
var unitWedge = []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}

// unitCube returns the nodes of a unit cube.
func unitCube() (X []r3.Vec) {
	for _, s := range hexNodes {
		X = append(X, s.Add(r3.Vec{1, 1, 1}).Scale(0.5))
	}
	return X
}

// strayed returns points moved at random by about size in each direction.
func strayed(r *rand.Rand, X []r3.Vec, size float64) []r3.Vec {
	out := append([]r3.Vec(nil), X...)
	for a := range out {
		out[a] = out[a].Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(size))
	}
	return out
}

// cellMatrix returns blocks of a lower triangle as a matrix of 3n rows.
func cellMatrix(c *cell, K []r3.Mat) *mat.SymDense {
	out := mat.NewSymDense(3*c.n, nil)
	for a := range c.n {
		for b := range a + 1 {
			for i := range 3 {
				for j := range 3 {
					out.SetSym(3*a+i, 3*b+j, K[triangle(a, b)][3*i+j])
				}
			}
		}
	}
	return out
}

// eigenvalues returns those of a symmetric matrix in ascending order.
func eigenvalues(t testing.TB, A mat.Symmetric) []float64 {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(A, false) {
		t.Fatal("no eigenvalues")
	}
	return e.Values(nil)
}

// everyCell calls check with elements of both kinds, from regular to distorted, at ratios of
// Poisson up to nearly ½.
func everyCell(t *testing.T, check func(t *testing.T, r *rand.Rand, c *cell, nu float64)) {
	r := rand.New(rand.NewSource(7))
	for _, X := range [][]r3.Vec{unitCube(), unitWedge} {
		for _, nu := range []float64{0, 0.3, 0.4999} {
			for _, size := range []float64{0, 0.05, 0.1} {
				check(t, r, oneCell(t, strayed(r, X, size), nu), nu)
			}
		}
	}
}

// Rigid motions have no energy, and nothing else has none: six eigenvalues of K0 are zero, at
// rest and turned by any rotation, and the mass is positive definite with the sum ρV.
func TestStiffnessOfACellHasSixZeroEigenvalues(t *testing.T) {
	everyCell(t, func(t *testing.T, r *rand.Rand, c *cell, nu float64) {
		R := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		var K [cellBlocks]r3.Mat
		c.turnBlocks(&K, &R)
		for _, blocks := range [][]r3.Mat{c.stiff[:], K[:]} {
			w := eigenvalues(t, cellMatrix(c, blocks))
			if most := w[len(w)-1]; math.Abs(w[0]) > 1e-13*most || math.Abs(w[5]) > 1e-13*most || w[6] < 1e-2 {
				t.Errorf("%d nodes: eigenvalues %.3g, want six zeros", c.n, w[:8])
			}
		}
		sum := 0.0
		M := mat.NewSymDense(c.n, nil)
		for a := range c.n {
			for b := range c.n {
				M.SetSym(a, b, c.mass[symmetric(a, b)])
				sum += c.mass[symmetric(a, b)]
			}
		}
		if w := eigenvalues(t, M); !(w[0] > 1e-3*c.volume) || math.Abs(sum-c.volume) > 1e-12 {
			t.Errorf("%d nodes: least eigenvalue of the mass %g, sum %g for %g m³", c.n, w[0], sum, c.volume)
		}
	})
}

// internalForce returns f of (2) of element_cell.go at x, with y = x, and the energy.
func internalForce(c *cell, x *[cellNodes]r3.Vec) (f [cellNodes]r3.Vec, energy float64) {
	F := c.gradient(x)
	R := r3.Polar(F)
	q, energy := c.correction(x, &F, &R)
	var u, K [cellNodes]r3.Vec
	c.displacements(&u, x, &R)
	c.multiply(&K, &u)
	for a := range c.n {
		f[a] = R.MulVec(K[a].Sub(q.Cross(c.grad[a])))
	}
	return f, energy
}

// deformed returns positions of the nodes, strained, turned and moved at random.
func deformed(r *rand.Rand, c *cell, size float64) (x [cellNodes]r3.Vec) {
	R := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	for a, p := range strayed(r, c.rest[:c.n], size) {
		x[a] = R.MulVec(p).Add(r3.Vec{0.3, -0.2, 0.1})
	}
	return x
}

// f = ∂E/∂x by central differences, with the frame that follows x; Σ f = 0 and Σ x × f = 0.
func TestForceOfACellIsTheGradientOfItsEnergy(t *testing.T) {
	everyCell(t, func(t *testing.T, r *rand.Rand, c *cell, nu float64) {
		x := deformed(r, c, 0.1)
		f, energy := internalForce(c, &x)
		size := 0.0
		var sum, moment r3.Vec
		for a := range c.n {
			size = max(size, f[a].Norm())
			sum, moment = sum.Add(f[a]), moment.Add(x[a].Cross(f[a]))
		}
		if sum.Norm() > 1e-13*size*float64(c.n) || moment.Norm() > 1e-12*size {
			t.Errorf("%d nodes: force %.3g, moment %.3g of forces %.3g", c.n, sum.Norm(), moment.Norm(), size)
		}
		const h = 1e-5
		for a := range c.n {
			for i := range 3 {
				ahead, back := x, x
				ahead[a][i] += h
				back[a][i] -= h
				_, e1 := internalForce(c, &ahead)
				_, e0 := internalForce(c, &back)
				if d := (e1 - e0) / (2 * h); math.Abs(d-f[a][i]) > 1e-8*size+1e-15*energy/h {
					t.Fatalf("%d nodes: force %g, difference %g", c.n, f[a][i], d)
				}
			}
		}
	})
}

// A rotation of the positions turns the forces and keeps the energy.
func TestForcesOfACellAreFrameIndifferent(t *testing.T) {
	everyCell(t, func(t *testing.T, r *rand.Rand, c *cell, nu float64) {
		x := deformed(r, c, 0.1)
		Q, y := r3.RotExp(r3.Vec{2, -1, 0.5}), x
		for a := range c.n {
			y[a] = Q.MulVec(x[a]).Add(r3.Vec{1, 2, 3})
		}
		f, e := internalForce(c, &x)
		g, eTurned := internalForce(c, &y)
		if math.Abs(e-eTurned) > 1e-12*e {
			t.Errorf("energy %g, turned %g", e, eTurned)
		}
		for a := range c.n {
			if d := Q.MulVec(f[a]).Sub(g[a]).Norm(); d > 1e-12*max(1, f[a].Norm()) {
				t.Errorf("%d nodes: forces differ by %g", c.n, d)
			}
		}
	})
}

// The forces of an affine motion are those of the constant stress of the law, P : ∂F/∂x
// integrated over the element, in any shape: K0 u = Σ_q w C ε g, without internal modes.
func TestAffineMotionOfACellHasConstantStress(t *testing.T) {
	everyCell(t, func(t *testing.T, r *rand.Rand, c *cell, nu float64) {
		G := r3.Mat{0.01, 0.02, -0.03, 0.004, 0.05, -0.06, 0.07, 0.008, 0.009}
		var u, f [cellNodes]r3.Vec
		for a := range c.n {
			u[a] = G.MulVec(c.rest[a])
		}
		c.multiply(&f, &u)
		// virtual work of another affine motion is V ε':σ
		H := r3.Mat{0.03, -0.02, 0.01, 0, 0.07, 0.02, -0.01, 0.06, -0.04}
		work := 0.0
		for a := range c.n {
			work += H.MulVec(c.rest[a]).Dot(f[a])
		}
		mu, lambda, _ := Lame(1, nu)
		law := hooke{mu, lambda}
		I := r3.Identity()
		e1, e2 := strain(G.Add(I), I), strain(H.Add(I), I)
		want := 0.0
		for i, s := range law.stress(e1) {
			want += c.volume * s * e2[i]
		}
		if math.Abs(work-want) > 1e-11*math.Abs(want) {
			t.Errorf("%d nodes: work %.15g, want %.15g", c.n, work, want)
		}
	})
}
