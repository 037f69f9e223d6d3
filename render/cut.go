package render

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Section view (clipping plane): a plane n·x = d cuts bodies open: points with n·x > d are removed. An
// edge from p to q with the heights a = n·p − d and b = n·q − d of opposite signs crosses the plane at
//
// 	x = p + u (q − p),  u = a/(a − b).                                  (1)
//
// Triangles lose the part in front of the plane. What would be an open hole is closed by a section: of
// a rigid body, whose surface is closed, by the inside of the curve in which the surface meets the
// plane; of a deformable tetrahedron by tetrahedron, so that the field within it shows.
//
// The inside of a curve is found by the even-odd rule along lines of the plane: from left to right, a
// point is inside after an odd number of crossings. Between two neighbouring heights of ends of
// segments the crossings keep their order, so that each pair of crossings bounds one trapezoid.

// Cut shows bodies cut open by a plane: the half in front of the plane is removed, and
// the sections are drawn closed. Ground and contact surfaces stay whole.
type Cut struct {
	// Point is a point of the plane, m, in world axes.
	Point r3.Vec
	// Normal points to the half that is removed; it need not be a unit vector.
	Normal r3.Vec
	// Bodies are the names of the bodies that are cut, rigid or deformable; none: all.
	Bodies []string
}

// check returns an error for a plane that is not finite and for unknown bodies.
func (c *Cut) check(st *record.Static) error {
	if !c.Point.IsFinite() || !c.Normal.IsFinite() || !(c.Normal.Norm2() > 0) {
		return errors.New("cut: point and normal must be finite numbers, and the normal not zero")
	}
	names := bodyNames(st)
	for _, b := range c.Bodies {
		if !slices.Contains(names, b) {
			return fmt.Errorf("cut: no body %q%s", b, kinds.Suggest(b, names))
		}
	}
	return nil
}

// cutter is a cut prepared for drawing: it removes points x with n·x > offset.
type cutter struct {
	// normal is the unit normal n of the plane, towards the half that is removed; offset is
	// n·x of points x in the plane, m.
	normal r3.Vec
	offset float64
	// bodies are the names of the bodies that are cut; none: all.
	bodies []string
	// caps is the number of sections of the picture so far. Each lies by thin (m) behind the
	// one before, so that of two that overlap the first is seen.
	caps int
	thin float64
}

// newCutter prepares a cut for pictures of what is size m high; nil for nil.
func newCutter(c *Cut, size float64) *cutter {
	if c == nil {
		return nil
	}
	// sections of bodies that overlap differ in depth by 1e-5 of the height of the picture
	n := c.Normal.Unit()
	return &cutter{normal: n, offset: n.Dot(c.Point), bodies: c.Bodies, thin: 1e-5 * size}
}

// of returns the cutter if it cuts the body of that name.
func (c *cutter) of(name string) *cutter {
	if c == nil || len(c.bodies) > 0 && !slices.Contains(c.bodies, name) {
		return nil
	}
	return c
}

// height returns the distance of a point in front of the plane, m.
func (c *cutter) height(p r3.Vec) float64 { return c.normal.Dot(p) - c.offset }

// caster returns the corners, three each, of what is left of triangles (Sutherland and Hodgman,
// Reentrant Polygon Clipping, 1974).
func (c *cutter) caster(verts []r3.Vec, tris [][3]int32) []r3.Vec {
	var out []r3.Vec
	var poly [4]r3.Vec
	for _, t := range tris {
		n := 0
		// walk around the triangle: keep corners behind the plane, and add a corner where an
		// edge crosses it, at u = a/(a − b) of the way between heights a and b
		for e := range 3 {
			p, q := verts[t[e]], verts[t[(e+1)%3]]
			a, b := c.height(p), c.height(q)
			if a <= 0 {
				poly[n] = p
				n++
			}
			if a <= 0 != (b <= 0) {
				poly[n] = p.Lerp(q, a/(a-b))
				n++
			}
		}
		// a triangle or a quadrilateral, as a fan
		for k := 2; k < n; k++ {
			out = append(out, poly[0], poly[k-1], poly[k])
		}
	}
	return out
}

