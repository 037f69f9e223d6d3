package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/workers"
)

// With the barycentric coordinates b_k of the picture, numerator and denominator of (1) are linear over the picture. So
// what a triangle carries is found once as linear functions over it, and a pixel takes one division and no look at the
// corners, which are far apart in memory.

// facet is a triangle in sight as its pixels need it.
type facet struct {
	// x and y are the place of its first corner, pixels, from where the functions count.
	x, y float64
	// w is the denominator of (1), the others are the numerators of what a vertex carries: place, normal, ambient light
	// and field.
	w, px, py, pz, nx, ny, nz, ambient, field linear
	// color is that of the body, gloss the strength of its highlight.
	color fauxgl.Color
	gloss float64
	// lamp says whether all of it sees the lamp: allLit, allDark or partsLit.
	lamp float64
}

// linear is a function of a place (x, y) in the picture.
type linear struct{ o, x, y float64 }

// at returns the value at a place.
func (l *linear) at(x, y float64) float64 { return l.o + l.x*x + l.y*y }

// weights are the functions b_k/w_k of the corners of a triangle, of which only the first is not 0 at the first corner.
type weights struct{ o, x0, x1, x2, y0, y1, y2 float64 }

// of returns the numerator of an attribute that has these values at the corners.
func (w *weights) of(a, b, c float64) linear {
	return linear{a * w.o, a*w.x0 + b*w.x1 + c*w.x2, a*w.y0 + b*w.y1 + c*w.y2}
}

// facet finds the functions of a triangle.
func (p *projected) facet() facet {
	// places from the first corner: a sliver loses no digits in differences of large numbers
	x1, y1, x2, y2 := p.x[1]-p.x[0], p.y[1]-p.y[0], p.x[2]-p.x[0], p.y[2]-p.y[0]
	w := weights{
		o: (y1*x2 - x1*y2) * p.rw[0], x0: (y2 - y1) * p.rw[0], y0: (x1 - x2) * p.rw[0],
		x1: -y2 * p.rw[1], y1: x2 * p.rw[1], x2: y1 * p.rw[2], y2: -x1 * p.rw[2],
	}
	a, b, c := &p.tri.V1, &p.tri.V2, &p.tri.V3
	return facet{
		x: p.x[0], y: p.y[0],
		w:  w.of(1, 1, 1),
		px: w.of(a.Position.X, b.Position.X, c.Position.X),
		py: w.of(a.Position.Y, b.Position.Y, c.Position.Y),
		pz: w.of(a.Position.Z, b.Position.Z, c.Position.Z),
		nx: w.of(a.Normal.X, b.Normal.X, c.Normal.X),
		ny: w.of(a.Normal.Y, b.Normal.Y, c.Normal.Y),
		nz: w.of(a.Normal.Z, b.Normal.Z, c.Normal.Z),
		// one colour and one gloss for each triangle
		ambient: w.of(a.Texture.X, b.Texture.X, c.Texture.X),
		field:   w.of(a.Texture.Y, b.Texture.Y, c.Texture.Y),
		color:   a.Color, gloss: a.Texture.Z,
	}
}

// shade returns the colour at a place of the picture, pixels. v is memory for the attributes there.
func (f *facet) shade(s shader, x, y float64, v *fauxgl.Vertex) fauxgl.Color {
	x, y = x-f.x, y-f.y
	r := 1 / f.w.at(x, y)
	v.Position = fauxgl.Vector{X: r * f.px.at(x, y), Y: r * f.py.at(x, y), Z: r * f.pz.at(x, y)}
	v.Texture = fauxgl.Vector{X: r * f.ambient.at(x, y), Y: r * f.field.at(x, y), Z: f.gloss}
	v.Output.X = f.lamp // the place in the picture is known
	v.Color = f.color
	n := fauxgl.Vector{X: r * f.nx.at(x, y), Y: r * f.ny.at(x, y), Z: r * f.nz.at(x, y)}
	if d := n.X*n.X + n.Y*n.Y + n.Z*n.Z; d > 0 {
		d = 1 / math.Sqrt(d)
		n = fauxgl.Vector{X: d * n.X, Y: d * n.Y, Z: d * n.Z}
	}
	v.Normal = n
	return s.Fragment(v)
}

// facets finds those of triangles in sight, in the memory of out, and what is true of a whole triangle: whether
// it sees the lamp, so that its pixels need no look-up in the lamp's map.
func facets(out []facet, seen []projected, light *lighting) []facet {
	out = sized(out, len(seen))
	workers.Each((len(seen)+1023)/1024, func(k int) {
		for i := 1024 * k; i < min(len(seen), 1024*(k+1)); i++ {
			out[i] = seen[i].facet()
			if light != nil {
				t := seen[i].tri
				out[i].lamp = light.onTriangle(t.V1.Position, t.V2.Position, t.V3.Position)
			}
		}
	})
	return out
}
