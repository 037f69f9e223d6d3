package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"

	"gonum.org/v1/gonum/mat"
)

func neoHookean(t testing.TB, youngs, nu float64) NeoHookean {
	m, err := NewNeoHookean(youngs, nu)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The end of a step without constraints is in balance, M (v − v0) = h f(x + h v),
// f = −∂E/∂x: anchored, so that the frame of the step is the world.
func TestNewtonFindsTheBalance(t *testing.T) {
	for seed, speed := range []float64{0.1, 1, 4} {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Law: neoHookean(t, 1e5, 0.4), Density: 1000, Fixed: []int32{0}})
		w := newWorld(m)
		w.shake(int64(seed), 0.003, speed)
		copy(w.x, m.Mesh().Verts[0][:])
		clear(w.v[:3])
		const h = 0.01
		g := r3.Vec{0, 0, -9.81}
		dv := append([]float64(nil), w.v...)
		w.step(h, g)
		for i := range dv {
			dv[i] = w.v[i] - dv[i]
		}
		for i, p := range massTimes(m, dv) {
			if m.node[i/3] < 0 {
				continue
			}
			f := -difference(w, i, 1e-7) + m.nodalMass[i/3]*g[i%3]
			if math.Abs(p-h*f) > 1e-6*h*1e5*0.01 {
				t.Fatalf("speed %g: M dv = %g, h f = %g N s at %d", speed, p, h*f, i)
			}
		}
		if n := w.d.newton.iterations; n < 2 || n > 20 || !w.d.FreeMotionConverged() {
			t.Errorf("speed %g: %d iterations", speed, n)
		}
	}
}

// sluggish is a law whose tangent is much too stiff: Newton's method creeps.
type sluggish struct{ NeoHookean }

func (m sluggish) Tangent(F, R r3.Mat, project bool, dPdF *[81]float64) {
	m.NeoHookean.Tangent(F, R, project, dPdF)
	for i := range dPdF {
		dPdF[i] *= 1e4
	}
}

// Blocks turned inside out in steps that could take them anywhere find their minimum: no
// direction that lowers the potential is left, and the gradient is little.
func TestInvertedBodiesSettle(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.4) {
		for seed := range int64(4) {
			w := newWorld(mustModel(t, Spec{Mesh: boxMesh(r3.Vec{1, 1, 1}, 2, 2, 2), Law: law, Density: 100}))
			w.shake(seed, 1, 0)
			for _, h := range []float64{0.01, 0.1, 1} {
				w.freeMotion(h, r3.Vec{})
				if !w.d.FreeMotionConverged() {
					t.Errorf("%s, seed %d, h %g: not settled", name, seed, h)
				}
			}
		}
	}
}

// A law whose tangent is not that of its stress takes more iterations than are allowed, and
// the body says so.
func TestFreeMotionReportsWhenItDidNotConverge(t *testing.T) {
	w := newWorld(mustModel(t, Spec{Mesh: unitTet(), Law: sluggish{neoHookean(t, 1e5, 0.4)}, Density: 100}))
	w.freeMotion(0.01, r3.Vec{})
	if !w.d.FreeMotionConverged() {
		t.Error("not settled at rest")
	}
	w.shake(3, 0.3, 0)
	w.freeMotion(1, r3.Vec{})
	if w.d.FreeMotionConverged() {
		t.Error("settled")
	}
}

// Falling, spinning or at rest there is nothing to find: Newton's method stops as soon as
// round-off alone is left, instead of creeping along it.
func TestNewtonStopsAtRoundOff(t *testing.T) {
	for name, spin := range map[string]r3.Vec{"falling": {}, "spinning": {0, 0, 3}} {
		w := newWorld(mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Law: neoHookean(t, 1e5, 0.4), Density: 1000, StiffnessDamping: 0.01}))
		for i, p := range w.d.Positions() {
			u := spin.Cross(p).Add(r3.Vec{1, 2, 3})
			copy(w.v[3*i:], u[:])
		}
		most := 0
		for range 50 {
			w.step(0.01, r3.Vec{0.3, -0.2, -9.81})
			most = max(most, w.d.newton.iterations)
		}
		if most > 6 || !w.d.FreeMotionConverged() {
			t.Errorf("%s: %d iterations", name, most)
		}
	}
}

