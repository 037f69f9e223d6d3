package sim

import (
	"math"
	"slices"
)

// visited is a state that a stepper was at: its positions and velocities, by which it is known again.
type visited struct {
	q, v       []float64
	time, h    float64 // and the step with which it was there, s
	placements int     // of the stepper when it was there
}

// keep keeps a state.
func (p *visited) keep(x *State, h float64, placements int) {
	p.q, p.v = append(p.q[:0], x.Q...), append(p.v[:0], x.V...)
	p.time, p.h, p.placements = x.Time, h, placements
}

// is reports whether a state has the same positions and velocities, bit by bit.
func (p *visited) is(x *State) bool { return sameBits(p.q, x.Q) && sameBits(p.v, x.V) }

// sameBits reports whether two vectors are equal bit by bit.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// placeAt places bodies at a state, unless they are there. What is prescribed follows time.
func (s *Stepper) placeAt(x *State) {
	if p := &s.placed; p.placements != s.placements || p.time != x.Time || !p.is(x) {
		s.Place(x, p.h)
	}
}

// ledTo reports whether the last step of this stepper led to a state.
func (s *Stepper) ledTo(x *State) bool { return s.took(x) && s.ended.is(x) }
