package sim

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Loss of stability between states at rest. On a branch of stable states the forces F(x) under the loads at the end of
// a step fall along the path x(s) of the search, from F₀ at its start to none. Where the potential falls by more than
//
//	−ΔΠ = ∫ F·dx > snapFall ½ F₀·Δx,                                            (1)
//
// which forces in proportion to the way have for snapFall = 1 (of bodies that do not touch: friction has no potential),
// where they grow along a pseudo-step,
//
//	(F(x + d) − F(x))·d > 0,                                                    (2)
//
// where a state of balance is left because it is not stable, or where vertices move much farther than the bodies that
// are driven,
//
//	max |Δx| > snapAhead max |Δx_driven|,                                       (3)
//
// the search may have gone from one
// branch to another: parts buckle or snap through, the last under a body that presses, whose work hides (1). Or it took
// too long a pseudo-step, on a branch that is stable but soft. So the step of loads and motions is taken again in
// halves, from state to state: where both halves are stable, nothing was lost; else the half that is not is halved
// again. That gives the time, and with it the load, at which the branch ends, and how far the bodies move from there to
// the next state at rest. By (3) halves count as stable that have less than snapKeeps of the displacement of both: of a
// branch, however soft, each half has its part. Of pressures that follow their faces, which have no potential, none of
// this is asked. Source: this program.

const (
	snapHalvings = 7 // of a step, for the time at which stability is lost
	snapLeast    = 4 // displacement over the last part, relative to what it had if that of the step grew in proportion
	snapsMost    = 4 // of a step
	snapFall     = 1.2
	startShare   = 1e-6  // of a step, within which loads are those of its start
	snapAhead    = 2     // (3)
	snapKeeps    = 0.75  // share of a displacement in the half of a step that has the snap
	snapGrown    = 0.05  // (2) relative to the fall of the potential, from which it counts
	restNear     = 1e-12 // of a step, by which its end is reached
)

// RestSnap is a loss of stability between two states at rest: bodies buckle or snap through.
type RestSnap struct {
	// Time is the first time known at which the stable states before it have ended, s; Within is the interval before it
	// in which they end, s.
	Time, Within float64
	// Moved is the largest displacement of a vertex or of a joint in that interval, m or rad; 0: no state lost its
	// stability.
	Moved float64
	// Where names the body that moved most.
	Where string
}

// restPath is a step that is taken again in parts.
type restPath struct {
	s     *Stepper
	start *State
	h     float64 // the step, s
	end   float64 // its time, s
	byWay bool    // the search over the whole step left no branch by (1) or (2): only (3) can hold
	snap  RestSnap
}

// restPart is a part of a path, between two states at rest.
type restPart struct {
	from, to *State
	lost     bool // a branch of stable states ends in it
}

// followRest takes the step of h from start again in parts where the search for the state x at its end may have lost a
// branch of states, and keeps the loss in the report. x becomes the state at the end of these parts; where one has no
// state at rest it stays.
func (s *Stepper) followRest(start, x *State, h float64) error {
	p := &restPath{s: s, start: start, h: h, end: start.Time + h, byWay: !s.rest.unstable}
	from, err := p.first()
	for n := 0; err == nil; n++ {
		var part restPart
		if part, err = p.next(from, x); err != nil {
			break
		}
		x.copyFrom(part.to)
		if from = part.to; p.end-from.Time < restNear*h || n == snapsMost {
			break
		}
	}
	if errors.Is(err, ErrInterrupted) {
		return err
	}
	if err != nil { // as it was found at first
		x.copyFrom(start)
		if err := s.findRestInParts(x, h, 0); err != nil {
			return err
		}
	}
	s.Report.Snap = p.snap
	return nil
}

// first returns the state at rest from which parts are taken. The start of a run need not be at rest: then it is one
// under the loads there.
func (p *restPath) first() (*State, error) {
	if p.start.Step != 0 {
		return p.start, nil
	}
	y, _, err := p.find(p.start, p.start.Time+startShare*p.h)
	switch {
	case errors.Is(err, ErrInterrupted):
		return nil, err
	case err != nil:
		return p.start, nil
	case p.s.rest.nudges > 0:
		p.snap = p.s.snapBetween(p.start, y)
	}
	return y, nil
}

// find returns the state at rest at the time t after the state from, and whether the search for it left a branch.
func (p *restPath) find(from *State, t float64) (*State, bool, error) {
	e, y := &p.s.rest, from.Clone()
	e.unstable = false
	err := p.s.findRestInParts(y, t-from.Time, 0)
	clear(y.V)
	y.Time = t
	return y, e.unstable, err
}

