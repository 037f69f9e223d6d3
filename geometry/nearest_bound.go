package geometry

// A bound of the distance of two shapes, found before their nearest points: a search with the
// distance as its margin looks at few features, one with four times the distance at nearly all of
// them. Any vertex p of one shape bounds it by its distance from the other. Good ones come from
// alternating projection,
//
//	q ← point of the other shape closest to p,  p ← vertex closest to q           (1)
//
// which ends where p stays, between convex shapes mostly at the nearest vertex. (Cheney and
// Goldstein, "Proximity maps for convex sets", 1959.)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// maxProjections bounds the steps of (1): any vertex gives a bound.
const maxProjections = 8

// distanceBound returns a distance (m) that two placed geoms have or undercut, one of them a mesh
// or another shape that is not convex; +Inf where neither has vertices.
func (m *meshScratch) distanceBound(a, b *placedGeom) float64 {
	m.a = side{newDistanceQuery(a.shape), a.features(), a.X_WG}
	m.b = side{newDistanceQuery(b.shape), b.features(), b.X_WG}
	return min(project(&m.a, &m.b), project(&m.b, &m.a))
}

// project returns the least distance of the vertices of s that (1) passes; poses are those in the
// world.
func project(s, o *side) float64 {
	least := math.Inf(1)
	if len(s.feat.verts) == 0 {
		return least
	}
	X_OS := o.X_AS.Inv().Mul(s.X_AS)
	X_SO := X_OS.Inv()
	// from the vertex nearest to the origin of the other shape
	v := s.feat.nearestVertex(X_SO.P)
	for range maxProjections {
		p := X_OS.Point(s.feat.verts[v])
		phi, grad := o.distance.at(p)
		least = min(least, phi-s.feat.rounding)
		next := s.feat.nearestVertex(X_SO.Point(p.AddScaled(-phi, grad)))
		if next == v {
			break
		}
		v = next
	}
	return least
}

// nearestVertex returns the vertex nearest to a point.
func (f *features) nearestVertex(p r3.Vec) int32 {
	v, _ := f.vertTree.Nearest(p, math.Inf(1), func(i int32) float64 { return f.verts[i].Sub(p).Norm2() })
	return v
}
