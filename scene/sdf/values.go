package sdf

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// SDFormat writes values between tags. The functions here read those of children.
// An attribute of another format is a child here: <mass>2</mass> for mass="2". White space
// around a value has no meaning. A child that may stand once and stands twice is a fault of One.
// Numbers must be finite, except limits (bound). Lengths are in m; coordinates of poses are
// bounded by robot.MaxLength, so that products of poses do not overflow.
//
// Every function returns a usable value after a fault too, such as the identity or 1: readers continue
// without asking, and the first fault is what the caller gets.

// content returns the text of a child, empty where there is none.
func (r *reader) content(e *robot.Element, child string) string {
	if c := r.One(e, child); c != nil {
		return c.Content()
	}
	return ""
}

// name returns the text of a child; that it is absent or empty is a fault.
func (r *reader) name(e *robot.Element, child string) string {
	s := r.content(e, child)
	if s == "" {
		r.Fail(e.Line, "<%s> has no <%s>", e.Name, child)
	}
	return s
}

// number returns the finite number in a child, or otherwise where there is none.
func (r *reader) number(e *robot.Element, child string, otherwise float64) float64 {
	c := r.One(e, child)
	if c == nil {
		return otherwise
	}
	return r.scalar(c, c.Content())
}

// scalar returns the finite number that a text writes, which is part of an element.
func (r *reader) scalar(e *robot.Element, text string) float64 {
	return r.Scalar(e.Line, fmt.Sprintf("<%s> %.40q", e.Name, text), text)
}

// bound returns the limit in a child, or otherwise where there is none. It may be
// infinite; so are numbers from 1e16, which old files write for no limit.
func (r *reader) bound(e *robot.Element, child string, otherwise float64) float64 {
	c := r.One(e, child)
	if c == nil {
		return otherwise
	}
	// The format writes infinity as inf, in any case and with a sign.
	switch s := strings.TrimPrefix(strings.ToLower(c.Content()), "+"); s {
	case "inf", "infinity":
		return math.Inf(1)
	case "-inf", "-infinity":
		return math.Inf(-1)
	}
	x := r.scalar(c, c.Content())
	// ODE and old exporters write ±1e16 and more for no limit.
	if math.Abs(x) >= 1e16 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return x
}

// numbers returns the n finite numbers in a child, nil where there is no such child and
// after a fault.
func (r *reader) numbers(e *robot.Element, child string, n int) []float64 {
	if c := r.One(e, child); c != nil {
		return r.row(c, n)
	}
	return nil
}

// row returns the n finite numbers in an element, nil where there are more or fewer.
func (r *reader) row(e *robot.Element, n int) []float64 {
	// commas, which other formats allow, are a fault here
	// Numbers are separated by white space.
	f := strings.Fields(e.Content())
	// more numbers are as doubtful as fewer
	if len(f) != n {
		r.Fail(e.Line, "<%s> %.40q: %d numbers are required", e.Name, e.Content(), n)
		return nil
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.scalar(e, f[i])
	}
	return x
}

// vec returns the three numbers in a child, or otherwise where there is none.
func (r *reader) vec(e *robot.Element, child string, otherwise r3.Vec) r3.Vec {
	if x := r.numbers(e, child, 3); x != nil {
		return r3.Vec(x)
	}
	return otherwise
}

// length returns the number in a child, m; that it is absent or negative is a fault.
func (r *reader) length(e *robot.Element, child string) float64 {
	if r.One(e, child) == nil {
		r.Fail(e.Line, "<%s> has no <%s>", e.Name, child)
	}
	// 0 leaves a shape out, with a warning; what is negative is a fault
	x := r.number(e, child, 1)
	if x == 0 && r.Err == nil {
		r.noExtent(e)
		return 1
	}
	if !(x > 0) {
		r.Fail(e.Line, "<%s> of <%s>: a positive number is required, m", child, e.Name)
	}
	return x
}

