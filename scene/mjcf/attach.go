package mjcf

// Models in models. <asset><model name="m" file="hand.xml"/> names another MJCF file, and
// <attach model="m" body="palm" prefix="left_"/> puts a body of it, with all that it carries, where the
// <attach> stands. Before anything else is read the elements of that file are put into this one:
//
//	in hand.xml                           here
//	body palm                             in place of <attach>, with its settings of angles
//	assets                                among those of this file
//	<default>                             a class of this file, the body's childclass
//	actuators, equalities, contacts …     those of bodies and joints that came along
//
// All names of the file get the prefix, also where they are referred to. A file may be attached many
// times, with different prefixes.

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// names and references that get a prefix.
var prefixed = []string{
	"name", "class", "childclass", "joint", "joint1", "joint2", "body", "body1", "body2", "geom", "geom1", "geom2", "site", "site1", "site2",
	"mesh", "material", "texture", "hfield", "tendon", "tendon1", "tendon2", "target", "actuator", "objname", "refsite", "jointinparent", "cranksite", "slidersite",
}

// maxAttached bounds the elements that attaching makes.
const maxAttached = 256

// attachment is a file that is attached.
type attachment struct {
	root *robot.Element
	dir  string // its folder, relative to the robot's
}

// attach puts all attached models into the root element of a file.
func (r *reader) attach(root *robot.Element) {
	models := map[string]attachment{}
	for _, section := range root.Children {
		if section.Name != "asset" {
			continue
		}
		for _, e := range section.All("model") {
			name, a := r.attached(e)
			if r.Err != nil {
				return
			}
			models[name] = a
		}
	}
	r.attachIn(root, root, models)
}

// attached reads the file of a <model>.
func (r *reader) attached(e *robot.Element) (name string, a attachment) {
	file := path.Clean(slashes(r.RequiredText(e, "file")))
	e.Attr("content_type")
	if r.Err != nil {
		return "", a
	}
	if r.open == nil {
		r.Fail(e.Line, "<model file=%q>: other files are not read here", file)
		return "", a
	}
	file, text, err := r.openNear(file, file, r.folders[e])
	if err != nil {
		r.Fail(e.Line, "<model file=%q>: %v", file, err)
		return "", a
	}
	root, err := r.parts.Read(path.Join(path.Dir(slashes(r.File)), file), text, "MJCF", "mujoco")
	var fault *robot.Error
	if errors.As(err, &fault) {
		r.Fail(fault.Line, "%s", fault.Msg)
		return "", a
	}
	a = attachment{root, path.Dir(file)}
	// includes of the attached file may lie beside it
	r.splice(root, a.dir)
	// attachments of attachments could go in circles, or grow as a power of their depth
	if bytes.Contains(text, []byte("<attach")) {
		r.Fail(e.Line, "<model file=%q>: a model that attaches others is not attached", file)
	}
	// the name of the model itself, unless <model> gives another
	name, _ = root.Attr("model")
	if given, ok := e.Attr("name"); ok {
		name = given
	}
	return name, a
}

// attachIn replaces each <attach> in an element.
func (r *reader) attachIn(e, root *robot.Element, models map[string]attachment) {
	for i, c := range e.Children {
		if r.Err != nil {
			return
		}
		if c.Name != "attach" {
			r.attachIn(c, root, models)
			continue
		}
		name := r.RequiredText(c, "model")
		a, ok := models[name]
		// counted over the whole file, since each one copies all elements of a model
		if r.attachedCount++; !ok || r.attachedCount > maxAttached {
			r.Fail(c.Line, "<attach model=%q>: there is no such <model> among the assets, or more than %d are attached", name, maxAttached)
			return
		}
		e.Children[i] = r.graft(c, root, a)
	}
}

