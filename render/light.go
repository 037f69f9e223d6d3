package render

import (
	"math"

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

// triangle draws a triangle into the cells whose middles it covers.
func (d *depthMap) triangle(a, b, c r3.Vec) {
	// corners in cells; triangles that cover no middle of a row or column are left out
	u0, v0, h0 := d.project(a)
	u1, v1, h1 := d.project(b)
	u2, v2, h2 := d.project(c)
	y0, y1 := d.cells(v0, v1, v2)
	if x0, x1 := d.cells(u0, u1, u2); x0 > x1 || y0 > y1 {
		return
	}
	// twice the area in cells, made positive: the edges then run counter-clockwise
	det := (u1-u0)*(v2-v0) - (u2-u0)*(v1-v0)
	if det == 0 {
		return
	}
	if det < 0 {
		u1, v1, h1, u2, v2, h2 = u2, v2, h2, u1, v1, h1
		det = -det
	}
	// height as a plane over the cells
	hu := ((h1-h0)*(v2-v0) - (h2-h0)*(v1-v0)) / det
	hv := ((h2-h0)*(u1-u0) - (h1-h0)*(u2-u0)) / det
	top := max(h0, h1, h2) // steep faces must not overshoot
	for y := y0; y <= y1; y++ {
		py := float64(y) + 0.5
		// the span of the row inside the triangle
		lo, hi := math.Inf(-1), math.Inf(1)
		for _, e := range [3][4]float64{{u0, v0, u1, v1}, {u1, v1, u2, v2}, {u2, v2, u0, v0}} {
			dy := e[3] - e[1]
			if dy == 0 {
				if (e[2]-e[0])*(py-e[1]) < 0 {
					lo, hi = 1, 0
				}
				continue
			}
			x := e[0] + (py-e[1])*(e[2]-e[0])/dy
			if dy > 0 {
				hi = min(hi, x)
			} else {
				lo = max(lo, x)
			}
		}
		x0, x1 := max(0, int(math.Ceil(max(lo, -1)-0.5))), min(d.n-1, int(math.Floor(min(hi, float64(d.n)+1)-0.5)))
		// the nearest surface to the light stays
		row := d.height[y*d.n : (y+1)*d.n]
		for x := x0; x <= x1; x++ {
			h := float32(min(top, h0+hu*(float64(x)+0.5-u0)+hv*(py-v0)))
			row[x] = max(row[x], h)
		}
	}
}

// cells returns the first and last row, or column, whose middle is between three
// coordinates.
func (d *depthMap) cells(a, b, c float64) (lo, hi int) {
	lo = max(0, int(math.Ceil(min(a, b, c)-0.5)))
	hi = min(d.n-1, int(math.Floor(max(a, b, c)-0.5)))
	return lo, hi
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

// lighting holds the depth maps of one frame.
type lighting struct {
	// lamp is the map of the lamp, dome are those of the directions of the sky.
	lamp depthMap
	dome []depthMap
	// bias is the width of a cell of the dome's maps, m. Points are moved out of their
	// surface by 1.5 cells before look-ups, so that it does not shade itself.
	bias float64
}

// Sizes of the maps. Each direction of the dome throws a sharp shadow: with 40 they
// can be told apart on the walls of a bin, with numDome they cannot.
const (
	numDome      = 112
	maxDomeCells = 192
	minDomeCells = 48
	maxLampCells = 2048
)

// domeCells is the number of cells a side of the dome's maps, and of the ground's
// grid, for a picture.
func domeCells(size [2]int) int {
	return max(minDomeCells, min(maxDomeCells, max(size[0], size[1])/4))
}

// lampCells is the size of the lamp's map for a picture: somewhat finer than its
// pixels.
func lampCells(size [2]int) int {
	return min(maxLampCells, max(size[0], size[1])*8/5)
}

// cast draws all depth maps, with cells a side of the lamp's and dome of the others. Each triangle
// of the soup casts shadows.
func (l *lighting) cast(soup []r3.Vec, lamp, up, center r3.Vec, radius float64, cells, dome int) {
	if l.dome == nil {
		l.dome = make([]depthMap, numDome)
	}
	l.bias = 2 * radius / float64(dome)
	e1, e2 := r3.Basis(up)
	parallel(numDome+1, func(i int) {
		d := &l.lamp
		dir, n := lamp, cells
		if i > 0 {
			// a spiral that covers the hemisphere evenly in solid angle
			k := float64(i) - 0.5
			z := 1 - k/numDome*0.98
			s, c := math.Sincos(k * math.Pi * (3 - math.Sqrt(5)))
			r := math.Sqrt(1 - z*z)
			dir = up.Scale(z).AddScaled(r*c, e1).AddScaled(r*s, e2)
			d, n = &l.dome[i-1], dome
		}
		d.reset(dir, center, radius, n)
		for t := 0; t+2 < len(soup); t += 3 {
			d.triangle(soup[t], soup[t+1], soup[t+2])
		}
	})
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

// disc holds the taps of one soft shadow look-up, in units of its radius.
var disc = [6][2]float64{{0.35, 0.2}, {-0.4, 0.35}, {0.1, -0.55}, {0.85, -0.3}, {-0.8, -0.35}, {-0.15, 0.9}}

// Of a soft shadow look-up.
const (
	penumbra     = 0.007 // radius over the map's width
	grazingLight = 0.15  // least cosine of the light's angle that the slope of a surface is taken from
)

// lampLight returns the part of the lamp that p sees, of a lamp of some size: the
// taps are turned by a hash of the place, and samples of a pixel smooth them. Where a
// surface through p with normal n rises towards the light, taps rise with it: else it
// would throw a shadow on itself.
func (l *lighting) lampLight(p, n r3.Vec) float64 {
	d := &l.lamp
	// A plane with the normal n rises by −(n·e)/(n·d) along e, per metre.
	u, v, h := d.project(p.AddScaled(1.5/d.scale, n))
	h += 1 / d.scale
	slope := -1 / (max(grazingLight, n.Dot(d.dir)) * d.scale)
	hu, hv := slope*n.Dot(d.e1), slope*n.Dot(d.e2)
	// an angle between 0 and 2π from the bits of the place
	x := math.Float64bits(u*12.9898+v*78.233) * 0x9e3779b97f4a7c15
	s, c := math.Sincos(float64(x>>40) * (2 * math.Pi / (1 << 24)))
	// the share of taps that are lit
	radius := penumbra * float64(d.n)
	lit := 0
	for _, t := range disc {
		du, dv := radius*(c*t[0]-s*t[1]), radius*(s*t[0]+c*t[1])
		if d.lit(u+du, v+dv, h+max(0, hu*du+hv*dv)) {
			lit++
		}
	}
	return float64(lit) / float64(len(disc))
}
