package parts

// Every mesh of this package comes from such a sweep, except those of solids of
// revolution that are surfaces only. A sweep fails, with advice, rather than
// return tets of negative volume.

// Sweeping of plane sections into tets: along z with a twist (gears), around an
// axis (rings), or outwards in layers (threads). The space between two copies
// of a triangle is a prism, which becomes three tets,
//
//	(a, b, c, c')  (a, b, c', b')  (a, b', c', a')
//
// with the corners in the order of their ranks, primes on the next copy. The
// side of a prism is cut from its lower-ranked corner to its higher-ranked one
// on the next copy. Two prisms agree on their common side if all triangles
// agree on the ranks.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

type vec2 = [2]float64

// section is a triangulated region of a plane that is to be swept. The corners
// of a triangle are listed by rank, not by orientation.
type section struct {
	// vertices, m
	pts []vec2
	// corners of each triangle in the order of their ranks
	tris [][3]int32

	// a triangle was clockwise when it was added: the resolution does not fit the
	// part
	folded bool
}

// add appends a vertex.
func (s *section) add(p vec2) int32 {
	s.pts = append(s.pts, p)
	return int32(len(s.pts) - 1)
}

// sweeping describes where the copies of a section lie.
type sweeping struct {
	// number of copies, at least two
	copies int
	// sweep also from the last copy to the first
	closed bool
	// vertices that all copies share, such as those on the axis; nil: none
	fixed func(v int32) bool
	// whether the corners run counter-clockwise about the direction of the
	// sweep
	ccw func(tri [3]int32) bool
	// position of vertex v on copy k, m
	at func(k int, v int32) r3.Vec
}

// errFolded reports that a sweep gave tets of negative volume.
var errFolded = errors.New("the mesh would fold: choose a smaller chord or more layers")

// sweep fills the space between copies of a section of n vertices with tets.
func (s sweeping) sweep(n int, tris [][3]int32) (*meshes.Tet, error) {
	out := &meshes.Tet{}
	// Number the vertices of all copies.
	number := make([][]int32, s.copies)
	for k := range number {
		number[k] = make([]int32, n)
		for v := range int32(n) {
			if k > 0 && s.fixed != nil && s.fixed(v) {
				number[k][v] = number[0][v]
				continue
			}
			number[k][v] = int32(len(out.Verts))
			out.Verts = append(out.Verts, s.at(k, v))
		}
	}
	// Three tets for each prism; those with a repeated vertex have no volume.
	last := s.copies - 1
	if s.closed {
		last = s.copies
	}
	for k := range last {
		lo, hi := number[k], number[(k+1)%s.copies]
		for _, t := range tris {
			a, b, c := t[0], t[1], t[2]
			for _, tet := range [3][4]int32{
				{lo[a], lo[b], lo[c], hi[c]},
				{lo[a], lo[b], hi[c], hi[b]},
				{lo[a], hi[b], hi[c], hi[a]},
			} {
				if repeats(tet) {
					continue
				}
				if !s.ccw(t) {
					tet[0], tet[1] = tet[1], tet[0]
				}
				out.Tets = append(out.Tets, tet)
			}
		}
	}
	// A twist or a taper that is too strong for the section folds tets.
	for t := range out.Tets {
		if !(out.Volume(t) > 0) {
			return nil, errFolded
		}
	}
	return out, nil
}

// repeats reports whether two vertices of a tet are the same.
func repeats(t [4]int32) bool {
	return t[0] == t[1] || t[0] == t[2] || t[0] == t[3] || t[1] == t[2] || t[1] == t[3] || t[2] == t[3]
}