// flag returns the truth value in a child, false where there is none.
func (r *reader) flag(e *robot.Element, child string) bool { return r.flagOr(e, child, false) }

// flagOr returns the truth value in a child, or missing where there is none.
func (r *reader) flagOr(e *robot.Element, child string, missing bool) bool {
	c := r.One(e, child)
	if c == nil {
		return missing
	}
	// The format allows 0, 1, false and true.
	switch strings.ToLower(c.Content()) {
	case "1", "true":
		return true
	case "0", "false":
	default:
		r.Fail(c.Line, "<%s> %.40q: true or false is expected", child, c.Content())
	}
	return false
}

// defaultOnly reads flags that have no counterpart in the simulator. Where they have
// their default value they change nothing; others are listed as ignored.
func (r *reader) defaultOnly(e *robot.Element, children ...string) {
	for _, name := range children {
		for _, c := range e.All(name) {
			defaults := []string{"0", "false"}
			// allow_auto_disable is true by default, all other flags false.
			if name == "allow_auto_disable" {
				defaults = []string{"1", "true"}
			}
			if !slices.Contains(defaults, strings.ToLower(c.Content())) {
				c.MarkUnread()
			}
		}
	}
}

// pose reads a child <pose>. It returns the name of the frame that it is measured in,
// empty where it names none, and the line.
func (r *reader) pose(e *robot.Element) (X r3.Pose, relativeTo string, line int) {
	X = r3.PoseIdentity()
	p := r.One(e, "pose")
	if p == nil {
		return X, "", e.Line
	}
	// the frame
	relativeTo, ok := p.Attr("relative_to")
	if !ok {
		relativeTo, _ = p.Attr("frame") // its name up to version 1.6
	}
	// the form of the rotation
	// Angles are in radians unless degrees is set; a quaternion replaces them.
	degrees, _ := p.Attr("degrees")
	format, _ := p.Attr("rotation_format")
	n := 6 // numbers in a pose
	switch format {
	case "", "euler_rpy":
	case "quat_xyzw":
		n = 7
	default:
		r.Fail(p.Line, "<pose rotation_format=%q>: euler_rpy or quat_xyzw", format)
	}
	// An empty <pose> is the identity in the frame that it names.
	if p.Content() == "" {
		return X, relativeTo, p.Line
	}
	// three lengths, then the rotation
	// x y z, then roll pitch yaw about fixed axes, or qx qy qz qw
	x := r.numbers(e, "pose", n)
	for _, c := range x {
		if math.Abs(c) > robot.MaxLength {
			r.Fail(p.Line, "<pose>: %g is too large", c)
		}
	}
	if r.Err != nil {
		return X, relativeTo, p.Line
	}
	return r3.Pose{R: r.rotation(p, x[3:], degrees == "1" || degrees == "true"), P: r3.Vec(x[:3])}, relativeTo, p.Line
}

// rotation returns that of a pose: of a quaternion (x, y, z, w), or of roll, pitch and
// yaw.
func (r *reader) rotation(p *robot.Element, x []float64, degrees bool) r3.Mat {
	switch {
	case len(x) == 4:
		// A quaternion nearly zero has no direction.
		if n := math.Hypot(math.Hypot(x[0], x[1]), math.Hypot(x[2], x[3])); n < 1e-3 {
			r.Fail(p.Line, "<pose>: the quaternion is zero: 0 0 0 1 does not turn")
			return r3.Identity()
		}
		return r3.Quat{x[3], x[0], x[1], x[2]}.Unit().Mat()
	// Degrees are reduced to one turn; RPY does so for radians, with a warning.
	case degrees:
		return r3.RotRPY(radians(x[0]), radians(x[1]), radians(x[2]))
	}
	return r.RPY(p.Line, "<pose>", r3.Vec(x))
}

// radians converts an angle, reduced to one turn first.
func radians(degrees float64) float64 { return math.Remainder(degrees, 360) * math.Pi / 180 }
