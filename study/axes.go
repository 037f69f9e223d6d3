package study

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// Texts of charts: numbers, quantities and units are written as in papers, with minus signs and
// powers of ten as superscripts.

// formatNumber writes a number as papers do: 0.002 or, with a power of ten, 2×10^{−6}.
// The braces mark a superscript of charts.
func formatNumber(text string, power bool) string {
	// FormatFloat with precision −1 gives the fewest digits that read back as the same number
	x, _ := parseNumber(text)
	if !power || x == 0 {
		return signed(strconv.FormatFloat(x, 'f', -1, 64))
	}
	// split "2.5e-06" into digits and exponent
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	switch {
	case n == 0:
		return signed(digits)
	case digits == "1":
		return "10^{" + signed(strconv.Itoa(n)) + "}"
	}
	return signed(digits) + "×10^{" + signed(strconv.Itoa(n)) + "}"
}

// signed replaces hyphens by minus signs.
func signed(number string) string { return strings.ReplaceAll(number, "-", "−") }

// splitUnit splits a label such as "h (s)" into the quantity and its unit.
func splitUnit(label string) (quantity, unit string) {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.HasSuffix(label, ")") {
		return label[:i], label[i+2 : len(label)-1]
	}
	return label, ""
}

// unitPattern matches units: factors such as mm, s^{2} and m³ beside each other, or separated by
// a space, a point or a stroke; %, °, and 1 or a dash for plain numbers.
var unitPattern = func() *regexp.Regexp {
	const factor = `(?:(?:[GMkhdcmµμun]?(?:m|g|s|N|Pa|J|W|Hz|rad|A|V|K|mol|bar|min|h|l|L)|deg|rpm|°C?|%|‰|1)(?:\^\{[^}]*\}|[⁻⁰¹²³⁴]+|\^?-?[2-4])?)`
	return regexp.MustCompile(`^(?:[–—-]|` + factor + `+(?:[ ·*/]` + factor + `+)*)$`)
}()

// statedUnit returns the unit that a label states in parentheses at its end, empty where it
// states none: "grip (N)" has one, "grip (left)" has not.
func statedUnit(label string) string {
	if _, unit := splitUnit(label); unitPattern.MatchString(unit) {
		return unit
	}
	return ""
}

// Axis titles and units. The values of a column are in the unit of its label, as in "h (s)", or
// else in the SI unit that its name states. The unit shown on an axis is, in this order:
//
//	x_unit, y_unit      the unit that the panel gives; values are converted
//	x_label, y_label    the unit of the title, if any; values stay as they are
//	a label "h (s)"     the unit of the label; values stay as they are
//	the column name     with a prefix such as m or k that makes y values readable
//	none                where columns have different units, or formulas none

// axes converts the curves to the units shown and sets the titles of the axes.
func (d *figureBuilder) axes(p *resolvedPanel, c *render.Chart, curves []curve) error {
	var err error
	x := axisTitle{0, []string{p.xName()}, p.XUnit, p.XLabel}
	if c.X, err = d.axis(p, x, curves); err != nil {
		return err
	}
	c.Y, err = d.axis(p, axisTitle{1, p.yNames(), p.YUnit, p.YLabel}, curves)
	return err
}

// axisTitle is what a panel defines for one of its axes.
type axisTitle struct {
	// coordinate is 0 for x and 1 for y.
	coordinate int
	// columns are those shown on the axis.
	columns []string
	// unit is XUnit or YUnit of the panel; may be empty.
	unit string
	// label is XLabel or YLabel of the panel; may be empty.
	label string
}

// axis converts one coordinate of the curves to the unit shown and returns the title
// of the axis, "quantity (unit)".
func (d *figureBuilder) axis(p *resolvedPanel, a axisTitle, curves []curve) (string, error) {
	shown, factors, err := d.conversion(p, a, curves)
	if err != nil {
		return "", err
	}
	scaleCurves(curves, a, factors)
	if a.label != "" {
		return a.label, nil
	}
	// the title that the panel does not give: the quantity, and the unit shown
	text, named := d.axisName(p, a.columns)
	if text == "" {
		text = cmp.Or(render.Quantity(shown), "value")
	}
	stated := named && statedUnit(text) != ""
	switch {
	case shown == "" || stated && a.unit == "":
		// no unit is known, or the label of the study states that of the values
		return text, nil
	case stated:
		text, _ = splitUnit(text) // the values were converted from the unit of the label
	}
	return text + " (" + shown + ")", nil
}

// conversion returns the unit shown on an axis and, for each column that is converted,
// the factor from its SI unit. A unit of the panel is converted to. Otherwise y values
// get a prefix that makes them readable, such as mm, unless a title, a label, a limit, a line
// or a note states or uses the unit that they are in.
func (d *figureBuilder) conversion(p *resolvedPanel, a axisTitle, curves []curve) (shown string, factors map[string]float64, err error) {
	factors = map[string]float64{}
	// the unit of the panel: every column must be convertible
	if a.unit != "" {
		for _, name := range a.columns {
			if factors[name], shown, err = d.study.convert(p, name, a.unit); err != nil {
				return "", nil, err
			}
		}
		return shown, factors, nil
	}
	// the unit of the columns, with a prefix that suits the largest value
	shown, explicit := d.commonUnit(p, a.columns)
	if a.coordinate == 1 && explicit && a.label == "" && !p.LogY && p.YMin == nil && p.YMax == nil && !hasLinesAt(p, 1) {
		var factor float64
		factor, shown = render.Readable(shown, largest(curves, 1))
		for _, name := range a.columns {
			factors[name] = factor
		}
	}
	return shown, factors, nil
}

