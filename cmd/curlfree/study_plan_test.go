package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/study"
)

// A study in steps: each command says what it did, and its exit code is that of its manual.
func TestStudiesRunInSteps(t *testing.T) {
	dir := studyOf(t, "cases: {time.step: [0.01, 0.005, 0.0025]}\nmeasures: {drop: {signal: z}}\n")
	file, out := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "plan")
	says := func(code int, words string, args ...string) string {
		t.Helper()
		got, said, errs := command(t, args...)
		if got != code || !strings.Contains(said+errs, words) {
			t.Errorf("%v: %d, want %d; it says\n%s%s", args, got, code, said, errs)
		}
		return said
	}
	says(exitInput, "has no plan", "study", "exec", dir)
	says(exitOK, "3 cases planned", "study", "plan", file, "-o", out)
	says(exitCheck, "3 cases: 0 done, 0 failed, 0 begun, 3 waiting", "study", "status", out)
	says(exitOutput, "run the study first", "study", "collect", out)
	says(exitUsage, "--chunk 3/3", "study", "exec", out, "--chunk", "3/3")
	says(exitUsage, "give K/N", "study", "exec", out, "--chunk", "3")
	says(exitUsage, "numbered from 0", "study", "exec", out, "--index", "3")
	says(exitUsage, "--threads", "study", "exec", out, "--threads", "-1")
	says(exitOK, "1 cases have results", "study", "exec", out, "--index", "2")
	says(exitSolver, "not run yet", "study", "collect", out)
	says(exitOK, "2 cases have results", "study", "exec", out, "--chunk", "0/2", "--wait")
	says(exitCheck, "exec "+out+" --index 1", "study", "status", out)
	says(exitUsage, `did you mean "slurm"`, "study", "submit", out, "--engine", "slrum")
	says(exitUsage, "give 0 or more", "study", "submit", out, "--chunk", "-1")
	says(exitOK, "| parallel -j 2", "study", "submit", out, "--engine", "parallel", "--array-limit", "2")
	says(exitOK, "completionMode: Indexed", "study", "submit", out, "--engine", "kubernetes")
	t.Run("without Slurm", func(t *testing.T) {
		t.Setenv("PATH", dir)
		says(exitOutput, "sbatch is not installed here", "study", "submit", out)
	})
	says(exitOutput, "has a plan", "study", file, "-o", out)
	says(exitOK, "3 cases have results, 0", "study", "exec", out)
	var at study.Status
	if err := json.Unmarshal([]byte(says(exitOK, "", "study", "status", out, "--verify", "--json")), &at); err != nil || at.Done != 3 || at.StepSeconds <= 0 {
		t.Errorf("%+v, %v", at, err)
	}
	says(exitOK, "3 cases, 0 failed", "study", "collect", out, "--parquet")
	for _, name := range []string{study.CasesParquet, study.SignalsParquet} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, study.CasesParquet), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	says(exitOutput, "not written by curlfree", "study", "collect", out, "--parquet")
	says(exitOK, "3 cases, 0 failed", "plot", out)
	// an edited copy of the scene
	scene := filepath.Join(out, "bundle", filepath.Base(dir), "scene.yaml")
	if err := os.WriteFile(scene, []byte(ballScene+"#\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	says(exitInput, scene, "study", "exec", out)
}
