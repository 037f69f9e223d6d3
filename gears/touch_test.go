package gears

import (
	"math"
	"math/rand/v2"
	"testing"
)

// flankPoint returns a point of a flank at a radius (of a rack at a height).
func (t *Tooth) flankPoint(k int, side, radius, turn float64) [2]float64 {
	if t.gear.Form == Rack {
		// sides are those of the mate: its side 1 meets flanks that face −x
		return [2]float64{t.middle(k) + turn - side*t.HalfAt(radius), radius}
	}
	half := t.HalfAt(radius)
	if t.gear.Form == Internal {
		half = t.Pitch/2 - half // of the gap
	}
	sin, cos := math.Sincos(t.middle(k) + turn + side*half)
	return [2]float64{radius * cos, radius * sin}
}

// Gaps are the least distances of the flanks, as sampled points show, at random phases and places of the axis.
func TestGapsAreDistancesOfFlanks(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	found := map[Edge]int{}
	for _, c := range forms() {
		p, err := NewPair(c.a, c.b, c.distance)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			turn, moved := rng.Float64()*.3, rng.Float64()*.3
			if c.b.Form == Rack {
				moved = 6e-3 * (rng.Float64() - .5)
				turn += 3 * p.ToothA.Pitch
			}
			at := p.Place(turn, moved)
			at.Center[0] += 1e-4 * (rng.Float64() - .5)
			at.Center[1] += 1e-4 * (rng.Float64() - .5)
			for _, q := range p.Touches(nil, at, 0, .2*p.A.Module) {
				below := q.SA < p.ToothA.SFoot || p.e*(q.SB-p.ToothB.SFoot) < 0 // in the root
				if q.Gap < 2e-5 || below {                                      // overlaps have no distance
					continue
				}
				found[q.Edge]++
				least := distanceOfFlanks(p, at, &q)
				if math.Abs(least-q.Gap) > 2e-8 {
					t.Errorf("seed %d, %s: gap %.9g m, flanks are %.9g apart: %+v", seed, c.name, q.Gap, least, q)
				}
			}
		}
	}
	for _, e := range []Edge{NoEdge, EdgeA, EdgeB} {
		if found[e] < 5 {
			t.Errorf("%d touches of edge %d", found[e], e)
		}
	}
}

// distanceOfFlanks returns the least distance of points of each flank from chords of the other.
func distanceOfFlanks(p *Pair, at Placement, q *Touch) float64 {
	const n = 600
	a, b := &p.ToothA, &p.ToothB
	turnB := at.TurnB
	ends := [2]float64{b.radiusAt(b.SFoot), b.RTip}
	if p.B.Form == Rack {
		turnB, ends = 0, [2]float64{b.SFoot * math.Sin(b.Alpha), b.RTip}
	}
	foot := a.radiusAt(math.Max(0, a.SFoot))
	var first, second [][2]float64
	for i := range n + 1 {
		u := float64(i) / n
		first = append(first, a.flankPoint(q.ToothA, float64(q.Side), foot+(a.RTip-foot)*u, at.TurnA))
		x := b.flankPoint(q.ToothB, float64(q.Side), ends[0]+(ends[1]-ends[0])*u, turnB)
		second = append(second, [2]float64{at.Center[0] + x[0], at.Center[1] + x[1]})
	}
	return math.Min(toChords(first, second), toChords(second, first))
}

// toChords returns the least distance of points from the chords of a curve.
func toChords(points, curve [][2]float64) float64 {
	least := math.Inf(1)
	for _, x := range points {
		for j := range len(curve) - 1 {
			dx, dy := curve[j+1][0]-curve[j][0], curve[j+1][1]-curve[j][1]
			u := ((x[0]-curve[j][0])*dx + (x[1]-curve[j][1])*dy) / (dx*dx + dy*dy)
			u = math.Min(1, math.Max(0, u))
			least = math.Min(least, math.Hypot(x[0]-curve[j][0]-u*dx, x[1]-curve[j][1]-u*dy))
		}
	}
	return least
}
