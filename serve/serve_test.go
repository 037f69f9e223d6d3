package serve

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// runOf runs the scene of the tests and returns its folder and the hash of its last state.
func runOf(t *testing.T) (dir, hash string) {
	t.Helper()
	sc, err := scene.Load(sceneFile(t, testScene), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	s, err := run.Run(context.Background(), sc, run.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dir, s.StateHash
}

// A session that takes the steps of a run ends with its bits, has its signals, and its recording is that of the run.
func TestSessionsAreRuns(t *testing.T) {
	dir, hash := runOf(t)
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	s := map[string]any{"sim": c.loadTest()}
	out := filepath.Join(t.TempDir(), "out")
	c.ok("record", map[string]any{"sim": s["sim"], "dir": out})
	for k := range 20 {
		at := c.ok("step", s).(map[string]any)
		if want := table.Data[0][k+1]; math.Abs(at["time"].(float64)-want) > 1e-12 || at["steps"] != int64(k+1) {
			t.Errorf("step %d: %v, time of the run %g", k, at, want)
		}
		values := c.ok("signals", s).(array).floats
		for i, x := range values {
			// tables are rounded to some digits
			if want := table.Data[i+1][k+1]; math.Abs(x-want) > 1e-5*math.Max(1, math.Abs(want)) {
				t.Errorf("step %d: %s is %g, in the run %g", k, table.Columns[i+1], x, want)
			}
		}
	}
	if got := c.ok("state", map[string]any{"sim": s["sim"], "hash": true}).(map[string]any)["hash"]; got != hash {
		t.Errorf("hash of the session %v, of the run %s", got, hash)
	}
	end := c.ok("end_record", s).(map[string]any)
	if end["state_hash"] != hash {
		t.Errorf("hash of the recording %v, of the run %s", end["state_hash"], hash)
	}
	for _, name := range []string{record.SignalsFile, "recording.curl"} {
		have, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s differs from that of the run", name)
		}
	}
}

// A state that a client has kept continues with the same bits, in any session of the scene: under all rules of
// integration, with friction of the step before, and with steps that control their error.
func TestStatesComeBackWithTheirBits(t *testing.T) {
	for _, times := range []string{
		"time: {step: 0.01, duration: 0.2}", "time: {step: 0.01, duration: 0.2, rule: midpoint}", "time: {accuracy: 1e-3, max_step: 0.01, duration: 0.2}",
	} {
		for _, lag := range []string{"geometry", "previous"} {
			t.Run(times+" "+lag, func(t *testing.T) {
				text := strings.Replace(testScene, "time: {step: 0.01, duration: 0.2}", times, 1)
				statesComeBack(t, strings.Replace(text, "friction_lag: geometry", "friction_lag: "+lag, 1))
			})
		}
	}
}

func statesComeBack(t *testing.T, text string) {
	c := connect(t)
	path := sceneFile(t, text)
	load := func() int64 { return c.ok("load", map[string]any{"path": path}).(map[string]any)["sim"].(int64) }
	first, second := load(), load()
	for _, s := range []int64{first, second} { // a drive that is commanded, before the memory of signals is known
		c.ok("command", map[string]any{"sim": s, "drive": "turn", "target": 0.4})
	}
	c.ok("step", map[string]any{"sim": first, "n": 12})
	state := c.ok("state", map[string]any{"sim": first}).(map[string]any)
	c.ok("step", map[string]any{"sim": first, "n": 8})
	want := c.ok("state", map[string]any{"sim": first, "hash": true}).(map[string]any)["hash"]
	signals := c.ok("signals", map[string]any{"sim": first}).(array)
	for _, s := range []int64{first, second} {
		back := map[string]any{"sim": s}
		for k, v := range state {
			back[k] = v
		}
		c.ok("restore", back)
		c.ok("step", map[string]any{"sim": s, "n": 8})
		if got := c.ok("state", map[string]any{"sim": s, "hash": true}).(map[string]any)["hash"]; got != want {
			t.Errorf("session %d: hash %v after the restored state, %v before", s, got, want)
		}
		if got := c.ok("signals", map[string]any{"sim": s}).(array); !slices.Equal(got.floats, signals.floats) {
			t.Errorf("session %d: signals %v, before %v", s, got.floats, signals.floats)
		}
	}
	// damaged, or of another scene
	memory := slices.Clone(state["memory"].([]byte))
	memory[len(memory)-1] ^= 1
	if kind, text := c.fails("restore", map[string]any{"sim": first, "memory": memory}); kind != "request" || !strings.Contains(text, "damaged") {
		t.Errorf("a damaged memory: %s: %s", kind, text)
	}
	if _, text := c.fails("restore", map[string]any{"sim": first, "q": vector([]float64{1, 2})}); !strings.Contains(text, "shape [2]") {
		t.Errorf("a short q: %s", text)
	}
	q := slices.Clone(state["q"].(array).floats)
	q[0] = math.NaN()
	if _, text := c.fails("restore", map[string]any{"sim": first, "q": vector(q)}); !strings.Contains(text, "finite") {
		t.Errorf("NaN in q: %s", text)
	}
}

// States of a vector have the bits of sessions, whatever their number, and values that are drawn are those of the seed.
func TestVectorsAreSessions(t *testing.T) {
	c := connect(t)
	path := sceneFile(t, testScene)
	const n, mass = 5, "bodies.ball.pose.xyz.2"
	for _, randomize := range []string{"", `{"values": {"` + mass + `": {"uniform": [0.2, 0.3]}}}`} {
		v := c.ok("vector", map[string]any{"path": path, "n": n, "actions": []string{"turn"}, "as": []string{""}, "randomize": randomize}).(map[string]any)["vector"]
		seeds := []any{7, 8, 9, 10, 11}
		c.ok("vector_reset", map[string]any{"vector": v, "seeds": seeds})
		var all []float64
		for k := range 4 {
			actions := array{dims: []int{n, 1}}
			for i := range n {
				actions.floats = append(actions.floats, 0.1*float64(i)-0.05*float64(k))
			}
			answer := c.ok("vector_step", map[string]any{"vector": v, "actions": actions, "substeps": 5}).(map[string]any)
			if failed, _ := answer["failed"].([]any); len(failed) > 0 {
				t.Fatalf("failed: %v", answer["errors"])
			}
			all = answer["observations"].(array).floats
		}
		for i := range n {
			load := map[string]any{"path": path, "randomize": randomize}
			s := map[string]any{"sim": c.ok("load", load).(map[string]any)["sim"]}
			c.ok("reset", map[string]any{"sim": s["sim"], "seed": seeds[i]})
			for k := range 4 {
				c.ok("command", map[string]any{"sim": s["sim"], "drive": "turn", "target": 0.1*float64(i) - 0.05*float64(k)})
				c.ok("step", map[string]any{"sim": s["sim"], "n": 5})
			}
			if want := c.ok("signals", s).(array).floats; !slices.Equal(all[4*i:4*i+4], want) {
				t.Errorf("randomize %q, state %d: signals %v, of a session %v", randomize, i, all[4*i:4*i+4], want)
			}
		}
		c.ok("vector_close", map[string]any{"vector": v})
	}
}

// What a client asks for wrongly is refused with words that say what is wrong, and nothing is lost.
func TestFaultsOfRequests(t *testing.T) {
	c := connect(t)
	s := c.loadTest()
	path := sceneFile(t, testScene)
	faulty := sceneFile(t, "time: {step: -1, duration: 1}\nbodies: {a: {mass: -1}}\n")
	c.ok("step", map[string]any{"sim": s, "n": 3})
	before := c.ok("state", map[string]any{"sim": s, "hash": true}).(map[string]any)["hash"]
	for _, f := range []struct {
		do, kind, want string
		arguments      map[string]any
	}{
		{"stepp", "request", `did you mean "step"`, nil},
		{"step", "request", "there is no session 99", map[string]any{"sim": 99}},
		{"step", "request", "n is -1", map[string]any{"sim": s, "n": -1}},
		{"step", "request", "a whole number is expected", map[string]any{"sim": s, "n": "two"}},
		{"step", "request", `no argument is called "count"`, map[string]any{"sim": s, "count": 2}},
		{"vertices", "request", `did you mean "pad"`, map[string]any{"sim": s, "name": "pat"}},
		{"command", "request", `did you mean "turn"`, map[string]any{"sim": s, "drive": "trun", "target": 1}},
		{"command", "request", "must be finite", map[string]any{"sim": s, "drive": "turn", "target": math.NaN()}},
		{"command", "request", "give the target as well", map[string]any{"sim": s, "drive": "turn", "velocity": 1}},
		{"set_value", "request", "live value", map[string]any{"sim": s, "name": "x", "value": 1}},
		{"jacobian", "request", `drive`, map[string]any{"sim": s, "drives": []string{"nothing"}}},
		{"jacobian", "request", "shape [2]", map[string]any{"sim": s, "drives": []string{"turn"}, "inputs": vector([]float64{1, 2})}},
		{"gradient", "input", `no signal "hight"`, map[string]any{"sim": s, "of": "hight@last", "by": []string{"bodies.ball.mass"}}},
		{"gradient", "request", "by paths", map[string]any{"sim": s, "of": "height@last"}},
		{"render", "request", "vonmises", map[string]any{"sim": s, "field": "vonmises"}},
		{"end_record", "request", "no recording", map[string]any{"sim": s}},
		{"load", "input", "gone.yaml", map[string]any{"path": filepath.Join(t.TempDir(), "gone.yaml")}},
		{"load", "input", "bodies.a: its mass", map[string]any{"path": faulty}},
		{"load", "input", "--set bodies.bal.mass=1", map[string]any{"path": path, "set": []string{"bodies.bal.mass=1"}}},
		{"load", "request", "the second bound", map[string]any{"path": path, "randomize": `{"values": {"bodies.ball.mass": {"uniform": [2, 1]}}}`}},
		{"load", "request", "bodies.bal.mass", map[string]any{"path": path, "randomize": `{"values": {"bodies.bal.mass": {"uniform": [1, 2]}}}`}},
		{"vector", "request", "takes no control", map[string]any{"path": path, "n": 2, "actions": []string{"turn"}, "as": []string{"control"}}},
		{"vector", "request", "n is 0", map[string]any{"path": path, "n": 0}},
		{"read", "input", "", map[string]any{"dir": t.TempDir()}},
	} {
		kind, text := c.fails(f.do, f.arguments)
		if kind != f.kind || !strings.Contains(text, f.want) {
			t.Errorf("%s %v: %s: %s; want %s: %s", f.do, f.arguments, kind, text, f.kind, f.want)
		}
	}
	if after := c.ok("state", map[string]any{"sim": s, "hash": true}).(map[string]any)["hash"]; after != before {
		t.Errorf("the state changed by requests that were refused: %v, %v", before, after)
	}
	e := c.call("load", map[string]any{"path": faulty})["error"].(map[string]any)
	faults, _ := e["faults"].([]any)
	if len(faults) < 2 || faults[0].(map[string]any)["line"] != int64(1) || faults[1].(map[string]any)["file"] != faulty {
		t.Errorf("faults with their places: %v", faults)
	}
	v := c.ok("vector", map[string]any{"path": path, "n": 2, "actions": []string{"turn"}, "as": []string{"effort"}}).(map[string]any)["vector"]
	for _, f := range []struct {
		want    string
		actions any
	}{
		{"[2 1]", array{dims: []int{2, 2}, floats: make([]float64, 4)}},
		{"finite", array{dims: []int{2, 1}, floats: []float64{0, math.Inf(1)}}},
		{"missing", nil},
	} {
		if _, text := c.fails("vector_step", map[string]any{"vector": v, "actions": f.actions}); !strings.Contains(text, f.want) {
			t.Errorf("actions %v: %s, want %s", f.actions, text, f.want)
		}
	}
}

// An interrupt ends the request at hand and leaves the session where its last step ended.
func TestInterruptsEndRequestsAndLeaveTheSession(t *testing.T) {
	c := connect(t)
	s := c.loadTest()
	v := c.ok("vector", map[string]any{"path": sceneFile(t, testScene), "n": 3}).(map[string]any)["vector"]
	for _, r := range []map[string]any{
		{"do": "step", "sim": s, "n": 100_000_000},
		{"do": "vector_step", "vector": v, "substeps": 100_000_000},
	} {
		c.id++
		r["id"] = c.id
		c.send(r)
		time.Sleep(30 * time.Millisecond)
		began := time.Now()
		c.send(map[string]any{"id": c.id, "do": "interrupt"})
		answer := c.receive()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: the interrupt took %v", r["do"], took)
		}
		if e, _ := answer["error"].(map[string]any); answer["id"] != c.id || e["kind"] != "interrupted" {
			t.Errorf("%s: answer %v", r["do"], answer)
		}
	}
	// an interrupt of what is done has no effect
	c.send(map[string]any{"id": c.id, "do": "interrupt"})
	if at := c.ok("step", map[string]any{"sim": s}).(map[string]any); at["steps"].(int64) < 2 {
		t.Errorf("after the interrupt: %v", at)
	}
	states := c.ok("vector_states", map[string]any{"vector": v}).([]any)
	for i := range states {
		if at := states[i].(map[string]any)["steps"]; at != int64(0) {
			t.Errorf("state %d is at step %v after an action that was interrupted: 0 before it", i, at)
		}
	}
	c.ok("vector_step", map[string]any{"vector": v})
}

