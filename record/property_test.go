package record

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// sample returns a table of a signal x with n rows at times 0, 0.1, 0.2 …
func sample(rng *rand.Rand, n int) *Table {
	t := &Table{Columns: []string{"time_s", "x"}, Data: make([][]float64, 2)}
	for i := range n {
		t.Data[0] = append(t.Data[0], 0.1*float64(i))
		t.Data[1] = append(t.Data[1], rng.NormFloat64())
	}
	return t
}

// Under x → k x + c with k > 0, statistics of place become k s + c, those of spread k s.
func TestStatisticsFollowAChangeOfUnits(t *testing.T) {
	const k, c = 3.5, -0.75
	place := []string{"last", "first", "min", "max", "mean", "median", "p95"}
	spread := []string{"std", "range"}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 40; n++ {
		a := sample(rng, n)
		b := &Table{Columns: a.Columns, Data: [][]float64{a.Data[0], slices.Clone(a.Data[1])}}
		for i := range b.Data[1] {
			b.Data[1][i] = k*b.Data[1][i] + c
		}
		for _, stat := range Stats {
			check := &Check{Signal: "x", Stat: stat, From: 0, To: 10}
			before, after := check.Statistic(a), check.Statistic(b)
			want := after
			switch {
			case slices.Contains(place, stat):
				want = k*before + c
			case slices.Contains(spread, stat):
				want = k * before
			}
			if math.Abs(after-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s of %d rows: %g, want %g", stat, n, after, want)
			}
		}
	}
}

// The mean square is the square of the mean plus the variance.
func TestMomentsOfASampleAreRelated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 30; n++ {
		table := sample(rng, n)
		stat := func(name string) float64 {
			return (&Check{Signal: "x", Stat: name, To: 10}).Statistic(table)
		}
		mean, std, rms := stat("mean"), stat("std"), stat("rms")
		if math.Abs(rms*rms-mean*mean-std*std) > 1e-13 {
			t.Errorf("%d rows: rms² %g, mean² + std² %g", n, rms*rms, mean*mean+std*std)
		}
		if r := stat("relative_std"); math.Abs(r*math.Abs(mean)-std) > 1e-13 {
			t.Errorf("%d rows: relative_std %g, std %g, mean %g", n, r, std, mean)
		}
		lo, hi := slices.Min(table.Data[1]), slices.Max(table.Data[1])
		if stat("abs_max") != max(-lo, hi) || stat("range") != hi-lo {
			t.Errorf("%d rows: abs_max %g, range %g of %g … %g", n, stat("abs_max"), stat("range"), lo, hi)
		}
	}
}

// The nearest-rank definition, by counting: the smallest value that at least p n values
// do not exceed.
func TestPercentilesAgreeWithCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 1; n <= 25; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(10))
		}
		for _, p := range []float64{0.01, 0.25, 0.5, 0.75, 0.95, 1} {
			want := math.Inf(1)
			for _, candidate := range x {
				below := 0
				for _, v := range x {
					if v <= candidate {
						below++
					}
				}
				if float64(below) >= p*float64(n) {
					want = min(want, candidate)
				}
			}
			if got := percentile(x, p); got != want {
				t.Errorf("percentile %g of %v is %g, want %g", p, x, got, want)
			}
		}
	}
}

// Numbers of any size read back with the same bits.
func TestRowsOfTablesKeepTheirBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tab := &table{buf: []byte("a,b,c\n")}
	var want [3][]uint64
	for len(want[0]) < 500 {
		row := make([]float64, 3)
		for i := range row {
			for row[i] = math.NaN(); math.IsNaN(row[i]); {
				row[i] = math.Float64frombits(rng.Uint64())
			}
			want[i] = append(want[i], math.Float64bits(row[i]))
		}
		if err := tab.row(row); err != nil {
			t.Fatal(err)
		}
	}
	got, err := parseTable(strings.NewReader(string(tab.buf)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for k, x := range got.Data[i] {
			if math.Float64bits(x) != want[i][k] {
				t.Fatalf("column %d, row %d: %x, want %x", i, k, math.Float64bits(x), want[i][k])
			}
		}
	}
}

func TestSixteenBitNumbersInvert(t *testing.T) {
	all := make([]uint16, 1<<16)
	for n := range all {
		x := uint16(n)
		all[n] = x
		if unzigzag(zigzag(x)) != x {
			t.Fatalf("zigzag of %d reads back as %d", x, unzigzag(zigzag(x)))
		}
		if share(float64(x), math.MaxUint16) != x {
			t.Fatalf("share of %d/65535 is %d", x, share(float64(x), math.MaxUint16))
		}
		if x != 1<<15 && signed(unsigned(x), 1) != x { // −32768 is not used
			t.Fatalf("signed of part %g is %d, not %d", unsigned(x), signed(unsigned(x), 1), x)
		}
	}
	// small differences of either sign have small codes
	for d := -100; d <= 100; d++ {
		if z := zigzag(uint16(int16(d))); int(z) > 2*max(d, -d) {
			t.Errorf("the difference %d has the code %d", d, z)
		}
	}
	// a column of all numbers, and one that is longer than the bytes
	var e encoder
	e.columnOf(all)
	d := decoder{b: e.b}
	if got := d.columnOf(len(all)); !slices.Equal(got, all) || d.bad || len(d.b) != 0 {
		t.Error("a column does not read back")
	}
	if d = (decoder{b: e.b[:5]}); d.columnOf(3) != nil || !d.bad {
		t.Error("a column of three numbers is read from five bytes")
	}
}

