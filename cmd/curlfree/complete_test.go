package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Shells get the columns of the run that is plotted, the fields, formats, kinds and scenes that
// there are, and nothing that was given already.
func TestShellsCompleteWhatOnlyTheProgramHas(t *testing.T) {
	dir := t.TempDir()
	for name, head := range map[string]string{"signals.csv": "time_s,grip_N,grip_left_N,slip_m", "steps.csv": "time_s,contacts,wall_ms"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(head+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		want string // all words, or some with … at the end
	}{
		{"plot RUN ", "time_s grip_N grip_left_N slip_m"},
		{"plot RUN grip", "grip_N grip_left_N"},
		{"plot RUN slip_m grip_N ", "time_s grip_left_N"},
		{"plot RUN --steps ", "time_s contacts wall_ms"},
		{"plot RUN --x sl", "slip_m"},
		{"plot RUN --panel grip_N,", "grip_N,time_s grip_N,grip_left_N grip_N,slip_m"},
		{"plot nowhere ", ""},
		{"plot ", ""},
		{"render RUN --field ", "von_mises displacement deformation contact_pressure slip none"},
		{"export RUN --to ", "csv gltf mcap vtk html"},
		{"kinds rev", "revolute revolve"},
		{"kinds constitutive", "constitutive_law"},
		{"bench clutter fem-cantilever-10", "fem-cantilever-10k fem-cantilever-10k-hex12 fem-cantilever-100k"},
		{"run ", "yaml yml"},
		{"check ", "yaml yml urdf …"},
	} {
		var stdout, stderr bytes.Buffer
		args := strings.Split(strings.ReplaceAll(c.args, "RUN", dir), " ")
		if code := newApp(&stdout, &stderr).execute(context.Background(), append([]string{"__complete"}, args...)); code != exitOK {
			t.Fatalf("%s: %s", c.args, &stderr)
		}
		got := strings.Split(strings.TrimSpace(stdout.String()), "\n")
		got = got[:len(got)-1] // the last line is the directive
		text := strings.Join(got, " ")
		if some, more := strings.CutSuffix(c.want, " …"); more {
			for _, w := range strings.Fields(some) {
				if !slices.Contains(got, w) {
					t.Errorf("%s: %q lacks %q", c.args, text, w)
				}
			}
		} else if text != c.want {
			t.Errorf("%s: %q, want %q", c.args, text, c.want)
		}
	}
}
