package record

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
)

// A step depends on the state alone: time, positions, velocities, the contact forces of the last
// step that bound lagged friction, and the memory of signals. So a checkpoint stores these with
// all their bits, and the lengths of the three files that grow. Resume cuts the files to these
// lengths, since a killed run may have written more, and the steps that follow write the same
// bytes again.
//
// What a checkpoint is protected by, from the inside out:
//
//	Hash            the state: numbers that were changed
//	StepsDigest, …  the bytes of both tables; blocks of the recording have checksums
//	Digest          all keys: lengths, memory of signals, the model's fingerprint
//
// A checkpoint that fails any of them is refused with the files as they are. Decimal fractions of
// contact forces read back as the same bits, since Go writes the shortest that do.

// checkpoint is the content of checkpoint.json: the bits of the state and the length of
// each file at that moment. A run that continues from it leaves the same files as one
// that never stopped. Numbers that must keep their bits are base64 of little-endian
// float64. The keys are part of the file format.
type checkpoint struct {
	Model           string // fingerprint of the model: a checkpoint of another is refused
	Step            int
	Time            string // bits, as all of the state: base64 of little-endian float64
	Q, V            string
	Memory          string                 // of the signals
	LaggedContacts  []sim.LaggedContact    `json:"Bearing,omitempty"` // decimal fractions that read back as the same bits
	EnergyReference string                 `json:",omitempty"`
	TimeMemory      string                 `json:",omitempty"` // of the midpoint rule: h, w, Δv
	Pace            string                 `json:",omitempty"` // of the control of errors: next step, last error
	Commands        string                 `json:",omitempty"` // of controllers to drives
	Controllers     []sim.ControllerMemory `json:",omitempty"`
	Operator        string                 `json:",omitempty"` // what an operator wants
	Holds           string                 `json:",omitempty"` // bodies that drives hold
	Steps           int64                  // bytes of steps.csv
	Signals         int64
	Frames          int64
	StepsDigest     string // SHA-256 of these bytes; recordings have checksums
	SignalsDigest   string
	Kernels         []string // vector instructions of the solver, one for each part of the run with others
	Wall            float64  // s spent so far
	Hash            string   // of the state
	Digest          string   // of all of the above
}

