package sim

// A live value x goes to what the operator wants, w, at a bounded rate r,
//
//	x₁ = x₀ + clamp(w − x₀, ±r h),   ẋ = (x₁ − x₀)/h                              (1)
//
// in each step, and is linear within it.

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

// setValue writes what the operator wants of a live value.
func setValue(m *Model, x *State, in *ValueInput) error {
	var names []string
	for i, l := range m.live.list {
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
func advanceValues(m *Model, x *State, h float64) {
	for i, l := range m.live.list {
		at := x.Operator[i*valueNumbers:][:valueNumbers]
		most := l.RateLimit() * h
		from := at[valueNow]
		to := from + math.Max(-most, math.Min(at[valueWanted]-from, most))
		at[valueNow], at[valueRate] = to, (to-from)/h
	}
	m.live.set(x, x.Time+h)
}

// WantedValue returns what the operator wants of live value i of the model, at a state.
func (s *Stepper) WantedValue(x *State, i int) float64 {
	return x.Operator[i*valueNumbers+valueWanted]
}
