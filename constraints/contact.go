package constraints

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// ContactModel is a contact law (friction and normal force) that creates the convex
// potential of each contact. Lagged, Similar and SAP are models; ContactModels lists
// the registered ones.
type ContactModel interface {
	// Law returns the potential of one contact, overlapping or ahead of it, in the
	// velocity vc of B relative to A in the axes (t1, t2, n) of ContactFrame. Its
	// memory comes from cliques.New.
	Law(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) ContactLaw
	// Facts returns the facts of the model that callers depend on.
	Facts() ContactFacts
}

// ContactLaw is the potential of one contact in one step.
type ContactLaw interface {
	cliques.Law
	// Start reads the velocities from which lagged quantities follow. It is called once, before Prepare.
	Start(pair *Pair, at StartVelocities)
}

// StartVelocities are velocities of a contact (m/s) in its axes (t1, t2, n) that are known before the solve. Under
// Euler's rule both are that of the start of the step.
type StartVelocities struct {
	// Lagged is that of the last displacement, by which a lagged force has its damping.
	Lagged r3.Vec
	// Slip is that of the middle of the step, by which coefficients and tolerances of friction are chosen.
	Slip r3.Vec
}

// AppendContact adds a contact as one term of three equations to the problem.
func AppendContact(m ContactModel, c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) cliques.Handle {
	return AppendContactFrom(m, c, pair, k, p, nil)
}

// AppendContactFrom is AppendContact with the contact velocity at the start of the step (m/s) that the law reads; nil:
// that of the problem.
func AppendContactFrom(m ContactModel, c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem, start *r3.Vec) cliques.Handle {
	law := m.Law(c, pair, k, p)
	h := appendRows(c, pair, law, k, p)
	var at StartVelocities
	if start != nil {
		at.Lagged, at.Slip = *start, *start
	} else {
		p.LaggedVelocities(h, at.Lagged[:])
		if at.Slip = at.Lagged; p.Midpoint {
			p.SlipVelocities(h, at.Slip[:])
			at.Slip = limitSlip(at.Slip, at.Lagged)
		}
	}
	law.Start(pair, at)
	return h
}

// slipGrowth bounds the slip of the middle of a step, in units of that of the last displacement: a slip that grows
// uniformly from rest is in the middle of its second step three times what it was in that of the first.
const slipGrowth = 3

// limitSlip returns the velocity predicted for the middle of a step, scaled to a slip of at most slipGrowth times that
// of the last displacement. Velocities of what sticks alternate about those of its displacement, and predictions with
// them; without the bound they would take static friction from it.
func limitSlip(predicted, last r3.Vec) r3.Vec {
	most, slip := slipGrowth*math.Hypot(last[0], last[1]), math.Hypot(predicted[0], predicted[1])
	if most < slip {
		return predicted.Scale(most / slip)
	}
	return predicted
}

// speculative is a ContactModel whose contacts act on open gaps.
type speculative interface {
	// speculativeFactor returns the largest gap at which contacts may act in a step of h, in
	// units of the distance by which bodies approach in it, for pairs of the materials s.
	speculativeFactor(h float64, s *ContactMaterials) float64
}

// SpeculativeFactor returns the largest gap at which contacts may act in a step of h (s), in
// units of the distance by which bodies approach in it. It is 1 for laws that act on overlap
// at the end of the step, and larger for laws whose friction lifts sliding bodies, which
// otherwise would sink through the gap at which they glide.
func SpeculativeFactor(m ContactModel, s *ContactMaterials, h float64) float64 {
	if f, ok := m.(speculative); ok {
		return f.speculativeFactor(h, s)
	}
	return 1
}

// SurfaceMotion returns the largest distance (m) by which the surface velocities of two bodies
// (conveyor belts) slide their surfaces past each other in a step of h (s). For laws under
// which sliding lifts bodies it counts as approach of the bodies; for other laws it is 0.
func SurfaceMotion(m ContactModel, s *ContactMaterials, h float64) float64 {
	if m.Facts().SlidingLift == nil {
		return 0
	}
	return h * s.largestSurfaceMotion()
}

// DefaultContactModel is the name of the contact model of scenes that do not choose one.
const DefaultContactModel = "lagged"

// ContactModels are the registered kinds of contact laws.
var ContactModels = kinds.NewRegistry[ContactSpec]("contact law", "How friction and normal force of a contact depend on its velocity in a step.").In(kinds.Plain)

// ContactSpec creates a contact model from its parameters and a normal law, nil for
// HuntCrossley. The error names the normal laws that the model accepts.
type ContactSpec interface {
	Make(normal NormalModel) (ContactModel, error)
}

