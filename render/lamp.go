package render

import (
	"math"

	"github.com/fogleman/fauxgl"
)

// The lamp has a size: a point sees the share of taps within a disc of its depth map that are lit, see the package
// document. Most points are far from the edge of a shadow, where all taps agree. The map is divided
// into tiles; with the least and the largest height of a tile and its neighbours, which contain the disc,
//
//	h ≥ largest                     all taps are lit
//	h + rise < least                no tap is lit
//
// so that only points near edges take taps. rise is the most that the plane of the surface rises within the disc.
//
// Where a lit surface slopes, its own cells up the slope are higher than h. So each tile also has a plane that is near
// its cells, and the most that cells about it are above that plane: where plane and excess together stay below the
// plane of the surface within the disc, all taps are lit too.

// Of a soft shadow look-up.
const (
	penumbra     = 0.007 // radius over the map's width
	grazingLight = 0.15  // least cosine of the light's angle that the slope of a surface is taken from
	turns        = 64    // of the disc
)

// tap is one cell about the place of a look-up, in whole cells from the cell of that place.
type tap struct {
	// at is its number in the map from there on; du and dv are its place, cells.
	at     int32
	du, dv float32
}

// inCells rounds the taps of discs to the cells of a map of n cells a side: of all places in a cell, a tap then means
// the same cell, and takes one addition to find.
func inCells(discs *[turns][][2]float64, n int) *[turns][]tap {
	out := new([turns][]tap)
	for t := range discs {
		for _, p := range discs[t] {
			x, y := math.Round(penumbra*float64(n)*p[0]), math.Round(penumbra*float64(n)*p[1])
			out[t] = append(out[t], tap{int32(y)*int32(n) + int32(x), float32(x), float32(y)})
		}
	}
	return out
}

// reach is how far from the place of a look-up the farthest corner of a cell may be that its taps mean, along each
// axis, cells.
func (l *lighting) reach() float64 { return penumbra*float64(l.lamp.n) + 1.5 }

// discs returns so many taps within the unit disc, of even density (Vogel, A Better Way to Construct the Sunflower
// Head, 1979): tap k of n is at the radius √((k + ½)/n) and at k golden angles; in each of several turns.
func discs(n int) *[turns][][2]float64 {
	var d [turns][][2]float64
	for t := range d {
		for k := range n {
			r := math.Sqrt((float64(k) + 0.5) / float64(n))
			s, c := math.Sincos(float64(k)*math.Pi*(3-math.Sqrt(5)) + 2*math.Pi*float64(t)/turns)
			d[t] = append(d[t], [2]float64{r * c, r * s})
		}
	}
	return &d
}

// tileCells is the edge of a tile, cells: a power of two, so that the tile of a cell takes no division.
const tileCells = 8

// tiles have the range of heights about each tile of a depth map.
type tiles struct {
	// n is the number of tiles a side.
	n int
	// low and high are the least and the largest height of a tile and of those that the disc reaches from it, as maps
	// contain them.
	low, high []int32
	// planes are those of tiles, with the excess of a tile and of those that the disc reaches from it.
	planes []plane
	// own has the ranges of tiles alone, and ownPlanes planes that none of their own cells is above, while tiles are
	// built.
	own       [2][]int32
	ownPlanes []plane
}

// plane is a height as a linear function of the number of a cell along each axis.
type plane struct {
	// h is the height of cell (0, 0), m; hu and hv are its rise, m a cell.
	h, hu, hv float64
	// excess is the most that a cell with a surface is above it, m.
	excess float64
}

// at returns the height of a cell, m.
func (p *plane) at(i, j float64) float64 { return p.h + p.hu*i + p.hv*j }

