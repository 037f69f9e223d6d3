package mjcf

import (
	"math"
	"strconv"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// geom reads a shape of a link. Where weigh is not nil, the shape's mass is added
// to it.
func (r *reader) geom(l *robot.Link, it item, number int, weigh *geometry.MassProperties) {
	v := r.view(it.e, "geom", it.class)
	look := r.paint(v)
	g := robot.Geometry{Line: it.e.Line, Color: look.color}
	own := mask{r.bits(v, "contype"), r.bits(v, "conaffinity")}
	collides := own != mask{}
	kind, at, ok := v.get("type")
	if !ok {
		kind, at = "sphere", it.e
	}
	kind = r.choice(at, "type", kind, "sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
	switch _, _, fits := v.get("mesh"); {
	case r.Err != nil:
		return
	case kind == "plane" || kind == "hfield":
		if number != 0 && kind == "plane" {
			r.Fail(it.e.Line, "body %q: a plane moves with no body: move it into <worldbody>, or use a box", l.Name)
		}
		r.landscape(it.e, kind)
		return
	case kind == "sdf":
		if collides || weigh != nil {
			r.Fail(it.e.Line, "body %q: the shape of a <geom> is a plugin's: use box, sphere, cylinder, capsule, ellipsoid or mesh", l.Name)
		}
		it.e.MarkUnread()
		return
	case fits && kind != "mesh":
		r.Fail(it.e.Line, "body %q: a %s is not fitted to a mesh here: give its size and leave out mesh, or give type=\"mesh\"", l.Name, kind)
		return
	}
	r.form(v, it, kind, &g)
	if r.Err != nil {
		return
	}
	if weigh != nil {
		r.add(weigh, v, &g)
	}
	group := r.number(v, "group", 0)
	if collides {
		g.Material = r.surface(v)
		if group <= 2 && !look.clear {
			r.shown = append(r.shown, g)
		}
		r.bodies[number].masks[own] = true
		l.Collisions = append(l.Collisions, g)
	} else if !look.clear {
		l.Visuals = append(l.Visuals, g)
	}
}

// landscape warns of what the world has and robots have not.
func (r *reader) landscape(e *robot.Element, kind string) {
	e.MarkRead()
	if kind == "plane" {
		r.planes.add(e.Line)
	} else {
		r.Warn(e.Line, "ignored: a <geom> of type hfield: give the scene a body with a mesh of the ground")
	}
}

// form sets what a geom is and where. Sizes are half of what is seen.
func (r *reader) form(v view, it item, kind string, g *robot.Geometry) {
	size := []float64{0, 0, 0}
	n := 0
	for i := len(v) - 1; i >= 0; i-- {
		if x := r.numbers(v[i], "size", 1, 3); x != nil {
			n = max(n, copy(size, x))
		}
	}
	need := map[string]int{"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
	if text, at, ok := v.get("fromto"); ok && kind != "mesh" {
		if kind == "sphere" {
			r.Fail(at.Line, "<geom fromto>: a sphere has no ends: leave it out, or give type=\"capsule\"")
			return
		}
		g.X_LG = it.X_BI.Mul(r.between(at, text, size))
		if kind == "box" || kind == "ellipsoid" {
			size[1], size[2] = size[0], size[1]
		}
		if n > 0 {
			n = need
		}
	} else {
		g.X_LG = it.X_BI.Mul(r.pose(v))
	}
	if kind == "mesh" {
		r.meshGeom(v, g)
		return
	}
	ok := n >= need
	for _, x := range size[:need] {
		ok = ok && x > 0 && x < robot.MaxLength
	}
	if !ok {
		if r.Err == nil {
			r.Fail(it.e.Line, "<geom type=%q>: its size wants %s, m: %s", kind, positive[need], sizes[kind])
		}
		return
	}
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

// positive says how many numbers a size has.
var positive = [...]string{1: "a positive number", 2: "two positive numbers", 3: "three positive numbers"}

// sizes says what the numbers are.
var sizes = map[string]string{
	"sphere": "its radius", "capsule": "radius and half the length, or radius and fromto", "cylinder": "radius and half the length, or radius and fromto",
	"box": "half its edges", "ellipsoid": "its semi-axes",
}

// between returns the frame in the middle of two points, with z from the second to
// the first as in MuJoCo; size[1] becomes half their distance.
func (r *reader) between(at *robot.Element, text string, size []float64) r3.Pose {
	X := r3.PoseIdentity()
	x := r.parse(at, "fromto", text, 6, 6)
	if x == nil {
		return X
	}
	for _, c := range x {
		if math.Abs(c) > robot.MaxLength {
			r.Fail(at.Line, "<geom fromto=%.40q>: %g is too large", text, c)
			return X
		}
	}
	a, b := r3.Vec(x[:3]), r3.Vec(x[3:])
	d := a.Sub(b)
	if !(d.Norm() > 1e-12) {
		r.Fail(at.Line, "<geom fromto=%.40q>: the ends are one point: a length is wanted", text)
		return X
	}
	size[1] = d.Norm() / 2
	return r3.Pose{R: r3.RotExp(toward(d.Unit())), P: a.Lerp(b, 0.5)}
}

// bits returns the mask of an attribute, 1 when nothing gives it.
func (r *reader) bits(v view, name string) uint32 {
	text, at, ok := v.get(name)
	if !ok {
		return 1
	}
	x := r.ParseNumber(at, name, text)
	if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		r.Fail(at.Line, "<geom %s=%s>: a whole number of 32 bits is wanted", name, strconv.Quote(text))
		return 0
	}
	return uint32(int64(x))
}

// paint is how a geom looks.
type paint struct {
	color string // #rrggbb; empty: none is given
	clear bool   // nothing is seen of it
}

// paint returns a geom's colour or its material's.
func (r *reader) paint(v view) paint {
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

func (r *reader) rgba(at *robot.Element, text string) paint {
	x := r.parse(at, "rgba", text, 3, 4)
	if x == nil {
		return paint{}
	}
	return paint{robot.HexColor([3]float64(x[:3])), len(x) == 4 && x[3] == 0}
}

// surface returns the first number of friction, of sliding, where the file says
// one.
func (r *reader) surface(v view) robot.ContactMaterial {
	nan := math.NaN()
	s := robot.ContactMaterial{Stiffness: nan, Dissipation: nan, RelaxationTime: nan, StaticFriction: nan, Friction: nan, HydroelasticModulus: nan, ResolutionHint: nan}
	friction := []float64{1, 0, 0}
	if r.merged(v, "friction", friction) {
		if friction[0] < 0 {
			r.Fail(v[0].Line, "<geom friction>: friction must not be negative")
		}
		s.StaticFriction, s.Friction = friction[0], friction[0]
	}
	return s
}
