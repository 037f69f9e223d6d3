package profiles

// Which corner is inserted when, in a biased randomized insertion order where that is needed. In the order of the
// outline they lie close to each other, so that walks are short, and most outlines take a few flips for each. Convex
// arcs of thousands of corners do not: each new corner of a parabola flips the edges of all before it. A random order
// takes few flips for any set of points (Guibas, Knuth, Sharir, Randomized Incremental Construction of Delaunay and
// Voronoi Diagrams, 1992), but long walks. Corners in random rounds that double in number, each round in the order of
// the outline, have both (Amenta, Choi, Rote, Incremental Constructions con BRIO, 2003).

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// manyFlips is the number of flips for each corner after which the order of the outline is given up.
const manyFlips = 100

// insertCorners returns the Delaunay triangulation of all corners, in which vertex 4 + k is corner k:
// those of the outer polygon come first.
func (p *Profile) insertCorners() (*delaunay, error) {
	// a square around all corners bounds the plane
	lo, hi := p.bounds()
	d := newDelaunay(lo, hi)
	corners := slices.Concat(p.loops()...)
	for k, q := range corners {
		// equal corners would get the same number
		if v := int(d.insert(q)) - 4; v != k {
			return nil, p.repeated(k)
		}
		if d.flips > manyFlips*len(corners) {
			return p.insertByRounds(corners)
		}
	}
	return d, nil
}

// insertByRounds is insertCorners in random rounds.
func (p *Profile) insertByRounds(corners []vec2) (*delaunay, error) {
	lo, hi := p.bounds()
	d := newDelaunay(lo, hi)
	// vertex 4 + i is corner order[i] for the time being
	order := rounds(len(corners))
	for i, k := range order {
		if v := int(d.insert(corners[k])) - 4; v != i {
			return nil, p.repeated(max(int(k), int(order[v])))
		}
	}
	// Number the vertices as the corners.
	at := slices.Clone(d.at)
	for i, k := range order {
		d.pts[4+k], d.at[4+k] = corners[k], at[4+i]
	}
	for t := range d.tri {
		for i, v := range d.tri[t] {
			if v >= 4 {
				d.tri[t][i] = 4 + order[v-4]
			}
		}
	}
	return d, nil
}

// rounds returns the numbers below n in random rounds, the same ones each time: half of all in the last,
// a quarter in that before, and so on. The numbers of a round ascend.
func rounds(n int) []int32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	round, order := make([]int, n), make([]int32, n)
	for i := range order {
		// counted from the last
		round[i], order[i] = bits.TrailingZeros64(r.Uint64()), int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(round[b], round[a]) })
	return order
}

// repeated is the error of a corner, counted through all loops, that another one repeats.
func (p *Profile) repeated(k int) error {
	for i, loop := range p.loops() {
		if k < len(loop) {
			return fmt.Errorf("meshes: profile: corner %d of %s, (%.6g, %.6g), repeats an earlier corner; loops must not touch", k, loopName(i), loop[k][0], loop[k][1])
		}
		k -= len(loop)
	}
	panic("meshes: no such corner")
}
