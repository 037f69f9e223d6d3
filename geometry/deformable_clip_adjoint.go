package geometry

// The parts of a clipped triangle differentiated backward: derivatives of a number by area, centroid, distance and
// normal of its parts (bars) become those by the positions of its corners and the margin. A cutter notes the polygons
// that it adds up; each is cut again, and its cuts and measures are taken back in reverse
// (deformable_polygon_adjoint.go), down to samples of the field,
//
//	x̄_k += w_k p̄,   p̄ = φ̄ ∇φ + (∂∇φ/∂p)ᵀ ḡ,   p = Σ w_k x_k                                  (1)
//
// of which one in the middle of a cut has weights that follow the cut, w̄_k = p̄·x_k. The curvature of the field is the
// difference of its gradients: shapes need no second derivatives of their own. Where gradients jump, at the edge of a
// shape, (1) takes the flat sides beside it. Cost: two or three clips, whatever the number of coordinates.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// curvatureWidth is the width of differences of gradients, m.
	curvatureWidth = 0x1p-26
	// gradientJump is the change of a gradient within that width from which on it counts as a jump: a radius of 30 µm.
	gradientJump = 1e-3
	// faceWidth is the width of differences of whole triangles, m.
	faceWidth = 1e-8
)

// partBar are the bars of a part; that of the area is of m².
type partBar struct {
	area     float64
	w        [3]float64
	products products
	phi      float64
	grad_W   r3.Vec
}

// cornersBar are the bars of what a triangle is clipped by.
type cornersBar struct {
	x_W    [3]r3.Vec
	margin float64
}

// clipAt clips the triangle with corners at x_W, and returns its area, m².
func (c *cutter) clipAt(x_W *[3]r3.Vec) (area float64) {
	n := r3.TriangleNormal(x_W[0], x_W[1], x_W[2])
	length := n.Norm()
	n = n.Scale(1 / length)
	var corners [3]sample
	for k := range corners {
		s := &corners[k]
		s.pos_W, s.w[k] = x_W[k], 1
		// as vertexSamples.at
		if s.phi, s.grad_W = c.field.at(s.pos_W, r3.Vec{}); s.phi < 0 && turnsAway(n, s.grad_W) {
			s.phi, s.grad_W = c.field.at(s.pos_W, n)
		}
	}
	c.clip(&corners[0], &corners[1], &corners[2], n)
	return length / 2
}

// adjoint returns the bars of the triangle of the last clipAt, of an area in m², for those of its parts. It clips again
// where pieces were cut at points that a search found, which have no derivative: then it takes differences.
func (c *cutter) adjoint(area float64, bars []partBar) (out cornersBar) {
	if c.pieces.searched {
		return c.differences(bars, faceWidth)
	}
	a := clipAdjoint{cutter: c}
	areaBar := 0.0 // of the triangle
	for i := range c.parts {
		p, bar := &c.parts[i], &bars[i]
		areaBar += bar.area * p.area
		a.part(i, p, bar, area)
	}
	// its area and normal, those of e1 × e2
	x := &c.corner_W
	e1, e2 := x[1].Sub(x[0]), x[2].Sub(x[0])
	a.normal = a.normal.AddScaled(-a.normal.Dot(c.normal_W), c.normal_W)
	cross := c.normal_W.Scale(areaBar/2).AddScaled(0.5/area, a.normal)
	d1, d2 := e2.Cross(cross), cross.Cross(e1)
	out = a.cornersBar
	out.x_W[0] = out.x_W[0].Sub(d1.Add(d2))
	out.x_W[1], out.x_W[2] = out.x_W[1].Add(d1), out.x_W[2].Add(d2)
	return out
}

// clipAdjoint adds up the bars of one triangle.
type clipAdjoint struct {
	*cutter
	cornersBar
	normal r3.Vec // bar of the triangle's normal
}

// part takes back the sums over the pieces of part i: quotients first.
func (a *clipAdjoint) part(i int, p *part, bar *partBar, area float64) {
	var sum r3.Vec
	list := a.pieces.list
	for k := range list {
		if x := &list[k]; x.part == i {
			sum = sum.AddScaled(a.pieceArea(x), x.middle.grad_W)
		}
	}
	s := 1 / p.area
	perArea := partBar{area: bar.area * area, phi: bar.phi * s}
	perArea.area -= perArea.phi * p.phi
	for k := range bar.w {
		perArea.w[k], perArea.products[k] = bar.w[k]*s, bar.products[k]*s
		perArea.area -= perArea.w[k]*p.w[k] + perArea.products[k]*p.products[k]
	}
	if length := sum.Norm(); length > 0 {
		perArea.grad_W = bar.grad_W.AddScaled(-bar.grad_W.Dot(p.grad_W), p.grad_W).Scale(1 / length)
	}
	for k := range list {
		if list[k].part == i {
			a.piece(&list[k], &perArea)
		}
	}
}

