// Package repair finds faults of surfaces and volume meshes (diagnose*.go) and repairs those of surfaces.
package repair

// Cost: sorting the edges takes O(n log n) for n triangles. The search for
// self-intersections takes most of the time; Watertight does without it.
//
// Reading guide: internal/surfaces/edges.go has the adjacency, internal/surfaces/crossings.go the
// self-intersections, internal/exact/side.go the exact predicate,
// diagnose_tets.go the checks of volume meshes, findings.go the sentences.

// Topology and faults of a triangle surface. The measures:
//
//	V − E + F = χ                 Euler characteristic, over the vertices in use  (1)
//	χ = 2 (components − genus)    for closed manifold surfaces                    (2)
//	Σ ±1 over the uses of an edge = 0 at every edge: the surface is closed        (3)
//
// A surface bounds a solid when it is closed by (3), consistently oriented and
// encloses a positive volume. Edges of more than two triangles and vertices with
// several fans of triangles are not manifold; (2) is false with them.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Hole is a closed loop of boundary edges: edges that belong to one triangle only.
type Hole struct {
	// Verts lists the vertices of the loop in the direction in which its triangles
	// run along it.
	Verts []int32
	// Length is the length of the loop, m.
	Length float64
	// Center is the mean of the vertices, m.
	Center r3.Vec
}

// NonManifoldEdge is an edge that more than two triangles share.
type NonManifoldEdge struct {
	// A and B are the vertices of the edge.
	A, B int32
	// Triangles is the number of triangles at the edge, 3 or more.
	Triangles int
}

// Diagnosis describes a surface: its size, its topology and its faults.
type Diagnosis struct {
	// Vertices, Triangles and Edges are the numbers of each; an edge counts once.
	Vertices, Triangles, Edges int

	// Bounds are the axis-aligned bounds of all vertices, m.
	Bounds r3.Box
	// Area is the area of all triangles, m².
	Area float64
	// Volume is the volume that a closed surface encloses, m³; negative if it is
	// inside out. It has no meaning for an open surface.
	Volume float64

	// Components is the number of pieces that are connected by edges of two
	// triangles.
	Components int
	// Closed reports that every edge is used as often forward as backward (3).
	Closed bool
	// Euler is the Euler characteristic (1).
	Euler int
	// Genus is the number of handles over all pieces (2); −1 if the surface is open
	// or not a manifold.
	Genus int

	// Holes are the loops of boundary edges, longest first.
	Holes []Hole
	// NonManifoldEdges are the edges of three triangles or more.
	NonManifoldEdges []NonManifoldEdge
	// NonManifoldVerts are the vertices at which the triangles form several fans
	// that only meet in the vertex.
	NonManifoldVerts []int32
	// InconsistentEdges counts the edges whose two triangles run along them in the
	// same direction, so that they disagree on which side is outside.
	InconsistentEdges int
	// InsideOut counts the closed pieces that are oriented against their nesting:
	// outermost pieces should face outward, cavities inward, solids inside of
	// cavities outward again.
	InsideOut int
	// Degenerate lists the triangles without an area.
	Degenerate []int32
	// Duplicate lists the triangles on the same three vertices as an earlier one.
	Duplicate []int32
	// Unused counts the vertices of no triangle.
	Unused int

	// SelfIntersections lists pairs of triangles, the lower number first, that cut
	// each other along a segment or overlap in a plane; at most 10,000.
	SelfIntersections [][2]int32
	// SelfIntersectionsChecked reports whether all triangles were searched for
	// self-intersections: the search ends after so many pairs of triangles near each
	// other as only fans of ten thousands of slivers have.
	SelfIntersectionsChecked bool
}

// Diagnose examines a surface, self-intersections included. The mesh is not
// changed. Vertex indices must be valid.
func Diagnose(m *meshes.Tri) *Diagnosis {
	d := Topology(m)
	d.SelfIntersections, d.SelfIntersectionsChecked = surfaces.Crossings(m, surfaces.MaxCrossings)
	return d
}

// SelfIntersections returns pairs of triangles that cut each other, as Diagnose does, and at most limit of them.
// checked is false if the search ended before all triangles were compared: see UncheckedCuts.
func SelfIntersections(m *meshes.Tri, limit int) (pairs [][2]int32, checked bool) {
	return surfaces.Crossings(m, limit)
}

// SharedVolume returns the volume, m³, that solids of a closed surface share where they
// overlap: Volume, and with it a mass, counts it once for each of them. 0 if nothing
// overlaps, or if so much does that the triangles are no boundaries of solids.
func SharedVolume(m *meshes.Tri) float64 {
	m = surfaces.Welded(m)
	if u := surfaces.Unite(m, meshes.NewDistance(m)); u != nil {
		return max(0, m.Volume()-u.Volume)
	}
	return 0
}

