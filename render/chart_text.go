package render

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Texts of charts are in Liberation Sans, 8 points as in the columns of papers. Parts in ^{…} are raised
// by 0.36 of the size and those in _{…} lowered by 0.18, both at 0.72 of the size; marks do not nest.
// Coordinates of texts are those of their base line, in points.

// Sizes of letters, points.
const (
	textSize  = vg.Length(8)
	tickSize  = vg.Length(7.5)
	noteSize  = vg.Length(7.5)
	titleSize = vg.Length(9)
)

// chartFonts has the fonts of charts, which are part of the program.
var chartFonts = font.NewCache(liberation.Collection())

// chartInk is the colour of words and frames.
var chartInk = color.Gray{0x1a}

// face returns the font of charts at a size.
func face(size vg.Length) font.Face {
	return chartFonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// piece is a part of a text: level 0, raised (1) or lowered (−1).
type piece struct {
	text  string
	level int
}

// pieces splits a text at ^{…} and _{…}.
func pieces(text string) []piece {
	var out []piece
	add := func(s string, level int) {
		if s != "" {
			out = append(out, piece{s, level})
		}
	}
	// text is what has not been split yet
	for text != "" {
		// the first mark of either kind
		up, down := strings.Index(text, "^{"), strings.Index(text, "_{")
		at, level := up, 1
		if up < 0 || down >= 0 && down < up {
			at, level = down, -1
		}
		// a mark without its closing brace is plain text
		end := -1
		if at >= 0 {
			end = strings.IndexByte(text[at:], '}')
		}
		if end < 0 {
			break
		}
		add(text[:at], 0)
		add(text[at+2:at+end], level)
		text = text[at+end+1:]
	}
	add(text, 0)
	return out
}

// subSize is the size of raised and lowered text, of that around it.
const subSize = 0.72

// face returns the font of a piece: raised and lowered text is smaller.
func (p *piece) face(size vg.Length) font.Face {
	if p.level != 0 {
		size *= subSize
	}
	return face(size)
}

// textWidth is the width of a text with raised and lowered parts.
func textWidth(text string, size vg.Length) vg.Length {
	// pieces follow each other on one line
	w := vg.Length(0)
	for _, p := range pieces(text) {
		f := p.face(size)
		w += f.Width(p.text)
	}
	return w
}

// lineHeight is the height of a line of text, ascent is that above its base line.
func lineHeight(size vg.Length) vg.Length { return 1.15 * size }
func ascent(size vg.Length) vg.Length     { return 0.905 * size }

// capHeight is the height of digits and capitals.
func capHeight(size vg.Length) vg.Length { return 0.69 * size }

// write draws a text with its base line at y; align is the part of its width left
// of x: 0 left, 0.5 centred, 1 right.
func write(c vgdraw.Canvas, text string, size vg.Length, x, y vg.Length, align float64) {
	writeIn(c, chartInk, text, size, x, y, align)
}

// writeIn writes in a colour.
func writeIn(c vgdraw.Canvas, ink color.Color, text string, size vg.Length, x, y vg.Length, align float64) {
	// raised text is 0.36 of the size above the base line, lowered text 0.18 below
	x -= vg.Length(align) * textWidth(text, size)
	c.SetColor(ink)
	for _, p := range pieces(text) {
		f := p.face(size)
		rise := [3]vg.Length{-0.18, 0, 0.36}[p.level+1] * size
		c.FillString(f, vg.Point{X: x, Y: y + rise}, p.text)
		x += f.Width(p.text)
	}
}

// writeUp draws a text that runs upwards, its base line at x, centred at y.
func writeUp(c vgdraw.Canvas, text string, size vg.Length, x, y vg.Length) {
	// the axes of the canvas are turned by a quarter, π/2 rad, for this text alone
	c.Push()
	// the origin of the turned axes is the middle of the text
	c.Translate(vg.Point{X: x, Y: y})
	c.Rotate(1.5707963267948966)
	write(c, text, size, 0, 0, 0.5)
	c.Pop()
}

// wrapped breaks a text between words into lines no wider than a width; a longer word is a line of its own.
func wrapped(text string, size, width vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && textWidth(lines[n-1]+" "+word, size) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
