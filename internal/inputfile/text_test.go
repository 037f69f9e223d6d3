package inputfile

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// Lines that end in a carriage return alone end in a line feed; other ends, and data that are no text, stay.
func TestTextHasLinesThatEndInALineFeed(t *testing.T) {
	for in, want := range map[string]string{
		"a\rb\r\rc":        "a\nb\n\nc",
		"a\rb\r\nc\r":      "a\nb\r\nc\n",
		"a\r":              "a\n",
		"a\r\nb\rc\r\n":    "a\r\nb\rc\r\n", // a remark within a line of a text that is otherwise sound
		"a\nb\rc":          "a\nb\rc",
		"a\r\r\nb":         "a\r\r\nb",
		"a\rb\x00c":        "a\rb\x00c",
		"":                 "",
		"\xef\xbb\xbfa\rb": "a\nb",
		"\xef\xbb\xbf":     "",
	} {
		if got, err := Text([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", in, got, err, want)
		}
	}
	// a thousand carriage returns before the line feed take no time that grows with their square
	long := "a" + strings.Repeat("\r", 1000) + "\nb"
	if got, err := Text([]byte(long)); err != nil || string(got) != long {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// Texts of two or four bytes a letter are reported by name, in either order of bytes, with and without a mark.
func TestWideTextsAreNamed(t *testing.T) {
	const text = "solid part\nfacet normal 0 0 1\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var two, four []byte
		for _, c := range utf16.Encode([]rune(text)) {
			two, four = order.AppendUint16(two, c), order.AppendUint32(four, uint32(c))
		}
		mark2, mark4 := order.AppendUint16(nil, 0xfeff), order.AppendUint32(nil, 0xfeff)
		for _, c := range []struct {
			data []byte
			want string
		}{{two, "iconv -f UTF-16"}, {append(mark2, two...), "iconv -f UTF-16"}, {append(mark4, four...), "iconv -f UTF-32"}} {
			if _, err := Text(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %q: %v", order, c.data[:8], err)
			}
		}
	}
	// numbers of two bytes are no text
	if got, err := Text(make([]byte, 100)); err != nil || len(got) != 100 {
		t.Error(err)
	}
}
