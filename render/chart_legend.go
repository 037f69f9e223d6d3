package render

import (
	"math"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A legend has an entry for each name and style of the lines: a sample of the line, 19 points wide, and
// its name. In the frame entries stand below each other; above the frame they stand in rows that are
// as wide as the frame.
//
// The place is chosen by counting what a legend would hide, see crowd. Corners come first, then the
// middles of the upper and the lower edge, and of several that hide equally little the first is taken.
// A legend that hides something everywhere goes above the frame, or the y axis grows until a place is
// free; see clearLegend.

// Sizes of a legend, points.
const (
	sampleWidth = vg.Length(19) // of the piece of line in a legend
	sampleGap   = vg.Length(4)
	keyGap      = vg.Length(10) // between keys of a row
	keyHeight   = vg.Length(9.6)
)

// legendKeys returns the entries of the legend: those given, or one for each name and
// style of the lines, and one for the guide line. A single named line needs no legend.
func (c *Chart) legendKeys() []Key {
	// entries that the chart lists win
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
			// one line alone is named by the axis, unless the guide line needs to be distinguished
			l := &c.Lines[i]
			k := Key{Name: l.Name, Style: l.Style}
			if l.Name != "" && !contains(keys, k) && (named > 1 || c.Order != 0) {
				keys = append(keys, k)
			}
		}
	}
	// the slice is cut to its length, so that appending does not write into Keys
	if _, ok := c.guide(); ok {
		keys = append(keys[:len(keys):len(keys)], Key{Name: orderName(c.Order), guide: true})
	}
	// the guide line is drawn all the same
	if c.Legend == "none" {
		return nil
	}
	return keys
}

// contains reports whether a key is among others.
func contains(keys []Key, k Key) bool {
	for _, have := range keys {
		if have == k {
			return true
		}
	}
	return false
}

// keyWidth returns the width of an entry.
func keyWidth(k Key) vg.Length { return sampleWidth + sampleGap + textWidth(k.Name, textSize) }

// drawKey draws an entry with its left end at x, its middle at y.
func drawKey(c vgdraw.Canvas, k Key, x, y vg.Length) {
	// the guide has the pen of reference lines; keys of dashes have no colour
	s := k.Style.stroke()
	switch {
	case k.guide:
		s = aside
	case k.Grey:
		s.Color = chartInk
	}
	// a sample of the line with a mark in its middle, then the name
	if !k.Style.MarksOnly {
		c.StrokeLine2(s, x, y, x+sampleWidth, y)
	}
	if k.Style.Mark > 0 {
		c.DrawGlyphNoClip(k.Style.glyph(), vg.Point{X: x + sampleWidth/2, Y: y})
	}
	write(c, k.Name, textSize, x+sampleWidth+sampleGap, y-capHeight(textSize)/2, 0)
}

