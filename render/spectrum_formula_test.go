package render

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// noisy is a spectrum of random values, and the values.
func noisy(t *testing.T, n int, rate float64) (*Spectrum, []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	x := make([]float64, n)
	for k := range x {
		x[k] = 3 + rng.NormFloat64()
	}
	s, err := NewSpectrum(sampled(n, rate, 0, func(t float64) float64 { return x[int(math.Round(t*rate))] }))
	if err != nil {
		t.Fatal(err)
	}
	return s, x
}

// byDefinition evaluates A(f) = 2/Σw |Σ w_k (x_k − x̄) e^{−2πi f k/r}| term by term.
func byDefinition(x []float64, rate, f float64) float64 {
	n := float64(len(x))
	w := func(k int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*(float64(k)+0.5)/n) }
	sum, mean := 0.0, 0.0
	for k := range x {
		sum += w(k)
		mean += w(k) * x[k]
	}
	mean /= sum
	var a complex128
	for k := range x {
		a += complex(w(k)*(x[k]-mean), 0) * cmplx.Exp(complex(0, -2*math.Pi*f*float64(k)/rate))
	}
	return 2 / sum * cmplx.Abs(a)
}

// The spectrum is that of the definition, at its own frequencies and between them.
func TestSpectraAreThoseOfTheDefinition(t *testing.T) {
	s, x := noisy(t, 700, 100)
	for k := 0; k < len(s.Frequency); k += 97 {
		f := s.Frequency[k]
		want := byDefinition(x, 100, f)
		if math.Abs(s.Amplitude[k]-want) > 1e-12 || math.Abs(s.at(f)-want) > 1e-12 {
			t.Errorf("%g Hz: %g by the transform, %g by the sum, want %g", f, s.Amplitude[k], s.at(f), want)
		}
	}
	for _, f := range []float64{0.123, 17.77, 49.9} {
		if got, want := s.at(f), byDefinition(x, 100, f); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g Hz: %g, want %g", f, got, want)
		}
	}
}

// A refined peak is higher than all that a fine grid about the sample finds.
func TestRefinedPeaksAreMaxima(t *testing.T) {
	s, err := NewSpectrum(sampled(600, 300, 0, func(t float64) float64 { return math.Sin(2*math.Pi*33.3*t) + 0.3*math.Sin(2*math.Pi*71.9*t) }))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i+1 < len(s.Amplitude); i++ {
		if s.Amplitude[i] < 0.2 || s.Amplitude[i] < s.Amplitude[i-1] || s.Amplitude[i] < s.Amplitude[i+1] {
			continue
		}
		p := s.refined(i)
		for k := range 101 {
			f := s.Frequency[i-1] + float64(k)/100*(s.Frequency[i+1]-s.Frequency[i-1])
			if a := s.at(f); a > p.Amplitude+1e-9 {
				t.Errorf("the peak at %g Hz has %g, but there is %g at %g Hz", p.Frequency, p.Amplitude, a, f)
			}
		}
	}
}

// Beside a sine the amplitude stays below the envelope a/(π d (d² − 1)), d widths away.
func TestLeakageIsBoundedByItsEnvelope(t *testing.T) {
	const n, rate, f0 = 1000, 1000.0, 200.37
	s, err := NewSpectrum(sampled(n, rate, 0, func(t float64) float64 { return math.Sin(2 * math.Pi * f0 * t) }))
	if err != nil {
		t.Fatal(err)
	}
	for k, f := range s.Frequency {
		d := math.Abs(f-f0) / s.Resolution
		if d <= 2.5 || d > 100 { // (2) is the limit of many samples
			continue
		}
		if bound := s.leakage(f-f0) + s.leakage(f+f0); s.Amplitude[k] > 1.05*bound { // of the sine and of its image at −f₀
			t.Fatalf("%g widths away: %g, the envelope is %g", d, s.Amplitude[k], bound)
		}
	}
	if s.leakage(0) != 1 || s.leakage(-3*s.Resolution) != s.leakage(3*s.Resolution) || math.Abs(s.leakage(3*s.Resolution)-1/(24*math.Pi)) > 1e-12 {
		t.Error("the envelope is not 1 at the peak and 1/(24 π) three widths from it")
	}
}

