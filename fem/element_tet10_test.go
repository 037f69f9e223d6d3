package fem

import (
	"math"
	"math/rand"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// oneTet10 returns the set of one ten-node tet of given corners, of Young's modulus 1 and
// density 1, and its body.
func oneTet10(t testing.TB, X []r3.Vec, nu float64) (*tet10Set, *world) {
	t.Helper()
	law, err := NewCorotational(1, nu)
	if err != nil {
		t.Fatal(err)
	}
	mesh := (&meshes.Tet{Verts: X, Tets: [][4]int32{{0, 1, 2, 3}}}).Quadratic()
	m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1, Elements: Tet10})
	return m.set.(*tet10Set), newWorld(m)
}

// blockMatrix returns blocks of the lower triangle of n nodes as a matrix.
func blockMatrix(n int, K []r3.Mat) *mat.SymDense {
	out := mat.NewSymDense(3*n, nil)
	for a := range n {
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

// Eigenvalues, masses and forces of ten-node tets are those of another program: see
// testdata/README.md.
func TestTenNodeTetsAgreeWithAnotherProgram(t *testing.T) {
	golden := loadElements(t)
	for nu, want := range map[float64][]float64{0.3: golden.Tet10Unit.Low, 0.49: golden.Tet10Unit.High} {
		s, _ := oneTet10(t, unitTet().Verts, nu)
		var K [tet10Blocks]r3.Mat
		I := r3.Identity()
		s.stiffness(&K, &s.tets[0], &[tet10Points]r3.Mat{I, I, I, I})
		got := eigenvalues(t, blockMatrix(tet10Nodes, K[:]))
		for i := range 6 {
			if math.Abs(got[i]) > 1e-14 {
				t.Errorf("nu %g: eigenvalue %d is %g, want 0", nu, i, got[i])
			}
		}
		for i, w := range want {
			if math.Abs(got[6+i]/w-1) > 1e-8 {
				t.Errorf("nu %g: eigenvalue %d is %.12g, want %.12g", nu, 6+i, got[6+i], w)
			}
		}
	}
	for b := range tet10Nodes {
		if tet10Mass[0][b] != golden.Tet10Unit.Corner[b] || tet10Mass[4][b] != golden.Tet10Unit.Middle[b] {
			t.Errorf("mass with node %d: %g, %g", b, tet10Mass[0][b], tet10Mass[4][b])
		}
	}
	// strayed and turned
	g := golden.Tet10Turned
	s, w := oneTet10(t, g.Corners, 0.49)
	for i, x := range g.X {
		copy(w.x[3*i:], x[:])
	}
	w.d.Place(w.x)
	if e := w.d.ElasticEnergy(); math.Abs(e/g.Energy-1) > 1e-10 {
		t.Errorf("energy %.12g, want %.12g", e, g.Energy)
	}
	w.freeMotion(1e-9, r3.Vec{})
	f := &w.d.free
	for a, want := range g.Force {
		if d := f.force[a].vec().Add(want).Norm(); d > 1e-9*want.Norm() {
			t.Errorf("force on node %d is %v, want %v", a, *f.force[a].vec(), want.Neg())
		}
	}
	K := blockMatrix(tet10Nodes, f.stiff[:tet10Blocks])
	trace := 0.0
	for i := range 30 {
		trace += K.At(i, i)
	}
	if s.tets[0].upper != 0 || math.Abs(trace/g.Trace-1) > 1e-10 {
		t.Errorf("trace of the stiffness %.12g, want %.12g", trace, g.Trace)
	}
	for j, want := range g.Row {
		if math.Abs(K.At(0, j)-want) > 1e-10 {
			t.Errorf("stiffness 0, %d is %.12g, want %.12g", j, K.At(0, j), want)
		}
	}
}

// everyTet10 calls check with elements from regular to distorted, at ratios of Poisson up to
// nearly ½.
func everyTet10(t *testing.T, check func(r *rand.Rand, s *tet10Set, w *world)) {
	r := rand.New(rand.NewSource(10))
	for _, nu := range []float64{0, 0.3, 0.45, 0.4999} {
		for _, size := range []float64{0, 0.05, 0.1} {
			s, w := oneTet10(t, strayed(r, unitTet().Verts, size), nu)
			check(r, s, w)
		}
	}
}

// The consistent mass is positive definite with the sum ρV; lumped masses are positive with the
// same sum, and bound kinetic energy within the stated factor.
func TestMassOfTenNodeTets(t *testing.T) {
	everyTet10(t, func(_ *rand.Rand, s *tet10Set, _ *world) {
		M := mat.NewSymDense(tet10Nodes, nil)
		sum, lumped := 0.0, 0.0
		for a := range tet10Nodes {
			if !(s.lumped[a] > 0) {
				t.Errorf("node %d has the lumped mass %g", a, s.lumped[a])
			}
			lumped += s.lumped[a]
			for b := range tet10Nodes {
				M.SetSym(a, b, s.massOf(0, a, b)/math.Sqrt(s.lumped[a]*s.lumped[b]))
				sum += s.massOf(0, a, b)
			}
		}
		if V := s.tets[0].volume; math.Abs(sum-V) > 1e-14 || math.Abs(lumped-V) > 1e-14 || math.Abs(s.mass-V) > 1e-14 {
			t.Errorf("masses %g, %g, %g of volume %g", sum, lumped, s.mass, V)
		}
		w := eigenvalues(t, M)
		if !(w[0] > 0.1 && w[9] < s.kineticBound() && w[9] > 0.999*s.kineticBound()) {
			t.Errorf("eigenvalues of the mass %g", w)
		}
	})
}

// Forces are the gradient of the energy, without resultant or moment, for any positions.
func TestForcesOfTenNodeTetsAreTheGradientOfTheirEnergy(t *testing.T) {
	everyTet10(t, func(r *rand.Rand, s *tet10Set, w *world) {
		Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, X := range s.spec.Mesh.Verts {
			x := Q.MulVec(X).Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.05))
			copy(w.x[3*i:], x[:])
		}
		w.d.Place(w.x)
		w.freeMotion(1e-9, r3.Vec{})
		f := &w.d.free
		scale := 0.0
		for a := range tet10Nodes {
			scale = max(scale, f.force[a].vec().Norm())
		}
		var sum, moment r3.Vec
		for a, v := range s.tets[0].verts {
			sum = sum.Add(*f.force[a].vec())
			moment = moment.Add(f.pos[v].Cross(*f.force[a].vec()))
			for k := range 3 {
				const e = 1e-5
				energy := func(d float64) float64 {
					x := append([]r3.Vec(nil), f.pos...)
					x[v][k] += d
					return s.energyOf(0, x)
				}
				slope := (8*(energy(e)-energy(-e)) - (energy(2*e) - energy(-2*e))) / (12 * e)
				if got := f.force[a][k]; math.Abs(got+slope) > 1e-9*scale {
					t.Errorf("force %d, %d is %g, the energy's slope %g", a, k, got, slope)
				}
			}
		}
		if sum.Norm() > 1e-12*scale || moment.Norm() > 1e-12*scale {
			t.Errorf("resultant %g, moment %g of %g", sum.Norm(), moment.Norm(), scale)
		}
	})
}
