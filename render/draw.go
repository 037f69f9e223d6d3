package render

import (
	"image"
	"image/color"
	"slices"
	"sync"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/workers"
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

// stage has the layers of one picture.
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

	// light has the depth maps; nil: nothing is known before a point is shaded.
	light *lighting
	// seen are the triangles of all solid layers that face the camera, covers those of each cover.
	seen   []projected
	covers [][]projected
	// facets and coverFacets are what their pixels need.
	facets      []facet
	coverFacets [][]facet
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
	s.facets = facets(s.facets, s.seen, s.light)
	// covers are few and small: each has a list of its own
	for i := range s.over {
		p := s.project(nil, &s.over[i].layer, int32(i))
		s.covers, s.coverBins = append(s.covers, p), append(s.coverBins, s.bin(p))
		s.coverFacets = append(s.coverFacets, facets(nil, p, nil))
	}
	workers.Each((s.h+bandRows-1)/bandRows, func(b int) {
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
		s.row(base, y, out.Pix[y*out.Stride:y*out.Stride+4*s.w])
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

// spanPixels is the largest number of pixels of a row that are looked at together.
const spanPixels = 16

// row paints the solid layers in one row of pixels.
func (s *stage) row(b *samples, y int, out []uint8) {
	back := s.backdrop((float64(y) + 0.5) / float64(s.h))
	for x := 0; x < s.w; {
		id, n := b.alike(x, y, min(spanPixels, s.w-x))
		span := out[4*x : 4*(x+max(1, n))]
		switch {
		case n == 0:
			put(span, s.edge(b, x, y, back))
		case id < 0:
			for i := 0; i < len(span); i += 4 {
				put(span[i:i+4], back)
			}
		// what ground covers shows at its rim alone
		case s.solid[s.seen[id].layer].ground != nil && b.covered(x, y, n) < 0:
			s.solid[s.seen[id].layer].ground.span(float64(x)+0.5, float64(y)+0.5, back, span)
		default:
			for i := 0; i < n; i++ {
				below := b.below[(y*b.n-b.row0)*b.w+(x+i)*b.n]
				put(span[4*i:4*i+4], s.shown(&b.vertex, id, below, float64(x+i)+0.5, float64(y)+0.5, back))
			}
		}
		x += max(1, n)
	}
}

// alike returns the triangle that all samples of a pixel see, −1 for none, and the number of pixels from there on, at
// most so many, that see it alone; 0 where the first one sees several.
func (b *samples) alike(x, y, most int) (id int32, n int) {
	first := (y*b.n-b.row0)*b.w + x*b.n
	id = b.id[first]
	for j := range b.n {
		k, row := 0, b.id[first+j*b.w:][:most*b.n]
		for k < len(row) && row[k] == id {
			k++
		}
		if most = k / b.n; most == 0 {
			break
		}
	}
	return id, most
}

// covered returns the largest number of a triangle that a translucent one covers in pixels that see it alone, −1 for
// none.
func (b *samples) covered(x, y, n int) int32 {
	first, id := (y*b.n-b.row0)*b.w+x*b.n, int32(-1)
	for i := range n {
		id = max(id, b.below[first+i*b.n])
	}
	return id
}

// put writes a colour from 0 to 1 as 8 bits a channel.
func put(dst []uint8, c fauxgl.Color) {
	dst[0], dst[1], dst[2], dst[3] = uint8(c.R*255+0.5), uint8(c.G*255+0.5), uint8(c.B*255+0.5), 255
}

// group is a triangle that a pixel sees.
type group struct {
	id, below int32
	// count is the number of its samples; x and y are the sums of their places in the pixel, samples.
	count, x, y int16
}

// groupsAt finds the triangles that a pixel sees, of those of a picture; nil: each stays apart. A triangle of the same
// smooth surface continues where the one before ends: both are shaded as one.
func (b *samples) groupsAt(x, y int, seen []projected) []group {
	n := b.n
	first := (y*n-b.row0)*b.w + x*n
	// few samples see few triangles: a list is searched faster than a table
	count := 0
	for j := range n {
		at := first + j*b.w
		row := b.id[at : at+n]
	next:
		for i, id := range row {
			for k := range b.groups[:count] {
				if g := &b.groups[k]; g.id == id {
					g.add(1, i, j)
					continue next
				}
			}
			b.groups[count] = group{id, b.below[at+i], 1, int16(i), int16(j)}
			count++
		}
	}
	if count > 1 && seen != nil {
		return merge(b.groups[:count], seen)
	}
	return b.groups[:count]
}

// add counts samples, the places of which have the sums x and y.
func (g *group) add(count int16, x, y int) {
	g.count, g.x, g.y = g.count+count, g.x+int16(x), g.y+int16(y)
}

// merge joins groups of triangles that share a corner and its normal, in their order.
func merge(groups []group, seen []projected) []group {
	kept := groups[:1]
next:
	for i := 1; i < len(groups); i++ {
		g := groups[i]
		for k := range kept {
			if to := &kept[k]; g.id >= 0 && to.id >= 0 && seen[g.id].continues(&seen[to.id]) {
				// the larger part is shaded, at the mean of all samples
				if g.count > to.count {
					to.id, to.below = g.id, g.below
				}
				to.add(g.count, int(g.x), int(g.y))
				continue next
			}
		}
		kept = append(kept, g)
	}
	return kept
}

// place returns the mean of the places of the samples of a group, pixels.
func (g *group) place(x, y, n int) (px, py float64) {
	d := float64(int(g.count) * n)
	return float64(x) + (float64(g.x)+0.5*float64(g.count))/d, float64(y) + (float64(g.y)+0.5*float64(g.count))/d
}

// edge returns the colour of a pixel of the solid layers that sees several triangles: the mean of their colours,
// weighted by samples. It is taken of encoded colours, as eyes see edges.
func (s *stage) edge(b *samples, x, y int, back fauxgl.Color) fauxgl.Color {
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
	l := &s.solid[s.seen[id].layer]
	if l.ground != nil {
		return l.ground.at(x, y)
	}
	return s.facets[id].shade(l.shader, x, y, v)
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
	hiddenArrow  = 0.4
	hiddenFace   = 0.9
	hiddenBorder = 0.6
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
				c := s.coverFacets[i][g.id].shade(s.over[i].shader, px, py, &over.vertex)
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

// opacity returns the mean opacity over a pixel of one triangle of a cover: of each of its samples the whole, or that
// of hidden parts where a body is in front of it by more than the lift.
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
