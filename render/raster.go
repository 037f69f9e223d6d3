package render

import (
	"math"

	"github.com/fogleman/fauxgl"
)

// Rasterization in two passes (deferred shading by a visibility buffer: Burns and Hunt, The Visibility Buffer,
// 2013). The first pass finds for each sample the nearest triangle:
//
//	z = (1 + z_clip/w)/2 is linear over the picture within a triangle,
//
// so that a sample costs one addition and one comparison. The second pass computes light once for each triangle that a
// pixel sees, at the mean of its samples there, whatever the number of samples. Attributes a_k of the corners k
// are interpolated in space, not in the picture, with the barycentric coordinates b_k of the picture:
//
//	a = Σ a_k b_k/w_k / Σ b_k/w_k                                       (1)
//
// The rows of a triangle run from one edge to another. An edge gives the same bits in both of its triangles,
// because it is evaluated from its upper end, so that no sample falls between them.

// shader computes the colour of a point of a surface.
type shader interface {
	// Fragment returns the colour at a point, encoded for screens; v has the interpolated attributes, and in Output.X
	// what is known of the lamp's light.
	Fragment(v *fauxgl.Vertex) fauxgl.Color
}

// projected is a triangle as the camera sees it.
type projected struct {
	tri *fauxgl.Triangle
	// x and y are places of the corners in the picture, pixels, y down; z are their depths, rw is 1/w.
	x, y, z, rw [3]float64
	// area is twice the area in the picture, pixels², positive.
	area float64
	// layer is the index of its layer.
	layer int32
	// slots are the numbers of its corners' slots in the picture, 0 for corners that are in no other triangle.
	// Triangles with a slot in common are parts of one smooth surface.
	slots [3]int32
}

// leastArea is twice the area, pixels², below which triangles are left out: the slivers of sections, whose plane
// of depth is not defined. A sample lies in one of them by chance only.
const leastArea = 1e-9

// project appends the triangles of a layer that face the camera, clipped to the volume that is seen where they leave
// it.
func (s *stage) project(out []projected, l *layer, index int32) []projected {
	for i := range l.tris {
		t := &l.tris[i]
		var clip [3]fauxgl.VectorW
		inside := true
		for k, v := range [3]*fauxgl.Vertex{&t.V1, &t.V2, &t.V3} {
			clip[k] = s.matrix.MulPositionW(v.Position)
			// the sides of the picture bound the rows and columns that are drawn; in depth triangles are clipped
			inside = inside && clip[k].W > 0 && math.Abs(clip[k].Z) <= clip[k].W
		}
		if inside {
			// parts of clipped triangles have corners of their own, and no slots
			n := len(out)
			out = s.corners(out, t, clip, index)
			if len(out) > n {
				out[n].slots = [3]int32{int32(t.V1.Output.X), int32(t.V2.Output.X), int32(t.V3.Output.X)}
			}
			continue
		}
		c := *t
		c.V1.Output, c.V2.Output, c.V3.Output = clip[0], clip[1], clip[2]
		for _, part := range fauxgl.ClipTriangle(&c) {
			out = s.corners(out, part, [3]fauxgl.VectorW{part.V1.Output, part.V2.Output, part.V3.Output}, index)
		}
	}
	return out
}

// corners appends a triangle in front of the camera, unless it shows its back.
func (s *stage) corners(out []projected, t *fauxgl.Triangle, clip [3]fauxgl.VectorW, index int32) []projected {
	p := projected{tri: t, layer: index}
	w, h := float64(s.w), float64(s.h)
	for k, c := range clip {
		r := 1 / c.W
		p.x[k], p.y[k], p.z[k], p.rw[k] = (1+c.X*r)*w/2, (1-c.Y*r)*h/2, (1+c.Z*r)/2, r
	}
	// counter-clockwise from outside, with y down
	p.area = (p.x[2]-p.x[0])*(p.y[1]-p.y[0]) - (p.x[1]-p.x[0])*(p.y[2]-p.y[0])
	if !(p.area > leastArea) || math.IsInf(p.area, 0) {
		return out
	}
	return append(out, p)
}

