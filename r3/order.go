package r3

import "cmp"

// orderAxis is the direction along which ComparePoses compares. Its components have no
// simple ratio, so that round-off does not decide about bodies that are stacked along
// an axis of their frames.
var orderAxis = Vec{0.37, 0.61, 1}

// ComparePoses orders two poses by their relative pose: it returns −1 if A comes before
// B, 1 if B comes before A, and 0 if a half turn swaps them. The order does not depend
// on the frame W, and swapping the arguments changes the sign exactly. It gives two
// equal bodies an order that does not depend on their numbers.
//
// A comes first if p_AB·w > p_BA·w, with w a direction without meaning; with equal
// origins, if the axis of the rotation R_AB has a positive component along w.
func ComparePoses(X_WA, X_WB *Pose) int {
	var ab, p_AB, p_BA Vec // p_BA: its negative
	ab.SetSub(&X_WB.P, &X_WA.P)
	p_AB.SetTMul(&X_WA.R, &ab)
	p_BA.SetTMul(&X_WB.R, &ab)
	if c := cmp.Compare(-orderAxis.DotOf(&p_BA), orderAxis.DotOf(&p_AB)); c != 0 {
		return c
	}
	var R Mat
	R.SetTMul(&X_WA.R, &X_WB.R)
	axis := Vec{R[7] - R[5], R[2] - R[6], R[3] - R[1]}
	return cmp.Compare(0, orderAxis.DotOf(&axis))
}

// CompareVecs orders vectors lexicographically.
func CompareVecs(a, b *Vec) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}
