package examples_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/timestep"
)

// dampingChart is docs/damping.svg: what steps make of vibrations, over the share of a period that a step takes.
func dampingChart() *render.Figure {
	damping := render.Chart{X: "frequency times step", Y: "damping added, share of critical", LogX: true, LogY: true, Legend: "above"}
	frequency := render.Chart{X: "frequency times step", Y: "frequency lost (%)", LogX: true, LogY: true, Legend: "none"}
	least, most := 1e-5, 1.0
	damping.Min[1], damping.Max[1] = &least, &most
	lost := 1e-2
	frequency.Min[1] = &lost
	for i, rule := range []struct {
		name string
		timestep.Rule
	}{
		{"Euler", timestep.Rule{}},
		{"midpoint, 0.05 (default)", timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}},
		{"midpoint, 0.2", timestep.Rule{Midpoint: true, Damping: 0.2}},
		{"midpoint, 0.01", timestep.Rule{Midpoint: true, Damping: 0.01}},
	} {
		style := render.Style{Color: i, Dash: i}
		zeta, off := render.Line{Name: rule.name, Style: style}, render.Line{Name: rule.name, Style: style}
		for k := range 61 {
			x := math.Pow(10, -3+2.6*float64(k)/60) // to 0.4 of a period
			z, seen := check.Vibration(rule.Rule, 2*math.Pi*x, 1)
			zeta.Points = append(zeta.Points, [2]float64{x, z})
			off.Points = append(off.Points, [2]float64{x, 100 * (1 - seen/(2*math.Pi*x))})
		}
		damping.Lines, frequency.Lines = append(damping.Lines, zeta), append(frequency.Lines, off)
	}
	for _, c := range []*render.Chart{&damping, &frequency} {
		c.Rules = []render.Rule{{Upright: true, At: 0.078, Label: "7.8 Hz, 10 ms"}}
	}
	return &render.Figure{Charts: []render.Chart{damping, frequency}, Columns: 2, Height: 5.5}
}

// The chart has the closed form of Euler's rule and the expansions of the midpoint rule, and the file is up to date.
func TestDampingChart(t *testing.T) {
	f := dampingChart()
	for i, e := range []float64{-1, 0.05, 0.2, 0.01} {
		zeta, off := f.Charts[0].Lines[i].Points, f.Charts[1].Lines[i].Points
		for k, p := range zeta {
			y := 2 * math.Pi * p[0] // ωh
			if e < 0 {
				ln, arg := 0.5*math.Log1p(y*y), math.Atan(y)
				want, lost := ln/math.Hypot(ln, arg), 100*(1-math.Hypot(ln, arg)/y)
				if !(math.Abs(p[1]/want-1) <= 1e-9) || !(math.Abs(off[k][1]-lost) <= 1e-9) {
					t.Errorf("Euler at %g: %g and %g %%, want %g and %g", p[0], p[1], off[k][1], want, lost)
				}
			} else if want, lost := e/2*y*y*y, 100*(1./12+e)*y*y; y < 0.1 && (!(math.Abs(p[1]/want-1) <= 0.02) || !(math.Abs(off[k][1]/lost-1) <= 0.02)) {
				t.Errorf("midpoint, %g at %g: %g and %g %%, want %g and %g", e, p[0], p[1], off[k][1], want, lost)
			}
		}
	}
	const path = "../docs/damping.svg"
	fresh := filepath.Join(t.TempDir(), "damping.svg")
	if *update {
		fresh = path
	}
	if err := f.Write(fresh); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH == "amd64" && !bytes.Equal(got, want) { // others round differently
		t.Errorf("%s is not what the chart is now: go test ./examples -run DampingChart -update", path)
	}
}
