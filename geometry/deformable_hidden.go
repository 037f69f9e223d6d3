package geometry

// Whether the field may reach a level on a sub-triangle on which no sample does. By (3) of
// deformable_clip.go alone, which is 2.7 times the error of the linear interpolation of a cylinder's field, four in
// five of the divisions that it asks for find nothing. A convex field is at least as great as each of its tangents, and
// reaches a level l only where all of them do,
//
//	{x: φ(x) ≤ l} ⊂ ∩_i {x: φ_i + ∇φ_i·(x − x_i) ≤ l + v},                           (1)
//
// a polygon, which is empty most times. v is 0 where the samples agree with a convex field, else the most by which a
// tangent exceeds the field at another sample. More samples, at the middles of edges or at the centroid of the
// polygon, cost what they save.

// numTangents are those at the corners and in the middle of a sub-triangle.
const numTangents = 4

// levelSet is (1) for a sub-triangle.
type levelSet struct {
	// tangents at the corners of the sub-triangle, m
	tangents [numTangents][3]float64
	// v of (1), m
	slack float64
}

// place sets the samples at the corners and in the middle.
func (l *levelSet) place(corners *[3]*sample, m *sample) {
	l.slack = 0
	for i, s := range [numTangents]*sample{corners[0], corners[1], corners[2], m} {
		t := &l.tangents[i]
		for k, x := range corners {
			t[k] = s.tangent(&x.pos_W)
			if k != i {
				l.slack = max(l.slack, t[k]-x.phi)
			}
		}
		if i < len(corners) {
			l.slack = max(l.slack, (t[0]+t[1]+t[2])/3-m.phi)
		}
	}
}

// reaches reports whether the field of the sub-triangle may be at most level: whether (1) is not empty.
func (l *levelSet) reaches(level float64) bool {
	level += l.slack
	p := polygonUV{n: 3}
	p.v[1][0], p.v[2][1] = 1, 1
	for i := 0; i < numTangents && p.n > 0; i++ {
		if t := &l.tangents[i]; max(t[0], t[1], t[2]) > level {
			p = p.keep(t[0]-level, t[1]-t[0], t[2]-t[0])
		}
	}
	return p.n > 0
}

// polygonUV is a convex polygon in the last two barycentric coordinates of a sub-triangle: each tangent adds a vertex
// at most.
type polygonUV struct {
	n int
	v [3 + numTangents][2]float64
}

// keep returns the part where f + fu u + fv v ≤ 0.
func (p *polygonUV) keep(f, fu, fv float64) (q polygonUV) {
	a := &p.v[p.n-1]
	fa := f + fu*a[0] + fv*a[1]
	for i := range p.n {
		b := &p.v[i]
		fb := f + fu*b[0] + fv*b[1]
		if fa < 0 && fb > 0 || fa > 0 && fb < 0 {
			// the zero between the vertices
			s := fa / (fa - fb)
			q.v[q.n] = [2]float64{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}
			q.n++
		}
		if fb <= 0 {
			q.v[q.n] = *b
			q.n++
		}
		a, fa = b, fb
	}
	return q
}
