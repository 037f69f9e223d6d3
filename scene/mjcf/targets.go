package mjcf

// Names of bodies, joints and others that elements of the sections behind the world refer to: what is
// attached or copied takes actuators, tendons, equalities and contacts along.

import (
	"maps"

	"github.com/curlfree/curlfree/scene/robot"
)

// targets are names of elements that others refer to, by kind.
type targets map[target]bool

// target is a kind of element, such as a body, and the name of one.
type target struct{ kind, name string }

// targetKinds are those of the elements that an attribute refers to.
var targetKinds = map[string]string{
	"joint": "joint", "joint1": "joint", "joint2": "joint", "jointinparent": "joint",
	"body": "body", "body1": "body", "body2": "body",
	"geom": "geom", "geom1": "geom", "geom2": "geom",
	"site": "site", "site1": "site", "site2": "site", "sidesite": "site", "refsite": "site", "cranksite": "site", "slidersite": "site",
	"tendon": "tendon", "tendon1": "tendon", "tendon2": "tendon",
}

// collect notes the names of an element of the world and of all in it.
func (s targets) collect(e *robot.Element) {
	kind := e.Name
	if kind == "freejoint" {
		kind = "joint"
	}
	if name, ok := e.Attr("name"); ok {
		s[target{kind, name}] = true
	}
	for _, c := range e.Children {
		s.collect(c)
	}
}

// collectTendons notes the tendons of a file that refer to nothing else than is noted.
func (s targets) collectTendons(root *robot.Element) {
	for _, section := range root.Children {
		if section.Name != "tendon" {
			continue
		}
		for _, t := range section.Children {
			if name, ok := t.Attr("name"); ok && s.holdAll(t, false) {
				s[target{"tendon", name}] = true
			}
		}
	}
}

// holdAll reports whether all that an element refers to is noted; the result is empty where it refers
// to nothing.
func (s targets) holdAll(e *robot.Element, empty bool) bool {
	all, any := true, empty
	e.Rename(func(attribute, value string) string {
		if kind := targetKinds[attribute]; kind != "" && value != "" {
			any = true
			all = all && s[target{kind, value}]
		}
		return value
	})
	return all && any
}

// copyReferring makes copies of the elements of other sections that refer to the names of a part of the
// world and to nothing else, as that part is copied: their names and those that they refer to are
// renamed. The originals stay where the part does. The element e asks for the copies.
func (r *reader) copyReferring(e, root *robot.Element, names targets, stays bool, renames ...func(string) string) {
	names = maps.Clone(names)
	names[target{"body", "world"}] = true
	names.collectTendons(root)
	for _, section := range root.Children {
		switch section.Name {
		case "tendon", "actuator", "equality", "contact":
		default:
			continue
		}
		var children []*robot.Element
		for _, c := range section.Children {
			if !names.holdAll(c, false) {
				children = append(children, c)
				continue
			}
			if r.copied += count(c) * len(renames); r.copied > maxReplicas {
				r.Fail(e.Line, "<%s>: what refers to copies would have more than %d elements", e.Name, maxReplicas)
				return
			}
			if stays {
				children = append(children, c)
			}
			for _, rename := range renames {
				children = append(children, r.referring(c, names, rename))
			}
		}
		section.Children = children
	}
}

// referring returns a copy of an element under another name that refers to copies.
func (r *reader) referring(e *robot.Element, names targets, rename func(string) string) *robot.Element {
	c := r.clone(e)
	c.Rename(func(attribute, value string) string {
		kind := targetKinds[attribute]
		if value == "" || value == "world" || attribute != "name" && !names[target{kind, value}] {
			return value
		}
		return rename(value)
	})
	return c
}
