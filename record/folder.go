package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Names within a run folder.
const (
	SummaryFile    = "run.json"
	StepsFile      = "steps.csv"
	SignalsFile    = "signals.csv"
	SceneFile      = "scene.json"
	checkpointFile = "checkpoint.json"
	partial        = ".partial" // added while a run is going on
)

// Folder is the run folder being written. Its tables and recording carry the
// suffix .partial until Finish renames them: files appear whole or not at all.
type Folder struct {
	Dir     string
	steps   *table
	signals *table
	rec     *Writer
	recFile *os.File
}

type table struct {
	path string
	f    *os.File
	buf  []byte
}

func (t *table) row(values []float64) {
	for i, x := range values {
		if i > 0 {
			t.buf = append(t.buf, ',')
		}
		t.buf = strconv.AppendFloat(t.buf, x, 'g', -1, 64)
	}
	t.buf = append(t.buf, '\n')
}

func (t *table) flush() error {
	_, err := t.f.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

// Create makes a run folder and starts its files. Results of an earlier run in
// the same folder are replaced when this one finishes.
func Create(dir string, st *Static, stepColumns, signalColumns []string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	f := &Folder{Dir: dir}
	// a checkpoint of an earlier run does not fit the files that follow
	err := os.Remove(filepath.Join(dir, checkpointFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, f.fail(err)
	}
	if f.steps, err = newTable(dir, StepsFile, stepColumns); err != nil {
		return nil, f.fail(err)
	}
	if f.signals, err = newTable(dir, SignalsFile, signalColumns); err != nil {
		return nil, f.fail(err)
	}
	if f.recFile, err = os.Create(filepath.Join(dir, RecordingFile+partial)); err != nil {
		return nil, f.fail(err)
	}
	if f.rec, err = NewWriter(f.recFile, st); err != nil {
		return nil, f.fail(err)
	}
	return f, nil
}

func newTable(dir, name string, columns []string) (*table, error) {
	t := &table{path: filepath.Join(dir, name+partial)}
	var err error
	if t.f, err = os.Create(t.path); err != nil {
		return nil, err
	}
	for i, c := range columns {
		if i > 0 {
			t.buf = append(t.buf, ',')
		}
		t.buf = append(t.buf, c...)
	}
	t.buf = append(t.buf, '\n')
	return t, nil
}

// fail closes everything, removes the partial files and passes the error on.
func (f *Folder) fail(err error) error {
	f.Close()
	for _, n := range []string{StepsFile, SignalsFile, RecordingFile} {
		os.Remove(filepath.Join(f.Dir, n+partial))
	}
	os.Remove(filepath.Join(f.Dir, checkpointFile))
	return fmt.Errorf("run folder %s: %w", f.Dir, err)
}

// Step appends a row to steps.csv, Signals one to signals.csv.
func (f *Folder) Step(values []float64) { f.steps.row(values) }

// Signals appends a row to signals.csv.
func (f *Folder) Signals(values []float64) { f.signals.row(values) }

// Frame appends a frame to the recording.
func (f *Folder) Frame(fr *Frame) error {
	if err := f.rec.Frame(fr); err != nil {
		return f.fail(err)
	}
	return nil
}

// Flush writes out all that is buffered.
func (f *Folder) Flush() error {
	err := errors.Join(f.steps.flush(), f.signals.flush(), f.rec.Flush())
	if err != nil {
		return f.fail(err)
	}
	return nil
}

// Finish flushes, closes and names the files, and writes the summary last.
func (f *Folder) Finish(summary *Summary) error {
	if err := f.Flush(); err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return f.fail(err)
	}
	f.Close()
	for _, n := range []string{StepsFile, SignalsFile, RecordingFile} {
		if err := os.Rename(filepath.Join(f.Dir, n+partial), filepath.Join(f.Dir, n)); err != nil {
			return fmt.Errorf("run folder %s: %w", f.Dir, err)
		}
	}
	if err := WriteJSON(filepath.Join(f.Dir, SummaryFile), summary); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(f.Dir, checkpointFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (f *Folder) sync() error {
	return errors.Join(f.steps.f.Sync(), f.signals.f.Sync(), f.recFile.Sync())
}

// Close closes the files as they are.
func (f *Folder) Close() {
	for _, t := range []*table{f.steps, f.signals} {
		if t != nil && t.f != nil {
			t.f.Close()
		}
	}
	if f.recFile != nil {
		f.recFile.Close()
	}
}

// WriteJSON writes a value as an indented JSON file that appears whole or not at
// all.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}

// WriteFile writes a file aside and renames it when it is whole, so that a full
// disk leaves nothing half-written.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