// pieceArea returns the area that a piece adds, as a fraction of the triangle.
func (a *clipAdjoint) pieceArea(x *piece) float64 {
	cuts := a.cutsOf(x)
	return cuts.last().area() * a.bearing(x.middle.grad_W)
}

// pieceCuts are the polygons of a piece, from the sub-triangle on, and how one came from the other.
type pieceCuts struct {
	polygons [5]polygon
	n        int
	// of a crease: tangents at the corners of the triangle, and which ones cut
	tangents [3][3]float64
	margin   bool // the last cut is at the margin
}

// last returns the polygon of the piece.
func (p *pieceCuts) last() *polygon { return &p.polygons[p.n-1] }

// push appends a polygon.
func (p *pieceCuts) push(x polygon) { p.polygons[p.n] = x; p.n++ }

// cutsOf cuts a piece again.
func (a *clipAdjoint) cutsOf(x *piece) (p pieceCuts) {
	whole := polygon{n: 3}
	for k := range x.corners {
		whole.v[k] = polygonVertex{x.corners[k].w, a.offLevel(x.corners[k].phi)}
	}
	p.push(whole)
	if x.facet != noFacet {
		for i := range x.corners {
			for k := range a.corner_W {
				p.tangents[i][k] = x.corners[i].tangent(&a.corner_W[k])
			}
		}
		for j := range p.tangents {
			if j != x.facet {
				p.push(p.last().keepWhere(p.less(x, j)))
			}
		}
		// distances are those of one tangent
		q, t := p.last(), &p.tangents[x.facet]
		for k := range q.n {
			w := &q.v[k].w
			q.v[k].phi = a.offLevel(t[0]*w[0] + t[1]*w[1] + t[2]*w[2])
		}
	} else if x.share == 1 {
		return p
	}
	side := 1.0
	if !x.overlap {
		side = -1
	}
	p.push(p.last().keep(0, side))
	if !x.overlap && (x.facet != noFacet || !p.last().below(a.cutter.margin)) {
		p.margin = true
		p.push(p.last().keep(a.cutter.margin, 1))
	}
	return p
}

// offLevel returns a distance that is at no level: a cut through a corner itself has no crossing that would follow it.
func (a *clipAdjoint) offLevel(phi float64) float64 {
	if tiny := roundoff * roundoff * a.edge; math.Abs(phi) < tiny || math.Abs(phi-a.cutter.margin) < tiny {
		phi -= 2 * tiny
	}
	return phi
}

// less returns the function that is not positive where the tangent of a piece counts before tangent j.
func (p *pieceCuts) less(x *piece, j int) (f [3]float64) {
	for k := range f {
		f[k] = x.side * (p.tangents[j][k] - p.tangents[x.facet][k])
	}
	return f
}

// piece takes back a piece with the bars of the sums to which it adds.
func (a *clipAdjoint) piece(x *piece, bar *partBar) {
	cuts := a.cutsOf(x)
	p, m := cuts.last(), &x.middle
	share, linear := p.area(), p.mean()
	keeps := 1 - x.share/4
	phi := linear + keeps*(m.phi-linear)
	// the area that is loaded
	areaBar := bar.area + bar.phi*phi + bar.grad_W.Dot(m.grad_W)
	prod := products{}
	if a.products {
		prod = p.products()
	}
	for k := range bar.w {
		areaBar += bar.w[k]*m.w[k] + bar.products[k]*prod[k]
	}
	bears := a.bearing(m.grad_W)
	area := share * bears
	gradBar := bar.grad_W.Scale(area)
	if bears > 0 && bears < 1 {
		b := -areaBar * share / (fullFacing - leastFacing)
		gradBar = gradBar.AddScaled(b, a.normal_W)
		a.normal = a.normal.AddScaled(b, m.grad_W)
	}
	phiBar := area * bar.phi
	measures := polygonMeasures{area: areaBar * bears, mean: phiBar * (1 - keeps)}
	for k := range bar.products {
		measures.products[k] = area * bar.products[k]
	}
	var cornerGrad r3.Vec // bar of the gradient of a crease's corner
	middleBar := [3]float64{area * bar.w[0], area * bar.w[1], area * bar.w[2]}
	switch {
	case x.facet != noFacet: // its middle is the mean of the polygon
		measures.mean += phiBar * keeps
		measures.centroid, cornerGrad = middleBar, gradBar
	case x.share == 1:
		a.sample(m, phiBar*keeps, gradBar)
	default: // a sample at the centroid; the share of the sub-triangle counts, too
		measures.area -= phiBar * (m.phi - linear) / 4 / cuts.polygons[0].area()
		p_W := a.sample(m, phiBar*keeps, gradBar)
		for k := range middleBar {
			middleBar[k] += p_W.Dot(a.corner_W[k])
		}
		measures.centroid = middleBar
	}
	var pBar polygonBar
	p.measuresAdjoint(&measures, &pBar)
	a.cuts(x, &cuts, pBar, cornerGrad)
}

