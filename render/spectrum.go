package render

// The amplitude spectrum of N samples x_k at the rate r, with the window of Hann
// w_k = ½ − ½ cos(2π (k+½)/N) and the mean removed, is
//
//	A(f) = 2/Σw |Σ w_k (x_k − x̄) e^{−2πi f k/r}|,  x̄ = Σ w_k x_k/Σw     (1)
//
// A sine of amplitude a and frequency f₀ between 2 r/N and r/2 − 2 r/N shows as a
// peak of height a at f₀, 4 r/N wide, beside which d widths r/N away A falls to
//
//	a/(π d (d² − 1)),  d > 2.                                             (2)
//
// Source: F. J. Harris, On the use of windows for harmonic analysis with the
// discrete Fourier transform, Proc. IEEE 66 (1978).

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Spectrum is the amplitude spectrum of a signal.
type Spectrum struct {
	// Frequency are the frequencies, Hz, evenly from 0 and finer than the resolution.
	Frequency []float64
	// Amplitude is, at a peak, the amplitude of the sine that it stands for, in the unit
	// of the signal.
	Amplitude []float64
	// Resolution is the sampling rate over the number of samples, Hz. Sines closer
	// than about twice the resolution make one peak.
	Resolution float64

	// rate is that of the samples, Hz.
	rate float64
	// samples are w_k (x_k − x̄) of (1), in the unit of the signal.
	samples []float64
	// scale is 2/Σw of (1).
	scale float64
}

// Peak is a sine that stands out of a spectrum.
type Peak struct {
	// Frequency is the frequency of the sine, Hz.
	Frequency float64 `json:"frequency_Hz"`
	// Amplitude is half of the range of the sine, in the unit of the signal.
	Amplitude float64 `json:"amplitude"`
}

// leastSamples is the least number of samples of a spectrum.
const leastSamples = 16

// NewSpectrum returns the spectrum of a signal, given as points (time in s, value). For
// times that are not evenly spaced, as at the end of a run or in thinned tables, the
// signal is interpolated linearly. It returns an error for fewer than 16 points, for
// values that are not finite, for times that do not rise, and for gaps.
func NewSpectrum(points [][2]float64) (*Spectrum, error) {
	if len(points) < leastSamples {
		return nil, fmt.Errorf("%d samples are too few for a spectrum: %d are required at least", len(points), leastSamples)
	}
	// one value that is not finite would spoil all amplitudes
	for i, p := range points {
		if math.IsNaN(p[1]) || math.IsInf(p[1], 0) {
			return nil, fmt.Errorf("the signal has no value at %g s: choose a window of time in which it has", p[0])
		}
		if i > 0 && !(p[0] > points[i-1][0]) {
			return nil, fmt.Errorf("times do not rise at %g s: a spectrum is of signals over time", p[0])
		}
	}
	// (1) needs samples at a constant rate
	x, rate, err := evenly(points)
	if err != nil {
		return nil, err
	}
	n := len(x)
	s := &Spectrum{rate: rate, Resolution: rate / float64(n), samples: x}
	// a Hann window, and the signal without its weighted mean
	w := make([]float64, n)
	sum, mean := 0.0, 0.0
	for k := range w {
		w[k] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(k)+0.5)/float64(n))
		sum += w[k]
		mean += w[k] * (x[k] - x[0])
	}
	mean = x[0] + mean/sum
	for k := range x {
		x[k] = w[k] * (x[k] - mean)
	}
	s.scale = 2 / sum

	// zeros up to a power of two make the transform quick and its samples dense
	long := 1
	for long < 4*n {
		long *= 2
	}
	padded := make([]float64, long)
	copy(padded, x)
	// the first half of the coefficients, from 0 to half of the rate
	coeff := fourier.NewFFT(long).Coefficients(nil, padded)
	s.Frequency, s.Amplitude = make([]float64, len(coeff)), make([]float64, len(coeff))
	for i, c := range coeff {
		s.Frequency[i] = rate * float64(i) / float64(long)
		s.Amplitude[i] = s.scale * cmplx.Abs(c) // (1)
	}
	return s, nil
}

