package geometry

// Contacts of deformables where bodies are at the end of a step. A contact that was found at
// the start predicts a gap at its point. Where a pair moves far in the step, other points of a
// face may be deeper at its end: a face ahead of contact has one point, the centroid of the part
// that is near, while the corner of a shape strikes it elsewhere. Each face is therefore clipped
// once more where the solution puts it, by a Data of the same model that is placed there
// (CollideDeformables), and contacts found there are made linear about the solved motion. With
// the linear displacements d of both bodies at the point of the contact,
//
//	φ0 = max(φ₁ − n·(d_B − d_A), least),  φ₁ = r − deepening (r − φ)               (1)
//
// has the gap φ₁ at the end, for the solved velocities; r is the range of the law. least bounds the energy that the
// contact has at rest, and so what it may give to the bodies.
//
// A sharp edge that is thrust into a face along its own side opens along the normal of that side while its
// overlap grows: faces come in beyond its other side, which is turned away from them, and are nearer to
// the first one then. What stops it is the face itself. Of the normals m of the faces of the contact, from A to
// B, the one that closes fastest takes the place of n, where n opens or hardly closes,
//
//	n·d > 0.1 m·d,   φ → r − (r − φ)/max(n·m, 0.38),   d = d_B − d_A              (2)
//
// with the depth of the same side along m, bounded where m is nearly in its plane.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

const (
	// farMotion is the approach of a pair within a step, relative to the thinner of its items,
	// from which on contacts are sought at the end.
	farMotion = 0.05
	// deepening is the greatest depth over the mean depth of a part of a face that a corner
	// presses in, as of the height of a cone: the contact stands for its deepest point.
	deepening = 3
	// hardlyCloses is the rate at which a contact closes, over that of its face, below which the face
	// takes over.
	hardlyCloses = 0.1
)

// DeformablesMoveFar reports whether a pair with a deformable moves so far in the step that
// overlaps at its end may differ from those that contacts predict.
func (s *Data) DeformablesMoveFar() bool {
	for i := range s.pairs {
		if s.movesFar(&s.pairs[i]) {
			return true
		}
	}
	return false
}

// movesFar reports it of a pair. Parts of one body are left out.
func (s *Data) movesFar(p *itemPair) bool {
	geoms := int32(len(s.geoms))
	if p.b < geoms || p.a == p.b {
		return false
	}
	return s.approach(p) > farMotion*s.thinner(p)
}

// thinner returns the thickness of the thinner item of a pair with a deformable, m.
func (s *Data) thinner(p *itemPair) float64 {
	geoms := int32(len(s.geoms))
	thin := s.deformables[p.b-geoms].wall()
	if p.a < geoms {
		return min(thin, thickness(s.geoms[p.a].bounds_G))
	}
	return min(thin, s.deformables[p.a-geoms].wall())
}

// wall returns the mean thickness of the body's walls, twice its volume over its surface, m: of
// a sheet its thickness, of a cube a third of its edge.
func (s *deformableSurface) wall() float64 {
	if s.thin == 0 {
		volume, area := 0.0, 0.0
		o := &s.x_W[0]
		var a, b, c, n r3.Vec
		for i := range s.spec.Tris {
			t := &s.spec.Tris[i]
			x := &s.x_W[t[0]]
			a.SetSub(x, o)
			b.SetSub(&s.x_W[t[1]], x)
			c.SetSub(&s.x_W[t[2]], x)
			n.SetCross(&b, &c)
			volume, area = volume+a.DotOf(&n)/6, area+math.Sqrt(n.DotOf(&n))/2
		}
		s.thin = 2 * math.Abs(volume) / area
	}
	return s.thin
}

// CollideDeformables returns the contacts that Collide would return of pairs with a deformable,
// but those of a deformable with itself.
func (s *Data) CollideDeformables() []Contact {
	s.contacts = s.contacts[:0]
	if s.cannotTouch || len(s.deformables) == 0 {
		return s.contacts
	}
	// each worker has a query of its own, as in findHydroelasticContacts
	if size := s.Pool.Size(); len(s.queries) < size {
		s.queries = make([]hydroelastic.Query, size)
	}
	s.begin()
	s.place()
	s.findPairs()
	for i := range s.pairs {
		if s.halt.ends() {
			break
		}
		if p := &s.pairs[i]; int(p.b) >= len(s.geoms) && p.a != p.b {
			s.deformableContacts(p)
		}
	}
	return s.contacts
}

// AtStart makes a contact of the end of the step one of its start by (1). Motions are those of
// the rigid bodies, end the vertices of each deformable at the end, least is a gap, m.
func (s *Data) AtStart(c *Contact, motions []RigidMotion, end [][]r3.Vec, least float64) {
	// the force acts at the point of the face, where it is at the start
	face := &c.B
	if c.B.N == 0 {
		face = &c.A
	}
	c.Pos_W = s.materialPoint(face, s.X_W)
	var d r3.Vec
	for i, side := range [2]*MaterialPoint{&c.A, &c.B} {
		sign := float64(2*i - 1)
		if side.N == 0 {
			side.Pos_W = c.Pos_W
			d = d.AddScaled(sign, motionOf(motions, side.Body).linear(c.Pos_W))
			continue
		}
		if side != face {
			// in line with the force on the face, so that angular momentum is kept
			*side = s.deformables[side.Body-s.Model.NumRigid].extendedTo(c.Elem[i], c.Pos_W)
		}
		side.Pos_W = s.materialPoint(side, s.X_W)
		d = d.AddScaled(sign, s.materialPoint(side, end).Sub(side.Pos_W))
	}
	s.turnToFace(c, d, end)
	gap := s.ContactRange - deepening*(s.ContactRange-c.Phi) - c.Normal_W.Dot(d)
	c.Phi = max(gap, least)
}

// turnToFace applies (2) to a contact in the displacement d. Faces are where the vertices end.
func (s *Data) turnToFace(c *Contact, d r3.Vec, end [][]r3.Vec) {
	n := c.Normal_W
	fastest, depth := min(0, n.Dot(d)/hardlyCloses), s.ContactRange-c.Phi
	for i, side := range [2]*MaterialPoint{&c.A, &c.B} {
		if side.N == 0 {
			continue
		}
		k := side.Body - s.Model.NumRigid
		x, v := end[k], s.deformables[k].spec.Tris[c.Elem[i]]
		// faces of A look along the normal, those of B against it
		m := r3.TriangleNormal(x[v[0]], x[v[1]], x[v[2]]).Unit().Scale(float64(1 - 2*i))
		if rate := m.Dot(d); rate < fastest {
			fastest, c.Normal_W, c.Phi = rate, m, s.ContactRange-depth/max(n.Dot(m), -cosTurnedAway)
		}
	}
}

// extendedTo returns the material point of a triangle's tetrahedron that is at p_W.
func (s *deformableSurface) extendedTo(tri int32, p_W r3.Vec) MaterialPoint {
	_, a, b, c := s.corners(tri)
	_, w := r3.ClosestOnTriangle(p_W, a, b, c)
	return s.extended(tri, w, p_W)
}

// materialPoint returns where a point of a deformable is for the vertices x_W of each, m.
func (s *Data) materialPoint(p *MaterialPoint, x_W [][]r3.Vec) (at r3.Vec) {
	x := x_W[p.Body-s.Model.NumRigid]
	for k := range p.N {
		at = at.AddScaled(p.W[k], x[p.Vert[k]])
	}
	return at
}
