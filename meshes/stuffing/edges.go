package stuffing

// Why edges ask for cells of their own: the rays that measure walls and gaps start on faces, and meet
// no side that faces them across a step, a chamfer or a lip, nor along the rim of a hole.

// Grading of the lattice along sharp edges. A ridge is kept where the boundary of the mesh has edges
// along it. So cells there must be
//
//   - at most twice as large as the distance to another ridge, so that each has vertices of its own;
//   - so small along bends that chords stay near the ridge: the middle of a chord of length c is off
//     an arc of radius r by
//
//     s = c²/(8 r)                                                                        (1)
//
// Ridges closer than a twentieth of the target size count as one: what lies between them is flat to
// that. The vertices that ridges ask for have a limit, beyond which cells are halved once only, or not.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

const (
	// maxEdgeHalvings bounds how often cells are halved for ridges: lower steps are kept in part.
	maxEdgeHalvings = 2
	// edgeCells is the number of cells over the distance of two ridges: with the slack of halvings, cells are at
	// most twice as large.
	edgeCells = 0.5 / halvingSlack
	// edgeTolerance is the distance, over the target size, within which ridges are kept.
	edgeTolerance = 0.05
	// edgeDetour is how many times farther along ridges than straight a ridge is from another that is a
	// side of a step with it; others are neighbours at a corner, which no cells resolve.
	edgeDetour = 2
	// edgeVertices is the number of vertices that each small cell on a ridge adds, with those around it: 4 to 13 on
	// eight CAD files.
	edgeVertices = 9
	// edgeShare bounds the vertices that ridges add, over those that the part has without.
	edgeShare = 3
	// maxEdgeLooks bounds the work of measuring the ridges of one part at one size: a second or two.
	maxEdgeLooks = 10_000_000
)

// ridgeSample is a point of a ridge with what cells there have to resolve.
type ridgeSample struct {
	// m
	at r3.Vec
	// share of the ridge's length, m
	length float64
	// distance to the nearest ridge that is no neighbour, m; +Inf where none is near
	apart float64
	// length of a chord around it that stays near the ridge, m
	chord float64
	// how often cells are halved here
	halvings int
}

// need returns how often cells of edge h, m, must be halved at a ridge, at most most times.
func (x *ridgeSample) need(h float64, most int) int {
	k := halvingsFor(h, x.chord, 1)
	if x.apart > edgeTolerance*h {
		k = max(k, halvingsFor(h, x.apart, edgeCells))
	}
	return min(k, most)
}

// edgeCell is a cell of a grid with the edge of cells that are halved as often.
type edgeCell struct {
	at       [3]int64
	halvings int
}

// edgeGrading measures the ridges for cells of edge h, m, that are halved at most most times, and returns
// samples, how often cells are halved for them, and the vertices that this adds. base is the number
// of vertices without.
func (s *stuffing) edgeGrading(h float64, most int, base float64) (samples []ridgeSample, halvings int, more float64) {
	most = min(most, maxEdgeHalvings)
	g := ridgeGauge{r: s.ridges, along: map[int32]float64{}}
	samples, ok := g.sample(math.Ldexp(h, -most), h)
	if !ok {
		return nil, 0, 0
	}
	for ; most > 0; most-- {
		// Small cells that ridges pass: where these are close, they share them.
		halvings = 0
		cells := map[edgeCell]bool{}
		for i := range samples {
			x := &samples[i]
			if x.halvings = x.need(h, most); x.halvings > 0 {
				halvings = max(halvings, x.halvings)
				cells[edgeCell{pointset.GridCell(x.at, math.Ldexp(h, -x.halvings)), x.halvings}] = true
			}
		}
		more = edgeVertices * float64(len(cells))
		if more <= edgeShare*base && base+more <= float64(s.opt.MaxVertices) {
			return samples, halvings, more
		}
	}
	return nil, 0, 0
}

// boxes adds the regions in which cells of edge h, m, must be smaller to lists by the number of halvings:
// a quarter of a cell around the ridge, up to the next samples.
func (x *ridgeSample) boxes(h float64, to [][]r3.Box) {
	for k := range x.halvings {
		to[k] = append(to[k], r3.EmptyBox().Extend(x.at).Inflate(x.length/2+math.Ldexp(h, -k-3)))
	}
}

