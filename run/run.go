// Package run simulates a scene and writes the results to a run folder: it steps
// the model and records states, contacts and signals.
//
// Each step of a run is
//
//	step        sim.Stepper.Step advances the state by the time step
//	tables      a row of steps.csv and of signals.csv (output.table_rate)
//	recording   a frame of the recording (output.rate)
//	checkpoint  the state and the memory of signals (output.checkpoint, or every 30 s)
//
// At the end, run.json has a summary with the results of the scene's expectations. A
// run that was interrupted or killed continues from its checkpoint and ends with the
// same bits as one that was not.
package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Options are the settings of a run.
type Options struct {
	// Dir is the run folder; it is created if it does not exist.
	Dir string

	// Threads is the number of threads that a step uses; 0: as many as there are cores.
	// The results do not depend on it.
	Threads int

	// Resume continues from the checkpoint in the folder. Without a checkpoint the run
	// starts at the beginning. A scene without Fingerprint, as one that a program has edited without
	// naming its edits (scene.Draft), cannot be resumed.
	Resume bool

	// Inputs are what an operator did, which the run repeats, see Replay; nil: nothing.
	Inputs *record.Inputs

	// Force replaces files in the folder that this program did not write. Without it they
	// are an error, before anything is written.
	Force bool

	// Version is the version of the program, for run.json.
	Version string

	// Progress is called after every step with the time reached and the duration, s.
	// nil: not called.
	Progress func(simulated, duration float64)

	// Rest is called within states at rest, which may take long. nil: not called.
	Rest func(sim.RestProgress)
}

// ErrSolver is returned when a step fails: it did not converge, or its result is not
// finite. The summary is returned with it, and the folder has the steps before.
var ErrSolver = errors.New("solver failure")

// ErrInterrupted is returned when the context ends the run. The folder has the steps
// that were taken and a checkpoint to continue from.
var ErrInterrupted = errors.New("interrupted")

// ErrResume is returned when the checkpoint in the folder belongs to another scene or
// is damaged.
var ErrResume = errors.New("cannot resume")

// job is the state of a run.
type job struct {
	sc      *scene.Scene
	opt     Options
	stepper *sim.Stepper
	x       *sim.State
	folder  *record.Folder
	steps   int       // number of steps of the whole run
	openEnd bool      // a caller decides how many
	spent   float64   // wall-clock time before the run was resumed, s
	started time.Time // when this part of the run started

	frame      record.Frame
	frameCount int         // number of frames that are due up to the present time
	memory     []float64   // memory of signals from step to step
	lag        frictionLag // friction deficit of the run so far
	gains      energyGains // energy gained in the run so far
	defects    termDefects // of the terms of steps
	supports   unseenSupports
	inverted   invertedElements
	stretch    stretchLimit
	lengths    stepLengths
	deepest    deepestPenetration
	kernels    []string  // of the parts of the run, see record.Resumed
	row        []float64 // scratch: a row of steps.csv
	values     []float64 // scratch: a row of signals.csv
}

// Run simulates a scene to its end and returns the summary that it also writes as
// run.json. It returns ErrInterrupted when ctx is done, ErrResume and ErrSolver as
// described there, and errors of writing the folder.
func Run(ctx context.Context, sc *scene.Scene, opt Options) (*record.Summary, error) {
	if opt.Threads == 0 {
		opt.Threads = runtime.NumCPU()
	}
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	defer stepper.Close()
	j := &job{sc: sc, opt: opt, stepper: stepper, started: time.Now()}
	j.steps = numSteps(sc.File.Time)
	if err := j.open(); err != nil {
		return nil, err
	}
	err = j.loop(ctx)
	switch {
	case errors.Is(err, ErrInterrupted):
		// save the steps that were taken, for Resume
		if cerr := j.checkpoint(); cerr != nil {
			return nil, cerr
		}
		j.folder.Close()
		return nil, err
	case err != nil && !errors.Is(err, ErrSolver) && !errors.Is(err, ErrReplay):
		j.folder.Close()
		return nil, err
	}
	// a run that a failed step ended gets its summary as well: its tables show the cause
	summary, ferr := j.finish(err)
	if ferr != nil {
		return nil, ferr
	}
	return summary, err
}

