package geometry

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// HalfSpace is the solid z ≤ 0 of its frame: ground, walls.
type HalfSpace struct{}

var _ Shape = HalfSpace{}

// halfSpaceExtent stands for infinity in bounds, m: far beyond any scene, yet
// small enough that transformed bounds stay finite.
const halfSpaceExtent = 1e9

// Bounds returns z ≤ 0 up to 1e9 m in every direction.
func (HalfSpace) Bounds() r3.Box {
	const e = halfSpaceExtent
	return r3.Box{Min: r3.Vec{-e, -e, -e}, Max: r3.Vec{e, e, 0}}
}

// SignedDistance returns z and the upward normal.
func (HalfSpace) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	return p_G[2], r3.Vec{0, 0, 1}
}

// Surface returns a slab of 100 m × 100 m × 1 m below z = 0: the part of the
// half-space that pictures show.
func (HalfSpace) SurfaceMesh() *meshes.Tri {
	return boxSurface(r3.Vec{-50, -50, -1}, r3.Vec{50, 50, 0})
}

// isHalfSpace reports whether s is a half-space, given by value or pointer.
func isHalfSpace(s Shape) bool {
	switch s.(type) {
	case HalfSpace, *HalfSpace:
		return true
	}
	return false
}
