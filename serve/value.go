package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tinylib/msgp/msgp"
)

// Values of frames are maps with texts as keys, lists, texts, numbers, truths, nil, bytes, and arrays of numbers. An
// array is an extension of MessagePack whose data are
//
//	k    one byte: number of dimensions, at most maxDims
//	n_i  four bytes each, little-endian: length of dimension i, the last one varies fastest
//	     the numbers, little-endian
//
// and whose type says what the numbers are.

// Types of extensions.
const (
	typeFloat64 = 10
	typeInt32   = 11
	typeUint8   = 12
)

// array is an array of numbers, of which one of the lists has the elements; one that was read has them as they came, in
// the memory of its frame.
type array struct {
	dims   []int
	floats []float64
	ints   []int32
	bytes  []byte
	kind   int8 // of data
	data   []byte
}

// vector returns a list of numbers as an array. It is read before the next request changes the list.
func vector(x []float64) array { return array{dims: []int{len(x)}, floats: x} }

// Limits of values that are read: more is no request.
const (
	maxDepth = 24
	maxDims  = 8
)

// decode reads the one value of a frame. Texts and bytes are copied, arrays are not.
func decode(b []byte) (any, error) {
	v, rest, err := decodeValue(b, 0)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow the value of a frame", len(rest))
	}
	return v, err
}

// decodeValue reads a value and returns the bytes behind it.
func decodeValue(b []byte, depth int) (v any, rest []byte, err error) {
	if depth > maxDepth {
		return nil, nil, fmt.Errorf("values nested more than %d deep", maxDepth)
	}
	if len(b) > 0 && isExtension(b[0]) {
		return decodeArray(b)
	}
	switch msgp.NextType(b) {
	case msgp.NilType:
		rest, err = msgp.ReadNilBytes(b)
	case msgp.BoolType:
		v, rest, err = wrap(msgp.ReadBoolBytes(b))
	case msgp.IntType:
		v, rest, err = wrap(msgp.ReadInt64Bytes(b))
	case msgp.UintType:
		v, rest, err = wrap(msgp.ReadInt64Bytes(b)) // larger ones are errors
	case msgp.Float64Type:
		v, rest, err = wrap(msgp.ReadFloat64Bytes(b))
	case msgp.Float32Type:
		var f float32
		f, rest, err = msgp.ReadFloat32Bytes(b)
		v = float64(f)
	case msgp.StrType:
		v, rest, err = wrap(msgp.ReadStringBytes(b))
	case msgp.BinType:
		v, rest, err = wrap(msgp.ReadBytesBytes(b, nil))
	case msgp.ArrayType:
		return decodeList(b, depth)
	case msgp.MapType:
		return decodeMap(b, depth)
	default:
		return nil, nil, errors.New("the frame is no MessagePack value that this protocol has, or is cut short")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the frame is no MessagePack value: %w", err)
	}
	return v, rest, nil
}

// wrap makes a result one of any type.
func wrap[T any](v T, rest []byte, err error) (any, []byte, error) { return v, rest, err }

// decodeList reads a list.
func decodeList(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil || int(n) > len(b) { // each element takes a byte or more
		return nil, nil, fmt.Errorf("a list of %d elements is cut short", n)
	}
	var list []any
	for range n {
		var v any
		if v, b, err = decodeValue(b, depth+1); err != nil {
			return nil, nil, err
		}
		list = append(list, v)
	}
	return list, b, nil
}

// decodeMap reads a map.
func decodeMap(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadMapHeaderBytes(b)
	if err != nil || 2*int(n) > len(b) {
		return nil, nil, fmt.Errorf("a map of %d keys is cut short", n)
	}
	m := make(map[string]any)
	for range n {
		var key string
		if key, b, err = msgp.ReadStringBytes(b); err != nil {
			return nil, nil, fmt.Errorf("keys of maps are texts: %w", err)
		}
		if _, twice := m[key]; twice {
			return nil, nil, fmt.Errorf("a map has the key %q twice", key)
		}
		if m[key], b, err = decodeValue(b, depth+1); err != nil {
			return nil, nil, err
		}
	}
	return m, b, nil
}

