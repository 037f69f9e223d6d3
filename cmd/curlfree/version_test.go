package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The command and the results of runs name the same version.
func TestRunsHaveTheVersionOfTheProgram(t *testing.T) {
	dir := bench(t)
	code, stdout, _ := call(t, dir, "version --json")
	v := object(t, "version", stdout)
	if code != 0 || v["version"] == "" || v["kernel"] == "" {
		t.Errorf("%d: %s", code, stdout)
	}
	if code, _, stderr := call(t, dir, "run DIR/fall.yaml -o DIR/out --no-picture"); code != 0 {
		t.Fatal(stderr)
	}
	b, err := os.ReadFile(filepath.Join(dir, "out", "run.json"))
	var s map[string]any
	if err != nil || json.Unmarshal(b, &s) != nil || s["version"] != v["version"] || s["kernel"] != v["kernel"] {
		t.Errorf("run.json has %v, %v; want %v", s["version"], s["kernel"], v)
	}
	if code, _, _ := call(t, dir, "run DIR/fall.yaml -o DIR/out --threads 1000000000"); code != exitUsage {
		t.Errorf("a billion threads: exit code %d", code)
	}
}
