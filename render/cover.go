package render

import (
	"fmt"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// What a picture costs. The time of rasterization, of shadows and of light goes with the number of samples
// that triangles cover, hidden ones included (overdraw, depth complexity): some 0.06 s of a core for each time that
// they cover a picture of ordinary size. Bodies cover it a few dozen times; a file of 100,000 triangles as large as the
// picture would take hours.

// defaultCover is the number of times that triangles may cover the picture: 10 s of a core.
const defaultCover = 150

// CoverError says that the triangles of a picture cover it too often.
type CoverError struct {
	// Cover is the number of times that they cover it, Limit the largest number.
	Cover, Limit float64
}

// Error implements error.
func (e *CoverError) Error() string {
	return fmt.Sprintf("triangles cover the picture %.3g times, the limit is %.3g, which takes about 10 s for every 150: simplify the meshes, look at a smaller part, draw no picture (--no-picture), or raise the limit with --max-cover of curlfree render", e.Cover, e.Limit)
}

// checkCover returns an error if the triangles at a time t (s) cover the picture more often than the limit.
func (p *Painter) checkCover(t float64) error {
	limit := p.opt.MaxCover
	if limit == 0 {
		limit = defaultCover
	}
	var f record.Frame
	sample(p.rec, t, &f)
	// boxes of triangles bound their areas, and need no clipping
	cover := 0.0
	// rigid surfaces as recorded, before they are split for light
	for i := range p.geoms {
		X_WG := geomPose(p.geoms[i].geom, &f)
		at := make([]r3.Vec, len(p.geoms[i].mesh.Verts))
		for j, v := range p.geoms[i].mesh.Verts {
			at[j] = X_WG.Point(v)
		}
		cover += p.coverOf(at, p.geoms[i].mesh.Tris)
	}
	// deformables are recorded in world axes
	for i := range p.soft {
		cover += p.coverOf(f.Verts[i], p.rec.Static.Deformables[i].Tris)
	}
	if cover > limit {
		return &CoverError{cover, limit}
	}
	return nil
}

// coverOf returns how many times triangles cover the picture: half of the box about each, where it is in
// sight, over the picture.
func (p *Painter) coverOf(verts []r3.Vec, tris [][3]int32) float64 {
	clip := make([]fauxgl.VectorW, len(verts))
	for i, v := range verts {
		clip[i] = p.view.matrix.MulPositionW(vector(v))
	}
	sum := 0.0
	for _, t := range tris {
		// the box in clip space, −1 to 1 over the picture
		lo, hi := [2]float64{1, 1}, [2]float64{-1, -1}
		behind := 0
		for _, v := range t {
			q := clip[v]
			if q.W <= 0 {
				behind++
				continue
			}
			x, y := q.X/q.W, q.Y/q.W
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
		switch behind {
		case 0: // in front of the camera: the part of the box in the picture
			w, h := min(hi[0], 1)-max(lo[0], -1), min(hi[1], 1)-max(lo[1], -1)
			sum += max(0, w) * max(0, h) / 8
		case 1, 2: // beside the camera: anywhere
			sum += 0.5
		}
	}
	return sum
}
