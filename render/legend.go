package render

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Texts and scales of a picture. They stand at its edges, on a transparent canvas of one point a pixel
// that is blended over the picture last:
//
// 	title                          top left
// 	time, size of ground squares   bottom left
// 	colour scale                   right, from 0.30 to 0.70 of the height
// 	key of arrows                  bottom right
//
// Words and scales stand on plates of their own, which let bodies shine through a little: whatever is behind them,
// letters keep a contrast of 4.5 to 1 or more.
//
// All lengths are multiples of the height s of letters, 1/46 of the width or 1/34 of the height of the
// picture, whichever is less, and at least 8 pixels, times Options.Letters. The automatic camera keeps the subject out
// of these places, see pictureFrame.
//
// Numbers of scales are round: with values up to x in n steps, a step is the least of 1, 2, 2.5, 5 and
// 10 times a power of ten that is at least 0.8 x/n.

// scaleOf returns a readable unit for values up to top, which is in the SI unit:
// a number in SI is factor times the number shown.
func scaleOf(top float64, unit string) (factor float64, name string) {
	// lengths have their own prefixes: km and nm are not in use for what pictures show
	if unit == "m" {
		switch {
		case top >= 1:
			return 1, "m"
		case top >= 1e-3:
			return 1e-3, "mm"
		}
		return 1e-6, "µm"
	}
	// the largest prefix that leaves a number of at least 1, up to round-off
	for _, p := range []struct {
		factor float64
		prefix string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}} {
		if top >= p.factor*(1-1e-9) {
			return p.factor, p.prefix + unit
		}
	}
	return 1e-6, "µ" + unit
}

// tick is a mark of the colour scale.
type tick struct {
	// at is the place from 0 at the bottom to 1 at the top.
	at float64
	// label is the number, in the unit shown.
	label string
}

// ticksOf returns marks at about five round numbers from 0 to top, which is in the unit
// shown.
func ticksOf(top float64) []tick {
	// places are parts of the bar, labels have as many digits as the step needs
	step := roundStep(top / 5)
	digits := decimals(step)
	var t []tick
	for k := 0; float64(k)*step <= top*(1+1e-9); k++ {
		x := float64(k) * step
		t = append(t, tick{x / top, strconv.FormatFloat(x, 'f', digits, 64)})
	}
	return t
}

// roundStep returns 1, 2, 2.5 or 5 times a power of ten, at least about x.
func roundStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	// x = m p with 1 ≤ m < 10; a quarter more is still rounded down to the same form
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if x <= m*p*1.25 {
			return m * p
		}
	}
	return 10 * p
}

// decimals returns the number of digits after the point that multiples of a step need.
func decimals(step float64) int {
	// multiply by ten until the rest is only round-off; 12 digits bound numbers that have no end
	d := 0
	for x := step; d < 12 && math.Abs(x-math.Round(x)) > 1e-6*x; x *= 10 {
		d++
	}
	return d
}

// quantity writes a round length or force in a readable unit.
func quantity(x float64, unit string) string {
	f, name := scaleOf(x, unit)
	return strconv.FormatFloat(x/f, 'g', 4, 64) + " " + name
}

// Colours of text, main and secondary.
var (
	ink  = color.NRGBA{45, 50, 58, 255}
	pale = color.NRGBA{62, 68, 77, 255}
)

// pen writes on a transparent canvas over the picture; lengths are pixels, y up.
type pen struct {
	// c is the canvas, of one point a pixel.
	c vgdraw.Canvas
	// size is the height of letters, pixels.
	size vg.Length
	// halo is the colour around letters, ground that of the plates below them.
	halo, ground color.Color
}

// fonts has the fonts of pictures, which are part of the program.
var fonts = font.NewCache(liberation.Collection())

// style returns the font.
func (w *pen) style(bold bool) text.Style {
	// a free font with the widths of Arial, which comes with the program
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: w.size}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Font: f, Handler: text.Plain{Fonts: fonts}}
}

// text writes at the height y of the middle of small letters, with the given alignment
// at x.
func (w *pen) text(x, y vg.Length, s string, xa vgdraw.XAlignment, c color.Color, bold bool) {
	sty := w.style(bold)
	sty.XAlign, sty.YAlign = xa, text.YCenter
	// a halo keeps text readable over whatever is behind it
	sty.Color = w.halo
	// eight copies around the text, at an eighth of a turn from each other
	r := w.size / 13
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		w.c.FillText(sty, vg.Point{X: x + r*vg.Length(cos), Y: y + r*vg.Length(sin)}, s)
	}
	sty.Color = c
	w.c.FillText(sty, vg.Point{X: x, Y: y}, s)
}

