package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// ballPoints are n random points on a sphere of radius 1, all of them corners of their hull.
func ballPoints(n int) []r3.Vec {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]r3.Vec, n)
	for i := range points {
		points[i] = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
	}
	return points
}

// A hull with a budget has no more corners, they are given points, and all given points lie
// within the distance that it says; on a sphere of n even caps this is about 4 / n.
func TestHullsKeepTheirBudgetOfCorners(t *testing.T) {
	points := ballPoints(5000)
	given := map[r3.Vec]bool{}
	for _, p := range points {
		given[p] = true
	}
	for _, corners := range []int{4, 5, 64, 500} {
		c, lost, err := NewConvexWithin(points, corners)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(c.Verts()); n != corners {
			t.Errorf("budget %d: %d corners", corners, n)
		}
		for _, p := range c.Verts() {
			if !given[p] {
				t.Fatalf("budget %d: corner %v is no given point", corners, p)
			}
		}
		worst := 0.0
		for _, p := range points {
			phi, _ := c.SignedDistance(p)
			worst = max(worst, phi)
		}
		if math.Abs(worst-lost) > 1e-8 {
			t.Errorf("budget %d: says that points stick out by %g, they do by %g", corners, lost, worst)
		}
		if corners >= 64 && lost > 12/float64(corners) {
			t.Errorf("budget %d: points stick out by %g", corners, lost)
		}
	}
}

// A hull that fits its budget is that of all points.
func TestHullsWithinTheirBudgetAreComplete(t *testing.T) {
	points := ballPoints(300)
	all, err := NewConvex(points)
	if err != nil {
		t.Fatal(err)
	}
	c, lost, err := NewConvexWithin(append(points, r3.Vec{0.1, 0.2, 0.3}), 300)
	if err != nil || lost != 0 || len(c.Verts()) != 300 {
		t.Fatalf("%d corners, lost %g, %v", len(c.Verts()), lost, err)
	}
	if a, b := all.SurfaceMesh().Volume(), c.SurfaceMesh().Volume(); math.Abs(a-b) > 1e-14*a {
		t.Errorf("volume %g, want %g", b, a)
	}
}
