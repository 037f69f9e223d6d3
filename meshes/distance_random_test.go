package meshes_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/r3"
)

// bruteDistance is the distance to the nearest of all triangles.
func bruteDistance(m *meshes.Tri, p r3.Vec) float64 {
	best := math.Inf(1)
	for _, t := range m.Tris {
		q, _ := r3.ClosestOnTriangle(p, m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]])
		best = min(best, p.Sub(q).Norm())
	}
	return best
}

// rayInside counts the crossings of a ray with all triangles, in a direction that is
// unlikely to meet an edge.
func rayInside(m *meshes.Tri, p, dir r3.Vec) bool {
	n := 0
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		e1, e2 := b.Sub(a), c.Sub(a)
		h := dir.Cross(e2)
		det := e1.Dot(h)
		if det == 0 {
			continue
		}
		s := p.Sub(a)
		u := s.Dot(h) / det
		q := s.Cross(e1)
		v := dir.Dot(q) / det
		if u >= 0 && v >= 0 && u+v <= 1 && e2.Dot(q)/det > 0 {
			n++
		}
	}
	return n%2 == 1
}

// Distance, sign and winding number against searches over all triangles, on random
// solids with holes, cavities and several pieces.
func TestDistanceAgreesWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 21)
	for _, s := range prisms.RandomSolids(t, r) {
		d := meshes.NewDistance(s.M)
		size := s.M.Bounds().Size().Norm()
		for _, p := range samples.RandomPoints(r, s.M.Bounds(), 120) {
			phi, q, tri, w, n := d.Signed(p)
			if want := bruteDistance(s.M, p); math.Abs(math.Abs(phi)-want) > 1e-12*size {
				t.Fatalf("%s: |φ| = %g, all triangles give %g", s.Name, math.Abs(phi), want)
			}
			inside := rayInside(s.M, p, samples.RandomVec(r))
			if (phi < 0) != inside || d.Inside(p) != inside {
				t.Errorf("%s: at %v φ = %g, Inside %v, a ray says %v", s.Name, p, phi, d.Inside(p), inside)
			}
			v := s.M.Tris[tri]
			if e := r3.Combine(w, s.M.Verts[v[0]], s.M.Verts[v[1]], s.M.Verts[v[2]]).Sub(q).Norm(); e > 1e-12*size {
				t.Errorf("%s: weights miss the closest point by %g", s.Name, e)
			}
			if e := q.AddScaled(phi, n).Sub(p).Norm(); math.Abs(phi) > 1e-9*size && e > 1e-9*size {
				t.Errorf("%s: p ≠ q + φ n by %g", s.Name, e)
			}
		}
	}
}

// |φ(p) − φ(q)| ≤ |p − q|, and the gradient is that of differences.
func TestDistanceIsLipschitzWithUnitGradient(t *testing.T) {
	r := samples.NewRand(t, 22)
	d := meshes.NewDistance(samples.Blob(r, 3))
	points := samples.RandomPoints(r, d.Mesh().Bounds(), 200)
	for i, p := range points {
		phi, _, _, _, n := d.Signed(p)
		q := points[(i+1)%len(points)]
		if psi, _, _, _, _ := d.Signed(q); math.Abs(phi-psi) > p.Sub(q).Norm()+1e-12 {
			t.Fatalf("φ changes by %g over %g", math.Abs(phi-psi), p.Sub(q).Norm())
		}
		if math.Abs(n.Norm()-1) > 1e-12 {
			t.Errorf("gradient of length %g", n.Norm())
		}
		const h = 1e-6
		plus, _, _, _, n1 := d.Signed(p.AddScaled(h, n))
		minus, _, _, _, n2 := d.Signed(p.AddScaled(-h, n))
		if slope := (plus - minus) / (2 * h); n1.Dot(n2) > 0.999 && math.Abs(slope-1) > 1e-4 {
			t.Errorf("slope along the gradient %g at %v", slope, p)
		}
	}
}

// φ of a sphere is |p| − r up to the sagitta of the facets, O(h²).
func TestDistanceToASphereConverges(t *testing.T) {
	r := samples.NewRand(t, 23)
	points := samples.RandomPoints(r, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, 1}}, 100)
	previous := 1.0
	for n := 1; n <= 4; n++ {
		d := meshes.NewDistance(samples.SphereSurface(1, n))
		worst := 0.0
		for _, p := range points {
			phi, _, _, _, _ := d.Signed(p)
			worst = max(worst, math.Abs(phi-(p.Norm()-1)))
		}
		if worst > 0.5*previous {
			t.Errorf("refined %d times: off by %g after %g", n, worst, previous)
		}
		previous = worst
	}
	if previous > 0.01 {
		t.Errorf("off by %g in the end", previous)
	}
}

