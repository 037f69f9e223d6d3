package repair

// Cost: O(n) for the flood over n triangles; nesting compares pairs of closed
// pieces whose boxes are nested, with one ray of O(n) each.

// Consistent orientation. A flood over edges of two triangles makes neighbours
// agree; closed pieces then get the orientation that their nesting implies:
// outward at even depth, inward (cavities) at odd depth. Whether a piece lies
// inside another is decided by its winding number.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// piece is a part of a surface that is connected by edges of two triangles.
type piece struct {
	// numbers of its triangles
	tris []int32
	// its own triangles balance at every edge
	closed bool
	// enclosed volume, m³, negative if inside out; 0 if open or flat
	volume float64
	// number of closed pieces around it: odd in a cavity; see nest
	depth int
	// bounds, m
	box r3.Box
}

// piecesOf gathers the n components that of numbers.
func piecesOf(m *meshes.Tri, uses []surfaces.EdgeUse, of []int32, n int) []piece {
	ps := make([]piece, n)
	for i := range ps {
		// Closed until an edge shows otherwise.
		ps[i].closed, ps[i].box = true, r3.EmptyBox()
	}
	// Triangles and bounds of each piece.
	for i, t := range m.Tris {
		p := &ps[of[i]]
		p.tris = append(p.tris, int32(i))
		for _, v := range t {
			p.box = p.box.Extend(m.Verts[v])
		}
	}
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) { markOpenPieces(ps, of, u) })
	for i := range ps {
		ps[i].volume = pieceVolume(m, &ps[i])
	}
	return ps
}

// pieceVolume returns the signed volume of a piece, m³; 0 for an open or flat one.
func pieceVolume(m *meshes.Tri, p *piece) float64 {
	// Volumes about a point nearby keep their digits far from the origin.
	o, volume := p.box.Center(), 0.0
	for _, t := range p.tris {
		v := m.Tris[t]
		a, b, c := m.Verts[v[0]].Sub(o), m.Verts[v[1]].Sub(o), m.Verts[v[2]].Sub(o)
		volume += a.Dot(b.Cross(c)) / 6
	}
	// A flat piece has no inside; its volume is round-off.
	size := p.box.Size().Norm()
	if !p.closed || math.Abs(volume) <= surfaces.Flatness*size*size*size {
		return 0
	}
	return volume
}

// nest finds the depth of each piece.
func nest(m *meshes.Tri, ps []piece) {
	// Only pieces with a volume can enclose others: a search among their boxes finds
	// the candidates, of which surfaces of many pieces have few.
	var solids []int32
	var boxes []r3.Box
	for j := range ps {
		if ps[j].volume != 0 {
			solids, boxes = append(solids, int32(j)), append(boxes, ps[j].box)
		}
	}
	tree := bvh.Build(boxes)
	var near []int32
	for i := range ps {
		// A piece is inside another if the other winds around one of its
		// vertices.
		near = tree.Query(ps[i].box, near[:0])
		for _, k := range near {
			// The boxes exclude most pairs before the winding number is
			// computed.
			j := int(solids[k])
			if i != j && contains(ps[j].box, ps[i].box) && winds(m, ps[j].tris, m.Verts[m.Tris[ps[i].tris[0]][0]]) {
				ps[i].depth++
			}
		}
	}
}

// markOpenPieces marks the pieces whose own triangles do not balance at an
// edge. Other pieces may use the same edge.
func markOpenPieces(ps []piece, of []int32, u []surfaces.EdgeUse) {
	// The usual edge: two triangles of one piece.
	if len(u) == 2 && of[u[0].Tri] == of[u[1].Tri] {
		if u[0].Forward == u[1].Forward {
			ps[of[u[0].Tri]].closed = false
		}
		return
	}
	// Other edges: the uses of each piece must cancel on their own.
	net := make(map[int32]int, len(u))
	for _, w := range u {
		if w.Forward {
			net[of[w.Tri]]++
		} else {
			net[of[w.Tri]]--
		}
	}
	for p, n := range net { // any order: marks only
		if n != 0 {
			ps[p].closed = false
		}
	}
}

