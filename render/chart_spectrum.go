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

// Spectrum turns a chart of lines over time (s) into one of their amplitude
// spectra, whose peaks it keeps in the lines; it writes the frequency at the largest,
// at most the given number. The chart's kind of axes, limits, upright rules and
// notes are of frequencies (Hz) and amplitudes. An axis without a name gets one.
func (f *Figure) Spectrum(chart, peaks int) error {
	c := &f.Charts[chart]
	if err := c.spectra(peaks); err != nil {
		return err
	}
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
		l.Points = s.curve(c.LogY)
		l.Style.Mark = 0
		first = math.Min(first, s.Resolution)
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
	var points [][2]float64
	block := -1
	for k, f := range s.Frequency {
		b := int(f/s.Resolution + 0.5)
		switch {
		case !log || b != block:
			points = append(points, [2]float64{f, s.Amplitude[k]})
			block = b
		case s.Amplitude[k] > points[len(points)-1][1]:
			points[len(points)-1] = [2]float64{f, s.Amplitude[k]}
		}
	}
	return points
}

// Amplitude words the axis of an amplitude: "force (N)" becomes "amplitude of
// force (N)".
func Amplitude(label string) string {
	if label == "" || strings.HasPrefix(label, "value") {
		return "amplitude" + strings.TrimPrefix(label, "value")
	}
	return "amplitude of " + label
}

// spectrumDecades is the range of logarithmic axes of amplitudes below the largest.
const spectrumDecades = 5

// fitAmplitudes chooses limits of amplitudes that leave room for labels.
func (c *Chart) fitAmplitudes() {
	// the largest and the least positive amplitude in sight
	top, least := 0.0, math.Inf(1)
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
	if c.Min[1] == nil {
		c.Min[1] = &lo
	}
	if c.Max[1] == nil {
		c.Max[1] = &hi
	}
}

// labelPeaks writes the frequencies of the largest peaks of all lines above them
// where they cover neither each other nor a line, and leaves out those that would; w
// and h are about the size of the frame.
func (c *Chart) labelPeaks(most int, w, h vg.Length) {
	// the axes as they will be drawn
	var x axis
	x.log = c.LogX
	x.lo, x.hi = c.extent(0)
	x.settle(c.Min[0], c.Max[0], true)
	if c.Min[1] == nil || c.Max[1] == nil || !(x.hi > x.lo) {
		return
	}
	y := axis{log: c.LogY}
	y.settle(c.Min[1], c.Max[1], false)
	// at maps a frequency and an amplitude to a point of the frame; amplitude and frequency
	// are its inverses.
	at := func(f, a float64) vg.Point { return vg.Point{X: w * vg.Length(x.at(f)), Y: h * vg.Length(y.at(a))} }
	amplitude := func(up vg.Length) float64 { // of a height in the frame
		u := float64(up / h)
		if c.LogY {
			return y.lo * math.Pow(y.hi/y.lo, u)
		}
		return y.lo + u*(y.hi-y.lo)
	}
	frequency := func(right vg.Length) float64 {
		u := float64(right / w)
		if c.LogX {
			return x.lo * math.Pow(x.hi/x.lo, u)
		}
		return x.lo + u*(x.hi-x.lo)
	}

	// peaks of all lines, the largest first
	var all []Peak
	for i := range c.Lines {
		all = append(all, c.Lines[i].Peaks...)
	}
	slices.SortStableFunc(all, func(a, b Peak) int { return cmp.Compare(b.Amplitude, a.Amplitude) })
	// labels written so far
	var taken []vg.Point // lower left corners
	var widths []vg.Length
	var texts []string
	high := lineHeight(noteSize)
	// Lines may have peaks of the same frequency, which one label serves.
	for _, p := range all {
		if len(texts) == most {
			break
		}
		text := hertz(p.Frequency)
		if slices.Contains(texts, text) {
			continue
		}
		wide := textWidth(text, noteSize)
		tip := at(p.Frequency, p.Amplitude)
		// free reports whether a label with this lower left corner is within the frame, overlaps no
		// other label, and is above all lines.
		free := func(l vg.Point) bool {
			if l.X < 1 || l.X+wide > w-1 || l.Y < 0 || l.Y+high > h {
				return false
			}
			for k, o := range taken {
				if l.X < o.X+widths[k]+3 && o.X < l.X+wide+3 && l.Y < o.Y+high && o.Y < l.Y+high {
					return false
				}
			}
			return amplitude(l.Y) > c.highest(frequency(l.X-1), frequency(l.X+wide+1))
		}
		// above the peak, beside it, and above it to either side
		for _, l := range []vg.Point{
			{X: tip.X - wide/2, Y: tip.Y + 2}, {X: tip.X + 3, Y: tip.Y - 2}, {X: tip.X - wide - 3, Y: tip.Y - 2},
			{X: tip.X - 2, Y: tip.Y + 2}, {X: tip.X - wide + 2, Y: tip.Y + 2},
		} {
			if free(l) {
				c.Notes = append(c.Notes, Note{At: [2]float64{frequency(l.X + wide/2), amplitude(l.Y + high/2)}, Text: text, Align: "center"})
				taken, widths, texts = append(taken, l), append(widths, wide), append(texts, text)
				break
			}
		}
	}
}

// highest returns the largest amplitude between two frequencies.
func (c *Chart) highest(from, to float64) float64 {
	top := 0.0
	for i := range c.Lines {
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
	s := strconv.FormatFloat(f, 'g', 4, 64)
	if x, err := strconv.ParseFloat(s, 64); err == nil && x >= 1e-3 && x < 1e6 {
		s = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return s + " Hz"
}
