package geometry

// Which face of a solid a vertex or an edge inside of it touches. The nearest face is not
// always the one that is met: where two bodies cut from one plate lie side by side, their end
// faces are flush, and every vertex at the line of contact lies on the end face of the other
// body, at a depth of 0. What sets it apart is the rest of its own body, which runs on below
// that end face. With d_i the unit directions of the edges that leave the vertex (its star)
// and l_i the lengths along them, also beyond the edges, that lie in both bodies, these leave a face of unit normal g,
// at which the vertex has the depth δ, when they move along g by
//
//	δ_g = δ + max(0, max_i −l_i d_i·g)                                    (1)
//
// and the face that the vertex touches is that of least δ_g: the shortest way out. It is no way out at all where it
// is that of the whole body.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// spoke is an edge that leaves a vertex: its direction and its length (m).
type spoke struct {
	d r3.Vec
	l float64
}

// star is the neighbourhood of a vertex on its own surface: the mean outward normal and the edges. Without either
// any direction may touch.
type star struct {
	normal r3.Vec
	spokes []spoke
	// plane faces at the vertex
	faces []int32
}

const (
	// dives is the sine of the angle to a face, 70°, from which on an edge runs straight into it.
	dives = 0.94
	// level is the sine of the angle up to which an edge lies along a face.
	level = 1e-6
	// shortest is the share of an edge below which what lies in the solid does not count.
	shortest = 1e-3
	// slopShare is the distance from a surface within which a point counts as on it, over the size of the smaller
	// shape.
	slopShare = 1e-8
	// deepestVertex is the depth up to which a face is sought other than the nearest one, over
	// the least extent of the two shapes: the middle of the thinner one.
	deepestVertex = 0.5
)

// runsInto returns the largest sine of the angle by which an edge of the star
// runs into a face of the normal g, 1 where the vertex is turned away from it as on the far side of a
// thin wall; g is in the frame of the star.
func (s *star) runsInto(g *r3.Vec) (sine float64) {
	if turnsAway(s.normal, *g) {
		return 1
	}
	for i := range s.spokes {
		if down := -s.spokes[i].d.DotOf(g); down > level {
			sine = max(sine, down)
		}
	}
	return sine
}

// sharedStar is what two bodies have in common about a point p of the surface of one of them that lies in the other:
// the star at p in the frame of the other, with lengths that are negative until they are asked for.
type sharedStar struct {
	own, other *side
	X_OwnOther r3.Pose
	p          r3.Vec
	star
	// lengths count up to most; points are on a surface within slop, m
	most, slop float64
}

// excess returns the second term of (1), m, and the largest sine of the angle by which an edge within both bodies runs
// into a face of the normal g.
func (v *sharedStar) excess(g *r3.Vec) (depth, sine float64) {
	if turnsAway(v.normal, *g) {
		return math.Inf(1), 1
	}
	for i := range v.spokes {
		e := &v.spokes[i]
		down := -e.d.DotOf(g)
		if down <= level {
			continue
		}
		if e.l < 0 {
			e.l = v.length(&e.d, -e.l)
		}
		if e.l > 0 {
			sine, depth = max(sine, down), max(depth, down*e.l)
		}
	}
	return depth, sine
}

// length returns the length, to a sixteenth, along the unit vector d that lies in both bodies, m; edge is that of an
// edge of the body itself.
func (v *sharedStar) length(d *r3.Vec, edge float64) float64 {
	in := func(t float64) bool {
		x := v.p.AddScaled(t, *d)
		if phi, _ := v.other.distance.at(x); phi > v.slop {
			return false
		}
		if t <= edge {
			return true
		}
		phi, _ := v.own.distance.at(v.X_OwnOther.Point(x))
		return phi <= v.slop
	}
	// Halve or double, then bisect.
	t := min(max(edge, shortest*v.most), v.most)
	for least := shortest * t; !in(t); {
		if t /= 2; t < least {
			return 0
		}
	}
	for next := min(2*t, v.most); next > t && in(next); next = min(2*t, v.most) {
		t = next
	}
	for step := t / 2; t < v.most && step > t/20; step /= 2 {
		if in(t + step) {
			t += step
		}
	}
	return t
}

// faced is a convex shape with faces, plane or not.
type faced interface {
	numFaces() int
	// height returns the distance from a face along its outward normal, m, and the normal;
	// of points in the shape all are negative.
	height(face int, p_G r3.Vec) (phi float64, n r3.Vec)
}

