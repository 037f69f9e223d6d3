package geometry

import (
	"fmt"
	"slices"

	"curlfree/hydroelastic"
	"curlfree/meshes"
	"curlfree/r3"
)

// softSurface is the current surface of one deformable: everything is measured
// where the body is now, however far it has strained.
type softSurface struct {
	spec *Soft
	body int // scene body
	live []bool
	dist *meshes.Distance // over spec.Tris; its vertices are the body's
	near []int32          // scratch: triangles near the other body

	moving *hydroelastic.Moving // the same for pressure fields; nil: not asked for yet
	moved  bool                 // it is where the vertices are
}

// place moves the surface to the vertex positions x_W.
func (s *softSurface) place(x_W []r3.Vec, live []bool, _ bool) {
	if len(x_W) != s.spec.Verts {
		panic(fmt.Sprintf("geometry: deformable %q has %d vertices, Scene.X_W gives %d", s.spec.Name, s.spec.Verts, len(x_W)))
	}
	if live != nil && len(live) != len(s.spec.Tris) {
		panic(fmt.Sprintf("geometry: deformable %q has %d triangles, Scene.Live gives %d", s.spec.Name, len(s.spec.Tris), len(live)))
	}
	s.live, s.moved = live, false
	if s.dist == nil {
		s.dist = meshes.NewMovingDistance(&meshes.Tri{Verts: x_W, Tris: s.spec.Tris})
		return
	}
	s.dist.Mesh().Verts = x_W
	s.dist.Refit()
}

// isLive reports whether a triangle makes contact.
func (s *softSurface) isLive(tri int32) bool { return s.live == nil || s.live[tri] }

// corners returns a triangle's vertices and their positions.
func (s *softSurface) corners(tri int32) (v [3]int32, a, b, c r3.Vec) {
	m := s.dist.Mesh()
	v = m.Tris[tri]
	return v, m.Verts[v[0]], m.Verts[v[1]], m.Verts[v[2]]
}

// findNear lists the triangles that may come within margin of a shape with the
// given field and world bounds, in ascending order. A box of radius r about c is
// surely clear of the shape when φ(c) − r > margin.
func (s *softSurface) findNear(f field, bounds_W r3.Box, margin float64) []int32 {
	bounds_W = bounds_W.Inflate(margin)
	s.near = s.dist.Tree().Select(func(b *r3.Box) bool {
		if !b.Overlaps(bounds_W) {
			return false
		}
		phi, _ := f.at(b.Center(), r3.Vec{})
		return phi <= margin+0.5000001*b.Size().Norm()
	}, s.near[:0])
	slices.Sort(s.near)
	return s.near
}

// feature returns the material point of a triangle at barycentric weights.
func (s *softSurface) feature(tri int32, w [3]float64) Feature {
	v, a, b, c := s.corners(tri)
	return Feature{
		Body: s.body, N: 3,
		Vert:  [4]int32{v[0], v[1], v[2]},
		W:     [4]float64{w[0], w[1], w[2]},
		Pos_W: r3.Combine(w, a, b, c),
	}
}
