package scene

// A signal x(t) of the model is recorded as
//
//	y(t) = scale (x(t) − x(t₀)),   t₀ = since; y = 0 before t₀                 (1)
//
// where x(t₀) is the value at the first step at or after t₀. Without since nothing is subtracted. The
// reference values x(t₀) are part of a run, not of the scene: they are kept in a memory that
// checkpoints store, so that a resumed run measures from the same values.

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/sim"
)

// Signals evaluates the signals of a scene. It is immutable; the reference values
// of a run are kept in a memory, see NewMemory.
type Signals struct {
	model *sim.Model
	// names are in the order of the model's signals, that of the file.
	names []string
	// since is t₀ of (1), s; +Inf: nothing is subtracted.
	since []float64
	scale []float64
}

// newSignals returns the evaluation of the signals of a model with the scale and reference time
// that the file gives.
func newSignals(f *File, m *sim.Model) *Signals {
	s := &Signals{model: m}
	// the order of the model, which is that of the file
	for i := range m.Signals {
		name := m.Signals[i].Name
		spec := f.Signals.Get(name)
		if spec == nil { // of a program
			spec = new(Signal)
		}
		s.names = append(s.names, name)
		s.since = append(s.since, value(spec.Since, math.Inf(1)))
		s.scale = append(s.scale, value(spec.Scale, 1))
	}
	return s
}

// signalNames returns the names of the signals that a run records. After a fault, which may have kept some from the
// builder, they are those of the file.
func (l *loader) signalNames() []string {
	if len(l.errs) > 0 {
		return l.f.Signals.Keys
	}
	return l.builder.Names("signal")
}

// Names returns the signals' names in the order of Evaluate.
func (s *Signals) Names() []string { return s.names }

// Unit returns the unit of signal i, empty where the scene scales it to another one.
func (s *Signals) Unit(i int) string {
	// mm in place of m: only the name of the signal shows it
	if s.scale[i] != 1 {
		return ""
	}
	return s.model.Signals[i].Unit
}

// Units returns the units of signals by name, without those that the scene scales.
func (s *Signals) Units() map[string]string {
	units := map[string]string{}
	for i, name := range s.names {
		if u := s.Unit(i); u != "" {
			units[name] = u
		}
	}
	return units
}

// NewMemory returns the memory of a new run: for every signal the reference value
// that is subtracted, NaN until it is known. Checkpoints store it.
func (s *Signals) NewMemory() []float64 {
	m := make([]float64, len(s.names))
	for i := range m {
		m[i] = math.NaN()
	}
	return m
}

// Reference returns t₀ and the scale of (1) for signal i; t₀ (s) is +Inf where nothing is subtracted.
func (s *Signals) Reference(i int) (since, scale float64) { return s.since[i], s.scale[i] }

// sinceSlack is the tolerance of the time of a reference value, s: times of steps have
// round-off.
const sinceSlack = 1e-9

// Evaluate appends the signals' values at the state x, at which the stepper's geometry is placed,
// and notes reference values in the run's memory. It allocates nothing once dst has room for all
// signals.
func (s *Signals) Evaluate(st *sim.Stepper, x *sim.State, memory, dst []float64) []float64 {
	for i := range s.names {
		signal := &s.model.Signals[i]
		v := 0.0
		// forces and other quantities of a step have no value before the first one
		if !signal.OfStep || x.Step > 0 {
			v = signal.Signal.Value(st, x)
		}
		// (1), with the reference noted at the first step that reaches t₀
		if !math.IsInf(s.since[i], 1) {
			if math.IsNaN(memory[i]) && x.Time >= s.since[i]-sinceSlack {
				memory[i] = v
			}
			if math.IsNaN(memory[i]) {
				v = 0
			} else {
				v -= memory[i]
			}
		}
		dst = append(dst, v*s.scale[i])
	}
	return dst
}

// addSignals adds the signals.
func (l *loader) addSignals() {
	for _, name := range l.f.Signals.Keys {
		s := l.f.Signals.Get(name)
		l.put("signal", name, s.Pos, "signals."+name)
		if fault := faultOfColumn(name); fault != "" {
			l.fail(s.Pos, "signals%s", fault)
			continue
		}
		l.builder.AddSignal(name, s.Kind.Spec)
	}
}

// faultOfColumn says why a signal cannot have a name, which becomes that of a column of a CSV file; empty: it can.
func faultOfColumn(name string) string {
	switch {
	case name == "" || strings.ContainsAny(name, ",\"\n\r"):
		return fmt.Sprintf(": %q cannot be the name of a column: leave out commas, quotes and line breaks", name)
	case name == "time_s":
		return ".time_s: every table has this column: choose another name"
	}
	return ""
}
