package kinds

import (
	"math"
	"strings"
	"testing"
)

// Numbers that no quantity of their unit has are refused, whatever their sign; infinity is left
// to the decoder.
func TestNumbersBeyondTheLargestOfTheirUnitAreRefused(t *testing.T) {
	type spec struct {
		Force  []float64 `key:"force" unit:"N" doc:"force"`
		Mass   *float64  `key:"mass" unit:"kg" doc:"mass"`
		Factor float64   `key:"factor" doc:"factor"`
	}
	huge, earth := 1e28, 6e24
	for _, x := range []struct {
		s    spec
		want string
	}{
		{spec{Force: []float64{0, -1e157}}, "force is -1e+157 N: its magnitude must be at most 1e+24 N"},
		{spec{Mass: &huge}, "mass is 1e+28 kg: its magnitude must be at most 1e+27 kg"},
		{spec{Mass: &earth, Factor: 1e300, Force: []float64{1e20, math.Inf(1)}}, ""},
	} {
		var got []string
		for _, err := range Validate(&x.s) {
			got = append(got, err.Error())
		}
		if s := strings.Join(got, "\n"); s != x.want {
			t.Errorf("%q, want %q", s, x.want)
		}
	}
}
