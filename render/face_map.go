package render

import (
	"fmt"

	"github.com/curlfree/curlfree/record"
)

// TaxelFigure draws maps of an unrolled face, one below the other: at each time the pressure, and the slip where there is
// some. All pressures have one scale, and so have all slips, and lengths are true to each other.
func TaxelFigure(f *record.Unrolled, maps []*record.Taxels) *Figure {
	const width = 14.0
	fig := &Figure{Columns: 1, Width: width, Title: f.Body, ShareX: true}
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
		shown = append(shown, values[k]*factor)
	}
	// the whole face, also where nothing touches it
	lo, hi := [2]float64{}, [2]float64{mm * f.Size[0], mm * f.Size[1]}
	return Chart{
		Title: title, X: "along the face (mm)", Y: "across (mm)",
		Min: [2]*float64{&lo[0], &lo[1]}, Max: [2]*float64{&hi[0], &hi[1]},
		Cells: NewCells(rects, shown, top*factor, name),
	}
}
