package sim

// A measured signal is another one with the errors of a sensor. At time t, of step n, from the true value x
//
//	y = clamp(round(x + b + σ N_n + w B(t)))                                  (1)
//
// with the bias b, noise of the standard deviation σ, a random walk B of the variance t (s), steps of a quantum and
// the range of the sensor. N_n and B(t) are functions of the seed, the name of the signal, n and t alone: runs that
// are resumed, repeated or run on other threads have the same bits, and a run of other steps the same walk.
//
// B is Lévy's construction: the increments of B(1), B(2), B(4), … are independent, and halfway between two values B
// is their mean plus half the root of the time between them, times a normal number.
// Source: P. Lévy, Processus stochastiques et mouvement brownien, 1948.

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/curlfree/curlfree/kinds"
)

// Measured is a signal with the errors (1) of a sensor, in the unit of the signal.
type Measured struct {
	// Of is the number of the signal in the model.
	Of int
	// Bias is added.
	Bias float64
	// Deviation is the standard deviation of the noise of each step.
	Deviation float64
	// Walk is the standard deviation of the random walk after 1 s.
	Walk float64
	// Quantum is the distance of the values that it can have; 0: any.
	Quantum float64
	// Lower and Upper are the ends of its range.
	Lower, Upper float64
	// Key is the start of its random numbers.
	Key uint64
}

// Value implements Signal.
func (g Measured) Value(s *Stepper, x *State) float64 {
	y := s.Model.Signals[g.Of].Signal.Value(s, x) + g.Bias
	if g.Deviation != 0 {
		y += g.Deviation * normal(g.Key, uint64(x.Step))
	}
	if g.Walk != 0 {
		y += g.Walk * brownian(g.Key+1, x.Time)
	}
	if g.Quantum != 0 {
		y = g.Quantum * math.Round(y/g.Quantum)
	}
	return min(max(y, g.Lower), g.Upper)
}

// normal returns a number of the standard normal distribution that is a function of its arguments.
func normal(key, n uint64) float64 {
	var p rand.PCG
	p.Seed(key, n)
	p.Uint64() // the first number depends on few bits of n
	// in the middle of 2⁵² equal parts of (0, 1)
	u := (float64(p.Uint64()>>12) + 0.5) / (1 << 52)
	return math.Sqrt2 * math.Erfinv(2*u-1)
}

// walkResolution is the time below which a walk is linear, s.
const walkResolution = 1e-6

// brownian returns B(t) of (1), √s; 0 up to t = 0.
func brownian(key uint64, t float64) float64 {
	if !(t > 0) {
		return 0
	}
	// from a to b, where the walk is at A and B: intervals are numbered as in a binary tree
	a, b, A, B := 0.0, 1.0, 0.0, normal(key, 0)
	for k := uint64(1); b < t; k++ {
		a, A = b, B
		B += math.Sqrt(b) * normal(key, k)
		b *= 2
	}
	// a key of its own for each of the first intervals
	tree := key + 0x9e3779b97f4a7c15*uint64(1+math.Ilogb(b))
	for n := uint64(1); b-a > walkResolution; {
		m := 0.5 * (a + b)
		M := 0.5*(A+B) + 0.5*math.Sqrt(b-a)*normal(tree, n)
		if t < m {
			b, B, n = m, M, 2*n
		} else {
			a, A, n = m, M, 2*n+1
		}
	}
	return A + (B-A)*(t-a)/(b-a)
}

// derivedFrom implements derivedSignal.
func (g Measured) derivedFrom() int { return g.Of }

// whyUnsmooth implements unsmooth.
func (g Measured) whyUnsmooth(m *Model) string {
	if g.Quantum != 0 || !math.IsInf(g.Lower, -1) || !math.IsInf(g.Upper, 1) {
		return fmt.Sprintf("what a sensor with a quantum or a range shows, which jumps or ends: take %q, which it measures", m.Signals[g.Of].Name)
	}
	return ""
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "measured", Doc: "Another signal as a sensor measures it: bias, noise, drift, resolution and range.",
	About: "Noise is new in each step that is asked for; the random walk is a function of time. Both are the same in every run with the same seed.",
	New:   func() SignalSpec { return &MeasuredSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&MeasuredSpec{Signal: "position 0", Deviation: 1e-3, Bias: 2e-3, Walk: 1e-3}}
	},
})

// MeasuredSpec are the parameters of a Measured.
type MeasuredSpec struct {
	// Signal is the name of a signal that is not measured itself.
	Signal string `key:"measured,required" doc:"signal that is measured" ref:"signal"`
	// Bias is a constant error, in the unit of the signal.
	Bias float64 `key:"bias" doc:"constant error, in the unit of the signal"`
	// Deviation is the standard deviation of the noise, in the unit of the signal.
	Deviation float64 `key:"deviation" doc:"standard deviation of the noise of a step, in the unit of the signal" min:"0"`
	// Walk is that of the random walk after 1 s; it grows with the root of time.
	Walk float64 `key:"walk" doc:"standard deviation of the random walk after 1 s, in the unit of the signal; it grows with the root of time" min:"0"`
	// Quantum is the resolution, in the unit of the signal.
	Quantum float64 `key:"quantum" doc:"resolution, in the unit of the signal" min:"0" default:"none"`
	// Lower and Upper are the ends of the range, in the unit of the signal; nil: none.
	Lower *float64 `key:"lower" doc:"least value that it shows" default:"none"`
	Upper *float64 `key:"upper" doc:"largest value that it shows" default:"none"`
	// Seed chooses other random numbers.
	Seed int `key:"seed" doc:"chooses other random numbers"`
	ofStep
}

// Unit implements SignalSpec. The builder takes that of the signal, and whether it is of a step.
func (*MeasuredSpec) Unit() string { return "1" }

// Make implements SignalSpec.
func (p *MeasuredSpec) Make(r *Resolver) (Signal, error) {
	k, known := r.model.Names.Signals[p.Signal]
	if !known {
		return nil, fmt.Errorf("measured: %w", &UnknownError{"signal", p.Signal, slices.Sorted(maps.Keys(r.model.Names.Signals))})
	}
	g := Measured{Of: k, Bias: p.Bias, Deviation: p.Deviation, Walk: p.Walk, Quantum: p.Quantum, Lower: math.Inf(-1), Upper: math.Inf(1)}
	if p.Lower != nil {
		g.Lower = *p.Lower
	}
	if p.Upper != nil {
		g.Upper = *p.Upper
	}
	if !(g.Lower < g.Upper) {
		return nil, errors.New("lower has to be below upper")
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", p.Seed, p.Signal)
	g.Key = h.Sum64()
	return g, nil
}
