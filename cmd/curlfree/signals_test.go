//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binary builds the program once for all tests that start it.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "curlfree-binary-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "curlfree")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// cube is a scene of a soft cube with a number of cells a side.
func cube(cells int, elements, more string) string {
	return fmt.Sprintf(`
time: {step: 0.01, duration: 1000}
materials: {default: {youngs_modulus: 1e6, poissons_ratio: 0.3, density: 500}}
meshes: {b: {box: {size: [0.1, 0.1, 0.1], cells: [%d, %d, %d]}}}
deformables: {b: {mesh: b, elements: %s, attach: [{body: world, where: {x_max: -0.05}}]}}
signals: {z: {body: b, point: [0.05, 0, 0], position: z}}
%s`, cells, cells, cells, elements, more)
}

// longCart is a run of ten million steps.
const longCart = `
time: {step: 1e-4, duration: 1000}
gravity: [0, 0, 0]
bodies: {cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}}
drives: {pull: {joint: cart, feed_forward: 3}}
signals: {x: {body: cart, position: x}}
output: {rate: 1, table_rate: 1}
`

// Every command ends within two seconds of Ctrl-C, SIGTERM or SIGHUP, whatever it does: with the exit code of the
// signal, without temporary files, and with what a later run needs. The bound here is for machines with other work;
// what runs takes longer in every case.
func TestSignalsEndEveryCommand(t *testing.T) { signalsEnd(t, "") }

// So it is under a limit of memory, where the program runs as a child of itself.
func TestSignalsUnderALimitEndEveryCommand(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("CURLFREE_LONG=1 runs it: it takes some 20 s")
	}
	signalsEnd(t, "ulimit -v 30000000; ")
}

