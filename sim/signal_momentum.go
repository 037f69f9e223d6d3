package sim

// Centres of mass and momenta of a body or of all bodies i, of mass m, with centre of mass c,
// its velocity v and the angular momentum L_c about it:
//
//	c = Σ m_i c_i/Σ m_i,   p = Σ m_i v_i,   L_O = Σ (c_i − p_O) × m_i v_i + L_ci      (1)
//
// L_c is I ω for a rigid body; that of a deformable has its consistent mass matrix.

import (
	"errors"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// motionOf returns mass (kg), centre of mass (m), momentum (N s) and the angular momentum about
// the world's origin (N m s) of a scene body.
func (s *Stepper) motionOf(x *State, body int) (mass float64, c, p, L r3.Vec) {
	if s.isDeformable(body) {
		i := body - s.Model.Geometry.NumRigid
		d, v := s.deformables[i], s.velocitiesOf(x, i)
		return d.model.Mass(), d.CenterOfMass(), d.Momentum(v), d.AngularMomentum(r3.Vec{}, v)
	}
	link := s.rigid.model.Link(body)
	X := s.kin.Pose(body)
	w, v := s.rigid.Velocity(body)
	r := X.R.MulVec(link.Com_B)
	c, p = X.P.Add(r), v.Add(w.Cross(r)).Scale(link.Mass)
	return link.Mass, c, p, X.R.MulVec(link.Inertia_B.MulVec(X.R.TMulVec(w))).Add(c.Cross(p))
}

// sumMotion adds (1) over some bodies; without any over all that can move.
func (s *Stepper) sumMotion(x *State, bodies []int) (mass float64, mc, p, L r3.Vec) {
	for i := range s.Model.Geometry.NumRigid + len(s.deformables) {
		if !among(bodies, i) || len(bodies) == 0 && i < s.Model.Geometry.NumRigid && s.rigid.model.IsKinematic(i) {
			continue
		}
		m, c, pi, Li := s.motionOf(x, i)
		mass, mc, p, L = mass+m, mc.AddScaled(m, c), p.Add(pi), L.Add(Li)
	}
	return mass, mc, p, L
}

// CenterOfMass is a component of the centre of mass of a body or of all bodies that can move.
type CenterOfMass struct {
	// Bodies are scene bodies; empty: all that can move.
	Bodies []int
	// Of is the component, in the world's axes.
	Of Component
}

// Value implements Signal, m.
func (g CenterOfMass) Value(s *Stepper, x *State) float64 {
	mass, mc, _, _ := s.sumMotion(x, g.Bodies)
	return g.Of.of(mc.Scale(1 / mass))
}

// Momentum is the linear momentum of a body or of all bodies that can move.
type Momentum struct {
	// Of is the component, in the world's axes.
	Of Component
	// Bodies are scene bodies; empty: all that can move.
	Bodies []int
}

// Value implements Signal, N s.
func (g Momentum) Value(s *Stepper, x *State) float64 {
	if len(g.Bodies) == 0 {
		return g.Of.of(s.momentum(x))
	}
	_, _, p, _ := s.sumMotion(x, g.Bodies)
	return g.Of.of(p)
}

// AngularMomentum is the angular momentum of a body or of all bodies that can move.
type AngularMomentum struct {
	// Of is the component, in the world's axes.
	Of Component
	// Bodies are scene bodies; empty: all that can move.
	Bodies []int
	// About_W is the point about which it is taken, m; it does not move.
	About_W r3.Vec
	// AboutCenter takes it about the centre of mass.
	AboutCenter bool
}

// Value implements Signal, N m s.
func (g AngularMomentum) Value(s *Stepper, x *State) float64 {
	mass, mc, p, L := s.sumMotion(x, g.Bodies)
	about := g.About_W
	if g.AboutCenter {
		about = mc.Scale(1 / mass)
	}
	return g.Of.of(L.Sub(about.Cross(p)))
}

// bodyOrAll returns a scene body that has a mass; none for no name.
func (r *Resolver) bodyOrAll(name string) ([]int, error) {
	if name == "" {
		return nil, nil
	}
	body, err := r.Body(name)
	if err == nil && body == geometry.World {
		err = errors.New("the world has no mass")
	}
	return []int{body}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "center_of_mass", Doc: "Centre of mass of a body, or of all that can move.",
	New: func() SignalSpec { return &CenterOfMassSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&CenterOfMassSpec{Component: "z"}, &CenterOfMassSpec{Component: "x", Body: "pad"}, &CenterOfMassSpec{Component: "norm", Body: "arm"}}
	},
})

