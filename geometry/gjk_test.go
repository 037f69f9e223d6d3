package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// newCores places B relative to A. Positions are subtracted before they are
// turned, so that gaps do not feel how far from the origin the pair is.
func newCores(A, B SupportMap, X_WA, X_WB r3.Pose) cores {
	return cores{A: A, B: B, X_AB: relative(X_WA, X_WB)}
}

// relative returns X_AB of two world poses, exact far from the origin.
func relative(X_WA, X_WB r3.Pose) (X_AB r3.Pose) {
	X_AB.SetInvMul(&X_WA, &X_WB)
	return X_AB
}

// bestSeparation is the twin of GJK and EPA: the greatest s(n) over directions,
// by samples and a shrinking random search around the best of them.
func bestSeparation(k *cores, r *rand.Rand) float64 {
	n := gauss(r).Unit()
	best := k.separation(n)
	for range 300 {
		m := gauss(r).Unit()
		if s := k.separation(m); s > best {
			best, n = s, m
		}
	}
	for step := 0.5; step > 1e-9; step *= 0.93 {
		for range 6 {
			m := n.AddScaled(step, gauss(r)).Unit()
			if s := k.separation(m); s > best {
				best, n = s, m
			}
		}
	}
	return best
}

func TestClosestIsTheGreatestSeparation(t *testing.T) {
	r := newRand(t, 1)
	shapes := solids(r)
	for _, na := range solidNames {
		for _, nb := range solidNames {
			A, B := shapes[na], shapes[nb]
			for range 10 {
				k := newCores(A, B, randomPose(r, 0.05), randomPose(r, 0.2))
				c, _ := k.closest(math.Inf(1))
				size := 0.3
				if !near(c.n.Norm(), 1, 1e-14) || c.b.Sub(c.a).AddScaled(-c.s, c.n).Norm() > 1e-15 {
					t.Fatalf("%s %s: n %v s %g", na, nb, c.n, c.s)
				}
				// Reached by its own normal, beaten by no other. For separated cores
				// the points below prove it; the search is for overlap.
				if s := k.separation(c.n); !near(s, c.s, 2e-9*size) {
					t.Fatalf("%s %s: s %.15g, along its normal %.15g", na, nb, c.s, s)
				}
				if s := bestSeparation(&k, r); s > c.s+1e-10*size {
					t.Fatalf("%s %s: s %.15g, some direction has %.15g", na, nb, c.s, s)
				}
				// The points belong to the cores; of overlapping curved ones to the
				// root of the tolerance of the depth.
				a, _ := A.SignedDistance(c.a)
				b, _ := B.SignedDistance(k.X_AB.InvPoint(c.b))
				tol := 1e-10
				if c.s < 0 {
					tol = math.Sqrt(epaTol) * size
				}
				if a > tol-A.Rounding() || b > tol-B.Rounding() {
					t.Fatalf("%s %s: closest points lie %g, %g off the cores", na, nb, a, b)
				}
			}
		}
	}
}

// Sampled points of both surfaces are never nearer than the distance.
func TestSeparatedDistanceBoundsAllSampledPairs(t *testing.T) {
	r := newRand(t, 2)
	shapes := solids(r)
	for _, na := range solidNames {
		for _, nb := range solidNames {
			A, B := shapes[na], shapes[nb]
			X_WA, X_WB := randomPose(r, 0.01), randomPose(r, 0)
			X_WB.P = gauss(r).Unit().Scale(0.3)
			k := newCores(A, B, X_WA, X_WB)
			c, _ := k.closest(math.Inf(1))
			phi := c.s - A.Rounding() - B.Rounding()
			nearest := math.Inf(1)
			for range 4000 {
				// Points of B's surface near its witness, measured to A exactly.
				p := k.X_AB.InvPoint(c.b).AddScaled(0.05*r.Float64(), gauss(r))
				d, g := B.SignedDistance(p)
				q := k.X_AB.Point(p.AddScaled(-d, g))
				a, _ := A.SignedDistance(q)
				nearest = min(nearest, a)
			}
			if nearest < phi-1e-9 || nearest > phi+4e-3 {
				t.Errorf("%s %s: distance %g, nearest sample %g", na, nb, phi, nearest)
			}
		}
	}
}

func TestClosestReportsWhenShapesAreOutOfReach(t *testing.T) {
	b := must(NewBox(r3.Vec{0.1, 0.1, 0.1}))
	k := newCores(b, b, at(r3.Vec{}), at(r3.Vec{0.5, 0.2, 0.1}))
	if _, ok := k.closest(0.39); ok {
		t.Error("distance √0.17 is not within 0.39")
	}
	if c, ok := k.closest(0.42); !ok || !near(c.s, math.Sqrt(0.4*0.4+0.1*0.1), 1e-16) {
		t.Errorf("distance %v %v", c.s, ok)
	}
}

// Cores without volume that meet: any normal of their difference will do, and
// nothing is lost on the way.
func TestDegenerateCoresMeet(t *testing.T) {
	ball, rod := must(NewSphere(0.1)), must(NewCapsule(0.05, 0.4))
	turn := r3.RotExp(r3.Vec{1, 0, 0})
	for name, c := range map[string]struct {
		A, B SupportMap
		X    r3.Pose
	}{
		"point in point":     {ball, ball, at(r3.Vec{})},
		"point on segment":   {rod, ball, at(r3.Vec{0, 0, 0.05})},
		"point on end":       {rod, ball, at(r3.Vec{0, 0, 0.2})},
		"crossing segments":  {rod, rod, r3.Pose{R: turn}},
		"crossing off":       {rod, rod, r3.Pose{R: turn, P: r3.Vec{0, 0, 0.03}}},
		"segment in segment": {rod, rod, at(r3.Vec{0, 0, 0.1})},
		"ends meet":          {rod, rod, at(r3.Vec{0, 0, 0.4})},
	} {
		k := newCores(c.A, c.B, at(r3.Vec{}), c.X)
		got, ok := k.closest(math.Inf(1))
		if !ok || !near(got.s, 0, 1e-15) || !near(got.n.Norm(), 1, 1e-14) {
			t.Errorf("%s: %v %v", name, got, ok)
		}
		if s := k.separation(got.n); !near(s, 0, 1e-15) {
			t.Errorf("%s: separation %g along the normal", name, s)
		}
	}
}

// A gap far below the size keeps its normal and its value.
func TestTinyGapsKeepTheirNormal(t *testing.T) {
	r := newRand(t, 3)
	hull := randomHull(r, 40, 0.1)
	box := must(NewBox(r3.Vec{0.5, 0.5, 0.1}))
	for range 50 {
		X_WH := r3.Pose{R: randomPose(r, 0).R}
		low := X_WH.Point(hull.Support(X_WH.R.TMulVec(r3.Vec{0, 0, -1})))[2]
		for gap := 1e-2; gap > 1e-15; gap /= 10 {
			for _, s := range []float64{gap, -gap} {
				X_WH.P = r3.Vec{0, 0, 0.05 - low + s}
				k := newCores(box, hull, at(r3.Vec{}), X_WH)
				c, _ := k.closest(1)
				if !near(c.s, s, 2e-16) || c.n.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-13 {
					t.Fatalf("gap %g: s %g off by %g, normal off by %g", s, c.s, c.s-s, c.n.Sub(r3.Vec{0, 0, 1}).Norm())
				}
			}
		}
	}
}
