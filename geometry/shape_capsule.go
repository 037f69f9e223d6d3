package geometry

// A capsule as a SupportMap is its axis segment with the radius as rounding.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Capsule is the set of all points within Radius of a segment of the z axis, centred in
// its frame: a cylinder with a half ball on each end.
type Capsule struct {
	// Radius of the cylinder and of the half balls, m.
	Radius float64
	// HalfLength is half of the straight part along z, m; the whole capsule is
	// 2(HalfLength+Radius) long.
	HalfLength float64
}

var _ SupportMap = (*Capsule)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "capsule",
	Doc:  "Cylinder along z with a half ball on each end, centred in its frame.",
	New:  func() ShapeSpec { return &CapsuleSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&CapsuleSpec{0.04, 0.1}, &CapsuleSpec{0.02, 0.3}}
	},
})

// CapsuleSpec are the parameters of a capsule.
type CapsuleSpec struct {
	// Radius of the cylinder and of the half balls, m.
	Radius float64 `key:"radius,required" unit:"m" doc:"radius" above:"0"`
	// Length is the length of the straight part along z, m.
	Length float64 `key:"length,required" unit:"m" doc:"length of the straight part along z" above:"0"`
}

// Make implements ShapeSpec.
func (s *CapsuleSpec) Make(MeshSource) (Shape, error) { return NewCapsule(s.Radius, s.Length) }

// NewCapsule returns a capsule of the given radius and length of its straight part (m).
// Lengths that are not positive and finite are an error.
func NewCapsule(radius, length float64) (*Capsule, error) {
	if err := checkLength("capsule", "radius", radius); err != nil {
		return nil, err
	}
	if err := checkLength("capsule", "length of the straight part", length); err != nil {
		return nil, err
	}
	return &Capsule{radius, length / 2}, nil
}

// Bounds returns the bounds in G, m.
func (c *Capsule) Bounds() r3.Box {
	e := r3.Vec{c.Radius, c.Radius, c.HalfLength + c.Radius}
	return r3.Box{Min: e.Neg(), Max: e}
}

// SignedDistance returns the exact distance, that to the axis segment less the radius; on
// the segment the gradient is +x.
func (c *Capsule) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	// The nearest point of the segment is the origin of the difference.
	p_G[2] -= min(max(p_G[2], -c.HalfLength), c.HalfLength)
	d, u := direction(p_G)
	return d - c.Radius, u
}

// Support returns the end of the axis segment farther along dir_G.
func (c *Capsule) Support(dir_G r3.Vec) r3.Vec {
	return r3.Vec{0, 0, sign(dir_G[2]) * c.HalfLength}
}

// Face returns the axis segment, a face of two corners.
func (c *Capsule) Face(r3.Vec) Face {
	return Face{N: 2, P: [maxFace]r3.Vec{{0, 0, -c.HalfLength}, {0, 0, c.HalfLength}}}
}

// PressureField implements FieldMaker: p falls linearly from the axis
// segment.
func (c *Capsule) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewCapsule(c.Radius, 2*c.HalfLength, opt)
}

// Rounding returns the radius.
func (c *Capsule) Rounding() float64 { return c.Radius }

// mass returns the exact mass properties: those of a cylinder and two half balls, whose
// own centroids lie 3R/8 beyond the cylinder's ends.
func (c *Capsule) mass() MassProperties {
	r, h := c.Radius, c.HalfLength
	r2 := r * r
	// Masses of the cylinder and of both half balls together.
	cyl, ball := 2*math.Pi*r2*h, 4.0/3*math.Pi*r2*r
	axial := cyl*r2/2 + ball*0.4*r2
	lateral := cyl*(r2/4+h*h/3) + ball*(0.4*r2+h*h+0.75*h*r)
	return MassProperties{Mass: cyl + ball, Inertia: r3.Diag(r3.Vec{lateral, lateral, axial})}
}

// SurfaceMesh returns the capsule with 48 sides and 12 rings on each half ball, corners
// on the surface.
func (c *Capsule) SurfaceMesh() *meshes.Tri {
	const rings = 12
	var profile [][2]float64
	// Profile of the lower half ball from the pole, then mirrored.
	for i := 0; i <= rings; i++ {
		s, co := math.Sincos(math.Pi / 2 * float64(i) / rings)
		profile = append(profile, [2]float64{c.Radius * s, -c.HalfLength - c.Radius*co})
	}
	for i := rings; i >= 0; i-- {
		p := profile[i]
		profile = append(profile, [2]float64{p[0], -p[1]})
	}
	return revolve(profile, 48)
}

// Round implements RoundShape.
func (*Capsule) Round() {}
