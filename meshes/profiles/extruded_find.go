package profiles

// Tolerances are relative to the diagonal of the part, because STL files have
// 24 bits of each coordinate and parts often lie far from the origin of their
// file.

// Recognition of prisms. A surface is a prism along an axis if every triangle
// lies in one of two planes across the axis ("caps") or is parallel to the
// axis, both caps have the same area, and the enclosed volume is cap area times
// distance. The profile is the outline of a cap. Axes are tried in the order of
// the area that faces along them, and last the direction along two sides.
//
// A prism is worth finding because its tets are better than those of any lattice: layers across
// its width, corners and edges kept exactly, and a plane mesh whose triangles pair to quads, of
// which hexahedra are made.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Extrusion is a part of constant cross section: a profile in the xy plane of
// its frame P, swept from −Width/2 to Width/2 along P's z axis.
type Extrusion struct {
	// Profile is the cross section, in the xy plane of P.
	Profile Profile
	// Width is the distance of the two caps, m.
	Width float64
	// Pose_WP is the pose of P in the frame W of the surface that the part was
	// found in.
	Pose_WP r3.Pose
}

// Parameters of the recognition.
const (
	// extrusionTol bounds how far a vertex may lie from its place, over the
	// diagonal of the bounds. STL files have 24 bits, and models are often far
	// from the origin of their file.
	extrusionTol = 1e-5
	// extrusionAxes is the number of directions that are tried, those with the
	// most area.
	extrusionAxes = 8
)

// FindExtrusion reports whether a closed outward surface is a prism, and of
// which profile. Vertices need not be shared between triangles. Of several
// possible axes, as of a box, the one with the largest caps is taken. Corners
// of the outline on the straight line between their neighbours are dropped.
func FindExtrusion(m *meshes.Tri) (Extrusion, bool) {
	if len(m.Tris) == 0 {
		return Extrusion{}, false
	}
	// All tolerances scale with the size of the part.
	tol := extrusionTol * m.Bounds().Size().Norm()
	for _, axis := range capAxes(m) {
		if e, ok := extrusionAlong(m, axis, tol); ok {
			return e, true
		}
	}
	return Extrusion{}, false
}

// capAxes returns the directions, up to sign, to which the most area is normal.
func capAxes(m *meshes.Tri) []r3.Vec {
	type group struct {
		// Σ area·normal, all turned to the side of the first
		sum r3.Vec
		// twice the area
		area float64
	}
	// Twice the area times the normal of each triangle.
	order := make([]int, len(m.Tris))
	normals := make([]r3.Vec, len(m.Tris)) // times twice the area
	for i, t := range m.Tris {
		a := m.Verts[t[0]]
		normals[i] = m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a))
		order[i] = i
	}
	// the normals of slivers are inexact; those of large triangles are not
	// Large triangles first: they define the groups.
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(normals[j].Norm2(), normals[i].Norm2()) })
	var groups []group
	const most = 64 // facets of curved sides cannot outgrow these
next:
	for _, i := range order {
		// Triangles without area have no direction; they come last.
		n, l := normals[i], normals[i].Norm()
		if l == 0 {
			break
		}
		for k := range groups {
			g := &groups[k]
			// Parallel within 1.4 mrad, in either sense: the same group.
			if d := g.sum.Dot(n); math.Abs(d) > (1-1e-6)*g.sum.Norm()*l {
				g.sum = g.sum.AddScaled(math.Copysign(1, d), n)
				g.area += l
				continue next
			}
		}
		if len(groups) < most {
			groups = append(groups, group{n, l})
		}
	}
	// Largest groups first.
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.area, a.area) })
	var axes []r3.Vec
	for _, g := range groups[:min(len(groups), extrusionAxes)] {
		// the mean direction of the group, weighted by area
		axes = append(axes, snapped(g.sum.Scale(1/g.sum.Norm())))
	}
	if len(order) > 0 && normals[order[0]].Norm2() > 0 {
		if axis := alongSides(normals, normals[order[0]]); axis.Norm2() > 0 {
			axes = append(axes, snapped(axis))
		}
	}
	return axes
}

