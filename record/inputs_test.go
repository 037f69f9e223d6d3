package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/sim"
)

const header = `{"format":"curlfree inputs 1","time_step":0.01}` + "\n"

// Inputs that are written read back as they were, and the half line of a killed session is left out.
func TestInputsReadBackAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), InputsFile)
	grip := 0.02
	want := &Inputs{TimeStep: 0.01, Steps: 90, Hash: "ab", List: []Input{
		{3, sim.OperatorInput{Teleop: &sim.TeleopInput{Drive: "arm", Hold: true, Linear: [3]float64{0.1, 0, 1e-17}, Gripper: &grip}}},
		{3, sim.OperatorInput{Set: &sim.ValueInput{Name: "a", Value: 0.1}}},
		{80, sim.OperatorInput{Drag: &sim.DragInput{Body: "b", Vertex: 3, Stiffness: 1, Force: 2}}},
	}}
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadInputs(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	// a later session may replace them
	if authorship.Foreign(path) {
		t.Error("the file is taken for one of another program")
	}
	b, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(b), "\n")
	got, err = parseInputs([]byte(strings.Join(lines[:3], "") + lines[3][:10]))
	if err != nil || len(got.List) != 2 || got.Steps != 0 {
		t.Errorf("a killed session: %+v, %v", got, err)
	}
}

// What is no file of inputs is refused with its line.
func TestFaultyInputFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "1: this is no file of inputs", "{}\n": "1: this is no file", "time: {step: 1}\n": "1: this is no file",
		header + `{"step":1,"jump":2}` + "\n": "2: this is no input", header + `{"step":-1,"set":{"name":"a"}}` + "\n": "2: step -1",
		header + `{"step":5,"set":{}}` + "\n" + `{"step":4,"set":{}}` + "\n": "3: step 4", header + `{"steps":5,"hash":"a"}` + "\n" + `{"step":5,"set":{}}` + "\n": "3: a line after",
		header + `{"step":5,"set":{}}` + "\n" + `{"steps":4,"hash":"a"}` + "\n": "3: the session ends", header + `{"step":5,"set":{}} 7` + "\n": "2: this is no input",
	} {
		if _, err := parseInputs([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
