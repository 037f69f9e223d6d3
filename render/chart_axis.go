package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Limits of an axis are those that the chart gives, or the extent of what it shows with 6 % of room. Ticks
// are at multiples of a round step: 1, 2, 2.5 or 5 times a power of ten on linear axes, decades or every
// few of them on logarithmic ones. As many are taken as have room for their labels: the number falls
// from the length over the size of a label until no two labels overlap.
//
// Whole numbers without a unit are counts, of contacts or iterations: their ticks are whole, and a constant one has
// room of 1 at least on both sides.
//
// Numbers with many digits leave out a power of a thousand, 10^{3e}, which stands before the unit in the
// title: a label l stands for the value l 10^{3e}. A logarithmic axis of less than a decade, on which
// powers of ten would be too few, is marked at 2 and 5 times each, or linearly.

// axis is one axis of a chart.
//
// A value v stands at the part u of the axis's length,
//
//	u = (v − lo)/(hi − lo),  or  u = log(v/lo)/log(hi/lo)  on a logarithmic axis.
type axis struct {
	// label is the title, "quantity (unit)"; may be empty.
	label string
	// log reports that the axis is logarithmic.
	log bool
	// lo and hi are the values at its ends, in its unit; both positive if log.
	lo, hi float64
	// ticks are in rising order of their values.
	ticks []axisTick
	// factor is a power of ten such as "10^{−6}" that labels leave out, or empty.
	factor string
	// counts reports that the axis shows whole numbers without a unit, such as contacts: so are its ticks.
	counts bool
}

// axisTick is a mark of an axis; without a label it is a small one.
type axisTick struct {
	// at is the value, in the unit of the axis.
	at float64
	// label is the number beside the tick, with ^{…} for powers.
	label string
}

// settle fixes the limits: those that the chart gives; for others the extent of the
// lines, and 6 % beyond unless the axis is tight. An extent of zero is widened.
func (a *axis) settle(lo, hi *float64, tight bool) {
	if a.log {
		a.settleLog(lo, hi)
		return
	}
	// an axis of nothing is from 0 to 1
	if !(a.hi >= a.lo) {
		a.lo, a.hi = 0, 1
	}
	// A constant gets a tenth of its value on both sides, a count 1 or more; other values 6 % of their extent.
	if a.hi-a.lo <= 1e-12*max(math.Abs(a.lo), math.Abs(a.hi)) {
		d := 0.1 * math.Abs(a.hi)
		if d == 0 || a.counts {
			d = max(1, math.Ceil(d))
		}
		a.lo, a.hi = a.lo-d, a.hi+d
		// no count is below 0: the line of zeros stands a little above the frame
		if a.counts && a.hi > 0 {
			a.lo = max(a.lo, -0.1*a.hi)
		}
	} else if !tight {
		pad := 0.06 * (a.hi - a.lo)
		a.lo, a.hi = a.lo-pad, a.hi+pad
	}
	// limits that were asked for replace these; an empty axis becomes 1 long
	a.given(lo, hi)
	if !(a.hi > a.lo) {
		a.lo, a.hi = a.lo-0.5, a.lo+0.5
	}
}

// given applies the limits of the chart.
func (a *axis) given(lo, hi *float64) {
	if lo != nil {
		a.lo = *lo
	}
	if hi != nil {
		a.hi = *hi
	}
}

// settleLog leaves room on a logarithmic axis, and has at least two decades
// marked where values spread at all.
func (a *axis) settleLog(lo, hi *float64) {
	// an axis of nothing has two decades
	if !(a.hi >= a.lo) {
		a.lo, a.hi = 1e-1, 1e1
	}
	if lo != nil && *lo > 0 {
		a.lo = *lo
	}
	if hi != nil && *hi > 0 {
		a.hi = max(*hi, a.lo)
	}
	// 6 % of the decades on both sides, or a twentieth of a decade at least
	spread := math.Log10(a.hi / a.lo)
	pad := math.Pow(10, max(0.06*spread, 0.05))
	l, h := a.lo/pad, a.hi*pad
	// fewer than two powers of ten in sight: go out to the next ones
	if n := math.Floor(math.Log10(h)+1e-9) - math.Ceil(math.Log10(l)-1e-9); n < 1 && spread > 0.3 || spread == 0 {
		l, h = math.Pow(10, math.Floor(math.Log10(l)+1e-9)), math.Pow(10, math.Ceil(math.Log10(h)-1e-9))
	}
	// limits that were asked for stay
	if lo == nil || *lo <= 0 {
		a.lo = l
	}
	if hi == nil || *hi <= 0 {
		a.hi = h
	}
	if !(a.hi > a.lo) {
		a.hi = 10 * a.lo
	}
}

// lengthen moves the upper or the lower limit outward by the given part of the axis.
func (a *axis) lengthen(by float64, up bool) {
	switch {
	// on a logarithmic axis a part of its decades, on a linear one a part of its length
	case a.log && up:
		a.hi *= math.Pow(a.hi/a.lo, by)
	case a.log:
		a.lo /= math.Pow(a.hi/a.lo, by)
	case up:
		a.hi += by * (a.hi - a.lo)
	default:
		a.lo -= by * (a.hi - a.lo)
	}
}

