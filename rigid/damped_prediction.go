package rigid

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// What a step of the midpoint rule is linear about before it is solved. The bias of a tree and the rotation of a single
// floating body enter the step at its displacement velocity. Of a body in flight that is the free motion; impulses that
// act from step to step, as those of loops and drives, change it by O(h), which would leave the step with an error of
// O(h²) and the rule of first order. A body that impulses moved in the step before is predicted to change its velocity
// as in that step,
//
//	y = v0 + ½ min(1, h/h₋) Δv₋                                             (1)
//
// with an error of O(h²) where its motion is smooth. A single body whose rotation it would change by more than
// smoothChange was struck, and flies on. What (1) misses of an impulse that begins or ends is found by the solution,
// and MotionAt has it. Source: this program.

// smoothChange is the largest change of the rotation in a step, in place of that of flight, that is no impact, rad.
const smoothChange = 0.01

// prediction returns ½ min(1, h/h₋) of (1), 0 where there is no memory.
func (d *Data) prediction() float64 {
	switch rule := &d.rule; {
	case len(rule.DV) == 0:
		return 0
	case rule.Before > d.h:
		return 0.5 * d.h / rule.Before
	}
	return 0.5
}

// ExpectImpulses has the midpoint rule predict the motion of a tree by (1) that has springs or mimic joints, as of one
// on loops. The memory of other trees has whether impulses moved them.
func (d *Data) ExpectImpulses(tree int) {
	if d.driven == nil {
		d.driven = make([]bool, d.m.Trees())
	}
	d.driven[tree] = true
}

// predictTree returns y − v0 of a tree with joints at q_m (n), nil where the free motion is predicted.
func (d *Data) predictTree(t, n int) []float64 {
	if !d.rule.Midpoint {
		return nil
	}
	s, share := d.damped, d.prediction()
	first, end := d.m.treeStart[t], d.m.treeStart[t+1]
	if share == 0 || s.limits[t] == limitFree || s.slowed[t] || s.impact[t] > d.rule.Theta {
		return nil
	}
	switch {
	case s.mayFly[t]: // its memory has whether impulses moved it
		if !slices.ContainsFunc(d.rule.DV[first:end], isNotZero) {
			return nil
		}
	case d.driven == nil || !d.driven[t]:
		return nil
	}
	dv := s.ahead[:n]
	for k, x := range s.dv[first:end] {
		if x == leastMemory {
			x = 0
		}
		dv[k] = share * x
	}
	return dv
}

// predictFlight returns the displacement velocities u of the rotation and u_c of the centre of a single floating body
// by (1). It is false where flight is predicted.
func (d *Data) predictFlight(f *flight, first int) (u, uc r3.Vec, ok bool) {
	share := d.prediction()
	if share == 0 || f.theta != d.rule.Theta {
		return u, uc, false
	}
	last := d.rule.DV[first : first+6]
	turn := r3.Vec(last[:3])
	if turn == (r3.Vec{}) {
		return u, uc, false
	}
	if turn[0] == leastMemory {
		turn = r3.Vec{}
	}
	if share*turn.Norm()*f.h > smoothChange {
		return u, uc, false
	}
	return f.w.AddScaled(share, d.x_WB[f.link].R.MulVec(turn)), f.v.AddScaled(share, r3.Vec(last[3:])), true
}

// PredictedMotion writes the displacement velocities (nv) about which the step is linear after FreeMotion; under Euler
// nothing.
func (d *Data) PredictedMotion(w []float64) {
	if !d.rule.Midpoint {
		return
	}
	for t, link := range d.m.singleBody {
		first, end := d.m.treeStart[t], d.m.treeStart[t+1]
		if link == World {
			copy(w[first:end], d.damped.about[first:end])
			continue
		}
		f := &d.damped.flights[t]
		theta := f.u.Scale(f.h)
		f.fromWorld(spatial{f.u, f.uc.AddScaled(-1/f.h, turnBy(&theta, &f.r))}, w[first:end])
	}
}
