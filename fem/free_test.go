package fem

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
	"github.com/curlfree/curlfree/workers"
)

func rubber(t testing.TB, nu float64) Corotational {
	m, err := NewCorotational(1e5, nu)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lawsOf returns one law of each class.
func lawsOf(t testing.TB, youngs, nu float64) map[string]ConstitutiveLaw {
	t.Helper()
	linear, err1 := NewLinear(youngs, nu)
	corotated, err2 := NewCorotational(youngs, nu)
	hyper, err3 := NewNeoHookean(youngs, nu)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	return map[string]ConstitutiveLaw{"linear": linear, "corotational": corotated, "neo_hookean": hyper}
}

// shake displaces all vertices at random and gives them random velocities.
func (w *world) shake(seed int64, size, speed float64) {
	r := rand.New(rand.NewSource(seed))
	for i := range w.x {
		w.x[i] += size * r.NormFloat64()
		w.v[i] = speed * r.NormFloat64()
	}
	w.d.Place(w.x)
}

// z_n = z0 + n h v0 + ½ g h² n (n + 1), and no strain.
func TestFreeFallIsExact(t *testing.T) {
	g, h := r3.Vec{0.3, -0.2, -9.81}, 0.01
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Law: law, Density: 1000, StiffnessDamping: 0.01})
		w := newWorld(m)
		v0 := r3.Vec{1, 2, 3}
		for i := range m.NumVerts() {
			copy(w.v[3*i:], v0[:])
		}
		const n = 50
		for range n {
			w.step(h, g)
		}
		want := v0.Scale(n*h).AddScaled(0.5*h*h*n*(n+1), g)
		for i, p := range w.d.Positions() {
			if e := p.Sub(m.Mesh().Verts[i]).Sub(want).Norm(); e > 2e-11 {
				t.Fatalf("%s: vertex %d is off by %g m", name, i, e)
			}
		}
	}
}

// v_n = v0/(1 + hα)ⁿ: mass damping alone.
func TestMassDampingSlowsRigidMotion(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 1, 2), Law: law, Density: 1000, MassDamping: 3})
		w := newWorld(m)
		for i := range m.NumVerts() {
			w.v[3*i] = 2
		}
		for range 10 {
			w.step(0.01, r3.Vec{})
		}
		for i, want := range []float64{2 * math.Pow(1.03, -10), 0, 0} {
			if math.Abs(w.v[i]-want) > 1e-11 {
				t.Errorf("%s: velocity %d is %g, want %g", name, i, w.v[i], want)
			}
		}
	}
}

// A body that rests in any orientation feels no force; a linear law would.
func TestRotationGivesNoForce(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Law: law, Density: 1000})
		w := newWorld(m)
		for _, axis := range []r3.Vec{{math.Pi / 2}, {0, math.Pi / 2}, {0, 0, math.Pi / 2}, {1, 2, -3}, {0, math.Pi, 0}} {
			R := r3.RotExp(axis)
			for i, X := range m.Mesh().Verts {
				x := R.MulVec(X).Add(r3.Vec{1, 2, 3})
				copy(w.x[3*i:], x[:])
			}
			w.freeMotion(0.01, r3.Vec{})
			most := 0.0
			for _, p := range w.p.P {
				most = math.Max(most, math.Abs(p))
			}
			if none := most < 0.01*1e5*0.01*1e-12; none == (name == "linear") { // relative to h E L²
				t.Fatalf("%s: rotation %v: momentum %g N s", name, axis, most)
			}
		}
	}
}

// x = G X makes the same stress P(G) everywhere, and no force inside.
func TestAffineMotionPassesThePatchTest(t *testing.T) {
	G := r3.RotExp(r3.Vec{0.4, 0.3, -0.8}).Mul(r3.Mat{1.1, 0.2, 0, -0.1, 0.9, 0.05, 0.1, 0, 1.05})
	for name, law := range lawsOf(t, 1e5, 0.3) {
		m := mustModel(t, Spec{Mesh: irregular(4), Law: law, Density: 1000})
		w := newWorld(m)
		for i, X := range m.Mesh().Verts {
			x := G.MulVec(X)
			copy(w.x[3*i:], x[:])
		}
		w.d.Place(w.x)
		P := law.Stress(G, r3.Polar(G))
		want := P
		if name != "linear" {
			want = P.Mul(G.T()).Scale(1 / G.Det())
		}
		for e := range m.NumTets() {
			if d := w.d.Stress(e).Sub(want); d.Norm2() > 1e-20*want.Norm2() {
				t.Fatalf("%s: stress of tet %d is off by %v", name, e, d)
			}
		}
		if name == "neo_hookean" {
			continue // its free motion is not the force; see TestForcesAreTheEnergysGradient
		}
		w.freeMotion(1, r3.Vec{})
		for i, X := range m.Mesh().Verts {
			inner := X.Min(r3.Vec{1, 1, 1}.Sub(X))
			f := r3.Vec(w.p.P[3*i : 3*i+3])
			if min(inner[0], inner[1], inner[2]) > 1e-9 && f.Norm() > 1e-10*1e5 {
				t.Fatalf("%s: force %v inside", name, f)
			}
		}
	}
}

