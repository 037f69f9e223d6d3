package stuffing

// What remains is what a simulation can use: every vertex has one fan of
// boundary faces, every boundary edge two faces, and the mesh consists of the
// pieces that are larger than one lattice cell.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// Cleaning of the cut lattice. Where the lattice barely resolves a part, its
// pieces may be connected by an edge or a vertex only. Such joints have no
// stiffness and no surface normal. Tets are removed at edges and vertices are
// doubled until the boundary is a manifold. The file also finds gaps and walls
// that the lattice missed.
//
// What is removed or missed is counted: Tetrahedralize refuses a mesh that lost a piece, a
// handle or a share of its volume, unless the caller allows it.

// makeManifold makes the boundary of m a manifold and removes pieces smaller
// than a lattice cell of edge h. It returns the marks of vertices on the
// surface for the vertices that remain, and the number of tets removed.
func makeManifold(m *meshes.Tet, skin []bool, h float64) (_ []bool, removed int) {
	// Edges first: vertices may become regular by it.
	n := len(m.Tets)
	// Removing tets may uncover further edges: repeat.
	for range 20 {
		if !removeNonManifoldEdges(m) {
			break
		}
	}
	// What was cut off may be a piece of its own now.
	dropSmallPieces(m, h*h*h)
	removed = n - len(m.Tets)
	// Vertices last, since removing tets may make new ones.
	skin = splitNonManifoldVertices(m, skin)
	return dropUnused(m, skin), removed
}

// removeNonManifoldEdges removes tets at every edge where more than two
// boundary faces meet: of the groups of tets around it only the largest stays.
// It reports whether there was such an edge.
func removeNonManifoldEdges(m *meshes.Tet) bool {
	// Edges with three boundary faces or more.
	tris, owner := m.Boundary()
	faces := map[[2]int32][]int32{}
	var pinched [][2]int32
	for i, t := range tris {
		for k := range 3 {
			// Each boundary face at an edge is listed by the tet that owns it.
			e := meshes.SideKey(t[k], t[(k+1)%3])
			faces[e] = append(faces[e], owner[i])
			if len(faces[e]) == 3 {
				pinched = append(pinched, e)
			}
		}
	}
	// The usual case.
	if len(pinched) == 0 {
		return false
	}
	// Tets around each of them, grouped by common faces.
	first, list := tetStars(m)
	// Several edges may condemn the same tet.
	drop := make([]bool, len(m.Tets))
	for _, e := range pinched {
		var around []int32
		for _, t := range list[first[e[0]]:first[e[0]+1]] {
			// Tets around the edge: those at both of its ends.
			if slices.Contains(m.Tets[t][:], e[1]) {
				around = append(around, t)
			}
		}
		groups := faceGroups(m, around)
		// Keep the group with the most volume.
		best, most := 0, -1.0
		for g, ts := range groups {
			v := 0.0
			for _, t := range ts {
				// The largest group is most likely the part, not a spike.
				v += m.Volume(int(t))
			}
			if v > most {
				best, most = g, v
			}
		}
		for g, ts := range groups {
			for _, t := range ts {
				drop[t] = drop[t] || g != best
			}
		}
	}
	keepTets(m, func(t int) bool { return !drop[t] })
	return true
}

// keepTets removes the tets for which keep is false; the others keep their
// order.
func keepTets(m *meshes.Tet, keep func(t int) bool) {
	// In place: the write index never passes the read index.
	out := m.Tets[:0]
	for t, v := range m.Tets {
		if keep(t) {
			out = append(out, v)
		}
	}
	m.Tets = out
}

