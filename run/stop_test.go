package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/record"
)

// A killed run, whose last frame is incomplete, can be read, and continues to the same bytes as
// a run that was not killed.
func TestKilledRunsContinueToTheSameBytes(t *testing.T) {
	sc := load(t, squash, "output.checkpoint=0.1")
	straight := t.TempDir()
	left := map[int]string{} // of a run killed after that many steps
	opt := Options{Dir: straight, Threads: 1}
	steps := 0
	opt.Progress = func(float64, float64) {
		steps++
		if steps == 30 || steps == 47 || steps == 60 {
			left[steps] = t.TempDir()
			if err := os.CopyFS(left[steps], os.DirFS(straight)); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := mustRun(t, sc, opt)
	for steps, dir := range left {
		// what follows is no frame, also where the cut happens to fall on the start of one
		partial := filepath.Join(dir, record.RecordingFile+".partial")
		b := read(t, dir, record.RecordingFile+".partial")
		if err := os.WriteFile(partial, []byte(b+"\xff"+b[len(b)/3:len(b)/2]), 0o666); err != nil {
			t.Fatal(err)
		}
		frames := int(math.Floor(float64(steps)*0.005*40+1e-6)) + 1
		if rec, err := record.ReadRun(dir); err != nil || rec.Len() != frames || rec.Complete() {
			t.Errorf("killed after %d steps: %v, want %d frames", steps, err, frames)
		}
		got := mustRun(t, sc, Options{Dir: dir, Threads: 1, Resume: true})
		if got.StateHash != want.StateHash {
			t.Errorf("killed after %d steps: another state", steps)
		}
		for _, name := range []string{record.SignalsFile, record.RecordingFile} {
			if read(t, dir, name) != read(t, straight, name) {
				t.Errorf("killed after %d steps: %s differs", steps, name)
			}
		}
	}
}

// A run does not continue a recording that is damaged before the checkpoint.
func TestRunsDoNotContinueDamagedRecordings(t *testing.T) {
	sc, dir := load(t, squash), t.TempDir()
	interrupt(t, sc, Options{Dir: dir}, 30)
	name := record.RecordingFile + ".partial"
	good := read(t, dir, name)
	for i := 0; i < len(good); i += len(good) / 20 {
		bad := []byte(good)
		bad[i] ^= 4
		if err := os.WriteFile(filepath.Join(dir, name), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Run(context.Background(), sc, Options{Dir: dir, Resume: true})
		if !errors.Is(err, ErrResume) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "run without --resume") {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	if got := files(t, dir); len(got) != 4 {
		t.Errorf("the folder contains %v", got)
	}
}

// fault makes the step fail that starts at its time or later.
type fault float64

func (f fault) Append(_ constraints.Kinematics, p *cliques.Problem) int {
	if p.Time >= float64(f)-1e-9 {
		p.P[0] = math.NaN()
	}
	return 0
}

// A step fails at 0.105 s; frames were due at 0.1 and 0.125 s.
func TestFailedRunsRecordTheLastState(t *testing.T) {
	for name, c := range map[string]struct {
		fails, ends float64
		frames      int
		interrupted bool
	}{
		"between frames":           {fails: 0.105, ends: 0.105, frames: 6},
		"at a frame":               {fails: 0.1, ends: 0.1, frames: 5},
		"at a frame, just resumed": {fails: 0.1, ends: 0.1, frames: 5, interrupted: true},
		"at the start":             {fails: 0, ends: 0, frames: 1},
	} {
		sc, dir := load(t, squash), t.TempDir()
		if c.interrupted {
			interrupt(t, sc, Options{Dir: dir}, 20)
		}
		sc.Model.Constraints = append(sc.Model.Constraints, fault(c.fails))
		_, err := Run(context.Background(), sc, Options{Dir: dir, Resume: true})
		if says := fmt.Sprintf("the recording ends with the state before the failed step, at t = %g s", c.ends); !errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want %q in it", name, err, says)
		}
		rec, err := record.ReadRun(dir)
		if err == nil {
			err = rec.Valid()
		}
		if err != nil || rec.Len() != c.frames || !rec.Complete() || math.Abs(rec.Time(rec.Len()-1)-c.ends) > 1e-12 {
			t.Errorf("%s: %v, %d frames", name, err, rec.Len())
		}
	}
}

func TestUnconvergedStepsThatEndARunAreRecorded(t *testing.T) {
	dir := t.TempDir()
	s, err := Run(context.Background(), load(t, squash, "solver.max_iterations=1", "output.rate=1"), Options{Dir: dir})
	if !errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), "the recording ends with the state after the unconverged step") {
		t.Fatal(err)
	}
	rec, err := record.ReadRun(dir)
	if err != nil || rec.Len() != 2 || rec.Time(1) != s.Duration {
		t.Errorf("%v, %d frames", err, rec.Len())
	}
	// steps.csv has the step, whose column converged is 0; its forces are no signals
	steps, err := record.ReadColumns(dir, record.StepsFile, nil)
	if err != nil || steps.Data[0][len(steps.Data[0])-1] != s.Duration {
		t.Errorf("%v: steps.csv does not end with the step", err)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil || signals.Data[0][len(signals.Data[0])-1] >= s.Duration {
		t.Errorf("%v: signals.csv has a row of the unconverged step", err)
	}
}

// A force of 1e20 N gives a velocity that no table should have: the run ends at the step before,
// and the message names the body.
func TestVelocitiesWithoutMeaningEndARunBeforeTheyAreWritten(t *testing.T) {
	const text = `
time: {step: 1e-3, duration: 0.1}
bodies:
  cart: {mass: 1, joint: {type: prismatic, axis: [1, 0, 0]}}
drives: {push: {joint: cart, kp: 1, target: {times: [0, 0.01, 0.011], values: [0, 0, 1e20]}}}
signals: {x: {body: cart, position: x}, v: {body: cart, velocity: x}}
`
	dir := t.TempDir()
	_, err := Run(context.Background(), load(t, text), Options{Dir: dir})
	if !errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), `body "cart" is `) || !strings.Contains(err.Error(), "faster than light") {
		t.Errorf("got %v", err)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil || len(signals.Data[0]) < 5 {
		t.Fatal(err, signals)
	}
	for _, column := range signals.Data {
		for _, x := range column {
			if math.Abs(x) > 1e9 {
				t.Fatalf("signals.csv has %g", x)
			}
		}
	}
}

// The bar has 81 vertices and 192 tetrahedra: some 3 kB a frame, of which a
// million are 3 GB.
func TestLargeRecordingsAreWarnedOf(t *testing.T) {
	if w := SizeWarning(load(t, squash)); w != "" {
		t.Error(w)
	}
	w := SizeWarning(load(t, squash, "time.step=1e-4", "time.duration=1000", "output.rate=1000"))
	if !strings.Contains(w, "3 GB (1000001 frames of 3.03 kB, without contacts)") {
		t.Error(w)
	}
	dir := t.TempDir()
	mustRun(t, load(t, squash, "time.duration=0.5", "output.rate=200", "gravity.2=-0.1"), Options{Dir: dir})
	rec, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(filepath.Join(dir, record.RecordingFile))
	if each := float64(st.Size()) / float64(rec.Len()); err != nil || each < 0.7*float64(rec.Static.FrameSize()) || each > 1.5*float64(rec.Static.FrameSize()) {
		t.Errorf("%g bytes a frame, estimated %d", each, rec.Static.FrameSize())
	}
}
