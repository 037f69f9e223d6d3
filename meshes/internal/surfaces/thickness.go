package surfaces

// Wall thickness of a part and width of its gaps, measured at points all over its
// surface.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// facingSides is the cosine between the normals of two sides from which they count
// as those of one wall or gap: walls may taper by 25°. The sides of a sharper
// wedge taper less, and count; those of a blunt edge do not.
const facingSides = -0.9

// Sample is a point of a surface with what lies straight below and above it.
type Sample struct {
	// m
	At r3.Vec
	// share of the surface's area, m²
	Area float64
	// distance, m, within which this sample speaks for the surface
	Radius float64
	// thickness of the wall below and width of the gap above, m; +Inf where the
	// next side is farther than was searched, or does not face
	Wall, Gap float64
	// tangents of the angles at which the two sides of wall and gap converge; 0 for
	// parallel sides
	WallTaper, GapTaper float64
}

// Bounds of measuring one surface for the default limit of vertices: a few seconds and 300 MB. A higher limit lifts
// them in proportion, since smaller cells need more rays.
const (
	// maxLooks bounds the boxes and triangles that rays are tested against. Those of slivers side by side, as on
	// stars of thousands of corners, overlap all over.
	maxLooks = 150_000_000
	// maxRays bounds the rays, each of which is remembered.
	maxRays = 3_000_000
	// maxMoreRays bounds by how much a limit lifts the bounds.
	maxMoreRays = 5
	// sharedAfter is the share of the bounds after which slivers side by side share rays.
	sharedAfter = 0.3
	// sliverLength is the length over the width of a sliver.
	sliverLength = 8
	// sharedNormal and sharedHeight are the steps of the normals, and of the heights over the edge of a cube, of
	// slivers that share rays.
	sharedNormal, sharedHeight = 1. / 16, 1. / 16
)

// Gauge measures walls and gaps of a surface, and remembers what it measured: the search for a size
// asks for the same places many times over.
type Gauge struct {
	d *meshes.Distance
	// where rays begin, m from the triangle that they start on
	nearest float64
	// facing sides below and above a part of a triangle
	seen map[trianglePart][2]sideMet
	// rays cast so far, and boxes and triangles that they were tested against
	rays, looks int
	// how often the bounds of rays and looks are allowed, and how often that may be extended
	allowance float64
	extra     int
	// what faces slivers beside each other, of this call of sample: what it gives depends on no earlier sizes
	shared map[sliverPatch][2]sideMet
}

// sliverPatch is a cube with slivers in nearly one plane that are about as long as each other: what faces one
// faces all, and they have no more rays together than a square of the cube's size.
type sliverPatch struct {
	cube             [3]int64
	exponent, height int
	normal           [3]int8
}

// NewGauge returns a gauge for a surface that is to get at most so many times the default limit of vertices.
func NewGauge(d *meshes.Distance, limit float64) *Gauge {
	return &Gauge{
		d: d, nearest: 1e-9 * d.Tree().Bounds().Size().Norm(), seen: map[trianglePart][2]sideMet{},
		allowance: max(1, min(limit, maxMoreRays)), extra: 2,
	}
}

// Extend lifts the bounds by a half; false if they were lifted twice before.
func (g *Gauge) Extend() bool {
	if g.extra == 0 {
		return false
	}
	g.extra--
	g.allowance *= 1.5
	return true
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

// Sample samples the surface at points at most spacing, m, apart, one for each
// triangle at least, and measures walls and gaps up to reach, m. Where
// finest reports that a sample requires a shorter spacing, m, the surface around is
// sampled with that. It ends, with false, where take does not want another sample.
func (g *Gauge) Sample(spacing, reach float64, finest func(*Sample) float64, take func(*Sample) bool) bool {
	more := true
	g.shared = map[sliverPatch][2]sideMet{}
	for i, t := range g.d.Mesh().Tris {
		n := g.d.FaceNormal(int32(i))
		if n.Norm2() == 0 {
			continue // no area
		}
		eachPart(Corners(g.d.Mesh(), t), 1, func(p [3]r3.Vec, part uint64, longest float64) bool {
			if !more || longest > spacing {
				return !more
			}
			s := Sample{
				At:     p[0].Add(p[1]).Add(p[2]).Scale(1.0 / 3),
				Area:   p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm() / 2,
				Radius: longest / 2,
			}
			sides := g.sides(trianglePart{int32(i), part}, &s, n, reach)
			s.Wall, s.WallTaper = sides[0].within(reach)
			s.Gap, s.GapTaper = sides[1].within(reach)
			if longest > finest(&s) {
				return false
			}
			more = take(&s)
			return true
		})
	}
	return more
}

// sides returns what faces the middle of a part, with normal n, below and above; past a share of the bounds, what faces
// a sliver beside it.
func (g *Gauge) sides(part trianglePart, s *Sample, n r3.Vec, reach float64) [2]sideMet {
	longest := 2 * s.Radius
	if !g.used(sharedAfter) || 2*s.Area*sliverLength > longest*longest {
		return g.measure(part, s.At, n, reach)
	}
	patch := patchOf(s.At, n, longest)
	f, ok := g.shared[patch]
	if !ok {
		f = g.measure(part, s.At, n, reach)
		g.shared[patch] = f
	}
	return f
}

// patchOf returns the patch of a sliver at p with normal n that is so long, m.
func patchOf(p, n r3.Vec, longest float64) sliverPatch {
	_, k := math.Frexp(longest)
	// between a quarter and a half of the length
	edge := math.Ldexp(1, k-2)
	x := sliverPatch{cube: pointset.GridCell(p, edge), exponent: k}
	height := 0.0
	for i, c := range x.cube {
		height += n[i] * (p[i]/edge - float64(c))
		x.normal[i] = int8(math.Round(n[i] / sharedNormal))
	}
	x.height = int(math.Round(height / sharedHeight))
	return x
}

// measure returns what faces the middle p of a part, with normal n, below and above.
func (g *Gauge) measure(part trianglePart, p, n r3.Vec, reach float64) [2]sideMet {
	f := g.seen[part]
	changed := false
	for k, dir := range [2]r3.Vec{n.Neg(), n} {
		if f[k].reach < reach {
			var looks int
			f[k], looks = g.facingSide(p, dir, n, reach)
			g.rays, g.looks = g.rays+1, g.looks+looks
			changed = true
		}
	}
	if changed {
		g.seen[part] = f
	}
	return f
}

// Spent reports whether the bounds are reached.
func (g *Gauge) Spent() bool { return g.used(1) }

// used reports whether a share of the bounds is reached.
func (g *Gauge) used(share float64) bool {
	share *= g.allowance
	return float64(g.rays) >= share*maxRays || float64(g.looks) >= share*maxLooks
}

// within returns the width, m, and the taper if the side is nearer than reach, m.
func (f sideMet) within(reach float64) (width, taper float64) {
	if f.width < reach {
		return f.width, f.taper
	}
	return math.Inf(1), 0
}

// facingSide measures from p along dir to the next side of the
// surface that faces the normal n within reach, m.
func (g *Gauge) facingSide(p, dir, n r3.Vec, reach float64) (met sideMet, looks int) {
	// The triangle that p lies on must not count.
	tri, s, looks := g.d.Ray(p, dir, g.nearest, reach)
	if tri < 0 {
		return sideMet{width: math.Inf(1), reach: reach}, looks
	}
	m := g.d.FaceNormal(tri)
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
