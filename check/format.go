package check

// Lengths in messages have a unit with a suitable prefix: 32 µm instead of 3.2e-05 m.

import "fmt"

// metres writes a length (m) with two digits in mm, µm or nm. Advice is an estimate: more
// digits would claim too much.
func metres(x float64) string {
	unit := " mm"
	switch {
	case x < 1e-6:
		x, unit = 1e9*x, " nm"
	case x < 1e-3:
		x, unit = 1e6*x, " µm"
	default:
		x *= 1e3
	}
	if x >= 99.5 && x < 1e6 { // where %.2g writes powers
		return fmt.Sprintf("%.0f", x) + unit
	}
	return fmt.Sprintf("%.2g", x) + unit
}
