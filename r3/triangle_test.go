package r3

import (
	"math"
	"math/rand"
	"testing"
)

func randVec(r *rand.Rand) Vec { return Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

// The closest point satisfies the variational inequality (p − q)·(x − q) ≤ 0
// for all vertices x, which characterises projection onto a convex set.
func TestClosestOnTriangleIsTheProjection(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var regions [8]int
	for i := range 20000 {
		a, b, c := randVec(r), randVec(r), randVec(r)
		if i%10 == 0 { // slivers and collapsed triangles
			c = a.Lerp(b, r.NormFloat64())
		}
		if i%100 == 0 {
			b, c = a, a
		}
		p := randVec(r).Scale(2)
		q, w := ClosestOnTriangle(p, a, b, c)
		code := 0
		for k := range w {
			if w[k] < 0 {
				t.Fatalf("case %d: weight %v < 0", i, w)
			}
			if w[k] > 0 {
				code |= 1 << k
			}
		}
		regions[code]++
		if e := math.Abs(w[0] + w[1] + w[2] - 1); e > 1e-13 {
			t.Fatalf("case %d: weights sum to 1%+g", i, e)
		}
		if e := Combine(w, a, b, c).Sub(q).Norm(); e > 1e-12 {
			t.Fatalf("case %d: weights give a point off by %g", i, e)
		}
		for _, x := range []Vec{a, b, c} {
			if g := p.Sub(q).Dot(x.Sub(q)); g > 1e-10 {
				t.Fatalf("case %d: q is not closest: slope %g", i, g)
			}
		}
	}
	for code := 1; code < 8; code++ {
		if regions[code] == 0 {
			t.Errorf("region %03b was never met", code)
		}
	}
}

func TestClosestOnSegmentsIsStationary(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for i := range 20000 {
		p0, p1, q0, q1 := randVec(r), randVec(r), randVec(r), randVec(r)
		switch i % 10 {
		case 0:
			q1 = q0.AddScaled(r.NormFloat64(), p1.Sub(p0)) // parallel
		case 1:
			p1 = p0
		case 2:
			q1 = q0
		}
		s, u := ClosestOnSegments(p0, p1, q0, q1)
		x, y := p0.Lerp(p1, s), q0.Lerp(q1, u)
		if qx, _ := ClosestOnSegment(x, q0, q1); x.Sub(y).Norm() > x.Sub(qx).Norm()+1e-9 {
			t.Fatalf("case %d: a better point on the second segment exists", i)
		}
		if py, _ := ClosestOnSegment(y, p0, p1); x.Sub(y).Norm() > y.Sub(py).Norm()+1e-9 {
			t.Fatalf("case %d: a better point on the first segment exists", i)
		}
	}
}

func TestBarycentricInvertsCombine(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 1000 {
		a, b, c := randVec(r), randVec(r), randVec(r)
		u, v := r.NormFloat64(), r.NormFloat64()
		want := [3]float64{1 - u - v, u, v}
		n := TriangleNormal(a, b, c)
		if n.Norm() < 0.1 {
			continue
		}
		got := Barycentric(Combine(want, a, b, c).AddScaled(r.NormFloat64(), n), a, b, c)
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-9 {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
}

// What counts as slender does not depend on the bound that spares most triangles the longest edge.
func TestSlenderTrianglesAreThoseOfAreaBelowTheSquareOfTheirLongestEdge(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	slim := 0
	for i := range 20000 {
		a, b := randVec(rng), randVec(rng)
		// c is off the line ab by 1e-14 to 1e-10
		c := a.AddScaled(3*rng.Float64()-1, b.Sub(a)).AddScaled(math.Pow(10, -14+4*rng.Float64()), randVec(rng))
		u, v := b.Sub(a), c.Sub(a)
		l2 := max(u.Norm2(), v.Norm2(), b.Sub(c).Norm2())
		want := u.Cross(v).Norm2() <= slender*slender*l2*l2
		if got := isSlender(u[0], u[1], u[2], v[0], v[1], v[2], &b, &c); got != want {
			t.Fatalf("triangle %d: slender is %v, want %v", i, got, want)
		}
		if want {
			slim++
		}
	}
	if slim < 2000 || slim > 18000 {
		t.Errorf("%d of 20000 triangles are slender", slim)
	}
}

func BenchmarkClosestOnTriangle(b *testing.B) {
	rng := rand.New(rand.NewSource(3))
	var x [64][4]Vec
	for i := range x {
		x[i] = [4]Vec{randVec(rng), randVec(rng), randVec(rng), randVec(rng)}
	}
	sum := 0.0
	for i := 0; b.Loop(); i++ {
		q, _ := ClosestOnTriangle(x[i&63][0], x[i&63][1], x[i&63][2], x[i&63][3])
		sum += q[0]
	}
	_ = sum
}
