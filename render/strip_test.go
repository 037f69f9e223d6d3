package render

import (
	"bytes"
	"image"
	"testing"
)

// Each place of a strip is the picture of its time, row by row, and what is left free is white.
func TestStripIsMadeOfThePictures(t *testing.T) {
	rec := grip(5)
	opt, err := RecordedOptions(&rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	opt.Size = [2]int{120, 90}
	p, err := NewPainter(rec, opt)
	if err != nil {
		t.Fatal(err)
	}
	times := []float64{0, 0.2, 0.5, 0.75, 1}
	strip, err := p.Strip(times)
	if err != nil {
		t.Fatal(err)
	}
	columns, rows := strip.Rect.Dx()/120, strip.Rect.Dy()/90
	if columns != 3 || rows != 2 {
		t.Fatalf("%d columns and %d rows", columns, rows)
	}
	for i := range columns * rows {
		at := image.Rect(i%columns*120, i/columns*90, i%columns*120+120, i/columns*90+90)
		want := image.NewRGBA(image.Rect(0, 0, 120, 90))
		if i < len(times) {
			want = p.Picture(times[i])
		} else {
			for k := range want.Pix {
				want.Pix[k] = 255
			}
		}
		part := strip.SubImage(at).(*image.RGBA)
		for y := range 90 {
			row := part.Pix[y*part.Stride : y*part.Stride+4*120]
			if !bytes.Equal(row, want.Pix[y*want.Stride:y*want.Stride+4*120]) {
				t.Fatalf("picture %d differs in row %d", i, y)
			}
		}
	}
}

func TestShapesOfStrips(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 2, 6: 3, 8: 4} {
		if c := stripColumns(n, 4, 3); c != want {
			t.Errorf("%d pictures stand in %d columns, want %d", n, c, want)
		}
	}
	p := &Painter{opt: Options{Size: [2]int{4000, 4000}}}
	if _, err := p.Strip(make([]float64, 10)); err == nil {
		t.Error("a strip of 160 million pixels is drawn")
	}
	if _, err := p.Strip(nil); err == nil {
		t.Error("a strip without times is drawn")
	}
}
