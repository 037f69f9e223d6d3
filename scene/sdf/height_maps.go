package sdf

// Height maps: ground as the grey values of a PNG image, black at z = 0 and white at the height of its size, about the
// centre of x and y. The top of the image lies at +y. The format gives the ground no bottom: the solid reaches a tenth
// of its longer side below black, so that what presses on it does not pass. Layers of colour (texture, blend) and
// sampling for display are of no matter to contact. Source: SDFormat 1.11, heightmap; Gazebo's gz-common,
// ImageHeightmap.

import (
	"path"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// groundDepth is the depth of the solid below black, in longer sides of the map.
const groundDepth = 0.1

// heightmap reads the ground below a height map. One that cannot be read is left out with a warning, that the file was
// repaired where it is the shape of a collision.
func (r *reader) heightmap(e *robot.Element, collision bool, g *robot.Geometry) {
	uri := r.content(e, "uri")
	file := joined(r.now.dir, uri)
	size, at := r.vec(e, "size", r3.Vec{1, 1, 1}), r.vec(e, "pos", r3.Vec{})
	for _, child := range []string{"texture", "blend", "sampling", "use_terrain_paging"} {
		for _, c := range e.All(child) {
			c.MarkRead()
		}
	}
	if r.Err != nil {
		return
	}
	leave := func(format string, arg ...any) {
		say := r.Warn
		if collision {
			say = r.Repair
		}
		say(e.Line, "a <heightmap> is left out: "+format, arg...)
		r.leftOut = true
	}
	switch {
	case uri == "":
		leave("it has no <uri>, the image of its heights")
		return
	case !(min(size[0], size[1], size[2]) > 0):
		leave("its <size> (%g, %g, %g) needs three positive lengths, m", size[0], size[1], size[2])
		return
	case max(size[0], size[1], size[2]) > robot.MaxLength:
		leave("its <size> (%g, %g, %g) is more than %g m", size[0], size[1], size[2], float64(robot.MaxLength))
		return
	case strings.ToLower(path.Ext(file)) != ".png":
		leave("%s is no PNG image: convert it", file)
		return
	case r.open == nil:
		leave("%s: no files can be read here", file)
		return
	}
	data, err := r.open(file)
	if err != nil {
		leave("%v", err)
		return
	}
	rows, cols, heights, err := robot.PNGHeights(data)
	switch {
	case err != nil:
		leave("%s: %v", file, err)
		return
	case rows < 2 || cols < 2:
		leave("%s has %d × %d pixels: 2 × 2 are required", file, cols, rows)
		return
	}
	for i := range heights {
		heights[i] *= size[2]
	}
	f := &robot.HeightField{Rows: rows, Cols: cols, HalfX: size[0] / 2, HalfY: size[1] / 2, Heights: heights, Bottom: -groundDepth * max(size[0], size[1])}
	g.Mesh = f.Mesh()
	g.X_LG.P = g.X_LG.Point(at)
}
