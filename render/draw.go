package render

import (
	"image"
	"image/color"
	"slices"
	"sync"

	"github.com/fogleman/fauxgl"
)

// A picture is drawn by rasterization with a depth buffer, see raster.go. Each pixel has n × n samples,
// whose mean is its colour. Layers are drawn in this order:
//
//	solid layers: a sample is replaced where z < z_drawn − bias
//	covers:       drawn apart, then blended over the picture: the opacity is 1 where
//	              z ≤ z_drawn + lift, and that of hidden parts elsewhere
//
// with the depth z of a surface, which grows away from the camera. The picture is cut into
// bands of rows; each band has its own buffers.

// cover is a layer over the picture that shows through the bodies in front of it.
type cover struct {
	layer
	// hidden is its opacity where a body is in front of it, from 0 to 1.
	hidden float64
	// lift is the depth by which it may lie behind a surface and still be in full sight.
	lift float64
}

// layer is a list of triangles drawn with one shader.
type layer struct {
	// tris are triangles in world coordinates, m.
	tris []fauxgl.Triangle
	// shader computes colours; bands that are drawn at the same time share it.
	shader shader
	// ground computes them from the place in the picture instead, for a layer of ground; nil: shader does.
	ground *groundShader
	// bias is the depth by which a surface must be in front of those drawn before.
	bias float64
	// translucent reports that colours may show what is behind them.
	translucent bool
}

// stage holds the layers of one picture.
type stage struct {
	// w and h are the size of the picture, pixels; samples is the number of samples of a
	// pixel in each direction.
	w, h, samples int
	// matrix maps world coordinates to clip coordinates.
	matrix fauxgl.Matrix
	// solid are the bodies, then the ground.
	solid []layer
	// over are the contact surfaces, then the arrows.
	over []cover
	// top and bottom are the colours of the background, which changes evenly between.
	top, bottom color.NRGBA

	// light holds the depth maps; nil: nothing is known before a point is shaded.
	light *lighting
	// seen are the triangles of all solid layers that face the camera, covers those of each cover.
	seen   []projected
	covers [][]projected
	// bins are the indices in seen of the triangles that each band meets; coverBins are those of each cover.
	bins      [][]int32
	coverBins [][][]int32
}

// bandRows is the height of the bands of a picture. A band is drawn on one processor;
// its height bounds memory, which should fit into a cache, and does not depend on the number of processors, so that
// pictures do not either.
const bandRows = 16

// draw rasterises the stage and averages the samples of each pixel.
func (s *stage) draw() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, s.w, s.h))
	// the triangles in sight and the bands that each meets
	all := 0
	for i := range s.solid {
		all += len(s.solid[i].tris)
	}
	s.seen = slices.Grow(s.seen[:0], all)
	for i := range s.solid {
		s.seen = s.project(s.seen, &s.solid[i], int32(i))
	}
	s.bins = s.bin(s.seen)
	// what holds for a whole triangle is found once, so that its pixels need no look-up in the lamp's map
	if s.light != nil {
		parallel((len(s.seen)+1023)/1024, func(k int) {
			for i := 1024 * k; i < min(len(s.seen), 1024*(k+1)); i++ {
				t := s.seen[i].tri
				s.seen[i].lamp = s.light.onTriangle(t.V1.Position, t.V2.Position, t.V3.Position)
			}
		})
	}
	// covers are few and small: each has a list of its own
	for i := range s.over {
		p := s.project(nil, &s.over[i].layer, int32(i))
		s.covers, s.coverBins = append(s.covers, p), append(s.coverBins, s.bin(p))
	}
	parallel((s.h+bandRows-1)/bandRows, func(b int) {
		s.band(out, b)
	})
	return out
}

// bin lists the triangles that each band meets, in their order.
func (s *stage) bin(tris []projected) [][]int32 {
	bins := make([][]int32, (s.h+bandRows-1)/bandRows)
	for i := range tris {
		// a triangle above or below the picture is in no band
		y := &tris[i].y
		lo, hi := max(0, min(y[0], y[1], y[2])), min(float64(s.h), max(y[0], y[1], y[2]))
		if lo > hi {
			continue
		}
		for b := int(lo) / bandRows; b <= min(int(hi)/bandRows, len(bins)-1); b++ {
			bins[b] = append(bins[b], int32(i))
		}
	}
	return bins
}

// bandBuffers are buffers of bands that are done: those of the solid layers, and of a cover.
var bandBuffers = sync.Pool{New: func() any { return new([2]samples) }}

