package surfaces

// Cost: two winding numbers for each patch of triangles that nothing cuts, and for
// each piece of those that are cut. Afterwards distances to the union are as cheap as
// those to any surface, except beside the cuts.

// The union of solids that overlap. With w the winding number of the surface, which
// counts the solids around a point, the boundary of the union is that part of the
// surface with w < ½ on its outer side and w > ½ on its inner side. Triangles that
// others cut are divided along the planes of those; each piece then lies on the
// boundary or not. Pieces do not share vertices across a cut, which distances,
// volumes and sharp edges do without.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

const (
	// besideSurface is the distance from a triangle, over the diagonal of the
	// surface, of the points that decide which of its sides is inside.
	besideSurface = 1e-7
	// maxUnionCuts bounds the pairs of triangles that cut each other: more are no
	// solids that overlap.
	maxUnionCuts = 200_000
	// RidgeCos is the cosine of the angle between face normals, 35°, from which
	// an edge counts as sharp: the facets of arcs turn by less.
	RidgeCos = 0.819
	// leastPiece is the area of the pieces, over that of their triangle, that are
	// dropped.
	leastPiece = 1e-9
)

// Union is the boundary of the union of the solids of a surface.
type Union struct {
	// all triangles and pieces of it
	Tri *meshes.Tri
	// which of them are whole triangles away from cuts: the side of the nearest one
	// distinguishes inside from outside
	Sure []bool
	// enclosed, m³
	Volume float64
	// whether solids meet, not only one cuts itself
	Joined bool
	// sharp edges of the solids, and where solids meet, m
	Edges, Seams [][2]r3.Vec
}

// uniter makes a union.
type uniter struct {
	m    *meshes.Tri
	dist *meshes.Distance
	// triangles that cut triangle i
	cuts [][]int32
	eps  float64
	out  Union
}

// Unite returns the boundary of the union of the solids of m, whose winding numbers
// dist gives; nil if nothing overlaps.
func Unite(m *meshes.Tri, dist *meshes.Distance) *Union {
	hits, all := Crossings(m, maxUnionCuts)
	if len(hits) == 0 || len(hits) == maxUnionCuts || !all {
		return nil
	}
	u := &uniter{m: m, dist: dist, cuts: make([][]int32, len(m.Tris)), eps: besideSurface * m.Bounds().Size().Norm()}
	for _, h := range hits {
		u.cuts[h[0]] = append(u.cuts[h[0]], h[1])
		u.cuts[h[1]] = append(u.cuts[h[1]], h[0])
	}
	u.out.Tri = &meshes.Tri{}
	u.join(hits)
	u.patches()
	for i, c := range u.cuts {
		if len(c) > 0 {
			u.divide(int32(i))
		}
	}
	for _, h := range hits {
		u.seam(h)
	}
	u.edges()
	u.weld()
	return &u.out
}

// join notes whether triangles of two solids cut or touch each other.
func (u *uniter) join(hits [][2]int32) {
	solids := unionfind.New(len(u.m.Verts))
	for _, t := range u.m.Tris {
		solids.Union(t[0], t[1])
		solids.Union(t[1], t[2])
	}
	u.out.Joined = slices.ContainsFunc(hits, func(h [2]int32) bool {
		return solids.Find(u.m.Tris[h[0]][0]) != solids.Find(u.m.Tris[h[1]][0])
	})
}

// weld makes the corners of pieces at one place one vertex.
func (u *uniter) weld() {
	m := u.out.Tri
	to, _ := pointset.Weld(m.Verts, u.eps)
	tris, sure := m.Tris[:0], u.out.Sure[:0]
	for i, t := range m.Tris {
		if t = [3]int32{to[t[0]], to[t[1]], to[t[2]]}; t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			tris, sure = append(tris, t), append(sure, u.out.Sure[i])
		}
	}
	m.Tris, u.out.Sure = tris, sure
}

