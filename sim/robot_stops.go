package sim

// Stops of joints that follow: limits of joints without a drive, and taut ropes. What ties leave free may rest on them,
// as the second joint of a finger that its spring presses against its limit. They are rows of (1) and (2) of
// robot_dependents.go as ties are, while they push: those whose force would pull are left out, the largest pull first.
// A stop of a motion that ties already give to the drives carries nothing: the drives do, as they carry what rests on
// limits of their own joints.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
)

const (
	// stopWithin is the distance (m or rad) at which joints are at their stops.
	stopWithin = 1e-5
	// freeShare is the share of a stop's row that must act on motions that ties leave free.
	freeShare = 1e-6
)

// stops are those that act in one step.
type stops struct {
	list []int     // of dependents.stops
	sign []float64 // of their forces
}

// findStops finds the stops at which followers are, and reads the rows again where there are any. The rows of ties are
// placed.
func (w *dependentMotion) findStops(s *Stepper, c *robotControl) {
	d := c.dependents
	u := &w.stops
	u.list, u.sign = u.list[:0], u.sign[:0]
	for i, stop := range d.stops {
		if sign := stop.AtStop(w.now, stopWithin); sign != 0 {
			u.list, u.sign = append(u.list, i), append(u.sign, sign)
		}
	}
	if len(u.list) == 0 {
		return
	}
	ties := w.ties
	w.readPlaced(s, c)
	for i := len(u.list) - 1; i >= 0; i-- {
		if !w.movesFreely(d, ties+i) {
			u.remove(i)
		}
	}
	w.readPlaced(s, c)
	w.decomposeLoops(d)
}

// movesFreely reports whether the motions that the decomposed ties leave free move a row.
func (w *dependentMotion) movesFreely(d *dependents, row int) bool {
	n := len(d.dofs)
	r := w.J[row*n+d.led : (row+1)*n]
	free, size := 0.0, dot(r, r)
	for j := range w.loops.n {
		if w.loops.isNull(j) {
			x := dot(w.loops.v(j), r)
			free += x * x
		}
	}
	return free > freeShare*freeShare*size
}

// remove takes a stop out.
func (u *stops) remove(i int) {
	u.list, u.sign = append(u.list[:i], u.list[i+1:]...), append(u.sign[:i], u.sign[i+1:]...)
}

// releaseStop leaves out the stop that pulls most with the efforts of the last ledEfforts, and reports whether there is
// one.
func (w *dependentMotion) releaseStop(s *Stepper, c *robotControl) bool {
	u, d := &w.stops, c.dependents
	if len(u.list) == 0 {
		return false
	}
	w.tieForces(d)
	first := w.ties - len(u.list)
	worst, least, largest := -1, 0.0, 0.0
	for i, f := range w.lambda[first:] {
		largest = max(largest, math.Abs(f))
		if f *= u.sign[i]; f < least {
			worst, least = i, f
		}
	}
	if worst < 0 || least >= -pullTol*largest {
		return false
	}
	u.remove(worst)
	w.readPlaced(s, c)
	w.decomposeLoops(d)
	w.placeBase(d)
	return true
}

// tieForces writes the forces λ of all ties and stops, with those that points of support and bases put on them.
func (w *dependentMotion) tieForces(d *dependents) {
	n, led := len(d.dofs), d.led
	x := w.scratch[:n-led]
	copy(x, w.needed[led:])
	onTies := w.offset[:w.ties]
	clear(onTies)
	if led > d.driven {
		for i, row := range w.acts {
			if row < w.ties {
				onTies[row] = w.lambdaC[i]
				continue
			}
			addScaled(x, -w.lambdaC[i], w.J[row*n+led:(row+1)*n])
		}
	}
	w.loops.forces(x, w.lambda)
	w.loops.takeOut(onTies)
	addScaled(w.lambda, 1, onTies)
}

// joinByStops adds to the trees of a controller those that ropes and limits of sums of joints join to them, of links
// that it includes. It reports whether there are any.
func (p *tieProbe) joinByStops(c *robotControl, member []bool) (more bool) {
	m := p.m.Rigid
	for _, dofs := range p.stopDofs {
		touches, known := false, true
		for _, dof := range dofs {
			touches, known = touches || member[m.TreeOfDof(dof)], known && c.known[m.LinkOfDof(dof)]
		}
		for _, dof := range dofs {
			if t := m.TreeOfDof(dof); touches && known && !member[t] {
				member[t], more = true, true
			}
		}
	}
	return more
}

// stopsOf returns the stops that support joints which the controller includes and does not drive, in the trees of its
// dependents, whether any of them acts on several velocities, and whether any is a rope, whose row changes with the
// motion.
func (p *tieProbe) stopsOf(c *robotControl, member []bool, others []int) (list []constraints.Stop, join, ropes bool) {
	m := p.m.Rigid
	free := make([]bool, m.NumV()) // velocities that stops may take up
	for _, dof := range others {
		leader, _, _ := m.Leader(dof)
		free[dof] = leader == dof && c.known[m.LinkOfDof(dof)]
	}
	for i, stop := range p.stops {
		bears, own := false, true
		for _, dof := range p.stopDofs[i] {
			bears, own = bears || free[dof], own && member[m.TreeOfDof(dof)]
		}
		if bears && own {
			held, ok := stop.(constraints.Described)
			rope := ok && len(held.Describe().Points) > 0
			list, join, ropes = append(list, stop), join || len(p.stopDofs[i]) > 1, ropes || rope
		}
	}
	return list, join, ropes
}
