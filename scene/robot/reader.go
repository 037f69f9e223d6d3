package robot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// MaxLength bounds the coordinates (m) that files may have, so that products of poses
// stay finite.
const MaxLength = 1e12

// Reader interprets the elements of one file. Its methods return harmless values after
// a fault, so that callers check Err once at the end of a section.
type Reader struct {
	// File stands for the file in messages.
	File string
	// Err is the first fault, an *Error; nil where there is none.
	Err error
	// Loops says that the format has loops: a second joint to a link becomes a constraint.
	Loops bool
	// Warnings are in the order in which they were found; WarnUnread sorts them.
	Warnings []Warning
}

// Fail records a fault in a line, unless there was one before.
func (r *Reader) Fail(line int, format string, args ...any) {
	if r.Err == nil {
		r.Err = &Error{r.File, line, fmt.Sprintf(format, args...)}
	}
}

// Warn records a warning about a line.
func (r *Reader) Warn(line int, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Line: line, Text: fmt.Sprintf(format, args...)})
}

// Repair records a warning about a faulty line with the value that is used instead.
func (r *Reader) Repair(line int, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Line: line, Text: fmt.Sprintf(format, args...), Repaired: true})
}

// LeaveOut records a warning about an element that moves the robot in the program that the file is for, and does not
// here.
func (r *Reader) LeaveOut(line int, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Line: line, Text: fmt.Sprintf(format, args...), LeftOut: true})
}

// One returns the child element of a name, nil where there is none, and the first where there
// are several, as the parsers of ROS do.
func (r *Reader) One(e *Element, name string) *Element {
	s := e.All(name)
	if len(s) > 1 && !s[1].told {
		r.Repair(s[1].Line, "a second <%s> in <%s> is left out: the first, in line %d, counts", name, e.Name, s[0].Line)
		for _, c := range s[1:] {
			c.told = true
			c.MarkRead()
		}
	}
	if len(s) == 0 {
		return nil
	}
	return s[0]
}

// RequiredText returns the text of an attribute; an absent or empty attribute is a fault.
func (r *Reader) RequiredText(e *Element, name string) string {
	s, ok := e.Attr(name)
	if !ok || s == "" {
		r.Fail(e.Line, "<%s> has no %s", e.Name, name)
	}
	return s
}

// ChildValue returns the number in the attribute "value" of a child, or otherwise where
// there is no such child. A child without the attribute is a fault.
func (r *Reader) ChildValue(e *Element, child string, otherwise float64) float64 {
	c := r.One(e, child)
	if c == nil {
		return otherwise
	}
	if _, ok := c.Attr("value"); !ok {
		r.Fail(c.Line, "<%s> has no value", child)
	}
	return r.Number(c, "value", otherwise)
}

// Number returns the value of an attribute as a finite number, or the value otherwise where the
// attribute is absent.
func (r *Reader) Number(e *Element, name string, otherwise float64) float64 {
	s, ok := e.Attr(name)
	if !ok {
		return otherwise
	}
	return r.ParseNumber(e, name, s)
}

// ParseNumber parses the text s, a part of the attribute of this name, as a finite
// number. Any other text is a fault.
func (r *Reader) ParseNumber(e *Element, name, s string) float64 {
	return r.Scalar(e.Line, fmt.Sprintf("<%s %s=%q>", e.Name, name, s), s)
}

// Scalar parses the text s in a line as a finite number; messages call it what. A stray character
// behind the number, as in "0.07," and "-1.57.", is ignored with a warning, as parsers in C do.
// Any other text is a fault.
func (r *Reader) Scalar(line int, what, s string) float64 {
	x, fault := ParseNumber(s)
	if fault == "" {
		return x
	}
	if y, still := ParseNumber(strings.TrimRight(s, " ,;.'\"")); still == "" {
		r.Repair(line, "%s: %s: %g is taken", what, fault, y)
		return y
	}
	r.Fail(line, "%s: %s", what, fault)
	return x
}

// ParseNumber parses the text s as a finite number, or returns a message that
// describes its fault.
func ParseNumber(s string) (x float64, fault string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, "not a number: write such as 0.05 or 5e-2"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, "a finite number is required"
	}
	return x, ""
}

// Vec returns the value of an attribute of three numbers, or the value otherwise where the
// attribute is absent.
func (r *Reader) Vec(e *Element, name string, otherwise r3.Vec) r3.Vec {
	s, ok := e.Attr(name)
	if !ok {
		return otherwise
	}
	f := strings.Fields(s)
	if len(f) > 3 && len(f) <= 6 {
		r.Repair(e.Line, "<%s %s=%q>: three numbers are required: the first three are taken", e.Name, name, s)
		f = f[:3]
	}
	if len(f) != 3 {
		r.Fail(e.Line, "<%s %s=%q>: three numbers are required", e.Name, name, s)
		return otherwise
	}
	return r3.Vec{r.ParseNumber(e, name, f[0]), r.ParseNumber(e, name, f[1]), r.ParseNumber(e, name, f[2])}
}

// RPY returns the rotation of roll, pitch and yaw in rad, about the fixed axes x, y and
// z in this order. Angles of more than a full turn are probably degrees: they give a
// warning and are reduced to one turn. The parameter what names the angles in the
// warning.
func (r *Reader) RPY(line int, what string, rpy r3.Vec) r3.Mat {
	for i, x := range rpy {
		if math.Abs(x) > 2*math.Pi+1e-3 {
			r.Warn(line, "%s: %g is more than a turn: are these degrees? rpy is in radians", what, x)
			rpy[i] = math.Remainder(x, 2*math.Pi)
		}
	}
	return r3.RotRPY(rpy[0], rpy[1], rpy[2])
}

// WarnUnread warns of attributes and elements that were not read: each kind once, at
// the line of the first. It sorts all warnings by line.
func (r *Reader) WarnUnread(root *Element) {
	u := unread{kinds: map[string]*occurrences{}}
	u.walk(root, root.Name)
	for _, what := range u.order {
		k, times := u.kinds[what], ""
		if k.count > 1 {
			times = fmt.Sprintf(" (%d times)", k.count)
		}
		r.Warn(k.first, "ignored: %s%s", what, times)
	}
	slices.SortStableFunc(r.Warnings, func(a, b Warning) int { return a.Line - b.Line })
}

// unread collects the kinds of parts that were not read.
type unread struct {
	kinds map[string]*occurrences // by path, such as <robot/link/sensor>
	order []string                // of the first occurrences
}

// occurrences are the first line of a kind and how often it occurs.
type occurrences struct{ first, count int }

// note counts a part in a line.
func (u *unread) note(what string, line int) {
	if k := u.kinds[what]; k != nil {
		k.count++
		return
	}
	u.kinds[what] = &occurrences{line, 1}
	u.order = append(u.order, what)
}

// walk notes what was not read in an element and, where its children were read, in
// these.
func (u *unread) walk(e *Element, path string) {
	for i := range e.attrs {
		if a := &e.attrs[i]; !a.used && !strings.HasPrefix(a.name, "xmlns") {
			u.note(fmt.Sprintf("attribute %s of <%s>", a.name, path), e.Line)
		}
	}
	for _, c := range e.Children {
		if p := path + "/" + c.Name; c.used {
			u.walk(c, p)
		} else {
			u.note("<"+p+">", c.Line)
		}
	}
}