// add takes a piece with the given share of its volume over into the union.
func (u *uniter) add(p [3]r3.Vec, share float64, sure bool) {
	n := int32(len(u.out.Tri.Verts))
	u.out.Tri.Verts = append(u.out.Tri.Verts, p[0], p[1], p[2])
	u.out.Tri.Tris = append(u.out.Tri.Tris, [3]int32{n, n + 1, n + 2})
	u.out.Sure = append(u.out.Sure, sure)
	// relative to a corner of the bounds, against round-off
	o := u.m.Verts[0]
	u.out.Volume += share * p[0].Sub(o).Dot(p[1].Sub(o).Cross(p[2].Sub(o))) / 6
}

// share returns which part of a piece around p with unit normal n belongs to the
// boundary of the union: 1, 0, or a half where two solids share a face.
func (u *uniter) share(p, n r3.Vec) float64 {
	out, in := u.dist.Winding(p.AddScaled(u.eps, n)), u.dist.Winding(p.AddScaled(-u.eps, n))
	if out > 0.5 || in < 0.5 {
		return 0
	}
	return 1 / math.Round(in-out)
}

// patches takes over the triangles that nothing cuts. Those that hang together by
// edges lie on the boundary of the union together, or not; the largest of each patch
// is asked.
func (u *uniter) patches() {
	sets := unionfind.New(len(u.m.Tris))
	EachEdge(EdgeUses(u.m), func(uses []EdgeUse) {
		for _, x := range uses[1:] {
			if len(u.cuts[x.Tri]) == 0 && len(u.cuts[uses[0].Tri]) == 0 && len(uses) == 2 {
				sets.Union(uses[0].Tri, x.Tri)
			}
		}
	})
	// Vertices of triangles that are cut.
	near := make([]bool, len(u.m.Verts))
	for i, t := range u.m.Tris {
		for _, v := range t {
			near[v] = near[v] || len(u.cuts[i]) > 0
		}
	}
	largest := make([]int32, len(u.m.Tris))
	for i := range largest {
		largest[i] = -1
	}
	for i, t := range u.m.Tris {
		if r := sets.Find(int32(i)); len(u.cuts[i]) == 0 && (largest[r] < 0 || Area(u.m, t) > Area(u.m, u.m.Tris[largest[r]])) {
			largest[r] = int32(i)
		}
	}
	share := make([]float64, len(u.m.Tris))
	for r, i := range largest {
		if i >= 0 {
			share[r] = u.share(Centroid(u.m, i), u.dist.FaceNormal(i))
		}
	}
	for i, t := range u.m.Tris {
		if s := share[sets.Find(int32(i))]; s > 0 && len(u.cuts[i]) == 0 {
			u.add(Corners(u.m, t), s, !near[t[0]] && !near[t[1]] && !near[t[2]])
		}
	}
}

// divide cuts triangle i at all triangles that cut it and takes over the pieces on the
// boundary of the union.
func (u *uniter) divide(i int32) {
	t := Corners(u.m, u.m.Tris[i])
	n := u.dist.FaceNormal(i)
	least := leastPiece * Area(u.m, u.m.Tris[i])
	pieces := [][]r3.Vec{t[:]}
	for _, j := range u.cuts[i] {
		c := u.m.Tris[j]
		q := Corners(u.m, c)
		m := u.dist.FaceNormal(j)
		box := pointset.Bounds(q[:]).Inflate(u.eps)
		if math.Abs(m.Dot(n)) > 1-1e-12 {
			// One plane: the sides of the other triangle cut.
			for k := range 3 {
				e := q[(k+1)%3].Sub(q[k])
				pieces = cutPolygons(pieces, q[k], e.Cross(m).Unit(), box, u.eps)
			}
			continue
		}
		pieces = cutPolygons(pieces, q[0], m, box, u.eps)
	}
	for _, p := range pieces {
		u.keep(p, n, least)
	}
}

// keep adds the triangles of a piece with the normal n that lies on the boundary of the union,
// but for those of less area than least.
func (u *uniter) keep(p []r3.Vec, n r3.Vec, least float64) {
	var mid r3.Vec
	for _, x := range p {
		mid = mid.AddScaled(1/float64(len(p)), x)
	}
	share := u.share(mid, n)
	for k := 2; k < len(p) && share > 0; k++ {
		if p[k-1].Sub(p[0]).Cross(p[k].Sub(p[0])).Norm() > 2*least {
			u.add([3]r3.Vec{p[0], p[k-1], p[k]}, share, false)
		}
	}
}

