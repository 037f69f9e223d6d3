package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/internal/memory"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// runFlags are the flags of run.
type runFlags struct {
	out       string
	set       []string
	threads   int
	resume    bool
	noPicture bool
	inputs    string
}

func (a *app) runCommand() *cobra.Command {
	var r runFlags
	cmd := &cobra.Command{
		Use:   "run SCENE",
		Short: "Simulate a scene file into a run folder",
		Long: `Simulate a scene file. The run folder gets run.json (summary and expectations), steps.csv,
signals.csv, recording.curl and picture.png. Ctrl-C stops after the present step and saves a
checkpoint. --resume continues from it, with the same results as without the interruption.
--inputs repeats a session of curlfree live, and proves that it ends with the same bits.

Exit codes: 0 done, 1 an expectation of the scene is not met or a session is not repeated, 2 wrong flags or an unknown
path of --set, 3 invalid scene, 4 a step failed, 5 results could not be written,
130, 143, 129 ended by Ctrl-C, SIGTERM, SIGHUP.`,
		Example: `  curlfree run examples/finray-grasp/scene.yaml
  curlfree run scene.yaml -o runs/soft --set materials.rubber.youngs_modulus=1e6
  curlfree run scene.yaml --inputs inputs.ndjson`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.run(cmd.Context(), args[0], r)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&r.out, "output", "o", "", "run folder (default runs/NAME)")
	f.StringArrayVar(&r.set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	f.IntVar(&r.threads, "threads", 0, "worker threads; results do not depend on it (default all cores)")
	f.BoolVar(&r.resume, "resume", false, "continue from the checkpoint in the run folder, if there is one; a complete run is not changed")
	f.StringVar(&r.inputs, "inputs", "", "repeat the inputs of a session of curlfree live, for its whole duration")
	f.BoolVar(&r.noPicture, "no-picture", false, "do not draw picture.png")
	return cmd
}

// run simulates a scene, prints the summary and draws the picture.
func (a *app) run(ctx context.Context, path string, r runFlags) error {
	if r.threads < 0 || r.threads > sim.MaxThreads {
		return fail(exitUsage, fmt.Errorf("--threads %d: 0 means all cores, and %d is the most", r.threads, sim.MaxThreads))
	}
	sc, err := loadScene(path, r.set)
	if err != nil {
		return err
	}
	inputs, err := r.replay(sc)
	if err != nil {
		return err
	}
	if r.out == "" {
		r.out = filepath.Join("runs", sceneName(path))
	}
	if r.threads == 0 {
		r.threads = sc.File.Solver.Threads
	}
	a.warn(sc.Warnings)
	if err := a.checkCost(sc, path); err != nil {
		return err
	}
	if r.resume {
		if done, err := a.finished(r.out, sc); done || err != nil {
			return err
		}
	}
	if !r.noPicture {
		if err := a.mayWrite(filepath.Join(r.out, pictureFile)); err != nil {
			return err
		}
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	earlier := record.OtherFiles(r.out)
	bar := newBar(a.stderr)
	summary, err := run.Run(ctx, sc, run.Options{
		Dir: r.out, Threads: r.threads, Resume: r.resume, Force: a.force, Version: version(), Progress: bar.at, Rest: bar.rest, Inputs: inputs,
	})
	bar.done()
	stop() // the results are written: nothing that follows needs time to save
	if summary == nil {
		return a.runError(err, path, &r)
	}
	a.warn(summary.Warnings[len(sc.Warnings):])
	if perr := a.printSummary(r.out, summary); perr != nil {
		return perr
	}
	a.warnOfEarlier(earlier, r.out, err == nil && !r.noPicture)
	if errors.Is(err, run.ErrReplay) {
		return fail(exitCheck, err)
	}
	if err != nil {
		return fail(exitOfStep(err), err)
	}
	if !r.noPicture {
		if err := a.drawPicture(r.out); err != nil {
			return err
		}
	}
	return verdict(summary)
}

// checkCost warns of models whose runs cost much, and refuses those that need more memory than there is.
func (a *app) checkCost(sc *scene.Scene, path string) error {
	if w := run.SizeWarning(sc); w != "" {
		a.warn([]string{w})
	}
	if err := check.EnoughMemory(sc.Model); err != nil {
		return fail(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	if rigid, deformable := sc.Model.Dofs(); rigid+deformable > check.LargeModel {
		a.warn([]string{check.CostOf(sc.Model).Warning()})
	}
	return nil
}

// warnOfEarlier warns of files of an earlier run in the folder. drawn: the picture is replaced.
func (a *app) warnOfEarlier(earlier []string, dir string, drawn bool) {
	if drawn {
		earlier = slices.DeleteFunc(earlier, func(name string) bool { return name == pictureFile })
	}
	if len(earlier) > 0 {
		a.warn([]string{fmt.Sprintf("%s still contains files from before this run, which do not show its results: %s", dir, strings.Join(earlier, ", "))})
	}
}

// drawPicture draws the picture of a run, or warns of one that would take too long: a run is no worse for it.
func (a *app) drawPicture(dir string) error {
	err := pictureOf(dir)
	var heavy *render.CoverError
	if errors.As(err, &heavy) {
		a.warn([]string{err.Error()})
		return nil
	}
	return fail(exitOutput, err)
}

// exitOfStep returns the exit code of a step that failed: for a lack of memory that of a scene that is too large.
func exitOfStep(err error) int {
	var lack *memory.LackError
	if errors.As(err, &lack) {
		return exitInput
	}
	return exitSolver
}

// replay reads the inputs that a run repeats; nil: none.
func (r *runFlags) replay(sc *scene.Scene) (*record.Inputs, error) {
	if r.inputs == "" {
		return nil, nil
	}
	inputs, err := record.ReadInputs(r.inputs)
	if err == nil {
		err = run.Replay(sc, inputs)
	}
	return inputs, fail(exitInput, err)
}

// warn prints warnings to standard error.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintf(a.stderr, "warning: %s\n", w)
	}
}

// finished reports whether the folder has a complete run of the scene, whose summary it
// then prints. The error is the verdict on that run, or that the folder has another one.
func (a *app) finished(dir string, sc *scene.Scene) (bool, error) {
	done, err := record.Finished(dir, sc.Fingerprint)
	switch {
	case errors.Is(err, record.ErrNoCheckpoint):
		fmt.Fprintf(a.stderr, "no checkpoint in %s: the run starts at the beginning\n", dir)
		return false, nil
	case err != nil:
		return false, fail(exitInput, err)
	case done == nil:
		return false, nil
	}
	fmt.Fprintf(a.stderr, "the run in %s is complete: nothing is left to do\n", dir)
	if err := a.printSummary(dir, done); err != nil {
		return true, err
	}
	return true, verdict(done)
}

// runError adds the exit code to the error of a run without a summary.
func (a *app) runError(err error, path string, r *runFlags) error {
	switch {
	case errors.Is(err, run.ErrInterrupted):
		again := path
		for _, s := range r.set {
			again += " --set " + s
		}
		if r.inputs != "" {
			again += " --inputs " + r.inputs
		}
		return fail(a.exitInterrupted(), fmt.Errorf("interrupted: continue with curlfree run %s -o %s --resume", again, r.out))
	case errors.Is(err, run.ErrResume), exitOfStep(err) == exitInput:
		return fail(exitInput, err)
	}
	return fail(exitOutput, err)
}

// verdict is the error of a run that does not meet the expectations of its scene.
func verdict(s *record.Summary) error {
	if len(s.FailedChecks()) > 0 {
		return fail(exitCheck, errors.New("an expectation of the scene is not met (see FAIL above, or checks in run.json)"))
	}
	return nil
}

// loadScene loads a scene and checks its render section, so that a mistake in it shows
// before the run and not after it.
func loadScene(path string, set []string) (*scene.Scene, error) {
	sc, err := scene.Load(path, set)
	var override *scene.OverrideError
	switch {
	case errors.As(err, &override):
		return nil, fail(exitUsage, err)
	case err != nil:
		return nil, fail(exitInput, err)
	}
	opt, err := render.RecordedOptions(sc.Static)
	if err == nil {
		err = opt.Check(sc.Static)
	}
	if err != nil {
		return nil, fail(exitInput, fmt.Errorf("%s: render: %w", path, err))
	}
	return sc, nil
}

// sceneName is the file name without extension, or that of the folder if the file is called
// scene.yaml.
func sceneName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if base == "scene" {
		if abs, err := filepath.Abs(path); err == nil {
			return filepath.Base(filepath.Dir(abs))
		}
	}
	return base
}

// printSummary prints the summary of a run, as JSON or as text.
func (a *app) printSummary(dir string, s *record.Summary) error {
	if a.json {
		return a.printJSON(s)
	}
	a.say("%s: %d steps of %g s in %.1f s (%.2f× real time), %.2f ms a step (p95 %.2f)",
		s.Scene, s.Steps, s.TimeStep, s.Wall, s.RealTime, s.StepMs.Mean, s.StepMs.P95)
	if l := s.StepLengths; l != nil {
		a.say("  accuracy %g: %d steps taken, %d rejected, %.3g to %.3g s long, %d of the least length with a larger error",
			l.Accuracy, l.Taken, l.Rejected, l.Least, l.Most, l.Short)
	}
	a.say("  %d degrees of freedom, %s contact, %.1f contacts and %.1f Newton iterations a step (max %g and %g)",
		s.Dofs.Total, s.ContactModel, s.Contacts.Mean, s.Newton.Mean, s.Contacts.Max, s.Newton.Max)
	for _, name := range slices.Sorted(maps.Keys(s.Elements)) {
		a.say("  elements of %s: %s", name, s.Elements[name])
	}
	a.say("  deepest penetration %.3g m, %d steps not converged", s.Penetration, s.Unconverged)
	for _, c := range s.Checks {
		switch {
		case c.NotReached:
			a.say("  not reached %s: the run ends before its window; expected %s", c.Name, c.Bound)
		case c.OK:
			a.say("  ok   %s: %.6g, expected %s", c.Name, c.Value, c.Bound)
		default:
			a.say("  FAIL %s: %.6g, expected %s", c.Name, c.Value, c.Bound)
		}
	}
	a.say("Results in %s", dir)
	return nil
}

// bar shows progress and the remaining time: as a bar on terminals, else as lines at growing
// intervals.
type bar struct {
	b           *progressbar.ProgressBar
	w           io.Writer
	begin, last time.Time
	every       time.Duration
}

// newBar starts a bar on standard error.
func newBar(w io.Writer) *bar {
	b := &bar{w: w, begin: time.Now(), last: time.Now(), every: time.Second}
	if f, ok := terminal(w); ok {
		b.b = progressbar.NewOptions64(1000,
			progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("simulating"),
			progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
			progressbar.OptionEnableColorCodes(os.Getenv("NO_COLOR") == ""))
	}
	return b
}

// at shows that the time t of a duration is reached.
func (b *bar) at(t, duration float64) {
	if b.b != nil {
		_ = b.b.Set64(int64(1000 * min(1, t/duration)))
		return
	}
	if t > 0 && time.Since(b.last) > b.every {
		b.last = time.Now()
		left := time.Duration(float64(time.Since(b.begin)) * (duration - t) / t).Round(time.Second)
		fmt.Fprintf(b.w, "%.0f %% done, %v left\n", 100*t/duration, left)
		b.every = min(2*b.every, time.Minute) // so that logs of long runs stay short
	}
}

// rest shows how far the search for a state at rest is, with the time that is left where that is known.
func (b *bar) rest(p sim.RestProgress) {
	line := fmt.Sprintf("state at rest: pseudo-step %d, %d Newton iterations, residual %.1e of the forces", p.PseudoSteps, p.Iterations, p.Residual)
	if p.Left > 0 {
		line += fmt.Sprintf(", about %v left in this state", max(p.Left, time.Second).Round(time.Second))
	}
	switch {
	case b.b != nil:
		b.b.Describe(line)
	case time.Since(b.last) > b.every:
		b.last = time.Now()
		fmt.Fprintln(b.w, line)
		b.every = min(2*b.every, time.Minute)
	}
}

// done removes the bar.
func (b *bar) done() {
	if b.b != nil {
		_ = b.b.Finish()
	}
}
