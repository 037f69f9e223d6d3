package record

import (
	"encoding/json"
	"errors"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Static is the part of a recording that does not change during a run. In a file it
// is the header, as JSON. The keys of the JSON are part of the file format: a field
// with a tag has been renamed since.
type Static struct {
	// Title is the scene's title, or its file name.
	Title string
	// Gravity is the acceleration of free fall, m/s², in world axes. Pictures and
	// glTF files take its opposite as up.
	Gravity r3.Vec
	// Bodies are the names of the rigid bodies. Body i is scene body i.
	Bodies []string
	// Kinematic has each kinematic body, in rising order: rigid bodies that no force moves, fixed or with a prescribed
	// motion. Recordings of earlier versions name none.
	Kinematic []int `json:",omitempty"`
	// Geoms are the shapes on rigid bodies and in the world.
	Geoms []Geom
	// Deformables are the deformable bodies. Deformable i is scene body
	// len(Bodies)+i.
	Deformables []Deformable `json:"Soft"`
	// NumQ is the length of Frame.Q.
	NumQ int
	// NumV is the length of Frame.V.
	NumV int
	// Render has the render section of the scene, as JSON with the names of
	// render.Options.
	Render json.RawMessage `json:",omitempty"`
}

// Geom is a shape on a rigid body, as it is shown.
type Geom struct {
	// Name is the body's name, with a number where the body has several shapes.
	Name string
	// Body is the index of the body in Static.Bodies; −1 is the world.
	Body int
	// X_BG is the pose of the shape in its body, or in the world.
	X_BG r3.Pose
	// Mesh is the surface in the frame of the shape, m; nil where nothing is shown.
	Mesh *meshes.Tri `json:"Surface"`
	// SameMeshAs is used in files only: 1 + the index of the earlier shape whose mesh
	// this shape has; 0 where the mesh is written with the shape.
	SameMeshAs int `json:"Like,omitempty"`
	// Color is #rrggbb; empty leaves the choice to the viewer.
	Color string
	// Hidden reports that the shape is not drawn: it takes part in contact and has a
	// visual twin.
	Hidden bool
	// Ground is the edge of the square that stands for a half-space, m; 0 for all
	// other shapes.
	Ground float64
}

// Deformable is a deformable body: a mesh of tetrahedra.
type Deformable struct {
	// Name is the body's name in the scene.
	Name string
	// Color is #rrggbb; empty leaves the choice to the viewer.
	Color string
	// Rest are the undeformed vertices, m.
	Rest []r3.Vec
	// Tets are the vertices of each tetrahedron (a, b, c, d), with a positive volume
	// (b−a)×(c−a)·(d−a)/6.
	Tets [][4]int32
	// Tris are the triangles of the boundary, counter-clockwise seen from outside.
	Tris [][3]int32
}

// Frame is one recorded instant.
type Frame struct {
	// Time is the time of the state, s.
	Time float64
	// Q are the generalized positions of the rigid bodies, m or rad or quaternions,
	// and V their velocities, m/s or rad/s.
	Q, V []float64
	// Poses are the poses X_WB of the rigid bodies.
	Poses []r3.Pose
	// Verts are the vertices of each deformable, m, rounded to float32 in files.
	Verts [][]r3.Vec
	// Vels are the velocities of the vertices, m/s, rounded to float32 in files.
	Vels [][]r3.Vec
	// VonMises is the von Mises stress of each tetrahedron of each deformable, Pa.
	VonMises [][]float32
	// Contacts are the contact points, and the faces of deformables in contact, of the
	// step that ended at Time.
	Contacts []Contact
	// ContactSurfaces are the contact surfaces of that step.
	ContactSurfaces []ContactSurface
}

// Contact is one contact of the step that ended at a frame. In files, all vectors but
// the position, the gap and the area are rounded to float32.
type Contact struct {
	// A and B are the scene bodies; −1 is the world.
	A, B int
	// Pos_W is the contact point, m.
	Pos_W r3.Vec
	// Normal_W is the unit normal, from A to B.
	Normal_W r3.Vec
	// Force_W is the force on B, N; the opposite acts on A.
	Force_W r3.Vec
	// Slip_W is the tangential velocity of B relative to A, m/s.
	Slip_W r3.Vec
	// Phi is the gap, m; negative where the bodies overlap.
	Phi float64
	// Area is the part of the contact surface that the contact stands for, m²; 0 for
	// a point.
	Area float64
	// Elem is the index of the geom, or of the boundary triangle of a deformable, on
	// the side of A and of B.
	Elem [2]int32
}

// Recording is a recorded run. Its frames are a list in memory, or the blocks of a
// file, of which a few at a time are in memory. Len, Time and At read both.
type Recording struct {
	// Static is the data that do not change during the run.
	Static Static
	// Frames are the frames of a recording in memory, by increasing time; nil for a
	// file.
	Frames []Frame

	dir   string // run folder that the recording was read from; empty for others
	file  *reader
	close func() error
}

// Len returns the number of frames. A file that a run is still writing has the
// frames that were whole when it was opened.
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

// At returns frame k, which the caller must not change. For a damaged frame of a
// file it returns the first frame, and Err returns the fault. The result stays valid;
// a file keeps the first and the last few frames in memory and reads others again.
func (r *Recording) At(k int) *Frame {
	if r.file != nil {
		return r.file.frame(r, k)
	}
	return &r.Frames[k]
}

// Err returns the first fault that At met in a file, nil for a recording in memory. A
// caller that computed a result from frames checks Err before it uses the result.
func (r *Recording) Err() error {
	if r.file == nil {
		return nil
	}
	r.file.mu.Lock()
	defer r.file.mu.Unlock()
	return r.file.err
}

// Complete reports whether the recording has its index, which a run writes at its
// end. It is false for a run that is running or was stopped, and for a file that was
// cut or damaged.
func (r *Recording) Complete() bool { return r.file == nil || r.file.c.whole || r.file.c.old }

// Close closes the file of the recording. It does nothing for one in memory.
func (r *Recording) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// RecordingFile is the recording's name within a run folder.
const RecordingFile = "recording.curl"

// errDamaged is returned for bytes that Writer never writes.
var errDamaged = errors.New("the recording is damaged: run the scene again")