// A rigid motion of everything changes nothing.
func TestDistanceDoesNotDependOnThePose(t *testing.T) {
	r := samples.NewRand(t, 24)
	m := samples.Torus(1, 0.4, 16, 10)
	d := meshes.NewDistance(m)
	for range 5 {
		x := samples.RandomPose(r, 5)
		e := meshes.NewDistance(samples.Moved(m, x))
		for _, p := range samples.RandomPoints(r, m.Bounds(), 40) {
			a, qa, _, _, na := d.Signed(p)
			b, qb, _, _, nb := e.Signed(x.Point(p))
			if math.Abs(a-b) > 1e-12 {
				t.Fatalf("φ = %g, moved %g", a, b)
			}
			if math.Abs(a) > 1e-3 && x.Point(qa).Sub(qb).Norm() < 1e-9 && x.R.MulVec(na).Sub(nb).Norm() > 1e-9 {
				t.Errorf("gradient %v, moved %v", x.R.MulVec(na), nb)
			}
		}
	}
}

// The signed distance of a union of distant bodies is the least of theirs.
func TestDistanceOfSeparateBodiesIsTheLeast(t *testing.T) {
	r := samples.NewRand(t, 25)
	a := samples.Blob(r, 2)
	b := samples.Moved(samples.Blob(r, 2), r3.Pose{R: r3.Identity(), P: r3.Vec{3, 0, 0}})
	da, db, both := meshes.NewDistance(a), meshes.NewDistance(b), meshes.NewDistance(samples.Together(a, b))
	for range 200 {
		p := samples.RandomVec(r).Scale(2).Add(r3.Vec{1.5, 0, 0})
		pa, _, _, _, _ := da.Signed(p)
		pb, _, _, _, _ := db.Signed(p)
		got, _, tri, _, _ := both.Signed(p)
		if math.Abs(got-min(pa, pb)) > 1e-12 {
			t.Fatalf("φ = %g, of the two bodies %g and %g", got, pa, pb)
		}
		if onA := int(tri) < len(a.Tris); onA != (pa < pb) {
			t.Errorf("the closest triangle %d is on the wrong body", tri)
		}
	}
}

// Deformed surfaces: Refit gives what a new structure gives, after any motion.
func TestRefitFollowsAnyDeformation(t *testing.T) {
	r := samples.NewRand(t, 26)
	m := samples.Blob(r, 2)
	rest := append([]r3.Vec(nil), m.Verts...)
	d := meshes.NewDeformableDistance(m)
	for range 5 {
		bend := samples.RandomVec(r)
		for i, p := range rest {
			m.Verts[i] = p.AddScaled(0.3*p.Dot(p), bend)
		}
		d.Refit()
		d.TabulateFaceNormals()
		fresh := meshes.NewDistance(m)
		for _, p := range samples.RandomPoints(r, m.Bounds(), 60) {
			a, qa, _, _, _ := d.Signed(p)
			b, qb, _, _, _ := fresh.Signed(p)
			if a != b || qa != qb {
				t.Fatalf("after Refit φ = %g at %v, again %g at %v", a, qa, b, qb)
			}
			if d.Inside(p) != fresh.Inside(p) {
				t.Errorf("Inside differs at %v", p)
			}
		}
		for i := range m.Tris {
			if d.FaceNormal(int32(i)) != fresh.FaceNormal(int32(i)) || *d.Box(int32(i)) != *fresh.Box(int32(i)) {
				t.Fatalf("normal or box of triangle %d differ", i)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Refit with more vertices does not panic")
		}
	}()
	m.Verts = append(m.Verts, r3.Vec{})
	d.Refit()
}

// The fast winding number is within 3 % of the exact sum.
func TestWindingNumberIsAccurate(t *testing.T) {
	r := samples.NewRand(t, 27)
	for _, m := range []*meshes.Tri{samples.SphereSurface(1, 4), samples.Torus(1, 0.3, 40, 20), samples.Blob(r, 4)} {
		d := meshes.NewDistance(m)
		for _, p := range samples.RandomPoints(r, m.Bounds(), 150) {
			exact := 0.0
			for i := range m.Tris {
				exact += d.SolidAngle(int32(i), p)
			}
			exact /= 4 * math.Pi
			if w := d.Winding(p); math.Abs(w-exact) > 0.03 {
				t.Errorf("winding number %g, exact %g at %v", w, exact, p)
			}
		}
	}
}

// Σ angles · normals of a vertex of a cube points along its diagonal; an edge's
// normal halves the angle of its faces.
func TestPseudoNormalsOfACube(t *testing.T) {
	m := samples.CubeTri(r3.Vec{-1, -1, -1}, 2)
	d := meshes.NewDistance(m)
	for _, s := range []r3.Vec{{1, 1, 1}, {-1, 1, 1}, {1, -1, -1}, {-1, -1, -1}} {
		_, _, _, _, n := d.Signed(s) // on the vertex itself
		if n.Sub(s.Unit()).Norm() > 1e-12 {
			t.Errorf("normal at the vertex %v is %v", s, n)
		}
	}
	for _, e := range []r3.Vec{{1, 1, 0}, {0, 1, -1}, {-1, 0, 1}} {
		_, _, _, _, n := d.Signed(e)
		if n.Sub(e.Unit()).Norm() > 1e-12 {
			t.Errorf("normal at the edge %v is %v", e, n)
		}
	}
}
