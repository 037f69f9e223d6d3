package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// gridPoint has few digits, so that degenerate cases are common.
func gridPoint(r *rand.Rand) vec2 {
	return vec2{float64(r.IntN(7)) * 0.1, float64(r.IntN(7)) * 0.1}
}

// dyadicPoint has exact coordinates: many of them lie on common circles.
func dyadicPoint(r *rand.Rand) vec2 {
	return vec2{float64(r.IntN(7)) / 8, float64(r.IntN(7)) / 8}
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// orientRational is a brute-force twin in rational arithmetic.
func orientRational(a, b, c vec2) int {
	x := func(p, q float64) *big.Rat {
		return new(big.Rat).Sub(new(big.Rat).SetFloat64(p), new(big.Rat).SetFloat64(q))
	}
	l := new(big.Rat).Mul(x(b[0], a[0]), x(c[1], a[1]))
	return l.Sub(l, new(big.Rat).Mul(x(b[1], a[1]), x(c[0], a[0]))).Sign()
}

func TestOrientAgreesWithRationalsAndIsAntisymmetric(t *testing.T) {
	r := samples.NewRand(t, 41)
	zeros := 0
	for range 5000 {
		a, b, c := gridPoint(r), gridPoint(r), gridPoint(r)
		got := sign(Orient(a, b, c))
		if want := orientRational(a, b, c); got != want {
			t.Fatalf("orient(%v, %v, %v) = %d, want %d", a, b, c, got, want)
		}
		if got != sign(Orient(b, c, a)) || got != sign(Orient(c, a, b)) || got != -sign(Orient(b, a, c)) {
			t.Fatalf("orient is not antisymmetric at %v, %v, %v", a, b, c)
		}
		if got == 0 {
			zeros++
		}
	}
	if zeros < 100 {
		t.Errorf("only %d collinear cases", zeros)
	}
	// Points of a line, rounded, far from the origin, and so small that products underflow.
	for n := range 20000 {
		a, b := vec2{r.NormFloat64(), r.NormFloat64()}, vec2{r.NormFloat64(), r.NormFloat64()}
		at, size := r.NormFloat64(), math.Ldexp(1, []int{0, 0, -200, -530, 500}[n%5])
		far := float64(n%3) * 1e6
		var p [3]vec2
		for k := range 2 {
			c := a[k] + at*(b[k]-a[k]) // near the line through a and b
			p[0][k], p[1][k], p[2][k] = (a[k]+far)*size, (b[k]+far)*size, (c+far)*size
		}
		if got, want := sign(Orient(p[0], p[1], p[2])), orientRational(p[0], p[1], p[2]); got != want {
			t.Fatalf("orient%v = %d, want %d", p, got, want)
		}
	}
}

// A point is in the circumcircle whichever corner of the triangle is named first;
// the corners themselves are on it; reversing the triangle changes the sign.
func TestIncircleHasItsSymmetries(t *testing.T) {
	r := samples.NewRand(t, 42)
	zeros := 0
	for range 3000 {
		a, b, c, d := dyadicPoint(r), dyadicPoint(r), dyadicPoint(r), dyadicPoint(r)
		if Orient(a, b, c) == 0 {
			continue
		}
		got := sign(InCircle(a, b, c, d))
		if got != sign(InCircle(b, c, a, d)) || got != sign(InCircle(c, a, b, d)) || got != -sign(InCircle(b, a, c, d)) {
			t.Fatalf("incircle(%v, %v, %v, %v) lacks a symmetry", a, b, c, d)
		}
		if InCircle(a, b, c, a) != 0 || InCircle(a, b, c, c) != 0 {
			t.Fatalf("a corner of %v, %v, %v is not on its circle", a, b, c)
		}
		if got == 0 && d != a && d != b && d != c {
			zeros++
		}
		// A point far away is outside.
		if s := sign(Orient(a, b, c)); sign(InCircle(a, b, c, vec2{99, 77})) != -s {
			t.Errorf("a point far away from %v, %v, %v is in their circle", a, b, c)
		}
	}
	if zeros < 20 {
		t.Errorf("only %d cocircular cases", zeros)
	}
}

// side against the determinant in 2000-bit arithmetic, for magnitudes at which
// expansions overflow or underflow and rationals take over.
func TestSideIsExactAtAnyMagnitude(t *testing.T) {
	r := samples.NewRand(t, 44)
	coordinate := func(e int) float64 { return math.Ldexp(float64(r.IntN(5)-2), e) }
	for _, e := range []int{-600, -320, -100, 0, 100, 320, 330} {
		for range 300 {
			var p [4]r3.Vec
			for i := range p {
				for k := range 3 {
					p[i][k] = coordinate(e + r.IntN(3))
				}
			}
			x := func(i, k int) *big.Float {
				d := new(big.Float).SetPrec(3000).SetFloat64(p[i][k])
				return d.Sub(d, new(big.Float).SetPrec(3000).SetFloat64(p[0][k]))
			}
			mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(3000).Mul(a, b) }
			sum := new(big.Float).SetPrec(3000)
			for i := range 3 {
				j, k := (i+1)%3, (i+2)%3
				minor := new(big.Float).SetPrec(3000).Sub(mul(x(1, j), x(2, k)), mul(x(1, k), x(2, j)))
				sum.Add(sum, mul(minor, x(3, i)))
			}
			got := Side(p[0], p[1], p[2], p[3])
			if got != sum.Sign() {
				t.Fatalf("side(%v) = %d, want %d", p, got, sum.Sign())
			}
			if Side(p[1], p[0], p[2], p[3]) != -got || Side(p[1], p[2], p[0], p[3]) != got {
				t.Fatalf("side is not antisymmetric at %v", p)
			}
		}
	}
}

