package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// TaxelFigure draws maps of an unrolled face, one below the other: at each time the pressure, and the slip where there
// is some. All pressures have one scale, and so have all slips, and lengths are true to each other. Taxels without
// force are grey; a cross marks the centre of pressure. A note says where the coordinates begin and where they go.
func TaxelFigure(f *record.Unrolled, maps []*record.Taxels) *Figure {
	const width = 14.0
	fig := &Figure{Columns: 1, Width: width, Title: f.Body, Note: taxelNote(f, maps), ShareX: true}
	// the frame is some 1.9 cm narrower than the figure
	fig.Height = max(0.8, (width-1.9)*f.Size[1]/f.Size[0])
	// scales come from all maps, so that maps of several times can be compared
	pressures, slips := [][]float64{}, [][]float64{}
	var allPressures, allSlips []float64
	for _, x := range maps {
		p := make([]float64, len(x.Force))
		for k := range p {
			p[k] = x.Pressure(k)
		}
		pressures, slips = append(pressures, p), append(slips, x.Slip)
		allPressures, allSlips = append(allPressures, p...), append(allSlips, x.Slip...)
	}
	// below each pressure the slip of the same time, where something slips
	for i, x := range maps {
		head := fmt.Sprintf("t = %.3g s, %.3g N", x.Time, x.Normal)
		if x.Normal > 0 {
			head += fmt.Sprintf(" at %s mm", coordinates(1e3, x.Center[:]...))
		}
		fig.Charts = append(fig.Charts, taxelChart(f, x, pressures[i], allPressures, "pressure at "+head, "Pa"))
		if top := mostBelow(append([]float64(nil), allSlips...)); top > 0 {
			fig.Charts = append(fig.Charts, taxelChart(f, x, slips[i], allSlips, "sliding speed", "m/s"))
		}
	}
	return fig
}

// taxelChart draws one map in a readable unit.
func taxelChart(f *record.Unrolled, x *record.Taxels, values, all []float64, title, unit string) Chart {
	top := mostBelow(append([]float64(nil), all...))
	// the unit of the scale, not of each value; slow sliding reads better in mm/s
	factor, name := Readable(unit, top)
	if unit == "m/s" && top < 0.1 {
		factor, name = 1e3, "mm/s"
	}
	var rects [][4]float64
	var shown []float64
	const mm = 1e3
	for k, a := range x.Area {
		// cells off the face are left white
		if a == 0 {
			continue
		}
		u, v := float64(k%x.Columns)*x.Cell, float64(k/x.Columns)*x.Cell
		rects = append(rects, [4]float64{mm * u, mm * v, mm * min(u+x.Cell, f.Size[0]), mm * min(v+x.Cell, f.Size[1])})
		value := values[k] * factor
		if x.Force[k] == 0 {
			value = math.NaN()
		}
		shown = append(shown, value)
	}
	cells := NewCells(rects, shown, top*factor, name)
	cells.Without = "no contact"
	var lines []Line
	if x.Normal > 0 {
		lines = []Line{{Points: [][2]float64{{mm * x.Center[0], mm * x.Center[1]}}, Style: Style{Mark: 1, MarksOnly: true, Bold: true}}}
	}
	// the whole face, also where nothing touches it
	lo, hi := [2]float64{}, [2]float64{mm * f.Size[0], mm * f.Size[1]}
	return Chart{
		Title: title, X: "along the face (mm)", Y: "across (mm)",
		Min: [2]*float64{&lo[0], &lo[1]}, Max: [2]*float64{&hi[0], &hi[1]},
		Cells: cells, Lines: lines,
	}
}

// taxelNote says where the coordinates of an unrolled face begin and in which directions they go, and what the cross
// is.
func taxelNote(f *record.Unrolled, maps []*record.Taxels) string {
	note := fmt.Sprintf("Origin: %s mm on the undeformed body; along: %s, across: %s (world axes).",
		coordinates(1e3, f.Origin[:]...), direction(f.First), direction(f.Second))
	if slices.ContainsFunc(maps, func(x *record.Taxels) bool { return x.Normal > 0 }) {
		note += " Cross: centre of pressure."
	}
	return note
}

// direction names the axis along which a unit vector points, or writes its components.
func direction(v r3.Vec) string {
	const near = 1e-3 // of a right angle's cosine: 0.06°
	for k, name := range "xyz" {
		if math.Hypot(v[(k+1)%3], v[(k+2)%3]) < near {
			return map[bool]string{true: "−", false: "+"}[v[k] < 0] + string(name)
		}
	}
	return coordinates(1, v[:]...)
}

// coordinates writes numbers, times a factor, to a tenth where they are 10 or more, to a hundredth otherwise.
func coordinates(factor float64, values ...float64) string {
	var parts []string
	for _, x := range values {
		x *= factor
		digits := 2
		if math.Abs(x) >= 10 {
			digits = 1
		}
		text := strconv.FormatFloat(x, 'f', digits, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if text == "-0" {
			text = "0"
		}
		parts = append(parts, strings.Replace(text, "-", "−", 1))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
