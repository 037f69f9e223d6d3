package meshes

import (
	"errors"
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/r3"
)

// Hole is a closed loop of edges that belong to one triangle only.
type Hole struct {
	Verts  []int32 // the loop, along its triangles
	Length float64 // m
	Center r3.Vec  // mean of the vertices, m
}

// NonManifoldEdge is an edge of more than two triangles.
type NonManifoldEdge struct {
	A, B      int32 // its vertices
	Triangles int
}

// Diagnosis is what there is to know about a surface.
type Diagnosis struct {
	Vertices, Triangles, Edges int

	Bounds r3.Box  // m
	Area   float64 // m²
	Volume float64 // enclosed if closed, m³; negative if inside out

	Components int  // pieces that hang together by edges
	Closed     bool // every edge is run along as often forward as backward
	Euler      int  // V − E + F over the vertices in use
	Genus      int  // handles, over all pieces; −1 if not closed or not a manifold

	Holes             []Hole
	NonManifoldEdges  []NonManifoldEdge // edges of three triangles or more
	NonManifoldVerts  []int32           // vertices whose triangles do not form one fan
	InconsistentEdges int               // edges whose two triangles disagree on the direction
	InsideOut         int               // closed pieces oriented against their nesting: outward outside, inward in cavities
	Degenerate        []int32           // triangles without an area
	Duplicate         []int32           // triangles on the vertices of an earlier one
	Unused            int               // vertices of no triangle

	SelfIntersections        [][2]int32 // pairs of triangles that cut each other or overlap; at most maxCrossings
	SelfIntersectionsChecked bool       // whether crossings were looked for
}

// flat is the height of a triangle over its longest side below which it has no
// area: round-off of single precision coordinates is a hundred times more.
const flat = 1e-9

// Diagnose examines a surface, self-intersections included. The mesh is not
// changed; indices must be valid.
func Diagnose(m *Tri) *Diagnosis {
	d := topology(m)
	d.SelfIntersections, d.SelfIntersectionsChecked = selfIntersections(m, maxCrossings), true
	return d
}

// topology is Diagnose without the search for self-intersections.
func topology(m *Tri) *Diagnosis {
	d := &Diagnosis{Vertices: len(m.Verts), Triangles: len(m.Tris), Bounds: bounds(m.Verts), Volume: m.Volume()}
	uses := m.edgeUses()
	of, n := m.components(uses)
	d.Components, d.Closed = n, true
	eachEdge(uses, func(u []edgeUse) {
		d.Edges++
		switch {
		case len(u) > 2:
			d.NonManifoldEdges = append(d.NonManifoldEdges, NonManifoldEdge{u[0].a, u[0].b, len(u)})
		case len(u) == 2 && u[0].forward == u[1].forward:
			d.InconsistentEdges++
		}
		d.Closed = d.Closed && balance(u) == 0
	})
	d.Closed = d.Closed && len(m.Tris) > 0
	d.corners(m)
	d.Holes = m.holes(uses)
	d.Euler = len(m.Verts) - d.Unused - d.Edges + len(m.Tris)
	d.Genus = -1
	if d.Closed && len(d.NonManifoldEdges) == 0 && len(d.NonManifoldVerts) == 0 {
		d.Genus = d.Components - d.Euler/2
	}
	for _, p := range m.pieces(uses, of, n) {
		if p.closed && p.volume != 0 && (p.volume > 0) != (p.depth%2 == 0) {
			d.InsideOut++
		}
	}
	return d
}

// corners finds flat and duplicate triangles, unused and pinched vertices.
func (d *Diagnosis) corners(m *Tri) {
	seen := make(map[[3]int32]bool, len(m.Tris))
	used := make([]bool, len(m.Verts))
	for i, t := range m.Tris {
		d.Area += m.area(t)
		for _, v := range t {
			used[v] = true
		}
		key, _ := SortedTri(t)
		if seen[key] {
			d.Duplicate = append(d.Duplicate, int32(i))
		}
		seen[key] = true
		if m.flat(t) {
			d.Degenerate = append(d.Degenerate, int32(i))
		}
	}
	for _, u := range used {
		if !u {
			d.Unused++
		}
	}
	d.NonManifoldVerts = m.nonManifoldVerts()
}

