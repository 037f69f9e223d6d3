package parts

// All teeth are divided alike: a gear's mesh is its own image when turned by
// one tooth, so that its stiffness and contact do not depend on which teeth
// mesh.

// One tooth's share of a gear's section. A gear repeats one sector around its
// axis. Cells are smallest at the teeth and grow towards the rim or the hub;
// near the axis, where less than a cell would fit into a sector, rings span all
// of them.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
)

// sector is the section of one tooth and the material behind it, between the
// radii at the angles ±π/z. The vertices on the radius at +π/z repeat those at
// −π/z.
type sector struct {
	section
	// for each vertex the one that it repeats, one sector on; or −1
	twin []int32
	// what lies inside, or nil
	hub *hub
}

// add appends a vertex that repeats none.
func (s *sector) add(p vec2) int32 {
	s.twin = append(s.twin, -1)
	return s.section.add(p)
}

// tri adds a counter-clockwise triangle. Ranks follow the vertices of one
// sector, a copy right after its original: the same in every sector, so that
// all teeth are divided alike.
func (s *sector) tri(a, b, c int32) {
	// A clockwise triangle reports that the outline folds.
	t := [3]int32{a, b, c}
	s.folded = s.folded || !s.ccw(t)
	slices.SortFunc(t[:], func(v, w int32) int { return cmp.Compare(s.rank(v), s.rank(w)) })
	s.tris = append(s.tris, t)
}

// rank returns the rank of a vertex.
func (s *sector) rank(v int32) int {
	if s.twin[v] >= 0 {
		return 2*int(s.twin[v]) + 1
	}
	return 2 * int(v)
}

// quad adds the counter-clockwise quad a b c d, divided from b to d if flip,
// else from a to c.
func (s *sector) quad(a, b, c, d int32, flip bool) {
	if flip {
		a, b, c, d = b, c, d, a
	}
	s.tri(a, b, c)
	s.tri(a, c, d)
}

// ring adds n+1 vertices on a circle of radius r, m, over the sector of one of
// z teeth; the last repeats the first.
func (s *sector) ring(r float64, z, n int) []int32 {
	out := make([]int32, n+1)
	// Equally spaced over the sector.
	half := math.Pi / float64(z)
	for i := range out {
		out[i] = s.add(polar(r, half*float64(2*i-n)/float64(n)))
	}
	s.twin[out[n]] = out[0]
	return out
}

// zip fills the band between an outer and an inner chain of vertices, which run
// counter-clockwise.
func (s *sector) zip(outer, inner []int32) { zip(s.pts, outer, inner, s.tri) }

// zip divides the band between two chains that run counter-clockwise into
// triangles, taking the shorter diagonal at each step.
func zip(pts []vec2, outer, inner []int32, tri func(a, b, c int32)) {
	// Advance on the chain whose next diagonal is shorter.
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

// rings returns radii from near to far, both included, and the steps to all but
// the first, m. Steps begin at about first, grow by no more than the factor
// growth from one to the next, and shrink likewise to about last.
func rings(near, far, first, last float64) (radii, steps []float64) {
	const most = 1000
	// Grow until the gap is filled, then scale to fit exactly.
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

// growth is the ratio of the lengths of cells in neighbouring rings.
const growth = 1.6

// rim fills the space from the chain at about radius near, m, to the circle of
// radius far, m, or to the axis if far is 0. Cells grow on the way; at least
// around of them lie on the circle. What would have less than a cell in each
// sector is left to the hub.
func (s *sector) rim(chain []int32, near, far float64, z, around int) {
	// Towards the bore of a gear, or the outside of a ring.
	inward := far < near
	pitch := 2 * math.Pi / float64(z)
	end, last := far, 2*math.Pi*far/float64(around)
	// A solid gear: rings down to 0.3 of the radius, then the hub.
	if far == 0 {
		end, last, around = 0.3*near, near, 6
	}
	radii, steps := rings(near, end, near*pitch/5, last)
	radii = radii[1:]
	for i, r := range radii {
		n := int(math.Round(r * pitch / steps[i]))
		// Less than a cell a sector: the rest is a hub over all sectors.
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

// hub is the region inside of the sectors: rings with ever fewer cells.
type hub struct {
	// of each sector, around the hub
	chain []int32
	// of the rings, inwards, m
	radii []float64
	// to each of them, m
	steps []float64
	// least number of cells on the last ring
	around int
	// closed at the axis
	solid bool
}

// fill adds the hub to a section inside of a closed chain, which ends with its
// first vertex.
func (h *hub) fill(s *section, chain []int32) {
	// Ranks within the chain follow the sectors.
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
	// Rings of ever fewer cells.
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
	// The innermost ring is closed by a fan around the axis.
	if h.solid {
		centre := s.add(vec2{})
		for i := range len(chain) - 1 {
			tri(centre, chain[i], chain[i+1])
		}
	}
}

// swapped reports whether the vertices at places i < j of the closed chain of n
// vertices rank in the sectors the other way round: a sector's last vertex
// repeats the next one's first, and ranks right after its own first.
func (h *hub) swapped(i, j, n int) bool {
	// Cells of the chain in each sector.
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
	// Vertices that each sector has of its own.
	own := make([]int32, len(s.pts)) // number among the vertices each sector has of its own
	n := int32(0)
	for v := range s.pts {
		if s.twin[v] < 0 {
			own[v] = n
			n++
		}
	}
	// Vertices of each sector, without those that repeat.
	for k := range z {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(z))
		for v, p := range s.pts {
			if s.twin[v] < 0 {
				out.add(vec2{cos*p[0] - sin*p[1], sin*p[0] + cos*p[1]})
			}
		}
	}
	// The repeated vertices are those of the next sector.
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
	// The chains of all sectors form one closed chain.
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