// A at the end of Newton is positive definite even where the law is not convex.
func TestNewtonsMatrixIsPositiveDefinite(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Law: neoHookean(t, 1e6, 0.45), Density: 1000})
	w := newWorld(m)
	w.shake(1, 0.05, 1)
	if w.d.Inverted() == 0 {
		t.Fatal("nothing is inside out")
	}
	w.freeMotion(0.01, r3.Vec{})
	var eig mat.EigenSym
	eig.Factorize(dense(w), false)
	if least := eig.Values(nil)[0]; !(least > 0) {
		t.Errorf("least eigenvalue of A is %g kg", least)
	}
}

// At small strains and rotations the law is Hooke's: steps agree with the
// corotated law's, with damping.
func TestNeoHookeanAgreesWithCorotationalAtSmallStrain(t *testing.T) {
	mesh := boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2)
	end := map[string][]float64{}
	for name, law := range lawsOf(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, StiffnessDamping: 0.003, MassDamping: 1,
			Fixed: where(mesh, func(p r3.Vec) bool { return p[1] == 0 })})
		w := newWorld(m)
		for i := range w.v {
			w.v[i] = 1e-4 * math.Sin(float64(i))
		}
		for range 10 {
			w.step(0.005, r3.Vec{})
		}
		end[name] = w.v
	}
	for i, v := range end["neo_hookean"] {
		if e := math.Abs(v - end["corotational"][i]); e > 3e-8 {
			t.Fatalf("velocity %d differs by %g of %g m/s", i, e, v)
		}
	}
}

// A tet pushed through itself comes back to rest without stress, and so does a
// block with one corner pulled through it.
func TestNeoHookeanRecoversFromInversion(t *testing.T) {
	for name, c := range map[string]struct {
		mesh int
		move func(w *world)
	}{
		"one tet, apex below its base":  {0, func(w *world) { w.x[11] = -0.4 }},
		"one tet, apex deep below":      {0, func(w *world) { w.x[11] = -1.5 }},
		"a block, corner through":       {2, func(w *world) { w.x[0], w.x[1], w.x[2] = 0.8, 0.7, 0.9 }},
		"a block, inverted at random":   {2, func(w *world) { w.shake(3, 0.3, 0) }},
		"a block, turned inside out z":  {1, func(w *world) { mirror(w, 2, -0.7) }},
		"a block, all but flat along z": {1, func(w *world) { mirror(w, 2, 1e-3) }},
	} {
		mesh := unitTet()
		if c.mesh > 0 {
			mesh = boxMesh(r3.Vec{1, 1, 1}, c.mesh, c.mesh, c.mesh)
		}
		m := mustModel(t, Spec{Mesh: mesh, Law: neoHookean(t, 1e5, 0.4), Density: 100, StiffnessDamping: 0.02, MassDamping: 20})
		w := newWorld(m)
		c.move(w)
		w.d.Place(w.x)
		if w.d.Inverted() == 0 && name != "a block, all but flat along z" {
			t.Fatalf("%s: nothing is inside out", name)
		}
		for range 60 {
			w.step(0.02, r3.Vec{})
		}
		if n := w.d.Inverted(); n != 0 {
			t.Errorf("%s: %d tets stay inside out", name, n)
		}
		if s := w.d.MaxVonMises(); !(s < 1) {
			t.Errorf("%s: stress of %g Pa remains", name, s)
		}
	}
}

func mirror(w *world, axis int, s float64) {
	for i := axis; i < len(w.x); i += 3 {
		w.x[i] *= s
	}
}
