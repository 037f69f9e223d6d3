package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// chisel is a wedge of 20° whose edge, along y, is the origin. Its lower side rises to the back at tilt,
// its upper side 20° more steeply.
func chisel(tilt float64) *Convex {
	var p []r3.Vec
	for _, y := range []float64{-0.01, 0.01} {
		p = append(p, r3.Vec{0, y, 0})
		for _, angle := range []float64{tilt, tilt + math.Pi/9} {
			sin, cos := math.Sincos(angle)
			p = append(p, r3.Vec{-0.02 * cos, y, 0.02 * sin})
		}
	}
	return must(NewConvex(p))
}

// A chisel goes into a face along its lower side and somewhat off it: along the normal of this side, the
// nearest, it opens, and no contact along it can give back what it stores. Truth: the plane of the lower
// side, in line with the normal of the face. The same chisel that goes straight down closes on both, and its
// contact keeps the normal. Contacts at its ends, whose normals are across, open neither way.
func TestContactsAtTheEndStopWhatClosesOnFaces(t *testing.T) {
	const tilt = 0.6
	sin, cos := math.Sincos(tilt)
	lower, down := r3.Vec{-sin, 0, -cos}, r3.Vec{0, 0, -1} // outward
	// no edge of the triangle is near
	front := &meshes.Tri{Verts: []r3.Vec{{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0, 0.15, 0}}, Tris: [][3]int32{{0, 1, 2}}}
	for _, test := range []struct {
		move   r3.Vec // of the chisel, whose edge is 0.1 mm above the face at the start
		normal r3.Vec
		cos    float64 // of normal and lower side
	}{
		{r3.Vec{3e-3 * cos, 0, -3e-3 * sin}.AddScaled(-1e-4, lower), down, cos},
		{r3.Vec{0, 0, -1.5e-3}, lower, 1},
	} {
		s, at := deformableData(chisel(tilt), front), deformableData(chisel(tilt), front)
		start := r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 1e-4}}
		end := r3.Pose{R: r3.Identity(), P: start.P.Add(test.move)}
		s.X_WB[0], at.X_WB[0] = start, end
		motions := []RigidMotion{{X0: start, X1: end, Translation: test.move}}
		held := 0
		s.Collide()
		for _, c := range at.CollideDeformables() {
			if c.Phi >= 0 {
				continue
			}
			normal, depth := test.normal, -c.Phi/test.cos
			if c.Normal_W.Sub(lower).Norm() > 1e-9 { // at an end
				normal, depth = down, -c.Phi/-cosTurnedAway
			} else {
				held++
			}
			s.AtStart(&c, motions, s.X_W, math.Inf(-1))
			if off := c.Normal_W.Sub(normal).Norm(); off > 1e-9 {
				t.Errorf("move %.3g: normal %.3g, want %.3g", test.move, c.Normal_W, normal)
			}
			rate := -c.Normal_W.Dot(test.move)
			if rate >= 0 {
				t.Errorf("move %.3g: the contact opens by %.3g m", test.move, rate)
			}
			if want := -deepening * depth; math.Abs(c.Phi+rate-want) > 1e-12 {
				t.Errorf("move %.3g: gap %.6g m at the end, want %.6g", test.move, c.Phi+rate, want)
			}
		}
		if held != 1 {
			t.Errorf("move %.3g: %d contacts of the lower side", test.move, held)
		}
	}
}