// cuts takes back the cuts of a piece.
func (a *clipAdjoint) cuts(x *piece, p *pieceCuts, bar polygonBar, cornerGrad r3.Vec) {
	at := p.n - 1
	// back to the polygon before
	level := func(level, side float64) (levelBar float64) {
		at--
		var before polygonBar
		levelBar = p.polygons[at].keepAdjoint(level, side, &bar, &before)
		bar = before
		return levelBar
	}
	if p.margin {
		a.cornersBar.margin += level(a.cutter.margin, 1)
	}
	side := 1.0
	if !x.overlap {
		side = -1
	}
	if x.facet == noFacet {
		if at > 0 {
			level(0, side)
		}
		for k := range x.corners {
			a.sample(&x.corners[k], bar[k].phi, r3.Vec{})
		}
		return
	}
	level(0, side)
	var tBar [3][3]float64
	q, t := &p.polygons[at], &p.tangents[x.facet]
	for i := range q.n {
		for k := range t {
			tBar[x.facet][k] += bar[i].phi * q.v[i].w[k]
			bar[i].w[k] += bar[i].phi * t[k]
		}
		bar[i].phi = 0
	}
	for j := 2; j >= 0; j-- {
		if j == x.facet {
			continue
		}
		at--
		var before polygonBar
		var fBar [3]float64
		less := p.less(x, j)
		p.polygons[at].keepWhereAdjoint(less, &bar, &before, &fBar)
		// where two tangents are one, it does not matter where the crease between them is
		if max(math.Abs(less[0]), math.Abs(less[1]), math.Abs(less[2])) < roundoff*a.edge {
			fBar = [3]float64{}
		}
		for k, f := range fBar {
			tBar[j][k] += x.side * f
			tBar[x.facet][k] -= x.side * f
		}
		bar = before
	}
	a.tangents(x, &tBar, cornerGrad)
}

// tangents takes back the tangents of a crease, φ_i + g_i·(x_k − p_i), with a bar of the gradient of the one that
// counts.
func (a *clipAdjoint) tangents(x *piece, tBar *[3][3]float64, cornerGrad r3.Vec) {
	for i := range x.corners {
		s := &x.corners[i]
		var gradBar, fromBar r3.Vec
		if i == x.facet {
			gradBar = cornerGrad
		}
		phiBar := 0.0
		for k, t := range tBar[i] {
			phiBar += t
			gradBar = gradBar.AddScaled(t, a.corner_W[k].Sub(s.pos_W))
			a.x_W[k] = a.x_W[k].AddScaled(t, s.grad_W)
			fromBar = fromBar.AddScaled(-t, s.grad_W)
		}
		for k, w := range s.w {
			a.x_W[k] = a.x_W[k].AddScaled(w, fromBar)
		}
		a.sample(s, phiBar, gradBar)
	}
}

// sample takes back a sample of the field (1), and returns p̄.
func (a *clipAdjoint) sample(s *sample, phiBar float64, gradBar r3.Vec) (pos r3.Vec) {
	pos = s.grad_W.Scale(phiBar)
	if gradBar != (r3.Vec{}) {
		for k := range pos {
			at := s.pos_W
			at[k] += curvatureWidth
			_, up := a.field.at(at, a.normal_W)
			at[k] = s.pos_W[k] - curvatureWidth
			_, down := a.field.at(at, a.normal_W)
			if change := up.Sub(down); math.Abs(change[0])+math.Abs(change[1])+math.Abs(change[2]) < gradientJump {
				pos[k] += change.Dot(gradBar) / (2 * curvatureWidth)
			}
		}
	}
	for k, w := range s.w {
		a.x_W[k] = a.x_W[k].AddScaled(w, pos)
	}
	return pos
}

// differences returns the bars by central differences of whole clips.
func (c *cutter) differences(bars []partBar, width float64) (out cornersBar) {
	x, margin := c.corner_W, c.margin
	c.former = append(c.former[:0], c.parts...)
	of := func(add *float64, w float64) float64 {
		old := *add
		*add = old + w
		area := c.clipAt(&x)
		*add = old
		sum := 0.0
		for i := range c.former {
			p, bar := c.partAs(&c.former[i]), &bars[i]
			if p == nil {
				continue
			}
			sum += bar.area*p.area*area + bar.phi*p.phi + bar.grad_W.Dot(p.grad_W)
			for k := range p.w {
				sum += bar.w[k]*p.w[k] + bar.products[k]*p.products[k]
			}
		}
		return sum
	}
	for k := range x {
		for axis := range 3 {
			out.x_W[k][axis] = (of(&x[k][axis], width) - of(&x[k][axis], -width)) / (2 * width)
		}
	}
	out.margin = (of(&c.margin, width) - of(&c.margin, -width)) / (2 * width)
	c.margin = margin
	return out
}

// partAs returns the part that a part of a triangle nearby is; nil: it is gone, as are parts without area.
func (c *cutter) partAs(q *part) *part {
	for i := range c.parts {
		if p := &c.parts[i]; p.overlap == q.overlap && p.first_W.Dot(q.first_W) > 0.99 {
			return p
		}
	}
	return nil
}
