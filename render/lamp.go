package render

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The lamp has a size: a point sees the share of taps within a disc of its depth map that are lit, see the package
// document. Most points are far from the edge of a shadow, where all taps agree. The map is divided
// into tiles; with the least and the largest height of a tile and its neighbours, which contain the disc,
//
//	h ≥ largest                     all taps are lit
//	h + rise < least                no tap is lit
//
// so that only points near edges take taps. rise is the most that the plane of the surface rises within the disc.

// Of a soft shadow look-up.
const (
	penumbra     = 0.007 // radius over the map's width
	grazingLight = 0.15  // least cosine of the light's angle that the slope of a surface is taken from
	turns        = 64    // of the disc
)

// discs returns so many taps within the unit disc, of even density (Vogel, A Better Way to Construct the Sunflower
// Head, 1979): tap k of n is at the radius √((k + ½)/n) and at k golden angles; in each of several turns.
func discs(n int) *[turns][][2]float32 {
	var d [turns][][2]float32
	for t := range d {
		for k := range n {
			r := math.Sqrt((float64(k) + 0.5) / float64(n))
			s, c := math.Sincos(float64(k)*math.Pi*(3-math.Sqrt(5)) + 2*math.Pi*float64(t)/turns)
			d[t] = append(d[t], [2]float32{float32(r * c), float32(r * s)})
		}
	}
	return &d
}

// tiles hold the range of heights about each tile of a depth map.
type tiles struct {
	// size is the edge of a tile, cells; n the number of tiles a side.
	size, n int
	// low and high are the least and the largest height of a tile and of those around it, m.
	low, high []float32
	// own holds the ranges of tiles without their neighbours, while tiles are built.
	own [2][]float32
}

// build finds the ranges of a map. A tile is at least as large as the disc of taps.
func (t *tiles) build(d *depthMap) {
	t.size = int(math.Ceil(penumbra*float64(d.n))) + 1
	t.n = (d.n + t.size - 1) / t.size
	if len(t.low) != t.n*t.n {
		for _, s := range []*[]float32{&t.low, &t.high, &t.own[0], &t.own[1]} {
			*s = make([]float32, t.n*t.n)
		}
	}
	low, high := t.own[0], t.own[1]
	for i := range low {
		low[i], high[i] = math.MaxFloat32, -math.MaxFloat32
	}
	for y := range d.n {
		row, tile := d.height[y*d.n:(y+1)*d.n], y/t.size*t.n
		for x := 0; x < d.n; x += t.size {
			lo, hi := low[tile], high[tile]
			for _, h := range row[x:min(x+t.size, d.n)] {
				lo, hi = min(lo, h), max(hi, h)
			}
			low[tile], high[tile] = lo, hi
			tile++
		}
	}
	// with the neighbours
	for y := range t.n {
		for x := range t.n {
			lo, hi := low[y*t.n+x], high[y*t.n+x]
			for j := max(0, y-1); j <= min(t.n-1, y+1); j++ {
				for i := max(0, x-1); i <= min(t.n-1, x+1); i++ {
					lo, hi = min(lo, low[j*t.n+i]), max(hi, high[j*t.n+i])
				}
			}
			t.low[y*t.n+x], t.high[y*t.n+x] = lo, hi
		}
	}
}

// Light of the lamp on a whole triangle, as a shader gets it.
const (
	allLit   = 1  // every point sees all of the lamp
	allDark  = -1 // no point sees it
	partsLit = 0  // points differ, or may
)

// mostTiles bounds the tiles, along each side, that are looked up for a triangle.
const mostTiles = 4

// onTriangle tells whether lampLight has one answer on a triangle, whatever its normals are.
func (l *lighting) onTriangle(a, b, c r3.Vec) float64 {
	d, t := &l.lamp, &l.tiles
	u0, v0, h0 := d.project(a)
	u1, v1, h1 := d.project(b)
	u2, v2, h2 := d.project(c)
	// points are moved by 1.5 cells along the normal, and by a cell towards the lamp
	const move = 1.5
	radius, side := penumbra*float64(d.n), float64(d.n)
	x0, x1 := min(u0, u1, u2)-move, max(u0, u1, u2)+move
	y0, y1 := min(v0, v1, v2)-move, max(v0, v1, v2)+move
	if x0 < radius || y0 < radius || x1 >= side-radius || y1 >= side-radius {
		return partsLit
	}
	i0, i1, j0, j1 := int(x0)/t.size, int(x1)/t.size, int(y0)/t.size, int(y1)/t.size
	if i1-i0 >= mostTiles || j1-j0 >= mostTiles {
		return partsLit
	}
	low, high := float32(math.MaxFloat32), float32(-math.MaxFloat32)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			low, high = min(low, t.low[j*t.n+i]), max(high, t.high[j*t.n+i])
		}
	}
	if float64(high) <= min(h0, h1, h2)+(1-move)/d.scale {
		return allLit
	}
	// the plane of a surface rises by 1/grazingLight at most, per metre
	if float64(low) > max(h0, h1, h2)+(1+move+radius/grazingLight)/d.scale {
		return allDark
	}
	return partsLit
}

// lampLight returns the part of the lamp that p sees, of a lamp of some size: the
// taps are turned by a hash of the place, so that edges have grain and no bands. Where a
// surface through p with normal n rises towards the light, taps rise with it: else it
// would throw a shadow on itself.
func (l *lighting) lampLight(p, n r3.Vec) float64 {
	d := &l.lamp
	u, v, h := d.project(p.AddScaled(1.5/d.scale, n))
	h += 1 / d.scale
	// outside the map, and one disc beyond, everything is lit
	radius := penumbra * float64(d.n)
	side := float64(d.n)
	if u < -radius || v < -radius || u >= side+radius || v >= side+radius {
		return 1
	}
	t := &l.tiles
	x, y := int(max(0, min(u, side-1))), int(max(0, min(v, side-1)))
	tile := y/t.size*t.n + x/t.size
	if float64(t.high[tile]) <= h {
		return 1
	}
	// A plane with the normal n rises by −(n·e)/(n·d) along e, per metre.
	slope := -1 / (max(grazingLight, n.Dot(d.dir)) * d.scale)
	hu, hv := slope*n.Dot(d.e1), slope*n.Dot(d.e2)
	inside := u >= radius && v >= radius && u < side-radius && v < side-radius
	if inside && float64(t.low[tile]) > h+radius*math.Sqrt(hu*hu+hv*hv) {
		return 0
	}
	// a turn from the bits of the place
	hash := math.Float64bits(u*12.9898+v*78.233) * 0x9e3779b97f4a7c15
	lit := 0
	taps := l.quality.disc[hash>>40%turns]
	for _, tap := range taps {
		du, dv := radius*float64(tap[0]), radius*float64(tap[1])
		if d.lit(u+du, v+dv, h+max(0, hu*du+hv*dv)) {
			lit++
		}
	}
	return float64(lit) / float64(len(taps))
}
