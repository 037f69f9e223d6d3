package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/render"
)

// Numbers of reports have four significant digits, and a unit whose prefix leaves few zeros:
//
//	58.19 nm, 294 kPa, 10 ms     SI units with a prefix
//	0.01824, 5.819×10⁻⁸          pure numbers, with a power of ten below 10⁻³ and from 10⁶ on
//
// A value beside its bound has its unit, so that both can be compared at a glance, and more digits where fewer would
// say that the other verdict is right: 100.04 does not satisfy ≤ 100.

// usual is the number of significant digits, and most that of bounds, which a scene states.
const usual, most = 4, 6

// num writes a number with four digits.
func num(x float64) string { return digits(x, usual) }

// digits writes a number with n significant digits, without zeros at their end.
func digits(x float64, n int) string {
	a := math.Abs(x)
	switch {
	case x == 0:
		return "0" // never −0
	case math.IsInf(x, 0) || math.IsNaN(x):
		return minus(strconv.FormatFloat(x, 'g', -1, 64))
	case a >= 1e-3 && a < 1e6:
		// digits before the point are all written: 25575 cases, not 25580
		return minus(trimZeros(strconv.FormatFloat(x, 'f', max(0, n-1-int(math.Floor(math.Log10(a)))), 64)))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return minus(trimZeros(mantissa)) + "×10" + raised.Replace(strconv.Itoa(e))
}

var raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// minus replaces the hyphen of a number by a minus sign.
func minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// trimZeros drops zeros behind the point.
func trimZeros(number string) string {
	if !strings.Contains(number, ".") {
		return number
	}
	return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
}

// prefixes of SI units, the largest first.
var prefixes = []struct {
	factor float64
	sign   string
}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}

// unitsWithPrefix are the units that take prefixes below 1, and above it where they are in use.
var unitsWithPrefix = map[string]struct{ above bool }{
	"m": {false}, "s": {false}, "rad": {false}, "m/s": {false}, "rad/s": {false}, "N": {true}, "N m": {true}, "N s": {false},
	"Pa": {true}, "J": {true}, "W": {true}, "N/m": {true},
}

// scaled returns the unit for numbers up to top that leaves few zeros, and the factor that numbers in it have.
func scaled(top float64, unit string) (factor float64, name string) {
	top = math.Abs(top)
	// units with a prefix stay where their numbers are readable
	if base, ok := baseUnits[unit]; ok && (top >= 1e4 || top != 0 && top < 1e-3) {
		f, _, err := render.ConvertUnit(unit, base)
		if err == nil {
			g, name := scaled(top*f, base)
			return f * g, name
		}
	}
	if unit == "kg" && top > 0 && top < 0.05 {
		return 1e3, "g"
	}
	kind, ok := unitsWithPrefix[unit]
	// from 0.05 to 9999 numbers are readable without a prefix, round-off has none
	if !ok || top < 1e-12 || top >= 0.05 && top < 1e4 {
		return 1, unit
	}
	for _, p := range prefixes {
		if top >= p.factor*(1-1e-9) && (p.factor <= 1 || kind.above) {
			return 1 / p.factor, p.sign + unit
		}
	}
	return 1e9, "n" + unit
}

// baseUnits are the units that take prefixes, by those that columns and scenes have.
var baseUnits = map[string]string{"mm": "m", "cm": "m", "µm": "m", "ms": "s", "µs": "s", "kPa": "Pa", "MPa": "Pa", "mJ": "J", "mN": "N", "kN": "N", "mm/s": "m/s"}

// quantity writes a number in its unit, or with a prefix of it.
func quantity(x float64, unit string) string {
	// times below a tenth of a second are ms; minutes and hours would need other words
	if unit == "s" && x != 0 && math.Abs(x) < 0.1 && math.Abs(x) >= 0.05 {
		return num(x*1e3) + " ms"
	}
	factor, name := scaled(x, unit)
	return strings.TrimSpace(num(x*factor) + " " + name)
}

// compared writes a value and its bound, such as ">= 0.1 and <= 0.2", in one unit where both are of a size.
func compared(value float64, text, unit string, holds bool) (number, limits string) {
	words := strings.Fields(text)
	top := 0.0
	for _, w := range words {
		if x, err := strconv.ParseFloat(w, 64); err == nil {
			top = max(top, math.Abs(x))
		}
	}
	// a thousandth of the bound has a unit of its own, and so has a bound of zero
	factor, name := scaled(max(top, math.Abs(value)), unit)
	own, ownName := factor, name
	if a := math.Abs(value); top > 0 && (a < 1e-3*top || a > 1e3*top) {
		own, ownName = scaled(value, unit)
		factor, name = scaled(top, unit)
	}
	n := usual
	for n < 12 && within(rounded(value, n), words) != holds {
		n++
	}
	for i, w := range words {
		if x, err := strconv.ParseFloat(w, 64); err == nil {
			words[i] = digits(x*factor, most)
		}
	}
	limits = strings.NewReplacer(">=", "≥", "<=", "≤").Replace(strings.Join(words, " "))
	return strings.TrimSpace(digits(value*own, n) + " " + ownName), strings.TrimSpace(limits + " " + name)
}

// rounded is a number with n significant digits.
func rounded(x float64, n int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	return y
}

// within reports whether a number is within the bounds ">= a", "<= b", both or none.
func within(x float64, words []string) bool {
	return !slices.ContainsFunc([]string{">=", "<="}, func(sign string) bool {
		k := slices.Index(words, sign)
		if k < 0 || k+1 >= len(words) {
			return false
		}
		bound, err := strconv.ParseFloat(words[k+1], 64)
		return err == nil && (sign == ">=" && x < bound || sign == "<=" && x > bound)
	})
}
