package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/web"
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

// A live run prints where it listens, answers there with the page, to other names with 403, ends with its context, and
// leaves inputs that curlfree run repeats.
func TestLiveRunsServeUntilInterrupted(t *testing.T) {
	scene := liveScene(t)
	inputs := filepath.Join(t.TempDir(), record.InputsFile)
	where, end := served(t, "live", scene, "--json", "--speed", "0", "--inputs-log", inputs)
	if !strings.HasPrefix(where.URL, "http://127.0.0.1:") {
		t.Errorf("it listens at %s", where.URL)
	}
	bare, _, _ := strings.Cut(where.URL, "?token=")
	for _, c := range []struct {
		address, host string
		want          int
	}{{where.URL, "", http.StatusOK}, {where.URL, "evil.example", http.StatusForbidden}, {bare, "", http.StatusForbidden}} {
		r, err := http.NewRequest("GET", c.address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.host != "" {
			r.Host = c.host
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s by the host %q: %s", c.address, c.host, answer.Status)
		}
	}
	time.Sleep(50 * time.Millisecond)
	end()
	var out bytes.Buffer
	if code := newApp(&out, &out).execute(t.Context(), []string{"run", scene, "--inputs", inputs, "-o", t.TempDir(), "--no-picture"}); code != exitOK {
		t.Errorf("the inputs are not repeated: code %d: %s", code, &out)
	}
}

// Without a token the address has none, and this machine is answered alone, also where it is named as the one to listen
// at.
func TestLiveRunsWithoutAToken(t *testing.T) {
	for _, args := range [][]string{{}, {"--listen", "127.0.0.1"}, {"--listen", "localhost"}} {
		where, end := served(t, append([]string{"live", liveScene(t), "--json", "--no-token"}, args...)...)
		if strings.Contains(where.URL, "?") {
			t.Errorf("%v: the address is %s", args, where.URL)
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
				t.Errorf("%v, host %q: %s", args, host, answer.Status)
			}
		}
		end()
	}
}

// Both servers of pages end connections that say nothing, or not all that they announced.
func TestServersEndSilence(t *testing.T) {
	t.Parallel()
	for command, of := range map[string]string{"live": liveScene(t), "view": fallingBox(t)} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			where, end := served(t, command, of, "--json")
			u, err := url.Parse(where.URL)
			if err != nil {
				t.Fatal(err)
			}
			var list []net.Conn
			for _, text := range []string{"", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: " + u.Host + "\r\nContent-Length: 9\r\n\r\n", "GET / HTTP/1.1\r\nHost: " + u.Host + "\r\n\r\n"} {
				c, err := net.Dial("tcp", u.Host)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				io.WriteString(c, text)
				list = append(list, c)
			}
			began := time.Now()
			for i, c := range list {
				c.SetReadDeadline(began.Add(web.Patience + 5*time.Second))
				if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("connection %d stays open", i)
				}
			}
			end()
		})
	}
}

// A second run that cannot have the port, or the log, of a first one leaves the log of the first as it is.
func TestASecondLiveRunLeavesTheLogOfTheFirst(t *testing.T) {
	scene := liveScene(t)
	inputs := filepath.Join(t.TempDir(), record.InputsFile)
	where, end := served(t, "live", scene, "--json", "--speed", "0", "--inputs-log", inputs)
	u, err := url.Parse(where.URL)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(inputs)
	if err != nil {
		t.Fatal(err)
	}
	// of an earlier session, which a run without a port must not empty either
	old := filepath.Join(t.TempDir(), record.InputsFile)
	kept := record.Inputs{TimeStep: 0.01, Steps: 3, Hash: "a hash"}
	if err := kept.Write(old); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"choose another --port":             {"--port", u.Port(), "--inputs-log", inputs},
		"another session writes its inputs": {"--inputs-log", inputs},
		"address already in use":            {"--port", u.Port(), "--inputs-log", old},
	} {
		var out bytes.Buffer
		if code := newApp(&out, &out).execute(t.Context(), append([]string{"live", scene, "--force"}, args...)); code == exitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%v: code %d: %s", args, code, &out)
		}
		if after, err := os.Stat(inputs); err != nil || !os.SameFile(before, after) || after.Size() != before.Size() || after.ModTime() != before.ModTime() {
			t.Errorf("%v: the log was touched: %v", args, err)
		}
	}
	if in, err := record.ReadInputs(old); err != nil || in.Steps != 3 {
		t.Errorf("the log of an earlier session: %+v, %v", in, err)
	}
	time.Sleep(50 * time.Millisecond)
	end()
	if in, err := record.ReadInputs(inputs); err != nil || in.Steps == 0 {
		t.Errorf("the log of the first run: %+v, %v", in, err)
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
		"could steer the run":          {"--no-token", "--listen", "0.0.0.0"},
		"notes.txt":                    {"--inputs-log", foreign},
		"states at rest do not follow": {"--set", "time.equilibrium=true"},
	} {
		var out bytes.Buffer
		if code := newApp(&out, &out).execute(t.Context(), append([]string{"live", scene}, args...)); code == exitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%v: code %d: %s", args, code, &out)
		}
	}
}
