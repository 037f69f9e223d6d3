package scene

// Where a shape can be, seen from a body that carries it, whatever the positions of
// the joints between them: a box that holds it at all of them. Bodies whose boxes, seen
// from the nearest body that carries both, are apart never meet.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// reachSlack is by how much of their size joints may miss their limits and shapes
// their place.
const reachSlack = 0.01

// canMeet reports whether two shapes of rigid bodies, or of the world, may come to
// touch. It does not know what else is in the way.
func (b *builder) canMeet(p, q *geometry.Geom) bool {
	carrier := b.carrier(p.Body, q.Body)
	x, ok1 := b.reach(p, carrier)
	y, ok2 := b.reach(q, carrier)
	return !ok1 || !ok2 || x.Overlaps(y)
}

// carrier returns the nearest body that carries both, or the world. Bodies carry
// those with higher numbers only.
func (b *builder) carrier(i, j int) int {
	for i != j {
		if i > j {
			i = b.model.Rigid.Parent(i)
		} else {
			j = b.model.Rigid.Parent(j)
		}
	}
	return i
}

// reach returns the box of a shape as the carrier sees it; false where there is no
// bound.
func (b *builder) reach(g *geometry.Geom, carrier int) (r3.Box, bool) {
	if _, endless := g.Shape.(geometry.HalfSpace); endless {
		return r3.Box{}, false
	}
	box := g.Shape.Bounds().Transform(g.X_BG)
	for link := g.Body; link != carrier; link = b.model.Rigid.Parent(link) {
		spec := b.model.Rigid.Link(link)
		box = box.Transform(spec.X_BM.Inv())
		lower, upper := b.limitsOf(link)
		switch j := spec.Joint.(type) {
		case rigid.Weld:
		case rigid.Revolute:
			box = turned(box, j.Axis)
		case rigid.Prismatic:
			if math.IsInf(upper-lower, 0) {
				return box, false
			}
			box = slid(box, j.Axis, lower, upper)
		case rigid.Screw:
			if math.IsInf(upper-lower, 0) {
				return box, false
			}
			lead := j.Pitch / (2 * math.Pi)
			box = slid(turned(box, j.Axis), j.Axis, lead*lower, lead*upper)
		default:
			return box, false
		}
		box = box.Transform(spec.X_PF)
	}
	d := box.Size()
	return box.Inflate(reachSlack * max(d[0], d[1], d[2])), true
}

// turned returns a box that holds another however that turns about an axis through
// the origin: that of the cylinder which it sweeps.
func turned(box r3.Box, axis r3.Vec) r3.Box {
	radius, lo, hi := 0.0, math.Inf(1), math.Inf(-1)
	for k := range 8 {
		p := box.Min
		for i := range p {
			if k>>i&1 == 1 {
				p[i] = box.Max[i]
			}
		}
		h := p.Dot(axis)
		lo, hi = math.Min(lo, h), math.Max(hi, h)
		radius = math.Max(radius, p.Sub(axis.Scale(h)).Norm())
	}
	out := r3.EmptyBox()
	for _, h := range []float64{lo, hi} {
		var r r3.Vec // half extents of the disc
		for i := range r {
			r[i] = radius * math.Sqrt(math.Max(0, 1-axis[i]*axis[i]))
		}
		c := axis.Scale(h)
		out = out.Extend(c.Sub(r)).Extend(c.Add(r))
	}
	return out
}

// slid returns a box that holds another from one way along an axis to another.
func slid(box r3.Box, axis r3.Vec, from, to float64) r3.Box {
	move := func(by float64) r3.Box {
		return r3.Box{Min: box.Min.AddScaled(by, axis), Max: box.Max.AddScaled(by, axis)}
	}
	return move(from).Union(move(to))
}

// limitsOf returns the limits of a joint with one velocity.
func (b *builder) limitsOf(link int) (lower, upper float64) {
	for _, l := range b.limits {
		if l.link == link {
			return l.lower, l.upper
		}
	}
	return math.Inf(-1), math.Inf(1)
}