// touched returns the gap (m) and the gradient there of the face of a solid that a point with the given star
// touches, from those of the nearest point of its surface: (1). All are in the frame of the
// solid, R turns the star into it. It returns false where the
// body only leaves the solid as a whole; own is the side of the point, o that of the solid.
func (m *meshScratch) touched(own, o *side, p *r3.Vec, phi float64, g r3.Vec, s *star, R *r3.Mat) (float64, r3.Vec, bool) {
	var g_S r3.Vec
	g_S.SetTMul(R, &g)
	sine := s.runsInto(&g_S)
	if sine == 0 {
		return phi, g, true
	}
	// Outside there is no other face.
	if phi > m.slop {
		return phi, g, sine < dives
	}
	in := &m.shared
	*in = sharedStar{own, o, own.X_AS.Inv().Mul(o.X_AS), *p, star{normal: R.MulVec(s.normal), spokes: in.spokes[:0]}, m.thickness, m.slop}
	for _, e := range s.spokes {
		in.spokes = append(in.spokes, spoke{R.MulVec(e.d), -e.l})
	}
	reach := deepestVertex * m.thickness
	excess, sine := in.excess(&g)
	least, ok := max(0, -phi)+excess, sine < dives
	switch shape := o.distance.shape.(type) {
	case *Mesh:
		if f := shape.touched(in, reach, least); f >= 0 {
			a, _, _ := shape.corners(f)
			g = shape.distance().FaceNormal(f)
			return p.Sub(a).Dot(g), g, true
		}
	case faced:
		for i := range shape.numFaces() {
			height, n := shape.height(i, *p)
			e, _ := in.excess(&n)
			if delta := max(0, -height) + e; delta < min(least, reach) {
				least, phi, g, ok = delta, height, n, true
			}
		}
	}
	return phi, g, ok || least < reach
}

// touched returns the triangle of least depth (1) if that is less than the given one and reach, m; −1 if there is
// none. The way there must run inside the solid.
func (o *Mesh) touched(v *sharedStar, reach, least float64) int32 {
	p := &v.p
	least = min(least, reach)
	dist := o.distance()
	f, _ := dist.Tree().Nearest(*p, least*least, func(i int32) float64 {
		a, b, c := o.corners(i)
		n := dist.FaceNormal(i)
		q, _ := r3.ClosestOnTriangle(*p, a, b, c)
		away := q.Sub(*p)
		// Seen from the back, as from the inside, or in its plane.
		if away.Dot(n) < -v.slop || n == (r3.Vec{}) {
			return math.Inf(1)
		}
		e, _ := v.excess(&n)
		delta := away.Norm() + e
		return delta * delta
	})
	if f < 0 {
		return f
	}
	// Another wall is not reached through the open.
	a, b, c := o.corners(f)
	q, _ := r3.ClosestOnTriangle(*p, a, b, c)
	if phi, _ := o.SignedDistance(p.Lerp(q, 0.5)); phi > v.slop {
		return -1
	}
	return f
}

// starsOf returns the stars of the vertices of a surface, without their normals; first gives for each vertex the one
// that stands for it.
func starsOf(m *meshes.Tri, first []int32) []star {
	stars := make([]star, len(m.Verts))
	for _, t := range m.Tris {
		for k := range t {
			// Each edge of a closed surface runs once in either direction.
			a, b := first[t[k]], first[t[(k+1)%3]]
			if d := m.Verts[b].Sub(m.Verts[a]); a != b {
				l := d.Norm()
				stars[a].spokes = append(stars[a].spokes, spoke{d.Scale(1 / l), l})
			}
		}
	}
	return stars
}

// star returns that of a point on the edge: the edge both ways and the two faces, whose extent counts as
// that of the edge. It is made in the memory given.
func (e *edge) star(x r3.Vec, dst *[4]spoke) star {
	if e.n == (r3.Vec{}) {
		return star{}
	}
	along := e.b.Sub(e.a)
	l := along.Norm()
	d := along.Scale(1 / l)
	*dst = [4]spoke{{d, e.b.Sub(x).Norm()}, {d.Neg(), x.Sub(e.a).Norm()}, {e.n.Cross(d), l}, {d.Cross(e.m), l}}
	return star{normal: e.n.Add(e.m).Unit(), spokes: dst[:]}
}
