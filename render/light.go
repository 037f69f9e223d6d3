package render

import (
	"math"
	"sync"

	"github.com/curlfree/curlfree/r3"
)

// Light comes from one lamp and from the sky, a hemisphere of directions around up.
// Each direction has a depth map (shadow map): an orthographic picture of how far towards the light
// the first surface is. A point at the height h along the direction d is lit if the
// map at its place shows at most h.

// depthMap is a square grid across the direction of a light. A cell holds the
// coordinate d·x (m) of the surface that is nearest to the light.
//
// With e₁ and e₂ across the direction d, a point x lies at
//
//	u = (e₁·x − o₁) scale,  v = (e₂·x − o₂) scale,  h = d·x,
//
// in the cell (⌊u⌋, ⌊v⌋), whose middle is at (⌊u⌋ + ½, ⌊v⌋ + ½).
type depthMap struct {
	// dir is the unit vector d towards the light, in world axes.
	dir r3.Vec
	// e1 and e2 make an orthonormal basis with dir.
	e1, e2 r3.Vec
	// o1 and o2 are the coordinates along e1 and e2 of the first cell's corner, m.
	o1, o2 float64
	// scale is the number of cells per metre.
	scale float64
	// n is the number of cells a side.
	n int
	// height is h of each cell, m, row by row along e1; −MaxFloat32 without a surface.
	height []float32
}

// reset clears the map and lets it cover the ball that all surfaces are in.
func (d *depthMap) reset(dir, center r3.Vec, radius float64, n int) {
	// a square of 2 radius × 2 radius about the middle of the ball
	d.dir = dir
	d.e1, d.e2 = r3.Basis(dir)
	d.n = n
	d.scale = float64(n) / (2 * radius)
	d.o1, d.o2 = d.e1.Dot(center)-radius, d.e2.Dot(center)-radius
	if len(d.height) != n*n {
		d.height = make([]float32, n*n)
	}
	for i := range d.height {
		d.height[i] = -math.MaxFloat32
	}
}

// project returns the coordinates of a point in cells, and its height towards the
// light, m.
func (d *depthMap) project(p r3.Vec) (u, v, h float64) {
	return (d.e1.Dot(p) - d.o1) * d.scale, (d.e2.Dot(p) - d.o2) * d.scale, d.dir.Dot(p)
}

// corner is a vertex of a caster in the coordinates of a map: u and v in cells, the height h towards the light, m.
type corner struct{ u, v, h float64 }

// triangle draws a triangle into the cells whose middles it covers. A closed surface needs only those that face the
// light, which are nearer to it than their backs.
func (d *depthMap) triangle(a, b, c *corner, closed bool) {
	// most triangles are smaller than a cell and cover no middle
	x0, x1 := math.Ceil(min(a.u, b.u, c.u)-0.5), math.Floor(max(a.u, b.u, c.u)-0.5)
	y0, y1 := math.Ceil(min(a.v, b.v, c.v)-0.5), math.Floor(max(a.v, b.v, c.v)-0.5)
	if x0 > x1 || y0 > y1 {
		return
	}
	det := (b.u-a.u)*(c.v-a.v) - (c.u-a.u)*(b.v-a.v)
	if det == 0 || closed && det < 0 {
		return
	}
	// height as a plane over the cells
	hu := ((b.h-a.h)*(c.v-a.v) - (c.h-a.h)*(b.v-a.v)) / det
	hv := ((c.h-a.h)*(b.u-a.u) - (b.h-a.h)*(c.u-a.u)) / det
	top := max(a.h, b.h, c.h) // steep faces must not overshoot
	// corners from the first row to the last
	if b.v < a.v {
		a, b = b, a
	}
	if c.v < b.v {
		b, c = c, b
	}
	if b.v < a.v {
		a, b = b, a
	}
	last := float64(d.n - 1)
	x0, x1, y0, y1 = max(x0, 0), min(x1, last), max(y0, 0), min(y1, last)
	long, upper, lower := (c.u-a.u)/(c.v-a.v), (b.u-a.u)/(b.v-a.v), (c.u-b.u)/(c.v-b.v)
	for y := y0; y <= y1; y++ {
		// from the long edge to the one of the others that the row meets
		py := y + 0.5
		left, right := a.u+(py-a.v)*long, a.u+(py-a.v)*upper
		if py >= b.v {
			right = b.u + (py-b.v)*lower
		}
		if right < left {
			left, right = right, left
		}
		from, to := max(x0, math.Ceil(left-0.5)), min(x1, math.Floor(right-0.5))
		if from > to {
			continue
		}
		// the nearest surface to the light stays
		row := d.height[int(y)*d.n+int(from) : int(y)*d.n+int(to)+1]
		h := a.h + hu*(from+0.5-a.u) + hv*(py-a.v)
		for x := range row {
			row[x] = max(row[x], float32(min(top, h)))
			h += hu
		}
	}
}

