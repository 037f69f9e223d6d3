package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func ellipsoids() []*Ellipsoid {
	return []*Ellipsoid{
		must(NewEllipsoid(r3.Vec{0.06, 0.1, 0.05})), must(NewEllipsoid(r3.Vec{0.1, 0.1, 0.02})),
		must(NewEllipsoid(r3.Vec{0.02, 0.02, 0.1})), must(NewEllipsoid(r3.Vec{0.07, 0.07, 0.07})),
	}
}

// The distance's gradient is its derivative, walking along it ends on the surface, and
// no point of the surface is nearer: the distance is exact.
func TestDistanceToAnEllipsoidIsExact(t *testing.T) {
	r := newRand(t, 71)
	for _, e := range ellipsoids() {
		var cloud []r3.Vec
		for range 3000 {
			cloud = append(cloud, e.Support(gauss(r)))
		}
		folds := 0
		for range 1000 {
			p := gauss(r).Scale(0.1)
			phi, n := e.SignedDistance(p)
			left, _ := e.SignedDistance(p.AddScaled(-phi, n))
			if !near(left, 0, 1e-15) || !near(n.Norm(), 1, 1e-14) {
				t.Fatalf("%v at %v: %g left, |gradient| %g", e.Semi, p, left, n.Norm())
			}
			for _, q := range cloud {
				if p.Sub(q).Norm() < math.Abs(phi)-1e-15 {
					t.Fatalf("%v at %v: distance %g, but %v is nearer", e.Semi, p, phi, q)
				}
			}
			if folded(e, p, n) {
				folds++
			}
		}
		if folds > 4 {
			t.Errorf("%v: the gradient differs at %d of 1000 points", e.Semi, folds)
		}
	}
}

// On axes and planes of symmetry nearest points come in pairs.
func TestDistanceInsideAnEllipsoidOnItsAxes(t *testing.T) {
	e := must(NewEllipsoid(r3.Vec{0.3, 0.2, 0.1}))
	for _, c := range []struct {
		p    r3.Vec
		want float64
	}{
		{r3.Vec{}, -0.1}, {r3.Vec{0, 0, 0.02}, -0.08}, {r3.Vec{0, 0, -0.2}, 0.1}, {r3.Vec{0.5, 0, 0}, 0.2}, {r3.Vec{0, -0.2, 0}, 0},
		// within the evolute: x = a² p/(a² − c²), z = c √(1 − (x/a)²)
		{r3.Vec{0.1, 0, 0}, -math.Hypot(0.1125-0.1, 0.1*math.Sqrt(1-0.1125*0.1125/0.09))},
	} {
		if phi, n := e.SignedDistance(c.p); !near(phi, c.want, 1e-15) || !near(n.Norm(), 1, 1e-15) {
			t.Errorf("at %v: %g along %v, want %g", c.p, phi, n, c.want)
		}
	}
	ball := must(NewEllipsoid(r3.Vec{0.1, 0.1, 0.1}))
	for _, p := range []r3.Vec{{}, {1e-300, 0, 0}, {0, 1e-9, 0}, {0.01, 0.02, -0.03}, {1, 1, 1}} {
		if phi, n := ball.SignedDistance(p); !near(phi, p.Norm()-0.1, 1e-15*(1+p.Norm())) || !near(n.Norm(), 1, 1e-15) {
			t.Errorf("ball at %v: %g along %v", p, phi, n)
		}
	}
}

func TestEllipsoidOfEqualAxesIsASphere(t *testing.T) {
	r := newRand(t, 72)
	e, s := must(NewEllipsoid(r3.Vec{0.07, 0.07, 0.07})), must(NewSphere(0.07))
	if a, b := e.mass(), s.mass(); !near(a.Mass, b.Mass, 1e-18) || math.Sqrt(a.Inertia.Sub(b.Inertia).Norm2()) > 1e-18 {
		t.Errorf("mass %v, want %v", a, b)
	}
	for _, name := range solidNames {
		other := solids(r)[name]
		for range 50 {
			X, Y := randomPair(r, s, other)
			got, want := contactsOf(e, other, X, Y, 1e-3), contactsOf(s, other, X, Y, 1e-3)
			if len(got) != len(want) || len(got) == 1 && (!near(got[0].Phi, want[0].Phi, 1e-9) || got[0].Normal_W.Sub(want[0].Normal_W).Norm() > 1e-5) {
				t.Errorf("%s: %v, want %v", name, brief(got), brief(want))
			}
		}
	}
}

// The gap to the ground is that of the lowest point, in closed form; a wide block is
// the same ground but for the iteration on curves.
func TestEllipsoidsTouchTheGroundAtTheirLowestPoint(t *testing.T) {
	r := newRand(t, 73)
	block := must(NewBox(r3.Vec{4, 4, 4}))
	for _, e := range ellipsoids() {
		for range 200 {
			X := randomPose(r, 0)
			n := X.R.TMulVec(r3.Vec{0, 0, 1})
			low := math.Sqrt(e.Semi[0]*e.Semi[0]*n[0]*n[0] + e.Semi[1]*e.Semi[1]*n[1]*n[1] + e.Semi[2]*e.Semi[2]*n[2]*n[2])
			X.P[2] = low - 2e-3 + 3e-3*r.Float64()
			g := contactsOf(HalfSpace{}, e, at(r3.Vec{}), X, 1e-3)
			b := contactsOf(block, e, at(r3.Vec{0, 0, -2}), X, 1e-3)
			if len(g) != 1 || len(b) != 1 || !near(g[0].Phi, X.P[2]-low, 1e-15) || !near(b[0].Phi, X.P[2]-low, 1e-11) ||
				b[0].Pos_W.Sub(g[0].Pos_W).Norm() > 1e-5 {
				t.Fatalf("%v: ground %v, block %v, want a gap of %g", e.Semi, brief(g), brief(b), X.P[2]-low)
			}
		}
	}
}

func TestEllipsoidsInertiaAndSurface(t *testing.T) {
	for _, e := range ellipsoids() {
		m, err := MassOfSurface(e.SurfaceMesh())
		if err != nil || !watertight(e.SurfaceMesh()) {
			t.Fatal(err)
		}
		exact := e.mass()
		if q := m.Mass / exact.Mass; q < 0.99 || q > 1 {
			t.Errorf("%v: the surface has %g of the volume", e.Semi, q)
		}
		for i := range 3 {
			if q := m.Inertia[4*i] / exact.Inertia[4*i]; q < 0.98 || q > 1 {
				t.Errorf("%v: the surface has %g of inertia %d", e.Semi, q, i)
			}
		}
		for _, p := range e.SurfaceMesh().Verts {
			if phi, _ := e.SignedDistance(p); !near(phi, 0, 1e-15) {
				t.Errorf("%v: corner %v is %g off the surface", e.Semi, p, phi)
			}
		}
	}
	for i := range 3 {
		for _, x := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			semi := r3.Vec{1, 1, 1}
			semi[i] = x
			if _, err := NewEllipsoid(semi); err == nil {
				t.Errorf("semi-axes %v: no error", semi)
			}
		}
	}
}
