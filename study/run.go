package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/workers"
)

// Options of Study.Run.
type Options struct {
	// Dir is the study folder; it is created if it does not exist.
	Dir string

	// Jobs is the number of cases that run at a time, at least 1; more than four for each core
	// (workers.Useful) count as that. The cores are shared equally among them.
	Jobs int

	// Retry runs cases again that failed with the same inputs.
	Retry bool

	// Force replaces files in the folder that this program did not write. Without it they
	// are an error, before any case runs.
	Force bool

	// Threads is the number of threads of a case; 0: an equal share of the cores. Results do not
	// depend on it.
	Threads int

	// Wait waits for a case that another process runs, and takes its result; without it such a
	// case is a row with an error.
	Wait bool

	// Version is the version of the program, for run.json.
	Version string

	// Program identifies the program: the results of another one are not kept. Default:
	// a digest of the executable file.
	Program string

	// Progress is called with the number of cases that are done, their total, and the
	// share of the work that is done (0 to 1), one call at a time. nil: not called.
	Progress func(done, total int, share float64)
}

// Row is the result of a case.
type Row struct {
	// Case is the case.
	Case Case

	// Status is "done", or the reason why the case has no result.
	Status string

	// Summary is the content of run.json; zero for a case that has none.
	Summary record.Summary

	// Values are the measures in the order of the study file; NaN where there is none.
	Values []float64

	// fault is why the case has no result that counts: nil for one that ran to its end, and for one
	// that failed in a step and would do so again.
	fault error
	// lost reports that its result was damaged.
	lost bool
}

// Statuses of cases that did not fail.
const (
	statusDone    = "done"        // it ran to its end
	statusMissing = "not run yet" // it has no result
)

// Done reports whether the case ran to its end.
func (r *Row) Done() bool { return r.Status == statusDone }

// TableFile is the name of the table of cases in a study folder.
const TableFile = "cases.csv"

// Names of other files and folders.
const (
	studyFile   = "study.json" // in the study folder: the path of the study file
	casesFolder = "cases"      // in the study folder: the run folders
	outcomeFile = "case.json"  // in a run folder: an outcome
)

// outcome records how a case ended and the fingerprint of its inputs.
type outcome struct {
	// Fingerprint is that of the scene, the values and the program, see fingerprint.go.
	Fingerprint string `json:"fingerprint"`
	// Status is Row.Status.
	Status string `json:"status"`
	// Files are the results with their digests, by name; none where the case failed.
	Files map[string]string `json:"files,omitempty"`
	// Wall is the wall-clock time of the run, s.
	Wall float64 `json:"wall_s,omitempty"`
}

// Run runs the cases that have no result for their present inputs, writes the table and
// draws the charts. Each worker takes the next case of a queue, the longest case first.
//
// A case that fails is a row with the reason as its status and no error of Run. Errors
// are run.ErrInterrupted, when ctx is done, and those of writing the study folder. After
// an interruption, Run on the same folder continues: with checkpoints of the cases that
// were under way.
func (s *Study) Run(ctx context.Context, opt Options) ([]Row, error) {
	if err := os.MkdirAll(opt.Dir, 0o777); err != nil {
		return nil, err
	}
	if !opt.Force {
		if err := authorship.Refuse(s.ForeignFiles(opt.Dir)); err != nil {
			return nil, err
		}
		// what else is in the folders of cases is the program's, also where it is damaged
		opt.Force = true
	}
	// the table and the marker of a plan are its own
	if isPlan(opt.Dir) {
		return nil, fmt.Errorf("%s has a plan: run its cases with curlfree study exec %s, or choose another folder with -o", opt.Dir, opt.Dir)
	}
	// two studies at once would take each other's files away
	unlock, err := record.LockFolder(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("study folder %s: %w", opt.Dir, err)
	}
	defer unlock()
	if err := s.writeMarker(opt.Dir); err != nil {
		return nil, err
	}
	rows, err := s.rounds(opt.Dir, func(first int) ([]Row, error) {
		return s.runRound(ctx, opt, first)
	})
	if err != nil {
		return nil, err
	}
	return rows, s.writeResults(opt.Dir, rows)
}

// rounds gets the rows of the cases of the file, and then of each round of a search: round returns those
// of the cases from one on.
func (s *Study) rounds(dir string, round func(first int) ([]Row, error)) ([]Row, error) {
	search, err := s.begin()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for {
		more, err := round(len(rows))
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
		if search == nil || !ran(more) {
			return rows, nil
		}
		// the next round depends on the measures of this one
		if err := s.measureAll(dir, rows[len(rows)-len(more):]); err != nil {
			return nil, err
		}
		if goOn, err := s.extend(search, rows); !goOn || err != nil {
			return rows, err
		}
	}
}

