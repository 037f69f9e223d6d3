package bvh

import (
	"math"

	"curlfree/r3"
)

// Pairs appends to dst the pairs (item of t, item of u) whose boxes come within
// margin of each other when u, whose boxes are in frame U, is placed by X_TU. The
// test separates along the face axes of both boxes, so that it may report a
// few pairs that are farther apart. The order is that of the trees.
func (t *Tree) Pairs(u *Tree, X_TU r3.Pose, margin float64, dst [][2]int32) [][2]int32 {
	if len(t.nodes) == 0 || len(u.nodes) == 0 {
		return dst
	}
	s := separation{X: X_TU, margin: margin}
	for i, r := range X_TU.R {
		s.abs[i] = math.Abs(r)
	}
	var stack [2 * maxDepth][2]int32
	for top := 1; top > 0; {
		top--
		e := stack[top]
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

// separation tests a box against one moved by X along the six face axes.
type separation struct {
	X      r3.Pose
	abs    r3.Mat // |X.R|
	margin float64
}

func (s *separation) near(a, b *r3.Box) bool {
	if a.Min[0] > a.Max[0] || b.Min[0] > b.Max[0] {
		return false // an empty box meets nothing
	}
	ha, hb := a.Size().Scale(0.5), b.Size().Scale(0.5)
	d := s.X.Point(b.Center()).Sub(a.Center()) // between the centres, in a's axes
	r := s.abs.MulVec(hb)
	for k := range d {
		if math.Abs(d[k]) > ha[k]+r[k]+s.margin {
			return false
		}
	}
	d, r = s.X.R.TMulVec(d), s.abs.TMulVec(ha)
	for k := range d {
		if math.Abs(d[k]) > hb[k]+r[k]+s.margin {
			return false
		}
	}
	return true
}
