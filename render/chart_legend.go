package render

import (
	"math"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

const (
	sampleWidth = vg.Length(19) // of the piece of line in a legend
	sampleGap   = vg.Length(4)
	keyGap      = vg.Length(10) // between keys of a row
	keyHeight   = vg.Length(9.6)
)

// legendKeys lists the chart's keys: those given, or its named lines; and the
// guide line.
func (c *Chart) legendKeys() []Key {
	keys := c.Keys
	if keys == nil {
		named := 0
		for i := range c.Lines {
			if c.Lines[i].Name != "" {
				named++
			}
		}
		for i := range c.Lines {
			// a name that several lines share stands once
			l := &c.Lines[i]
			k := Key{Name: l.Name, Style: l.Style}
			if l.Name != "" && !contains(keys, k) && (named > 1 || c.Order != 0) {
				keys = append(keys, k)
			}
		}
	}
	if _, ok := c.guide(); ok {
		keys = append(keys[:len(keys):len(keys)], Key{Name: orderName(c.Order), guide: true})
	}
	if c.Legend == "none" {
		return nil
	}
	return keys
}

func contains(keys []Key, k Key) bool {
	for _, have := range keys {
		if have == k {
			return true
		}
	}
	return false
}

func keyWidth(k Key) vg.Length { return sampleWidth + sampleGap + textWidth(k.Name, textSize) }

// drawKey draws an entry with its left end at x, its middle at y.
func drawKey(c vgdraw.Canvas, k Key, x, y vg.Length) {
	s := k.Style.stroke()
	switch {
	case k.guide:
		s = aside
	case k.Grey:
		s.Color = chartInk
	}
	if !k.Style.Bare {
		c.StrokeLine2(s, x, y, x+sampleWidth, y)
	}
	if k.Style.Mark > 0 {
		c.DrawGlyphNoClip(k.Style.glyph(), vg.Point{X: x + sampleWidth/2, Y: y})
	}
	write(c, k.Name, textSize, x+sampleWidth+sampleGap, y-capHeight(textSize)/2, 0)
}

// keyRows breaks keys into rows of a width.
func keyRows(keys []Key, width vg.Length) [][]Key {
	var rows [][]Key
	x := vg.Length(0)
	for _, k := range keys {
		w := keyWidth(k)
		if len(rows) == 0 || x+w > width {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		x += w + keyGap
	}
	return rows
}

func keysHeight(keys []Key, width vg.Length) vg.Length {
	return vg.Length(len(keyRows(keys, width))) * keyHeight
}

// drawKeys draws rows of keys, centred, below a point.
func drawKeys(c vgdraw.Canvas, keys []Key, at vg.Point, width vg.Length) {
	for _, row := range keyRows(keys, width) {
		total := -keyGap
		for _, k := range row {
			total += keyWidth(k) + keyGap
		}
		x := at.X + max(0, (width-total)/2)
		for _, k := range row {
			drawKey(c, k, x, at.Y-keyHeight/2)
			x += keyWidth(k) + keyGap
		}
		at.Y -= keyHeight
	}
}

// drawLegend draws the legend above the frame, or where it hides least.
func (p *panel) drawLegend(c vgdraw.Canvas) {
	if len(p.keys) == 0 {
		return
	}
	if p.above {
		f := p.frame
		w := f.Max.X - f.Min.X
		drawKeys(c, p.keys, vg.Point{X: f.Min.X, Y: f.Max.Y + 2 + p.headHeight() + keysHeight(p.keys, w)}, w)
		return
	}
	box, _ := p.legendPlace()
	for i, k := range p.keys {
		drawKey(c, k, box.Min.X, box.Max.Y-(vg.Length(i)+0.5)*keyHeight)
	}
}

// legendPlace returns the legend's box within the frame and how much it hides.
func (p *panel) legendPlace() (vg.Rectangle, int) {
	f := p.frame
	w, h := vg.Length(0), vg.Length(len(p.keys))*keyHeight
	for _, k := range p.keys {
		w = max(w, keyWidth(k))
	}
	const off = 4
	left, right, middle := f.Min.X+off, f.Max.X-off-w, (f.Min.X+f.Max.X-w)/2
	top, bottom := f.Max.Y-off-h, f.Min.Y+off
	places := []struct {
		name string
		at   vg.Point
	}{
		{"top_right", vg.Point{X: right, Y: top}}, {"top_left", vg.Point{X: left, Y: top}},
		{"bottom_right", vg.Point{X: right, Y: bottom}}, {"bottom_left", vg.Point{X: left, Y: bottom}},
		{"top", vg.Point{X: middle, Y: top}}, {"bottom", vg.Point{X: middle, Y: bottom}},
	}
	best, least := vg.Rectangle{}, math.MaxInt
	for _, pl := range places {
		box := boxAt(pl.at, w, h)
		n := p.crowd(grown(box, 2))
		if !holds(f, box) {
			n += 1000
		}
		if p.Legend == pl.name {
			n = -1
		}
		if n < least {
			best, least = box, n
		}
	}
	return best, least
}

func grown(b vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: b.Min.X - by, Y: b.Min.Y - by}, Max: vg.Point{X: b.Max.X + by, Y: b.Max.Y + by}}
}
