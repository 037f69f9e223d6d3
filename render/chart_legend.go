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

// keyRows breaks keys into rows of a width: columns of equal width where more than
// one row is needed and two columns fit.
func keyRows(keys []Key, width vg.Length) (rows [][]Key, column vg.Length) {
	sum, widest := -keyGap, vg.Length(0)
	for _, k := range keys {
		w := keyWidth(k)
		sum, widest = sum+w+keyGap, max(widest, w)
	}
	if n := int((width + keyGap) / (widest + keyGap)); sum > width && n >= 2 {
		// rows as even as they can be
		need := (len(keys) + n - 1) / n
		n = (len(keys) + need - 1) / need
		for at := 0; at < len(keys); at += n {
			rows = append(rows, keys[at:min(len(keys), at+n)])
		}
		return rows, widest
	}
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
	return rows, 0
}

func keysHeight(keys []Key, width vg.Length) vg.Length {
	rows, _ := keyRows(keys, width)
	return vg.Length(len(rows)) * keyHeight
}

// drawKeys draws rows of keys, centred, below a point.
func drawKeys(c vgdraw.Canvas, keys []Key, at vg.Point, width vg.Length) {
	rows, column := keyRows(keys, width)
	wide := func(k Key) vg.Length { return max(column, keyWidth(k)) + keyGap }
	for i, row := range rows {
		total := -keyGap
		for _, k := range row {
			total += wide(k)
		}
		if column > 0 && i > 0 {
			total = vg.Length(len(rows[0]))*(column+keyGap) - keyGap
		}
		x := at.X + max(0, (width-total)/2)
		for _, k := range row {
			drawKey(c, k, x, at.Y-keyHeight/2)
			x += wide(k)
		}
		at.Y -= keyHeight
	}
}

// clearLegend keeps the legend off the lines: where no place in the frame is free,
// it moves above if one row holds it; else the y axis is lengthened, and if that
// would be by much, it moves above too. It reports whether anything moved.
func (p *panel) clearLegend(sharedY bool) bool {
	if len(p.keys) == 0 || p.Legend != "" && p.Legend != "auto" {
		return false
	}
	if _, hidden := p.legendPlace(); hidden == 0 {
		return false
	}
	p.above = true
	if rows, _ := keyRows(p.keys, p.frame.Max.X-p.frame.Min.X); len(rows) == 1 || sharedY {
		return true
	}
	before := p.axes[1]
	for _, by := range []float64{0.1, 0.2, 0.3, 0.4} {
		for _, up := range []bool{true, false} {
			p.axes[1] = before
			if up && p.Max[1] == nil || !up && p.Min[1] == nil {
				p.axes[1].lengthen(by, up)
				p.survey()
				if _, hidden := p.legendPlace(); hidden == 0 {
					p.above = false
					return true
				}
			}
		}
	}
	p.axes[1] = before
	return true
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
