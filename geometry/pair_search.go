package geometry

// What a search for the contact points of two geoms finds out about their distance. A step seeks contacts again where
// bodies move farther than was predicted: at the same poses, up to a larger gap. Closest points depend on nothing but
// the poses, so that the next search of a pair continues from what the one before has found.

import "math"

// pairSearch is the search for contact points of a pair of geoms.
type pairSearch struct {
	// margin is the gap up to which they were sought, m.
	margin float64
	cores  coreDistance
}

// coreDistance is what is known of the distance of two convex cores, see cores.
type coreDistance struct {
	// closest are their closest points, if found.
	closest closest
	found   bool
	// apart is a length that they are known to be apart else, m; −Inf: nothing is known.
	apart float64
}

// newPairSearch returns a search up to a margin (m) of a pair of which nothing is known.
func newPairSearch(margin float64) pairSearch {
	return pairSearch{margin: margin, cores: coreDistance{apart: math.Inf(-1)}}
}

// leastGap returns a length that the gap of two geoms without contact points is at least, m.
func (p *pairSearch) leastGap(a, b Shape) float64 {
	apart := p.cores.apart
	if p.cores.found {
		apart = p.cores.closest.s
	}
	A, okA := a.(SupportMap)
	B, okB := b.(SupportMap)
	if okA && okB {
		apart -= A.Rounding() + B.Rounding()
	}
	return max(p.margin, apart)
}

// closestWithin is closest, which is not repeated where its answer is known.
func (k *cores) closestWithin(reach float64) (closest, bool) {
	d := k.distance
	if d == nil {
		return k.closest(reach)
	}
	if !d.found && reach > d.apart {
		if d.closest, d.found = k.closest(reach); !d.found {
			d.apart = d.closest.s
		}
	}
	return d.closest, d.found
}
