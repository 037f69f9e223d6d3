package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Charts of amplitude spectra, see spectrum.go for their equations. The largest peaks have their
// frequency written at them. Labels are placed before the figure is laid out, in a frame of nearly
// the final size, because they become notes, which legends then keep off. A label is tried centred
// above the tip of its peak, right of it, left of it, and above it to the right and to the left; it is
// left out where all of these places are taken.

// Spectrum turns a chart of lines over time (s) into one of their amplitude
// spectra, whose peaks it keeps in the lines; it writes the frequency at the largest,
// at most the given number. The chart's kind of axes, limits, upright rules and
// notes are of frequencies (Hz) and amplitudes. An axis without a name gets one.
func (f *Figure) Spectrum(chart, peaks int) error {
	c := &f.Charts[chart]
	if err := c.spectra(peaks); err != nil {
		return err
	}
	// cm, as users give them; defaults are those of layOut
	// the size of the frame as layOut will choose it, nearly: labels need it
	height := f.Height
	if height <= 0 {
		height = 5
		if len(f.Charts) > 1 && f.Columns <= 1 {
			height = 3.3
		}
	}
	width := f.Width
	if width <= 0 {
		width = 8.6
	}
	width = width/float64(max(1, f.Columns)) - 1.4 // without the axis
	c.labelPeaks(peaks, vg.Length(width)*cm, vg.Length(height)*cm)
	return nil
}

// spectra replaces the chart's lines.
func (c *Chart) spectra(most int) error {
	c.X = cmp.Or(c.X, "frequency (Hz)")
	first := math.Inf(1)
	// Each line becomes its spectrum. Candidates for peaks are more than are shown, because some are
	// outside of the limits.
	for i := range c.Lines {
		l := &c.Lines[i]
		s, err := NewSpectrum(l.Points)
		if err != nil {
			return fmt.Errorf("%s: %w", cmp.Or(l.Name, c.Y), err)
		}
		// a spectrum has too many points for marks
		l.Points = s.curve(c.LogY)
		l.Style.Mark = 0
		first = math.Min(first, s.Resolution)
		// the first that lie within the limits of the frequency
		l.Peaks = nil
		for _, p := range s.Peaks(8 + 4*most) {
			if len(l.Peaks) < most && (c.Min[0] == nil || p.Frequency >= *c.Min[0]) && (c.Max[0] == nil || p.Frequency <= *c.Max[0]) {
				l.Peaks = append(l.Peaks, p)
			}
		}
	}
	if c.LogX && c.Min[0] == nil && len(c.Lines) > 0 {
		c.Min[0] = &first // below, there is only drift
	}
	c.fitAmplitudes()
	return nil
}

// curve returns the points of a spectrum to draw; for logarithmic amplitudes, the
// highest within each resolution: between them there are only the zeros of leakage.
func (s *Spectrum) curve(log bool) [][2]float64 {
	// −1 is the number of no block, so that the first frequency begins one
	var points [][2]float64
	block := -1
	for k, f := range s.Frequency {
		// block b has the frequencies within half a resolution around b resolutions
		b := int(f/s.Resolution + 0.5)
		switch {
		// the first of a block, or any on a linear axis, is a new point
		case !log || b != block:
			points = append(points, [2]float64{f, s.Amplitude[k]})
			block = b
		// a higher one of the same block replaces it
		case s.Amplitude[k] > points[len(points)-1][1]:
			points[len(points)-1] = [2]float64{f, s.Amplitude[k]}
		}
	}
	return points
}

// Amplitude returns the axis title of an amplitude: "force (N)" becomes "amplitude
// of force (N)".
func Amplitude(label string) string {
	// without a known quantity, "value (N)" becomes "amplitude (N)"
	if label == "" || strings.HasPrefix(label, "value") {
		return "amplitude" + strings.TrimPrefix(label, "value")
	}
	return "amplitude of " + label
}

// spectrumDecades is the range of logarithmic axes of amplitudes below the largest.
const spectrumDecades = 5

// amplitudes returns the largest and the least positive amplitude of frequencies that the
// chart shows; 0 and infinity where there are none. The mean of a signal, at frequency 0, is no
// amplitude of it.
func (c *Chart) amplitudes() (top, least float64) {
	// 0 has no logarithm, so that the least is that of positive ones
	least = math.Inf(1)
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if c.within(p, 0) && p[0] > 0 {
				top = math.Max(top, p[1])
				if p[1] > 0 {
					least = math.Min(least, p[1])
				}
			}
		}
	}
	return top, least
}

// fitAmplitudes chooses limits of amplitudes that leave room for labels.
func (c *Chart) fitAmplitudes() {
	top, least := c.amplitudes()
	// level rules are in sight, too
	for _, r := range c.Rules {
		if !r.Upright {
			top = math.Max(top, r.At)
		}
	}
	if top == 0 {
		return
	}
	// room for a label above the largest peak: 22 % of it, or a factor of 5
	lo, hi := 0.0, 1.22*top
	if c.LogY {
		lo, hi = math.Max(least, top*math.Pow(10, -spectrumDecades)), 5*top
	}
	// limits that the chart gives stay
	if c.Min[1] == nil {
		c.Min[1] = &lo
	}
	if c.Max[1] == nil {
		c.Max[1] = &hi
	}
}

// peakLabel is a frequency that is written at a peak.
type peakLabel struct {
	text string
	// at is the lower left corner of the text in the frame, wide its width, points.
	at   vg.Point
	wide vg.Length
}