// keyRows breaks entries into rows of at most the given width. Where one row is not
// enough and two columns fit, all columns have the returned width, else it is 0.
func keyRows(keys []Key, width vg.Length) (rows [][]Key, column vg.Length) {
	// width of all entries in one row, and of the longest
	sum, widest := -keyGap, vg.Length(0)
	for _, k := range keys {
		w := keyWidth(k)
		// sum starts at −keyGap, because there is no gap after the last entry
		sum, widest = sum+w+keyGap, max(widest, w)
	}
	// n columns of equal width have room
	if n := int((width + keyGap) / (widest + keyGap)); sum > width && n >= 2 {
		// as few rows as possible, of nearly equal length
		need := (len(keys) + n - 1) / n
		n = (len(keys) + need - 1) / need
		for at := 0; at < len(keys); at += n {
			rows = append(rows, keys[at:min(len(keys), at+n)])
		}
		return rows, widest
	}
	// otherwise each row takes as many as fit
	x := vg.Length(0)
	for _, k := range keys {
		w := keyWidth(k)
		// x is where the entry would begin
		if len(rows) == 0 || x+w > width {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		x += w + keyGap
	}
	return rows, 0
}

// keysHeight returns the height of the rows of entries.
func keysHeight(keys []Key, width vg.Length) vg.Length {
	// rows have equal heights, whatever they contain
	rows, _ := keyRows(keys, width)
	return vg.Length(len(rows)) * keyHeight
}

// drawKeys draws the rows of entries, centred, with their upper left corner at a point.
// A shorter last row starts where the first does.
func drawKeys(c vgdraw.Canvas, keys []Key, at vg.Point, width vg.Length) {
	// columns are as wide as the longest entry, otherwise entries as they need
	rows, column := keyRows(keys, width)
	wide := func(k Key) vg.Length { return max(column, keyWidth(k)) + keyGap }
	for i, row := range rows {
		// the width of this row, or of the first where entries stand in columns
		total := -keyGap
		for _, k := range row {
			total += wide(k)
		}
		if column > 0 && i > 0 {
			total = vg.Length(len(rows[0]))*(column+keyGap) - keyGap
		}
		// rows that are wider than the figure begin at its left edge
		x := at.X + max(0, (width-total)/2)
		for _, k := range row {
			drawKey(c, k, x, at.Y-keyHeight/2)
			x += wide(k)
		}
		at.Y -= keyHeight
	}
}

// clearLegend finds a place for the legend where it hides no line, and reports whether
// the frames must be placed again. It tries, in this order: a corner or the middle of
// the frame; above the frame, if one row is enough or other charts share the y axis; a
// y axis that is up to 0.4 times longer; above the frame.
func (p *panel) clearLegend(sharedY bool) bool {
	if len(p.keys) == 0 || p.Legend != "" && p.Legend != "auto" {
		return false
	}
	// a free place in the frame
	// the chart stays as it is
	if _, hidden := p.legendPlace(); hidden == 0 {
		return false
	}
	// above the frame
	p.above = true
	if rows, _ := keyRows(p.keys, p.frame.Max.X-p.frame.Min.X); len(rows) == 1 || sharedY {
		return true
	}
	// a longer y axis, up or down, where the chart does not fix that limit
	before := p.axes[1]
	for _, by := range []float64{0.1, 0.2, 0.3, 0.4} {
		for _, up := range []bool{true, false} {
			p.axes[1] = before
			// The axis that is tried has other places of lines: survey finds them again.
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
	// no length helps: the legend goes above, and the axis is as before
	p.axes[1] = before
	return true
}

// drawLegend draws the legend above the frame, or where it hides least.
func (p *panel) drawLegend(c vgdraw.Canvas) {
	if len(p.keys) == 0 {
		return
	}
	// rows above the frame, below its title
	if p.above {
		f := p.frame
		w := f.Max.X - f.Min.X
		drawKeys(c, p.keys, vg.Point{X: f.Min.X, Y: f.Max.Y + 2 + p.headHeight() + keysHeight(p.keys, w)}, w)
		return
	}
	// one entry a row in the frame
	box, _ := p.legendPlace()
	for i, k := range p.keys {
		drawKey(c, k, box.Min.X, box.Max.Y-(vg.Length(i)+0.5)*keyHeight)
	}
}

// legendPlace returns the legend's box within the frame and how much it hides.
func (p *panel) legendPlace() (vg.Rectangle, int) {
	f := p.frame
	// the size of a legend of one column
	w, h := vg.Length(0), vg.Length(len(p.keys))*keyHeight
	for _, k := range p.keys {
		w = max(w, keyWidth(k))
	}
	// corners and middles, off points from the frame
	const off = 4
	left, right, middle := f.Min.X+off, f.Max.X-off-w, (f.Min.X+f.Max.X-w)/2
	top, bottom := f.Max.Y-off-h, f.Min.Y+off
	// the first of the best places wins
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
		// 2 points of air around the legend
		n := p.crowd(grown(box, 2))
		if !holds(f, box) {
			n += 1000
		}
		// the position that the chart requests wins whatever it hides
		if p.Legend == pl.name {
			n = -1
		}
		if n < least {
			best, least = box, n
		}
	}
	return best, least
}

// grown returns a box that is larger by the given length on all sides.
func grown(b vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: b.Min.X - by, Y: b.Min.Y - by}, Max: vg.Point{X: b.Max.X + by, Y: b.Max.Y + by}}
}
