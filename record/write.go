package record

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"

	"curlfree/r3"
)

// A recording is a line that tells its version, a header and frames. Each is a
// block: its length, of frames their time, then zstd data; so a file cut short is
// readable up to the last whole frame.
const (
	magic = "curlfree recording 2\n"
	// magic1 began recordings whose contacts had no slip, whose patches were among
	// the contacts without their shape, and whose blocks had no time of their own.
	magic1 = "curlfree recording 1\n"
)

// Writer appends frames to a recording.
type Writer struct {
	w      *bufio.Writer
	z      *zstd.Encoder
	raw, c []byte
	shapes shapeEncoder
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
	return r, r.block(nil, head)
}

// appendWriter goes on with a recording that has its header.
func appendWriter(w io.Writer) (*Writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), z: z}, err
}

// block writes a block with what stands between its length and its data.
func (r *Writer) block(between, raw []byte) error {
	r.c = r.z.EncodeAll(raw, r.c[:0])
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(r.c)))
	for _, b := range [][]byte{n[:], between, r.c} {
		if _, err := r.w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Frame appends one frame.
func (r *Writer) Frame(f *Frame) error {
	e := encoder{r.raw[:0]}
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
		e.short(c.Normal_W)
		e.short(c.Force_W)
		e.short(c.Slip_W)
		e.f32(c.Phi)
		e.f32(c.Area)
		e.u32(int(c.Elem[0]))
		e.u32(int(c.Elem[1]))
	}
	e.u32(len(f.Patches))
	for i := range f.Patches {
		r.shapes.patch(&e, &f.Patches[i])
	}
	r.raw = e.b
	return r.block(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f.Time)), e.b)
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

// short writes a vector rounded to float32.
func (e *encoder) short(v r3.Vec) { e.f32(v[0]); e.f32(v[1]); e.f32(v[2]) }
func (e *encoder) floats(s []float64) {
	e.u32(len(s))
	for _, x := range s {
		e.f64(x)
	}
}
func (e *encoder) vecs(s []r3.Vec) {
	e.u32(len(s))
	for _, v := range s {
		e.short(v)
	}
}
