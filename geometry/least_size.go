package geometry

// Lengths that keep contacts apart from round-off have to be small against features and large against the round-off of
// positions. They are shares of the size of the bodies, so that scenes of small and of large parts act alike:
//
//	ℓ = max(least extent, thinShape × diagonal)   of the bounds of a shape at rest          (1)
//
// and for what concerns all pairs the least ℓ of the model. Plates and wires are thin, and sheets without thickness
// have none.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// thinShape is the least share of the diagonal that counts as the size of a thin shape.
	thinShape = 1e-3
	// unknownSize is the size of a model all of whose shapes are without end, m.
	unknownSize = 0.1
)

// SizeOf returns ℓ of (1) for bounds, m.
func SizeOf(bounds r3.Box) float64 {
	d := bounds.Size()
	return max(min(d[0], d[1], d[2]), thinShape*d.Norm())
}

// LeastSize returns that of the model, m.
func (s *Data) LeastSize() float64 { return s.size }

// LeastSize returns the least size (1) of the shapes and deformables of the model, m.
func (m *Model) LeastSize() float64 {
	least := math.Inf(1)
	for i := range m.Geoms {
		if shape := m.Geoms[i].Shape; !isHalfSpace(shape) {
			least = min(least, SizeOf(shape.Bounds()))
		}
	}
	for i := range m.Deformables {
		if size := m.Deformables[i].Size; size > 0 {
			least = min(least, size)
		}
	}
	if math.IsInf(least, 1) || !(least > 0) {
		return unknownSize
	}
	return least
}
