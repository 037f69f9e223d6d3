package sim

// A live value x goes to what the operator wants, w, at a bounded rate r,
//
//	x₁ = x₀ + clamp(w − x₀, ±r h),   ẋ = (x₁ − x₀)/h                              (1)
//
// in each step, and is linear within it. Motions read it where they stand, in immutable parts that steppers of a
// model share; so the value of the state at hand is set there, and steppers of a model with live values take turns.

import (
	"fmt"
	"math"
)

// ValueInput changes a live value.
type ValueInput struct {
	// Name is the name of the live value.
	Name string `json:"name"`
	// Value is what it goes to, within its bounds.
	Value float64 `json:"value"`
}

// Numbers of a live value in State.Operator.
const (
	valueWanted = iota
	valueNow
	valueRate // per second
	valueNumbers
)

// setValue writes what the operator wants of a live value.
func (s *Stepper) setValue(x *State, in *ValueInput) error {
	values := s.Model.operator.values
	var names []string
	for i, l := range values {
		if l.Name != in.Name {
			names = append(names, l.Name)
			continue
		}
		if !(in.Value >= l.Min && in.Value <= l.Max) {
			return fmt.Errorf("input: %s is %g: it goes from %g to %g", l.Name, in.Value, l.Min, l.Max)
		}
		x.Operator[i*valueNumbers+valueWanted] = in.Value
		return nil
	}
	return unknownOperated("live value", in.Name, names)
}

// advanceValues moves the live values by a step of h, (1).
func (s *Stepper) advanceValues(x *State, h float64) {
	for i, l := range s.Model.operator.values {
		at := x.Operator[i*valueNumbers:][:valueNumbers]
		most := l.RateLimit() * h
		from := at[valueNow]
		to := from + math.Max(-most, math.Min(at[valueWanted]-from, most))
		at[valueNow], at[valueRate] = to, (to-from)/h
	}
	s.setValues(x, x.Time+h)
}

// setValues lets motions read the values of a state, which are those of time t (s).
func (s *Stepper) setValues(x *State, t float64) {
	for i, l := range s.Model.operator.values {
		at := x.Operator[i*valueNumbers:][:valueNumbers]
		l.Set(at[valueNow], at[valueRate], t)
	}
}

// takeTurn waits until no other stepper reads live values, and sets those of a state. It returns true where
// the caller must end the turn: not where there are no live values, or the stepper has the turn already.
func (s *Stepper) takeTurn(x *State) bool {
	turn := s.Model.operator.turn
	if turn == nil || s.operator.holding || len(x.Operator) < s.Model.operator.size {
		return false
	}
	turn.Lock()
	s.operator.holding = true
	s.setValues(x, x.Time)
	return true
}

// endTurn lets other steppers of the model go on.
func (s *Stepper) endTurn() {
	s.operator.holding = false
	s.Model.operator.turn.Unlock()
}

// WantedValue returns what the operator wants of live value i of the model, at a state.
func (s *Stepper) WantedValue(x *State, i int) float64 {
	return x.Operator[i*valueNumbers+valueWanted]
}