// plate fills a rectangle with round corners, the ground of what is written over it.
func (w *pen) plate(x0, y0, x1, y1 vg.Length) {
	const quarter = math.Pi / 2
	r := min(0.45*w.size, (x1-x0)/2, (y1-y0)/2)
	var path vg.Path
	path.Move(vg.Point{X: x0 + r, Y: y0})
	// counter-clockwise, a corner at the end of each side
	path.Arc(vg.Point{X: x1 - r, Y: y0 + r}, r, -quarter, quarter)
	path.Arc(vg.Point{X: x1 - r, Y: y1 - r}, r, 0, quarter)
	path.Arc(vg.Point{X: x0 + r, Y: y1 - r}, r, quarter, quarter)
	path.Arc(vg.Point{X: x0 + r, Y: y0 + r}, r, 2*quarter, quarter)
	path.Close()
	w.c.SetColor(w.ground)
	w.c.Fill(path)
}

// label writes a text on a plate; nothing for no text.
func (w *pen) label(x, y vg.Length, s string, c color.Color, bold bool) {
	if s == "" {
		return
	}
	w.plate(x-0.5*w.size, y-0.85*w.size, x+w.style(bold).Width(s)+0.5*w.size, y+0.85*w.size)
	w.text(x, y, s, text.XLeft, c, bold)
}

