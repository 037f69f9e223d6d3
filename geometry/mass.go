package geometry

// Mass properties of a closed triangle mesh (Eberly, "Polyhedral mass
// properties", 2002, in the form of signed tetrahedra). With o a point near the
// surface, p, q, r the corners of a triangle measured from o and
// D = p·(q×r) = 6 V of the tet (o, p, q, r):
//
//	V      = Σ D/6                                            (1)
//	V c    = Σ D/24 (p + q + r)                               (2)
//	∫x xᵀ  = Σ D/120 (s sᵀ + p pᵀ + q qᵀ + r rᵀ), s = p+q+r   (3)
//	I      = tr(C) 1 − C,  C = ∫x xᵀ − V c cᵀ                 (4)

import (
	"fmt"

	"curlfree/meshes"
	"curlfree/r3"
)

// Mass is what a solid of unit density weighs and how it turns.
type Mass struct {
	Volume  float64 // m³: kg per unit density
	Com_G   r3.Vec  // centre of mass in the shape's frame G, m
	Inertia r3.Mat  // about Com_G, along the axes of G, for density 1: m⁵
}

// MassProperties returns the mass properties of a shape for unit density: exact
// for the primitives and for convex hulls; other shapes are taken as the solid
// within their Surface. A half-space, or a surface that encloses nothing, is an
// error.
func MassProperties(s Shape) (Mass, error) {
	if h, ok := s.(interface{ mass() Mass }); ok {
		return h.mass(), nil
	}
	if _, ok := s.(*HalfSpace); ok {
		return Mass{}, fmt.Errorf("geometry: a half-space has no mass; fix it to the world")
	}
	return TriMass(s.Surface())
}

// TriMass returns the exact mass properties, for unit density, of the solid that
// a closed outward triangle mesh encloses. It is an error if the volume is not
// positive.
func TriMass(t *meshes.Tri) (Mass, error) {
	if len(t.Tris) == 0 {
		return Mass{}, fmt.Errorf("geometry: mass of a mesh without triangles")
	}
	o := t.Bounds().Center()
	var v float64
	var first r3.Vec
	var second r3.Mat
	for _, f := range t.Tris {
		p, q, r := t.Verts[f[0]].Sub(o), t.Verts[f[1]].Sub(o), t.Verts[f[2]].Sub(o)
		d, s := p.Dot(q.Cross(r)), p.Add(q).Add(r)
		v += d / 6                       // (1)
		first = first.AddScaled(d/24, s) // (2)
		m := r3.Outer(s, s).Add(r3.Outer(p, p)).Add(r3.Outer(q, q)).Add(r3.Outer(r, r))
		second = second.Add(m.Scale(d / 120)) // (3)
	}
	if !(v > 0) {
		return Mass{}, fmt.Errorf("geometry: mesh encloses a volume of %g m³; close it and turn its normals outward", v)
	}
	c := first.Scale(1 / v)
	second = second.Sub(r3.Outer(c, c).Scale(v))
	tr := second.Trace()
	return Mass{v, o.Add(c), r3.Diag(r3.Vec{tr, tr, tr}).Sub(second)}, nil // (4)
}