// triangles cuts triangles and interpolates normals, light and field at new corners.
func (c *cutter) triangles(tris []fauxgl.Triangle) []fauxgl.Triangle {
	if c == nil {
		return tris
	}
	out := make([]fauxgl.Triangle, 0, len(tris))
	var poly [4]fauxgl.Vertex
	for i := range tris {
		v := [3]*fauxgl.Vertex{&tris[i].V1, &tris[i].V2, &tris[i].V3}
		n := 0
		for e, p := range v {
			q := v[(e+1)%3]
			a, b := c.height(vec(p.Position)), c.height(vec(q.Position))
			if a <= 0 {
				poly[n] = *p
				n++
			}
			if a <= 0 != (b <= 0) {
				// u of (1), which also blends normals, light and field
				poly[n] = between(p, q, a/(a-b))
				n++
			}
		}
		// nothing, a triangle or a quadrilateral, as a fan
		for k := 2; k < n; k++ {
			out = append(out, fauxgl.Triangle{V1: poly[0], V2: poly[k-1], V3: poly[k]})
		}
	}
	return out
}

// between returns what is at u on the way from a to b.
func between(a, b *fauxgl.Vertex, u float64) fauxgl.Vertex {
	return fauxgl.Vertex{
		Position: a.Position.Lerp(b.Position, u), Normal: a.Normal.Lerp(b.Normal, u).Normalize(),
		Color: a.Color, Texture: a.Texture.Lerp(b.Texture, u),
	}
}

// segment is the part of the plane of a cut in which a triangle meets it. x along e1 and y
// along e2 are coordinates in the plane, m; y0 ≤ y1.
type segment struct{ x0, y0, x1, y1 float64 }

// at returns x of a segment at the height y.
func (s *segment) at(y float64) float64 { return s.x0 + (s.x1-s.x0)*(y-s.y0)/(s.y1-s.y0) }

// segments returns the segments of all triangles that meet the plane, by rising y0, and the
// heights of their ends, each once, in rising order.
func (c *cutter) segments(verts []r3.Vec, tris [][3]int32, e1, e2 r3.Vec) (segs []segment, levels []float64) {
	for _, t := range tris {
		// two of the edges cross the plane, or none
		var end [2]r3.Vec
		n := 0
		for e := range 3 {
			p, q := verts[t[e]], verts[t[(e+1)%3]]
			if a, b := c.height(p), c.height(q); a <= 0 != (b <= 0) {
				end[n] = p.Lerp(q, a/(a-b))
				n++
			}
		}
		if n < 2 {
			continue
		}
		s := segment{e1.Dot(end[0]), e2.Dot(end[0]), e1.Dot(end[1]), e2.Dot(end[1])}
		if s.y0 > s.y1 {
			s = segment{s.x1, s.y1, s.x0, s.y0}
		}
		segs = append(segs, s)
		levels = append(levels, s.y0, s.y1)
	}
	slices.Sort(levels)
	slices.SortFunc(segs, func(a, b segment) int { return cmp.Compare(a.y0, b.y0) })
	return segs, slices.Compact(levels)
}

