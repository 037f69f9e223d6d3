package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"curlfree/r3"
)

// packed is a recording as its bytes, of which frames are unpacked on demand.
type packed struct {
	mu     sync.Mutex
	old    bool // version 1
	blocks []block
	unpack *zstd.Decoder
	raw    []byte

	first  *Frame    // kept: displacements are from there
	recent [3]*Frame // and where they are in the recording
	number [3]int
	next   int
}

// block is a frame as the file has it.
type block struct {
	time float64
	data []byte // compressed
}

// What unpacks to more than its own bytes explain is hostile.
const (
	maxBlock  = 1 << 30 // of any block, bytes
	mostRatio = 100     // of what real data shrinks by
	slackSize = 1 << 20 // bytes
)

// Decode opens a recording in memory, whose bytes must not change; frames are
// unpacked as they are asked for. A last frame that was cut short is left out.
// Faults within frames are found by Valid.
func Decode(b []byte) (*Recording, error) {
	p := new(packed)
	switch {
	case bytes.HasPrefix(b, []byte(magic)):
	case bytes.HasPrefix(b, []byte(magic1)):
		p.old = true
	case bytes.HasPrefix(b, []byte(strings.TrimRight(magic, "2\n"))):
		return nil, errors.New("a later version of curlfree wrote this recording: read it with that one")
	default:
		return nil, errors.New("this is not a recording of curlfree")
	}
	b = b[len(magic):]
	var err error
	p.unpack, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	head, b := nextBlock(b, false)
	if head == nil {
		return nil, errDamaged
	}
	r := &Recording{packed: p}
	if err := p.inflate(head.data, slackSize+mostRatio*len(head.data)); err != nil {
		return nil, errDamaged
	}
	if err := json.Unmarshal(p.raw, &r.Static); err != nil {
		return nil, errDamaged
	}
	st := &r.Static
	if st.NumQ < 0 || st.NumQ > 7*len(st.Bodies) || st.NumV < 0 || st.NumV > 6*len(st.Bodies) {
		return nil, errDamaged
	}
	for {
		var f *block
		if f, b = nextBlock(b, !p.old); f == nil {
			return r, nil
		}
		if p.old {
			if f.time, err = p.firstNumber(f.data); err != nil {
				return nil, errDamaged
			}
		}
		p.blocks = append(p.blocks, *f)
	}
}

// nextBlock takes a block off b; nil when no whole one is left.
func nextBlock(b []byte, timed bool) (*block, []byte) {
	head := 4
	if timed {
		head = 12
	}
	if len(b) < head {
		return nil, b
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > len(b)-head {
		return nil, b
	}
	f := &block{data: b[head : head+n]}
	if timed {
		f.time = math.Float64frombits(binary.LittleEndian.Uint64(b[4:]))
	}
	return f, b[head+n:]
}

// inflate unpacks data into p.raw if it is no longer than most bytes.
func (p *packed) inflate(data []byte, most int) error {
	if err := p.unpack.Reset(bytes.NewReader(data)); err != nil {
		return err
	}
	buf := bytes.NewBuffer(p.raw[:0])
	n, err := buf.ReadFrom(io.LimitReader(p.unpack, int64(most)+1))
	p.raw = buf.Bytes()
	if n > int64(most) {
		return errDamaged
	}
	return err
}

// firstNumber returns the float64 that the unpacked data begin with.
func (p *packed) firstNumber(data []byte) (float64, error) {
	if err := p.unpack.Reset(bytes.NewReader(data)); err != nil {
		return 0, err
	}
	var b [8]byte
	_, err := io.ReadFull(p.unpack, b[:])
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:])), err
}

// frame unpacks frame k, or finds it among the last few.
func (p *packed) frame(st *Static, k int) (*Frame, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k == 0 && p.first != nil {
		return p.first, nil
	}
	for i, f := range p.recent {
		if f != nil && p.number[i] == k {
			return f, nil
		}
	}
	b := &p.blocks[k]
	if err := p.inflate(b.data, st.frameSize()+slackSize+mostRatio*len(b.data)); err != nil {
		return nil, errDamaged
	}
	f, err := p.decode(st)
	if err != nil {
		return nil, err
	}
	f.Time = b.time
	if k == 0 {
		p.first = f
	} else {
		p.recent[p.next], p.number[p.next] = f, k
		p.next = (p.next + 1) % len(p.recent)
	}
	return f, nil
}

