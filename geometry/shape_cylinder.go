package geometry

// A cylinder as a SupportMap is sharp: its core is the cylinder itself. The rim is
// curved, so that a cap is represented by an octagon whose first corner is the farthest
// point; points of the rim between the corners are added by deepestOverFace
// (manifold.go).

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Cylinder is a solid round cylinder about the z axis, centred in its frame.
type Cylinder struct {
	// m
	Radius float64
	// HalfLength is half of the length along z, m.
	HalfLength float64
}

var _ SupportMap = (*Cylinder)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "cylinder",
	Doc:  "Round cylinder along z, centred in its frame.",
	New:  func() ShapeSpec { return &CylinderSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&CylinderSpec{0.05, 0.1}, &CylinderSpec{0.1, 0.01}, &CylinderSpec{0.01, 0.5}}
	},
})

// CylinderSpec are the parameters of a cylinder.
type CylinderSpec struct {
	// Radius of the round side, m.
	Radius float64 `key:"radius,required" unit:"m" doc:"radius" above:"0"`
	// Length is the full length along z, m.
	Length float64 `key:"length,required" unit:"m" doc:"length along z" above:"0"`
}

// Make implements ShapeSpec.
func (s *CylinderSpec) Make(MeshSource) (Shape, error) { return NewCylinder(s.Radius, s.Length) }

// NewCylinder returns a cylinder of the given radius and full length (m). Lengths that
// are not positive and finite are an error.
func NewCylinder(radius, length float64) (*Cylinder, error) {
	if err := checkLength("cylinder", "radius", radius); err != nil {
		return nil, err
	}
	if err := checkLength("cylinder", "length", length); err != nil {
		return nil, err
	}
	return &Cylinder{radius, length / 2}, nil
}

// Bounds returns the bounds in G, m.
func (c *Cylinder) Bounds() r3.Box {
	e := r3.Vec{c.Radius, c.Radius, c.HalfLength}
	return r3.Box{Min: e.Neg(), Max: e}
}

// SignedDistance returns the exact distance. Inside, the nearer of side and cap counts,
// the side where both are equally near, +x on the axis and +z in the middle plane.
func (c *Cylinder) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	// Heights over the round side and over the nearer cap.
	rho, u := radial(p_G)
	dr, dz := rho-c.Radius, math.Abs(p_G[2])-c.HalfLength
	z := r3.Vec{0, 0, sign(p_G[2])}
	switch {
	// Nearest to the rim, to the side, or to a cap.
	case dr > 0 && dz > 0:
		return direction(u.Scale(dr).AddScaled(dz, z))
	case dr >= dz:
		return dr, u
	default:
		return dz, z
	}
}

// Support returns the point of a rim farthest along dir_G.
func (c *Cylinder) Support(dir_G r3.Vec) r3.Vec {
	_, u := radial(dir_G)
	return r3.Vec{c.Radius * u[0], c.Radius * u[1], sign(dir_G[2]) * c.HalfLength}
}

// Face returns, within 45° of the axis, the cap as an octagon inscribed in the rim whose
// first corner is the rim point farthest along n_G, otherwise the line of the side that
// faces n_G.
func (c *Cylinder) Face(n_G r3.Vec) Face {
	rho, u := radial(n_G)
	z := math.Abs(n_G[2])
	// A line of the side.
	if rho > z {
		p := u.Scale(c.Radius)
		return Face{N: 2, P: [maxFace]r3.Vec{
			{p[0], p[1], -c.HalfLength}, {p[0], p[1], c.HalfLength}}}
	}
	if rho <= 1e-12*z { // upright to round-off: its direction would be noise
		// Along the axis to round-off: the direction across it would be noise.
		u = r3.Vec{1, 0, 0}
	}
	// The octagon, counter-clockwise as seen from outside.
	s := sign(n_G[2])
	f := Face{N: 8, Normal: r3.Vec{0, 0, s}, Area: math.Pi * c.Radius * c.Radius}
	const h = math.Sqrt2 / 2
	for i, e := range [8][2]float64{{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}} {
		cos, sin := c.Radius*e[0], s*c.Radius*e[1]
		f.P[i] = r3.Vec{u[0]*cos - u[1]*sin, u[1]*cos + u[0]*sin, s * c.HalfLength}
	}
	return f
}

// PressureField implements FieldMaker: p grows with the distance to
// the surface.
func (c *Cylinder) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewCylinder(c.Radius, 2*c.HalfLength, opt)
}

// Rounding returns 0.
func (c *Cylinder) Rounding() float64 { return 0 }

// mass returns the exact mass properties: m = 2π r² h, I_x = m (r²/4 + h²/3), I_z = m
// r²/2.
func (c *Cylinder) mass() MassProperties {
	r2, h := c.Radius*c.Radius, c.HalfLength
	v := 2 * math.Pi * r2 * h
	i := v * (r2/4 + h*h/3)
	return MassProperties{Mass: v, Inertia: r3.Diag(r3.Vec{i, i, v * r2 / 2})}
}

// SurfaceMesh returns the cylinder with 48 sides, corners on the rims.
func (c *Cylinder) SurfaceMesh() *meshes.Tri {
	r, h := c.Radius, c.HalfLength
	return revolve([][2]float64{{0, -h}, {r, -h}, {r, h}, {0, h}}, 48)
}

// numFaces implements faced.
func (c *Cylinder) numFaces() int { return 3 }

// height implements faced: of the side, then of the caps.
func (c *Cylinder) height(face int, p_G r3.Vec) (phi float64, n r3.Vec) {
	if face == 0 {
		rho, u := radial(p_G)
		return rho - c.Radius, u
	}
	n[2] = float64(3 - 2*face)
	return n[2]*p_G[2] - c.HalfLength, n
}

// Round implements RoundShape.
func (*Cylinder) Round() {}
