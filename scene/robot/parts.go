package robot

import (
	"bytes"
	"errors"
)

// Parts numbers the lines of the files that a robot file includes. They are counted on from file
// to file, so that one number gives file and line; Where distinguishes them.
//
//	robot.xml, 10 lines        lines 1 to 11
//	parts/arm.xml, 5 lines     lines 12 to 17, included first
//	parts/hand.xml             lines from 18 on
type Parts struct {
	// Files are the included files in their order.
	Files []IncludedFile
	next  int // first number that no file has
}

// NewParts returns the parts of a robot file with a text, which includes no file yet.
func NewParts(text []byte) Parts { return Parts{next: 2 + bytes.Count(text, []byte("\n"))} }

// Read parses an included file. The parameter file names it, format and root are those of
// ReadElements. Lines of the elements, and of the error, an *Error, are numbered on.
func (p *Parts) Read(file string, text []byte, format, root string) (*Element, error) {
	first := p.Add(file, text)
	e, err := ReadElements(bytes.NewReader(text), file, format, root)
	var fault *Error
	if errors.As(err, &fault) {
		fault.Line += first - 1
		return nil, fault
	}
	e.shift(first - 1)
	return e, nil
}

// Add counts an included file, and returns the number of its first line.
func (p *Parts) Add(file string, text []byte) (first int) {
	first = p.next
	p.next += 1 + bytes.Count(text, []byte("\n"))
	p.Files = append(p.Files, IncludedFile{File: file, FirstLine: first})
	return first
}

// shift adds to the line numbers of an element and of all elements in it.
func (e *Element) shift(lines int) {
	e.Line += lines
	for _, c := range e.Children {
		c.shift(lines)
	}
}
