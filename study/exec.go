package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// One case: every engine, from the pool of a local study to a job array, runs it here. The result of
// a case is its run folder, and counts from the moment when the outcome, case.json, appears in it:
// the files of the run are on the disk before, each renamed as a whole, and the outcome has their
// digests and the hash of the case. A process that ends at any time therefore leaves a result, a
// checkpoint, or files that the next run replaces.

// A case continues, or is kept, by these rules:
//
//	outcome with the same fingerprint, done       the result is kept
//	outcome with the same fingerprint, failed     kept; run again with Retry
//	checkpoint of the same scene and program      the run continues from it
//	otherwise                                     the run starts at the beginning

// runCase runs a case or, where the folder has its result, reads it; it then calls
// progress with noWork.
func (s *Study) runCase(ctx context.Context, opt Options, c *Case, threads int, progress func(share float64)) Row {
	dir := filepath.Join(opt.Dir, casesFolder, c.Name)
	failed := func(err error) Row { return Row{Status: err.Error(), fault: err} }
	// a case that cannot be loaded is a failed row, not the end of the study
	sc, err := s.files.Load(c.Scene, c.Set)
	if err != nil {
		return failed(err)
	}
	// the fingerprint of the case also decides whether its checkpoint can be used
	sc.Fingerprint = fingerprint(sc.Fingerprint, cmp.Or(opt.Program, programDigest()))
	if c.planned != "" && c.planned != sc.Fingerprint {
		return failed(fmt.Errorf("%w: %s", ErrPlanChanged, c.Scene))
	}
	unlock, err := lockCase(ctx, dir, opt.Wait)
	if err != nil {
		return failed(err)
	}
	defer unlock()
	if row, ok := previousResult(dir, sc.Fingerprint, opt.Retry); ok {
		progress(noWork)
		return row
	}
	// the outcome of other inputs is removed before the run overwrites its files
	path := filepath.Join(dir, outcomeFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	// continue from a checkpoint, if there is one
	row, err := simulate(ctx, sc, run.Options{
		Dir: dir, Threads: threads, Resume: true, Force: opt.Force, Version: opt.Version,
		Progress: func(t, duration float64) { progress(t / duration) },
	})
	// A step that failed will fail again with the same inputs. Other failures, such as a
	// full disk or an interruption, leave no outcome: the case is run again.
	if row.fault = err; err == nil || errors.Is(err, run.ErrSolver) {
		row.fault = nil
		o := outcome{Fingerprint: sc.Fingerprint, Status: row.Status, Wall: row.Summary.Wall}
		if err == nil {
			if o.Files, err = digests(dir); err != nil {
				return failed(err)
			}
		}
		if err := record.WriteJSON(path, o); err != nil {
			return failed(err)
		}
	}
	return row
}

// lockCase takes the folder of a case, which it makes, for one process; another that has it is waited
// for or is an error. The result of the case is whole when the lock is free, unless its process ended.
func lockCase(ctx context.Context, dir string, wait bool) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, lockFile)
	for {
		unlock, err := record.LockFile(path)
		switch {
		case err == nil:
			// the file goes first: who waits for it then finds the result
			return func() { os.Remove(path); unlock() }, nil
		case !errors.Is(err, record.ErrBusy):
			return nil, err
		case !wait:
			return nil, fmt.Errorf("%s: %w", dir, errCaseBusy)
		}
		// locks of files cannot be waited for together with ctx
		select {
		case <-ctx.Done():
			return nil, run.ErrInterrupted
		case <-time.After(lockPoll):
		}
	}
}

// lockFile is the file in a run folder by which a process has a case. It lives as long as the case runs.
const lockFile = ".running"

// lockPoll is the time between two looks at a case that another process has.
const lockPoll = 200 * time.Millisecond

// errCaseBusy is the error of a case that another process runs.
var errCaseBusy = errors.New("another process runs this case: wait for it, or give --wait")

// simulate runs a scene from its checkpoint, or from the start where the checkpoint
// belongs to other inputs.
func simulate(ctx context.Context, sc *scene.Scene, opt run.Options) (Row, error) {
	summary, err := run.Run(ctx, sc, opt)
	if errors.Is(err, run.ErrResume) {
		opt.Resume = false
		summary, err = run.Run(ctx, sc, opt)
	}
	// a failed run may have a summary of the steps before its failure
	row := Row{Status: statusDone}
	if err != nil {
		row.Status = err.Error()
	}
	if summary != nil {
		row.Summary = *summary
	}
	return row, err
}

// previousResult returns the result of a case that was run with the same inputs. A
// failure counts as a result unless it is to be retried.
func previousResult(dir, fingerprint string, retry bool) (Row, bool) {
	var o outcome
	if readJSON(filepath.Join(dir, outcomeFile), &o) != nil || o.Fingerprint != fingerprint {
		return Row{}, false
	}
	// a result consists of the outcome and the summary
	row := Row{Status: o.Status}
	if !row.Done() {
		return row, !retry
	}
	// a result that is lost or damaged does not count: the case is run again
	if o.Files == nil || !o.intact(dir) {
		return Row{}, false
	}
	err := readJSON(filepath.Join(dir, record.SummaryFile), &row.Summary)
	return row, err == nil
}
