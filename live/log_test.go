package live

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// content reads a file.
func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever comes and is forgotten, the log has at all times the bytes of a file of the inputs before the present step,
// and at the end those of all of them: a session that is killed leaves what it did.
func TestLogsAreFilesOfInputsAtAllTimes(t *testing.T) {
	const seed = 20261129
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		dir := t.TempDir()
		path, want := filepath.Join(dir, "log"), filepath.Join(dir, "want")
		// what was there before is longer than what comes
		if err := os.WriteFile(path, []byte(strings.Repeat("old\n", 10_000)), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := openLog(path, 0.005, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, step, now := record.Inputs{TimeStep: 0.005}, 0, time.Now()
		same := func(n int) {
			t.Helper()
			part := in
			part.List = in.List[:n]
			if err := part.Write(want); err != nil {
				t.Fatal(err)
			}
			if got := content(t, path); got != content(t, want) {
				t.Fatalf("seed %d: the log is\n%s\nwant\n%s", seed, got, content(t, want))
			}
		}
		same(0)
		for range 60 {
			switch r.IntN(4) {
			case 0:
				step += r.IntN(3)
			case 1:
				// names of any length, some of which JSON escapes
				name := strings.Repeat(string(rune('a'+r.IntN(26)))+`"`, r.IntN(20))
				in.List = append(in.List, record.Input{Step: step, OperatorInput: sim.OperatorInput{Set: &sim.ValueInput{Name: name, Value: r.NormFloat64()}}})
			case 2:
				now = now.Add(2 * logPeriod)
				l.flush(now, in.List, step)
				n := len(in.List)
				for n > 0 && in.List[n-1].Step >= step {
					n--
				}
				same(n)
			case 3:
				if r.IntN(3) > 0 {
					continue
				}
				n := r.IntN(len(in.List) + 1)
				if n < len(in.List) {
					step = in.List[n].Step
				}
				for n > 0 && in.List[n-1].Step >= step {
					n--
				}
				in.List = in.List[:n]
				l.rewind(n)
			}
		}
		in.Steps, in.Hash = step+1, "a hash"
		if err := l.finish(&in); err != nil {
			t.Fatal(err)
		}
		same(len(in.List))
	}
}

// A log belongs to one session: another one is refused and leaves it as it is, until the first has ended.
func TestLogsBelongToOneSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, bench, Options{Threads: 1, Speed: 0, InputsLog: path})
	p := join(t, s)
	p.say(`{"input": {"set": {"name": "height", "value": 0.3}}}`)
	for began := time.Now(); !strings.Contains(content(t, path), `"height"`); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the input is not in the log")
		}
	}
	p.say(`{"do": "pause"}`)
	p.until("the pause", func(s *Snapshot) bool { return s.Status.Paused })
	before := content(t, path)
	if _, err := NewSession(load(t, bench), Options{Threads: 1, InputsLog: path}); err == nil || !strings.Contains(err.Error(), "another session") {
		t.Errorf("a second session in the same log: %v", err)
	}
	if after := content(t, path); after != before {
		t.Errorf("the log is\n%s\nand was\n%s", after, before)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if in, err := record.ReadInputs(path); err != nil || len(in.List) != 1 || in.Hash == "" {
		t.Errorf("%+v, %v", in, err)
	}
	next, err := NewSession(load(t, bench), Options{Threads: 1, InputsLog: path})
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	next.past.log.close()
	next.stepper.Close()
}

// A session takes as many steps as a scene may have, so that its inputs can be repeated; then it can go back.
func TestSessionsEndWithTheStepsOfScenes(t *testing.T) {
	sc := load(t, bench)
	sc.Model.Start.Step = scene.MaxSteps - 2
	sc.Model.Start.Time = float64(sc.Model.Start.Step) * sc.File.Time.Step
	s, err := NewSession(sc, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.stepper.Close()
	for range 4 {
		s.step()
	}
	if s.x.Step != scene.MaxSteps || !strings.Contains(s.status.Failure, "1000000000 steps") || !s.status.Paused {
		t.Errorf("step %d, %+v", s.x.Step, s.status)
	}
	s.begin(s.past.back(0))
	if s.status.Failure != "" {
		t.Error(s.status.Failure)
	}
}
