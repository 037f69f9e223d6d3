package web

import (
	"encoding/binary"
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// Frames as bytes, see the package document. All lists of positions go through one
// column code: integers on a grid, as differences from their prediction, as
// variable-length numbers.

// Numbers are what comes with a frame besides the frame.
type Numbers struct {
	// Step is the number of steps taken so far.
	Step uint32
	// Signals and Stats are the values in the order of the scene; missing ones are sent
	// as NaN.
	Signals, Stats []float64
}

// Encoder turns frames into messages. A message says how the frame differs from the
// message before, so an encoder serves one receiver, or several that receive all of its
// messages. It must not be used by two goroutines at once.
type Encoder struct {
	scene *Scene
	rec   *record.Recording // of one frame, which fields are measured from
	key   bool              // the next frame is a key frame

	fields []int            // indices of Scene.Fields that are sent
	poses  [7][]int32       // of the last message: x, y, z, then w, x, y, z of quaternions
	verts  [][3][]int32     // of each deformable's surface
	levels map[int][][]byte // of each field and deformable

	column []int32
	buf    []byte
}

// NewEncoder returns an encoder whose first message is a key frame.
func NewEncoder(s *Scene) *Encoder {
	// fields such as displacement are measured from the first frame, which the recording of one frame stands for
	e := &Encoder{
		scene: s, rec: &record.Recording{Static: *s.static, Frames: []record.Frame{s.first}},
		key: true, verts: make([][3][]int32, len(s.Deformables)), levels: map[int][][]byte{},
	}
	for i := range s.Fields {
		e.fields = append(e.fields, i)
		e.levels[i] = make([][]byte, len(s.Deformables))
	}
	return e
}

// Key makes the next message a key frame, which a receiver understands without those
// before.
func (e *Encoder) Key() { e.key = true }

// SetFields chooses the fields that are sent, by name; the others cost neither time nor
// bytes. At first all are sent. Unknown names are left out.
func (e *Encoder) SetFields(names ...string) {
	e.fields = e.fields[:0]
	for i := range e.scene.Fields {
		// few names and few fields
		for _, n := range names {
			if e.scene.Fields[i].Name == n {
				e.fields = append(e.fields, i)
				break
			}
		}
	}
}

// Frame returns the message of a frame. The bytes are valid until the next call.
func (e *Encoder) Frame(f *record.Frame, n *Numbers) []byte {
	e.header(f, n)
	e.writePoses(f.Poses)
	for i := range e.scene.Deformables {
		e.writeVerts(i, f.Verts[i])
	}
	e.writeFields(f)
	e.writeContacts(f.Contacts)
	e.writeSurfaces(f.ContactSurfaces)
	e.key = false
	return e.buf
}

// Kind of message and flags.
const (
	frameMessage = 'F'
	keyFlag      = 1
)

// header starts a message: kind, flags, counts of numbers, time, step, numbers.
func (e *Encoder) header(f *record.Frame, n *Numbers) {
	// little-endian throughout: all machines that show pages are
	flags := byte(0)
	if e.key {
		flags = keyFlag
	}
	e.buf = append(e.buf[:0], frameMessage, flags)
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(f.Time))
	e.buf = binary.LittleEndian.AppendUint32(e.buf, n.Step)
	e.numbers(n.Signals, len(e.scene.Signals))
	e.numbers(n.Stats, len(e.scene.Stats))
}

// numbers writes count numbers as float32, those that are missing as NaN.
func (e *Encoder) numbers(x []float64, count int) {
	// as many as the scene says, whatever the caller has
	for i := range count {
		v := math.NaN()
		if i < len(x) {
			v = x[i]
		}
		e.f32(v)
	}
}

func (e *Encoder) f32(x float64) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, math.Float32bits(float32(x)))
}

// grid returns the nearest number of the grid, within ±2²⁹, so that differences of
// differences fit 32 bits. What is not finite becomes 0.
func grid(x, quantum float64) int32 {
	x = math.Round(x / quantum)
	switch {
	case x > 1<<29:
		return 1 << 29
	case x < -1<<29:
		return -1 << 29
	case x != x:
		return 0
	}
	return int32(x)
}

