package sim

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Loss of stability between states at rest. On a branch of stable states the forces F(x) under the loads at the end of a step fall along the
// path x(s) of the search, from F₀ at its start to none. Where the potential falls by more than
//
//	−ΔΠ = ∫ F·dx > snapFall ½ F₀·Δx,                                            (1)
//
// which forces in proportion to the way have for snapFall = 1 (of bodies that do not touch: friction has no potential), where they grow along a pseudo-step,
//
//	(F(x + d) − F(x))·d > 0,                                                    (2)
//
// where a state of balance is left because it is not stable, or where vertices move much farther than the bodies that are driven,
//
//	max |Δx| > snapAhead max |Δx_driven|,                                       (3)
//
// the search may have gone from one
// branch to another: parts buckle or snap through, the last under a body that presses, whose work hides (1). Or it took too long a pseudo-step, on a branch that is stable but soft. So the step of
// loads and motions is taken again in halves, from state to state: where both halves are stable, nothing was lost; else
// the half that is not is halved again. That gives the time, and with it the load, at which the branch ends, and how far the
// bodies move from there to the next state at rest. By (3) halves count as stable that have less than snapKeeps of the displacement of both: of a branch, however soft, each half
// has its part. Of pressures that follow their faces, which have no potential, none of this is asked. Source: this program.

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
	// Time is the first time known at which the stable states before it have ended, s; Within is the interval before it in which they end, s.
	Time, Within float64
	// Moved is the largest displacement of a vertex or of a joint in that interval, m or rad; 0: no state lost its stability.
	Moved float64
	// Where names the body that moved most.
	Where string
}

// followRest takes the step of h from start again in parts where the search for the state x at its end may have lost a branch of
// states, and keeps the loss in the report. x becomes the state at the end of these parts; where one has no state at rest it stays.
func (s *Stepper) followRest(start, x *State, h float64) error {
	e, end := &s.rest, start.Time+h
	byWay := !e.unstable // (3) alone
	keeps := func(from, to *State, of float64) bool {
		return byWay && s.snapBetween(from, to).Moved > snapKeeps*of
	}
	find := func(from *State, t float64) (*State, bool, error) {
		y := from.Clone()
		e.unstable = false
		err := s.findRestInParts(y, t-from.Time, 0)
		clear(y.V)
		y.Time = t
		return y, e.unstable, err
	}
	var snap RestSnap
	lo := start
	if start.Step == 0 { // which need not be at rest
		y, _, err := find(start, start.Time+startShare*h)
		switch {
		case errors.Is(err, ErrInterrupted):
			return err
		case err == nil && e.nudges > 0:
			snap = s.snapBetween(start, y)
			fallthrough
		case err == nil:
			lo = y
		}
	}
	for n := 0; ; n++ {
		// what was found last is always the state that is kept
		y, lost, err := x.Clone(), true, error(nil)
		y.Time = end
		if lo != start {
			y, lost, err = find(lo, end)
			lost = lost || err == nil && byWay && s.runsAhead(lo, y, end)
		}
		a, b, way := lo, y, s.snapBetween(lo, y)
		least := restMovedMost * s.extent(lo) // contacts that are detected anew move bodies by less
		for k := 0; k < snapHalvings && lost && err == nil; k++ {
			of := s.snapBetween(a, b).Moved
			if of < least {
				lost = false
				break
			}
			var mid *State
			if mid, lost, err = find(a, (a.Time+b.Time)/2); err != nil {
				break
			}
			if lost || keeps(a, mid, of) {
				b, lost = mid, true
				continue
			}
			if y, lost, err = find(mid, b.Time); err == nil {
				a, b, lost = mid, y, lost || keeps(mid, y, of)
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
			break
		}
		if lost {
			got := s.snapBetween(a, b)
			if got.Moved > snapLeast*got.Within/way.Within*way.Moved && got.Moved > snap.Moved {
				snap = got
			}
		}
		x.copyFrom(b)
		if lo = b; end-b.Time < restNear*h || n == snapsMost {
			break
		}
	}
	s.Report.Snap = snap
	return nil
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
