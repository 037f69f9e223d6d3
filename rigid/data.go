package rigid

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Data is the working memory (kinematics cache) of one stepper of a Model: poses,
// velocities and inertias of the links at one state. Place computes them; every other
// method reads the results of the last Place. Vectors are in world axes, velocities at
// each link's origin.
type Data struct {
	m *Model
	// Hold keeps prescribed joints at their positions of the time of Place, at rest.
	Hold bool
	// limited reports that the last FreeMotion scaled velocities by (1) of energy_limit.go
	limited bool

	// h is the step, s.
	h float64
	// rule is that of Integrate.
	rule timestep.Step
	// damped is the working memory of the midpoint rule; nil before its first use.
	damped *dampedStep
	errors localErrors
	// inMiddle reports that these are links in the middle of a step, dampedStep.middle.
	inMiddle bool
	// q (nq) and v (nv) are the state of the last Place.
	q, v []float64

	// Kinematics.
	// x_WB is the pose of each link.
	x_WB []r3.Pose
	// velocities are those now.
	velocities
	// prescribedVel of each link: its velocity in this step due to prescribed joints alone, all v = 0.
	prescribedVel []spatial
	// prescribedAcc of each link: acceleration relative to its parent that its prescribed joint causes in this step.
	prescribedAcc []spatial
	// p_PB of each link: from its parent's origin to its own, m.
	p_PB []r3.Vec
	// p_MB of each link: from the origin of its joint's M to its own, m.
	p_MB []r3.Vec
	// subspace is the column of H of each dof, at its link's origin.
	subspace []spatial
	// predicted is the velocity of each link at the last PredictMotion.
	predicted []spatial

	// Dynamics.
	// bodyInertia is that of each link alone.
	bodyInertia []inertia
	// compositeInertia is that of each link with all it carries.
	compositeInertia []inertia
	// acc is the acceleration of each link at v̇ = 0.
	acc []spatial
	// force is that which each link with all links that it carries needs for this acceleration.
	force []spatial
	// node is that of each tree in the last problem.
	node []cliques.Node
	// balance of each tree, and drivetrain of each dof, are for the balance of energy.
	balance    []treeBalance
	drivetrain []drivetrain
	// reference and recent are R and K of LimitEnergy, nil for none.
	reference, recent []float64
	// expected are the efforts of ExpectEfforts, nil for none.
	expected []float64
	// driven are the trees of ExpectImpulses; nil before its first call.
	driven []bool

	// Midpoint iteration, of one tree at a time; see midpoint.go.
	// midpoint are the velocities halfway through the step.
	midpoint velocities
	// vMidpoint are the velocities of one joint there.
	vMidpoint []float64
	// stepQ are the positions of one joint at the end of a step.
	stepQ []float64
	// factor is the factorization of the tree's A.
	factor []float64
	// dv and ddv: v* − v0, and the last correction of it.
	dv, ddv []float64
	// momStart and dvStart: momentum gained and v* − v0 with the bias at v0; momOnce and
	// dvOnce: after one iteration.
	momStart, dvStart, momOnce, dvOnce []float64
	// momFixed: momentum gained without the bias.
	momFixed []float64
	// residual: change of the momentum gained.
	residual []float64
	// Of the last FreeMotion, for derivatives: w of each tree, 2 where its motion was limited, and v* − v0 of each dof
	// with the bias at v0, after one iteration and after two.
	secondLook []float64
	gains      [3][]float64
	// tangent: working memory of derivatives; nil before its first use.
	tangent *tangentScratch
	// step is working memory of the tangents of a step.
	step stepTangent
	// expanded: velocities and accelerations of all joints by those of leaders; nil without mimic joints.
	expanded [2][]float64
	// end: all links at the end of the step, of EndPoses; nil before its first call.
	end *Data
	// endOfStep: links of a tree with joints at the end of the step; nil if there is none.
	endOfStep *Data
}

// velocities are the motion of links at one time, world axes, at each link's origin.
type velocities struct {
	// vel is the velocity of each link.
	vel []spatial
	// rel is the velocity of each link relative to its parent's material.
	rel []spatial
	// bias: Ḣ v of each link's joint where it is a BiasedJoint, else unused.
	bias []spatial
}