// difference returns ∂(elastic energy)/∂x_i.
func difference(w *world, i int, eps float64) float64 {
	x := w.x[i]
	w.x[i] = x + eps
	w.d.Place(w.x)
	e1 := w.d.ElasticEnergy()
	w.x[i] = x - eps
	w.d.Place(w.x)
	e0 := w.d.ElasticEnergy()
	w.x[i] = x
	w.d.Place(w.x)
	return (e1 - e0) / (2 * eps)
}

// P = h f for a body at rest in any shape, f = −∂E/∂x.
func TestForcesAreTheEnergysGradient(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		if name == "neo_hookean" {
			continue // tested by TestNewtonFindsTheBalance
		}
		for seed, size := range []float64{0.003, 0.01, 0.05} { // the last turns tets inside out
			m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Law: law, Density: 1000})
			w := newWorld(m)
			w.shake(int64(seed), size, 0)
			if seed == 2 && w.d.Inverted() == 0 {
				t.Fatal("nothing is inside out")
			}
			w.freeMotion(1, r3.Vec{})
			for i, p := range w.p.P {
				if f := -difference(w, i, 1e-7); math.Abs(p-f) > 1e-4+1e-6*math.Abs(f) {
					t.Fatalf("%s: force %g, difference %g N at %d", name, p, f, i)
				}
			}
		}
	}
}

// P(v0) is affine: P(v0 + δ) − P(v0) = −(A − M) δ, for tets and for hexahedra and wedges, with
// damping of both kinds. Anchored, so that the frame of the step does not depend on v0.
func TestMomentumFollowsVelocityByAMinusM(t *testing.T) {
	for name, law := range quadraticLaws(t, 1e4, 0.3) {
		spec := Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Law: law, Density: 1000,
			Fixed: []int32{2}, MassDamping: 2, StiffnessDamping: 0.02}
		checkAMinusM(t, name+", tets", spec, 0.003, 1e-12, 0)
		spec.Mesh, spec.Elements = mixedMesh(t, 2, 0.1), Hex12 // a tonne and not 2 kg
		checkAMinusM(t, name+", hexahedra", spec, 0.03, 1e-10, 1e-11)
		spec.Mesh, spec.Elements = strayedBox(t, 2, 0.1).Quadratic(), Tet10
		checkAMinusM(t, name+", ten-node tets", spec, 0.03, 1e-10, 1e-11)
	}
}

// checkAMinusM compares the change of P with −(A − M) δ for a body whose vertices strayed by size
// (m), to an absolute (N s) and a relative tolerance.
func checkAMinusM(t *testing.T, name string, spec Spec, size, abs, rel float64) {
	t.Helper()
	m := mustModel(t, spec)
	w := newWorld(m)
	w.shake(1, size, 1)
	w.freeMotion(0.01, r3.Vec{})
	before := slices.Clone(w.p.P)
	delta := make([]float64, m.Dofs())
	for j, v := range m.vertex {
		for k := range 3 {
			delta[3*j+k] = math.Sin(float64(9*j + k))
			w.v[3*int(v)+k] += delta[3*j+k]
		}
	}
	w.freeMotion(0.01, r3.Vec{})
	want := multiply(&w.p.Cliques[0], delta)
	for i, p := range massTimes(m, m.spread(delta)) {
		if n := m.node[i/3]; n >= 0 {
			want[3*int(n)+i%3] -= p
		}
	}
	for i := range want {
		if d := w.p.P[i] - before[i]; math.Abs(d+want[i]) > abs+rel*math.Abs(want[i]) {
			t.Fatalf("%s: %g, want %g N s", name, d, -want[i])
		}
	}
}

