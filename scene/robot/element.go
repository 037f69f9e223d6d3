package robot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
)

// Element is an XML element that records which of its parts were read, so that
// parts that the reader does not support can be listed; see Reader.WarnUnread.
//
// ReadElements creates the tree, the reader of a format asks for attributes (Attr) and
// children (All) by name, which marks them, and WarnUnread lists those that are unmarked. So a
// reader needs no list of ignored elements, and a tag that a new version of a format adds is
// reported without an edit.
type Element struct {
	// Name includes the prefix, as in drake:joint.
	Name string
	// Line is the line that the start tag begins in, from 1.
	Line int
	// Children are the elements in this one, in their order. Reading them from here
	// does not mark them as read, All does.
	Children []*Element

	attrs   []attr
	content []byte // text between the tags
	used    bool   // read by All or Skip
	told    bool   // that it is left out
}

// attr is an attribute.
type attr struct {
	name, value string
	used        bool
}

// An element takes about 150 bytes besides its text, so that a file of the largest number of
// elements fits in some hundred megabytes.
// Limits keep hostile files from exhausting memory or stack. Ropes in MJCF nest as
// deep as they have bodies.
const (
	maxDepth    = 1024
	maxElements = 1 << 20
)

// ReadElements parses XML into a tree of elements and returns its root. In messages
// the parameter file stands for the file, format for its format, such as URDF, and root for
// the root element of the format. The error is an *Error; that the file has macros of
// xacro is one, too.
func ReadElements(r io.Reader, file, format, root string) (*Element, error) {
	t := treeBuilder{file: file, format: format}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, &Error{file, 1, err.Error()}
	}
	if text, err = inputfile.Text(text); err != nil {
		return nil, &Error{file, 1, err.Error()}
	}
	if what := inputfile.Foreign(text); what != "" {
		return nil, &Error{file, 1, "the file is " + what}
	}
	// odd headers and XML 1.1, which package xml refuses, are tolerated
	d := xml.NewDecoder(bytes.NewReader(tolerated(text)))
	d.CharsetReader = charset
	for {
		t.line, _ = d.InputPos() // where the token begins
		tok, err := d.Token()
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			if t.root == nil {
				return nil, &Error{file, 1, fmt.Sprintf("the file is empty: a <%s> is required", root)}
			}
			return t.root, nil
		case errors.As(err, &syntax):
			return nil, &Error{file, syntax.Line, "not well-formed XML: " + syntax.Msg}
		case err != nil:
			return nil, t.fail("%v", err)
		}
		if err := t.add(tok); err != nil {
			return nil, err
		}
	}
}

// treeBuilder makes a tree of elements from a stream of tokens.
type treeBuilder struct {
	file, format string // for messages
	line         int    // of the token at hand
	root         *Element
	stack        []*Element // open elements, the root first
	count        int        // of all elements
	plain        string     // namespace of elements without a prefix
}

func (t *treeBuilder) fail(format string, args ...any) error {
	return &Error{t.file, t.line, fmt.Sprintf(format, args...)}
}

// add takes in the next token.
func (t *treeBuilder) add(tok xml.Token) error {
	switch tok := tok.(type) {
	case xml.StartElement:
		return t.start(tok)
	// text may come in pieces, around comments and child elements
	case xml.CharData:
		if len(t.stack) > 0 {
			e := t.stack[len(t.stack)-1]
			e.content = append(e.content, tok...)
		}
	// the decoder has checked that it ends the element that is open
	case xml.EndElement:
		t.stack = t.stack[:len(t.stack)-1]
	}
	return nil
}

// start opens an element.
func (t *treeBuilder) start(tok xml.StartElement) error {
	if t.root == nil {
		t.plain = defaultSpace(tok)
	}
	if tok.Name.Space == t.plain {
		tok.Name.Space = ""
	}
	e := &Element{Name: qualified(tok.Name), Line: t.line}
	// macros and substitutions need the tools of ROS
	const xacro = "this is a xacro file: run xacro on it first and give the %s that comes out"
	if strings.HasPrefix(e.Name, "xacro:") {
		return t.fail("<%s>: "+xacro, e.Name, t.format)
	}
	for _, a := range tok.Attr {
		if strings.Contains(a.Value, "${") || strings.Contains(a.Value, "$(") {
			return t.fail("<%s %s=%q>: "+xacro, e.Name, a.Name.Local, a.Value, t.format)
		}
		e.attrs = append(e.attrs, attr{name: qualified(a.Name), value: a.Value})
	}
	if t.count++; len(t.stack) >= maxDepth || t.count > maxElements {
		return t.fail("the file nests too deep or is too long to be a robot")
	}
	switch {
	case len(t.stack) > 0:
		p := t.stack[len(t.stack)-1]
		p.Children = append(p.Children, e)
	case t.root != nil:
		return t.fail("a second root element <%s>", e.Name)
	default:
		t.root = e
	}
	t.stack = append(t.stack, e)
	return nil
}

// RootName returns the name of the root element of XML, empty when there is none.
func RootName(text []byte) string {
	d := xml.NewDecoder(bytes.NewReader(tolerated(text)))
	d.CharsetReader = charset
	for {
		switch t, err := d.Token(); t := t.(type) {
		case xml.StartElement:
			if t.Name.Space == defaultSpace(t) {
				return t.Name.Local
			}
			return qualified(t.Name)
		default:
			if err != nil {
				return ""
			}
		}
	}
}

// defaultSpace returns the namespace that a root element gives to elements without a prefix.
func defaultSpace(root xml.StartElement) string {
	for _, a := range root.Attr {
		if a.Name.Space == "" && a.Name.Local == "xmlns" {
			return a.Value
		}
	}
	return ""
}

// charset decodes ASCII and Latin-1, which old exporters write, besides UTF-8.
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

// qualified returns a name with its prefix, such as drake:joint. Files may use the
// prefix drake without declaring it; a declared one is replaced by its URL, of which
// the last part is taken.
func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	space := n.Space
	if i := strings.LastIndexAny(space, "/#"); i >= 0 {
		space = space[i+1:]
	}
	if space == "drake.mit.edu" {
		space = "drake"
	}
	return space + ":" + n.Local
}

// All returns the children of a name and marks them as read.
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

// Attr returns the value of an attribute and whether it exists, and marks it as
// read.
func (e *Element) Attr(name string) (string, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			e.attrs[i].used = true
			return e.attrs[i].value, true
		}
	}
	return "", false
}

// Content returns the text between the tags of the element, without space around it.
func (e *Element) Content() string { return strings.TrimSpace(string(e.content)) }

// MarkRead marks everything inside the element as read. A reader that warns of the
// element as a whole calls it, so that its parts are not listed once more.
func (e *Element) MarkRead() {
	for i := range e.attrs {
		e.attrs[i].used = true
	}
	for _, c := range e.Children {
		c.used = true
		c.MarkRead()
	}
}

// MarkUnread marks the element as not read, so that it is listed. A reader calls it
// for an element that it found, but whose content it cannot use.
func (e *Element) MarkUnread() { e.used = false }
