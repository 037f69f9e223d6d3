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
	// Searches of meshes with a large margin are expensive: the first one is small, the next as
	// large as it has to be.
	if c, ok = s.nearestWithin(nearestFrom, body, others); ok {
		return c, ok
	}
	if bound := s.distanceBound(body, others); bound >= nearestFrom && bound < nearestTo {
		c, ok = s.nearestWithin(bound+boundSlack*(bound+1), body, others)
	}
	// Where there is no bound, or what it is of cannot touch first, the margin grows step by step.
	for margin := nearestFrom * nearestGrowth; margin <= nearestTo && !ok; margin *= nearestGrowth {
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
	// boundSlack is the round-off of a bound, relative to itself and to a metre.
	boundSlack = 1e-9
)

// nearestWithin returns the contact of least φ among those with φ < margin.
func (s *Data) nearestWithin(margin float64, body int, others []int) (c Contact, ok bool) {
	best := math.Inf(1)
	for i := range s.Model.Geoms {
		for j := range s.Model.Geoms {
			if !s.arePair(i, j, body, others) {
				continue
			}
			// Contacts are found with the lower body first, as by Collide.
			if s.Model.Geoms[j].Body < body {
				s.near = s.points(0, j, i, margin, nil, s.near[:0])
			} else {
				s.near = s.points(0, i, j, margin, nil, s.near[:0])
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

// distanceBound returns a distance that a body has from the others or undercuts, m; +Inf where
// all shapes are convex.
func (s *Data) distanceBound(body int, others []int) float64 {
	bound := math.Inf(1)
	for i := range s.Model.Geoms {
		for j := range s.Model.Geoms {
			if !s.arePair(i, j, body, others) {
				continue
			}
			if a, b := &s.geoms[i], &s.geoms[j]; isGeneral(a.shape) || isGeneral(b.shape) {
				bound = min(bound, s.mesh[0].distanceBound(a, b))
			}
		}
	}
	return bound
}

// arePair reports whether geom i is of a body and geom j of one of the others.
func (s *Data) arePair(i, j, body int, others []int) bool {
	other := s.Model.Geoms[j].Body
	return s.Model.Geoms[i].Body == body && other != body && slices.Contains(others, other)
}

// NearestWithin returns the nearest pair of points, as Nearest does, of bodies that are
// nearer than a distance (m): false when all are farther apart. It costs less, because it
// searches once.
func (s *Data) NearestWithin(reach float64, body int, others []int) (c Contact, ok bool) {
	s.placeGeoms()
	return s.nearestWithin(reach, body, others)
}
