package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// reduction reduces the many candidates of two bodies to the few contacts that carry the
// same load (contact reduction of a manifold): points of about one normal to the corners
// of their convex hull in the tangential plane. Points that overlap and points ahead of
// contact are reduced apart, so that no overlapping point is dropped in favour of one
// that may never touch.
type reduction struct {
	// candidates by depth, the deepest first
	order []int32
	// candidates that belong to a group
	taken []bool
	// the group in question, projected, and its convex hull
	group []hullPoint
	hull  []hullPoint
	// candidates to keep, group by group, and all members of the groups
	keep, members []int32
	groups        []contactGroup
	// size of the smaller shape, m
	scale float64
}

const (
	// mostCorners is the number of points kept for one normal: a round rim on a plane
	// then rests on an octagon.
	mostCorners = 8
	// groupNormal is the least cosine between normals of one group, 15° apart.
	groupNormal = 0.9659258262890683
	// sameCorner is the distance, relative to the shape's size, below which points count
	// as one, and relative to the group's extent the height over a chord that counts as
	// straight.
	sameCorner = 1e-6
	// sameDepth is the share of the height of a bulge within which points count as equally deep.
	sameDepth = 0.1
	// sameSpot is the distance, relative to the group's extent, within which the deepest of several points counts.
	sameSpot = 0.02
)

// contactGroup is a group of points of about one normal: keep[keepFrom:keepTo] of members[from:to].
type contactGroup struct {
	keepFrom, keepTo, from, to int
}

// hullPoint is a candidate projected on the tangential plane of its group, m.
type hullPoint struct {
	u, v float64
	i    int32
}

// run sets the groups of the candidates and which of them to keep, ascending in each group; scale is the size of the
// smaller shape, m.
func (h *reduction) run(ts []candidate, scale float64) {
	h.scale = scale
	h.keep, h.order, h.taken = h.keep[:0], h.order[:0], h.taken[:0]
	h.members, h.groups = h.members[:0], h.groups[:0]
	// All candidates are free.
	for i := range ts {
		h.order, h.taken = append(h.order, int32(i)), append(h.taken, false)
	}
	// Deepest first, so that each group is led by its deepest point.
	slices.SortFunc(h.order, func(i, j int32) int {
		switch a, b := ts[i].phi, ts[j].phi; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return int(i - j)
	})
	// Each point that no group has taken leads one of about its normal.
	for _, lead := range h.order {
		if h.taken[lead] {
			continue
		}
		// Axes of the tangential plane.
		n := ts[lead].n
		t1, t2 := r3.Basis(n)
		h.group = h.group[:0]
		span := contactGroup{keepFrom: len(h.keep), from: len(h.members)}
		// The group: points of about this normal on the same side of touching.
		for _, i := range h.order {
			if t := &ts[i]; !h.taken[i] && t.n.Dot(n) >= groupNormal && (t.phi > 0) == (ts[lead].phi > 0) {
				// Projected relative to the leader.
				h.taken[i] = true
				d := t.x_A.Sub(ts[lead].x_A)
				h.group = append(h.group, hullPoint{d.Dot(t1), d.Dot(t2), i})
				h.members = append(h.members, i)
			}
		}
		// Corners of the hull stay, and so do the deepest points if they lie between them, on a
		// bulge: of those that are about as deep the corners of their own hull, since a ridge has two ends.
		extent := h.corners(lead)
		h.deepen(ts, sameSpot*extent)
		least := math.Inf(1)
		for _, p := range h.hull {
			h.keep = append(h.keep, p.i)
			least = min(least, ts[p.i].phi)
		}
		if deepest := ts[lead].phi; deepest < least-sameCorner*extent {
			level := deepest + sameDepth*(least-deepest)
			h.group = slices.DeleteFunc(h.group, func(p hullPoint) bool { return ts[p.i].phi > level })
			h.corners(lead)
			h.keep = append(h.keep, lead)
			for _, p := range h.hull {
				// a point in the place of the lead, which is at (0, 0), repeats it
				if same := sameCorner * h.scale; p.u*p.u+p.v*p.v > same*same {
					h.keep = append(h.keep, p.i)
				}
			}
		}
		span.keepTo, span.to = len(h.keep), len(h.members)
		slices.Sort(h.keep[span.keepFrom:])
		h.groups = append(h.groups, span)
	}
}

