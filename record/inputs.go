package record

// A file of inputs is what an operator did during a run: lines of JSON,
//
//	{"format": "curlfree inputs 1", "time_step": 0.01}       the first line; min_step where steps control their error
//	{"step": 120, "teleop": {"drive": "arm", …}}             an input before step 120 + 1
//	{"steps": 2310, "hash": "…"}                             the last line of a session that ended well
//
// The same scene with the same inputs has the same bits, which the hash of the state in the last line proves.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/sim"
)

// InputsFile is the usual name of a file of inputs.
const InputsFile = "inputs.ndjson"

// inputsFormat is in the first line of files of inputs.
const inputsFormat = "curlfree inputs 1"

// Input is an input of an operator with the number of steps taken before it.
type Input struct {
	// Step is the number of steps of the state that gets the input.
	Step int `json:"step"`
	sim.OperatorInput
}

// Inputs are the inputs of a session.
type Inputs struct {
	// TimeStep is the step of the session, s.
	TimeStep float64
	// MinStep is the shortest step of a session with control of errors, s; 0: that of the scene.
	MinStep float64
	// List are the inputs, in their order.
	List []Input
	// Steps is the number of steps of the session; 0: it is not known, since the session was killed.
	Steps int
	// Hash is that of the state at the end; empty likewise.
	Hash string
}

// inputsHeader is the first line.
type inputsHeader struct {
	Format   string  `json:"format"`
	TimeStep float64 `json:"time_step"`
	MinStep  float64 `json:"min_step,omitempty"`
}

// inputsEnd is the last line.
type inputsEnd struct {
	Steps int    `json:"steps"`
	Hash  string `json:"hash"`
}

// ReadInputs reads a file of inputs. Its error says which line is at fault.
func ReadInputs(path string) (*Inputs, error) {
	b, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	in, err := parseInputs(b)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return in, nil
}

// parseInputs reads the lines of a file. Errors begin with the number of the line.
func parseInputs(b []byte) (*Inputs, error) {
	in := &Inputs{}
	for n := 1; len(b) > 0; n++ {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		b = rest
		if n > 1 && !ended {
			break // the line at which a session was killed
		}
		if err := in.parse(n, line); err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
	}
	if in.TimeStep == 0 {
		return nil, fmt.Errorf("1: this is no file of inputs: it begins with a line {\"format\": %q, \"time_step\": …}", inputsFormat)
	}
	return in, nil
}

// parse reads line n.
func (in *Inputs) parse(n int, line []byte) error {
	if n == 1 {
		var h inputsHeader
		if err := strict(line, &h); err != nil || h.Format != inputsFormat || !(h.TimeStep > 0) || !(h.MinStep >= 0) {
			return fmt.Errorf("this is no file of inputs of this version: it begins with a line {\"format\": %q, \"time_step\": …}", inputsFormat)
		}
		in.TimeStep, in.MinStep = h.TimeStep, h.MinStep
		return nil
	}
	if in.Steps > 0 {
		return errors.New("a line after the end of the session")
	}
	var end inputsEnd
	if strict(line, &end) == nil && end.Steps > 0 {
		in.Steps, in.Hash = end.Steps, end.Hash
		if k := len(in.List); k > 0 && in.List[k-1].Step > end.Steps {
			return fmt.Errorf("the session ends after %d steps, before its last input", end.Steps)
		}
		return nil
	}
	var i Input
	if err := strict(line, &i); err != nil {
		return fmt.Errorf("this is no input: %w", err)
	}
	if k := len(in.List); i.Step < 0 || k > 0 && i.Step < in.List[k-1].Step {
		return fmt.Errorf("step %d: inputs stand in the order of their steps", i.Step)
	}
	in.List = append(in.List, i)
	return nil
}

// strict reads JSON in which every key is known, and nothing follows.
func strict(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("one object a line is expected")
	}
	return nil
}

// Write replaces a file by these inputs, as a whole.
func (in *Inputs) Write(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		lines, err := NewInputsWriter(w, in.TimeStep, in.MinStep)
		for i := range in.List {
			err = errors.Join(err, lines.Add(&in.List[i]))
		}
		if in.Steps > 0 {
			err = errors.Join(err, lines.End(in.Steps, in.Hash))
		}
		return err
	})
}

// InputsWriter writes the lines of a file of inputs one by one, each with one call of Write.
type InputsWriter struct{ lines *json.Encoder }

// NewInputsWriter writes the first line, for steps of timeStep (s), and of minStep at least unless 0.
func NewInputsWriter(w io.Writer, timeStep, minStep float64) (*InputsWriter, error) {
	iw := &InputsWriter{json.NewEncoder(w)}
	return iw, iw.lines.Encode(inputsHeader{inputsFormat, timeStep, minStep})
}

// Add writes an input, whose step is not less than that of the one before.
func (iw *InputsWriter) Add(i *Input) error { return iw.lines.Encode(i) }

// End writes the last line: the number of steps of the session and the hash of its last state.
func (iw *InputsWriter) End(steps int, hash string) error {
	return iw.lines.Encode(inputsEnd{steps, hash})
}

// Fingerprint returns the fingerprint of a scene under these inputs, from that of the scene: a run of other
// inputs is another run.
func (in *Inputs) Fingerprint(scene string) string {
	b, err := json.Marshal(in)
	if err != nil {
		return scene // inputs have finite numbers, which JSON can represent
	}
	h := sha256.Sum256(append([]byte(scene), b...))
	return hex.EncodeToString(h[:])
}
