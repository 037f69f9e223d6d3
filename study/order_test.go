package study

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// powers returns points of y = c xᵖ with factors 1 + noise.
func powers(r *rand.Rand, c, p, noise float64, n int) [][2]float64 {
	points := make([][2]float64, n)
	for i := range points {
		x := math.Exp(4*r.Float64() - 2)
		points[i] = [2]float64{x, c * math.Pow(x, p) * math.Exp(noise*r.NormFloat64())}
	}
	return points
}

// The order of an exact power is found, whatever its factor; points without a logarithm
// do not count.
func TestOrdersOfExactPowers(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		c, p := math.Exp(10*r.NormFloat64()), 6*r.Float64()-3
		points := append(powers(r, c, p, 0, 2+r.Intn(10)), [2]float64{0, 1}, [2]float64{-1, 2}, [2]float64{3, 0}, [2]float64{2, -5})
		if got, ok := fittedOrder(points); !ok || math.Abs(got-p) > 1e-9 {
			t.Errorf("%v (%v), want %v", got, ok, p)
		}
	}
}

// With noise the order is the least-squares slope: it agrees with the normal equations and
// no nearby slope has a smaller sum of squares.
func TestOrdersAreLeastSquares(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 100 {
		points := powers(r, 2, 1.5, 0.3, 20)
		var n, sx, sy, sxx, sxy float64
		for _, p := range points {
			x, y := math.Log(p[0]), math.Log(p[1])
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
		want := (n*sxy - sx*sy) / (n*sxx - sx*sx)
		got, ok := fittedOrder(points)
		if !ok || math.Abs(got-want) > 1e-10 || math.Abs(got-1.5) > 0.5 {
			t.Errorf("%v, want %v", got, want)
		}
		squares := func(slope float64) (sum float64) {
			for _, p := range points {
				e := math.Log(p[1]) - sy/n - slope*(math.Log(p[0])-sx/n)
				sum += e * e
			}
			return sum
		}
		if s := squares(got); s > squares(got+1e-3) || s > squares(got-1e-3) {
			t.Errorf("the slope %v is no minimum", got)
		}
	}
	for _, points := range [][][2]float64{nil, {{1, 1}}, {{1, 1}, {1, 2}}, {{-1, 1}, {2, 1}}} {
		if p, ok := fittedOrder(points); ok {
			t.Errorf("%v have the order %v", points, p)
		}
	}
}

// The symplectic Euler method falls to z0 − g h² n(n+1)/2 = z0 − g T²/2 − g T h/2: its
// error at the end is of order 1 exactly, and the legend says so.
func TestConvergenceOfFreeFallIsOfFirstOrder(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
cases: {time.step: [0.02, 0.01, 0.005, 0.0025]}
measures:
  z: {signal: z}
  error: {expr: "abs(z - (1 - 9.81*0.2^2/2))"}
  linear: {expr: 9.81*0.2*time.step/2}
plots: {order: {x: time.step, y: error, log_x: true, log_y: true, order: 1}}
labels: {time.step: "h (s)"}
`)
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if v := rows[i].Values; math.Abs(v[1]-v[2]) > 1e-12 {
			t.Errorf("h = %s: error %v, want %v", rows[i].Case.Values[0], v[1], v[2])
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "order.svg"))
	if err != nil || !strings.Contains(string(text), "order 1.00") || !strings.Contains(string(text), "h (s)") {
		t.Errorf("the chart lacks the order or the axis: %v", err)
	}
}

// Spectra of sums of sines at any frequencies recover these with their amplitudes, in the
// unit of the column; the window and the largest number of peaks are as asked for.
func TestSpectraOfKnownSines(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 5 {
		f1, f2 := 20+60*r.Float64(), 150+200*r.Float64()
		a1, a2, offset := 1+r.Float64(), 0.2+0.3*r.Float64(), 10*r.NormFloat64()
		phase := 6 * r.Float64()
		var b strings.Builder
		b.WriteString("time_s,pull_N,none\n")
		for k := range 3000 {
			at := 1e-3 * float64(k)
			x := offset + a1*math.Sin(2*math.Pi*f1*at+phase) + a2*math.Cos(2*math.Pi*f2*at)
			if at > 2 { // outside of the window
				x += 3 * math.Sin(2*math.Pi*11*at)
			}
			fmt.Fprintf(&b, "%.17g,%.17g,0\n", at, x)
		}
		dir := t.TempDir()
		fakeCase(t, dir, "r", b.String(), "time_s,contacts\n1,5\n")
		folder, one := filepath.Join(dir, casesFolder, "r"), 1
		panel := Panel{Signals: []string{"pull_N"}, FFT: true, Over: &[2]float64{0, 2}}
		single := panel
		single.Signals, single.Peaks = []string{"1e3*pull_N"}, &one
		f, err := RunFigure(folder, &Plot{Panels: []Panel{panel, single}})
		if err != nil {
			t.Fatal(err)
		}
		peaks := f.Charts[0].Lines[0].Peaks
		if len(peaks) != 2 {
			t.Fatalf("peaks %v, want %v and %v", peaks, f1, f2)
		}
		for k, want := range [][2]float64{{f1, a1}, {f2, a2}} {
			if math.Abs(peaks[k].Frequency-want[0]) > 0.02 || math.Abs(peaks[k].Amplitude-want[1]) > 0.01*want[1] {
				t.Errorf("peak %d: %+v, want %v", k, peaks[k], want)
			}
		}
		if p := f.Charts[1].Lines[0].Peaks; len(p) != 1 || math.Abs(p[0].Amplitude-1e3*a1) > 10*a1 {
			t.Errorf("the largest peak of 1000 times the signal: %+v, want %v", p, 1e3*a1)
		}
		if f.Charts[0].X != "frequency (Hz)" || f.Charts[0].Y != "amplitude of pull (N)" {
			t.Errorf("axes %q and %q", f.Charts[0].X, f.Charts[0].Y)
		}
	}
}

// The share of the work is the sum of the steps taken over all steps, never decreases and
// ends at 1, for cases that report in any order.
func TestProgressOfRandomCases(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 50 {
		s := &Study{}
		n := 1 + r.Intn(6)
		for k := range n {
			s.Cases = append(s.Cases, Case{Name: fmt.Sprint(k), Steps: float64(1 + r.Intn(1000))})
		}
		order := s.order(0)
		shares := make([]float64, n)
		last, lastDone := 0.0, 0
		p := newProgress(s, order, func(done, total int, share float64) {
			all, sum := 0.0, 0.0
			for k, i := range order {
				all, sum = all+s.Cases[i].Steps, sum+s.Cases[i].Steps*shares[k]
			}
			if total != n || math.Abs(share-sum/all) > 1e-12 || share < last || done < lastDone {
				t.Fatalf("%d of %d, share %v after %v, want %v", done, total, share, last, sum/all)
			}
			last, lastDone = share, done
		})
		for range 200 {
			k := r.Intn(n)
			shares[k] = math.Min(1, shares[k]+0.3*r.Float64())
			p.set(k, shares[k])
		}
		for k := range n {
			shares[k] = 1
			p.set(k, 1.5) // a step may end beyond the duration
		}
		if last != 1 || lastDone != n {
			t.Errorf("ends with %d of %d, share %v", lastDone, n, last)
		}
	}
	newProgress(&Study{}, nil, nil).set(0, 1) // nobody listens
}
