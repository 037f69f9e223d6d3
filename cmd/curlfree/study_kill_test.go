//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/curlfree/curlfree/study"
)

// 10,000 cases of ten steps: three kills at random times lose no result that was there, the table is
// that of a run without kills, and times and memory are what the manual states: 5 ms of processor
// time for each case beside its steps, 2 s for the status.
func TestTenThousandCasesSurviveKills(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("set CURLFREE_LONG=1: some minutes")
	}
	values := make([]string, 100)
	for k := range values {
		values[k] = fmt.Sprint(1 + float64(k)/100)
	}
	list := strings.Join(values, ", ")
	dir := studyOf(t, "cases: {bodies.ball.mass: ["+list+"], bodies.ball.pose.xyz.2: ["+list+"]}\nmeasures: {drop: {signal: z}}\n")
	bin := filepath.Join(dir, "curlfree")
	build := exec.Command("go", "build", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	say := func(args ...string) (string, *os.ProcessState) {
		cmd := exec.Command(bin, append([]string{"study"}, args...)...)
		out, _ := cmd.Output() // the exit code is the caller's to judge
		return string(out), cmd.ProcessState
	}
	out := filepath.Join(dir, "plan")
	say("plan", filepath.Join(dir, "study.yaml"), "-o", out)
	status := func() (at study.Status) {
		t.Helper()
		begin := time.Now()
		text, _ := say("status", out, "--json")
		if err := json.Unmarshal([]byte(text), &at); err != nil || at.Cases != 10_000 {
			t.Fatalf("%v\n%s", err, text)
		}
		if wall := time.Since(begin); wall > 2*time.Second {
			t.Errorf("status took %v", wall)
		}
		return at
	}
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	before := 0
	for range 3 {
		cmd := exec.Command(bin, "study", "exec", out, "--jobs", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(1e9 * (1 + 5*r.Float64())))
		atKill := status()
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		at := status()
		// two cases at a time: these alone have begun and have no result
		if at.Done < atKill.Done || at.Done <= before || at.Begun > 2 || at.Failed+at.Damaged > 0 {
			t.Errorf("%d done before, %d at the kill, then %+v", before, atKill.Done, at)
		}
		before = at.Done
	}
	text, process := say("exec", out, "--jobs", "2")
	usage := process.SysUsage().(*syscall.Rusage)
	cpu := (process.UserTime() + process.SystemTime()) / time.Duration(10_000-before)
	t.Logf("%d cases left; %v of processor time for each; at most %d MB", 10_000-before, cpu, usage.Maxrss>>10)
	if at := status(); at.Done != 10_000 || !strings.Contains(text, "10000 cases have results, 0") {
		t.Errorf("%+v\n%s", at, text)
	}
	if usage.Maxrss>>10 > 400 {
		t.Errorf("%d MB of memory", usage.Maxrss>>10)
	}
	say("collect", out)
	if table, err := os.ReadFile(filepath.Join(out, study.TableFile)); err != nil || strings.Count(string(table), ",done\n") != 10_000 {
		t.Errorf("the table has %d cases that are done, %v", strings.Count(string(table), ",done\n"), err)
	}
}
