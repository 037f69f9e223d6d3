package render

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
)

// maxStrip bounds the pixels of a strip: a picture of that size takes 400 MB.
const maxStrip = 100e6

// Strip draws a film strip: pictures of the run at several times, s, row by row in one picture. Each has the size of
// the options; they meet without a gap. It has as many columns as needed for a shape near 2:1, and no more than
// pictures.
func (p *Painter) Strip(times []float64) (*image.RGBA, error) {
	if len(times) == 0 {
		return nil, errors.New("render: a strip needs a time")
	}
	w, h := p.opt.Size[0], p.opt.Size[1]
	if pixels := float64(w) * float64(h) * float64(len(times)); pixels > maxStrip {
		return nil, fmt.Errorf("render: a strip of %d pictures of %d×%d pixels is too large: take fewer or smaller ones, %.0f pixels together at most", len(times), w, h, float64(maxStrip))
	}
	// rows are filled from left to right
	columns := stripColumns(len(times), w, h)
	rows := (len(times) + columns - 1) / columns
	strip := image.NewRGBA(image.Rect(0, 0, columns*w, rows*h))
	// what the last row leaves free is white, as paper is
	draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
	for i, t := range times {
		at := image.Pt(i%columns*w, i/columns*h)
		draw.Draw(strip, image.Rectangle{at, at.Add(image.Pt(w, h))}, p.Picture(t), image.Point{}, draw.Src)
	}
	return strip, nil
}

// stripColumns returns the number of columns of n pictures of w×h for which the free places and the distance of the
// shape from 2:1 are least together.
func stripColumns(n, w, h int) int {
	// few columns: all are tried
	best, least := 1, math.Inf(1)
	for c := 1; c <= n; c++ {
		rows := (n + c - 1) / c
		shape := math.Abs(math.Log(float64(c*w) / float64(2*rows*h)))
		// an empty place costs as much as a shape that is off by a third
		if cost := shape + 0.3*float64(c*rows-n); cost < least {
			best, least = c, cost
		}
	}
	return best
}
