package render

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
)

// A picture is drawn by rasterization with a depth buffer. Each pixel has n × n samples,
// whose mean is its colour. Layers are drawn in this order:
//
//	solid layers: a sample is replaced where z < z_drawn − bias
//	covers:       drawn apart, then blended over the picture: the opacity is 1 where
//	              z ≤ z_drawn + lift, and that of hidden parts elsewhere
//
// with the depth z of a surface, which grows away from the camera. The picture is cut into
// bands of rows; each band has its own buffers and a projection that maps its rows to all
// of clip space, y' = a y + b w.

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
	// lo and hi are the range of y/w in clip space of each triangle, which tells the bands
	// that it meets.
	lo, hi []float32
	// shader returns the shader for a projection from world to clip coordinates. Each band
	// has its own, because bands are drawn at the same time.
	shader func(m fauxgl.Matrix) fauxgl.Shader
	// bias is the depth by which a surface must be in front of those drawn before.
	bias float64
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
}

// bandRows is the height of the bands of a picture. A band is drawn on one processor;
// its height bounds memory and does not depend on the number of processors, so that
// pictures do not either.
const bandRows = 48

// draw rasterises the stage and averages the samples of each pixel.
func (s *stage) draw() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, s.w, s.h))
	// the bands that each triangle meets, then the bands
	for i := range s.solid {
		s.solid[i].span(s.matrix)
	}
	for i := range s.over {
		s.over[i].span(s.matrix)
	}
	bands := (s.h + bandRows - 1) / bandRows
	parallel(bands, func(b int) {
		y0 := b * bandRows
		s.band(out, y0, min(s.h, y0+bandRows))
	})
	return out
}

// span finds the range of heights in the picture of each triangle.
func (l *layer) span(m fauxgl.Matrix) {
	l.lo, l.hi = make([]float32, len(l.tris)), make([]float32, len(l.tris))
	for i := range l.tris {
		// the heights of the three corners after projection
		t := &l.tris[i]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range [3]*fauxgl.Vertex{&t.V1, &t.V2, &t.V3} {
			p := m.MulPositionW(v.Position)
			if p.W <= 0 { // behind the camera: anywhere
				lo, hi = math.Inf(-1), math.Inf(1)
				break
			}
			lo, hi = min(lo, p.Y/p.W), max(hi, p.Y/p.W)
		}
		l.lo[i], l.hi[i] = float32(lo)-1e-5, float32(hi)+1e-5
	}
}

// sound leaves out the pixels of triangles without an area in the picture, such as the
// thinnest slivers of sections, in which the rasterizer divides by zero.
type sound struct{ fauxgl.Shader }

// Fragment implements fauxgl.Shader.
func (s sound) Fragment(v fauxgl.Vertex) fauxgl.Color {
	if math.IsNaN(v.Position.X) {
		return fauxgl.Discard
	}
	return s.Shader.Fragment(v)
}

// draw rasterizes the triangles that meet the band between two heights.
func (l *layer) draw(dc *fauxgl.Context, m fauxgl.Matrix, bottom, top float64) {
	if len(l.tris) == 0 {
		return
	}
	dc.Shader = sound{l.shader(m)}
	dc.DepthBias = l.bias
	for i := range l.tris {
		if float64(l.hi[i]) >= bottom && float64(l.lo[i]) <= top {
			dc.DrawTriangle(&l.tris[i])
		}
	}
}

// band draws the pixel rows y0..y1−1.
func (s *stage) band(out *image.RGBA, y0, y1 int) {
	n := s.samples
	w, h := s.w*n, (y1-y0)*n
	top, bottom := 1-2*float64(y0)/float64(s.h), 1-2*float64(y1)/float64(s.h)
	// the projection with the band's rows stretched over all of clip space
	m := s.matrix
	// y = top becomes 1 and y = bottom becomes −1
	a, b := 2/(top-bottom), -(top+bottom)/(top-bottom)
	m.X10, m.X11 = a*m.X10+b*m.X30, a*m.X11+b*m.X31
	m.X12, m.X13 = a*m.X12+b*m.X32, a*m.X13+b*m.X33

	// background, solid layers, and each cover on a canvas of its own
	dc := fauxgl.NewContext(w, h)
	for y := range h {
		s.backdrop(dc.ColorBuffer.Pix[y*dc.ColorBuffer.Stride:][:4*w], (float64(y0*n+y)+0.5)/float64(s.h*n))
	}
	for i := range s.solid {
		s.solid[i].draw(dc, m, bottom, top)
	}
	for i := range s.over {
		if c := &s.over[i]; len(c.tris) > 0 {
			over := fauxgl.NewContext(w, h)
			c.draw(over, m, bottom, top)
			overlay(dc, over, c)
		}
	}
	average(out, dc.ColorBuffer, y0, n)
}