// graft returns the body of an <attach>, and adds what belongs to it to the sections of the root.
func (r *reader) graft(e, root *robot.Element, a attachment) *robot.Element {
	prefix, _ := e.Attr("prefix")
	// each attachment has names of its own, so it changes a copy
	child := a.root.Clone()
	// the outermost class of the file, whose name nothing else has
	main := fmt.Sprintf("%smain of attached model %d", prefix, r.attachedCount)
	child.Rename(func(name, value string) string {
		// every file has a class main: with the same name two files would share their defaults
		if value == top && (name == "class" || name == "childclass") {
			return main
		}
		if value == "" || !slices.Contains(prefixed, name) {
			return value
		}
		return prefix + value
	})
	wanted, given := e.Attr("body")
	// a frame holds the whole world where no body is named
	body := &robot.Element{Name: "frame", Line: e.Line}
	for _, w := range child.All("worldbody") {
		body.Children = append(body.Children, w.Children...)
	}
	if given {
		body = findBody(body, prefix+wanted)
	}
	if body == nil {
		r.Fail(e.Line, "<attach body=%q>: the attached file has no such body", wanted)
		return e
	}
	// angles of the body, and folders of meshes, are those of its own file
	outer := r.compiler
	r.compile(child)
	settings := r.compiler
	r.compiler = outer
	r.settle(body, &settings, main)
	// names of all that comes along: what refers to other bodies of the file stays behind
	here := map[string]bool{}
	collect(body, here)
	// the class exists even where the file has no defaults, since bodies name it
	root.Children = append(root.Children, &robot.Element{Name: "default", Line: e.Line, Children: []*robot.Element{emptyClass(main, e.Line)}})
	for i, section := range child.Children {
		// childclass holds in bodies only: elements of other sections name the class themselves
		if section.Name == "asset" || section.Name == "actuator" || section.Name == "equality" {
			classed(section, prefix, main)
		}
		switch section.Name {
		case "default":
			// classes of the attached file are in its outermost one, which is there
			last := root.Children[slices.IndexFunc(root.Children, func(c *robot.Element) bool { return isDefault(c, main) })]
			last.Children[0].Children = append(last.Children[0].Children, section.Children...)
		case "asset":
			for j, asset := range section.Children {
				if asset.Name != "mesh" && asset.Name != "hfield" {
					continue
				}
				// files lie beside the attached file, or the one that it includes, not beside this one
				r.dirs[asset] = path.Join(a.dir, slashes(settings.meshdir))
				if folder, ok := r.folders[a.root.Children[i].Children[j]]; ok {
					r.folders[asset] = folder
				}
			}
			root.Children = append(root.Children, section)
		case "actuator", "equality", "contact", "tendon":
			section.Children = slices.DeleteFunc(section.Children, func(c *robot.Element) bool { return !belongs(c, here) })
			root.Children = append(root.Children, section)
		}
	}
	return body
}

// emptyClass returns a class without defaults.
func emptyClass(name string, line int) *robot.Element {
	c := &robot.Element{Name: "default", Line: line}
	c.SetAttr("class", name)
	return c
}

// isDefault reports whether an element is the section of an attached file's outermost class.
func isDefault(e *robot.Element, class string) bool {
	if e.Name != "default" || len(e.Children) != 1 {
		return false
	}
	name, _ := e.Children[0].Attr("class")
	return name == class
}

// classed gives elements of a section the outermost class where they have none, and meshes and height
// fields without a name that of their file.
func classed(section *robot.Element, prefix, class string) {
	for _, c := range section.Children {
		if _, ok := c.Attr("class"); !ok {
			c.SetAttr("class", class)
		}
		if _, ok := c.Attr("name"); (c.Name == "mesh" || c.Name == "hfield") && !ok {
			file, _ := c.Attr("file")
			// the rule of the format: the file's name without folder and extension
			file = path.Base(slashes(file))
			c.SetAttr("name", prefix+strings.TrimSuffix(file, path.Ext(file)))
		}
	}
}

// settle gives an attached body, or all bodies of a frame, settings and the outermost class.
func (r *reader) settle(e *robot.Element, settings *compiler, class string) {
	if e.Name == "frame" {
		for _, c := range e.Children {
			if c.Name == "body" || c.Name == "frame" {
				r.settle(c, settings, class)
			}
		}
		return
	}
	r.settings[e] = settings
	// a childclass of its own is inside of the outermost class already
	if _, ok := e.Attr("childclass"); !ok {
		e.SetAttr("childclass", class)
	}
}

// findBody returns the body of a name in an element, nil where there is none.
func findBody(e *robot.Element, name string) *robot.Element {
	for _, c := range e.Children {
		if own, _ := c.Attr("name"); c.Name == "body" && own == name {
			return c
		}
		// bodies and frames nest
		if found := findBody(c, name); found != nil {
			return found
		}
	}
	return nil
}

// collect notes the names in an element.
func collect(e *robot.Element, names map[string]bool) {
	for _, c := range append([]*robot.Element{e}, e.Children...) {
		if name, ok := c.Attr("name"); ok {
			names[name] = true
		}
		if c != e {
			collect(c, names)
		}
	}
}

// belongs reports whether all that an element of an actuator, equality or contact section refers to
// came along.
func belongs(e *robot.Element, here map[string]bool) bool {
	for _, of := range []string{"joint", "joint1", "joint2", "body", "body1", "body2", "geom1", "geom2"} {
		// one joint or body that is missing suffices: half of an equality has no meaning
		if name, ok := e.Attr(of); ok && !here[name] {
			return false
		}
	}
	return true
}
