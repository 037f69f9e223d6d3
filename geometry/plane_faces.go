package geometry

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// planeFace is a connected part of a surface whose triangles lie in one plane.
type planeFace struct {
	normal r3.Vec
	// m²
	area float64
	// no hole and no hollow corner
	convex bool
	// number of vertices that stick out
	numVerts int
	// edges of the boundary, boundary[from:to] of the surface's faces
	from, to int
}

// planeFaces are the plane faces of a surface.
type planeFaces struct {
	faces []planeFace
	// of each triangle
	of []int32
	// edges of the boundaries, the face on the left
	boundary [][2]int32
	verts    []r3.Vec
}

const (
	// onePlane is the least cosine between normals of one plane face, 0.3°: coordinates in 32 bits are that uneven.
	onePlane = 1 - 1.25e-5
	// convexShare is the least share that a convex face has of its hull.
	convexShare = 1 - 1e-6
)

// findPlaneFaces divides a surface into plane faces; side is the triangle on the left of each directed edge, first
// gives for each vertex the one that stands for it.
func findPlaneFaces(m *meshes.Tri, normal []r3.Vec, side map[[2]int32]int, first []int32) planeFaces {
	p := planeFaces{of: make([]int32, len(m.Tris)), verts: m.Verts}
	for i := range p.of {
		p.of[i] = -1
	}
	var open, members []int
	for seed := range m.Tris {
		if p.of[seed] >= 0 {
			continue
		}
		// Spread from the seed over its neighbours.
		number := int32(len(p.faces))
		f := planeFace{normal: normal[seed], from: len(p.boundary)}
		p.of[seed] = number
		members = members[:0]
		for open = append(open[:0], seed); len(open) > 0; {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			members = append(members, i)
			t := m.Tris[i]
			f.area += r3.TriangleNormal(m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]).Norm() / 2
			for k := range t {
				j, ok := side[[2]int32{first[t[(k+1)%3]], first[t[k]]}]
				if ok && p.of[j] < 0 && normal[j].Dot(f.normal) >= onePlane {
					p.of[j] = number
					open = append(open, j)
				}
			}
		}
		for _, i := range members {
			t := m.Tris[i]
			for k := range t {
				a, b := first[t[k]], first[t[(k+1)%3]]
				if j, ok := side[[2]int32{b, a}]; !ok || p.of[j] != number {
					p.boundary = append(p.boundary, [2]int32{a, b})
				}
			}
		}
		f.to = len(p.boundary)
		f.convex = len(members) == 1 || f.area >= convexShare*p.hullArea(&f)
		p.faces = append(p.faces, f)
	}
	return p
}

// hullArea returns the area of the convex hull of a face, m².
func (p *planeFaces) hullArea(f *planeFace) float64 {
	t1, t2 := r3.Basis(f.normal)
	var q [][2]float64
	for _, e := range p.boundary[f.from:f.to] {
		v := p.verts[e[0]]
		q = append(q, [2]float64{t1.Dot(v), t2.Dot(v)})
	}
	slices.SortFunc(q, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	area := 0.0
	// Andrew's monotone chain, once from either end.
	for range 2 {
		var chain [][2]float64
		for _, c := range q {
			for n := len(chain); n >= 2; n = len(chain) {
				a, b := chain[n-2], chain[n-1]
				if (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0 {
					break
				}
				chain = chain[:n-1]
			}
			chain = append(chain, c)
		}
		for i := 1; i < len(chain); i++ {
			area += (chain[i-1][0]*chain[i][1] - chain[i-1][1]*chain[i][0]) / 2
		}
		slices.Reverse(q)
	}
	return area
}

// spreadFriction marks a group of contacts as a face of the given number: members are its candidates before reduction.
// What is loaded is known where it is all vertices of plane faces and nothing else; elsewhere it is the hull of the
// points, unless a face has holes or hollows, where friction stays at the points.
func (m *meshScratch) spreadFriction(cs []Contact, number int32, members []int32, X_WA *r3.Pose) {
	if len(cs) < 2 {
		return
	}
	for i := range cs {
		if cs[i].Normal_W.DotOf(&cs[0].Normal_W) < oneNormal {
			return
		}
	}
	n := m.candidates[members[0]].n
	normals := [2]r3.Vec{n, m.b.X_AS.R.TMulVec(n.Neg())}
	sides := [2]*side{&m.a, &m.b}
	m.bearing[0], m.bearing[1] = m.bearing[0][:0], m.bearing[1][:0]
	convex := true
	for _, i := range members {
		t := &m.candidates[i]
		for k, s := range sides {
			face := s.feat.faceAlong(t.vertex[k], t.edge[k], &normals[k])
			if face < 0 {
				continue
			}
			convex = convex && s.feat.plane.faces[face].convex
			if t.vertex[k] >= 0 {
				m.bearing[k] = append(m.bearing[k], face)
			}
		}
	}
	var boundary []planeEdge
	area := 0.0
	for k, s := range sides {
		if len(m.bearing[k]) < len(members) {
			continue
		}
		if whole := s.feat.wholeFaces(&m.bearing[k]); whole > 0 && (area == 0 || whole < area) {
			area = whole
			X := X_WA.Mul(s.X_AS)
			boundary = m.boundary[:0]
			for _, f := range m.bearing[k] {
				face := &s.feat.plane.faces[f]
				for _, e := range s.feat.plane.boundary[face.from:face.to] {
					boundary = append(boundary, planeEdge{X.Point(s.feat.plane.verts[e[0]]), X.Point(s.feat.plane.verts[e[1]])})
				}
			}
			m.boundary = boundary
		}
	}
	if boundary != nil || convex {
		m.friction.spread(cs, number, boundary, 1)
	}
}

// faceAlong returns the plane face of a normal at a vertex or an edge, −1: none.
func (f *features) faceAlong(vertex, edge int32, normal *r3.Vec) int32 {
	is := func(face int32) bool { return f.plane.faces[face].normal.DotOf(normal) >= onePlane }
	switch {
	case vertex >= 0:
		for _, face := range f.stars[vertex].faces {
			if is(face) {
				return face
			}
		}
	case edge >= 0:
		for _, face := range f.edges[edge].faceOf {
			if face >= 0 && is(face) {
				return face
			}
		}
	}
	return -1
}

// wholeFaces reduces a list of faces, one for each loaded vertex, to the faces themselves and returns their area, m²: 0
// unless all vertices of them are loaded.
func (f *features) wholeFaces(faces *[]int32) (area float64) {
	slices.Sort(*faces)
	list := (*faces)[:0]
	for i := 0; i < len(*faces); {
		face, n := (*faces)[i], 0
		for ; i < len(*faces) && (*faces)[i] == face; i++ {
			n++
		}
		if n < f.plane.faces[face].numVerts {
			return 0
		}
		list = append(list, face)
		area += f.plane.faces[face].area
	}
	*faces = list
	return area
}
