package run

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// A run repeats a session of an operator: before the step of each input the state gets it. The state at the end must be
// that of the session, to the last bit.

// ErrReplay is returned when a run of recorded inputs does not end with the state of the session, or an input does not
// fit the scene.
var ErrReplay = errors.New("replay of inputs")

// Replay makes the run of a scene repeat a session. The run is as long as the session, where its end is known.
func Replay(sc *scene.Scene, in *record.Inputs) error {
	if h := sc.File.Time.Step; math.Abs(in.TimeStep/h-1) > timeRounding {
		return fmt.Errorf("%w: the session had steps of %g s, the scene has %g s: use the scene of the session", ErrReplay, in.TimeStep, h)
	}
	if in.MinStep > 0 {
		m := *sc.Model
		m.Control.MinStep = in.MinStep
		sc.Model = &m
	}
	if in.Steps > scene.MaxSteps {
		return fmt.Errorf("%w: the last line has %d steps: at most %.0e, as in scenes", ErrReplay, in.Steps, float64(scene.MaxSteps))
	}
	if in.Steps > 0 {
		sc.File.Time.Duration = float64(in.Steps) * sc.File.Time.Step
	}
	if sc.Fingerprint != "" { // that of an edited scene, which has none, would not have the edits
		sc.Fingerprint = in.Fingerprint(sc.Fingerprint)
	}
	return nil
}

// operate gives the state the inputs of its step.
func (j *job) operate() error {
	if j.opt.Inputs == nil {
		return nil
	}
	list := j.opt.Inputs.List
	first := sort.Search(len(list), func(i int) bool { return list[i].Step >= j.x.Step })
	for _, in := range list[first:] {
		if in.Step > j.x.Step {
			break
		}
		if err := j.stepper.Operate(j.x, in.OperatorInput); err != nil {
			return fmt.Errorf("%w: before step %d: %w", ErrReplay, in.Step+1, err)
		}
	}
	return nil
}

// checkReplay compares the state at the end with that of the session.
func (j *job) checkReplay() error {
	in := j.opt.Inputs
	if in == nil || in.Hash == "" || j.x.Step != in.Steps || j.x.Hash() == in.Hash {
		return nil
	}
	return fmt.Errorf("%w: after %d steps the state has other bits than that of the session: the scene, the program or the processor differs", ErrReplay, in.Steps)
}
