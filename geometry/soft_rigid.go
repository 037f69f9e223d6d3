package geometry

import "curlfree/r3"

// shapeField is the distance field of a placed shape.
type shapeField struct {
	X_WG r3.Pose
	look looker
}

// at is asked thousands of times a step: the pose is read where it lies.
func (f *shapeField) at(p_W, _ r3.Vec) (float64, r3.Vec) {
	R, o := &f.X_WG.R, &f.X_WG.P
	x, y, z := p_W[0]-o[0], p_W[1]-o[1], p_W[2]-o[2]
	phi, g := f.look.at(r3.Vec{R[0]*x + R[3]*y + R[6]*z, R[1]*x + R[4]*y + R[7]*z, R[2]*x + R[5]*y + R[8]*z})
	return phi, r3.Vec{
		R[0]*g[0] + R[1]*g[1] + R[2]*g[2],
		R[3]*g[0] + R[4]*g[1] + R[5]*g[2],
		R[6]*g[0] + R[7]*g[1] + R[8]*g[2],
	}
}

// looker asks a shape for distances at one point after the other; a mesh is
// told where the last answer was found.
type looker struct {
	shape Shape
	mesh  *Mesh // the shape, if it is one
	last  int32
}

func lookAt(s Shape) looker {
	mesh, _ := s.(*Mesh)
	return looker{s, mesh, -1}
}

func (l *looker) at(p_G r3.Vec) (phi float64, grad_G r3.Vec) {
	if l.mesh == nil {
		return l.shape.SignedDistance(p_G)
	}
	phi, _, l.last, _, grad_G = l.mesh.dist.SignedFrom(p_G, l.last)
	return phi, grad_G
}

// vertexSamples remembers the field at the vertices of a surface, each of which
// about six triangles share.
type vertexSamples struct {
	round int32   // of the current pair
	seen  []int32 // round in which the vertex was sampled
	phi   []float64
	grad  []r3.Vec
}

// begin forgets all, for a surface of n vertices.
func (c *vertexSamples) begin(n int) {
	if len(c.seen) < n || c.round == 1<<31-1 {
		n = max(n, len(c.seen))
		c.seen, c.phi, c.grad = make([]int32, n), make([]float64, n), make([]r3.Vec, n)
		c.round = 0
	}
	c.round++
}

// look returns the field at vertex v, corner k of a triangle with the outward
// normal n_W. What the vertex sees plainly is remembered.
func (c *vertexSamples) look(f field, v int32, k int, p_W, n_W r3.Vec) sample {
	if c.seen[v] != c.round {
		c.seen[v] = c.round
		c.phi[v], c.grad[v] = f.at(p_W, r3.Vec{})
	}
	s := sample{pos_W: p_W, phi: c.phi[v], grad_W: c.grad[v]}
	s.w[k] = 1
	if s.phi < 0 && turnsAway(n_W, s.grad_W) {
		s.phi, s.grad_W = f.at(p_W, n_W)
	}
	return s
}

// softRigid appends the contacts of a geom (A) with a deformable (B). A part's
// centroid on the deformable's face is the material point of B and the place
// where the force acts on both, so that no angular momentum is made.
func (s *Scene) softRigid(geom int, soft int, margin float64) {
	g := &s.Model.Geoms[geom]
	if g.Field != nil && g.Field.Compliant() {
		s.softPressed(geom, soft, margin)
		return
	}
	s.contacts = s.clipFaces(geom, &s.soft[soft], margin, s.contacts, nil)
}

// clipFaces appends the contacts of a deformable's faces in the distance field of a
// geom. Where keep is given it says which of a face's parts count, and what
// gradient of pressure they have.
func (s *Scene) clipFaces(geom int, b *softSurface, margin float64, dst []Contact, keep func(tri int32, p *part) (grad float64, ok bool)) []Contact {
	g := &s.Model.Geoms[geom]
	s.shape = shapeField{s.geoms[geom].X_WG, lookAt(g.Shape)}
	s.clipper.field, s.clipper.margin = &s.shape, margin
	s.samples.begin(b.spec.Verts)
	for _, tri := range b.findNear(&s.shape, s.boxes[geom], margin) {
		parts := s.clipTriangle(b, tri)
		for i := range parts {
			p, grad := &parts[i], 0.0
			if keep != nil {
				var ok bool
				if grad, ok = keep(tri, p); !ok {
					continue
				}
			}
			f := b.feature(tri, p.w)
			dst = append(dst, Contact{
				A:        Feature{Body: g.Body, Pos_W: f.Pos_W},
				B:        f,
				Mat:      [2]int{g.Material, b.spec.Material},
				Pos_W:    f.Pos_W,
				Normal_W: p.grad_W,
				Phi:      p.phi,
				Area:     p.area,
				Grad:     grad,
				Elem:     [2]int32{int32(geom), tri},
			})
		}
	}
	return dst
}

// clipTriangle cuts a triangle of the surface by the clipper's field; areas of
// the parts are then in m².
func (s *Scene) clipTriangle(b *softSurface, tri int32) []part {
	if !b.isLive(tri) {
		return nil
	}
	v, pa, pb, pc := b.corners(tri)
	area := r3.TriangleNormal(pa, pb, pc).Norm() / 2
	if area == 0 {
		return nil
	}
	f, n := s.clipper.field, b.dist.FaceNormal(tri)
	ca, cb, cc := s.samples.look(f, v[0], 0, pa, n), s.samples.look(f, v[1], 1, pb, n), s.samples.look(f, v[2], 2, pc, n)
	parts := withinReach(s.clipper.clip(&ca, &cb, &cc, n), s.moving)
	for i := range parts {
		parts[i].area *= area
	}
	return parts
}

// withinReach drops what a face that overlaps already has ahead of the overlap
// but does not reach by moving: the margin is for faces that do not touch yet.
func withinReach(parts []part, moving float64) []part {
	touches := false
	for i := range parts {
		touches = touches || parts[i].phi <= 0
	}
	if !touches {
		return parts
	}
	kept := parts[:0]
	for _, p := range parts {
		if p.phi <= moving {
			kept = append(kept, p)
		}
	}
	return kept
}
