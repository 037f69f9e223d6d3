package render

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"curlfree/record"
)

func table() *record.Table {
	t := &record.Table{Columns: []string{"time_s", "part_z", "grip_left_N", "grip_right_N", "peak_Pa", "contacts"}}
	t.Data = make([][]float64, len(t.Columns))
	for k := range 50 {
		x := float64(k) / 50
		for i, v := range []float64{x, 0.1 * x, math.Sin(x), math.Cos(x), 1e5 * x, 3} {
			t.Data[i] = append(t.Data[i], v)
		}
	}
	return t
}

func TestColumnsAreFoundByName(t *testing.T) {
	all, err := Columns(table(), nil)
	if err != nil || len(all) != 5 || all[0].Name != "part_z" || len(all[0].Y) != 50 {
		t.Fatalf("%v, %d columns", err, len(all))
	}
	if _, err := Columns(table(), []string{"grip_lef_N"}); err == nil || !strings.Contains(err.Error(), `did you mean "grip_left_N"`) {
		t.Errorf("an unknown name: %v", err)
	}
	if _, err := Columns(&record.Table{Columns: []string{"time_s"}, Data: [][]float64{{0}}}, nil); err == nil {
		t.Error("a table of nothing but time can be plotted")
	}
}

func TestUnitsAreReadOffNames(t *testing.T) {
	for name, want := range map[string]string{
		"grip_left_N": "N", "max_von_mises_Pa": "Pa", "part_z": "m", "part_slip": "m", "kinetic_J": "J", "wall_ms": "ms",
		"penetration_m": "m", "joint_rad": "rad", "tip_m_per_s": "m/s", "contacts": "", "spin_rad_s": "rad/s", "lifted": "", "z": "m",
	} {
		if got, _ := unitOf(name); got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
	if bare("grip_left_N") != "grip_left" || bare("part_z") != "part_z" || bare("contacts") != "contacts" {
		t.Error("names without their units")
	}
}

func TestChartsAreWrittenInEveryFormat(t *testing.T) {
	series, err := Columns(table(), nil)
	if err != nil {
		t.Fatal(err)
	}
	series[1].Y[7], series[1].Y[8] = math.NaN(), math.Inf(1)
	dir := t.TempDir()
	for _, ext := range ChartFormats {
		path := filepath.Join(dir, "a"+ext)
		if err := Chart(path, "a title", series); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch ext {
		case ".png":
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil || img.Bounds().Dx() != 1050 {
				t.Errorf("png: %v", err)
			}
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(b))
			for err == nil {
				_, err = d.Token()
			}
			if err != io.EOF {
				t.Errorf("svg: %v", err)
			}
			for _, s := range []string{"time, s", "grip_left", "force, N", "peak, kPa", "a title"} {
				if !bytes.Contains(b, []byte(s)) {
					t.Errorf("svg: no text %q", s)
				}
			}
		case ".pdf":
			if !bytes.HasPrefix(b, []byte("%PDF")) {
				t.Error("pdf: no header")
			}
		}
	}
	if err := Chart(filepath.Join(dir, "a.bmp"), "", series); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("an unknown ending: %v", err)
	}
}

// Constants, single rows and columns without a finite number have a chart too.
func TestChartsOfDegenerateColumns(t *testing.T) {
	nan := math.NaN()
	for i, s := range []Series{
		{"a_N", []float64{0, 1}, []float64{0, 0}}, {"a", []float64{0}, []float64{5}}, {"a", []float64{0, 1}, []float64{nan, nan}},
		{"a", []float64{1, 2}, []float64{1e300, -1e300}}, {"a_m", []float64{0, 1}, []float64{1e-12, 2e-12}}, {"a", nil, nil},
	} {
		if err := Chart(filepath.Join(t.TempDir(), "a.svg"), "", []Series{s}); err != nil {
			t.Errorf("case %d: %v", i, err)
		}
	}
}

func TestLinesAreCutWhereNoNumberIs(t *testing.T) {
	nan := math.NaN()
	runs := finiteRuns(Series{"a", []float64{0, 1, 2, 3, 4}, []float64{2, nan, 4, 6, math.Inf(1)}}, 2)
	want := []plotter.XYs{{{X: 0, Y: 1}}, {{X: 2, Y: 2}, {X: 3, Y: 3}}}
	if len(runs) != 2 || len(runs[0]) != 1 || len(runs[1]) != 2 || runs[1][1] != want[1][1] {
		t.Errorf("%v, want %v", runs, want)
	}
}
