package render

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampled returns n samples of a function at the rate r, from t0 on.
func sampled(n int, r, t0 float64, f func(t float64) float64) [][2]float64 {
	p := make([][2]float64, n)
	for k := range p {
		t := t0 + float64(k)/r
		p[k] = [2]float64{t, f(t)}
	}
	return p
}

// A sine's peak has its amplitude and frequency wherever it lies between the
// frequencies that go whole turns into the time.
func TestPeaksAreTheSinesOfASignal(t *testing.T) {
	const rate, n = 1000.0, 1200 // resolution 0.833 Hz
	for k := range 21 {
		f := 40 + float64(k)*rate/n/20
		s, err := NewSpectrum(sampled(n, rate, 3, func(t float64) float64 { return 7 + 0.25*math.Sin(2*math.Pi*f*t+0.3*float64(k)) }))
		if err != nil {
			t.Fatal(err)
		}
		p := s.Peaks(5)
		if len(p) != 1 {
			t.Fatalf("%g Hz: peaks %v, want one", f, p)
		}
		if math.Abs(p[0].Frequency-f) > 1e-4 || math.Abs(p[0].Amplitude-0.25) > 1e-5 {
			t.Errorf("%g at %g Hz, want 0.25 at %g", p[0].Amplitude, p[0].Frequency, f)
		}
		top := 0.0
		for _, a := range s.Amplitude {
			top = math.Max(top, a)
		}
		if top < 0.25*0.98 || top > 0.25*1.001 {
			t.Errorf("the curve's highest is %g, want about 0.25", top)
		}
		if math.Abs(s.Resolution-rate/n) > 1e-9 || math.Abs(s.Frequency[len(s.Frequency)-1]-rate/2) > 1e-9 {
			t.Errorf("resolution %g Hz, up to %g Hz", s.Resolution, s.Frequency[len(s.Frequency)-1])
		}
	}
}

func TestPeaksStandOutOfLeakageDriftAndNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	sines := []Peak{{12.73, 2}, {25.4, 0.5}, {31.1, 0.02}, {212, 1}}
	s, err := NewSpectrum(sampled(4000, 2000, 0, func(t float64) float64 {
		x := 100 + 3*t + 5e-3*rng.NormFloat64()
		for _, p := range sines {
			x += p.Amplitude * math.Cos(2*math.Pi*p.Frequency*t+p.Frequency)
		}
		return x
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := s.Peaks(10)
	if len(got) != 4 {
		t.Fatalf("peaks %v, want %v", got, sines)
	}
	for _, i := range [][2]int{{0, 0}, {1, 3}, {2, 1}, {3, 2}} {
		g, w := got[i[0]], sines[i[1]]
		if math.Abs(g.Frequency-w.Frequency) > 0.02 || math.Abs(g.Amplitude-w.Amplitude) > 2e-3 {
			t.Errorf("peak %+v, want %+v", g, w)
		}
	}
	if p := s.Peaks(2); len(p) != 2 || p[1].Frequency != got[1].Frequency {
		t.Errorf("the two largest are %v", p)
	}
	noise, err := NewSpectrum(sampled(4000, 2000, 0, func(float64) float64 { return rng.NormFloat64() }))
	if err != nil {
		t.Fatal(err)
	}
	if p := noise.Peaks(10); len(p) > 1 {
		t.Errorf("noise has the peaks %v", p)
	}
	still, err := NewSpectrum(sampled(100, 10, 0, func(float64) float64 { return 4 }))
	if err != nil || len(still.Peaks(3)) != 0 {
		t.Errorf("what stands still has peaks %v (%v)", still.Peaks(3), err)
	}
}

// Times that jump by a sample now and then, and an odd last one, change little.
func TestUnevenTimesAreMadeEven(t *testing.T) {
	p := sampled(2001, 1000, 0, func(t float64) float64 { return math.Sin(2 * math.Pi * 20 * t) })
	var q [][2]float64
	for i := range p { // two, three, two, three steps apart
		if i%5 == 0 || i%5 == 2 || i == 2000 {
			q = append(q, p[i])
		}
	}
	s, err := NewSpectrum(q)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Peaks(1); len(got) != 1 || math.Abs(got[0].Frequency-20) > 1e-3 || math.Abs(got[0].Amplitude-1) > 0.01 {
		t.Errorf("peaks %v, want 1 at 20 Hz", got)
	}
}

func TestSignalsWithoutASpectrumSayWhy(t *testing.T) {
	good := sampled(100, 10, 0, math.Sin)
	for want, spoil := range map[string]func(p [][2]float64) [][2]float64{
		"too few":        func(p [][2]float64) [][2]float64 { return p[:15] },
		"no value at 1":  func(p [][2]float64) [][2]float64 { p[10][1] = math.NaN(); return p },
		"do not rise":    func(p [][2]float64) [][2]float64 { p[10][0] = p[9][0]; return p },
		"gaps of severa": func(p [][2]float64) [][2]float64 { return append(p[:40], p[60:]...) },
	} {
		_, err := NewSpectrum(spoil(append([][2]float64(nil), good...)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestSpectraLabelTheirPeaks(t *testing.T) {
	line := func(name string, f ...float64) Line {
		return Line{Name: name, Points: sampled(2000, 1000, 0, func(t float64) float64 {
			x := 0.0
			for i, f := range f {
				x += math.Sin(2*math.Pi*f*t) / float64(i+1)
			}
			return x
		})}
	}
	for _, log := range []bool{false, true} {
		fig := &Figure{Charts: []Chart{{
			Y: "force (N)", LogX: log, LogY: log, Rules: []Rule{{Upright: true, At: 125, Label: "mesh"}},
			Lines: []Line{line("a", 50, 53, 120), line("b", 50, 300)},
		}}}
		fig.Charts[0].Lines[1].Style.Color = 1
		if err := fig.Spectrum(0, 4); err != nil {
			t.Fatal(err)
		}
		c := &fig.Charts[0]
		if a, b := c.Lines[0].Peaks, c.Lines[1].Peaks; len(a) != 3 || len(b) != 2 {
			t.Fatalf("peaks %v and %v", a, b)
		}
		texts := map[string]bool{}
		for _, n := range c.Notes {
			texts[n.Text] = true
		}
		// on a logarithmic axis there is no room for that of 120 Hz
		if !texts["50 Hz"] || !texts["53 Hz"] || !texts["300 Hz"] || !log && !texts["120 Hz"] || len(texts) > 4 {
			t.Errorf("labels %v", texts)
		}
		if c.Y != "force (N)" || c.X != "frequency (Hz)" || len(c.Rules) != 1 {
			t.Errorf("axes %q, %q, %d rules", c.X, c.Y, len(c.Rules))
		}
		path := filepath.Join(t.TempDir(), "s.png")
		if dir := os.Getenv("PICTURES"); dir != "" {
			path = filepath.Join(dir, map[bool]string{false: "linear.png", true: "log.png"}[log])
		}
		if err := fig.Write(path); err != nil {
			t.Error(err)
		}
	}
}
