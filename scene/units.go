package scene

// Values of scenes carry no units: all numbers are SI. A number with a unit after it, such as 5mm,
// is the most common mistake, so the error message gives the number to write. Only units with one
// meaning are converted; for others the message names the unit.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are those that people write after numbers, in SI units. Times and angles are there
// because their mistakes are silent: 30 for 30° is a valid number of rad.
var units = map[string]float64{
	"m": 1, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6,
	"kg": 1, "g": 1e-3, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6,
	"N": 1, "kN": 1e3, "Nm": 1, "Pa": 1, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9,
	"rad": 1, "deg": math.Pi / 180, "°": math.Pi / 180, "m/s": 1, "mm/s": 1e-3, "rad/s": 1, "N/m": 1, "N/mm": 1e3,
}

// inSI returns what to write for a number with a unit at a key, as the end of a
// message; empty for other text.
func inSI(path, text string) string {
	text = strings.TrimSpace(text)
	// letters and signs at the end are the unit: 1e7 has none, 1e-3m has m
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ°/%²³^")
	unit := text[len(number):]
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || unit == "" {
		return ""
	}
	factor, ok := units[unit]
	// such keys are in degrees already
	if strings.HasSuffix(path, "_deg") && (unit == "deg" || unit == "°") {
		factor = 1
	}
	// units that are not in the table: degrees of temperature, percent, inches
	if !ok {
		return ": write it without its unit; units are SI"
	}
	return fmt.Sprintf(": write %.6g; units are SI", factor*x)
}
