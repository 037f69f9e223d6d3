package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strings"
)

// The container of a recording file: a line with the version, then blocks. The
// package document describes the layout. Sizes are in bytes.
//
// Reading needs no index: each block states its own length, so that the next one begins where
// it ends. The index saves the walk over a long file. It is used only if it fits the file:
//
//	end of header + Σ (headSize + length_k) = offset of the index.
const (
	magic     = "curlfree recording 3\n"
	headSize  = 1 + 4 + 8 + 4 // kind, length, time, checksum
	indexSize = 4 + 8         // of a frame: length, time
	endMark   = "curl end"
	endSize   = 8 + len(endMark) // offset of the index, mark

	kindHeader = 'H'
	kindFrame  = 'F'
	kindIndex  = 'I'
)

// Version 2 has neither kinds, checksums nor an index, and no time in its header.
const (
	magic2      = "curlfree recording 2\n"
	headSize2   = 4 + 8
	headerHead2 = 4
)

// maxBlock bounds the data of a block, packed or not, bytes: a frame of ten million vertices. A damaged file of
// some kilobytes can state as much, which is then allocated.
const maxBlock = 1 << 29

// packWindow is the window of Zstandard of all blocks, bytes: how far back packed data refer, which a
// decoder keeps in memory. Blocks that state a larger one are damaged.
const packWindow = 8 << 20

// A recording file, with its blocks and their headers:
//
//	curlfree recording 3⏎ │ H len t sum data │ F len t sum data │ … │ I 0 0 sum data │ at curl end
//
// Data of H and F are packed by Zstandard; sum is over head and data as they are in the file, so
// that damage is found without unpacking.

// block is the place of a block in a file.
type block struct {
	kind byte
	at   int64   // offset of the data
	size int     // length of the data, packed
	time float64 // s; of a frame
}

// end returns the offset of the next block.
func (b *block) end() int64 { return b.at + int64(b.size) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealHead fills in the head of the block b, whose data are in place.
func sealHead(b []byte, kind byte, time float64) {
	// The head: kind, length of the data, time, and the checksum of all these and of the data.
	b[0] = kind
	binary.LittleEndian.PutUint32(b[1:], uint32(len(b)-headSize))
	binary.LittleEndian.PutUint64(b[5:], math.Float64bits(time))
	binary.LittleEndian.PutUint32(b[13:], checksum(b))
}

// checksum returns the checksum of the block b: of its head without the checksum
// itself, and of its data.
func checksum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:13], castagnoli), castagnoli, b[headSize:])
}

// headCheck returns the checksum that the head of a block states.
func headCheck(head []byte) uint32 { return binary.LittleEndian.Uint32(head[13:]) }

// parseHead reads the head of the block whose data are at the given offset.
func parseHead(head []byte, at int64) block {
	// the fields in the order of sealHead
	return block{
		kind: head[0], at: at, size: int(binary.LittleEndian.Uint32(head[1:])),
		time: math.Float64frombits(binary.LittleEndian.Uint64(head[5:])),
	}
}

// container is a file as a list of blocks.
type container struct {
	r      io.ReaderAt
	size   int64 // of the file
	old    bool  // the file has version 2
	header block
	frames []block
	whole  bool  // the file has its index
	end    int64 // offset of the end of the last whole frame
}

// openContainer finds the blocks of a recording: by the index or, without one, by
// walking from block to block. Bytes after the last whole frame are ignored.
func openContainer(r io.ReaderAt, size int64) (*container, error) {
	c := &container{r: r, size: size}
	if err := c.readVersion(); err != nil {
		return nil, err
	}
	// The first block must be the header.
	s := c.scan(int64(len(magic)))
	b, err := s.block()
	if err != nil {
		return nil, err
	}
	if b == nil || b.kind != kindHeader {
		return nil, errDamaged
	}
	c.header, c.end = *b, b.end()
	// A file of a complete run has its index; else walk over the frames.
	if c.whole = c.readIndex(); c.whole {
		return c, nil
	}
	for {
		b, err := s.block()
		if err != nil || b == nil || b.kind != kindFrame {
			return c, err
		}
		c.frames, c.end = append(c.frames, *b), b.end()
	}
}

// readVersion reads the first line of the file.
func (c *container) readVersion() error {
	// The version is the first line, of the same length in all versions.
	b := make([]byte, len(magic))
	n, err := c.r.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch line := string(b[:n]); {
	case line == magic:
	case line == magic2:
		c.old = true
	case line == "curlfree recording 1\n":
		return errors.New("an earlier version of curlfree wrote this recording: run the scene again")
	case strings.HasPrefix(line, "curlfree recording "):
		return errors.New("a later version of curlfree wrote this recording: read it with that one")
	default:
		return errors.New("this is not a recording of curlfree")
	}
	return nil
}

