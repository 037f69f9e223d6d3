package examples_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// laws are the contact laws that examples are tested with.
var laws = []string{"lagged", "lagged_regularized", "similar", "sap"}

// published is SAP with the damper of its source, which looks τ farther ahead.
const published = "sap as published"

// lawSettings returns the overrides of a contact law.
func lawSettings(law string) []string {
	if law == published {
		return []string{"solver.contact=sap", "solver.damping_from_touch=false"}
	}
	return []string{"solver.contact=" + law}
}

// trial is a scene that is stepped on one thread, with the history of its signals.
type trial struct {
	t       *testing.T
	sc      *scene.Scene
	step    *sim.Stepper
	x       *sim.State
	h       float64
	names   []string
	memory  []float64
	history map[string][]float64 // signals, and time_s
	row     []float64
}

// begin loads a scene with overrides and reads its signals at the start.
func begin(t *testing.T, file string, set ...string) *trial {
	t.Helper()
	sc, err := scene.Load(file, set)
	if err != nil {
		t.Fatal(err)
	}
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &trial{
		t: t, sc: sc, step: st, x: sc.Model.Start.Clone(), h: sc.File.Time.Step,
		names: append([]string{"time_s"}, sc.Signals.Names()...), memory: sc.Signals.NewMemory(), history: map[string][]float64{},
	}
	st.Place(r.x, r.h)
	r.read()
	return r
}

// read appends the present values of the signals to their history.
func (r *trial) read() {
	r.row = r.sc.Signals.Evaluate(r.step, r.x, r.memory, append(r.row[:0], r.x.Time))
	for i, name := range r.names {
		r.history[name] = append(r.history[name], r.row[i])
	}
}

// next takes a step and reads the signals.
func (r *trial) next() {
	r.t.Helper()
	if err := r.step.Step(r.x, r.h); err != nil {
		r.t.Fatal(err)
	}
	r.x.Time = float64(r.x.Step) * r.h
	r.step.Place(r.x, r.h)
	r.read()
}

// run steps to the end of the scene.
func (r *trial) run() *trial {
	r.t.Helper()
	for range int(math.Ceil(r.sc.File.Time.Duration/r.h - 1e-6)) {
		r.next()
	}
	return r
}

// at returns a signal at the step nearest to a time.
func (r *trial) at(signal string, time float64) float64 {
	return r.history[signal][int(math.Round(time/r.h))]
}

// last returns the present value of a signal.
func (r *trial) last(signal string) float64 {
	s := r.history[signal]
	return s[len(s)-1]
}

// first is the time of the first step at which the condition is true, +Inf when
// there is none.
func (r *trial) first(signal string, when func(float64) bool) float64 {
	for i, v := range r.history[signal] {
		if when(v) {
			return r.history["time_s"][i]
		}
	}
	return math.Inf(1)
}

// most returns the largest value of a signal and its time.
func (r *trial) most(signal string) (v, time float64) {
	v = math.Inf(-1)
	for i, s := range r.history[signal] {
		if s > v {
			v, time = s, r.history["time_s"][i]
		}
	}
	return v, time
}

// near reports a number that differs from another by more than a bound.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.12g, want %.12g within %.3g (off by %.3g)", what, got, want, within, got-want)
	}
}