// contains reports whether box b lies in box a.
func contains(a, b r3.Box) bool {
	// Comparison by coordinates.
	for k := range 3 {
		if b.Min[k] < a.Min[k] || b.Max[k] > a.Max[k] {
			return false
		}
	}
	return true
}

// The direction of rays (1, skewY, skewZ): along no axis, edge or face that people draw.
const skewY, skewZ = 0.0137193, 0.0271861

// crossing says how a ray from the origin crosses a triangle: 1 from its front, −1 from its back, 0
// where it misses. It is not sure where the ray passes an edge, or begins at the triangle, to round-off.
func crossing(a, b, c r3.Vec) (sign int, sure bool) {
	// Sheared so that the ray is the x axis, about which the projected edges turn.
	for _, v := range [3]*r3.Vec{&a, &b, &c} {
		v[1], v[2] = v[1]-skewY*v[0], v[2]-skewZ*v[0]
	}
	if min(a[1], b[1], c[1]) > 0 || max(a[1], b[1], c[1]) < 0 || min(a[2], b[2], c[2]) > 0 || max(a[2], b[2], c[2]) < 0 {
		return 0, true
	}
	// Products of 1e-12 of the largest coordinates are round-off.
	size := max(math.Abs(a[1]), math.Abs(a[2]), math.Abs(b[1]), math.Abs(b[2]), math.Abs(c[1]), math.Abs(c[2]),
		math.Abs(a[0]), math.Abs(b[0]), math.Abs(c[0]))
	bc, ca, ab := b[1]*c[2]-b[2]*c[1], c[1]*a[2]-c[2]*a[1], a[1]*b[2]-a[2]*b[1]
	if eps := 1e-12 * size * size; math.Abs(bc) <= eps || math.Abs(ca) <= eps || math.Abs(ab) <= eps {
		return 0, false
	}
	// the ray passes outside of an edge where its products differ in sign
	if (bc > 0) != (ca > 0) || (bc > 0) != (ab > 0) {
		return 0, true
	}
	// Where the line crosses the plane: all weights have one sign.
	x := (bc*a[0] + ca*b[0] + ab*c[0]) / (bc + ca + ab)
	switch {
	case math.Abs(x) <= 1e-9*size:
		return 0, false
	case x < 0:
		return 0, true
	case bc > 0:
		return 1, true
	}
	return -1, true
}

// winds reports whether closed triangles wind around p, whichever way they are
// oriented: a ray from p then crosses them more often from one side than from the
// other. Where a crossing is not sure, solid angles decide.
func winds(m *meshes.Tri, tris []int32, p r3.Vec) bool {
	// signed crossings add up to ±1 inside of a closed piece and to 0 outside
	sum := 0
	for _, t := range tris {
		v := m.Tris[t]
		sign, sure := crossing(m.Verts[v[0]].Sub(p), m.Verts[v[1]].Sub(p), m.Verts[v[2]].Sub(p))
		if !sure {
			return windsByAngles(m, tris, p)
		}
		sum += sign
	}
	return sum != 0
}

