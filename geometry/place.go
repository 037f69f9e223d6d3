package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Placement for the broad phase of collision detection: poses of geoms, surfaces of
// deformables, their bounding boxes in the world, and the distance by which these boxes grow
// for the motion within the step.

// translation returns how a body translates as a whole, m; the world does not move.
func (s *Data) translation(body int) *r3.Vec {
	if body == World || s.PredictedTranslation == nil {
		return &unmoved
	}
	return &s.PredictedTranslation[body]
}

// unmoved is the translation of the world. It is never written.
var unmoved r3.Vec

// boundsMargin returns by how much the bounds of a body grow, m: bounds of two bodies
// then overlap whenever their contacts by (1) matter, for |t_A − t_B| ≤ |t_A| + |t_B|.
func (s *Data) boundsMargin(body int) float64 {
	d := s.translation(body)
	return (max(s.SpeculativeDistance, s.DeformableSpeculativeDistance)+s.slack)/2 + s.speculative(math.Sqrt(d.DotOf(d))+s.motionBound(body))
}

// speculative returns the gap up to which contacts are sought between bodies that
// approach each other by d, m (1).
func (s *Data) speculative(d float64) float64 {
	return max(d, (d+s.SurfaceMotion)*s.SpeculativeFactor)
}

// motionBound returns how far any point of a body moves beyond its translation, m.
func (s *Data) motionBound(body int) float64 {
	if body == World || s.MotionBound == nil {
		return 0
	}
	return s.MotionBound[body]
}

// place computes the poses of geoms and the world bounds of all items.
func (s *Data) place() {
	s.placeGeoms()
	// Bounds of geoms, which overflow for shapes without end.
	for i := range s.geoms {
		g, b := &s.geoms[i], &s.boxes[i]
		b.SetTransform(&g.X_WG, &g.extent_G)
		if g.endless {
			*b = infiniteIfOverflowed(*b)
		}
	}
	for i := range s.deformables {
		f := &s.deformables[i]
		// The surface itself is refitted only where a pair needs it.
		f.place(s.X_W[i])
		if f.active = nil; i < len(s.ActiveTriangle) {
			f.active = s.ActiveTriangle[i]
		}
		s.boxes[len(s.geoms)+i] = boundsOf(f.x_W)
	}
}

// placeGeoms computes the poses of the geoms.
func (s *Data) placeGeoms() {
	for i := range s.geoms {
		spec := &s.Model.Geoms[i]
		s.geoms[i].X_WG = spec.X_BG
		if spec.Body != World {
			s.geoms[i].X_WG.SetMul(&s.X_WB[spec.Body], &spec.X_BG)
		}
	}
}

// maxExtent is the size below which bounds cannot overflow wherever a body is, m.
const maxExtent = 1e100

// infiniteIfOverflowed replaces bounds with coordinates that are not finite by the
// largest finite bounds.
func infiniteIfOverflowed(b r3.Box) r3.Box {
	if b.Min.IsFinite() && b.Max.IsFinite() {
		return b
	}
	const big = math.MaxFloat64 / 4
	return r3.Box{Min: r3.Vec{-big, -big, -big}, Max: r3.Vec{big, big, big}}
}
