package meshes

// Wall thickness of a part and width of its gaps, measured at points all over its
// surface.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// facingSides is the cosine between the normals of two sides from which they count
// as those of one wall or gap: walls may taper by 25°. The sides of a sharper
// wedge taper less, and count; those of a blunt edge do not.
const facingSides = -0.9

// surfaceSample is a point of a surface with what lies straight below and above it.
type surfaceSample struct {
	// m
	at r3.Vec
	// share of the surface's area, m²
	area float64
	// distance, m, within which this sample speaks for the surface
	radius float64
	// thickness of the wall below and width of the gap above, m; +Inf where the
	// next side is farther than was searched, or does not face
	wall, gap float64
	// tangents of the angles at which the two sides of wall and gap converge; 0 for
	// parallel sides
	wallTaper, gapTaper float64
}

// Bounds of measuring one surface: a few seconds and 300 MB.
const (
	// maxLooks bounds the boxes and triangles that rays are tested against. Those of slivers side by side, as on
	// stars of thousands of corners, overlap all over.
	maxLooks = 150_000_000
	// maxRays bounds the rays, each of which is remembered.
	maxRays = 3_000_000
)

// thicknessGauge measures walls and gaps of a surface, and remembers what it measured: the search for a size
// asks for the same places many times over.
type thicknessGauge struct {
	d *Distance
	// facing sides below and above a part of a triangle
	seen map[trianglePart][2]sideMet
	// rays cast so far, and boxes and triangles that they were tested against
	rays, looks int
}

// trianglePart is a part of a triangle that eachPart made: 1 the whole one, 2k and 2k+1 the halves of k.
type trianglePart struct {
	tri  int32
	part uint64
}

// sideMet is what a ray met.
type sideMet struct {
	// distance of the next side, m, +Inf if that does not face, and tangent of the angle between the two
	width, taper float64
	// how far was searched, m: +Inf if a side was met, 0 if none was sought
	reach float64
}

// sample samples the surface at points at most spacing, m, apart, one for each
// triangle at least, and measures walls and gaps up to reach, m. Where
// finest reports that a sample requires a shorter spacing, m, the surface around is
// sampled with that. It ends, with false, where take does not want another sample.
func (g *thicknessGauge) sample(spacing, reach float64, finest func(*surfaceSample) float64, take func(*surfaceSample) bool) bool {
	more := true
	for i, t := range g.d.mesh.Tris {
		n := g.d.FaceNormal(int32(i))
		if n.Norm2() == 0 {
			continue // no area
		}
		eachPart(g.d.mesh.corners3(t), 1, func(p [3]r3.Vec, part uint64, longest float64) bool {
			if !more || longest > spacing {
				return !more
			}
			s := surfaceSample{
				at:     p[0].Add(p[1]).Add(p[2]).Scale(1.0 / 3),
				area:   p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm() / 2,
				radius: longest / 2,
			}
			sides := g.measure(trianglePart{int32(i), part}, s.at, n, reach)
			s.wall, s.wallTaper = sides[0].within(reach)
			s.gap, s.gapTaper = sides[1].within(reach)
			if longest > finest(&s) {
				return false
			}
			more = take(&s)
			return true
		})
	}
	return more
}

// measure returns what faces the middle p of a part, with normal n, below and above.
func (g *thicknessGauge) measure(part trianglePart, p, n r3.Vec, reach float64) [2]sideMet {
	f := g.seen[part]
	changed := false
	for k, dir := range [2]r3.Vec{n.Neg(), n} {
		if f[k].reach < reach {
			var looks int
			f[k], looks = g.d.facingSide(p, dir, n, reach)
			g.rays, g.looks = g.rays+1, g.looks+looks
			changed = true
		}
	}
	if changed {
		g.seen[part] = f
	}
	return f
}

// spent reports whether the bounds are reached.
func (g *thicknessGauge) spent() bool { return g.rays >= maxRays || g.looks >= maxLooks }

// within returns the width, m, and the taper if the side is nearer than reach, m.
func (f sideMet) within(reach float64) (width, taper float64) {
	if f.width < reach {
		return f.width, f.taper
	}
	return math.Inf(1), 0
}

// facingSide measures from p along dir to the next side of the
// surface that faces the normal n within reach, m.
func (d *Distance) facingSide(p, dir, n r3.Vec, reach float64) (met sideMet, looks int) {
	// The triangle that p lies on must not count.
	tri, s, looks := d.ray(p, dir, 1e-9*d.diag, reach)
	if tri < 0 {
		return sideMet{width: math.Inf(1), reach: reach}, looks
	}
	m := d.FaceNormal(tri)
	c := -m.Dot(n)
	if c < -facingSides {
		return sideMet{width: math.Inf(1), reach: math.Inf(1)}, looks
	}
	return sideMet{width: s, taper: m.Cross(n).Norm() / c, reach: math.Inf(1)}, looks
}

// eachPart calls do with a triangle, its number and its longest side, m, and where do returns false
// with its two halves across that side, and so on; the halves of part k are 2k and 2k+1.
func eachPart(p [3]r3.Vec, part uint64, do func(p [3]r3.Vec, part uint64, longest float64) bool) {
	k, longest := 0, 0.0
	for i := range 3 {
		if l := p[(i+1)%3].Sub(p[i]).Norm(); l > longest {
			k, longest = i, l
		}
	}
	if do(p, part, longest) {
		return
	}
	mid := p[k].Add(p[(k+1)%3]).Scale(0.5)
	eachPart([3]r3.Vec{p[k], mid, p[(k+2)%3]}, 2*part, do)
	eachPart([3]r3.Vec{mid, p[(k+1)%3], p[(k+2)%3]}, 2*part+1, do)
}