// NewData returns working memory for one stepper.
func (m *Model) NewData() *Data {
	d := m.newData()
	for t, body := range m.singleBody {
		if body == World && m.treeStart[t+1]-m.treeStart[t] > 1 && d.endOfStep == nil {
			d.endOfStep = m.newData()
		}
	}
	if a := d.endOfStep; a != nil {
		for i, t := range m.tree {
			if t < 0 {
				a.place(i, 0, 0) // links that carry a tree and that no velocity moves, such as the base of an arm
			}
		}
	}
	return d
}

func (m *Model) newData() *Data {
	n, nv := len(m.links), len(m.dofs)
	// all spatial vectors in one allocation
	s := make([]spatial, 11*n+nv)
	widest := 0 // velocities of a tree
	for t := range m.Trees() {
		widest = max(widest, m.treeStart[t+1]-m.treeStart[t])
	}
	take := func(k int) []spatial {
		t := s[:k:k]
		s = s[k:]
		return t
	}
	d := &Data{
		m: m, rule: timestep.Euler(0), q: make([]float64, m.nq), v: make([]float64, nv), x_WB: make([]r3.Pose, n),
		velocities: velocities{vel: take(n), rel: take(n), bias: take(n)}, prescribedVel: take(n), prescribedAcc: take(n), acc: take(n), force: take(n), predicted: take(n), subspace: take(nv),
		midpoint: velocities{vel: take(n), rel: take(n), bias: take(n)}, vMidpoint: make([]float64, widest), stepQ: make([]float64, 2*widest+1), factor: make([]float64, widest*widest),
		dv: make([]float64, widest), ddv: make([]float64, widest), momFixed: make([]float64, widest), momStart: make([]float64, widest), dvStart: make([]float64, widest), momOnce: make([]float64, widest), dvOnce: make([]float64, widest), residual: make([]float64, widest),
		p_PB: make([]r3.Vec, n), p_MB: make([]r3.Vec, n), bodyInertia: make([]inertia, n), compositeInertia: make([]inertia, n), node: make([]cliques.Node, m.Trees()),
		balance: make([]treeBalance, m.Trees()), drivetrain: make([]drivetrain, nv), secondLook: make([]float64, m.Trees()), gains: [3][]float64{make([]float64, nv), make([]float64, nv), make([]float64, nv)},
	}
	if m.HasFollowers() {
		d.expanded = [2][]float64{make([]float64, nv), make([]float64, nv)}
	}
	// columns of floating joints, which stay unit vectors
	for i := range m.placing {
		if l := &m.placing[i]; l.kind == freeFloating {
			for j := range 3 {
				d.subspace[l.v0+j].w[j], d.subspace[l.v0+3+j].v[j] = 1, 1
			}
		}
	}
	return d
}

// Poses returns X_WB of every link; the slice is the data's own, valid until the next Place.
func (d *Data) Poses() []r3.Pose { return d.x_WB }

// Pose returns X_WB of a link.
func (d *Data) Pose(link int) r3.Pose { return d.x_WB[link] }

// Velocity returns a link's angular velocity (rad/s) and the velocity of its origin (m/s),
// world axes.
func (d *Data) Velocity(link int) (w, v r3.Vec) { return d.vel[link].w, d.vel[link].v }

// StepVelocity returns a link's angular velocity (rad/s) and the velocity of its origin
// (m/s), world axes: of the coming step for links that only prescribed joints move, and
// of the placed state for the others. The vectors are the data's own: read only, until
// the next Place.
func (d *Data) StepVelocity(link int) (w, v *r3.Vec) {
	V := &d.vel[link]
	if d.m.tree[link] < 0 {
		V = &d.prescribedVel[link]
	}
	return &V.w, &V.v
}

