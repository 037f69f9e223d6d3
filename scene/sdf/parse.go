package sdf

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Reading takes five steps:
//
//	find               the one model of the file, by its name where one is given
//	outermost          it and the models that it contains or includes
//	declare, place     their frames, each resolved to the link that it moves with
//	link, joints       links and joints, placed by these frames
//	tree               the links are one tree, whose root has a pose in the world
//
// Each element and attribute that is read is marked; what is left is listed as ignored by
// WarnUnread. The first fault ends reading: after it functions return values without meaning,
// and r.Err is the result.

// reader interprets the elements of one model.
type reader struct {
	robot.Reader
	frames map[string]*frame // of links, joints, <frame> and models, by full name
	models []*modelNode      // the outermost first
	now    *modelNode        // that is being read
	X_WM   r3.Pose           // pose of the outermost model in the world of the file

	text   []byte           // of the file
	around *robot.Element   // the world of the file; nil where it has none
	open   robot.Open       // reads other files; may be nil
	parts  robot.Parts      // included files
	roots  []*robot.Element // root elements of these

	renamed map[string]string // new full names of joints by those in the file, see names.go
	leftOut bool              // the last shape has no extent and was left out with a warning
	minor   int               // of the file whose version was read last, see modelNode
}

// Parse reads the one model of an SDFormat file, versions 1.4 to 1.11. The parameter name stands
// for the file in messages; open reads included files, nil: there are none. The error is a
// *robot.Error with file, line, fault and remedy. The warnings list all elements that were ignored
// and all assumptions, sorted by line; those of included files are numbered on, see Robot.Where.
// Where a joint connects to the world, or the model is static, the root is a link called world.
func Parse(in io.Reader, name string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	return ParseModel(in, name, open, "")
}

// ParseModel reads the model with a name from a file that may have several, as Parse does;
// empty: the first model.
func ParseModel(in io.Reader, name string, open robot.Open, model string) (*robot.Robot, []robot.Warning, error) {
	// the text stays, for lines of included files are numbered on from its end
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, nil, &robot.Error{File: name, Line: 1, Msg: err.Error()}
	}
	root, err := robot.ReadElements(bytes.NewReader(text), name, "SDFormat", "sdf")
	if err != nil {
		return nil, nil, err
	}
	r := &reader{
		Reader: robot.Reader{File: name, Loops: true}, frames: map[string]*frame{}, renamed: map[string]string{}, X_WM: r3.PoseIdentity(),
		text: text, open: open, parts: robot.NewParts(text),
	}
	r.around = r.One(root, "world")
	// Of several faults the first is reported: later ones may follow from it.
	var m *robot.Robot
	if e := r.find(root, model); e != nil {
		if r.outermost(e); r.Err == nil {
			m = r.robot()
		}
	}
	// Faults are reported in the file that they are in.
	if e, ok := r.Err.(*robot.Error); ok {
		e.File, e.Line = robot.Where(r.parts.Files, name, e.Line)
		return nil, nil, e
	}
	// Everything that no function above has read is listed.
	root.Children = append(root.Children, included(r.roots)...)
	r.WarnUnread(root)
	m.Includes = r.parts.Files
	return m, r.Warnings, nil
}

// included returns what is in included files.
func included(roots []*robot.Element) (all []*robot.Element) {
	for _, root := range roots {
		all = append(all, root.Children...)
	}
	return all
}

// find returns the model of a file by its name, the first for an empty one; nil after a fault.
// A world whose joints connect models is returned itself.
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
		if name == "" && len(models) == 0 && len(world.All("joint")) > 0 { // an outer model
			return world
		}
		models = append(models, world.All("model")...)
		includes = append(includes, world.All("include")...)
	}
	// includes and other models of the file do not matter then
	if name != "" {
		return r.choose(root, append(models, includes...), name)
	}
	switch {
	case r.Err != nil:
		return nil
	case len(models) == 0 && len(includes) == 0:
		r.Fail(root.Line, "the file has no <model>: a robot is one model")
		return nil
	// Worlds include light and ground besides.
	case len(models) == 0:
		models, includes = includes, nil
	}
	if len(models) > 1 {
		r.Repair(models[1].Line, "the file has %d models, %s: the first is read: others are chosen by model: NAME",
			len(models), quotedNames(models))
	}
	// the rest is left out on purpose, and not listed element by element
	for _, other := range append(models[1:], includes...) {
		other.MarkRead()
	}
	for _, other := range includes {
		r.Warn(other.Line, "the <include> of %q is left out: a robot is one model", r.content(other, "uri"))
	}
	return models[0]
}

