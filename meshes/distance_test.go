package meshes_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// boxDistance is the exact signed distance to a box.
func boxDistance(p, h r3.Vec) float64 {
	var out r3.Vec
	in := math.Inf(-1)
	for k := range p {
		q := math.Abs(p[k]) - h[k]
		out[k], in = max(q, 0), max(in, q)
	}
	if n := out.Norm(); n > 0 {
		return n
	}
	return in
}

func TestDistanceToBoxIsExact(t *testing.T) {
	h := r3.Vec{1, 0.5, 0.2}
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 3} {
		d := meshes.NewDistance(samples.GridBox(h, n))
		for i := range 5000 {
			p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			switch i % 5 { // points on the planes, edges and vertices of the grid
			case 0:
				p = r3.Vec{math.Round(p[0]), math.Round(3*p[1]) / 6, p[2] / 5}
			case 1:
				p[2] = h[2]
			}
			phi, q, tri, w, normal := d.Signed(p)
			if want := boxDistance(p, h); math.Abs(phi-want) > 1e-14 {
				t.Fatalf("φ(%v) = %v, want %v", p, phi, want)
			}
			v := d.Mesh().Tris[tri]
			if e := r3.Combine(w, d.Mesh().Verts[v[0]], d.Mesh().Verts[v[1]], d.Mesh().Verts[v[2]]).Sub(q).Norm(); e > 1e-14 {
				t.Fatalf("weights miss the closest point by %g", e)
			}
			if e := q.AddScaled(phi, normal).Sub(p).Norm(); math.Abs(phi) > 1e-12 && e > 1e-10 {
				t.Fatalf("p ≠ q + φn at %v by %g", p, e)
			}
			if e := math.Abs(normal.Norm() - 1); e > 1e-14 {
				t.Fatalf("normal of length 1%+g at %v", e, p)
			}
		}
	}
}

// The sign from pseudo-normals agrees with the solid angle, everywhere on a
// non-convex surface, and the magnitude with a search over all triangles.
func TestSignAgreesWithWindingNumber(t *testing.T) {
	m := samples.Torus(1, 0.4, 24, 12)
	d := meshes.NewDistance(m)
	r := rand.New(rand.NewSource(2))
	for range 1500 {
		p := r3.Vec{1.5 * (2*r.Float64() - 1), 1.5 * (2*r.Float64() - 1), 0.6 * (2*r.Float64() - 1)}
		phi, _, _, _, _ := d.Signed(p)
		best, omega := math.Inf(1), 0.0
		for i, v := range m.Tris {
			q, _ := r3.ClosestOnTriangle(p, m.Verts[v[0]], m.Verts[v[1]], m.Verts[v[2]])
			best = min(best, p.Sub(q).Norm())
			omega += d.SolidAngle(int32(i), p)
		}
		w := omega / (4 * math.Pi)
		if e := math.Abs(w - math.Round(w)); e > 1e-10 {
			t.Fatalf("winding number %v of a closed surface", w)
		}
		if math.Abs(math.Abs(phi)-best) > 1e-13 {
			t.Fatalf("|φ| = %v, brute force %v", math.Abs(phi), best)
		}
		if inside := w > 0.5; inside != (phi < 0) || inside != d.Inside(p) {
			t.Fatalf("at %v: φ = %v, winding number %v, Inside %v", p, phi, w, d.Inside(p))
		}
		if e := math.Abs(d.Winding(p) - w); e > 0.02 {
			t.Fatalf("clustered winding number off by %g", e)
		}
	}
	if phi, _, _, _, _ := d.Signed(r3.Vec{}); phi < 0.59 {
		t.Fatalf("φ in the middle of the hole = %v", phi)
	}
}

