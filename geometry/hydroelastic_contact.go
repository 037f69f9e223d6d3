package geometry

import (
	"fmt"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// HydroelasticContact is the hydroelastic contact surface of two rigid bodies of which at
// least one has a pressure field: the planar faces of equal pressure, each in contact or
// ahead of it. Signs are those of Contact: normals point from A to B, and A is the body of the
// lower number.
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
}

// IsHydroelastic reports whether a geom takes part in contact by pressure fields, with a
// field of its own or with a rigid surface.
func (g *Geom) IsHydroelastic() bool { return g.Field != nil }

// HydroelasticContacts returns the contact surfaces with at least one face that the last
// Collide found. They are valid until the next Collide.
func (s *Data) HydroelasticContacts() []HydroelasticContact { return s.hydroelasticContacts }

// hydroelasticPair is a pair of geoms in hydroelastic contact. It keeps its memory from
// step to step.
type hydroelasticPair struct {
	a, b int
	HydroelasticContact
}

// findHydroelasticContacts finds the contact surfaces of all pairs with pressure fields.
// Pairs are independent, so that each is one item for the workers.
func (s *Data) findHydroelasticContacts() {
	n := 0
	// List the pairs.
	for _, p := range s.pairs {
		if !s.isHydroelasticPair(p) {
			continue
		}
		if n == len(s.hydroelasticPairs) {
			s.hydroelasticPairs = append(s.hydroelasticPairs, hydroelasticPair{})
		}
		s.hydroelasticPairs[n].a, s.hydroelasticPairs[n].b = int(p.a), int(p.b)
		n++
	}
	// Each worker has a query of its own.
	if size := s.Pool.Size(); len(s.queries) < size {
		s.queries = make([]hydroelastic.Query, size)
	}
	s.Pool.Run(n, (*hydroelasticFinder)(s))
	// Pairs whose surface is empty make no contact.
	s.hydroelasticContacts = s.hydroelasticContacts[:0]
	for i := range n {
		if p := &s.hydroelasticPairs[i].HydroelasticContact; len(p.Surface.Faces) > 0 {
			s.hydroelasticContacts = append(s.hydroelasticContacts, *p)
		}
	}
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
	ga, gb := &s.Model.Geoms[p.a], &s.Model.Geoms[p.b]
	if !s.queries[worker].Contact(ga.Field, gb.Field, s.geoms[p.a].X_WG, s.geoms[p.b].X_WG, &p.Surface) {
		panic(fmt.Sprintf("geometry: no contact by pressure for %T and %T", ga.Field, gb.Field))
	}
	p.A, p.B = ga.Body, gb.Body
	p.Materials = [2]int{ga.Material, gb.Material}
	p.Elem = [2]int32{int32(p.a), int32(p.b)}
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

// contactsBeyondMargin appends the points at which two geoms in hydroelastic contact may
// meet beyond the margins of their fields, if the pair approaches by more than that
// (moving, m). For shapes that are not convex this is needed only where the pair could
// pass through each other within the step.
func (s *Data) contactsBeyondMargin(worker, a, b int, moving float64, dst []Contact) []Contact {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	fieldMargin, margin := marginOf(ga)+marginOf(gb), s.SpeculativeDistance+moving
	if margin <= fieldMargin {
		return dst
	}
	if isGeneral(ga.Shape) || isGeneral(gb.Shape) {
		if moving < min(thickness(s.geoms[a].bounds_G), thickness(s.geoms[b].bounds_G)) {
			return dst
		}
	}
	from := len(dst)
	dst = s.points(worker, a, b, margin, dst)
	kept := dst[:from]
	// Within the margin the fields act.
	for _, c := range dst[from:] {
		if c.Phi > fieldMargin {
			kept = append(kept, c)
		}
	}
	return kept
}

// marginOf returns how far a geom's field extends beyond its surface, m.
func marginOf(g *Geom) float64 {
	if c, ok := g.Field.(interface{ Margin() float64 }); ok {
		return c.Margin()
	}
	return 0
}
