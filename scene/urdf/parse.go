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
	robot := &Robot{}
	robot.Name, _ = root.attr("name")
	root.attr("version")
	colors := r.colors(root)
	links := map[string]int{}
	for _, e := range root.all("link") {
		l := r.link(e, colors)
		if _, twice := links[l.Name]; twice {
			r.fail(e.line, "a second link is called %q (the first is in line %d): names must differ", l.Name, robot.Links[links[l.Name]].Line)
		}
		links[l.Name] = len(robot.Links)
		robot.Links = append(robot.Links, l)
	}
	joints := r.joints(root, robot, links)
	r.transmissions(root, robot, joints)
	r.filters(root, robot, links)
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
		g, ok := r.geometry(v)
		if m := r.one(v, "material"); m != nil {
			name, _ := m.attr("name")
			if g.Color = r.color(m); g.Color == "" {
				g.Color = colors[name]
			} else if name != "" && colors[name] == "" {
				colors[name] = g.Color // defined where first used
			}
		}
		if ok { // else listed as ignored
			l.Visuals = append(l.Visuals, g)
		}
	}
	for _, c := range e.all("collision") {
		c.attr("name")
		g, ok := r.geometry(c)
		if !ok && r.err == nil {
			r.fail(c.line, "link %q: the shape of a <collision> is not supported: use box, sphere, cylinder, capsule or mesh", l.Name)
		}
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
	r.text(m, "value")
	if in.Mass = r.number(m, "value", 0); in.Mass < 0 {
		r.fail(m.line, "link %q: its mass is %g kg: it must not be negative", link, in.Mass)
	}
	if i == nil {
		if in.Mass > 0 {
			r.warn(e.line, "link %q has a mass but no <inertia>: taken as a point mass", link)
		}
		return in
	}
	for _, name := range []string{"ixx", "iyy", "izz"} {
		r.text(i, name)
	}
	xx, yy, zz := r.number(i, "ixx", 0), r.number(i, "iyy", 0), r.number(i, "izz", 0)
	xy, xz, yz := r.number(i, "ixy", 0), r.number(i, "ixz", 0), r.number(i, "iyz", 0)
	in.Inertia = X.R.Mul(r3.Mat{xx, xy, xz, xy, yy, yz, xz, yz, zz}).Mul(X.R.T())
	return in
}
