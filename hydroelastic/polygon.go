package hydroelastic

import "curlfree/r3"

// maxCorners bounds the corners of a polygon: two columns cut in hexagons meet in
// at most twelve, and zero pressure cuts off at most one more.
const maxCorners = 16

// polygon is convex and planar, counter-clockwise about its normal. Side k runs
// from corner k to the next.
type polygon struct {
	n    int
	x    [maxCorners]r3.Vec
	face [maxCorners]int8 // the cell's face that side k lies on; of slices only
}

func (p *polygon) add(x r3.Vec) {
	if p.n < maxCorners {
		p.x[p.n] = x
		p.n++
	}
}

// clip keeps the part of p where the heights are not positive; tmp is scratch.
func (p *polygon) clip(height *[maxCorners]float64, tmp *polygon) {
	out := 0
	for _, h := range height[:p.n] {
		if h > 0 {
			out++
		}
	}
	if out == 0 {
		return
	}
	if out == p.n {
		p.n = 0
		return
	}
	tmp.n = 0
	for k := range p.n {
		l := k + 1
		if l == p.n {
			l = 0
		}
		hk, hl := height[k], height[l]
		if hk <= 0 {
			tmp.add(p.x[k])
		}
		if hk <= 0 != (hl <= 0) && hk != 0 && hl != 0 {
			tmp.add(p.x[k].AddScaled(hk/(hk-hl), p.x[l].Sub(p.x[k])))
		}
	}
	p.n = tmp.n
	copy(p.x[:p.n], tmp.x[:p.n])
}

// shortSide is the length of a side, relative to the cell, below which its
// direction is taken from the face it lies on: round-off of its ends would turn
// it by more than 1e-9.
const shortSide = 1e-6

// clipBy keeps the part of p inside of q, a polygon in the same plane with normal
// n, of any length. q is a slice of c, of the given size, or c is nil.
func (p *polygon) clipBy(q *polygon, n r3.Vec, c *corners, size float64, tmp *polygon) {
	short2 := shortSide * size * shortSide * size
	var height [maxCorners]float64
	for k := range q.n {
		l := k + 1
		if l == q.n {
			l = 0
		}
		side := q.x[l].Sub(q.x[k])
		m := side.Cross(n)
		if c != nil && side.Norm2() <= short2 {
			m = c.faceNormal(q.face[k])
		}
		m0, m1, m2 := m[0], m[1], m[2]
		o0, o1, o2 := q.x[k][0], q.x[k][1], q.x[k][2]
		for i := range p.n {
			x := &p.x[i]
			height[i] = m0*(x[0]-o0) + m1*(x[1]-o1) + m2*(x[2]-o2)
		}
		if p.clip(&height, tmp); p.n < 3 {
			p.n = 0
			return
		}
	}
}

// measure returns the area and its centroid; n is the unit normal. A polygon
// without area answers with the mean of the corners.
func (p *polygon) measure(n r3.Vec) (area float64, centroid r3.Vec) {
	o := p.x[0]
	var moment, mean r3.Vec
	a := p.x[1].Sub(o)
	mean = a
	for k := 2; k < p.n; k++ {
		b := p.x[k].Sub(o)
		s := (a[1]*b[2]-a[2]*b[1])*n[0] + (a[2]*b[0]-a[0]*b[2])*n[1] + (a[0]*b[1]-a[1]*b[0])*n[2]
		area += s
		for i := range moment {
			mean[i] += b[i]
			moment[i] += s * (a[i] + b[i])
		}
		a = b
	}
	if area <= 0 {
		return 0, o.AddScaled(1/float64(p.n), mean)
	}
	return area / 2, o.AddScaled(1/(3*area), moment)
}
