package formats

// A scanner for mesh files in memory, ASCII and binary. Mesh files come from
// many programs, are copied between systems and cut by full disks: every number
// is checked, and a fault names its line or byte, what was found there and what
// belongs there. Fuzz tests check three guarantees of the scanner: no panic, no
// allocation beyond what the file can have, no loop without progress.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// SyntaxError reports damaged content of a mesh file with its position.
type SyntaxError struct {
	// Path is the file, or "" for a stream.
	Path string
	// Line counts from 1; 0 in binary data.
	Line int
	// Offset is the number of bytes before the fault.
	Offset int
	// Msg describes the fault and its remedy.
	Msg string
}

// Error returns "meshes: FILE: line 12: …" or "meshes: FILE: byte 345: …".
func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("byte %d", e.Offset)
	if e.Line > 0 {
		at = fmt.Sprintf("line %d", e.Line)
	}
	if e.Path == "" {
		return "meshes: " + at + ": " + e.Msg
	}
	return fmt.Sprintf("meshes: %s: %s: %s", e.Path, at, e.Msg)
}

// scan reads words, lines and binary numbers from a file in memory. The first
// fault is kept in err, and everything after it reads as nothing, so that a
// parser checks once per block. Counts are checked against the remaining bytes
// before memory is allocated.
type scan struct {
	// the whole file
	data []byte
	// next byte
	pos int
	// start of the last word or number: the place that faults name
	at int
	// the file has binary numbers: faults name bytes, not lines
	binary bool
	// byte order of binary numbers
	order binary.ByteOrder
	// first fault
	err *SyntaxError
}

// fail records a fault at the last word or number, unless there was one before.
func (s *scan) fail(format string, args ...any) {
	// The first fault is the cause of all later ones.
	if s.err != nil {
		return
	}
	// Lines are counted only when a fault occurs.
	s.err = &SyntaxError{Offset: s.at, Msg: fmt.Sprintf(format, args...)}
	if !s.binary {
		s.err.Line = 1 + bytes.Count(s.data[:min(s.at, len(s.data))], []byte{'\n'})
	}
	// Nothing more is read.
	s.pos = len(s.data)
}

// fault returns the first fault as an error, nil if there was none.
func (s *scan) fault() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// space reports whether c separates words.
func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'
}

// word returns the next word, on this or a later line; "" at the end of the
// file.
func (s *scan) word() string {
	// Skip blanks, then take everything up to the next one.
	for s.pos < len(s.data) && space(s.data[s.pos]) {
		s.pos++
	}
	s.at = s.pos
	for s.pos < len(s.data) && !space(s.data[s.pos]) {
		s.pos++
	}
	return string(s.data[s.at:s.pos])
}

// peek returns the next word without consuming it.
func (s *scan) peek() string {
	// Restore the position and the place of faults.
	pos, at := s.pos, s.at
	w := s.word()
	s.pos, s.at = pos, at
	return w
}

// line returns the rest of the line without the characters that end it.
func (s *scan) line() string {
	s.at = s.pos
	// The last line may lack its end.
	n := bytes.IndexByte(s.data[s.pos:], '\n')
	if n < 0 {
		n = len(s.data) - s.pos
		s.pos = len(s.data)
	} else {
		s.pos += n + 1
	}
	return strings.TrimRight(string(s.data[s.at:s.at+n]), "\r")
}

// more reports whether a word is left and no fault was met.
func (s *scan) more() bool { return s.err == nil && s.peek() != "" }

// found quotes a word for an error.
func found(w string) string {
	// Long words would hide the rest of the message.
	if w == "" {
		return "the end of the file"
	}
	if len(w) > 40 {
		w = w[:40] + "…"
	}
	return strconv.Quote(w)
}

// count reads the number of items that follow; each takes at least size bytes.
// It is a fault when the file cannot have them.
func (s *scan) count(what string, size int) int {
	w := s.word()
	if s.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(w, 10, 64)
	switch {
	// Not a whole number.
	case err != nil || n < 0:
		s.fail("found %s where the number of %s belongs: write a whole number, 0 or more", found(w), what)
		return 0
	// More items than bytes.
	case !s.mayHold(n, size):
		s.fail("%d %s are announced, but only %d bytes follow: the file is cut short or the count is wrong", n, what, len(s.data)-s.pos)
		return 0
	}
	return int(n)
}

// mayHold reports whether n items of at least size bytes each may follow.
func (s *scan) mayHold(n int64, size int) bool {
	return n >= 0 && n <= math.MaxInt32 && n <= int64(len(s.data)-s.pos)/int64(size)+1
}

// integer reads a whole number written as a word.
func (s *scan) integer(what string) int64 {
	w := s.word()
	if s.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		s.fail("found %s where %s belongs: write a whole number", found(w), what)
		return 0
	}
	return n
}

// real reads a finite number written as a word.
func (s *scan) real(what string) float64 {
	w := s.word()
	if s.err != nil {
		return 0
	}
	x, err := strconv.ParseFloat(w, 64)
	// Numbers out of range become infinite and are refused as such.
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		s.fail("found %s where %s belongs: write a number", found(w), what)
		return 0
	}
	return s.finite(x, what)
}

// finite returns x, or faults if it is infinite or not a number.
func (s *scan) finite(x float64, what string) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		s.fail("%s is %v: coordinates must be finite numbers; the program that wrote the file went wrong here", what, x)
		return 0
	}
	return x
}

// vec reads three coordinates written as words.
func (s *scan) vec(what string) r3.Vec {
	return r3.Vec{s.real(what), s.real(what), s.real(what)}
}

// bytes returns the next n bytes of binary data, or nil and a fault if fewer
// are left.
func (s *scan) bytes(n int, what string) []byte {
	s.at = s.pos
	// Fewer bytes are left than requested.
	if s.err != nil || n < 0 || n > len(s.data)-s.pos {
		s.fail("the file ends within %s: it is cut short", what)
		return nil
	}
	s.pos += n
	return s.data[s.at:s.pos]
}

// int32, int64 and float64 read binary numbers in the byte order of the file.
func (s *scan) int32(what string) int32 {
	if b := s.bytes(4, what); b != nil {
		return int32(s.order.Uint32(b))
	}
	return 0
}

func (s *scan) int64(what string) int64 {
	if b := s.bytes(8, what); b != nil {
		return int64(s.order.Uint64(b))
	}
	return 0
}

func (s *scan) float64(what string) float64 {
	if b := s.bytes(8, what); b != nil {
		return s.finite(math.Float64frombits(s.order.Uint64(b)), what)
	}
	return 0
}
