package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/curlfree/curlfree/r3"
)

// A recording is written as a stream: the line with the version, the header, a block for each
// frame and, by End, the index and the place of the index. Nothing is written twice, so that the
// stream may be a pipe. The bytes depend on the frames alone: packing uses one thread and one
// level, and blocks have no clock time.
//
// Positions and velocities of rigid bodies are float64, so that differences between frames keep
// their digits; what is looked at (vertices, contacts, stresses) is float32, of half the length.

// Writer writes a recording to a stream, block by block. Each block is written by
// one call of Write, so that a killed process leaves complete blocks.
type Writer struct {
	w        io.Writer
	z        *zstd.Encoder
	raw, b   []byte
	surfaces surfaceEncoder
	at       int64   // bytes written
	index    []byte  // of the frames so far
	last     float64 // time of the last frame, s
}

// NewWriter starts a recording: it writes the version and the header.
func NewWriter(w io.Writer, st *Static) (*Writer, error) {
	r, err := appendWriter(w, nil)
	if err != nil {
		return nil, err
	}
	// The header is JSON, in which a mesh that several shapes have stands once.
	head, err := json.Marshal(st.once())
	if err != nil {
		return nil, err
	}
	// the version, then the header as the first block
	if err := r.write([]byte(magic)); err != nil {
		return nil, err
	}
	return r, r.block(kindHeader, 0, head)
}

// packers are encoders of recordings that have ended. An encoder has tables of megabytes, which a study
// of many short cases would make again for each; blocks do not depend on earlier ones.
var packers sync.Pool

// appendWriter continues a recording whose blocks are known, or starts one for nil.
func appendWriter(w io.Writer, c *container) (*Writer, error) {
	var err error
	z, _ := packers.Get().(*zstd.Encoder)
	if z == nil {
		z, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(packWindow), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	}
	r := &Writer{w: w, z: z, last: math.Inf(-1)}
	// The index of a recording that continues has the frames before.
	if c != nil {
		r.at = c.end
		for i := range c.frames {
			r.note(&c.frames[i])
		}
	}
	return r, err
}

// note adds a frame to the index.
func (r *Writer) note(b *block) {
	r.index = binary.LittleEndian.AppendUint32(r.index, uint32(b.size))
	r.index = binary.LittleEndian.AppendUint64(r.index, math.Float64bits(b.time))
	r.last = b.time
}

// block packs and writes a block. It returns an error for data beyond maxBlock.
func (r *Writer) block(kind byte, time float64, raw []byte) error {
	// Readers refuse longer blocks, so none is written.
	if len(raw) > maxBlock {
		return fmt.Errorf("a recording has at most %d bytes for a frame, not %d: coarsen the meshes", maxBlock, len(raw))
	}
	// The packed data follow the room for the head, which is filled in last.
	r.b = r.z.EncodeAll(raw, append(r.b[:0], make([]byte, headSize)...))
	sealHead(r.b, kind, time)
	return r.write(r.b)
}

// write counts the bytes that go out.
func (r *Writer) write(b []byte) error {
	n, err := r.w.Write(b)
	r.at += int64(n)
	return err
}

// End writes the index. Nothing may be written afterwards.
func (r *Writer) End() error {
	at := r.at
	packers.Put(r.z)
	r.z = nil
	// The index is not packed, so that it is found from the end of the file.
	b := append(make([]byte, headSize), r.index...)
	sealHead(b, kindIndex, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(at))
	return r.write(append(b, endMark...))
}

// Frame appends one frame, which must be later than the one before and have the
// sizes of the header.
func (r *Writer) Frame(f *Frame) error {
	// rigid bodies
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
	// deformables
	e.u32(len(f.Verts))
	for i := range f.Verts {
		e.vecs(f.Verts[i])
		e.vecs(f.Vels[i])
		e.u32(len(f.VonMises[i]))
		for _, s := range f.VonMises[i] {
			e.f32(float64(s))
		}
	}
	// contacts, then contact surfaces
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
	e.u32(len(f.ContactSurfaces))
	for i := range f.ContactSurfaces {
		r.surfaces.surface(&e, &f.ContactSurfaces[i])
	}
	r.raw = e.b
	if err := r.block(kindFrame, f.Time, e.b); err != nil {
		return err
	}
	r.note(&block{size: len(r.b) - headSize, time: f.Time})
	return nil
}

// encoder appends numbers to the bytes of a frame, little-endian.
type encoder struct{ b []byte }

// Numbers, by their widths in bits.

func (e *encoder) u32(n int)     { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(int32(n))) }
func (e *encoder) f64(x float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(x)) }
func (e *encoder) f32(x float64) {
	e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(float32(x)))
}
func (e *encoder) vec(v r3.Vec) { e.f64(v[0]); e.f64(v[1]); e.f64(v[2]) }

// short writes a vector rounded to float32.
func (e *encoder) short(v r3.Vec) { e.f32(v[0]); e.f32(v[1]); e.f32(v[2]) }

// floats writes a list with its length before it.
func (e *encoder) floats(s []float64) {
	e.u32(len(s))
	for _, x := range s {
		e.f64(x)
	}
}

// vecs writes a list of vectors, rounded to float32, with its length before it.
func (e *encoder) vecs(s []r3.Vec) {
	e.u32(len(s))
	for _, v := range s {
		e.short(v)
	}
}
