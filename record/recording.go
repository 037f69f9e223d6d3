// Package record keeps what a run did: a recording of states and contacts, from
// which every picture, chart and export is made, tables of steps and signals,
// a summary, and checkpoints to go on from.
package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

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
	Contacts []Contact   // of the step that led here
}

// Contact is one contact of the step before a frame.
type Contact struct {
	A, B     int      // scene bodies, −1: world
	Pos_W    r3.Vec   // m
	Normal_W r3.Vec   // from A to B
	Force_W  r3.Vec   // on B, N
	Phi      float64  // gap, m
	Area     float64  // m², 0 for a point
	Elem     [2]int32 // geom or triangle on each side
}

// A recording is a header, then frames. Each is a block: its length, then zstd
// data; so a file cut short is readable up to the last whole frame.
const magic = "curlfree recording 1\n"

// Writer appends frames to a recording.
type Writer struct {
	w      *bufio.Writer
	z      *zstd.Encoder
	raw, c []byte
}

// NewWriter starts a recording.
func NewWriter(w io.Writer, st *Static) (*Writer, error) {
	r, err := appendWriter(w)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(st)
	if err != nil {
		return nil, err
	}
	if _, err := r.w.WriteString(magic); err != nil {
		return nil, err
	}
	return r, r.block(head)
}

// appendWriter goes on with a recording that has its header.
func appendWriter(w io.Writer) (*Writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), z: z}, err
}

func (r *Writer) block(raw []byte) error {
	r.c = r.z.EncodeAll(raw, r.c[:0])
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(r.c)))
	if _, err := r.w.Write(n[:]); err != nil {
		return err
	}
	_, err := r.w.Write(r.c)
	return err
}

// Frame appends one frame.
func (r *Writer) Frame(f *Frame) error {
	e := encoder{r.raw[:0]}
	e.f64(f.Time)
	e.floats(f.Q)
	e.floats(f.V)
	e.u32(len(f.Poses))
	for i := range f.Poses {
		q := f.Poses[i].R.Quat()
		for _, x := range q {
			e.f64(x)
		}
		e.vec(f.Poses[i].P)
	}
	e.u32(len(f.Verts))
	for i := range f.Verts {
		e.vecs(f.Verts[i])
		e.vecs(f.Vels[i])
		e.u32(len(f.VonMises[i]))
		for _, s := range f.VonMises[i] {
			e.f32(float64(s))
		}
	}
	e.u32(len(f.Contacts))
	for i := range f.Contacts {
		c := &f.Contacts[i]
		e.u32(c.A)
		e.u32(c.B)
		e.vec(c.Pos_W)
		e.vec(c.Normal_W)
		e.vec(c.Force_W)
		e.f64(c.Phi)
		e.f64(c.Area)
		e.u32(int(c.Elem[0]))
		e.u32(int(c.Elem[1]))
	}
	r.raw = e.b
	return r.block(e.b)
}

// Flush writes out what is buffered.
func (r *Writer) Flush() error { return r.w.Flush() }

type encoder struct{ b []byte }

func (e *encoder) u32(n int)     { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(int32(n))) }
func (e *encoder) f64(x float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(x)) }
func (e *encoder) f32(x float64) {
	e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(float32(x)))
}
func (e *encoder) vec(v r3.Vec) { e.f64(v[0]); e.f64(v[1]); e.f64(v[2]) }
func (e *encoder) floats(s []float64) {
	e.u32(len(s))
	for _, x := range s {
		e.f64(x)
	}
}
func (e *encoder) vecs(s []r3.Vec) {
	e.u32(len(s))
	for _, v := range s {
		e.f32(v[0])
		e.f32(v[1])
		e.f32(v[2])
	}
}

