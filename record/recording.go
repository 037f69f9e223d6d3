// Package record keeps what a run did: a recording of states and contacts, from
// which every picture, chart and export is made, tables of steps and signals,
// a summary, and checkpoints to go on from.
package record

import (
	"encoding/json"
	"errors"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Static is what does not change during a run.
type Static struct {
	Title       string
	Gravity     r3.Vec
	Bodies      []string // names of the rigid bodies, scene bodies 0..
	Geoms       []Geom
	Deformables []Deformable    `json:"Soft"` // deformable i is scene body len(Bodies)+i
	NumQ        int             // rigid positions in Frame.Q
	NumV        int             // rigid velocities in Frame.V
	Render      json.RawMessage `json:",omitempty"` // the scene's wishes for pictures
}

// Geom is a shape on a rigid body.
type Geom struct {
	Name       string
	Body       int // −1: world
	X_BG       r3.Pose
	Mesh       *meshes.Tri `json:"Surface"`
	SameMeshAs int         `json:"Like,omitempty"` // in a file: 1 + the index of the earlier shape that has the same mesh, in place of it
	Color      string      // #rrggbb, or empty: chosen
	Hidden     bool        // not shown: contact geometry that has a visual twin
	Ground     float64     // > 0: a half-space, shown as a square of this size
}

// Deformable is a deformable body.
type Deformable struct {
	Name  string
	Color string
	Rest  []r3.Vec   // undeformed vertices, m
	Tets  [][4]int32 //
	Tris  [][3]int32 // boundary, outward
}

// Frame is one recorded instant.
type Frame struct {
	Time            float64
	Q, V            []float64        // rigid generalized positions and velocities
	Poses           []r3.Pose        // X_WB of each rigid body
	Verts           [][]r3.Vec       // of each deformable, m (rounded to float32)
	Vels            [][]r3.Vec       // of each deformable, m/s (rounded to float32)
	VonMises        [][]float32      // of each deformable and tet, Pa
	Contacts        []Contact        // points and faces of deformables, of the step that led here
	ContactSurfaces []ContactSurface // contact surfaces of that step
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

// Recording is a recording: in memory as a list of frames, or a file, of which a few
// frames at a time are in memory. Use Len, Time and At, which serve both.
type Recording struct {
	Static Static
	Frames []Frame // of one in memory

	file  *reader
	close func() error
}

// Len returns the number of frames.
func (r *Recording) Len() int {
	if r.file != nil {
		return len(r.file.c.frames)
	}
	return len(r.Frames)
}

// Time returns the time of frame k, s.
func (r *Recording) Time(k int) float64 {
	if r.file != nil {
		return r.file.c.frames[k].time
	}
	return r.Frames[k].Time
}

// At returns frame k, which is not to be changed. In place of a frame of a file that
// is damaged stands the first, and Err tells.
func (r *Recording) At(k int) *Frame {
	if r.file != nil {
		return r.file.frame(r, k)
	}
	return &r.Frames[k]
}

// Err returns the first fault that At met. Who made something of frames asks it
// before handing that on.
func (r *Recording) Err() error {
	if r.file == nil {
		return nil
	}
	r.file.mu.Lock()
	defer r.file.mu.Unlock()
	return r.file.err
}

// Complete reports whether the recording has its end: not that of a run that is going
// on or was stopped, nor of a file that was cut or damaged.
func (r *Recording) Complete() bool { return r.file == nil || r.file.c.whole || r.file.c.old }

// Close closes the file of the recording.
func (r *Recording) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// RecordingFile is the recording's name within a run folder.
const RecordingFile = "recording.curl"

// errDamaged is returned for bytes that no recording has.
var errDamaged = errors.New("the recording is damaged: run the scene again")
