package sim

// Sums over the contacts i of a body, with force f_i on it at the point p_i, normal n_i and
// normal force N_i ≥ 0:
//
//	F = Σ f_i                        resultant
//	Σ N_i,  Σ |f_i − N_i n_i|        normal force, friction: sums of magnitudes
//	M_O = Σ (p_i − p_O) × f_i        moment about a point O of the body
//
// Forces are means over the step: impulses divided by h. A body's forces on itself cancel
// in the vector sums; their magnitudes count.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// ForceKind is the quantity that a ContactForce measures.
type ForceKind int

// What a ContactForce measures.
const (
	Resultant   ForceKind = iota // a component of the sum of all forces, in the world's axes
	NormalSum                    // the sum of the magnitudes of normal forces
	FrictionSum                  // the sum of the magnitudes of friction forces
	Moment                       // a component of the moment about a point
)

// ContactForce is the force that bodies exert on a body by contact, mean over the step.
type ContactForce struct {
	// On is the scene body on which the force acts.
	On int
	// From are the scene bodies that exert the force; empty: all.
	From []int
	// Kind is the measured quantity.
	Kind ForceKind
	// Of is the component of a Resultant or Moment.
	Of Component

	// About_B is the point about which a Moment is taken, in the frame of On; in the
	// world where On is deformable, m.
	About_B r3.Vec
	// InBodyAxes chooses the components of a Moment along the axes of On instead of the
	// world's.
	InBodyAxes bool
}

// Value implements Signal: N, of a Moment N m.
func (g ContactForce) Value(s *Stepper, x *State) float64 {
	var sum, about_W r3.Vec
	scalar := 0.0
	// where a moment is taken
	if g.Kind == Moment {
		about_W = g.About_B
		if !s.isDeformable(g.On) {
			about_W = s.kin.Pose(g.On).Point(g.About_B)
		}
	}
	// sums over the contacts of the body with the others
	contacts := s.contactsOf(x)
	for i := range contacts {
		c := &contacts[i]
		sign := g.sign(c)
		if math.IsNaN(sign) {
			continue
		}
		switch g.Kind {
		case Resultant:
			sum = sum.AddScaled(sign, c.Force_W)
		case Moment:
			sum = sum.AddScaled(sign, c.Pos_W.Sub(about_W).Cross(c.Force_W))
			sum = sum.AddScaled(sign, c.FrictionOffset_W.Cross(c.Force_W.AddScaled(-c.Normal, c.Normal_W)))
		case NormalSum:
			scalar += c.Normal
		case FrictionSum:
			scalar += c.Force_W.AddScaled(-c.Normal, c.Normal_W).Norm()
		}
	}
	// the component of a vector sum, or the scalar sum
	switch {
	case g.Kind == Moment && g.InBodyAxes:
		return g.Of.of(s.kin.Pose(g.On).R.TMulVec(sum))
	case g.Kind == Moment, g.Kind == Resultant:
		return g.Of.of(sum)
	}
	return scalar
}

// sign returns the factor of a contact's force: 1 where the body is B, −1 where it is A,
// 0 where it is both, so that the two forces cancel. It is NaN for contacts of others.
func (g *ContactForce) sign(c *ContactReport) float64 {
	sign, other := 1.0, c.A.Body
	if c.A.Body == g.On {
		sign, other = -1, c.B.Body
	} else if c.B.Body != g.On {
		return math.NaN()
	}
	switch {
	case !among(g.From, other):
		return math.NaN()
	case c.A.Body == c.B.Body:
		return 0
	}
	return sign
}

// ofContact implements contactSum.
func (g ContactForce) ofContact(c *ContactReport) float64 {
	sign := g.sign(c)
	switch {
	case math.IsNaN(sign):
		return 0
	case g.Kind == NormalSum:
		return c.Normal
	}
	return sign * g.Of.of(c.Force_W)
}

// sumsContacts implements contactSum: moments depend on where their point is, too.
func (g ContactForce) sumsContacts() bool {
	return g.Kind == NormalSum || g.Kind == Resultant && g.Of != Norm
}

// whyUnsmooth implements unsmooth. Friction of contacts that stick may be zero in any number of them.
func (g ContactForce) whyUnsmooth(*Model) string {
	if g.Kind == FrictionSum {
		return "a sum of magnitudes, whose derivative jumps where a friction force is zero: take its component x, y or z"
	}
	return ""
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "contact_force", Doc: "Force that bodies exert on a body by contact, mean over the step.",
	New: func() SignalSpec { return &ContactForceSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{
			&ContactForceSpec{Component: "normal", Body: "ball"},
			&ContactForceSpec{Component: "z", Body: "pad", From: []string{"box", "world"}},
			&ContactForceSpec{Component: "friction", Body: "box"},
		}
	},
})

// ContactForceSpec are the parameters of a ContactForce.
type ContactForceSpec struct {
	// Component of the resultant in the world's axes, or the sum of the magnitudes of
	// normal forces or of friction: x, y, z, norm, normal or friction.
	Component string `key:"contact_force,required" doc:"component of the resultant in the world's axes, or the sum of the magnitudes of normal forces or of friction" choice:"x,y,z,norm,normal,friction"`
	// Body on which the force acts.
	Body string `key:"body,required" doc:"body on which the force acts" ref:"body"`
	// Bodies that exert it. By default: all.
	From []string `key:"from" doc:"bodies that exert it" ref:"body" default:"all"`
	ofStep
}

// Unit implements SignalSpec.
func (*ContactForceSpec) Unit() string { return "N" }

// Make implements SignalSpec.
func (p *ContactForceSpec) Make(r *Resolver) (Signal, error) {
	body, err1 := r.Body(p.Body)
	from, err2 := r.Bodies(p.From)
	f := ContactForce{On: body, From: from}
	switch p.Component {
	case "normal":
		f.Kind = NormalSum
	case "friction":
		f.Kind = FrictionSum
	default:
		f.Of = components[p.Component]
	}
	return f, errors.Join(err1, err2)
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "contact_moment", Doc: "Moment of contact forces on a rigid body about a point of it, in the body's axes.",
	New: func() SignalSpec { return &ContactMomentSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&ContactMomentSpec{Component: "y", Body: "arm", Point: &r3.Vec{0.01, 0, 0}, From: []string{"ball"}}}
	},
})

// ContactMomentSpec are the parameters of a ContactForce of kind Moment.
type ContactMomentSpec struct {
	// Component of the moment: x, y, z or norm.
	Component string `key:"contact_moment,required" doc:"component of the moment" choice:"x,y,z,norm"`
	// Rigid body on which the forces act.
	Body string `key:"body,required" doc:"rigid body on which the forces act" ref:"body"`
	// Point about which the moment is taken, in the body's frame, m. By default: the
	// origin.
	Point *r3.Vec `key:"point" unit:"m" doc:"point about which the moment is taken, in the body's frame" default:"the origin"`
	// Bodies that exert the forces. By default: all.
	From []string `key:"from" doc:"bodies that exert the forces" ref:"body" default:"all"`
	ofStep
}

// Unit implements SignalSpec.
func (*ContactMomentSpec) Unit() string { return "N m" }

// Make implements SignalSpec.
func (p *ContactMomentSpec) Make(r *Resolver) (Signal, error) {
	body, err1 := r.RigidBody(p.Body)
	from, err2 := r.Bodies(p.From)
	f := ContactForce{On: body, From: from, Kind: Moment, Of: components[p.Component], InBodyAxes: body != geometry.World}
	if p.Point != nil {
		f.About_B = *p.Point
	}
	return f, errors.Join(err1, err2)
}
