package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// HydroelasticContact is the hydroelastic contact surface (contact patch) of two rigid bodies
// of which at least one has a pressure field: the planar faces of equal pressure, each in
// contact or ahead of it. Signs are those of Contact: normals point from A to B, and A is the
// body of the lower number.
type HydroelasticContact struct {
	// A and B are the bodies; A may be World.
	A, B int
	// Materials are the indices of the contact materials of A and B.
	Materials [2]int
	// Elem are the geoms of A and B.
	Elem [2]int32
	// Centroid_W is the centroid of all faces, weighted by area, m. Moments of the
	// contact are taken about it.
	Centroid_W r3.Vec
	// Surface are the faces, with pressures, gradients and gaps.
	Surface hydroelastic.ContactSurface
	// Middle marks faces whose places and normals are those of the middle of the step, see Data.Middle; their gaps are
	// those of its start all the same.
	Middle bool
	// Touch is the fraction of the step after which bodies that do not touch at its start meet along their predicted
	// motion; 0 where they touch or where that was not sought.
	Touch float64
}

// IsHydroelastic reports whether a geom takes part in contact by pressure fields, with a
// field of its own or with a rigid surface.
func (g *Geom) IsHydroelastic() bool { return g.Field != nil }

// HydroelasticContacts returns the contact surfaces with at least one face that the last
// Collide found. They are valid until the next Collide.
func (s *Data) HydroelasticContacts() []HydroelasticContact { return s.hydroelasticContacts }

// hydroelasticPair is a pair of geoms in hydroelastic contact. It keeps its memory from
// step to step. Its Surface is present or ahead.
type hydroelasticPair struct {
	a, b int
	HydroelasticContact
	// contact surface at the start of the step, along the predicted motion, and at the end
	present placedSurface
	ahead   hydroelastic.ContactSurface
	end     placedSurface
	// working memory
	trial hydroelastic.ContactSurface
	// the largest depth of a face of present, m
	deepest float64
	// margins of both fields together, m
	margin float64
	// the bodies touched after the middle of the step along a motion: their surface is sought at its end from then on,
	// lest one motion lead to the other and back
	late bool
	// where ahead was found; at 0 the surface is present
	place predictedPlace
	// motions of A and B for which the surface was sought last
	sought [2]LinearMotion
	// how far the bodies may approach within the step, m
	approach float64
	// the surface has to be found for a new placement, for another motion
	fresh, moved bool
}

// findHydroelasticContacts finds the contact surfaces of all pairs with pressure fields.
// Pairs are independent, so that each is one item for the workers.
func (s *Data) findHydroelasticContacts() {
	s.numSurfaces = 0
	s.refindHydroelasticContacts()
}

// refindHydroelasticContacts finds the contact surfaces for the same placement and another
// motion, and reports whether any may have changed. Pairs of the former motion are among
// those of the present one, in the same order.
func (s *Data) refindHydroelasticContacts() (changed bool) {
	former := s.numSurfaces
	s.numSurfaces = 0
	for i := range s.pairs {
		p := &s.pairs[i]
		if p.surface = -1; s.isHydroelasticPair(*p) {
			p.surface = int32(s.numSurfaces)
			s.numSurfaces++
		}
	}
	for len(s.hydroelasticPairs) < s.numSurfaces {
		s.hydroelasticPairs = append(s.hydroelasticPairs, hydroelasticPair{})
	}
	// From the end, so that known pairs move up and keep their surfaces.
	for i := len(s.pairs) - 1; i >= 0; i-- {
		if p := &s.pairs[i]; p.surface >= 0 {
			former = s.placeSurface(p, former)
		}
	}
	// Each worker has a query of its own.
	if size := s.Pool.Size(); len(s.queries) < size {
		s.queries = make([]hydroelastic.Query, size)
	}
	s.growMesh()
	s.Pool.Run(s.numSurfaces, (*hydroelasticFinder)(s))
	// Pairs whose surface is empty make no contact.
	s.hydroelasticContacts = s.hydroelasticContacts[:0]
	for i := range s.numSurfaces {
		p := &s.hydroelasticPairs[i]
		changed = changed || p.fresh || p.moved
		if len(p.Surface.Faces) > 0 {
			s.hydroelasticContacts = append(s.hydroelasticContacts, p.HydroelasticContact)
		}
	}
	return changed
}

// placeSurface prepares the entry of a pair: that of the former pairs, of which the last
// that is not placed yet is number former − 1, or a new one. It returns the number of former
// pairs that remain.
func (s *Data) placeSurface(p *itemPair, former int) int {
	a, b := int(p.a), int(p.b)
	q := &s.hydroelasticPairs[p.surface]
	known := false
	if last := former - 1; last >= 0 && s.hydroelasticPairs[last].a == a && s.hydroelasticPairs[last].b == b {
		if o := &s.hydroelasticPairs[last]; o != q {
			*q, *o = *o, *q
		}
		known, former = true, last
	}
	approach := s.approach(p)
	if !known {
		ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
		if q.a != a || q.b != b {
			q.present.known, q.end.known = false, false
		}
		q.a, q.b, q.A, q.B = a, b, ga.Body, gb.Body
		q.Materials = [2]int{ga.Material, gb.Material}
		q.Elem = [2]int32{p.a, p.b}
	}
	q.approach = approach
	q.fresh = !known
	q.moved = known && s.deviates(q)
	return former
}

// isHydroelasticPair reports whether a pair touches by pressure, not at points: both
// geoms have a field or a rigid surface, one of them is compliant, and not both are
// half-spaces.
func (s *Data) isHydroelasticPair(p itemPair) bool {
	if int(max(p.a, p.b)) >= len(s.geoms) {
		return false
	}
	a, b := s.Model.Geoms[p.a].Field, s.Model.Geoms[p.b].Field
	if a == nil || b == nil || !a.Compliant() && !b.Compliant() {
		return false
	}
	_, endless := a.(*hydroelastic.HalfSpace)
	_, too := b.(*hydroelastic.HalfSpace)
	return !endless || !too
}

// hydroelasticFinder is a Data that finds contact surfaces on workers.
type hydroelasticFinder Data

// Do implements workers.Task.
func (s *hydroelasticFinder) Do(worker, i int) {
	p := &s.hydroelasticPairs[i]
	if !p.fresh && !p.moved {
		return
	}
	s.findSurface(worker, p)
	// Centroid of the faces.
	area := 0.0
	p.Centroid_W = r3.Vec{}
	for i := range p.Surface.Faces {
		f := &p.Surface.Faces[i]
		area += f.Area
		p.Centroid_W.IncScale(f.Area, &f.Pos_W)
	}
	p.Centroid_W = p.Centroid_W.Scale(1 / area)
}

// marginOf returns how far a geom's field extends beyond its surface, m.
func marginOf(g *Geom) float64 {
	if c, ok := g.Field.(interface{ Margin() float64 }); ok {
		return c.Margin()
	}
	return 0
}
