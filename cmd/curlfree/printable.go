package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Messages repeat names of files, bodies, links and columns, which come from others. Control
// characters in them could move the cursor, rewrite lines or set the title of a terminal, and
// characters that turn the direction of writing could make one file look like another. So all
// output goes through a writer that escapes them: ESC becomes the text \u001b. In JSON this
// is the escape of the same character.

// printable is a writer that escapes control characters of terminals.
type printable struct {
	w  io.Writer
	mu sync.Mutex // cases of a study report from several goroutines
	// cut are the first bytes of a character whose others have not come yet.
	cut []byte
}

// Write implements io.Writer.
func (p *printable) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := append(p.cut, text...)
	out := make([]byte, 0, len(b))
	for len(b) > 0 && (utf8.FullRune(b) || len(b) >= utf8.UTFMax) {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1: // a byte that is no text
			out = fmt.Appendf(out, `\u%04x`, b[0])
		case actsOnTerminals(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	p.cut = append(p.cut[:0], b...)
	if _, err := p.w.Write(out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// actsOnTerminals reports whether a character is a control character, other than the ends of lines
// and tabs, or sets the direction of writing.
func actsOnTerminals(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// terminal returns the terminal that a writer writes to; false where that is a file or a pipe.
func terminal(w io.Writer) (*os.File, bool) {
	if p, ok := w.(*printable); ok {
		w = p.w
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}
