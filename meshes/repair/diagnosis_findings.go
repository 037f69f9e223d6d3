package repair

// What a diagnosis says to users: faults with their places, and what would help.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Findings returns the diagnosis of m as sentences: its size and topology, then its
// faults.
func (d *Diagnosis) Findings(m *meshes.Tri) meshes.Findings {
	var r meshes.Findings
	s := d.Bounds.Size()
	r.Addf(meshes.Note, "size", d.Triangles, "%s, %s, %s; %s × %s × %s, area %.4g m², volume %.4g m³",
		phrases.Plural(d.Vertices, "vertex"), phrases.Plural(d.Triangles, "triangle"), phrases.Plural(d.Components, "piece"),
		phrases.Length(s[0]), phrases.Length(s[1]), phrases.Length(s[2]), d.Area, d.Volume)
	if d.Genus >= 0 {
		r.Addf(meshes.Note, "topology", d.Genus, "Euler number %d, %s", d.Euler, phrases.Plural(d.Genus, "handle"))
	}
	d.faults(m, &r, repairAdvice)
	if n := len(d.SelfIntersections); n > 0 {
		more := ""
		if n >= surfaces.MaxCrossings {
			more = " or more"
		}
		r.Addf(meshes.Warning, "self-intersection", n, "%s%s of triangles cut each other: %s; the volume counts what parts share twice%s: unite them before export", phrases.Plural(n, "pair"), more,
			phrases.Some(n, func(i int) string {
				c := d.SelfIntersections[i]
				return fmt.Sprintf("%d and %d near %s", c[0], c[1], phrases.Point(surfaces.Centroid(m, c[0])))
			}), d.shared(m))
	} else if d.SelfIntersectionsChecked {
		r.Addf(meshes.Note, "self-intersection", 0, "no triangles cut each other")
	}
	if !d.SelfIntersectionsChecked {
		r.Addf(meshes.Warning, "self-intersection-search", 1, UncheckedCuts)
	}
	return r
}

// shared describes how much of the volume of a closed surface its parts share.
func (d *Diagnosis) shared(m *meshes.Tri) string {
	if !d.Closed || !d.SelfIntersectionsChecked {
		return ""
	}
	return fmt.Sprintf(" (%.3g m³)", SharedVolume(m))
}

// faults adds the findings that keep the surface from being the boundary of a
// solid.
// The advice is the remedy for holes.
func (d *Diagnosis) faults(m *meshes.Tri, r *meshes.Findings, advice string) {
	flat := liesInPlane(m)
	if flat {
		r.Addf(meshes.Warning, "flat", len(m.Tris), "the surface "+flatAdvice)
	}
	if n := len(d.Holes); n > 0 {
		remedy := ": " + advice + ", or close it in the program it comes from"
		if flat {
			remedy = ""
		}
		r.Addf(meshes.Warning, "hole", n, "%s: %s; the surface is not closed"+remedy, phrases.Plural(n, "hole"),
			phrases.Some(n, func(i int) string { return d.Holes[i].String() }))
	}
	if n := len(d.NonManifoldEdges); n > 0 {
		r.Addf(meshes.Warning, "non-manifold-edge", n, "%s of three triangles or more: %s; walls meet there or parts touch along it", phrases.Plural(n, "edge"),
			phrases.Some(n, func(i int) string {
				e := d.NonManifoldEdges[i]
				return fmt.Sprintf("%d triangles at %s", e.Triangles, phrases.Point(m.Verts[e.A].Lerp(m.Verts[e.B], 0.5)))
			}))
	}
	if n := len(d.NonManifoldVerts); n > 0 {
		r.Addf(meshes.Note, "non-manifold-vertex", n, "%s where the surface touches itself in a point: %s", phrases.Plural(n, "vertex"),
			phrases.Some(n, func(i int) string { return phrases.Point(m.Verts[d.NonManifoldVerts[i]]) }))
	}
	if d.InconsistentEdges > 0 {
		r.Addf(meshes.Warning, "flipped", d.InconsistentEdges, "%s whose two triangles disagree on what is outside", phrases.Plural(d.InconsistentEdges, "edge"))
	}
	if d.InsideOut > 0 {
		r.Addf(meshes.Warning, "inside-out", d.InsideOut, "%s inside out", phrases.Plural(d.InsideOut, "closed piece"))
	}
	if n := len(d.Degenerate); n > 0 {
		r.Addf(meshes.Note, "degenerate", n, "%s without an area: %s", phrases.Plural(n, "triangle"),
			phrases.Some(n, func(i int) string {
				return fmt.Sprintf("%d at %s", d.Degenerate[i], phrases.Point(surfaces.Centroid(m, d.Degenerate[i])))
			}))
	}
	if n := len(d.Duplicate); n > 0 {
		r.Addf(meshes.Warning, "duplicate", n, "%s given twice: %s", phrases.Plural(n, "triangle"),
			phrases.Some(n, func(i int) string {
				return fmt.Sprintf("%d at %s", d.Duplicate[i], phrases.Point(surfaces.Centroid(m, d.Duplicate[i])))
			}))
	}
	if d.Unused > 0 {
		r.Addf(meshes.Note, "unused-vertex", d.Unused, "%s of no triangle", phrases.Plural(d.Unused, "vertex"))
	}
}

// liesInPlane reports whether all triangles lie in one plane, or on one line, within the distance at which vertices are
// welded. Such a surface bounds no solid, open or closed.
func liesInPlane(m *meshes.Tri) bool {
	if len(m.Tris) == 0 {
		return false
	}
	// corners, each once
	used := make([]bool, len(m.Verts))
	var at []r3.Vec
	o := m.Verts[m.Tris[0][0]]
	for _, t := range m.Tris {
		for _, v := range t {
			if !used[v] {
				used[v] = true
				at = append(at, m.Verts[v].Sub(o))
			}
		}
	}
	// the farthest from the first one, and the farthest from the line through both
	var a, b r3.Vec
	length, width := 0.0, 0.0
	for i := range at {
		if l := at[i].DotOf(&at[i]); l > length {
			a, length = at[i], l
		}
	}
	length = math.Sqrt(length)
	u := a.Unit()
	for _, x := range at {
		x.IncScale(-x.DotOf(&u), &u)
		if l := x.DotOf(&x); l > width {
			b, width = x, l
		}
	}
	if width = math.Sqrt(width); width <= pointset.WeldTolerance*length {
		return true // on a line
	}
	n := u.Cross(b).Unit()
	for i := range at {
		if math.Abs(at[i].DotOf(&n)) > pointset.WeldTolerance*length {
			return false
		}
	}
	return true
}
