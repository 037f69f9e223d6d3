package urdf

import (
	"fmt"
	"io"
	"math"
	"strings"

	"curlfree/r3"
)

// Parse reads a URDF. name stands for the file in messages. The error names
// file, line, what is wrong and how to mend it; warnings list everything that
// was ignored.
func Parse(in io.Reader, name string) (*Robot, []Warning, error) {
	root, err := readTree(in, name)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{file: name}
	if root.name != "robot" {
		return nil, nil, &Error{name, root.line, fmt.Sprintf("the root element is <%s>: a URDF begins with <robot>", root.name)}
	}
	if len(root.all("xacro:macro"))+len(root.all("xacro:property"))+len(root.all("xacro:include")) > 0 {
		return nil, nil, &Error{name, root.line, "this is a xacro file: run xacro on it first and give the URDF that comes out"}
	}
	robot := &Robot{}
	robot.Name, _ = root.attr("name")
	root.attr("version")
	colors := r.colors(root)
	links := map[string]int{}
	for _, e := range root.all("link") {
		l := r.link(e, colors)
		if _, twice := links[l.Name]; twice {
			r.fail(e.line, "a second link is called %q: names must differ", l.Name)
		}
		links[l.Name] = len(robot.Links)
		robot.Links = append(robot.Links, l)
	}
	r.joints(root, robot, links)
	r.transmissions(root, robot)
	r.tree(robot)
	if r.err != nil {
		return nil, nil, r.err
	}
	r.ignored(root)
	return robot, r.warnings, nil
}

// colors reads the materials that visuals refer to.
func (r *reader) colors(root *element) map[string]string {
	colors := map[string]string{}
	for _, e := range root.all("material") {
		if name, ok := e.attr("name"); ok {
			if c := r.color(e); c != "" {
				colors[name] = c
			}
		}
	}
	return colors
}

func (r *reader) color(material *element) string {
	e := r.one(material, "color")
	if e == nil {
		return ""
	}
	s := r.text(e, "rgba")
	f := strings.Fields(s)
	if len(f) != 4 {
		r.fail(e.line, "<color rgba=%q>: four numbers are wanted", s)
		return ""
	}
	var c [3]int
	for i := range c {
		c[i] = int(math.Round(255 * min(1, max(0, r.parse(e, "rgba", f[i])))))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

func (r *reader) link(e *element, colors map[string]string) Link {
	l := Link{Name: r.text(e, "name"), Line: e.line}
	if in := r.one(e, "inertial"); in != nil {
		l.Inertial = r.inertial(in, l.Name)
	}
	for _, v := range e.all("visual") {
		v.attr("name")
		g := r.geometry(v)
		if m := r.one(v, "material"); m != nil {
			name, _ := m.attr("name")
			if g.Color = r.color(m); g.Color == "" {
				g.Color = colors[name]
			} else if name != "" && colors[name] == "" {
				colors[name] = g.Color // defined where first used
			}
		}
		l.Visuals = append(l.Visuals, g)
	}
	for _, c := range e.all("collision") {
		c.attr("name")
		g := r.geometry(c)
		g.Surface = r.surface(c)
		l.Collisions = append(l.Collisions, g)
	}
	return l
}

func (r *reader) inertial(e *element, link string) *Inertial {
	X := r.origin(e)
	m, i := r.one(e, "mass"), r.one(e, "inertia")
	in := &Inertial{Com: X.P}
	if m == nil {
		r.fail(e.line, "link %q: <inertial> has no <mass>", link)
		return in
	}
	in.Mass = r.number(m, "value", math.NaN())
	if math.IsNaN(in.Mass) || in.Mass < 0 {
		r.fail(m.line, "link %q: its mass is %g kg: it must not be negative", link, in.Mass)
	}
	if i == nil {
		if in.Mass > 0 {
			r.warn(e.line, "link %q has a mass but no <inertia>: taken as a point mass", link)
		}
		return in
	}
	xx, yy, zz := r.number(i, "ixx", 0), r.number(i, "iyy", 0), r.number(i, "izz", 0)
	xy, xz, yz := r.number(i, "ixy", 0), r.number(i, "ixz", 0), r.number(i, "iyz", 0)
	in.Inertia = X.R.Mul(r3.Mat{xx, xy, xz, xy, yy, yz, xz, yz, zz}).Mul(X.R.T())
	return in
}

func (r *reader) geometry(e *element) Geometry {
	g := Geometry{Line: e.line, Origin: r.origin(e)}
	s := r.one(e, "geometry")
	if s == nil {
		r.fail(e.line, "<%s> has no <geometry>", e.name)
		return g
	}
	kinds := 0
	positive := func(c *element, name string) float64 {
		x := r.number(c, name, math.NaN())
		if !(x > 0) {
			r.fail(c.line, "<%s %s>: a positive number of metres is wanted", c.name, name)
		}
		return x
	}
	if c := r.one(s, "box"); c != nil {
		kinds++
		size := r.vec(c, "size", r3.Vec{})
		if !(min(size[0], size[1], size[2]) > 0) {
			r.fail(c.line, "<box size>: three positive numbers are wanted")
		}
		g.Box = &size
	}
	if c := r.one(s, "sphere"); c != nil {
		kinds++
		g.Sphere = positive(c, "radius")
	}
	if c := r.one(s, "cylinder"); c != nil {
		kinds++
		g.Cylinder = &Round{positive(c, "radius"), positive(c, "length")}
	}
	for _, name := range []string{"capsule", "drake:capsule"} {
		if c := r.one(s, name); c != nil {
			kinds++
			g.Capsule = &Round{positive(c, "radius"), positive(c, "length")}
		}
	}
	if c := r.one(s, "mesh"); c != nil {
		kinds++
		g.Mesh = &Mesh{File: r.text(c, "filename"), Scale: r.vec(c, "scale", r3.Vec{1, 1, 1})}
	}
	if kinds != 1 {
		r.fail(s.line, "<geometry> of <%s>: exactly one of box, sphere, cylinder, capsule and mesh is wanted", e.name)
	}
	return g
}

// surface reads drake:proximity_properties.
func (r *reader) surface(e *element) Surface {
	nan := math.NaN()
	s := Surface{nan, nan, nan, nan, nan, nan}
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
	} {
		if c := r.one(p, f.name); c != nil {
			*f.dst = r.number(c, "value", nan)
		}
	}
	return s
}