// readIndex finds the frames by the index. It returns false for a file without an
// index that fits it.
func (c *container) readIndex() bool {
	// the last bytes give the place of the index
	var end [endSize]byte
	from := c.size - int64(endSize)
	if c.old || from < c.end {
		return false
	}
	if _, err := c.r.ReadAt(end[:], from); err != nil || string(end[8:]) != endMark {
		return false
	}
	// the index lies behind the header and before the last bytes
	at := int64(binary.LittleEndian.Uint64(end[:]))
	if at < c.end || at > from {
		return false
	}
	// the index block must reach from there to the last bytes
	b, err := c.scan(at).block()
	if err != nil || b == nil || b.kind != kindIndex || b.end() != from || b.size%indexSize != 0 {
		return false
	}
	data, err := c.read(b, nil)
	if err != nil {
		return false
	}
	// lengths of all frames must add up to the start of the index
	frames, next := make([]block, 0, b.size/indexSize), c.end
	for ; len(data) > 0; data = data[indexSize:] {
		f := block{
			kind: kindFrame, at: next + headSize, size: int(binary.LittleEndian.Uint32(data)),
			time: math.Float64frombits(binary.LittleEndian.Uint64(data[4:])),
		}
		frames, next = append(frames, f), f.end()
	}
	if next != at {
		return false
	}
	c.frames, c.end = frames, at
	return true
}

// read returns the data of a block after a check of its checksum. The memory of buf is
// used if it is large enough.
func (c *container) read(b *block, buf []byte) ([]byte, error) {
	if b.size > maxBlock || b.end() > c.size {
		return nil, errDamaged
	}
	head := headSize
	if c.old {
		head = 0 // version 2 has no checksum there
	}
	// Head and data are read together, since the checksum is over both.
	if n := head + b.size; cap(buf) < n {
		buf = make([]byte, n)
	} else {
		buf = buf[:n]
	}
	switch _, err := c.r.ReadAt(buf, b.at-int64(head)); {
	case errors.Is(err, io.EOF):
		return nil, errDamaged // cut since it was opened
	case err != nil:
		return nil, err
	}
	if c.old {
		return buf, nil
	}
	// The head may have changed since it was scanned.
	if parseHead(buf, b.at) != *b || checksum(buf) != headCheck(buf) {
		return nil, errChecksum
	}
	return buf[head:], nil
}

// errChecksum is returned for a block whose bytes have changed since it was written.
var errChecksum = errors.New("its checksum is wrong, so the file was damaged after it was written: copy it again or run the scene again")

// scan returns a scanner of the blocks from the given offset on.
func (c *container) scan(at int64) *scanner {
	return &scanner{c: c, at: at, r: bufio.NewReaderSize(io.NewSectionReader(c.r, at, c.size-at), 1<<16)}
}

// scanner walks from block to block and verifies their checksums with a buffer of
// fixed size, however long the blocks are.
type scanner struct {
	c  *container
	r  *bufio.Reader
	at int64 // offset of the next block
}

// block returns the next block; nil if none is left that is whole and has the right
// checksum. An error is one of reading the file.
func (s *scanner) block() (*block, error) {
	var head [headSize]byte
	// The head of version 2 is shorter, and its header has no time.
	n := headSize
	switch {
	case s.c.old && s.at == int64(len(magic)):
		n = headerHead2
	case s.c.old:
		n = headSize2
	}
	// A head that reaches over the end of the file was cut.
	if s.at+int64(n) > s.c.size {
		return nil, nil
	}
	// Version 2 has no kinds: the first block is the header, all others are frames.
	if s.c.old {
		head[0] = kindFrame
		if n == headerHead2 {
			head[0] = kindHeader
		}
		if _, err := io.ReadFull(s.r, head[1:1+n]); err != nil {
			return nil, cut(err)
		}
	} else if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return nil, cut(err)
	}
	// the data, through the checksum
	b := parseHead(head[:], s.at+int64(n))
	// Data that reach over the end of the file were cut.
	if b.end() > s.c.size {
		return nil, nil
	}
	sum := crc32.New(castagnoli)
	sum.Write(head[:13])
	if _, err := io.CopyN(sum, s.r, int64(b.size)); err != nil {
		return nil, cut(err)
	}
	if !s.c.old && sum.Sum32() != headCheck(head[:]) {
		return nil, nil
	}
	// The next block begins at the end of this one.
	s.at = b.end()
	return &b, nil
}

// cut returns nil for an error that reports the end of the file, which cuts the last
// block.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