// Points straight off a vertex or an edge, where a face normal would give the
// wrong sign: the acute spike of Bærentzen & Aanæs.
func TestSignIsRightBehindAcuteVertices(t *testing.T) {
	m := &meshes.Tri{ // a thin spike along x
		Verts: []r3.Vec{{0, 0.1, 0}, {0, -0.05, 0.0866}, {0, -0.05, -0.0866}, {2, 0.3, 0}},
		Tris:  [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
	}
	if m.Volume() < 0 {
		for i, t := range m.Tris {
			m.Tris[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	d := meshes.NewDistance(m)
	r := rand.New(rand.NewSource(3))
	for range 5000 {
		p := m.Verts[r.Intn(4)].AddScaled(0.1, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		omega := 0.0
		for i := range m.Tris {
			omega += d.SolidAngle(int32(i), p)
		}
		if phi, _, _, _, _ := d.Signed(p); (phi < 0) != (omega > 2*math.Pi) {
			t.Fatalf("at %v: φ = %v, solid angle %v", p, phi, omega)
		}
	}
}

// Inside keeps its verdict when a face is missing, another is doubled and a
// stray one hangs in the air.
func TestInsideForgivesSmallDefects(t *testing.T) {
	m := samples.GridBox(r3.Vec{1, 1, 1}, 8)
	m.Tris = append(m.Tris[1:], m.Tris[100])
	m.Verts = append(m.Verts, r3.Vec{3, 3, 3}, r3.Vec{3.2, 3, 3}, r3.Vec{3, 3.2, 3})
	n := int32(len(m.Verts))
	m.Tris = append(m.Tris, [3]int32{n - 3, n - 2, n - 1})
	d := meshes.NewDistance(m)
	r := rand.New(rand.NewSource(4))
	for range 3000 {
		p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		gap := boxDistance(p, r3.Vec{1, 1, 1})
		if math.Abs(gap) < 0.1 {
			continue
		}
		if d.Inside(p) != (gap < 0) {
			t.Fatalf("at %v: Inside = %v", p, d.Inside(p))
		}
	}
}

// A guess, good or bad, changes nothing.
func TestGuessDoesNotChangeTheDistance(t *testing.T) {
	m := samples.Torus(1, 0.4, 24, 12)
	d := meshes.NewDistance(m)
	r := rand.New(rand.NewSource(7))
	last := int32(-1)
	for i := range 5000 {
		p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if i%3 == 0 { // on the surface itself
			p = m.Verts[r.Intn(len(m.Verts))]
		}
		phi, q, tri, w, n := d.Signed(p)
		for _, guess := range []int32{last, tri, int32(r.Intn(len(m.Tris)))} {
			phi2, q2, tri2, w2, n2 := d.SignedFrom(p, guess)
			if phi2 != phi || q2 != q || tri2 != tri || w2 != w || n2 != n {
				t.Fatalf("at %v, guess %d: φ = %v on %d, want %v on %d", p, guess, phi2, tri2, phi, tri)
			}
		}
		last = tri
	}
}

func TestEmptySurfaceIsInfinitelyFar(t *testing.T) {
	d := meshes.NewDistance(&meshes.Tri{})
	if phi, _, tri, _, _ := d.Signed(r3.Vec{}); !math.IsInf(phi, 1) || tri != -1 || d.Inside(r3.Vec{}) {
		t.Fatalf("φ = %v, triangle %d", phi, tri)
	}
}

func TestDistanceQueriesAllocateNothing(t *testing.T) {
	d := meshes.NewDistance(samples.Torus(1, 0.4, 24, 12))
	p := r3.Vec{0.9, 0.1, 0.5}
	if n := alloctest.PerRun(100, func() { d.Signed(p); d.Inside(p) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkSignedDistance(b *testing.B) {
	d := meshes.NewDistance(samples.Torus(1, 0.4, 100, 50))
	r := rand.New(rand.NewSource(5))
	b.ReportAllocs()
	for b.Loop() {
		d.Signed(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
}

// A surface that deforms answers as one prepared afresh.
func TestRefitAgreesWithNewDistance(t *testing.T) {
	m := samples.Torus(1, 0.4, 16, 8)
	moving := meshes.NewDeformableDistance(&meshes.Tri{append([]r3.Vec(nil), m.Verts...), m.Tris})
	for i, p := range m.Verts {
		m.Verts[i] = r3.Vec{1.3 * p[0], p[1] + 0.2*p[2], 0.7*p[2] + 0.3*p[0]*p[0]}
	}
	copy(moving.Mesh().Verts, m.Verts)
	moving.Refit()
	fresh := meshes.NewDistance(m)
	r := rand.New(rand.NewSource(6))
	for range 2000 {
		p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		a, qa, ta, wa, na := moving.Signed(p)
		b, qb, tb, wb, nb := fresh.Signed(p)
		if a != b || qa != qb || ta != tb || wa != wb || na != nb {
			t.Fatalf("at %v: %v and %v", p, a, b)
		}
		if moving.Inside(p) != fresh.Inside(p) {
			t.Fatalf("at %v: Inside differs", p)
		}
	}
	if n := alloctest.PerRun(10, func() { moving.Refit() }); n != 0 {
		t.Fatalf("Refit: %v allocations", n)
	}
}
