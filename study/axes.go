package study

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/render"
)

// readable writes a number as papers do: 0.002, or with a power of ten 2×10^{−6}.
func formatNumber(text string, power bool) string {
	x, _ := parseNumber(text)
	if !power || x == 0 {
		return signed(strconv.FormatFloat(x, 'f', -1, 64))
	}
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

func signed(number string) string { return strings.ReplaceAll(number, "-", "−") }

// parted splits "h (s)" into the quantity and its unit.
func splitUnit(label string) (quantity, unit string) {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.HasSuffix(label, ")") {
		return label[:i], label[i+2 : len(label)-1]
	}
	return label, ""
}

// axes converts the curves to the units shown and names the axes.
func (d *figureBuilder) axes(p *resolvedPanel, c *render.Chart, curves []curve) error {
	xs, ys := []string{p.xName()}, p.yNames()
	var err error
	if c.X, err = d.axis(p, 0, xs, p.XUnit, p.XLabel, curves); err != nil {
		return err
	}
	c.Y, err = d.axis(p, 1, ys, p.YUnit, p.YLabel, curves)
	return err
}

// axis converts coordinate k of curves and returns the axis' label.
func (d *figureBuilder) axis(p *resolvedPanel, k int, columns []string, unit, label string, curves []curve) (string, error) {
	log := [2]bool{p.LogX, p.LogY}[k]
	shown := unit
	factors := map[string]float64{}
	if unit != "" {
		for _, name := range columns {
			f, u, err := render.Convert(name, unit)
			if err != nil {
				return "", err
			}
			factors[name], shown = f, u
		}
	} else {
		u, sure := commonUnit(columns)
		shown = u
		limited := [2]*float64{p.XMin, p.YMin}[k] != nil || [2]*float64{p.XMax, p.YMax}[k] != nil
		if sure && !log && !limited && !d.hasLinesAt(p, k) && k == 1 {
			f, u := render.Readable(u, largest(curves, k))
			shown = u
			for _, name := range columns {
				factors[name] = f
			}
		}
	}
	for i := range curves {
		name := columns[0]
		if k == 1 {
			name = curves[i].name
		}
		if f, ok := factors[name]; ok && f != 1 {
			for j := range curves[i].points {
				curves[i].points[j][k] *= f
			}
		}
	}
	if label != "" {
		return label, nil
	}
	text, named := d.axisName(p, columns)
	if text == "" {
		text = cmp.Or(render.Quantity(shown), "value")
	}
	quantity, has := splitUnit(text)
	switch {
	case shown == "" || named && has != "" && unit == "" && len(factors) == 0:
		return text, nil
	case named && has != "":
		text = quantity // its unit was converted
	}
	return text + " (" + shown + ")", nil
}

// ruled reports whether numbers of the plot are given in the units of an axis.
func (d *figureBuilder) hasLinesAt(p *resolvedPanel, k int) bool {
	return len(p.Notes) > 0 || k == 0 && len(p.VLines) > 0 || k == 1 && len(p.HLines) > 0
}

// commonUnit returns the unit that the columns' names say, if all say the same;
// sure if it is in every name.
func commonUnit(columns []string) (unit string, sure bool) {
	sure = true
	for i, name := range columns {
		u, _ := render.Unit(name)
		if !isName(name) {
			u = "" // a formula
		}
		if i > 0 && u != unit {
			return "", false
		}
		unit = u
		sure = sure && u != "" && (render.Bare(name) != name || slices.Contains([]string{"m", "N", "Pa", "J", "W"}, u))
	}
	return unit, sure
}

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

// axisName names what columns show, empty for different things, and reports
// whether the study says so.
func (d *figureBuilder) axisName(p *resolvedPanel, columns []string) (string, bool) {
	if len(columns) == 1 {
		if l, ok := d.study.label(p, columns[0]); ok {
			return l, true
		}
		return plainName(columns[0]), false
	}
	common := ""
	for i, name := range columns {
		_, q := render.Unit(name)
		if i > 0 && q != common {
			return "", false
		}
		common = q
	}
	return common, false
}

// spoken is a path or column as people say it: its last part, without the unit.
func plainName(name string) string {
	if !isName(name) {
		return name
	}
	name = render.Bare(name[strings.LastIndexByte(name, '.')+1:])
	return strings.ReplaceAll(name, "_", " ")
}
