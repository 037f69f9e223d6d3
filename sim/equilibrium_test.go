package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A cantilever that its tip load bends far rests where the damped run comes to rest, for all laws and
// elements.
func TestEquilibriumIsWhereTheDampedRunEnds(t *testing.T) {
	long(t)
	for i, c := range []struct {
		law      fem.ConstitutiveLaw
		elements fem.Elements
		load     r3.Vec
		h        float64 // of the damped run; long steps under strong tension do not come to rest
	}{
		{must(fem.NewCorotational(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -2}, 0.02},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Hex12, r3.Vec{0, 0, -1}, 0.02},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Hex12, r3.Vec{20, 0, -1}, 2e-3},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Tet4, r3.Vec{40, 0, -1}, 2e-3},
		{must(fem.NewLinear(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -1}, 0.02},
		{must(fem.NewNeoHookean(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -2}, 0.02},
		{must(fem.NewMooneyRivlin(1e6, 0.49, 0.2)), fem.Hex12, r3.Vec{0, 0, -1}, 0.02},
	} {
		mesh := must(meshes.BoxTets(r3.Vec{0.2, 0.02, 0.02}, [3]int{10, 1, 1}))
		w := newScaffold(t)
		w.AddDeformable("bar", DeformableSpec{
			Mesh: mesh, Law: c.law, Elements: c.elements, StiffnessDamping: 0.02, MassDamping: 20,
			Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.1, 1, 1}})}},
		})
		w.AddLoad("tip", &ForceSpec{Force: c.load, Body: "bar", Axes: "world", Where: Region{XMin: ptr(0.1)}})
		s, x := w.build()
		err := s.Equilibrium(x, 1)
		t.Logf("%d: %d pseudo-steps, residual %.2g, %d passes", i, s.Report.PseudoSteps, s.Report.RestResidual, s.Report.Solves)
		if err != nil {
			t.Error(err)
			continue
		}
		far := x.Q[len(x.Q)-1] - s.Model.Start.Q[len(x.Q)-1]
		other, y := start(t, s.Model, 1)
		run(t, other, y, c.h, 1500)
		worst := 0.0
		for k := range x.Q {
			worst = max(worst, math.Abs(x.Q[k]-y.Q[k]))
		}
		t.Logf("sank %g, apart %g", far, worst)
		if !(worst < 1e-9*0.2) {
			t.Errorf("%d: apart by %g m", i, worst)
		}
	}
}

// corotatedEnergy is the energy of linear tetrahedra under the corotated law, by another way than
// the program's: singular values of F from gonum, Ψ = μ Σ(σ − 1)² + ½ λ (Σ σ − 3)².
func corotatedEnergy(mesh *meshes.Tet, E, nu float64, x []float64) float64 {
	mu, lambda := E/(2*(1+nu)), E*nu/((1+nu)*(1-2*nu))
	energy := 0.0
	for _, t := range mesh.Tets {
		D, d := mat.NewDense(3, 3, nil), mat.NewDense(3, 3, nil)
		for a := range 3 {
			for k := range 3 {
				D.Set(k, a, mesh.Verts[t[a+1]][k]-mesh.Verts[t[0]][k])
				d.Set(k, a, x[3*t[a+1]+int32(k)]-x[3*t[0]+int32(k)])
			}
		}
		var inverse, F mat.Dense
		if err := inverse.Inverse(D); err != nil {
			panic(err)
		}
		F.Mul(d, &inverse)
		var svd mat.SVD
		svd.Factorize(&F, mat.SVDNone)
		sum, square := -3.0, 0.0
		for _, s := range svd.Values(nil) {
			sum += s
			square += (s - 1) * (s - 1)
		}
		energy += mat.Det(D) / 6 * (mu*square + 0.5*lambda*sum*sum)
	}
	return energy
}