// UncheckedCuts says why a surface may have cuts that were not found, and what to do.
const UncheckedCuts = "the search for triangles that cut each other ended after 1.5e8 pairs of triangles whose boxes overlap, which fans of slivers and copies of surfaces have: " +
	"divide thin triangles and drop copies in the program that the surface comes from, or use fewer facets"

// CutWarning is what there is to say before a surface is filled with tetrahedra: that it cuts itself, or
// that cannot be counted; "" if no triangles cut each other.
func (d *Diagnosis) CutWarning() string {
	switch n := len(d.SelfIntersections); {
	case n > 0:
		return fmt.Sprintf("the surface cuts itself (%s of triangles, see curlfree mesh info): tetrahedra of it may differ from the intended shape; unite its parts in the program it comes from", phrases.Plural(n, "pair"))
	case !d.SelfIntersectionsChecked:
		return UncheckedCuts
	}
	return ""
}

// Topology is Diagnose without the search for self-intersections, which takes most
// of the time.
func Topology(m *meshes.Tri) *Diagnosis {
	d := &Diagnosis{Vertices: len(m.Verts), Triangles: len(m.Tris), Bounds: pointset.Bounds(m.Verts), Volume: m.Volume()}
	// Count edges and what is wrong with them.
	uses := surfaces.EdgeUses(m)
	of, n := surfaces.Components(m, uses)
	d.Components, d.Closed = n, true
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) {
		d.Edges++
		switch {
		case len(u) > 2:
			d.NonManifoldEdges = append(d.NonManifoldEdges, NonManifoldEdge{u[0].A, u[0].B, len(u)})
		case len(u) == 2 && u[0].Forward == u[1].Forward:
			d.InconsistentEdges++
		}
		d.Closed = d.Closed && surfaces.Balance(u) == 0
	})
	d.Closed = d.Closed && len(m.Tris) > 0
	// Faults of triangles and vertices, then the numbers of (1) and (2).
	d.corners(m, uses)
	d.Holes = holesOf(m, uses)
	d.Euler = len(m.Verts) - d.Unused - d.Edges + len(m.Tris)
	d.Genus = d.genus()
	// A piece at an even depth of nesting must enclose a positive volume.
	ps := piecesOf(m, uses, of, n)
	nest(m, ps)
	for _, p := range ps {
		if p.closed && p.volume != 0 && (p.volume > 0) != (p.depth%2 == 0) {
			d.InsideOut++
		}
	}
	return d
}

// genus returns the number of handles by (2), −1 where it is not defined.
func (d *Diagnosis) genus() int {
	if d.Closed && len(d.NonManifoldEdges) == 0 && len(d.NonManifoldVerts) == 0 {
		return d.Components - d.Euler/2
	}
	return -1
}

// corners finds degenerate and duplicate triangles, unused and non-manifold
// vertices, and sums up the area.
func (d *Diagnosis) corners(m *meshes.Tri, uses []surfaces.EdgeUse) {
	used := make([]bool, len(m.Verts))
	for i, t := range m.Tris {
		d.Area += surfaces.Area(m, t)
		for _, v := range t {
			used[v] = true
		}
		if surfaces.IsFlat(m, t) {
			d.Degenerate = append(d.Degenerate, int32(i))
		}
	}
	d.Unused = count(used, false)
	d.Duplicate = duplicates(m)
	d.NonManifoldVerts = nonManifoldVerts(m, uses)
}

// duplicates returns the triangles that have the vertices of one before them.
func duplicates(m *meshes.Tri) (list []int32) {
	// by their lowest vertex, at which there are few
	start := make([]int32, len(m.Verts)+1)
	for _, t := range m.Tris {
		start[min(t[0], t[1], t[2])+1]++
	}
	surfaces.RunningSums(start)
	type numbered struct {
		key [3]int32
		tri int32
	}
	at := make([]numbered, len(m.Tris))
	for i, t := range m.Tris {
		key, _ := meshes.SortedTri(t)
		at[start[key[0]]] = numbered{key, int32(i)}
		start[key[0]]++
	}
	for first := 0; first < len(at); {
		last := first + 1
		for last < len(at) && at[last].key[0] == at[first].key[0] {
			last++
		}
		group := at[first:last]
		slices.SortFunc(group, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.key[1], b.key[1]), cmp.Compare(a.key[2], b.key[2]), cmp.Compare(a.tri, b.tri))
		})
		for i := 1; i < len(group); i++ {
			if group[i].key == group[i-1].key {
				list = append(list, group[i].tri)
			}
		}
		first = last
	}
	slices.Sort(list)
	return list
}