// build finds the ranges of a map.
func (t *tiles) build(d *depthMap) {
	t.n = (d.n + tileCells - 1) / tileCells
	if len(t.low) != t.n*t.n {
		for _, s := range []*[]int32{&t.low, &t.high, &t.own[0], &t.own[1]} {
			*s = make([]int32, t.n*t.n)
		}
		t.planes, t.ownPlanes = make([]plane, t.n*t.n), make([]plane, t.n*t.n)
	}
	low, high := t.own[0], t.own[1]
	for i := range low {
		low[i], high[i] = math.MaxInt32, 0
	}
	for y := range d.n {
		row, tile := d.height[y*d.n:(y+1)*d.n], y/tileCells*t.n
		for x := 0; x < d.n; x += tileCells {
			lo, hi := low[tile], high[tile]
			for _, h := range row[x:min(x+tileCells, d.n)] {
				lo, hi = min(lo, h), max(hi, h)
			}
			low[tile], high[tile] = lo, hi
			tile++
		}
	}
	// with the tiles that the disc reaches, and the cell by which a point may be off
	reach := int(math.Ceil((penumbra*float64(d.n) + 1) / tileCells))
	for y := range t.n {
		for x := range t.n {
			lo, hi := low[y*t.n+x], high[y*t.n+x]
			for j := max(0, y-reach); j <= min(t.n-1, y+reach); j++ {
				for i := max(0, x-reach); i <= min(t.n-1, x+reach); i++ {
					lo, hi = min(lo, low[j*t.n+i]), max(hi, high[j*t.n+i])
				}
			}
			t.low[y*t.n+x], t.high[y*t.n+x] = lo, hi
		}
	}
	t.fit(d, reach)
}

// fit finds the planes of tiles whose discs reach so many tiles.
func (t *tiles) fit(d *depthMap, reach int) {
	for k := range t.ownPlanes {
		// most of the map is empty
		if t.own[1][k] > 0 {
			t.ownPlanes[k] = d.plane(k%t.n*tileCells, k/t.n*tileCells)
		}
	}
	// heights and planes are rounded to 24 bits where they are compared, and go up to 3/2 of the map's width
	rounding := 1e-6 * float64(d.n) / d.scale
	const side = tileCells - 1
	for y := range t.n {
		for x := range t.n {
			k := y*t.n + x
			p := t.ownPlanes[k]
			if t.own[1][k] == 0 {
				// nothing is near: no plane is below that of a surface
				p = plane{excess: math.Inf(1)}
			}
			for j := max(0, y-reach); j <= min(t.n-1, y+reach); j++ {
				for i := max(0, x-reach); i <= min(t.n-1, x+reach); i++ {
					if t.own[1][j*t.n+i] == 0 {
						continue
					}
					// the difference of two planes is largest at a corner of the other tile
					q := &t.ownPlanes[j*t.n+i]
					u, v := float64(i*tileCells), float64(j*tileCells)
					above := q.at(u, v) - p.at(u, v) + side*(max(0, q.hu-p.hu)+max(0, q.hv-p.hv))
					// nor is a cell of it higher than its highest
					high := float64(math.Float32frombits(uint32(t.own[1][j*t.n+i]))) - p.at(u, v) + side*(max(0, -p.hu)+max(0, -p.hv))
					p.excess = max(p.excess, min(above, high))
				}
			}
			p.excess += rounding
			t.planes[k] = p
		}
	}
}

// plane returns one near the surface in the tile whose first cell is (x, y).
func (d *depthMap) plane(x, y int) plane {
	x1, y1 := min(x+tileCells, d.n)-1, min(y+tileCells, d.n)-1
	at := func(i, j int) float64 { return float64(math.Float32frombits(uint32(d.height[j*d.n+i]))) }
	// the least rise between corners that have a surface: the largest is that of an edge
	rise := func(a, b, c, e float64, cells int) float64 {
		least := math.Inf(1)
		if a > 0 && b > 0 {
			least = b - a
		}
		if c > 0 && e > 0 && math.Abs(e-c) < math.Abs(least) {
			least = e - c
		}
		if math.IsInf(least, 1) {
			return 0
		}
		return least / max(1, float64(cells))
	}
	a, b, c, e := at(x, y), at(x1, y), at(x, y1), at(x1, y1)
	p := plane{hu: rise(a, b, c, e, x1-x), hv: rise(a, c, b, e, y1-y)}
	// so high that no cell is above it
	p.h = math.Inf(-1)
	for j := y; j <= y1; j++ {
		for i, bits := range d.height[j*d.n+x : j*d.n+x1+1] {
			if bits == 0 {
				continue
			}
			p.h = max(p.h, float64(math.Float32frombits(uint32(bits)))-p.hu*float64(x+i)-p.hv*float64(j))
		}
	}
	return p
}