// spread gives the velocities of nodes to their vertices.
func (m *Model) spread(nodes []float64) []float64 {
	v := make([]float64, 3*m.NumVerts())
	for j, i := range m.vertex {
		copy(v[3*i:3*i+3], nodes[3*j:3*j+3])
	}
	return v
}

// massTimes returns M v with the consistent mass.
func massTimes(m *Model, v []float64) []float64 {
	y := make([]float64, len(v))
	if _, tets := m.set.(tet4Set); !tets { // which the tets fill
		for i := range m.set.len() {
			for a, va := range m.set.nodesOf(i) {
				for b, vb := range m.set.nodesOf(i) {
					for k := range 3 {
						y[3*int(va)+k] += m.set.massOf(i, a, b) * v[3*int(vb)+k]
					}
				}
			}
		}
		return y
	}
	for _, e := range m.elements {
		for _, a := range e.verts {
			for _, b := range e.verts {
				c := m.spec.Density * e.volume / 20
				if a == b {
					c *= 2
				}
				for k := range 3 {
					y[3*int(a)+k] += c * v[3*int(b)+k]
				}
			}
		}
	}
	return y
}

// The end of a step without constraints is in balance: M (v − v0) = h f(x + h v).
func TestLinearFreeMotionEndsInBalance(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Law: LinearElastic{hooke{1e4, 3e4}}, Density: 1000})
	w := newWorld(m)
	w.shake(1, 0.003, 1)
	const h = 0.01
	v0 := append([]float64(nil), w.v...)
	w.step(h, r3.Vec{})
	for i := range v0 {
		v0[i] = w.v[i] - v0[i]
	}
	for i, p := range massTimes(m, v0) {
		if f := -difference(w, i, 1e-6); math.Abs(p-h*f) > 1e-7 {
			t.Fatalf("M dv = %g, h f = %g N s at %d", p, h*f, i)
		}
	}
}

func TestMomentumIsConserved(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Law: law, Density: 1000, StiffnessDamping: 0.001})
		w := newWorld(m)
		w.shake(1, 0.002, 1)
		before := w.d.Momentum(w.v)
		for range 20 {
			w.step(0.005, r3.Vec{})
		}
		if e := w.d.Momentum(w.v).Sub(before).Norm(); e > 1e-11 {
			t.Errorf("%s: momentum %v drifts by %g N s", name, before, e)
		}
	}
}

// Fixed vertices have no node, stay, and count as at rest whatever the state says.
func TestFixedVerticesStay(t *testing.T) {
	mesh := boxMesh(r3.Vec{0.1, 0.1, 0.1}, 2, 2, 2)
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Fixed: where(mesh, func(p r3.Vec) bool { return p[0] == 0 })})
		w, twin := newWorld(m), newWorld(m)
		for _, v := range m.spec.Fixed {
			w.v[3*v] = 7
		}
		for range 5 {
			w.step(0.01, r3.Vec{0, 0, -10})
			twin.step(0.01, r3.Vec{0, 0, -10})
		}
		for i := range w.x {
			if w.x[i] != twin.x[i] || w.v[i] != twin.v[i] {
				t.Fatalf("%s: the velocity of a fixed vertex matters", name)
			}
		}
		for _, v := range m.spec.Fixed {
			if r3.Vec(w.x[3*v:3*v+3]) != mesh.Verts[v] || r3.Vec(w.v[3*v:3*v+3]) != (r3.Vec{}) {
				t.Fatalf("%s: fixed vertex %d moves", name, v)
			}
		}
		if w.x[3*26+2] >= 0.1 {
			t.Errorf("%s: the free end does not sink", name)
		}
	}
}

func TestEverythingFixedIsAnEmptyClique(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: unitTet(), Law: law, Density: 1, Fixed: []int32{0, 1, 2, 3}})
		w := newWorld(m)
		w.freeMotion(0.01, r3.Vec{0, 0, -10})
		if m.Dofs() != 0 || w.p.Size() != 0 {
			t.Errorf("%s: %d velocities", name, w.p.Size())
		}
		w.d.Advance(0.01, nil, w.x, w.v, timestep.Memory{})
	}
}

type row struct{ n int }

func (r row) Dim() int                          { return r.n }
func (row) Prepare(h float64, w []float64)      {}
func (row) Eval(vc, gamma, G []float64) float64 { return 0 }

