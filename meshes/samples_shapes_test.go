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

// solid is a closed surface with what theory says of it.
type solid struct {
	name       string
	m          *Tri
	genus      int // handles over all pieces
	components int
}

// randomSolids are closed outward surfaces of several kinds, sizes and places.
func randomSolids(t testing.TB, r *rand.Rand) []solid {
	t.Helper()
	prism := func(p Profile) *Tri {
		m, err := p.Extrude(0.2 + r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	hole := func(x, y float64) [][2]float64 { return circle(x, y, 0.03+0.02*r.Float64(), 5+r.IntN(5)) }
	star := starPolygon(r, 5+r.IntN(8))
	list := []solid{
		{"ellipsoid", scaled(sphereSurface(1, 2+r.IntN(2)), r3.Vec{0.5 + r.Float64(), 0.5 + r.Float64(), 0.5 + r.Float64()}), 0, 1},
		{"blob", blob(r, 3), 0, 1},
		{"torus", torus(1, 0.2+0.3*r.Float64(), 8+r.IntN(16), 5+r.IntN(8)), 1, 1},
		{"star prism", prism(Profile{Outer: star}), 0, 1},
		{"plate with holes", prism(Profile{Outer: [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}},
			Holes: [][][2]float64{hole(-0.3, -0.2), hole(0.25, 0.1), hole(-0.1, 0.3)}}), 3, 1},
		{"two balls", together(sphereSurface(0.5, 2), moved(sphereSurface(0.7, 2), r3.Pose{R: r3.Identity(), P: r3.Vec{3, 0, 0}})), 0, 2},
		{"hollow ball", together(sphereSurface(1, 2), flippedTri(sphereSurface(0.4, 2))), 0, 2},
		{"box", gridBoxClosed(r3.Vec{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}, 1+r.IntN(4)), 0, 1},
	}
	for i := range list {
		list[i].m = shuffled(moved(list[i].m, randomPose(r, 2)), r)
	}
	return list
}

// gridBoxClosed is gridBox with the vertices of neighbouring faces made one.
func gridBoxClosed(h r3.Vec, n int) *Tri {
	m, _ := repairOnRead(gridBox(h, n), true)
	return m
}

// randomTets are volume meshes: boxes with inner vertices moved, swept profiles and
// a ball of pyramids.
func randomTets(t testing.TB, r *rand.Rand) map[string]*Tet {
	t.Helper()
	box, err := BoxTets(r3.Vec{1, 1.5, 2}, [3]int{2 + r.IntN(2), 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	on := box.onBoundary()
	for i := range box.Verts {
		if !on[i] {
			box.Verts[i] = box.Verts[i].AddScaled(0.05, randomVec(r))
		}
	}
	sweep, err := SweepProfile(Profile{Outer: starPolygon(r, 9)}, 0.4, 1+r.IntN(3), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	ball := coneTets(blob(r, 2))
	out := map[string]*Tet{"box": box, "sweep": sweep, "ball": ball}
	for name, m := range out {
		x := randomPose(r, 1)
		for i, p := range m.Verts {
			m.Verts[i] = x.Point(p)
		}
		out[name] = m
	}
	return out
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