// runRound runs the cases from one on and returns their rows.
func (s *Study) runRound(ctx context.Context, opt Options, first int) ([]Row, error) {
	// results come in any order; rows are in that of the table
	results := s.runCases(ctx, opt, s.order(first))
	if ctx.Err() != nil {
		return nil, run.ErrInterrupted
	}
	rows := make([]Row, len(s.Cases)-first)
	for i := range rows {
		c := s.Cases[first+i]
		rows[i] = *results[c.Name]
		rows[i].Case = c
	}
	return rows, nil
}

// runCases runs the cases of the given order and returns their results by name.
func (s *Study) runCases(ctx context.Context, opt Options, order []int) map[string]*Row {
	// no more workers than cases; each case gets an equal share of the cores
	jobs := min(workers.Useful(opt.Jobs), len(order))
	threads := cmp.Or(opt.Threads, max(1, runtime.NumCPU()/jobs))
	p := newProgress(s, order, opt.Progress)
	// the map is complete before workers start: they only write the rows it points to
	results := map[string]*Row{}
	for _, i := range order {
		results[s.Cases[i].Name] = &Row{}
	}
	// workers take the next case as soon as they are free
	queue := make(chan int)
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for k := range queue {
				c := &s.Cases[order[k]]
				*results[c.Name] = s.runCase(ctx, opt, c, threads, func(share float64) { p.set(k, share) })
				p.set(k, 1)
			}
		})
	}
	// an interruption stops the queue, and through ctx the cases that run
	for k := range order {
		if ctx.Err() != nil {
			break
		}
		queue <- k
	}
	close(queue)
	wg.Wait()
	return results
}

// Redraw writes the table and draws the charts again from the results in a study
// folder. It does not compare their inputs with the present ones. A folder without any
// result is an error.
func (s *Study) Redraw(dir string) ([]Row, error) {
	rows, err := s.rounds(dir, func(first int) ([]Row, error) {
		rows := make([]Row, len(s.Cases)-first)
		for i := range rows {
			rows[i] = resultOf(dir, s.Cases[first+i])
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.Done() }) {
		return nil, fmt.Errorf("%s has no results of this study: run the study first", dir)
	}
	return rows, s.writeResults(dir, rows)
}

// resultOf reads the result of a case.
func resultOf(dir string, c Case) Row {
	r := Row{Case: c, Status: statusMissing}
	folder := filepath.Join(dir, casesFolder, c.Name)
	// the outcome describes how the case ended; its summary has the numbers
	var o outcome
	if readJSON(filepath.Join(folder, outcomeFile), &o) == nil && (c.planned == "" || c.planned == o.Fingerprint) {
		r.Status = o.Status
	}
	if r.Done() && !o.intact(folder) {
		r.Status, r.lost = "its results were lost or changed: run the study again", true
		return r
	}
	if err := readJSON(filepath.Join(folder, record.SummaryFile), &r.Summary); err != nil && r.Done() {
		r.Status = statusMissing
	}
	return r
}

// writeResults computes the measures, writes the table and draws the charts.
func (s *Study) writeResults(dir string, rows []Row) error {
	if err := s.measureAll(dir, rows); err != nil {
		return err
	}
	if err := s.writeTable(filepath.Join(dir, TableFile), rows); err != nil {
		return err
	}
	return s.draw(dir, rows)
}

// The queue is ordered by work: with the longest case first, workers end at about the same time.

// order lists the indices, from one on, of cases with different names, those with most steps first,
// so that the last cases to end are short ones.
func (s *Study) order(first int) []int {
	var order []int
	seen := map[string]bool{}
	for i := first; i < len(s.Cases); i++ {
		if !seen[s.Cases[i].Name] {
			seen[s.Cases[i].Name] = true
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Cases[b].Steps, s.Cases[a].Steps) })
	return order
}

// readJSON decodes a JSON file.
func readJSON(path string, v any) error {
	b, err := inputfile.Read(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// writeMarker writes the path of the study file into the study folder, relative to the
// folder, so that both can be moved together.
func (s *Study) writeMarker(dir string) error {
	file, err := filepath.Abs(s.Path)
	if err != nil {
		return err
	}
	if from, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(from, file); err == nil {
			file = filepath.ToSlash(rel)
		}
	}
	return record.WriteJSON(filepath.Join(dir, studyFile), struct {
		Study string `json:"study"`
	}{file})
}

// FileOf returns the study file of a study folder; ok is false for other folders.
func FileOf(dir string) (file string, ok bool) {
	var note struct{ Study string }
	err := readJSON(filepath.Join(dir, studyFile), &note)
	file = filepath.FromSlash(note.Study)
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return file, err == nil && note.Study != ""
}
