package mjcf

// Shapes. Sizes in MJCF are radii and half lengths. A shape between two points (fromto) has
// its z axis from the second to the first. Shapes whose contype and conaffinity are both 0
// touch nothing: they are visuals.
//
//	type        size                       read as
//	sphere      radius                     Sphere, radius
//	capsule     radius, half length        Capsule, radius and full length without its caps
//	cylinder    radius, half length        Cylinder, radius and full length
//	box         half edges                 Box, full edges
//	ellipsoid   semi-axes                  Ellipsoid, semi-axes
//	mesh        none                       Mesh, its convex hull in contact
//	plane       ignored with a warning, in <worldbody>; a fault elsewhere
//	hfield      none                       Mesh of the solid below it, without mass, see hfields.go
//	sdf         none                       Mesh, the solid itself in contact; a plugin's is a fault if it has mass or contact
//
// Lengths are in m and along z. The origin is the centre. A capsule or cylinder by fromto has its
// axis between two points of the body, and a size of one number, the radius.

import (
	"math"
	"strconv"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// geom reads a shape of a link, on the body of this number. If total is not nil, the mass of the shape is
// added to it.
func (r *reader) geom(l *robot.Link, it item, number int, total *geometry.MassProperties) {
	// its attributes with the defaults, its appearance and its contact mask
	v := r.view(it.e, "geom", it.class)
	look := r.paint(v)
	g := robot.Geometry{Line: it.e.Line, Color: look.color}
	own := mask{r.bits(v, "contype"), r.bits(v, "conaffinity")}
	collides := own != mask{} // a geom without masks takes no part in contact
	kind, ok := r.geomType(v, it, l.Name, number, collides || total != nil)
	if !ok {
		return
	}
	if r.form(v, it, kind, &g); r.Err != nil {
		return
	}
	// Its mass, unless the body has one of its own. A height field is ground and has none.
	if total != nil && kind != "hfield" {
		r.add(total, v, &g)
	}
	group := r.number(v, "group", 0)
	// A shape in contact is a collision, and shown in the groups 0 to 2; any other is a visual.
	switch {
	case collides:
		g.Material = r.surface(v)
		if group <= 2 && !look.clear { // the groups that MuJoCo shows
			r.shown = append(r.shown, g)
		}
		r.bodies[number].masks[own] = true
		l.Collisions = append(l.Collisions, g)
	case !look.clear:
		l.Visuals = append(l.Visuals, g)
	}
}

// geomType returns the type of a geom; false where it is not read, after a warning or a
// fault. A geom that matters has mass or takes part in contact.
func (r *reader) geomType(v view, it item, body string, number int, matters bool) (kind string, ok bool) {
	kind, at, given := v.get("type")
	if !given {
		kind, at = "sphere", it.e
	}
	kind = r.choice(at, "type", kind, "sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
	// A geom whose type is no shape of a robot is warned of, or a fault where leaving it out matters.
	switch {
	case r.Err != nil:
		return kind, false
	case kind == "plane":
		if number != 0 {
			r.Repair(it.e.Line, "body %q: a plane moves with no body and is left out: give the scene a half_space, or use a box", body)
		}
		it.e.MarkRead()
		r.planes.add(it.e.Line) // reported once for all planes
		return kind, false
	case kind == "hfield":
		if name := v.text("hfield", ""); r.hfields[name] == nil {
			it.e.MarkRead()
			r.Warn(it.e.Line, "ignored: a <geom> of type hfield: there is no height field %q that can be read", name)
			return kind, false
		}
	case kind == "sdf":
		// a mesh without a plugin is its own distance field
		if plugin := it.e.All("plugin"); len(plugin) == 0 && v.text("mesh", "") != "" {
			return kind, true
		}
		if matters {
			r.Fail(it.e.Line, "body %q: the shape of a <geom> is a plugin's: use box, sphere, cylinder, capsule, ellipsoid or mesh", body)
		}
		it.e.MarkUnread()
		return kind, false
	}
	return kind, true
}

// form sets shape and pose of a geom. Sizes in MJCF are radii and half lengths.
func (r *reader) form(v view, it item, kind string, g *robot.Geometry) {
	size, n := r.size(v)
	// numbers that a size of this type has
	need := map[string]int{"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
	if text, at, ok := v.get("fromto"); ok && kind != "mesh" && kind != "sdf" {
		if kind == "sphere" {
			r.Fail(at.Line, "<geom fromto>: a sphere has no ends: leave it out, or give type=\"capsule\"")
			return
		}
		// The two points give the half length, the size only the radius.
		g.X_LG = it.X_BI.Mul(r.between(at, text, size))
		// the half length belongs to the z axis; the one number given applies to x and y
		if kind == "box" || kind == "ellipsoid" {
			size[1], size[2] = size[0], size[1]
		}
		// one number and two points are a complete size
		if n > 0 {
			n = need
		}
	} else {
		g.X_LG = it.X_BI.Mul(r.pose(v))
	}
	_, _, fits := v.get("mesh")
	switch {
	case kind == "mesh" || kind == "sdf":
		if r.meshGeom(v, g); g.Mesh != nil {
			g.Mesh.ConvexHull = kind == "mesh"
		}
		return
	case kind == "hfield":
		m := *r.hfields[v.text("hfield", "")]
		g.Mesh = &m
		return
	case fits:
		r.fit(v, kind, g)
		return
	}
	// The numbers that the type needs must be given and be lengths.
	if ok := r.sized(size[:need], n); !ok {
		if r.Err == nil {
			r.Fail(it.e.Line, "<geom type=%q>: its size needs %s, m: %s", kind, positive[need], sizes[kind])
		}
		return
	}
	setSize(g, kind, size)
}

// size returns the three numbers of a geom's size, m, and how many of them are given. They
// merge from the outermost class to the element itself.
func (r *reader) size(v view) (size []float64, n int) {
	size = []float64{0, 0, 0}
	for i := len(v) - 1; i >= 0; i-- {
		if x := r.numbers(v[i], "size", 1, 3); x != nil {
			// a shorter list keeps the rest of the class's
			n = max(n, copy(size, x))
		}
	}
	return size, n
}

// sized reports whether enough numbers of a size are given, n, and all are lengths.
func (r *reader) sized(size []float64, n int) bool {
	ok := n >= len(size)
	for _, x := range size {
		ok = ok && x > 0 && x < robot.MaxLength
	}
	return ok
}

// setSize sets the shape of a geom from its type and the numbers of its size.
// Half lengths and half edges of the file become whole ones, m.
func setSize(g *robot.Geometry, kind string, size []float64) {
	switch kind {
	case "sphere":
		g.Sphere = size[0]
	case "capsule":
		g.Capsule = &robot.Round{Radius: size[0], Length: 2 * size[1]}
	case "cylinder":
		g.Cylinder = &robot.Round{Radius: size[0], Length: 2 * size[1]}
	case "box":
		g.Box = &r3.Vec{2 * size[0], 2 * size[1], 2 * size[2]}
	case "ellipsoid":
		g.Ellipsoid = &r3.Vec{size[0], size[1], size[2]}
	}
}

// positive says in words how many numbers a size has.
var positive = [...]string{1: "a positive number", 2: "two positive numbers", 3: "three positive numbers"}

// sizes describes what the numbers of a size are, by the type of the geom.
var sizes = map[string]string{
	"sphere": "its radius", "capsule": "radius and half the length, or radius and fromto", "cylinder": "radius and half the length, or radius and fromto",
	"box": "half its edges", "ellipsoid": "its semi-axes",
}

// between returns the frame in the middle of two points, with its z axis from the second
// to the first, as in MuJoCo, and sets size[1] to half their distance.
func (r *reader) between(at *robot.Element, text string, size []float64) r3.Pose {
	X := r3.PoseIdentity()
	x := r.parse(at, "fromto", text, 6, 6)
	if x == nil {
		return X
	}
	// Coordinates are bounded, so that their products do not overflow.
	for _, c := range x {
		if math.Abs(c) > robot.MaxLength {
			r.Fail(at.Line, "<geom fromto=%.40q>: %g is too large", text, c)
			return X
		}
	}
	a, b := r3.Vec(x[:3]), r3.Vec(x[3:])
	// z points from the second point to the first
	d := a.Sub(b)
	if !(d.Norm() > 1e-12) {
		r.Fail(at.Line, "<geom fromto=%.40q>: the ends are one point: a length is required", text)
		return X
	}
	size[1] = d.Norm() / 2
	// the shortest rotation, because the points say nothing of the rotation about z
	return r3.Pose{R: r3.RotExp(toward(d.Unit())), P: a.Lerp(b, 0.5)}
}

// bits returns the bit mask in an attribute, 1 where no element gives it.
func (r *reader) bits(v view, name string) uint32 {
	text, at, ok := v.get(name)
	if !ok {
		return 1
	}
	// The mask is a signed number of 32 bits, of which the bits count: −1 has all.
	x := r.ParseNumber(at, name, text)
	if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		r.Fail(at.Line, "<geom %s=%s>: a whole number of 32 bits is required", name, strconv.Quote(text))
		return 0
	}
	return uint32(int64(x))
}

// paint is the appearance of a geom.
type paint struct {
	color string // #rrggbb; empty: none is given
	clear bool   // it is transparent
}

// paint returns the appearance of a geom, or of its material.
func (r *reader) paint(v view) paint {
	// The geom's own colour, or that of a class, counts before the material's.
	if text, at, ok := v.get("rgba"); ok {
		return r.rgba(at, text)
	}
	text, at, ok := v.get("material")
	if !ok {
		return paint{}
	}
	p, known := r.materials[text]
	if !known {
		r.Fail(at.Line, "<geom>: there is no material %q: add one to <asset>, or leave it out", text)
	}
	return p
}

// rgba reads red, green, blue and perhaps alpha, each from 0 to 1.
func (r *reader) rgba(at *robot.Element, text string) paint {
	x := r.parse(at, "rgba", text, 3, 4)
	if x == nil {
		return paint{}
	}
	// An alpha of 0 makes a shape invisible; others have no use here.
	return paint{robot.HexColor([3]float64(x[:3])), len(x) == 4 && x[3] == 0}
}

// surface returns the sliding friction, which is the first number of friction, where
// the file gives one. It has no other contact parameters with a counterpart here.
func (r *reader) surface(v view) (s robot.ContactMaterial) {
	// sliding, torsional and rolling friction
	friction := []float64{1, 0, 0}
	if r.merged(v, "friction", friction) {
		if friction[0] < 0 {
			r.Fail(v[0].Line, "<geom friction>: friction must not be negative")
		}
		// MuJoCo has one coefficient for sticking and sliding.
		s.StaticFriction, s.Friction = &friction[0], &friction[0]
	}
	return s
}
