package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Output at a rate is due at the first step that reaches a multiple of its period T.
// With the number of multiples up to time t,
//
//	n(t) = ⌊t/T + ε⌋,                                                              (1)
//
// output is due at the step that ends at t if n(t) > n(t − h). A period shorter than
// the time step h counts as h: there is at most one output for each step.
//
// Frames count multiples from 0 (framesUpTo), not by differences: a step that is longer than the
// period makes one frame, and the next is due at the next multiple.

// timeRounding is ε of (1): by how much t/T may miss a whole number because of rounding.
const timeRounding = 1e-6

// multiples returns (1).
func multiples(t, period float64) int { return int(math.Floor(t/period + timeRounding)) }

// numSteps is the number of steps that reach the duration.
func numSteps(t scene.Time) int {
	return int(math.Ceil(t.Duration/t.Step - timeRounding))
}

// isDue reports whether output of a period is due at the present step.
func (j *job) isDue(period float64) bool {
	h := j.sc.File.Time.Step
	period = max(period, h)
	return multiples(j.x.Time, period) > multiples(j.x.Time-h, period)
}

// defaultCheckpointPeriod is the wall-clock time between checkpoints unless the scene
// gives a period of simulated time. A crash costs this time at most; writing a
// checkpoint takes some milliseconds.
const defaultCheckpointPeriod = 30 * time.Second

// loop takes the steps up to the end of the run.
func (j *job) loop(ctx context.Context) error {
	// a run that is interrupted stops between two steps, or goes back to the start of one that takes long, so that its
	// state is whole
	h := j.sc.File.Time.Step
	j.stepper.InterruptIf(func() bool { return ctx.Err() != nil })
	defer j.stepper.InterruptIf(nil)
	j.stepper.WatchRest(j.opt.Rest)
	defer j.stepper.WatchRest(nil)
	lastCheckpoint := time.Now()
	for j.x.Step < j.steps {
		if ctx.Err() != nil {
			return ErrInterrupted
		}
		if err := j.operate(); err != nil {
			return err
		}
		if err := j.step(h); err != nil {
			return err
		}
		if j.opt.Progress != nil {
			j.opt.Progress(j.x.Time, j.sc.File.Time.Duration)
		}
		// checkpoints at the period of the scene, or by wall-clock time
		if every := j.sc.File.Output.Checkpoint; every > 0 && j.isDue(every) ||
			every == 0 && time.Since(lastCheckpoint) > defaultCheckpointPeriod {
			if err := j.checkpoint(); err != nil {
				return err
			}
			lastCheckpoint = time.Now()
		}
	}
	return j.checkReplay()
}

// step takes one step and records it. A step that did not converge is recorded as well;
// it ends the run unless the scene allows such steps.
func (j *job) step(h float64) error {
	// the time on the clock is for the table alone: nothing of a run depends on it
	begin := time.Now()
	take := j.stepper.Step
	if j.sc.File.Time.Equilibrium {
		take = j.stepper.Equilibrium
	}
	failure := take(j.x, h)
	wall := time.Since(begin).Seconds()
	if errors.Is(failure, sim.ErrInterrupted) {
		return ErrInterrupted
	}
	return j.stepped(wall, failure)
}

// stepped records a step that took some time, s, and came out with an error or nil.
func (j *job) stepped(wall float64, failure error) error {
	h := j.sc.File.Time.Step
	if failure != nil && !errors.Is(failure, sim.ErrNotConverged) {
		// the state is the one before the step
		j.stepper.Place(j.x, h)
		return j.failed(failure, "the state before the failed step")
	}
	j.gains.addStart(&j.stepper.Report)
	j.gains.add(&j.stepper.Report.EnergyGained)
	j.defects.add(&j.stepper.Report, j.x.Time-h)
	j.lengths.add(&j.stepper.Report)
	j.supports.add(&j.stepper.Report.UnseenSupport, j.x.Time-h)
	j.deepest.add(&j.stepper.Report.RelativePenetration, j.x.Time-h)
	// a product instead of a sum of steps: rounding errors of time do not accumulate
	j.x.Time = float64(j.x.Step) * h
	j.lag.add(&j.stepper.Report, j.x.Time)
	j.stepper.Place(j.x, h)
	if j.hasRow() || failure != nil || j.stepper.Report.DeformablesUnconverged() > 0 {
		if err := j.stepRow(wall, failure == nil); err != nil {
			return err
		}
		// the forces of a solve that ends the run are no result
		if ends := failure != nil && !j.sc.File.Solver.AllowUnconverged; !ends {
			if err := j.signals(); err != nil {
				return err
			}
		}
	}
	if failure != nil && !j.sc.File.Solver.AllowUnconverged {
		return j.failed(fmt.Errorf("%w (solver.allow_unconverged: true continues such runs)", failure), "the state after the unconverged step")
	}
	return j.record()
}