// Recording is an open recording.
type Recording struct {
	Static Static
	Frames []Frame
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

// maxBlock bounds what one block may unpack to.
const maxBlock = 1 << 30

// Decode reads a recording from memory. A last frame that was cut short is left
// out.
func Decode(b []byte) (*Recording, error) {
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, errors.New("this is not a recording of curlfree")
	}
	b = b[len(magic):]
	z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	next := func() ([]byte, bool, error) {
		if len(b) < 4 {
			return nil, false, nil
		}
		n := int(binary.LittleEndian.Uint32(b))
		if n > len(b)-4 {
			return nil, false, nil
		}
		raw, err := z.DecodeAll(b[4:4+n], nil)
		b = b[4+n:]
		return raw, true, err
	}
	r := new(Recording)
	head, ok, err := next()
	if err != nil || !ok {
		return nil, errDamaged
	}
	if err := json.Unmarshal(head, &r.Static); err != nil {
		return nil, errDamaged
	}
	for {
		raw, ok, err := next()
		if err != nil {
			return nil, errDamaged
		}
		if !ok {
			return r, nil
		}
		f, err := decodeFrame(raw)
		if err != nil {
			return nil, err
		}
		if len(f.Poses) != len(r.Static.Bodies) || len(f.Verts) != len(r.Static.Soft) {
			return nil, errDamaged
		}
		for i := range f.Verts {
			if len(f.Verts[i]) != len(r.Static.Soft[i].Rest) || len(f.VonMises[i]) != len(r.Static.Soft[i].Tets) {
				return nil, errDamaged
			}
		}
		r.Frames = append(r.Frames, f)
	}
}

func decodeFrame(raw []byte) (f Frame, err error) {
	d := decoder{b: raw}
	f.Time = d.f64()
	f.Q, f.V = d.floats(), d.floats()
	f.Poses = make([]r3.Pose, d.count(56))
	for i := range f.Poses {
		q := r3.Quat{d.f64(), d.f64(), d.f64(), d.f64()}
		f.Poses[i] = r3.Pose{R: q.Mat(), P: d.vec()}
	}
	n := d.count(12)
	f.Verts, f.Vels, f.VonMises = make([][]r3.Vec, n), make([][]r3.Vec, n), make([][]float32, n)
	for i := range n {
		f.Verts[i], f.Vels[i] = d.vecs(), d.vecs()
		f.VonMises[i] = make([]float32, d.count(4))
		for j := range f.VonMises[i] {
			f.VonMises[i][j] = float32(d.f32())
		}
	}
	f.Contacts = make([]Contact, d.count(104))
	for i := range f.Contacts {
		f.Contacts[i] = Contact{
			A: d.i32(), B: d.i32(), Pos_W: d.vec(), Normal_W: d.vec(), Force_W: d.vec(),
			Phi: d.f64(), Area: d.f64(), Elem: [2]int32{int32(d.i32()), int32(d.i32())},
		}
	}
	if d.bad || len(d.b) != 0 {
		return f, errDamaged
	}
	return f, nil
}

type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) take(n int) []byte {
	if d.bad || len(d.b) < n {
		d.bad = true
		return make([]byte, n)
	}
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}
func (d *decoder) i32() int     { return int(int32(binary.LittleEndian.Uint32(d.take(4)))) }
func (d *decoder) f64() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))) }
func (d *decoder) f32() float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(d.take(4))))
}
func (d *decoder) vec() r3.Vec { return r3.Vec{d.f64(), d.f64(), d.f64()} }

// count reads a length and checks it against the bytes left at size bytes each.
func (d *decoder) count(size int) int {
	n := d.i32()
	if n < 0 || n > len(d.b)/size {
		d.bad = true
		return 0
	}
	return n
}
func (d *decoder) floats() []float64 {
	s := make([]float64, d.count(8))
	for i := range s {
		s[i] = d.f64()
	}
	return s
}
func (d *decoder) vecs() []r3.Vec {
	s := make([]r3.Vec, d.count(12))
	for i := range s {
		s[i] = r3.Vec{d.f32(), d.f32(), d.f32()}
	}
	return s
}
