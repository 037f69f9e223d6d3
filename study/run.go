package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// Options of a study.
type Options struct {
	Dir      string // study folder
	Jobs     int    // cases at a time
	Retry    bool   // run cases again that failed with the same inputs
	Version  string
	Program  string                               // identifies the program: cases of another are run again; default a digest of its file
	Progress func(done, total int, share float64) // share of the whole, 0 to 1; may be nil
}

// Row is what became of a case.
type Row struct {
	Case    Case
	Status  string // "done", or why not
	Summary record.Summary
	Values  []float64 // of the measures; NaN where there is none
}

// statusDone is the status of a case that ran to its end.
const statusDone = "done"

// Done reports whether the case ran to its end.
func (r *Row) Done() bool { return r.Status == statusDone }

// Names within a study folder.
const (
	TableFile   = "cases.csv"
	studyFile   = "study.json" // where the study file is
	casesFolder = "cases"
	outcomeFile = "case.json" // in a case's folder: its inputs and what became of it
)

// outcome notes in a case's folder which inputs it was run with.
type outcome struct {
	Fingerprint string `json:"fingerprint"`
	Status      string `json:"status"`
}

// Run runs the cases that have no result yet, writes the table and draws the
// charts. A case that fails is a row that says so; the error is for what stops
// the study.
func (s *Study) Run(ctx context.Context, opt Options) ([]Row, error) {
	if err := os.MkdirAll(opt.Dir, 0o777); err != nil {
		return nil, err
	}
	if err := s.writeMarker(opt.Dir); err != nil {
		return nil, err
	}
	order := s.order()
	jobs := max(1, min(opt.Jobs, len(order)))
	threads := max(1, runtime.NumCPU()/jobs)
	p := newProgress(s, order, opt.Progress)
	byName := map[string]*Row{}
	for _, i := range order {
		byName[s.Cases[i].Name] = &Row{}
	}
	queue := make(chan int)
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for k := range queue {
				c := &s.Cases[order[k]]
				*byName[c.Name] = s.runCase(ctx, opt, c, threads, func(share float64) { p.set(k, share) })
				p.set(k, 1)
			}
		})
	}
	for k := range order {
		if ctx.Err() != nil {
			break
		}
		queue <- k
	}
	close(queue)
	wg.Wait()
	if ctx.Err() != nil {
		return nil, run.ErrInterrupted
	}
	rows := make([]Row, len(s.Cases))
	for i := range rows {
		rows[i] = *byName[s.Cases[i].Name]
		rows[i].Case = s.Cases[i]
	}
	return rows, s.writeResults(opt.Dir, rows)
}

// Redraw writes the table and the charts anew from the cases that have results,
// whatever inputs those were run with.
func (s *Study) Redraw(dir string) ([]Row, error) {
	rows := make([]Row, len(s.Cases))
	none := true
	for i := range rows {
		r := &rows[i]
		r.Case, r.Status = s.Cases[i], "not run yet"
		folder := filepath.Join(dir, casesFolder, r.Case.Name)
		var o outcome
		if readJSON(filepath.Join(folder, outcomeFile), &o) == nil {
			r.Status = o.Status
		}
		if err := readJSON(filepath.Join(folder, record.SummaryFile), &r.Summary); err != nil && r.Done() {
			r.Status = "not run yet"
		}
		none = none && !r.Done()
	}
	if none {
		return nil, fmt.Errorf("%s holds no results of this study: run it first", dir)
	}
	return rows, s.writeResults(dir, rows)
}

// report measures, and writes what people look at.
func (s *Study) writeResults(dir string, rows []Row) error {
	if err := s.measureAll(dir, rows); err != nil {
		return err
	}
	if err := s.writeTable(filepath.Join(dir, TableFile), rows); err != nil {
		return err
	}
	return s.draw(dir, rows)
}

// order lists cases of different names, the longest first.
func (s *Study) order() []int {
	var order []int
	seen := map[string]bool{}
	for i := range s.Cases {
		if !seen[s.Cases[i].Name] {
			seen[s.Cases[i].Name] = true
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Cases[b].Steps, s.Cases[a].Steps) })
	return order
}