// failed records the present state, whether or not a frame is due, since the cause of a
// failure shows in it, and returns the error that ends the run.
func (j *job) failed(failure error, state string) error {
	if err := j.frameNow(); err != nil {
		return err
	}
	return fmt.Errorf("%w: %w; the recording ends with %s, at t = %.6g s", ErrSolver, failure, state, j.x.Time)
}

// hasRow reports whether the tables get a row for the present step.
func (j *job) hasRow() bool {
	rate := j.sc.File.Output.TableRate
	return rate == 0 || j.isDue(1/rate) || j.x.Step == j.steps
}

// stepRow writes the row of a step to steps.csv, in the order of StepColumns.
func (j *job) stepRow(wall float64, converged bool) error {
	r := &j.stepper.Report
	ok := 0.0
	if converged {
		ok = 1
	}
	// columns that every run has
	j.row = append(j.row[:0],
		j.x.Time, float64(r.Solver.Iterations), float64(r.Solver.LineSearch), float64(r.Solves), float64(r.Rounds), float64(r.Parts), r.Solver.Residual,
		float64(r.NumContacts), r.Penetration, r.MeanPenetration, r.EffectiveStiction, r.LackingFriction, r.LargestDefect(), j.stepper.KineticEnergy(j.x), r.EnergyGained.Energy, 1e3*wall, ok)
	// times of stages, then columns that only some runs have
	for _, t := range r.Stages {
		j.row = append(j.row, 1e3*t)
	}
	for i := range r.Defects {
		if j.sc.Model.HasTerm(i) {
			j.row = append(j.row, r.Defects[i].Value)
		}
	}
	if j.sc.Model.Rule.Midpoint {
		j.row = append(j.row, r.NumericalDissipation, r.ViscousDissipation)
	}
	if j.sc.File.Solver.ConditionNumber {
		j.row = append(j.row, r.Solver.Condition)
	}
	if hasNonlinearDeformables(j.sc.Model) {
		j.row = append(j.row, float64(r.DeformablesUnconverged()))
	}
	if j.sc.File.Time.Equilibrium {
		j.row = append(j.row, float64(r.PseudoSteps), r.RestResidual, r.RestMoved, r.Snap.Moved, r.Snap.Time, r.Snap.Within)
	}
	if j.sc.Model.Control.Accuracy > 0 {
		j.row = append(j.row, float64(r.Rejected), r.LeastPart, r.MostPart, r.Defects[sim.AccuracyTerm].Ratio, float64(r.Defects[sim.AccuracyTerm].Bodies[0]))
	}
	return j.folder.Step(j.row)
}

// signals evaluates the signals at the present state and writes their row.
func (j *job) signals() error {
	j.values = append(j.values[:0], j.x.Time)
	j.values = j.sc.Signals.Evaluate(j.stepper, j.x, j.memory, j.values)
	return j.folder.Signals(j.values)
}

// framesUpTo is the number of frames that are due up to time t: one at 0 and those of
// (1) at the output rate.
func (j *job) framesUpTo(t float64) int {
	return multiples(t, max(1/j.sc.File.Output.Rate, j.sc.File.Time.Step)) + 1
}

// record writes a frame if one is due, and the final state in any case.
func (j *job) record() error {
	due := j.framesUpTo(j.x.Time)
	if due <= j.frameCount && j.x.Step < j.steps {
		return nil
	}
	j.frameCount = due
	return j.frameNow()
}

// frameNow writes a frame of the present state unless it is recorded already.
func (j *job) frameNow() error {
	if j.folder.Recorded() >= j.x.Time {
		return nil
	}
	j.inverted.add(j.stepper, j.x.Time)
	j.stretch.add(j.stepper, j.x.Time)
	record.Capture(j.stepper, j.x, &j.frame)
	return j.folder.Frame(&j.frame)
}