// faceGroups divides tets into groups that are connected by common faces, in
// the order of their first members.
func faceGroups(m *meshes.Tet, tets []int32) [][]int32 {
	var groups [][]int32
	done := make([]bool, len(tets))
	for i := range tets {
		if done[i] {
			continue
		}
		// Grow the group from its first tet by common faces.
		done[i] = true
		group := []int32{tets[i]}
		for k := 0; k < len(group); k++ {
			for j, u := range tets {
				if !done[j] && common(m.Tets[group[k]], m.Tets[u]) == 3 {
					done[j] = true
					group = append(group, u)
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// common returns the number of vertices that two tets share.
func common(a, b [4]int32) int {
	n := 0
	for _, v := range a {
		for _, w := range b {
			if v == w {
				n++
			}
		}
	}
	return n
}

// dropSmallPieces removes the pieces of the mesh with less than the given
// volume, m³, but never all of them.
func dropSmallPieces(m *meshes.Tet, least float64) {
	f := unionfind.New(len(m.Verts))
	// Pieces that share a vertex count as one here.
	for _, t := range m.Tets {
		for _, v := range t[1:] {
			f.Union(t[0], v)
		}
	}
	// Volume of each piece, under its representative vertex.
	volume := make([]float64, len(m.Verts))
	most := 0.0
	for i, t := range m.Tets {
		r := f.Find(t[0])
		volume[r] += m.Volume(i)
		most = max(most, volume[r])
	}
	// The largest piece always stays, however small it is.
	least = min(least, most)
	tets := slices.Clone(m.Tets)
	keepTets(m, func(t int) bool { return volume[f.Find(tets[t][0])] >= least })
}

// splitNonManifoldVertices doubles the vertices at which groups of tets are
// connected by that vertex only.
func splitNonManifoldVertices(m *meshes.Tet, skin []bool) []bool {
	first, list := tetStars(m)
	for v := range int32(len(first) - 1) {
		// Vertices inside have a single group.
		if !skin[v] {
			continue
		}
		groups := faceGroups(m, list[first[v]:first[v+1]])
		for _, g := range groups[min(1, len(groups)):] {
			// Every further group gets a copy of the vertex.
			w := int32(len(m.Verts))
			m.Verts, skin = append(m.Verts, m.Verts[v]), append(skin, true)
			for _, t := range g {
				m.Tets[t][slices.Index(m.Tets[t][:], v)] = w
			}
		}
	}
	return skin
}

// dropUnused removes the vertices that no tet uses, and renumbers.
func dropUnused(m *meshes.Tet, skin []bool) []bool {
	// Mark, then renumber in order.
	to := slices.Repeat([]int32{-1}, len(m.Verts))
	for _, t := range m.Tets {
		for _, v := range t {
			to[v] = 0
		}
	}
	n := 0
	for v := range to {
		if to[v] == 0 {
			to[v] = int32(n)
			m.Verts[n], skin[n] = m.Verts[v], skin[v]
			n++
		}
	}
	m.Verts, skin = m.Verts[:n], skin[:n]
	for i := range m.Tets {
		for k, v := range m.Tets[i] {
			m.Tets[i][k] = to[v]
		}
	}
	return skin
}

// UnresolvedFeature is a gap that was bridged, or a wall that was lost, because the
// lattice was too coarse for it.
type UnresolvedFeature struct {
	// Center is the mean position of the lattice edges that cross it, m.
	Center r3.Vec
	// Extent is the diagonal of the bounding box of these edges, m.
	Extent float64
	// Width is the width of the gap or wall where it is widest, m. A size below
	// half of it resolves the feature.
	Width float64
	// Edges is the number of lattice edges that cross it.
	Edges int
}

// facing is the cosine between the surface normals on both sides of a gap up to
// which they count as facing each other. A lattice edge that cuts off a convex
// corner passes through the outside, too, but its normals do not face.
const facing = -0.3

// unresolvedFeatures finds gaps, by the lattice edges with both ends inside
// that pass through the outside, and walls, by those with both ends outside
// that pass through the part.
func unresolvedFeatures(l *lattice, dist *meshes.Distance) (bridged, lost []UnresolvedFeature) {
	// Each lattice edge is examined once.
	var gaps, walls []featureHit
	seen := map[[2]int32]bool{}
	for _, t := range l.tets {
		for i := range 4 {
			for j := range i {
				a, b := t[i], t[j]
				k := meshes.SideKey(a, b)
				va, vb := l.value[a], l.value[b]
				p, q := l.position(l.points[a]), l.position(l.points[b])
				// The distances at the ends show that most edges cannot meet
				// the surface.
				if seen[k] || (va < 0) != (vb < 0) || !(math.Abs(va)+math.Abs(vb) < q.Sub(p).Norm()) {
					continue
				}
				seen[k] = true
				at, width := l.between(p, q, dist)
				switch {
				case width == 0:
				// Both ends inside: what lies between them is a gap.
				case va < 0:
					gaps = append(gaps, featureHit{at, width})
				default:
					walls = append(walls, featureHit{at, width})
				}
			}
		}
	}
	return l.features(gaps), l.features(walls)
}

// featureHit is the place, m, and the width, m, of a gap or wall at one lattice edge.
type featureHit struct {
	at    r3.Vec
	width float64
}

// features joins the hits of lattice edges near each other into features; those with
// most edges come first.
func (l *lattice) features(hits []featureHit) []UnresolvedFeature {
	// Hits closer than one and a half cells belong together.
	at := make([]r3.Vec, len(hits))
	for i, x := range hits {
		at[i] = x.at
	}
	var out []UnresolvedFeature
	for _, g := range clusters(at, 1.5*l.h) {
		box, s := r3.EmptyBox(), UnresolvedFeature{Edges: len(g)}
		for _, i := range g {
			box = box.Extend(at[i])
			s.Width = max(s.Width, hits[i].width)
		}
		s.Center, s.Extent = box.Center(), box.Size().Norm()
		// Round to a millionth of a cell: the centre of a symmetric part is
		// 0, not −1e−18.
		for k, x := range s.Center { // no −1e−18
			s.Center[k] = math.Round(x/(1e-6*l.h)) * (1e-6 * l.h)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b UnresolvedFeature) int { return b.Edges - a.Edges })
	return out
}

// between marches from p to q, which lie on the same side of the surface, and
// returns the middle and the width of the first stretch on the other side whose
// two surfaces face each other; width 0 if there is none. The steps are as long
// as the distance to the surface allows (sphere tracing).
func (l *lattice) between(p, q r3.Vec, dist *meshes.Distance) (at r3.Vec, width float64) {
	length := q.Sub(p).Norm()
	along := func(s float64) r3.Vec { return p.AddScaled(s/length, q.Sub(p)) }
	// The march starts at p, whose side is known.
	side := l.phi(p) < 0
	now := side
	var in r3.Vec // normal where the line entered the other side
	inside, entry := false, 0.0
	least := 0.01 * l.h // bounds the number of steps
	for s, near := 0.0, false; s < length; {
		// At a change of side compare the normals of entry and exit.
		x := along(s)
		d, _, tri, _, _ := dist.Signed(x)
		// The side takes long to find; it changes only next to the surface, from which a longer step ends at most on
		// it.
		was := near
		if near = math.Abs(d) < least; near || was {
			now = l.phi(x) < 0
		}
		if crossed := now != side; crossed != inside {
			n := dist.FaceNormal(tri)
			// The two surfaces face each other: a feature. Its middle gives the
			// width.
			if inside && in.Dot(n) < facing {
				at = along((entry + s) / 2)
				return at, 2 * math.Abs(l.phi(at))
			}
			inside, in, entry = crossed, n, s
		}
		s += max(math.Abs(d), least) // the surface is no nearer than d
	}
	return r3.Vec{}, 0
}

// clusters groups points that are within reach of one another, directly or
// through others.
func clusters(at []r3.Vec, reach float64) [][]int {
	cell := func(p r3.Vec) [3]int64 { return pointset.GridCell(p, reach) }
	// Candidates lie in the 27 cells around a point.
	grid := map[[3]int64][]int{}
	for i, p := range at {
		grid[cell(p)] = append(grid[cell(p)], i)
	}
	var out [][]int
	done := make([]bool, len(at))
	for i := range at {
		if done[i] {
			continue
		}
		done[i] = true
		// Flood from the first point that is not yet in a group.
		group := []int{i}
		for k := 0; k < len(group); k++ {
			c := cell(at[group[k]])
			for n := range int64(27) {
				for _, j := range grid[[3]int64{c[0] + n%3 - 1, c[1] + n/3%3 - 1, c[2] + n/9 - 1}] {
					if !done[j] && at[j].Sub(at[group[k]]).Norm() <= reach {
						done[j] = true
						group = append(group, j)
					}
				}
			}
		}
		out = append(out, group)
	}
	return out
}
