package mjcf

// Values of attributes: numbers, positions, directions and orientations.
//
// An orientation is one of
//
//	quat        w x y z, a quaternion that is normalized
//	axisangle   x y z a, the rotation by the angle a about (x, y, z)
//	euler       three angles about the axes of compiler/eulerseq
//	xyaxes      the x axis, and a vector whose part orthogonal to it is the y axis
//	zaxis       the z axis, reached from the parent's by the shortest rotation
//
// Angles are in degrees unless compiler/angle is radian. Directions are scaled to unit length;
// lengths are in m and bounded by robot.MaxLength.

import (
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// slashes returns a path with slashes for the backslashes of files written on Windows.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// choice returns the value s of an attribute if it is one of those that are valid. Others
// are faults, and the first valid one is returned.
func (r *reader) choice(e *robot.Element, name, s string, of ...string) string {
	if slices.Contains(of, s) {
		return s
	}
	r.Fail(e.Line, "<%s %s=%q>: one of %s is required", e.Name, name, s, strings.Join(of, ", "))
	return of[0]
}

// parse returns the finite numbers in the text of an attribute, of which there must be
// least to most; nil after a fault.
func (r *reader) parse(e *robot.Element, name, text string, least, most int) []float64 {
	f := strings.Fields(text)
	// The message describes how many numbers are required: n, at least n, or n to m.
	switch {
	case len(f) >= least && len(f) <= most:
	case least == most:
		r.Fail(e.Line, "<%s %s=%.40q>: %d numbers are required", e.Name, name, text, least)
		return nil
	case most == math.MaxInt:
		r.Fail(e.Line, "<%s %s=%.40q>: at least %d numbers are required", e.Name, name, text, least)
		return nil
	default:
		r.Fail(e.Line, "<%s %s=%.40q>: %d to %d numbers are required", e.Name, name, text, least, most)
		return nil
	}
	// Each must be a finite number.
	x := make([]float64, len(f))
	for i := range x {
		x[i] = r.ParseNumber(e, name, f[i])
	}
	return x
}

// numbers returns the numbers of an attribute, nil where there is none or after a fault.
func (r *reader) numbers(e *robot.Element, name string, least, most int) []float64 {
	text, ok := e.Attr(name)
	if !ok || strings.TrimSpace(text) == "" {
		return nil
	}
	return r.parse(e, name, text, least, most)
}

// place returns the position, m, in the text of an attribute.
func (r *reader) place(at *robot.Element, name, text string) r3.Vec {
	x := r.parse(at, name, text, 3, 3)
	if x == nil {
		return r3.Vec{}
	}
	// Coordinates are bounded, so that their products do not overflow.
	for _, c := range x {
		if math.Abs(c) > robot.MaxLength {
			r.Fail(at.Line, "<%s %s=%.40q>: %g is too large", at.Name, name, text, c)
			return r3.Vec{}
		}
	}
	return r3.Vec(x)
}

// direction returns v as a unit vector; the text is that of the attribute. A zero vector
// is a fault.
func (r *reader) direction(at *robot.Element, name, text string, v r3.Vec) r3.Vec {
	// Scaling first keeps squares of huge and tiny numbers in range.
	// scaled first, as in direction, so that no square leaves the range of numbers
	scale := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	if !(scale > 1e-12) {
		r.Fail(at.Line, "<%s %s=%.40q>: it points nowhere: give a direction such as 0 0 1", at.Name, name, text)
		return r3.Vec{0, 0, 1}
	}
	return v.Scale(1 / scale).Unit()
}

// orientations are the attributes that rotate a frame, of which one may be given.
var orientations = []string{"quat", "axisangle", "euler", "xyaxes", "zaxis"}

// pose returns the pose that pos and one of the orientations give to a frame.
func (r *reader) pose(v view) r3.Pose {
	X := r3.PoseIdentity()
	// The position may come from a class.
	if text, at, ok := v.get("pos"); ok {
		X.P = r.place(at, "pos", text)
	}
	// The nearest element that gives an orientation counts, whichever attribute it uses.
	for _, e := range v {
		found := ""
		for _, name := range orientations {
			text, ok := e.Attr(name)
			switch {
			case !ok:
			case found != "":
				r.Fail(e.Line, "<%s> has both %s and %s: one orientation is required", e.Name, found, name)
			default:
				found = name
				X.R = r.rotation(e, name, text)
			}
		}
		if found != "" {
			break
		}
	}
	return X
}

// rotation reads one of the orientations, the attribute of this name.
func (r *reader) rotation(e *robot.Element, name, text string) r3.Mat {
	// numbers of each attribute
	n := map[string]int{"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}[name]
	x := r.parse(e, name, text, n, n)
	if r.Err != nil {
		return r3.Identity()
	}
	switch name {
	case "quat":
		scale := max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]), math.Abs(x[3]))
		if !(scale > 1e-12) {
			r.Fail(e.Line, "<%s quat=%.40q>: the quaternion is zero: 1 0 0 0 does not turn", e.Name, text)
			return r3.Identity()
		}
		return r3.Quat{x[0] / scale, x[1] / scale, x[2] / scale, x[3] / scale}.Unit().Mat()
	case "axisangle":
		return r.turn(r.direction(e, name, text, r3.Vec(x[:3])), x[3]) // the angle in the unit of the file
	case "euler":
		return r.euler(e, x)
	case "xyaxes":
		// Gram and Schmidt: y is made orthogonal to x, and z completes the frame.
		a, b := r.direction(e, name, text, r3.Vec(x[:3])), r.direction(e, name, text, r3.Vec(x[3:]))
		b = r.direction(e, name, text, b.AddScaled(-a.Dot(b), a))
		b = b.AddScaled(-a.Dot(b), a).Unit() // once more, for axes that are nearly one
		return r3.FromColumns(a, b, a.Cross(b))
	default:
		return r3.RotExp(toward(r.direction(e, name, text, r3.Vec(x))))
	}
}

// euler returns the rotation by angles about the axes of eulerseq in their order. Axes in
// lower case move with the frame, those in upper case are fixed.
func (r *reader) euler(e *robot.Element, x []float64) r3.Mat {
	R := r3.Identity()
	// Moving axes multiply on the right, fixed ones on the left.
	for i, c := range r.compiler.eulerseq {
		if r.compiler.radians && math.Abs(x[i]) > 2*math.Pi+1e-3 {
			r.Warn(e.Line, "<%s euler>: %g is more than a turn: are these degrees? angles of the file are in radians", e.Name, x[i])
		}
		var axis r3.Vec
		if c >= 'x' {
			axis[c-'x'] = 1
			R = R.Mul(r.turn(axis, x[i]))
		} else {
			axis[c-'X'] = 1
			R = r.turn(axis, x[i]).Mul(R)
		}
	}
	return R
}

// toward returns the rotation vector of the shortest rotation that takes z to the unit
// vector v.
func toward(v r3.Vec) r3.Vec {
	// The axis is z × v, the angle that between z and v: |z × v| = sin, v_z = cos.
	axis := r3.Vec{0, 0, 1}.Cross(v)
	s := axis.Norm()
	if s < 1e-10 { // along z, or against it
		// any axis across z will do; x is taken
		axis, s = r3.Vec{1, 0, 0}, 0
		return axis.Scale(math.Atan2(s, v[2]))
	}
	return axis.Scale(math.Atan2(s, v[2]) / s)
}