// peakFrame is the frame that a spectrum will be drawn in, nearly: it gives where labels have
// room before the figure is laid out.
type peakFrame struct {
	x, y axis
	// w and h are the size of the frame, points.
	w, h vg.Length
}

// labelPeaks writes the frequencies of the largest peaks of all lines above them
// where they cover neither each other nor a line, and leaves out those that would; w
// and h are about the size of the frame.
func (c *Chart) labelPeaks(most int, w, h vg.Length) {
	g, ok := c.peakFrame(w, h)
	if !ok {
		return
	}
	// peaks of all lines, the largest first
	var all []Peak
	for i := range c.Lines {
		all = append(all, c.Lines[i].Peaks...)
	}
	slices.SortStableFunc(all, func(a, b Peak) int { return cmp.Compare(b.Amplitude, a.Amplitude) })
	// Lines may have peaks of the same frequency, which one label serves.
	var labels []peakLabel
	for _, p := range all {
		if len(labels) == most {
			break
		}
		text := hertz(p.Frequency)
		if slices.ContainsFunc(labels, func(l peakLabel) bool { return l.text == text }) {
			continue
		}
		l, ok := c.placePeak(&g, p, text, labels)
		if !ok {
			continue
		}
		// notes are placed by the middle of their text, in the units of the axes
		middle := [2]float64{g.frequency(l.at.X + l.wide/2), g.amplitude(l.at.Y + lineHeight(noteSize)/2)}
		c.Notes = append(c.Notes, Note{At: middle, Text: text, Align: "center"})
		labels = append(labels, l)
	}
}

// peakFrame returns the frame of a spectrum with the axes as they will be drawn; false where an
// axis has no extent.
func (c *Chart) peakFrame(w, h vg.Length) (g peakFrame, ok bool) {
	g = peakFrame{x: axis{log: c.LogX}, y: axis{log: c.LogY}, w: w, h: h}
	g.x.lo, g.x.hi = c.extent(0)
	g.x.settle(c.Min[0], c.Max[0], true)
	// fitAmplitudes has given both limits of y unless there are no amplitudes
	if c.Min[1] == nil || c.Max[1] == nil || !(g.x.hi > g.x.lo) {
		return g, false
	}
	g.y.settle(c.Min[1], c.Max[1], false)
	return g, true
}

// placePeak returns a label of a peak at the first place where it is free: above the peak,
// beside it, and above it to either side; false where none is.
func (c *Chart) placePeak(g *peakFrame, p Peak, text string, others []peakLabel) (peakLabel, bool) {
	tip := vg.Point{X: g.w * vg.Length(g.x.at(p.Frequency)), Y: g.h * vg.Length(g.y.at(p.Amplitude))}
	l := peakLabel{text: text, wide: textWidth(text, noteSize)}
	for _, l.at = range []vg.Point{
		{X: tip.X - l.wide/2, Y: tip.Y + 2}, {X: tip.X + 3, Y: tip.Y - 2}, {X: tip.X - l.wide - 3, Y: tip.Y - 2},
		{X: tip.X - 2, Y: tip.Y + 2}, {X: tip.X - l.wide + 2, Y: tip.Y + 2},
	} {
		if c.freePeak(g, l, others) {
			return l, true
		}
	}
	return l, false
}

// freePeak reports whether a label is within the frame, overlaps no other label, and is above
// all lines.
func (c *Chart) freePeak(g *peakFrame, l peakLabel, others []peakLabel) bool {
	high := lineHeight(noteSize)
	if l.at.X < 1 || l.at.X+l.wide > g.w-1 || l.at.Y < 0 || l.at.Y+high > g.h {
		return false
	}
	// 3 points of gap beside each other, none above each other
	for _, o := range others {
		if l.at.X < o.at.X+o.wide+3 && o.at.X < l.at.X+l.wide+3 && l.at.Y < o.at.Y+high && o.at.Y < l.at.Y+high {
			return false
		}
	}
	return g.amplitude(l.at.Y) > c.highest(g.frequency(l.at.X-1), g.frequency(l.at.X+l.wide+1))
}

// amplitude returns the amplitude at a height in the frame, in the unit of the axis.
func (g *peakFrame) amplitude(up vg.Length) float64 { return g.y.value(float64(up / g.h)) }

// frequency returns the frequency at a distance from the left of the frame, Hz.
func (g *peakFrame) frequency(right vg.Length) float64 { return g.x.value(float64(right / g.w)) }

// highest returns the largest amplitude between two frequencies.
func (c *Chart) highest(from, to float64) float64 {
	top := 0.0
	for i := range c.Lines {
		// points of a spectrum rise in frequency: search the first, then walk
		points := c.Lines[i].Points
		k, _ := slices.BinarySearchFunc(points, from, func(p [2]float64, f float64) int { return cmp.Compare(p[0], f) })
		for ; k < len(points) && points[k][0] <= to; k++ {
			top = math.Max(top, points[k][1])
		}
	}
	return top
}

// hertz writes a frequency to four digits.
func hertz(f float64) string {
	// four digits, written without a power of ten where that is short
	s := strconv.FormatFloat(f, 'g', 4, 64)
	if x, err := strconv.ParseFloat(s, 64); err == nil && x >= 1e-3 && x < 1e6 {
		s = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return s + " Hz"
}
