package geometry

// Contacts of two geoms depend on nothing but their poses and how far they approach, so
// that workers share the pairs: in chunks, whose contacts are joined in the order of the
// pairs.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

const (
	// convexCost and generalCost are the estimated times of a pair of geoms, µs: shapes
	// that are not convex are searched vertex by vertex.
	convexCost  = 1
	generalCost = 32
	// chunkCost is the least cost of a chunk, µs: less is not worth a worker's time.
	chunkCost = 32
	// sharedFrom is the least number of chunks for which workers are woken: fewer are
	// done before the workers are awake.
	sharedFrom = 6
)

// pairChunk is the run lo..hi−1 of Data.pairs, pairs of geoms, with their contacts.
type pairChunk struct {
	// of Data.pairs
	lo, hi   int
	contacts []Contact
}

// chunkPairs cuts the pairs of geoms into chunks and returns their number. It does not
// depend on the workers.
func (s *Data) chunkPairs() int {
	n, cost := 0, chunkCost
	for i, p := range s.pairs {
		if int(p.b) >= len(s.geoms) {
			// A pair with a deformable ends the chunk.
			cost = chunkCost
			continue
		}
		// A new chunk begins.
		if cost >= chunkCost {
			if n++; n > len(s.chunks) {
				s.chunks = append(s.chunks, pairChunk{})
			}
			s.chunks[n-1].lo, cost = i, 0
		}
		s.chunks[n-1].hi = i + 1
		if isGeneral(s.geoms[p.a].shape) || isGeneral(s.geoms[p.b].shape) {
			cost += generalCost
		} else {
			cost += convexCost
		}
	}
	return n
}

// pairFinder is a Data that finds contacts of geoms on workers.
type pairFinder Data

// Do implements workers.Task.
func (f *pairFinder) Do(worker, k int) {
	s, c := (*Data)(f), &f.chunks[k]
	c.contacts = s.geomContacts(worker, c, c.contacts[:0])
}

// geomContacts appends the contacts of a chunk.
func (s *Data) geomContacts(worker int, c *pairChunk, dst []Contact) []Contact {
	for i := c.lo; i < c.hi; i++ {
		p, from := &s.pairs[i], len(dst)
		switch {
		case s.halt.ends():
		case p.surface >= 0:
			dst = s.coreContacts(worker, p, s.approach(p), dst)
		case p.former >= 0:
			former := &s.formerPairs[p.former]
			dst = append(dst, s.formerContacts[former.first:former.first+former.count]...)
		default:
			sought := &s.searches[i]
			dst = s.points(worker, int(p.a), int(p.b), sought.margin, &sought.cores, dst)
		}
		p.count = int32(len(dst) - from)
	}
	return dst
}

// findFormer sets how far contact points of each pair of geoms are sought, and what the detection before has found at
// the same poses: the points themselves, where it has sought them as far, for they depend on nothing else.
func (s *Data) findFormer() {
	next := 0
	s.searches = slices.Grow(s.searches[:0], len(s.pairs))[:len(s.pairs)]
	for i := range s.pairs {
		p := &s.pairs[i]
		p.former = -1
		if int(p.b) >= len(s.geoms) || p.surface >= 0 {
			continue
		}
		sought := &s.searches[i]
		*sought = newPairSearch(s.SpeculativeDistance + s.approach(p))
		// both lists have the same order
		for next < len(s.formerPairs) && s.formerPairs[next].compare(p) < 0 {
			next++
		}
		if next < len(s.formerPairs) {
			if q := &s.formerPairs[next]; q.compare(p) == 0 && q.surface < 0 {
				former := &s.formerSearches[next]
				if sought.cores = former.cores; former.margin == sought.margin {
					p.former = int32(next)
				}
			}
		}
	}
}

// approach returns how far the bodies of a pair may approach within the step, m: (1) of
// collide.go.
func (s *Data) approach(p *itemPair) float64 {
	var apart r3.Vec
	apart.SetSub(s.translation(int(p.bodyA)), s.translation(int(p.bodyB)))
	return s.speculative(math.Sqrt(apart.DotOf(&apart))+s.motionBound(int(p.bodyA))+s.motionBound(int(p.bodyB))) + s.slack
}

// points appends the contact points of two geoms, a on the lower body; known is that of pairContacts.
func (s *Data) points(worker, a, b int, margin float64, known *coreDistance, dst []Contact) []Contact {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	from := len(dst)
	if isGeneral(ga.Shape) || isGeneral(gb.Shape) {
		dst = s.mesh[worker].contacts(&s.geoms[a], &s.geoms[b], margin, dst)
	} else {
		dst = pairContacts(ga, gb, s.geoms[a].X_WG, s.geoms[b].X_WG, margin, known, dst)
	}
	s.complete(a, b, dst[from:])
	return dst
}

// complete sets bodies, materials and the point at which the force acts of contact points of two geoms, see Contact.
func (s *Data) complete(a, b int, points []Contact) {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	for i := range points {
		c := &points[i]
		c.A.Body, c.B.Body = ga.Body, gb.Body
		c.Materials = [2]int{ga.Material, gb.Material}
		c.Elem = [2]int32{int32(a), int32(b)}
		switch a, b := s.IsKinematic(ga.Body), s.IsKinematic(gb.Body); {
		case a && !b:
			c.Pos_W = c.B.Pos_W
		case b && !a:
			c.Pos_W = c.A.Pos_W
		}
	}
}

// IsKinematic reports whether forces do not move a body: the world, or a rigid body of Kinematic.
func (s *Data) IsKinematic(body int) bool {
	return body == World || body < len(s.Kinematic) && s.Kinematic[body]
}