// ccw reports whether a triangle of the section runs counter-clockwise.
func (s *section) ccw(t [3]int32) bool {
	a, b, c := s.pts[t[0]], s.pts[t[1]], s.pts[t[2]]
	return (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0
}

// along sweeps the section along z through the given heights, m, while it turns
// about z by twist, rad/m.
func (s *section) along(heights []float64, twist float64) (*meshes.Tet, error) {
	if s.folded {
		return nil, errFolded
	}
	turn := make([]vec2, len(heights))
	for k, z := range heights {
		turn[k][1], turn[k][0] = math.Sincos(twist * z)
	}
	return sweeping{
		copies: len(heights), ccw: s.ccw,
		at: func(k int, v int32) r3.Vec {
			p, c := s.pts[v], turn[k]
			return r3.Vec{c[0]*p[0] - c[1]*p[1], c[1]*p[0] + c[0]*p[1], heights[k]}
		},
	}.sweep(len(s.pts), s.tris)
}

// heights divides a width into layers, centred on zero. With three layers or
// more and a skin, m, the two outer layers are no thicker than it: a pressure
// field then rises to its full value within that depth of the end faces.
func heights(width float64, layers int, skin float64) []float64 {
	out := make([]float64, 0, layers+1)
	if layers < 3 || skin <= 0 || skin >= width/float64(layers) {
		for k := range layers + 1 {
			out = append(out, width*float64(2*k-layers)/float64(2*layers))
		}
		return out
	}
	inner := width - 2*skin
	out = append(out, -width/2)
	for k := range layers - 1 {
		out = append(out, inner*float64(2*k-(layers-2))/float64(2*(layers-2)))
	}
	return append(out, width/2)
}

// polyline returns points on the curve f over [0, 1], from f(0) to f(1), such
// that no chord is farther than tol, m, from the curve. It takes at least least
// chords, and returns nil if it would take more than most.
func polyline(f func(s float64) vec2, tol float64, least, most int) []vec2 {
	for n := least; n <= most; n += max(1, n/8) {
		out := make([]vec2, n+1)
		for i := range out {
			out[i] = f(float64(i) / float64(n))
		}
		// The deviation is sampled at three places of each chord.
		ok := true
		for i := 0; i < n && ok; i++ {
			for _, w := range [3]float64{0.3, 0.5, 0.7} {
				ok = ok && offLine(f((float64(i)+w)/float64(n)), out[i], out[i+1]) <= tol
			}
		}
		if ok {
			return out
		}
	}
	return nil
}

// evenly returns f with its parameter changed so that equal steps give chords
// of about equal deviation: the density of nodes is proportional to the square
// root of the curvature.
func evenly(f func(s float64) vec2) func(s float64) vec2 {
	const n = 64
	var sum [n + 1]float64
	var p [n + 3]vec2
	for i := range p {
		p[i] = f(max(0, min(1, float64(i-1)/n)))
	}
	for i := range n {
		// Deviation of the chord over this step and half of its neighbours.
		sum[i+1] = sum[i] + math.Sqrt(offLine(p[i+1], p[i], p[i+2])+offLine(p[i+2], p[i+1], p[i+3])+1e-6*dist2(p[i+1], p[i+2]))
	}
	// Invert the cumulated density.
	return func(s float64) vec2 {
		want := s * sum[n]
		i := 0
		for i < n-1 && sum[i+1] < want {
			i++
		}
		if s >= 1 {
			return f(1)
		}
		return f((float64(i) + (want-sum[i])/(sum[i+1]-sum[i])) / n)
	}
}

// offLine returns the distance of p from the line through a and b, or from a
// where they coincide.
func offLine(p, a, b vec2) float64 {
	u, v := vec2{b[0] - a[0], b[1] - a[1]}, vec2{p[0] - a[0], p[1] - a[1]}
	l := math.Hypot(u[0], u[1])
	if l == 0 {
		return math.Hypot(v[0], v[1])
	}
	return math.Abs(u[0]*v[1]-u[1]*v[0]) / l
}

// polar returns the point at a radius and an angle.
func polar(r, angle float64) vec2 {
	s, c := math.Sincos(angle)
	return vec2{r * c, r * s}
}

// dist2 returns the distance of a and b.
func dist2(a, b vec2) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// surfaceOf returns the boundary of tets; an error is passed on.
func surfaceOf(m *meshes.Tet, err error) (*meshes.Tri, error) {
	if err != nil {
		return nil, err
	}
	tri, _ := m.Surface()
	return tri, nil
}
