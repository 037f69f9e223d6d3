package live

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// bench is a scene with all that an operator can change: a ball, a soft bar, a lift and an arm of one joint.
const bench = `
time: {step: 0.005, duration: 1}
materials:
  rubber: {youngs_modulus: 2e5, poissons_ratio: 0.3, stiffness_damping: 0.01}
meshes: {bar: {box: {size: [0.2, 0.05, 0.05], cells: [4, 1, 1]}}}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.1]}, shapes: [{sphere: {radius: 0.03}}]}
  stage: {pose: {xyz: [1, 0, 0.2]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  arm: {mass: 1, pose: {xyz: [-1, 0, 0.5]}, joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{box: {size: [0.2, 0.02, 0.02]}}]}
deformables: {bar: {mesh: bar, material: rubber, pose: {xyz: [0, 0.3, 0.05]}}}
drives:
  lift: {body: stage, z: {live: {name: height, max: 0.5}}}
  turn: {robot: "", joints: [arm], kp: 200, kd: 10, target: {teleop: arm, follow: rotation}}
signals: {z: {body: ball, position: z}}
`

// load loads a scene from a text.
func load(t testing.TB, text string) *scene.Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sc, err := scene.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// started runs a session of a scene until the test ends or stop is called, which returns the error of Run.
func started(t testing.TB, text string, opt Options) (s *Session, stop func() error) {
	t.Helper()
	s, err := NewSession(load(t, text), opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	var result error
	stopped := false
	stop = func() error {
		if cancel(); !stopped {
			result, stopped = <-ended, true
		}
		return result
	}
	t.Cleanup(func() { stop() })
	return s, stop
}

// person is a viewer of a test.
type person struct {
	*Viewer
	t testing.TB
}

func join(t testing.TB, s *Session) person {
	t.Helper()
	v, err := s.Join()
	if err != nil {
		t.Fatal(err)
	}
	return person{v, t}
}

// say sends a command as a page writes it.
func (p person) say(message string) {
	p.t.Helper()
	c, err := ParseCommand([]byte(message))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.Send(context.Background(), c); err != nil {
		p.t.Fatal(err)
	}
}

// until waits for a snapshot with a property and returns what of it the tests read.
func (p person) until(what string, good func(s *Snapshot) bool) Snapshot {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var last Snapshot
	for {
		s, err := p.Next(ctx)
		if err != nil {
			p.t.Fatalf("%s: %v; the last snapshot has step %d, %+v", what, err, last.Step, last.Status)
		}
		last.Step, last.Status = s.Step, s.Status
		// what is counted in a snapshot belongs to the session
		seen := Snapshot{Step: s.Step, Status: s.Status}
		seen.Frame.Time = s.Frame.Time
		ok := good(s)
		p.Release(s)
		if ok {
			return seen
		}
	}
}

// A session that stands still continues by steps, plays, and goes back to states that it saved.
func TestSessionsStepPlayAndGoBack(t *testing.T) {
	s, _ := started(t, bench, Options{Paused: true, Threads: 1, Speed: 0})
	p := join(t, s)
	p.until("the start", func(s *Snapshot) bool { return s.Step == 0 && s.Status.Paused })
	p.say(`{"do": "step"}`)
	p.until("a step", func(s *Snapshot) bool { return s.Step == 1 && s.Status.Paused })
	p.say(`{"do": "play"}`)
	p.until("two seconds", func(s *Snapshot) bool { return s.Frame.Time > 2.5 && !s.Status.Paused })
	p.say(`{"do": "pause"}`)
	paused := p.until("a pause", func(s *Snapshot) bool { return s.Status.Paused })
	if saved := paused.Status.Saved; len(saved) < 3 || saved[0] != 0 || saved[2] != 2 {
		t.Errorf("saved states at %v", saved)
	}
	p.say(`{"do": "jump", "time": 1.7}`)
	p.until("a jump to the last state before", func(s *Snapshot) bool { return s.Step == 200 && s.Status.Paused })
	p.say(`{"do": "reset"}`)
	p.until("the start", func(s *Snapshot) bool { return s.Step == 0 })
}

// Time of the run follows the clock by the speed.
func TestSessionsKeepPace(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 0.5})
	p := join(t, s)
	from := p.until("the first frame", func(s *Snapshot) bool { return s.Step > 0 })
	began := time.Now()
	to := p.until("half a second", func(s *Snapshot) bool { return s.Frame.Time > from.Frame.Time+0.5 })
	speed := (to.Frame.Time - from.Frame.Time) / time.Since(began).Seconds()
	if speed < 0.35 || speed > 0.55 {
		t.Errorf("%g s in a second, want 0.5", speed)
	}
}

