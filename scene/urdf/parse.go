package urdf

import (
	"fmt"
	"io"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// The order of reading follows who refers to whom by name:
//
//	materials ← visuals of links ← joints ← mimics, transmissions, collision groups
//
// so that an unknown name is reported at the line where it is used. URDF allows any order in
// the file.

// reader interprets the elements of a URDF.
type reader struct {
	robot.Reader
	// leftOut reports that the last shape has no extent, or no end, and was left out with a warning.
	leftOut bool
}

// Parse reads a URDF. The parameter name stands for the file in messages. The error is
// a *robot.Error with file, line, fault and remedy. The warnings list all elements
// that were ignored and all assumptions, sorted by line.
func Parse(in io.Reader, name string) (*robot.Robot, []robot.Warning, error) {
	// XML first: what is no XML, or still has macros, is a fault.
	root, err := robot.ReadElements(in, name, "URDF", "robot")
	if err != nil {
		return nil, nil, err
	}
	r := &reader{Reader: robot.Reader{File: name}}
	if root.Name != "robot" {
		return nil, nil, &robot.Error{File: name, Line: root.Line, Msg: fmt.Sprintf("the root element is <%s>: a URDF begins with <robot>", root.Name)}
	}
	m := &robot.Robot{X_FR: r3.PoseIdentity()}
	m.Name, _ = root.Attr("name")
	root.Attr("version") // 1.0, the only one
	// Links are numbered in the order of the file.
	links := r.links(root, m)
	// Bullet's deformable bodies are no robots.
	for _, tag := range []string{"deformable", "reduced_deformable"} {
		if d := r.One(root, tag); d != nil && len(m.Links) == 0 {
			r.Fail(d.Line, "a <%s> is no robot: give its mesh to the deformables of the scene", tag)
		}
	}
	// Joints refer to links, motors and mimics to joints.
	r.worldLink(root, m, links)
	joints := r.joints(root, m, links)
	// Motors and collision groups refer to joints and links.
	r.transmissions(root, m, joints)
	r.ExcludePairs(r.filters(root), m, links)
	r.balls(root, m, links)
	// loops are opened and free roots joined first, then inertias are made physical
	// The links have to be one tree.
	r.FindRoot(m)
	if r.Err != nil {
		return nil, nil, r.Err
	}
	r.MendInertias(m)
	r.HoldMassless(m)
	r.WarnUnread(root)
	return m, r.Warnings, nil
}

// links reads all links and returns their numbers by name.
func (r *reader) links(root *robot.Element, m *robot.Robot) map[string]int {
	colors := r.colors(root)
	numbers := map[string]int{}
	for _, e := range root.All("link") {
		l := r.link(e, colors)
		if _, twice := numbers[l.Name]; twice {
			r.Fail(e.Line, "a second link is called %q (the first is in line %d): names must differ", l.Name, m.Links[numbers[l.Name]].Line)
		}
		numbers[l.Name] = len(m.Links)
		m.Links = append(m.Links, l)
	}
	return numbers
}

// worldLink adds the link world where joints hang on it but the file does not describe it, as Drake
// does.
func (r *reader) worldLink(root *robot.Element, m *robot.Robot, links map[string]int) {
	const world = "world"
	if _, described := links[world]; described {
		return
	}
	// Children, unlike All, marks nothing as read: joints are read later
	for _, e := range root.Children {
		if e.Name != "joint" && e.Name != "drake:joint" {
			continue
		}
		for _, p := range e.Children {
			if name, _ := p.Attr("link"); p.Name == "parent" && name == world {
				links[world] = len(m.Links)
				m.Links = append(m.Links, robot.Link{Name: world, Line: p.Line})
				return
			}
		}
	}
}

// colors returns the colours of the robot's materials by name, which visuals refer to.
func (r *reader) colors(root *robot.Element) map[string]string {
	colors := map[string]string{}
	// A material of the robot is a name for a colour; one with a texture alone has no colour here.
	for _, e := range root.All("material") {
		if name, ok := e.Attr("name"); ok {
			if c := r.color(e); c != "" {
				colors[name] = c
			}
		}
	}
	return colors
}

// color returns the colour of a material as #rrggbb, empty where it gives none.
func (r *reader) color(material *robot.Element) string {
	e := r.One(material, "color")
	if e == nil {
		return ""
	}
	s := r.RequiredText(e, "rgba")
	// red, green, blue and alpha, each from 0 to 1; alpha is not used
	f := strings.Fields(s)
	if len(f) != 4 {
		r.Fail(e.Line, "<color rgba=%q>: four numbers are required", s)
		return ""
	}
	var c [3]float64
	for i := range c {
		c[i] = r.ParseNumber(e, "rgba", f[i])
	}
	return robot.HexColor(c)
}

// link reads a link with its inertia and shapes; colors are those of materials by name.
// A visual of unknown shape is ignored, a collision of unknown shape is a fault.
func (r *reader) link(e *robot.Element, colors map[string]string) robot.Link {
	l := robot.Link{Name: r.RequiredText(e, "name"), Line: e.Line}
	// Without an inertial a link has no mass.
	if in := r.One(e, "inertial"); in != nil {
		l.Inertial = r.inertial(in, l.Name)
	}
	// A visual may be of any number; each is a shape with a colour.
	for _, v := range e.All("visual") {
		// names of shapes have no use here
		v.Attr("name")
		g, ok := r.geometry(v)
		if m := r.One(v, "material"); m != nil {
			name, _ := m.Attr("name")
			if g.Color = r.color(m); g.Color == "" {
				g.Color = colors[name]
			} else if name != "" && colors[name] == "" {
				colors[name] = g.Color // a visual may define a material for those that follow
			}
		}
		if ok { // otherwise it is listed as ignored
			l.Visuals = append(l.Visuals, g)
		}
	}
	// Collision shapes take part in contact, so that each of them must be known.
	for _, c := range e.All("collision") {
		c.Attr("name")
		g, ok := r.geometry(c)
		if !ok && r.leftOut {
			continue
		}
		if !ok {
			r.Repair(c.Line, "link %q: the shape of a <collision> is not simulated, it touches nothing: use box, sphere, cylinder, capsule, drake:ellipsoid or mesh", l.Name)
			continue
		}
		// contact parameters, by Drake's tags
		g.Material = r.ProximityProperties(c, r.ChildValue)
		l.Collisions = append(l.Collisions, g)
	}
	return l
}

// inertial reads mass and inertia. The <origin> of an inertial is the centre of mass and
// turns the axes that the moments are given in; they are returned in the link's.
func (r *reader) inertial(e *robot.Element, link string) *robot.Inertial {
	X := r.origin(e)
	// A link may have a mass without moments: a point mass.
	m, i := r.One(e, "mass"), r.One(e, "inertia")
	in := &robot.Inertial{Com: X.P}
	if m == nil {
		r.Fail(e.Line, "link %q: <inertial> has no <mass>", link)
		return in
	}
	r.RequiredText(m, "value")
	if in.Mass = r.Number(m, "value", 0); in.Mass < 0 {
		r.Fail(m.Line, "link %q: its mass is %g kg: it must not be negative", link, in.Mass)
	}
	if i == nil {
		if in.Mass > 0 {
			r.Warn(e.Line, "link %q has a mass but no <inertia>: taken as a point mass", link)
		}
		return in
	}
	// moments about the centre of mass, in the axes of the <inertial>
	// The diagonal has to be there, the products may be left out.
	for _, name := range []string{"ixx", "iyy", "izz"} {
		r.RequiredText(i, name)
	}
	// The matrix I is symmetric, with the products as its entries.
	xx, yy, zz := r.Number(i, "ixx", 0), r.Number(i, "iyy", 0), r.Number(i, "izz", 0)
	xy, xz, yz := r.Number(i, "ixy", 0), r.Number(i, "ixz", 0), r.Number(i, "iyz", 0)
	// from the axes of the inertial to those of the link: R I Rᵀ
	in.Inertia = X.R.Mul(r3.Mat{xx, xy, xz, xy, yy, yz, xz, yz, zz}).Mul(X.R.T())
	return in
}
