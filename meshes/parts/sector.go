package parts

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
)

// sector is one tooth's share of a gear's section, between two radii at ±π/z,
// repeated around the axis. Its vertices on the radius at +π/z are copies of
// those at −π/z.
type sector struct {
	section
	twin []int32 // for each vertex the one it repeats, one sector on; or −1
	hub  *hub    // what lies inside, or nil
}

func (s *sector) add(p vec2) int32 {
	s.twin = append(s.twin, -1)
	return s.section.add(p)
}

// tri adds a triangle, given counter-clockwise. Ranks follow the vertices of one sector, a copy after its
// original: the same in every sector, so that all teeth are cut alike.
func (s *sector) tri(a, b, c int32) {
	t := [3]int32{a, b, c}
	s.folded = s.folded || !s.ccw(t)
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
func (s *sector) zip(outer, inner []int32) { zip(s.pts, outer, inner, s.tri) }

// zip cuts the band between two chains that run counter-clockwise into triangles,
// with the shorter diagonals.
func zip(pts []vec2, outer, inner []int32, tri func(a, b, c int32)) {
	i, j := 0, 0
	for i < len(outer)-1 || j < len(inner)-1 {
		a, b := outer[i], inner[j]
		if j == len(inner)-1 || i < len(outer)-1 && dist2(pts[outer[i+1]], pts[b]) <= dist2(pts[a], pts[inner[j+1]]) {
			tri(b, a, outer[i+1])
			i++
		} else {
			tri(b, a, inner[j+1])
			j++
		}
	}
}

// rings returns radii from near to far, both included, and the steps to all but the
// first. Steps start at about first, grow by no more than growth from one to the
// next, and shrink likewise to about last.
func rings(near, far, first, last float64) (radii, steps []float64) {
	const most = 1000
	gap := math.Abs(far - near)
	sum, grown := 0.0, first
	for len(steps) == 0 || sum < gap && len(steps) < most {
		step := min(grown, last+(growth-1)*max(0, gap-sum))
		steps = append(steps, step)
		sum += step
		grown = step * growth
	}
	radii = append(radii, near)
	r := 0.0
	for i := range steps {
		steps[i] *= gap / sum
		r += steps[i]
		radii = append(radii, near+(far-near)*min(1, r/gap))
	}
	radii[len(steps)] = far
	return radii, steps
}

// growth is how much longer cells get from ring to ring.
const growth = 1.6

// rim fills the space from the chain at about radius near to the circle of radius
// far, with cells that grow on the way and at least around of them on that circle;
// far = 0: to the axis. What would have less than a cell in each sector is left to
// the hub.
func (s *sector) rim(chain []int32, near, far float64, z, around int) {
	inward := far < near
	pitch := 2 * math.Pi / float64(z)
	end, last := far, 2*math.Pi*far/float64(around)
	if far == 0 {
		end, last, around = 0.3*near, near, 6
	}
	radii, steps := rings(near, end, near*pitch/5, last)
	radii = radii[1:]
	for i, r := range radii {
		n := int(math.Round(r * pitch / steps[i]))
		if i > 0 && n < 1 {
			s.hub = &hub{chain, radii[i:], steps[i:], around, far == 0}
			return
		}
		n = max(n, 1)
		if r == end {
			n = max(n, (around+z-1)/z)
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
		s.hub = &hub{chain, nil, nil, around, true}
	}
}

// hub is what lies inside of the sectors: rings with ever fewer cells.
type hub struct {
	chain  []int32   // of each sector, around the hub
	radii  []float64 // of the rings, inwards
	steps  []float64 // to each of them, m
	around int       // least number of cells on the last of them
	solid  bool      // closed at the axis
}

// fill adds the hub to a section, inside of a closed chain, that ends with its
// first vertex.
func (h *hub) fill(s *section, chain []int32) {
	place := make(map[int32]int, len(chain))
	for i, v := range chain[:len(chain)-1] {
		place[v] = i
	}
	tri := func(a, b, c int32) {
		t := [3]int32{a, b, c}
		s.folded = s.folded || !s.ccw(t)
		t, _ = meshes.SortedTri(t)
		i, one := place[t[0]]
		if j, two := place[t[1]]; one && two && h.swapped(i, j, len(chain)-1) {
			t[0], t[1] = t[1], t[0]
		}
		s.tris = append(s.tris, t)
	}
	start := math.Atan2(s.pts[chain[0]][1], s.pts[chain[0]][0])
	for i, r := range h.radii {
		n := max(6, int(math.Round(2*math.Pi*r/h.steps[i])))
		if i == len(h.radii)-1 {
			n = max(n, h.around)
		}
		next := make([]int32, n+1)
		for k := range n {
			next[k] = s.add(polar(r, start+2*math.Pi*float64(k)/float64(n)))
		}
		next[n] = next[0]
		zip(s.pts, chain, next, tri)
		chain = next
	}
	if h.solid {
		centre := s.add(vec2{})
		for i := range len(chain) - 1 {
			tri(centre, chain[i], chain[i+1])
		}
	}
}

// swapped tells that the vertices at places i < j of the closed chain of n rank in
// the sectors the other way round: a sector's last vertex is a copy of the next
// one's first, and ranks right after its own first.
func (h *hub) swapped(i, j, n int) bool {
	cells := len(h.chain) - 1
	wrapped := i == 0 && j == n-1 // from the last sector to the first
	if cells == 1 {
		return wrapped
	}
	return !wrapped && j%cells == 0
}

// whole repeats the sector z times around the axis and adds the hub.
func (s *sector) whole(z int) *section {
	out := &section{folded: s.folded}
	own := make([]int32, len(s.pts)) // number among the vertices each sector has of its own
	n := int32(0)
	for v := range s.pts {
		if s.twin[v] < 0 {
			own[v] = n
			n++
		}
	}
	for k := range z {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(z))
		for v, p := range s.pts {
			if s.twin[v] < 0 {
				out.add(vec2{cos*p[0] - sin*p[1], sin*p[0] + cos*p[1]})
			}
		}
	}
	number := func(k, v int32) int32 {
		if s.twin[v] >= 0 {
			return (k+1)%int32(z)*n + own[s.twin[v]]
		}
		return k*n + own[v]
	}
	for k := range int32(z) {
		for _, t := range s.tris {
			out.tris = append(out.tris, [3]int32{number(k, t[0]), number(k, t[1]), number(k, t[2])})
		}
	}
	if s.hub != nil {
		var chain []int32
		for k := range int32(z) {
			for _, v := range s.hub.chain[:len(s.hub.chain)-1] {
				chain = append(chain, number(k, v))
			}
		}
		s.hub.fill(out, append(chain, chain[0]))
	}
	return out
}