// digest returns the SHA-256 of everything in the checkpoint but the digest itself.
func (c checkpoint) digest() string {
	c.Digest = ""
	b, err := json.Marshal(&c)
	if err != nil {
		return "" // numbers that JSON cannot represent, which Checkpoint reports when it writes them
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Checkpoint flushes and syncs all files and then replaces checkpoint.json, so that the
// files always contain at least the steps before the checkpoint. model is the
// fingerprint of the model, wall the time spent so far, s, and memory what signals carry
// from step to step.
func (f *Folder) Checkpoint(x *sim.State, model string, wall float64, memory []float64) error {
	defer atomicfile.Saving()()
	// What is on the disk must reach as far as the checkpoint says.
	if err := f.Flush(); err != nil {
		return err
	}
	if err := f.check(f.sync()); err != nil {
		return err
	}
	// The state with all its bits, and its hash, which Resume verifies.
	c := checkpoint{
		Model: model, Step: x.Step, Time: bits([]float64{x.Time}), Q: bits(x.Q), V: bits(x.V),
		LaggedContacts: x.LaggedContacts, EnergyReference: bits(x.EnergyReference), TimeMemory: bits(flatMemory(&x.Memory)), Pace: bits(flatPace(&x.Pace)), Commands: bits(x.Commands), Controllers: x.Controllers, Operator: bits(x.Operator), Holds: bits(x.Holds), Wall: wall, Hash: x.Hash(), Memory: bits(memory),
		StepsDigest: f.steps.digest(), SignalsDigest: f.signals.digest(), Kernels: f.kernels,
	}
	// lengths after the flush
	var err [3]error
	// resuming cuts to these lengths, so that they are taken after the last write
	c.Steps, err[0] = length(f.steps.f)
	c.Signals, err[1] = length(f.signals.f)
	c.Frames, err[2] = length(f.recFile)
	if err := f.check(errors.Join(err[:]...)); err != nil {
		return err
	}
	c.Digest = c.digest()
	return f.check(WriteJSON(filepath.Join(f.Dir, checkpointFile), &c))
}

// Resumed is a run that continues at its checkpoint.
type Resumed struct {
	// Folder is the run folder, whose files end at the checkpoint.
	Folder *Folder
	// State is the state at the checkpoint, with the same bits.
	State *sim.State
	// Wall is the wall-clock time spent before the checkpoint, s.
	Wall float64
	// Kernels are the vector instructions that the parts of the run used, the last that of
	// this program. With more than one, the results do not have the bits of an
	// uninterrupted run.
	Kernels []string
	// Memory has the numbers that signals carry from step to step.
	Memory []float64
}

// Resume opens a folder where a run of the model with this fingerprint stopped and cuts
// its files back to the last checkpoint. It returns ErrNoCheckpoint where there is no
// checkpoint, and an error that leaves the files as they are for a checkpoint of another
// model, damaged files, or a folder that another run is writing.
func Resume(dir, model string) (*Resumed, error) {
	path := filepath.Join(dir, checkpointFile)
	// No checkpoint is a case of its own: a run may have ended, or never begun.
	b, err := inputfile.Read(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoCheckpoint
	} else if err != nil {
		return nil, err
	}
	// The checkpoint must be of this model, and its state whole.
	var c checkpoint
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, fmt.Errorf("%s: damaged (%w): run without --resume", path, err)
	}
	if c.Model != model {
		return nil, fmt.Errorf("%s: this checkpoint belongs to another scene, or to the scene before it was changed: run without --resume", path)
	}
	x, memory, err := c.state()
	// the state has a hash of its own, which names the damage better
	if err == nil && c.Digest == "" {
		return nil, fmt.Errorf("%s: another version of curlfree began this run: run without --resume", path)
	} else if err == nil && c.digest() != c.Digest {
		err = errors.New("its digest differs")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: damaged (%w): run without --resume", path, err)
	}
	// The files are touched last, after all that can be refused.
	f, err := c.reopen(dir)
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("%s: %w", dir, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w: run without --resume", path, err)
	}
	return &Resumed{f, x, c.Wall, f.kernels, memory}, nil
}

// Finished returns the summary of a complete run of the model with this fingerprint, or
// nil where the folder has a checkpoint to continue from. It returns ErrNoCheckpoint
// where there is neither, as after a run that a failing step ended, and another error
// where the complete run is of another model.
func Finished(dir, model string) (*Summary, error) {
	// An unfinished run has a checkpoint, whatever else is in the folder.
	if _, err := os.Stat(filepath.Join(dir, checkpointFile)); err == nil {
		return nil, nil
	}
	path := filepath.Join(dir, SummaryFile)
	var s Summary
	// A summary without a digest of its inputs is of a run that failed.
	b, err := inputfile.Read(path)
	if err != nil || json.Unmarshal(b, &s) != nil || s.Inputs == "" {
		return nil, ErrNoCheckpoint
	}
	// A complete run of another model is not taken for this one.
	if s.Inputs != model {
		return nil, fmt.Errorf("%s: this run is complete, but of another scene, or of the scene before it was changed; it cannot be continued or extended: run without --resume", path)
	}
	return &s, nil
}

// state unpacks the state and the memory of signals, and verifies the state's hash.
func (c *checkpoint) state() (x *sim.State, memory []float64, err error) {
	// The lists of numbers are base64 of float64.
	t, e1 := unbits(c.Time)
	q, e2 := unbits(c.Q)
	v, e3 := unbits(c.V)
	memory, e4 := unbits(c.Memory)
	reference, e5 := unbits(c.EnergyReference)
	commands, e6 := unbits(c.Commands)
	operator, e7 := unbits(c.Operator)
	holds, e8 := unbits(c.Holds)
	timeMemory, e9 := unbits(c.TimeMemory)
	pace, e10 := unbits(c.Pace)
	if err := errors.Join(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10); err != nil {
		return nil, nil, err
	}
	if len(t) != 1 {
		return nil, nil, errors.New("it has no time")
	}
	// The hash differs for a state whose numbers were changed by hand or by damage.
	x = &sim.State{Time: t[0], Step: c.Step, Q: q, V: v, LaggedContacts: c.LaggedContacts, EnergyReference: reference, Commands: commands, Controllers: c.Controllers, Operator: operator, Holds: holds}
	if n := len(v); len(timeMemory) == 1+2*n {
		x.Memory = sim.StepMemory{H: timeMemory[0], W: timeMemory[1 : 1+n], DV: timeMemory[1+n:]}
	}
	if len(pace) == 2 {
		x.Pace = sim.Pace{Next: pace[0], Error: pace[1]}
	}
	if x.Hash() != c.Hash {
		return nil, nil, errors.New("its hash differs")
	}
	return x, memory, nil
}

// flatPace returns what the control of errors remembers as one list; empty where there is none.
func flatPace(p *sim.Pace) []float64 {
	if *p == (sim.Pace{}) {
		return nil
	}
	return []float64{p.Next, p.Error}
}

// flatMemory returns the memory of the midpoint rule as one list; empty where there is none.
func flatMemory(m *sim.StepMemory) []float64 {
	if len(m.W) == 0 {
		return nil
	}
	return slices.Concat([]float64{m.H}, m.W, m.DV)
}

// reopen opens the files of the run and cuts each to its length at the checkpoint. It
// changes no file unless all of them are at least that long and the recording is whole.
func (c *checkpoint) reopen(dir string) (_ *Folder, err error) {
	f := &Folder{Dir: dir, steps: newRows(nil), signals: newRows(nil), kernels: withKernel(c.Kernels)}
	// After an error all files that are open are closed, unchanged.
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	// two runs in one folder would write into each other's files
	if f.lock, err = lock(dir); err != nil {
		return nil, err
	}
	sweep(dir)
	// open all files and compare lengths
	files := []struct {
		name string
		size int64
		at   **os.File
	}{
		{StepsFile, c.Steps, &f.steps.f}, {SignalsFile, c.Signals, &f.signals.f}, {RecordingFile, c.Frames, &f.recFile},
	}
	for _, file := range files {
		path := filepath.Join(dir, file.name+partial)
		// what a link leads to is not part of the folder and is not cut
		if info, err := os.Lstat(path); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", file.name+partial)
		}
		g, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		*file.at = g
		if have, err := length(g); err != nil {
			return nil, err
		} else if have < file.size {
			return nil, fmt.Errorf("%s is shorter than it was at the checkpoint", file.name+partial)
		}
	}
	// verify the tables and the recording
	for _, t := range []struct {
		*table
		name, digest string
		size         int64
	}{{f.steps, StepsFile, c.StepsDigest, c.Steps}, {f.signals, SignalsFile, c.SignalsDigest, c.Signals}} {
		if _, err := io.Copy(t.sum, io.NewSectionReader(t.f, 0, t.size)); err != nil {
			return nil, err
		}
		if t.table.digest() != t.digest {
			return nil, fmt.Errorf("%s is damaged", t.name+partial)
		}
	}
	rec, err := frames(f.recFile, c.Frames)
	if err != nil {
		return nil, err
	}
	// cut
	// All files are as long as they must be: cut what was written after the checkpoint.
	for _, file := range files {
		g := *file.at
		if err := g.Truncate(file.size); err != nil {
			return nil, err
		}
		if _, err := g.Seek(file.size, io.SeekStart); err != nil {
			return nil, err
		}
	}
	// The writer continues behind the last frame, with the index of those before.
	f.rec, err = appendWriter(f.recFile, rec)
	return f, err
}