// at returns the place of a value, 0 at the start of the axis and 1 at its end.
func (a *axis) at(x float64) float64 {
	if a.log {
		return math.Log(x/a.lo) / math.Log(a.hi/a.lo)
	}
	return (x - a.lo) / (a.hi - a.lo)
}

// value returns the value at a place of the axis, the inverse of at.
func (a *axis) value(u float64) float64 {
	if a.log {
		return a.lo * math.Pow(a.hi/a.lo, u)
	}
	return a.lo + u*(a.hi-a.lo)
}

// mark chooses ticks for an axis of the given length: as many as have room for their
// labels, at least two.
func (a *axis) mark(length vg.Length, upright bool) {
	room := vg.Length(28) // of a label
	if upright {
		room = 20
	}
	// one tick fewer until the labels fit
	for n := max(2, int(length/room)); ; n-- {
		if a.log {
			a.markLog(n)
		} else {
			a.markLinear(n)
		}
		if n <= 2 || a.fits(length, upright) {
			return
		}
	}
}

// fits reports whether no two labels overlap.
func (a *axis) fits(length vg.Length, upright bool) bool {
	// end of the label before, and 4 points of gap
	end := vg.Length(math.Inf(-1))
	for _, t := range a.ticks {
		if t.label == "" {
			continue
		}
		// upright axes need the height of labels, level ones their width
		half := textWidth(t.label, tickSize) / 2
		if upright {
			half = tickSize / 2
		}
		x := vg.Length(a.at(t.at)) * length
		if x-half < end {
			return false
		}
		end = x + half + 4
	}
	return true
}

// markLinear chooses about n ticks at multiples of a round step. Where labels would be
// long, they leave out a power of a thousand, which goes to the title as a factor.
func (a *axis) markLinear(n int) {
	a.ticks, a.factor = nil, ""
	step := roundStep((a.hi - a.lo) / float64(n))
	if a.counts {
		// 2.5 contacts are none
		step = math.Ceil(step)
	}
	scale := 1.0
	// very large, very small, or many digits
	if top := max(math.Abs(a.lo), math.Abs(a.hi)); top >= 1e5 || top < 1e-2 || step < 1e-3 && top < 1 {
		// the largest multiple of three whose power is not above the largest value
		e := 3 * int(math.Floor(math.Log10(top)/3))
		if e != 0 {
			scale = math.Pow(10, float64(e))
			a.factor = "10^{" + signed(strconv.Itoa(e)) + "}"
		}
	}
	// multiples of the step within the limits, up to round-off
	digits := decimals(step / scale)
	for k := math.Ceil(a.lo/step - 1e-9); k*step <= a.hi+1e-9*step && len(a.ticks) < 100; k++ {
		a.ticks = append(a.ticks, axisTick{k * step, signed(strconv.FormatFloat(k*step/scale+0, 'f', digits, 64))})
	}
}

// markLog labels decades, or every few; within less than two, other round numbers
// too.
func (a *axis) markLog(n int) {
	a.ticks, a.factor = nil, ""
	// Decades within the limits. Labels are at every decade, or at every k-th from 10^0 on.
	first, last := int(math.Ceil(math.Log10(a.lo)-1e-9)), int(math.Floor(math.Log10(a.hi)+1e-9))
	every := max(1, (last-first)/n+min(1, (last-first)%n))
	few, labels := last-first < 1, 0
	// 1 to 9 times each decade: small ticks, unless they have a label
	for e := first - 1; e <= last; e++ {
		decade := math.Pow(10, float64(e))
		for m := 1; m < 10; m++ {
			x := decade * float64(m)
			if x < a.lo*(1-1e-9) || x > a.hi*(1+1e-9) {
				continue
			}
			label := ""
			switch {
			case m == 1 && (few || floorMod(e, every) == 0):
				label = power(e)
			case few && (m == 2 || m == 5):
				label = strconv.Itoa(m) + "×" + power(e)
			}
			if label != "" {
				labels++
			}
			if label != "" || m == 1 || every == 1 {
				a.ticks = append(a.ticks, axisTick{x, label})
			}
		}
	}
	// within less than a decade linear ticks show more
	if labels < 2 {
		a.markLinear(n)
	}
}

// floorMod returns a mod b in 0..b−1, also for negative a.
func floorMod(a, b int) int { return ((a % b) + b) % b }

// power writes a power of ten.
func power(e int) string { return fmt.Sprintf("10^{%s}", signed(strconv.Itoa(e))) }

// signed replaces the hyphen of a number by a minus sign, and drops that of zero.
func signed(number string) string {
	// round-off may leave −0 at the origin
	if strings.Trim(number, "-0.") == "" {
		number = strings.TrimPrefix(number, "-")
	}
	return strings.Replace(number, "-", "−", 1)
}