// denseRest minimizes that energy less the work of nodal forces by Newton's method, with gradients
// and Hessians by central differences over the tets of each vertex.
func denseRest(t *testing.T, mesh *meshes.Tet, E, nu float64, fixed map[int32]bool, force []r3.Vec, x []float64) {
	t.Helper()
	var free []int
	for v := range mesh.Verts {
		if !fixed[int32(v)] {
			free = append(free, 3*v, 3*v+1, 3*v+2)
		}
	}
	around := make([]*meshes.Tet, len(mesh.Verts)) // the tets of each vertex
	for v := range around {
		around[v] = &meshes.Tet{Verts: mesh.Verts}
		for _, tet := range mesh.Tets {
			if slices.Contains(tet[:], int32(v)) {
				around[v].Tets = append(around[v].Tets, tet)
			}
		}
	}
	const d = 2e-6
	gradient := func(i int) float64 {
		at := func(s float64) float64 {
			x[i] += s
			e := corotatedEnergy(around[i/3], E, nu, x)
			x[i] -= s
			return e
		}
		return (8*(at(d)-at(-d))-(at(2*d)-at(-2*d)))/(12*d) - force[i/3][i%3]
	}
	for range 40 {
		n := len(free)
		H, g, step := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for a, i := range free {
			g.SetVec(a, -gradient(i))
			for b, j := range free {
				near := false
				for _, tet := range around[i/3].Tets {
					near = near || slices.Contains(tet[:], int32(j/3))
				}
				if near {
					x[j] += d
					up := gradient(i)
					x[j] -= 2 * d
					H.Set(a, b, (up-gradient(i))/(2*d))
					x[j] += d
				}
			}
		}
		if err := step.SolveVec(H, g); err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for a := range free {
			most = max(most, math.Abs(step.AtVec(a)))
		}
		for a, i := range free { // no farther than a tenth of the length at once
			x[i] += min(1, 0.01/most) * step.AtVec(a)
		}
		if most < 1e-9 {
			return
		}
	}
	t.Fatal("Newton's method on the dense problem does not converge")
}

// Equilibria of random bars under random dead loads are those of an independent finite element
// program of linear tetrahedra: dense, without tangents, by energies.
func TestEquilibriumIsThatOfIndependentFiniteElements(t *testing.T) {
	long(t)
	for trial := range 4 {
		r := rand.New(rand.NewPCG(uint64(trial), 21))
		mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.02, 0.02}, [3]int{3 + trial%2, 1, 1}))
		const E, nu = 1e6, 0.3
		w := newScaffold(t)
		w.Gravity = r3.Vec{0, 0, -9.81 * r.Float64()}
		held := VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.05, 1, 1}})
		w.AddDeformable("bar", DeformableSpec{Mesh: mesh, Elements: fem.Tet4, Law: must(fem.NewCorotational(E, nu)), Attach: []AttachSpec{{Verts: held}}})
		w.AddLoad("tip", &ForceSpec{Force: r3.Vec{3 * r.NormFloat64(), r.NormFloat64(), 2 * r.NormFloat64()}, Body: "bar", Axes: "world", Where: Region{XMin: ptr(0.05)}})
		w.AddLoad("top", &TractionSpec{Traction: r3.Vec{100 * r.NormFloat64(), 0, -300 * r.Float64()}, Body: "bar", Where: Region{ZMin: ptr(0.01)}})
		s, x := w.build()
		if err := s.Equilibrium(x, 1); err != nil {
			t.Fatal(err)
		}
		d := s.deformables[0]
		force, fixed := make([]r3.Vec, len(mesh.Verts)), map[int32]bool{}
		for v := range force {
			force[v] = d.force[v].AddScaled(d.model.NodalMass(int32(v)), s.Model.Gravity)
		}
		for _, v := range held {
			fixed[v] = true
		}
		want := slices.Clone(s.Model.Start.Q)
		denseRest(t, mesh, E, nu, fixed, force, want)
		worst, far := 0.0, 0.0
		for i := range want {
			worst, far = max(worst, math.Abs(x.Q[i]-want[i])), max(far, math.Abs(want[i]-s.Model.Start.Q[i]))
		}
		t.Logf("trial %d: moved by %.3g m, apart by %.2g", trial, far, worst)
		if !(worst < 1e-6*far) || far < 1e-3 {
			t.Errorf("trial %d: apart by %g m of %g", trial, worst, far)
		}
	}
}
