package sim

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/curlfree/curlfree/workers"
)

// Rollouts steps many states of one model at the same time, for sampling-based control, learning and
// statistics: each state by itself, with inputs of its own. The threads share out states, not the
// work of a step, so that small models use all cores. A state gets the same bits as from a Stepper
// alone, for any number of threads and any company. After the first steps of each thread Run
// allocates nothing.
type Rollouts struct {
	// Observe, if not nil, is called after each step of each state, on the thread that took it, with
	// the stepper whose Report and Problem are those of the step. It may write what belongs to this
	// state; signals are read by Stepper.Read. state is the index of the state, step
	// counts from 0 in each Run.
	Observe func(s *Stepper, x *State, state, step int)

	steppers []*Stepper // one for each thread
	pool     *workers.Pool
	errs     []error        // of each state
	seen     map[*State]int // number of each state
	job      rollout
}

// rollout is one call of Run.
type rollout struct {
	r      *Rollouts
	states []*State
	inputs [][]float64
	steps  int
	h      float64
}

// NewRollouts returns rollouts of a model. Drives are those whose feed forward Run gets as inputs, see
// Stepper.UseInputs. Close ends the threads.
func NewRollouts(m *Model, opt Options, drives ...string) (*Rollouts, error) {
	n := opt.Threads
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	r := &Rollouts{seen: map[*State]int{}}
	for range max(n, 1) {
		// NewStepper refuses numbers of threads out of range, so that one of them gets to see it
		one := Options{Threads: 1}
		if n < 0 || n > MaxThreads {
			one.Threads = n
		}
		s, err := NewStepper(m, one)
		if err == nil {
			err = s.UseInputs(drives...)
		}
		if err != nil {
			return nil, err
		}
		r.steppers = append(r.steppers, s)
	}
	r.pool = workers.NewPool(n)
	return r, nil
}

// Close ends the threads. The rollouts must not run afterwards.
func (r *Rollouts) Close() {
	if r.pool != nil {
		r.pool.Close()
		r.pool = nil
	}
}

// Run advances each of the states by a number of steps of h seconds, in place. inputs[i] holds the
// inputs of state i, step after step: Stepper.NumInputs numbers for each step (N or N m), and is nil for
// none. The error joins those of all states whose steps failed, with their indices; such a state
// stays before the failed step, and the others continue. Steps that did not converge are taken, as
// Stepper.Step does, and reported in the same way.
func (r *Rollouts) Run(states []*State, inputs [][]float64, steps int, h float64) error {
	want := steps * r.steppers[0].NumInputs()
	switch {
	case steps < 0:
		return fmt.Errorf("sim: rollouts of %d steps: the number must not be negative", steps)
	case want > 0 && len(inputs) != len(states):
		return fmt.Errorf("sim: rollouts: inputs for %d states, but there are %d states", len(inputs), len(states))
	}
	if want == 0 {
		inputs = nil
	}
	for i := range inputs {
		if len(inputs[i]) != want {
			return fmt.Errorf("sim: rollouts: state %d has %d inputs, want %d: %d for each of %d steps", i, len(inputs[i]), want, want/max(steps, 1), steps)
		}
	}
	// two threads would step it at a time
	clear(r.seen)
	for i, x := range states {
		if first, twice := r.seen[x]; twice {
			return fmt.Errorf("sim: rollouts: states %d and %d are the same: give each a State of its own, as of Clone", first, i)
		}
		r.seen[x] = i
	}
	// errors of each state have a slot of their own
	r.errs = slices.Grow(r.errs[:0], len(states))[:len(states)]
	clear(r.errs)
	r.job = rollout{r, states, inputs, steps, h}
	r.pool.Run(len(states), &r.job)
	r.job = rollout{}
	return errors.Join(r.errs...)
}

// Err returns the error of a state in the last Run, nil where its steps did not fail.
func (r *Rollouts) Err(state int) error { return r.errs[state] }

// Stepper returns the stepper of a thread, by which states are read between two calls of Run.
func (r *Rollouts) Stepper() *Stepper { return r.steppers[0] }

// InterruptIf is Stepper.InterruptIf for the steps of all states: those that are interrupted stay before their step.
func (r *Rollouts) InterruptIf(interrupted func() bool) {
	for _, s := range r.steppers {
		s.InterruptIf(interrupted)
	}
}

// Do implements workers.Task for one state.
func (j *rollout) Do(worker, i int) {
	s, x := j.r.steppers[worker], j.states[i]
	n := s.NumInputs()
	for k := range j.steps {
		if j.inputs != nil {
			s.SetInputs(j.inputs[i][k*n : (k+1)*n])
		}
		err := s.Step(x, j.h)
		if err != nil && j.r.errs[i] == nil {
			j.r.errs[i] = fmt.Errorf("state %d: %w", i, err)
		}
		if err != nil && !errors.Is(err, ErrNotConverged) {
			// an error that stops the state is worth more than one that does not
			j.r.errs[i] = fmt.Errorf("state %d: %w", i, err)
			return
		}
		if j.r.Observe != nil {
			j.r.Observe(s, x, i, k)
		}
	}
}
