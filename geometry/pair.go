package geometry

import (
	"fmt"

	"curlfree/r3"
)

// pairContacts appends the contacts of two geoms whose shapes stand at X_WA and
// X_WB (poses of the shapes: X_BG is applied) with φ < margin (m), at most eight.
// Elem is left to the caller. The force acts midway between the two surface
// points. Swapping a and b mirrors the contacts bit for bit.
//
// A point has its own stiffness: eight points are eight springs.
func pairContacts(a, b *Geom, X_WA, X_WB r3.Pose, margin float64, dst []Contact) []Contact {
	ra, rb := rank(a.Shape), rank(b.Shape)
	if ra < rb || ra == rb && a.Body <= b.Body {
		return orderedContacts(a, b, X_WA, X_WB, margin, dst)
	}
	first := len(dst)
	dst = orderedContacts(b, a, X_WB, X_WA, margin, dst)
	for i := first; i < len(dst); i++ {
		dst[i].mirror()
	}
	return dst
}

// mirror swaps the sides of a contact.
func (c *Contact) mirror() {
	c.A, c.B = c.B, c.A
	c.Mat[0], c.Mat[1] = c.Mat[1], c.Mat[0]
	c.Elem[0], c.Elem[1] = c.Elem[1], c.Elem[0]
	c.Normal_W = c.Normal_W.Neg()
}

// rank orders the shapes of a pair: those with a closed form against everything
// come first.
func rank(s Shape) int {
	if isHalfSpace(s) {
		return 0
	}
	if _, ok := s.(*Sphere); ok {
		return 1
	}
	return 2
}

func orderedContacts(a, b *Geom, X_WA, X_WB r3.Pose, margin float64, dst []Contact) []Contact {
	var p patch
	if A, ok := a.Shape.(*Sphere); ok {
		sphereContacts(A, b.Shape, X_WA, X_WB, margin, &p)
		return p.appendTo(dst, a, b, X_WA)
	}
	if isHalfSpace(b.Shape) {
		return dst // two half-spaces bound nothing
	}
	B, ok := b.Shape.(Supporter)
	if !ok {
		panic(fmt.Sprintf("geometry: no convex contact for %T", b.Shape))
	}
	if isHalfSpace(a.Shape) {
		halfSpaceContacts(B, X_WA, X_WB, margin, &p)
		return p.appendTo(dst, a, b, X_WA)
	}
	A, ok := a.Shape.(Supporter)
	if !ok {
		panic(fmt.Sprintf("geometry: no convex contact for %T", a.Shape))
	}
	k := newCores(A, B, X_WA, X_WB)
	k.contacts(margin, &p)
	return p.appendTo(dst, a, b, X_WA)
}

// contacts finds the contact points of any two convex shapes, by a closed form
// where there is one.
func (k *cores) contacts(margin float64, out *patch) {
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

// convexContacts is the generic path: closest points, then the faces around
// them.
func (k *cores) convexContacts(margin float64, out *patch) {
	c, ok := k.closest(margin + k.A.Rounding() + k.B.Rounding())
	if !ok {
		out.n = 0
		return
	}
	k.patch(c, margin, out)
}

// appendTo appends the patch as contacts of the world.
func (p *patch) appendTo(dst []Contact, a, b *Geom, X_WA r3.Pose) []Contact {
	for i := range p.n {
		q := &p.pt[i]
		n := X_WA.R.MulVec(q.n)
		x := X_WA.Point(q.a)
		dst = append(dst, Contact{
			A:        Feature{Body: a.Body, Pos_W: x},
			B:        Feature{Body: b.Body, Pos_W: x.AddScaled(q.phi, n)},
			Mat:      [2]int{a.Material, b.Material},
			Pos_W:    x.AddScaled(q.phi/2, n),
			Normal_W: n,
			Phi:      q.phi,
		})
	}
	return dst
}
