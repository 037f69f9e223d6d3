package sdf

// Names that clash. From version 1.7 on links, joints and frames share one set of names. Files of
// older versions may call a joint as the link that it moves; libsdformat gives such a joint the ending
// _joint, and a frame _frame, and so does this reader. The link keeps its name: what refers to the name
// means the link, except in mimics, which name joints.

import (
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// rename gives joints and frames of an old file other names where others, or the world, have theirs.
func (r *reader) rename(m *modelNode) {
	if m.minor >= 7 {
		return
	}
	// models in it come before links, these before joints, and these before frames
	first := map[string]*robot.Element{worldName: {Name: worldName}}
	for _, n := range r.models {
		if n.outer == m {
			first[strings.TrimPrefix(n.frame.name, m.scope)] = &robot.Element{Name: "model", Line: n.at.Line}
		}
	}
	taken := map[string]bool{}
	for name := range first {
		taken[name] = true
	}
	for _, c := range m.e.Children {
		name, _ := c.Attr("name")
		taken[name] = true
	}
	for _, tag := range []string{"link", "joint", "frame"} {
		for _, c := range m.e.Children {
			name, _ := c.Attr("name")
			if c.Name != tag {
				continue
			}
			if of := first[name]; of == nil || tag == "link" {
				first[name] = c
			} else if of.Name != tag && name != "" {
				r.renameTo(c, of, freeName(name+"_"+tag, taken))
			}
		}
	}
}

// renameTo gives an element another name than that of the first element.
func (r *reader) renameTo(e, first *robot.Element, name string) {
	old, _ := e.Attr("name")
	if first.Name == worldName {
		r.Repair(e.Line, "<%s> %q: the format reserves this name: called %q", e.Name, old, name)
	} else {
		r.Repair(e.Line, "a second <%s> is called %q (the first, a %s, is in line %d), as files before version 1.7 may: called %q",
			e.Name, old, first.Name, first.Line, name)
	}
	e.SetAttr("name", name)
	if e.Name == "joint" {
		r.renamed[r.full(old)] = r.full(name)
	}
}

// freeName returns a name that is not taken, with a number behind it if need be, and takes it.
func freeName(name string, taken map[string]bool) string {
	free := name
	for i := 0; taken[free]; i++ {
		free = name + strconv.Itoa(i)
	}
	taken[free] = true
	return free
}

// leader returns the full name of the joint that a mimic names.
func (r *reader) leader(mimic *robot.Element) string {
	name := r.full(r.RequiredText(mimic, "joint"))
	if other, ok := r.renamed[name]; ok {
		return other
	}
	return name
}
