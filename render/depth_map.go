package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
)

// A depth map (shadow map) is an orthographic picture of how far towards a light the first surface is. A point at the
// height h along the direction d is lit if the map at its place shows at most h.
//
// Heights are floats of 32 bits above a level beneath all surfaces, so that they are positive: then their bits,
// read as integers, have the order of the numbers, and
//
//	(b − a) >> 31 = −1 for a > b, else 0
//
// compares without a branch. Near the edge of a shadow branches would go either way, and cost more than all else.
// Heights above that level also have the same resolution wherever the scene lies.

// affine is a function a·x + o of a point x in world axes. Its fields are numbers, not a vector of package r3: those
// live in memory, these in registers.
type affine struct{ x, y, z, o float64 }

// affineOf returns the function scale (a·x − o).
func affineOf(a r3.Vec, o, scale float64) affine {
	return affine{scale * a[0], scale * a[1], scale * a[2], -scale * o}
}

// at returns the value at a point.
func (f *affine) at(p fauxgl.Vector) float64 { return f.x*p.X + f.y*p.Y + f.z*p.Z + f.o }

// along returns how much the value changes by a step.
func (f *affine) along(step r3.Vec) float64 { return f.x*step[0] + f.y*step[1] + f.z*step[2] }

// depthMap is a square grid across the direction of a light. A cell has the
// height h of the surface that is nearest to the light.
//
// With e₁ and e₂ across the direction d, a point x lies at
//
//	u = (e₁·x − o₁) scale,  v = (e₂·x − o₂) scale,  h = d·x − o,
//
// in the cell (⌊u⌋, ⌊v⌋), whose middle is at (⌊u⌋ + ½, ⌊v⌋ + ½).
type depthMap struct {
	// dir is the unit vector d towards the light, in world axes.
	dir r3.Vec
	// e1 and e2 make an orthonormal basis with dir.
	e1, e2 r3.Vec
	// u and v give the place of a point, cells, h its height, m.
	u, v, h affine
	// scale is the number of cells per metre.
	scale float64
	// n is the number of cells a side.
	n int
	// height has the bits of h of each cell, row by row along e1; 0 without a surface.
	height []int32
}

// heightBits returns what a map stores of a height, m: numbers of the same order. What is lower than all surfaces is 0.
func heightBits(h float64) int32 { return int32(math.Float32bits(float32(max(0, h)))) }

// reset clears the map and lets it cover the ball that all surfaces are in.
func (d *depthMap) reset(dir, center r3.Vec, radius float64, n int) {
	// a square of 2 radius × 2 radius about the middle of the ball
	d.dir = dir
	d.e1, d.e2 = r3.Basis(dir)
	d.n = n
	d.scale = float64(n) / (2 * radius)
	d.u = affineOf(d.e1, d.e1.Dot(center)-radius, d.scale)
	d.v = affineOf(d.e2, d.e2.Dot(center)-radius, d.scale)
	// heights of the ball are from radius to 3 radius
	d.h = affineOf(dir, dir.Dot(center)-2*radius, 1)
	if len(d.height) != n*n {
		d.height = make([]int32, n*n)
	} else {
		clear(d.height)
	}
}

// project returns the coordinates of a point in cells, and its height towards the
// light, m.
func (d *depthMap) project(p fauxgl.Vector) (u, v, h float64) {
	return d.u.at(p), d.v.at(p), d.h.at(p)
}

// corner is a vertex of a caster in the coordinates of a map: u and v in cells, the height h towards the light, m.
type corner struct {
	u, v, h float64
	// i and j number the cells whose middles are next to it along u and v.
	i, j int32
}

// triangle draws a triangle into the cells whose middles it covers. A closed surface needs only those that face the
// light, which are nearer to it than their backs.
func (d *depthMap) triangle(a, b, c *corner, closed bool) {
	// the backs of closed surfaces
	det := (b.u-a.u)*(c.v-a.v) - (c.u-a.u)*(b.v-a.v)
	if det == 0 || closed && det < 0 {
		return
	}
	x0, x1 := math.Ceil(min(a.u, b.u, c.u)-0.5), math.Floor(max(a.u, b.u, c.u)-0.5)
	y0, y1 := math.Ceil(min(a.v, b.v, c.v)-0.5), math.Floor(max(a.v, b.v, c.v)-0.5)
	if x0 > x1 || y0 > y1 {
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
			row[x] = max(row[x], heightBits(min(top, h)))
			h += hu
		}
	}
}

// draw draws a caster. at is memory for its vertices, which it returns.
func (d *depthMap) draw(c *caster, at []corner) []corner {
	// a vertex is projected once for the six triangles about it
	for _, p := range c.verts {
		u, v, h := d.project(vector(p))
		at = append(at, corner{u, v, h, int32(math.Ceil(u - 0.5)), int32(math.Ceil(v - 0.5))})
	}
	for _, t := range c.tris {
		// most triangles are smaller than a cell and have no middle between their corners
		p, q, r := &at[t[0]], &at[t[1]], &at[t[2]]
		if p.i == q.i && p.i == r.i || p.j == q.j && p.j == r.j {
			continue
		}
		d.triangle(p, q, r, c.closed)
	}
	return at
}

// wholeOpen is what open returns of a place without a surface.
const wholeOpen = 1 << 16

// open returns which part of the four cells around (u, v), weighted by their
// distance, has nothing between the light and the height h, times wholeOpen.
func (d *depthMap) open(u, v, h float64) int32 {
	// the four cells whose middles are around (u, v)
	x, y, last := u-0.5, v-0.5, float64(d.n-1)
	if !(x >= 0 && y >= 0 && x < last && y < last) {
		return wholeOpen
	}
	i, j := int(x), int(y)
	// bilinear weights in 1/256
	a, b := int32((x-float64(i))*256), int32((y-float64(j))*256)
	row, next := d.height[j*d.n+i:][:2], d.height[(j+1)*d.n+i:][:2]
	// a weight counts where the sign of the difference is clear
	q := heightBits(h)
	return ((256-a)&^((q-row[0])>>31)+a&^((q-row[1])>>31))*(256-b) +
		((256-a)&^((q-next[0])>>31)+a&^((q-next[1])>>31))*b
}
