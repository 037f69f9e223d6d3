package robot

import (
	"bytes"
	"regexp"
)

// header is the version in the first line of an XML file.
var header = regexp.MustCompile(`^\s*<\?xml\s+version\s*=\s*["']([^"']*)["']`)

// tolerated returns XML that the strict parser of the standard library reads, with the same lines.
// Other parsers of robot files do not care for what it repairs: a version other than 1.0, which
// changes nothing in robot files, "--" within comments, space before the header, and bytes of zero
// after the end.
func tolerated(text []byte) []byte {
	text = bytes.Clone(bytes.TrimRight(text, "\x00"))
	if at := header.FindSubmatchIndex(text); at != nil {
		text = append(append(bytes.Clone(text[:at[2]]), "1.0"...), text[at[3]:]...)
		// A header is one only at the very beginning.
		if start := bytes.IndexByte(text, '<'); bytes.IndexByte(text[:start], '\n') < 0 {
			text = text[start:]
		}
	}
	// Comments become space; their lines stay.
	for rest := text; ; {
		start := bytes.Index(rest, []byte("<!--"))
		if start < 0 {
			return text
		}
		end := bytes.Index(rest[start+4:], []byte("-->"))
		if end < 0 {
			return text // the parser reports it
		}
		end += start + 7
		for i := start; i < end; i++ {
			if rest[i] != '\n' {
				rest[i] = ' '
			}
		}
		rest = rest[end:]
	}
}
