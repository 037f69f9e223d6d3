package gradient

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/sim"
)

// The states of a run are needed again, from the last to the first by the adjoint. Within the budget of memory all are
// kept. Above it every √N-th is, and the steps between two of them are taken again when they are needed: a rerun has
// the same bits, so that N further steps give all states of a run in the memory of 2 √N. Source: Griewank and Walther,
// 2008, section 12.2 (checkpointing of trajectories).

// defaultMemory is the budget without one of the caller, bytes.
const defaultMemory = 1 << 30

// trajectory is the states of a run.
type trajectory struct {
	s     *sim.Stepper
	h     float64
	steps int
	every int          // states that are kept: 0, every, 2 every, …
	kept  []*sim.State // those
	// states between two that are kept, the first of them included
	first   int
	segment []*sim.State
}

// newTrajectory returns the states of a run of the stepper's model, which is not taken yet.
func newTrajectory(s *sim.Stepper, h float64, steps int, memory int64) *trajectory {
	if memory <= 0 {
		memory = defaultMemory
	}
	// all states, or the two lists of √N whose sum is least
	t := &trajectory{s: s, h: h, steps: steps, every: 1, first: -1}
	if size := int64(steps+1) * stateSize(&s.Model.Start); size > memory {
		t.every = int(math.Ceil(math.Sqrt(float64(steps))))
	}
	return t
}

// stateSize returns about how many bytes a state takes.
func stateSize(x *sim.State) int64 {
	// positions, velocities, references of energy, which are fewer than velocities, and two vectors of the midpoint
	// rule
	return 8*int64(len(x.Q)+4*len(x.V)) + 200
}

// run takes all steps and returns the signals after each of them, those at the start first.
func (t *trajectory) run() (values [][]float64, err error) {
	// signals at the start belong to the run: a loss may read them
	x := t.s.Model.Start.Clone()
	for k := 0; ; k++ {
		if k%t.every == 0 {
			t.kept = append(t.kept, x.Clone())
		}
		t.s.Place(x, t.h)
		values = append(values, t.s.Read(x, nil))
		if k == t.steps {
			return values, nil
		}
		if err := t.step(x, k); err != nil {
			return nil, err
		}
	}
}

// step takes the step after k steps.
func (t *trajectory) step(x *sim.State, k int) error {
	// a step that stopped short of round-off is taken: the derivative compares it with its own
	if err := t.s.Step(x, t.h); err != nil && !errors.Is(err, sim.ErrNotConverged) {
		return err
	}
	// a product: sums of steps round
	x.Time = t.s.Model.Start.Time + float64(k+1)*t.h
	return nil
}

// state returns the state after k steps, valid until the next call but one.
func (t *trajectory) state(k int) (*sim.State, error) {
	// no copy: callers only read it
	if k%t.every == 0 {
		return t.kept[k/t.every], nil
	}
	// the states between two kept ones, once for all of them
	if first := k - k%t.every; t.first != first {
		t.first, t.segment = first, t.segment[:0]
		x := t.kept[first/t.every].Clone()
		// up to the next one that is kept
		for i := first; i < min(first+t.every-1, t.steps); i++ {
			t.segment = append(t.segment, x.Clone())
			if err := t.step(x, i); err != nil {
				return nil, err
			}
		}
		t.segment = append(t.segment, x)
	}
	return t.segment[k-t.first], nil
}