// cutPolygons divides those convex polygons that meet box along the plane through c
// with unit normal n; parts thinner than eps are not cut off.
func cutPolygons(list [][]r3.Vec, c, n r3.Vec, box r3.Box, eps float64) [][]r3.Vec {
	var out [][]r3.Vec
	for _, p := range list {
		var below, above []r3.Vec
		lo, hi := 0.0, 0.0
		for _, x := range p {
			d := x.Sub(c).Dot(n)
			lo, hi = min(lo, d), max(hi, d)
		}
		if lo > -eps || hi < eps || !pointset.Bounds(p).Overlaps(box) {
			out = append(out, p)
			continue
		}
		for k, x := range p {
			y := p[(k+1)%len(p)]
			a, b := x.Sub(c).Dot(n), y.Sub(c).Dot(n)
			if a <= 0 {
				below = append(below, x)
			}
			if a >= 0 {
				above = append(above, x)
			}
			if a*b < 0 {
				z := x.Lerp(y, a/(a-b))
				below, above = append(below, z), append(above, z)
			}
		}
		out = append(out, below, above)
	}
	return out
}

// seam adds the segment along which two triangles cut each other, in as many parts as
// others cut it, where it lies on the boundary of the union and bends it sharply.
func (u *uniter) seam(h [2]int32) {
	p, q := Corners(u.m, u.m.Tris[h[0]]), Corners(u.m, u.m.Tris[h[1]])
	np, nq := u.dist.FaceNormal(h[0]), u.dist.FaceNormal(h[1])
	if math.Abs(np.Dot(nq)) > RidgeCos {
		return // smooth, or one plane
	}
	sp, _ := sides(q, p)
	sq, _ := sides(p, q)
	dir := np.Cross(nq).Unit()
	a0, a1 := span(p, sp, nq, q[0], dir, p[0])
	b0, b1 := span(q, sq, np, p[0], dir, p[0])
	lo, hi := max(a0, b0), min(a1, b1)
	// span measures along dir only: the line passes through where both planes meet.
	o := p[0].AddScaled(q[0].Sub(p[0]).Dot(nq)/(1-np.Dot(nq)*np.Dot(nq)), nq.AddScaled(-np.Dot(nq), np))
	at := func(s float64) r3.Vec { return o.AddScaled(s-o.Sub(p[0]).Dot(dir), dir) }
	u.out.Seams = append(u.out.Seams, u.onBoundary(at(lo), at(hi), np, nq, 8)...)
}

// edges adds the sharp edges of the solids where they lie on the boundary of the union;
// those of triangles that are cut in parts.
func (u *uniter) edges() {
	EachEdge(EdgeUses(u.m), func(uses []EdgeUse) {
		i, j := uses[0].Tri, uses[len(uses)-1].Tri
		if np, nq := u.dist.FaceNormal(i), u.dist.FaceNormal(j); len(uses) > 2 || np.Dot(nq) < RidgeCos {
			parts := 1
			if len(u.cuts[i])+len(u.cuts[j]) > 0 {
				parts = 16
			}
			u.out.Edges = append(u.out.Edges, u.onBoundary(u.m.Verts[uses[0].A], u.m.Verts[uses[0].B], np, nq, parts)...)
		}
	})
}

// onBoundary divides the segment p–q between two faces with normals n and m into parts
// and returns those on the boundary of the union: of the four regions around them some
// are inside and some outside.
func (u *uniter) onBoundary(p, q, n, m r3.Vec, parts int) (out [][2]r3.Vec) {
	for k := range parts {
		a, b := p.Lerp(q, float64(k)/float64(parts)), p.Lerp(q, float64(k+1)/float64(parts))
		inside := 0
		for _, s := range [4][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			if u.dist.Inside(a.Lerp(b, 0.5).AddScaled(s[0]*u.eps, n).AddScaled(s[1]*u.eps, m)) {
				inside++
			}
		}
		if inside > 0 && inside < 4 {
			out = append(out, [2]r3.Vec{a, b})
		}
	}
	return out
}
