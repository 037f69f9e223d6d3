package sdf

import (
	"io"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Reading takes four steps: the one model is found (find), its frames are declared and
// resolved (declare, place), links and joints are read in them (link, joints), and the links
// are checked to be one tree (tree). Each element and attribute that is read is marked; what is
// left is listed as ignored by WarnUnread. The first fault ends reading: after it functions
// return values without meaning, and r.Err is the result.

// reader interprets the elements of one model.
type reader struct {
	robot.Reader
	frames map[string]*frame // of links, joints, <frame> and the model, by name
	model  *frame            // frame of the model
	X_WM   r3.Pose           // pose of the model in the world of the file
	static bool              // the model has <static>: nothing of it moves

	leftOut     bool // the last shape has no extent and was left out with a warning
	axesOfModel bool // in version 1.4 axes of joints are in the model's frame unless they say otherwise
}

// Parse reads the one model of an SDFormat file, versions 1.4 to 1.11. The parameter
// name stands for the file in messages. The error is a *robot.Error, which names file
// and line, what is wrong and how to mend it. The warnings list everything that was
// ignored or assumed, sorted by line. Where a joint connects to the world, or the model
// is static, the root is a link called world.
func Parse(in io.Reader, name string) (*robot.Robot, []robot.Warning, error) {
	return ParseModel(in, name, "")
}

// ParseModel is Parse of the model of a name in a file that may hold several; empty: the first.
func ParseModel(in io.Reader, name, model string) (*robot.Robot, []robot.Warning, error) {
	root, err := robot.ReadElements(in, name, "SDFormat", "sdf")
	if err != nil {
		return nil, nil, err
	}
	r := &reader{Reader: robot.Reader{File: name}, frames: map[string]*frame{}, X_WM: r3.PoseIdentity()}
	// of several faults the first is told: later ones may follow from it
	// The model is found and read; faults are collected in r.Err.
	var m *robot.Robot
	if e := r.find(root, model); e != nil {
		m = r.robot(e)
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	// Everything that no function above has read is listed.
	r.WarnUnread(root)
	return m, r.Warnings, nil
}

// find returns the model of a file by its name, the first for an empty one; nil after a fault.
func (r *reader) find(root *robot.Element, name string) *robot.Element {
	if root.Name != "sdf" {
		r.Fail(root.Line, "the root element is <%s>: an SDFormat file begins with <sdf version=…>", root.Name)
		return nil
	}
	r.version(root)
	// The model may stand in a world, whose other parts are ignored.
	// All marks what it returns as read, so that none of it is listed as ignored
	models, includes := root.All("model"), root.All("include")
	if world := r.One(root, "world"); world != nil {
		world.Attr("name")
		models = append(models, world.All("model")...)
		for _, j := range world.All("joint") {
			r.Fail(j.Line, "<joint> of a world: only those of a model are read: move it into the model")
		}
		if len(models) == 0 {
			includes = append(includes, world.All("include")...)
		}
	}
	// includes and other models of the file do not matter then
	if name != "" {
		return r.choose(root, models, name)
	}
	// A file that consists of an <include> has no model of its own.
	switch {
	case len(includes) > 0:
		r.include(includes[0])
	case len(models) == 0:
		r.Fail(root.Line, "the file holds no <model>: a robot is one model")
	case len(models) > 1:
		r.Mend(models[1].Line, "the file holds %d models, %s: the first is read: others are chosen by model: NAME",
			len(models), quotedNames(models))
		for _, other := range models[1:] {
			other.MarkRead()
		}
	}
	if r.Err != nil {
		return nil
	}
	return models[0]
}

// choose returns the model of a name, and passes over the others; nil after a fault.
func (r *reader) choose(root *robot.Element, models []*robot.Element, name string) (chosen *robot.Element) {
	for _, m := range models {
		if own, _ := m.Attr("name"); own == name && chosen == nil {
			chosen = m
		} else {
			m.MarkRead()
		}
	}
	if chosen == nil {
		r.Fail(root.Line, "the file holds no model %q: %s are there", name, quotedNames(models))
	}
	return chosen
}

// quotedNames lists the names of elements, the first four of more than five.
func quotedNames(elements []*robot.Element) string {
	names := make([]string, len(elements))
	for i, e := range elements {
		name, _ := e.Attr("name")
		names[i] = strconv.Quote(name)
	}
	if len(names) > 5 {
		names = append(names[:4], "…")
	}
	return strings.Join(names, ", ")
}

// version accepts the versions whose meaning is implemented here. Newer ones are read as
// the newest of these, with a warning.
func (r *reader) version(root *robot.Element) {
	text := r.RequiredText(root, "version")
	// "1.10" is newer than "1.9"
	major, minor, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(minor)
	switch {
	// The attribute is missing, which is a fault already.
	case r.Err != nil:
	case major != "1" || err != nil:
		r.Fail(root.Line, "<sdf version=%q>: versions 1.4 to 1.11 are read", text)
	case n < 4:
		r.Fail(root.Line, "<sdf version=%q> is older than 1.4: convert the file with gz sdf -p", text)
	case n > 11:
		r.Warn(root.Line, "<sdf version=%q> is newer than 1.11: read as that", text)
	}
	// see direction
	r.axesOfModel = n == 4
}

// include refuses an <include> of another model.
func (r *reader) include(e *robot.Element) {
	uri := r.content(e, "uri")
	r.Fail(e.Line, "<include> of %q: models are not put together here: write the elements of that model in its place, or give it an entry of robots of its own", uri)
}

// robot reads a model, nil after a fault.
func (r *reader) robot(e *robot.Element) *robot.Robot {
	m := &robot.Robot{Name: r.RequiredText(e, "name")}
	r.single(e)
	// Flags of the model.
	r.static = r.flag(e, "static")
	if r.flag(e, "self_collide") {
		r.Warn(e.Line, "<self_collide> is ignored: write self_contact: true in the scene")
	}
	r.defaultOnly(e, "allow_auto_disable", "enable_wind")
	// Frames come first: links and joints are placed by them.
	r.declare(e)
	r.place(e)
	if r.Err != nil {
		return nil
	}
	// Links are numbered in the order of the file.
	links := map[string]int{} // numbers by name
	for _, l := range e.All("link") {
		link := r.link(l)
		links[link.Name] = len(m.Links)
		m.Links = append(m.Links, link)
	}
	r.joints(e, m)
	if r.Err != nil {
		return nil
	}
	// Groups, then the tree; both need links and joints.
	r.ExcludePairs(r.filters(e), m, links)
	r.tree(e, m)
	if r.Err == nil {
		m.X_FR = r.base(m)
	}
	return m
}

// single refuses models that hold others.
func (r *reader) single(e *robot.Element) {
	for _, inner := range e.All("include") {
		r.include(inner)
	}
	for _, inner := range e.All("model") {
		r.Fail(inner.Line, "a <model> in a model: write its links, frames and joints into the outer one, with names that differ")
	}
}

// tree finds the root link. A drake:joint is ignored with a warning where the links are a
// tree without it, and otherwise is the fault that is reported.
func (r *reader) tree(e *robot.Element, m *robot.Robot) {
	if r.Err != nil {
		return
	}
	// FindRoot adds free joints for links that no joint holds
	before := len(m.Joints)
	r.FindRoot(m)
	if r.Err != nil {
		return
	}
	for i := before; i < len(m.Joints); i++ {
		r.placeFree(m, &m.Joints[i])
	}
	r.MendInertias(m)
	r.HoldMassless(m)
	// A drake:joint connects links by a type that the format lacks.
	for _, j := range e.All("drake:joint") {
		kind, _ := j.Attr("type")
		const text = "<drake:joint> of type %q is not read: planar ones are two prismatic joints and a continuous one, with massless links between"
		if j.MarkRead(); len(m.Joints) == before {
			r.Warn(j.Line, text, kind)
			continue
		}
		r.Fail(j.Line, text+"; without it the links are no tree", kind)
		return
	}
}