// Sums and products of expansions against rational arithmetic.
func TestExpansionsAreExactSums(t *testing.T) {
	r := samples.NewRand(t, 45)
	for range 500 {
		var buffer [200]float64
		e := expansion(buffer[:0])
		want := new(big.Rat)
		add := func(f ...float64) {
			p := new(big.Rat).SetInt64(1)
			for _, x := range f {
				p.Mul(p, new(big.Rat).SetFloat64(x))
			}
			want.Add(want, p)
		}
		for range 12 {
			x, y, z := math.Ldexp(r.NormFloat64(), r.IntN(120)-60), r.NormFloat64(), r.NormFloat64()
			if r.IntN(2) == 0 {
				e = e.plus(x)
				add(x)
			} else {
				e = e.plusProduct(x, y, z)
				add(x, y, z)
			}
			if r.IntN(4) == 0 { // cancel the last term
				e = e.plus(-x)
				add(-x)
			}
		}
		got := new(big.Rat)
		last := 0.0
		for _, x := range e {
			if x == 0 || math.Abs(x) <= last {
				t.Fatalf("terms %v are not ascending and nonzero", e)
			}
			last = math.Abs(x)
			got.Add(got, new(big.Rat).SetFloat64(x))
		}
		if got.Cmp(want) != 0 || e.sign() != want.Sign() {
			t.Fatalf("sum %v, want %v", got, want)
		}
	}
	if expansion(nil).sign() != 0 {
		t.Error("the empty expansion is not zero")
	}
}

func TestTwoSumAndTwoProductLoseNothing(t *testing.T) {
	r := samples.NewRand(t, 46)
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for range 1000 {
		a, b := math.Ldexp(r.NormFloat64(), r.IntN(80)-40), math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
		s, e := twoSum(a, b)
		if new(big.Rat).Add(exact(s), exact(e)).Cmp(new(big.Rat).Add(exact(a), exact(b))) != 0 || s != a+b {
			t.Fatalf("%g + %g = %g + %g", a, b, s, e)
		}
		p, f := twoProduct(a, b)
		if new(big.Rat).Add(exact(p), exact(f)).Cmp(new(big.Rat).Mul(exact(a), exact(b))) != 0 || p != a*b {
			t.Fatalf("%g · %g = %g + %g", a, b, p, f)
		}
	}
}

func TestSideIsExactNearThePlane(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	zero := 0
	for range 2000 {
		var p [4]r3.Vec
		for i := range 3 {
			p[i] = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		}
		u, v := r.Float64(), r.Float64()
		p[3] = p[0].Scale(1-u-v).AddScaled(u, p[1]).AddScaled(v, p[2])
		if got, want := Side(p[0], p[1], p[2], p[3]), sideRational(p[0], p[1], p[2], p[3]); got != want {
			t.Fatalf("%v: %d, want %d", p, got, want)
		}
		p[3][2] = p[0][2]
		p[1][2], p[2][2] = p[0][2], p[0][2]
		if Side(p[0], p[1], p[2], p[3]) == 0 {
			zero++
		}
	}
	if zero != 2000 {
		t.Errorf("%d of 2000 points of a plane are found on it", zero)
	}
	if Side(r3.Vec{}, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}, r3.Vec{0, 0, 1}) != 1 {
		t.Error("the sign is the wrong way round")
	}
}
