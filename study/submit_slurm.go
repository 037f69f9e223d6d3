package study

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/record"
)

// Submissions to Slurm. Each has a folder in that of the plan:
//
//	DIR/slurm/1/tasks        a line for each task of the array: the indices of its cases
//	DIR/slurm/1/array.sh     the script of the array
//	DIR/slurm/1/collect.sh   the script of the job that waits for the array and makes the table
//	DIR/slurm/1/job.json     the numbers of both jobs; before Slurm has given them, the name of the array's job alone
//	DIR/slurm/1/task-*.log   what tasks say
//
// Slurm takes a job, and its number is written, in two places that can fail apart: a full disk or a kill between them
// would leave a job in the queue of which the plan has no record, and the next submission would queue its cases
// again. The job's name, made of random letters, is therefore written before the submission, and a number that is
// missing is asked of Slurm by the name.
//
// Slurm sends SIGTERM a minute before the time limit of a task: the program then writes checkpoints,
// and the task queues itself again. Tasks of a node that is lost are queued again by Slurm. If such a
// node still runs its tasks, their successors wait for them (study exec --wait).

// slurmFolder has the submissions.
const slurmFolder = "slurm"

// arrayScript runs the cases of one task.
const arrayScript = `#!/bin/bash
# Written by curlfree: runs cases of a plan as an array of tasks.
#SBATCH --job-name={name}
#SBATCH --array={array}
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="{log}"
{options}
# the cases of this task are a line of a file
cases=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {tasks})
{program} study exec {dir} --index "$cases" --wait --threads "${SLURM_CPUS_PER_TASK:-1}" &
child=$!
stopped=
trap 'stopped=1; kill -TERM "$child"' TERM
wait "$child"
code=$?
# a signal ends wait before the child has written its checkpoints
if [ "$stopped" ]; then
  wait "$child"
  code=$?
  # before the time limit the job still runs; one that was cancelled does not
  if [ "$code" = 143 ] && [ "$(squeue -h -j "$SLURM_JOB_ID" -o %T)" = RUNNING ]; then
    scontrol requeue "$SLURM_JOB_ID"
  fi
fi
exit "$code"
`

// collectScript makes the table when the array has ended.
const collectScript = `#!/bin/bash
# Written by curlfree: makes the table and the charts of a plan.
#SBATCH --job-name=curlfree-collect
#SBATCH --open-mode=append
#SBATCH --output="{log}"
{options}
{program} study collect {dir}
`

// slurmJob is the content of job.json.
type slurmJob struct {
	// Name is the name of the array job in Slurm, which no other submission has; empty in files of earlier versions.
	Name string `json:"name,omitempty"`
	// Array is the number of the array job; empty until it is known.
	Array string `json:"array_job"`
	// Collect is the number of the job that collects; empty where its submission failed.
	Collect string `json:"collect_job"`
	// Cases is the number of cases of all tasks.
	Cases int `json:"cases"`

	tasks [][]int // indices of cases, by task
}

// submitSlurm submits an array of tasks, and a job that collects their results.
func submitSlurm(p *Plan, opt *SubmitOptions, _ io.Writer) error {
	// the fault of a command that is not found would not say what to do
	if _, err := exec.LookPath("sbatch"); err != nil {
		return errors.New("sbatch is not installed here: submit on a machine of the Slurm cluster, or take --engine parallel")
	}
	// without the lock two submissions at a time would both queue the same cases
	unlock, err := record.LockFolder(p.Dir)
	if err != nil {
		return fmt.Errorf("study folder %s: %w", p.Dir, err)
	}
	defer unlock()
	// cases that wait in the queue are not submitted again
	at := p.Status(true)
	jobs, err := p.slurmJobs()
	if err != nil {
		return err
	}
	queued, err := queuedCases(jobs)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(at.Missing), func(i int) bool { return queued[i] })
	if len(missing) == 0 {
		opt.Say("nothing to submit: of %d cases %d have results, %d are in the queue of Slurm", at.Cases, at.Cases-len(at.Missing), len(at.Missing))
		return nil
	}
	tasks := p.tasks(missing, at, opt)
	job, err := p.sbatch(tasks, len(jobs)+1, opt)
	if err != nil {
		return err
	}
	opt.Say("%d cases submitted in %d tasks as job %s; job %s collects their results", len(missing), len(tasks), job.Array, job.Collect)
	return nil
}