// evenly returns the values at evenly spaced times, and their rate, Hz. The step is the
// median of the steps of the points. Points that are even up to a thousandth of a step keep
// their values; others are interpolated linearly. Gaps of more than four steps are an error.
func evenly(points [][2]float64) (x []float64, rate float64, err error) {
	n := len(points)
	gaps := make([]float64, n-1)
	for i := range gaps {
		gaps[i] = points[i+1][0] - points[i][0]
	}
	// the median step is that of the spectrum
	slices.Sort(gaps)
	step := gaps[len(gaps)/2]
	if gaps[len(gaps)-1] > 4*step {
		return nil, 0, errors.New("the signal has gaps of several samples: choose a window of time without")
	}
	// even already, up to round-off
	t0 := points[0][0]
	x = make([]float64, 0, n)
	if last := t0 + float64(n-1)*step; math.Abs(last-points[n-1][0]) < 1e-3*step && gaps[len(gaps)-1]-gaps[0] < 1e-3*step {
		for _, p := range points {
			x = append(x, p[1])
		}
		return x, float64(n-1) / (points[n-1][0] - t0), nil
	}
	// linear between neighbours
	// t is time k of the even ones, between points i and i + 1
	i := 0
	for k := 0; ; k++ {
		t := t0 + float64(k)*step
		for i+2 < n && points[i+1][0] <= t {
			i++
		}
		a, b := points[i], points[i+1]
		if t > b[0]+1e-9*step {
			return x, 1 / step, nil
		}
		x = append(x, a[1]+(b[1]-a[1])*(t-a[0])/(b[0]-a[0]))
	}
}

// at returns (1) at any frequency.
func (s *Spectrum) at(f float64) float64 {
	// the phase of one sample at this frequency, rad
	turn := -2 * math.Pi * f / s.rate
	var sum complex128
	// e^{i turn k} by recurrence, restarted every chunk to bound round-off
	const chunk = 256
	step := cmplx.Exp(complex(0, turn))
	for k0 := 0; k0 < len(s.samples); k0 += chunk {
		e := cmplx.Exp(complex(0, math.Mod(turn*float64(k0), 2*math.Pi)))
		for _, x := range s.samples[k0:min(len(s.samples), k0+chunk)] {
			sum += complex(x, 0) * e
			e *= step
		}
	}
	return s.scale * cmplx.Abs(sum)
}

// Peaks returns at most n sines, the largest first, whose amplitude exceeds the leakage
// of larger ones (2) and the noise. Sines with fewer than two periods in the signal
// cannot be distinguished from a drift and are left out.
func (s *Spectrum) Peaks(n int) []Peak {
	type top struct {
		at int
		a  float64
	}
	// local maxima by amplitude
	var tops []top
	for i := 1; i+1 < len(s.Amplitude); i++ {
		if a := s.Amplitude[i]; a > s.Amplitude[i-1] && a >= s.Amplitude[i+1] && s.Frequency[i] >= 2*s.Resolution {
			tops = append(tops, top{i, a})
		}
	}
	// the largest first, because it may explain smaller ones by its leakage
	slices.SortStableFunc(tops, func(a, b top) int {
		switch {
		case a.a > b.a:
			return -1
		case a.a < b.a:
			return 1
		}
		return 0
	})
	// the noise is taken from the median amplitude
	sorted := slices.Clone(s.Amplitude)
	slices.Sort(sorted)
	const outOfNoise, ofLargest = 4, 1e-3
	// 4 times the median, which peaks do not move
	floor := outOfNoise * sorted[len(sorted)/2]
	drift := 0.0 // the largest amplitude below two periods, which leaks too
	for i, f := range s.Frequency {
		if f < 2*s.Resolution {
			drift = max(drift, s.Amplitude[i])
		}
	}
	// in falling order: the rest is noise, or less than a thousandth of the largest
	var peaks []Peak
	for _, t := range tops {
		if len(peaks) == n || t.a <= floor || t.a < ofLargest*tops[0].a {
			break
		}
		f := s.Frequency[t.at]
		leak := math.Pi * drift * s.leakage(f) // a ramp leaks π times as much as a sine
		for _, p := range peaks {
			leak += p.Amplitude * s.leakage(f-p.Frequency)
		}
		// twice the leakage of all larger peaks can only be a sine of its own
		if t.a > 2*leak {
			peaks = append(peaks, s.refined(t.at))
		}
	}
	return peaks
}

// leakage returns (2) for a sine of amplitude 1 at a distance df, Hz.
func (s *Spectrum) leakage(df float64) float64 {
	// d is the distance in resolutions; within the main lobe, nothing smaller can be resolved
	d := math.Abs(df) / s.Resolution
	if d <= 2 {
		return 1
	}
	return 1 / (math.Pi * d * (d*d - 1))
}

// refined returns the maximum of (1) near sample i, by golden-section search between the
// samples beside it. Zeros pad the signal to four times its length at least, so that (1)
// has one maximum there. 24 steps narrow the interval to 1e-5 of itself.
func (s *Spectrum) refined(i int) Peak {
	const ratio = 0.6180339887498949
	lo, hi := s.Frequency[i-1], s.Frequency[i+1]
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := s.at(a), s.at(b)
	// the bracket loses the part beyond the lower of its two inner points
	for range 24 {
		if fa > fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = s.at(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = s.at(b)
		}
	}
	f := (lo + hi) / 2
	return Peak{f, s.at(f)}
}