// signalsEnd sends signals to commands that a shell runs after some words.
func signalsEnd(t *testing.T, words string) {
	const bound = 10 * time.Second
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"huge.yaml":  cube(48, "hex12", ""),
		"large.yaml": cube(24, "hex12", ""),
		"rest.yaml":  strings.Replace(cube(9, "tet10", ""), "duration: 1000", "duration: 1000, equilibrium: true", 1),
		"cart.yaml":  longCart,
		"short.yaml": strings.NewReplacer("1e-4", "0.1", "1000", "1").Replace(longCart),
		"study.yaml": "scene: cart.yaml\ncases: {bodies.cart.mass: [1, 2, 3]}\n",
		"find.yaml":  "scene: short.yaml\nset: {time.step: '1e-4', time.duration: '10'}\nunknowns: {m: {path: bodies.cart.mass, start: 4}}\nloss: {place: {signal: x, target: [2e3]}}\n",
		"fine.yaml":  strings.NewReplacer("duration: 1000", "duration: 100", "1e-4", "1e-5").Replace(longCart),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"mesh make spur -o DIR/gear.stl", "run DIR/short.yaml -o DIR/done --no-picture"} {
		if out, err := exec.Command(bin, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	for _, c := range []struct {
		name, line string
		going      string        // pattern of a file that exists once the command is at work; empty: after a moment
		more       time.Duration // after that
		signal     syscall.Signal
		leaves     string // file that is there at the end
	}{
		{"loading", "run DIR/huge.yaml -o DIR/o1", "", 800 * time.Millisecond, syscall.SIGINT, ""},
		{"check", "check DIR/huge.yaml --json", "", 800 * time.Millisecond, syscall.SIGTERM, ""},
		{"live, loading", "live DIR/huge.yaml", "", 800 * time.Millisecond, syscall.SIGHUP, ""},
		{"factorization", "run DIR/large.yaml -o DIR/o2", "DIR/o2/recording.curl.partial", time.Second, syscall.SIGTERM, "DIR/o2/checkpoint.json"},
		{"rest", "run DIR/rest.yaml -o DIR/o3", "DIR/o3/recording.curl.partial", 500 * time.Millisecond, syscall.SIGHUP, "DIR/o3/checkpoint.json"},
		{"steps", "run DIR/cart.yaml -o DIR/o4 --json", "DIR/o4/recording.curl.partial", 200 * time.Millisecond, syscall.SIGINT, "DIR/o4/checkpoint.json"},
		{"study", "study DIR/study.yaml -o DIR/o5 --jobs 2", "DIR/o5/cases", 500 * time.Millisecond, syscall.SIGTERM, ""},
		{"modes", "modes DIR/large.yaml -o DIR/o6", "", 2 * time.Second, syscall.SIGINT, ""},
		{"tetrahedra", "mesh tet DIR/gear.stl -o DIR/gear.vtk --vertices 190000", "", time.Second, syscall.SIGTERM, ""},
		{"film", "render DIR/done --gif --rate 3000 -o DIR/o7", "DIR/o7", time.Second, syscall.SIGINT, ""},
		{"picture", "render DIR/done --size 8000x8000 --quality final --max-cover 1e9 -o DIR/o8", "DIR/o8", time.Second, syscall.SIGTERM, ""},
		{"gradient", "gradient DIR/fine.yaml --of x@last --by bodies.cart.mass", "", time.Second, syscall.SIGINT, ""},
		{"optimize", "optimize DIR/find.yaml -o DIR/found.json", "", time.Second, syscall.SIGTERM, ""},
		{"bench, loading", "bench box-stack-1000 -o DIR/bench.json", "TEMP/curlfree-bench-*/*", 0, syscall.SIGTERM, ""},
		{"bench", "bench box-stack-1000 --repeat 1000 -o DIR/bench.json", "", time.Second, syscall.SIGHUP, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			at := func(s string) string { return strings.NewReplacer("DIR", dir, "TEMP", temp).Replace(s) }
			cmd := exec.Command("sh", append([]string{"-c", words + `exec "$0" "$@"`, bin}, strings.Fields(at(c.line))...)...)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for begin := time.Now(); c.going != "" && time.Since(begin) < 2*time.Minute; time.Sleep(10 * time.Millisecond) {
				if found, _ := filepath.Glob(at(c.going)); len(found) > 0 {
					break
				}
			}
			select {
			case err := <-ended:
				t.Fatalf("ended before the signal: %v\n%s%s", err, &out, &errs)
			case <-time.After(c.more):
			}
			begin := time.Now()
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(bound):
				_ = cmd.Process.Kill()
				t.Fatalf("goes on %v after the signal\n%s%s", bound, &out, &errs)
			}
			t.Logf("ended after %v: %s", time.Since(begin).Round(time.Millisecond), strings.TrimSpace(errs.String()))
			if code := cmd.ProcessState.ExitCode(); code != 128+int(c.signal) {
				t.Errorf("exit code %d, want %d\n%s%s", code, 128+int(c.signal), &out, &errs)
			}
			if strings.Contains(c.line, "--json") {
				var said failure
				if err := json.Unmarshal(out.Bytes(), &said); err != nil || said.ExitCode != 128+int(c.signal) {
					t.Errorf("%v: %s", err, &out)
				}
			}
			if c.leaves != "" {
				if _, err := os.Stat(at(c.leaves)); err != nil {
					t.Error(err)
				}
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("temporary files: %v", left)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
				t.Errorf("temporary files: %v", left)
			}
		})
	}
}

// A second signal ends a command that does not end: one that waits for a reader of its output, say.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cart.yaml"), []byte(longCart), 0o666); err != nil {
		t.Fatal(err)
	}
	// the message of the first signal goes to a pipe that is full
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_ = w.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	for junk := make([]byte, 1<<12); err == nil; {
		_, err = w.Write(junk)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Skip("pipes cannot be filled:", err)
	}
	_ = w.SetWriteDeadline(time.Time{})
	cmd := exec.Command(bin, "run", filepath.Join(dir, "cart.yaml"), "-o", filepath.Join(dir, "out"))
	cmd.Stderr = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "out", "recording.curl.partial")); err == nil {
			break
		}
	}
	begin := time.Now()
	for range 2 {
		_ = cmd.Process.Signal(syscall.SIGINT)
		time.Sleep(300 * time.Millisecond)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(8 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("continues")
	}
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d after %v", code, time.Since(begin))
	}
}