// Signals that are even already keep their values; others are interpolated linearly.
func TestEvenSamplesAreKeptAndOthersInterpolated(t *testing.T) {
	p := sampled(40, 10, 2, func(t float64) float64 { return t * t })
	x, rate, err := evenly(p)
	if err != nil || math.Abs(rate-10) > 1e-9 || len(x) != 40 {
		t.Fatalf("%d samples at %g Hz, %v", len(x), rate, err)
	}
	for k := range x {
		if x[k] != p[k][1] {
			t.Errorf("sample %d becomes %g", k, x[k])
		}
	}
	// a linear signal stays exact at any times
	rng := rand.New(rand.NewPCG(1, 9))
	var q [][2]float64
	for k := range 60 {
		at := 0.1*float64(k) + 0.03*rng.Float64()
		q = append(q, [2]float64{at, 5 - 2*at})
	}
	x, rate, err = evenly(q)
	if err != nil {
		t.Fatal(err)
	}
	for k := range x {
		if want := 5 - 2*(q[0][0]+float64(k)/rate); math.Abs(x[k]-want) > 1e-9 {
			t.Errorf("sample %d is %g, want %g", k, x[k], want)
		}
	}
}

// The curve of a logarithmic chart keeps the highest amplitude of each resolution.
func TestCurvesOfSpectraKeepTheirPeaks(t *testing.T) {
	s, _ := noisy(t, 200, 50)
	if all := s.curve(false); len(all) != len(s.Frequency) {
		t.Errorf("a linear curve has %d of %d points", len(all), len(s.Frequency))
	}
	most := map[int]float64{}
	for k, f := range s.Frequency {
		b := int(f/s.Resolution + 0.5)
		most[b] = math.Max(most[b], s.Amplitude[k])
	}
	curve := s.curve(true)
	if len(curve) != len(most) {
		t.Errorf("%d points, want %d", len(curve), len(most))
	}
	for _, p := range curve {
		if want := most[int(p[0]/s.Resolution+0.5)]; p[1] != want {
			t.Errorf("at %g Hz: %g, want %g", p[0], p[1], want)
		}
	}
}

// highest finds what a look at every point finds.
func TestHighestAmplitudeBetweenFrequencies(t *testing.T) {
	a, _ := noisy(t, 100, 50)
	c := &Chart{Lines: []Line{{Points: a.curve(false)}, {Points: a.curve(true)}}}
	for _, r := range [][2]float64{{0, 25}, {3, 4.5}, {7.77, 7.78}, {30, 40}, {5, 4}} {
		want := 0.0
		for _, l := range c.Lines {
			for _, p := range l.Points {
				if p[0] >= r[0] && p[0] <= r[1] {
					want = math.Max(want, p[1])
				}
			}
		}
		if got := c.highest(r[0], r[1]); got != want {
			t.Errorf("from %g to %g Hz: %g, want %g", r[0], r[1], got, want)
		}
	}
}

// Labels of peaks stand above their peaks and do not overlap.
func TestLabelsOfPeaksAreAboveThem(t *testing.T) {
	f := &Figure{Charts: []Chart{{Y: "force (N)", Lines: []Line{{Points: sampled(2000, 1000, 0, func(t float64) float64 {
		return math.Sin(2*math.Pi*60*t) + 0.6*math.Sin(2*math.Pi*200*t) + 0.4*math.Sin(2*math.Pi*350*t)
	})}}}}}
	if err := f.Spectrum(0, 3); err != nil {
		t.Fatal(err)
	}
	c := &f.Charts[0]
	if len(c.Notes) != 3 {
		t.Fatalf("%d labels", len(c.Notes))
	}
	for i, want := range []Peak{{60, 1}, {200, 0.6}, {350, 0.4}} {
		n := c.Notes[i]
		if n.Text != hertz(want.Frequency) || math.Abs(n.At[0]-want.Frequency) > 30 || n.At[1] < want.Amplitude {
			t.Errorf("label %+v for %+v", n, want)
		}
	}
	d := drawn(f)
	a, b := boxOf(d.find(t, "60 Hz")), boxOf(d.find(t, "200 Hz"))
	if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
		t.Errorf("labels at %v and %v", a, b)
	}
	if lo, hi := *c.Min[1], *c.Max[1]; lo != 0 || !(hi > 1.1 && hi < 1.5) {
		t.Errorf("amplitudes from %g to %g", lo, hi)
	}
}
