package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
)

const seed = 20261121

func piecewise(t testing.TB, times, values []float64, smooth bool) *Piecewise {
	t.Helper()
	p, err := NewPiecewise(times, values, smooth)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Inside a piece the rate is the derivative.
func TestRatesAreDerivatives(t *testing.T) {
	const h = 1e-5
	times, values := []float64{-1, 0.5, 0.75, 3}, []float64{2, -1, 4, 4.5}
	r := rand.New(rand.NewPCG(seed, 0))
	for _, m := range []Motion{
		Constant(3), Sine{Amplitude: 0.7, Frequency: 1.3, Phase: 0.4, Offset: -2},
		Sine{Amplitude: 0.7, Frequency: 1.3, Phase: 0.4, Offset: -2, Start: 0.5, Ramp: 2.5},
		piecewise(t, times, values, false), piecewise(t, times, values, true),
	} {
		for range 500 {
			at := -2 + 6*r.Float64()
			for _, k := range times {
				if math.Abs(at-k) < h {
					at = k + 2*h
				}
			}
			hi, _ := m.At(at + h)
			lo, _ := m.At(at - h)
			if _, dx := m.At(at); math.Abs(dx-(hi-lo)/(2*h)) > 2e-6 {
				t.Fatalf("%T at %g: rate %g, by differences %g", m, at, dx, (hi-lo)/(2*h))
			}
		}
	}
}

// Through its knots exactly, constant outside; smooth ones come to rest with no
// acceleration at each.
func TestPiecewiseMeetsItsKnots(t *testing.T) {
	times, values := []float64{-1, 0.5, 0.75, 3}, []float64{2, -1, 4, 4.5}
	for _, smooth := range []bool{false, true} {
		p := piecewise(t, times, values, smooth)
		for i, k := range times {
			x, dx := p.At(k)
			if x != values[i] || smooth && dx != 0 {
				t.Errorf("smooth %v knot %d: %g with rate %g, want %g", smooth, i, x, dx, values[i])
			}
			before, rate := p.At(math.Nextafter(k, -10))
			if math.Abs(before-values[i]) > 1e-14 || smooth && math.Abs(rate) > 1e-12 {
				t.Errorf("smooth %v before knot %d: %g with rate %g", smooth, i, before, rate)
			}
			if _, a := p.At(k + 1e-6); smooth && math.Abs(a) > 1e-6 {
				t.Errorf("acceleration at knot %d: %g", i, a/1e-6)
			}
		}
		for at, want := range map[float64]float64{-5: 2, math.Inf(-1): 2, 3.1: 4.5, math.Inf(1): 4.5} {
			if x, dx := p.At(at); x != want || dx != 0 {
				t.Errorf("smooth %v at %g: %g with rate %g, want %g constant", smooth, at, x, dx, want)
			}
		}
		if x, _ := p.At(math.NaN()); !math.IsNaN(x) {
			t.Errorf("at NaN: %g", x)
		}
	}
}

// At the last time of a table the rate is that of its last piece, also where round-off
// makes the time a little later; after it the rate is zero.
func TestRateAtTheEndOfATableIsThatOfItsLastPiece(t *testing.T) {
	const end = 0.3
	p := piecewise(t, []float64{0, 0.1, end}, []float64{0, 5, 6}, false)
	for _, at := range []float64{end, math.Nextafter(end, 1), end * (1 + 1e-14)} {
		if x, dx := p.At(at); x != 6 || math.Abs(dx-5) > 1e-13 {
			t.Errorf("at %v: %g with rate %g, want 6 with rate 5", at, x, dx)
		}
	}
	if x, dx := p.At(end + 1e-9); x != 6 || dx != 0 {
		t.Errorf("behind the end: %g with rate %g, want 6 at rest", x, dx)
	}
	if _, dx := p.At(0.1); math.Abs(dx-5) > 1e-13 {
		t.Errorf("at a knot between: rate %g, want 5, that after it", dx)
	}
	if x, dx := piecewise(t, []float64{end}, []float64{6}, false).At(end); x != 6 || dx != 0 {
		t.Errorf("one knot: %g with rate %g, want 6 at rest", x, dx)
	}
}

// Linear pieces are linear; smooth ones stay in the range of their ends, are half way at
// half time, and have their largest rate, 15/8 of the mean, there.
func TestPiecesStayBetweenTheirKnots(t *testing.T) {
	line := piecewise(t, []float64{1, 3}, []float64{10, 20}, false)
	if x, dx := line.At(1.5); x != 12.5 || dx != 5 {
		t.Errorf("line: %g with rate %g", x, dx)
	}
	if _, dx := line.At(1); dx != 5 {
		t.Errorf("line starts with rate %g", dx)
	}
	s := piecewise(t, []float64{1, 3}, []float64{10, 20}, true)
	if x, dx := s.At(2); x != 15 || dx != 5*steepest {
		t.Errorf("middle: %g with rate %g", x, dx)
	}
	last := 10.0
	for i := range 1001 {
		x, dx := s.At(1 + 2*float64(i)/1000)
		if x < last || x > 20 || dx < 0 || dx > 5*steepest {
			t.Fatalf("step %d: %g after %g, rate %g", i, x, last, dx)
		}
		last = x
	}
	one := piecewise(t, []float64{1}, []float64{7}, true)
	if x, dx := one.At(0); x != 7 || dx != 0 {
		t.Errorf("one knot: %g, %g", x, dx)
	}
}

// A sine without a ramp is a sine; with one it is its offset before, has no jump of value
// or rate, and is the sine afterwards.
func TestRampOfASine(t *testing.T) {
	plain := Sine{Amplitude: 2, Frequency: 0.25, Phase: math.Pi / 6, Offset: 1}
	for _, c := range [][3]float64{{0, 2, 2 * math.Pi / 2 * math.Sqrt(3) / 2}, {2. / 3, 3, 0}, {5. / 3, 1, -math.Pi}} {
		if x, dx := plain.At(c[0]); math.Abs(x-c[1]) > 1e-14 || math.Abs(dx-c[2]) > 1e-14 {
			t.Errorf("at %g: %g with rate %g, want %g and %g", c[0], x, dx, c[1], c[2])
		}
	}
	ramped := plain
	ramped.Start, ramped.Ramp = 1, 2
	for _, at := range []float64{-3, 0, 1} {
		if x, dx := ramped.At(at); x != 1 || dx != 0 {
			t.Errorf("at %g: %g with rate %g before the start", at, x, dx)
		}
	}
	for _, at := range []float64{3, 3.5, 100} {
		x, dx := ramped.At(at)
		if y, dy := plain.At(at); x != y || dx != dy {
			t.Errorf("at %g: %g with rate %g, want %g and %g", at, x, dx, y, dy)
		}
	}
	for _, at := range []float64{1, 3} {
		x, dx := ramped.At(at - 1e-6)
		y, dy := ramped.At(at + 1e-6)
		if math.Abs(y-x) > 1e-5 || math.Abs(dy-dx) > 2e-5 {
			t.Errorf("at %g it jumps from %g with rate %g to %g with rate %g", at, x, dx, y, dy)
		}
	}
	if x, _ := ramped.At(2); math.Abs(x-1-math.Sin(math.Pi+math.Pi/6)) > 1e-14 {
		t.Errorf("half way in: %g", x)
	}
}

func TestFaultySinesAreRefused(t *testing.T) {
	for _, c := range []struct {
		s    Sine
		want string
	}{
		{Sine{Amplitude: math.NaN()}, "amplitude is NaN"},
		{Sine{Frequency: math.Inf(1)}, "frequency is +Inf"},
		{Sine{Start: math.Inf(-1)}, "start is -Inf"},
		{Sine{Ramp: -1}, "ramp is -1 s: it must not be negative"},
	} {
		if err := c.s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.s, err, c.want)
		}
	}
	if err := (Sine{Amplitude: 1, Frequency: -2, Start: -1, Ramp: 1}).Check(); err != nil {
		t.Error(err)
	}
}