// scaleCurves multiplies a coordinate of the curves by the factors of their columns.
func scaleCurves(curves []curve, a axisTitle, factors map[string]float64) {
	for i := range curves {
		// all curves share the column of x, and each has its own column of y
		name := a.columns[0]
		if a.coordinate == 1 {
			name = curves[i].name
		}
		if f, ok := factors[name]; ok && f != 1 {
			for j := range curves[i].points {
				curves[i].points[j][a.coordinate] *= f
			}
		}
	}
}

// hasLinesAt reports whether a panel has lines or notes at values of a coordinate.
func hasLinesAt(p *resolvedPanel, k int) bool {
	return len(p.Notes) > 0 || k == 0 && len(p.VLines) > 0 || k == 1 && len(p.HLines) > 0
}

// siUnits are the units that a column name without an explicit unit still implies: a
// position in m, a force in N and so on.
var siUnits = []string{"m", "N", "Pa", "J", "W"}

// commonUnit returns the unit of the columns if they have the same. explicit reports whether
// each name states it (tip_z_mm), or implies one of siUnits (tip_z), and no label states one:
// values may then get a prefix.
func (d *figureBuilder) commonUnit(p *resolvedPanel, columns []string) (unit string, explicit bool) {
	explicit = true
	for i, name := range columns {
		u, _, labelled := d.study.columnUnit(p, name)
		if i > 0 && u != unit {
			return "", false
		}
		unit = u
		explicit = explicit && !labelled && u != "" && (render.TrimUnit(name) != name || slices.Contains(siUnits, u))
	}
	return unit, explicit
}

// columnUnit returns the unit and the quantity of a column: those of a label such as
// "top (N)", else those that its name or the scene states. A label goes first because the names of
// measures are free: m may be a mass. Both are empty where nothing is known.
func (s *Study) columnUnit(p *resolvedPanel, name string) (unit, quantity string, labelled bool) {
	if l, ok := s.label(p, name); ok {
		if unit = statedUnit(l); unit != "" {
			return unit, render.Quantity(unit), true
		}
	}
	// a formula such as 2*grip_N ends like a column but may have any unit
	if !isName(name) {
		return "", "", false
	}
	var known map[string]string
	if p.file == record.SignalsFile {
		known = s.units
	}
	unit, quantity = unitOf(name, known)
	return unit, quantity, false
}

// plainUnit is the unit that the program states for numbers without one.
const plainUnit = "1"

// unitOf returns the unit and the quantity of a column: those that its name ends in, such as _N, or
// that are known of it by name; else those that the end of its name implies, such as _x. So push_x
// is a force where the signal is one.
func unitOf(name string, known map[string]string) (unit, quantity string) {
	of, ok := known[name]
	if !ok || render.TrimUnit(name) != name {
		return render.Unit(name)
	}
	if of == plainUnit {
		return "", ""
	}
	// a length is a position, a gap or a slip: the name may show which
	if unit, quantity = render.Unit(name); unit == of {
		return unit, quantity
	}
	return of, render.Quantity(of)
}

// convert returns the factor that brings the values of a column to a unit, and that as charts write
// it. Values of a column of which no unit is known are taken for SI.
func (s *Study) convert(p *resolvedPanel, name, unit string) (factor float64, shown string, err error) {
	of, _, labelled := s.columnUnit(p, name)
	if implied, _ := render.Unit(name); of == "" || !labelled && of == implied {
		return render.Convert(name, unit)
	}
	if factor, shown, err = render.ConvertUnit(of, unit); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return factor, shown, err
}

// largest returns the largest finite absolute value of a coordinate of the curves.
func largest(curves []curve, k int) float64 {
	top := 0.0
	for i := range curves {
		for _, p := range curves[i].points {
			if a := math.Abs(p[k]); a < math.MaxFloat64 {
				top = max(top, a)
			}
		}
	}
	return top
}

// axisName names the quantity that columns show, empty for different quantities, and
// reports whether it is a label of the study.
func (d *figureBuilder) axisName(p *resolvedPanel, columns []string) (string, bool) {
	if len(columns) == 1 {
		if l, ok := d.study.label(p, columns[0]); ok {
			return l, true
		}
		return plainName(columns[0]), false
	}
	// several columns: the quantity that their units have in common, such as force
	common := ""
	for i, name := range columns {
		_, q, _ := d.study.columnUnit(p, name)
		if i > 0 && q != common {
			return "", false
		}
		common = q
	}
	return common, false
}

// plainName returns the name of a path or column without path, unit and underscores:
// "step" for time.step and "grip left" for grip_left_N. Formulas stay as they are.
func plainName(name string) string {
	if !isName(name) {
		return name
	}
	name = render.TrimUnit(name[strings.LastIndexByte(name, '.')+1:])
	return strings.ReplaceAll(name, "_", " ")
}
