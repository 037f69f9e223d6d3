package live

import (
	"slices"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// timeline is the past of a run: the inputs that led to the present state, and states to go back to. Going back forgets
// what came after, so that the inputs always are those of the present.
type timeline struct {
	// inputs ascend by their step.
	inputs []record.Input
	// saved ascend in time; the first is the start of the scene.
	saved    []savedState
	interval float64 // between saved states, s
	log      *inputLog
}

// savedState is a state to go back to, with the memory of signals. No input at its step has been given yet.
type savedState struct {
	state  *sim.State
	memory []float64
}

const (
	// saveInterval is the time between saved states, s, doubled whenever there are maxSaved.
	saveInterval = 1
	maxSaved     = 120
	// maxInputs bounds the inputs of a session, some days of work.
	maxInputs = 4_000_000
)

// save keeps a state unless the last one that was kept is younger than the interval.
func (t *timeline) save(x *sim.State, memory []float64) (kept bool) {
	// the slack absorbs rounding of times that are products of the step
	if n := len(t.saved); n > 0 && x.Time < t.saved[n-1].state.Time+t.interval-1e-9 {
		return false
	}
	if len(t.saved) == maxSaved {
		// every second state, from the start on
		for i := range maxSaved / 2 {
			t.saved[i] = t.saved[2*i]
		}
		// states that were dropped must not be kept from the garbage collector
		clear(t.saved[maxSaved/2:])
		t.saved = t.saved[:maxSaved/2]
		t.interval *= 2
	}
	// copies: the run continues in x and memory
	t.saved = append(t.saved, savedState{x.Clone(), slices.Clone(memory)})
	return true
}

// back returns the last saved state up to a time (s), the first for earlier times, and forgets what came after.
func (t *timeline) back(time float64) savedState {
	// the first state always stays
	n := 1
	for n < len(t.saved) && t.saved[n].state.Time <= time+1e-9 {
		n++
	}
	clear(t.saved[n:])
	t.saved = t.saved[:n]
	at := t.saved[n-1]
	// inputs at its step came after it was saved
	// the log forgets them, too
	k := len(t.inputs)
	for k > 0 && t.inputs[k-1].Step >= at.state.Step {
		k--
	}
	t.inputs = t.inputs[:k]
	t.log.rewind(k)
	return at
}

// times are those of the saved states, s.
func (t *timeline) times() []float64 {
	list := make([]float64, len(t.saved))
	for i := range t.saved {
		list[i] = t.saved[i].state.Time
	}
	return list
}

// add keeps an input. It replaces one at the same step that it makes void, so that a paused run does not collect them.
func (t *timeline) add(in record.Input) {
	// only the inputs of this step, which are the last ones
	for k := len(t.inputs) - 1; k >= 0 && t.inputs[k].Step == in.Step; k-- {
		old := &t.inputs[k]
		if !sameTarget(&old.OperatorInput, &in.OperatorInput) {
			continue
		}
		// a gripper that is not commanded stays as the earlier input commanded it
		if in.Teleop != nil && in.Teleop.Gripper == nil {
			merged := *in.Teleop
			merged.Gripper = old.Teleop.Gripper
			in.Teleop = &merged
		}
		*old = in
		return
	}
	t.inputs = append(t.inputs, in)
}

// sameTarget reports whether one input replaces the other.
func sameTarget(a, b *sim.OperatorInput) bool {
	switch {
	case a.Drag != nil && b.Drag != nil:
		return a.Drag.Slot == b.Drag.Slot
	case a.Set != nil && b.Set != nil:
		return a.Set.Name == b.Set.Name
	case a.Teleop != nil && b.Teleop != nil:
		return a.Teleop.Drive == b.Teleop.Drive
	}
	return false
}