// ints writes a column. With the integers x_i, and p_i those of the message before, 0 in
// a key frame, it writes
//
//	(x_i − p_i) − (x_{i−1} − p_{i−1})
//
// in zigzag order 0, −1, 1, −2 …, seven bits a byte, the lowest first. What moves or
// stands still as a whole becomes small numbers. Sums are modulo 2³². prev takes x; nil
// stands for no message before.
func (e *Encoder) ints(x []int32, prev *[]int32) {
	last := int32(0)
	delta := prev != nil && !e.key && len(*prev) == len(x)
	for i, v := range x {
		d := v
		if delta {
			d -= (*prev)[i]
		}
		r := d - last
		last = d
		e.buf = binary.AppendUvarint(e.buf, uint64(uint32(r<<1^r>>31)))
	}
	if prev != nil {
		*prev = append((*prev)[:0], x...)
	}
}

// writePoses writes positions on the grid and quaternions on theirs, whose sign is the
// one nearer to the message before.
func (e *Encoder) writePoses(poses []r3.Pose) {
	// one column for each number of a pose, since neighbours in a column are alike
	n := len(poses)
	// one buffer for all columns of all messages: a live run encodes 40 a second
	e.column = append(e.column[:0], make([]int32, 7*n)...)
	c := e.column
	delta := !e.key && len(e.poses[0]) == n
	for b, X := range poses {
		for k := range 3 {
			c[k*n+b] = grid(X.P[k], e.scene.Quantum)
		}
		q := X.R.Quat()
		// w ≥ 0, or towards the last one
		// q and −q are one rotation: the sign that changes least packs best
		toward := q[0]
		if delta {
			toward = 0
			for k := range 4 {
				toward += q[k] * float64(e.poses[3+k][b])
			}
		}
		for k := range 4 {
			c[(3+k)*n+b] = grid(math.Copysign(1, toward)*q[k], rotationQuantum)
		}
	}
	for k := range 7 {
		e.ints(c[k*n:(k+1)*n], &e.poses[k])
	}
}

// writeVerts writes the vertices of deformable i's surface.
func (e *Encoder) writeVerts(i int, x []r3.Vec) {
	for k := range 3 {
		e.column = e.column[:0]
		for _, v := range e.scene.Deformables[i].Vertices {
			e.column = append(e.column, grid(x[v][k], e.scene.Quantum))
		}
		e.ints(e.column, &e.verts[i][k])
	}
}

// writeFields writes, for each field that is sent, its index and the levels of each
// deformable: the difference from the levels of the message before, modulo 256.
func (e *Encoder) writeFields(f *record.Frame) {
	e.buf = append(e.buf, byte(len(e.fields)))
	for _, k := range e.fields {
		e.buf = append(e.buf, byte(k))
		for i := range e.scene.Deformables {
			// in SI units, at all vertices of the model; the surface has some of them
			values := render.FieldValues(e.rec, f, e.scene.Fields[k].Name, i)
			vertices := e.scene.Deformables[i].Vertices
			largest := 0.0
			for _, v := range vertices {
				largest = larger(largest, values[v])
			}
			top, exponent := scale(largest)
			e.buf = append(e.buf, exponent)
			prev := &e.levels[k][i]
			// nil has no levels before: they count as 0
			if e.key || len(*prev) != len(vertices) {
				*prev = append((*prev)[:0], make([]byte, len(vertices))...)
			}
			if exponent == 0 {
				clear(*prev)
				continue
			}
			for j, v := range vertices {
				l := level(values[v], top)
				e.buf = append(e.buf, l-(*prev)[j])
				(*prev)[j] = l
			}
		}
	}
}