// next returns the part from a state to the first loss of stability after it, which it keeps, or to the end of the
// step, where x is the state that was found from its start. What is found last is always the state at the end of the
// part.
func (p *restPath) next(from, x *State) (part restPart, err error) {
	part = restPart{from, x.Clone(), true}
	part.to.Time = p.end
	if from != p.start {
		if part.to, part.lost, err = p.find(from, p.end); err != nil {
			return part, err
		}
		part.lost = part.lost || p.byWay && p.s.runsAhead(from, part.to, p.end)
	}
	way := p.s.snapBetween(from, part.to)
	least := restMovedMost * p.s.extent(from) // contacts that are detected again move bodies by less
	for k := 0; k < snapHalvings && part.lost; k++ {
		if part, err = p.halve(part, least); err != nil {
			return part, err
		}
	}
	if part.lost {
		got := p.s.snapBetween(part.from, part.to)
		if got.Moved > snapLeast*got.Within/way.Within*way.Moved && got.Moved > p.snap.Moved {
			p.snap = got
		}
	}
	return part, nil
}

// halve returns the half of a part in which a branch is lost. Where that is neither, or the part moves bodies by less
// than least (m or rad), nothing was lost.
func (p *restPath) halve(part restPart, least float64) (restPart, error) {
	of := p.s.snapBetween(part.from, part.to).Moved
	if of < least {
		part.lost = false
		return part, nil
	}
	mid, lost, err := p.find(part.from, (part.from.Time+part.to.Time)/2)
	if err != nil || lost || p.keeps(part.from, mid, of) {
		return restPart{part.from, mid, true}, err
	}
	y, lost, err := p.find(mid, part.to.Time)
	return restPart{mid, y, lost || err == nil && p.keeps(mid, y, of)}, err
}

// keeps reports whether the half between two states has most of a displacement, where only (3) can hold.
func (p *restPath) keeps(from, to *State, of float64) bool {
	return p.byWay && p.s.snapBetween(from, to).Moved > snapKeeps*of
}

// runsAhead reports (3) of deformables from the state a to b, which is that of the time t, s.
func (s *Stepper) runsAhead(a, b *State, t float64) bool {
	if !s.hasMotions() || len(s.deformables) == 0 || s.hasFollowers() {
		return false
	}
	moved, driven := 0.0, 0.0
	nq, _ := s.rigid.Size()
	for i := nq; i < len(a.Q); i++ {
		moved = math.Max(moved, math.Abs(b.Q[i]-a.Q[i]))
	}
	s.Place(a, RestStep)
	from := append([]r3.Pose(nil), s.Geometry.X_WB...)
	end := *b
	end.Time = t
	s.Place(&end, RestStep)
	for i, to := range s.Geometry.X_WB {
		if s.Geometry.IsKinematic(i) {
			turned := math.Sqrt(to.R.Sub(from[i].R).Norm2() / 2)
			driven = math.Max(driven, to.P.Sub(from[i].P).Norm()+turned*s.rigid.radius[i])
		}
	}
	return moved > snapAhead*driven
}

// snapBetween returns the displacement from the state a to b.
func (s *Stepper) snapBetween(a, b *State) RestSnap {
	snap := RestSnap{Time: b.Time, Within: b.Time - a.Time}
	at := 0
	for k, sub := range s.subsystems {
		n, _ := sub.Size()
		for i := at; i < at+n; i++ {
			if d := math.Abs(b.Q[i] - a.Q[i]); d > snap.Moved {
				snap.Moved, snap.Where = d, s.ownerOfPosition(k, i-at)
			}
		}
		at += n
	}
	return snap
}

// restFall is the fall of the potential along a search.
type restFall struct {
	first []float64 // F₀, N or N m
	way   []float64 // Δx, m or rad
	sum   float64   // −ΔΠ, J
	grown float64   // largest (2), J
}

// begin takes F₀.
func (f *restFall) begin(force []float64) {
	f.first, f.way, f.sum, f.grown = append(f.first[:0], force...), append(f.way[:0], force...), 0, 0
	clear(f.way)
}

// add takes the fall of the potential along the displacement d, with F·d before it and F after it.
func (f *restFall) add(fall, before float64, after, d []float64) {
	f.sum += fall
	f.grown = math.Max(f.grown, dotOf(after, d)-before)
	for i, x := range d {
		f.way[i] += x
	}
}

// steep reports (1), which holds without friction.
func (f *restFall) steep() bool { return f.sum > snapFall*0.5*math.Abs(dotOf(f.first, f.way)) }

// grows reports (2).
func (f *restFall) grows() bool { return f.grown > snapGrown*f.sum }

// largestDifference returns max |a_i − b_i|.
func largestDifference(a, b []float64) (most float64) {
	for i, x := range a {
		most = math.Max(most, math.Abs(x-b[i]))
	}
	return most
}
