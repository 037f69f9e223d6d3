package surfaces

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// roundness is largest for the equilateral triangle: √3/6.
func TestRoundnessIsLargestForEquilateralTriangles(t *testing.T) {
	r := samples.NewRand(t, 36)
	z := r3.Vec{0, 0, 1}
	best := roundness(r3.Vec{0, 0, 0}, r3.Vec{1, 0, 0}, r3.Vec{0.5, math.Sqrt(3) / 2, 0}, z)
	if math.Abs(best-math.Sqrt(3)/6) > 1e-15 {
		t.Errorf("%g, want √3/6", best)
	}
	for range 200 {
		a, b, c := samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r)
		a[2], b[2], c[2] = 0, 0, 0
		if got := roundness(a, b, c, z); got > best+1e-15 || math.Abs(got+roundness(a, c, b, z)) > 1e-15 {
			t.Errorf("roundness %g, reversed %g", got, roundness(a, c, b, z))
		}
	}
	if roundness(z, z, z, z) != 0 {
		t.Error("a point has a roundness")
	}
}

// cutEars covers any star polygon with n − 2 triangles of its area, none reversed,
// in any plane.
func TestEarsCoverRandomPolygons(t *testing.T) {
	r := samples.NewRand(t, 35)
	for n := 3; n < 40; n++ {
		x := samples.RandomPose(r, 2)
		var verts []r3.Vec
		var loop []int32
		flat := samples.StarPolygon(r, n)
		for i, p := range flat {
			verts = append(verts, x.Point(r3.Vec{p[0], p[1], 0}))
			loop = append(loop, int32(i))
		}
		tris := AppendPolygon(nil, verts, loop)
		if len(tris) != n-2 {
			t.Fatalf("%d corners: %d triangles", n, len(tris))
		}
		area := 0.0
		for _, tri := range tris {
			normal := Newell(verts, tri[:])
			if normal.Dot(x.R.Col(2)) <= 0 {
				t.Errorf("%d corners: triangle %v is reversed", n, tri)
			}
			area += normal.Norm() / 2
		}
		if want := (&profiles.Profile{Outer: flat}).Area(); math.Abs(area-want) > 1e-9 {
			t.Errorf("%d corners: area %g, want %g", n, area, want)
		}
		if m := Newell(verts, loop); math.Abs(m.Norm()/2-area) > 1e-9 {
			t.Errorf("%d corners: Newell's area %g, want %g", n, m.Norm()/2, area)
		}
	}
}
