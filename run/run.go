// Package run turns a scene into a run folder: it steps the model and records
// states, contacts and signals on the way.
package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
)

// Options of a run.
type Options struct {
	Dir      string                            // run folder
	Threads  int                               // 0: all cores
	Resume   bool                              // go on from the folder's checkpoint where there is one
	Version  string                            // of the program, for run.json
	Progress func(simulated, duration float64) // called after every step; may be nil
}

// ErrSolver marks a run that a failed step ended.
var ErrSolver = errors.New("solver failure")

// ErrInterrupted marks a run that its context ended; what was done is on disk,
// and a checkpoint to go on from.
var ErrInterrupted = errors.New("interrupted")

// ErrResume marks a run whose checkpoint is not one of this scene, or is damaged.
var ErrResume = errors.New("cannot resume")

// stepColumns are those of steps.csv before the stages' and those on request.
var stepColumns = []string{
	"time_s", "newton_iterations", "line_search_evaluations", "residual", "contacts",
	"penetration_m", "mean_penetration_m", "stiction_tolerance_m_s", "kinetic_J", "wall_ms", "converged",
}

// job is a run going on.
type job struct {
	sc      *scene.Scene
	opt     Options
	stepper *sim.Stepper
	x       *sim.State
	folder  *record.Folder
	steps   int     // of the whole run
	spent   float64 // wall seconds before a resume
	started time.Time

	frame      record.Frame
	frameCount int
	memory     []float64 // of the signals
	lag        frictionLag
	row        []float64
	values     []float64
}

// Run simulates the scene to its end, or until ctx is done, and returns the
// summary that it also wrote as run.json.
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
		if cerr := j.checkpoint(); cerr != nil {
			return nil, cerr
		}
		j.folder.Close()
		return nil, err
	case err != nil && !errors.Is(err, ErrSolver):
		j.folder.Close()
		return nil, err
	}
	summary, ferr := j.finish(err)
	if ferr != nil {
		return nil, ferr
	}
	return summary, err
}

// numSteps is the number of steps that reach the duration.
func numSteps(t scene.Time) int {
	return int(math.Ceil(t.Duration/t.Step - 1e-6))
}

// open starts the run folder, or goes on with it.
func (j *job) open() error {
	if j.opt.Resume {
		switch err := j.resume(); {
		case err == nil:
			return nil
		case !errors.Is(err, record.ErrNoCheckpoint):
			return fmt.Errorf("%w: %w", ErrResume, err)
		}
	}
	j.memory = j.sc.Signals.NewMemory()
	j.x = j.sc.Model.Start.Clone()
	var err error
	j.folder, err = record.Create(j.opt.Dir, j.sc.Static, StepColumns(j.sc), append([]string{"time_s"}, j.sc.Signals.Names()...))
	if err != nil {
		return err
	}
	j.stepper.Place(j.x, j.sc.File.Time.Step)
	if err := j.signals(); err != nil {
		return err
	}
	return j.record()
}

// resume goes on from the folder's checkpoint.
func (j *job) resume() error {
	c, err := record.Resume(j.opt.Dir, j.sc.Fingerprint)
	if err != nil {
		return err
	}
	start := &j.sc.Model.Start
	signals := len(j.sc.Signals.Names())
	if len(c.Memory) != signals+frictionLagNumbers || len(c.State.Q) != len(start.Q) || len(c.State.V) != len(start.V) {
		c.Folder.Close()
		return fmt.Errorf("%s: the checkpoint does not fit the scene: run without --resume", j.opt.Dir)
	}
	j.folder, j.x, j.spent = c.Folder, c.State, c.Wall
	j.memory, j.lag = c.Memory[:signals:signals], recalled(c.Memory[signals:])
	j.frameCount = j.framesUpTo(j.x.Time)
	return nil
}

func (j *job) loop(ctx context.Context) error {
	h := j.sc.File.Time.Step
	lastCheckpoint := time.Now()
	for j.x.Step < j.steps {
		if ctx.Err() != nil {
			return ErrInterrupted
		}
		if err := j.step(h); err != nil {
			return err
		}
		if j.opt.Progress != nil {
			j.opt.Progress(j.x.Time, j.sc.File.Time.Duration)
		}
		if every := j.sc.File.Output.Checkpoint; every > 0 && j.onBeat(every) ||
			every == 0 && time.Since(lastCheckpoint) > checkpointEvery {
			if err := j.checkpoint(); err != nil {
				return err
			}
			lastCheckpoint = time.Now()
		}
	}
	return nil
}

// step takes a step and records it. A step that did not converge is recorded too,
// and ends the run unless the scene allows it.
func (j *job) step(h float64) error {
	begin := time.Now()
	failure := j.stepper.Step(j.x, h)
	wall := time.Since(begin).Seconds()
	if failure != nil && !errors.Is(failure, sim.ErrNotConverged) {
		j.stepper.Place(j.x, h)
		return j.failed(failure, "the state before")
	}
	j.lag.add(j.stepper.Report.Sliding)
	// no drift from summing steps
	j.x.Time = float64(j.x.Step) * h
	j.stepper.Place(j.x, h)
	if j.tabled() || failure != nil || j.stepper.Report.FreeMotionUnconverged > 0 {
		if err := j.stepRow(wall, failure == nil); err != nil {
			return err
		}
		if err := j.signals(); err != nil {
			return err
		}
	}
	if failure != nil && !j.sc.File.Solver.AllowUnconverged {
		return j.failed(fmt.Errorf("%w (solver.allow_unconverged goes on all the same)", failure), "the state that it led to")
	}
	return j.record()
}

