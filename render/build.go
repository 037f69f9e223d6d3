package render

import (
	"slices"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Only triangles that the camera may see become triangles of a picture: those that face it and that are not beyond one
// of the planes that bound the view. Light is computed at their corners alone, which halves the number of look-ups in
// the maps of the sky. What the camera does not see still throws shadows, see castShadows.

// builder collects the triangles of bodies.
type builder struct {
	// view is the camera.
	view *view
	// light has the depth maps of the sky, for the ambient light at vertices.
	light *lighting
	// cut is the cut of the next body; nil: it is whole.
	cut *cutter
	// tris are the triangles so far.
	tris []fauxgl.Triangle
	// slots is the number of slots of the surfaces so far.
	slots int
	// beyond says of each vertex of a surface, by a bit for each, which planes it is beyond.
	beyond []uint8
	// shown are the triangles of a surface that may be seen, turned says which of them show their back.
	shown  []int32
	turned []bool
	// lit are the slots that these triangles have, as a list and by slot; ambient is the light of the sky there.
	lit     []int32
	needed  []bool
	ambient []float64
}

// look is the appearance of a body's surface.
type look struct {
	// color is linear light.
	color fauxgl.Color
	// gloss is the strength of the highlight, see the package document.
	gloss float64
	// scalar is a field at the vertices, as a part of the scale of colours from 0 to 1;
	// nil: the body has its colour.
	scalar []float64
}

// surface appends a body's surface with its vertices and normals where they are in
// the world, cut.
func (b *builder) surface(s *tessellation, verts, normals []r3.Vec, lk look) {
	b.see(s, verts, len(normals))
	// The sky at each slot: 256 at a time, each item writes its own.
	workers.Each((len(b.lit)+255)/256, func(k int) {
		for _, i := range b.lit[256*k : min(len(b.lit), 256*(k+1))] {
			b.ambient[i] = b.light.ambient(verts[s.vert[i]], normals[i])
		}
	})
	// triangles with what their corners carry
	from := len(b.tris)
	b.tris = slices.Grow(b.tris, len(b.shown))
	for i, t := range b.shown {
		v := s.tris[t]
		var c [3]fauxgl.Vertex
		for e := range 3 {
			k := s.corner[t][e]
			x := -1.0
			if lk.scalar != nil {
				x = lk.scalar[v[e]]
			}
			// slots of a picture are numbered from 1
			c[e] = fauxgl.Vertex{
				Position: vector(verts[v[e]]), Normal: vector(normals[k]), Color: lk.color,
				Texture: fauxgl.Vector{X: b.ambient[k], Y: x, Z: lk.gloss}, Output: fauxgl.VectorW{X: float64(b.slots + int(k) + 1)},
			}
		}
		if b.turned[i] { // the inside of an open surface
			for e := range c {
				c[e].Normal = c[e].Normal.Negate()
			}
			c[0], c[2] = c[2], c[0]
		}
		b.tris = append(b.tris, fauxgl.Triangle{V1: c[0], V2: c[1], V3: c[2]})
	}
	b.slots += len(normals)
	// cutting comes last, so that new corners have interpolated light
	if b.cut != nil {
		b.tris = append(b.tris[:from], b.cut.triangles(b.tris[from:])...)
	}
}

// see lists the triangles of a surface that may be seen, and the slots that they have, of so many.
func (b *builder) see(s *tessellation, verts []r3.Vec, slots int) {
	// a vertex is projected once for all its triangles
	b.beyond = b.beyond[:0]
	for i := range verts {
		b.beyond = append(b.beyond, b.view.beyond(vector(verts[i])))
	}
	b.shown, b.turned, b.lit = b.shown[:0], b.turned[:0], b.lit[:0]
	b.needed, b.ambient = slices.Grow(b.needed[:0], slots)[:slots], slices.Grow(b.ambient[:0], slots)[:slots]
	// memory of the surface before, which had other slots
	clear(b.needed)
	for t, v := range s.tris {
		// all corners beyond one plane: none of the triangle is in view
		if b.beyond[v[0]]&b.beyond[v[1]]&b.beyond[v[2]] != 0 {
			continue
		}
		front := b.view.facing(vector(verts[v[0]]), vector(verts[v[1]]), vector(verts[v[2]]))
		if !front && !s.open {
			continue
		}
		b.shown, b.turned = append(b.shown, int32(t)), append(b.turned, !front)
		// slots in the order of triangles, whatever the number of threads
		for _, k := range s.corner[t] {
			if !b.needed[k] {
				b.needed[k] = true
				b.lit = append(b.lit, k)
			}
		}
	}
}

// beyond says which of the six planes that bound the view a point is beyond, by a bit for each. The near and the
// far plane count as drawing counts them.
func (v *view) beyond(p fauxgl.Vector) (planes uint8) {
	// clip coordinates, where the view is −w ≤ x, y, z ≤ w, also for points behind the camera
	q := v.matrix.MulPositionW(p)
	for k, x := range [3]float64{q.X, q.Y, q.Z} {
		if x < -q.W {
			planes |= 1 << (2 * k)
		}
		if x > q.W {
			planes |= 2 << (2 * k)
		}
	}
	return planes
}

// facing reports whether the camera sees the front of a triangle, whose corners are counter-clockwise there.
func (v *view) facing(a, b, c fauxgl.Vector) bool {
	// the eye is in front of the triangle's plane, wherever on the triangle one looks
	eye := vector(v.eye)
	return b.Sub(a).Cross(c.Sub(a)).Dot(eye.Sub(a)) > 0
}
