package geometry

import "github.com/curlfree/curlfree/r3"

// Overlapping shapes can be separated by short translations in several directions, and
// smoothNormal climbs from the direction of the nearest face of a coarse polytope to the
// maximum nearby. By (1) of epa.go a direction through a face at distance d does not separate
// by less than d: a lesser depth than the one found can only lie behind a nearer face.

const (
	// sameBasin is the cosine between normals above which faces lead to the same maximum.
	sameBasin = 0.999
	// mostBasins bounds the directions that are tried.
	mostBasins = 8
)

// searchBasins improves the answer of smoothNormal by that from any other face that may hide
// a lesser depth.
func (e *epa) searchBasins(k *cores, c *closest) {
	var tried [mostBasins]r3.Vec
	tried[0] = c.n
	n := 1
	for i := range e.nf {
		f := &e.face[i]
		if f.dead || f.d >= -c.s {
			continue
		}
		out := f.n.Neg()
		if out.Dot(c.n) > sameBasin || isNear(out, tried[:n]) {
			continue
		}
		if n == mostBasins {
			return
		}
		// from the face to the maximum nearby
		tried[n] = out
		n++
		other := e.answer(f, -k.separation(out))
		if k.smoothNormal(&other, e.scale) && other.s > c.s {
			*c = other
		}
	}
}

// isNear reports whether a direction is that of one of others, within sameBasin.
func isNear(n r3.Vec, others []r3.Vec) bool {
	for _, o := range others {
		if n.Dot(o) > sameBasin {
			return true
		}
	}
	return false
}
