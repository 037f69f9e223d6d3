package web

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The twin of the page's decoder (page/decode.js) in Go: tests compare what pages are
// repeated with recordings, and programs in Go may watch a live run.

// Decoded is a frame as a page sees it.
type Decoded struct {
	// Key reports that the message did not need one before.
	Key bool
	// Time is the time of the state, s.
	Time float64
	// Step is the number of steps so far.
	Step uint32
	// Signals and Stats are the numbers of the frame.
	Signals, Stats []float64
	// Poses are the poses of the rigid bodies.
	Poses []r3.Pose
	// Verts are the vertices of each deformable's surface, m.
	Verts [][]r3.Vec
	// Fields are the values, in SI units, of each field that was sent: for each
	// deformable, at each vertex of its surface.
	Fields map[int][][]float64
	// Contacts are the contacts.
	Contacts []DecodedContact
	// Surfaces are the contact surfaces.
	Surfaces []DecodedSurface
}

// DecodedContact is a contact.
type DecodedContact struct {
	// A and B are the scene bodies; −1 is the world.
	A, B int
	// Pos_W is the point, m; Force_W is the force on B, N. Both are in world axes.
	Pos_W, Force_W r3.Vec
}

// DecodedSurface is a contact surface.
type DecodedSurface struct {
	// A and B are the scene bodies.
	A, B int
	// Area (m²), normal force (N), largest pressure (Pa) and sliding speed (m/s).
	Area, Normal, MaxPressure, MaxSlip float64
	// Force_W is the force on B, N; Center_W is the centre of pressure, m.
	Force_W, Center_W r3.Vec
	// Corners are the corners of each face, m, in world axes.
	Corners [][]r3.Vec
	// Pressure (Pa) and Slip (m/s) have an element for each face.
	Pressure, Slip []float64
}

// decoder reads messages of one encoder in their order.
type decoder struct {
	scene  *Scene
	began  bool
	poses  [7][]int32
	verts  [][3][]int32
	levels map[int][][]byte

	data []byte
	err  error
}

// newDecoder returns a decoder for messages of a scene.
func newDecoder(s *Scene) *decoder {
	d := &decoder{scene: s, verts: make([][3][]int32, len(s.Deformables)), levels: map[int][][]byte{}}
	for i := range s.Fields {
		d.levels[i] = make([][]byte, len(s.Deformables))
	}
	return d
}

// errMessage is the error of bytes that no encoder writes.
var errMessage = errors.New("the message is no frame of this scene")

// Decode reads a message. It returns an error for bytes that are no message of the scene,
// and for a frame that needs one that was not read.
func (d *decoder) Decode(message []byte) (*Decoded, error) {
	d.data, d.err = message, nil
	// messages of other kinds may come in later versions
	if d.u8() != frameMessage {
		return nil, errMessage
	}
	f := &Decoded{Key: d.u8()&keyFlag != 0, Fields: map[int][][]float64{}}
	if !f.Key && !d.began {
		return nil, errors.New("the first message is no key frame")
	}
	d.began = true
	if b := d.take(12); b != nil {
		f.Time, f.Step = math.Float64frombits(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:])
	}
	f.Signals, f.Stats = d.numbers(len(d.scene.Signals)), d.numbers(len(d.scene.Stats))
	d.readPoses(f)
	for i := range d.scene.Deformables {
		n := len(d.scene.Deformables[i].Vertices)
		// column by column, as they are stored
		x := make([]r3.Vec, n)
		for k := range 3 {
			for j, v := range d.ints(n, &d.verts[i][k], f.Key) {
				x[j][k] = float64(v) * d.scene.Quantum
			}
		}
		f.Verts = append(f.Verts, x)
	}
	d.readFields(f)
	d.readContacts(f)
	d.readSurfaces(f)
	// bytes that are left belong to another scene
	if d.err == nil && len(d.data) > 0 {
		d.err = errMessage
	}
	return f, d.err
}

// take returns the next n bytes; nil, with an error, where there are fewer.
func (d *decoder) take(n int) []byte {
	if d.err != nil || n < 0 || len(d.data) < n {
		d.err = errMessage
		return nil
	}
	// no copy: messages live as long as their frames
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) u8() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint() int {
	// larger numbers are no counts: they would make lists that fill the memory
	x, n := binary.Uvarint(d.data)
	if n <= 0 || x > math.MaxInt32 {
		d.err = errMessage
		return 0
	}
	d.data = d.data[n:]
	return int(x)
}

// count reads the length of a list whose items take at least a byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > len(d.data) {
		d.err = errMessage
		return 0
	}
	return n
}

func (d *decoder) numbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		if b := d.take(4); b != nil {
			x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	return x
}

