package parts

import (
	"cmp"
	"math"
	"slices"
)

// sector is one tooth's share of a gear's section, between two radii at ±π/z,
// repeated around the axis. Its vertices on the radius at +π/z are copies of
// those at −π/z.
type sector struct {
	section
	twin   []int32 // for each vertex the one it repeats, one sector on; or −1
	centre int32   // vertex on the axis, or −1
}

func newSector() *sector { return &sector{centre: -1} }

func (s *sector) add(p vec2) int32 {
	s.twin = append(s.twin, -1)
	return s.section.add(p)
}

// tri adds a triangle. Ranks follow the vertices of one sector, a copy after its
// original: the same in every sector, so that all teeth are cut alike.
func (s *sector) tri(a, b, c int32) {
	t := [3]int32{a, b, c}
	slices.SortFunc(t[:], func(v, w int32) int { return cmp.Compare(s.rank(v), s.rank(w)) })
	s.tris = append(s.tris, t)
}

func (s *sector) rank(v int32) int {
	if s.twin[v] >= 0 {
		return 2*int(s.twin[v]) + 1
	}
	return 2 * int(v)
}

// quad adds the counter-clockwise quad a b c d, cut from b to d if flip, else
// from a to c.
func (s *sector) quad(a, b, c, d int32, flip bool) {
	if flip {
		a, b, c, d = b, c, d, a
	}
	s.tri(a, b, c)
	s.tri(a, c, d)
}

// ring adds n+1 points on a circle over the sector of z, the last a copy.
func (s *sector) ring(r float64, z, n int) []int32 {
	out := make([]int32, n+1)
	half := math.Pi / float64(z)
	for i := range out {
		out[i] = s.add(polar(r, half*float64(2*i-n)/float64(n)))
	}
	s.twin[out[n]] = out[0]
	return out
}

// zip fills the band between two chains of vertices that run counter-clockwise,
// the outer and the inner.
func (s *sector) zip(outer, inner []int32) {
	i, j := 0, 0
	for i < len(outer)-1 || j < len(inner)-1 {
		a, b := outer[i], inner[j]
		switch {
		case j == len(inner)-1:
			s.tri(b, a, outer[i+1])
			i++
		case i == len(outer)-1:
			s.tri(b, a, inner[j+1])
			j++
		case dist2(s.pts[outer[i+1]], s.pts[b]) <= dist2(s.pts[a], s.pts[inner[j+1]]):
			s.tri(b, a, outer[i+1])
			i++
		default:
			s.tri(b, a, inner[j+1])
			j++
		}
	}
}

// rings returns radii from near to far, both included, in steps that start at
// first and grow by no more than growth each.
func rings(near, far, first, growth float64) []float64 {
	const most = 64
	gap := math.Abs(far - near)
	n, sum, step := 0, 0.0, first
	for n == 0 || sum < gap && n < most {
		sum += step
		step *= growth
		n++
	}
	out := []float64{near}
	step = first * gap / sum
	r := 0.0
	for range n - 1 {
		r += step
		step *= growth
		out = append(out, near+(far-near)*r/gap)
	}
	return append(out, far)
}

// growth is how much longer cells get from ring to ring.
const growth = 1.6

// rim fills the space from the chain at about radius near to the circle of radius
// far, with cells that grow on the way and at least least of them on that
// circle; far = 0 closes the sector at the axis.
func (s *sector) rim(chain []int32, near, far float64, z, least int) {
	inward := far < near
	pitch := 2 * math.Pi / float64(z)
	first := near * pitch / 5
	end := far
	if far == 0 {
		end = min(0.3*near, near-first)
	}
	for i, r := range rings(near, end, first, growth) {
		if i == 0 {
			continue
		}
		step := first * math.Pow(growth, float64(i-1))
		n := max(1, int(math.Round(r*pitch/step)))
		if r == far {
			n = max(n, least)
		}
		next := s.ring(r, z, n)
		if inward {
			s.zip(chain, next)
		} else {
			s.zip(next, chain)
		}
		chain = next
	}
	if far == 0 {
		s.centre = s.add(vec2{})
		for i := range len(chain) - 1 {
			s.tri(s.centre, chain[i], chain[i+1])
		}
	}
}

// whole repeats the sector z times around the axis.
func (s *sector) whole(z int) *section {
	out := &section{}
	own := make([]int32, len(s.pts)) // number among the vertices each sector has of its own
	n := int32(0)
	for v := range s.pts {
		if s.twin[v] < 0 && int32(v) != s.centre {
			own[v] = n
			n++
		}
	}
	for k := range z {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(z))
		for v, p := range s.pts {
			if s.twin[v] < 0 && int32(v) != s.centre {
				out.add(vec2{cos*p[0] - sin*p[1], sin*p[0] + cos*p[1]})
			}
		}
	}
	hub := int32(-1)
	if s.centre >= 0 {
		hub = out.add(vec2{})
	}
	for k := range int32(z) {
		for _, t := range s.tris {
			for i, v := range t {
				switch {
				case v == s.centre:
					t[i] = hub
				case s.twin[v] >= 0:
					t[i] = (k+1)%int32(z)*n + own[s.twin[v]]
				default:
					t[i] = k*n + own[v]
				}
			}
			out.tris = append(out.tris, t)
		}
	}
	return out
}
