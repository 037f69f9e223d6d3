package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// BenchmarkTouchingPairs measures contact of pairs of convex shapes that overlap by 1 % of
// their size.
func BenchmarkTouchingPairs(b *testing.B) {
	e := &Ellipsoid{r3.Vec{0.05, 0.03, 0.02}}
	cyl, _ := NewCylinder(0.03, 0.06)
	box, _ := NewBox(r3.Vec{0.05, 0.06, 0.04})
	capsule, _ := NewCapsule(0.02, 0.05)
	slab, _ := NewBox(r3.Vec{1, 1, 0.05})
	for _, c := range []struct {
		name string
		a, b Shape
	}{{"ellipsoid-ellipsoid", e, &Ellipsoid{r3.Vec{0.03, 0.04, 0.025}}}, {"ellipsoid-cylinder", e, cyl}, {"ellipsoid-box", e, box}, {"ellipsoid-slab", e, slab}, {"ellipsoid-capsule", e, capsule}, {"cylinder-cylinder", cyl, cyl}, {"cylinder-box", cyl, box}, {"capsule-cylinder", capsule, cyl}, {"capsule-box", capsule, box}, {"box-box", box, box}} {
		r := rand.New(rand.NewPCG(1, 2))
		var pairs [64][2]r3.Pose
		for i := range pairs {
			pairs[i] = touching(r, c.a, c.b, 0.0005)
		}
		b.Run(c.name, func(b *testing.B) {
			ga, gb := &Geom{Shape: c.a}, &Geom{Shape: c.b}
			var dst []Contact
			for i := range b.N {
				p := &pairs[i%64]
				dst = pairContacts(ga, gb, p[0], p[1], 1e-4, dst[:0])
			}
		})
	}
}

// touching returns random poses of two shapes that overlap by the depth.
func touching(r *rand.Rand, a, b Shape, depth float64) [2]r3.Pose {
	dir := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	X := [2]r3.Pose{{R: r3.RotExp(dir())}, {R: r3.RotExp(dir()), P: dir().Unit()}}
	// move b towards a until they overlap
	A, B := a.(SupportMap), b.(SupportMap)
	for range 100 {
		k := cores{A: A, B: B}
		k.X_AB.SetInvMul(&X[0], &X[1])
		c, _ := k.closest(10)
		gap := c.s - A.Rounding() - B.Rounding() + depth
		n := X[0].R.MulVec(c.n)
		if gap < 1e-9 && gap > -1e-9 {
			break
		}
		X[1].P = X[1].P.AddScaled(-gap, n)
	}
	return X
}
