package inputfile

import (
	"bytes"
	"errors"
)

// Errors of texts in an encoding that no reader of this program supports.
var (
	errUTF16 = errors.New("the text is in UTF-16, which has two bytes a letter: save it as UTF-8 in an editor, or with `iconv -f UTF-16 -t UTF-8`")
	errUTF32 = errors.New("the text is in UTF-32, which has four bytes a letter: save it as UTF-8 in an editor, or with `iconv -f UTF-32 -t UTF-8`")
)

// Text returns a text as readers of lines expect it: without the byte order mark that editors put before it, and with
// lines that end in a line feed where they end in a carriage return, as old programs for the Macintosh and some
// spreadsheets write them. Data that are no text are returned as they are. Texts in UTF-16 and UTF-32, which
// readers would take for nonsense or for nothing, are an error that says how to convert them.
func Text(data []byte) ([]byte, error) {
	if err := wide(data); err != nil {
		return nil, err
	}
	return linesFed(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), nil
}

// wide returns an error for a text of two or four bytes a letter, by its byte order mark or by the zeros
// among its first letters.
func wide(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return errUTF32
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return errUTF16
	}
	// no mark: every other byte is zero, the rest are letters
	const letters = 16
	if len(data) < 2*letters {
		return nil
	}
	for first := range 2 {
		wide := true
		for i := range letters {
			c, zero := data[2*i+first], data[2*i+1-first]
			wide = wide && zero == 0 && (c == '\t' || c == '\n' || c == '\r' || ' ' <= c && c <= '~')
		}
		if wide {
			return errUTF16
		}
	}
	return nil
}

// linesFed returns a text whose first line ends in a carriage return alone with line feeds in place of
// all that stand alone. Other data are returned as they are, not copied.
func linesFed(data []byte) []byte {
	end := bytes.IndexAny(data, "\r\n")
	if end < 0 || data[end] == '\n' || bytes.IndexByte(data, 0) >= 0 {
		return data
	}
	// runs of carriage returns: some programs write two before a line feed
	text := data
	for i := end; i < len(data); {
		k := i
		for k < len(data) && data[k] == '\r' {
			k++
		}
		switch alone := k == len(data) || data[k] != '\n'; {
		case i == end && !alone:
			return data
		case i == end:
			text = bytes.Clone(data)
			fallthrough
		case alone:
			copy(text[i:k], bytes.Repeat([]byte{'\n'}, k-i))
		}
		n := bytes.IndexByte(data[k:], '\r')
		if n < 0 {
			break
		}
		i = k + n
	}
	return text
}
