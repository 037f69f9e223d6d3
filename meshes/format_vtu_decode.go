package meshes

// Sizes are checked before memory is allocated, since heads of damaged files
// hold any number: a length may not exceed the file, and the decompressed data
// not a multiple of it.

// Decoding of the arrays of VTU files: ASCII, base64 or raw, compressed or not,
// in either byte order, with heads of 32 or 64 bits.
//
// With the numbers of a head of 4 or 8 bytes each, an array is
//
//	uncompressed   [length of the data] data
//	compressed     [n] [length of a block] [length of the last] [compressed length] × n, blocks
//
// and in base64 the head of compressed data and its blocks are encoded separately, each with
// padding of its own, while an uncompressed array is encoded in one go.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zlib"
)

// numbers decodes the array of that name. Whole numbers are returned as
// float64, which is exact up to 2⁵³.
func (r *vtuReader) numbers(arrays map[string]vtuArray, name string) ([]float64, error) {
	// A missing array is a fault of the piece.
	a, ok := arrays[name]
	if !ok {
		return nil, fmt.Errorf("the piece has no array %q", name)
	}
	// Faults of decoding get the line of the element.
	fault := func(err error) error {
		return &SyntaxError{Line: a.line, Msg: fmt.Sprintf("array %q: %v", name, err)}
	}
	// Words.
	if a.format == "ascii" {
		v, err := parseNumbers(a.text)
		if err != nil {
			return nil, fault(err)
		}
		return v, nil
	}
	// Binary numbers.
	b, err := r.payload(a)
	if err != nil {
		return nil, fault(err)
	}
	// The type of the array says how long its numbers are.
	v, err := decodeNumbers(b, a.kind, r.order)
	if err != nil {
		return nil, fault(err)
	}
	return v, nil
}

// parseNumbers parses words; whole numbers are parsed as floats, too.
func parseNumbers(text string) ([]float64, error) {
	var v []float64
	// any white space separates words
	for _, w := range strings.Fields(text) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, fmt.Errorf("found %s where a number belongs", found(w))
		}
		v = append(v, x)
	}
	return v, nil
}

// payload returns the decompressed bytes of a binary or appended array.
func (r *vtuReader) payload(a vtuArray) ([]byte, error) {
	switch a.format {
	// Writers may break base64 into lines of any length.
	case "binary":
		return r.unpack([]byte(strings.Join(strings.Fields(a.text), "")), true)
	// Each appended array begins at its own offset.
	case "appended":
		if a.offset > len(r.tail) {
			return nil, fmt.Errorf("the offset %d is beyond the %d bytes of appended data: the file is cut short", a.offset, len(r.tail))
		}
		return r.unpack(r.tail[a.offset:], r.tailBase64)
	}
	return nil, fmt.Errorf("the format is %q: ascii, binary or appended is expected", a.format)
}

// errCut reports that an array is shorter than its head says.
var errCut = errors.New("the data end early: the file is cut short")

// unpack decodes an array that begins with its head. In base64 the head of
// compressed data is encoded on its own, that of uncompressed data, a single
// length, together with them.
func (r *vtuReader) unpack(src []byte, b64 bool) ([]byte, error) {
	p := packed{src, b64}
	// The first number: of bytes, or of blocks.
	first, _, err := p.take(0, r.head)
	if err != nil {
		return nil, err
	}
	// A length beyond maxFile is damage, not a mesh.
	n := r.headNumber(first)
	if n < 0 || n > maxFile {
		return nil, errCut
	}
	if !r.compressed { // head and data in one
		all, _, err := p.take(0, r.head+n)
		if err != nil {
			return nil, err
		}
		return all[r.head:], nil
	}
	// Every block takes at least a byte, so that n blocks cannot be more.
	if n > len(src) {
		return nil, errCut
	}
	// The rest of the head holds the lengths of the blocks.
	// number of blocks, length of a block, length of the last one, then a length for each
	// lengths of blocks before compression are not needed: zlib streams end by themselves
	head, at, err := p.take(0, r.head*(3+n))
	if err != nil {
		return nil, err
	}
	lengths, total, err := r.blockLengths(head, n, len(src))
	if err != nil {
		return nil, err
	}
	// The blocks follow the head, encoded separately from it.
	blocks, _, err := p.take(at, total)
	if err != nil {
		return nil, err
	}
	return r.inflate(blocks, lengths)
}

// packed is the data of an array as they are in the file.
type packed struct {
	src []byte
	b64 bool // base64, not raw
}