// ints reads a column of n integers, see Encoder.ints.
func (d *decoder) ints(n int, prev *[]int32, key bool) []int32 {
	x := make([]int32, n)
	last := int32(0)
	for i := range x {
		u, size := binary.Uvarint(d.data)
		if size <= 0 || u > math.MaxUint32 {
			d.err = errMessage
			return x
		}
		d.data = d.data[size:]
		// zigzag: 0, −1, 1, −2 … stand for 0, 1, 2, 3 …
		last += int32(uint32(u)>>1) ^ -int32(u&1)
		x[i] = last
		if prev != nil && !key && len(*prev) == n {
			x[i] += (*prev)[i]
		}
	}
	// the next message counts from these integers, without the error of rounding
	if prev != nil {
		*prev = x
	}
	return x
}

func (d *decoder) readPoses(f *Decoded) {
	n := d.scene.Rigid
	var c [7][]int32
	for k := range c {
		c[k] = d.ints(n, &d.poses[k], f.Key)
	}
	// positions, m, then w, x, y, z of the rotation
	for b := range n {
		var X r3.Pose
		var q r3.Quat
		for k := range 3 {
			X.P[k] = float64(c[k][b]) * d.scene.Quantum
		}
		for k := range 4 {
			q[k] = float64(c[3+k][b])
		}
		// rounding leaves the length of a quaternion 2e-6 away from 1
		X.R = q.Unit().Mat()
		f.Poses = append(f.Poses, X)
	}
}

func (d *decoder) readFields(f *Decoded) {
	for range int(d.u8()) {
		k := int(d.u8())
		if k >= len(d.scene.Fields) {
			d.err = errMessage
			return
		}
		for i := range d.scene.Deformables {
			n := len(d.scene.Deformables[i].Vertices)
			values, prev := make([]float64, n), &d.levels[k][i]
			if f.Key || len(*prev) != n {
				*prev = make([]byte, n)
			}
			// 0: no vertex has a value, and levels begin again
			if exponent := d.u8(); exponent == 0 {
				clear(*prev)
			} else if b := d.take(n); b != nil {
				for j := range b {
					// modulo 256, as the encoder subtracts
					(*prev)[j] += b[j]
					values[j] = float64((*prev)[j]) / 255 * math.Exp2(float64(exponent)-128)
				}
			}
			f.Fields[k] = append(f.Fields[k], values)
		}
	}
}

func (d *decoder) readContacts(f *Decoded) {
	n := d.count()
	if n == 0 {
		return
	}
	// at most as many as bytes are left, see count
	f.Contacts = make([]DecodedContact, n)
	for i := range f.Contacts {
		// 0 stands for the world, whose number is −1
		f.Contacts[i].A, f.Contacts[i].B = d.uint()-1, d.uint()-1
	}
	for k := range 3 {
		for i, v := range d.ints(n, nil, true) {
			f.Contacts[i].Pos_W[k] = float64(v) * d.scene.Quantum
		}
	}
	// N: forces are parts of a power of two
	top := math.Exp2(float64(d.u8()) - 128)
	for k := range 3 {
		for i, v := range d.ints(n, nil, true) {
			f.Contacts[i].Force_W[k] = float64(v) * top / (1 << 15)
		}
	}
}

func (d *decoder) readSurfaces(f *Decoded) {
	for range d.count() {
		s := DecodedSurface{A: d.uint() - 1, B: d.uint() - 1}
		x := d.numbers(10)
		// m², N, Pa, m/s; then N and m in world axes
		s.Area, s.Normal, s.MaxPressure, s.MaxSlip = x[0], x[1], x[2], x[3]
		s.Force_W, s.Center_W = r3.Vec(x[4:7]), r3.Vec(x[7:10])
		n := d.count()
		if n > 0 {
			s.Corners, s.Pressure, s.Slip = make([][]r3.Vec, n), make([]float64, n), make([]float64, n)
			// the number of corners of each face
			counts, total := make([]int, n), 0
			for j := range counts {
				counts[j] = d.count()
				total += counts[j]
			}
			topP, topS := math.Exp2(float64(d.u8())-128), math.Exp2(float64(d.u8())-128)
			for j := range n {
				s.Pressure[j], s.Slip[j] = float64(d.u8())/255*topP, float64(d.u8())/255*topS
			}
			// memory is taken for corners whose bytes are there
			if d.err != nil || total > len(d.data) {
				d.err = errMessage
				return
			}
			for j, c := range counts {
				s.Corners[j] = make([]r3.Vec, c)
			}
			for k := range 3 {
				// one column over all faces
				col, at := d.ints(total, nil, true), 0
				for j := range s.Corners {
					for c := range s.Corners[j] {
						s.Corners[j][c][k] = float64(col[at]) * d.scene.Quantum
						at++
					}
				}
			}
		}
		f.Surfaces = append(f.Surfaces, s)
		if d.err != nil {
			return
		}
	}
}