// deepen puts the deepest point within r (m) of a corner in the place of the corner where that is deeper by more
// than sameDepth: of points of two bodies that lie side by side round-off decides which is the corner.
func (h *reduction) deepen(ts []candidate, r float64) {
	n := 0
	for _, c := range h.hull {
		best := c
		for _, p := range h.group {
			if du, dv := p.u-c.u, p.v-c.v; du*du+dv*dv < r*r && ts[p.i].phi < ts[best.i].phi {
				best = p
			}
		}
		if deeper := ts[best.i].phi; !(deeper < 0 && ts[c.i].phi-deeper > -sameDepth*deeper) {
			best = c
		}
		repeats := slices.ContainsFunc(h.hull[:n], func(q hullPoint) bool {
			du, dv := q.u-best.u, q.v-best.v
			return du*du+dv*dv <= sameCorner*r*r
		})
		if !repeats {
			h.hull[n] = best
			n++
		}
	}
	h.hull = h.hull[:n]
}

// corners sets hull to the convex hull of the group, of mostCorners at most, and returns
// the extent of the group, m. lead is its deepest point.
func (h *reduction) corners(lead int32) (extent float64) {
	// In the order of u, then v, as Andrew's algorithm needs them.
	slices.SortFunc(h.group, func(p, q hullPoint) int {
		switch {
		case p.u < q.u:
			return -1
		case p.u > q.u:
			return 1
		case p.v < q.v:
			return -1
		case p.v > q.v:
			return 1
		}
		return int(p.i - q.i)
	})
	// Extent in both directions of the plane.
	lo, hi := h.group[0], h.group[0]
	for _, p := range h.group {
		lo.u, lo.v = min(lo.u, p.u), min(lo.v, p.v)
		hi.u, hi.v = max(hi.u, p.u), max(hi.v, p.v)
	}
	extent = max(hi.u-lo.u, hi.v-lo.v)
	// Andrew's monotone chain: lower hull, then upper hull.
	h.hull = h.hull[:0]
	for _, p := range h.group {
		h.push(p, 0)
	}
	// The upper chain starts at the last point of the lower one.
	base := len(h.hull) - 1
	for i := len(h.group) - 2; i >= 0; i-- {
		h.push(h.group[i], base)
	}
	if len(h.hull) > 1 {
		h.hull = h.hull[:len(h.hull)-1] // the first point once more
	}
	// Corners that lie between others on a straight line or repeat one.
	for i := 0; i < len(h.hull) && len(h.hull) > 2; {
		if h.cost(i) > sameCorner*extent*extent || !h.between(i) {
			i++
			continue
		}
		h.hull = slices.Delete(h.hull, i, i+1)
		i = max(i-1, 0)
	}
	// A group that is small beside the shape is one point, the deepest: a ball on a corner of a mesh is found as a
	// ball, and as a corner in the ball, and round-off decides which of them is deeper.
	if extent <= sameCorner*h.scale {
		h.hull = append(h.hull[:0], hullPoint{i: lead})
	}
	// A round contour has many corners that cost some area.
	if len(h.hull) > mostCorners {
		h.spread()
	}
	return extent
}

// spread reduces the hull to its farthest corners in evenly spaced directions.
func (h *reduction) spread() {
	var chosen [mostCorners]int
	for k := range chosen {
		s, c := math.Sincos(2 * math.Pi * float64(k) / mostCorners)
		far := math.Inf(-1)
		// The farthest corner in direction k.
		for i, p := range h.hull {
			if d := c*p.u + s*p.v; d > far {
				chosen[k], far = i, d
			}
		}
	}
	// Corners that are farthest in several directions are kept once, in the order of the
	// hull.
	slices.Sort(chosen[:])
	n := 0
	for _, i := range slices.Compact(chosen[:]) {
		h.hull[n] = h.hull[i] // chosen ascends, so that i ≥ n
		n++
	}
	h.hull = h.hull[:n]
}

// push adds a point to the chain that starts at base, without the corners that it makes
// concave (Andrew 1979).
func (h *reduction) push(p hullPoint, base int) {
	for n := len(h.hull); n >= base+2 && cross(h.hull[n-2], h.hull[n-1], p) <= 0; n = len(h.hull) {
		h.hull = h.hull[:n-1]
	}
	h.hull = append(h.hull, p)
}

// cost returns twice the area that the hull loses without corner i, m².
func (h *reduction) cost(i int) float64 {
	n := len(h.hull)
	return cross(h.hull[(i+n-1)%n], h.hull[i], h.hull[(i+1)%n])
}

// between reports whether corner i lies between its neighbours along the line through them.
func (h *reduction) between(i int) bool {
	n := len(h.hull)
	p, a, b := h.hull[i], h.hull[(i+n-1)%n], h.hull[(i+1)%n]
	return (a.u-p.u)*(b.u-p.u)+(a.v-p.v)*(b.v-p.v) <= sameCorner*h.scale*sameCorner*h.scale
}

// cross returns twice the signed area of the triangle a b c, m².
func cross(a, b, c hullPoint) float64 {
	return (b.u-a.u)*(c.v-a.v) - (b.v-a.v)*(c.u-a.u)
}
