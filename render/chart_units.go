package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
)

// Columns of tables say their unit at the end of their name: grip_left_N is in N, tip_speed_m_per_s in
// m/s. Positions and slips imply metres: tip_x, contact_slip. A chart shows values in the unit of the
// column, in one that a study requests, or with a prefix that makes numbers readable:
//
// 	shown value = SI value / factor,  factor of the unit in SI units
//
// Units are written as in papers: µm, °, N m. The titles of axes have the form "quantity (unit)".

// units of columns by what their names end in, longest first.
var units = []struct{ suffix, unit, quantity string }{
	{"_rad_per_s", "rad/s", "angular velocity"}, {"_m_per_s", "m/s", "velocity"}, {"_m_s", "m/s", "velocity"},
	{"_rad_s", "rad/s", "angular velocity"}, {"_deg", "°", "angle"}, {"_rad", "rad", "angle"},
	{"_Nm", "N m", "torque"}, {"_Ncm", "N cm", "torque"}, {"_Nmm", "N mm", "torque"}, {"_N_m", "N m", "torque"}, {"_Ns", "N s", "impulse"}, {"_kPa", "kPa", "stress"},
	{"_MPa", "MPa", "stress"}, {"_Pa", "Pa", "stress"}, {"_mm", "mm", "length"}, {"_ms", "ms", "time"},
	{"_N", "N", "force"}, {"_J", "J", "energy"}, {"_W", "W", "power"}, {"_kg", "kg", "mass"}, {"_Hz", "Hz", "frequency"},
	{"_mm2", "mm²", "area"}, {"_cm2", "cm²", "area"}, {"_m2", "m²", "area"}, {"_m", "m", "length"}, {"_s", "s", "time"},
	{"_x", "m", "position"}, {"_y", "m", "position"}, {"_z", "m", "position"}, {"_slip", "m", "slip"},
}

// Unit returns the unit and the quantity that a column's name contains; both are
// empty for a pure number.
func Unit(column string) (unit, quantity string) {
	// The longest endings come first: _m_per_s ends in _s too.
	for _, u := range units {
		if strings.HasSuffix(column, u.suffix) || column == u.suffix[1:] {
			return u.unit, u.quantity
		}
	}
	return "", ""
}

// TrimUnit returns a column's name without the unit at its end.
func TrimUnit(column string) string {
	for _, u := range units {
		// A direction stays a part of the name, because tip_x and tip_y are different quantities.
		if s, ok := strings.CutSuffix(column, u.suffix); ok && s != "" && !slices.Contains(directions, u.suffix) {
			return s
		}
	}
	return column
}

// directions are ends of names that imply a unit.
var directions = []string{"_x", "_y", "_z", "_slip"}

// compoundUnits are units of axis titles that no column is in.
var compoundUnits = []string{"N/m", "N s", "N s/m", "Pa/m", "1/s", "m/s²", "m/s^{2}", "mrad", "kg/m³"}

// AxisTitle returns the title of an axis in the one style that charts have, quantity
// (unit): "force, N" becomes "force (N)". Titles without a known unit after a last
// comma stay as they are.
func AxisTitle(label string) string {
	// the part after the last comma is a unit only if it is a known one
	i := strings.LastIndex(label, ", ")
	if i < 0 {
		return label
	}
	// units of columns, and compound ones such as N/m that only titles have
	unit := label[i+2:]
	known := slices.Contains(compoundUnits, unit)
	for _, u := range shown {
		known = known || u.name == unit
	}
	if !known {
		return label
	}
	return label[:i] + " (" + unit + ")"
}

// Quantity returns the quantity that is usually measured in a unit, empty where there are
// several.
func Quantity(unit string) string {
	// units with a prefix measure what their SI unit does; lengths, positions and gaps are all in m
	si := unit
	for _, u := range shown {
		if u.name == unit {
			si = u.si
		}
	}
	for _, u := range units {
		if u.unit == si && si != "m" && si != "" {
			return u.quantity
		}
	}
	return ""
}