// samples are the buffers of a band of rows of a picture.
type samples struct {
	// n is the number of samples of a pixel in each direction; w and h are the numbers of samples of a row and of a
	// column, row0 is the first row of samples in the picture.
	n, w, h, row0 int
	// z is the depth of each sample, MaxFloat64 without a surface; id is the triangle that is seen, −1 without.
	z  []float64
	id []int32
	// below is the triangle that a translucent one covers.
	below []int32
	// groups is the memory of the triangles of one pixel.
	groups [maxSamples * maxSamples]group
	// vertex is the memory of the attributes at one place.
	vertex fauxgl.Vertex
}

// reset clears the buffers for the pixel rows y0 to y1−1 of a picture.
func (b *samples) reset(s *stage, y0, y1 int) {
	b.n = s.samples
	b.w, b.h, b.row0 = s.w*b.n, (y1-y0)*b.n, y0*b.n
	if size := b.w * b.h; cap(b.z) < size {
		b.z, b.id, b.below = make([]float64, size), make([]int32, size), make([]int32, size)
	} else {
		b.z, b.id, b.below = b.z[:size], b.id[:size], b.below[:size]
	}
	repeat(b.z, math.MaxFloat64)
	repeat(b.id, -1)
}

// repeat sets all elements of a slice, by copies of what is set: those are as fast as memory.
func repeat[T any](s []T, x T) {
	if len(s) == 0 {
		return
	}
	s[0] = x
	for n := 1; n < len(s); n *= 2 {
		copy(s[n:], s[:n])
	}
}

// fill enters a triangle where it is nearer than what was drawn before, by more than bias.
func (b *samples) fill(p *projected, id int32, bias float64, translucent bool) {
	n := float64(b.n)
	x, y, z := p.x, p.y, p.z
	// corners from above to below
	if y[1] < y[0] {
		x[0], x[1], y[0], y[1], z[0], z[1] = x[1], x[0], y[1], y[0], z[1], z[0]
	}
	if y[2] < y[1] {
		x[1], x[2], y[1], y[2], z[1], z[2] = x[2], x[1], y[2], y[1], z[2], z[1]
	}
	if y[1] < y[0] {
		x[0], x[1], y[0], y[1], z[0], z[1] = x[1], x[0], y[1], y[0], z[1], z[0]
	}
	// places in samples of the band
	for k := range 3 {
		x[k], y[k] = x[k]*n, y[k]*n-float64(b.row0)
	}
	lo, hi := max(0, math.Ceil(y[0]-0.5)), min(float64(b.h-1), math.Floor(y[2]-0.5))
	if lo > hi {
		return
	}
	// depth as a plane over the samples
	det := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
	zx := ((z[1]-z[0])*(y[2]-y[0]) - (z[2]-z[0])*(y[1]-y[0])) / det
	zy := ((z[2]-z[0])*(x[1]-x[0]) - (z[1]-z[0])*(x[2]-x[0])) / det
	long, upper, lower := (x[2]-x[0])/(y[2]-y[0]), (x[1]-x[0])/(y[1]-y[0]), (x[2]-x[1])/(y[2]-y[1])
	last := float64(b.w - 1)
	for j := int(lo); j <= int(hi); j++ {
		py := float64(j) + 0.5
		// from the long edge to the one of the others that the row meets
		left := x[0] + (py-y[0])*long
		right := x[0] + (py-y[0])*upper
		if py >= y[1] {
			right = x[1] + (py-y[1])*lower
		}
		if right < left {
			left, right = right, left
		}
		from, to := ceil(max(left-0.5, 0)), int(min(right+0.5, last+1))-1
		if from > to {
			continue
		}
		depth := z[0] + zx*(float64(from)+0.5-x[0]) + zy*(py-y[0])
		zs := b.z[j*b.w+from : j*b.w+to+1]
		ids := b.id[j*b.w+from:][:len(zs)]
		if translucent {
			below := b.below[j*b.w+from:][:len(zs)]
			for i := range zs {
				if depth+bias <= zs[i] {
					zs[i], below[i], ids[i] = depth, ids[i], id
				}
				depth += zx
			}
			continue
		}
		for i := range zs {
			if depth+bias <= zs[i] {
				zs[i], ids[i] = depth, id
			}
			depth += zx
		}
	}
}

// continues reports whether two triangles share a slot: a smooth surface, with its normal, its light and its field,
// continues from one to the other.
func (p *projected) continues(q *projected) bool {
	for _, k := range p.slots {
		if k != 0 && (k == q.slots[0] || k == q.slots[1] || k == q.slots[2]) {
			return p.layer == q.layer
		}
	}
	return false
}
