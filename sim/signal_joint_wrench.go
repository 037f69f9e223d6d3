package sim

// The wrench that a joint transmits to the bodies beyond it, by the balance of their momenta over the step of h:
//
//	F = (Δp − I)/h − m g                                force
//	M = (ΔL − J)/h − Σ c_i × m_i g − P × F              moment about P
//
// with p and L the momentum and the angular momentum about the world's origin of all rigid bodies beyond the joint, I
// and J the impulse of contacts and constraints on them and its moment, c_i their centres of mass and P a point of the
// first of them, means over the step. Efforts of drives, springs and limits of the joint are part of the wrench, as of
// what a force-torque sensor at the joint measures. Components are along the axes of that body, of the middle of the
// step.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// JointWrench is a component of the wrench of the joint between a rigid body and its parent on the body.
type JointWrench struct {
	// Body is the rigid body beyond the joint.
	Body int
	// Pos_B is the point P about which moments are taken, in the body's frame, m.
	Pos_B r3.Vec
	// Moment measures the moment instead of the force.
	Moment bool
	// Of is the component, along the body's axes.
	Of Component

	beyond []int // the body and those that move with it, ascending
}

// Value implements Signal: N, of a moment N m.
func (g JointWrench) Value(s *Stepper, x *State) float64 {
	if !s.took(x) || len(s.startMotion.bodies) == 0 || len(s.bodyImpulses.sums) == 0 {
		return 0
	}
	F, M := g.wrench(s, x)
	axes := s.middleAxes(g.Body)
	if g.Moment {
		return g.Of.of(axes.TMulVec(M))
	}
	return g.Of.of(axes.TMulVec(F))
}

// wrench returns force and moment, in the world.
func (g *JointWrench) wrench(s *Stepper, x *State) (F, M r3.Vec) {
	h := x.Time - s.startMotion.time
	for _, i := range g.beyond {
		link := s.rigid.model.Link(i)
		start, end := s.startMotion.bodies[i], bodyMotion{pose: s.kin.Pose(i)}
		end.w, end.v = s.rigid.Velocity(i)
		c0, p0, L0 := start.momenta(&link)
		c1, p1, L1 := end.momenta(&link)
		sum := &s.bodyImpulses.sums[i]
		weight := s.Model.Gravity.Scale(link.WeightMass())
		F = F.Add(p1.Sub(p0).Sub(sum.force).Scale(1 / h)).Sub(weight)
		M = M.Add(L1.Sub(L0).Sub(sum.moment).Scale(1 / h)).Sub(c0.Lerp(c1, 0.5).Cross(weight))
	}
	f, m := g.contacts(s, x)
	F, M = F.Sub(f), M.Sub(m)
	f, m = g.fixed(s)
	F, M = F.Add(f), M.Add(m)
	P := s.startMotion.bodies[g.Body].pose.Point(g.Pos_B).Lerp(s.kin.Pose(g.Body).Point(g.Pos_B), 0.5)
	return F, M.Sub(P.Cross(F))
}

// contacts returns the sum of the contact forces on the bodies beyond the joint and of their moments about the origin.
func (g *JointWrench) contacts(s *Stepper, x *State) (F, M r3.Vec) {
	contacts := s.contactsOf(x)
	for i := range contacts {
		c := &contacts[i]
		_, a := slices.BinarySearch(g.beyond, c.A.Body)
		_, b := slices.BinarySearch(g.beyond, c.B.Body)
		if a == b {
			continue // of others, or among themselves
		}
		sign := 1.0
		if a {
			sign = -1
		}
		friction := c.Force_W.AddScaled(-c.Normal, c.Normal_W)
		F = F.AddScaled(sign, c.Force_W)
		M = M.AddScaled(sign, c.Pos_W.Cross(c.Force_W).Add(c.FrictionOffset_W.Cross(friction)))
	}
	return F, M
}

