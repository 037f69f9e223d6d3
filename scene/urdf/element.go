package urdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"curlfree/r3"
)

// Error is a fault of a robot file.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// element is an XML element that remembers which of its parts were read, so that
// what nobody asked for can be listed.
type element struct {
	name     string
	line     int
	attrs    []attr
	children []*element
	used     bool
}

type attr struct {
	name, value string
	used        bool
}

// limits keep hostile files from exhausting memory or stack.
const (
	maxDepth    = 64
	maxElements = 1 << 20
)

// readTree parses XML into elements. A file that xacro has yet to expand is an
// error.
func readTree(r io.Reader, file string) (*element, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset
	var stack []*element
	var root *element
	count := 0
	for {
		line, _ := d.InputPos() // where the token begins
		fail := func(format string, args ...any) error {
			return &Error{file, line, fmt.Sprintf(format, args...)}
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
			e := &element{name: qualified(t.Name), line: line}
			if strings.HasPrefix(e.name, "xacro:") {
				return nil, fail("<%s>: this is a xacro file: run xacro on it first and give the URDF that comes out", e.name)
			}
			for _, a := range t.Attr {
				if strings.Contains(a.Value, "${") || strings.Contains(a.Value, "$(") {
					return nil, fail("<%s %s=%q>: this is a xacro file: run xacro on it first and give the URDF that comes out", e.name, a.Name.Local, a.Value)
				}
				e.attrs = append(e.attrs, attr{name: qualified(a.Name), value: a.Value})
			}
			if count++; len(stack) >= maxDepth || count > maxElements {
				return nil, fail("the file nests too deep or is too long to be a robot")
			}
			if len(stack) == 0 {
				if root != nil {
					return nil, fail("a second root element <%s>", e.name)
				}
				root = e
			} else {
				p := stack[len(stack)-1]
				p.children = append(p.children, e)
			}
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if root == nil {
		return nil, &Error{file, 1, "the file is empty: a <robot> is wanted"}
	}
	return root, nil
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

// reader interprets elements; it keeps the first error and all warnings.
type reader struct {
	file     string
	err      error
	warnings []Warning
}

func (r *reader) fail(line int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.file, line, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) warn(line int, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{line, fmt.Sprintf(format, args...)})
}

// all returns the children of a name, marked as read.
func (e *element) all(name string) []*element {
	var s []*element
	for _, c := range e.children {
		if c.name == name {
			c.used = true
			s = append(s, c)
		}
	}
	return s
}

// one returns the child of a name, nil when there is none; more than one is an
// error.
func (r *reader) one(e *element, name string) *element {
	s := e.all(name)
	if len(s) > 1 {
		r.fail(s[1].line, "a second <%s> in <%s>: keep one (the first is in line %d)", name, e.name, s[0].line)
	}
	if len(s) == 0 {
		return nil
	}
	return s[0]
}

// attr returns an attribute and whether it is there.
func (e *element) attr(name string) (string, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			e.attrs[i].used = true
			return e.attrs[i].value, true
		}
	}
	return "", false
}

// text returns an attribute that must be there.
func (r *reader) text(e *element, name string) string {
	s, ok := e.attr(name)
	if !ok || s == "" {
		r.fail(e.line, "<%s> has no %s", e.name, name)
	}
	return s
}

// value returns the number that a child's attribute "value" holds, or otherwise
// when there is no such child.
func (r *reader) value(e *element, child string, otherwise float64) float64 {
	c := r.one(e, child)
	if c == nil {
		return otherwise
	}
	if _, ok := c.attr("value"); !ok {
		r.fail(c.line, "<%s> has no value", child)
	}
	return r.number(c, "value", otherwise)
}

// number returns an attribute as a finite number, or otherwise when absent.
func (r *reader) number(e *element, name string, otherwise float64) float64 {
	s, ok := e.attr(name)
	if !ok {
		return otherwise
	}
	return r.parse(e, name, s)
}

func (r *reader) parse(e *element, name, s string) float64 {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		r.fail(e.line, "<%s %s=%q>: not a number: write such as 0.05 or 5e-2", e.name, name, s)
	case math.IsNaN(x) || math.IsInf(x, 0):
		r.fail(e.line, "<%s %s=%q>: a finite number is wanted", e.name, name, s)
	}
	return x
}

// vec returns an attribute of three numbers, or otherwise when absent.
func (r *reader) vec(e *element, name string, otherwise r3.Vec) r3.Vec {
	s, ok := e.attr(name)
	if !ok {
		return otherwise
	}
	f := strings.Fields(s)
	if len(f) != 3 {
		r.fail(e.line, "<%s %s=%q>: three numbers are wanted", e.name, name, s)
		return otherwise
	}
	return r3.Vec{r.parse(e, name, f[0]), r.parse(e, name, f[1]), r.parse(e, name, f[2])}
}

// origin returns the pose of a child <origin>.
func (r *reader) origin(e *element) r3.Pose {
	o := r.one(e, "origin")
	if o == nil {
		return r3.PoseIdentity()
	}
	rpy := r.vec(o, "rpy", r3.Vec{})
	for i, x := range rpy {
		if math.Abs(x) > 2*math.Pi+1e-3 {
			r.warn(o.line, "<origin rpy>: %g is more than a turn: are these degrees? rpy is in radians", x)
			rpy[i] = math.Remainder(x, 2*math.Pi)
		}
	}
	return r3.Pose{R: r3.RotRPY(rpy[0], rpy[1], rpy[2]), P: r.vec(o, "xyz", r3.Vec{})}
}

// ignored lists what was not read, each kind once with its first line.
func (r *reader) ignored(root *element) {
	type first struct{ line, count int }
	seen := map[string]*first{}
	var order []string
	note := func(what string, line int) {
		if f := seen[what]; f != nil {
			f.count++
			return
		}
		seen[what] = &first{line, 1}
		order = append(order, what)
	}
	var walk func(e *element, path string)
	walk = func(e *element, path string) {
		for i := range e.attrs {
			if a := &e.attrs[i]; !a.used && !strings.HasPrefix(a.name, "xmlns") {
				note(fmt.Sprintf("attribute %s of <%s>", a.name, path), e.line)
			}
		}
		for _, c := range e.children {
			if p := path + "/" + c.name; c.used {
				walk(c, p)
			} else {
				note("<"+p+">", c.line)
			}
		}
	}
	walk(root, root.name)
	for _, what := range order {
		f := seen[what]
		times := ""
		if f.count > 1 {
			times = fmt.Sprintf(" (%d times)", f.count)
		}
		r.warn(f.line, "ignored: %s%s", what, times)
	}
	slices.SortStableFunc(r.warnings, func(a, b Warning) int { return a.Line - b.Line })
}
