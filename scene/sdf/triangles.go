package sdf

// Shapes of the format that become triangles:
//
//	cone        about z, its tip at +length/2; its base is a polygon of the area of the circle,
//	            so that it encloses the volume of the cone
//	polyline    polygons from z = 0 up to height; what an odd number of them encloses is solid

import (
	"math"
	"strings"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// coneSides is the number of sides of a cone.
const coneSides = 64

// cone reads a cone.
func (r *reader) cone(e *robot.Element) *robot.Mesh {
	c := r.round(e)
	// n R² sin(2π/n)/2 is the area of a polygon of radius R, π r² that of the circle
	const step = 2 * math.Pi / coneSides
	radius := c.Radius * math.Sqrt(step/math.Sin(step))
	tip, middle := int32(coneSides), int32(coneSides+1)
	t := &meshes.Tri{}
	for i := range int32(coneSides) {
		sin, cos := math.Sincos(step * float64(i))
		next := (i + 1) % coneSides
		t.Verts = append(t.Verts, r3.Vec{radius * cos, radius * sin, -c.Length / 2})
		t.Tris = append(t.Tris, [3]int32{i, next, tip}, [3]int32{next, i, middle})
	}
	t.Verts = append(t.Verts, r3.Vec{0, 0, c.Length / 2}, r3.Vec{0, 0, -c.Length / 2})
	return &robot.Mesh{Triangles: t, Scale: r3.Vec{1, 1, 1}, ConvexHull: true}
}

// polyline reads the polygons of a geometry, which the first one's height extrudes.
func (r *reader) polyline(polygons []*robot.Element) *robot.Mesh {
	var p profiles.Profile
	height := r.length(polygons[0], "height")
	for i, e := range polygons {
		r.One(e, "height")
		if loop := r.polygon(e); i == 0 {
			p.Outer = loop
		} else {
			p.Holes = append(p.Holes, loop)
		}
	}
	if r.Err != nil || r.leftOut {
		return nil
	}
	t, err := p.Extrude(height)
	if err != nil {
		r.Repair(polygons[0].Line, "a <polyline> is left out: %s", strings.TrimPrefix(err.Error(), "meshes: profile: "))
		r.leftOut = true
		return nil
	}
	for i := range t.Verts {
		t.Verts[i][2] += height / 2
	}
	return &robot.Mesh{Triangles: t, Scale: r3.Vec{1, 1, 1}, Sound: true}
}

// polygon reads the corners of a <polyline>, of which the first may stand at the end once more.
func (r *reader) polygon(e *robot.Element) (loop [][2]float64) {
	for _, c := range e.All("point") {
		if x := r.row(c, 2); x != nil {
			if max(math.Abs(x[0]), math.Abs(x[1])) > robot.MaxLength {
				r.Fail(c.Line, "<point>: %g, %g is too far away", x[0], x[1])
			}
			loop = append(loop, [2]float64(x))
		}
	}
	if n := len(loop); n > 1 && loop[0] == loop[n-1] {
		loop = loop[:n-1]
	}
	return loop
}
