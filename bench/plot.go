package bench

// Charts of measurements: how the cost of a step grows with the size of a body, and what shares the
// stages of a step have.
//
// The cost of a sparse factor under nested dissection follows from the largest separator, s vertices:
// s³ operations and s² entries (George 1973; Lipton, Rose and Tarjan 1979). With n vertices
//
//	strip   s constant      operations ~ n       entries ~ n
//	plate   s ~ n^(1/2)     operations ~ n^1.5   entries ~ n log n
//	cube    s ~ n^(2/3)     operations ~ n²      entries ~ n^(4/3)
//
// so that fitted exponents show whether the ordering is good.

import (
	"context"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/sim"
)

// growth is a series of bodies of one shape and growing size.
type growth struct {
	name   string
	scenes []Scene
}

// growths are bodies without contact, each of whose steps is one factorization. The cost of
// other bodies lies between that of a plate, whose vertex separators are lines, and that of a
// cube, whose separators are planes.
func growths() []growth {
	// sizes grow by about 2 to 1.4 from one to the next: straight lines on logarithmic axes
	strips := growth{name: "strip, growing in length"}
	for _, k := range []int{27, 55, 110, 220, 440, 880, 1760} {
		strips.scenes = append(strips.scenes, strip(k, growthSteps))
	}
	plates, beams, cubes := growth{name: "plate, one cell thick"}, growth{name: "beam, 10 : 1 : 1"}, growth{name: "cube"}
	for _, k := range []int{16, 22, 32, 45, 64, 90, 128, 181} {
		plates.scenes = append(plates.scenes, plate(k, growthSteps))
	}
	for _, k := range []int{3, 4, 5, 7, 9, 12, 16, 21} {
		beams.scenes = append(beams.scenes, cantilever(fmt.Sprintf("fem-beam-%d", k), k, growthSteps))
	}
	for _, k := range []int{7, 9, 11, 14, 17, 21, 25} {
		cubes.scenes = append(cubes.scenes, cube(k, growthSteps))
	}
	return []growth{strips, plates, beams, cubes}
}

// growthSteps is 1: without contact, all steps cost the same.
const growthSteps = 1

// Growth measures how the cost of a step grows with the number of vertices, for several shapes.
// It takes minutes, or until ctx is done, and calls progress before each scene.
func Growth(ctx context.Context, opt Options, progress func(s *Scene)) ([][]*Result, error) {
	var all [][]*Result
	for _, g := range growths() {
		var results []*Result
		for i := range g.scenes {
			// between scenes: a measurement that is interrupted has no meaning
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress(&g.scenes[i])
			r, err := Measure(&g.scenes[i], opt)
			if err != nil {
				return nil, err
			}
			// large matrices of all scenes would not fit into memory together
			r.matrix = nil
			results = append(results, r)
		}
		all = append(all, results)
	}
	return all, nil
}

// cpu is the processor time of a step, ms, or the wall-clock time if that is unknown.
// Systems that do not count processor time leave 0.
func (r *Result) cpu() float64 { return cpuOr(r.CPUMs, r.StepMs.Median) }

// cpuOr returns the processor time, or the wall-clock time if that is unknown.
func cpuOr(cpu, wall float64) float64 {
	// processor time is less disturbed by other programs
	if cpu > 0 {
		return cpu
	}
	return wall
}

// WriteGrowth writes the results of Growth into a folder: the charts growth.png and growth.svg
// and the numbers, growth.tsv. Exponents are fitted to the larger half of the sizes.
func WriteGrowth(dir string, all [][]*Result) error {
	// the folder may be new
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := growthFigure(all).Write(filepath.Join(dir, "growth.png"), filepath.Join(dir, "growth.svg")); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "growth.tsv"), func(w io.Writer) error {
		// units are in the names
		fmt.Fprintln(w, "kind\tvertices\tdofs\tstep_cpu_ms\tstep_ms\tfactor_cpu_ms\tfactor_ms\tanalyze_ms\tsolve_ms\tmflop\tgflop_per_s\tnonzeros\theap_MB")
		for i, g := range growths() {
			for _, r := range all[i] {
				f := &r.Factor
				fmt.Fprintf(w, "%s\t%d\t%d\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.5g\t%.3g\t%d\t%.4g\n", g.name, r.Vertices, r.Dofs,
					r.CPUMs, r.StepMs.Median, f.CPUMs, f.Ms, f.AnalyzeMs, f.SolveMs, f.Mflop, f.GFlops, f.Nonzeros, r.HeapMB)
			}
		}
		return nil
	})
}

