package geometry

// Distance to an ellipsoid (Eberly, "Distance from a point to an ellipse, an ellipsoid,
// or a hyperellipsoid", 2013). The point x of an ellipsoid with semi-axes e nearest to p
// satisfies, with m its shortest axis,
//
//	x_i = e_i² p_i/(s + e_i² − e_m²),  n ∥ (x_i/e_i²)                     (1)
//	g(s) = Σ (x_i/e_i)² − 1 = 0,  s ≥ 0                                   (2)
//
// g is decreasing and convex: Newton's method increases s monotonically to its root from
// a start at which one term alone is 1. Points of the plane of symmetry across m with
// g(0) < 0 have two nearest points, out of the plane, at s = 0.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Ellipsoid is a solid ellipsoid about the origin, its axes along the frame's.
type Ellipsoid struct {
	// Semi are the semi-axes along x, y and z, m.
	Semi r3.Vec
}

var _ SupportMap = (*Ellipsoid)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "ellipsoid",
	Doc:  "Ellipsoid centred in its frame, axes along the frame's.",
	New:  func() ShapeSpec { return &EllipsoidSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&EllipsoidSpec{r3.Vec{0.05, 0.07, 0.04}}, &EllipsoidSpec{r3.Vec{0.05, 0.05, 0.05}}}
	},
})

// EllipsoidSpec are the parameters of an ellipsoid.
type EllipsoidSpec struct {
	// Semi-axes along x, y and z, m.
	Semi r3.Vec `key:"semi_axes,required" unit:"m" doc:"semi-axes along x, y and z" above:"0"`
}

// Make implements ShapeSpec.
func (s *EllipsoidSpec) Make(MeshSource) (Shape, error) { return NewEllipsoid(s.Semi) }

// NewEllipsoid returns an ellipsoid of the given semi-axes (m). Lengths that are not
// positive and finite are an error.
func NewEllipsoid(semi r3.Vec) (*Ellipsoid, error) {
	for i, what := range [3]string{"semi-axis along x", "semi-axis along y", "semi-axis along z"} {
		if err := checkLength("ellipsoid", what, semi[i]); err != nil {
			return nil, err
		}
	}
	return &Ellipsoid{semi}, nil
}

// Bounds returns the bounds in G, m.
func (e *Ellipsoid) Bounds() r3.Box { return r3.Box{Min: e.Semi.Neg(), Max: e.Semi} }

// nearestRounds bounds Newton's method, which takes about six rounds.
const nearestRounds = 40

// SignedDistance returns the exact distance. Of two nearest points the one with a
// positive coordinate counts.
func (e *Ellipsoid) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	// The shortest axis.
	m := 0
	for i, a := range e.Semi {
		if a < e.Semi[m] {
			m = i
		}
	}
	// d_i = e_i² − e_m², z_i = e_i |p_i|, and the start of Newton's method.
	var d, z r3.Vec
	s := 0.0
	for i, a := range e.Semi {
		d[i] = (a - e.Semi[m]) * (a + e.Semi[m])
		z[i] = a * math.Abs(p_G[i])
		s = max(s, z[i]-d[i])
	}
	for range nearestRounds {
		// (2) and its derivative.
		g, slope := -1.0, 0.0
		for i, z := range z {
			if z > 0 {
				x := z / (s + d[i])
				g += x * x
				slope -= 2 * x * x / (s + d[i])
			}
		}
		// g is 0 to round-off, or s cannot increase any more.
		if !(g > 0) {
			break
		}
		next := s - g/slope
		if !(next > s) {
			break
		}
		s = next
	}
	// The nearest point and the direction of its normal (1).
	var x, n r3.Vec
	left := 1.0
	for i, a := range e.Semi {
		if p_G[i] != 0 && (i != m || s > 0) {
			n[i] = p_G[i] / (s + d[i]) // (1)
			x[i] = a * a * n[i]
			left -= x[i] / a * (x[i] / a)
		}
	}
	// Two nearest points: out of the plane by the rest of (2).
	if n[m] == 0 && s == 0 {
		x[m] = e.Semi[m] * math.Sqrt(max(left, 0))
		n[m] = x[m] / (e.Semi[m] * e.Semi[m])
	}
	_, n = direction(n)
	return n.Dot(p_G.Sub(x)), n
}

// Support returns the point farthest along dir_G, +x for a zero vector: the ellipsoid is
// the image of a ball.
func (e *Ellipsoid) Support(dir_G r3.Vec) r3.Vec {
	_, u := direction(r3.Vec{e.Semi[0] * dir_G[0], e.Semi[1] * dir_G[1], e.Semi[2] * dir_G[2]})
	return r3.Vec{e.Semi[0] * u[0], e.Semi[1] * u[1], e.Semi[2] * u[2]}
}

// Face returns the point farthest along n_G, because a curved surface has no flat part.
func (e *Ellipsoid) Face(n_G r3.Vec) Face { return Face{N: 1, P: [maxFace]r3.Vec{e.Support(n_G)}} }

// PressureField implements FieldMaker: the field of a ball, stretched.
func (e *Ellipsoid) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewEllipsoid(e.Semi, opt)
}

// Rounding returns 0.
func (e *Ellipsoid) Rounding() float64 { return 0 }

// mass returns the exact mass properties: m = 4/3 π abc, I_x = m (b² + c²)/5.
func (e *Ellipsoid) mass() MassProperties {
	a, b, c := e.Semi[0]*e.Semi[0], e.Semi[1]*e.Semi[1], e.Semi[2]*e.Semi[2]
	v := 4.0 / 3 * math.Pi * e.Semi[0] * e.Semi[1] * e.Semi[2]
	return MassProperties{Mass: v, Inertia: r3.Diag(r3.Vec{b + c, a + c, a + b}).Scale(v / 5)}
}

// SurfaceMesh returns the triangles of a sphere, stretched along the axes.
func (e *Ellipsoid) SurfaceMesh() *meshes.Tri {
	t := (&Sphere{1}).SurfaceMesh()
	for i, p := range t.Verts {
		t.Verts[i] = r3.Vec{e.Semi[0] * p[0], e.Semi[1] * p[1], e.Semi[2] * p[2]}
	}
	return t
}

// Round implements RoundShape.
func (*Ellipsoid) Round() {}