// Stiction are the parameters of friction that all contact laws share.
type Stiction struct {
	// StictionTolerance is the slip speed v_s below which friction sticks, m/s.
	StictionTolerance float64 `key:"stiction_tolerance" unit:"m/s" doc:"slip speed v_s below which friction sticks, up to creep of this order" above:"0"`
	// SlidingTolerance is ε_s, the largest slip speed below which friction is viscous: that of contacts
	// that slide, m/s; v_s where it is less.
	SlidingTolerance float64 `key:"sliding_tolerance" unit:"m/s" doc:"the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not" min:"0"`
	// StaticFriction lets the coefficient fall from static to dynamic with slip; else the
	// dynamic coefficient applies at rest, too.
	StaticFriction bool `key:"static_friction" doc:"friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one"`
}

// Regularization is the parameter of friction that is scaled by the contact's mobility.
type Regularization struct {
	// Sigma is σ, the regularization of friction over the Delassus diagonal of the contact.
	Sigma float64 `key:"sigma" doc:"regularization σ of friction: larger creeps faster, smaller conditions worse" above:"0"`
}

// defaultStiction returns the parameters of friction of scenes that give none.
func defaultStiction() Stiction {
	return Stiction{DefaultStictionTolerance, DefaultSlidingTolerance, true}
}

// ContactFrame returns R_WC of a contact: columns t1, t2, n, a deterministic
// function of the normal. Normal velocities > 0 separate.
func ContactFrame(c *geometry.Contact) (R_WC r3.Mat) {
	R_WC.SetBasis(&c.Normal_W)
	return R_WC
}

// ContactLoad writes, after the solve, the force (world axes, N) that a contact exerts on B at
// c.Pos_W, friction at c.FrictionOffset_W from it, its negative acting on A, and the tangential velocity (world axes,
// m/s) of B relative to A where friction acts, surface velocities included. It returns the normal force (N).
func ContactLoad(p *cliques.Problem, h cliques.Handle, c *geometry.Contact, force_W, slip_W *r3.Vec) (normal float64) {
	var R_WC r3.Mat
	R_WC.SetBasis(&c.Normal_W)
	g, vc := p.Impulse(h), p.Velocity(h)
	x, y, z := g[0]/p.H, g[1]/p.H, g[2]/p.H
	for i := range force_W {
		row := R_WC[3*i : 3*i+3 : 3*i+3]
		force_W[i] = x*row[0] + y*row[1] + z*row[2]
		slip_W[i] = vc[0]*row[0] + vc[1]*row[1]
	}
	return force_W.DotOf(&c.Normal_W)
}

// ContactBears reports whether the contact of a term has a normal impulse.
func ContactBears(p *cliques.Problem, h cliques.Handle) bool { return p.Impulse(h)[2] != 0 }

// ContactGap returns the gap of a contact after the step, m, as its law has it: φ + h v_n with the velocity v_n of the
// displacement, under either rule of integration.
func ContactGap(p *cliques.Problem, h cliques.Handle, c *geometry.Contact) float64 {
	return c.Phi + p.H*p.Velocity(h)[2]
}

// materialPoints are the two material points of a constraint.
type materialPoints [2]geometry.MaterialPoint

// appendRows opens a constraint with the rows
//
//	vc = R_WCᵀ (v_B − v_A) + b
//
// at the point c.Pos_W of both bodies, the tangential ones at c.FrictionOffset_W from it, so that their impulses cancel
// in force and moment. Surface velocities add to the tangential b.
func appendRows(c *geometry.Contact, pair *Pair, law cliques.Law, k Kinematics, p *cliques.Problem) cliques.Handle {
	h := p.AddConstraint(law)
	m := cliques.Scratch[rowScratch](p)
	m.R_WC.SetBasis(&c.Normal_W)
	for i := 1; i >= 0; i-- {
		side := [2]*geometry.MaterialPoint{&c.A, &c.B}[i]
		if side.Body == geometry.World {
			continue
		}
		if side.N == 0 {
			m.point.Body, m.point.Pos_W = side.Body, c.Pos_W
			side = &m.point
		}
		k.PointRows(p, side, &m.R_WC, &c.FrictionOffset_W, float64(2*i-1))
	}
	if u_W := surfaceVelocity(pair, k, c.A.Body, c.B.Body); u_W != (r3.Vec{}) {
		u_W.SetTMul(&m.R_WC, &u_W)
		p.AddBias(0, u_W[0])
		p.AddBias(1, u_W[1])
	}
	return h
}

// rowScratch is scratch for the rows of a contact.
type rowScratch struct {
	R_WC  r3.Mat
	point geometry.MaterialPoint // of a rigid side
}

// relativePointRow adds dir·(v(b) − v(a)) to a row.
func relativePointRow(k Kinematics, p *cliques.Problem, row int, a, b *geometry.MaterialPoint, dir_W r3.Vec) {
	if b.Body != geometry.World {
		k.PointRow(p, row, b, dir_W, 1)
	}
	if a.Body != geometry.World {
		k.PointRow(p, row, a, dir_W, -1)
	}
}
