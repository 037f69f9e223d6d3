package check

// The reach of a shape, in the frame of a body that carries it, is a box that contains
// the shape at all positions of the joints between them. Bodies whose boxes, seen from
// the nearest body that carries both, are apart never meet.
//
// A box that turns about an axis a through the origin sweeps a cylinder about that axis,
// from the least to the greatest height a·p of its corners p and with the radius
// r = max |p − (a·p) a|. Its end discs have the half extents
//
//	r √(1 − a_i²) along axis i                                            (1)
//
// A box that slides sweeps the box of its ends. A screw does both: in its limits it
// travels by the pitch over 2π times its angle. A free body has no bounds.
//
// Boxes contain what they have to, and more: a pair that is taken to meet may not, which costs a
// warning too many, never one that is missing.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// reachSlack enlarges a box by this share of its size: joints violate their limits a
// little.
const reachSlack = 0.01

// canMeet reports whether two shapes of rigid bodies, or of the world, may come to
// touch, other bodies aside.
func (c *checker) canMeet(p, q *geometry.Geom) bool {
	carrier := c.carrier(p.Body, q.Body)
	x, ok1 := c.reach(p, carrier)
	y, ok2 := c.reach(q, carrier)
	return !ok1 || !ok2 || x.Overlaps(y)
}

// carrier returns the nearest body that carries both, or the world. Bodies carry
// those with higher numbers only.
func (c *checker) carrier(i, j int) int {
	for i != j {
		if i > j {
			i = c.Model.Rigid.Parent(i)
		} else {
			j = c.Model.Rigid.Parent(j)
		}
	}
	return i
}

// reach returns the box of a shape in the carrier's frame; false where it is not
// bounded.
func (c *checker) reach(g *geometry.Geom, carrier int) (r3.Box, bool) {
	if _, endless := g.Shape.(geometry.HalfSpace); endless {
		return r3.Box{}, false
	}
	// Go from the body up to the carrier, and enlarge the box by the motion of each joint.
	box := g.Shape.Bounds().Transform(g.X_BG)
	for link := g.Body; link != carrier; link = c.Model.Rigid.Parent(link) {
		spec := c.Model.Rigid.Link(link)
		box = box.Transform(spec.X_BM.Inv())
		lower, upper := c.limitsOf(link)
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
		default: // free, or moved by a drive
			return box, false
		}
		box = box.Transform(spec.X_PF)
	}
	d := box.Size()
	return box.Inflate(reachSlack * max(d[0], d[1], d[2])), true
}

// turned returns the bounds of the cylinder that a box sweeps when it turns about an
// axis, of unit length, through the origin.
func turned(box r3.Box, axis r3.Vec) r3.Box {
	// the cylinder about the axis that contains the corners
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
	// the box that contains both of its end discs
	out := r3.EmptyBox()
	for _, h := range []float64{lo, hi} {
		var r r3.Vec // half extents of the disc
		for i := range r {
			r[i] = radius * math.Sqrt(math.Max(0, 1-axis[i]*axis[i])) // (1)
		}
		c := axis.Scale(h)
		out = out.Extend(c.Sub(r)).Extend(c.Add(r))
	}
	return out
}

// slid returns the bounds of a box that moves along an axis from one displacement to
// another, m.
func slid(box r3.Box, axis r3.Vec, from, to float64) r3.Box {
	move := func(by float64) r3.Box {
		return r3.Box{Min: box.Min.AddScaled(by, axis), Max: box.Max.AddScaled(by, axis)}
	}
	return move(from).Union(move(to))
}

// limitsOf returns the limits of a joint with one velocity, rad or m; infinite ones
// where it has none.
func (c *checker) limitsOf(link int) (lower, upper float64) {
	dof := c.Model.Rigid.VStart(link)
	for _, k := range c.Model.Constraints {
		if l, ok := k.(*constraints.Limit); ok && l.Dof == dof {
			return l.Lower, l.Upper
		}
	}
	return math.Inf(-1), math.Inf(1)
}
