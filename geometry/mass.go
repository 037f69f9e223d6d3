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

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// MassProperties are the mass of a solid, its centre and its inertia.
type MassProperties struct {
	// Mass, kg; for a density of 1 kg/m³ the volume, m³.
	Mass float64
	// Com is the centre of mass, m.
	Com r3.Vec
	// Inertia is the rotational inertia about Com, kg m².
	Inertia r3.Mat
}

// Scale returns the properties with the density multiplied by s.
func (m MassProperties) Scale(s float64) MassProperties {
	return MassProperties{s * m.Mass, m.Com, m.Inertia.Scale(s)}
}

// Transform returns the properties in frame A of a solid given in frame B: C_A =
// X_AB·C_B, I_A = R I_B Rᵀ.
func (m MassProperties) Transform(X_AB r3.Pose) MassProperties {
	return MassProperties{m.Mass, X_AB.Point(m.Com), X_AB.R.Mul(m.Inertia).Mul(X_AB.R.T())}
}

// Plus returns the properties of both solids together, given in one frame.
func (m MassProperties) Plus(n MassProperties) MassProperties {
	total := m.Mass + n.Mass
	if total == 0 {
		return m
	}
	com := m.Com.Lerp(n.Com, n.Mass/total)
	return MassProperties{total, com, m.about(com).Add(n.about(com))}
}

// about returns the inertia about the point p by the parallel axis theorem, I + m (d² 1 −
// d dᵀ), kg m².
func (m MassProperties) about(p r3.Vec) r3.Mat {
	d := p.Sub(m.Com)
	d2 := d.Norm2()
	return m.Inertia.Add(r3.Diag(r3.Vec{d2, d2, d2}).Sub(r3.Outer(d, d)).Scale(m.Mass))
}

// MassOf returns the mass properties of a shape, in its frame and for a density of 1
// kg/m³: exact for the primitives and for convex hulls, for other shapes those of the
// solid inside the SurfaceMesh. An unbounded shape and a surface that encloses no
// volume are errors.
func MassOf(s Shape) (MassProperties, error) {
	if h, ok := s.(interface{ mass() MassProperties }); ok {
		return h.mass(), nil
	}
	if isHalfSpace(s) {
		return MassProperties{}, fmt.Errorf("geometry: a half-space has no mass; fix it to the world")
	}
	return MassOfSurface(s.SurfaceMesh())
}

// MassOfSurface returns the exact mass properties, for a density of 1 kg/m³, of the
// solid that a closed outward triangle mesh encloses. It is an error if the
// volume is not positive.
func MassOfSurface(t *meshes.Tri) (MassProperties, error) {
	if len(t.Tris) == 0 {
		return MassProperties{}, fmt.Errorf("geometry: mass of a mesh without triangles")
	}
	o := t.Bounds().Center()
	var v float64
	var first r3.Vec
	var second r3.Mat
	for _, f := range t.Tris {
		p, q, r := t.Verts[f[0]].Sub(o), t.Verts[f[1]].Sub(o), t.Verts[f[2]].Sub(o)
		d, s := p.Dot(q.Cross(r)), p.Add(q).Add(r)
		m := r3.Outer(s, s).Add(r3.Outer(p, p)).Add(r3.Outer(q, q)).Add(r3.Outer(r, r))
		v += d / 6                            // (1)
		first = first.AddScaled(d/24, s)      // (2)
		second = second.Add(m.Scale(d / 120)) // (3)
	}
	if !(v > 0) {
		return MassProperties{}, fmt.Errorf("geometry: mesh encloses a volume of %g m³; close it and turn its normals outward", v)
	}
	c := first.Scale(1 / v)
	second = second.Sub(r3.Outer(c, c).Scale(v))
	tr := second.Trace()
	return MassProperties{v, o.Add(c), r3.Diag(r3.Vec{tr, tr, tr}).Sub(second)}, nil // (4)
}

// MassOfHull returns the mass properties, for a density of 1 kg/m³, of the convex hull of the
// vertices of a mesh. Vertices in one plane are an error.
func MassOfHull(t *meshes.Tri) (MassProperties, error) {
	tris, err := convexHull(t.Verts)
	if err != nil {
		return MassProperties{}, fmt.Errorf("geometry: convex: %w", err)
	}
	return MassOfSurface(&meshes.Tri{Verts: t.Verts, Tris: tris})
}
