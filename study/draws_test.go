package study

import (
	"slices"
	"strings"
	"testing"
)

// What is drawn for an episode is the first point of a study's sample of that seed.
func TestDrawsAreThoseOfSamples(t *testing.T) {
	const text = `{"values": {"bodies.ball.mass": {"log_uniform": [0.1, 10]}, "materials.default.friction": {"normal": [0.5, 0.1], "min": 0.2}}}`
	d, err := ReadDraws("draws", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := &Sample{Kind: "monte_carlo", Cases: 1, Seed: 7, Values: d.Values}
	var want []string
	for _, v := range m.points()[0] {
		want = append(want, v.path+"="+v.text)
	}
	if got := d.At(7); !slices.Equal(got, want) {
		t.Errorf("draws of seed 7: %v, sample: %v", got, want)
	}
	if slices.Equal(d.At(7), d.At(8)) {
		t.Error("seeds 7 and 8 have the same values")
	}
}

func TestFaultsOfDrawsNameThePath(t *testing.T) {
	for text, want := range map[string]string{
		`{values: {a.b: {uniform: [2, 1]}}}`:   "a.b: the second bound",
		`{values: {a.b: {unifrom: [1, 2]}}}`:   "uniform",
		`{values: {a.b: {normal: [0, 0]}}}`:    "a.b: the standard deviation",
		`{values: {a.b: {}}}`:                  "a.b: give exactly one",
		`{values: {a.b: {integer: [0.5, 1]}}}`: "a.b: bounds of integer",
	} {
		if _, err := ReadDraws("draws", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
