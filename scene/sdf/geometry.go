package sdf

// Shapes of visuals and collisions. SDFormat gives full sizes: the edges of a box, the
// length of a cylinder, which is along z; of a capsule the length without its caps.
// The origin of each shape is its centre, and its pose is measured in the link's frame unless
// relative_to names another. Cones and polylines become triangles, see triangles.go. A plane is left out
// with a warning, and a visual of unknown shape is listed as ignored. A collision of a shape that is not
// simulated is left out with a warning that the file was repaired, because contacts change. Height maps are in
// height_maps.go.
//
// A size of 0 is what exporters leave of a part without a shape, as in URDF; see noExtent.

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// geometry reads the shape of a visual or collision of a link. It returns false where
// there is none, or none that is known; the latter is repaired for a collision.
func (r *reader) geometry(e *robot.Element, link *frame) (g robot.Geometry, ok bool) {
	g = robot.Geometry{Line: e.Line, X_LG: r.in(link, e)}
	s := r.One(e, "geometry")
	if s == nil || len(s.Children) == 0 {
		r.Repair(e.Line, "link %q: a <%s> without a shape in its <geometry> is left out", link.name, e.Name)
		return g, false
	}
	// The one child of <geometry> is the shape; several polygons may be one.
	c := s.Children[0]
	shapes := s.All(c.Name)
	for _, other := range s.Children[1:] {
		if c.Name != "polyline" || other.Name != c.Name {
			r.Repair(other.Line, "link %q: a second shape, <%s>, in a <geometry> is left out: the first, <%s>, counts", link.name, other.Name, c.Name)
			s.All(other.Name)
			other.MarkRead()
		}
	}
	r.leftOut = false
	switch {
	case c.Name == "polyline":
		g.Mesh = r.polyline(shapes)
		return g, !r.leftOut && g.Mesh != nil
	case c.Name == "heightmap":
		r.heightmap(c, e.Name == "collision", &g)
		return g, !r.leftOut
	case r.shape(c, &g):
		return g, !r.leftOut
	// <empty> is a shape of no extent, which the format allows; planes are endless and belong to the scene.
	case c.Name == "empty":
	case c.Name == "plane":
		c.MarkRead()
		r.Warn(c.Line, "link %q: its <plane> is ignored: give the scene a body with a half_space", link.name)
	default:
		if c.MarkUnread(); e.Name == "collision" {
			r.Repair(c.Line, "link %q: the shape <%s> of a <collision> is not simulated, it touches nothing: use box, sphere, cylinder, capsule, cone, ellipsoid, heightmap, polyline or mesh", link.name, c.Name)
		}
	}
	return g, false
}

// shape reads a shape by the name of its element; false where it is not one of those
// that take part in contact.
func (r *reader) shape(e *robot.Element, g *robot.Geometry) bool {
	// A box has full edges, an ellipsoid semi-axes; round shapes lie along z.
	switch e.Name {
	case "box":
		g.Box = r.positive(e, "size", r.vec(e, "size", r3.Vec{}))
	case "sphere":
		g.Sphere = r.length(e, "radius")
	case "cylinder":
		g.Cylinder = r.round(e)
	case "capsule", "drake:capsule":
		g.Capsule = r.round(e)
	case "ellipsoid":
		g.Ellipsoid = r.positive(e, "radii", r.vec(e, "radii", r3.Vec{}))
	case "drake:ellipsoid":
		g.Ellipsoid = &r3.Vec{r.length(e, "a"), r.length(e, "b"), r.length(e, "c")}
	case "cone":
		g.Mesh = r.cone(e)
	case "mesh":
		g.Mesh = r.mesh(e)
	default:
		return false
	}
	return true
}

// positive returns the three lengths x, in m, of a child; that one is not positive is a
// fault.
func (r *reader) positive(e *robot.Element, child string, x r3.Vec) *r3.Vec {
	if r.One(e, child) != nil && min(x[0], x[1], x[2]) == 0 && r.Err == nil {
		r.noExtent(e)
	} else if !(min(x[0], x[1], x[2]) > 0) {
		r.Fail(e.Line, "<%s> of <%s>: three positive numbers are required, m", child, e.Name)
	}
	return &x
}

// noExtent leaves out a shape that has a size of 0, which exporters write for no shape.
func (r *reader) noExtent(e *robot.Element) {
	if !r.leftOut {
		r.Repair(e.Line, "a <%s> with a size of 0 is left out", e.Name)
	}
	r.leftOut = true
}

// round reads the size of a cylinder or capsule.
func (r *reader) round(e *robot.Element) *robot.Round {
	return &robot.Round{Radius: r.length(e, "radius"), Length: r.length(e, "length")}
}

// mesh reads the reference to a mesh file.
func (r *reader) mesh(e *robot.Element) *robot.Mesh {
	m := &robot.Mesh{File: joined(r.now.dir, r.name(e, "uri")), Scale: r.vec(e, "scale", r3.Vec{1, 1, 1}), ConvexHull: r.One(e, "drake:declare_convex") != nil}
	// A negative factor mirrors the mesh, which exporters use; zero has no meaning.
	if m.Scale[0]*m.Scale[1]*m.Scale[2] == 0 {
		r.Fail(e.Line, "<mesh> <scale>: the scale (%g, %g, %g) flattens the mesh: no component may be 0", m.Scale[0], m.Scale[1], m.Scale[2])
	}
	return m
}
