package render

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Scenes and cameras at the ends of what is possible are drawn, with the same bytes for one and for several threads.
func TestExtremeScenesAreDrawn(t *testing.T) {
	cube := func(size float64) body {
		return body{mesh: box(r3.Vec{size, size, size}), at: r3.Vec{0, 0, size / 2}}
	}
	at := func(x, y, z float64) *r3.Vec { return &r3.Vec{x, y, z} }
	for name, c := range map[string]struct {
		rec    *record.Recording
		change func(*Options)
	}{
		"nothing":                 {still(0), nil},
		"ground alone":            {still(1), nil},
		"one body":                {still(0, cube(1)), nil},
		"camera inside a body":    {still(3, cube(1)), func(o *Options) { o.Camera, o.Target = at(0, 0, 0.5), at(1, 0, 0.5) }},
		"camera in the ground":    {still(3, cube(1)), func(o *Options) { o.Camera, o.Target = at(-3, 0, 0), at(0, 0, 0) }},
		"camera below the ground": {still(3, cube(1)), func(o *Options) { o.Camera, o.Target = at(-3, 0, -2), at(0, 0, 0) }},
		"camera away":             {still(3, cube(1)), func(o *Options) { o.Camera, o.Target = at(-3, 0, 1), at(-9, 0, 1) }},
		"huge ground":             {still(1e9, cube(1)), nil},
		"micrometre":              {still(5e-6, cube(1e-6)), nil},
		"kilometre":               {still(5e3, cube(1e3)), nil},
		"odd size":                {still(3, cube(1)), func(o *Options) { o.Size = [2]int{17, 333} }},
		"least size":              {still(3, cube(1)), func(o *Options) { o.Size = [2]int{16, 16} }},
		"long size":               {still(3, cube(1)), func(o *Options) { o.Size = [2]int{4001, 16} }},
		"one sample":              {still(3, cube(1)), func(o *Options) { o.Samples = 1 }},
		"cut away":                {still(3, cube(1)), func(o *Options) { o.Cut = &Cut{Point: r3.Vec{0, 0, -1}, Normal: r3.Vec{0, 0, 1}} }},
		"cut in a face":           {still(3, cube(1)), func(o *Options) { o.Cut = &Cut{Normal: r3.Vec{0, 0, 1}} }},
		"no pixel wide":           {still(3, cube(1), body{mesh: box(r3.Vec{1e-7, 1e-7, 1e-7}), at: r3.Vec{1, 1, 0.1}}), nil},
	} {
		for _, q := range QualityNames() {
			opt := small(t, c.rec)
			opt.Quality = q
			if c.change != nil {
				c.change(&opt)
			}
			p := painter(t, c.rec, opt)
			threads := runtime.GOMAXPROCS(1)
			one := p.Picture(0)
			runtime.GOMAXPROCS(3)
			several := p.Picture(0)
			runtime.GOMAXPROCS(threads)
			if one.Rect.Dx() != opt.Size[0] || one.Rect.Dy() != opt.Size[1] || !bytes.Equal(one.Pix, several.Pix) {
				t.Errorf("%s, %s: pictures of size %v differ by the threads", name, q, one.Rect)
			}
		}
	}
}

// A ground of any size, seen from above, is drawn beside a body: no overflow of places, no picture of background alone.
func TestHugeGroundIsSeen(t *testing.T) {
	for _, size := range []float64{10, 1e3, 1e6} {
		rec := still(size, body{mesh: box(r3.Vec{1, 1, 1}), at: r3.Vec{0, 0, 0.5}, color: "#0000ff"})
		opt := seenFrom(t, rec, r3.Vec{0.1, -1, 6}, r3.Vec{0, 0, 0.5}, 120)
		opt.Background = "#ff0000"
		img := painter(t, rec, opt).Picture(0)
		if n := count(img, isRed); n > 120*120/10 {
			t.Errorf("ground of %g m: %d pixels show the background", size, n)
		}
	}
}

// Names in any alphabet are written, and values that are no numbers or all the same leave a scale with round numbers.
func TestLegendsOfOddValuesAreDrawn(t *testing.T) {
	for _, stress := range []float32{0, 1, float32(math.Inf(1)), float32(math.NaN()), math.MaxFloat32} {
		rec := grip(2)
		rec.Static.Title = "抓握 – Греифер 🤖 é\x00\t" + fmt.Sprint(stress)
		for k := range rec.Frames {
			for i := range rec.Frames[k].VonMises {
				for j := range rec.Frames[k].VonMises[i] {
					rec.Frames[k].VonMises[i][j] = stress
				}
			}
		}
		p, err := NewPainter(rec, small(t, rec))
		if err != nil {
			continue // a recording that is not valid is refused with a message
		}
		if img := p.Picture(1); img == nil || !(p.top > 0) || math.IsInf(p.top, 0) {
			t.Errorf("stress %g: the scale ends at %g", stress, p.top)
		}
	}
}
