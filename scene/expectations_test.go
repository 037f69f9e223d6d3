package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
)

// ramp is a table of a signal with the values 0 … 10 at the times 0 … 1 s.
func ramp() *record.Table {
	t := &record.Table{Columns: []string{"time_s", "z"}, Data: make([][]float64, 2)}
	for k := range 11 {
		t.Data[0] = append(t.Data[0], float64(k)/10)
		t.Data[1] = append(t.Data[1], float64(k))
	}
	return t
}

// Every statistic, bound and window of an expectation against values that follow from the
// ramp 0, 1, … 10 by hand.
func TestExpectationsTakeTheirStatisticOfTheirWindow(t *testing.T) {
	base := "time: {step: 0.1, duration: 1}\n" + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {signal: z, "
	for _, c := range []struct {
		keys  string
		value float64
	}{
		{"", 10}, // the last value
		{"stat: last, ", 10}, {"stat: first, ", 0}, {"stat: min, ", 0}, {"stat: max, ", 10},
		{"stat: mean, ", 5}, {"stat: median, ", 5}, {"stat: range, ", 10}, {"stat: abs_max, ", 10},
		{"stat: rms, ", math.Sqrt(385.0 / 11)}, {"stat: std, ", math.Sqrt(10)}, {"stat: relative_std, ", math.Sqrt(10) / 5},
		{"stat: mean, over: [0.2, 0.4], ", 3}, {"stat: first, over: [0.2, 0.4], ", 2}, {"stat: last, over: [0.2, 0.4], ", 4},
		{"stat: max, over: [0, 0], ", 0}, {"stat: min, over: [0.95, .inf], ", 10}, {"stat: min, over: [-.inf, 0.3], ", 0},
	} {
		for _, b := range []struct {
			keys   string
			lo, hi float64 // of the bounds, relative to the value
		}{
			{"value: AT, within: 1e-9", -1e-9, 1e-9},
			{"min: AT", 0, math.Inf(1)},
			{"max: AT", math.Inf(-1), 0},
			{"min: LO, max: HI", -1, 1},
		} {
			keys := c.keys + strings.NewReplacer("AT", kinds.Number(c.value), "LO", kinds.Number(c.value-1), "HI", kinds.Number(c.value+1)).Replace(b.keys)
			sc := mustLoad(t, t.TempDir(), base+keys+"}}\n")
			check := sc.Checks[0]
			// the statistic
			table := ramp()
			near(t, keys, check.Statistic(table), c.value, 1e-12)
			// its bounds: met at the value and at both ends, missed beyond
			for _, x := range []struct {
				shift float64
				ok    bool
			}{{0, true}, {b.lo * 0.999, true}, {b.hi * 0.999, true}, {b.lo*1.001 - 1e-6, math.IsInf(b.lo, -1)}, {b.hi*1.001 + 1e-6, math.IsInf(b.hi, 1)}} {
				if math.IsInf(x.shift, 0) || math.IsNaN(x.shift) {
					continue
				}
				if got := c.value+x.shift >= check.Min && c.value+x.shift <= check.Max; got != x.ok {
					t.Errorf("%s: %g is within %g to %g: %v, want %v", keys, c.value+x.shift, check.Min, check.Max, got, x.ok)
				}
			}
		}
	}
}

// Expectations that a run could neither meet nor miss are refused with their place.
func TestExpectationsWithoutMeaningAreRefused(t *testing.T) {
	text := timeOf + ball + "signals: {z: {body: ball, position: z}}\nexpect: {e: {KEYS}}\n"
	for _, c := range []struct{ keys, want string }{
		{"max: 1", "one of signal and run is required"},
		{"signal: z, run: steps, max: 1", "one of signal and run is required"},
		{"signal: y, max: 1", `unknown signal "y"`},
		{"run: step, max: 1", `unknown number "step" of run.json: did you mean "steps"?`},
		{"signal: z, stat: medain, max: 1", `unknown stat "medain": did you mean "median"?`},
		{"signal: z", "a bound is required: min, max, or value with within"},
		{"signal: z, within: 1", "a bound is required"},
		{"signal: z, value: 1", "value needs within, its tolerance"},
		{"signal: z, value: 1, within: 1, max: 3", "exclude each other"},
		{"signal: z, value: 1, within: 1, min: 3", "exclude each other"},
		{"signal: z, value: 1, within: -1", "within is the tolerance of value, not negative"},
		{"signal: z, max: 1, within: 1", "within is the tolerance of value"},
		{"signal: z, min: 2, max: 1", "min 2 exceeds max 1"},
		{"run: steps, stat: mean, max: 1", "stat and over apply to signals only"},
		{"run: steps, over: [0, 1], max: 1", "stat and over apply to signals only"},
		{"signal: z, over: [0.05, 0.04], max: 1", "expect.e.over: 0.05 to 0.04 s is outside of the run of 0.1 s"},
		{"signal: z, over: [0.2, 0.3], max: 1", "is outside of the run"},
		{"signal: z, min: 1, max: 1", ""},
		{"signal: z, value: 1, within: 0", ""},
		{"signal: z, over: [0.1, 0.1], max: 1", ""},
		{"signal: z, over: [0, .inf], min: -.inf", ""},
		{"run: contacts.mean, max: 1", ""},
	} {
		_, err := load(t, t.TempDir(), strings.Replace(text, "KEYS", c.keys, 1))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.keys, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), "scene.yaml:4:10: expect.e") || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q in it", c.keys, err, c.want)
		}
	}
}
