package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/textcell"
)

// Names of the files in a run folder, see the package document.
const (
	SummaryFile    = "run.json"
	StepsFile      = "steps.csv"
	SignalsFile    = "signals.csv"
	checkpointFile = "checkpoint.json"
	partial        = ".partial" // added during a run
)

// resultFiles are the files that a run leaves, in the order in which they get their
// final names. run.json is last, so that the others are there when it is.
var resultFiles = []string{StepsFile, SignalsFile, RecordingFile, SummaryFile}

// The files of a folder over the time of a run:
//
//	Create         *.partial appear; an old checkpoint is removed, old results stay
//	Step, Signals  rows collect in memory, 64 KiB at a time go to the file
//	Frame          a block goes to the file at once
//	Checkpoint     all files reach the disk, then checkpoint.json is replaced
//	Finish         *.partial get their final names, run.json last; the checkpoint is removed
//	a failure      *.partial are removed, unless a checkpoint refers to them
//	a kill         *.partial and checkpoint.json stay, for Resume

// Folder is a run folder that is being written. Its files carry the suffix .partial
// until Finish renames them, so that a file without the suffix is whole. After an
// error the folder is closed, and further calls fail.
type Folder struct {
	// Dir is the path of the folder.
	Dir string

	steps   *table
	signals *table
	rec     *Writer
	recFile *os.File
	kernels []string // of the parts of the run, see Resumed.Kernels
	lock    *os.File // locks the folder against other runs; nil where that is not possible
}

// OtherFiles lists the files and folders (with a slash) of a run folder that are not
// results of the run: pictures, films, exports and the user's own files, which a new
// run leaves as they are. It returns nil for a folder without results.
func OtherFiles(dir string) []string {
	// A folder that cannot be read has nothing to list.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	ran := false
	// Results, also partial ones, the checkpoint and hidden files are not listed.
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == SummaryFile:
			ran = true
		case slices.Contains(resultFiles, strings.TrimSuffix(name, partial)), name == checkpointFile, strings.HasPrefix(name, "."):
		case e.IsDir():
			names = append(names, name+"/")
		default:
			names = append(names, name)
		}
	}
	// Without a summary nothing was replaced.
	if !ran {
		return nil
	}
	return names
}

// LockFolder locks a folder for the caller, until it calls unlock or the process ends. It
// returns an error if another process or caller holds the lock; on systems without file
// locks it does nothing.
func LockFolder(dir string) (unlock func(), err error) {
	f, err := lock(dir)
	if err != nil {
		return nil, err
	}
	return func() {
		if f != nil {
			f.Close()
		}
	}, nil
}

// LockFile locks a file, which it makes if there is none, as LockFolder locks a folder. The lock is
// seen by other machines where their common file system has locks.
func LockFile(path string) (unlock func(), err error) {
	f, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	return func() { f.Close() }, nil
}

// ErrBusy is the error of a folder or a file that another run has locked.
var ErrBusy = errors.New("another run is writing here: wait for it, or give this one a folder of its own with -o")

// table is a CSV file being written.
type table struct {
	f   *os.File
	buf []byte
	sum hash.Hash // SHA-256 of what the file has
}

// newRows returns a table that begins with a header.
func newRows(header []byte) *table { return &table{buf: header, sum: sha256.New()} }

// digest returns the digest of what the file has, in hexadecimal.
func (t *table) digest() string { return hex.EncodeToString(t.sum.Sum(nil)) }

// row appends a row, with the digits that read back as the same bits. The file grows by
// blocks of 64 KiB.
func (t *table) row(values []float64) error {
	// The shortest digits that read back as the same float64.
	for i, x := range values {
		if i > 0 {
			t.buf = append(t.buf, ',')
		}
		t.buf = strconv.AppendFloat(t.buf, x, 'g', -1, 64)
	}
	t.buf = append(t.buf, '\n')
	// Rows collect until there are 64 KiB of them.
	if len(t.buf) < 1<<16 {
		return nil
	}
	return t.flush()
}