// windsByAngles is winds by the solid angles of the triangles (van Oosterom & Strackee 1983),
// which sum up to ±4π.
func windsByAngles(m *meshes.Tri, tris []int32, p r3.Vec) bool {
	// Sum of solid angles; ±4π inside, 0 outside, whatever the orientation.
	sum := 0.0
	for _, t := range tris {
		v := m.Tris[t]
		a, b, c := m.Verts[v[0]].Sub(p), m.Verts[v[1]].Sub(p), m.Verts[v[2]].Sub(p)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return math.Abs(sum) > 2*math.Pi
}

// orientTris reverses triangles so that neighbours agree, closed pieces face
// outward and cavities inward. It returns how many triangles it reversed, how
// many pieces are cavities that faced outward before, and at how many edges no
// orientation is consistent (one-sided surfaces such as a Möbius strip).
func orientTris(m *meshes.Tri) (turned, cavities, onesided int) {
	// Triangles that share an edge are neighbours.
	uses := surfaces.EdgeUses(m)
	of, n := surfaces.Components(m, uses)
	turn, onesided := agree(m, uses)
	// Of the two consistent ways, an open piece keeps the one with fewer changes.
	// Count the triangles to reverse in each piece.
	size, flips := make([]int, n), make([]int, n)
	for i, t := range turn {
		size[of[i]]++
		if t {
			flips[of[i]]++
		}
	}
	for i := range turn {
		// Reversing the others instead is the smaller change.
		if 2*flips[of[i]] > size[of[i]] {
			turn[i] = !turn[i]
		}
	}
	// Reverse whole pieces whose volume has the wrong sign for their depth.
	was := piecesOf(m, uses, of, n)
	over := make([]bool, len(m.Tris))
	now := was
	if slices.Contains(turn, true) {
		flipTris(m, turn)
		// Directions of the edges have changed.
		now = piecesOf(m, surfaces.EdgeUses(m), of, n)
	}
	nest(m, now)
	for i, p := range now {
		if p.volume == 0 || (p.volume > 0) == (p.depth%2 == 0) {
			continue
		}
		// A cavity that faced outward may be material by intention: worth a
		// warning.
		if p.depth%2 == 1 && was[i].volume > 0 {
			cavities++
		}
		for _, t := range p.tris {
			over[t] = true
		}
	}
	flipTris(m, over)
	for i := range turn {
		// Reversed twice is not reversed.
		if turn[i] != over[i] {
			turned++
		}
	}
	return turned, cavities, onesided
}

// flipTris reverses the marked triangles.
func flipTris(m *meshes.Tri, which []bool) {
	for i, w := range which {
		if w {
			m.Tris[i][1], m.Tris[i][2] = m.Tris[i][2], m.Tris[i][1]
		}
	}
}

// agree finds by flood fill over edges of two triangles which triangles to
// reverse so that neighbours agree, and counts the edges where that is
// impossible.
func agree(m *meshes.Tri, uses []surfaces.EdgeUse) (turn []bool, onesided int) {
	// The triangle across a side, and whether both run along it in opposite
	// directions.
	type neighbor struct {
		tri  int32 // −1: none
		same bool  // they agree
	}
	// The neighbour of each triangle across each side.
	near := make([][3]neighbor, len(m.Tris))
	for i := range near {
		near[i] = [3]neighbor{{tri: -1}, {tri: -1}, {tri: -1}}
	}
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) {
		// Orientation does not propagate across non-manifold edges.
		if len(u) == 2 && u[0].Tri != u[1].Tri {
			same := u[0].Forward != u[1].Forward
			near[u[0].Tri][u[0].Side] = neighbor{u[1].Tri, same}
			near[u[1].Tri][u[1].Side] = neighbor{u[0].Tri, same}
		}
	})
	// Depth-first flood from each triangle that was not reached before.
	turn = make([]bool, len(m.Tris))
	seen := make([]bool, len(m.Tris))
	var stack []int32
	for i := range seen {
		if seen[i] {
			continue
		}
		seen[i] = true
		for stack = append(stack, int32(i)); len(stack) > 0; {
			t := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, nb := range near[t] {
				if nb.tri < 0 {
					continue
				}
				// The neighbour must be reversed exactly if one of the two
				// reasons is true.
				want := turn[t] != !nb.same
				if !seen[nb.tri] {
					seen[nb.tri], turn[nb.tri] = true, want
					stack = append(stack, nb.tri)
					// A contradiction: no consistent orientation exists. Each such
					// edge is met from both sides.
				} else if turn[nb.tri] != want {
					onesided++
				}
			}
		}
	}
	return turn, onesided / 2
}
