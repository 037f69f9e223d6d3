package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Bounds of the unpacked size of a block. A longer result is taken as hostile: a few
// bytes of Zstandard can unpack to gigabytes.
const (
	mostRatio = 100      // unpacked over packed length; recordings have 2 to 30
	slackSize = 1 << 20  // bytes that any block may have in addition
	slackHead = 64 << 20 // bytes that a header may have in addition
)

// Memory does not grow with the size of frames times their number: of a file there are the list
// of its blocks (32 bytes a frame), the first frame, the three frames read last and the buffers of
// one block. Frames are read in any order. Several goroutines may share a recording; a lock lets
// one of them read at a time.

// reader reads and unpacks the frames of a file, one at a time, for several
// goroutines.
type reader struct {
	mu     sync.Mutex
	c      *container
	unpack *zstd.Decoder
	packed []byte
	raw    []byte
	err    error // the first fault of a frame

	first  *Frame    // kept in memory, because displacements are measured from there
	recent [3]*Frame // the frames read last
	number [3]int    // the numbers of these frames
	next   int       // the slot that the next frame replaces
}

// ReadRun opens the recording of a run folder. The caller closes it. For a run that is
// under way or was interrupted it has the frames written so far.
func ReadRun(dir string) (*Recording, error) {
	path := filepath.Join(dir, RecordingFile)
	// A finished recording, else the partial one of a run that is running.
	f, err := openResult(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: no recording here: is this the folder that curlfree run -o wrote?", dir)
	} else if err != nil {
		return nil, err
	}
	r, err := openFile(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.dir, r.close = dir, f.Close
	return r, nil
}

// openFile opens a recording of the length that the file has now.
func openFile(f *os.File) (*Recording, error) {
	size, err := length(f)
	if err != nil {
		return nil, err
	}
	return Open(f, size)
}

// newUnpacker returns a decoder. Its memory is bounded, since a damaged block may require more: twice the
// window that it states.
func newUnpacker() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderMaxWindow(packWindow), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
}

// Open opens a recording of that many bytes. Frames are read and unpacked when At
// needs them. Bytes after the last whole frame are ignored, see Complete. It returns
// an error for a file of another format or version, and for a damaged header or first
// frame.
func Open(f io.ReaderAt, size int64) (*Recording, error) {
	c, err := openContainer(f, size)
	if err != nil {
		return nil, err
	}
	p := &reader{c: c}
	if p.unpack, err = newUnpacker(); err != nil {
		return nil, err
	}
	// The header states the sizes, which all frames are compared with.
	if err := p.inflate(&c.header, slackHead); err != nil {
		return nil, err
	}
	st, err := parseHeader(p.raw)
	if err != nil {
		return nil, err
	}
	p.raw, p.packed = nil, nil // frames are smaller
	r := &Recording{Static: *st, file: p}
	// Times are in the heads of blocks, so that they are checked without unpacking.
	if err := r.rising(); err != nil {
		return nil, err
	}
	// The first frame is read at once: displacements refer to it.
	if r.Len() > 0 {
		if p.first, err = p.load(st, 0); err != nil {
			return nil, r.fault(0, err)
		}
	}
	return r, nil
}

// inflate reads a block and unpacks it into p.raw. The result may have need bytes, and
// more in proportion to the block's length.
func (p *reader) inflate(b *block, need int) (err error) {
	if p.packed, err = p.c.read(b, p.packed); err != nil {
		return err
	}
	// one decompressor serves all blocks
	if err := p.unpack.Reset(bytes.NewReader(p.packed)); err != nil {
		return errDamaged
	}
	// The result is read up to one byte beyond what a block may have.
	most := min(int64(need)+slackSize+mostRatio*int64(b.size), maxBlock)
	buf := bytes.NewBuffer(p.raw[:0])
	n, err := buf.ReadFrom(io.LimitReader(p.unpack, most+1))
	p.raw = buf.Bytes()
	if n > most || err != nil {
		return errDamaged
	}
	return nil
}

// frame returns frame k, from memory if it is among the last few. It returns the first
// frame for one that cannot be read, and keeps the first such error.
func (p *reader) frame(r *Recording, k int) *Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	// The first frame and the recent ones are in memory.
	if k == 0 {
		return p.first
	}
	for i, f := range p.recent {
		if f != nil && p.number[i] == k {
			return f
		}
	}
	// Any other is read; a fault leaves the slots as they are.
	f, err := p.load(&r.Static, k)
	if err != nil {
		if p.err == nil {
			p.err = r.fault(k, err)
		}
		return p.first
	}
	// The oldest slot takes it. Frames are never changed, so that earlier results stay valid.
	p.recent[p.next], p.number[p.next] = f, k
	p.next = (p.next + 1) % len(p.recent)
	return f
}

// load reads a frame and checks its indices and numbers.
func (p *reader) load(st *Static, k int) (*Frame, error) {
	b := &p.c.frames[k]
	if err := p.inflate(b, st.FrameSize()); err != nil {
		return nil, err
	}
	f, err := decode(p.raw, st)
	if err != nil {
		return nil, err
	}
	f.Time = b.time
	return f, st.validFrame(f)
}

// FrameSize returns the length of an unpacked frame without its contacts and contact
// surfaces, bytes.
func (st *Static) FrameSize() int {
	n := 20 + 8*(st.NumQ+st.NumV) + 56*len(st.Bodies)
	// positions and velocities 24, stress 4, three list lengths 12
	for i := range st.Deformables {
		n += 24*len(st.Deformables[i].Rest) + 4*len(st.Deformables[i].Tets) + 12
	}
	return n
}