// sbatch writes the files of a submission and submits its jobs.
func (p *Plan) sbatch(tasks [][]int, number int, opt *SubmitOptions) (*slurmJob, error) {
	// paths are absolute: scripts do not depend on the folder in which they are submitted
	plan, err := filepath.Abs(p.Dir)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(plan, slurmFolder, strconv.Itoa(number))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	job := &slurmJob{Name: "curlfree-" + strings.ToLower(rand.Text())}
	// line k + 1 has the cases of task k: the script picks it by the number of its task
	var list strings.Builder
	for _, t := range tasks {
		list.WriteString(FormatIndices(t) + "\n")
		job.Cases += len(t)
	}
	array := fmt.Sprintf("0-%d", len(tasks)-1)
	// %n after the range bounds the tasks that run at a time
	if opt.ArrayLimit > 0 {
		array += fmt.Sprintf("%%%d", opt.ArrayLimit)
	}
	// options that are not given are left to the defaults of the cluster
	var options []string
	for _, o := range [][2]string{{"partition", opt.Partition}, {"time", opt.Time}, {"mem", opt.Mem}} {
		if o[1] != "" {
			options = append(options, "#SBATCH --"+o[0]+"="+o[1])
		}
	}
	// Slurm replaces % in names of logs
	log := func(name string) string { return strings.ReplaceAll(dir, "%", "%%") + "/" + name }
	fill := func(script, logName string) string {
		return strings.NewReplacer("{name}", job.Name, "{array}", array, "{log}", log(logName), "{options}", strings.Join(options, "\n"),
			"{tasks}", shellQuote(filepath.Join(dir, "tasks")), "{program}", shellQuote(opt.Program), "{dir}", shellQuote(plan)).Replace(script)
	}
	for name, text := range map[string]string{"tasks": list.String(), "array.sh": fill(arrayScript, "task-%a.log"), "collect.sh": fill(collectScript, "collect.log")} {
		err := atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	// the name is on disk before Slurm can have the job: what is queued must not be submitted again
	if err := record.WriteJSON(filepath.Join(dir, "job.json"), job); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if job.Array, err = slurm("sbatch", "--parsable", filepath.Join(dir, "array.sh")); err != nil {
		// an answer of Slurm may be lost, and the job be there
		if list, lost := queue("-n", job.Name); lost != nil || len(list) > 0 {
			return nil, fmt.Errorf("%w; its job %s may be in the queue: see curlfree study status %s before submitting again", err, job.Name, p.Dir)
		}
		// a refused submission leaves no folder, or it would be counted as one
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	job.Array, _, _ = strings.Cut(job.Array, ";") // the name of the cluster may follow
	if err := record.WriteJSON(filepath.Join(dir, "job.json"), job); err != nil {
		return nil, notCollected(job, p.Dir, err)
	}
	// afterany: tasks that failed do not keep the others from the table
	if job.Collect, err = slurm("sbatch", "--parsable", "--dependency=afterany:"+job.Array, filepath.Join(dir, "collect.sh")); err != nil {
		return nil, notCollected(job, p.Dir, err)
	}
	job.Collect, _, _ = strings.Cut(job.Collect, ";")
	return job, record.WriteJSON(filepath.Join(dir, "job.json"), job)
}

// notCollected says that an array was submitted, but no job that collects its results.
func notCollected(job *slurmJob, plan string, err error) error {
	return fmt.Errorf("job %s was submitted; the one that collects its results was not: %w; when the job has ended, run curlfree study collect %s", job.Array, err, plan)
}

// slurm runs a command of Slurm and returns what it prints.
func slurm(args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	// Slurm writes the reason of a refusal to standard error
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", args[0], err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// slurmJobs reads the submissions of a plan.
func (p *Plan) slurmJobs() ([]slurmJob, error) {
	// submissions are numbered from 1 without gaps
	var jobs []slurmJob
	for n := 1; ; n++ {
		dir := filepath.Join(p.Dir, slurmFolder, strconv.Itoa(n))
		if !exists(dir) {
			return jobs, nil
		}
		var j slurmJob
		// a submission that was cut off lacks files; the numbers of its jobs are not known
		if err := readJSON(filepath.Join(dir, "job.json"), &j); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "tasks"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		// the order of lines is that of tasks, so that j.tasks[k] are the cases of task k
		for line := range strings.Lines(string(text)) {
			list, err := p.Indices(strings.TrimSpace(line))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "tasks"), err)
			}
			j.tasks = append(j.tasks, list)
		}
		jobs = append(jobs, j)
	}
}

