package run

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// steered is squash with a target that an operator moves.
var steered = strings.Replace(squash, "{times: [0, 0.2], values: [0, 0.1]}", "{live: {name: lift, max: 0.2}}", 1)

// sessionOf steps a scene with inputs as a live session does, and returns them with the hash of its end.
func sessionOf(t *testing.T, steps int) *record.Inputs {
	t.Helper()
	sc := load(t, steered)
	in := &record.Inputs{TimeStep: 0.005, Steps: steps, List: []record.Input{
		{Step: 3, OperatorInput: sim.OperatorInput{Set: &sim.ValueInput{Name: "lift", Value: 0.1}}},
		{Step: 10, OperatorInput: sim.OperatorInput{Drag: &sim.DragInput{Body: "ball", Target: [3]float64{0.1, 0, 0.2}, Stiffness: 50, Damping: 1, Force: 10}}},
		{Step: 10, OperatorInput: sim.OperatorInput{Drag: &sim.DragInput{Slot: 1, Body: "bar", Vertex: 5, Target: [3]float64{0, 0, 0.1}, Stiffness: 50, Force: 2}}},
		{Step: 40, OperatorInput: sim.OperatorInput{Drag: &sim.DragInput{}}},
	}}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	for x.Step < steps {
		for _, i := range in.List {
			if i.Step == x.Step {
				if err := s.Operate(x, i.OperatorInput); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Step(x, 0.005); err != nil {
			t.Fatal(err)
		}
		x.Time = float64(x.Step) * 0.005
	}
	in.Hash = x.Hash()
	return in
}

// A run of the inputs of a session ends with its bits: written to a file and read, with any number of threads, and
// resumed in the midst of a drag.
func TestSessionsAreRepeatedToTheLastBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	want := sessionOf(t, 50)
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2, 4} {
		in, err := record.ReadInputs(path)
		if err != nil {
			t.Fatal(err)
		}
		sc := load(t, steered)
		if err := Replay(sc, in); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		interrupt(t, sc, Options{Dir: dir, Threads: threads, Inputs: in}, 20)
		s := mustRun(t, sc, Options{Dir: dir, Threads: threads, Inputs: in, Resume: true})
		if s.StateHash != want.Hash || s.Steps != 50 {
			t.Errorf("%d threads: %d steps to %s, want 50 to %s", threads, s.Steps, s.StateHash, want.Hash)
		}
	}
}

// A run that does not repeat the session says so, and a checkpoint of other inputs is not continued.
func TestOtherSessionsAreNotRepeated(t *testing.T) {
	in, dir := sessionOf(t, 50), t.TempDir()
	in.List[0].Set.Value = 0.1001
	sc := load(t, steered)
	if err := Replay(sc, in); err != nil {
		t.Fatal(err)
	}
	interrupt(t, sc, Options{Dir: dir, Inputs: in}, 20)
	if s, err := Run(context.Background(), sc, Options{Dir: t.TempDir(), Inputs: in}); !errors.Is(err, ErrReplay) || s == nil {
		t.Errorf("another value: %v", err)
	}
	if _, err := Run(context.Background(), load(t, steered), Options{Dir: dir, Resume: true}); err == nil || !strings.Contains(err.Error(), "another scene") {
		t.Errorf("a checkpoint of other inputs: %v", err)
	}
	in.List[0].Set.Name = "lit"
	if _, err := Run(context.Background(), sc, Options{Dir: t.TempDir(), Inputs: in}); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), `before step 4: input: no live value is called "lit"`) {
		t.Errorf("an input of another scene: %v", err)
	}
	if err := Replay(load(t, steered, "time.step=0.004"), in); !errors.Is(err, ErrReplay) {
		t.Errorf("another step: %v", err)
	}
}

// Files of inputs have at most the steps of scenes: more would be a run without an end.
func TestInputsHaveTheStepsOfScenes(t *testing.T) {
	for _, steps := range []int{scene.MaxSteps + 1, math.MaxInt32, math.MaxInt64} {
		sc := load(t, steered)
		before := sc.File.Time.Duration
		if err := Replay(sc, &record.Inputs{TimeStep: 0.005, Steps: steps, Hash: "a hash"}); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), "at most 1e+09") {
			t.Errorf("%d steps: %v", steps, err)
		}
		if sc.File.Time.Duration != before {
			t.Errorf("the run takes %g s", sc.File.Time.Duration)
		}
	}
	sc := load(t, steered)
	if err := Replay(sc, &record.Inputs{TimeStep: 0.005, Steps: scene.MaxSteps, Hash: "a hash"}); err != nil {
		t.Error(err)
	}
}
