package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	benchmarks "github.com/curlfree/curlfree/bench"
	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/sim"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	opt                        benchmarks.Options
	list, markdown             bool
	out, record, plots, matrix string
}

func (a *app) benchCommand() *cobra.Command {
	var b benchFlags
	cmd := &cobra.Command{
		Use:   "bench [NAME]...",
		Short: "Measure the time of a step in built-in scenes",
		Long: `Measure the time of a step in built-in scenes, stage by stage, together with Newton iterations,
contacts, the speed of the factorization, memory and allocations. Each scene is stepped once to
allocate its buffers, then --repeat times from the same state; of each step, the shortest time
counts. Without names, all scenes run except those that take minutes.

With --json, one line of JSON is printed for each scene. Columns with the name of a stage are
medians in ms; cpu is the mean processor time of all threads. Times depend on the load of the
machine: noise is the excess of the slowest repeat over the fastest.

Exit codes: 0 done, 1 a step allocated memory, 2 usage, 3 a scene is not available, 4 a step failed
or was not deterministic, 5 results could not be written,
130, 143, 129 ended by Ctrl-C, SIGTERM, SIGHUP.`,
		Example: `  curlfree bench
  curlfree bench clutter --threads 1 --repeat 5 --json
  curlfree bench --record
  curlfree bench --plot out/bench`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.benchNames(cmd.Context(), args, &b) },
	}
	b.add(cmd)
	return cmd
}

// add adds the flags to a command.
func (b *benchFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&b.opt.Threads, "threads", 0, "worker threads (default all cores)")
	f.IntVar(&b.opt.Repeat, "repeat", 3, "number of times that the steps are measured")
	f.BoolVar(&b.list, "list", false, "list the scenes without running them")
	f.StringVarP(&b.out, "output", "o", "", "also write the lines of JSON to `FILE`")
	f.StringVar(&b.record, "record", "", "append the results to `FILE`, a table of tab-separated values (default "+historyFile+")")
	f.Lookup("record").NoOptDefVal = historyFile
	f.StringVar(&b.plots, "plot", "", "draw the times of stages and, without names, the growth of the cost with the size, into the folder `DIR`")
	f.BoolVar(&b.markdown, "markdown", false, "print the table as Markdown")
	f.StringVar(&b.matrix, "matrix", "", "write the Newton matrix of the last step of each scene to `DIR`/NAME.mtx, in Matrix Market format")
}

// benchNames measures the scenes with the given names, or lists all.
func (a *app) benchNames(ctx context.Context, names []string, b *benchFlags) error {
	if b.opt.Threads < 0 || b.opt.Repeat < 1 {
		return fail(exitUsage, errors.New("--threads must not be negative (0 means all cores), --repeat must be at least 1"))
	}
	scenes, err := benchmarks.FindScenes(names...)
	if err != nil {
		return fail(exitUsage, err)
	}
	if b.list {
		return a.listBenches()
	}
	if err := a.mayWrite(b.files(scenes)...); err != nil {
		return err
	}
	b.opt.Version = version()
	ctx, stop := a.interruptible(ctx)
	b.opt.Interrupted = func() bool { return ctx.Err() != nil }
	defer stop()
	return a.bench(ctx, scenes, len(names) > 0, b)
}

// files lists what the flags write; results are appended to a history.
func (b *benchFlags) files(scenes []benchmarks.Scene) []string {
	var paths []string
	if b.out != "" {
		paths = append(paths, b.out)
	}
	if b.plots != "" {
		for _, name := range []string{"stages.svg", "growth.png", "growth.svg", "growth.tsv"} {
			paths = append(paths, filepath.Join(b.plots, name))
		}
	}
	for i := range scenes {
		if b.matrix != "" {
			paths = append(paths, filepath.Join(b.matrix, scenes[i].Name+".mtx"))
		}
	}
	return paths
}

// historyFile is the table of earlier results in a checkout.
const historyFile = "bench/history.tsv"

// listBenches prints the scenes.
func (a *app) listBenches() error {
	type item struct {
		Name string `json:"name"`
		What string `json:"what"`
		Long bool   `json:"long"`
	}
	for _, s := range benchmarks.Scenes() {
		if a.json {
			if err := a.printLine(item{s.Name, s.Description, s.Long}); err != nil {
				return err
			}
			continue
		}
		text := s.Description
		if s.Long {
			text += " (takes minutes: runs only if named)"
		}
		a.say("%-20s %s", s.Name, text)
	}
	return nil
}

