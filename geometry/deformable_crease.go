package geometry

// Cutting a triangle along the creases of a shape with flat faces, (4) of
// deformable_clip.go: each corner of the triangle stands for the face of the shape whose
// tangent it has, and the parts are the regions where one tangent is the greatest (convex
// edge) or the least (concave edge) of the three.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// tangent returns the tangent of the field at s, evaluated at p, m.
func (s *sample) tangent(p_W *r3.Vec) float64 { return s.phi + s.rise(p_W) }

// rise returns the difference of the tangent between p and s, m.
func (s *sample) rise(p_W *r3.Vec) float64 {
	return s.grad_W[0]*(p_W[0]-s.pos_W[0]) + s.grad_W[1]*(p_W[1]-s.pos_W[1]) + s.grad_W[2]*(p_W[2]-s.pos_W[2])
}

// crease says on which sides (4) is true: whether the greatest and whether the least of the tangents
// at the corners are the field.
type crease struct{ convex, concave bool }

func (e crease) any() bool           { return e.convex || e.concave }
func (e crease) and(o crease) crease { return crease{e.convex && o.convex, e.concave && o.concave} }

// creaseAt returns the sides on which (4) is true at all samples in looks.
func creaseAt(corners [3]*sample, tol float64, looks ...*sample) crease {
	e := crease{true, true}
	for _, x := range looks {
		s, t, u := corners[0].tangent(&x.pos_W), corners[1].tangent(&x.pos_W), corners[2].tangent(&x.pos_W)
		e = e.and(crease{math.Abs(max(s, t, u)-x.phi) <= tol, math.Abs(min(s, t, u)-x.phi) <= tol})
		if !e.any() {
			break
		}
	}
	return e
}

// cutAlong adds the parts of a sub-triangle with a crease, and returns false without one.
func (c *cutter) cutAlong(e crease, corners [3]*sample, tol float64) bool {
	return e.convex && c.cutCrease(corners, 1, tol) || e.concave && c.cutCrease(corners, -1, tol)
}

// cutCrease adds the parts of a sub-triangle on which the field is the greatest (side 1)
// or the least (side −1) of the tangents at its corners, each where its own tangent
// counts. It adds nothing and returns false when a sample in the middle of an overlapping
// part differs: the shape has a face that no corner sees.
func (c *cutter) cutCrease(corners [3]*sample, side, tol float64) bool {
	// Tangents, evaluated at the corners of the whole triangle.
	var t [3][3]float64
	for i, s := range corners {
		for k := range c.corner_W {
			t[i][k] = s.tangent(&c.corner_W[k])
		}
	}
	// Regions of the three tangents, each confirmed by a sample.
	var facet [3]polygon
	for i := range facet {
		facet[i] = creaseFacet(corners, &t, i, side)
		if p := facet[i].keep(0, 1); p.n > 2 && p.area() > leastPart {
			var x sample
			w := p.centroid()
			if c.sampleAt(&x, w[0], w[1], w[2]); math.Abs(x.phi-p.mean()) > tol {
				return false
			}
		}
	}
	// Parts in contact and ahead of contact.
	for i, s := range corners {
		c.pieces.begin(corners[0], corners[1], corners[2], i, side)
		c.addFlat(facet[i].keep(0, 1), s.grad_W, true)
		ahead := facet[i].keep(0, -1)
		c.addFlat(ahead.keep(c.margin, 1), s.grad_W, false)
	}
	return true
}

// creaseFacet returns the part of a sub-triangle where tangent i is the greatest (side 1)
// or the least (side −1).
func creaseFacet(corners [3]*sample, t *[3][3]float64, i int, side float64) polygon {
	p := polygon{n: 3}
	for k, s := range corners {
		p.v[k].w = s.w
	}
	for j := range t {
		// Tangent i counts where less·w ≤ 0.
		var less [3]float64
		for k := range less {
			less[k] = side * (t[j][k] - t[i][k])
		}
		if j < i && less == ([3]float64{}) {
			// Equal tangents make one part, that of the first.
			return polygon{}
		}
		if j != i {
			p = p.keepWhere(less)
		}
	}
	// The distance at the corners of the part.
	for k := range p.n {
		w := &p.v[k].w
		p.v[k].phi = t[i][0]*w[0] + t[i][1]*w[1] + t[i][2]*w[2]
	}
	return p
}

// addFlat adds a polygon on which the field is linear with the given gradient.
func (c *cutter) addFlat(p polygon, grad_W r3.Vec, overlap bool) {
	if p.n > 2 && p.area() > leastPart {
		c.add(&p, &sample{w: p.centroid(), phi: p.mean(), grad_W: grad_W}, overlap, 0)
	}
}
