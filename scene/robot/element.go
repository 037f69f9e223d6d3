package robot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Element is an XML element that remembers which of its parts were read, so that
// what nobody asked for can be listed.
type Element struct {
	Name     string // with its prefix, as in drake:joint
	Line     int
	Children []*Element
	attrs    []attr
	content  []byte
	used     bool
}

type attr struct {
	name, value string
	used        bool
}

// limits keep hostile files from exhausting memory or stack. Ropes of MJCF nest as
// deep as they have bodies.
const (
	maxDepth    = 1024
	maxElements = 1 << 20
)

// ReadElements parses XML into a tree of elements and returns its root. In
// messages file stands for the file, format for what it ought to be, such as
// URDF, and root for its root element. A file that xacro has yet to expand is an
// error.
func ReadElements(r io.Reader, file, format, root string) (*Element, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset
	var stack []*Element
	var top *Element
	count := 0
	for {
		line, _ := d.InputPos() // where the token begins
		fail := func(text string, args ...any) error {
			return &Error{file, line, fmt.Sprintf(text, args...)}
		}
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var s *xml.SyntaxError
			if errors.As(err, &s) {
				return nil, &Error{file, s.Line, "not well-formed XML: " + s.Msg}
			}
			return nil, fail("%v", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			e := &Element{Name: qualified(t.Name), Line: line}
			if strings.HasPrefix(e.Name, "xacro:") {
				return nil, fail("<%s>: this is a xacro file: run xacro on it first and give the %s that comes out", e.Name, format)
			}
			for _, a := range t.Attr {
				if strings.Contains(a.Value, "${") || strings.Contains(a.Value, "$(") {
					return nil, fail("<%s %s=%q>: this is a xacro file: run xacro on it first and give the %s that comes out", e.Name, a.Name.Local, a.Value, format)
				}
				e.attrs = append(e.attrs, attr{name: qualified(a.Name), value: a.Value})
			}
			if count++; len(stack) >= maxDepth || count > maxElements {
				return nil, fail("the file nests too deep or is too long to be a robot")
			}
			if len(stack) == 0 {
				if top != nil {
					return nil, fail("a second root element <%s>", e.Name)
				}
				top = e
			} else {
				p := stack[len(stack)-1]
				p.Children = append(p.Children, e)
			}
			stack = append(stack, e)
		case xml.CharData:
			if len(stack) > 0 {
				e := stack[len(stack)-1]
				e.content = append(e.content, t...)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if top == nil {
		return nil, &Error{file, 1, fmt.Sprintf("the file is empty: a <%s> is wanted", root)}
	}
	return top, nil
}

// RootName returns the name of the root element of XML, empty when there is none.
func RootName(text []byte) string {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = charset
	for {
		switch t, err := d.Token(); t := t.(type) {
		case xml.StartElement:
			return qualified(t.Name)
		default:
			if err != nil {
				return ""
			}
		}
	}
}

// charset decodes the one encoding besides UTF-8 that robot files are met in.
func charset(name string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii":
		return in, nil
	case "iso-8859-1", "latin1":
		text, err := io.ReadAll(in)
		var s strings.Builder
		for _, c := range text {
			s.WriteRune(rune(c))
		}
		return strings.NewReader(s.String()), err
	}
	return nil, fmt.Errorf("the encoding %s is unknown: save the file as UTF-8", name)
}

// qualified keeps the prefix of names such as drake:joint.
func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	space := n.Space
	if i := strings.LastIndexAny(space, "/#"); i >= 0 {
		space = space[i+1:]
	}
	if space == "drake.mit.edu" { // files that declare the prefix
		space = "drake"
	}
	return space + ":" + n.Local
}

// All returns the children of a name, marked as read.
func (e *Element) All(name string) []*Element {
	var s []*Element
	for _, c := range e.Children {
		if c.Name == name {
			c.used = true
			s = append(s, c)
		}
	}
	return s
}

// Attr returns an attribute and whether it is there.
func (e *Element) Attr(name string) (string, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			e.attrs[i].used = true
			return e.attrs[i].value, true
		}
	}
	return "", false
}

// Content returns the text between an element's tags, without space around it.
func (e *Element) Content() string { return strings.TrimSpace(string(e.content)) }

// MarkRead marks all that is in an element as read: it is spoken of as a whole.
func (e *Element) MarkRead() {
	for i := range e.attrs {
		e.attrs[i].used = true
	}
	for _, c := range e.Children {
		c.used = true
		c.MarkRead()
	}
}

// MarkUnread marks an element that turned out to be of no use, so that it is listed.
func (e *Element) MarkUnread() { e.used = false }
