package sim

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// NearestKind says what a Nearest measures.
type NearestKind int

// What a Nearest measures: the gap, negative in overlap; where the body's own
// point is; the speed at which the bodies slide on each other there and its world
// components; the speed at which they part.
const (
	Gap NearestKind = iota
	NearestPoint
	Slip
	SlipComponent
	SeparationVelocity
)

// Nearest is measured where a rigid body is nearest to others, also far from
// contact. Surfaces that run along their bodies count in slip.
type Nearest struct {
	Body int
	To   []int // rigid bodies, or geometry.World
	Kind NearestKind
	Of   Component // of NearestPoint and SlipComponent
}

// Value implements Signal, m or m/s; 0 when there is nothing within a kilometre.
func (g Nearest) Value(s *Stepper, x *State) float64 {
	c, ok := s.Geometry.Nearest(g.Body, g.To)
	if !ok {
		return 0
	}
	sign, own := 1.0, &c.B
	if c.A.Body == g.Body {
		sign, own = -1, &c.A
	}
	switch g.Kind {
	case Gap:
		return c.Phi
	case NearestPoint:
		return g.Of.of(own.Pos_W)
	}
	v := s.surfaceVelocity(&c, 1, x).Sub(s.surfaceVelocity(&c, 0, x)) // of B seen from A
	apart := v.Dot(c.Normal_W)
	slip := v.AddScaled(-apart, c.Normal_W).Scale(sign)
	switch g.Kind {
	case Slip:
		return slip.Norm()
	case SlipComponent:
		return g.Of.of(slip)
	}
	return apart
}

// surfaceVelocity returns the velocity of side A (0) or B (1) of a contact of
// rigid bodies, at its own point.
func (s *Stepper) surfaceVelocity(c *geometry.Contact, side int, x *State) r3.Vec {
	f := [2]*geometry.MaterialPoint{&c.A, &c.B}[side]
	X_WB := s.kin.Pose(f.Body)
	p := Point{Body: f.Body, Pos_B: X_WB.InvPoint(f.Pos_W)}
	v := p.vel(s, x)
	if pair, err := s.Model.ContactMaterials.Pair(c); err == nil {
		v = v.Add(X_WB.R.MulVec(pair.Sides[side].SurfaceVelocity_B))
	}
	return v
}
