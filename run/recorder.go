package run

import (
	"math"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Recorder writes a run folder of steps that a caller takes, as programs do that decide between steps what comes next.
// The folder is that of a run but for its fingerprint, which is left out: what the caller did is no part of the scene,
// so that the folder cannot be resumed.
type Recorder struct{ j *job }

// Record begins a run folder at a state of a scene, with the present values of its signals. memory is that of the
// signals, which the recorder shares with the caller.
func Record(sc *scene.Scene, s *sim.Stepper, x *sim.State, memory []float64, opt Options) (*Recorder, error) {
	j := &job{sc: sc, opt: opt, stepper: s, x: x, memory: memory, started: time.Now(), steps: math.MaxInt, openEnd: true}
	if err := j.mayReplace(); err != nil {
		return nil, err
	}
	if err := j.create(); err != nil {
		return nil, err
	}
	return &Recorder{j}, nil
}

// Stepped records a step that the caller has taken, in wall seconds. failure is the error of the step, or nil: other
// errors than sim.ErrNotConverged say that the state is the one before it. The error is that of writing, or failure in
// the words of a run, where it ends one.
func (r *Recorder) Stepped(wall float64, failure error) error { return r.j.stepped(wall, failure) }

// Close ends the folder with the present state, and returns the summary that it also writes as run.json. failure is the
// error that ended the steps, or nil.
func (r *Recorder) Close(failure error) (*record.Summary, error) {
	if err := r.j.frameNow(); err != nil {
		return nil, err
	}
	s, err := r.j.finish(failure)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Discard leaves the folder as a run that was killed does.
func (r *Recorder) Discard() { r.j.folder.Close() }
