package scene

// Errors come from two sides: the loader has where an item stands in a file, and the
// builder of package sim finds what is wrong with the model. Every item is noted by kind and
// name when it is added, so that the builder's diagnostics get a place and a path. A fault is
// reported once: items that are missing because of an earlier fault are not reported by those
// that refer to them.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/sim"
)

// faults collects errors and warnings, and records where the items of the model stand in
// the files.
type faults struct {
	path string // of the scene file
	// f has the names of all items, those included that a fault kept from the builder.
	f *File
	// errs are in the order in which they were found, which is that of sections.
	errs     []error
	warnings []string
	// places are those of the builder's items by kind ("body") and name ("r.palm").
	places map[[2]string]place
}

// place is where an item of the builder comes from.
type place struct {
	file string
	Pos
	path string // in the scene: "bodies.ball"
}

// newFaults returns an empty collection for the scene file at path.
func newFaults(path string, f *File) faults {
	return faults{path: path, f: f, places: map[[2]string]place{}}
}

// fail notes an error at a position of the scene file.
func (l *faults) fail(p Pos, format string, args ...any) {
	l.errs = append(l.errs, &Error{File: l.path, Pos: p, Msg: fmt.Sprintf(format, args...)})
}

// warn notes a warning; it names its place itself.
func (l *faults) warn(format string, args ...any) {
	l.warnings = append(l.warnings, fmt.Sprintf(format, args...))
}

// put notes where an item that is added to the builder comes from. It is noted before the item is
// checked, so that names of faulty items are known, too.
func (l *faults) put(kind, name string, p Pos, path string) {
	l.places[[2]string{kind, name}] = place{l.path, p, path}
}

// failBuild adds the faults that the builder found, each at its item's place. An item
// that is missing because of a fault reported before is not reported again.
// An unknown name is such a consequence if the scene has an item of this name: it was not added
// because of a fault of its own. A name that nothing has is a fault in any case.
func (l *faults) failBuild(err error) {
	// Build joins all of its diagnostics
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			l.failBuild(e)
		}
		return
	}
	// consequences of faults that are reported already
	if len(l.errs) > 0 && errors.Is(err, sim.ErrNothingMoves) {
		return // bodies with faults are missing
	}
	// names of items that exist but have faults
	var unknown *sim.UnknownError
	if errors.As(err, &unknown) && len(l.errs) > 0 && l.inFile(unknown.Kind, unknown.Name) {
		return
	}
	// faults of the model as a whole have no item
	var d *sim.Diagnostic
	if !errors.As(err, &d) {
		l.errs = append(l.errs, &Error{File: l.path, Msg: err.Error()})
		return
	}
	// an item without a name has no place
	if d.Name == "" && d.Kind != "model" && len(l.errs) > 0 {
		return // checkNames reported the empty name
	}
	// a fault of its own: put it where its item stands
	at := l.placeOf(d)
	// the path comes first, as in messages of the decoder
	msg := d.Err.Error()
	if at.path != "" {
		msg = at.path + ": " + msg
	}
	l.errs = append(l.errs, &Error{File: at.file, Pos: at.Pos, Msg: msg})
}

// inFile reports whether the scene has an item of that name, which a fault kept from being added
// to the builder. A joint has the name of its body, so all three kinds look in one place.
func (l *faults) inFile(kind, name string) bool {
	// ROBOT.LINK is missing if the robot file could not be read
	robot, _, _ := strings.Cut(name, ".")
	if l.f.Robots.Get(robot) != nil {
		return !l.added(robot)
	}
	switch kind {
	// drives, materials and others are asked for by the kind that is missing
	case "body", "joint", "deformable":
		return l.f.Bodies.Get(name) != nil || l.f.Deformables.Get(name) != nil
	case "drive":
		return l.f.Drives.Get(name) != nil
	case "material":
		return l.f.Materials.Get(name) != nil
	}
	return false
}

// added reports whether the links of a robot were added to the builder.
func (l *faults) added(robot string) bool {
	// order does not matter: one link suffices
	for item := range l.places {
		if item[0] == "body" && strings.HasPrefix(item[1], robot+".") {
			return true
		}
	}
	return false
}

// placeOf returns where the item of a diagnostic comes from.
func (l *faults) placeOf(d *sim.Diagnostic) place {
	// as it was noted
	if at, ok := l.places[[2]string{d.Kind, d.Name}]; ok {
		return at
	}
	if at, ok := l.places[[2]string{"body", d.Name}]; ok { // a joint by the name of its body
		return at
	}
	if d.Name == "" { // of the whole model
		return place{file: l.path}
	}
	return place{file: l.path, path: l.pathOf(d.Kind, d.Name)}
}

// pathOf returns the path in the scene of an item of the builder, such as bodies.ball; of one that a program has added
// its kind and name.
func (l *faults) pathOf(kind, name string) string {
	if at, ok := l.places[[2]string{kind, name}]; ok && at.path != "" {
		return at.path
	}
	return fmt.Sprintf("%s %q", kind, name)
}

// warnBuild passes on the warnings of the builder. Warnings name the path in the scene, not a
// line: they are shown for scenes without faults.
func (l *loader) warnBuild() {
	for _, d := range l.builder.Warnings() {
		if at := l.placeOf(d); at.path != "" {
			l.warn("%s: %v", at.path, d.Err)
		} else {
			l.warn("%v", d.Err)
		}
	}
}