// rect fills a rectangle.
func (w *pen) rect(x0, y0, x1, y1 vg.Length, c color.Color) {
	w.c.FillPolygon(c, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// legendSize is the height of a picture's text, pixels.
func (o *Options) legendSize() float64 {
	return o.Letters * max(8, min(float64(o.Size[0])/46, float64(o.Size[1])/34))
}

// words is what is written over pictures, on a canvas of its own.
type words struct {
	// img is the canvas, transparent where nothing is written, and at its place in the picture.
	img image.Image
	at  image.Rectangle
}

// write draws words on a canvas of w×h pixels that stands at the lower left corner of the picture.
func (p *Painter) write(w, h vg.Length, draw func(pn *pen, fg, second color.Color)) words {
	// colours of words that contrast with the background: dark on light, light on dark
	fg, second, halo, ground := ink, pale, color.NRGBA{248, 249, 250, 150}, color.NRGBA{250, 251, 252, 190}
	if p.opt.Background != "" && isDark(p.opt.Background) {
		halo, ground = color.NRGBA{20, 22, 26, 160}, color.NRGBA{24, 27, 32, 190}
		fg, second = color.NRGBA{235, 238, 242, 255}, color.NRGBA{170, 176, 186, 255}
	}
	canvas := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(72), vgimg.UseBackgroundColor(color.Transparent))
	draw(&pen{c: vgdraw.New(canvas), size: vg.Length(p.opt.legendSize()), halo: halo, ground: ground}, fg, second)
	img := canvas.Image()
	return words{img, img.Bounds().Add(image.Pt(0, p.opt.Size[1]-img.Bounds().Dy()))}
}

// over blends words over the rows of a picture that have some.
func (w *words) over(img *image.RGBA) {
	draw.Draw(img, w.at, w.img, w.img.Bounds().Min, draw.Over)
}

// annotate writes title, time, and the scales of colours, arrows and ground. All but the time are the same in all
// pictures of a recording, up to the sign of values above the scale.
func (p *Painter) annotate(img *image.RGBA, t, peak float64) {
	above := 0
	if peak > p.top*(1+1e-6) {
		above = 1
	}
	p.fixed[above].Do(func() { p.fixedWords[above] = p.writeFixed(peak) })
	for i := range p.fixedWords[above] {
		p.fixedWords[above][i].over(img)
	}
	if p.opt.Captioned {
		return
	}
	size := vg.Length(p.opt.legendSize())
	m := 1.1 * size
	clock := p.write(min(vg.Length(p.opt.Size[0]), m+10*size), min(vg.Length(p.opt.Size[1]), 2.2*m), func(pn *pen, fg, _ color.Color) {
		pn.label(m, 1.1*m, fmt.Sprintf("t = %.3f s", t), fg, false)
	})
	clock.over(img)
}

// writeFixed writes all but the time, and returns what is written by rows of the picture that have words.
func (p *Painter) writeFixed(peak float64) []words {
	w, h := vg.Length(p.opt.Size[0]), vg.Length(p.opt.Size[1])
	all := p.write(w, h, func(pn *pen, fg, second color.Color) {
		m := 1.1 * pn.size
		// title above; beside the time below the scale of the ground
		left := m
		if !p.opt.Captioned {
			pn.label(m, h-1.3*m, title(p.rec.Static.Title), fg, true)
			left += 10 * pn.size
		}
		if p.cell > 0 {
			pn.label(left, 1.1*m, "squares "+quantity(p.cell, "m"), second, false)
		}
		if p.scale {
			p.drawScale(pn, w, h, peak, fg)
		}
		if p.force > 0 {
			p.drawArrowKey(pn, w, 1.1*m, fg)
		}
	})
	return all.parts()
}

// parts cuts words into bands of rows without the empty parts at their sides.
func (w *words) parts() []words {
	var out []words
	src := w.img.(*image.RGBA)
	for y := src.Rect.Min.Y; y < src.Rect.Max.Y; y += bandRows {
		box := image.Rectangle{}
		for j := y; j < min(y+bandRows, src.Rect.Max.Y); j++ {
			for x := src.Rect.Min.X; x < src.Rect.Max.X; x++ {
				if src.Pix[src.PixOffset(x, j)+3] != 0 {
					box = box.Union(image.Rect(x, j, x+1, j+1))
				}
			}
		}
		if !box.Empty() {
			out = append(out, words{src.SubImage(box), box.Sub(src.Rect.Min).Add(w.at.Min)})
		}
	}
	return out
}

// drawScale draws the colour scale: a bar at the right with round marks, the
// quantity and its unit above it.
func (p *Painter) drawScale(pn *pen, w, h vg.Length, peak float64, fg color.Color) {
	size := pn.size
	factor, unit := scaleOf(p.top, p.field.unit)
	x0, x1 := w-5.2*size, w-4.2*size
	y0, y1 := 0.30*h, 0.70*h
	name := p.field.label + " (" + unit + ")"
	right := w - 1.1*size
	// one plate for the name and a narrow one for the bar, so that they hide little
	pn.plate(right-pn.style(false).Width(name)-0.5*size, y1+0.75*size, right+0.5*size, y1+2.4*size)
	pn.plate(x0-0.5*size, y0-0.85*size, right+0.5*size, y1+0.7*size)
	// the bar, one strip a pixel; strips overlap by 0.02 so that no seam shows
	n := int(y1 - y0)
	for i := range n {
		u := (float64(i) + 0.5) / float64(n)
		y := y0 + vg.Length(i)
		pn.rect(x0, y, x1, y+1.02, colormap(u))
	}
	// ticks to the right of the bar, with their numbers in the unit shown
	line := vgdraw.LineStyle{Color: fg, Width: max(0.7, size/18)}
	for _, t := range ticksOf(p.top / factor) {
		y := y0 + vg.Length(t.at)*(y1-y0)
		pn.c.StrokeLine2(line, x1, y, x1+0.3*size, y)
		label := t.label
		// values above the scale have the colour of its end, which the label says
		if t.at > 1-1e-9 && peak > p.top*(1+1e-6) {
			label = "≥" + label
		}
		pn.text(x1+0.55*size, y+0.03*size, label, text.XLeft, fg, false)
	}
	pn.text(right, y1+1.5*size, name, text.XRight, fg, false)
}

// drawArrowKey draws an arrow as long as those of the scale's force, at the
// target's distance.
func (p *Painter) drawArrowKey(pn *pen, w, y vg.Length, fg color.Color) {
	size := pn.size
	// p.arrow is m at the distance of the target, where the picture is view.size m high
	px := vg.Length(p.arrow / p.view.size * float64(p.opt.Size[1]))
	c, _ := parseColor(arrowColor)
	label := "force " + quantity(p.force, "N")
	width := pn.style(false).Width(label)
	// from right to left: margin, label, a gap, then the arrow that ends at x1
	x1 := w - 1.1*size - width - 0.6*size
	x0 := x1 - px
	r := px * 0.028
	pn.plate(x0-0.5*size, y-max(0.85*size, 2.3*r+0.2*size), w-0.6*size, y+max(0.85*size, 2.3*r+0.2*size))
	// shaft and head with the proportions of appendArrow
	pn.rect(x0, y-r, x1-5*r, y+r, c)
	pn.c.FillPolygon(c, []vg.Point{{X: x1 - 5.5*r, Y: y - 2.3*r}, {X: x1, Y: y}, {X: x1 - 5.5*r, Y: y + 2.3*r}})
	pn.text(w-1.1*size, y, label, text.XRight, fg, false)
}

// isDark reports whether text on a background must be light, by its luma.
func isDark(s string) bool {
	// luma of sRGB (Rec. 601): 0.299 R + 0.587 G + 0.114 B, dark below half of the range
	c, err := parseColor(s)
	return err == nil && 299*int(c.R)+587*int(c.G)+114*int(c.B) < 128000
}