// shown are units that charts can show, and how many SI units each is.
var shown = []struct {
	name, si string
	factor   float64
}{
	{"m", "m", 1}, {"mm", "m", 1e-3}, {"cm", "m", 1e-2}, {"µm", "m", 1e-6}, {"um", "m", 1e-6}, {"nm", "m", 1e-9},
	{"s", "s", 1}, {"ms", "s", 1e-3}, {"µs", "s", 1e-6}, {"us", "s", 1e-6},
	{"N", "N", 1}, {"kN", "N", 1e3}, {"mN", "N", 1e-3},
	{"Pa", "Pa", 1}, {"kPa", "Pa", 1e3}, {"MPa", "Pa", 1e6},
	{"J", "J", 1}, {"mJ", "J", 1e-3}, {"kJ", "J", 1e3}, {"W", "W", 1}, {"N m", "N m", 1}, {"N cm", "N m", 1e-2}, {"N mm", "N m", 1e-3},
	{"m²", "m²", 1}, {"cm²", "m²", 1e-4}, {"mm²", "m²", 1e-6},
	{"kg", "kg", 1}, {"g", "kg", 1e-3}, {"Hz", "Hz", 1},
	{"rad", "rad", 1}, {"°", "rad", math.Pi / 180}, {"deg", "rad", math.Pi / 180}, {"rad/s", "rad/s", 1},
	{"m/s", "m/s", 1}, {"mm/s", "m/s", 1e-3}, {"cm/s", "m/s", 1e-2}, {"µm/s", "m/s", 1e-6}, {"um/s", "m/s", 1e-6},
	{"%", "", 1e-2},
}

// ConvertUnit returns the factor that converts numbers from one unit to another, and the name of
// the second unit as charts write it.
func ConvertUnit(from, unit string) (factor float64, name string, err error) {
	// an unknown unit is reported with its neighbours, whatever the numbers are in
	if _, name, err = Convert("", unit); err != nil {
		return 0, "", err
	}
	have, want := unitNamed(from), unitNamed(unit)
	if have < 0 || shown[have].si != shown[want].si {
		return 0, "", fmt.Errorf("the values are in %s, which is not %s", from, unit)
	}
	return shown[have].factor / shown[want].factor, name, nil
}

// unitNamed returns the place of a unit in shown, −1 where it is not there.
func unitNamed(name string) int {
	for i := range shown {
		if shown[i].name == name {
			return i
		}
	}
	return -1
}

// Convert returns the factor that converts a column's numbers to the requested
// unit, and the name of that unit as charts write it. Columns without a unit in
// their names are in SI units.
func Convert(column, unit string) (factor float64, name string, err error) {
	// the unit of the column in SI units
	of, _ := Unit(column)
	// base is the number of SI units that a unit of the column is
	base, si := 1.0, of
	for _, u := range shown {
		if u.name == of {
			base, si = u.factor, u.si
		}
	}
	// the unit asked for; names are for the suggestion in the error
	var names []string
	for _, u := range shown {
		names = append(names, u.name)
		if u.name != unit {
			continue
		}
		// names like block_x may be anything; those with a unit in them are sure
		if sure := TrimUnit(column) != column; sure && si != u.si {
			return 0, "", fmt.Errorf("%s is in %s, which is not %s", column, of, unit)
		}
		// without a unit in the name the values are in SI
		if TrimUnit(column) == column {
			base = 1
		}
		return base / u.factor, strings.NewReplacer("um", "µm", "us", "µs", "deg", "°").Replace(u.name), nil
	}
	return 0, "", fmt.Errorf("unknown unit %q%s", unit, kinds.Suggest(unit, names))
}

// Readable returns a unit with a suitable SI prefix for numbers up to top in the
// given unit, so that they have few digits.
func Readable(unit string, top float64) (factor float64, name string) {
	// other units have no prefixes in use
	switch unit {
	case "m", "Pa", "N", "J", "W":
		// from 0.05 to 9999 numbers are readable without a prefix; 0 says nothing about the size
		if top > 0 && (top >= 1e4 || top < 0.05) {
			f, name := scaleOf(top, unit)
			return 1 / f, name
		}
	}
	return 1, unit
}
