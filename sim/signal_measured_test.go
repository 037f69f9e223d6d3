package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Noise is normal and has no memory: mean, deviation, lag-one correlation and tails of 1e5 samples.
func TestNoiseIsNormal(t *testing.T) {
	const n = 100000
	for key := range uint64(5) {
		sum, squares, lagged, tail, last := 0.0, 0.0, 0.0, 0, 0.0
		for k := range uint64(n) {
			x := normal(key*0x1234567+7, k)
			sum, squares, lagged = sum+x, squares+x*x, lagged+x*last
			last = x
			if math.Abs(x) > 2 {
				tail++
			}
		}
		near(t, "mean", sum/n, 0, 4/math.Sqrt(n))
		near(t, "variance", squares/n, 1, 0.02)
		near(t, "lag-one correlation", lagged/n, 0, 0.013)
		near(t, "share beyond two deviations", float64(tail)/n, 0.0455, 4*math.Sqrt(0.0455/n))
	}
}

// The walk has the variance t, increments that are independent of what was before, and is continuous where intervals
// meet.
func TestWalkHasTheVarianceOfTime(t *testing.T) {
	const seeds = 20000
	times := []float64{0.003, 0.1, 0.7, 1, 1.3, 2.5, 7, 40}
	for i, at := range times {
		squares, product := 0.0, 0.0
		for key := range uint64(seeds) {
			b := brownian(3*key, at)
			squares += b * b
			if i > 0 {
				before := brownian(3*key, times[i-1])
				product += before * (b - before)
			}
		}
		near(t, "variance", squares/seeds, at, 0.05*at)
		if i > 0 {
			near(t, "correlation of an increment", product/seeds, 0, 4*math.Sqrt(times[i-1]*(at-times[i-1])/seeds))
		}
	}
	for _, at := range []float64{1, 2, 4, 0.5, 0.75, 3} {
		for key := range uint64(50) {
			near(t, "jump of the walk", brownian(key, at+1e-9), brownian(key, math.Nextafter(at, 0)), 1e-4)
		}
	}
}

// A measured signal has the errors that it is given, the unit of its signal, other numbers for another seed, and the
// same in a run that repeats.
func TestMeasuredSignals(t *testing.T) {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	b.AddBody("ball", BodySpec{Pose: at(0.5, 0, 0), Inertial: &geometry.MassProperties{Mass: 1, Inertia: r3.Diag(r3.Vec{1, 1, 1})}})
	b.AddSignal("x", &PositionSpec{Component: "x", Body: "ball"})
	upper := 0.505
	for name, spec := range map[string]*MeasuredSpec{
		"bias": {Bias: 0.25}, "quantum": {Quantum: 0.3}, "noise": {Deviation: 0.01}, "other": {Deviation: 0.01, Seed: 1}, "bounded": {Deviation: 0.01, Upper: &upper},
	} {
		spec.Signal = "x"
		b.AddSignal(name, spec)
	}
	m := must(b.Build())
	var runs [2][]float64
	for i := range runs {
		s, x := start(t, m, 1)
		largest := math.Inf(-1)
		for range 100 {
			run(t, s, x, 1e-3, 1)
			values := s.Read(x, nil)
			of := func(name string) float64 { return values[m.Names.Signals[name]] }
			near(t, "bias", of("bias"), 0.75, 1e-12)
			near(t, "quantum", of("quantum"), 0.6, 1e-12)
			near(t, "noise", of("noise"), 0.5, 0.06)
			if of("noise") == of("other") || of("bounded") > upper {
				t.Errorf("noise %g, with another seed %g, bounded %g", of("noise"), of("other"), of("bounded"))
			}
			largest = max(largest, of("bounded"))
			runs[i] = append(runs[i], values...)
		}
		near(t, "largest bounded value", largest, upper, 0)
	}
	if !sameBits(runs[0], runs[1]) {
		t.Error("two runs differ")
	}
	for i := range m.Signals {
		if m.Signals[i].Unit != "m" || m.Signals[i].OfStep {
			t.Errorf("%s is in %q, of a step: %v", m.Signals[i].Name, m.Signals[i].Unit, m.Signals[i].OfStep)
		}
	}
	b.AddSignal("late", &MeasuredSpec{Signal: "nose"})
	if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), `unknown signal "nose"`) || !strings.Contains(err.Error(), `did you mean "noise"`) {
		t.Errorf("an unknown signal: %v", err)
	}
}
