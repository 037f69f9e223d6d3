package mjcf

import (
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// class holds what elements of a kind have unless they say otherwise.
type class struct {
	line  int
	above *class
	kinds map[string][]*robot.Element
}

// actuators are all of one kind as far as defaults go.
var actuators = []string{"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor", "plugin"}

// attributes of each kind that are read, or that do not matter to a robot; others
// are listed as ignored.
var attributes = map[string][]string{
	"geom": {"name", "class", "user", "type", "size", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto", "contype", "conaffinity",
		"group", "mass", "density", "friction", "rgba", "material", "mesh"},
	"joint": {"name", "class", "user", "type", "group", "pos", "axis", "range", "limited", "ref", "springref", "stiffness", "damping",
		"frictionloss", "armature", "actuatorfrcrange", "actuatorfrclimited"},
	"mesh":     {"name", "class", "file", "scale", "refpos", "refquat", "inertia", "smoothnormal", "maxhullvert", "vertex", "face", "normal", "texcoord"},
	"material": {"name", "class", "rgba", "texture", "emission", "specular", "shininess", "reflectance", "metallic", "roughness", "texrepeat", "texuniform"},
	"equality": {"name", "class", "active"},
	"actuator": {"name", "class", "user", "group", "joint", "jointinparent", "gear", "forcerange", "forcelimited", "ctrlrange", "ctrllimited"},
}

// top is the class of all elements that name none.
const top = "main"

// defaults reads the classes.
func (r *reader) defaults(root *robot.Element) {
	r.classes = map[string]*class{top: {line: root.Line, kinds: map[string][]*robot.Element{}}}
	for _, e := range root.All("default") {
		main := r.classes[top]
		if name, _ := e.Attr("class"); name != "" { // the main class may be called otherwise
			if c := r.classes[name]; c != nil && c != main {
				r.Fail(e.Line, "a second class is called %q (the first is in line %d): names must differ", name, r.line(c.line))
			}
			r.classes[name] = main
		}
		r.class(e, main)
	}
}

// line returns a line in its own file, for messages that name it.
func (r *reader) line(line int) int {
	_, own := robot.Where(r.parts, r.File, line)
	return own
}

// class reads what is in a <default>, and the classes in it.
func (r *reader) class(e *robot.Element, c *class) {
	for _, child := range e.Children {
		kind := child.Name
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
			r.classes[name] = inner
			e.All("default")
			r.class(child, inner)
		case attributes[kind] != nil:
			e.All(child.Name)
			if r.known(child, kind); kind == "actuator" {
				child.MarkRead() // spoken of as a whole
			}
			c.kinds[kind] = append(c.kinds[kind], child)
		}
	}
}

// known marks the attributes of an element that are read.
func (r *reader) known(e *robot.Element, kind string) {
	for _, name := range attributes[kind] {
		e.Attr(name)
	}
}

// view is an element and then the defaults that hold for it, nearest first.
type view []*robot.Element

// view returns an element of a kind with its defaults; childclass is that of the
// bodies around it, empty when there is none.
func (r *reader) view(e *robot.Element, kind, childclass string) view {
	r.known(e, kind)
	name, ok := e.Attr("class")
	if !ok {
		name = childclass
	}
	v := view{e}
	for c := r.classOf(e, name); c != nil; c = c.above {
		s := c.kinds[kind]
		for i := len(s) - 1; i >= 0; i-- {
			v = append(v, s[i])
		}
	}
	return v
}

// classOf returns a class by name; it is a fault if there is none.
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

// get returns an attribute and the element that gives it.
func (v view) get(name string) (text string, at *robot.Element, ok bool) {
	for _, e := range v {
		if text, ok := e.Attr(name); ok {
			return text, e, true
		}
	}
	return "", nil, false
}

// text returns an attribute, or otherwise when nothing gives it.
func (v view) text(name, otherwise string) string {
	if s, _, ok := v.get(name); ok {
		return s
	}
	return otherwise
}

// number returns an attribute of one number, or otherwise when nothing gives it.
func (r *reader) number(v view, name string, otherwise float64) float64 {
	text, at, ok := v.get(name)
	if !ok {
		return otherwise
	}
	return r.ParseNumber(at, name, text)
}

// merged overwrites x with the numbers of an attribute, defaults first: an element
// may give fewer than its class.
func (r *reader) merged(v view, name string, x []float64) (given bool) {
	for i := len(v) - 1; i >= 0; i-- {
		if got := r.numbers(v[i], name, 1, len(x)); got != nil {
			given = true
			copy(x, got)
		}
	}
	return given
}

// span returns an attribute of two numbers, and whether it limits: it does where
// the attribute flag says so, or says nothing and the range is one.
func (r *reader) span(v view, name, flag string) (lower, upper float64, limits bool) {
	limited := "auto"
	if text, at, ok := v.get(flag); ok {
		limited = r.choice(at, flag, text, "auto", "true", "false")
	}
	text, at, ok := v.get(name)
	if !ok {
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
		limits = r.compiler.autolimits && x[0] < x[1]
		if !limits && (x[0] != 0 || x[1] != 0) {
			r.loose.add(at.Line)
		}
		return x[0], x[1], limits
	}
	return x[0], x[1], limited == "true"
}
