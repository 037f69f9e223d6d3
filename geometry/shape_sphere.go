package geometry

// A ball as a SupportMap is its centre with the radius as rounding: the core is one
// point, so that all directions have the same support and the same face.

import (
	"math"
	"slices"
	"sync"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Sphere is a ball about the origin of its frame.
type Sphere struct {
	// Radius of the ball, m.
	Radius float64
}

var _ SupportMap = (*Sphere)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "sphere",
	Doc:  "Ball about the origin of its frame.",
	New:  func() ShapeSpec { return &SphereSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&SphereSpec{0.05}, &SphereSpec{2}}
	},
})

// SphereSpec are the parameters of a sphere.
type SphereSpec struct {
	// Radius of the ball, m.
	Radius float64 `key:"radius,required" unit:"m" doc:"radius" above:"0"`
}

// Make implements ShapeSpec.
func (s *SphereSpec) Make(MeshSource) (Shape, error) { return NewSphere(s.Radius) }

// NewSphere returns a sphere of the given radius (m). A radius that is not positive and
// finite is an error.
func NewSphere(radius float64) (*Sphere, error) {
	if err := checkLength("sphere", "radius", radius); err != nil {
		return nil, err
	}
	return &Sphere{radius}, nil
}

// Bounds returns the cube around the ball, m.
func (s *Sphere) Bounds() r3.Box { return r3.Box{}.Inflate(s.Radius) }

// SignedDistance returns |p| − R; at the centre the gradient is +x.
func (s *Sphere) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	d, u := direction(p_G)
	return d - s.Radius, u
}

// direction returns the length of p and p/|p|, +x for zero. Lengths whose squares
// overflow or underflow are computed by other means, so that the result is a unit vector
// for all finite p.
func direction(p r3.Vec) (d float64, u r3.Vec) {
	// The usual case.
	if d2 := p[0]*p[0] + p[1]*p[1] + p[2]*p[2]; d2 > 1e-200 && d2 < 1e200 {
		d = math.Sqrt(d2)
		u.SetScale(1/d, &p)
		return d, u
	}
	// Very short or very long vectors.
	d = math.Hypot(math.Hypot(p[0], p[1]), p[2])
	if d == 0 {
		return 0, r3.Vec{1, 0, 0}
	}
	// Dividing by the largest component first keeps tiny vectors unit.
	m := max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
	return d, r3.Vec{p[0] / m, p[1] / m, p[2] / m}.Unit()
}

// Support returns the centre, the whole core.
func (s *Sphere) Support(r3.Vec) r3.Vec { return r3.Vec{} }

// Face returns the centre, a face of one corner.
func (s *Sphere) Face(r3.Vec) Face { return Face{N: 1} }

// PressureField implements FieldMaker: p falls linearly from the centre.
func (s *Sphere) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewSphere(s.Radius, opt)
}

// Rounding returns the radius.
func (s *Sphere) Rounding() float64 { return s.Radius }

// mass returns the exact mass properties: m = 4/3 π r³, I = 2/5 m r².
func (s *Sphere) mass() MassProperties {
	r := s.Radius
	v := 4.0 / 3 * math.Pi * r * r * r
	i := 0.4 * v * r * r
	return MassProperties{Mass: v, Inertia: r3.Diag(r3.Vec{i, i, i})}
}

// SurfaceMesh returns an icosahedron subdivided three times, 1280 triangles with all
// corners on the sphere.
func (s *Sphere) SurfaceMesh() *meshes.Tri {
	unit := unitSphere()
	t := &meshes.Tri{Verts: make([]r3.Vec, len(unit.Verts)), Tris: slices.Clone(unit.Tris)}
	for i, p := range unit.Verts {
		t.Verts[i] = p.Scale(s.Radius)
	}
	return t
}

// unitSphere returns the surface of radius 1, 20·4³ triangles, made once: a study builds thousands
// of scenes with spheres.
var unitSphere = sync.OnceValue(func() *meshes.Tri {
	t := icosahedron()
	for range 3 {
		t = subdivideSphere(t)
	}
	return t
})

// icosahedron returns the regular icosahedron inscribed in the unit sphere; its vertices
// are (±1, ±Φ, 0) and the cyclic permutations, with Φ the golden ratio.
func icosahedron() *meshes.Tri {
	const g = math.Phi
	t := &meshes.Tri{Verts: []r3.Vec{
		{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
		{0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
		{g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1},
	}, Tris: [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11},
		{1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9},
		{4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}}
	for i, p := range t.Verts {
		t.Verts[i] = p.Unit()
	}
	return t
}

// subdivideSphere splits each triangle in four and moves the new corners to the unit
// sphere.
func subdivideSphere(t *meshes.Tri) *meshes.Tri {
	out := &meshes.Tri{Verts: append([]r3.Vec(nil), t.Verts...)}
	// Number of the corner in the middle of each edge, which two triangles share.
	middle := make(map[[2]int32]int32, 3*len(t.Tris)/2)
	mid := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		m, ok := middle[key]
		if !ok {
			m = int32(len(out.Verts))
			out.Verts = append(out.Verts, out.Verts[a].Add(out.Verts[b]).Unit())
			middle[key] = m
		}
		return m
	}
	// Three triangles at the corners and one in the middle.
	for _, f := range t.Tris {
		ab, bc, ca := mid(f[0], f[1]), mid(f[1], f[2]), mid(f[2], f[0])
		out.Tris = append(out.Tris, [3]int32{f[0], ab, ca}, [3]int32{f[1], bc, ab},
			[3]int32{f[2], ca, bc}, [3]int32{ab, bc, ca})
	}
	return out
}

// Round implements RoundShape.
func (*Sphere) Round() {}