// fixed returns the sum of the forces of the bodies beyond the joint on vertices that they move as prescribed, which
// are no unknowns, and of their moments about the origin. Other attachments are constraints.
func (g *JointWrench) fixed(s *Stepper) (F, M r3.Vec) {
	for i := range s.Model.Attachments {
		a := &s.Model.Attachments[i]
		if _, found := slices.BinarySearch(g.beyond, a.Body); !found || a.Constraint >= 0 || s.reactions.time == 0 {
			continue
		}
		for _, v := range a.Verts {
			f := s.reaction(a.Deformable, v)
			F = F.Add(f)
			M = M.Add(s.kin.Vertex(s.Model.Geometry.NumRigid+a.Deformable, v).Cross(f))
		}
	}
	return F, M
}

// momenta returns the centre of mass (m), the momentum (N s) and the angular momentum about the origin (N m s).
func (b *bodyMotion) momenta(link *rigid.LinkSpec) (c, p, L r3.Vec) {
	r := b.pose.R.MulVec(link.Com_B)
	c, p = b.pose.P.Add(r), b.v.Add(b.w.Cross(r)).Scale(link.Mass)
	return c, p, b.pose.R.MulVec(link.Inertia_B.MulVec(b.pose.R.TMulVec(b.w))).Add(c.Cross(p))
}

// whyUnsmooth implements unsmooth.
func (JointWrench) whyUnsmooth(*Model) string {
	return "made of the momenta at both ends of the step, whose derivative is not computed: take a drive_effort or contact_force"
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "joint_wrench", Doc: "Force or moment that the joint of a rigid body transmits to it, mean over the step, in the body's axes.",
	About: "What a force-torque sensor between the body and its parent measures, with the weight and the inertia of all bodies beyond it. " +
		"The body may have any joint, a weld included, but has to have one. Joints of loops that a constraint closes count as forces on the bodies.",
	New: func() SignalSpec { return &JointWrenchSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&JointWrenchSpec{Component: "force_z", Body: "arm"}, &JointWrenchSpec{Component: "moment_norm", Body: "arm", Point: &r3.Vec{0, 0, 0.1}}}
	},
})

// JointWrenchSpec are the parameters of a JointWrench.
type JointWrenchSpec struct {
	// Component is force_x, force_y, force_z, force_norm, moment_x, moment_y, moment_z or moment_norm.
	Component string `key:"joint_wrench,required" doc:"component of the force or of the moment, in the body's axes" choice:"force_x,force_y,force_z,force_norm,moment_x,moment_y,moment_z,moment_norm"`
	// Body is a rigid body with a joint.
	Body string `key:"body,required" doc:"rigid body beyond the joint" ref:"body"`
	// Point about which moments are taken, in the body's frame, m. By default: the joint.
	Point *r3.Vec `key:"point" unit:"m" doc:"point about which moments are taken, in the body's frame" default:"the joint"`
	ofStep
}

// Unit implements SignalSpec.
func (p *JointWrenchSpec) Unit() string {
	if strings.HasPrefix(p.Component, "moment") {
		return "N m"
	}
	return "N"
}

// Make implements SignalSpec.
func (p *JointWrenchSpec) Make(r *Resolver) (Signal, error) {
	body, err := r.RigidBody(p.Body)
	if err != nil {
		return nil, err
	}
	if body == geometry.World {
		return nil, errors.New("the world has no joint: give a rigid body")
	}
	m := r.model.Rigid
	if _, free := m.Link(body).Joint.(rigid.Floating); free {
		return nil, fmt.Errorf("%s floats, no joint transmits a force to it: give a body with a joint, or measure its contact_force", p.Body)
	}
	kind, component, _ := strings.Cut(p.Component, "_")
	g := JointWrench{Body: body, Pos_B: m.Link(body).X_BM.P, Moment: kind == "moment", Of: components[component]}
	if p.Point != nil {
		g.Pos_B = *p.Point
	}
	for i := body; i < r.model.Geometry.NumRigid; i++ {
		at := i
		for at > body && at != rigid.World {
			at = m.Parent(at)
		}
		if at == body {
			g.beyond = append(g.beyond, i)
		}
	}
	r.model.StartMotions, r.model.BodyImpulses, r.model.Reactions = true, true, true
	return g, nil
}
