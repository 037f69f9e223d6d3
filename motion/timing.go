package motion

// Time scaling of a path of length 1 from rest to rest, by a minimum-jerk polynomial or a
// trapezoidal velocity profile, with bounds u of the velocity and a of the acceleration:
//
//	minimum jerk   s = 10 x³ − 15 x⁴ + 6 x⁵, x = t/T;   T = max(15/(8 u), √(10/(√3 a)))       (4)
//	trapezoid      rates up by a, constant, down by a;  T = 1/u_t + u_t/a, u_t = min(u, √a)  (5)
//
// Minimum jerk has no steps of acceleration, the trapezoid is the fastest.

import (
	"fmt"
	"math"
)

// Timing is the velocity profile of a motion from rest to rest.
type Timing string

// Timings.
const (
	MinimumJerk Timing = "minimum_jerk" // (4)
	Trapezoidal Timing = "trapezoidal"  // (5)
)

// Passage is the time scaling of one path of length 1.
type Passage struct {
	// Duration is the time of the motion, s.
	Duration float64
	// rate and change are u_t and a of a trapezoid; rate 0: minimum jerk.
	rate, change float64
}

// Passage returns the fastest motion within bounds of the velocity (1/s) and of the
// acceleration (1/s²); +Inf is no bound. A trapezoidal profile needs finite bounds of both,
// minimum jerk of one of them.
func (t Timing) Passage(rate, change float64) (Passage, error) {
	if !(rate > 0) || !(change > 0) {
		return Passage{}, fmt.Errorf("bounds of velocity and acceleration must be positive")
	}
	switch {
	case t != Trapezoidal && math.IsInf(rate, 1) && math.IsInf(change, 1):
		return Passage{}, fmt.Errorf("a bound of velocity or of acceleration is required")
	case t != Trapezoidal:
		return Passage{Duration: max(steepest/rate, math.Sqrt(10/(math.Sqrt(3)*change)))}, nil
	case math.IsInf(rate, 1) || math.IsInf(change, 1):
		return Passage{}, fmt.Errorf("a trapezoidal velocity profile needs bounds of velocity and of acceleration")
	}
	u := min(rate, math.Sqrt(change))
	return Passage{Duration: 1/u + u/change, rate: u, change: change}, nil // (5)
}

// Stretch returns the same motion slowed down to a longer duration.
func (p Passage) Stretch(duration float64) Passage {
	k := p.Duration / duration
	return Passage{Duration: duration, rate: p.rate * k, change: p.change * k * k}
}

// At returns the position s on the path (0 to 1) at time t (s), its velocity (1/s) and
// acceleration (1/s²).
func (p Passage) At(t float64) (s, ds, dds float64) {
	switch T := p.Duration; {
	case t <= 0:
		return 0, 0, 0
	case t >= T:
		return 1, 0, 0
	case p.rate == 0:
		x := t / T
		s, ds = step(x)
		return s, ds / T, 60 * x * (1 - x) * (1 - 2*x) / (T * T)
	default:
		up := p.rate / p.change // time of change
		switch {
		case t < up:
			return 0.5 * p.change * t * t, p.change * t, p.change
		case t > T-up:
			r := T - t
			return 1 - 0.5*p.change*r*r, p.change * r, -p.change
		}
		return p.rate * (t - 0.5*up), p.rate, 0
	}
}
