package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// deformableSurface is the current surface of one deformable: distances are measured
// where the body is now, however far it is strained.
type deformableSurface struct {
	spec *Deformable
	// number of the body
	body int
	// ActiveTriangle of the body, or nil
	active func(tri int32) bool
	// positions of the body's vertices
	x_W []r3.Vec
	// distances to the surface; its vertices are those of the body
	dist *meshes.Distance
	// scratch: triangles near the other body
	near []int32

	// dist is at x_W
	fitted bool
	// result of wall at x_W; 0: not known
	thin float64

	// the surface for pressure fields; nil until it is needed
	moving *hydroelastic.MovingSurface
	// moving is at x_W
	moved bool
}

// place sets the vertex positions to x_W. The surface itself is refitted only when
// another body comes near.
func (s *deformableSurface) place(x_W []r3.Vec) {
	if len(x_W) != s.spec.NumVerts {
		panic(fmt.Sprintf("geometry: deformable %q has %d vertices, Data.X_W gives %d", s.spec.Name, s.spec.NumVerts, len(x_W)))
	}
	s.x_W, s.fitted, s.moved, s.thin = x_W, false, false, 0
}

// refit moves the surface and its tree to the vertices.
func (s *deformableSurface) refit() {
	s.fitted = true
	if s.dist == nil {
		s.dist = meshes.NewDeformableDistance(&meshes.Tri{Verts: s.x_W, Tris: s.spec.Tris})
		return
	}
	s.dist.Mesh().Verts = s.x_W
	s.dist.Refit()
}

// BuildSurfaces makes the trees of the surfaces of deformables at X_W. Without it the first Collide with
// another body near makes them, and takes some times as long as later ones. Contacts do not depend on the
// positions at which trees were made.
func (s *Data) BuildSurfaces() {
	if s.cannotTouch {
		return
	}
	s.surfaces = s.surfaces[:0]
	for i := range s.deformables {
		if b := &s.deformables[i]; b.dist == nil {
			b.place(s.X_W[i])
			s.surfaces = append(s.surfaces, b)
		}
	}
	s.Pool.Run(len(s.surfaces), (*refitter)(s))
}

// refitter is a Data that refits surfaces on workers.
type refitter Data

// Do implements workers.Task.
func (s *refitter) Do(_, i int) { s.surfaces[i].refit() }

// refitSurfaces refits the surfaces of all deformables in pairs.
func (s *Data) refitSurfaces() {
	s.surfaces = s.surfaces[:0]
	for _, p := range s.pairs {
		for _, item := range [2]int32{p.a, p.b} {
			if i := int(item) - len(s.geoms); i >= 0 && !s.deformables[i].fitted {
				// Each surface is listed once.
				s.deformables[i].fitted = true
				s.surfaces = append(s.surfaces, &s.deformables[i])
			}
		}
	}
	s.Pool.Run(len(s.surfaces), (*refitter)(s))
}

// boundsOf returns the bounds of points, empty bounds for none.
func boundsOf(x []r3.Vec) r3.Box {
	b := r3.EmptyBox()
	for i := range x {
		p := &x[i]
		for k := range p {
			b.Min[k], b.Max[k] = min(b.Min[k], p[k]), max(b.Max[k], p[k])
		}
	}
	return b
}

// isActive reports whether a triangle makes contact.
func (s *deformableSurface) isActive(tri int32) bool { return s.active == nil || s.active(tri) }

// corners returns a triangle's vertices and their positions.
func (s *deformableSurface) corners(tri int32) (v [3]int32, a, b, c r3.Vec) {
	m := s.dist.Mesh()
	v = m.Tris[tri]
	return v, m.Verts[v[0]], m.Verts[v[1]], m.Verts[v[2]]
}

// findNear lists the triangles that may come within margin of a shape with the given
// field and world bounds, in ascending order. A box of radius r about c is surely clear
// of the shape when φ(c) − r > margin.
func (s *deformableSurface) findNear(f field, bounds_W r3.Box, margin float64) []int32 {
	bounds_W = bounds_W.Inflate(margin)
	s.near = s.dist.Tree().Select(func(b *r3.Box) bool {
		if !b.Overlaps(bounds_W) {
			return false
		}
		// Half of the diagonal, rounded up.
		phi, _ := f.at(b.Center(), r3.Vec{})
		return phi <= margin+0.5000001*b.Size().Norm()
	}, s.near[:0])
	slices.Sort(s.near)
	return s.near
}

// feature returns the material point of a triangle at barycentric weights.
func (s *deformableSurface) feature(tri int32, w [3]float64) MaterialPoint {
	v, a, b, c := s.corners(tri)
	return MaterialPoint{
		Body: s.body, N: 3,
		Vert:  [6]int32{v[0], v[1], v[2]},
		W:     [6]float64{w[0], w[1], w[2]},
		Pos_W: r3.Combine(w, a, b, c),
	}
}

// extended returns the material point of a triangle's tetrahedron, continued beyond its
// surface, that is at p_W; w are the weights of the triangle's point next to it. A force on it
// is in one line with its negative on another body at p_W. Farther from the surface than the
// tetrahedron is high the point stays back: its weights would magnify motion.
func (s *deformableSurface) extended(tri int32, w [3]float64, p_W r3.Vec) MaterialPoint {
	f := s.feature(tri, w)
	if s.spec.Apexes == nil {
		return f
	}
	v, a, b, c := s.corners(tri)
	apex := s.spec.Apexes[tri]
	n := r3.TriangleNormal(a, b, c)
	up := s.dist.Mesh().Verts[apex].Sub(a)
	depth, height := p_W.Sub(a).Dot(n), up.Dot(n)
	if height == 0 {
		return f
	}
	// the weight of the apex; less where that would exceed 1
	p, share := p_W, depth/height
	if m := math.Abs(share); m > 1 {
		p, share = f.Pos_W.AddScaled(1/m, p_W.Sub(f.Pos_W)), share/m
	}
	// the rest is in the plane of the triangle
	u := r3.Barycentric(p.AddScaled(-share, up), a, b, c)
	return MaterialPoint{
		Body: s.body, N: 4,
		Vert:  [6]int32{v[0], v[1], v[2], apex},
		W:     [6]float64{u[0] - share, u[1], u[2], share},
		Pos_W: p,
	}
}