// modelOf returns the name of a model, for an <include> that or the URI it gives.
func modelOf(e *robot.Element) string {
	if e.Name != "include" {
		name, _ := e.Attr("name")
		return name
	}
	// an <include> without a name is called by its file
	for _, child := range []string{"name", "uri"} {
		for _, c := range e.All(child) {
			if c.Content() != "" {
				return c.Content()
			}
		}
	}
	return "include"
}

// choose returns the model of a name, and passes over the others; nil after a fault.
func (r *reader) choose(root *robot.Element, models []*robot.Element, name string) (chosen *robot.Element) {
	// of several of one name the first
	for _, m := range models {
		if modelOf(m) == name && chosen == nil {
			chosen = m
		} else {
			m.MarkRead()
		}
	}
	if chosen == nil {
		r.Fail(root.Line, "the file has no model %q: %s are there", name, quotedNames(models))
	}
	return chosen
}

// quotedNames lists the names of elements, the first four of more than five.
func quotedNames(elements []*robot.Element) string {
	names := make([]string, len(elements))
	for i, e := range elements {
		names[i] = strconv.Quote(modelOf(e))
	}
	// worlds have hundreds
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
	r.minor = n
}

// robot reads all models as one robot, nil after a fault.
func (r *reader) robot() *robot.Robot {
	// the robot is called as the outermost model
	outer := r.models[0]
	m := &robot.Robot{Name: outer.given}
	if m.Name == "" {
		m.Name = r.RequiredText(outer.e, "name")
	}
	// settings of simulators that a scene has in another place, or not at all
	for _, n := range r.models {
		if r.flag(n.e, "self_collide") {
			r.Warn(n.e.Line, "<self_collide> is ignored: write self_contact: true in the scene")
		}
		r.defaultOnly(n.e, "allow_auto_disable", "enable_wind")
	}
	// Frames come first: links and joints are placed by them.
	r.declare()
	r.now = outer
	r.place(outer)
	if r.Err != nil {
		return nil
	}
	// Links are numbered in the order of the files, those of outer models first.
	links := map[string]int{} // numbers by name
	for _, n := range r.models {
		r.now = n
		if n.parsed != nil {
			r.graftLinks(n, m, links)
		}
		for _, l := range n.e.All("link") {
			// deformables are bodies beside the tree
			if p := r.One(l, "drake:deformable_properties"); p != nil {
				m.Deformables = append(m.Deformables, r.deformable(l, p))
				continue
			}
			link := r.link(l)
			links[link.Name] = len(m.Links)
			m.Links = append(m.Links, link)
		}
	}
	r.joints(m, links)
	if r.Err != nil {
		return nil
	}
	// a robot has a root; that of deformables alone is the world
	if len(m.Links) == 0 && len(m.Deformables) > 0 {
		r.world(m, links)
	}
	// Groups, then the tree; both need links and joints.
	var groups []robot.CollisionGroup
	for _, n := range r.models {
		r.now = n
		groups = append(groups, r.filters(n.e)...)
	}
	r.ExcludePairs(groups, m, links)
	r.tree(m)
	if r.Err == nil {
		m.X_FR = r.base(m)
	}
	return m
}

// tree finds the root link, and repairs inertias.
func (r *reader) tree(m *robot.Robot) {
	if r.Err != nil {
		return
	}
	free := r.FindRoot(m)
	if r.Err != nil {
		return
	}
	// links that no joint carries keep the place that the file gives them
	for i := range free {
		r.placeFree(m, &free[i])
	}
	r.MendInertias(m)
	r.HoldMassless(m)
}
