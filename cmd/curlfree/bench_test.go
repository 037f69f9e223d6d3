package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	benchmarks "github.com/curlfree/curlfree/bench"
)

func TestBenchPrintsALineOfJSONForEachScene(t *testing.T) {
	dir := t.TempDir()
	code, out, _ := call(t, dir, "bench tree-panda-like-7 tree-panda-like-7 --repeat 1 --threads 1 --json "+
		"-o DIR/lines.json --record=DIR/history.tsv --plot DIR --matrix DIR")
	if code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	for _, l := range lines {
		var r benchmarks.Result
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatal(err)
		}
		if r.Scene != "tree-panda-like-7" || r.Dofs != 7 || !(r.StepMs.Median > 0) || r.Allocations != 0 {
			t.Errorf("%+v", r)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "lines.json"))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != out {
		t.Errorf("-o wrote\n%s, not\n%s", text, out)
	}
	for _, name := range []string{"history.tsv", "stages.svg", "tree-panda-like-7.mtx"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestBenchListsScenesAndRefusesOthers(t *testing.T) {
	code, out, _ := call(t, "", "bench --list")
	if code != exitOK || strings.Count(out, "\n") != len(benchmarks.Scenes()) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	for _, line := range []string{"bench nonsense", "bench clutter --repeat 0", "bench clutter --threads -1"} {
		if code, _, _ := call(t, "", line); code != exitUsage {
			t.Errorf("%s: exit code %d", line, code)
		}
	}
}
