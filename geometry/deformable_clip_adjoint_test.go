package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// clippingShapes are flat, curved and with creases, each near a point of its surface.
var clippingShapes = []struct {
	name  string
	shape Shape
	near  r3.Vec
	size  float64 // of triangles, m
	tol   float64
}{
	{"half space", HalfSpace{}, r3.Vec{}, 0.01, 1e-7},
	{"sphere", &Sphere{Radius: 0.02}, r3.Vec{0, 0, 0.02}, 0.01, 1e-6},
	{"cylinder", &Cylinder{Radius: 0.02, HalfLength: 0.05}, r3.Vec{0.02, 0, 0}, 0.01, 1e-6},
	{"edge of a box", &Box{Half: r3.Vec{0.05, 0.05, 0.05}}, r3.Vec{0.05, 0, 0.05}, 0.02, 1e-6},
	{"corner of a box", &Box{Half: r3.Vec{0.05, 0.05, 0.05}}, r3.Vec{0.05, 0.05, 0.05}, 0.02, 1e-6},
}

// Bars of clipped triangles are the derivatives of their parts, by central differences of whole clips. Half of the
// triangles have corners at a level, where cuts begin and end.
func TestAdjointOfAClippedTriangleIsItsDerivative(t *testing.T) {
	for _, c := range clippingShapes {
		r := rand.New(rand.NewPCG(7, 1))
		compared, cut, jumps, kinks := 0, 0, 0, 0
		for trial := range 400 {
			X := r3.Pose{R: r3.RotExp(randomVec(r)), P: randomVec(r)}
			w := clipWorker{shape: shapeField{X, newDistanceQuery(c.shape)}}
			w.field, w.margin, w.size, w.pieces = &w.shape, 0.002, 0.1, &pieces{}
			w.products = trial%3 == 0
			var x [3]r3.Vec
			for k := range x {
				p := c.near.AddScaled(c.size/2, randomVec(r))
				if phi, g := c.shape.SignedDistance(p); trial%2 == 0 && k == 0 {
					p = p.AddScaled(float64(trial%4/2)*w.margin-phi, g) // a corner at a level
				}
				x[k] = X.Point(p)
			}
			w.clipAt(&x)
			if len(w.parts) == 0 || w.pieces.searched {
				continue
			}
			bars := make([]partBar, len(w.parts))
			for i := range bars {
				// parts carry load in proportion to their areas
				b, s := &bars[i], w.parts[i].area
				b.area, b.phi, b.grad_W = r.NormFloat64()*100, s*r.NormFloat64(), randomVec(r).Scale(0.01*s)
				for k := range b.w {
					b.w[k] = 0.01 * s * r.NormFloat64()
					if w.products {
						b.products[k] = 0.01 * s * r.NormFloat64()
					}
				}
			}
			compared++
			if w.pieces.list[0].share != 1 {
				cut++
			}
			area := w.clipAt(&x)
			got := w.adjoint(area, bars)
			want, wide := w.differences(bars, faceWidth), w.differences(bars, 8*faceWidth)
			size, off := got.apartFrom(cornersBar{}), got.apartFrom(want)
			// second derivatives jump at a level: differences over 10 nm of polygons of some 0.1 mm are off by as much
			tol := c.tol
			if trial%2 == 0 {
				tol = 2e-4
			}
			switch {
			case want.apartFrom(wide) > 20*tol*(1+size):
				jumps++ // triangles are divided otherwise
			case off > tol*(1+size) && trial%2 == 0 && kinks < 2:
				kinks++ // both a level and an edge of the shape are at the corner
			case off > tol*(1+size):
				t.Errorf("%s, trial %d, %d parts: off by %.1e of %.1e", c.name, trial, len(bars), off, size)
			}
		}
		t.Logf("%s: %d triangles, %d cut, %d where clips jump", c.name, compared, cut, jumps)
		if compared < 40 || cut < 20 || jumps > compared/6 {
			t.Errorf("%s: %d triangles, %d of them cut, were compared, %d jump", c.name, compared, cut, jumps)
		}
	}
}

// apartFrom returns the sum of the differences of bars.
func (b cornersBar) apartFrom(c cornersBar) float64 {
	sum := math.Abs(b.margin - c.margin)
	for k := range b.x_W {
		sum += b.x_W[k].Sub(c.x_W[k]).Norm()
	}
	return sum
}
