package hydroelastic

// Convex polygons in a plane of space: slices of cells and rigid triangles, clipped by
// each other with the algorithm of Sutherland and Hodgman (1974, polygon clipping).
// Corners are computed from the heights a and b of two neighbours over a plane, x =
// x_a + a/(a − b) (x_b − x_a).

import (
	"math/bits"

	"github.com/curlfree/curlfree/r3"
)

// maxCorners bounds the corners of a polygon: two columns cut in hexagons intersect in at
// most twelve, and zero pressure cuts off at most one more.
const maxCorners = 16

// polygon is convex and planar, counter-clockwise about its normal. Side k runs from
// corner k to the next.
type polygon struct {
	// number of corners, and their positions
	n int
	x [maxCorners]r3.Vec
	// face of the cell that side k lies on, for slices only
	face [maxCorners]int8
	// normals of the sides, outward in the plane, where setSides was called
	side [maxCorners]r3.Vec
}

// add appends a corner, unless there is no room.
func (p *polygon) add(x *r3.Vec) {
	if p.n < maxCorners {
		p.x[p.n] = *x
		p.n++
	}
}

// clip keeps the part of p where the heights are not positive; tmp is working memory
// (Sutherland and Hodgman 1974).
func (p *polygon) clip(height *[maxCorners]float64, tmp *polygon) {
	// All or nothing is the usual case.
	out := 0
	for _, h := range height[:p.n] {
		if h > 0 {
			out++
		}
	}
	// All of p stays.
	if out == 0 {
		return
	}
	// Nothing stays.
	if out == p.n {
		p.n = 0
		return
	}
	tmp.n = 0
	var x r3.Vec
	for k := range p.n {
		l := k + 1
		if l == p.n {
			l = 0
		}
		// Heights at both ends of a side.
		hk, hl := height[k], height[l]
		// Corners that stay, and crossings.
		if hk <= 0 {
			tmp.add(&p.x[k])
		}
		if hk <= 0 != (hl <= 0) && hk != 0 && hl != 0 {
			x.SetSub(&p.x[l], &p.x[k])
			x.SetScale(hk/(hk-hl), &x)
			x.SetAdd(&p.x[k], &x)
			tmp.add(&x)
		}
	}
	// The sides and faces of p are not valid any more.
	p.n = tmp.n
	copy(p.x[:p.n], tmp.x[:p.n])
}

// shortSide is the length of a side, relative to the cell, below which its direction is
// taken from the face it lies on: round-off of its ends would turn it by more than 1e-9.
const shortSide = 1e-6

// setSides computes the normals of the sides in the plane with normal n, of any length. p
// is a slice of c, of the given size, or c is nil.
func (p *polygon) setSides(n *r3.Vec, c *cellCorners, size float64) {
	// Squared length of a short side.
	short2 := shortSide * size * shortSide * size
	var along r3.Vec
	for k := range p.n {
		l := k + 1
		if l == p.n {
			l = 0
		}
		// The normal of a side is the side turned in the plane.
		along.SetSub(&p.x[l], &p.x[k])
		p.side[k].SetCross(&along, n)
		if c != nil && along.DotOf(&along) <= short2 {
			p.side[k] = c.faceNormal(p.face[k])
		}
	}
}

// clipBy keeps the part of p inside of q, a polygon in the same plane with its sides set.
// Most pairs are apart: all sides of q are tried before p is cut by any.
func (p *polygon) clipBy(q, tmp *polygon) {
	// Sides with some corners of p beyond, bit k for side k.
	cuts := 0
	for k := range q.n {
		// Beyond one side altogether: the polygons are apart.
		switch p.beyond(&q.side[k], &q.x[k]) {
		case p.n:
			p.n = 0
			return
		case 0:
		default:
			cuts |= 1 << k
		}
	}
	// Cut by these sides alone.
	var height [maxCorners]float64
	for ; cuts != 0; cuts &= cuts - 1 {
		k := bits.TrailingZeros(uint(cuts))
		// Heights over the plane through the side.
		m, o := &q.side[k], &q.x[k]
		for i := range p.n {
			x := &p.x[i]
			height[i] = m[0]*(x[0]-o[0]) + m[1]*(x[1]-o[1]) + m[2]*(x[2]-o[2])
		}
		if p.clip(&height, tmp); p.n < 3 {
			p.n = 0
			return
		}
	}
}

// beyond returns how many corners lie beyond the plane through o with normal m.
func (p *polygon) beyond(m, o *r3.Vec) int {
	n := 0
	for i := range p.n {
		x := &p.x[i]
		if m[0]*(x[0]-o[0])+m[1]*(x[1]-o[1])+m[2]*(x[2]-o[2]) > 0 {
			n++
		}
	}
	return n
}

// measure returns the area, m², and sets c to its centroid; n is the unit normal. For a
// polygon without area c is the mean of the corners.
func (p *polygon) measure(n, c *r3.Vec) (area float64) {
	// Positions relative to the first corner carry less round-off.
	o := &p.x[0]
	ax, ay, az := p.x[1][0]-o[0], p.x[1][1]-o[1], p.x[1][2]-o[2]
	mean := r3.Vec{ax, ay, az}
	var mx, my, mz float64
	// A fan of triangles about the first corner.
	for k := 2; k < p.n; k++ {
		x := &p.x[k]
		bx, by, bz := x[0]-o[0], x[1]-o[1], x[2]-o[2]
		// Twice the signed area of the triangle, and its share of the centroid.
		s := (ay*bz-az*by)*n[0] + (az*bx-ax*bz)*n[1] + (ax*by-ay*bx)*n[2]
		area += s
		mean[0], mean[1], mean[2] = mean[0]+bx, mean[1]+by, mean[2]+bz
		mx, my, mz = mx+s*(ax+bx), my+s*(ay+by), mz+s*(az+bz)
		ax, ay, az = bx, by, bz
	}
	// Round-off is all there is.
	if area <= 0 {
		w := 1 / float64(p.n)
		c[0], c[1], c[2] = o[0]+w*mean[0], o[1]+w*mean[1], o[2]+w*mean[2]
		return 0
	}
	w := 1 / (3 * area)
	c[0], c[1], c[2] = o[0]+w*mx, o[1]+w*my, o[2]+w*mz
	return area / 2
}
