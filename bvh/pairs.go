package bvh

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Separating axis test of oriented bounding boxes: two boxes, one rotated, do not overlap
// when a plane across one of 15 axes separates them: the face normals of both, and the
// cross products of their edges. With half extents h_A, h_B, centres a distance d apart in
// A, and R the rotation of B,
//
//	|d_i| > h_A,i + margin + Σ_j |R_ij| h_B,j            face axes of A       (1)
//	|Σ_i R_ij d_i| > h_B,j + margin + Σ_i |R_ij| h_A,i   face axes of B       (2)
//
// Only these six are tested: without the cross products some pairs too many are
// reported, of boxes close to each other, at half of the cost.
//
// Source: Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996.

// Pairs appends to dst the pairs (item of t, item of u) whose boxes come within
// margin of each other when u, whose boxes are in frame U, is placed by X_TU. The
// test is (1) and (2), so that a few pairs that are farther apart may be among them. The
// order is that of the trees. margin is in the unit of the boxes.
func (t *Tree) Pairs(u *Tree, X_TU r3.Pose, margin float64, dst [][2]int32) [][2]int32 {
	if len(t.nodes) == 0 || len(u.nodes) == 0 {
		return dst
	}
	s := newSeparation(&X_TU, margin)
	// descend both trees, the larger box first
	var stack [2 * maxDepth][2]int32
	for top := 1; top > 0; {
		top--
		e := stack[top]
		// apart, two leaves, or a node to be replaced by its children
		a, b := &t.nodes[e[0]], &u.nodes[e[1]]
		switch {
		case !s.near(&a.Box, &b.Box):
		case a.Leaf() && b.Leaf():
			for i := a.Lo; i < a.Hi; i++ {
				for j := b.Lo; j < b.Hi; j++ {
					if s.near(&t.boxes[i], &u.boxes[j]) {
						dst = append(dst, [2]int32{t.order[i], u.order[j]})
					}
				}
			}
		case b.Leaf() || !a.Leaf() && a.Box.Size().Norm2() >= b.Box.Size().Norm2():
			stack[top], stack[top+1] = [2]int32{a.Right, e[1]}, [2]int32{e[0] + 1, e[1]}
			top += 2
		default:
			stack[top], stack[top+1] = [2]int32{e[0], b.Right}, [2]int32{e[0], e[1] + 1}
			top += 2
		}
	}
	return dst
}

// separation tests a box against one moved by X.
type separation struct {
	X      r3.Pose // of B in A
	abs    r3.Mat  // |X.R|
	margin float64 // distance up to which boxes are near
}

// newSeparation prepares tests for one pose: |R| is the same for all boxes.
func newSeparation(X *r3.Pose, margin float64) separation {
	s := separation{X: *X, margin: margin}
	for i, r := range X.R {
		s.abs[i] = math.Abs(r)
	}
	return s
}

// around sets to to the bounds of the moved box, grown by the margin: centre R c + p, half
// extents |R| h.
func (s *separation) around(b, to *r3.Box) {
	c0, c1, c2 := 0.5*(b.Max[0]+b.Min[0]), 0.5*(b.Max[1]+b.Min[1]), 0.5*(b.Max[2]+b.Min[2])
	h0, h1, h2 := 0.5*(b.Max[0]-b.Min[0]), 0.5*(b.Max[1]-b.Min[1]), 0.5*(b.Max[2]-b.Min[2])
	R, Q := &s.X.R, &s.abs
	for k := range 3 {
		c := R[3*k]*c0 + R[3*k+1]*c1 + R[3*k+2]*c2 + s.X.P[k]
		h := Q[3*k]*h0 + Q[3*k+1]*h1 + Q[3*k+2]*h2 + s.margin
		to.Min[k], to.Max[k] = c-h, c+h
	}
}

// near reports whether neither (1) nor (2) is true on any axis. It is called for every pair
// of nodes: it is written out, and returns at the first axis that separates.
func (s *separation) near(a, b *r3.Box) bool {
	// half extents and centres
	ha0, ha1, ha2 := 0.5*(a.Max[0]-a.Min[0]), 0.5*(a.Max[1]-a.Min[1]), 0.5*(a.Max[2]-a.Min[2])
	hb0, hb1, hb2 := 0.5*(b.Max[0]-b.Min[0]), 0.5*(b.Max[1]-b.Min[1]), 0.5*(b.Max[2]-b.Min[2])
	if ha0 < 0 || hb0 < 0 {
		return false // an empty box meets nothing
	}
	cb0, cb1, cb2 := 0.5*(b.Max[0]+b.Min[0]), 0.5*(b.Max[1]+b.Min[1]), 0.5*(b.Max[2]+b.Min[2])
	R, Q, m := &s.X.R, &s.abs, s.margin
	// (1)
	d0 := R[0]*cb0 + R[1]*cb1 + R[2]*cb2 + s.X.P[0] - 0.5*(a.Max[0]+a.Min[0])
	if math.Abs(d0) > ha0+m+Q[0]*hb0+Q[1]*hb1+Q[2]*hb2 {
		return false
	}
	d1 := R[3]*cb0 + R[4]*cb1 + R[5]*cb2 + s.X.P[1] - 0.5*(a.Max[1]+a.Min[1])
	if math.Abs(d1) > ha1+m+Q[3]*hb0+Q[4]*hb1+Q[5]*hb2 {
		return false
	}
	d2 := R[6]*cb0 + R[7]*cb1 + R[8]*cb2 + s.X.P[2] - 0.5*(a.Max[2]+a.Min[2])
	if math.Abs(d2) > ha2+m+Q[6]*hb0+Q[7]*hb1+Q[8]*hb2 {
		return false
	}
	// (2)
	return math.Abs(R[0]*d0+R[3]*d1+R[6]*d2) <= hb0+m+Q[0]*ha0+Q[3]*ha1+Q[6]*ha2 &&
		math.Abs(R[1]*d0+R[4]*d1+R[7]*d2) <= hb1+m+Q[1]*ha0+Q[4]*ha1+Q[7]*ha2 &&
		math.Abs(R[2]*d0+R[5]*d1+R[8]*d2) <= hb2+m+Q[2]*ha0+Q[5]*ha1+Q[8]*ha2
}