// J v is s·dir·Σ w_i v_i, with fixed vertices at rest.
func TestPointRowIsTheVelocityOfTheMaterialPoint(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{1, 1, 1}, 1, 1, 1), Law: rubber(t, 0.3), Density: 1, Fixed: []int32{5}})
	w := newWorld(m)
	w.shake(1, 0, 1)
	var p cliques.Problem
	p.Reset(0, 0.1)
	p.AddDense(2) // nodes of another body come first
	w.d.FreeMotion(0.1, r3.Vec{}, w.x, w.v, nil, &p)
	h := p.AddConstraint(row{2})
	vert, weight, dir := []int32{1, 5, 7}, []float64{0.2, 0.5, 0.3}, r3.Vec{1, -2, 3}
	w.d.PointRow(&p, 1, vert, weight, dir, -2)
	w.d.PointRow(&p, 1, vert[:1], []float64{1}, dir, 1)
	at := func(v int32) r3.Vec { return r3.Vec(w.v[3*v : 3*v+3]) }
	want := dir.Dot(at(1).Scale(0.2*-2+1)) + dir.Dot(at(7).Scale(0.3*-2))
	if got := p.StartVelocity(h, 1); math.Abs(got-want) > 1e-14 {
		t.Errorf("J v0 = %g, want %g", got, want)
	}
	if got := p.StartVelocity(h, 0); got != 0 {
		t.Errorf("the other row has %g", got)
	}
	if n := len(p.Blocks(h)); n != 2 {
		t.Errorf("%d blocks, want those of the two free vertices", n)
	}
}

func TestResultsAreTheSameBitsForAnyWorkers(t *testing.T) {
	mesh := boxMesh(r3.Vec{0.2, 0.1, 0.1}, 8, 4, 4)
	for name, law := range lawsOf(t, 1e5, 0.45) {
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, StiffnessDamping: 0.01, MassDamping: 0.1})
		var want string
		for _, n := range []int{1, 2, 4} {
			w := newWorld(m)
			w.pool = workers.NewPool(n)
			w.shake(1, 0.003, 1)
			w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
			got := fmt.Sprintf("%x %x %x", w.p.Cliques[0].A, w.p.P, w.p.V0)
			w.pool.Close()
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: %d workers change bits", name, n)
			}
		}
	}
}

// Scratch left by other states must not matter: a step is a function of the state.
func TestAStepForgetsTheLast(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.45) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.2, 0.1, 0.1}, 4, 2, 2), Law: law, Density: 1000, StiffnessDamping: 0.01})
		w := newWorld(m)
		w.shake(1, 0.003, 1)
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		want := fmt.Sprintf("%x %x", w.p.Cliques[0].A, w.p.P)
		x, v := append([]float64(nil), w.x...), append([]float64(nil), w.v...)
		w.shake(2, 0.03, 5)
		w.freeMotion(0.02, r3.Vec{})
		w.x, w.v = x, v
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		if got := fmt.Sprintf("%x %x", w.p.Cliques[0].A, w.p.P); got != want {
			t.Errorf("%s: the same state gives other bits", name)
		}
	}
}

func TestAStepAllocatesNothing(t *testing.T) {
	mesh := boxMesh(r3.Vec{0.2, 0.1, 0.1}, 4, 2, 2)
	for name, law := range lawsOf(t, 1e5, 0.45) {
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, StiffnessDamping: 0.01, Fixed: []int32{0}})
		w := newWorld(m)
		w.pool = workers.NewPool(2)
		defer w.pool.Close()
		w.shake(1, 0.001, 0.1)
		var dst []float64
		next := make([]float64, m.Dofs())
		law := row{1}
		var asLaw cliques.Law = law
		step := func() {
			w.d.Place(w.x)
			w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
			w.p.AddConstraint(asLaw)
			w.d.PointRow(&w.p, 0, m.boundary[0][:], []float64{0.2, 0.3, 0.5}, r3.Vec{0, 0, 1}, 1)
			w.d.Advance(0.01, next, w.x, w.v, timestep.Memory{})
			dst = w.d.VonMises(dst)
			_ = w.d.ElasticEnergy() + w.d.KineticEnergy(w.v) + w.d.MaxVonMises()
			_, _ = w.d.Stretch()
			_ = w.d.AngularMomentum(r3.Vec{}, w.v)
		}
		step()
		if n := alloctest.PerRun(10, step); n != 0 {
			t.Errorf("%s: %v allocations per step", name, n)
		}
	}
}
