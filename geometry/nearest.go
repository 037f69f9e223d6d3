package geometry

import (
	"math"
	"slices"
)

// Nearest returns the nearest pair of points of a rigid body and of any of the others
// (rigid bodies, or World) as a contact, however far apart they are up to a kilometre;
// false when there is none. Where faces are parallel it is one of the nearest pairs, and
// its gap is the smallest; where bodies overlap it is their deepest contact. It uses X_WB
// alone and leaves the contacts of Collide as they are.
func (s *Data) Nearest(body int, others []int) (c Contact, ok bool) {
	s.placeGeoms()
	// Searches of meshes with a large margin are expensive: the margin grows step by
	// step.
	for margin := nearestFrom; margin <= nearestTo && !ok; margin *= nearestGrowth {
		c, ok = s.nearestWithin(margin, body, others)
	}
	return c, ok
}

// Margins of Nearest, m.
const (
	// nearestFrom and nearestTo are the first and the last margin of Nearest, m.
	nearestFrom = 1e-3
	nearestTo   = 1e3
	// nearestGrowth is the ratio of successive margins.
	nearestGrowth = 4
)

// nearestWithin returns the contact of least φ among those with φ < margin.
func (s *Data) nearestWithin(margin float64, body int, others []int) (c Contact, ok bool) {
	best := math.Inf(1)
	for i := range s.Model.Geoms {
		if s.Model.Geoms[i].Body != body {
			continue
		}
		for j := range s.Model.Geoms {
			other := s.Model.Geoms[j].Body
			if other == body || !slices.Contains(others, other) {
				continue
			}
			// Contacts are found with the lower body first, as by Collide.
			if other < body {
				s.near = s.points(0, j, i, margin, s.near[:0])
			} else {
				s.near = s.points(0, i, j, margin, s.near[:0])
			}
			for _, found := range s.near {
				if found.Phi < best {
					best, c = found.Phi, found
				}
			}
		}
	}
	return c, !math.IsInf(best, 1)
}

// NearestWithin returns the nearest pair of points, as Nearest does, of bodies that are
// nearer than a distance (m): false when all are farther apart. It costs less, because it
// searches once.
func (s *Data) NearestWithin(reach float64, body int, others []int) (c Contact, ok bool) {
	s.placeGeoms()
	return s.nearestWithin(reach, body, others)
}
