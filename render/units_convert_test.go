package render

import (
	"math"
	"strings"
	"testing"
)

// A unit is converted to each of the same quantity, by the number of SI units that both are, and to no
// other. The truth are the definitions of prefixes, of the degree and of the percent.
func TestUnitsAreConvertedWithinTheirQuantity(t *testing.T) {
	quantities := []map[string]float64{
		{"m": 1, "mm": 1e-3, "cm": 1e-2, "µm": 1e-6, "um": 1e-6, "nm": 1e-9},
		{"s": 1, "ms": 1e-3, "µs": 1e-6, "us": 1e-6},
		{"N": 1, "kN": 1e3, "mN": 1e-3},
		{"Pa": 1, "kPa": 1e3, "MPa": 1e6},
		{"J": 1, "mJ": 1e-3, "kJ": 1e3},
		{"N m": 1, "N cm": 1e-2, "N mm": 1e-3},
		{"kg": 1, "g": 1e-3},
		{"rad": 1, "°": math.Pi / 180, "deg": math.Pi / 180},
		{"m/s": 1, "mm/s": 1e-3, "cm/s": 1e-2, "µm/s": 1e-6, "um/s": 1e-6},
		{"W": 1}, {"Hz": 1}, {"rad/s": 1},
	}
	written := strings.NewReplacer("um", "µm", "us", "µs", "deg", "°")
	for i, of := range quantities {
		for from, a := range of {
			for k, others := range quantities {
				for to, b := range others {
					factor, name, err := ConvertUnit(from, to)
					switch {
					case i != k && err == nil:
						t.Errorf("%s were converted to %s", from, to)
					case i != k && !strings.Contains(err.Error(), "the values are in "+from+", which is not "+to):
						t.Errorf("%s to %s: %v", from, to, err)
					case i == k && (err != nil || math.Abs(factor*b/a-1) > 1e-14 || name != written.Replace(to)):
						t.Errorf("%s to %s: factor %g, written %q, %v", from, to, factor, name, err)
					}
				}
			}
		}
	}
	// units without a place in charts are not guessed, misspelled ones get the nearest
	for _, c := range []struct{ from, to, want string }{
		{"N", "Nn", `unknown unit "Nn"`}, {"m", "metre", `unknown unit "metre"`}, {"m", "mmm", `did you mean "mm"?`},
		{"furlong", "m", "the values are in furlong, which is not m"},
	} {
		if _, _, err := ConvertUnit(c.from, c.to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q to %q: %v, want %s", c.from, c.to, err, c.want)
		}
	}
	// a share is shown in percent: pure numbers have the unit of ratios
	if f, name, err := Convert("share", "%"); err != nil || math.Abs(f-100) > 1e-12 || name != "%" {
		t.Errorf("shares in percent: %g, %q, %v", f, name, err)
	}
}