// alongSides returns the unit vector across the normal of a side and that which is most across it of all,
// by area; zero if all are parallel. Caps of thousands of corners have triangles that are smaller than the
// sides, and no group then is theirs: but every side shows that the axis is not along its normal.
func alongSides(normals []r3.Vec, side r3.Vec) r3.Vec {
	var axis r3.Vec
	for _, n := range normals {
		if c := side.Cross(n); c.Norm2() > axis.Norm2() {
			axis = c
		}
	}
	// no area across: a flat surface
	if l := axis.Norm(); l > 0 {
		return axis.Scale(1 / l)
	}
	return r3.Vec{}
}

// snapped returns a unit vector a or −a, in the positive sense of the coordinate
// axis nearest to it, and exactly along that axis if it nearly is.
func snapped(a r3.Vec) r3.Vec {
	k := 0
	for i := range a {
		if math.Abs(a[i]) > math.Abs(a[k]) {
			k = i
		}
	}
	if a[k] < 0 {
		a = a.Neg()
	}
	// round-off of files must not tilt a part
	if a[k] > 1-1e-10 {
		a = r3.Vec{}
		a[k] = 1
	}
	return a
}

// acrossAxis returns a rotation whose third column is the axis and whose first is
// the coordinate axis most perpendicular to it, projected.
func acrossAxis(axis r3.Vec) r3.Mat {
	k := 0
	for i := range axis {
		if math.Abs(axis[i]) < math.Abs(axis[k]) {
			k = i
		}
	}
	var ex r3.Vec
	// e_k − (e_k·a) a, normalized
	ex[k] = 1
	ex = ex.AddScaled(-axis[k], axis)
	ex = ex.Scale(1 / ex.Norm())
	return r3.FromColumns(ex, axis.Cross(ex), axis)
}

// extrusionAlong tries one axis; tol is the accepted deviation of vertices, m.
func extrusionAlong(m *meshes.Tri, axis r3.Vec, tol float64) (Extrusion, bool) {
	R_WP := acrossAxis(axis)
	// Vertices in the frame of the profile, and the heights of both caps.
	p := make([]r3.Vec, len(m.Verts))
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, t := range m.Tris {
		for _, v := range t {
			p[v] = R_WP.TMulVec(m.Verts[v])
			lo, hi = math.Min(lo, p[v][2]), math.Max(hi, p[v][2])
		}
	}
	// A flat surface has no width.
	if hi-lo <= 4*tol {
		return Extrusion{}, false
	}
	// Every triangle must be part of a cap or parallel to the axis.
	bottom, area, ok := sortTriangles(m.Tris, p, lo, hi, tol)
	if !ok {
		return Extrusion{}, false
	}
	// The caps must have equal areas, and the outline must enclose that area.
	size := m.Bounds().Size().Norm2()
	if area[0] <= 0 || math.Abs(area[0]-area[1]) > 10*extrusionTol*size {
		return Extrusion{}, false
	}
	// The outline of the lower cap is the profile.
	profile, ok := capOutline(p, bottom, tol)
	if !ok || math.Abs(profile.Area()-area[0]) > 10*extrusionTol*size {
		return Extrusion{}, false
	}
	// The frame of the profile lies in the middle between the caps.
	e := Extrusion{
		Profile: profile,
		Width:   hi - lo,
		Pose_WP: r3.Pose{R: R_WP, P: axis.Scale((lo + hi) / 2)},
	}
	// Sides that are missing or doubled show in the volume.
	want := area[0] * e.Width
	return e, math.Abs(volumeAbout(m, m.Bounds().Center())-want) <= 1e-3*want
}

// sortTriangles returns the triangles of the lower cap and the areas of both caps,
// m², projected along the axis. It fails if a triangle is neither part of a cap,
// at height lo or hi, nor parallel to the axis. p are the vertices in the frame of
// the profile.
func sortTriangles(tris [][3]int32, p []r3.Vec, lo, hi, tol float64) (bottom [][3]int32, area [2]float64, ok bool) {
	for _, t := range tris {
		a, b, c := p[t[0]], p[t[1]], p[t[2]]
		// twice the signed area seen along the axis: negative for the lower cap, which faces down
		twice := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
		switch least, most := min(a[2], b[2], c[2]), max(a[2], b[2], c[2]); {
		// all three corners within tol of a cap
		case most-lo <= tol:
			bottom = append(bottom, t)
			area[0] -= twice / 2
		case hi-least <= tol:
			area[1] += twice / 2
		default: // parallel to the axis: no height when seen along it
			l := math.Max(math.Hypot(b[0]-a[0], b[1]-a[1]), math.Max(math.Hypot(c[0]-b[0], c[1]-b[1]), math.Hypot(a[0]-c[0], a[1]-c[1])))
			if math.Abs(twice) > tol*l {
				return nil, area, false
			}
		}
	}
	return bottom, area, true
}