// PredictMotion computes the velocities that links have at the joint velocities v (nv) in
// their present poses; see PredictedVelocity.
func (d *Data) PredictMotion(v []float64) {
	for i := range d.m.placing {
		l, next := &d.m.placing[i], &d.predicted[i]
		// prescribed motion, plus that of the parent beyond its prescribed motion, plus H v
		*next = d.prescribedVel[i]
		if p := l.parent; p != World {
			var w r3.Vec
			w.SetSub(&d.predicted[p].w, &d.prescribedVel[p].w)
			next.w.IncScale(1, &w)
			next.v.IncScale(1, &d.predicted[p].v)
			next.v.IncScale(-1, &d.prescribedVel[p].v)
			next.v.IncCross(&w, &d.p_PB[i])
		}
		for j := range l.nv {
			next.incScale(v[l.v0+j], &d.subspace[l.v0+j])
		}
	}
}

// PredictedVelocity returns a link's angular velocity (rad/s) and the velocity of its
// origin (m/s), world axes, of the last PredictMotion. The vectors are the data's own: read
// only, until the next PredictMotion.
func (d *Data) PredictedVelocity(link int) (w, v *r3.Vec) {
	return &d.predicted[link].w, &d.predicted[link].v
}

// Dof returns the position (m or rad) and the velocity of a dof. The position is NaN for
// joints whose positions are a quaternion.
func (d *Data) Dof(dof int) (q, v float64) {
	i := d.m.dofs[dof]
	if nq, nv := d.m.links[i].Joint.Size(); nq != nv {
		return math.NaN(), d.v[dof]
	}
	return d.q[d.m.q0[i]+dof-d.m.v0[i]], d.v[dof]
}

// Integrate sets the rule and the memory (nv) of the coming step, for Place to Advance; without it the rule is that of
// Euler. The memory is read until Advance.
func (d *Data) Integrate(step timestep.Step) {
	d.rule = step
	if step.Midpoint {
		if d.damped == nil {
			d.damped = d.newDampedStep()
		}
		clear(d.damped.impact)
	}
}

// Advance takes a step of h (s) with the displacement velocities w (nv): it moves the positions q (nq) by them, and
// writes to v (nv) the velocities of the end, which under Euler are w but for SteppedJoints. It writes what the next
// step of the midpoint rule needs to next (nv), which may be the memory of this step; under Euler next is not used.
func (d *Data) Advance(h float64, w, q, v []float64, next timestep.Memory) {
	if d.rule.Midpoint {
		d.advanceDamped(h, w, q, v, next)
		return
	}
	d.displace(h, w, q, v)
}

// displace moves positions q (nq) by h of the displacement velocities w (nv); v are those of the end under Euler.
func (d *Data) displace(h float64, w, q, v []float64) {
	copy(v, w)
	if d.rule.Midpoint {
		d.toStart(v)
	}
	for i := range d.m.nv {
		d.m.advance(i, h, q, v)
	}
	d.m.Follow(q, v)
}

// EndPoses returns X_WB of every link at the end, at time t, of a step of h (s) that begins with the
// positions q (nq) and is taken with vNext, as Advance takes it.
// The slice is the data's own, valid until the next EndPoses.
func (d *Data) EndPoses(t, h float64, vNext, q []float64) []r3.Pose {
	if d.end == nil {
		d.end = d.m.newData()
	}
	e := d.end
	copy(e.q, q)
	d.displace(h, vNext, e.q, e.v)
	if d.rule.Midpoint {
		copy(e.v, d.EndVelocities(vNext))
	}
	if e.Hold = d.Hold; e.Hold {
		t -= h
	}
	for i := range e.m.placing {
		e.place(i, t, h)
	}
	return e.x_WB
}

// advance moves the positions of one link's joint by h of its velocities, and velocities of a SteppedJoint to the end
// of the step; q and v are those of the forest.
func (m *Model) advance(link int, h float64, q, v []float64) {
	if nv := m.nv[link]; nv > 0 {
		joint, q0, v0 := m.links[link].Joint, m.q0[link], m.v0[link]
		nq, _ := joint.Size()
		if s := m.placing[link].stepped; s != nil {
			_ = s.Step(h, q[q0:q0+nq], v[v0:v0+nv]) // errors are those of CheckStep
			return
		}
		joint.Advance(h, q[q0:q0+nq], v[v0:v0+nv])
	}
}
