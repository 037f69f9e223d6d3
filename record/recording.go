// Package record keeps what a run did: a recording of states and contacts, from
// which every picture, chart and export is made, tables of steps and signals,
// a summary, and checkpoints to go on from.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"curlfree/meshes"
	"curlfree/r3"
)

// Static is what does not change during a run.
type Static struct {
	Title   string
	Gravity r3.Vec
	Bodies  []string // names of the rigid bodies, scene bodies 0..
	Geoms   []Geom
	Soft    []Soft          // deformable i is scene body len(Bodies)+i
	NumQ    int             // rigid positions in Frame.Q
	NumV    int             // rigid velocities in Frame.V
	Render  json.RawMessage `json:",omitempty"` // the scene's wishes for pictures
}

// Geom is a shape on a rigid body.
type Geom struct {
	Name    string
	Body    int // −1: world
	X_BG    r3.Pose
	Surface *meshes.Tri
	Color   string  // #rrggbb, or empty: chosen
	Hidden  bool    // not shown: contact geometry that has a visual twin
	Ground  float64 // > 0: a half-space, shown as a square of this size
}

// Soft is a deformable body.
type Soft struct {
	Name  string
	Color string
	Rest  []r3.Vec   // undeformed vertices, m
	Tets  [][4]int32 //
	Tris  [][3]int32 // boundary, outward
}

// Frame is one recorded instant.
type Frame struct {
	Time     float64
	Q, V     []float64   // rigid generalized positions and velocities
	Poses    []r3.Pose   // X_WB of each rigid body
	Verts    [][]r3.Vec  // of each deformable, m (rounded to float32)
	Vels     [][]r3.Vec  // of each deformable, m/s (rounded to float32)
	VonMises [][]float32 // of each deformable and tet, Pa
	Contacts []Contact   // points and faces of deformables, of the step that led here
	Patches  []Patch     // contact surfaces of that step
}

// Contact is one contact of the step before a frame. Vectors but the position, gap
// and area are rounded to float32.
type Contact struct {
	A, B     int      // scene bodies, −1: world
	Pos_W    r3.Vec   // m
	Normal_W r3.Vec   // from A to B
	Force_W  r3.Vec   // on B, N
	Slip_W   r3.Vec   // tangential velocity of B seen from A, m/s
	Phi      float64  // gap, m
	Area     float64  // m², 0 for a point
	Elem     [2]int32 // geom or triangle on each side
}

// Recording is a recording: in memory as a list of frames, or read, which unpacks
// a frame at a time. Use Len, Time and At, which serve both.
type Recording struct {
	Static Static
	Frames []Frame // of one in memory

	packed *packed
}

// Len returns the number of frames.
func (r *Recording) Len() int {
	if r.packed != nil {
		return len(r.packed.blocks)
	}
	return len(r.Frames)
}

// Time returns the time of frame k, s.
func (r *Recording) Time(k int) float64 {
	if r.packed != nil {
		return r.packed.blocks[k].time
	}
	return r.Frames[k].Time
}

// At returns frame k, which is not to be changed. Of a recording that was read,
// Valid must have found no fault before.
func (r *Recording) At(k int) *Frame {
	f, err := r.read(k)
	if err != nil {
		panic("record: a frame of a recording that is not valid was asked for")
	}
	return f
}

func (r *Recording) read(k int) (*Frame, error) {
	if r.packed != nil {
		return r.packed.frame(&r.Static, k)
	}
	return &r.Frames[k], nil
}

// RecordingFile is the recording's name within a run folder.
const RecordingFile = "recording.curl"

// ReadRun reads the recording of a run folder; of a run that is going on or was
// interrupted, the frames up to now.
func ReadRun(dir string) (*Recording, error) {
	path := filepath.Join(dir, RecordingFile)
	b, err := readResult(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: no recording here: is this the folder that curlfree run -o wrote?", dir)
	} else if err != nil {
		return nil, err
	}
	r, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// errDamaged is returned for bytes that no recording has.
var errDamaged = errors.New("the recording is damaged: run the scene again")
