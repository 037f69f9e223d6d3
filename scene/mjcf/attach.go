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
// times, with different prefixes, and may attach others. A frame is named by frame="…" instead of body;
// without model the body or frame is one of the file itself that stands before, of which a copy is made.

import (
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

// Bounds of what attaching makes: elements <attach>, the models that they name, one inside of another,
// and elements in all of these.
const (
	maxAttached     = 256
	maxModels       = 256
	maxModelDepth   = 8
	maxAttachedSize = 1 << 19
)

// attachment is a file that is attached.
type attachment struct {
	root     *robot.Element
	dir      string   // its folder, relative to the robot's
	settings compiler // the meaning of its angles, and its folder of meshes
}

// models reads the files of all <model> in the assets of a file in a folder, by their names.
func (r *reader) models(root *robot.Element, dir string) map[string]attachment {
	found := map[string]attachment{}
	for _, section := range root.Children {
		if section.Name != "asset" {
			continue
		}
		for _, e := range section.All("model") {
			name, a := r.attached(e, dir)
			if r.Err != nil {
				return nil
			}
			found[name] = a
		}
	}
	return found
}

// attached reads the file of a <model> that a file in a folder names.
func (r *reader) attached(e *robot.Element, dir string) (name string, a attachment) {
	file := path.Clean(slashes(r.RequiredText(e, "file")))
	e.Attr("content_type")
	r.modelCount++
	switch {
	case r.Err != nil:
		return "", a
	case r.open == nil:
		r.Fail(e.Line, "<model file=%q>: other files are not read here", file)
		return "", a
	case r.modelDepth == maxModelDepth || r.modelCount > maxModels:
		r.Fail(e.Line, "<model file=%q>: files attach others more than %d deep, perhaps in a circle, or %d in all", file, maxModelDepth, maxModels)
		return "", a
	}
	within := file
	if !path.IsAbs(file) {
		within = path.Join(dir, file)
	}
	file, text, err := r.openNear(within, file, r.folders[e])
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
	a = attachment{root: root, dir: path.Dir(file)}
	// each model includes files, has settings and attaches others by itself
	outer, read := r.compiler, r.read
	r.read = map[string]bool{file: true}
	r.modelDepth++
	r.splice(root, a.dir) // includes may lie beside it
	r.compile(root)
	a.settings = r.compiler
	if r.Err == nil {
		r.expandWorld(root, a.dir)
	}
	r.modelDepth--
	r.compiler, r.read = outer, read
	// the name of the model itself, unless <model> gives another
	name, _ = root.Attr("model")
	if given, ok := e.Attr("name"); ok {
		name = given
	}
	return name, a
}

// attach returns what an <attach> stands for, and the number of elements in it: part of a model, or
// where it names none a copy of a body or frame that stands before it.
func (r *reader) attach(e, root *robot.Element, models map[string]attachment) (part *robot.Element, size int) {
	r.attachedCount++
	name, other := e.Attr("model")
	a, ok := models[name]
	switch {
	case r.attachedCount > maxAttached:
		r.Fail(e.Line, "<attach>: more than %d are in the file and in those that it attaches", maxAttached)
	case !other:
		part = r.copyOf(e, root)
	case !ok:
		r.Fail(e.Line, "<attach model=%q>: there is no such <model> among the assets", name)
	default:
		part = r.graft(e, root, a)
	}
	if part == nil {
		return e, 1
	}
	return part, count(part)
}

// affords reports whether an element with all in it may be copied for an <attach>. Copies of models that
// attach others grow as a power of their depth.
func (r *reader) affords(e, copied *robot.Element) bool {
	if r.attachedSize += count(copied); r.attachedSize > maxAttachedSize {
		r.Fail(e.Line, "<attach>: attached models have more than %d elements in all", maxAttachedSize)
		return false
	}
	return true
}

// copyOf returns a copy of the body or frame of the file itself that an <attach> names, and adds copies
// of what refers to nothing outside of it.
func (r *reader) copyOf(e, root *robot.Element) *robot.Element {
	prefix, _ := e.Attr("prefix")
	kind, wanted := chosen(e)
	var found *robot.Element
	for _, w := range root.Children {
		if w.Name == "worldbody" && found == nil {
			found = find(w, kind, wanted)
		}
	}
	if found == nil {
		r.Fail(e.Line, "<attach %s=%q>: no such %[1]s stands before it in the file: name one, or the model that has it", kind, wanted)
		return nil
	}
	if !r.affords(e, found) {
		return nil
	}
	names := targets{}
	names.collect(found)
	prefixed := func(name string) string { return prefix + name }
	r.copyReferring(e, root, names, true, prefixed)
	return r.renamed(found, prefixed)
}

// chosen returns the kind and the name of what an <attach> puts in its place: a body or a frame.
func chosen(e *robot.Element) (kind, name string) {
	if name, ok := e.Attr("frame"); ok {
		return "frame", name
	}
	name, _ = e.Attr("body")
	return "body", name
}

// graft returns the body of an <attach>, and adds what belongs to it to the sections of the root.
func (r *reader) graft(e, root *robot.Element, a attachment) *robot.Element {
	if !r.affords(e, a.root) {
		return nil
	}
	prefix, _ := e.Attr("prefix")
	// each attachment has names of its own, so it changes a copy
	child := r.clone(a.root)
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
	kind, wanted := chosen(e)
	// a frame contains the whole world where neither body nor frame is named
	body := &robot.Element{Name: "frame", Line: e.Line}
	for _, w := range child.All("worldbody") {
		body.Children = append(body.Children, w.Children...)
	}
	if wanted != "" {
		body = find(body, kind, prefix+wanted)
	}
	if body == nil {
		r.Fail(e.Line, "<attach %s=%q>: the attached file has no such %[1]s", kind, wanted)
		return nil
	}
	// angles of the body, and folders of meshes, are those of its own file
	r.settle(body, &a.settings, main)
	// names of all that comes along: what refers to other bodies of the file stays behind
	here := targets{}
	here.collect(body)
	here.collectTendons(child)
	// the class exists even where the file has no defaults, since bodies name it
	root.Children = append(root.Children, &robot.Element{Name: "default", Line: e.Line, Children: []*robot.Element{emptyClass(main, e.Line)}})
	for _, section := range child.Children {
		// childclass applies in bodies only: elements of other sections name the class themselves
		if slices.Contains([]string{"asset", "actuator", "equality", "tendon"}, section.Name) {
			classed(section, prefix, main)
		}
		switch section.Name {
		case "default":
			// classes of the attached file are in its outermost one, which is there
			last := root.Children[slices.IndexFunc(root.Children, func(c *robot.Element) bool { return isDefault(c, main) })]
			last.Children[0].Children = append(last.Children[0].Children, section.Children...)
		case "asset":
			for _, asset := range section.Children {
				// files lie beside the attached file, or the one that it includes, not beside this one
				if _, ok := r.dirs[asset]; !ok && (asset.Name == "mesh" || asset.Name == "hfield") {
					r.dirs[asset] = path.Join(a.dir, slashes(a.settings.meshdir))
				}
			}
			root.Children = append(root.Children, section)
		case "actuator", "equality", "contact", "tendon":
			section.Children = slices.DeleteFunc(section.Children, func(c *robot.Element) bool { return !here.holdAll(c, true) })
			root.Children = append(root.Children, section)
		}
	}
	return body
}

// outermost marks the outermost class of an attached file, which has nothing of the classes around it.
// No file can give an attribute of this name.
const outermost = "outermost class"

// emptyClass returns a class without defaults.
func emptyClass(name string, line int) *robot.Element {
	c := &robot.Element{Name: "default", Line: line}
	c.SetAttr("class", name)
	c.SetAttr(outermost, "true")
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

// settle gives an attached body, or all in a frame, settings and the outermost class.
func (r *reader) settle(e *robot.Element, settings *compiler, class string) {
	// what the file attached itself has settings already
	if r.settings[e] != nil {
		return
	}
	r.settings[e] = settings
	// a childclass of its own is inside of the outermost class already
	if _, ok := e.Attr("childclass"); !ok && e.Name != "geom" {
		e.SetAttr("childclass", class)
	}
	if e.Name == "frame" {
		for _, c := range e.Children {
			if c.Name == "body" || c.Name == "frame" || c.Name == "geom" {
				r.settle(c, settings, class)
			}
		}
	}
}

// inSettings calls a function while the settings of the file that an element is from apply.
func (r *reader) inSettings(e *robot.Element, do func()) {
	outer := r.compiler
	if s := r.settings[e]; s != nil {
		r.compiler = *s
	}
	do()
	r.compiler = outer
}

// find returns the body or frame of a name in an element, nil where there is none.
func find(e *robot.Element, kind, name string) *robot.Element {
	for _, c := range e.Children {
		if own, _ := c.Attr("name"); c.Name == kind && own == name && name != "" {
			return c
		}
		// bodies and frames nest
		if found := find(c, kind, name); found != nil {
			return found
		}
	}
	return nil
}
