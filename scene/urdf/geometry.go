package urdf

// Shapes of visuals and collisions. URDF gives full sizes: the edges of a box, the length of
// a cylinder, which is along z; of a capsule the length without its caps. The origin of a
// shape is its centre.
//
// A box, sphere or cylinder of size 0 is what CAD exports leave of a part without a shape: it is
// left out with a warning. A negative size is a fault, since nothing says what was meant.

import (
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// geometry reads the shape of a visual or collision. It returns false where the shape is
// of an unknown kind.
func (r *reader) geometry(e *robot.Element) (g robot.Geometry, ok bool) {
	g = robot.Geometry{Line: e.Line, X_LG: r.origin(e)}
	r.leftOut = false
	s := r.One(e, "geometry")
	if s == nil {
		r.Repair(e.Line, "a <%s> has no <geometry>: left out", e.Name)
		r.leftOut = true
		return g, false
	}
	shapes, ok := r.shapes(s, &g)
	if !ok {
		return g, false
	}
	if g.Mesh != nil && r.One(s, "drake:declare_convex") != nil {
		g.Mesh.ConvexHull = true
	}
	// The format allows one shape for each visual or collision; a link may have several of these.
	if shapes != 1 {
		r.Fail(s.Line, "<geometry> of <%s>: exactly one of box, sphere, cylinder, capsule, drake:ellipsoid and mesh is required", e.Name)
	}
	return g, !r.leftOut
}

// shapes reads the one child of <geometry> that is the shape; it returns their number, and false
// where a shape cannot be used.
func (r *reader) shapes(s *robot.Element, g *robot.Geometry) (n int, ok bool) {
	for _, c := range s.Children {
		// beside the mesh, not in it, where it belongs
		if c.Name == "drake:declare_convex" {
			continue
		}
		n++
		if r.One(s, c.Name) != c { // a second one of this kind is left out already
			continue
		}
		if !r.shape(c, g) {
			c.MarkUnread()
			return n, false
		}
	}
	return n, true
}

// shape reads a shape by the name of its element; false where it is unknown.
func (r *reader) shape(e *robot.Element, g *robot.Geometry) bool {
	switch e.Name {
	case "box":
		g.Box = r.box(e)
	case "sphere":
		g.Sphere = r.length(e, "radius")
	case "cylinder":
		g.Cylinder = r.round(e)
	case "capsule", "drake:capsule":
		g.Capsule = r.round(e)
	case "drake:ellipsoid":
		// Drake's tag gives the semi-axes along x, y and z.
		g.Ellipsoid = &r3.Vec{r.length(e, "a"), r.length(e, "b"), r.length(e, "c")}
	case "mesh":
		g.Mesh = r.mesh(e)
	// Bullet's tag.
	case "plane":
		e.MarkRead()
		r.Repair(e.Line, "a <plane> has no end and is left out: give the scene a body with a half_space")
		r.leftOut = true
	default:
		return false
	}
	return true
}

// noExtent leaves out a shape that has a size of 0, which exporters write for no shape.
func (r *reader) noExtent(e *robot.Element) {
	if !r.leftOut {
		r.Repair(e.Line, "a <%s> with a size of 0 is left out", e.Name)
	}
	r.leftOut = true
}

// length returns an attribute in m; that it is absent or negative is a fault.
func (r *reader) length(e *robot.Element, name string) float64 {
	r.RequiredText(e, name)
	x := r.Number(e, name, 1)
	if x == 0 && r.Err == nil {
		r.noExtent(e)
		return 1
	}
	if !(x > 0) {
		r.Fail(e.Line, "<%s %s>: a positive number is required, m", e.Name, name)
	}
	return x
}

// round reads the size of a cylinder or capsule.
func (r *reader) round(e *robot.Element) *robot.Round {
	return &robot.Round{Radius: r.length(e, "radius"), Length: r.length(e, "length")}
}

// mesh reads the reference to a mesh file.
func (r *reader) mesh(e *robot.Element) *robot.Mesh {
	m := &robot.Mesh{File: r.RequiredText(e, "filename"), ConvexHull: r.One(e, "drake:declare_convex") != nil}
	// One factor for all axes is not in the format, but written.
	if text, _ := e.Attr("scale"); len(strings.Fields(text)) == 1 {
		s := r.ParseNumber(e, "scale", text)
		m.Scale = r3.Vec{s, s, s}
		r.Repair(e.Line, "<mesh scale=%q>: three factors are required: this one is taken for all axes", text)
	} else {
		m.Scale = r.Vec(e, "scale", r3.Vec{1, 1, 1})
	}
	// A negative factor mirrors the mesh, which exporters use; zero has no meaning.
	if m.Scale[0]*m.Scale[1]*m.Scale[2] == 0 {
		r.Fail(e.Line, "<mesh scale>: the scale (%g, %g, %g) flattens the mesh: no component may be 0", m.Scale[0], m.Scale[1], m.Scale[2])
	}
	return m
}

// origin returns the pose in a child <origin>, the identity where there is none.
func (r *reader) origin(e *robot.Element) r3.Pose {
	o := r.One(e, "origin")
	if o == nil {
		return r3.PoseIdentity()
	}
	// R = Rz(yaw) Ry(pitch) Rx(roll): rotations about fixed axes, roll first
	return r3.Pose{R: r.RPY(o.Line, "<origin rpy>", r.Vec(o, "rpy", r3.Vec{})), P: r.Vec(o, "xyz", r3.Vec{})}
}

// box reads the edges of a box, m. CAD exports have boxes without extent, which are no shape;
// one without a size is a fault.
// Sizes are full edge lengths.
func (r *reader) box(e *robot.Element) *r3.Vec {
	size := r.Vec(e, "size", r3.Vec{})
	_, given := e.Attr("size")
	switch least := min(size[0], size[1], size[2]); {
	case given && least == 0:
		r.noExtent(e)
	case !(least > 0):
		r.Fail(e.Line, "<box size>: three positive numbers are required, m")
	}
	return &size
}
