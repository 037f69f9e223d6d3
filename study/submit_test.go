package study

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeSlurm puts programs into the path that answer as Slurm does: sbatch gives the numbers 7, 8, 9 …,
// squeue prints the file "queue".
func fakeSlurm(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"sbatch": `#!/bin/sh
echo "$@" >>` + dir + `/submitted
n=$(wc -l <` + dir + `/submitted)
echo $((n + 6))`,
		"squeue": `#!/bin/sh
case "$*" in *"-j 7 "*) cat ` + dir + `/queue ;; *) echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1 ;; esac`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "queue"), []byte("7|0|RUNNING|None\n7|2|PENDING|Resources\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// said collects what a submission says.
func said(b *strings.Builder) func(string, ...any) {
	return func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
}

// Only cases without a result that are in no queue are submitted; scripts are sound and have the options.
func TestSlurmGetsTheMissingCases(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	p := planned(t, bounce(t), t.TempDir())
	opt := SubmitOptions{Engine: "slurm", Program: "/opt/it's/curlfree", Chunk: 2, ArrayLimit: 3, Partition: "short", Time: "30", Mem: "2G"}
	var say strings.Builder
	opt.Say = said(&say)
	t.Run("not installed", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if err := p.Submit(opt, nil); err == nil || !strings.Contains(err.Error(), "sbatch is not installed") {
			t.Errorf("got %v", err)
		}
	})
	if lines := p.SlurmStatus(); len(lines) != 0 {
		t.Errorf("before any submission: %q", lines)
	}
	fake := fakeSlurm(t)
	if err := p.Submit(opt, nil); err != nil || !strings.Contains(say.String(), "6 cases submitted in 3 tasks as job 7; job 8 collects") {
		t.Fatalf("%v\n%s", err, say.String())
	}
	dir := filepath.Join(p.Dir, slurmFolder, "1")
	script, err := os.ReadFile(filepath.Join(dir, "array.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"#SBATCH --array=0-2%3\n", "#SBATCH --signal=B:TERM@60\n", "#SBATCH --requeue\n", "#SBATCH --partition=short\n#SBATCH --time=30\n#SBATCH --mem=2G\n", `'/opt/it'\''s/curlfree' study exec '` + p.Dir + `'`} {
		if !strings.Contains(string(script), line) {
			t.Errorf("the script has no %q:\n%s", line, script)
		}
	}
	for _, name := range []string{"array.sh", "collect.sh"} {
		if out, err := exec.Command("sh", "-n", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
	if tasks, err := os.ReadFile(filepath.Join(dir, "tasks")); string(tasks) != "0-1\n2-3\n4-5\n" {
		t.Errorf("tasks %q, %v", tasks, err)
	}
	if out, err := os.ReadFile(filepath.Join(fake, "submitted")); !strings.Contains(string(out), "--dependency=afterany:7") {
		t.Errorf("submitted %s, %v", out, err)
	}
	if lines := p.SlurmStatus(); len(lines) != 1 || lines[0] != "slurm job 7, 6 cases in 3 tasks: 1 pending (Resources), 1 running" {
		t.Errorf("status %q", lines)
	}
	// task 1 has left the queue; case 3 has a result: 2 alone is missing
	if _, err := p.Exec(t.Context(), []int{3}, Options{Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	say.Reset()
	if err := p.Submit(opt, nil); err != nil || !strings.Contains(say.String(), "1 cases submitted in 1 tasks as job 9") {
		t.Errorf("%v\n%s", err, say.String())
	}
	if tasks, err := os.ReadFile(filepath.Join(p.Dir, slurmFolder, "2", "tasks")); string(tasks) != "2\n" {
		t.Errorf("tasks %q, %v", tasks, err)
	}
	if _, err := p.Exec(t.Context(), []int{2}, Options{Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	say.Reset()
	if err := p.Submit(opt, nil); err != nil || !strings.Contains(say.String(), "nothing to submit: of 6 cases 2 have results, 4 are in the queue") {
		t.Errorf("%v\n%s", err, say.String())
	}
}

// The lines for GNU parallel and xargs run all cases; the line of xargs is run here.
func TestParallelLinesRunTheMissingCases(t *testing.T) {
	p := planned(t, bounce(t), t.TempDir())
	var out bytes.Buffer
	var say strings.Builder
	opt := SubmitOptions{Engine: "parallel", Program: "/bin/echo", Chunk: 4, ArrayLimit: 1, Say: said(&say)}
	if err := p.Submit(opt, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "seq 0 1 | parallel -j 1 ") {
		t.Fatalf("%q", lines)
	}
	ran, err := exec.Command("sh", "-c", lines[1]).Output()
	want := fmt.Sprintf("study exec %s --chunk 0/2 --threads 1 --wait\nstudy exec %s --chunk 1/2 --threads 1 --wait\n", p.Dir, p.Dir)
	if err != nil || string(ran) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, ran, want)
	}
}

// Tasks take minutes by the times that were measured, and an array has no more than maxTasks of them.
func TestChunksFollowMeasuredTimes(t *testing.T) {
	p := &Plan{Cases: make([]Case, 5000)}
	for i := range p.Cases {
		p.Cases[i].Steps = 100
	}
	all := everything(p)
	for _, c := range []struct {
		step  float64
		given int
		cases []int
		want  int
	}{
		{0, 0, all[:10], 1},      // nothing is known
		{0, 0, all, 5},           // 1000 tasks
		{0.018, 0, all, 100},     // 1.8 s a case: 180 s
		{1, 0, all[:900], 1},     // 100 s a case
		{10, 0, all, 5},          // 1000 s a case, 1000 tasks
		{1e-9, 0, all, 5000},     // one task
		{0.018, 7, all[:100], 7}, // as given
		{0.018, 2, all, 5},       // too many tasks
		{0.018, 0, all[:30], 30}, // less than a task
	} {
		if n, _ := p.chunkSize(c.cases, &Status{StepSeconds: c.step}, c.given); n != c.want {
			t.Errorf("%d cases of 100 steps of %g s: tasks of %d, want %d", len(c.cases), c.step, n, c.want)
		}
	}
}

// Manifests have the numbers of the plan; unknown engines and words that would break scripts are refused.
func TestOtherEnginesAndTheirFaults(t *testing.T) {
	p := planned(t, bounce(t), t.TempDir())
	var out bytes.Buffer
	var say strings.Builder
	opt := SubmitOptions{Engine: "kubernetes", Program: "curlfree", ArrayLimit: 2, Image: "lab/curlfree:1", Say: said(&say)}
	if err := p.Submit(opt, &out); err != nil {
		t.Fatal(err)
	}
	m, err := parseTree(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"kind": "Job", "spec.completionMode": "Indexed", "spec.completions": 6.0, "spec.parallelism": 2.0,
		"spec.template.spec.containers.0.image":     "lab/curlfree:1",
		"spec.template.spec.containers.0.command.2": `exec curlfree study exec /plan --chunk "$JOB_COMPLETION_INDEX/6" --threads 1 --wait`,
	} {
		if got := getPath(m, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for _, bad := range []SubmitOptions{{Engine: "slrum"}, {Engine: "slurm", Chunk: -1}, {Engine: "slurm", Partition: "a\n#SBATCH --wrap=x"}, {Engine: "kubernetes", Image: `a"`}} {
		bad.Say = said(&say)
		if err := p.Submit(bad, &out); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := p.Exec(t.Context(), everything(p), Options{Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kubernetes", "parallel"} {
		out.Reset()
		say.Reset()
		if err := p.Submit(SubmitOptions{Engine: name, Say: said(&say)}, &out); err != nil || out.Len() > 0 || !strings.Contains(say.String(), "nothing to run") {
			t.Errorf("%s: %v, %q %q", name, err, out.String(), say.String())
		}
	}
}

// A job that Slurm has taken, and whose number could not be written, is known by its name: its cases are not queued
// again. So is one of which Slurm's answer was lost.
func TestJobsWhoseNumberIsLostAreNotQueuedAgain(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for fault, script := range map[string]string{
		// what a full disk does: the file stays as it was before the submission
		"number not written": `mv "$here/job.json" "$here/saved"; mkdir -p "$here/job.json/x"; echo 7`,
		"answer lost":        `echo "Socket timed out" >&2; exit 1`,
	} {
		t.Run(fault, func(t *testing.T) {
			fake := fakeSlurm(t)
			for name, text := range map[string]string{
				"sbatch": `#!/bin/sh
echo "$@" >>` + fake + `/submitted
here=$(dirname "$2")
sed -n 's/^#SBATCH --job-name=//p' "$2" >` + fake + `/name
` + script,
				"squeue": `#!/bin/sh
case "$*" in *"-n $(cat ` + fake + `/name) "*) cat ` + fake + `/queue ;; esac`,
			} {
				if err := os.WriteFile(filepath.Join(fake, name), []byte(text), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(fake, "queue"), []byte("7|0|PENDING|Resources\n7|1|PENDING|Resources\n7|2|PENDING|Resources\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			p := planned(t, bounce(t), t.TempDir())
			var say strings.Builder
			opt := SubmitOptions{Engine: "slurm", Program: "curlfree", Chunk: 2, Say: said(&say)}
			if err := p.Submit(opt, nil); err == nil {
				t.Fatalf("no error:\n%s", say.String())
			}
			file := filepath.Join(p.Dir, slurmFolder, "1", "job.json")
			if saved := filepath.Join(filepath.Dir(file), "saved"); exists(saved) {
				if err := os.RemoveAll(file); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(saved, file); err != nil {
					t.Fatal(err)
				}
			} else if fault == "number not written" {
				_ = os.RemoveAll(file) // nothing was written before the submission
			}
			if err := p.Submit(opt, nil); err != nil || !strings.Contains(say.String(), "nothing to submit: of 6 cases 0 have results, 6 are in the queue") {
				t.Errorf("%v\n%s", err, say.String())
			}
			if out, err := os.ReadFile(filepath.Join(fake, "submitted")); err != nil || strings.Count(string(out), "\n") != 1 {
				t.Errorf("submitted %s, %v", out, err)
			}
			if lines := p.SlurmStatus(); len(lines) != 1 || !strings.HasSuffix(lines[0], "6 cases in 3 tasks: 3 pending (Resources)") {
				t.Errorf("status %q", lines)
			}
		})
	}
}