// nonManifoldVerts returns the vertices at which the triangles fall into several fans.
func nonManifoldVerts(m *meshes.Tri, uses []surfaces.EdgeUse) []int32 {
	// A corner is 3·triangle+k. Corners of a vertex that share an edge are joined.
	f := unionfind.New(3 * len(m.Tris))
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) {
		for _, w := range u[1:] {
			f.Union(cornerAt(m, u[0].Tri, u[0].A), cornerAt(m, w.Tri, u[0].A))
			f.Union(cornerAt(m, u[0].Tri, u[0].B), cornerAt(m, w.Tri, u[0].B))
		}
	})
	fans := make([]int32, len(m.Verts))
	for i, t := range m.Tris {
		for k, v := range t {
			if c := int32(3*i + k); f.Find(c) == c && cornerAt(m, int32(i), v) == c {
				fans[v]++
			}
		}
	}
	var out []int32
	for v, n := range fans {
		if n > 1 {
			out = append(out, int32(v))
		}
	}
	return out
}

// cornerAt returns the number 3·tri+k of the corner of a triangle at vertex v.
func cornerAt(m *meshes.Tri, tri, v int32) int32 {
	for k := range int32(3) {
		if m.Tris[tri][k] == v {
			return 3*tri + k
		}
	}
	panic("meshes: corner of a vertex that is not the triangle's")
}

// holesOf returns the loops of boundary edges with their lengths, longest first.
func holesOf(m *meshes.Tri, uses []surfaces.EdgeUse) []Hole {
	var holes []Hole
	for _, loop := range surfaces.BoundaryLoops(uses) {
		h := Hole{Verts: loop}
		for k, v := range loop {
			p := m.Verts[v]
			h.Length += m.Verts[loop[(k+1)%len(loop)]].Sub(p).Norm()
			h.Center = h.Center.AddScaled(1/float64(len(loop)), p)
		}
		holes = append(holes, h)
	}
	slices.SortStableFunc(holes, func(a, b Hole) int { return cmp.Compare(b.Length, a.Length) })
	return holes
}

const (
	// repairAdvice is the remedy in messages about faults that Repair may repair.
	repairAdvice = "repair it with `curlfree mesh convert --repair`"
	// flatAdvice is what there is to say of surfaces that lie in a plane.
	flatAdvice = "lies in a plane and bounds no solid, which no repair changes: give it a thickness in the program it comes from"
	// closeAdvice is the remedy for holes that Repair left.
	closeAdvice = "raise `--fill-holes` if no side of the part is missing"
)

// String returns the length and the position of the hole in words.
func (h Hole) String() string {
	return fmt.Sprintf("%s of %s at %s", phrases.Plural(len(h.Verts), "edge"), phrases.Length(h.Length), phrases.Point(h.Center))
}

// RimLength returns the length, m, of the rims of a surface: of edges that triangles run along more
// often in one direction than in the other, times the difference. It is 0 where the surface is closed
// and consistently oriented.
func RimLength(m *meshes.Tri) (length float64) {
	surfaces.EachEdge(surfaces.EdgeUses(m), func(u []surfaces.EdgeUse) {
		length += float64(max(surfaces.Balance(u), -surfaces.Balance(u))) * m.Verts[u[0].A].Sub(m.Verts[u[0].B]).Norm()
	})
	return length
}

// ErrNotClosed reports that a surface does not bound a solid.
var ErrNotClosed = errors.New("the surface is not closed")

// Watertight returns nil when the surface bounds a solid: closed, consistently
// oriented and enclosing a positive volume. Otherwise it returns an error that
// wraps ErrNotClosed and names the first fault and its position. Self-intersections
// are not searched for.
func Watertight(m *meshes.Tri) error {
	if len(m.Tris) == 0 {
		return fmt.Errorf("meshes: %w: it has no triangles", ErrNotClosed)
	}
	if liesInPlane(m) {
		return fmt.Errorf("meshes: %w: it "+flatAdvice, ErrNotClosed)
	}
	// Edges with unequal numbers of forward and backward uses.
	uses := surfaces.EdgeUses(m)
	closed, consistent := true, true
	var at []surfaces.EdgeUse
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) {
		if surfaces.Balance(u) != 0 && at == nil {
			at = u
		}
		closed = closed && len(u)%2 == 0
		consistent = consistent && surfaces.Balance(u) == 0
	})
	// Name the worst sort of fault that is there.
	if holes := holesOf(m, uses); len(holes) > 0 {
		return fmt.Errorf("meshes: %w: %s, the longest %s: "+repairAdvice+", or close it in the program it comes from",
			ErrNotClosed, phrases.Plural(len(holes), "hole"), holes[0])
	}
	if !consistent {
		mid := m.Verts[at[0].A].Lerp(m.Verts[at[0].B], 0.5)
		if closed {
			return fmt.Errorf("meshes: %w: the triangles at the edge near %s disagree on what is outside: "+repairAdvice, ErrNotClosed, phrases.Point(mid))
		}
		return fmt.Errorf("meshes: %w: %d triangles meet at the edge near %s: walls without thickness do not bound a solid", ErrNotClosed, len(at), phrases.Point(mid))
	}
	if v := m.Volume(); v <= 0 {
		return fmt.Errorf("meshes: %w around a volume: the enclosed volume is %.3g m³: the surface is inside out or flat", ErrNotClosed, v)
	}
	return nil
}
