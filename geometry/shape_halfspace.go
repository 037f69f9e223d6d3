package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// HalfSpace is the solid z ≤ 0 of its frame: ground, walls. The zero value is ready.
type HalfSpace struct {
	// Thickness is the depth at which the pressure field reaches the hydroelastic
	// modulus, m; 0 stands for DefaultThickness.
	Thickness float64
}

// DefaultThickness is the depth below the surface of a half-space at which its pressure
// field reaches the hydroelastic modulus, m.
const DefaultThickness = 1

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "half_space",
	Doc:  "Solid below z = 0 of its frame, without end: ground, walls.",
	New:  func() ShapeSpec { return &HalfSpaceSpec{Size: 1, Thickness: DefaultThickness} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&HalfSpaceSpec{Size: 1, Thickness: 1}}
	},
})

// HalfSpaceSpec are the parameters of a half space.
type HalfSpaceSpec struct {
	// Size is the edge of the square that pictures show, m.
	Size float64 `key:"size" unit:"m" doc:"edge of the square that pictures show" above:"0"`
	// Thickness is the depth at which the pressure field reaches the hydroelastic
	// modulus, m.
	Thickness float64 `key:"thickness" unit:"m" doc:"depth at which the pressure field reaches the hydroelastic modulus" above:"0"`
}

// Make implements ShapeSpec.
func (s *HalfSpaceSpec) Make(MeshSource) (Shape, error) {
	return HalfSpace{Thickness: s.Thickness}, nil
}

var _ Shape = HalfSpace{}

// halfSpaceExtent stands for infinity in bounds, m: far beyond any scene, yet
// small enough that transformed bounds stay finite.
const halfSpaceExtent = 1e9

// Bounds returns z ≤ 0 up to 1e9 m in every direction.
func (HalfSpace) Bounds() r3.Box {
	const e = halfSpaceExtent
	return r3.Box{Min: r3.Vec{-e, -e, -e}, Max: r3.Vec{e, e, 0}}
}

// SignedDistance returns the height z, m, and the upward normal.
func (HalfSpace) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	return p_G[2], r3.Vec{0, 0, 1}
}

// SurfaceMesh returns a slab of 100 m × 100 m × 1 m below z = 0: the part of the
// half-space that pictures show.
func (HalfSpace) SurfaceMesh() *meshes.Tri {
	return boxSurface(r3.Vec{-50, -50, -1}, r3.Vec{50, 50, 0})
}

// PressureField implements FieldMaker: p grows linearly with depth. A modulus of 0 gives
// the rigid half-space.
func (h HalfSpace) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	if opt.HydroelasticModulus == 0 {
		return hydroelastic.NewRigidHalfSpace(), nil
	}
	thickness := h.Thickness
	if thickness == 0 {
		thickness = DefaultThickness
	}
	return hydroelastic.NewHalfSpace(thickness, opt)
}

// isHalfSpace reports whether s is a half-space, given by value or pointer.
func isHalfSpace(s Shape) bool {
	switch s.(type) {
	case HalfSpace, *HalfSpace:
		return true
	}
	return false
}
