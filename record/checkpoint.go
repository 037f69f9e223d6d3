package record

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"curlfree/sim"
)

// checkpoint is what a run needs to go on as if it had never stopped: the
// state's bits and how long each file was at that moment.
type checkpoint struct {
	Model   string // fingerprint of the model: a checkpoint of another is refused
	Step    int
	Time    string // bits, as all of the state: base64 of little-endian float64
	Q, V    string
	Memory  string // of the signals
	Steps   int64  // bytes of steps.csv
	Signals int64
	Frames  int64
	Wall    float64 // s spent so far
	Hash    string
}

// Checkpoint flushes the tables and notes where the run stands.
func (f *Folder) Checkpoint(x *sim.State, model string, wall float64, memory []float64) error {
	if err := f.Flush(); err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return f.fail(err)
	}
	c := checkpoint{
		Model: model, Step: x.Step, Time: bits([]float64{x.Time}), Q: bits(x.Q), V: bits(x.V),
		Wall: wall, Hash: x.Hash(), Memory: bits(memory),
	}
	var err [3]error
	c.Steps, err[0] = length(f.steps.f)
	c.Signals, err[1] = length(f.signals.f)
	c.Frames, err[2] = length(f.recFile)
	if e := errors.Join(err[:]...); e != nil {
		return e
	}
	return WriteJSON(filepath.Join(f.Dir, checkpointFile), &c)
}

// Resume opens a folder where a run stopped, cuts its files back to the last
// checkpoint and returns the state, the wall time and the signals' memory there. ErrNoCheckpoint says that there is
// nothing to go on from.
func Resume(dir, model string) (f *Folder, x *sim.State, wall float64, memory []float64, err error) {
	b, err := os.ReadFile(filepath.Join(dir, checkpointFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, 0, nil, ErrNoCheckpoint
	} else if err != nil {
		return nil, nil, 0, nil, err
	}
	var c checkpoint
	fail := func(err error) (*Folder, *sim.State, float64, []float64, error) {
		return nil, nil, 0, nil, fmt.Errorf("%s: %w", filepath.Join(dir, checkpointFile), err)
	}
	if err := json.Unmarshal(b, &c); err != nil {
		return fail(err)
	}
	if c.Model != model {
		return fail(errors.New("this checkpoint belongs to another scene, or to the scene before it was changed: run without --resume"))
	}
	t, e1 := unbits(c.Time)
	q, e2 := unbits(c.Q)
	v, e3 := unbits(c.V)
	memory, e4 := unbits(c.Memory)
	if err := errors.Join(e1, e2, e3, e4); err != nil || len(t) != 1 {
		return fail(errors.New("damaged: run without --resume"))
	}
	x = &sim.State{Time: t[0], Step: c.Step, Q: q, V: v}
	if x.Hash() != c.Hash {
		return fail(errors.New("damaged (its hash differs): run without --resume"))
	}
	f = &Folder{Dir: dir}
	open := func(name string, n int64) (*os.File, error) {
		g, err := os.OpenFile(filepath.Join(dir, name+partial), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		if have, err := length(g); err != nil || have < n {
			g.Close()
			return nil, fmt.Errorf("%s is shorter than the checkpoint says: run without --resume", g.Name())
		}
		if err := g.Truncate(n); err != nil {
			return nil, err
		}
		_, err = g.Seek(n, 0)
		return g, err
	}
	f.steps, f.signals = &table{}, &table{}
	if f.steps.f, e1 = open(StepsFile, c.Steps); e1 == nil {
		if f.signals.f, e2 = open(SignalsFile, c.Signals); e2 == nil {
			f.recFile, e3 = open(RecordingFile, c.Frames)
		}
	}
	if err := errors.Join(e1, e2, e3); err != nil {
		f.Close()
		return fail(err)
	}
	if f.rec, err = appendWriter(f.recFile); err != nil {
		return fail(err)
	}
	return f, x, c.Wall, memory, nil
}

// ErrNoCheckpoint is returned when a folder has no checkpoint.
var ErrNoCheckpoint = errors.New("no checkpoint")

func length(f *os.File) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

func bits(s []float64) string {
	b := make([]byte, 0, 8*len(s))
	for _, x := range s {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func unbits(s string) ([]float64, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(b)%8 != 0 {
		return nil, errors.New("damaged")
	}
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x, nil
}
