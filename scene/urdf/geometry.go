package urdf

import (
	"math"

	"curlfree/r3"
)

// geometry reads the shape of a visual or collision; ok is false when it is of a
// kind that is not supported.
func (r *reader) geometry(e *element) (g Geometry, ok bool) {
	g = Geometry{Line: e.line, Origin: r.origin(e)}
	s := r.one(e, "geometry")
	if s == nil {
		r.fail(e.line, "<%s> has no <geometry>", e.name)
		return g, false
	}
	kinds := 0
	for _, c := range s.children {
		kinds++
		if r.one(s, c.name) != c {
			continue
		}
		switch c.name {
		case "box":
			size := r.vec(c, "size", r3.Vec{})
			if !(min(size[0], size[1], size[2]) > 0) {
				r.fail(c.line, "<box size>: three positive numbers are wanted, m")
			}
			g.Box = &size
		case "sphere":
			g.Sphere = r.length(c, "radius")
		case "cylinder":
			g.Cylinder = r.round(c)
		case "capsule", "drake:capsule":
			g.Capsule = r.round(c)
		case "mesh":
			g.Mesh = r.mesh(c)
		default:
			c.used = false
			return g, false
		}
	}
	if kinds != 1 {
		r.fail(s.line, "<geometry> of <%s>: exactly one of box, sphere, cylinder, capsule and mesh is wanted", e.name)
	}
	return g, true
}

// length returns an attribute that must be there and positive, m.
func (r *reader) length(e *element, name string) float64 {
	r.text(e, name)
	x := r.number(e, name, 1)
	if !(x > 0) {
		r.fail(e.line, "<%s %s>: a positive number is wanted, m", e.name, name)
	}
	return x
}

func (r *reader) round(e *element) *Round {
	return &Round{r.length(e, "radius"), r.length(e, "length")}
}

func (r *reader) mesh(e *element) *Mesh {
	m := &Mesh{File: r.text(e, "filename"), Scale: r.vec(e, "scale", r3.Vec{1, 1, 1})}
	if m.Scale[0]*m.Scale[1]*m.Scale[2] == 0 {
		r.fail(e.line, "<mesh scale>: the scale (%g, %g, %g) flattens the mesh: no component may be 0", m.Scale[0], m.Scale[1], m.Scale[2])
	}
	return m
}

// drakeModulus is the hydroelastic modulus (Pa) of a compliant surface that gives
// none, in the system that defines these tags.
const drakeModulus = 1e7

// surface reads drake:proximity_properties.
func (r *reader) surface(e *element) Surface {
	nan := math.NaN()
	s := Surface{nan, nan, nan, nan, nan, nan, nan}
	p := r.one(e, "drake:proximity_properties")
	if p == nil {
		return s
	}
	for _, f := range []struct {
		name string
		dst  *float64
	}{
		{"drake:point_contact_stiffness", &s.Stiffness}, {"drake:hunt_crossley_dissipation", &s.Dissipation},
		{"drake:relaxation_time", &s.RelaxationTime}, {"drake:mu_static", &s.StaticFriction},
		{"drake:mu_dynamic", &s.Friction}, {"drake:hydroelastic_modulus", &s.HydroelasticModulus},
		{"drake:mesh_resolution_hint", &s.Resolution},
	} {
		if *f.dst = r.value(p, f.name, nan); *f.dst < 0 {
			r.fail(p.line, "<%s>: %g must not be negative", f.name, *f.dst)
		}
	}
	rigid, compliant := r.one(p, "drake:rigid_hydroelastic"), r.one(p, "drake:compliant_hydroelastic")
	switch {
	case rigid != nil && compliant != nil:
		r.fail(rigid.line, "<drake:rigid_hydroelastic> and <drake:compliant_hydroelastic> exclude each other")
	case rigid != nil:
		s.HydroelasticModulus = nan
	case compliant != nil && math.IsNaN(s.HydroelasticModulus):
		s.HydroelasticModulus = drakeModulus
	}
	return s
}