// decodeArray reads an array of numbers.
func decodeArray(b []byte) (any, []byte, error) {
	kind, data, rest, err := extension(b)
	if err != nil {
		return nil, nil, err
	}
	size, known := map[int8]int{typeFloat64: 8, typeInt32: 4, typeUint8: 1}[kind]
	if !known {
		return nil, nil, fmt.Errorf("an extension of type %d: this protocol has %d, %d and %d", kind, typeFloat64, typeInt32, typeUint8)
	}
	if len(data) < 1 || int(data[0]) > maxDims || len(data) < 1+4*int(data[0]) {
		return nil, nil, errors.New("the dimensions of an array are cut short, or too many")
	}
	a := array{dims: make([]int, data[0])}
	count := uint64(1)
	for i := range a.dims {
		n := binary.LittleEndian.Uint32(data[1+4*i:])
		a.dims[i] = int(n)
		// beyond what a frame can have the product could overflow
		if count *= uint64(n); count > MaxFrame {
			return nil, nil, fmt.Errorf("an array of the dimensions %v", a.dims[:i+1])
		}
	}
	data = data[1+4*len(a.dims):]
	if uint64(len(data)) != count*uint64(size) {
		return nil, nil, fmt.Errorf("an array of the dimensions %v has %d bytes of numbers, not %d", a.dims, len(data), count*uint64(size))
	}
	a.kind, a.data = kind, data
	return a, rest, nil
}

// appendFloats appends the numbers of an array of float64 that was read, and reports whether all are finite.
func (a *array) appendFloats(dst []float64) (_ []float64, finite bool) {
	const exponent = 0x7ff << 52 // of numbers that are not finite
	n, at, some := len(a.data)/8, len(dst), false
	dst = slices.Grow(dst, n)[:at+n]
	for i, data := 0, a.data; i < n; i++ {
		b := binary.LittleEndian.Uint64(data[8*i:])
		some = some || b&exponent == exponent
		dst[at+i] = math.Float64frombits(b)
	}
	return dst, !some
}

// First bytes of extensions in MessagePack.
const (
	fixext1 = 0xd4 // and those of 2, 4, 8 and 16 bytes
	ext8    = 0xc7 // and those with lengths of 16 and 32 bits
)

// isExtension reports whether a byte begins an extension.
func isExtension(c byte) bool { return c >= fixext1 && c <= fixext1+4 || c >= ext8 && c <= ext8+2 }

// extension returns type and data of an extension without a copy.
func extension(b []byte) (kind int8, data, rest []byte, err error) {
	cut := errors.New("an extension is cut short")
	n, head := 0, 0
	switch c := b[0]; {
	case c >= fixext1 && c <= fixext1+4:
		n, head = 1<<(c-fixext1), 1
	case c >= ext8 && c <= ext8+2:
		width := 1 << (c - ext8)
		if len(b) < 1+width {
			return 0, nil, nil, cut
		}
		for _, x := range b[1 : 1+width] {
			n = n<<8 | int(x)
		}
		head = 1 + width
	default:
		return 0, nil, nil, cut
	}
	if n+1 > len(b)-head {
		return 0, nil, nil, cut
	}
	return int8(b[head]), b[head+1 : head+1+n], b[head+1+n:], nil
}

// encode appends a value: one of those that methods return.
func encode(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return msgp.AppendNil(b)
	case bool:
		return msgp.AppendBool(b, v)
	case int:
		return msgp.AppendInt(b, v)
	case int64:
		return msgp.AppendInt64(b, v)
	case float64:
		return msgp.AppendFloat64(b, v)
	case string:
		return msgp.AppendString(b, v)
	case []byte:
		return msgp.AppendBytes(b, v)
	case array:
		return v.appendTo(b)
	case []string:
		b = msgp.AppendArrayHeader(b, uint32(len(v)))
		for _, s := range v {
			b = msgp.AppendString(b, s)
		}
		return b
	case []any:
		b = msgp.AppendArrayHeader(b, uint32(len(v)))
		for _, x := range v {
			b = encode(b, x)
		}
		return b
	case map[string]any:
		b = msgp.AppendMapHeader(b, uint32(len(v)))
		// sorted, so that answers are the same in every run
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b = encode(msgp.AppendString(b, key), v[key])
		}
		return b
	}
	panic(fmt.Sprintf("serve: no encoding of %T", v))
}

// appendTo appends an array as an extension.
func (a *array) appendTo(b []byte) []byte {
	kind, size, count := byte(typeFloat64), 8, len(a.floats)
	switch {
	case a.data != nil:
		kind, size, count = byte(a.kind), 1, len(a.data)
	case a.ints != nil:
		kind, size, count = typeInt32, 4, len(a.ints)
	case a.bytes != nil:
		kind, size, count = typeUint8, 1, len(a.bytes)
	}
	n := 1 + 4*len(a.dims) + size*count
	b = append(b, ext8+2)
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	b = append(b, kind, byte(len(a.dims)))
	for _, d := range a.dims {
		b = binary.LittleEndian.AppendUint32(b, uint32(d))
	}
	b = slices.Grow(b, size*count)
	if a.data != nil {
		return append(b, a.data...)
	}
	switch kind {
	case typeInt32:
		for _, x := range a.ints {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	case typeUint8:
		b = append(b, a.bytes...)
	default:
		at := len(b)
		b = b[:at+8*count]
		for i, x := range a.floats {
			binary.LittleEndian.PutUint64(b[at+8*i:], math.Float64bits(x))
		}
	}
	return b
}
