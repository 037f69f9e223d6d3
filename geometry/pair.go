package geometry

// Contact of two convex shapes at points. Closed forms exist for a half-space or a sphere
// against any convex shape, for two boxes and for two capsules; any other pair is
// searched by GJK and EPA (gjk.go, epa.go), and the faces around the closest points make
// the manifold (manifold.go).

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// pairContacts appends the contacts of two geoms whose shapes are at X_WA and X_WB (poses
// of the shapes: X_BG is applied) with φ < margin (m), at most ten. Elem is left to the
// caller. The force acts midway between the two surface points. Swapping a and b mirrors
// the contacts bit for bit, those of spheres to round-off. known has what is known of the distance of their cores at
// these poses, and gets what is found of it; nil: nothing is.
//
// Points share the stiffness of four springs of the materials on a face, two along an edge
// and one at a corner, see contact_weights.go.
func pairContacts(a, b *Geom, X_WA, X_WB r3.Pose, margin float64, known *coreDistance, dst []Contact) []Contact {
	if comesFirst(a.Shape, b.Shape, &X_WA, &X_WB) {
		return orderedContacts(a, b, &X_WA, &X_WB, margin, known, dst)
	}
	// The other order, mirrored.
	first := len(dst)
	dst = orderedContacts(b, a, &X_WB, &X_WA, margin, known, dst)
	for i := first; i < len(dst); i++ {
		dst[i].mirror()
	}
	return dst
}

// mirror swaps the bodies of a contact.
func (c *Contact) mirror() {
	c.A, c.B = c.B, c.A
	c.Materials[0], c.Materials[1] = c.Materials[1], c.Materials[0]
	c.Elem[0], c.Elem[1] = c.Elem[1], c.Elem[0]
	c.Normal_W = c.Normal_W.Neg()
}

// orderedContacts appends the contacts of a pair in the order of comesFirst.
func orderedContacts(a, b *Geom, X_WA, X_WB *r3.Pose, margin float64, known *coreDistance, dst []Contact) []Contact {
	// A sphere needs no more of the other shape than its distance.
	if A, ok := a.Shape.(*Sphere); ok {
		return sphereContacts(A, a, b, X_WA, X_WB, margin, dst)
	}
	var p manifold
	// comesFirst puts half-spaces first: both are half-spaces.
	if isHalfSpace(b.Shape) {
		return dst // two half-spaces bound nothing
	}
	B, ok := b.Shape.(SupportMap)
	if !ok {
		panic(fmt.Sprintf("geometry: no convex contact for %T", b.Shape))
	}
	// A half-space needs no more of the other shape than its lowest face.
	if isHalfSpace(a.Shape) {
		halfSpaceContacts(B, X_WA, X_WB, margin, &p)
		return p.appendTo(dst, a, b, X_WA)
	}
	// A panic here means that a shape is neither convex nor general.
	A, ok := a.Shape.(SupportMap)
	if !ok {
		panic(fmt.Sprintf("geometry: no convex contact for %T", a.Shape))
	}
	// Any two convex shapes.
	k := cores{A: A, B: B, distance: known}
	k.X_AB.SetInvMul(X_WA, X_WB)
	k.contacts(margin, &p)
	return p.appendTo(dst, a, b, X_WA)
}

// contacts finds the contact points of any two convex shapes with φ < margin, by a closed
// form where there is one.
func (k *cores) contacts(margin float64, out *manifold) {
	// Both shapes are of one kind.
	switch A := k.A.(type) {
	case *Box:
		if B, ok := k.B.(*Box); ok {
			k.boxContacts(A, B, margin, out)
			return
		}
	case *Capsule:
		if B, ok := k.B.(*Capsule); ok {
			capsuleContacts(A, B, k.X_AB, margin, out)
			return
		}
	}
	k.convexContacts(margin, out)
}

// convexContacts finds the contact points of any two convex shapes: the closest points of
// their cores, then the faces around them.
func (k *cores) convexContacts(margin float64, out *manifold) {
	// Shapes that are farther apart than the margin make no contacts.
	c, ok := k.closestWithin(margin + k.A.Rounding() + k.B.Rounding())
	if !ok {
		out.n = 0
		return
	}
	k.manifold(c, margin, out)
}

// appendTo appends the manifold as contacts in the world.
func (p *manifold) appendTo(dst []Contact, a, b *Geom, X_WA *r3.Pose) []Contact {
	from := len(dst)
	// From A's frame into the world.
	for i := range p.n {
		q := &p.pt[i]
		if q.w < leastWeight { // takes no part, and 0 stands for 1
			continue
		}
		var x_W, n_W r3.Vec
		n_W.SetMul(&X_WA.R, &q.n)
		x_W.SetPoint(X_WA, &q.a)
		dst = appendContact(dst, a, b, &x_W, &n_W, q.phi)
		dst[len(dst)-1].Weight = q.w
	}
	var f faceFriction
	f.spreadAll(dst[from:], p.round)
	return dst
}

// appendContact appends a contact at the point x_W of A's surface with the gap phi along
// n_W.
func appendContact(dst []Contact, a, b *Geom, x_W, n_W *r3.Vec, phi float64) []Contact {
	dst = append(dst, Contact{})
	c := &dst[len(dst)-1]
	c.A.Body, c.B.Body = a.Body, b.Body
	c.Materials[0], c.Materials[1] = a.Material, b.Material
	c.Phi = phi
	// The point of B lies phi farther along the normal, the force acts midway.
	for i := range x_W {
		c.Normal_W[i] = n_W[i]
		c.A.Pos_W[i] = x_W[i]
		c.B.Pos_W[i] = x_W[i] + phi*n_W[i]
		c.Pos_W[i] = x_W[i] + phi/2*n_W[i]
	}
	return dst
}
