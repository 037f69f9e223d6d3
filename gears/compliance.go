package gears

import (
	"fmt"
	"math"
	"strings"
)

// Kinds of compliance.
const (
	// WeberBanaschek is deflection of teeth in series with Hertzian contact, all divided by C_M = 0.8 of ISO
	// 6336-1, by
	// which measured teeth are softer.
	WeberBanaschek = "weber_banaschek"
	// WeberBanaschekTheory is the same without C_M.
	WeberBanaschekTheory = "weber_banaschek_theory"
	// ISO6336 is linear: c' in the middle of the path of contact, less towards its ends by a parabola, so that
	// the mean
	// of all pairs is c_γα.
	ISO6336 = "iso6336"
)

// Compliances are the kinds, the default first.
func Compliances() []string { return []string{WeberBanaschek, WeberBanaschekTheory, ISO6336} }

// Compliance has the laws of a pair of gears at all places of their flanks.
type Compliance struct {
	pair *Pair
	kind string
	a, b flankTable
	// of ISO 6336: c' over cos β_b, Pa, its share lost at the ends, and the path of contact on the flank of A
	single, lost  float64
	begin, length float64
}

// tableNodes are places along a flank where deflections are computed.
const tableNodes = 64

// flankTable has the compliance and depth of a gear's teeth at equal steps of the path length.
type flankTable struct {
	first, step float64
	linear      [tableNodes]float64
	depth       [tableNodes]float64
}

// newFlankTable computes deflections along a flank.
func newFlankTable(g *Gear) (f flankTable) {
	t, d := g.Tooth(), newDeflector(g)
	f.first = t.SFoot
	f.step = (t.STip - t.SFoot) / (tableNodes - 1)
	for i := range tableNodes {
		s := f.first + f.step*float64(i)
		height := s * math.Sin(t.Alpha)
		if g.Form != Rack {
			height = t.radiusAt(s) - t.R
		}
		at := d.at(height)
		f.linear[i], f.depth[i] = at.Bend+at.Root, at.Depth
	}
	return f
}

// at returns compliance, m²/N, and depth, m, at a path length, by cubic interpolation.
func (f *flankTable) at(s float64) (linear, depth float64) {
	u := math.Min(math.Max((s-f.first)/f.step, 0), tableNodes-1)
	i := min(int(u), tableNodes-2)
	u -= float64(i)
	return cubic(&f.linear, i, u), cubic(&f.depth, i, u)
}

// cubic interpolates by Catmull and Rom, with parabolas at the ends.
func cubic(v *[tableNodes]float64, i int, u float64) float64 {
	slope := func(i int) float64 {
		switch i {
		case 0:
			return (-3*v[0] + 4*v[1] - v[2]) / 2
		case tableNodes - 1:
			return (3*v[i] - 4*v[i-1] + v[i-2]) / 2
		}
		return (v[i+1] - v[i-1]) / 2
	}
	d, m0, m1 := v[i+1]-v[i], slope(i), slope(i+1)
	return v[i] + u*(m0+u*(3*d-2*m0-m1+u*(m0+m1-2*d)))
}

// Compliance returns the compliance of that kind, "" the default.
func (p *Pair) Compliance(kind string) (*Compliance, error) {
	c := &Compliance{pair: p, kind: kind}
	switch kind {
	case "":
		c.kind = WeberBanaschek
		fallthrough
	case WeberBanaschek, WeberBanaschekTheory:
		c.a, c.b = newFlankTable(&p.A), newFlankTable(&p.B)
	case ISO6336:
		iso := p.ISO(math.Inf(1))
		c.single = iso.Single * 1e9 / math.Cos(p.A.BaseHelix())
		eps := math.Max(p.ContactRatio, 1)
		// The mean of 1 − λ (2u)² over the path is 1 − λ/3; ε times it is 0.75 ε + 0.25.
		c.lost = 0.75 * (1 - 1/eps)
		c.length = p.ContactRatio * p.BasePitch
		c.begin = p.ToothA.STip - c.length
	default:
		return nil, fmt.Errorf("gears: no compliance %q: give one of %s", kind, strings.Join(Compliances(), ", "))
	}
	return c, nil
}

// Kind returns the name of the compliance.
func (c *Compliance) Kind() string { return c.kind }

// At returns the law of two flanks at their path lengths, m.
func (c *Compliance) At(sA, sB float64) Law {
	if c.kind == ISO6336 {
		u := math.Min(math.Max((sA-c.begin)/c.length, 0), 1)*2 - 1
		return Law{K: 1 / (c.single * (1 - c.lost*u*u))}
	}
	p := c.pair
	qa, ha := c.a.at(sA)
	qb, hb := c.b.at(sB)
	h := p.HertzAt(sA, sB)
	l := Law{K: qa + qb, C: 1 / (math.Pi * h.Modulus)}
	body := func(m Material, depth float64) float64 {
		share := (1 - m.Nu*m.Nu) / (math.Pi * m.E)
		return share * (math.Log(math.Pi*h.Modulus*depth*depth/h.Radius) - m.Nu/(1-m.Nu))
	}
	l.K += body(p.A.Material, ha) + body(p.B.Material, hb)
	if c.kind == WeberBanaschek {
		l.K /= correction
		l.C /= correction
	}
	return l
}
