package geometry

// The broad phase of the detection of contacts: pairs of items that may touch, by sweep and prune of their bounds,
// which are grown by the motion of their bodies, see (1) of collide.go.

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// findPairs lists the pairs of items whose grown bounds overlap and whose bodies may
// touch, in the order of the contacts. It refits the surfaces of deformables in pairs.
func (s *Data) findPairs() {
	for i := range s.boxes {
		s.grown[i].SetInflate(&s.boxes[i], s.boundsMargin(int(s.bodyOf(int32(i)))))
	}
	// Sweep and prune: items in the order of their lower bounds along x. The order of the
	// step before is nearly sorted.
	slices.SortFunc(s.order, func(i, j int32) int {
		switch a, b := s.grown[i].Min[0], s.grown[j].Min[0]; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return int(i - j)
	})
	s.pairs = s.pairs[:0]
	// Candidates of an item are those that begin before it ends.
	for k, i := range s.order {
		box := &s.grown[i]
		for _, j := range s.order[k+1:] {
			if s.grown[j].Min[0] > box.Max[0] {
				break
			}
			if overlap(box, &s.grown[j]) {
				if p, ok := s.pairOf(i, j); ok {
					s.pairs = append(s.pairs, p)
				}
			}
		}
	}
	// A deformable that touches itself is a pair with itself.
	for i, q := range s.selves {
		if q != nil {
			body, item := int32(s.deformables[i].body), int32(len(s.geoms)+i)
			s.pairs = append(s.pairs, itemPair{bodyA: body, bodyB: body, a: item, b: item})
		}
	}
	// The order of pairs is the order of the contacts.
	slices.SortFunc(s.pairs, func(p, q itemPair) int { return p.compare(&q) })
	s.refitSurfaces()
}

// compare orders pairs by their bodies, then by their items.
func (p *itemPair) compare(q *itemPair) int {
	switch {
	case p.bodyA != q.bodyA:
		return int(p.bodyA - q.bodyA)
	case p.bodyB != q.bodyB:
		return int(p.bodyB - q.bodyB)
	case p.a != q.a:
		return int(p.a - q.a)
	}
	return int(p.b - q.b)
}

// overlap is b.Overlaps(c) without copies: it is called for every two items near each
// other along x. The axes that are still open come first.
func overlap(b, c *r3.Box) bool {
	return b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1] &&
		b.Min[2] <= c.Max[2] && c.Min[2] <= b.Max[2] &&
		b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0]
}

// pairOf returns two items as a pair, false if they are on one body or their bodies are
// excluded.
func (s *Data) pairOf(i, j int32) (p itemPair, ok bool) {
	// The item of the lower body comes first.
	p = itemPair{bodyA: s.bodyOf(i), bodyB: s.bodyOf(j), a: i, b: j}
	if p.bodyA > p.bodyB {
		p = itemPair{bodyA: p.bodyB, bodyB: p.bodyA, a: j, b: i}
	}
	if p.bodyA == p.bodyB || s.Model.InExcludedGroup(int(p.bodyA), int(p.bodyB)) {
		return p, false
	}
	if len(s.skip) == 0 {
		return p, true
	}
	// Excluded pairs are sorted.
	_, skipped := slices.BinarySearchFunc(s.skip, [2]int32{p.bodyA, p.bodyB}, comparePairs)
	return p, !skipped
}

// bodyOf returns the body of an item.
func (s *Data) bodyOf(item int32) int32 {
	if n := int32(len(s.geoms)); item >= n {
		return int32(s.deformables[item-n].body)
	}
	return int32(s.Model.Geoms[item].Body)
}

// comparePairs orders pairs of numbers lexicographically.
func comparePairs(p, q [2]int32) int {
	if p[0] != q[0] {
		return int(p[0]) - int(q[0])
	}
	return int(p[1]) - int(q[1])
}
