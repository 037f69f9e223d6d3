package main

import (
	"context"
	"errors"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
)

// The part of 0.6 kg slips below 5.886 N, by friction of 0.5 at two jaws. The gripper finds a force little above, and
// lifts the part by as much as the lift rises after that.
func TestTheGripperLiftsWhatItHasNeverWeighed(t *testing.T) {
	dir := t.TempDir()
	whole, err := simulate(t.Context(), "scene.yaml", run.Options{Dir: dir, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := func(column string) float64 { x := signals.Column(column); return x[len(x)-1] }
	if grip := last("grip_N"); !(grip > 5.886 && grip < 8) {
		t.Errorf("grips with %g N", grip)
	}
	if rise := last("part_z") - 0.06; !(rise > 0.11 && rise < 0.12) {
		t.Errorf("the part rises by %g m", rise)
	}
	// a run that was interrupted continues with the memory of the controller, to the same bits
	opt := run.Options{Dir: t.TempDir(), Threads: 2}
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	opt.Progress = func(float64, float64) {
		if steps++; steps == 70 {
			cancel()
		}
	}
	if _, err := simulate(ctx, "scene.yaml", opt); !errors.Is(err, run.ErrInterrupted) {
		t.Fatalf("got %v, want an interruption", err)
	}
	opt.Progress, opt.Resume = nil, true
	resumed, err := simulate(t.Context(), "scene.yaml", opt)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.StateHash != whole.StateHash {
		t.Errorf("hash %s, resumed %s", whole.StateHash, resumed.StateHash)
	}
}
