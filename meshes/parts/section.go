package parts

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

type vec2 = [2]float64

// section is a triangulated region of a plane, to be swept. The corners of each
// triangle are listed in order of rank, not of orientation: a side of the prisms
// swept from two triangles is cut from the lower-ranked corner at the start to
// the higher-ranked at the end, so that all triangles must agree on the ranks of
// the corners they share.
type section struct {
	pts  []vec2
	tris [][3]int32

	folded bool // a triangle was clockwise when it was added
}

// add appends a point.
func (s *section) add(p vec2) int32 {
	s.pts = append(s.pts, p)
	return int32(len(s.pts) - 1)
}

// sweeping says where the copies of a section lie.
type sweeping struct {
	copies int                         // how many copies, at least two
	closed bool                        // prisms also between the last copy and the first
	fixed  func(v int32) bool          // vertices that all copies share; nil: none
	ccw    func(tri [3]int32) bool     // whether the corners turn counter-clockwise about the sweep's direction
	at     func(k int, v int32) r3.Vec // where vertex v of copy k lies
}

// errFolded tells that a sweep turned elements inside out.
var errFolded = errors.New("the mesh would fold: choose a smaller chord or more layers")

// sweep fills the space between copies of a section with prisms, and cuts each
// prism into three tetrahedra.
func (s sweeping) sweep(n int, tris [][3]int32) (*meshes.Tet, error) {
	out := &meshes.Tet{}
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
	for t := range out.Tets {
		if !(out.Volume(t) > 0) {
			return nil, errFolded
		}
	}
	return out, nil
}

func repeats(t [4]int32) bool {
	return t[0] == t[1] || t[0] == t[2] || t[0] == t[3] || t[1] == t[2] || t[1] == t[3] || t[2] == t[3]
}

// ccw reports whether a triangle of the section turns counter-clockwise.
func (s *section) ccw(t [3]int32) bool {
	a, b, c := s.pts[t[0]], s.pts[t[1]], s.pts[t[2]]
	return (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0
}

// along sweeps the section along z through the given heights, turned about z by
// twist rad a metre.
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

// heights cuts a width into layers, centred on zero. With three layers or more and
// a skin, those at the ends are no thicker than it: a pressure field then rises to
// its full value within a skin's depth of the end faces.
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

// polyline returns points on the curve f over [0, 1], from f(0) to f(1), such that
// no chord is farther than tol from the curve, in at least least chords. It
// returns nil if that takes more than most.
func polyline(f func(s float64) vec2, tol float64, least, most int) []vec2 {
	for n := least; n <= most; n += max(1, n/8) {
		out := make([]vec2, n+1)
		for i := range out {
			out[i] = f(float64(i) / float64(n))
		}
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

// evenly returns f with its parameter changed so that chords of equal steps deviate
// about equally: nodes as dense as the square root of the curvature.
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

// offLine is the distance of p from the line through a and b, or from a where
// they are one.
func offLine(p, a, b vec2) float64 {
	u, v := vec2{b[0] - a[0], b[1] - a[1]}, vec2{p[0] - a[0], p[1] - a[1]}
	l := math.Hypot(u[0], u[1])
	if l == 0 {
		return math.Hypot(v[0], v[1])
	}
	return math.Abs(u[0]*v[1]-u[1]*v[0]) / l
}

func polar(r, angle float64) vec2 {
	s, c := math.Sincos(angle)
	return vec2{r * c, r * s}
}

func dist2(a, b vec2) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// surfaceOf returns the boundary of what tets built.
func surfaceOf(m *meshes.Tet, err error) (*meshes.Tri, error) {
	if err != nil {
		return nil, err
	}
	tri, _ := m.Surface()
	return tri, nil
}
