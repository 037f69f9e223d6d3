package sdf

import (
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// SDFormat writes values between tags: the helpers here read what children hold.

// content returns the text of a child, empty when there is none.
func (r *reader) content(e *robot.Element, child string) string {
	if c := r.One(e, child); c != nil {
		return c.Content()
	}
	return ""
}

// name returns the text of a child that must be there.
func (r *reader) name(e *robot.Element, child string) string {
	s := r.content(e, child)
	if s == "" {
		r.Fail(e.Line, "<%s> has no <%s>", e.Name, child)
	}
	return s
}

// number returns the finite number in a child, or otherwise when there is none.
func (r *reader) number(e *robot.Element, child string, otherwise float64) float64 {
	c := r.One(e, child)
	if c == nil {
		return otherwise
	}
	return r.scalar(c, c.Content())
}

func (r *reader) scalar(e *robot.Element, text string) float64 {
	x, fault := robot.ParseNumber(text)
	if fault != "" {
		r.Fail(e.Line, "<%s> %.40q: %s", e.Name, text, fault)
	}
	return x
}

// bound returns the limit in a child, which may be infinite, or otherwise when
// there is none. 1e16 stands for none in old files.
func (r *reader) bound(e *robot.Element, child string, otherwise float64) float64 {
	c := r.One(e, child)
	if c == nil {
		return otherwise
	}
	switch s := strings.TrimPrefix(strings.ToLower(c.Content()), "+"); s {
	case "inf", "infinity":
		return math.Inf(1)
	case "-inf", "-infinity":
		return math.Inf(-1)
	}
	x := r.scalar(c, c.Content())
	if math.Abs(x) >= 1e16 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return x
}

// numbers returns the n finite numbers in a child, nil when there is no such
// child.
func (r *reader) numbers(e *robot.Element, child string, n int) []float64 {
	c := r.One(e, child)
	if c == nil {
		return nil
	}
	f := strings.Fields(c.Content())
	if len(f) != n {
		r.Fail(c.Line, "<%s> %.40q: %d numbers are wanted", child, c.Content(), n)
		return nil
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.scalar(c, f[i])
	}
	return x
}

// vec returns the three numbers in a child, or otherwise when there is none.
func (r *reader) vec(e *robot.Element, child string, otherwise r3.Vec) r3.Vec {
	if x := r.numbers(e, child, 3); x != nil {
		return r3.Vec(x)
	}
	return otherwise
}

// length returns the positive number in a child, m.
func (r *reader) length(e *robot.Element, child string) float64 {
	if r.One(e, child) == nil {
		r.Fail(e.Line, "<%s> has no <%s>", e.Name, child)
	}
	x := r.number(e, child, 1)
	if !(x > 0) {
		r.Fail(e.Line, "<%s> of <%s>: a positive number is wanted, m", child, e.Name)
	}
	return x
}

// flag returns the truth in a child, false when there is none.
func (r *reader) flag(e *robot.Element, child string) bool { return r.flagOr(e, child, false) }

// flagOr is flag with another default.
func (r *reader) flagOr(e *robot.Element, child string, missing bool) bool {
	c := r.One(e, child)
	if c == nil {
		return missing
	}
	switch strings.ToLower(c.Content()) {
	case "1", "true":
		return true
	case "0", "false":
	default:
		r.Fail(c.Line, "<%s> %.40q: true or false is wanted", child, c.Content())
	}
	return false
}

// plain passes over children that say what holds anyway.
func (r *reader) plain(e *robot.Element, children ...string) {
	for _, name := range children {
		for _, c := range e.All(name) {
			asUsual := []string{"0", "false"}
			if name == "gravity" || name == "allow_auto_disable" {
				asUsual = []string{"1", "true"}
			}
			if !slices.Contains(asUsual, strings.ToLower(c.Content())) {
				c.MarkUnread()
			}
		}
	}
}

// pose reads a child <pose> and the name of the frame that it is measured in,
// empty where it names none.
func (r *reader) pose(e *robot.Element) (X r3.Pose, relativeTo string, line int) {
	X, line = r3.PoseIdentity(), e.Line
	p := r.One(e, "pose")
	if p == nil {
		return X, "", line
	}
	relativeTo, ok := p.Attr("relative_to")
	if !ok {
		relativeTo, _ = p.Attr("frame") // as in 1.6
	}
	degrees, _ := p.Attr("degrees")
	turned := 3
	format, _ := p.Attr("rotation_format")
	switch format {
	case "", "euler_rpy":
	case "quat_xyzw":
		turned = 4
	default:
		r.Fail(p.Line, "<pose rotation_format=%q>: euler_rpy or quat_xyzw", format)
	}
	if p.Content() == "" {
		return X, relativeTo, p.Line
	}
	x := r.numbers(e, "pose", 3+turned)
	if r.Err != nil {
		return X, relativeTo, p.Line
	}
	for _, c := range x {
		if math.Abs(c) > robot.MaxLength {
			r.Fail(p.Line, "<pose>: %g is too large", c)
			return X, relativeTo, p.Line
		}
	}
	X.P = r3.Vec(x[:3])
	switch {
	case turned == 4:
		q := r3.Quat{x[6], x[3], x[4], x[5]}
		if n := math.Hypot(math.Hypot(x[3], x[4]), math.Hypot(x[5], x[6])); n < 1e-3 {
			r.Fail(p.Line, "<pose>: the quaternion is zero: 0 0 0 1 does not turn")
			return X, relativeTo, p.Line
		}
		X.R = q.Unit().Mat()
	case degrees == "1" || degrees == "true":
		X.R = r3.RotRPY(radians(x[3]), radians(x[4]), radians(x[5]))
	default:
		X.R = r.RPY(p.Line, "<pose>", r3.Vec(x[3:]))
	}
	return X, relativeTo, p.Line
}

func radians(degrees float64) float64 { return math.Remainder(degrees, 360) * math.Pi / 180 }
