package study

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/curlfree/curlfree/kinds"
)

// Engines run the cases of a plan on other machines. All of them start curlfree study exec; they
// differ in how they number their tasks. What is done follows from the results alone.

// SubmitOptions are the settings of Plan.Submit.
type SubmitOptions struct {
	// Engine is one of Engines.
	Engine string
	// Program is the path of the executable, as the machines of the engine see it.
	Program string
	// Chunk is the number of cases of a task; 0: so many that a task takes taskSeconds.
	Chunk int
	// ArrayLimit is the largest number of tasks that run at a time; 0: no limit.
	ArrayLimit int
	// Partition, Time and Mem are options of the engine; empty: its defaults.
	Partition, Time, Mem string
	// Image is the container image of a Kubernetes job.
	Image string
	// Say takes what the user should read; it is not nil.
	Say func(format string, args ...any)
}

// engine submits the missing cases of a plan, or prints how to.
type engine func(p *Plan, opt *SubmitOptions, out io.Writer) error

// engines are the engines by name.
var engines = map[string]engine{"slurm": submitSlurm, "parallel": printParallel, "kubernetes": printKubernetes}

// Engines lists the names of engines.
func Engines() []string { return slices.Sorted(maps.Keys(engines)) }

// Submit gives the cases of a plan that have no result, and that no earlier submission has in its
// queue, to an engine. Engines that only print something write it to out.
func (p *Plan) Submit(opt SubmitOptions, out io.Writer) error {
	submit := engines[opt.Engine]
	if submit == nil {
		return fmt.Errorf("unknown engine %q%s", opt.Engine, kinds.Suggest(opt.Engine, Engines()))
	}
	if opt.Chunk < 0 || opt.ArrayLimit < 0 {
		return fmt.Errorf("chunk %d, array limit %d: give 0 or more", opt.Chunk, opt.ArrayLimit)
	}
	// values become words of scripts
	for name, text := range map[string]string{"partition": opt.Partition, "time": opt.Time, "mem": opt.Mem, "image": opt.Image} {
		if strings.ContainsFunc(text, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("'\"\\$`;", r)
		}) {
			return fmt.Errorf("%s %q: give one word without quotes", name, text)
		}
	}
	return submit(p, &opt, out)
}

// taskSeconds is how long a task should take, s. Engines such as Slurm need seconds to start a task;
// a task that is lost with its machine loses no more than the case that it runs.
const taskSeconds = 180

// maxTasks is the largest number of tasks of a submission: Slurm's default MaxArraySize less one.
const maxTasks = 1000

// chunkSize returns how many of the given cases a task should run: from the measured time of a step t̄
// and the mean number of steps N̄ of the cases,
//
//	n = taskSeconds/(N̄ t̄),   1 ≤ n, and no more than maxTasks tasks               (1)
//
// measured is false where no case has run yet; then n is the smallest.
func (p *Plan) chunkSize(missing []int, at *Status, given int) (n int, measured bool) {
	least := (len(missing) + maxTasks - 1) / maxTasks
	if given > 0 {
		return max(given, least), true
	}
	steps := 0.0
	for _, i := range missing {
		steps += max(1, p.Cases[i].Steps)
	}
	seconds := steps * at.StepSeconds / float64(max(1, len(missing)))
	if seconds == 0 {
		return max(1, least), false
	}
	return max(1, least, min(len(missing), int(math.Min(math.MaxInt32, taskSeconds/seconds)))), true
}

// tasks cuts the missing cases into tasks. It says how long they may take.
func (p *Plan) tasks(missing []int, at *Status, opt *SubmitOptions) [][]int {
	n, measured := p.chunkSize(missing, at, opt.Chunk)
	switch {
	case opt.Chunk > 0 && n > opt.Chunk:
		opt.Say("%d cases a task instead of %d: an array has at most %d tasks", n, opt.Chunk, maxTasks)
	case !measured:
		opt.Say("no case has run yet, so that tasks have %d cases each: run one, with curlfree study exec %s --index 0, for tasks of %d s", n, p.Dir, taskSeconds)
	}
	return slices.Collect(slices.Chunk(missing, n))
}

// shellQuote quotes a word for a shell.
func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
