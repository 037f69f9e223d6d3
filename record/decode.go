package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// decode reads an unpacked frame. It returns an error unless all sizes are those of
// the header and all bytes are used.
func decode(raw []byte, st *Static) (*Frame, error) {
	d := decoder{b: raw}
	f := new(Frame)
	// The order is that of Writer.Frame. Sizes are compared with the header before lists are made.
	f.Q, f.V = d.floats(), d.floats()
	if len(f.Q) != st.NumQ || len(f.V) != st.NumV {
		return nil, fmt.Errorf("it has %d positions and %d velocities of rigid bodies, not %d and %d: %w", len(f.Q), len(f.V), st.NumQ, st.NumV, errDamaged)
	}
	// rigid bodies
	f.Poses = make([]r3.Pose, d.count(56))
	for i := range f.Poses {
		q := r3.Quat{d.f64(), d.f64(), d.f64(), d.f64()}
		f.Poses[i] = r3.Pose{R: q.Mat(), P: d.vec()}
	}
	n := d.count(12)
	if len(f.Poses) != len(st.Bodies) || n != len(st.Deformables) {
		return nil, errDamaged
	}
	// deformables
	f.Verts, f.Vels, f.VonMises = make([][]r3.Vec, n), make([][]r3.Vec, n), make([][]float32, n)
	for i := range n {
		f.Verts[i], f.Vels[i] = d.vecs(), d.vecs()
		f.VonMises[i] = make([]float32, d.count(4))
		for j := range f.VonMises[i] {
			f.VonMises[i][j] = float32(d.f32())
		}
	}
	// contacts, then contact surfaces
	f.Contacts = make([]Contact, d.count(84))
	for i := range f.Contacts {
		f.Contacts[i] = Contact{
			A: d.i32(), B: d.i32(), Pos_W: d.vec(), Normal_W: d.short(), Force_W: d.short(), Slip_W: d.short(),
			Phi: d.f32(), Area: d.f32(), Elem: [2]int32{int32(d.i32()), int32(d.i32())},
		}
	}
	f.ContactSurfaces = make([]ContactSurface, d.count(surfaceSize))
	for i := range f.ContactSurfaces {
		d.surface(&f.ContactSurfaces[i])
	}
	// No byte may be missing or left.
	if d.bad || len(d.b) != 0 {
		return nil, errDamaged
	}
	return f, nil
}

// decoder reads numbers from the bytes of a frame. Behind their end all numbers are 0,
// and bad is set.
type decoder struct {
	b    []byte
	bad  bool
	none [8]byte
}

// take returns the next n ≤ 8 bytes, or more if they are there.
func (d *decoder) take(n int) []byte {
	// A fault is kept: all later numbers are 0, and the frame is refused at its end.
	if d.bad || len(d.b) < n {
		d.bad = true
		return d.none[:n]
	}
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}

// Numbers, by their widths in bits.

func (d *decoder) u8() int      { return int(d.take(1)[0]) }
func (d *decoder) i32() int     { return int(int32(binary.LittleEndian.Uint32(d.take(4)))) }
func (d *decoder) f64() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))) }
func (d *decoder) f32() float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(d.take(4))))
}
func (d *decoder) vec() r3.Vec   { return r3.Vec{d.f64(), d.f64(), d.f64()} }
func (d *decoder) short() r3.Vec { return r3.Vec{d.f32(), d.f32(), d.f32()} }

// count reads the length of a list whose items have at least size bytes each. A list
// that cannot fit into the bytes left makes the frame bad and has length 0, so that no
// memory is taken for it.
func (d *decoder) count(size int) int {
	// A list of n items takes at least n·size of the bytes that are left.
	n := d.i32()
	if n < 0 || n > len(d.b)/size {
		d.bad = true
		return 0
	}
	return n
}

// floats reads a list of float64 with its length before it.
func (d *decoder) floats() []float64 {
	s := make([]float64, d.count(8))
	for i := range s {
		s[i] = d.f64()
	}
	return s
}

// vecs reads a list of vectors of float32 with its length before it.
func (d *decoder) vecs() []r3.Vec {
	s := make([]r3.Vec, d.count(12))
	for i := range s {
		s[i] = d.short()
	}
	return s
}