// failed ends the run: what led to a failure is looked for in its last state, which
// is recorded whether or not a frame is due.
func (j *job) failed(failure error, state string) error {
	if err := j.frameNow(); err != nil {
		return err
	}
	return fmt.Errorf("%w: %w; the recording ends with %s, at t = %.6g s", ErrSolver, failure, state, j.x.Time)
}

// tabled reports whether the present step gets rows in the tables.
func (j *job) tabled() bool {
	rate := j.sc.File.Output.TableRate
	return rate == 0 || j.onBeat(1/rate) || j.x.Step == j.steps
}

// checkpointEvery is how often a run saves itself unless the scene says so.
const checkpointEvery = 30 * time.Second

// onBeat reports whether the state has just passed a multiple of period.
func (j *job) onBeat(period float64) bool {
	h := j.sc.File.Time.Step
	period = max(period, h)
	return beats(j.x.Time, period) > beats(j.x.Time-h, period)
}

func beats(t, period float64) int { return int(math.Floor(t/period + 1e-6)) }

func (j *job) checkpoint() error {
	return j.folder.Checkpoint(j.x, j.sc.Fingerprint, j.wall(), j.lag.remember(j.memory))
}

func (j *job) wall() float64 { return j.spent + time.Since(j.started).Seconds() }

func (j *job) stepRow(wall float64, converged bool) error {
	r := &j.stepper.Report
	ok := 0.0
	if converged {
		ok = 1
	}
	j.row = append(j.row[:0],
		j.x.Time, float64(r.Solver.Iterations), float64(r.Solver.LineSearch), r.Solver.Residual,
		float64(r.NumContacts), r.Penetration, r.MeanPenetration, r.EffectiveStiction, j.stepper.KineticEnergy(j.x), 1e3*wall, ok)
	for _, t := range r.Stages {
		j.row = append(j.row, 1e3*t)
	}
	if j.sc.File.Solver.ConditionNumber {
		j.row = append(j.row, r.Solver.Condition)
	}
	if iterates(j.sc.Model) {
		j.row = append(j.row, float64(r.FreeMotionUnconverged))
	}
	return j.folder.Step(j.row)
}

func (j *job) signals() error {
	j.values = append(j.values[:0], j.x.Time)
	j.values = j.sc.Signals.Evaluate(j.stepper, j.x, j.memory, j.values)
	return j.folder.Signals(j.values)
}

// framesUpTo is the number of frames due by time t: one at 0 and one at every
// beat of the output rate, taken at the first step that reaches it; at most one
// a step.
func (j *job) framesUpTo(t float64) int {
	return beats(t, max(1/j.sc.File.Output.Rate, j.sc.File.Time.Step)) + 1
}

func (j *job) record() error {
	due := j.framesUpTo(j.x.Time)
	if due <= j.frameCount && j.x.Step < j.steps {
		return nil
	}
	j.frameCount = due
	return j.frameNow()
}

// frameNow records the present state, once.
func (j *job) frameNow() error {
	if j.folder.Recorded() >= j.x.Time {
		return nil
	}
	record.Capture(j.stepper, j.x, &j.frame)
	return j.folder.Frame(&j.frame)
}

// finish names the files and writes the summary; failure is what ended the run early.
func (j *job) finish(failure error) (*record.Summary, error) {
	if err := j.folder.Flush(); err != nil {
		return nil, err
	}
	steps, err := j.folder.ReadColumns(record.StepsFile, nil)
	if err != nil {
		return nil, err
	}
	// of signals there may be many, of which few are expected to be something
	wanted := []string{"time_s"}
	for i := range j.sc.Checks {
		wanted = append(wanted, j.sc.Checks[i].Signal)
	}
	signals, err := j.folder.ReadColumns(record.SignalsFile, wanted)
	if err != nil {
		return nil, err
	}
	m := j.sc.Model
	s := &record.Summary{
		Scene: j.sc.Path, Version: j.opt.Version, ContactModel: j.sc.File.Solver.Contact,
		TimeStep: j.sc.File.Time.Step, Duration: j.x.Time, Threads: j.opt.Threads,
		Kernel: supernodal.Kernel(), Wall: j.wall(), StateHash: j.x.Hash(), Warnings: j.sc.Warnings,
		Checks: []record.CheckResult{},
	}
	if failure == nil {
		s.Inputs = j.sc.Fingerprint
	}
	s.Dofs.Rigid, s.Dofs.Deformable = m.Dofs()
	s.Dofs.Total = s.Dofs.Rigid + s.Dofs.Deformable
	for _, b := range m.Deformables {
		s.Vertices += b.NumVerts()
		s.Tetrahedra += b.NumTets()
	}
	s.RealTime = j.x.Time / s.Wall
	s.FromSteps(steps, sim.StageNames[:])
	s.Steps = j.x.Step
	if w := unsettledWarning(steps); w != "" {
		s.Warnings = append(slices.Clone(s.Warnings), w)
	}
	s.Sliding = record.Sliding{Allowed: j.lag.sum.Bound, Lacking: j.lag.sum.Deficit}
	if w := j.lag.warning(); w != "" {
		s.Warnings = append(slices.Clone(s.Warnings), w)
	}
	for i := range j.sc.Checks {
		s.Checks = append(s.Checks, j.sc.Checks[i].Evaluate(signals, s))
	}
	return s, j.folder.Finish(s)
}