// printLine prints one of several JSON objects, on a line of its own.
func (a *app) printLine(v any) error {
	a.printed.Store(true)
	return fail(exitOutput, json.NewEncoder(a.stdout).Encode(v))
}

// bench measures scenes, prints each result as soon as it is available and writes the files
// that the flags request. Scenes that were named must be available; others are skipped.
func (a *app) bench(ctx context.Context, scenes []benchmarks.Scene, named bool, b *benchFlags) error {
	var results []*benchmarks.Result
	if !a.json && !b.markdown {
		a.say("%s", benchmarks.TableHeader())
	}
	for i := range scenes {
		if ctx.Err() != nil {
			break
		}
		r, err := await(ctx, func() (*benchmarks.Result, error) { return benchmarks.Measure(&scenes[i], b.opt) })
		if errors.Is(err, benchmarks.ErrNotAvailable) && !named {
			fmt.Fprintf(a.stderr, "%s: skipped: %v\n", scenes[i].Name, err)
			continue
		} else if errors.Is(err, sim.ErrInterrupted) || errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			return benchError(err)
		}
		if err := a.tellBench(r, b); err != nil {
			return err
		}
		results = append(results, r)
	}
	if b.markdown {
		a.say("%s", benchmarks.Markdown(results))
	}
	if err := writeBenches(results, b); err != nil {
		return fail(exitOutput, err)
	}
	if b.plots != "" && !named && ctx.Err() == nil {
		if err := a.growth(ctx, b); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return fail(a.exitInterrupted(), errors.New("interrupted: the results so far are written"))
	}
	for _, r := range results {
		if r.Allocations > 0 {
			return fail(exitCheck, fmt.Errorf("%s: a step allocated memory %g times", r.Scene, r.Allocations))
		}
	}
	return nil
}

// benchError adds the exit code to an error of a measurement.
func benchError(err error) error {
	if errors.Is(err, benchmarks.ErrNotAvailable) {
		return fail(exitInput, err)
	}
	return fail(exitSolver, err)
}

// tellBench prints one result and writes its matrix.
func (a *app) tellBench(r *benchmarks.Result, b *benchFlags) error {
	switch {
	case a.json:
		if err := a.printLine(r); err != nil {
			return err
		}
	case !b.markdown:
		a.say("%s", r.TableRow())
	}
	if b.matrix == "" {
		return nil
	}
	err := os.MkdirAll(b.matrix, 0o755)
	if err == nil {
		err = atomicfile.Write(filepath.Join(b.matrix, r.Scene+".mtx"), r.Matrix().WriteMatrixMarket)
	}
	return fail(exitOutput, err)
}

// writeBenches writes the files that the flags request.
func writeBenches(results []*benchmarks.Result, b *benchFlags) error {
	if b.out != "" {
		var text bytes.Buffer
		for _, r := range results {
			if err := json.NewEncoder(&text).Encode(r); err != nil {
				return err
			}
		}
		if err := os.WriteFile(b.out, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if b.record != "" {
		if err := benchmarks.AppendHistory(b.record, time.Now(), results); err != nil {
			return err
		}
	}
	if b.plots == "" {
		return nil
	}
	if err := os.MkdirAll(b.plots, 0o755); err != nil {
		return err
	}
	return benchmarks.WriteStages(filepath.Join(b.plots, "stages.svg"), results)
}

// growth measures and draws the growth of the cost with the size.
func (a *app) growth(ctx context.Context, b *benchFlags) error {
	all, err := await(ctx, func() ([][]*benchmarks.Result, error) {
		return benchmarks.Growth(ctx, b.opt, func(s *benchmarks.Scene) { fmt.Fprintf(a.stderr, "%s: %s\n", s.Name, s.Description) })
	})
	switch {
	case errors.Is(err, context.Canceled):
		return nil // the caller prints the message
	case err != nil:
		return fail(exitSolver, err)
	}
	return fail(exitOutput, benchmarks.WriteGrowth(b.plots, all))
}