// scale returns the top of a scale, the least power of two that is at least the largest
// value, and its exponent plus 128 as a byte; 0 for no positive value. A top that changes
// in powers leaves levels alone while the largest value grows.
func scale(largest float64) (top float64, exponent byte) {
	if !(largest > 0) {
		return 0, 0
	}
	// the byte 0 is taken by "no value"
	x := math.Max(-127, math.Min(127, math.Ceil(math.Log2(largest))))
	return math.Exp2(x), byte(int(x) + 128)
}

// larger returns the larger of two numbers; one that is not finite says nothing about the scale of the others, and one
// damaged vertex must not turn a whole body dark.
func larger(top, x float64) float64 {
	if x > top && !math.IsInf(x, 1) {
		return x
	}
	return top
}

// level returns the nearest of the levels 0 to 255 between 0 and top; 0 for what is no number.
func level(x, top float64) byte {
	// bytes of NaN are not the same on all machines
	if math.IsNaN(x) {
		return 0
	}
	return byte(math.Round(255 * math.Max(0, math.Min(1, x/top))))
}

// writeContacts writes contacts: bodies, positions on the grid, forces on B as parts of
// the scale of the largest component, in steps of 2⁻¹⁵.
func (e *Encoder) writeContacts(contacts []record.Contact) {
	e.uint(len(contacts))
	if len(contacts) == 0 {
		return
	}
	largest := 0.0
	for i := range contacts {
		// 0 stands for the world
		c := &contacts[i]
		e.uint(c.A + 1)
		e.uint(c.B + 1)
		for k := range 3 {
			largest = larger(largest, math.Abs(c.Force_W[k]))
		}
	}
	for k := range 3 {
		e.column = e.column[:0]
		for i := range contacts {
			e.column = append(e.column, grid(contacts[i].Pos_W[k], e.scene.Quantum))
		}
		e.ints(e.column, nil)
	}
	top, exponent := scale(largest)
	e.buf = append(e.buf, exponent)
	for k := range 3 {
		e.column = e.column[:0]
		for i := range contacts {
			e.column = append(e.column, grid(contacts[i].Force_W[k], math.Max(top/(1<<15), math.SmallestNonzeroFloat64)))
		}
		e.ints(e.column, nil)
	}
}

func (e *Encoder) uint(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }

// writeSurfaces writes contact surfaces: bodies, sums, and the faces of pressure fields
// with levels of pressure and sliding speed.
func (e *Encoder) writeSurfaces(surfaces []record.ContactSurface) {
	// a frame without contact surfaces has one byte for them
	e.uint(len(surfaces))
	for i := range surfaces {
		s := &surfaces[i]
		e.uint(s.A + 1)
		e.uint(s.B + 1)
		// sums keep the digits of float32: readers quote them
		F, c := s.Force_W, s.Center_W
		for _, x := range [10]float64{s.Area, s.Normal, s.MaxPressure, s.MaxSlip, F[0], F[1], F[2], c[0], c[1], c[2]} {
			e.f32(x)
		}
		e.uint(len(s.Faces))
		if len(s.Faces) == 0 {
			continue
		}
		// the corners of each face follow those of the face before
		pressure, slip := 0.0, 0.0
		for j := range s.Faces {
			face := &s.Faces[j]
			e.uint(int(face.Hi - face.Lo))
			pressure, slip = larger(pressure, face.Pressure), larger(slip, face.Slip_W.Norm())
		}
		// a face has a byte for each: what eyes distinguish in a scale of colours
		topP, exponentP := scale(pressure)
		topS, exponentS := scale(slip)
		e.buf = append(e.buf, exponentP, exponentS)
		for j := range s.Faces {
			face := &s.Faces[j]
			e.buf = append(e.buf, level(face.Pressure, math.Max(topP, math.SmallestNonzeroFloat64)),
				level(face.Slip_W.Norm(), math.Max(topS, math.SmallestNonzeroFloat64)))
		}
		for k := range 3 {
			e.column = e.column[:0]
			for j := range s.Faces {
				for _, p := range s.Verts_W[s.Faces[j].Lo:s.Faces[j].Hi] {
					e.column = append(e.column, grid(p[k], e.scene.Quantum))
				}
			}
			e.ints(e.column, nil)
		}
	}
}
