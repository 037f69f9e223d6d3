package sim

// Live values are numbers that motions of a model read, and that change during a run. State.Operator has three of each,
// before all else: what is wanted, the value, and its rate. Motions read them where they stand, in immutable parts that
// steppers of a model share; so the values of the state at hand are set there, and steppers of a model with live values
// take turns.

import (
	"sync"

	"github.com/curlfree/curlfree/motion"
)

// liveValues are the live values of a model.
type liveValues struct {
	list []*motion.Live
	turn *sync.Mutex // held while a stepper steps with the values of its state; nil: there are none
}

// Numbers of a live value in State.Operator.
const (
	valueWanted = iota
	valueNow
	valueRate // per second
	valueNumbers
)

// size returns how many numbers of State.Operator they have.
func (v *liveValues) size() int { return len(v.list) * valueNumbers }

// set lets motions read the values of a state, which are those of time t (s).
func (v *liveValues) set(x *State, t float64) {
	for i, l := range v.list {
		at := x.Operator[i*valueNumbers:][:valueNumbers]
		l.Set(at[valueNow], at[valueRate], t)
	}
}

// LiveValues returns the live values of the model, in the order in which they were added.
func (m *Model) LiveValues() []*motion.Live { return m.live.list }

// takeTurn waits until no other stepper reads live values, and sets those of a state. It returns true where
// the caller must end the turn: not where there are no live values, or the stepper has the turn already.
func (s *Stepper) takeTurn(x *State) bool {
	live := &s.Model.live
	if live.turn == nil || s.hasTurn || len(x.Operator) < live.size() {
		return false
	}
	live.turn.Lock()
	s.hasTurn = true
	live.set(x, x.Time)
	return true
}

// endTurn lets other steppers of the model continue.
func (s *Stepper) endTurn() {
	s.hasTurn = false
	s.Model.live.turn.Unlock()
}
