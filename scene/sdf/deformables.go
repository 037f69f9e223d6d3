package sdf

// Deformable bodies of Drake: links with drake:deformable_properties. They have one collision, a mesh of
// tetrahedra that is body and surface at once, no inertial (mass follows from density and mesh) and no joints.
//
//	drake:youngs_modulus           1e8 Pa
//	drake:poissons_ratio           0.49
//	drake:mass_density             1500 kg/m³
//	drake:mass_damping             0, α of Rayleigh damping, 1/s
//	drake:stiffness_damping        0, ζ of Rayleigh damping, s
//	drake:material_model           linear_corotated, corotated, neohookean, linear
//	drake:wall_boundary_condition  vertices behind a plane of the world never move
//
// Drake's linear_corotated is the corotational law with small strain here. Its corotated law, which turns
// with the deformation within the step, differs from that in large strains only, and is read as the same.
// Source: Drake's documentation of parsing, and fem::DeformableBodyConfig for the defaults.

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// laws are Drake's names of constitutive laws, with those of scenes.
var laws = map[string]string{
	"": "corotational", "linear_corotated": "corotational", "corotated": "corotational", "neohookean": "neo_hookean", "linear": "linear",
}

// deformable reads a link with the properties p.
func (r *reader) deformable(e, p *robot.Element) robot.Deformable {
	d := robot.Deformable{Name: r.full(r.RequiredText(e, "name")), Line: e.Line}
	d.YoungsModulus, d.PoissonsRatio = r.number(p, "drake:youngs_modulus", 1e8), r.number(p, "drake:poissons_ratio", 0.49)
	d.Density = r.number(p, "drake:mass_density", 1500)
	d.MassDamping, d.StiffnessDamping = r.number(p, "drake:mass_damping", 0), r.number(p, "drake:stiffness_damping", 0)
	// comparisons that NaN fails, too
	switch {
	case !(d.YoungsModulus > 0):
		r.Fail(p.Line, "link %q: drake:youngs_modulus %g must be positive, Pa", d.Name, d.YoungsModulus)
	case !(d.PoissonsRatio > -1 && d.PoissonsRatio < 0.5):
		r.Fail(p.Line, "link %q: drake:poissons_ratio %g must be above -1 and below 0.5", d.Name, d.PoissonsRatio)
	case !(d.Density > 0):
		r.Fail(p.Line, "link %q: drake:mass_density %g must be positive, kg/m³", d.Name, d.Density)
	case d.MassDamping < 0 || d.StiffnessDamping < 0:
		r.Fail(p.Line, "link %q: drake:mass_damping and drake:stiffness_damping must not be negative", d.Name)
	}
	r.law(p, &d)
	// the mesh is placed in the link, the link in the world of the file
	f := r.frames[d.Name]
	d.X_FD = r.X_WM.Mul(relative(r.models[0].frame, f))
	// the collision is the body itself, so that there is exactly one
	collisions := e.All("collision")
	if len(collisions) != 1 {
		r.Fail(e.Line, "link %q has %d collisions: a deformable link has one, a mesh of tetrahedra", d.Name, len(collisions))
		return d
	}
	c := collisions[0]
	c.Attr("name")
	g, ok := r.geometry(c, f)
	if !ok || g.Mesh == nil {
		r.Fail(c.Line, "link %q: the collision of a deformable link is a <mesh> of tetrahedra", d.Name)
		return d
	}
	if s := g.Mesh.Scale; !(s[0] > 0 && s[1] > 0 && s[2] > 0) {
		r.Fail(c.Line, "link %q: the scale (%g, %g, %g) of its mesh turns tetrahedra inside out: three positive factors are required", d.Name, s[0], s[1], s[2])
	}
	d.Mesh, d.Material, d.X_FD = g.Mesh, r.surface(c), d.X_FD.Mul(g.X_LG)
	// pictures show the mesh itself, in the colour of the visual
	for _, v := range e.All("visual") {
		d.Color = r.color(v)
		v.MarkRead()
	}
	d.Walls = r.walls(e)
	return d
}

// law reads the constitutive law.
func (r *reader) law(p *robot.Element, d *robot.Deformable) {
	// absent: Drake's default
	model := ""
	if m := r.One(p, "drake:material_model"); m != nil {
		model = m.Content()
		if model == "corotated" {
			r.Warn(m.Line, "link %q: the material model corotated is read as linear_corotated, which differs from it in large strains", d.Name)
		}
	}
	law, ok := laws[model]
	if d.Law = law; !ok {
		r.Fail(p.Line, "link %q: the material model %q is not known: linear_corotated, corotated, neohookean and linear are", d.Name, model)
	}
}

// walls reads the planes behind which vertices are fixed.
func (r *reader) walls(e *robot.Element) (walls []robot.Wall) {
	for _, w := range e.All("drake:wall_boundary_condition") {
		// one that is absent is a fault
		r.name(w, "drake:point_on_plane")
		r.name(w, "drake:outward_normal")
		wall := robot.Wall{Point: r.vec(w, "drake:point_on_plane", r3.Vec{}), Normal: r.vec(w, "drake:outward_normal", r3.Vec{})}
		if wall.Normal == (r3.Vec{}) && r.Err == nil {
			r.Fail(w.Line, "<drake:wall_boundary_condition>: its normal is zero: give a direction such as 0 0 1")
		}
		walls = append(walls, wall)
	}
	return walls
}

// rigid returns the number of a link that a joint connects, named by its frame. A deformable one is a fault.
func (r *reader) rigid(joint *robot.Joint, name string, links map[string]int) int {
	i, ok := links[name]
	if !ok && r.Err == nil {
		r.Fail(joint.Line, "joint %q: link %q is deformable, and joints connect rigid links: attach its vertices by drake:wall_boundary_condition, or attach a deformable of the scene", joint.Name, name)
	}
	return i
}
