package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Query computes contact surfaces and has the working memory for that: reuse it, one
// for each goroutine. The zero value is ready.
//
// A face on which the angle between the surface normal and a body's pressure gradient
// is more than 105° (cosFadeStart) is faded out: its effective area decreases to zero
// at 112.5° (cosFadeEnd), beyond which the face belongs to the far side of the body.
// The gradients (3) of an inclined face are bounded below by minGradientShare of their
// length, and the depth −φ by that of the bodies: otherwise a face on the rim with a
// pressure and no stiffness would push at any distance.
type Query struct {
	// AllFaces keeps the faces that turn away: the surface is then closed around a body
	// inside of another, and its force conservative.
	AllFaces bool

	// pairs of elements, and cells near a half-space
	pairs [][2]int32
	items []int32
	// vertices and elements of N in the frame of M
	placed placedVerts
	// of the pair in question
	tris  triangleProbe
	cells cellProbe

	// the cells of the pair in question
	cellM, cellN cellCorners
	// the polygons that are cut of each
	p, q polygon
	// working memory
	r, rest polygon
	out     output
}

const (
	// cosFadeEnd is the cosine between the normal and the direction in which the pressure
	// falls from which on a face does not count, 112.5°.
	cosFadeEnd = -0.38268343236508977
	// cosFadeStart is the cosine at which faces begin to fade, 105°.
	cosFadeStart = -0.25881904510252074
	// minGradientShare is the least gradient along the normal over the length of the
	// gradient, sin 15°.
	minGradientShare = 0.25881904510252074
)

const (
	// snap is the height, relative to the size, below which a corner counts as on the
	// plane: a hundred times round-off, so that a plane along a shared face finds that
	// face from either side.
	snap = 2e-14
	// tinyFace is the area of a face below which it is dropped, over the square of the
	// size of its cell.
	tinyFace = 1e-12
)

// Contact sets dst to the contact surface of A and B at the given poses in a common frame
// W. The faces come in an order that depends on the bodies and poses alone, and swapping
// A and B changes nothing but the direction of the normals. It reports whether the pair
// can have a contact surface: two rigid bodies and two half-spaces cannot, and need
// another kind of contact.
func (q *Query) Contact(A, B Geometry, X_WA, X_WB r3.Pose, dst *ContactSurface) bool {
	dst.Reset()
	q.out = output{dst: dst, X_W: X_WA, all: q.AllFaces}
	// The side that comes first is M; if it is B, the faces are flipped.
	ok := false
	if comesFirst(A, B, &X_WA, &X_WB) {
		ok = q.find(A, B, X_WA.Inv().Mul(X_WB))
	} else {
		q.out.X_W, q.out.flip = X_WB, true
		ok = q.find(B, A, X_WB.Inv().Mul(X_WA))
	}
	// The surface belongs to the caller.
	q.out.dst = nil
	if ok {
		dst.Sum()
	}
	return ok
}

// find cuts the pair; it is false unless M is a kind of body that may come first.
func (q *Query) find(M, N Geometry, X_MN r3.Pose) bool {
	// Cells first, then the triangles of a rigid body against a half-space.
	switch M := M.(type) {
	case *Compliant:
		switch N := N.(type) {
		case *Compliant:
			q.compliantCompliant(M, N, X_MN)
		case *Rigid:
			q.compliantRigid(M, N, X_MN)
		case *HalfSpace:
			if N.Compliant() {
				q.compliantHalfSpace(M, N, X_MN)
			} else {
				q.compliantRigidHalfSpace(M, X_MN)
			}
		default:
			return false
		}
		return true
	case *HalfSpace:
		if N, ok := N.(*Rigid); ok && M.Compliant() {
			q.halfSpaceRigid(M, N, X_MN)
			return true
		}
	}
	return false
}

// placedVerts are vertices of one body in the frame of another, computed when they are
// asked for.
type placedVerts struct {
	X    r3.Pose
	from []r3.Vec
	x    []r3.Vec
	seen stampSet
}

// reset clears all positions; from are the vertices in their own frame.
func (p *placedVerts) reset(X r3.Pose, from []r3.Vec) {
	p.X, p.from = X, from
	p.seen.reset(len(from))
	if len(p.x) < len(from) {
		p.x = make([]r3.Vec, len(from))
	}
}

// at returns the position of a vertex.
func (p *placedVerts) at(v int32) *r3.Vec {
	// Each vertex is placed once.
	if p.seen.add(v) {
		p.x[v].SetPoint(&p.X, &p.from[v])
	}
	return &p.x[v]
}

// stampSet is a set of small numbers that is emptied in constant time.
type stampSet struct {
	// round in which each number was added last
	last []uint32
	now  uint32
}

// reset empties the set; its numbers are below n.
func (s *stampSet) reset(n int) {
	if len(s.last) < n {
		s.last, s.now = make([]uint32, n), 0
	}
	// The count of rounds would overflow.
	if s.now == math.MaxUint32 {
		clear(s.last)
		s.now = 0
	}
	s.now++
}

// add adds i and reports whether it is new.
func (s *stampSet) add(i int32) bool {
	fresh := s.last[i] != s.now
	s.last[i] = s.now
	return fresh
}
