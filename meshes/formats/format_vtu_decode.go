package formats

// Sizes are checked before memory is allocated, since heads of damaged files
// have any value: a length may not exceed the file, and what is decompressed neither a
// multiple of it nor a fixed amount of memory.

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
	size, err := vtuNumberSize(a.kind)
	if err != nil {
		return nil, fault(err)
	}
	b, err := r.payload(a, size)
	if err != nil {
		return nil, fault(err)
	}
	// The type of the array describes how long its numbers are.
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

// vtuNumberSize returns the length of the numbers of a type, bytes.
func vtuNumberSize(kind string) (int, error) {
	switch kind {
	case "Int8", "UInt8":
		return 1, nil
	case "Int16", "UInt16":
		return 2, nil
	case "Int32", "UInt32", "Float32":
		return 4, nil
	case "Int64", "UInt64", "Float64":
		return 8, nil
	}
	return 0, fmt.Errorf("the type %q is not one of VTK's", kind)
}

// payload returns the decompressed bytes of a binary or appended array of numbers of
// numberSize bytes each.
func (r *vtuReader) payload(a vtuArray, numberSize int) ([]byte, error) {
	switch a.format {
	// Writers may break base64 into lines of any length.
	case "binary":
		return r.unpack([]byte(strings.Join(strings.Fields(a.text), "")), true, numberSize)
	// Each appended array begins at its own offset.
	case "appended":
		if a.offset > len(r.tail) {
			return nil, fmt.Errorf("the offset %d is beyond the %d bytes of appended data: the file is cut short", a.offset, len(r.tail))
		}
		return r.unpack(r.tail[a.offset:], r.tailBase64, numberSize)
	}
	return nil, fmt.Errorf("the format is %q: ascii, binary or appended is expected", a.format)
}

// errCut reports that an array is shorter than its head says.
var errCut = errors.New("the data end early: the file is cut short")

// errBudget reports compressed data that would take too much memory.
var errBudget = fmt.Errorf("the compressed arrays of the file take more than %d MiB as numbers, or %d times the file: save it without compression, for which only the %d GiB of a file are a limit",
	vtuBudget>>20, vtuExpansion, maxFile>>30)

// unpack decodes an array that begins with its head. In base64 the head of
// compressed data is encoded on its own, that of uncompressed data, a single
// length, together with them.
func (r *vtuReader) unpack(src []byte, b64 bool, numberSize int) ([]byte, error) {
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
	// The rest of the head: length of a block and of the last one before compression,
	// 0 for a whole one, then the compressed length of each.
	head, at, err := p.take(0, r.head*(3+n))
	if err != nil {
		return nil, err
	}
	unpacked, err := r.unpackedLength(n, r.headNumber(head[r.head:]), r.headNumber(head[2*r.head:]), numberSize)
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
	return inflate(blocks, lengths, unpacked)
}

// unpackedLength returns the length, bytes, of n blocks that are each of length block
// before compression, the last of length last, and takes what their numbers occupy in
// memory from the budget: files of a few megabytes can announce many gigabytes.
func (r *vtuReader) unpackedLength(n, block, last, numberSize int) (int, error) {
	if n == 0 {
		return 0, nil
	}
	if block > maxFile || last > block {
		return 0, errCut
	}
	total := n * block // both are below 2³¹
	if last > 0 {
		total -= block - last
	}
	if r.budget -= total / numberSize * 8; total > maxFile || r.budget < 0 {
		return 0, errBudget
	}
	return total, nil
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

// inflate decompresses blocks of the given lengths to the total length that their head
// announces. More bytes than that are damage, so that no block can fill the memory.
func inflate(blocks []byte, lengths []int, total int) ([]byte, error) {
	// the blocks follow each other without gaps
	out := make([]byte, 0, total+1)
	var z io.ReadCloser
	for i, n := range lengths {
		// Each block is a zlib stream of its own; all use the same window.
		var err error
		if src := bytes.NewReader(blocks[:n]); z == nil {
			z, err = zlib.NewReader(src)
		} else {
			err = z.(zlib.Resetter).Reset(src, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("block %d is not compressed by zlib: %w", i, err)
		}
		// A free byte behind the announced ones shows a block that is too long.
		for err == nil && len(out) <= total {
			var got int
			got, err = z.Read(out[len(out) : total+1])
			out = out[:len(out)+got]
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("block %d is damaged: %w", i, err)
		}
		blocks = blocks[n:]
	}
	if len(out) != total {
		return nil, fmt.Errorf("the blocks do not have the %d bytes that are announced: the file is damaged", total)
	}
	return out, nil
}

// decodeNumbers decodes binary numbers of a VTK XML type.
func decodeNumbers(b []byte, kind string, order binary.ByteOrder) ([]float64, error) {
	size, err := vtuNumberSize(kind)
	if err != nil {
		return nil, err
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
