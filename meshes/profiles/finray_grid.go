package profiles

// Rows across walls and ribs matter because linear triangles and tets are too
// stiff in bending: the number of elements across is what the user controls,
// and refinement halves all of them.

// The planar mesh of a FinRay finger: quads in rows across walls and ribs, each
// divided into two triangles by alternating diagonals.

import (
	"errors"
	"math"
)

// finGrid collects the quads of a finger.
type finGrid struct {
	planar
	// dimensions
	f FinRay
	// edge length along walls and ribs, m
	size float64
	// number of elements across a wall
	across int
	// the nose has nothing between its two walls
	merge bool
	// cross sections of the walls from which the ribs grow
	ribs [][]int32
}

// add appends a vertex.
func (g *finGrid) add(p vec2) int32 {
	g.pts = append(g.pts, p)
	return int32(len(g.pts) - 1)
}

// quad adds a counter-clockwise quad as two triangles, divided from a to c or,
// if flip is set, from b to d.
func (g *finGrid) quad(a, b, c, d int32, flip bool) {
	// Rotating the corners chooses the other diagonal.
	if flip {
		a, b, c, d = b, c, d, a
	}
	g.tris = append(g.tris, [3]int32{a, b, c}, [3]int32{a, c, d})
}

// cuts returns into how many elements a length, m, is divided.
func (g *finGrid) cuts(l float64) int { return max(1, int(math.Round(math.Min(l/g.size, 1e4)))) }

// wallsAndBlocks meshes both walls from section to section, the base block
// between the first two sections and the nose between the last two.
func (g *finGrid) wallsAndBlocks(sections []station) {
	// Columns of vertices, from the base to the tip.
	last := len(sections) - 1
	var columns [][]int32
	for i, s := range sections {
		g.ribs = append(g.ribs, nil)
		// Number of columns up to the next section, by the longer of both
		// walls.
		q, n := s, 1
		if 0 < i && i < last { // the base block is fixed anyway: one element
			n = g.cuts(math.Max(dist2(s[1], sections[i+1][1]), dist2(s[3], sections[i+1][3])))
		}
		if i < last {
			q = sections[i+1]
		}
		// Columns between this section and the next.
		for k := range n {
			var mid station
			for j := range mid {
				mid[j] = mix(s[j], q[j], float64(k)/float64(n))
			}
			// Vertices of this cross section.
			c := g.column(mid, i >= last-1)
			if k == 0 {
				g.ribs[i] = c
			}
			// Join the column to the previous one.
			if len(columns) > 0 {
				p := columns[len(columns)-1]
				flip := len(columns)%2 == 0
				g.wall(p[:g.across+1], c[:g.across+1], flip)
				g.wall(p[g.across+1:], c[g.across+1:], !flip)
				// Between the walls of the nose there is one more row.
				if i >= last-1 && !g.merge && (i == last || k > 0) {
					g.quad(p[g.across], c[g.across], c[g.across+1], p[g.across+1], flip)
				}
			}
			columns = append(columns, c)
		}
	}
	g.base(columns[0], columns[1])
}

// column adds the vertices of one cross section, from the contact face to the
// back face: across+1 of each wall. In a merged nose the walls share one.
func (g *finGrid) column(s station, nose bool) []int32 {
	var out []int32
	// Front wall, then back wall.
	for k := range g.across + 1 {
		out = append(out, g.add(mix(s[0], s[1], float64(k)/float64(g.across))))
	}
	for k := range g.across + 1 {
		if k == 0 && nose && g.merge {
			out = append(out, out[g.across])
		} else {
			out = append(out, g.add(mix(s[2], s[3], float64(k)/float64(g.across))))
		}
	}
	return out
}

// wall adds the quads between two columns of a wall, with alternating
// diagonals.
func (g *finGrid) wall(p, q []int32, flip bool) {
	for k := range len(p) - 1 {
		g.quad(p[k], q[k], q[k+1], p[k+1], flip == (k%2 == 0))
	}
}

// base fills the base block between the walls, twice as coarse as the rest.
func (g *finGrid) base(p, q []int32) {
	// Inner corners of the block: on both walls, at both of its ends.
	pa, pb, qa, qb := p[g.across], p[g.across+1], q[g.across], q[g.across+1]
	n := g.cuts(dist2(g.pts[pa], g.pts[pb]) / 2)
	// Quads from the front wall to the back wall.
	c, d := pa, qa
	for i := 1; i <= n; i++ {
		e, f := pb, qb
		if w := float64(i) / float64(n); i < n {
			e, f = g.add(mix(g.pts[pa], g.pts[pb], w)), g.add(mix(g.pts[qa], g.pts[qb], w))
		}
		g.quad(c, d, f, e, i%2 == 0)
		c, d = e, f
	}
}

// mix returns (1−w) p + w q.
func mix(p, q vec2, w float64) vec2 {
	if w == 1 {
		return q
	}
	return vec2{p[0] + w*(q[0]-p[0]), p[1] + w*(q[1]-p[1])}
}

// rib meshes rib i from the front wall to the back wall: one quad a row.
func (g *finGrid) rib(i int, line [2]vec2) error {
	f := g.f
	// A rib shorter than its neck is thick has no shape.
	l := dist2(line[0], line[1])
	if l < f.Neck {
		return errors.New("meshes: finray: no room for a rib next to the nose: choose fewer ribs or a longer TipBlock")
	}
	// Short ribs have shorter necks.
	neck := math.Min(f.NeckLength, l/3)
	// Places of the rows along the rib, over its length, and its thickness
	// there.
	at, thick := []float64{0}, []float64{f.Neck}
	if neck > 0 && f.Neck < f.Rib {
		at, thick = append(at, neck/l), append(thick, f.Rib)
	} else {
		neck = 0
	}
	// The stout part between the necks is divided by size.
	n := g.cuts(l - 2*neck)
	for k := 1; k < n; k++ {
		at, thick = append(at, (neck+(l-2*neck)*float64(k)/float64(n))/l), append(thick, f.Rib)
	}
	if neck > 0 {
		at, thick = append(at, 1-neck/l), append(thick, f.Rib)
	}
	// Rows from wall to wall; the first and last are vertices of the walls.
	e := f.ribEdges(line)
	// Columns of the walls at both sides of the neck.
	a, b := g.ribs[2+2*i], g.ribs[3+2*i]
	row := [2]int32{a[g.across], b[g.across]}
	for k := 1; k <= len(at); k++ {
		next := [2]int32{a[g.across+1], b[g.across+1]}
		if k < len(at) {
			s, h := at[k], thick[k]
			for j, sign := range [2]float64{-h, h} {
				var p vec2
				for c := range p {
					p[c] = (1-s)*(line[0][c]+sign*e[0][c]) + s*(line[1][c]+sign*e[1][c])
				}
				next[j] = g.add(p)
			}
		}
		g.quad(row[0], row[1], next[1], next[0], (k+i)%2 == 0)
		row = next
	}
	return nil
}
