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

// sampleSurface samples the surface of d at points at most spacing, m, apart,
// one for each triangle at least, and measures walls and gaps up to reach, m. Where
// finest reports that a sample requires a shorter spacing, m, the surface around is
// sampled with that.
func sampleSurface(d *Distance, spacing, reach float64, finest func(*surfaceSample) float64) []surfaceSample {
	var out []surfaceSample
	for i, t := range d.mesh.Tris {
		n := d.FaceNormal(int32(i))
		if n.Norm2() == 0 {
			continue // no area
		}
		eachPart(d.mesh.corners3(t), func(p [3]r3.Vec, longest float64) bool {
			if longest > spacing {
				return false
			}
			s := surfaceSample{
				at:     p[0].Add(p[1]).Add(p[2]).Scale(1.0 / 3),
				area:   p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm() / 2,
				radius: longest / 2,
			}
			s.wall, s.wallTaper = d.facingSide(s.at, n.Neg(), n, reach)
			s.gap, s.gapTaper = d.facingSide(s.at, n, n, reach)
			if longest > finest(&s) {
				return false
			}
			out = append(out, s)
			return true
		})
	}
	return out
}

// facingSide returns the distance, m, from p along dir to the next side of the
// surface, +Inf if that does not face the normal n or is not within reach, and the
// tangent of the angle between the two sides.
func (d *Distance) facingSide(p, dir, n r3.Vec, reach float64) (width, taper float64) {
	// The triangle that p lies on must not count.
	tri, s := d.ray(p, dir, 1e-9*d.diag, reach)
	if tri < 0 {
		return math.Inf(1), 0
	}
	m := d.FaceNormal(tri)
	c := -m.Dot(n)
	if c < -facingSides {
		return math.Inf(1), 0
	}
	return s, m.Cross(n).Norm() / c
}

// eachPart calls do with a triangle and its longest side, m, and where do returns false
// with its two halves across that side, and so on.
func eachPart(p [3]r3.Vec, do func(p [3]r3.Vec, longest float64) bool) {
	k, longest := 0, 0.0
	for i := range 3 {
		if l := p[(i+1)%3].Sub(p[i]).Norm(); l > longest {
			k, longest = i, l
		}
	}
	if do(p, longest) {
		return
	}
	mid := p[k].Add(p[(k+1)%3]).Scale(0.5)
	eachPart([3]r3.Vec{p[k], mid, p[(k+2)%3]}, do)
	eachPart([3]r3.Vec{mid, p[(k+1)%3], p[(k+2)%3]}, do)
}