// volumeAbout returns the volume between the surface and p, m³; about a point
// nearby it keeps its digits.
func volumeAbout(m *meshes.Tri, p r3.Vec) float64 {
	v := 0.0
	for _, t := range m.Tris {
		// six times the tet of p and the triangle, by the divergence theorem
		v += m.Verts[t[0]].Sub(p).Dot(m.Verts[t[1]].Sub(p).Cross(m.Verts[t[2]].Sub(p)))
	}
	return v / 6
}

// capOutline joins the boundary edges of the cap's triangles into loops. It
// fails when two loops touch, since the way on is then ambiguous.
func capOutline(p []r3.Vec, tris [][3]int32, tol float64) (Profile, bool) {
	w := welder{tol: tol, cells: map[[2]int64][]int32{}}
	// the triangles of the cap as a planar region that faces up
	face := &planar{}
	for _, t := range tris {
		// The lower cap faces down: reverse it.
		// Welding makes neighbours share vertices: the file may not.
		v := [3]int32{w.add(vec2{p[t[0]][0], p[t[0]][1]}), w.add(vec2{p[t[2]][0], p[t[2]][1]}), w.add(vec2{p[t[1]][0], p[t[1]][1]})}
		if v[0] != v[1] && v[1] != v[2] && v[2] != v[0] {
			face.tris = append(face.tris, v)
		}
	}
	face.pts = w.pts
	// The outer loop comes first. Where loops touch, some boundary edges are in none.
	loops := face.outline()
	edges := 0
	for _, l := range loops {
		edges += len(l)
	}
	if len(loops) == 0 || edges != face.countBoundary() {
		return Profile{}, false
	}
	// Drop corners on straight lines; the outer loop runs counter-clockwise,
	// holes clockwise.
	var out Profile
	for i, loop := range loops {
		// Positions of the loop, without those on straight lines.
		pts := make([]vec2, len(loop))
		for k, v := range loop {
			pts[k] = face.pts[v]
		}
		pts = simplifyLoop(pts, tol)
		if len(pts) < 3 || (loopArea(pts) > 0) != (i == 0) {
			return Profile{}, false
		}
		if i == 0 {
			out.Outer = pts
		} else {
			out.Holes = append(out.Holes, pts)
		}
	}
	return out, true
}

// countBoundary returns the number of edges that belong to one triangle only.
func (m *planar) countBoundary() int {
	// Directed edges: an edge inside is used in both directions.
	has := make(map[[2]int32]bool, 3*len(m.tris))
	for _, t := range m.tris {
		for i := range 3 {
			has[[2]int32{t[i], t[(i+1)%3]}] = true
		}
	}
	n := 0
	for _, t := range m.tris {
		for i := range 3 {
			if !has[[2]int32{t[(i+1)%3], t[i]}] {
				n++
			}
		}
	}
	return n
}

// welder gives points within tol of each other the same number.
type welder struct {
	// m
	tol float64
	// first point of each number
	pts []vec2
	// numbers in each cell of a grid of size 4 tol
	cells map[[2]int64][]int32
}

// add returns the number of the point p, a new one if none is near.
func (w *welder) add(p vec2) int32 {
	// Cells larger than the tolerance: candidates lie in nine of them.
	s := 4 * w.tol
	cell := [2]int64{int64(math.Floor(p[0] / s)), int64(math.Floor(p[1] / s))}
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, v := range w.cells[[2]int64{cell[0] + dx, cell[1] + dy}] {
				if dist2(w.pts[v], p) <= w.tol {
					return v
				}
			}
		}
	}
	v := int32(len(w.pts))
	w.pts = append(w.pts, p)
	w.cells[cell] = append(w.cells[cell], v)
	return v
}
