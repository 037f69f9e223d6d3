package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The energies of a body and of its linear model are those of the law at each tet, with
// rotations of polar decompositions: at the solution, and where the body was linearized.
func TestLinearizationErrorsAreThoseOfTheLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(20261122, 71))
	law, err := NewCorotational(2.5e6, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.05, 0.03}, 5, 3, 3), Law: law, Density: 1000})
	for _, noise := range []float64{1e-6, 1e-3, 0.1, 1, 10} {
		w := newWorld(m)
		Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, X := range m.spec.Mesh.Verts {
			x := Q.MulVec(X)
			for k := range 3 {
				w.x[3*i+k] = x[k] + 0.005*noise*r.NormFloat64()
				w.v[3*i+k] = noise * r.NormFloat64()
			}
		}
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		f := &w.d.free
		f.moveTo(w.v)
		got := f.errors.run(nil, compareEnergies)
		var want energyErrors
		for i := range m.elements {
			e := &m.elements[i]
			F := e.gradient(f.solved)
			E := e.volume * law.Energy(F, r3.Polar(F))
			R := r3.Polar(e.gradient(f.pos))
			if f.rotation.unresolved {
				R = f.rotation.excess.Mul(R)
			}
			change := E - e.volume*law.Energy(F, R)
			want.elastic += E
			want.gain += change
			want.apart += math.Abs(change)
		}
		// an error of 1e-15 of a strain ε is one of 2 ε of that in its energy
		roundoff := 1e-11*want.elastic + 1e-15*math.Sqrt(want.elastic*(m.mu+m.lambda)*m.mass/m.spec.Density)
		for _, c := range [][2]float64{{got.elastic, want.elastic}, {got.gain, want.gain}, {got.apart, want.apart}} {
			if d := math.Abs(c[0] - c[1]); !(d <= roundoff) {
				t.Errorf("noise %g: %g J, want %g of %g", noise, c[0], c[1], want.elastic)
			}
		}
		// without rotations: no less
		if bound := f.errors.run(nil, boundErrors).apart; 2*math.Sqrt(want.elastic*bound)+bound < want.apart {
			t.Errorf("noise %g: energies differ by %g J, their bound is %g", noise, want.apart, 2*math.Sqrt(want.elastic*bound)+bound)
		}
	}
}

// The loop that ends at a sample of the tets decides as the sum over all of them does, for
// bodies of fewer chunks than a sample skips, of whole numbers of them, and of more.
func TestBoundOfASampleIsThatOfTheBody(t *testing.T) {
	r := rand.New(rand.NewPCG(20261123, 5))
	law, err := NewCorotational(2.5e6, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []int{1, 5, 13, 40} {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.2, 0.05, 0.03}, length, 4, 3), Law: law, Density: 1000})
		w := newWorld(m)
		for i := range w.v {
			w.v[i] = r.NormFloat64()
		}
		w.freeMotion(0.01, r3.Vec{})
		f := &w.d.free
		f.moveTo(w.v)
		f.boundByVertices() // keeps the motion
		total := f.errors.run(nil, boundErrors).apart
		if !(total > 0) {
			t.Fatalf("%d chunks: no bound", len(f.errors.chunks))
		}
		// round-off of sums in two orders is far below the shares
		for _, share := range []float64{1e-6, 0.5, 0.999, 1.001, 2} {
			for i := range f.errors.chunks {
				f.errors.chunks[i].apart = math.Inf(1) // what is read must have been computed
			}
			if got := f.errors.isBelow(nil, share*total); got != (share > 1) {
				t.Errorf("%d chunks, bound of %g of the sum: %v", len(f.errors.chunks), share, got)
			}
		}
	}
}

// The bound that spares elements of several nodes their comparison is above what it spares: the
// differences from the linear model, and that of the energy at the end of the step, of bars that
// spin, are bent or are shaken. With little motion it is so small that steps end there.
func TestBoundOfDifferencesIsAboveThem(t *testing.T) {
	law, err := NewCorotational(1e6, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	boxes, err := meshes.BoxTets(r3.Vec{0.06, 0.01, 0.01}, [3]int{12, 3, 3})
	if err != nil {
		t.Fatal(err)
	}
	const h = 0.01
	for _, kind := range kindsOfElements() {
		if kind == Tet4 {
			continue // of linear tets nothing is spared: they have no such bound
		}
		m := mustModel(t, Spec{Mesh: meshFor(t, kind, boxes), Law: law, Density: 1000, Elements: kind})
		for _, spin := range []float64{0, 3, 30} {
			for _, noise := range []float64{1e-3, 0.03, 0.3} {
				r := rand.New(rand.NewPCG(20261123, 6))
				w := newWorld(m)
				for i, x := range m.spec.Mesh.Verts {
					v := r3.Vec{0.1 * spin, 0, spin}.Cross(x)
					v[1] += 10 * noise * x[0] * x[0] / 0.06
					for k := range 3 {
						w.v[3*i+k] = v[k] + 0.1*noise*r.NormFloat64()
					}
				}
				w.freeMotion(h, r3.Vec{})
				v := append([]float64(nil), w.v...)
				for i := range v {
					v[i] += noise * r.NormFloat64()
				}
				f := &w.d.free
				f.moveTo(v)
				bound := f.errors.run(nil, boundDifferences)
				e, end := f.errors.run(nil, compareEnergies), f.errors.run(nil, endEnergies).elastic
				for what, difference := range map[string]float64{
					"differences": e.apart, "energy at the end": math.Abs(end - e.elastic), "energy": math.Abs(bound.elastic - e.elastic),
				} {
					if difference > bound.apart*(1+1e-9)+1e-15*e.elastic {
						t.Errorf("%s, %g rad/s, noise %g: %s %g J above the bound of %g, energy %g", kind, spin, noise, what, difference, bound.apart, e.elastic)
					}
				}
				if noise == 1e-3 && spin == 0 && bound.apart > 0.1*(e.elastic+1e-6) {
					t.Errorf("%s: bound %g J of %g", kind, bound.apart, e.elastic)
				}
			}
		}
	}
}
