package mutation

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// Mutations of a file, each at a random place. Formats are not known here; what works for a text
// leaves it a text of the same kind more often than not.
//
//	bytes      one other, some removed, repeated, moved, or taken from another file; the end cut off
//	integers   of 2 to 8 bytes, at the limits of their kinds: counts and offsets of binary files
//	tokens     words, numbers and signs, replaced by those of other files or by odd numbers
//	strings    in quotes, replaced by those of other files
//	lines      removed, repeated, moved, or taken from another file
//	elements   of XML, from their start tag to their end, removed, repeated, or taken from another file

// maker makes inputs of others.
type maker struct {
	random *rand.Rand
	pool   [][]byte // inputs that others are made of
	given  int      // of which so many are seeds of the test
	words  [][]byte // tokens of the seeds, each once
	quoted [][]byte // strings in quotes of the seeds, each once
	buffer []byte   // the input at hand
}

// odd are numbers that readers may not expect.
var odd = []string{"0", "-0", "1", "-1", "2", "3", "1e-300", "1e300", "-1e300", "1e-9", "1e12", "1e9", "nan", "inf", "-inf", "0x1p-1074",
	"2147483647", "2147483648", "-2147483648", "4294967295", "9223372036854775807", "18446744073709551616", "1e999", "0.5", "3.14159", "", "x", "1 2 3", "1 2"}

// limits are integers at the ends of their kinds.
var limits = []uint64{0, 1, 2, 3, 4, 7, 8, 127, 128, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 16, 1 << 20, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<62 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1}

// newMaker returns a maker of mutations of seeds.
func newMaker(seeds [][]byte, random *rand.Rand) maker {
	m := maker{random: random, pool: slices.Clone(seeds), given: len(seeds)}
	known := map[string]bool{}
	add := func(list *[][]byte, s []byte) {
		if key := string(s); len(s) > 0 && len(s) < 64 && !known[key] {
			known[key] = true
			*list = append(*list, s)
		}
	}
	for _, s := range seeds {
		for at := 0; at < len(s); {
			n := tokenEnd(s, at)
			add(&m.words, s[at:n])
			if c := s[at]; c == '"' || c == '\'' {
				if k := bytes.IndexByte(s[n:], c); k >= 0 && k < 64 {
					add(&m.quoted, s[n:n+k])
				}
			}
			at = n
		}
	}
	if len(m.words) == 0 {
		m.words = [][]byte{{0}}
	}
	return m
}

// make returns an input, which the next call overwrites: one of the pool with some mutations.
func (m *maker) make() []byte {
	// the newest half as often as all others: it has the newest outcomes
	i := m.random.IntN(len(m.pool))
	if m.random.IntN(2) == 0 {
		i = max(i, m.random.IntN(len(m.pool)))
	}
	m.buffer = append(m.buffer[:0], m.pool[i]...)
	for {
		m.mutate()
		if m.random.IntN(3) == 0 {
			return m.buffer
		}
	}
}

// mutate changes the buffer at one place.
func (m *maker) mutate() {
	b := m.buffer
	if len(b) == 0 {
		m.buffer = append(b, m.pick(m.pool)...)
		return
	}
	// markup and text are changed as such, binary files by bytes
	text := bytes.IndexByte(b[:min(len(b), 256)], 0) < 0
	switch k := m.random.IntN(10); {
	case !text || k == 0:
		m.mutateBytes()
	case k < 4:
		m.mutateToken()
	case k < 6 && len(m.quoted) > 0 && m.mutateQuoted():
	case k < 8 && bytes.IndexByte(b, '<') >= 0 && m.mutateElement():
	case k < 9:
		m.mutateLine()
	default:
		m.mutateToken()
	}
}

// pick returns any of a list.
func (m *maker) pick(list [][]byte) []byte { return list[m.random.IntN(len(list))] }

// replace puts s in place of the bytes i to k of the buffer.
func (m *maker) replace(i, k int, s []byte) { m.buffer = slices.Replace(m.buffer, i, k, s...) }

// span returns a piece of b, short more often than long.
func (m *maker) span(b []byte) (i, k int) {
	i = m.random.IntN(len(b))
	return i, min(len(b), i+1+m.random.IntN(1<<m.random.IntN(8)))
}

// mutateBytes changes bytes or integers.
func (m *maker) mutateBytes() {
	i, k := m.span(m.buffer)
	switch m.random.IntN(8) {
	case 0:
		m.buffer[i] ^= 1 << m.random.IntN(8)
	case 1:
		m.buffer[i] = byte(m.random.Uint32())
	case 2:
		m.replace(i, k, nil)
	case 3: // repeated elsewhere
		at := m.random.IntN(len(m.buffer) + 1)
		m.replace(at, at, bytes.Clone(m.buffer[i:k]))
	case 4: // taken from another
		if other := m.pick(m.pool); len(other) > 0 {
			from, to := m.span(other)
			m.replace(i, min(len(m.buffer), i+to-from), other[from:to])
		}
	case 5:
		if m.random.IntN(4) == 0 {
			m.buffer = m.buffer[:i]
			break
		}
		m.replace(i, i, m.pick(m.words))
	default:
		m.mutateInteger(i)
	}
}

