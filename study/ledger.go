package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// The ledger of a plan is its results: which cases are done is read from the outcomes in the run
// folders, never from the engine that ran them.

// Exec runs those of the given cases that have no result, as Study.Run does, and returns the rows of
// all of them. The error joins the first reasons why cases have no result that counts: other inputs,
// another process, a full disk. A case that failed in a step is a row and no error.
func (p *Plan) Exec(ctx context.Context, indices []int, opt Options) ([]Row, error) {
	// files of others in the folder were refused, or accepted, when the plan was made
	opt.Dir, opt.Force = p.Dir, true
	// another program may give other results, and one table must not mix them
	if program := cmp.Or(opt.Program, programDigest()); program != p.note.Program {
		return nil, fmt.Errorf("the plan is one of another program (%.12s…, version %s), this is %.12s…: run that program, or plan the study again", p.note.Program, p.note.Version, program)
	}
	if len(indices) == 0 {
		return nil, nil
	}
	s := p.study()
	results := s.runCases(ctx, opt, indices)
	// rows of an interrupted call are incomplete: the next call makes them
	if ctx.Err() != nil {
		return nil, run.ErrInterrupted
	}
	// results are by name; indices may name cases that share a folder
	rows := make([]Row, len(indices))
	var faults []error
	for k, i := range indices {
		rows[k] = *results[p.Cases[i].Name]
		rows[k].Case = p.Cases[i]
		// a full disk stops thousands of cases for the same reason: the first few show it
		if err := rows[k].fault; err != nil && len(faults) < maxShownErrors {
			faults = append(faults, fmt.Errorf("case %d, %s: %w%s", i, p.Cases[i].Name, err, p.whatChanged(err)))
		}
	}
	return rows, errors.Join(faults...)
}

// study returns a study that can run the cases of the plan.
func (p *Plan) study() *Study {
	return &Study{Path: filepath.Join(p.Dir, filepath.FromSlash(p.note.Study)), File: new(File), Cases: p.Cases, files: new(scene.Snapshot)}
}

// whatChanged names the files of the bundle that are not those of the plan, for a case with that fault.
func (p *Plan) whatChanged(err error) string {
	if !errors.Is(err, ErrPlanChanged) {
		return ""
	}
	// the user learns which files to restore; their digests are those of the plan
	var names []string
	for _, f := range p.note.Files {
		path := filepath.Join(p.Dir, filepath.FromSlash(f.Name))
		if d, err := digestOfFile(path, nil); err != nil || d != f.SHA256 {
			names = append(names, path)
		}
	}
	return " (changed: " + cmp.Or(strings.Join(names, ", "), "none of the bundle") + ")"
}

// Chunk returns the indices k, k + n, k + 2n … of the cases of chunk k of n, 0 ≤ k < n. Cases that lie
// beside each other in the table take similar times, so that chunks of this kind take equal ones.
func (p *Plan) Chunk(k, n int) ([]int, error) {
	if n < 1 || k < 0 || k >= n {
		return nil, fmt.Errorf("chunk %d of %d: chunks of n are numbered from 0 to n - 1", k, n)
	}
	// every n-th case, not a block: see above
	var list []int
	for i := k; i < len(p.Cases); i += n {
		list = append(list, i)
	}
	return list, nil
}

// Indices reads a list of indices and ranges, such as "0-9,12", and refuses those without a case.
func (p *Plan) Indices(text string) ([]int, error) {
	// seen keeps a case that is given twice from being run twice
	var list []int
	seen := make([]bool, len(p.Cases))
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(from)
		// a lone number is a range of one
		b := a
		if isRange && err == nil {
			b, err = strconv.Atoi(to)
		}
		if err != nil || a < 0 || b < a {
			return nil, fmt.Errorf("index %q: give numbers and ranges, such as 0-9,12", part)
		}
		// only the upper end can be too large, since a ≤ b
		if b >= len(p.Cases) {
			return nil, fmt.Errorf("index %d: the plan has %d cases, numbered from 0", b, len(p.Cases))
		}
		for i := a; i <= b; i++ {
			if !seen[i] {
				seen[i] = true
				list = append(list, i)
			}
		}
	}
	return list, nil
}

