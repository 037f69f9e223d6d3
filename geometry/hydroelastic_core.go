package geometry

// The core of bodies with pressure fields. The pressure of two fields grows up to a depth in
// which they are in series, and falls where the middle of a body is passed. What the fields
// do not stop up to that depth d would come out on the other side. There the bodies have
// point contact, as if both were thinner by d together:
//
//	φ = max(φ_points + d, 0)                                                (1)
//
// The core stops bodies and never drives them apart, which is left to the fields. Deformables are
// stopped at it likewise, vertex by vertex (deformable_sweep.go).
// Above the core only fields act, so that contact at points never adds to the force of a field
// that can stop the bodies.

import "math"

// middleShare is the largest depth of the core, over that at which the middles of the bodies
// meet: beyond, the shortest way out is on the other side.
const middleShare = 0.95

// vertexShare is the largest depth of the core of shapes that are not convex, over the
// thickness of the thinner one, and of a shape in a deformable.
const vertexShare = 0.4

// coreDepth returns the depth of the core of two geoms, m: that at which the pressure of the
// softer field is at its largest, both in series, and the middles are still apart.
func (s *Data) coreDepth(a, b int) float64 {
	modulus, compliance, thick := s.fieldCore(a)
	modulusB, complianceB, thickB := s.fieldCore(b)
	modulus, compliance = min(modulus, modulusB), compliance+complianceB
	if s.isGeneralPair(a, b) {
		// Points of meshes are vertices in the other shape, whose middle they must not pass.
		return min(modulus*compliance, vertexShare*min(thick, thickB))
	}
	return min(modulus*compliance, middleShare*(thick+thickB)/2)
}

// coreDepthOf returns the depth of the core of a geom with a pressure field in contact with a
// deformable, m. The deformable's own layer of pressure ends at no depth; its vertices must not
// pass the middle of the shape, where the field is deepest.
func (s *Data) coreDepthOf(geom int) float64 {
	modulus, compliance, _ := s.fieldCore(geom)
	if isHalfSpace(s.geoms[geom].shape) {
		return modulus * compliance
	}
	return 2 * vertexShare * modulus * compliance
}

// fieldCore returns the largest pressure of the field of a geom (Pa), the depth at which it has
// it over that pressure (m/Pa), and how thick the geom is, m. Of a hull with faces at different
// distances from its centroid, such as a cone or a wedge, the nearest face counts: bodies that
// press on it reach the centroid first.
func (s *Data) fieldCore(geom int) (modulus, compliance, thick float64) {
	thick = s.geoms[geom].thickness
	f, ok := s.Model.Geoms[geom].Field.(interface {
		Depth() float64
		LeastDepth() float64
		PressureGradient() float64
	})
	if !ok || f.PressureGradient() == 0 {
		return math.Inf(1), 0, thick // rigid
	}
	depth := f.LeastDepth()
	if depth < f.Depth() { // the middle is one point, from where it is out on the other side
		depth *= middleShare
		thick = min(thick, 2*depth)
	}
	return f.Depth() * f.PressureGradient(), depth / f.Depth() / f.PressureGradient(), thick
}

// coreContacts appends the points at which the cores of a pair in hydroelastic contact may
// meet within the step, in which the bodies approach by at most moving, m.
func (s *Data) coreContacts(worker int, p *itemPair, moving float64, dst []Contact) []Contact {
	a, b := int(p.a), int(p.b)
	depth := s.coreDepth(a, b)
	if !s.reachesCore(p, depth) {
		return dst
	}
	from := len(dst)
	dst = s.points(worker, a, b, s.SpeculativeDistance+moving-depth, nil, dst)
	for i := from; i < len(dst); i++ {
		dst[i].Phi = max(dst[i].Phi+depth, 0) // (1)
		dst[i].Core = true
	}
	return dst
}

// reachesCore reports whether a pair in hydroelastic contact may reach a core of the given
// depth (m) within the step, by a bound. Points of shapes that are not convex take long to find: they are
// sought only where the bodies move by the thickness of the thinner one.
func (s *Data) reachesCore(p *itemPair, depth float64) bool {
	q := &s.hydroelasticPairs[p.surface]
	if s.isGeneralPair(q.a, q.b) && q.approach < min(s.geoms[q.a].thickness, s.geoms[q.b].thickness) {
		return false
	}
	return q.approach+s.overlapBound(p.a, p.b) > depth
}

// overlapBound returns a length that the overlap of two items does not exceed, m: the least that parts their boxes.
// Depths of faces are no such bound: those of coarse fields are depths at the centroids of large faces.
func (s *Data) overlapBound(a, b int32) float64 {
	A, B := &s.boxes[a], &s.boxes[b]
	least := math.Inf(1)
	for k := range 3 {
		least = min(least, A.Max[k]-B.Min[k], B.Max[k]-A.Min[k])
	}
	return max(0, least)
}