// array is by what Slurm finds an array job: an option of squeue, and its value. A job whose number was lost is known
// by its name.
func (j *slurmJob) array() (option, value string) {
	if j.Array == "" && j.Name != "" {
		return "-n", j.Name
	}
	return "-j", j.Array
}

// queueEntry is a task or a job in the queue of Slurm.
type queueEntry struct {
	// job is the number of the array, which its tasks share
	job  string
	task int // −1: no task of an array
	// state and reason are words of Slurm, such as PENDING and Resources
	state, reason string
}

// queue lists what Slurm has in its queue of a job, by its number (-j) or its name (-n). Jobs that ended long ago are
// unknown to it.
func queue(option, job string) ([]queueEntry, error) {
	if job == "" {
		return nil, nil
	}
	// -r gives each task of an array a line of its own, those that wait too
	text, err := slurm("squeue", "-h", "-r", option, job, "-o", "%F|%K|%T|%r")
	if err != nil {
		// a job that ended long ago is no fault
		if strings.Contains(err.Error(), "Invalid job id") {
			return nil, nil
		}
		return nil, err
	}
	var list []queueEntry
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 4 {
			continue
		}
		e := queueEntry{job: f[0], task: -1, state: f[2], reason: f[3]}
		// a job that is no array has N/A here
		if k, err := strconv.Atoi(f[1]); err == nil {
			e.task = k
		}
		list = append(list, e)
	}
	return list, nil
}

// queuedCases returns the cases whose tasks are in the queue of Slurm, waiting or running.
func queuedCases(jobs []slurmJob) (map[int]bool, error) {
	// cases by index; a case may be in tasks of several submissions
	cases := map[int]bool{}
	for _, j := range jobs {
		list, err := queue(j.array())
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			// the file of tasks may be lost, or be shorter than the array
			if e.task >= 0 && e.task < len(j.tasks) {
				for _, i := range j.tasks[e.task] {
					cases[i] = true
				}
			}
		}
	}
	return cases, nil
}

// SlurmStatus describes in a line each what Slurm has of the submissions of a plan in its queue; none
// for a plan that was not submitted to Slurm. It only informs: what is done is said by Status.
func (p *Plan) SlurmStatus() []string {
	jobs, err := p.slurmJobs()
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for _, j := range jobs {
		// tasks by state; the reason says why some wait
		count := map[string]int{}
		option, array := j.array()
		for _, id := range [2][2]string{{option, array}, {"-j", j.Collect}} {
			list, err := queue(id[0], id[1])
			if err != nil {
				return append(lines, fmt.Sprintf("slurm job %s: %v", array, err))
			}
			for _, e := range list {
				what := strings.ToLower(e.state)
				if e.state == "PENDING" {
					what += " (" + e.reason + ")"
				}
				if id[1] == j.Collect {
					what = "collect " + what
				}
				count[what]++
			}
		}
		// sorted, so that two calls write the same line
		var parts []string
		for _, what := range slices.Sorted(maps.Keys(count)) {
			parts = append(parts, fmt.Sprintf("%d %s", count[what], what))
		}
		// no entry: all tasks have ended, whatever their results
		if parts == nil {
			parts = []string{"not in the queue any more"}
		}
		lines = append(lines, fmt.Sprintf("slurm job %s, %d cases in %d tasks: %s", array, j.Cases, len(j.tasks), strings.Join(parts, ", ")))
	}
	return lines
}