// one runs a case, or takes the result that is there, of which progress then hears
// as a share of −1: no work.
func (s *Study) runCase(ctx context.Context, opt Options, c *Case, threads int, progress func(share float64)) Row {
	dir := filepath.Join(opt.Dir, casesFolder, c.Name)
	failed := func(err error) Row { return Row{Status: err.Error()} }
	sc, err := scene.Load(c.Scene, c.Set)
	if err != nil {
		return failed(err)
	}
	sc.Fingerprint = fingerprint(sc.Fingerprint, cmp.Or(opt.Program, programDigest()))
	if row, ok := previousResult(dir, sc.Fingerprint, opt.Retry); ok {
		progress(-1)
		return row
	}
	path := filepath.Join(dir, outcomeFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	ropt := run.Options{
		Dir: dir, Threads: threads, Resume: true, Version: opt.Version,
		Progress: func(t, duration float64) { progress(t / duration) },
	}
	summary, err := run.Run(ctx, sc, ropt)
	if errors.Is(err, run.ErrResume) { // the checkpoint is of other inputs: start over
		ropt.Resume = false
		summary, err = run.Run(ctx, sc, ropt)
	}
	row := Row{Status: statusDone}
	if err != nil {
		row.Status = err.Error()
	}
	if summary != nil {
		row.Summary = *summary
	}
	// what a step refused it will refuse again; other failures are tried again
	if err == nil || errors.Is(err, run.ErrSolver) {
		if err := record.WriteJSON(path, outcome{sc.Fingerprint, row.Status}); err != nil {
			return failed(err)
		}
	}
	return row
}

// finished returns what became of a case that was run with the same inputs.
func previousResult(dir, fingerprint string, retry bool) (Row, bool) {
	var o outcome
	if readJSON(filepath.Join(dir, outcomeFile), &o) != nil || o.Fingerprint != fingerprint {
		return Row{}, false
	}
	row := Row{Status: o.Status}
	err := readJSON(filepath.Join(dir, record.SummaryFile), &row.Summary)
	return row, row.Done() && err == nil || !row.Done() && !retry
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// remember notes in the study's folder which study it is of.
func (s *Study) writeMarker(dir string) error {
	file, err := filepath.Abs(s.Path)
	if err != nil {
		return err
	}
	// relative, so that a tree can be moved
	if from, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(from, file); err == nil {
			file = filepath.ToSlash(rel)
		}
	}
	return record.WriteJSON(filepath.Join(dir, studyFile), struct {
		Study string `json:"study"`
	}{file})
}

// FileOf reports whether a folder is one of a study, and the file it is of.
func FileOf(dir string) (file string, ok bool) {
	var note struct{ Study string }
	err := readJSON(filepath.Join(dir, studyFile), &note)
	file = filepath.FromSlash(note.Study)
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return file, err == nil && note.Study != ""
}

// progress adds up the shares of cases by the steps that they take.
type progress struct {
	mu     sync.Mutex
	weight []float64 // of each: its steps
	shares []float64
	report func(done, total int, share float64)
}

func newProgress(s *Study, order []int, report func(done, total int, share float64)) *progress {
	p := &progress{weight: make([]float64, len(order)), shares: make([]float64, len(order)), report: report}
	for k, i := range order {
		p.weight[k] = max(1, s.Cases[i].Steps)
	}
	return p
}

// set notes the share of a case that is done; of −1, that it is no work.
func (p *progress) set(i int, share float64) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if share < 0 {
		p.weight[i], share = 0, 1
	}
	p.shares[i] = min(1, share)
	sum, all, done := 0.0, 0.0, 0
	for k, x := range p.shares {
		sum += p.weight[k] * x
		all += p.weight[k]
		if x == 1 {
			done++
		}
	}
	if all == 0 {
		sum, all = 1, 1
	}
	p.report(done, len(p.shares), min(1, sum/all))
}