// band draws one band of rows.
func (s *stage) band(out *image.RGBA, b int) {
	y0, y1 := b*bandRows, min(s.h, (b+1)*bandRows)
	buf := bandBuffers.Get().(*[2]samples)
	defer bandBuffers.Put(buf)
	base, over := &buf[0], &buf[1]
	base.reset(s, y0, y1)
	// first pass: the nearest triangle of each sample, in the order of layers, on which the bias relies
	for _, id := range s.bins[b] {
		p := &s.seen[id]
		base.fill(p, id, s.solid[p.layer].bias, s.solid[p.layer].translucent)
	}
	// second pass: colours
	for y := y0; y < y1; y++ {
		back := s.backdrop((float64(y) + 0.5) / float64(s.h))
		row := out.Pix[y*out.Stride:]
		for x := 0; x < s.w; {
			g, n := s.groundSpan(base, x, y)
			if n == 0 {
				put(row[4*x:4*x+4], s.pixel(base, x, y, back))
				x++
				continue
			}
			colors := base.span[:n]
			g.span(float64(x)+0.5, float64(y)+0.5, colors)
			for _, c := range colors {
				// at its rim the ground shows what is behind it
				if c.A < 1 {
					c = s.pixel(base, x, y, back)
				}
				put(row[4*x:4*x+4], c)
				x++
			}
		}
	}
	// each cover by itself over the rows
	for i := range s.over {
		if len(s.coverBins[i][b]) == 0 {
			continue
		}
		over.reset(s, y0, y1)
		for _, id := range s.coverBins[i][b] {
			over.fill(&s.covers[i][id], id, s.over[i].bias, false)
		}
		s.overlay(out, base, over, i, y0, y1)
	}
}

// groundSpan returns the ground that pixels from (x, y) on see alone, and their number, at most that of a span.
func (s *stage) groundSpan(b *samples, x, y int) (g *groundShader, n int) {
	// a span ends at an edge, at another ground, and at the end of the row
	layer := int32(-1)
	for n < min(len(b.span), s.w-x) {
		id, _, one := b.only(x+n, y)
		if !one || id < 0 || n > 0 && s.seen[id].layer != layer {
			break
		}
		if layer = s.seen[id].layer; s.solid[layer].ground == nil {
			break
		}
		g = s.solid[layer].ground
		n++
	}
	return g, n
}

// put writes a colour from 0 to 1 as 8 bits a channel.
func put(dst []uint8, c fauxgl.Color) {
	dst[0], dst[1], dst[2], dst[3] = uint8(c.R*255+0.5), uint8(c.G*255+0.5), uint8(c.B*255+0.5), 255
}

// group is a triangle that a pixel sees.
type group struct {
	id, below int32
	// count is the number of its samples; x and y are the sums of their places in the pixel, samples.
	count, x, y int
}

// groupsAt finds the triangles that a pixel sees, of those of a picture; nil: each stays apart.
func (b *samples) groupsAt(x, y int, seen []projected) []group {
	n := b.n
	first := (y*n-b.row0)*b.w + x*n
	// few samples see few triangles: a list is searched faster than a table
	out := b.groups[:0]
	for j := range n {
		row := b.id[first+j*b.w : first+j*b.w+n]
	next:
		for i, id := range row {
			for k := range out {
				if g := &out[k]; g.id == id {
					g.count, g.x, g.y = g.count+1, g.x+i, g.y+j
					continue next
				}
			}
			out = append(out, group{id: id, below: b.below[first+j*b.w+i], count: 1, x: i, y: j})
		}
	}
	// a triangle of the same smooth surface goes on where the one before ends: both are shaded as one
	if len(out) > 1 && seen != nil {
		out = merge(out, seen)
	}
	b.groups = out
	return out
}

// merge joins groups of triangles that share a corner and its normal, in their order.
func merge(groups []group, seen []projected) []group {
	kept := groups[:1]
next:
	for _, g := range groups[1:] {
		for k := range kept {
			if to := &kept[k]; g.id >= 0 && to.id >= 0 && seen[g.id].continues(&seen[to.id]) {
				// the larger part is shaded, at the mean of all samples
				if g.count > to.count {
					to.id, to.below = g.id, g.below
				}
				to.count, to.x, to.y = to.count+g.count, to.x+g.x, to.y+g.y
				continue next
			}
		}
		kept = append(kept, g)
	}
	return kept
}

// place returns the mean of the places of the samples of a group, pixels.
func (g *group) place(x, y, n int) (px, py float64) {
	d := float64(g.count * n)
	return float64(x) + (float64(g.x)+0.5*float64(g.count))/d, float64(y) + (float64(g.y)+0.5*float64(g.count))/d
}

