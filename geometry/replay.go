package geometry

import "github.com/curlfree/curlfree/r3"

// Replay of detected contacts at displaced poses, for derivatives: pairs of geoms are those of the last
// detection, within the gap of that time, so that nothing is searched but contact points of one pair.

// NumPairs returns the number of pairs of items near each other in the last detection.
func (s *Data) NumPairs() int { return len(s.pairs) }

// PointPair returns the bodies of a pair of geoms that touch at points, a of the lower number, and which of the
// contacts of the last detection are theirs. It is false for other pairs.
func (s *Data) PointPair(i int) (a, b, first, count int, ok bool) {
	p := &s.pairs[i]
	if int(max(p.a, p.b)) >= len(s.geoms) || p.surface >= 0 {
		return 0, 0, 0, 0, false
	}
	return int(p.bodyA), int(p.bodyB), int(p.first), int(p.count), true
}

// HasDeformable reports whether a pair has a deformable.
func (s *Data) HasDeformable(i int) bool { return int(max(s.pairs[i].a, s.pairs[i].b)) >= len(s.geoms) }

// ReplayPair appends the contacts that a pair of geoms of PointPair has where the body b is at X_WB. It is for one
// goroutine at a time.
func (s *Data) ReplayPair(i int, X_WB *r3.Pose, dst []Contact) []Contact {
	p := &s.pairs[i]
	g := &s.geoms[p.b]
	at := g.X_WG
	g.X_WG.SetMul(X_WB, &s.Model.Geoms[p.b].X_BG)
	dst = s.points(0, int(p.a), int(p.b), s.searches[i].margin, nil, dst)
	g.X_WG = at
	return dst
}
