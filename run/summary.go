package run

import (
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
)

// The summary, run.json, describes the outcome of a run: its inputs, its wall-clock time, its
// warnings, and whether each expectation was met. All numbers of it follow from the files of the
// run, or from sums that checkpoints keep, so that a run that was resumed has the summary of one at
// once, but for times on the clock.

// finish evaluates the expectations, gives the files their final names and writes the
// summary. failure is the error of the step that ended the run early, or nil.
func (j *job) finish(failure error) (*record.Summary, error) {
	// statistics and expectations are evaluated from the tables, so that a resumed run
	// has those of all of its steps
	if err := j.folder.Flush(); err != nil {
		return nil, err
	}
	// all rows of the run, those before a checkpoint included
	steps, err := j.folder.ReadColumns(record.StepsFile, nil)
	if err != nil {
		return nil, err
	}
	signals, err := j.folder.ReadColumns(record.SignalsFile, j.checkedSignals())
	if err != nil {
		return nil, err
	}
	if failure == nil {
		last := j.stepper.GainedBefore(j.x, j.sc.File.Time.Step)
		j.gains.add(&last)
	}
	s := j.summary(failure)
	s.FromSteps(steps, sim.StageNames[:])
	s.Steps = j.x.Step
	for _, w := range []string{freeMotionWarning(steps), restWarning(steps), snapWarning(steps), frictionWarning(&s.FrictionLag, j.sc.Model.FrictionLag), j.gains.warning(j.stepper), j.defects.warning(j.stepper.BodyName), j.supports.warning(j.stepper), j.inverted.warning(j.stepper), j.stretch.warning(j.stepper), j.deepest.warning(j.stepper), j.lengths.warning(&j.sc.Model.Control), kernelWarning(j.kernels)} {
		if w != "" {
			s.Warnings = append(slices.Clone(s.Warnings), w)
		}
	}
	for i := range j.sc.Checks {
		s.Checks = append(s.Checks, j.sc.Checks[i].Evaluate(signals, s))
	}
	return s, j.folder.Finish(s)
}

// checkedSignals lists the signals that expectations use, and the time. A scene may
// have many more signals, whose columns need not be read.
func (j *job) checkedSignals() []string {
	names := []string{timeColumn}
	for i := range j.sc.Checks {
		names = append(names, j.sc.Checks[i].Signal)
	}
	return names
}

// pathFrom returns the path of a file from a folder, with slashes; empty where there is none.
func pathFrom(dir, file string) string {
	dir, err := filepath.Abs(dir)
	file, ferr := filepath.Abs(file)
	if err != nil || ferr != nil {
		return ""
	}
	path, err := filepath.Rel(dir, file)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(path)
}

// summary returns the part of the summary that does not come from tables.
func (j *job) summary(failure error) *record.Summary {
	m := j.sc.Model
	s := &record.Summary{
		Scene: j.sc.Path, SceneFromRun: pathFrom(j.opt.Dir, j.sc.Path), Version: j.opt.Version, ContactModel: j.sc.File.Solver.Contact.Name,
		TimeStep: j.sc.File.Time.Step, Duration: j.x.Time, Threads: j.opt.Threads,
		Kernel: supernodal.Kernel(), Wall: j.wall(), StateHash: j.x.Hash(), Warnings: j.sc.Warnings,
		Estimates:    j.sc.Estimates(),
		Checks:       []record.CheckResult{},
		FrictionLag:  j.lag.summary(j.stepper.BodyName),
		StepLengths:  j.lengths.summary(&m.Control),
		Defects:      j.defects.summary(j.stepper.BodyName),
		EnergyGained: j.gains.total, LargestGain: j.gains.summary(j.stepper),
		SignalUnits:         j.sc.Signals.Units(),
		RelativePenetration: j.deepest.Ratio, DeepestPenetration: j.deepest.summary(j.stepper),
	}
	// a run that failed is not complete: it gets no fingerprint by which --resume would
	// leave it as it is; and nor does one whose steps a caller has decided
	if failure == nil && !j.openEnd {
		s.Inputs = j.sc.Fingerprint
	}
	s.Dofs.Rigid, s.Dofs.Deformable = m.Dofs()
	s.Dofs.Total = s.Dofs.Rigid + s.Dofs.Deformable
	// sizes of the model
	for _, b := range m.Deformables {
		s.Vertices += b.NumVerts()
		s.Tetrahedra += b.NumTets()
		if s.Elements == nil {
			s.Elements = map[string]string{}
		}
		s.Elements[b.Name()] = b.ElementsNote()
	}
	s.RealTime = j.x.Time / s.Wall
	return s
}
