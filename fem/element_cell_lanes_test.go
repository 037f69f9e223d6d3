package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Vector kernels agree with the scalar code element by element, hexahedra and wedges, wherever
// positions are: near rest, turned, stretched far, squashed flat, inside out.
func TestCellsSideBySideAreCellsAlone(t *testing.T) {
	if !haveKernels {
		t.Skip("this machine or build has no vector kernels")
	}
	r := rand.New(rand.NewPCG(20261123, 12))
	law, err := NewCorotational(2.5e6, 0.45)
	if err != nil {
		t.Fatal(err)
	}
	mesh := mixedMesh(t, 4, 0.1)
	size := mesh.Verts[len(mesh.Verts)-1].Sub(mesh.Verts[0]).Norm() / 4
	fallbacks, wedges := 0, 0
	for trial, noise := range []float64{0, 0.02, 0.1, 0.3, 1} {
		spec := Spec{Mesh: mesh, Law: law, Elements: Hex12, Density: 1000, StiffnessDamping: 0.01}
		if trial%2 == 1 {
			spec.MassDamping = 2
		}
		m := mustModel(t, spec)
		if len(m.restCells) == 0 {
			t.Fatal("no element is in a lane")
		}
		w := newWorld(m)
		Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, X := range mesh.Verts {
			x := Q.MulVec(X)
			for k := range 3 {
				w.x[3*i+k] = x[k] + size*noise*r.NormFloat64()
				w.v[3*i+k] = 0.1 * r.NormFloat64()
			}
		}
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		f := &w.d.free
		force, stiff := append([]padded(nil), f.force...), append([]r3.Mat(nil), f.stiff...)
		gradients, energy := append([]r3.Mat(nil), f.kept...), append([]float64(nil), f.energy...)
		clear(f.energy)
		for i := range m.cells {
			f.elements.cell(i)
			if f.kept[i].Det() < 1e-3 {
				fallbacks++
			}
			if m.cells[i].n == 6 {
				wedges++
			}
		}
		compareLanes := func(what string, i int, got, want []float64, scale float64) {
			for k := range want {
				if d := math.Abs(got[k] - want[k]); !(d <= 1e-11*scale) {
					t.Fatalf("noise %g: %s %d is %g, want %g", noise, what, i, got, want)
				}
			}
		}
		most, strongest := 0.0, 0.0
		for i := range stiff {
			most = max(most, math.Sqrt(f.stiff[i].Norm2()))
		}
		for i := range force {
			strongest = max(strongest, f.force[i].vec().Norm())
		}
		for i := range stiff {
			compareLanes("block", i, stiff[i][:], f.stiff[i][:], most)
		}
		for i := range force {
			compareLanes("force", i, force[i][:3], f.force[i][:3], strongest+most*size*1e-3)
		}
		for i := range gradients {
			compareLanes("gradient", i, gradients[i][:], f.kept[i][:], math.Sqrt(f.kept[i].Norm2()))
		}
		compareLanes("energies", 0, energy, f.energy, sum(f.energy)+most*size*size*1e-6)
		compareAssembledCells(t, w)
		compareModelsOfCells(t, w, r)
	}
	if fallbacks < 20 || wedges == 0 {
		t.Errorf("%d elements were flat or inside out, %d were wedges", fallbacks, wedges)
	}
}

// compareModelsOfCells checks the comparison of elements with their linear model, at velocities that
// turn and strain them, against the scalar code, in the first pass of a step and in one that begins
// at other positions.
func compareModelsOfCells(t *testing.T, w *world, r *rand.Rand) {
	t.Helper()
	m, f := w.d.model, &w.d.free
	for range 2 {
		for i := range f.solved {
			f.solved[i] = f.pos[i].Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.01))
			if f.pass > 0 {
				f.frames[i] = f.pos[i].Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.01))
			}
		}
		for i := range m.cells {
			f.errors.known[i] = elementError{bound: 1}
			if i%3 == 0 {
				f.errors.known[i] = elementError{energy: float64(i), bound: 0.1 * linearizationTol}
			}
		}
		f.errors.what = compareEnergies
		for i := 0; i+8 <= len(m.cells); i += 8 {
			var b cellLanes
			var got, want energyErrors
			f.errors.compareCellLanes(&b, i, &got)
			for lane := range 8 {
				f.errors.compareCell(i+lane, &want)
			}
			if !(math.Abs(got.gain-want.gain) <= 1e-11*want.apart) || !(math.Abs(got.apart-want.apart) <= 1e-11*want.apart) || got.elastic != want.elastic {
				t.Fatalf("pass %d, elements from %d on: %g, want %g", f.pass, i, got, want)
			}
		}
		f.pass++
	}
	f.pass = 0
}

// compareAssembledCells checks A and P against sums in Go.
func compareAssembledCells(t *testing.T, w *world) {
	t.Helper()
	w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	m, f, c := w.d.model, &w.d.free, &w.p.Cliques[0]
	stiff, mass := f.h*(f.h+m.spec.StiffnessDamping), 1+f.h*m.spec.MassDamping
	for k := range m.pattern.Row {
		b := &m.blocks[k]
		var want [9]float64
		sum := m.set.sumBlock(f.stiff, m.pairs[b.first:m.blocks[k+1].first])
		setBlock(want[:], 0, &sum, stiff, mass*b.mass)
		for i, x := range want {
			if d := math.Abs(c.A[9*k+i] - x); !(d < 1e-12*math.Abs(want[0]+want[4]+want[8])+1e-15) {
				t.Fatalf("block %d: %g, want %g", k, c.A[9*k:9*k+9], want)
			}
		}
	}
	var force [columnChunk]padded
	for lo := 0; lo < m.pattern.N; lo += columnChunk {
		clear(force[:])
		hi := min(lo+columnChunk, m.pattern.N)
		f.sumForces(&force, lo, hi)
		for j := lo; j < hi; j++ {
			F := force[j-lo].vec().Add(f.gravity.Scale(m.nodalMass[m.vertex[j]]))
			if d := r3.Vec(w.p.P[3*j : 3*j+3]).Sub(F.Scale(0.01)).Norm(); !(d < 1e-12*(F.Norm()+1)) {
				t.Fatalf("momentum of node %d is off by %g of %g", j, d, 0.01*F.Norm())
			}
		}
	}
}