// Light of the lamp on a whole triangle, as a shader gets it.
const (
	allLit   = 1  // every point sees all of the lamp
	allDark  = -1 // no point sees it
	partsLit = 0  // points differ, or may
)

// mostTiles bounds the tiles, along each side, that are looked up for a triangle.
const mostTiles = 4

// onTriangle says whether lampLight has one answer on a triangle, whatever its normals are.
func (l *lighting) onTriangle(a, b, c fauxgl.Vector) float64 {
	d := &l.lamp
	u0, v0, h0 := d.project(a)
	u1, v1, h1 := d.project(b)
	u2, v2, h2 := d.project(c)
	// points are moved by 1.5 cells along the normal, and by a cell towards the lamp
	const move = 1.5
	// all places that its points are looked up at lie in this rectangle
	low, high, ok := l.about(min(u0, u1, u2)-move, max(u0, u1, u2)+move, min(v0, v1, v2)-move, max(v0, v1, v2)+move)
	if !ok {
		return partsLit
	}
	if high <= heightBits(min(h0, h1, h2)+(1-move)/d.scale) {
		return allLit
	}
	// the plane of a surface rises by 1/grazingLight at most, per metre
	if low > heightBits(max(h0, h1, h2)+(1+move+(penumbra*float64(d.n)+math.Sqrt2)/grazingLight)/d.scale) {
		return allDark
	}
	return partsLit
}

// about returns the range of heights that discs about the places of a rectangle of the map reach, as maps store
// them; false for a rectangle that is large, or whose discs leave the map.
func (l *lighting) about(u0, u1, v0, v1 float64) (low, high int32, ok bool) {
	t := &l.tiles
	reach, side := l.reach(), float64(l.lamp.n)
	if !(u0 >= reach && v0 >= reach && u1 < side-reach && v1 < side-reach) {
		return 0, 0, false
	}
	i0, i1, j0, j1 := int(u0)/tileCells, int(u1)/tileCells, int(v0)/tileCells, int(v1)/tileCells
	if i1-i0 >= mostTiles || j1-j0 >= mostTiles {
		return 0, 0, false
	}
	low = math.MaxInt32
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			low, high = min(low, t.low[j*t.n+i]), max(high, t.high[j*t.n+i])
		}
	}
	return low, high, true
}

// outside reports whether a rectangle of the map's plane is more than a disc beyond a side of the map.
func (l *lighting) outside(u0, u1, v0, v1 float64) bool {
	reach, side := l.reach(), float64(l.lamp.n)
	return u1 < -reach || v1 < -reach || u0 >= side+reach || v0 >= side+reach
}

// taps are how the lamp is looked up on a plane: the slope of the plane as the map sees it.
type taps struct {
	// hu and hv are how much the plane rises towards the light along u and v, m a cell.
	hu, hv float64
}

// rise returns the most that a plane rises within the disc, m: the middle of a cell that a tap means is up to a cell
// from the tap, along each axis.
func (l *lighting) rise(t *taps) float64 {
	return (penumbra*float64(l.lamp.n) + math.Sqrt2) * math.Sqrt(t.hu*t.hu+t.hv*t.hv)
}

// taps returns those of planes with the unit normal n.
func (l *lighting) taps(n fauxgl.Vector) taps {
	// A plane with the normal n rises by −(n·e)/(n·d) along e, per metre. u and v are scale e₁·x and scale e₂·x.
	d := &l.lamp
	slope := -1 / (max(grazingLight, n.X*d.h.x+n.Y*d.h.y+n.Z*d.h.z) * d.scale * d.scale)
	return taps{hu: slope * (n.X*d.u.x + n.Y*d.u.y + n.Z*d.u.z), hv: slope * (n.X*d.v.x + n.Y*d.v.y + n.Z*d.v.z)}
}