// A motion along one direction, u(t) = s(t) d, has one mode, and its weight is ±s |d|. Modes
// are orthonormal, and x(0) + Σ w φ is the motion.
func TestModesOfSimpleMotions(t *testing.T) {
	const n = 20
	rest := []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	d := []r3.Vec{{0, 0, 0}, {0.3, 0, 0}, {0, 0.4, 0.1}, {0.1, 0.2, -0.5}}
	e := []r3.Vec{{0.2, 0, 0}, {0, 0, 0.1}, {0, 0, 0.3}, {-0.1, 0, 0}}
	for _, second := range []float64{0, 0.7} {
		rec := &Recording{}
		for k := range n {
			s, r := math.Sin(float64(k)/3), second*float64(k*k)/n/n
			var x []r3.Vec
			for j, p := range rest {
				x = append(x, p.AddScaled(s, d[j]).AddScaled(r, e[j]))
			}
			rec.Frames = append(rec.Frames, Frame{Time: float64(k), Verts: [][]r3.Vec{x}})
		}
		modes, weights := motionModes(rec, 0, []int32{0, 1, 2, 3})
		if want := map[float64]int{0: 1, 0.7: 2}[second]; len(modes) != want || len(weights) != n*want {
			t.Fatalf("second motion %g: %d modes, %d weights, want %d modes", second, len(modes), len(weights), want)
		}
		dot := func(a, b [][3]float32) (sum float64) {
			for j := range a {
				for i := range 3 {
					sum += float64(a[j][i]) * float64(b[j][i])
				}
			}
			return sum
		}
		for i := range modes {
			for k := range modes {
				if want := map[bool]float64{true: 1}[i == k]; math.Abs(dot(modes[i], modes[k])-want) > 1e-5 {
					t.Errorf("φ_%d·φ_%d is %g", i, k, dot(modes[i], modes[k]))
				}
			}
		}
		tol := modeError * math.Sqrt(3) // of the diagonal of the box
		for k := range n {
			for j := range rest {
				x := rec.Frames[0].Verts[0][j]
				for m := range modes {
					w := float64(weights[k*len(modes)+m])
					for i := range 3 {
						x[i] += w * float64(modes[m][j][i])
					}
				}
				if off := x.Sub(rec.Frames[k].Verts[0][j]).Norm(); off > math.Sqrt(3)*tol {
					t.Errorf("frame %d, vertex %d: off by %g m", k, j, off)
				}
			}
		}
	}
}

// A body that is moved by d has its centre, and each vertex, moved by d.
func TestSummaryOfATranslatedDeformable(t *testing.T) {
	d, v := r3.Vec{0.3, -0.4, 1.2}, r3.Vec{0, 3, 4}
	rec := swing()
	f := rec.Frames[0]
	f.Verts, f.Vels = [][]r3.Vec{slices.Clone(f.Verts[0])}, [][]r3.Vec{slices.Clone(f.Vels[0])}
	f.VonMises = [][]float32{{3, 8}}
	before, _, _, _ := rec.deformableSummary(&rec.Frames[0], 0)
	for j := range f.Verts[0] {
		f.Verts[0][j], f.Vels[0][j] = f.Verts[0][j].Add(d), v
	}
	after, moved, speed, stress := rec.deformableSummary(&f, 0)
	if after.Sub(before).Sub(d).Norm() > 1e-15 || math.Abs(moved-1.3) > 1e-15 || speed != 5 || stress != 8 {
		t.Errorf("centre moved by %v, vertices by %g m at %g m/s, stress %g Pa", after.Sub(before), moved, speed, stress)
	}
}

// Contact pressure is linear in the forces, and does not see forces along the surface.
func TestContactPressureIsLinearAndNormal(t *testing.T) {
	rec := swing()
	f := rec.Frames[2]
	base := ContactPressure(rec, &f, 0)
	f.Contacts = slices.Clone(f.Contacts)
	for i := range f.Contacts {
		c := &f.Contacts[i]
		t1, _ := r3.Basis(c.Normal_W)
		c.Force_W = c.Force_W.Scale(2).AddScaled(17, t1)
	}
	for k, p := range ContactPressure(rec, &f, 0) {
		if math.Abs(p-2*base[k]) > 1e-12*(1+p) {
			t.Errorf("vertex %d: %g Pa, want %g Pa", k, p, 2*base[k])
		}
	}
}

func TestFailedChecksAreNamedInOrder(t *testing.T) {
	var s Summary
	for i := range 6 {
		s.Checks = append(s.Checks, CheckResult{Name: fmt.Sprint("check", i), OK: i%2 == 0})
	}
	if got := s.FailedChecks(); !slices.Equal(got, []string{"check1", "check3", "check5"}) {
		t.Errorf("failed: %v", got)
	}
	if got := new(Summary).FailedChecks(); got != nil {
		t.Errorf("no checks fail as %v", got)
	}
}
