package geometry

import (
	"fmt"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// HydroelasticContact is the contact surface of two rigid bodies, of which one at least has a
// pressure field: faces that each press, or are about to. Signs are those of
// Contact: normals point from A to B, the lower body.
type HydroelasticContact struct {
	A, B       int      // scene bodies, A may be World
	Materials  [2]int   // materials of A's and B's surface
	Elem       [2]int32 // geoms
	Centroid_W r3.Vec   // amid the faces: where the patch's moment is taken, m
	Surface    hydroelastic.ContactSurface
}

// Pressable reports whether a geom is part of contact by pressure fields.
func (g *Geom) IsHydroelastic() bool { return g.Field != nil }

// HydroelasticContacts returns the contact surfaces that the last Collide found beside its
// contacts; they hold until the next.
func (s *Data) HydroelasticContacts() []HydroelasticContact { return s.hydroelasticContacts }

// press is a pair of geoms that touch by pressure, and its patch; its memory
// stays.
type hydroelasticPair struct {
	a, b int
	HydroelasticContact
}

// findPatches finds the contact surfaces of all pairs that touch by pressure, side
// by side: each is on its own.
func (s *Data) findHydroelasticContacts() {
	n := 0
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
	if size := s.Pool.Size(); len(s.queries) < size {
		s.queries = make([]hydroelastic.Query, size)
	}
	s.Pool.Run(n, (*hydroelasticFinder)(s))
	s.hydroelasticContacts = s.hydroelasticContacts[:0]
	for i := range n {
		if p := &s.hydroelasticPairs[i].HydroelasticContact; len(p.Surface.Faces) > 0 {
			s.hydroelasticContacts = append(s.hydroelasticContacts, *p)
		}
	}
}

// presses reports whether a pair touches by pressure, not at points.
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

// presser is a Scene that finds patches on workers.
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
	area := 0.0
	p.Centroid_W = r3.Vec{}
	for i := range p.Surface.Faces {
		f := &p.Surface.Faces[i]
		area += f.Area
		p.Centroid_W.IncScale(f.Area, &f.Pos_W)
	}
	p.Centroid_W = p.Centroid_W.Scale(1 / area)
}

// ahead appends the points at which two geoms that touch by pressure may meet
// beyond their skirts, where moving reaches so far. Fields whose meshes are not
// convex are asked for that only where they could pass each other whole.
func (s *Data) contactsBeyondMargin(worker, a, b int, moving float64, dst []Contact) []Contact {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	skirt, margin := marginOf(ga)+marginOf(gb), s.SpeculativeDistance+moving
	if margin <= skirt {
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
	for _, c := range dst[from:] {
		if c.Phi > skirt {
			kept = append(kept, c)
		}
	}
	return kept
}

// skirtOf returns how far a geom's field reaches beyond its surface, m.
func marginOf(g *Geom) float64 {
	if c, ok := g.Field.(interface{ Margin() float64 }); ok {
		return c.Margin()
	}
	return 0
}
