package scene

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// mover is a body that is moved by 2 m/s, so that its position at time t is 2 t.
const mover = "time: {step: 0.125, duration: 1}\nbodies: {b: {shapes: [{sphere: {radius: 0.1}}]}, free: {pose: {xyz: [0, 9, 0]}, shapes: [{sphere: {radius: 0.1}}]}}\n" +
	"drives: {d: {body: b, x: {times: [0, 1], values: [0, 2], smooth: false}}}\n"

// record evaluates a scene's first signal at every step, the start included.
func record1(t *testing.T, sc *Scene, memory []float64, steps int) []float64 {
	t.Helper()
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, h := sc.Model.Start.Clone(), sc.File.Time.Step
	st.Place(x, h)
	rows := []float64{sc.Signals.Evaluate(st, x, memory, nil)[0]}
	for range steps {
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
		st.Place(x, h)
		rows = append(rows, sc.Signals.Evaluate(st, x, memory, nil)[0])
	}
	return rows
}

// y(t) = scale (x(t) − x(t₀)), 0 before t₀, with t₀ the first step at or after since.
func TestSignalsAreMeasuredFromTheirReferenceTime(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		t0, scale  float64 // NaN: nothing is subtracted
	}{
		{"plain", "", math.NaN(), 1},
		{"from the start", ", since: 0", 0, 1},
		{"at a step", ", since: 0.25", 0.25, 1},
		{"between steps", ", since: 0.3", 0.375, 1},
		{"just after a step by round-off", ", since: 0.2500000000001", 0.25, 1},
		{"before the start", ", since: -1", 0, 1},
		{"after the end", ", since: 5", math.Inf(1), 1},
		{"scaled", ", scale: 1000", math.NaN(), 1000},
		{"negative", ", since: 0.5, scale: -2", 0.5, -2},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := mustLoad(t, t.TempDir(), mover+"signals: {x: {body: b, position: x"+c.keys+"}}\n")
			for k, got := range record1(t, sc, sc.Signals.NewMemory(), 8) {
				at := 0.125 * float64(k)
				want := c.scale * 2 * at
				switch {
				case at < c.t0:
					want = 0
				case !math.IsNaN(c.t0):
					want = c.scale * 2 * (at - c.t0)
				}
				near(t, "value", got, want, 1e-12)
			}
			// a run that continues from a checkpoint measures from the same value
			unit := map[bool]string{true: "m", false: ""}[c.scale == 1]
			if sc.Signals.Unit(0) != unit {
				t.Errorf("unit %q, want %q", sc.Signals.Unit(0), unit)
			}
		})
	}
}

// The memory of a run has what it measures from: a run that continues with it takes this
// value, not a new one.
func TestReferenceValuesAreThoseOfTheRunsMemory(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), mover+"signals: {x: {body: b, position: x, since: 0.25}}\n")
	memory := sc.Signals.NewMemory()
	if !math.IsNaN(memory[0]) {
		t.Errorf("a new memory has %g", memory[0])
	}
	record1(t, sc, memory, 8)
	near(t, "the value that is kept", memory[0], 0.5, 1e-12)
	rows := record1(t, sc, []float64{0.125}, 8)
	near(t, "a run from another memory", rows[8], 2-0.125, 1e-12)
}

// Quantities of a step are 0 at the start even where a reference time asks for them.
func TestForcesAreMeasuredFromTheirReferenceToo(t *testing.T) {
	text := "time: {step: 0.01, duration: 1}\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n" +
		"  box: {mass: 2, pose: {xyz: [0, 0, 0.05]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\nsignals: {f: {body: box, contact_force: z"
	sc := mustLoad(t, t.TempDir(), text+", since: 0}}\n")
	rows := record1(t, sc, sc.Signals.NewMemory(), 60)
	near(t, "at the start", rows[0], 0, 0)
	near(t, "at rest", rows[60], 2*9.81, 1e-2)
	// from a time at which it rests, the force is that of the weight throughout
	sc = mustLoad(t, t.TempDir(), text+", since: 0.5, scale: 0.5}}\n")
	rows = record1(t, sc, sc.Signals.NewMemory(), 60)
	near(t, "before", rows[10], 0, 0)
	near(t, "after", rows[60], 0, 1e-2)
}
