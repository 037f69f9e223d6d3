package render

import (
	"math"
	"sync"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Light comes from one lamp and from the sky, a hemisphere of directions around up.
// Each direction has a shadow map, see depthMap. The maps of the sky are small and many: each throws a sharp shadow,
// and their mean is soft. That of the lamp is large and one, and is made soft by taps, see lampLight.

// caster is a surface that throws shadows.
type caster struct {
	// verts are the vertices in world axes, m.
	verts []r3.Vec
	// tris are the triangles, counter-clockwise seen from outside.
	tris [][3]int32
	// closed reports that the surface has no rim and that its triangles face outward.
	closed bool
}

// lighting has the depth maps of one frame.
type lighting struct {
	// quality is that of the maps.
	quality *quality
	// lamp is the map of the lamp, dome are those of the directions of the sky.
	lamp depthMap
	dome []depthMap
	// disc are the taps of a look-up in the lamp's map, in its cells.
	disc *[turns][]tap
	// tiles say which parts of the lamp's map have one answer.
	tiles tiles
	// bias is the width of a cell of the dome's maps, m. Points are moved out of their
	// surface by 1.5 cells before look-ups, so that it does not shade itself.
	bias float64
}

// corners is memory of the vertices of casters in the coordinates of a map.
var corners = sync.Pool{New: func() any { return new([]corner) }}

// cast draws all depth maps, with cells a side of the lamp's and dome of the others.
func (l *lighting) cast(casters []caster, lamp, up, center r3.Vec, radius float64, q *quality, cells, dome int) {
	if l.quality != q || l.lamp.n != cells {
		l.quality, l.disc = q, inCells(q.disc, cells)
	}
	if len(l.dome) != q.directions {
		l.dome = make([]depthMap, q.directions)
	}
	l.bias = 2 * radius / float64(dome)
	e1, e2 := r3.Basis(up)
	workers.Each(q.directions+1, func(i int) {
		d := &l.lamp
		dir, n := lamp, cells
		if i > 0 {
			// a spiral that covers the hemisphere evenly in solid angle
			k := float64(i) - 0.5
			z := 1 - k/float64(q.directions)*0.98
			s, c := math.Sincos(k * math.Pi * (3 - math.Sqrt(5)))
			r := math.Sqrt(1 - z*z)
			dir = up.Scale(z).AddScaled(r*c, e1).AddScaled(r*s, e2)
			d, n = &l.dome[i-1], dome
		}
		d.reset(dir, center, radius, n)
		mem := corners.Get().(*[]corner)
		for _, c := range casters {
			*mem = d.draw(&c, (*mem)[:0])
		}
		corners.Put(mem)
		if i == 0 {
			l.tiles.build(d)
		}
	})
}

// ambient returns how much of the dome's light a surface at p with normal n gets, of
// the light that it would get if it stood alone.
func (l *lighting) ambient(p, n r3.Vec) float64 {
	// E = Σ (n·d)⁺ open_d / Σ (n·d)⁺ over the directions d of the dome
	q := vector(p.AddScaled(1.5*l.bias, n))
	// directions below the surface give nothing and count for nothing
	got, all := 0.0, 1e-12
	for i := range l.dome {
		d := &l.dome[i]
		w := d.dir.Dot(n)
		if w <= 0 {
			continue
		}
		all += w
		got += w * float64(d.open(d.project(q)))
	}
	return got / (all * wholeOpen)
}

// ambientRow computes ambient at first, first + step, first + 2 step … of a plane with normal n. Coordinates in a map
// are linear along the row.
func (l *lighting) ambientRow(first, step, n r3.Vec, out []float64) {
	all := 1e-12
	clear(out)
	for i := range l.dome {
		d := &l.dome[i]
		w := d.dir.Dot(n)
		if w <= 0 {
			continue
		}
		all += w
		u, v, h := d.project(vector(first.AddScaled(1.5*l.bias, n)))
		du, dv, dh := d.u.along(step), d.v.along(step), d.h.along(step)
		for k := range out {
			x := float64(k)
			out[k] += w * float64(d.open(u+x*du, v+x*dv, h+x*dh))
		}
	}
	for k := range out {
		out[k] /= all * wholeOpen
	}
}