// A session with inputs of two viewers, jumps and a pause leaves a file that curlfree run repeats to the last bit.
func TestSessionsLeaveInputsThatRepeatThem(t *testing.T) {
	t.Run("fixed", func(t *testing.T) { repeats(t, bench) })
	t.Run("controlled", func(t *testing.T) {
		repeats(t, strings.Replace(bench, "step: 0.005", "accuracy: 1e-4, max_step: 0.005", 1))
	})
}

// repeats is a session of a scene, and a run of its inputs.
func repeats(t *testing.T, bench string) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, bench, Options{Threads: 2, Speed: 0, InputsLog: path})
	p, q := join(t, s), join(t, s)
	after := func(n int) {
		last := 0
		p.until("some steps", func(s *Snapshot) bool {
			if last == 0 {
				last = s.Step
			}
			return s.Step >= last+n
		})
	}
	p.say(`{"input": {"set": {"name": "height", "value": 0.3}}}`)
	after(20)
	p.say(`{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`)
	q.say(`{"input": {"drag": {"body": "bar", "vertex": 4, "target": [0, 0.3, 0.2]}}}`)
	after(150)
	q.say(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5]}}}`)
	after(150)
	q.say(`{"do": "jump", "time": 1}`)
	after(100)
	p.say(`{"input": {"drag": {"body": "ball", "target": [0.1, 0, 0.2]}}}`)
	q.say(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, -0.5]}}}`)
	after(50)
	p.say(`{"do": "pause"}`)
	p.say(`{"input": {"drag": {"body": "ball", "target": [0.1, 0, 0.3]}}}`)
	p.say(`{"input": {"drag": {"body": "ball", "target": [0.1, 0.1, 0.3]}}}`)
	p.say(`{"do": "play"}`)
	after(30)
	// what nobody holds any more is an input of the next step
	q.Leave()
	p.say(`{"input": {"drag": {}}}`)
	after(30)
	p.Leave()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	in, err := record.ReadInputs(path)
	if err != nil || len(in.List) < 6 || in.Hash == "" {
		t.Fatalf("%+v, %v", in, err)
	}
	for _, threads := range []int{1, 4} {
		sc := load(t, bench)
		if err := run.Replay(sc, in); err != nil {
			t.Fatal(err)
		}
		sum, err := run.Run(context.Background(), sc, run.Options{Dir: t.TempDir(), Threads: threads, Inputs: in})
		if err != nil || sum.StateHash != in.Hash {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// A viewer that holds the switch and falls silent, or leaves, stops the robot; so does one that drags.
func TestHandsThatFallSilentAreLetGo(t *testing.T) {
	s, stop := started(t, bench, Options{Threads: 1, Speed: 1})
	p, q := join(t, s), join(t, s)
	p.say(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5]}}}`)
	q.say(`{"input": {"teleop": {"drive": "turn", "hold": true}}}`)
	if n := <-q.Notices(); !strings.Contains(n, "somebody else") {
		t.Error(n)
	}
	if n := <-p.Notices(); !strings.Contains(n, "dead-man") {
		t.Error(n)
	}
	// what the first one still says counts only after a release
	p.say(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5]}}}`)
	// now the other one may
	q.say(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5]}}}`)
	p.until("both inputs", func(s *Snapshot) bool { return s.Stats[len(s.Stats)-1] >= 3 })
	select {
	case n := <-q.Notices():
		t.Errorf("the other one may not: %s", n)
	default:
	}
	p.say(`{"input": {"teleop": {"drive": "turn"}}}`)
	p.say(`{"input": {"teleop": {"drive": "turn", "hold": true}}}`)
	if n := <-p.Notices(); !strings.Contains(n, "somebody else") {
		t.Error(n)
	}
	q.say(`{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`)
	q.Leave()
	p.until("both let go", func(s *Snapshot) bool { return s.Stats[len(s.Stats)-1] >= 6 })
	p.Leave()
	stop()
	if left := s.stepper.Releases(s.x); len(left) > 0 {
		t.Errorf("still held: %+v", left)
	}
}

// A client that repeats what it wants holds on; what it repeats is no input. One that falls silent has no hold before
// it let go.
func TestBodiesAreLetGoInSilence(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	p := join(t, s)
	inputs := func() (n int) {
		p.until("a frame", func(s *Snapshot) bool {
			n = int(s.Stats[len(s.Stats)-1])
			return true
		})
		return n
	}
	const drag = `{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`
	held := func(want int) {
		t.Helper()
		p.say(drag)
		p.until("the input", func(s *Snapshot) bool { return int(s.Stats[len(s.Stats)-1]) >= want })
		for range 10 {
			time.Sleep(deadline / 4)
			p.say(drag)
		}
		if n := inputs(); n != want {
			t.Errorf("%d inputs of one drag, want %d", n, want)
		}
	}
	held(1)
	began := time.Now()
	if n := <-p.Notices(); time.Since(began) > deadline+2*time.Second {
		t.Errorf("%q after %v", n, time.Since(began))
	}
	p.until("the release", func(s *Snapshot) bool { return int(s.Stats[len(s.Stats)-1]) == 2 })
	for range 5 {
		p.say(drag)
		time.Sleep(deadline / 4)
	}
	if n := inputs(); n != 2 {
		t.Errorf("a hand that fell silent drags again: %d inputs", n)
	}
	p.say(`{"input": {"drag": {}}}`)
	held(3)
}

// A jump into the midst of a drag and of a command finds both let go.
func TestJumpsLetGo(t *testing.T) {
	s, stop := started(t, bench, Options{Threads: 1, Speed: 0})
	p := join(t, s)
	p.say(`{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`)
	p.until("a saved state", func(s *Snapshot) bool { return len(s.Status.Saved) > 2 })
	p.say(`{"do": "pause"}`)
	p.say(`{"do": "jump", "time": 1}`)
	p.until("the jump", func(s *Snapshot) bool { return s.Step == 200 })
	stop()
	if len(s.stepper.Releases(s.x)) > 0 {
		t.Error("the ball is still dragged")
	}
}

// Frames of changes come at once, and do not take those of the run that follows.
func TestFramesOfChangesCostNoLaterOnes(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1, Paused: true})
	p := join(t, s)
	for range 400 { // 10 s of frames
		p.say(`{"do": "pause"}`)
		p.until("a frame", func(*Snapshot) bool { return true })
	}
	p.say(`{"do": "play"}`)
	began := time.Now()
	p.until("a frame of the run", func(s *Snapshot) bool { return s.Step > 10 })
	if wait := time.Since(began); wait > 5*time.Second {
		t.Errorf("the first frame of the run came after %v", wait)
	}
}

// A step that fails stops the run with its error; the run continues from an earlier state, and not before.
func TestFailuresStopTheRunOnly(t *testing.T) {
	s, _ := started(t, "solver: {max_iterations: 1}"+bench, Options{Threads: 1, Speed: 0})
	p := join(t, s)
	failed := p.until("a failure", func(s *Snapshot) bool { return s.Status.Failure != "" })
	if !failed.Status.Paused {
		t.Error("the run continues")
	}
	p.say(`{"do": "play"}`)
	if n := <-p.Notices(); !strings.Contains(n, "has failed") {
		t.Error(n)
	}
	p.say(`{"do": "reset"}`)
	p.until("the start", func(s *Snapshot) bool { return s.Step == 0 && s.Status.Failure == "" && s.Status.Paused })
	p.Send(context.Background(), Command{Do: "break"})
	if n := <-p.Notices(); !strings.Contains(n, "unknown command") {
		t.Error(n)
	}
}

// A viewer that never reads does not slow the run, and costs no memory: there are at most as many snapshots as viewers
// and two.
func TestSlowViewersSlowNothing(t *testing.T) {
	s, stop := started(t, bench, Options{Threads: 1, Speed: 0, FrameRate: MaxFrameRate})
	slow, fast := join(t, s), join(t, s)
	held, err := slow.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := held.Step
	fast.until("many steps", func(s *Snapshot) bool { return s.Step > 400 })
	if held.Step != before || held.Frame.Time > 0.005*float64(before)+1e-9 {
		t.Error("a snapshot changed while it was read")
	}
	slow.Release(held)
	stop()
	if n := len(s.board.free); n > 4 {
		t.Errorf("%d snapshots", n)
	}
}

// All goroutines of a session end with it.
func TestSessionsLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		s, stop := started(t, bench, Options{Threads: 2, Speed: 0})
		p := join(t, s)
		p.until("a frame", func(s *Snapshot) bool { return s.Step > 3 })
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		p.Leave()
		if err := p.Send(context.Background(), Command{Do: DoPlay}); err != ErrClosed {
			t.Error(err)
		}
		if _, err := s.Join(); err != ErrClosed {
			t.Error(err)
		}
	}
	for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more", n-before)
	}
}
