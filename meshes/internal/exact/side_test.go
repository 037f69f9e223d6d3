package exact

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// The side of a plane is that of rational arithmetic: for points on it, by an ulp or
// so beside it, and of coordinates so large or small that products run out of
// exponents.
func TestSideIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var seen [3]int
	for n := range 10000 {
		grid, scale := math.Ldexp(1, r.Intn(40)), math.Ldexp(1, r.Intn(60)-30)
		if n%10 == 0 {
			scale = math.Ldexp(1, r.Intn(1200)-700)
		}
		point := func() (p r3.Vec) {
			for k := range p {
				p[k] = math.Round(grid*r.NormFloat64()) / grid * scale
			}
			return p
		}
		a, b, c := point(), point(), point()
		s, u := math.Round(8*r.Float64())/8, math.Round(8*r.Float64())/8
		d := a.AddScaled(s, b.Sub(a)).AddScaled(u, c.Sub(a))
		if k := r.Intn(6); k < 3 {
			d[k] = math.Nextafter(d[k], math.Inf(1-2*r.Intn(2)))
		}
		want := sideRational(a, b, c, d)
		seen[want+1]++
		if got := sideExact(a, b, c, d); got != want {
			t.Fatalf("side(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
		}
		if got := Side(a, b, c, d); got != want && n%10 != 0 {
			t.Fatalf("filtered side(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
		}
		if got := sideExact(b, a, c, d); got != -want {
			t.Fatalf("side(%v, %v, %v, %v) = %d, mirrored %d", a, b, c, d, want, got)
		}
	}
	if min(seen[0], seen[1], seen[2]) < 500 {
		t.Errorf("signs −, 0, + were seen %v times", seen)
	}
}

func TestExpansionsKeepEveryBit(t *testing.T) {
	var e expansion
	for _, x := range []float64{1e100, 1, -1e100, 1e-100, -1} {
		e = e.plus(x)
	}
	if len(e) != 1 || e[0] != 1e-100 || e.sign() != 1 {
		t.Errorf("sum is %v, want 1e-100", e)
	}
	if e = e.plus(-1e-100); e.sign() != 0 {
		t.Errorf("sum is %v, want 0", e)
	}
	e = e.plusProduct(1+0x1p-52, 1-0x1p-52, 1+0x1p-40).plus(-1).plus(-0x1p-40).plus(0x1p-104) // leaves −2⁻¹⁴⁴
	if len(e) != 1 || e[0] != -0x1p-144 {
		t.Errorf("rest of a product is %v, want −2⁻¹⁴⁴", e)
	}
}

func BenchmarkSideOfAPointOnThePlane(b *testing.B) {
	p := [4]r3.Vec{{0.1, 0.2, 0.3}, {0.4, 0.2, 0.7}, {0.1, 0.9, 0.3}, {0.4, 0.9, 0.7}}
	for b.Loop() {
		sideExact(p[0], p[1], p[2], p[3])
	}
}
