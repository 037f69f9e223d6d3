package geometry

import (
	"cmp"
	"reflect"

	"github.com/curlfree/curlfree/r3"
)

// Contacts of a pair are computed in an order of its two shapes that does not depend on
// the numbers of their bodies, so that these decide nothing but the direction of the
// normals. The shape that comes first is, of A and B,
//
//	the one whose kind comes first in kindOrder                             (1)
//	of one kind the smaller one, by bounds, then by vertices                (2)
//	of equal shapes the one that r3.ComparePoses puts first                 (3)
//
// Only where a half turn swaps two equal shapes does the order of the bodies decide;
// the contacts are then the same to round-off, for they share this symmetry.

// comesFirst reports whether the contacts of shapes at given poses are computed with a
// as the first shape.
func comesFirst(a, b Shape, X_WA, X_WB *r3.Pose) bool {
	if _, ok := a.(*Sphere); ok && kindOrder(b) == kindOrder(a) && X_WA.P != X_WB.P {
		return true // the line through two centres is the same in either order
	}
	c := compareShapes(a, b)
	if c == 0 {
		c = r3.ComparePoses(X_WA, X_WB)
	}
	return c <= 0
}

// compareShapes orders shapes by (1) and (2): negative if a comes first, 0 for equal
// shapes.
func compareShapes(a, b Shape) int {
	i, j := kindOrder(a), kindOrder(b)
	if i == j && i == otherKind {
		if c := cmp.Compare(reflect.TypeOf(a).String(), reflect.TypeOf(b).String()); c != 0 {
			return c
		}
	}
	if i != j || a == b {
		return cmp.Compare(i, j)
	}
	x, y := a.Bounds(), b.Bounds()
	if c := cmp.Or(r3.CompareVecs(&x.Max, &y.Max), r3.CompareVecs(&x.Min, &y.Min)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case *Convex:
		return compareVerts(a.surface.Verts, b.(*Convex).surface.Verts)
	case *Mesh:
		return compareVerts(a.surface.Verts, b.(*Mesh).surface.Verts)
	}
	return 0
}

// otherKind is the place of kinds that are not listed in kindOrder. They are ordered by
// the names of their types.
const otherKind = 7

// kindOrder returns the place of a kind of shape in (1). Half-spaces and spheres have a
// closed form against everything and come first.
func kindOrder(s Shape) int {
	switch s.(type) {
	case HalfSpace, *HalfSpace:
		return 0
	case *Sphere:
		return 1
	case *Box:
		return 2
	case *Capsule:
		return 3
	case *Cylinder:
		return 4
	case *Ellipsoid:
		return 5
	case *Convex:
		return 6
	case *Mesh:
		return otherKind + 1
	}
	return otherKind
}

// compareVerts orders lists of vertices by their lengths, then lexicographically.
func compareVerts(a, b []r3.Vec) int {
	if len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	for i := range a {
		if c := r3.CompareVecs(&a[i], &b[i]); c != 0 {
			return c
		}
	}
	return 0
}