// FormatIndices writes ascending indices as Plan.Indices reads them.
func FormatIndices(list []int) string {
	// consecutive indices become one range
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		part := strconv.Itoa(list[i])
		if j > i {
			part += "-" + strconv.Itoa(list[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Status is what the results of a plan say.
type Status struct {
	Cases   int `json:"cases"`   // all cases of the plan
	Done    int `json:"done"`    // cases that ran to their end
	Failed  int `json:"failed"`  // cases of which a step failed, which would fail again
	Begun   int `json:"begun"`   // cases without a result that were begun: they run, or were interrupted
	Damaged int `json:"damaged"` // cases whose result was changed, cut or lost in part: they will run again
	Waiting int `json:"waiting"` // cases that were not begun

	// Missing are the indices of the cases without a result: begun, damaged and waiting ones.
	Missing []int `json:"-"`
	// Bad are the names of damaged cases.
	Bad []string `json:"damaged_cases,omitempty"`
	// StepSeconds is the mean wall-clock time of a step of the cases that are done, s; 0: none is.
	StepSeconds float64 `json:"step_s"`
}

// state is what the run folder of a case says.
type state int

// States of a case.
const (
	waiting state = iota
	begun
	damaged
	failedCase
	done
)

// Status reads the results of a plan; with verify it also compares tables with their digests, which
// takes time where they are large.
func (p *Plan) Status(verify bool) *Status {
	// each goroutine writes its own elements
	states, wall := make([]state, len(p.Cases)), make([]float64, len(p.Cases))
	// file systems of networks answer several requests at a time
	var wg sync.WaitGroup
	// the channel has all indices and is closed: goroutines end when it is empty
	next := make(chan int, len(p.Cases))
	for i := range p.Cases {
		next <- i
	}
	close(next)
	for range 4 * runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				states[i], wall[i] = p.state(&p.Cases[i], verify)
			}
		})
	}
	wg.Wait()
	// in the order of cases, so that lists and sums do not depend on the goroutines
	s := &Status{Cases: len(p.Cases)}
	steps, seconds := 0.0, 0.0
	for i, at := range states {
		switch at {
		case done:
			s.Done++
			// a mean over all steps: long cases count for more
			steps, seconds = steps+p.Cases[i].Steps, seconds+wall[i]
			continue
		case failedCase:
			s.Failed++
			continue
		case begun:
			s.Begun++
		case damaged:
			s.Damaged++
			s.Bad = append(s.Bad, p.Cases[i].Name)
		default:
			s.Waiting++
		}
		// what neither is done nor failed will be run
		s.Missing = append(s.Missing, i)
	}
	if steps > 0 {
		s.StepSeconds = seconds / steps
	}
	return s
}

// state reads the run folder of a case, and the wall-clock time of a run that is done.
func (p *Plan) state(c *Case, verify bool) (state, float64) {
	dir := filepath.Join(p.Dir, casesFolder, c.Name)
	var o outcome
	err := readJSON(filepath.Join(dir, outcomeFile), &o)
	switch {
	case errors.Is(err, os.ErrNotExist):
		// a folder without an outcome
		if exists(dir) {
			return begun, 0
		}
		return waiting, 0
	// the outcome is written as a whole: one that cannot be read was changed or cut
	case err != nil || o.Status == "":
		return damaged, 0
	case o.Fingerprint != c.planned: // the result of an earlier plan
		return waiting, 0
	case o.Status != statusDone:
		return failedCase, 0
	}
	// files by the names that the outcome lists; their presence is cheap to see
	for name := range o.Files {
		if !exists(filepath.Join(dir, name)) {
			return damaged, 0
		}
	}
	// digests read whole tables, so only on demand
	if !exists(filepath.Join(dir, record.SummaryFile)) || verify && !o.intact(dir) {
		return damaged, 0
	}
	return done, o.Wall
}

// Collect computes the measures, writes the table and draws the charts of the results that a plan has
// so far, as Study.Run does at its end. Cases without a result are rows that say so.
func (p *Plan) Collect(force bool) (*Study, []Row, error) {
	// measures and charts come from the study file of the bundle; the plan has the cases only
	s, err := Load(filepath.Join(p.Dir, filepath.FromSlash(p.note.Study)))
	if err != nil {
		return nil, nil, err
	}
	// files that users wrote under our names are theirs
	if !force {
		if err := authorship.Refuse(s.ForeignFiles(p.Dir)); err != nil {
			return nil, nil, err
		}
	}
	// fingerprints of the plan, by the name of the case
	hashes := map[string]string{}
	for i := range p.Cases {
		hashes[p.Cases[i].Name] = p.Cases[i].planned
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		// a study file that was changed in the bundle has other cases
		if c.planned = hashes[c.Name]; c.planned == "" {
			return nil, nil, fmt.Errorf("%s: %w: the plan has no case %s", s.Path, ErrPlanChanged, c.Name)
		}
	}
	rows, err := s.Redraw(p.Dir)
	return s, rows, err
}
