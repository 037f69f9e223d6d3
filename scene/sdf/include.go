package sdf

// Included files. The URI of an <include> names a file, or the folder of a model as Gazebo has
// them, whose model.config names the file:
//
//	model://NAME, package://NAME/PATH    searched for by the caller of Parse
//	file://PATH, PATH                    relative to the file that includes it
//
// Files that the included one names, such as meshes, are named from its folder.

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// maxIncluded bounds how deep files include others.
const maxIncluded = 32

// include returns the model that an <include> names; nil after a fault.
func (r *reader) include(e *robot.Element, outer *modelNode) *modelNode {
	m := &modelNode{at: e, outer: outer, given: r.content(e, "name")}
	merge, _ := e.Attr("merge")
	m.merged = merge == "true" || merge == "1"
	// merge puts the elements of the model into the outer one, without a scope of names
	uri := r.name(e, "uri")
	// how many files are open, of which each includes the next
	depth := 0
	for o := outer; o != nil; o = o.outer {
		if o.at != o.e {
			depth++
		}
	}
	switch {
	case r.Err != nil:
		return m
	case r.open == nil:
		r.Fail(e.Line, "<include> of %q: other files are not read here: write the elements of that model in its place", uri)
		return m
	case depth >= maxIncluded:
		r.Fail(e.Line, "<include> of %q: files include others more than %d deep", uri, maxIncluded)
		return m
	}
	// relative names start from the folder of the including file
	dir := ""
	if outer != nil {
		dir = outer.dir
	}
	file, text, err := r.openModel(joined(dir, uri))
	if err != nil {
		r.Fail(e.Line, "<include> of %q: %v", uri, err)
		return m
	}
	m.file, m.text = file, text
	if r.circle(m, uri); r.Err != nil {
		return m
	}
	// its own files, such as meshes, are found from its folder
	m.dir = folder(file)
	// any format of robots may be included
	if robot.RootName(text) != "sdf" {
		r.includedRobot(m, file, text)
		return m
	}
	m.e = r.included(file, text)
	if r.Err == nil {
		m.minor = r.minor
	}
	return m
}

// circle refuses a file that has the text of one of those that include it. Names may differ: a model
// that is not there is looked for in folders above the robot, where one finds the robot itself.
func (r *reader) circle(m *modelNode, uri string) {
	way := m.file
	for o := m.outer; o != nil; o = o.outer {
		if o.text == nil {
			continue
		}
		way = o.file + " → " + way
		if bytes.Equal(o.text, m.text) {
			r.Fail(m.at.Line, "<include> of %q: files include each other in a circle, %s, for the first and the last are the same: where another file is meant, it is not there; packages of the scene say where models are", uri, way)
			return
		}
	}
}

// included returns the model of an included file; nil after a fault.
func (r *reader) included(file string, text []byte) *robot.Element {
	root, err := r.parts.Read(file, text, "SDFormat", "sdf")
	var fault *robot.Error
	if errors.As(err, &fault) {
		r.Fail(fault.Line, "%s", fault.Msg)
		return nil
	}
	// what of it is not read is listed at the end
	r.roots = append(r.roots, root)
	// the first model where it has several, as of the robot's own file
	m := r.find(root, "")
	if m != nil && m.Name != "model" {
		r.Fail(m.Line, "a <%s> of an included file: only a <model> is included", m.Name)
		return nil
	}
	return m
}

// openModel reads the file of a model: that of a name, or the one that model.config in a folder of
// this name lists with the newest version.
func (r *reader) openModel(name string) (file string, text []byte, err error) {
	name = strings.TrimRight(name, "/")
	// a name with an extension is that of a file, unless there is none
	if ext := path.Ext(name); ext != "" && ext != path.Base(name) {
		if text, err = r.open(name); err == nil {
			return name, text, nil
		}
	}
	// a folder, with model.sdf where no model.config says otherwise
	config, none := r.open(name + "/model.config")
	file = name + "/model.sdf"
	if none == nil {
		listed, fault := newest(config, name)
		if fault != nil {
			return "", nil, fault
		}
		file = name + "/" + listed
	}
	if text, none := r.open(file); none == nil || err == nil {
		return file, text, none
	}
	return "", nil, err
}

// newest returns the file that a model.config lists for the newest version of SDFormat.
func newest(config []byte, name string) (string, error) {
	root, err := robot.ReadElements(bytes.NewReader(config), name+"/model.config", "model.config", "model")
	if err != nil {
		return "", err
	}
	// versions are 1.x, of which x is compared
	file, best := "model.sdf", -1
	for _, c := range root.All("sdf") {
		version, _ := c.Attr("version")
		_, minor, _ := strings.Cut(version, ".")
		if n, _ := strconv.Atoi(minor); n > best && c.Content() != "" {
			file, best = c.Content(), n
		}
	}
	return file, nil
}

// folder returns the folder of a file, empty for that of the robot's file. That of model://a/b is
// model://a.
func folder(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[:i]
	}
	return ""
}

// joined returns a name as it is written in a file of a folder, as the robot's own file would write it.
func joined(dir, name string) string {
	name = strings.TrimPrefix(name, "file://")
	if dir == "" || strings.Contains(name, "://") || path.IsAbs(name) {
		return name
	}
	return dir + "/" + name
}
