package rigid

import (
	"errors"
	"slices"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// The damped midpoint rule of package timestep: what a step of it needs beside that of Euler. Single floating bodies
// are those of flight.go.

// dampedStep is the working memory of steps of the midpoint rule.
type dampedStep struct {
	// flights of each tree that is a single floating body.
	flights []flight
	// impact is θ_b of each tree, of SetImpact; 0 for none.
	impact []float64
	// middle has the links outside of flights at q_m; nil if there are none.
	middle *Data
	// bases of each tree with a floating base.
	bases []base
	// then are properties of the shape of one of them at the end, with the base at rest, and omega the angular velocity
	// of the base.
	then  central
	omega r3.Vec
	// mayFly reports the trees with joints that damped_flight.go is for, flies those that are in flight; lag is
	// δ r′ Δv₋ of each velocity, and free are displacement velocities of free motion. slowed reports those that take a
	// step with θ = 1 because of their energy.
	mayFly, flies, slowed []bool
	lag, free             []float64
	// limits of each tree with joints are those of damped_tree.go.
	limits []uint8
	// ahead is y − v0 of one tree with joints, and about are the displacement velocities about which all of them are
	// linear, of damped_prediction.go.
	ahead, about []float64
	// dv is Δv₋ of trees with joints, at q_m.
	dv []float64
	// fixed is the momentum of each velocity of a tree with joints without the bias and without efforts, and gravity
	// that of the last FreeMotion.
	fixed   []float64
	gravity r3.Vec
	// w, v and change of the step that ends, of all velocities: copies, since arguments may be the same slices.
	w, v, change []float64
	// half has all links in the middle of the step, of MidPoses.
	half []r3.Pose
	// sum and difference are scratch of damped_energy.go.
	sum, difference []float64
}

// newDampedStep returns the working memory of a stepper.
func (d *Data) newDampedStep() *dampedStep {
	m := d.m
	n, trees := len(m.dofs), m.Trees()
	s := &dampedStep{
		flights: make([]flight, trees), impact: make([]float64, trees), bases: make([]base, trees),
		mayFly: make([]bool, trees), flies: make([]bool, trees), slowed: make([]bool, trees),
		lag: make([]float64, n), free: make([]float64, n), fixed: make([]float64, n), dv: make([]float64, n),
		limits: make([]uint8, trees), about: make([]float64, n), ahead: make([]float64, n),
		sum: make([]float64, n), difference: make([]float64, n),
		w: make([]float64, n), v: make([]float64, n), change: make([]float64, n),
	}
	if len(m.articulatedLinks) > 0 {
		s.middle = m.newData()
		s.middle.inMiddle, s.middle.node = true, d.node
	}
	for t, link := range m.floatingBase {
		s.mayFly[t] = m.mayFly(t)
		if link != World {
			s.bases[t].A = make([]float64, 6*(m.treeStart[t+1]-m.treeStart[t]))
		}
	}
	return s
}

// mayFly reports whether a tree has joints and is one that damped_flight.go is for.
func (m *Model) mayFly(t int) bool {
	stiff := func(i int) bool { return m.links[i].Stiffness > 0 }
	return m.singleBody[t] == World && len(m.followers[t]) == 0 && !slices.ContainsFunc(m.linksOfTree[t], stiff)
}

// InFlight reports whether no impulse changed the motion of a tree in its last step under the midpoint rule, with the
// memory dv (nv) of it: the changes of the coming step then are in place of these, which have no effect.
func (m *Model) InFlight(t int, dv []float64) bool {
	switch first := m.treeStart[t]; {
	case m.singleBody[t] != World:
		return r3.Vec(dv[first:first+3]) == r3.Vec{}
	case !m.mayFly(t):
		return false
	default:
		return !slices.ContainsFunc(dv[first:m.treeStart[t+1]], isNotZero)
	}
}

// TangentFault returns an error where the step has no derivatives by hand, as under the midpoint rule: package sim
// takes differences there. FreeMotionTangent, AddPairWrench, AdvanceTangent, AdvanceJacobian and AdvanceAdjoint panic
// with it.
func (d *Data) TangentFault() error {
	if d.rule.Midpoint {
		return errors.New("rigid: steps of the midpoint rule have no derivatives by hand: take differences, or the rule of Euler")
	}
	return nil
}

// requireTangents panics where the step has no derivatives.
func (d *Data) requireTangents() {
	if err := d.TangentFault(); err != nil {
		panic(err)
	}
}

// SetImpact sets θ_b of a tree for the coming step, after Integrate and before FreeMotion: where it is above θ of the
// rule, the tree's velocities change by Δv = (w − v0)/θ_b without memory, and leave none, which takes the energy (θ_b −
// ½) |Δv|² in the norm of the mass matrix. Contacts that bodies meet within a step in which they would have come to
// rest ask for it, since the midpoint rule would let them rebound. Under Euler it has no effect.
func (d *Data) SetImpact(tree int, theta float64) {
	if d.damped != nil {
		d.damped.impact[tree] = theta
	}
}

// flightMotion writes A (6×6) of a tree that is a single floating body under the midpoint rule, and the momentum mom
// (6) that it gains.
func (d *Data) flightMotion(t, link int, gravity *r3.Vec, A, mom []float64) {
	f := d.startFlight(t, link, gravity)
	f.write(A, mom)
}

// MotionAt linearizes the step of a tree about displacement velocities w (n): it writes A (n×n) and the momentum (n)
// without efforts that it gains, as FreeMotion does about those of free motion, for problems that are solved again. For
// trees with joints only the bias changes, and the momentum. What the tree ends with, and rows of its points, follow
// the last call of either. It is false under Euler, and where nothing changes.
func (d *Data) MotionAt(t int, w, A, mom []float64) bool {
	link, first := d.m.singleBody[t], d.m.treeStart[t]
	switch {
	case !d.rule.Midpoint:
		return false
	case link == World:
		if !d.treeMomentumAt(t, w, mom) {
			return false
		}
		copy(d.damped.bases[t].p[:], mom)
		return true
	}
	f := &d.damped.flights[t]
	V := f.toWorld(w)
	f.aboutMotion(&V)
	f.write(A, mom)
	for k := range 6 {
		l := &d.drivetrain[first+k]
		A[7*k] += l.mass
		mom[k] += l.momentum
	}
	return true
}

// flightMomentumAt is MomentumAt under the midpoint rule: the momentum of the problem with the matrix of the last
// FreeMotion or MotionAt, of which w would be an exact solution.
func (d *Data) flightMomentumAt(t int, w, mom []float64) {
	f := &d.damped.flights[t]
	at, V := *f, f.toWorld(w)
	at.aboutMotion(&V)
	var p spatial
	start := spatial{f.w, f.v.Sub(f.w.Cross(f.r))}
	change := V.sub(start)
	f.A.apply(&change, &p)
	var now spatial
	at.A.apply(&change, &now)
	f.fromWorld(p.sub(now.sub(at.p)), mom)
	for k := range 6 {
		mom[k] += d.drivetrain[d.m.v0[f.link]+k].momentum
	}
}

// finish computes the velocities of the end of a step with the displacement velocities w (nv), and their changes in the
// form of the memory.
func (d *Data) finish(w []float64) (v, change []float64) {
	s := d.damped
	copy(s.w, w)
	d.m.FollowVelocities(s.w)
	for t, link := range d.m.singleBody {
		first, end := d.m.treeStart[t], d.m.treeStart[t+1]
		if link == World {
			d.endTree(t, s.w[first:end], s.v, s.change[first:end])
		} else {
			d.endFlight(t, s.w[first:end], s.v[first:end], s.change[first:end])
		}
	}
	return s.v, s.change
}

// endFlight writes the velocities v (6) of a single floating body at the end of a step, and its memory DV (6): the
// change of its angular velocity in its own axes, zero where no impulse changed its motion, and that of the velocity of
// its centre of mass.
func (d *Data) endFlight(t int, w, v, dv []float64) {
	f := &d.damped.flights[t]
	V := f.toWorld(w)
	v1, change, touched := f.end(&V)
	f.fromWorld(v1, v)
	turn := d.x_WB[f.link].R.TMulVec(change.w)
	switch {
	case !touched:
		turn = r3.Vec{}
	case turn == r3.Vec{}:
		turn[0] = leastMemory
	}
	copy(dv, turn[:])
	copy(dv[3:6], change.v[:])
}

// leastMemory marks a body that impulses changed whose angular velocity they did not change, or that forgets it.
const leastMemory = 1e-300

// advanceDamped is Advance under the midpoint rule.
func (d *Data) advanceDamped(h float64, w, q, v []float64, next timestep.Memory) {
	v1, change := d.finish(w)
	s := d.damped
	for t, link := range d.m.singleBody {
		first, end := d.m.treeStart[t], d.m.treeStart[t+1]
		switch {
		case s.impact[t] > d.rule.Theta, s.slowed[t]: // what follows is no part of the impact
			clear(change[first:end])
		case link == World && s.mayFly[t]:
			d.markFlight(t, s.w[first:end], change[first:end])
		}
	}
	for t, theta := range s.impact {
		if theta > d.rule.Theta {
			part := change[d.m.treeStart[t]:d.m.treeStart[t+1]]
			clear(part)
			part[0] = leastMemory
		}
	}
	copy(next.DV, change)
	d.toStart(s.w)
	for i := range d.m.nv {
		d.m.advance(i, h, q, s.w)
	}
	copy(next.W, s.w)
	copy(v, v1)
	d.m.Follow(q, v)
}

// EndVelocities returns the velocities (nv) at the end of the step that is taken with the displacement velocities w
// (nv): these themselves under Euler. The slice is w or the data's own, valid until the next call.
func (d *Data) EndVelocities(w []float64) []float64 {
	if !d.rule.Midpoint {
		return w
	}
	v, _ := d.finish(w)
	return v
}

// MidPoses returns X_WB of every link in the middle of the step under the midpoint rule, after FreeMotion, where rows
// are taken: single floating bodies half turned, with their centre of mass halfway, along the motion about which the
// last FreeMotion or MotionAt is linear, other links as MiddlePoint has them. Under Euler they are the placed poses.
// The slice is the data's own, valid until the next MidPoses.
func (d *Data) MidPoses() []r3.Pose {
	if !d.rule.Midpoint {
		return d.x_WB
	}
	s := d.damped
	s.half = s.half[:0]
	if s.middle != nil {
		s.half = append(s.half, s.middle.x_WB...)
	} else {
		s.half = append(s.half, d.x_WB...)
	}
	for link, X := range d.x_WB {
		f := d.flightOf(link)
		if f == nil {
			continue
		}
		half := r3.RotExp(f.u.Scale(0.5 * f.h))
		X.P = f.center.AddScaled(0.5*f.h, f.uc).Add(half.MulVec(X.P.Sub(f.center)))
		X.R = half.Mul(X.R)
		s.half[link] = X
	}
	return s.half
}

// MiddlePoint returns where the material point of a link that is at p_W (m) in the placed poses is in the middle of the
// step under the midpoint rule, where rows of points are taken: of single floating bodies the mean of its way. Under
// Euler it is p_W.
func (d *Data) MiddlePoint(link int, p_W r3.Vec) r3.Vec {
	switch f := d.flightOf(link); {
	case !d.rule.Midpoint:
		return p_W
	case f != nil:
		return f.J.MulVec(p_W.Sub(f.center)).Add(f.center).AddScaled(0.5*f.h, f.uc)
	}
	return d.damped.middle.x_WB[link].Point(d.x_WB[link].InvPoint(p_W))
}

// PlacedPoint is the inverse of MiddlePoint: rows of the point that it returns are those of p_W (m) in the middle of
// the step, such as a point of contact that was found in MidPoses, which two bodies share there.
func (d *Data) PlacedPoint(link int, p_W r3.Vec) r3.Vec {
	switch f := d.flightOf(link); {
	case !d.rule.Midpoint:
		return p_W
	case f != nil:
		inv, _ := f.J.Inv()
		return inv.MulVec(p_W.Sub(f.center).AddScaled(-0.5*f.h, f.uc)).Add(f.center)
	}
	return d.x_WB[link].Point(d.damped.middle.x_WB[link].InvPoint(p_W))
}

// flightOf returns the flight of the single floating body that a link belongs to under the midpoint rule, nil for other
// links.
func (d *Data) flightOf(link int) *flight {
	if t := d.m.tree[link]; d.rule.Midpoint && t >= 0 && d.m.singleBody[t] != World {
		return &d.damped.flights[t]
	}
	return nil
}

// rowsOf returns the links and the place of the point p_W (m) of a link with which its rows are taken: those of the
// middle of the step under the midpoint rule, but of a single floating body in its placed pose the point with the mean
// lever from M, (6) of flight.go.
func (d *Data) rowsOf(link int, p_W *r3.Vec) (at *Data, p r3.Vec) {
	switch f := d.flightOf(link); {
	case !d.rule.Midpoint:
		return d, *p_W
	case f != nil:
		return d, f.J.MulVec(p_W.Sub(f.p_WM)).Add(f.p_WM)
	}
	return d.damped.middle, d.MiddlePoint(link, *p_W)
}

// RollingPoint returns the point whose rows are those of p_W (m) with the lever arm that it has now, carried along with
// the origin of the link to the middle of the step: a point of contact that stays below a link that rolls. Under Euler
// it is p_W.
func (d *Data) RollingPoint(link int, p_W r3.Vec) r3.Vec {
	switch f := d.flightOf(link); {
	case !d.rule.Midpoint || d.m.tree[link] < 0:
		return p_W
	case f != nil:
		inv, _ := f.J.Inv()
		return inv.MulVec(p_W.Sub(f.p_WM)).Add(f.p_WM)
	}
	middle := p_W.Add(d.damped.middle.x_WB[link].P).Sub(d.x_WB[link].P)
	return d.x_WB[link].Point(d.damped.middle.x_WB[link].InvPoint(middle))
}