// flush writes out the buffered rows.
func (t *table) flush() error {
	_, err := t.f.Write(t.buf)
	t.sum.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

// Create creates a run folder and opens its files: the tables with their columns and
// the recording with its header. Results of an earlier run in the same folder stay
// until this one finishes; its checkpoint is removed. It returns an error where another
// run has the folder, and where a file cannot be created.
func Create(dir string, st *Static, stepColumns, signalColumns []string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	// The lock is taken before any file is touched.
	f := &Folder{Dir: dir, kernels: withKernel(nil)}
	var err error
	if f.lock, err = lock(dir); err != nil { // the files there are not ours
		return nil, fmt.Errorf("run folder %s: %w", dir, err)
	}
	sweep(dir)
	// a checkpoint of an earlier run does not fit the files of this one
	if err := os.Remove(filepath.Join(dir, checkpointFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, f.fail(err)
	}
	// Tables, then the recording with its header.
	if f.steps, err = newTable(dir, StepsFile, stepColumns); err != nil {
		return nil, f.fail(err)
	}
	if f.signals, err = newTable(dir, SignalsFile, signalColumns); err != nil {
		return nil, f.fail(err)
	}
	if f.recFile, err = createPartial(dir, RecordingFile); err != nil {
		return nil, f.fail(err)
	}
	if f.rec, err = NewWriter(f.recFile, st); err != nil {
		return nil, f.fail(err)
	}
	return f, nil
}

// newTable starts a table with its header, which is written with the first rows.
func newTable(dir, name string, columns []string) (*table, error) {
	f, err := createPartial(dir, name)
	if err != nil {
		return nil, err
	}
	t := newRows([]byte(strings.Join(textcell.EscapeAll(columns), ",") + "\n"))
	t.f = f
	return t, nil
}

// fail closes all files and returns the error with the folder's path. It removes the
// partial files, unless a checkpoint exists from which the run can continue.
func (f *Folder) fail(err error) error {
	f.closeFiles()
	defer f.unlock()
	// A checkpoint keeps the partial files, which it continues.
	if _, serr := os.Stat(filepath.Join(f.Dir, checkpointFile)); serr == nil {
		return fmt.Errorf("run folder %s: %w (--resume continues from the last checkpoint)", f.Dir, err)
	}
	// Without a checkpoint they are of no use.
	for _, n := range resultFiles {
		os.Remove(filepath.Join(f.Dir, n+partial))
	}
	return fmt.Errorf("run folder %s: %w", f.Dir, err)
}

// Step appends a row to steps.csv, with a value for each column.
func (f *Folder) Step(values []float64) error { return f.check(f.steps.row(values)) }

// Signals appends a row to signals.csv, with a value for each column.
func (f *Folder) Signals(values []float64) error { return f.check(f.signals.row(values)) }

// Frame appends a frame to the recording. It goes to the file at once.
func (f *Folder) Frame(fr *Frame) error { return f.check(f.rec.Frame(fr)) }

// Recorded returns the time of the recording's last frame (s), −∞ before the first.
func (f *Folder) Recorded() float64 { return f.rec.last }

// Flush writes out the buffered rows of both tables, so that ReadColumns sees them.
func (f *Folder) Flush() error {
	return f.check(errors.Join(f.steps.flush(), f.signals.flush()))
}

// check closes the folder after an error.
func (f *Folder) check(err error) error {
	if err == nil {
		return nil
	}
	return f.fail(err)
}

// Finish writes the index and the summary, closes the files and gives them their final
// names; then it removes the checkpoint. The folder is closed, whether it succeeds or
// not.
func (f *Folder) Finish(summary *Summary) error {
	defer atomicfile.Saving()()
	if err := f.Flush(); err != nil {
		return err
	}
	// The index and the summary complete the files, which reach the disk before they are renamed.
	if err := errors.Join(f.rec.End(), f.sync(), WriteJSON(filepath.Join(f.Dir, SummaryFile+partial), summary)); err != nil {
		return f.fail(err)
	}
	if err := f.own(); err != nil {
		f.Close()
		return fmt.Errorf("run folder %s: %w", f.Dir, err)
	}
	f.closeFiles()
	defer f.unlock()
	// an older summary must not stand over newer tables, whatever happens in between
	if err := os.Remove(filepath.Join(f.Dir, SummaryFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return f.fail(err)
	}
	// Each file appears under its final name at once; run.json is last.
	for _, n := range resultFiles {
		if err := os.Rename(filepath.Join(f.Dir, n+partial), filepath.Join(f.Dir, n)); err != nil {
			return fmt.Errorf("run folder %s: %w", f.Dir, err)
		}
	}
	// A finished run has nothing to continue.
	err := os.Remove(filepath.Join(f.Dir, checkpointFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// own reports as an error if the files of the folder are not those of this run any more. Where a file
// system has no locks, a run that was given up for lost and the one in its place write to one folder;
// the later one replaces the files, and the earlier one must not finish these.
func (f *Folder) own() error {
	for name, file := range map[string]*os.File{StepsFile: f.steps.f, SignalsFile: f.signals.f, RecordingFile: f.recFile} {
		mine, err := file.Stat()
		if err != nil {
			return err
		}
		if there, err := os.Lstat(filepath.Join(f.Dir, name+partial)); err != nil || !os.SameFile(mine, there) {
			return fmt.Errorf("another run has replaced %s: its result counts, not this one's", name+partial)
		}
	}
	return nil
}

// sync waits until the data of all files are on the disk.
func (f *Folder) sync() error {
	return errors.Join(f.steps.f.Sync(), f.signals.f.Sync(), f.recFile.Sync())
}

// Close closes the files as they are, partial and with the checkpoint that they may
// have, and lets other runs use the folder.
func (f *Folder) Close() {
	f.closeFiles()
	f.unlock()
}

// unlock lets other runs use the folder.
func (f *Folder) unlock() {
	if f.lock != nil {
		f.lock.Close()
	}
}

// closeFiles closes all files that are open.
func (f *Folder) closeFiles() {
	for _, t := range []*table{f.steps, f.signals} {
		if t != nil && t.f != nil {
			t.f.Close()
		}
	}
	if f.recFile != nil {
		f.recFile.Close()
	}
}

// WriteJSON writes a value as an indented JSON file atomically: the file is
// complete or does not exist.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	// A temporary file gets the name when it is complete.
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}