// growthFigure draws the processor time of a step and of its factorization over the number of
// vertices, with the fitted exponents in the legend.
func growthFigure(all [][]*Result) *render.Figure {
	// what users wait for, and the part of it that grows fastest
	panels := []struct {
		title string
		of    func(r *Result) float64
	}{
		{"step", (*Result).cpu},
		{"factorization", func(r *Result) float64 { return cpuOr(r.Factor.CPUMs, r.Factor.Ms) }},
	}
	// side by side with one y axis, so that the factor's share of a step can be read off
	fig := &render.Figure{Columns: 2, ShareY: true}
	for _, p := range panels {
		c := render.Chart{Title: p.title, X: "vertices", Y: "processor time (ms)", LogX: true, LogY: true, Legend: "top_left"}
		for i, g := range growths() {
			line := render.Line{Style: render.Style{Color: i, Mark: i + 1}}
			for _, r := range all[i] {
				line.Points = append(line.Points, [2]float64{float64(r.Vertices), p.of(r)})
			}
			// small sizes are ruled by overheads: the larger half shows the growth
			line.Name = fmt.Sprintf("%s: n^{%.2f}", g.name, exponent(line.Points[len(line.Points)/2:]))
			c.Lines = append(c.Lines, line)
		}
		fig.Charts = append(fig.Charts, c)
	}
	return fig
}

// exponent returns e of the fit y = c xᵉ to points, by least squares of the logarithms.
// Growth by a power is a straight line on logarithmic axes, whose slope is the exponent.
func exponent(points [][2]float64) float64 {
	// sums of the normal equations
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(p[0]), math.Log(p[1])
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// stageColors are the colours of stages, in the order of sim.StageNames.
var stageColors = [len(sim.StageNames)]string{"#9aa0a6", "#d9822b", "#5b8c5a", "#8e6bb0", "#3a6ea5", "#d4c25a"}

// WriteStages draws the shares of the stages in the time of a step as SVG, one bar for each
// scene.
func WriteStages(path string, results []*Result) error {
	const (
		left, right, top = 150, 70, 34 // px: room for names, times and the legend
		wide, pitch      = 480, 22
	)
	return atomicfile.Write(path, func(w io.Writer) error {
		fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
			left+wide+right, top+pitch*len(results)+4)
		fmt.Fprintln(w, `<rect width="100%" height="100%" fill="white"/>`)
		// the legend, evenly spread over the width
		for k, name := range sim.StageNames {
			x := left + k*wide/len(sim.StageNames)
			fmt.Fprintf(w, `<rect x="%d" y="9" width="12" height="12" fill="%s"/><text x="%d" y="20">%s</text>`+"\n",
				x, stageColors[k], x+16, strings.ReplaceAll(name, "_", " "))
		}
		// one bar for each scene, its name before it and its time behind
		for i, r := range results {
			// all bars have the full width: shares, whatever the time
			y, x, sum := top+pitch*i, float64(left), 0.0
			for _, name := range sim.StageNames {
				sum += r.StageMs[name].Mean
			}
			fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-8, y+14, html.EscapeString(r.Scene))
			for k, name := range sim.StageNames {
				share := wide * r.StageMs[name].Mean / sum
				fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y, share, pitch-4, stageColors[k])
				x += share
			}
			fmt.Fprintf(w, `<text x="%d" y="%d">%s ms</text>`+"\n", left+wide+6, y+14, short(r.StepMs.Mean))
		}
		_, err := fmt.Fprintf(w, "</svg>\n<!-- %s -->\n", authorship.Mark)
		return err
	})
}