// A client that is gone leaves no server.
func TestServersEndWithTheirClients(t *testing.T) {
	for _, after := range []map[string]any{nil, {"do": "step", "n": 1_000_000_000}} {
		c := connect(t)
		if after != nil {
			c.id++
			after["id"], after["sim"] = c.id, c.loadTest()
			c.send(after)
			time.Sleep(20 * time.Millisecond)
		}
		_ = c.in.Close()
		go func() { _, _ = io.Copy(io.Discard, c.out) }()
		if err := c.ends(); err != nil {
			t.Errorf("after %v: %v", after, err)
		}
	}
}

// What is no frame ends the connection with words for it.
func TestFramesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xff\xff\xff":                    "no frame of this protocol",
		"\x05\x00":                            "within the length",
		"\x05\x00\x00\x00\x01\x02":            "cut short: 2 bytes came of 5",
		string(raw("")):                       "cut short",
		string(raw("\xc1")):                   "no MessagePack value",
		string(raw("\x01\x02")):               "1 bytes follow",
		string(raw("\x80")):                   "keys id",
		string(raw("\xdf\xff\xff\xff\xff")):   "cut short",
		string(raw("\xdd\xff\xff\xff\xff")):   "cut short",
		string(raw("\x81\x01\x02")):           "keys of maps are texts",
		string(raw("\x82\xa1a\x01\xa1a\x01")): "twice",
		string(raw("\xd4\x0a\x00")):           "0 bytes of numbers, not 8",
		string(raw("\xc7\x09\x0a\x02\xff\xff\xff\xff\xff\xff\xff\xff")): "dimensions",
		string(raw(strings.Repeat("\x91", 40))):                         "nested",
	} {
		c := connect(t)
		go func() {
			_, _ = c.in.Write([]byte(text))
			_ = c.in.Close()
		}()
		answer := c.receive()
		e, _ := answer["error"].(map[string]any)
		said, _ := e["text"].(string)
		if e["kind"] != "protocol" || !strings.Contains(said, want) {
			t.Errorf("%q: %v, want %s", text, answer, want)
		}
		if err := c.ends(); err == nil {
			t.Errorf("%q: the server ended without an error", text)
		}
	}
}