// lit reports whether no surface is between the light and the cell at (u, v) at the
// height h. Outside the map everything is lit.
func (d *depthMap) lit(u, v, h float64) bool {
	x, y := int(math.Floor(u)), int(math.Floor(v))
	if x < 0 || y < 0 || x >= d.n || y >= d.n {
		return true
	}
	return float64(d.height[y*d.n+x]) <= h
}

// open returns which part of the four cells around (u, v), weighted by their
// distance, has nothing between the light and the height h.
func (d *depthMap) open(u, v, h float64) float64 {
	// the four cells whose middles are around (u, v), with bilinear weights
	x, y := math.Floor(u-0.5), math.Floor(v-0.5)
	i, j := int(x), int(y)
	if i < 0 || j < 0 || i >= d.n-1 || j >= d.n-1 {
		return 1
	}
	a, b := u-0.5-x, v-0.5-y
	row, next := d.height[j*d.n+i:], d.height[(j+1)*d.n+i:]
	part := func(height float32) float64 {
		if float64(height) <= h {
			return 1
		}
		return 0
	}
	return (part(row[0])*(1-a)+part(row[1])*a)*(1-b) + (part(next[0])*(1-a)+part(next[1])*a)*b
}

// caster is a surface that throws shadows.
type caster struct {
	// verts are the vertices in world axes, m.
	verts []r3.Vec
	// tris are the triangles, counter-clockwise seen from outside.
	tris [][3]int32
	// closed reports that the surface has no rim and that its triangles face outward.
	closed bool
}

// lighting holds the depth maps of one frame.
type lighting struct {
	// quality is that of the maps.
	quality *quality
	// lamp is the map of the lamp, dome are those of the directions of the sky.
	lamp depthMap
	dome []depthMap
	// tiles tell which parts of the lamp's map have one answer.
	tiles tiles
	// bias is the width of a cell of the dome's maps, m. Points are moved out of their
	// surface by 1.5 cells before look-ups, so that it does not shade itself.
	bias float64
}

// corners is memory of the vertices of casters in the coordinates of a map.
var corners = sync.Pool{New: func() any { return new([]corner) }}

// cast draws all depth maps, with cells a side of the lamp's and dome of the others.
func (l *lighting) cast(casters []caster, lamp, up, center r3.Vec, radius float64, q *quality, cells, dome int) {
	l.quality = q
	if len(l.dome) != q.directions {
		l.dome = make([]depthMap, q.directions)
	}
	l.bias = 2 * radius / float64(dome)
	e1, e2 := r3.Basis(up)
	parallel(q.directions+1, func(i int) {
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

// draw draws a caster. at is memory for its vertices, which it returns.
func (d *depthMap) draw(c *caster, at []corner) []corner {
	for _, p := range c.verts {
		u, v, h := d.project(p)
		at = append(at, corner{u, v, h})
	}
	for _, t := range c.tris {
		d.triangle(&at[t[0]], &at[t[1]], &at[t[2]], c.closed)
	}
	return at
}

// ambient returns how much of the dome's light a surface at p with normal n gets, of
// the light that it would get if it stood alone.
func (l *lighting) ambient(p, n r3.Vec) float64 {
	// E = Σ (n·d)⁺ open_d / Σ (n·d)⁺ over the directions d of the dome
	q := p.AddScaled(1.5*l.bias, n)
	got, all := 0.0, 1e-12
	for i := range l.dome {
		d := &l.dome[i]
		w := d.dir.Dot(n)
		if w <= 0 {
			continue
		}
		all += w
		got += w * d.open(d.project(q))
	}
	return got / all
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
		u, v, h := d.project(first.AddScaled(1.5*l.bias, n))
		du, dv, dh := d.e1.Dot(step)*d.scale, d.e2.Dot(step)*d.scale, d.dir.Dot(step)
		for k := range out {
			x := float64(k)
			out[k] += w * d.open(u+x*du, v+x*dv, h+x*dh)
		}
	}
	for k := range out {
		out[k] /= all
	}
}
