package stuffing

// Grading of the lattice by what the part needs: two cells across walls, one
// across gaps, what sharp edges ask for along them (edges.go), the
// target size elsewhere. Thin walls would vanish otherwise, holes close and parts
// fall into pieces. A surface whose walls are all thicker than one and a half
// cells, and whose edges ask for nothing, gets the ungraded lattice.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

const (
	// defaultWallCells is the number of cells across walls.
	defaultWallCells = 2
	// gapCells is the number of cells across gaps. A gap has no elements: it
	// needs cells only to be seen.
	gapCells = 1.6
	// halvingSlack is how many of the wanted cells are enough: cells are halved,
	// so that they get between this and twice this share.
	halvingSlack = 0.75
	// sampleSpacing is the distance of samples over the cells that they require.
	sampleSpacing = 1
	// smallCellsSpread is how many times more vertices small cells give than lie where
	// they are asked for: the octree halves whole cells, and neighbours with them.
	smallCellsSpread = 2
	// predictedMost is how many times more vertices are predicted than small cells give, at most: 1.5 to 2 times in
	// parts whose walls are thin all over, where the cells between are halved too.
	predictedMost = 2
	// maxHalvings bounds how often cells are halved below the target size: by
	// 2⁵ = 32.
	maxHalvings = 5
)

// grading describes how small the cells of a lattice must be where.
type grading struct {
	// edge of the cells at the surface where nothing requires smaller ones, m
	size float64
	// how often cells are halved at most: the smallest have edge size / 2^halvings
	halvings int
	// samples that require more than k halvings, as boxes in which the cells have
	// to be so small
	finer []*bvh.Tree
	// number of vertices that all walls and gaps would need, where the limit allows
	// fewer halvings than they require; else 0
	lacking float64
}

// ungraded returns the grading of cells of one size, m.
func ungraded(size float64) *grading { return &grading{size: size} }

// least returns the edge of the smallest cells, m.
func (g *grading) least() float64 { return math.Ldexp(g.size, -g.halvings) }

// halvingsFor returns how often cells of edge size, m, are halved until enough of
// them fit into width, m.
func halvingsFor(size, width, cells float64) int {
	if math.IsInf(width, 1) {
		return 0
	}
	n := math.Ceil(math.Log2(size * cells * halvingSlack / width))
	return int(max(0, min(n, maxHalvings)))
}

// halvingsAt returns how often cells of edge h, m, are halved at a sample, at most
// most times, for cells across walls. Where the sides of a wall or gap converge,
// everything thinner than they get within a cell belongs to its tip: cells that
// resolve the tip of a wedge would have no size, and tips are kept by the step that
// sharpens edges.
func halvingsAt(x *surfaces.Sample, h, walls, gaps float64, most int) int {
	wall, gap := max(x.Wall, x.WallTaper*h), max(x.Gap, x.GapTaper*h)
	return min(max(halvingsFor(h, wall, walls), halvingsFor(h, gap, gaps)), most)
}

// wallCells and gapCells return the numbers of cells across walls and gaps.
func (s *stuffing) wallCells() float64 { return s.finer * float64(s.opt.WallCells) }
func (s *stuffing) gapCells() float64  { return s.finer * gapCells }

// predictSample estimates the vertices that a sample asks for at a target size h, m, as predict does,
// the halvings there, and the volume, m³, that its cells fill.
func (s *stuffing) predictSample(x *surfaces.Sample, h float64, most int) (n float64, halvings int, volume float64) {
	halvings = halvingsAt(x, h, s.wallCells(), s.gapCells(), most)
	cell := math.Ldexp(h, -halvings)
	// Two vertices a cell below the surface, some on it, as in predict.
	volume = x.Area * min(3.5*cell, x.Wall/2)
	n = 2*volume/(cell*cell*cell) + 1.2*x.Area/(cell*cell)
	if halvings > 0 {
		n *= smallCellsSpread
	}
	return n, halvings, volume
}

// predictGraded estimates the number of vertices for a target size h, m, as predict
// does, and returns the largest number of halvings.
func (s *stuffing) predictGraded(samples []surfaces.Sample, h float64, most int) (n float64, halvings int) {
	fine := 0.0
	for i := range samples {
		more, k, deep := s.predictSample(&samples[i], h, most)
		halvings = max(halvings, k)
		n += more
		fine += deep
	}
	return n + 2*max(0, s.volume-fine)/math.Pow(2*h, 3), halvings
}

// hopeless is the number of vertices, over the limit, from which no size near the target fits: sizes a third
// smaller, with cells halved once less, have no fewer than a fourth.
const hopeless = 4