// backdrop fills a row at the relative height u from the top.
func (s *stage) backdrop(row []uint8, u float64) {
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-u) + float64(b)*u + 0.5) }
	r, g, b := mix(s.top.R, s.bottom.R), mix(s.top.G, s.bottom.G), mix(s.top.B, s.bottom.B)
	for i := 0; i < len(row); i += 4 {
		row[i], row[i+1], row[i+2], row[i+3] = r, g, b, 255
	}
}

// Opacity of arrows and contact surfaces that a body hides.
const (
	hiddenArrow = 0.4
	hiddenFace  = 0.8
)

// overlay blends a cover over the picture.
func overlay(dst, over *fauxgl.Context, c *cover) {
	// samples that the cover does not touch have the depth of an empty buffer
	for i, z := range over.DepthBuffer {
		if z == math.MaxFloat64 {
			continue
		}
		// hidden by more than the lift: the cover is seen through what is in front of it
		a := 1.0
		if z > dst.DepthBuffer[i]+c.lift {
			a = c.hidden
		}
		d, s := dst.ColorBuffer.Pix[4*i:4*i+3], over.ColorBuffer.Pix[4*i:4*i+3]
		for k := range d {
			d[k] = uint8(a*float64(s[k]) + (1-a)*float64(d[k]) + 0.5)
		}
	}
}

// average writes the means of n×n samples into the rows from y0 on.
func average(out *image.RGBA, src *image.NRGBA, y0, n int) {
	w, h := src.Rect.Dx()/n, src.Rect.Dy()/n
	for y := range h {
		dst := out.Pix[(y0+y)*out.Stride:]
		for x := range w {
			var r, g, b int
			for j := range n {
				p := src.Pix[(y*n+j)*src.Stride+4*x*n:]
				for i := range n {
					r, g, b = r+int(p[4*i]), g+int(p[4*i+1]), b+int(p[4*i+2])
				}
			}
			// rounded to the nearest of 256 values
			k := n * n
			dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = uint8((r+k/2)/k), uint8((g+k/2)/k), uint8((b+k/2)/k), 255
		}
	}
}

// builder collects the triangles of bodies.
type builder struct {
	// light holds the depth maps of the sky, for the ambient light at vertices.
	light *lighting
	// cut is the cut of the next body; nil: it is whole.
	cut *cutter
	// tris are the triangles so far.
	tris []fauxgl.Triangle
}

// look is the appearance of a body's surface.
type look struct {
	// color is linear light.
	color fauxgl.Color
	// gloss is the strength of the highlight, see the package document.
	gloss float64
	// scalar is a field at the vertices, as a part of the scale of colours from 0 to 1;
	// nil: the body has its colour.
	scalar []float64
}

// surface appends a body's surface with its vertices and normals where they are in
// the world, cut.
func (b *builder) surface(s *tessellation, verts, normals []r3.Vec, lk look) {
	// The sky at each slot: 256 at a time, each item writes its own.
	ambient := make([]float64, len(normals))
	parallel((len(ambient)+255)/256, func(k int) {
		for i := 256 * k; i < min(len(ambient), 256*(k+1)); i++ {
			ambient[i] = b.light.ambient(verts[s.vert[i]], normals[i])
		}
	})
	// triangles, those of open surfaces from both sides
	from := len(b.tris)
	for t, v := range s.tris {
		var c [3]fauxgl.Vertex
		for e := range 3 {
			k := s.corner[t][e]
			x := -1.0
			if lk.scalar != nil {
				x = lk.scalar[v[e]]
			}
			c[e] = fauxgl.Vertex{
				Position: vector(verts[v[e]]), Normal: vector(normals[k]), Color: lk.color,
				Texture: fauxgl.Vector{X: ambient[k], Y: x, Z: lk.gloss},
			}
		}
		b.tris = append(b.tris, fauxgl.Triangle{V1: c[0], V2: c[1], V3: c[2]})
		if s.open { // the inside is seen too
			for e := range c {
				c[e].Normal = c[e].Normal.Negate()
			}
			b.tris = append(b.tris, fauxgl.Triangle{V1: c[2], V2: c[1], V3: c[0]})
		}
	}
	// cutting comes last, so that new corners have interpolated light
	if b.cut != nil {
		b.tris = append(b.tris[:from], b.cut.triangles(b.tris[from:])...)
	}
}
