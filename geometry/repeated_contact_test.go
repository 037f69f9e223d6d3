package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A ball on a corner of a mesh is found as a ball at the mesh, and as a corner in the ball: one contact all the same.
// Where round-off decided that, the stiffness of a ball on a fingertip was that of one contact or of two, by turns, and
// it trembled. Contacts at one place with one normal are one contact, for balls and the ends of capsules on corners,
// edges and faces of coarse and of fine meshes.
func TestNoContactIsRepeated(t *testing.T) {
	h := r3.Vec{0.1, 0.07, 0.05}
	const radius = 0.03
	r := rand.New(rand.NewPCG(1, 41))
	vec := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	for _, n := range []int{1, 3, 7} {
		mesh := mustMesh(t, gridBox(h, n))
		for i := range 3000 {
			// a feature of the box: a corner, an edge or a face, and a direction of its normals
			var at, normal r3.Vec
			outward := 1 + r.IntN(7)
			for k := range at {
				side := float64(1 - 2*r.IntN(2))
				if outward>>k&1 != 0 {
					at[k], normal[k] = side*h[k], side*(0.05+r.Float64())
				} else {
					// a vertex of the grid, or between them
					at[k] = h[k] * (2*float64(r.IntN(n+1))/float64(n) - 1)
					if r.IntN(2) == 0 {
						at[k] = h[k] * (2*r.Float64() - 1)
					}
				}
			}
			normal = normal.Unit()
			depth := 1e-5 * r.Float64()
			if i%3 == 0 {
				depth = 2e-3 * r.Float64() // several vertices of fine meshes are in the ball
			}
			c := at.AddScaled(radius-depth, normal)
			X_WM := r3.Pose{R: r3.RotExp(vec()), P: vec()}
			var ball Shape = &Sphere{Radius: radius}
			X_WB := r3.Pose{R: r3.RotExp(vec()), P: X_WM.Point(c)}
			if i%2 == 1 { // the end of a capsule that stands on the feature
				ball = &Capsule{Radius: radius, HalfLength: 0.1}
				z := X_WM.R.MulVec(normal)
				x, y := r3.Basis(z)
				X_WB.R = r3.FromColumns(x, y, z)
				X_WB.P = X_WB.P.AddScaled(0.1, z)
			}
			cs := two(mesh, ball, X_WM, X_WB, 1e-3)
			checkPoints(t, cs)
			if len(cs) == 0 {
				t.Fatalf("grid of %d, shot %d: no contact", n, i)
			}
			for a := range cs {
				for b := range a {
					if cs[a].Pos_W.Sub(cs[b].Pos_W).Norm() < 1e-7*radius && cs[a].Normal_W.Dot(cs[b].Normal_W) > 1-1e-9 {
						t.Fatalf("grid of %d, shot %d, depth %g: contacts %d and %d of %d are one, at %v", n, i, depth, b, a, len(cs), cs[a].Pos_W)
					}
				}
			}
		}
	}
}