// frameSize bounds the bytes that a frame needs but for its contacts.
func (st *Static) frameSize() int {
	n := 8*(st.NumQ+st.NumV) + 56*len(st.Bodies)
	for i := range st.Soft {
		n += 24*len(st.Soft[i].Rest) + 4*len(st.Soft[i].Tets) + 12
	}
	return n
}

// decode reads the frame in p.raw, whose sizes must be those that the recording
// began with.
func (p *packed) decode(st *Static) (*Frame, error) {
	d := decoder{b: p.raw}
	f := new(Frame)
	if p.old {
		d.f64() // the time, known already
	}
	f.Q, f.V = d.floats(), d.floats()
	if len(f.Q) != st.NumQ || len(f.V) != st.NumV {
		return nil, fmt.Errorf("it holds %d positions and %d velocities of rigid bodies, not %d and %d: %w", len(f.Q), len(f.V), st.NumQ, st.NumV, errDamaged)
	}
	f.Poses = make([]r3.Pose, d.count(56))
	for i := range f.Poses {
		q := r3.Quat{d.f64(), d.f64(), d.f64(), d.f64()}
		f.Poses[i] = r3.Pose{R: q.Mat(), P: d.vec()}
	}
	n := d.count(12)
	if len(f.Poses) != len(st.Bodies) || n != len(st.Soft) {
		return nil, errDamaged
	}
	f.Verts, f.Vels, f.VonMises = make([][]r3.Vec, n), make([][]r3.Vec, n), make([][]float32, n)
	for i := range n {
		f.Verts[i], f.Vels[i] = d.vecs(), d.vecs()
		f.VonMises[i] = make([]float32, d.count(4))
		for j := range f.VonMises[i] {
			f.VonMises[i][j] = float32(d.f32())
		}
	}
	if p.old {
		f.Contacts = make([]Contact, d.count(104))
		for i := range f.Contacts {
			f.Contacts[i] = Contact{
				A: d.i32(), B: d.i32(), Pos_W: d.vec(), Normal_W: d.vec(), Force_W: d.vec(),
				Phi: d.f64(), Area: d.f64(), Elem: [2]int32{int32(d.i32()), int32(d.i32())},
			}
		}
	} else {
		f.Contacts = make([]Contact, d.count(84))
		for i := range f.Contacts {
			f.Contacts[i] = Contact{
				A: d.i32(), B: d.i32(), Pos_W: d.vec(), Normal_W: d.short(), Force_W: d.short(), Slip_W: d.short(),
				Phi: d.f32(), Area: d.f32(), Elem: [2]int32{int32(d.i32()), int32(d.i32())},
			}
		}
		f.Patches = make([]Patch, d.count(patchSize))
		for i := range f.Patches {
			d.patch(&f.Patches[i])
		}
	}
	if d.bad || len(d.b) != 0 {
		return nil, errDamaged
	}
	return f, nil
}

// decoder reads numbers; what is not there is 0 and makes it bad.
type decoder struct {
	b    []byte
	bad  bool
	none [8]byte
}

func (d *decoder) take(n int) []byte {
	if d.bad || len(d.b) < n {
		d.bad = true
		return d.none[:n]
	}
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}
func (d *decoder) u8() int      { return int(d.take(1)[0]) }
func (d *decoder) i32() int     { return int(int32(binary.LittleEndian.Uint32(d.take(4)))) }
func (d *decoder) f64() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))) }
func (d *decoder) f32() float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(d.take(4))))
}
func (d *decoder) vec() r3.Vec   { return r3.Vec{d.f64(), d.f64(), d.f64()} }
func (d *decoder) short() r3.Vec { return r3.Vec{d.f32(), d.f32(), d.f32()} }

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
		s[i] = d.short()
	}
	return s
}