// area returns the area of a triangle, m².
func (m *Tri) area(t [3]int32) float64 {
	a := m.Verts[t[0]]
	return 0.5 * m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a)).Norm()
}

// flat reports whether a triangle has no area.
func (m *Tri) flat(t [3]int32) bool {
	a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
	side2 := max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2())
	return 2*m.area(t) <= flat*side2
}

// nonManifoldVerts returns the vertices at which the triangles fall into several fans.
func (m *Tri) nonManifoldVerts() []int32 {
	// A corner is 3·triangle+k. Corners of a vertex that share an edge are joined.
	f := unionfind.New(3 * len(m.Tris))
	corner := func(tri, v int32) int32 {
		for k := range int32(3) {
			if m.Tris[tri][k] == v {
				return 3*tri + k
			}
		}
		panic("meshes: corner of a vertex that is not the triangle's")
	}
	eachEdge(m.edgeUses(), func(u []edgeUse) {
		for _, w := range u[1:] {
			f.Union(corner(u[0].tri, u[0].a), corner(w.tri, u[0].a))
			f.Union(corner(u[0].tri, u[0].b), corner(w.tri, u[0].b))
		}
	})
	fans := make([]int32, len(m.Verts))
	for i, t := range m.Tris {
		for k, v := range t {
			if c := int32(3*i + k); f.Find(c) == c && corner(int32(i), v) == c {
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

func (m *Tri) holes(uses []edgeUse) []Hole {
	var holes []Hole
	for _, loop := range boundaryLoops(uses) {
		h := Hole{Verts: loop}
		for k, v := range loop {
			p := m.Verts[v]
			h.Length += m.Verts[loop[(k+1)%len(loop)]].Sub(p).Norm()
			h.Center = h.Center.AddScaled(1/float64(len(loop)), p)
		}
		holes = append(holes, h)
	}
	slices.SortStableFunc(holes, func(a, b Hole) int { return -cmpFloat(a.Length, b.Length) })
	return holes
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Findings puts the diagnosis into sentences.
func (d *Diagnosis) Findings(m *Tri) Findings {
	var r Findings
	s := d.Bounds.Size()
	r.addf(Note, "size", d.Triangles, "%s, %s, %s; %s × %s × %s, area %.4g m², volume %.4g m³",
		plural(d.Vertices, "vertex"), plural(d.Triangles, "triangle"), plural(d.Components, "piece"),
		length(s[0]), length(s[1]), length(s[2]), d.Area, d.Volume)
	if d.Genus >= 0 {
		r.addf(Note, "topology", d.Genus, "Euler number %d, %s", d.Euler, plural(d.Genus, "handle"))
	}
	d.faults(m, &r)
	if n := len(d.SelfIntersections); n > 0 {
		more := ""
		if n >= maxCrossings {
			more = " or more"
		}
		r.addf(Warning, "self-intersection", n, "%s%s of triangles cut each other: %s; unite the parts before export", plural(n, "pair"), more,
			some(n, func(i int) string {
				c := d.SelfIntersections[i]
				return fmt.Sprintf("%d and %d near %s", c[0], c[1], point(m.centroid(c[0])))
			}))
	} else if d.SelfIntersectionsChecked {
		r.addf(Note, "self-intersection", 0, "no triangles cut each other")
	}
	return r
}

// repairAdvice is what messages advise where Repair may help.
const repairAdvice = "mend it with `curlfree mesh convert --mend`"

// faults reports what keeps the surface from being the boundary of a solid.
func (d *Diagnosis) faults(m *Tri, r *Findings) {
	if n := len(d.Holes); n > 0 {
		r.addf(Warning, "hole", n, "%s: %s; the surface is not closed: "+repairAdvice+", or close it in the program it comes from", plural(n, "hole"),
			some(n, func(i int) string { return d.Holes[i].String() }))
	}
	if n := len(d.NonManifoldEdges); n > 0 {
		r.addf(Warning, "non-manifold-edge", n, "%s of three triangles or more: %s; walls meet there or parts touch along it", plural(n, "edge"),
			some(n, func(i int) string {
				e := d.NonManifoldEdges[i]
				return fmt.Sprintf("%d triangles at %s", e.Triangles, point(m.Verts[e.A].Lerp(m.Verts[e.B], 0.5)))
			}))
	}
	if n := len(d.NonManifoldVerts); n > 0 {
		r.addf(Note, "non-manifold-vertex", n, "%s where the surface touches itself in a point: %s", plural(n, "vertex"),
			some(n, func(i int) string { return point(m.Verts[d.NonManifoldVerts[i]]) }))
	}
	if d.InconsistentEdges > 0 {
		r.addf(Warning, "flipped", d.InconsistentEdges, "%s whose two triangles disagree on what is outside", plural(d.InconsistentEdges, "edge"))
	}
	if d.InsideOut > 0 {
		r.addf(Warning, "inside-out", d.InsideOut, "%s inside out", plural(d.InsideOut, "closed piece"))
	}
	if n := len(d.Degenerate); n > 0 {
		r.addf(Note, "degenerate", n, "%s without an area: %s", plural(n, "triangle"),
			some(n, func(i int) string {
				return fmt.Sprintf("%d at %s", d.Degenerate[i], point(m.centroid(d.Degenerate[i])))
			}))
	}
	if n := len(d.Duplicate); n > 0 {
		r.addf(Warning, "duplicate", n, "%s given twice: %s", plural(n, "triangle"),
			some(n, func(i int) string { return fmt.Sprintf("%d at %s", d.Duplicate[i], point(m.centroid(d.Duplicate[i]))) }))
	}
	if d.Unused > 0 {
		r.addf(Note, "unused-vertex", d.Unused, "%s of no triangle", plural(d.Unused, "vertex"))
	}
}

// String says how long the hole is and where.
func (h Hole) String() string {
	return fmt.Sprintf("%s of %s at %s", plural(len(h.Verts), "edge"), length(h.Length), point(h.Center))
}

func (m *Tri) centroid(t int32) r3.Vec {
	v := m.Tris[t]
	return m.Verts[v[0]].Add(m.Verts[v[1]]).Add(m.Verts[v[2]]).Scale(1.0 / 3)
}

// ErrNotClosed tells that a surface does not bound a solid.
var ErrNotClosed = errors.New("the surface is not closed")

// Watertight returns nil when the surface bounds a solid: closed, consistently
// oriented, enclosing a positive volume. Otherwise an error with ErrNotClosed names
// the first fault and where it is.
func Watertight(m *Tri) error {
	if len(m.Tris) == 0 {
		return fmt.Errorf("meshes: %w: it has no triangles", ErrNotClosed)
	}
	uses := m.edgeUses()
	closed, consistent := true, true
	var at []edgeUse
	eachEdge(uses, func(u []edgeUse) {
		if balance(u) != 0 && at == nil {
			at = u
		}
		closed = closed && len(u)%2 == 0
		consistent = consistent && balance(u) == 0
	})
	if holes := m.holes(uses); len(holes) > 0 {
		return fmt.Errorf("meshes: %w: %s, the longest %s: "+repairAdvice+", or close it in the program it comes from",
			ErrNotClosed, plural(len(holes), "hole"), holes[0])
	}
	if !consistent {
		mid := m.Verts[at[0].a].Lerp(m.Verts[at[0].b], 0.5)
		if closed {
			return fmt.Errorf("meshes: %w: the triangles at the edge near %s disagree on what is outside: "+repairAdvice, ErrNotClosed, point(mid))
		}
		return fmt.Errorf("meshes: %w: %d triangles meet at the edge near %s: walls without thickness do not bound a solid", ErrNotClosed, len(at), point(mid))
	}
	if v := m.Volume(); v <= 0 {
		return fmt.Errorf("meshes: %w around a volume: the enclosed volume is %.3g m³: the surface is inside out or flat", ErrNotClosed, v)
	}
	return nil
}