// ridgeGauge measures ridges.
type ridgeGauge struct {
	r *ridges
	// distances along ridges from a sample to nodes, m
	along map[int32]float64
	// nodes to visit, and ridges near a sample
	queue, near []int32
	// ridges looked at so far
	looks int
}

// sample returns points of all ridges at most spacing, m, apart, and what is there for cells of
// edge h, m; false if that takes too long.
func (g *ridgeGauge) sample(spacing, h float64) (out []ridgeSample, ok bool) {
	for i, e := range g.r.ends {
		d := e[1].Sub(e[0])
		n := math.Max(1, math.Ceil(d.Norm()/spacing))
		for k := range int(math.Min(n, maxEdgeLooks)) {
			if g.looks++; g.looks > maxEdgeLooks {
				return nil, false
			}
			s := ridgeSample{at: e[0].AddScaled((float64(k)+0.5)/n, d), length: d.Norm() / n}
			// Ridges farther apart than this ask for nothing.
			s.apart = g.apart(int32(i), s.at, edgeCells*halvingSlack*h)
			s.chord = g.chord(int32(i), s.at, h)
			out = append(out, s)
		}
	}
	return out, true
}

// apart returns the distance, m, from p on ridge i to the nearest ridge that is no neighbour; +Inf
// if that exceeds reach, m.
func (g *ridgeGauge) apart(i int32, p r3.Vec, reach float64) float64 {
	best := math.Inf(1)
	g.near = g.r.tree.Query(r3.EmptyBox().Extend(p).Inflate(reach), g.near[:0])
	g.looks += len(g.near)
	if len(g.near) == 1 {
		return best
	}
	g.spread(i, p, edgeDetour*reach)
	for _, k := range g.near {
		at := g.r.foot(k, p)
		straight := at.Sub(p).Norm()
		if k == i || straight > reach || straight >= best {
			continue
		}
		// The way along ridges goes through one of the ends.
		along := math.Inf(1)
		for j, v := range g.r.nodes[k] {
			if l, ok := g.along[v]; ok {
				along = min(along, l+at.Sub(g.r.ends[k][j]).Norm())
			}
		}
		if along > edgeDetour*straight {
			best = straight
		}
	}
	return best
}

// spread finds the distances along ridges from p on ridge i to all nodes within reach, m.
func (g *ridgeGauge) spread(i int32, p r3.Vec, reach float64) {
	clear(g.along)
	g.queue = g.queue[:0]
	for j, v := range g.r.nodes[i] {
		g.along[v] = p.Sub(g.r.ends[i][j]).Norm()
		g.queue = append(g.queue, v)
	}
	// A node comes again when a shorter way to it is found.
	for q := 0; q < len(g.queue); q++ {
		v := g.queue[q]
		if g.along[v] > reach {
			continue
		}
		for _, k := range g.r.around[v] {
			g.looks++
			w := g.r.nodes[k][0] + g.r.nodes[k][1] - v
			l := g.along[v] + g.r.ends[k][1].Sub(g.r.ends[k][0]).Norm()
			if old, ok := g.along[w]; !ok || l < old {
				g.along[w] = l
				g.queue = append(g.queue, w)
			}
		}
	}
}

// chord returns the first of the lengths h, h/2, h/4, m, whose chord around p on ridge i stays within
// the tolerance; the last if none does.
func (g *ridgeGauge) chord(i int32, p r3.Vec, h float64) float64 {
	c := h
	for range maxEdgeHalvings {
		a, b := g.walk(i, 0, p, c/2), g.walk(i, 1, p, c/2)
		if footOfSegment(a, b, p).Sub(p).Norm() <= edgeTolerance*h {
			break
		}
		c /= 2
	}
	return c
}

// walk returns the point of the ridges at the given distance along them, m, from p on ridge i
// towards its end j. Corners end the way, and so does the ridge itself where ridges form a loop.
func (g *ridgeGauge) walk(i int32, j int, p r3.Vec, distance float64) r3.Vec {
	for start := i; ; {
		g.looks++
		to := g.r.ends[i][j]
		l := to.Sub(p).Norm()
		if l > distance {
			return p.AddScaled(distance/l, to.Sub(p))
		}
		distance -= l
		v := g.r.nodes[i][j]
		next := g.r.around[v]
		if g.r.turns[v] {
			return to
		}
		// The other ridge at the node, from this end to its other one.
		i, p = next[0]+next[1]-i, to
		if i == start {
			return to
		}
		j = 1 - slices.Index(g.r.nodes[i][:], v)
	}
}
