package mjcf

// Defaults. <default> elements make a tree of classes; each has elements like those of the
// model with the attributes that they lack. The attribute of an element is, in this order,
//
//  1. its own;
//  2. that of the class that it names, or else of the childclass of the nearest body or frame
//     around it, or else of the top class;
//  3. that of the classes around that class, up to the top class.
//
// Lists of numbers merge: an element with fewer numbers keeps the rest of its class.
//
//	<default>                                   class main, around all others
//		<geom friction="0.8"/>
//		<default class="finger">                  class finger, nested in main
//			<geom friction="1.2" rgba="1 0 0 1"/>
//		</default>
//	</default>
//	<geom class="finger"/>                      friction 1.2, and the rest of main

import (
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// class is a class of defaults: the attributes that elements have unless they give
// their own.
type class struct {
	line  int
	above *class                      // class that it is nested in
	kinds map[string][]*robot.Element // elements with the defaults, by kind of element
}

// actuators are the elements of actuators, which share one set of defaults.
var actuators = []string{"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor", "plugin"}

// attributes are those of each kind of element that are read, or that have no effect on
// the mechanics. Others are listed as ignored.
var attributes = map[string][]string{
	"geom": {"name", "class", "user", "type", "size", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto", "contype", "conaffinity",
		"group", "mass", "density", "friction", "rgba", "material", "mesh", "hfield"},
	"joint": {"name", "class", "user", "type", "group", "pos", "axis", "range", "limited", "ref", "springref", "stiffness", "damping",
		"frictionloss", "armature", "springdamper", "actuatorfrcrange", "actuatorfrclimited"},
	"mesh":     {"name", "class", "file", "scale", "refpos", "refquat", "inertia", "smoothnormal", "maxhullvert", "vertex", "face", "builtin", "params", "normal", "texcoord"},
	"material": {"name", "class", "rgba", "texture", "emission", "specular", "shininess", "reflectance", "metallic", "roughness", "texrepeat", "texuniform"},
	"equality": {"name", "class", "active"},
	"tendon":   {"name", "class", "user", "group", "rgba", "material", "width", "range", "limited", "stiffness", "springlength", "damping", "frictionloss"},
	"actuator": {"name", "class", "user", "group", "joint", "jointinparent", "tendon", "gear", "forcerange", "forcelimited", "ctrlrange", "ctrllimited",
		"actrange", "actlimited", "inheritrange", "kp", "kv", "dampratio", "timeconst", "gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm"},
}

// top is the name of the class of elements that name none.
const top = "main"

// defaults reads all classes.
func (r *reader) defaults(root *robot.Element) {
	r.classes = map[string]*class{top: {line: root.Line, kinds: map[string][]*robot.Element{}}}
	// Several <default> sections add to one top class.
	for _, e := range root.All("default") {
		main := r.classes[top]
		if name, _ := e.Attr("class"); name != "" { // the top class may have another name
			if c := r.classes[name]; c != nil && c != main {
				r.Fail(e.Line, "a second class is called %q (the first is in line %d): names must differ", name, r.line(c.line))
			}
			r.classes[name] = main
		}
		r.class(e, main)
	}
}

// line returns the number of a line in its own file, for messages.
func (r *reader) line(line int) int {
	_, own := robot.Where(r.parts.Files, r.File, line)
	return own
}

// class reads the defaults in a <default>, and the classes nested in it.
func (r *reader) class(e *robot.Element, c *class) {
	// Children are nested classes, or elements with defaults of their kind.
	for _, child := range e.Children {
		kind := child.Name
		// All kinds of actuators share their defaults.
		if slices.Contains(actuators, kind) {
			kind = "actuator"
		}
		switch {
		case kind == "default":
			name := r.RequiredText(child, "class")
			if first := r.classes[name]; first != nil {
				r.Fail(child.Line, "a second class is called %q (the first is in line %d): names must differ", name, r.line(first.line))
				return
			}
			inner := &class{line: child.Line, above: c, kinds: map[string][]*robot.Element{}}
			if _, alone := child.Attr(outermost); alone {
				inner.above = nil
			}
			r.classes[name] = inner
			e.All("default")
			r.class(child, inner)
		case attributes[kind] != nil:
			e.All(child.Name)
			r.known(child, kind)
			c.kinds[kind] = append(c.kinds[kind], child)
		}
	}
}

// known marks the attributes of an element that are read.
func (r *reader) known(e *robot.Element, kind string) {
	// Marked attributes are not listed as ignored.
	for _, name := range attributes[kind] {
		e.Attr(name)
	}
}

// view is an element followed by the defaults that apply to it, those of the innermost
// class first.
type view []*robot.Element

// view returns an element of a kind with its defaults. The childclass is that of the
// bodies around it, empty where there is none.
func (r *reader) view(e *robot.Element, kind, childclass string) view {
	r.known(e, kind)
	// An own class replaces the childclass, as in MuJoCo.
	name, ok := e.Attr("class")
	if !ok {
		name = childclass
	}
	v := view{e}
	// From the class outward; within a class the last element counts first.
	for c := r.classOf(e, name); c != nil; c = c.above {
		s := c.kinds[kind]
		for i := len(s) - 1; i >= 0; i-- {
			v = append(v, s[i])
		}
	}
	return v
}

// classOf returns a class by name; that there is none is a fault.
func (r *reader) classOf(e *robot.Element, name string) *class {
	if name == "" {
		name = top
	}
	c := r.classes[name]
	if c == nil {
		r.Fail(e.Line, "<%s>: there is no class %q: write <default class=%q> among the defaults", e.Name, name, name)
	}
	return c
}

// get returns an attribute and the element that gives it, the nearest one.
func (v view) get(name string) (text string, at *robot.Element, ok bool) {
	// The first element that gives the attribute counts.
	for _, e := range v {
		// an empty attribute, which exporters write, gives nothing
		if text, ok := e.Attr(name); ok && strings.TrimSpace(text) != "" {
			return text, e, true
		}
	}
	return "", nil, false
}

// text returns an attribute, or otherwise where no element gives it.
func (v view) text(name, otherwise string) string {
	if s, _, ok := v.get(name); ok {
		return s
	}
	return otherwise
}

// number returns an attribute of one number, or otherwise where no element gives it.
func (r *reader) number(v view, name string, otherwise float64) float64 {
	text, at, ok := v.get(name)
	if !ok {
		return otherwise
	}
	return r.ParseNumber(at, name, text)
}

// merged overwrites x with the numbers of an attribute, outermost class first, since an
// element may give fewer numbers than its class. It reports whether any gives some.
func (r *reader) merged(v view, name string, x []float64) (given bool) {
	for i := len(v) - 1; i >= 0; i-- {
		if got := r.numbers(v[i], name, 1, len(x)); got != nil {
			given = true
			copy(x, got)
		}
	}
	return given
}

// span returns a range, an attribute of two numbers, and whether it limits. It does
// where the attribute called flag is true; where that is auto, if autolimits is set and
// the first number is less than the second.
func (r *reader) span(v view, name, flag string) (lower, upper float64, limits bool) {
	// auto is the default of all flags.
	limited := "auto"
	if text, at, ok := v.get(flag); ok {
		limited = r.choice(at, flag, text, "auto", "true", "false")
	}
	text, at, ok := v.get(name)
	if !ok {
		// The flag states that there is a limit, but no range gives it.
		if limited == "true" {
			r.Fail(v[0].Line, "<%s> has %s but no %s", v[0].Name, flag, name)
		}
		return 0, 0, false
	}
	x := r.parse(at, name, text, 2, 2)
	if x == nil {
		return 0, 0, false
	}
	switch {
	case limited == "true" && !(x[0] < x[1]):
		r.Fail(at.Line, "<%s %s=%q>: the first number must be less than the second", at.Name, name, text)
	case limited == "auto":
		// auto: a range that rises limits, where the compiler allows this; others are counted for a warning.
		limits = r.compiler.autolimits && x[0] < x[1]
		if !limits && (x[0] != 0 || x[1] != 0) {
			r.loose.add(at.Line)
		}
		return x[0], x[1], limits
	}
	return x[0], x[1], limited == "true"
}
