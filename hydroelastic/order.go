package hydroelastic

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// comesFirst reports whether the contact surface of two bodies at given poses is
// computed with A as the first body M of find. The order depends on the bodies alone:
// swapping A and B flips the surface and changes no bit. Of two equal fields the one
// that r3.ComparePoses puts first comes first.
func comesFirst(A, B Geometry, X_WA, X_WB *r3.Pose) bool {
	i, j := sideOrder(A), sideOrder(B)
	if i != j {
		return i < j
	}
	a, ok := A.(*Compliant)
	if !ok {
		return true
	}
	c := compareFields(a, B.(*Compliant))
	if c == 0 {
		c = r3.ComparePoses(X_WA, X_WB)
	}
	return c <= 0
}

// sideOrder returns the place of a kind of body in the order of find.
func sideOrder(g Geometry) int {
	// The cells of the first body are cut by the second.
	switch g.(type) {
	case *Compliant:
		return 0
	case *HalfSpace:
		return 1
	}
	return 2
}

// compareFields orders pressure fields by their numbers of cells, their stiffness and
// their vertices: negative if a comes first, 0 for equal fields.
func compareFields(a, b *Compliant) int {
	if a == b {
		return 0
	}
	// Numbers that differ for most pairs come first.
	return cmp.Or(cmp.Compare(len(a.cells), len(b.cells)), cmp.Compare(a.modulus, b.modulus),
		cmp.Compare(a.depth, b.depth), cmp.Compare(a.margin, b.margin),
		cmp.Compare(len(a.verts), len(b.verts)), compareVerts(a.verts, b.verts))
}

// compareVerts orders lists of vertices by their lengths, then lexicographically.
func compareVerts(a, b []r3.Vec) int {
	return slices.CompareFunc(a, b, func(x, y r3.Vec) int { return r3.CompareVecs(&x, &y) })
}