// grade measures the surface and returns the grading for the target size h, m,
// with at most most halvings, and the number of vertices to expect; nil where that is far above the limit.
// The cells at the surface may be up to a third smaller than h: halved cells seldom fit a wall, and
// the size that fits the walls best needs fewest. Sharp edges ask for cells of their own if edges is true.
func (s *stuffing) grade(h float64, most int, edges bool) (*grading, float64) {
	if s.opt.WallCells < 0 || most == 0 {
		return ungraded(h), s.predict(h)
	}
	walls, gaps := s.wallCells(), s.gapCells()
	var samples []surfaces.Sample
	sum := 0.0
	if s.gauge == nil {
		s.gauge = surfaces.NewGauge(s.dist, float64(s.opt.MaxVertices)/profiles.DefaultMaxVertices)
	}
	// Nothing farther than this requires a halving.
	if !s.gauge.Sample(h/2, max(walls, gaps)*halvingSlack*h, func(x *surfaces.Sample) float64 {
		// Samples far apart would spread small cells over what lies between.
		return math.Ldexp(sampleSpacing*h, -halvingsAt(x, h, walls, gaps, most))
	}, func(x *surfaces.Sample) bool {
		n, _, _ := s.predictSample(x, h, most)
		samples, sum = append(samples, *x), sum+n
		return sum < hopeless*float64(s.opt.MaxVertices) && !s.gauge.Spent()
	}) {
		return nil, sum
	}
	n, halvings := s.predictGraded(samples, h, most)
	size := h
	if halvings > 0 {
		for f := 0.95; f > 0.66; f -= 0.05 {
			if m, k := s.predictGraded(samples, f*h, most); m < n {
				n, size, halvings = m, f*h, k
			}
		}
	}
	var sharp []ridgeSample
	if edges {
		more, k := 0.0, 0
		sharp, k, more = s.edgeGrading(size, most, n)
		halvings, n = max(halvings, k), n+more
	}
	if halvings == 0 && size == h {
		return ungraded(h), s.predict(h)
	}
	g := &grading{size: size, halvings: halvings, finer: make([]*bvh.Tree, halvings)}
	boxes := make([][]r3.Box, halvings)
	for _, x := range samples {
		k := halvingsAt(&x, size, walls, gaps, most)
		for j := range k {
			// The region around the sample up to the next one.
			boxes[j] = append(boxes[j], r3.EmptyBox().Extend(x.At).Inflate(x.Radius))
		}
	}
	for i := range sharp {
		sharp[i].boxes(size, boxes)
	}
	for k := range g.finer {
		g.finer[k] = bvh.Build(boxes[k])
	}
	return g, n
}

// fits returns the grading for a target size h, m, with as many halvings as the
// limit of vertices allows, and the number of vertices to expect. It is an error if there are too many
// walls to be measured.
func (s *stuffing) fits(h float64) (*grading, float64, error) {
	if n := s.predict(h); n > float64(s.opt.MaxVertices) {
		return ungraded(h), n, nil // too many without halving a cell
	}
	// A number of vertices is for the body as a whole: edges would leave none for it.
	g, n := s.grade(h, maxHalvings, s.opt.Size > 0)
	n = s.counted(g, n)
	all, most := n, maxHalvings
	for g == nil || n > float64(s.opt.MaxVertices) && g.halvings > 0 {
		switch {
		case s.gauge.Spent() && n > float64(s.opt.MaxVertices) && s.gauge.Extend():
			// Too many vertices in any case: larger cells share most of the rays.
		case s.gauge.Spent() && n > float64(s.opt.MaxVertices):
			return nil, n, fmt.Errorf("meshes: stuffing: at size %.3g m walls and gaps need more than about %.2g vertices, the limit is %d: raise the limit, or choose cells of one size (--wall-cells -1)",
				h, n, s.opt.MaxVertices)
		case s.gauge.Spent():
			return nil, n, fmt.Errorf("meshes: stuffing: the surface has too many thin walls and narrow gaps to measure them all (at size %.3g m): simplify the surface to fewer facets, choose a larger size, or cells of one size (--wall-cells -1)", h)
		}
		if g != nil {
			most = g.halvings
		}
		most--
		g, n = s.grade(h, most, false)
		n = s.counted(g, n)
		if g != nil {
			g.lacking = all
		}
	}
	return g, n, nil
}

// counted returns the number of vertices of the cut lattice where that predicted, n, is above the limit by less than
// it may be off and larger cells lost the part; else n. Searches for a size take predictions: they ask for many sizes.
func (s *stuffing) counted(g *grading, n float64) float64 {
	limit := float64(s.opt.MaxVertices)
	if !s.counting || g == nil || g.halvings == 0 || s.opt.Size == 0 || n <= limit || n > predictedMost*limit {
		return n
	}
	m, skin := cutLattice(s.lattice(g, r3.Vec{}))
	makeManifold(m, skin, g.least())
	return float64(len(m.Verts))
}

// wants reports whether the cell with these bounds, of edge size/2^k, must be
// halved.
func (g *grading) wants(k int, cell r3.Box) bool {
	return k < g.halvings && g.finer[k].Meets(cell)
}
