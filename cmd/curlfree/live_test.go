package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
)

// droppedBall is a scene for live runs.
const droppedBall = `
time: {step: 0.01, duration: 1}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.2]}, shapes: [{sphere: {radius: 0.03}}]}
`

// liveScene writes droppedBall and returns its path.
func liveScene(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(droppedBall), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A live run prints where it listens, answers there with the page, to other names with 403, ends with its context, and leaves
// inputs that curlfree run repeats.
func TestLiveRunsServeUntilInterrupted(t *testing.T) {
	scene := liveScene(t)
	inputs := filepath.Join(t.TempDir(), record.InputsFile)
	where, end := served(t, "live", scene, "--json", "--speed", "0", "--inputs-log", inputs)
	if !strings.HasPrefix(where.URL, "http://127.0.0.1:") {
		t.Errorf("it listens at %s", where.URL)
	}
	for host, want := range map[string]int{"": http.StatusOK, "evil.example": http.StatusForbidden} {
		r, err := http.NewRequest("GET", where.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("host %q: %s", host, answer.Status)
		}
	}
	time.Sleep(50 * time.Millisecond)
	end()
	var out bytes.Buffer
	if code := newApp(&out, &out).execute(t.Context(), []string{"run", scene, "--inputs", inputs, "-o", t.TempDir(), "--no-picture"}); code != exitOK {
		t.Errorf("the inputs are not repeated: code %d: %s", code, &out)
	}
}

// What cannot be served is refused before a step is taken.
func TestFaultyLiveRunsAreRefused(t *testing.T) {
	scene := liveScene(t)
	foreign := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"--speed: a speed of -1":       {"--speed", "-1"},
		"--port 70000":                 {"--port", "70000"},
		"--rate 1e+06":                 {"--rate", "1e6"},
		"--threads -1":                 {"--threads", "-1"},
		"notes.txt":                    {"--inputs-log", foreign},
		"states at rest do not follow": {"--set", "time.equilibrium=true"},
	} {
		var out bytes.Buffer
		if code := newApp(&out, &out).execute(t.Context(), append([]string{"live", scene}, args...)); code == exitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%v: code %d: %s", args, code, &out)
		}
	}
}
