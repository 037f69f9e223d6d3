package meshes

// Grading of the lattice by what the part needs: two cells across walls, one
// across gaps, the target size elsewhere. Thin walls would vanish otherwise,
// holes close and parts fall into pieces. A surface whose walls are all thicker
// than one and a half cells gets the ungraded lattice.

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
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
	// maxHalvings bounds how often cells are halved below the target size: by
	// 2⁵ = 32.
	maxHalvings = 5
)

// grading says how small the cells of a lattice must be where.
type grading struct {
	// edge of the cells at the surface where nothing asks for smaller ones, m
	size float64
	// how often cells are halved at most: the smallest have edge size / 2^halvings
	halvings int
	// samples that ask for more than k halvings, as boxes in which the cells have
	// to be so small
	finer []*bvh.Tree
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

// grade measures the surface and returns the grading for the target size h, m,
// with at most most halvings, and the number of vertices to expect.
func (s *stuffing) grade(h float64, most int) (*grading, float64) {
	g := ungraded(h)
	if s.opt.WallCells < 0 {
		return g, s.predict(h)
	}
	walls := float64(s.opt.WallCells)
	// Nothing farther than this asks for a halving.
	samples := sampleSurface(s.dist, h/2, max(walls, gapCells)*halvingSlack*h)
	boxes := make([][]r3.Box, maxHalvings)
	predicted, fine := 0.0, 0.0
	for _, x := range samples {
		k := min(max(halvingsFor(h, x.wall, walls), halvingsFor(h, x.gap, gapCells)), most)
		g.halvings = max(g.halvings, k)
		cell := math.Ldexp(h, -k)
		for j := range k {
			// The region around the sample up to the next one, and one cell.
			boxes[j] = append(boxes[j], r3.EmptyBox().Extend(x.at).Inflate(x.radius+cell))
		}
		// Two vertices a cell below the surface, some on it, as in predict.
		deep := x.area * min(3.5*cell, x.wall/2)
		predicted += 2*deep/(cell*cell*cell) + 1.2*x.area/(cell*cell)
		fine += deep
	}
	if g.halvings == 0 {
		return g, s.predict(h)
	}
	g.finer = make([]*bvh.Tree, g.halvings)
	for k := range g.finer {
		g.finer[k] = bvh.Build(boxes[k])
	}
	return g, predicted + 2*max(0, s.volume-fine)/math.Pow(2*h, 3)
}

// fits returns the grading for a target size h, m, with as many halvings as the
// limit of vertices allows, and the number of vertices to expect.
func (s *stuffing) fits(h float64) (*grading, float64) {
	if n := s.predict(h); n > float64(s.opt.MaxVertices) {
		return ungraded(h), n // too many without halving a cell
	}
	g, n := s.grade(h, maxHalvings)
	for n > float64(s.opt.MaxVertices) && g.halvings > 0 {
		g, n = s.grade(h, g.halvings-1)
	}
	return g, n
}

// wants reports whether the cell with these bounds, of edge size/2^k, must be
// halved.
func (g *grading) wants(k int, cell r3.Box) bool {
	return k < g.halvings && g.finer[k].Meets(cell)
}