// open continues the run in the folder, or starts a new one and records the initial
// state.
func (j *job) open() error {
	// a folder without a checkpoint starts from the beginning
	if j.opt.Resume {
		switch err := j.resume(); {
		case err == nil:
			if err := j.mayReplace(); err != nil {
				j.folder.Close()
				return err
			}
			return nil
		case !errors.Is(err, record.ErrNoCheckpoint):
			return fmt.Errorf("%w: %w", ErrResume, err)
		}
	}
	if err := j.mayReplace(); err != nil {
		return err
	}
	// the start of the scene is the first state and the first row of signals
	j.memory = j.sc.Signals.NewMemory()
	j.x = j.sc.Model.Start.Clone()
	return j.create()
}

// create makes the folder and records the first state.
func (j *job) create() error {
	var err error
	j.folder, err = record.Create(j.opt.Dir, j.sc.Static, StepColumns(j.sc), append([]string{timeColumn}, j.sc.Signals.Names()...))
	if err != nil {
		return err
	}
	j.stepper.Place(j.x, j.sc.File.Time.Step)
	if err := j.signals(); err != nil {
		return err
	}
	return j.record()
}

// mayReplace refuses a folder whose files the run would replace although this program
// did not write them: the folder may be mistyped.
func (j *job) mayReplace() error {
	if j.opt.Force {
		return nil
	}
	return authorship.Refuse(record.ForeignFiles(j.opt.Dir))
}

// resume continues from the checkpoint in the folder. The memory of a checkpoint is
// that of the signals followed by the numbers of the friction lag, of energy gained, of the
// deepest overlap, of defects, of unseen supports, of inverted elements, of stretches and of the lengths of steps.
func (j *job) resume() error {
	if j.sc.Fingerprint == "" {
		return errors.New("a program has edited the scene, so that it has no digest of its inputs by which its checkpoint is known: name the edits by scene.Draft.Edits, or run without Resume")
	}
	c, err := record.Resume(j.opt.Dir, j.sc.Fingerprint)
	if err != nil {
		return err
	}
	// the fingerprint is that of the scene; its state and signals must have the same sizes
	start := &j.sc.Model.Start
	signals := len(j.sc.Signals.Names())
	if len(c.Memory) != signals+frictionLagNumbers+energyGainsNumbers+deepestPenetrationNumbers+termDefectsNumbers+unseenSupportsNumbers+invertedElementsNumbers+stretchLimitNumbers+stepLengthsNumbers || len(c.State.Q) != len(start.Q) || len(c.State.V) != len(start.V) {
		c.Folder.Close()
		return fmt.Errorf("%s: the checkpoint does not fit the scene: run without --resume", j.opt.Dir)
	}
	j.folder, j.x, j.spent, j.kernels = c.Folder, c.State, c.Wall, c.Kernels
	j.memory, j.lag = c.Memory[:signals:signals], frictionLagOf(c.Memory[signals:])
	j.gains = energyGainsOf(c.Memory[signals+frictionLagNumbers:])
	j.deepest = deepestPenetrationOf(c.Memory[signals+frictionLagNumbers+energyGainsNumbers:])
	j.defects = termDefectsOf(c.Memory[signals+frictionLagNumbers+energyGainsNumbers+deepestPenetrationNumbers:])
	j.supports = unseenSupportsOf(c.Memory[signals+frictionLagNumbers+energyGainsNumbers+deepestPenetrationNumbers+termDefectsNumbers:])
	j.inverted = invertedElementsOf(c.Memory[len(c.Memory)-stepLengthsNumbers-stretchLimitNumbers-invertedElementsNumbers:])
	j.stretch = stretchLimitOf(c.Memory[len(c.Memory)-stepLengthsNumbers-stretchLimitNumbers:])
	j.lengths = stepLengthsOf(c.Memory[len(c.Memory)-stepLengthsNumbers:])
	j.frameCount = j.framesUpTo(j.x.Time)
	return nil
}

// checkpoint saves all data that the rest of the run depends on.
func (j *job) checkpoint() error {
	return j.folder.Checkpoint(j.x, j.sc.Fingerprint, j.wall(), j.lengths.appendTo(j.stretch.appendTo(j.inverted.appendTo(j.supports.appendTo(j.defects.appendTo(j.deepest.appendTo(j.gains.appendTo(j.lag.appendTo(j.memory)))))))))
}

// wall returns the wall-clock time of the run, including the time before it was
// resumed, s.
func (j *job) wall() float64 { return j.spent + time.Since(j.started).Seconds() }
