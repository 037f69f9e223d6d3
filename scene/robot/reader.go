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

// MaxLength bounds the lengths, m, that files may have, so that products of poses stay
// finite.
const MaxLength = 1e12

// Reader interprets the elements of one file; it keeps the first fault and all
// warnings.
type Reader struct {
	File     string // stands for the file in messages
	Err      error  // the first fault, an *Error
	Warnings []Warning
}

// Fail notes a fault in a line, unless there was one before.
func (r *Reader) Fail(line int, format string, args ...any) {
	if r.Err == nil {
		r.Err = &Error{r.File, line, fmt.Sprintf(format, args...)}
	}
}

// Warn notes what is doubtful in a line.
func (r *Reader) Warn(line int, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{line, fmt.Sprintf(format, args...)})
}

// One returns the child of a name, nil when there is none; more than one is an
// error.
func (r *Reader) One(e *Element, name string) *Element {
	s := e.All(name)
	if len(s) > 1 {
		r.Fail(s[1].Line, "a second <%s> in <%s>: keep one (the first is in line %d)", name, e.Name, s[0].Line)
	}
	if len(s) == 0 {
		return nil
	}
	return s[0]
}

// RequiredText returns an attribute that must be there.
func (r *Reader) RequiredText(e *Element, name string) string {
	s, ok := e.Attr(name)
	if !ok || s == "" {
		r.Fail(e.Line, "<%s> has no %s", e.Name, name)
	}
	return s
}

// ChildValue returns the number that a child's attribute "value" holds, or otherwise
// when there is no such child.
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

// Number returns an attribute as a finite number, or otherwise when absent.
func (r *Reader) Number(e *Element, name string, otherwise float64) float64 {
	s, ok := e.Attr(name)
	if !ok {
		return otherwise
	}
	return r.ParseNumber(e, name, s)
}

// ParseNumber returns the finite number that s, of an attribute called name, writes.
func (r *Reader) ParseNumber(e *Element, name, s string) float64 {
	x, fault := ParseNumber(s)
	if fault != "" {
		r.Fail(e.Line, "<%s %s=%q>: %s", e.Name, name, s, fault)
	}
	return x
}

// ParseNumber returns the finite number that s writes, or what is wrong with it.
func ParseNumber(s string) (x float64, fault string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, "not a number: write such as 0.05 or 5e-2"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, "a finite number is wanted"
	}
	return x, ""
}

// Vec returns an attribute of three numbers, or otherwise when absent.
func (r *Reader) Vec(e *Element, name string, otherwise r3.Vec) r3.Vec {
	s, ok := e.Attr(name)
	if !ok {
		return otherwise
	}
	f := strings.Fields(s)
	if len(f) != 3 {
		r.Fail(e.Line, "<%s %s=%q>: three numbers are wanted", e.Name, name, s)
		return otherwise
	}
	return r3.Vec{r.ParseNumber(e, name, f[0]), r.ParseNumber(e, name, f[1]), r.ParseNumber(e, name, f[2])}
}

// RPY returns the rotation by roll, pitch and yaw in rad. Angles of more than a
// turn are doubted; what names them in messages.
func (r *Reader) RPY(line int, what string, rpy r3.Vec) r3.Mat {
	for i, x := range rpy {
		if math.Abs(x) > 2*math.Pi+1e-3 {
			r.Warn(line, "%s: %g is more than a turn: are these degrees? rpy is in radians", what, x)
			rpy[i] = math.Remainder(x, 2*math.Pi)
		}
	}
	return r3.RotRPY(rpy[0], rpy[1], rpy[2])
}

// WarnUnread warns of what was not read, each kind once with its first line, and sorts
// the warnings by line.
func (r *Reader) WarnUnread(root *Element) {
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
	var walk func(e *Element, path string)
	walk = func(e *Element, path string) {
		for i := range e.attrs {
			if a := &e.attrs[i]; !a.used && !strings.HasPrefix(a.name, "xmlns") {
				note(fmt.Sprintf("attribute %s of <%s>", a.name, path), e.Line)
			}
		}
		for _, c := range e.Children {
			if p := path + "/" + c.Name; c.used {
				walk(c, p)
			} else {
				note("<"+p+">", c.Line)
			}
		}
	}
	walk(root, root.Name)
	for _, what := range order {
		f := seen[what]
		times := ""
		if f.count > 1 {
			times = fmt.Sprintf(" (%d times)", f.count)
		}
		r.Warn(f.line, "ignored: %s%s", what, times)
	}
	slices.SortStableFunc(r.Warnings, func(a, b Warning) int { return a.Line - b.Line })
}
