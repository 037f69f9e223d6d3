package sim

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Signal is a sensor: a number that a run records. It is read after a step, with
// the geometry placed at the new state (Stepper.Place).
type Signal interface {
	// Value returns the signal at the state x. Forces and contacts are those of the
	// step that led to x; 0 where this stepper did not take it.
	Value(s *Stepper, x *State) float64
}

// SignalSpec creates a signal from its parameters, which refer to the model's items
// by name.
type SignalSpec interface {
	// Make returns the signal, or an error that describes the faulty parameter.
	Make(r *Resolver) (Signal, error)
	// Unit returns the SI unit of the value; "1" for pure numbers.
	Unit() string
	// OfStep reports whether the value belongs to the step that led to a state, such
	// as a force: it is unknown at the start, and after a restore until the next
	// step.
	OfStep() bool
}

// Signals are the registered kinds of signals.
var Signals = kinds.NewRegistry[SignalSpec]("signal", "Number that a run records over time.").In(kinds.Keyed)

// NamedSignal is a signal of a model.
type NamedSignal struct {
	// Name is the name under which it was added.
	Name string
	// Unit is the SI unit of the value.
	Unit string
	// OfStep reports whether the value belongs to the last step, as SignalSpec.OfStep.
	OfStep bool
	// Signal computes the values.
	Signal Signal
}

// Read appends the values of the model's signals at the state x, in the order of Model.Signals, in their units. Bodies
// are placed at x where they are elsewhere. Forces and other values of a step are those of the step of this stepper
// that led to x: 0 at the start of a run, and NaN at states to which another stepper led, or that were changed since.
func (s *Stepper) Read(x *State, dst []float64) []float64 {
	s.placeAt(x)
	known := x.Step == 0 || s.ledTo(x)
	for i := range s.Model.Signals {
		of := &s.Model.Signals[i]
		value := math.NaN()
		if known || !of.OfStep {
			value = of.Signal.Value(s, x)
		}
		dst = append(dst, value)
	}
	return dst
}

// ofState is what signals share whose value is of a state.
type ofState struct{}

// OfStep implements SignalSpec.
func (ofState) OfStep() bool { return false }

// ofStep is what signals share whose value is of a step.
type ofStep struct{}

// OfStep implements SignalSpec.
func (ofStep) OfStep() bool { return true }

// Component is a component of a vector, or its length.
type Component int

// Components of a vector.
const (
	X    Component = iota // component along the first axis
	Y                     // component along the second axis
	Z                     // component along the third axis
	Norm                  // length
)

// components are components by the names of parameters.
var components = map[string]Component{"x": X, "y": Y, "z": Z, "norm": Norm, "angle": Norm}

// of returns the component of a vector.
func (c Component) of(v r3.Vec) float64 {
	if c == Norm {
		return v.Norm()
	}
	return v[c]
}

// contactsOf returns the contacts of the step that led to a state.
func (s *Stepper) contactsOf(x *State) []ContactReport {
	if !s.took(x) {
		return nil
	}
	return s.Report.Contacts()
}

// took reports whether this stepper's last step led to a state: it has the forces of that
// step alone.
func (s *Stepper) took(x *State) bool { return x.Step > 0 && x.Step == s.Report.Step }

// among reports whether a body is in a list; an empty list stands for all bodies.
func among(bodies []int, body int) bool {
	return len(bodies) == 0 || slices.Contains(bodies, body)
}

// isDeformable reports whether a scene body is deformable.
func (s *Stepper) isDeformable(body int) bool { return body >= s.Model.Geometry.NumRigid }

// offsetV returns the index in State.V of the first velocity of a deformable.
func (s *Stepper) offsetV(body int) int {
	o := 0
	if s.rigid != nil {
		_, o = s.rigid.Size()
	}
	for i := range body - s.Model.Geometry.NumRigid {
		_, nv := s.deformables[i].Size()
		o += nv
	}
	return o
}