// CenterOfMassSpec are the parameters of a CenterOfMass.
type CenterOfMassSpec struct {
	// Component of the position, in the world's axes: x, y, z or norm.
	Component string `key:"center_of_mass,required" doc:"component of the position, in the world's axes" choice:"x,y,z,norm"`
	// Body, rigid or deformable. By default: all that can move.
	Body string `key:"body" doc:"rigid or deformable body" ref:"body" default:"all that can move"`
	ofState
}

// Unit implements SignalSpec.
func (*CenterOfMassSpec) Unit() string { return "m" }

// Make implements SignalSpec.
func (p *CenterOfMassSpec) Make(r *Resolver) (Signal, error) {
	bodies, err := r.bodyOrAll(p.Body)
	return CenterOfMass{Of: components[p.Component], Bodies: bodies}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "momentum", Doc: "Linear momentum of a body, or of all.",
	New: func() SignalSpec { return &MomentumSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&MomentumSpec{Component: "z"}, &MomentumSpec{Component: "x", Body: "pad"}}
	},
})

// MomentumSpec are the parameters of a Momentum.
type MomentumSpec struct {
	// Component of the momentum, in the world's axes: x, y, z or norm.
	Component string `key:"momentum,required" doc:"component of the momentum, in the world's axes" choice:"x,y,z,norm"`
	// Body, rigid or deformable. By default: all.
	Body string `key:"body" doc:"rigid or deformable body" ref:"body" default:"all"`
	ofState
}

// Unit implements SignalSpec.
func (*MomentumSpec) Unit() string { return "N s" }

// Make implements SignalSpec.
func (p *MomentumSpec) Make(r *Resolver) (Signal, error) {
	bodies, err := r.bodyOrAll(p.Body)
	return Momentum{Of: components[p.Component], Bodies: bodies}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "angular_momentum", Doc: "Angular momentum of a body, or of all that can move.",
	New: func() SignalSpec { return &AngularMomentumSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&AngularMomentumSpec{Component: "z"}, &AngularMomentumSpec{Component: "x", Body: "pad", Point: &r3.Vec{0, 0, 0.1}}}
	},
})

// AngularMomentumSpec are the parameters of an AngularMomentum.
type AngularMomentumSpec struct {
	// Component of the angular momentum, in the world's axes: x, y, z or norm.
	Component string `key:"angular_momentum,required" doc:"component of the angular momentum, in the world's axes" choice:"x,y,z,norm"`
	// Body, rigid or deformable. By default: all that can move.
	Body string `key:"body" doc:"rigid or deformable body" ref:"body" default:"all that can move"`
	// Point about which it is taken, in the world, m; nil: the centre of mass.
	Point *r3.Vec `key:"point" unit:"m" doc:"point about which it is taken, in the world" default:"the centre of mass"`
	ofState
}

// Unit implements SignalSpec.
func (*AngularMomentumSpec) Unit() string { return "N m s" }

// Make implements SignalSpec.
func (p *AngularMomentumSpec) Make(r *Resolver) (Signal, error) {
	bodies, err := r.bodyOrAll(p.Body)
	g := AngularMomentum{Of: components[p.Component], Bodies: bodies, AboutCenter: p.Point == nil}
	if p.Point != nil {
		g.About_W = *p.Point
	}
	return g, err
}