func TestKnotsAreCopied(t *testing.T) {
	times, values := []float64{0, 1}, []float64{0, 1}
	p := piecewise(t, times, values, false)
	times[1], values[1] = 9, 9
	if x, _ := p.At(0.5); x != 0.5 {
		t.Errorf("%g", x)
	}
}

func TestFaultyKnotsAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		times, values []float64
		want          string
	}{
		{nil, nil, "one of each"},
		{[]float64{1}, nil, "1 times and 0 values"},
		{[]float64{0, 1, 1}, []float64{0, 1, 2}, "1 s follows 1 s"},
		{[]float64{0, -1}, []float64{0, 1}, "-1 s follows 0 s"},
		{[]float64{nan}, []float64{0}, "knot 1"},
		{[]float64{0, inf}, []float64{0, 0}, "knot 2"},
		{[]float64{0, 1}, []float64{0, nan}, "knot 2"},
		{[]float64{0, 1}, []float64{-1e308, 1e308}, "too steep"},
		{[]float64{0, 1e-300}, []float64{0, 1e10}, "too steep"},
	} {
		if _, err := NewPiecewise(c.times, c.values, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v: error %v, want %q", c.times, c.values, err, c.want)
		}
	}
}

func TestMotionsAllocateNothing(t *testing.T) {
	var m Motion = piecewise(t, []float64{0, 1, 2}, []float64{0, 1, 5}, true)
	if n := alloctest.PerRun(100, func() { m.At(0.3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleNewPiecewise() {
	reach, _ := NewPiecewise([]float64{0, 2}, []float64{0, 0.1}, true)
	x, dx := reach.At(1)
	fmt.Printf("half way after 1 s: %.3f m at %.5f m/s\n", x, dx)
	// Output: half way after 1 s: 0.050 m at 0.09375 m/s
}

// Every registered kind states its facts, and its rates are derivatives.
func TestRegisteredMotions(t *testing.T) {
	if err := kinds.Check(Motions); err != nil {
		t.Error(err)
	}
	for _, k := range Motions.Entries() {
		for _, m := range k.Samples() {
			if c, ok := m.(interface{ Check() error }); ok && c.Check() != nil {
				t.Errorf("%s: %v", k.Name, c.Check())
			}
			for _, at := range []float64{-0.513, 0.013, 0.237, 0.611, 2.3} {
				const h = 1e-6
				hi, _ := m.At(at + h)
				lo, _ := m.At(at - h)
				if _, dx := m.At(at); math.Abs(dx-(hi-lo)/(2*h)) > 1e-6 {
					t.Errorf("%s at %g s: rate %g, by differences %g", k.Name, at, dx, (hi-lo)/(2*h))
				}
			}
		}
	}
}
