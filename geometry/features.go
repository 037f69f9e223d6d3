package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// features are the vertices and edges of a shape that can be the first to touch another
// one: those that stick out. Every point within rounding of them belongs to the shape, as
// the ball around a sphere's centre does.
type features struct {
	verts []r3.Vec
	// of the vertices
	stars []star
	edges []edge
	// plane faces
	plane planeFaces
	// radius around vertices and edges, m
	rounding float64
	// length of the longest edge, m
	longest float64

	// boxes of the vertices and of the edges
	vertTree *bvh.Tree
	edgeTree *bvh.Tree
}

// edge is a straight edge from a to b with the outward normals n and m of the faces on
// its left and right, both zero where it may touch in any direction.
type edge struct {
	a, b r3.Vec
	n, m r3.Vec
	// plane faces on its left and right, if it has normals
	faceOf [2]int32
}

// flatEdge is the sine of the angle, about half a degree, up to which two faces count as
// one plane and their common edge does not stick out.
const flatEdge = 0.01

// knifeEdge is the cosine between normals below which two faces fold back on each other,
// where round-off decides about the sense of turning.
const knifeEdge = -0.9999

// featuresOf returns the features of a shape; a half-space has none.
func featuresOf(s Shape) *features {
	f := &features{}
	switch s := s.(type) {
	case *Mesh:
		return s.features()
	case *HalfSpace, HalfSpace: // flat
	// Round shapes are a point or a segment with a radius.
	case *Sphere:
		f.verts, f.stars, f.rounding = []r3.Vec{{}}, make([]star, 1), s.Radius
	case *Capsule:
		a, b := s.Support(r3.Vec{0, 0, -1}), s.Support(r3.Vec{0, 0, 1})
		f.verts, f.stars, f.rounding = []r3.Vec{a, b}, make([]star, 2), s.Radius
		f.edges = []edge{{a: a, b: b, faceOf: [2]int32{-1, -1}}}
	default:
		// Other shapes have those of their surface mesh.
		return findFeatures(s.SurfaceMesh())
	}
	return f.index()
}

// findFeatures lists the convex edges of a closed surface and their ends.
func findFeatures(m *meshes.Tri) *features {
	// Normals of triangles, angle-weighted normals of vertices, and the triangle on the
	// left of each directed edge.
	first := weld(m)
	normal := make([]r3.Vec, len(m.Tris))
	pseudo := make([]r3.Vec, len(m.Verts))
	side := make(map[[2]int32]int, 3*len(m.Tris)) // triangle on the left of a directed edge
	for i, t := range m.Tris {
		normal[i] = r3.TriangleNormal(m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]).Unit()
		for k := range t {
			v := first[t[k]]
			u, w := m.Verts[t[(k+1)%3]].Sub(m.Verts[v]), m.Verts[t[(k+2)%3]].Sub(m.Verts[v])
			pseudo[v] = pseudo[v].AddScaled(math.Atan2(u.Cross(w).Norm(), u.Dot(w)), normal[i])
			side[[2]int32{v, first[t[(k+1)%3]]}] = i
		}
	}
	f := &features{plane: findPlaneFaces(m, normal, side, first)}
	// Convex edges and their ends.
	sticksOut := make([]bool, len(m.Verts))
	for i, t := range m.Tris {
		for k := range t {
			a, b := first[t[k]], first[t[(k+1)%3]]
			j, ok := side[[2]int32{b, a}]
			// Each edge is looked at once, from the triangle that runs from its lower
			// vertex to its upper one.
			if !ok || a > b {
				continue // of the two triangles the one that runs upwards has the edge
			}
			// On a convex edge the normal turns about the edge in the right-handed way
			// from the face on its left to that on its right.
			d := m.Verts[b].Sub(m.Verts[a]).Unit()
			knife := normal[i].Dot(normal[j]) < knifeEdge
			if normal[i].Cross(normal[j]).Dot(d) <= flatEdge && !knife {
				continue
			}
			f.edges = append(f.edges, edge{m.Verts[a], m.Verts[b], normal[i], normal[j], [2]int32{f.plane.of[i], f.plane.of[j]}})
			sticksOut[a], sticksOut[b] = true, true
		}
	}
	// Only vertices on such edges can touch first.
	stars := starsOf(m, first)
	for i, t := range m.Tris {
		face := f.plane.of[i]
		for _, v := range t {
			if v = first[v]; !slices.Contains(stars[v].faces, face) {
				stars[v].faces = append(stars[v].faces, face)
			}
		}
	}
	for i, p := range m.Verts {
		if sticksOut[i] {
			for _, face := range stars[i].faces {
				f.plane.faces[face].numVerts++
			}
			stars[i].normal = pseudo[i].Unit()
			f.verts, f.stars = append(f.verts, p), append(f.stars, stars[i])
		}
	}
	return f.index()
}

// index builds the trees.
func (f *features) index() *features {
	boxes := make([]r3.Box, len(f.verts))
	for i, p := range f.verts {
		boxes[i] = r3.Box{Min: p, Max: p}
	}
	f.vertTree = bvh.Build(boxes)
	boxes = make([]r3.Box, len(f.edges))
	for i, e := range f.edges {
		boxes[i] = r3.EmptyBox().Extend(e.a).Extend(e.b)
		f.longest = max(f.longest, e.b.Sub(e.a).Norm())
	}
	f.edgeTree = bvh.Build(boxes)
	return f
}

// faces reports whether the unit vector v, at right angles to the edge, lies between its
// two normals or within an angle of the given sine beside them, so that a body that moves along −v meets the edge
// first.
func (e *edge) faces(v r3.Vec, beside float64) bool {
	if e.n == (r3.Vec{}) {
		return true
	}
	// A knife edge faces all directions but those back into it.
	d := e.n.Cross(e.m)
	sine := d.Norm()
	if sine < 1e-4 { // a knife edge: all directions but back into it
		return v.Dot(e.b.Sub(e.a).Cross(e.n)) >= 0
	}
	return e.n.Cross(v).Dot(d) >= -beside*sine && v.Cross(e.m).Dot(d) >= -beside*sine
}

// moved returns the edge at the pose X.
func (e *edge) moved(X r3.Pose) edge {
	return edge{X.Point(e.a), X.Point(e.b), X.R.MulVec(e.n), X.R.MulVec(e.m), e.faceOf}
}
