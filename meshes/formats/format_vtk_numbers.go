package formats

// The types, their C names in VTK and their lengths in bytes:
//
//	1   char, unsigned_char, signed_char
//	2   short, unsigned_short
//	4   int, unsigned_int, float, vtktypeint32
//	8   long, unsigned_long, double, vtkidtype, vtktypeint64, vtktypeuint64
//	–   bit (eight a byte), string (with its length in front)

import (
	"encoding/binary"
	"math"
	"strings"
)

// Numbers of legacy VTK files: words of ASCII files, big-endian binary numbers of
// the types that VTK names, and values that are passed over.

// announced faults unless n binary items of size bytes each follow.
func (r *vtkReader) announced(n, size int, what string) bool {
	// Products of counts are taken in 64 bits.
	if r.err == nil && int64(n)*int64(size) > int64(len(r.data)-r.pos) {
		r.fail("%d %s are announced, which take %d bytes, but %d follow: the file is cut short or the count is wrong", n, what, int64(n)*int64(size), len(r.data)-r.pos)
	}
	return r.err == nil
}

// vtkSize returns the length of a binary number of a VTK type, bytes; 0 for an
// unknown type.
func vtkSize(kind string) int {
	switch kind {
	case "char", "unsigned_char", "signed_char":
		return 1
	case "short", "unsigned_short":
		return 2
	case "int", "unsigned_int", "float", "vtktypeint32":
		return 4
	case "long", "unsigned_long", "double", "vtkidtype", "vtktypeint64", "vtktypeuint64":
		return 8
	}
	return 0
}

// number reads a binary number of a VTK type.
func (r *vtkReader) number(kind string, size int) float64 {
	// nil reports that the file ended, which is recorded.
	b := r.bytes(size, "the numbers")
	if b == nil {
		return 0
	}
	switch kind {
	// Floating point numbers by their bits, all others as integers.
	case "float":
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	case "double":
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	}
	return float64(vtkInteger(b, strings.HasPrefix(kind, "unsigned")))
}

// vtkInteger decodes a big-endian integer of any length with or without sign.
func vtkInteger(b []byte, unsigned bool) int64 {
	// Most significant byte first.
	var u uint64
	for _, c := range b {
		u = u<<8 | uint64(c)
	}
	if unsigned {
		return int64(u)
	}
	// Shifting left and back extends the sign.
	shift := 64 - 8*len(b)
	return int64(u<<shift) >> shift
}

// ints reads n whole numbers of a VTK type.
func (r *vtkReader) ints(n int, kind, what string) []int64 {
	// Vertex numbers and counts are whole.
	size := vtkSize(kind)
	if size == 0 || kind == "float" || kind == "double" {
		r.fail("%s are of type %s: whole numbers are expected", what, found(kind))
		return nil
	}
	// Check the length before memory is allocated: binary numbers have a fixed
	// size, words at least two bytes.
	if r.binary {
		r.line()
		if !r.announced(n, size, what) {
			return nil
		}
	} else if !r.mayHold(int64(n), 2) {
		r.fail("%d numbers of %s are announced, but only %d bytes follow: the file is cut short or the count is wrong", n, what, len(r.data)-r.pos)
		return nil
	}
	// Words or binary numbers.
	v := make([]int64, n)
	for i := range v {
		if !r.binary {
			v[i] = r.integer("one of the " + what)
		} else if b := r.bytes(size, what); b != nil {
			v[i] = vtkInteger(b, false)
		}
		if r.err != nil {
			return nil
		}
	}
	return v
}

// passOver skips n values of a type.
func (r *vtkReader) passOver(n int, kind string) {
	// Strings and bits have no size in bytes.
	size := vtkSize(kind)
	switch {
	// Each string has its length in front.
	case kind == "string" && r.binary:
		r.line()
		for i := 0; i < n && r.err == nil; i++ {
			r.passString()
		}
	// A string a line.
	case kind == "string":
		r.line()
		for range n {
			r.line()
		}
	// Eight bits a byte.
	case kind == "bit" && r.binary:
		r.line()
		r.bytes((n+7)/8, "the bits")
	// An unknown type: its length is not known.
	case size == 0 && kind != "bit":
		r.fail("the array is of type %s, which is not one of VTK's", found(kind))
	// Any other binary array is skipped at once.
	case r.binary:
		r.line()
		r.bytes(n*size, "the array")
	// Words of any type.
	default:
		for i := 0; i < n && r.err == nil; i++ {
			if r.word() == "" {
				r.fail("the file ends within an array: it is cut short")
			}
		}
	}
}

// passString skips a binary string. The two high bits of its first byte say
// how many bytes its length takes.
func (r *vtkReader) passString() {
	b := r.bytes(1, "a string")
	if b == nil {
		return
	}
	// The low six bits of the first byte begin the length; 7, 3, 1 or 0 bytes
	// follow.
	n := int64(b[0] & 63)
	for range [4]int{7, 3, 1, 0}[b[0]>>6] {
		c := r.bytes(1, "a string")
		if c == nil {
			return
		}
		n = n<<8 | int64(c[0])
	}
	// A length beyond the file becomes a fault below, without overflow.
	if n > int64(len(r.data)) {
		n = int64(len(r.data)) // faults below
	}
	r.bytes(int(n), "a string")
}
