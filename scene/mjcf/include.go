package mjcf

// Included files. The elements of a file stand in place of the <include>, wherever that is,
// so they are put there before anything is read. Lines are numbered on from file to file, see
// robot.Parts.
//
// The children of the included file's root element are taken.

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// splice replaces each <include> in an element by the elements of the included file, and
// so on in these. The parameter dir is the folder of the file that the element is from,
// relative to the robot's. A file may be included only once, as in MuJoCo, which excludes
// cycles.
func (r *reader) splice(e *robot.Element, dir string) {
	var children []*robot.Element
	for _, c := range e.Children {
		if r.Err != nil {
			return
		}
		// Elements other than <include> stay, and may contain some.
		if c.Name != "include" {
			// trying names reads files: not where most robots are, in the folder of the scene that includes them
			if dir != "" && dir != "." && slices.Contains([]string{"mesh", "hfield", "model"}, c.Name) {
				r.folders[c] = dir
			}
			r.splice(c, dir)
			children = append(children, c)
			continue
		}
		root, inner := r.include(c, dir)
		if root == nil {
			return
		}
		// The included elements may include others, relative to their own folder.
		r.splice(root, inner)
		children = append(children, root.Children...)
	}
	e.Children = children
}

// include reads an included file. Its lines are numbered on from those before. Like
// MuJoCo it looks for the file in the folder of the robot, then in that of the file that
// names it. It returns the root element and the file's folder; nil after a fault.
func (r *reader) include(e *robot.Element, dir string) (root *robot.Element, inner string) {
	file := r.RequiredText(e, "file")
	clean := path.Clean(slashes(file))
	// Names of included files are relative, so that a robot can be moved with its files.
	switch {
	case r.Err != nil:
		return nil, ""
	case path.IsAbs(clean) || filepath.IsAbs(file) || strings.Contains(file, "://"):
		r.Fail(e.Line, "<include file=%q>: a path relative to the robot's file is required", file)
		return nil, ""
	case r.open == nil:
		r.Fail(e.Line, "<include file=%q>: other files are not read here: write its elements in its place", file)
		return nil, ""
	}
	clean, text, err := r.openNear(clean, clean, dir)
	if err != nil {
		r.Fail(e.Line, "<include file=%q>: %v", file, err)
		return nil, ""
	}
	// MuJoCo refuses a second time as well.
	if r.read[clean] {
		r.Fail(e.Line, "<include file=%q>: the file is included already: each may be once", file)
		return nil, ""
	}
	r.read[clean] = true // which also ends cycles
	return r.included(clean, text), path.Dir(clean)
}

// openNear reads a file by its name relative to the robot's folder, or else by the name that an
// included file of folder dir gives. It returns the name under which it was found.
func (r *reader) openNear(name, file, dir string) (found string, text []byte, err error) {
	// MuJoCo's order: the robot's folder first
	text, err = r.open(name)
	if near := path.Join(dir, file); err != nil && near != name {
		if beside, e := r.open(near); e == nil {
			return near, beside, nil
		}
	}
	return name, text, err
}

// included parses the text of an included file and numbers its lines.
func (r *reader) included(name string, text []byte) *robot.Element {
	root, err := r.parts.Read(filepath.Join(filepath.Dir(r.File), filepath.FromSlash(name)), text, "MJCF", "mujoco")
	// Faults inside are reported by the counted line, which Parse turns back.
	var fault *robot.Error
	if errors.As(err, &fault) {
		r.Fail(fault.Line, "%s", fault.Msg)
	}
	return root
}
