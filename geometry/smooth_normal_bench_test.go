package geometry

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// BenchmarkTouchingPairs measures contact of pairs of convex shapes that overlap by half a
// millimetre.
func BenchmarkTouchingPairs(b *testing.B) {
	box := must(NewBox(r3.Vec{0.05, 0.06, 0.04}))
	for _, c := range append(curvedPairs(), [2]SupportMap{box, box}) {
		r := rand.New(rand.NewPCG(1, 2))
		var pairs [64][2]r3.Pose
		for i := range pairs {
			pairs[i] = touching(r, c[0], c[1], 0.0005)
		}
		b.Run(fmt.Sprintf("%T-%T", c[0], c[1]), func(b *testing.B) {
			ga, gb := &Geom{Shape: c[0]}, &Geom{Shape: c[1]}
			var dst []Contact
			for i := range b.N {
				p := &pairs[i%64]
				dst = pairContacts(ga, gb, p[0], p[1], 1e-4, nil, dst[:0])
			}
		})
	}
}

// touching returns random poses of two shapes that overlap by the depth.
func touching(r *rand.Rand, A, B SupportMap, depth float64) [2]r3.Pose {
	dir := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	X := [2]r3.Pose{{R: r3.RotExp(dir())}, {R: r3.RotExp(dir()), P: dir().Unit()}}
	// move b towards a until they overlap
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