// section returns the section of a closed surface as triangles. Each triangle of the
// surface that meets the plane gives a segment. Between two neighbouring heights of ends
// of segments no segments start or end, so that a strip of the plane there consists of
// trapezoids from each odd crossing to the next.
func (c *cutter) section(verts []r3.Vec, tris [][3]int32, color fauxgl.Color) []fauxgl.Triangle {
	// coordinates in the plane: x along e1 and y along e2, m
	e1, e2 := r3.Basis(c.normal)
	segs, levels := c.segments(verts, tris, e1, e2)
	// corners in the plane, moved back by the number of the section
	c.caps++
	plane := c.normal.Scale(c.offset - float64(c.caps)*c.thin)
	corner := func(x, y float64) fauxgl.Vertex {
		return sectionVertex(plane.AddScaled(x, e1).AddScaled(y, e2), c.normal, color, -1)
	}
	// sweep from strip to strip with the segments that cross it
	var out []fauxgl.Triangle
	var live []segment
	next := 0
	for i := 1; i < len(levels); i++ {
		y0, y1 := levels[i-1], levels[i]
		// segments that begin at the lower end of the strip enter
		for ; next < len(segs) && segs[next].y0 <= y0; next++ {
			live = append(live, segs[next])
		}
		// a segment that ends here does not cross the strip
		live = slices.DeleteFunc(live, func(s segment) bool { return s.y1 <= y0 })
		// from left to right: within a strip segments of a closed surface do not cross
		mid := (y0 + y1) / 2
		slices.SortFunc(live, func(a, b segment) int { return cmp.Compare(a.at(mid), b.at(mid)) })
		// inside between the first and the second, the third and the fourth, …
		for k := 0; k+1 < len(live); k += 2 {
			l, r := &live[k], &live[k+1]
			p, q, s, t := corner(l.at(y0), y0), corner(r.at(y0), y0), corner(r.at(y1), y1), corner(l.at(y1), y1)
			out = append(out, fauxgl.Triangle{V1: p, V2: q, V3: s}, fauxgl.Triangle{V1: p, V2: s, V3: t})
		}
	}
	return out
}

// tetSection returns the section of a deformable: the triangle or quadrilateral of each
// tetrahedron that meets the plane. scalar is the field at the vertices, in [0,1]; nil:
// the section has the body's colour.
func (c *cutter) tetSection(verts []r3.Vec, tets [][4]int32, scalar []float64, color fauxgl.Color) []fauxgl.Triangle {
	// a deformable is cut tetrahedron by tetrahedron, so that the field within shows
	c.caps++
	back := c.normal.Scale(-float64(c.caps) * c.thin)
	e1, e2 := r3.Basis(c.normal)
	var out []fauxgl.Triangle
	for _, t := range tets {
		var poly [4]fauxgl.Vertex
		var mean r3.Vec
		n := 0
		// crossings of the six edges
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				p, q := verts[t[i]], verts[t[j]]
				a, b := c.height(p), c.height(q)
				if a <= 0 == (b <= 0) {
					continue
				}
				// u of (1); x is the field there, or −1 for the body's colour
				u, x := a/(a-b), -1.0
				if scalar != nil {
					x = scalar[t[i]]*(1-u) + scalar[t[j]]*u
				}
				at := p.Lerp(q, u)
				mean = mean.Add(at)
				poly[n] = sectionVertex(at.Add(back), c.normal, color, x)
				n++
			}
		}
		// a plane through a corner or an edge alone has no area in the tetrahedron
		if n < 3 {
			continue
		}
		mean = mean.Scale(1 / float64(n))
		// in order around their mean
		angle := func(v *fauxgl.Vertex) float64 {
			// the angle of a corner in the plane, seen from the mean
			d := vec(v.Position).Sub(mean)
			return math.Atan2(e2.Dot(d), e1.Dot(d))
		}
		slices.SortFunc(poly[:n], func(a, b fauxgl.Vertex) int { return cmp.Compare(angle(&a), angle(&b)) })
		for k := 2; k < n; k++ {
			out = append(out, fauxgl.Triangle{V1: poly[0], V2: poly[k-1], V3: poly[k]})
		}
	}
	return out
}

// sectionTint is the part of white in the colour of a section.
const sectionTint = 0.3

// sectionVertex returns a corner of a section in open light.
func sectionVertex(p, n r3.Vec, c fauxgl.Color, x float64) fauxgl.Vertex {
	// Texture.X = 1: the whole sky. A section is lit as if nothing were around it.
	c = c.MulScalar(1 - sectionTint).AddScalar(sectionTint)
	c.A = 1
	return fauxgl.Vertex{Position: vector(p), Normal: vector(n), Color: c, Texture: fauxgl.Vector{X: 1, Y: x}}
}