// pixel returns the colour of a pixel of the solid layers: the mean over its samples.
func (s *stage) pixel(b *samples, x, y int, back fauxgl.Color) fauxgl.Color {
	// most pixels see one triangle
	if id, below, one := b.only(x, y); one {
		if id < 0 {
			return back
		}
		return s.shown(&b.vertex, id, below, float64(x)+0.5, float64(y)+0.5, back)
	}
	// at an edge: the mean of the colours, weighted by samples. It is taken of encoded colours, as eyes see edges.
	all := float64(b.n * b.n)
	var sum fauxgl.Color
	for _, g := range b.groupsAt(x, y, s.seen) {
		c := back
		if g.id >= 0 {
			px, py := g.place(x, y, b.n)
			c = s.shown(&b.vertex, g.id, g.below, px, py, back)
		}
		w := float64(g.count) / all
		sum.R, sum.G, sum.B = sum.R+w*c.R, sum.G+w*c.G, sum.B+w*c.B
	}
	return sum
}

// only returns the triangle that all samples of a pixel see, and the one below it, if there is one such.
func (b *samples) only(x, y int) (id, below int32, one bool) {
	first := (y*b.n-b.row0)*b.w + x*b.n
	id, below = b.id[first], b.below[first]
	if b.n == 2 { // drafts
		next := b.id[first+b.w:]
		return id, below, b.id[first+1] == id && next[0] == id && next[1] == id
	}
	for j := range b.n {
		for _, k := range b.id[first+j*b.w : first+j*b.w+b.n] {
			if k != id {
				return id, below, false
			}
		}
	}
	return id, below, true
}

// shown returns the colour of a triangle and of what it covers, one deep, where it is translucent.
func (s *stage) shown(v *fauxgl.Vertex, id, below int32, px, py float64, back fauxgl.Color) fauxgl.Color {
	// only the ground is translucent, so that one surface below is enough
	c := s.colorAt(v, id, px, py)
	if c.A >= 1 {
		return c
	}
	if below >= 0 {
		back = s.colorAt(v, below, px, py)
	}
	return mixed(c, back, c.A)
}

// colorAt returns the colour of a triangle in sight at a place, pixels.
func (s *stage) colorAt(v *fauxgl.Vertex, id int32, x, y float64) fauxgl.Color {
	p := &s.seen[id]
	l := &s.solid[p.layer]
	if l.ground != nil {
		return l.ground.at(x, y)
	}
	return p.color(l.shader, x, y, v)
}

// mixed returns a·alpha + b·(1 − alpha).
func mixed(a, b fauxgl.Color, alpha float64) fauxgl.Color {
	beta := 1 - alpha
	return fauxgl.Color{R: alpha*a.R + beta*b.R, G: alpha*a.G + beta*b.G, B: alpha*a.B + beta*b.B, A: 1}
}

// backdrop returns the colour of the background at the relative height u from the top.
func (s *stage) backdrop(u float64) fauxgl.Color {
	mix := func(a, b uint8) float64 { return (float64(a)*(1-u) + float64(b)*u) / 255 }
	return fauxgl.Color{R: mix(s.top.R, s.bottom.R), G: mix(s.top.G, s.bottom.G), B: mix(s.top.B, s.bottom.B), A: 1}
}

// Opacity of arrows and contact surfaces that a body hides.
const (
	hiddenArrow = 0.4
	hiddenFace  = 0.8
)

// overlay blends cover i over the rows y0 to y1−1.
func (s *stage) overlay(out *image.RGBA, base, over *samples, i, y0, y1 int) {
	for y := y0; y < y1; y++ {
		for x := range s.w {
			// colours are added up with their opacity, and the picture keeps what is left of 1
			sum, alpha := fauxgl.Color{}, 0.0
			for _, g := range over.groupsAt(x, y, nil) {
				if g.id < 0 {
					continue
				}
				px, py := g.place(x, y, over.n)
				c := s.covers[i][g.id].color(s.over[i].shader, px, py, &over.vertex)
				a := s.over[i].opacity(base, over, x, y, g.id)
				sum.R, sum.G, sum.B, alpha = sum.R+a*c.R, sum.G+a*c.G, sum.B+a*c.B, alpha+a
			}
			// most of the picture has no cover
			if alpha == 0 {
				continue
			}
			d := out.Pix[y*out.Stride+4*x:]
			for k, v := range [3]float64{sum.R, sum.G, sum.B} {
				d[k] = uint8(255*v + (1-alpha)*float64(d[k]) + 0.5)
			}
		}
	}
}

// opacity returns the mean opacity over a pixel of one triangle of a cover: of each of its samples the whole, or that of
// hidden parts where a body is in front of it by more than the lift.
func (c *cover) opacity(base, over *samples, x, y int, id int32) float64 {
	// samples of other triangles of the cover count for those
	n, sum := over.n, 0.0
	first := (y*n-over.row0)*over.w + x*n
	for j := range n {
		for k := first + j*over.w; k < first+j*over.w+n; k++ {
			switch {
			case over.id[k] != id:
			case over.z[k] > base.z[k]+c.lift:
				sum += c.hidden
			default:
				sum++
			}
		}
	}
	return sum / float64(n*n)
}
