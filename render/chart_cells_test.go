package render

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A map's rectangles have the colours of their values, at their places; the scale ends at a round number above 99 % of
// them, and beside the rectangles the paper is white.
func TestMapsShowValuesInTheirColours(t *testing.T) {
	m := NewCells([][4]float64{{0, 0, 5, 5}, {5, 0, 10, 5}, {0, 5, 5, 10}}, []float64{0, 40, 77}, 0, "kPa")
	if m.Top != 80 {
		t.Fatalf("the scale ends at %g, want 80", m.Top)
	}
	lo, hi := [2]float64{}, [2]float64{10, 10}
	fig := &Figure{Charts: []Chart{{Min: [2]*float64{&lo[0], &lo[1]}, Max: [2]*float64{&hi[0], &hi[1]}, Cells: m}}, Width: 10, Height: 8}
	img := pixels(t, fig)
	// the pixels of each colour are counted: the three rectangles are equally large
	count := map[[3]uint8]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			count[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8)}]++
		}
	}
	n := [3]int{}
	for i, v := range m.Values {
		c := colormap(v / 80)
		n[i] = count[[3]uint8{c.R, c.G, c.B}]
	}
	for i := range n {
		if n[i] < b.Dx()*b.Dy()/10 || math.Abs(float64(n[i])/float64(n[0])-1) > 0.03 {
			t.Errorf("rectangles have %v pixels of %d", n, b.Dx()*b.Dy())
			break
		}
	}
}

// A figure of maps has one chart of pressure for each time, and one of slip where there is some; lengths are true to
// each other.
func TestTaxelFiguresHaveAChartForEachTime(t *testing.T) {
	face := &record.Unrolled{Body: "pad", Size: [2]float64{0.1, 0.02}}
	at := func(slip float64) *record.Taxels {
		return &record.Taxels{Cell: 0.05, Columns: 2, Rows: 1, Force: []float64{1, 2}, Area: []float64{1e-3, 1e-3}, Slip: []float64{slip, 0}}
	}
	if n := len(TaxelFigure(face, []*record.Taxels{at(0), at(0)}).Charts); n != 2 {
		t.Errorf("%d charts without slip, want 2", n)
	}
	fig := TaxelFigure(face, []*record.Taxels{at(1e-3)})
	if len(fig.Charts) != 2 || fig.Charts[1].Cells.Unit != "mm/s" || fig.Charts[1].Cells.Values[0] != 1 || fig.Charts[0].Cells.Values[1] != 2000 {
		t.Errorf("with slip: %+v", fig.Charts)
	}
	if r := fig.Charts[0].Cells.Rects[1]; r != [4]float64{50, 0, 100, 20} {
		t.Errorf("the second taxel is at %v mm", r)
	}
}

// Between neighbours of one colour, and along the scale of colours, no paper shows through, wherever their edges fall
// between pixels.
func TestMapsHaveNoSeams(t *testing.T) {
	var rects [][4]float64
	var values []float64
	for j := range 13 {
		for i := range 31 {
			rects, values = append(rects, [4]float64{float64(i), float64(j), float64(i + 1), float64(j + 1)}), append(values, 0)
		}
	}
	lo, hi := [2]float64{}, [2]float64{31, 13}
	fig := &Figure{Charts: []Chart{{Min: [2]*float64{&lo[0], &lo[1]}, Max: [2]*float64{&hi[0], &hi[1]}, Cells: &Cells{Rects: rects, Values: values, Top: 1}}}, Width: 9.7, Height: 5.3}
	img := pixels(t, fig)
	// the middle of the figure lies inside of the map
	b, want := img.Bounds(), colormap(0)
	wr, wg, wb, _ := want.RGBA()
	off := 0
	for y := b.Dy() * 3 / 10; y < b.Dy()*7/10; y++ {
		for x := b.Dx() * 3 / 10; x < b.Dx()*7/10; x++ {
			if r, g, bl, _ := img.At(x, y).RGBA(); r != wr || g != wg || bl != wb {
				off++
			}
		}
	}
	if off > 0 {
		t.Errorf("%d pixels of a map of one colour have another", off)
	}
}