// take returns n decoded bytes from src[from:], and where they end in src. Base64
// comes in groups of four characters for three bytes.
func (p packed) take(from, n int) ([]byte, int, error) {
	if n < 0 || n > maxFile {
		return nil, 0, errCut
	}
	// Raw bytes need no decoding.
	if !p.b64 {
		if n > len(p.src)-from {
			return nil, 0, errCut
		}
		return p.src[from : from+n], from + n, nil
	}
	// the characters of n bytes, with padding
	chars := (n + 2) / 3 * 4
	if chars > len(p.src)-from {
		return nil, 0, errCut
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(chars))
	m, err := base64.StdEncoding.Decode(out, p.src[from:from+chars])
	if err != nil {
		return nil, 0, fmt.Errorf("not base64: %w", err)
	}
	// Padding in the middle shortens the result.
	if m < n {
		return nil, 0, errCut
	}
	return out[:n], from + chars, nil
}

// blockLengths decodes the lengths of n compressed blocks, and their sum, which may
// not exceed most.
func (r *vtuReader) blockLengths(head []byte, n, most int) (lengths []int, total int, err error) {
	lengths = make([]int, n)
	for i := range lengths {
		lengths[i] = r.headNumber(head[r.head*(3+i):])
		if lengths[i] < 0 || lengths[i] > most {
			return nil, 0, errCut
		}
		// Compressed blocks lie in the file: together they cannot be longer.
		// checked at each step, so that the sum cannot overflow
		if total += lengths[i]; total > most {
			return nil, 0, errCut
		}
	}
	return lengths, total, nil
}

// headNumber decodes a number of a head; it saturates rather than become
// negative.
func (r *vtuReader) headNumber(b []byte) int {
	// The attribute header_type decides between 32 and 64 bits.
	if r.head == 4 {
		return int(r.order.Uint32(b))
	}
	return int(min(r.order.Uint64(b), math.MaxInt64))
}

// inflate decompresses blocks of the given lengths. All arrays together may not
// exceed the budget of the file, so that a small damaged file cannot fill the
// memory.
func (r *vtuReader) inflate(blocks []byte, lengths []int) ([]byte, error) {
	// the blocks follow each other without gaps
	var out bytes.Buffer
	for i, n := range lengths {
		// Each block is a zlib stream of its own.
		z, err := zlib.NewReader(bytes.NewReader(blocks[:n]))
		if err != nil {
			return nil, fmt.Errorf("block %d is not compressed by zlib: %w", i, err)
		}
		// One byte beyond the budget is enough to detect that it is exceeded.
		got, err := io.Copy(&out, io.LimitReader(z, int64(r.budget)+1))
		if err != nil {
			return nil, fmt.Errorf("block %d is damaged: %w", i, err)
		}
		if r.budget -= int(got); r.budget < 0 {
			return nil, errors.New("the data expand to more than is credible: the file is damaged")
		}
		blocks = blocks[n:]
	}
	return out.Bytes(), nil
}

// decodeNumbers decodes binary numbers of a VTK XML type.
func decodeNumbers(b []byte, kind string, order binary.ByteOrder) ([]float64, error) {
	// Lengths of the types, bytes.
	size := map[string]int{"Int8": 1, "UInt8": 1, "Int16": 2, "UInt16": 2, "Int32": 4, "UInt32": 4, "Int64": 8, "UInt64": 8, "Float32": 4, "Float64": 8}[kind]
	if size == 0 {
		return nil, fmt.Errorf("the type %q is not one of VTK's", kind)
	}
	// A remainder reports that the array was cut or has another type.
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of %s", len(b), kind)
	}
	// One conversion for each type.
	v := make([]float64, len(b)/size)
	for i := range v {
		c := b[i*size:]
		switch kind {
		case "Int8":
			v[i] = float64(int8(c[0]))
		case "UInt8":
			v[i] = float64(c[0])
		case "Int16":
			v[i] = float64(int16(order.Uint16(c)))
		case "UInt16":
			v[i] = float64(order.Uint16(c))
		case "Int32":
			v[i] = float64(int32(order.Uint32(c)))
		case "UInt32":
			v[i] = float64(order.Uint32(c))
		case "Int64":
			v[i] = float64(int64(order.Uint64(c)))
		case "UInt64":
			v[i] = float64(order.Uint64(c))
		case "Float32":
			v[i] = float64(math.Float32frombits(order.Uint32(c)))
		case "Float64":
			v[i] = math.Float64frombits(order.Uint64(c))
		}
	}
	return v, nil
}