// frames finds the blocks of a recording, whose last frame must end at the given length.
func frames(f *os.File, size int64) (*container, error) {
	c, err := openContainer(f, size)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", RecordingFile+partial, err)
	case c.old:
		return nil, errors.New("another version of curlfree began this run")
	case c.end != size:
		return nil, fmt.Errorf("%s is damaged", RecordingFile+partial)
	}
	return c, nil
}

// ErrNoCheckpoint is the error of Resume and Finished for a folder without a checkpoint.
var ErrNoCheckpoint = errors.New("no checkpoint")

// withKernel appends the vector instructions of this program unless they are the last.
func withKernel(kernels []string) []string {
	if k := supernodal.Kernel(); len(kernels) == 0 || kernels[len(kernels)-1] != k {
		return append(kernels[:len(kernels):len(kernels)], k)
	}
	return kernels
}

// length returns the length of a file, bytes.
func length(f *os.File) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// bits writes numbers with all their bits.
func bits(s []float64) string {
	b := make([]byte, 0, 8*len(s))
	for _, x := range s {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// unbits is the inverse of bits.
func unbits(s string) ([]float64, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(b)%8 != 0 {
		return nil, errors.New("its numbers cannot be read")
	}
	if len(b) == 0 {
		return nil, nil // as states without controllers have it
	}
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x, nil
}
