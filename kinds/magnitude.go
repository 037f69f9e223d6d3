package kinds

import (
	"fmt"
	"math"
)

// Numbers have bounds by their unit, besides those of their tags: beyond them a number has no
// physical meaning, most likely another unit or a slip of the keyboard, and the products of
// a step would overflow, or lose all digits of smaller terms. They are generous: steel has
// 2e11 Pa, the Earth 6e24 kg.

// largest are the largest magnitudes of numbers by unit. Numbers of other units, such as rates of
// output, have those of their tags alone.
var largest = map[string]float64{
	"m": 1e12, "s": 1e12, "m/s": 1e9, "rad/s": 1e9, "m/s²": 1e12,
	"kg": 1e27, "kg m²": 1e33, "kg/m³": 1e18,
	"N": 1e24, "N m": 1e24, "N/m": 1e24, "N/m³": 1e24, "Pa": 1e18, "Pa/m": 1e24,
}

// checkMagnitude returns an error for a number of a unit that is too large to have a meaning.
// Infinity is left to the decoder, which decides where it has one.
func checkMagnitude(x float64, unit string) error {
	most, ok := largest[unit]
	if !ok || math.Abs(x) <= most || math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return fmt.Errorf("is %s: its magnitude must be at most %s", quantity(x, unit), quantity(most, unit))
}
