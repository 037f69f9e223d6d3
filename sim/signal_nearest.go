package sim

// At the two nearest points P on A and Q on B, with the normal n from A to B and the gap
// φ, negative in overlap, the relative velocity splits into
//
//	v = v_Q − v_P,  v_n = v·n (separation velocity),  v_t = v − v_n n (slip)
//
// v_P and v_Q are those of the surfaces: the velocity of the material point, and that of
// the surface along the body where the contact material has one (a conveyor belt).

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// NearestKind is the quantity that a Nearest measures.
type NearestKind int

// What a Nearest measures.
const (
	Gap                NearestKind = iota // distance, negative in overlap, m
	NearestPoint                          // a world coordinate of the body's own nearest point, m
	Slip                                  // tangential speed of the body relative to the other, m/s
	SlipComponent                         // a world component of that velocity, m/s
	SeparationVelocity                    // normal relative velocity, positive when the gap opens, m/s
)

// Nearest measures the gap and the relative velocity at the nearest points of a rigid
// body and others, in contact or not. Slip includes the surface velocities of contact
// materials.
type Nearest struct {
	// Body is a rigid body.
	Body int
	// To are the rigid bodies to which it is nearest; geometry.World is allowed.
	To []int
	// Kind is the measured quantity.
	Kind NearestKind
	// Of is the component of a value that is a vector: NearestPoint and SlipComponent.
	Of Component
}

// Value implements Signal: m or m/s, 0 when nothing is within a kilometre.
func (g Nearest) Value(s *Stepper, x *State) float64 {
	c, ok := s.Geometry.Nearest(g.Body, g.To)
	if !ok {
		return 0
	}
	// the side of the body: the normal points from A to B
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
	// relative velocity, split into its normal and tangential part
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

// surfaceVelocity returns the velocity of the surface on side A (0) or B (1) of a contact
// of rigid bodies, at that side's point, m/s.
func (s *Stepper) surfaceVelocity(c *geometry.Contact, side int, x *State) r3.Vec {
	f := [2]*geometry.MaterialPoint{&c.A, &c.B}[side]
	X_WB := s.kin.Pose(f.Body)
	p := Point{Body: f.Body, Pos_B: X_WB.InvPoint(f.Pos_W)}
	// the body's velocity there, and the surface velocity of the material (a belt's)
	v := p.vel(s, x)
	if pair, err := s.Model.ContactMaterials.Pair(c); err == nil {
		v = v.Add(X_WB.R.MulVec(pair.Sides[side].SurfaceVelocity_B))
	}
	return v
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "nearest", Doc: "Gap, place or relative velocity where a rigid body is nearest to others.",
	About: "The gap is negative in overlap. x, y and z are of the body's own nearest point. Slip is tangential, " +
		"normal_velocity positive when the bodies separate. The value is 0 where nothing is within a kilometre.",
	New: func() SignalSpec { return &NearestSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{
			&NearestSpec{Quantity: "gap", Body: "ball", From: []string{"box"}}, &NearestSpec{Quantity: "z", Body: "ball", From: []string{"box"}},
			&NearestSpec{Quantity: "slip", Body: "ball", From: []string{"arm", "box"}}, &NearestSpec{Quantity: "slip_x", Body: "ball", From: []string{"box"}},
			&NearestSpec{Quantity: "normal_velocity", Body: "ball", From: []string{"box"}},
		}
	},
})

// NearestSpec are the parameters of a Nearest.
type NearestSpec struct {
	// Quantity is the measured quantity: gap, x, y, z, slip, slip_x, slip_y, slip_z or
	// normal_velocity.
	Quantity string `key:"nearest,required" doc:"measured quantity" choice:"gap,x,y,z,slip,slip_x,slip_y,slip_z,normal_velocity"`
	// Rigid body.
	Body string `key:"body,required" doc:"rigid body" ref:"body"`
	// Rigid bodies to which it is nearest.
	From []string `key:"from,required" doc:"rigid bodies to which it is nearest" ref:"body"`
	ofState
}

// nearestQuantity is a quantity where bodies are nearest.
type nearestQuantity struct {
	kind NearestKind
	of   Component
	unit string
}

// nearestQuantities are the quantities by name.
var nearestQuantities = map[string]nearestQuantity{
	"gap": {Gap, X, "m"},
	"x":   {NearestPoint, X, "m"}, "y": {NearestPoint, Y, "m"}, "z": {NearestPoint, Z, "m"},
	"slip":   {Slip, X, "m/s"},
	"slip_x": {SlipComponent, X, "m/s"}, "slip_y": {SlipComponent, Y, "m/s"}, "slip_z": {SlipComponent, Z, "m/s"},
	"normal_velocity": {SeparationVelocity, X, "m/s"},
}

// Unit implements SignalSpec.
func (p *NearestSpec) Unit() string { return nearestQuantities[p.Quantity].unit }

// Make implements SignalSpec.
func (p *NearestSpec) Make(r *Resolver) (Signal, error) {
	// look up the numbers of the named bodies
	q := nearestQuantities[p.Quantity]
	n := Nearest{Kind: q.kind, Of: q.of}
	var err error
	if n.Body, err = r.RigidBody(p.Body); err != nil {
		return nil, err
	}
	for _, other := range p.From {
		i, err := r.RigidBody(other)
		if err != nil {
			return nil, err
		}
		n.To = append(n.To, i)
	}
	// without shapes there is no gap
	shaped := func(bodies ...int) bool {
		return slices.ContainsFunc(r.model.Geometry.Geoms, func(g geometry.Geom) bool { return slices.Contains(bodies, g.Body) })
	}
	if !shaped(n.Body) {
		return nil, fmt.Errorf("body: %s has no collision shape: name a body that has one", p.Body)
	}
	if !shaped(n.To...) {
		return nil, fmt.Errorf("from: %s: no collision shape there: name a body that has one", strings.Join(p.From, ", "))
	}
	return n, nil
}

// whyUnsmooth implements unsmooth.
func (g Nearest) whyUnsmooth(*Model) string {
	if g.Kind == Gap {
		return ""
	}
	return "of the nearest point, which jumps from one corner to the next: take its gap, or a position or velocity of a point of the body"
}