// Signals that were ignored when the program began, as by nohup, do not end it.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	scene := filepath.Join(dir, "cart.yaml")
	if err := os.WriteFile(scene, []byte(strings.Replace(longCart, "1000", "3", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `trap "" HUP; exec "$0" run "$1" -o "$2" --no-picture`, bin, scene, filepath.Join(dir, "out"))
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for n := 0; ; n++ {
		select {
		case err := <-ended:
			if err != nil || n == 0 {
				t.Errorf("%v after %d signals", err, n)
			}
			return
		case <-time.After(50 * time.Millisecond):
			_ = cmd.Process.Signal(syscall.SIGHUP)
		}
	}
}

// The estimate of memory is the largest resident memory of a run, within a factor of 1.5, for scenes of different
// kinds.
func TestMemoryIsThatOfARun(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rest.yaml": strings.Replace(cube(8, "tet10", ""), "duration: 1000", "duration: 0.01, equilibrium: true", 1),
		"hex.yaml":  strings.Replace(cube(18, "hex12", ""), "duration: 1000", "duration: 0.01", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	examples := filepath.Join("..", "..", "examples")
	for _, c := range []struct {
		scene    string
		duration string
	}{
		{filepath.Join(examples, "clutter", "scene.yaml"), "0.05"},
		{filepath.Join(examples, "finray-grasp", "scene.yaml"), "0.02"},
		{filepath.Join(examples, "spur-pair", "scene.yaml"), "0.01"},
		{filepath.Join(dir, "rest.yaml"), "0.01"},
		{filepath.Join(dir, "hex.yaml"), "0.01"},
	} {
		var told struct {
			Cost struct {
				Memory float64 `json:"memory_bytes"`
			} `json:"cost"`
		}
		out, err := exec.Command(bin, "check", c.scene, "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &told)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bin, "run", c.scene, "--set", "time.duration="+c.duration, "-o", filepath.Join(dir, "out"))
		took := peakMemory(t, cmd)
		t.Logf("%s: %.3g MB, estimated %.3g", c.scene, took/1e6, told.Cost.Memory/1e6)
		if r := told.Cost.Memory / took; r > 1.5 || r < 1/1.5 {
			t.Errorf("%s: %.3g MB, estimated %.3g", c.scene, took/1e6, told.Cost.Memory/1e6)
		}
	}
}

// peakMemory runs a command and returns the largest resident memory of its program, bytes. That of its resource usage
// has the peak of this process, too, from which it was forked.
func peakMemory(t *testing.T, cmd *exec.Cmd) (peak float64) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // expectations are those of the whole run
		close(ended)
	}()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kB float64
			if _, err := fmt.Sscan(rest, &kB); err == nil {
				peak = max(peak, 1024*kB)
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// A scene that needs more memory than a limit leaves is refused in a line, before the work.
func TestScenesBeyondTheMemoryAreRefused(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"cells.yaml": cube(50, "hex12", ""), "factor.yaml": cube(16, "hex12", "")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		scene string
		limit int // kB
		want  string
	}{
		{"cells.yaml", 1_500_000, "[50 50 50] cells: this takes about 2.12 GB more memory"},
		{"factor.yaml", 1_640_000, "limit of address space"}, // before the factor, or while loading
	} {
		for _, command := range []string{"check", "run"} {
			cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d && exec %s %s %s", c.limit, bin, command, filepath.Join(dir, c.scene)))
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != exitInput || !strings.Contains(string(out), c.want) || !strings.Contains(string(out), "ulimit -v") || strings.Contains(string(out), "goroutine") {
				t.Errorf("%s %s: %v\n%.2000s", command, c.scene, err, out)
			}
		}
	}
}