// lampLight returns the part of the lamp that p sees, of a lamp of some size: the
// taps are turned by a hash of the place, so that edges have grain and no bands. Where a
// surface through p with normal n rises towards the light, taps rise with it: else it
// would throw a shadow on itself.
func (l *lighting) lampLight(p, n fauxgl.Vector) float64 {
	// by 1.5 cells out of the surface, and by a cell towards the lamp
	d := &l.lamp
	out := 1.5 / d.scale
	u, v, h := d.project(fauxgl.Vector{X: p.X + out*n.X, Y: p.Y + out*n.Y, Z: p.Z + out*n.Z})
	h += 1 / d.scale
	tile := l.tileAt(u, v)
	if l.open(tile, h) {
		return 1
	}
	t := l.taps(n)
	if l.above(tile, u, v, h, &t) {
		return 1
	}
	return l.lookUp(tile, u, v, h, &t)
}

// above reports whether a surface is above all others within the disc, as its tile's plane shows.
func (l *lighting) above(tile int, u, v, h float64, t *taps) bool {
	p := &l.tiles.planes[tile]
	// both planes in the cell of the place, from where the disc begins
	i, j := float64(floor(u)), float64(floor(v))
	gap := h + t.hu*(i+0.5-u) + t.hv*(j+0.5-v) - p.at(i, j) - p.excess
	du, dv, reach := p.hu-t.hu, p.hv-t.hv, penumbra*float64(l.lamp.n)+math.Sqrt2
	return gap >= 0 && gap*gap >= reach*reach*(du*du+dv*dv)
}

// tileAt returns the tile of a place of the map, −1 more than a disc outside of the map, where everything is lit.
func (l *lighting) tileAt(u, v float64) int {
	reach, side := l.reach(), float64(l.lamp.n)
	if !(u >= -reach && v >= -reach && u < side+reach && v < side+reach) {
		return -1
	}
	// unsigned, so that the division is a shift
	last := l.lamp.n - 1
	x, y := uint(max(0, min(int(u), last))), uint(max(0, min(int(v), last)))
	return int(y/tileCells)*l.tiles.n + int(x/tileCells)
}

// open reports whether no surface about a tile is higher than h, m: all taps are lit.
func (l *lighting) open(tile int, h float64) bool {
	return tile < 0 || l.tiles.high[tile] <= heightBits(h)
}

// lookUp returns the share of taps about a place of the map that are lit, given its tile, which is not open.
func (l *lighting) lookUp(tile int, u, v, h float64, t *taps) float64 {
	d := &l.lamp
	reach, side := l.reach(), float64(d.n)
	// a disc that leaves the map has taps that are lit for want of cells
	inside := u >= reach && v >= reach && u < side-reach && v < side-reach
	if low := l.tiles.low[tile]; inside && low > heightBits(h) && low > heightBits(h+l.rise(t)) {
		return 0
	}
	// a turn from the bits of the place
	hash := math.Float64bits(u*12.9898+v*78.233) * 0x9e3779b97f4a7c15
	disc := l.disc[hash>>40%turns]
	// the plane in the middle of the cell of the place
	i, j := floor(u), floor(v)
	plane, hu, hv := float32(h+t.hu*(float64(i)+0.5-u)+t.hv*(float64(j)+0.5-v)), float32(t.hu), float32(t.hv)
	// where the plane falls, its own height counts, and a sum below zero has bits that are less than any height's
	own, lit := heightBits(h), int32(0)
	if !inside {
		for k := range disc {
			tap := &disc[k]
			x, y := i+int(tap.du), j+int(tap.dv)
			if x < 0 || y < 0 || x >= d.n || y >= d.n || d.height[y*d.n+x] <= tap.above(plane, hu, hv, own) {
				lit++
			}
		}
		return float64(lit) / float64(len(disc))
	}
	// without branches: one more where the sign of the difference is clear
	at, height := int32(j*d.n+i), d.height
	for k := range disc {
		tap := &disc[k]
		lit += 1 + (tap.above(plane, hu, hv, own)-height[at+tap.at])>>31
	}
	return float64(lit) / float64(len(disc))
}

// above returns the height of a plane at a tap, at least own, as maps store it. Products are rounded each, so that all
// processors get the same.
func (t *tap) above(plane, hu, hv float32, own int32) int32 {
	return max(own, int32(math.Float32bits(plane+float32(hu*t.du)+float32(hv*t.dv))))
}
