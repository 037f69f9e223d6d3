package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGearsPair(t *testing.T) {
	out := filepath.Join(t.TempDir(), "pair.csv")
	code, stdout, stderr := command(t, strings.Fields("gears pair --module 4 --teeth 20,30 --face-width 20 --torque 300 --steps 50 --json -o "+out)...)
	if code != 0 {
		t.Fatal(stderr)
	}
	var r pairResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Distance-0.1) > 1e-12 || math.Abs(r.TheoreticalPath/r.ISO-1) > 0.05 || r.UnloadedRange > 1e-12 || !(r.Stiffness > r.Secant && r.Secant > r.TheoreticalPath) {
		t.Errorf("%+v", r)
	}
	table, err := os.ReadFile(out)
	if err != nil || strings.Count(string(table), "\n") != 51 {
		t.Errorf("%v\n%s", err, table)
	}
	for _, c := range []struct{ args, want string }{
		{"--teeth 20", "give two"},
		{"--teeth 8,20", "undercut: give a shift of at least"},
		{"--module 2 --distance 59", "teeth overlap"},
		{"--material brss", `did you mean "brass"?`},
		{"--compliance soft", "no compliance"},
		{"--torque -1", "0 or more"},
		{"--torque 1e6", "give a smaller torque"},
	} {
		if code, _, stderr := command(t, append([]string{"gears", "pair"}, strings.Fields(c.args)...)...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d: %s", c.args, code, stderr)
		}
	}
}
