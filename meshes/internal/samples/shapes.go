// Package samples has meshes and random numbers for the tests of packages of meshes.
package samples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// NewRand returns the generator of a random test. The seed is printed with the name
// of the test when it fails, and fixed, so that failures repeat.
func NewRand(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// RandomVec has coordinates between −1 and 1.
func RandomVec(r *rand.Rand) r3.Vec {
	return r3.Vec{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
}

// RandomPose is a rigid motion with a shift of up to size in each direction.
func RandomPose(r *rand.Rand, size float64) r3.Pose {
	return r3.Pose{R: r3.RotRPY(6*r.Float64(), 6*r.Float64(), 6*r.Float64()), P: RandomVec(r).Scale(size)}
}

// Moved returns a copy of m with its vertices at x.
func Moved(m *meshes.Tri, x r3.Pose) *meshes.Tri {
	out := &meshes.Tri{Tris: m.Tris}
	for _, p := range m.Verts {
		out.Verts = append(out.Verts, x.Point(p))
	}
	return out
}

// Scaled returns a copy of m with the coordinates times s.
func Scaled(m *meshes.Tri, s r3.Vec) *meshes.Tri {
	out := &meshes.Tri{Tris: m.Tris}
	for _, p := range m.Verts {
		out.Verts = append(out.Verts, r3.Vec{s[0] * p[0], s[1] * p[1], s[2] * p[2]})
	}
	return out
}

// FlippedTri returns a copy of m with every triangle turned over.
func FlippedTri(m *meshes.Tri) *meshes.Tri {
	out := &meshes.Tri{Verts: m.Verts}
	for _, t := range m.Tris {
		out.Tris = append(out.Tris, [3]int32{t[0], t[2], t[1]})
	}
	return out
}

// Shuffled returns the same surface with triangles, their first corners and the
// vertices in random order.
func Shuffled(m *meshes.Tri, r *rand.Rand) *meshes.Tri {
	perm := r.Perm(len(m.Verts))
	out := &meshes.Tri{Verts: make([]r3.Vec, len(m.Verts))}
	for i, p := range m.Verts {
		out.Verts[perm[i]] = p
	}
	for _, i := range r.Perm(len(m.Tris)) {
		t, k := m.Tris[i], r.IntN(3)
		out.Tris = append(out.Tris, [3]int32{int32(perm[t[k]]), int32(perm[t[(k+1)%3]]), int32(perm[t[(k+2)%3]])})
	}
	return out
}

// Blob is a star-shaped solid about the origin with radii between 0.5 and 1.
func Blob(r *rand.Rand, refine int) *meshes.Tri {
	m := SphereSurface(1, refine)
	dirs := [3]r3.Vec{RandomVec(r), RandomVec(r), RandomVec(r)}
	for i, p := range m.Verts {
		s := 0.75
		for k, d := range dirs {
			s += 0.08 * math.Sin(float64(2+k)*p.Dot(d)*2)
		}
		m.Verts[i] = p.Scale(s)
	}
	return m
}

// StarPolygon has n corners at random radii between 0.3 and 1, counter-clockwise.
func StarPolygon(r *rand.Rand, n int) [][2]float64 {
	var loop [][2]float64
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		a := 0.3 + 0.7*r.Float64()
		loop = append(loop, [2]float64{a * c, a * s})
	}
	return loop
}

// ConeTets joins the triangles of a surface that is star-shaped about the origin to
// a vertex there: the tets' volumes sum up to the surface's exactly.
func ConeTets(m *meshes.Tri) *meshes.Tet {
	out := &meshes.Tet{Verts: append([]r3.Vec(nil), m.Verts...)}
	c := int32(len(out.Verts))
	out.Verts = append(out.Verts, r3.Vec{})
	for _, t := range m.Tris {
		out.Tets = append(out.Tets, [4]int32{c, t[0], t[1], t[2]})
	}
	return out
}

// CaseName names a random case in messages.
func CaseName(name string, round int) string { return fmt.Sprintf("%s %d", name, round) }