// mutateInteger puts a limit of integers, or one near it, at byte i.
func (m *maker) mutateInteger(i int) {
	size := 1 << m.random.IntN(4)
	if i &^= min(size, 4) - 1; i+size > len(m.buffer) {
		return
	}
	x := limits[m.random.IntN(len(limits))] + uint64(m.random.IntN(3)) - 1
	var word [8]byte
	if m.random.IntN(4) == 0 {
		binary.BigEndian.PutUint64(word[:], x<<(64-8*size))
	} else {
		binary.LittleEndian.PutUint64(word[:], x)
	}
	copy(m.buffer[i:], word[:size])
}

// letter reports bytes of words and numbers.
func letter(c byte) bool {
	return c == '_' || c == '.' || c == '+' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// tokenEnd returns where the token at byte i ends: a word, a number, or one other byte.
func tokenEnd(b []byte, i int) int {
	k := i + 1
	if letter(b[i]) {
		for k < len(b) && letter(b[k]) {
			k++
		}
	}
	return k
}

// mutateToken replaces, removes or adds a token.
func (m *maker) mutateToken() {
	i := m.random.IntN(len(m.buffer))
	for i > 0 && letter(m.buffer[i]) && letter(m.buffer[i-1]) {
		i--
	}
	k := tokenEnd(m.buffer, i)
	number := m.buffer[i] == '-' || '0' <= m.buffer[i] && m.buffer[i] <= '9'
	switch c := m.random.IntN(8); {
	case number && c < 6:
		m.replace(i, k, []byte(odd[m.random.IntN(len(odd))]))
	case c < 5:
		m.replace(i, k, m.pick(m.words))
	case c == 5:
		m.replace(i, k, nil)
	case c == 6:
		m.replace(i, i, append(bytes.Clone(m.pick(m.words)), ' '))
	default:
		m.replace(i, i, append(bytes.Clone(m.buffer[i:k]), ' '))
	}
}

// mutateQuoted replaces a string in quotes by another; false where there is none.
func (m *maker) mutateQuoted() bool {
	b := m.buffer
	i := m.random.IntN(len(b))
	for ; i < len(b) && b[i] != '"' && b[i] != '\''; i++ {
	}
	if i == len(b) {
		return false
	}
	n := bytes.IndexByte(b[i+1:], b[i])
	if n < 0 {
		return false
	}
	by := m.pick(m.quoted)
	if m.random.IntN(4) == 0 {
		by = []byte(odd[m.random.IntN(len(odd))])
	}
	m.replace(i+1, i+1+n, by)
	return true
}

// mutateLine removes, repeats or moves a line, or takes one from another file.
func (m *maker) mutateLine() {
	i, k := m.line(m.buffer)
	line := bytes.Clone(m.buffer[i:k])
	switch other := m.pick(m.pool); m.random.IntN(4) {
	case 0:
		m.replace(i, k, nil)
		return
	case 1: // moved
		m.replace(i, k, nil)
	case 2:
		if len(other) > 0 {
			i, k = m.line(other)
			line = other[i:k]
		}
	}
	at := 0
	if len(m.buffer) > 0 {
		at, _ = m.line(m.buffer)
	}
	m.replace(at, at, line)
}

// line returns a line of b with its end.
func (m *maker) line(b []byte) (i, k int) {
	i = m.random.IntN(len(b))
	k = i + 1 + bytes.IndexByte(b[i:], '\n')
	if k == i {
		k = len(b)
	}
	return 1 + bytes.LastIndexByte(b[:i], '\n'), k
}

// mutateElement removes or repeats an element of XML, or puts one of another file before it; false
// where the place has none.
func (m *maker) mutateElement() bool {
	i, k := element(m.buffer, m.random.IntN(len(m.buffer)))
	if i < 0 {
		return false
	}
	switch m.random.IntN(3) {
	case 0:
		m.replace(i, k, nil)
	case 1:
		m.replace(i, i, bytes.Clone(m.buffer[i:k]))
	default:
		other := m.pick(m.pool)
		if len(other) == 0 {
			return false
		}
		from, to := element(other, m.random.IntN(len(other)))
		if from < 0 {
			return false
		}
		m.replace(i, i, other[from:to])
	}
	return true
}

// element returns the first element of XML that begins at or after a byte, −1 where none does.
func element(b []byte, at int) (i, k int) {
	depth := 0
	for i, k = -1, at; ; {
		n := bytes.IndexByte(b[k:], '<')
		if n < 0 || k+n+1 >= len(b) {
			return -1, 0
		}
		begin := k + n
		end := bytes.IndexByte(b[begin:], '>')
		if end < 0 {
			return -1, 0
		}
		k = begin + end + 1
		switch c := b[begin+1]; {
		case c == '/':
			if i < 0 {
				continue // of an element that began before
			}
			depth--
		case !letter(c):
			continue // a comment or a header
		default:
			if i < 0 {
				i = begin
			}
			if b[k-2] != '/' {
				depth++
			}
		}
		if depth == 0 {
			return i, k
		}
	}
}