// pixels returns the picture of a figure.
func pixels(t *testing.T, fig *Figure) image.Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.png")
	if err := fig.Write(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// A map names its origin and its directions, marks the centre of pressure, and leaves taxels without force without a
// value.
func TestTaxelFiguresSayWhereTheyAre(t *testing.T) {
	face := &record.Unrolled{Body: "pad", Size: [2]float64{0.1, 0.02}, Origin: r3.Vec{0.0125, -0.2, 0}, First: r3.Vec{0, -1, 0}, Second: r3.Vec{0.6, 0, 0.8}}
	x := &record.Taxels{Time: 2, Cell: 0.05, Columns: 2, Rows: 1, Force: []float64{0, 2}, Area: []float64{1e-3, 1e-3}, Slip: []float64{0, 0}, Normal: 2, Center: [2]float64{0.075, 0.01}}
	fig := TaxelFigure(face, []*record.Taxels{x})
	if want := "Origin: (12.5, −200, 0) mm on the undeformed body; along: −y, across: (0.6, 0, 0.8) (world axes). Cross: centre of pressure."; fig.Note != want {
		t.Errorf("the note is %q, want %q", fig.Note, want)
	}
	c := fig.Charts[0]
	if want := "pressure at t = 2 s, 2 N at (75, 10) mm"; c.Title != want {
		t.Errorf("the title is %q, want %q", c.Title, want)
	}
	if len(c.Lines) != 1 || c.Lines[0].Points[0] != [2]float64{75, 10} || !math.IsNaN(c.Cells.Values[0]) || c.Cells.Values[1] != 2000 {
		t.Errorf("%+v, values %g", c.Lines, c.Cells.Values)
	}
	// the cross is black, and grey is as much as a half of the frame
	img := pixels(t, fig)
	black, grey := 0, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			switch r, g, b, _ := img.At(x, y).RGBA(); {
			case r>>8 == uint32(noValue.Y) && g == r && b == r:
				grey++
			case r+g+b == 0:
				black++
			}
		}
	}
	scale := 300 / 2.54
	w, h := int(12.1*scale), int(fig.Height*scale)
	if want := w * h / 2; math.Abs(float64(grey)/float64(want)-1) > 0.05 {
		t.Errorf("%d pixels are grey, want about %d", grey, want)
	}
	if black < 200 {
		t.Errorf("%d pixels are black: no cross", black)
	}
	x.Normal, x.Force = 0, []float64{0, 0}
	if fig = TaxelFigure(face, []*record.Taxels{x}); strings.Contains(fig.Note, "Cross") || len(fig.Charts[0].Lines) > 0 {
		t.Errorf("without force: %q", fig.Note)
	}
}

// A scale that does not fit beside the title stands above it.
func TestScalesKeepOffTitles(t *testing.T) {
	for title, above := range map[string]bool{"pressure": false, "pressure at t = 0.32 s, 2.31 N at (45.6, 9.62) mm": true} {
		lo, hi := [2]float64{}, [2]float64{10, 10}
		c := Chart{Title: title, Min: [2]*float64{&lo[0], &lo[1]}, Max: [2]*float64{&hi[0], &hi[1]}, Cells: NewCells([][4]float64{{0, 0, 5, 5}, {5, 0, 10, 5}}, []float64{math.NaN(), 4}, 0, "kPa")}
		c.Cells.Without = "no contact"
		l := (&Figure{Charts: []Chart{c}, Width: 9.2, Height: 3}).layOut()
		f := l.panels[0].frame
		if got := l.panels[0].scaleAbove(f.Max.X - f.Min.X); got != above {
			t.Errorf("%q: scale above %v", title, got)
		}
	}
}
