package geometry

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// checkHull fails unless the hull is closed, convex, contains all points and is a
// sphere by Euler's formula.
func checkHull(t *testing.T, name string, ps []r3.Vec, c *Convex) {
	t.Helper()
	size := c.bounds.Size().Norm()
	if !watertight(&c.surface) {
		t.Fatalf("%s: hull is open", name)
	}
	if v, f := len(c.surface.Verts), len(c.surface.Tris); 2*v-f != 4 {
		t.Fatalf("%s: %d corners, %d triangles", name, v, f)
	}
	for _, p := range ps {
		if phi, _ := c.SignedDistance(p); phi > 4e-9*size {
			t.Fatalf("%s: point %v is %g outside", name, p, phi)
		}
	}
	covered := 0
	for _, q := range c.polys {
		covered += len(q.tris)
		for _, p := range q.face.P[:q.face.N] {
			if d := q.face.Normal.Dot(p) - q.d; d < -4*planarTol*size || d > 0 {
				t.Fatalf("%s: corner %g off its face", name, d)
			}
		}
	}
	if covered != len(c.surface.Tris) {
		t.Fatalf("%s: faces have %d of %d triangles", name, covered, len(c.surface.Tris))
	}
}

func TestHullOfManyPointSets(t *testing.T) {
	r := newRand(t, 1)
	sets := map[string][]r3.Vec{}
	add := func(name string, n int, f func() r3.Vec) {
		for range n {
			sets[name] = append(sets[name], f())
		}
	}
	add("ball", 500, func() r3.Vec { return gauss(r) })
	add("sphere", 2000, func() r3.Vec { return gauss(r).Unit() })
	add("cube inside", 2000, func() r3.Vec { return r3.Vec{r.Float64(), r.Float64(), r.Float64()} })
	add("grid", 1000, func() r3.Vec { return r3.Vec{float64(r.IntN(5)), float64(r.IntN(5)), float64(r.IntN(5))} })
	add("duplicates", 400, func() r3.Vec { return r3.Vec{float64(r.IntN(2)), float64(r.IntN(2)), float64(r.IntN(2))} })
	add("needle", 300, func() r3.Vec { return r3.Vec{1e3 * r.Float64(), 1e-2 * r.Float64(), 1e-2 * r.Float64()} })
	add("plate", 300, func() r3.Vec { return r3.Vec{r.Float64(), r.Float64(), 1e-5 * r.Float64()} })
	X := randomPose(r, 100)
	add("turned faces", 1000, func() r3.Vec {
		p := r3.Vec{r.Float64(), r.Float64(), r.Float64()}
		p[r.IntN(3)] = float64(r.IntN(2))
		return X.Point(p)
	})
	for i := range 300 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 100)
		sets["cylinder"] = append(sets["cylinder"], r3.Vec{c, s, float64(i / 100)})
	}
	add("noise", 1000, func() r3.Vec {
		return r3.Vec{float64(r.IntN(2)), float64(r.IntN(2)), float64(r.IntN(2))}.AddScaled(1e-8, gauss(r))
	})
	for name, ps := range sets {
		checkHull(t, name, ps, must(NewConvex(ps)))
	}
	if n := len(must(NewConvex(sets["grid"])).polys); n != 6 {
		t.Errorf("a grid of points has %d faces", n)
	}
	if n := len(must(NewConvex(sets["noise"])).polys); n != 6 {
		t.Errorf("a noisy cube has %d faces", n)
	}
	if n := len(must(NewConvex(sets["cylinder"])).polys); n != 102 {
		t.Errorf("a prism of 100 sides has %d faces", n)
	}
	if v := must(NewConvex(sets["turned faces"])).mass().Mass; v < 0.98 || v > 1+1e-12 {
		t.Errorf("a turned cube has volume %g", v)
	}
}

// A cube of coordinates rounded to 32 bits keeps six square faces, each with its
// four corners, though none is plane.
func TestHullOfRoundedCubeHasSixSquares(t *testing.T) {
	r := newRand(t, 2)
	for range 20 {
		X := randomPose(r, 0.3)
		var ps []r3.Vec
		for _, p := range cornersOf(must(NewBox(r3.Vec{0.1, 0.1, 0.1}))) {
			q := X.Point(p)
			for i := range q {
				q[i] = float64(float32(q[i]))
			}
			ps = append(ps, q)
		}
		c := must(NewConvex(ps))
		checkHull(t, "cube", ps, c)
		if len(c.polys) != 6 {
			t.Fatalf("%d faces", len(c.polys))
		}
		for _, f := range c.polys {
			if f.face.N != 4 {
				t.Fatalf("a face has %d corners", f.face.N)
			}
		}
	}
}

// The side of a plane agrees with arithmetic of any length.
func TestSideOfIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 20000 {
		var g [4]gridPoint
		span := int64(1) << (1 + r.IntN(29))
		for i := range g {
			for j := range g[i] {
				g[i][j] = r.Int64N(span + 1)
			}
		}
		if r.IntN(4) == 0 {
			g[3] = g[r.IntN(3)]
		}
		n := g[1].sub(g[0]).cross(g[2].sub(g[0]))
		d := g[3].sub(g[0])
		sum := new(big.Int)
		for i := range n {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(n[i]), big.NewInt(d[i])))
		}
		if got := sideOf(n, d); got != sum.Sign() {
			t.Fatalf("%v: %d, exactly %d", g, got, sum.Sign())
		}
	}
}

// FuzzHull: any bytes give a checked hull or an error.
func FuzzHull(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 9, 9})
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 255, 0, 255, 0, 255, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var ps []r3.Vec
		for ; len(data) >= 3 && len(ps) < 100; data = data[3:] {
			ps = append(ps, r3.Vec{float64(int8(data[0])), float64(int8(data[1])), float64(int8(data[2]))})
		}
		if c, err := NewConvex(ps); err == nil {
			checkHull(t, "fuzz", ps, c)
		}
	})
}
