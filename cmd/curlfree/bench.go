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
		Short: "Measure how fast steps are",
		Long: `Measure how fast steps are, in scenes that the program carries: milliseconds a step, stage by
stage, Newton iterations, contacts, the speed of the factorization, memory, allocations. Every scene
is stepped once to grow its buffers, then --repeat times from the same state; a step counts with the
quickest of its repeats. Without names all scenes run that do not take minutes.

With --json one line of JSON for each scene. Columns named for stages are medians in milliseconds, cpu is
the mean time of processors. Times depend on what else the machine does: noise tells by how much the
slowest repeat exceeded the quickest.

Exit codes: 0 done, 1 a step allocated memory, 2 usage, 3 a scene is not available, 4 a step failed
or was not deterministic, 5 results could not be written, 130 interrupted.`,
		Example: `  curlfree bench
  curlfree bench clutter --threads 1 --repeat 5 --json
  curlfree bench --record
  curlfree bench --plot out/bench`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.opt.Threads < 0 || b.opt.Repeat < 1 {
				return fail(exitUsage, errors.New("--threads must not be negative (0 means all cores), --repeat must be at least 1"))
			}
			scenes, err := benchmarks.FindScenes(args...)
			if err != nil {
				return fail(exitUsage, err)
			}
			if b.list {
				return a.listBenches()
			}
			b.opt.Version = version()
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.bench(ctx, scenes, len(args) > 0, &b)
		},
	}
	f := cmd.Flags()
	f.IntVar(&b.opt.Threads, "threads", 0, "worker threads (default all cores)")
	f.IntVar(&b.opt.Repeat, "repeat", 3, "times that the steps are taken")
	f.BoolVar(&b.list, "list", false, "list the scenes and run none")
	f.StringVarP(&b.out, "output", "o", "", "write the lines of JSON to `FILE` too")
	f.StringVar(&b.record, "record", "", "append to a history, a table of tab-separated values, `FILE` (default "+historyFile+")")
	f.Lookup("record").NoOptDefVal = historyFile
	f.StringVar(&b.plots, "plot", "", "draw where steps spend their time, and without names how cost grows with size, into the folder `DIR`")
	f.BoolVar(&b.markdown, "markdown", false, "print the table as Markdown")
	f.StringVar(&b.matrix, "matrix", "", "write the Newton matrix of each scene's last step in Matrix Market format to DIR/NAME.mtx, `DIR`")
	return cmd
}

// historyFile is where a checkout keeps its history.
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
		what := s.Description
		if s.Long {
			what += " (takes minutes: only by its name)"
		}
		a.say("%-20s %s", s.Name, what)
	}
	return nil
}

// printLine prints one of several JSON objects, on a line of its own.
func (a *app) printLine(v any) error {
	a.printed = true
	return fail(exitOutput, json.NewEncoder(a.stdout).Encode(v))
}

// bench measures scenes, tells of each as soon as it is done and writes what was asked
// for. Scenes that were named must be available; others are left out.
func (a *app) bench(ctx context.Context, scenes []benchmarks.Scene, named bool, b *benchFlags) error {
	var results []*benchmarks.Result
	if !a.json && !b.markdown {
		a.say("%s", benchmarks.TableHeader())
	}
	for i := range scenes {
		if ctx.Err() != nil {
			break
		}
		r, err := benchmarks.Measure(&scenes[i], b.opt)
		switch {
		case errors.Is(err, benchmarks.ErrNotAvailable) && !named:
			fmt.Fprintf(a.stderr, "%s: left out: %v\n", scenes[i].Name, err)
			continue
		case errors.Is(err, benchmarks.ErrNotAvailable):
			return fail(exitInput, err)
		case err != nil:
			return fail(exitSolver, err)
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
		return fail(exitInterrupted, errors.New("interrupted: what was measured is written"))
	}
	for _, r := range results {
		if r.Allocations > 0 {
			return fail(exitCheck, fmt.Errorf("%s: a step allocated memory %g times", r.Scene, r.Allocations))
		}
	}
	return nil
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

// writeBenches writes the files that were asked for.
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

// growth measures and draws how cost grows with size.
func (a *app) growth(ctx context.Context, b *benchFlags) error {
	all, err := benchmarks.Growth(ctx, b.opt, func(s *benchmarks.Scene) { fmt.Fprintf(a.stderr, "%s: %s\n", s.Name, s.Description) })
	switch {
	case errors.Is(err, context.Canceled):
		return nil // told by the caller
	case err != nil:
		return fail(exitSolver, err)
	}
	return fail(exitOutput, benchmarks.WriteGrowth(b.plots, all))
}
