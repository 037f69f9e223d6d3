package meshes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// newRand returns the generator of a random test. The seed is printed with the name
// of the test when it fails, and fixed, so that failures repeat.
func newRand(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// randomVec has coordinates between −1 and 1.
func randomVec(r *rand.Rand) r3.Vec {
	return r3.Vec{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
}

// randomPose is a rigid motion with a shift of up to size in each direction.
func randomPose(r *rand.Rand, size float64) r3.Pose {
	return r3.Pose{R: r3.RotRPY(6*r.Float64(), 6*r.Float64(), 6*r.Float64()), P: randomVec(r).Scale(size)}
}

// moved returns a copy of m with its vertices at x.
func moved(m *Tri, x r3.Pose) *Tri {
	out := &Tri{Tris: m.Tris}
	for _, p := range m.Verts {
		out.Verts = append(out.Verts, x.Point(p))
	}
	return out
}

// scaled returns a copy of m with the coordinates times s.
func scaled(m *Tri, s r3.Vec) *Tri {
	out := &Tri{Tris: m.Tris}
	for _, p := range m.Verts {
		out.Verts = append(out.Verts, r3.Vec{s[0] * p[0], s[1] * p[1], s[2] * p[2]})
	}
	return out
}

// flippedTri returns a copy of m with every triangle turned over.
func flippedTri(m *Tri) *Tri {
	out := &Tri{Verts: m.Verts}
	for _, t := range m.Tris {
		out.Tris = append(out.Tris, [3]int32{t[0], t[2], t[1]})
	}
	return out
}

// shuffled returns the same surface with triangles, their first corners and the
// vertices in random order.
func shuffled(m *Tri, r *rand.Rand) *Tri {
	perm := r.Perm(len(m.Verts))
	out := &Tri{Verts: make([]r3.Vec, len(m.Verts))}
	for i, p := range m.Verts {
		out.Verts[perm[i]] = p
	}
	for _, i := range r.Perm(len(m.Tris)) {
		t, k := m.Tris[i], r.IntN(3)
		out.Tris = append(out.Tris, [3]int32{int32(perm[t[k]]), int32(perm[t[(k+1)%3]]), int32(perm[t[(k+2)%3]])})
	}
	return out
}

// blob is a star-shaped solid about the origin with radii between 0.5 and 1.
func blob(r *rand.Rand, refine int) *Tri {
	m := sphereSurface(1, refine)
	dirs := [3]r3.Vec{randomVec(r), randomVec(r), randomVec(r)}
	for i, p := range m.Verts {
		s := 0.75
		for k, d := range dirs {
			s += 0.08 * math.Sin(float64(2+k)*p.Dot(d)*2)
		}
		m.Verts[i] = p.Scale(s)
	}
	return m
}

// starPolygon has n corners at random radii between 0.3 and 1, counter-clockwise.
func starPolygon(r *rand.Rand, n int) [][2]float64 {
	var loop [][2]float64
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		a := 0.3 + 0.7*r.Float64()
		loop = append(loop, [2]float64{a * c, a * s})
	}
	return loop
}

// coneTets joins the triangles of a surface that is star-shaped about the origin to
// a vertex there: the tets' volumes sum up to the surface's exactly.
func coneTets(m *Tri) *Tet {
	out := &Tet{Verts: append([]r3.Vec(nil), m.Verts...)}
	c := int32(len(out.Verts))
	out.Verts = append(out.Verts, r3.Vec{})
	for _, t := range m.Tris {
		out.Tets = append(out.Tets, [4]int32{c, t[0], t[1], t[2]})
	}
	return out
}

// caseName names a random case in messages.
func caseName(name string, round int) string { return fmt.Sprintf("%s %d", name, round) }
