package scene

// An override sets one value by its path of keys: names of items, indices of lists from 0, and
// names of kinds, as in
//
//	bodies.ball.shapes.0.sphere.radius=0.03
//	drives.turn.target.sine.amplitude=0.2
//	solver.contact=similar
//
// Names may have dots, as bodies.peg.1.mass of the body peg.1 has: of several names that fit the longest is meant.
//
// A path may go through values that the file leaves out, but it creates no named items, which
// would hide misspelled names. The result is the same as if the file had been written with the
// value. What the value breaks elsewhere is found by validate.go.
//
// Values are YAML: 3, [0, 0, 1], {sine: {amplitude: 1}}. Where a kind is named, as by contact above,
// the parameters that the new kind shares with the old one keep their values.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// OverrideError is a fault of the path or value of an override, as opposed to a
// fault of the resulting scene.
type OverrideError struct {
	// Assignment is PATH=VALUE as it was given.
	Assignment string
	// Msg describes the fault, with the most similar path where there is one.
	Msg string
}

// Error returns the assignment and its fault.
func (e *OverrideError) Error() string { return fmt.Sprintf("--set %s: %s", e.Assignment, e.Msg) }

// Override sets one value of a scene by its path, "solver.contact=similar", whether or not the
// file gives it. The value is written as in YAML; null removes the value of the file, so that the
// default applies. The error is an *OverrideError; an unknown path is one that names the nearest.
func (f *File) Override(assignment string) error {
	path, text, ok := strings.Cut(assignment, "=") // values may have equal signs, paths have none
	err := errors.New("PATH=VALUE is required, such as time.step=0.002")
	if ok {
		err = f.set(path, text)
	}
	if err != nil {
		return &OverrideError{assignment, err.Error()}
	}
	return nil
}

// set gives the value at a path the text of an override.
func (f *File) set(path, text string) error {
	at, item, err := f.at(path)
	if err != nil {
		return err
	}
	n, err := parseValue(text)
	if err != nil {
		return err
	}
	_, null := n.(*ast.NullNode)
	// the name of a kind
	if at.choice != nil {
		return f.choose(at.choice, path, n, null)
	}
	if null {
		if err := f.takeBack(&at, item, path); err != nil {
			return err
		}
	}
	// any other value is decoded as in a file; messages name the override in place of the file
	d := &decoder{file: "--set " + path, poses: f.poses}
	if d.value(n, at, path); len(d.errs) == 0 && !null {
		d.check(n, at, path)
	}
	if p := at.pose; p != nil && len(d.errs) == 0 {
		d.setTransform(n, p.written, reflect.ValueOf(p.of).Elem(), path)
	}
	f.outdated = append(f.outdated, d.warnings...)
	if len(d.errs) == 0 {
		return nil
	}
	var faults []string
	for _, e := range d.errs {
		faults = append(faults, e.(*Error).Msg)
	}
	return errors.New(strings.Join(faults, "; "))
}

// parseValue parses the value of an override.
func parseValue(text string) (ast.Node, error) {
	if err := CheckNesting("", []byte(text)); err != nil {
		return nil, fmt.Errorf("nested more than %d deep", maxNesting)
	}
	doc, err := parser.ParseBytes([]byte(text), 0)
	if err != nil || len(doc.Docs) != 1 || doc.Docs[0].Body == nil {
		return nil, fmt.Errorf("%q is not a value", text)
	}
	return doc.Docs[0].Body, nil
}

// takeBack sets a value to the default of its kind, else to that of a file without it.
func (f *File) takeBack(at *field, item bool, path string) error {
	switch usual, _, err := defaults().at(path); {
	case item || at.Type() == transformType && at.param.Required:
		return fmt.Errorf("%s cannot be left out this way: take it out of the file", path)
	case at.usual.IsValid():
		at.Set(at.usual)
	case err == nil:
		at.Set(usual.Value)
	case at.Type() == transformType:
		at.Set(reflect.ValueOf(r3.PoseIdentity()))
	default:
		at.SetZero()
	}
	if at.Type() == transformType {
		delete(f.poses, at.Addr().Interface().(*r3.Pose))
	}
	return nil
}

// choose sets the kind of an item by its name; null chooses the default.
// Parameters that the new kind shares with the former one are kept, see Item.
func (f *File) choose(it item, path string, n ast.Node, null bool) error {
	name := scalarText(n)
	if null {
		// kinds with a default have it in a file of defaults
		usual, _, err := defaults().at(path)
		if err != nil {
			return fmt.Errorf("%s cannot be left out", path)
		}
		name = usual.choice.name()
	}
	current, ok := it.seam().Current(name)
	if !ok {
		return fmt.Errorf("%s: unknown %s %q%s", path, it.seam().Name(), name, kinds.Suggest(name, it.seam().Names()))
	}
	// as in files, an earlier name is read with a warning
	if current != name {
		f.warnOutdated("--set %s: %s %s is now called %s; the old name will not be read by the next version", path, it.seam().Name(), name, current)
	}
	it.set(current, Pos{})
	return nil
}

// warnOutdated notes an earlier name that an override uses.
func (f *File) warnOutdated(format string, args ...any) {
	f.outdated = append(f.outdated, fmt.Sprintf(format, args...))
}

// partOfPose is a pose of a kind's parameters, of which a path names a part, and how it is written.
type partOfPose struct {
	of      *r3.Pose
	written *Pose
}

// at returns the value at a path, and whether it is an item of a list or of a mapping of names.
// Steps create what the file leaves out, such as an optional section, with its defaults: the
// value set below then means the same as in a file that has nothing else in this section.
// A path into a pose of a kind's parameters, such as tool.xyz.2, leads to the pose as it is written, of which the field
// keeps what follows from it.
func (f *File) at(path string) (at field, item bool, err error) {
	var in *partOfPose
	at = field{Value: reflect.ValueOf(f).Elem()}
	done := ""
	for rest, more := path, true; more; {
		if at.IsValid() {
			// an item of a mapping or list cannot be nulled: others may name it
			_, item = at.Addr().Interface().(named)
			item = item || at.Kind() == reflect.Slice || at.Kind() == reflect.Array
			if p, ok := f.poseAt(at); ok {
				in, at = p, field{Value: reflect.ValueOf(p.written).Elem()}
			}
		}
		var key string
		key, rest, more = nextKey(at, rest)
		// the message names the path up to here
		if at, err = child(at, key, done); err != nil {
			return at, item, err
		}
		done = join(done, key)
		// an index is never an earlier name
		_, index := strconv.Atoi(key)
		if now := at.param.Key; index != nil && now != "" && now != key {
			f.warnOutdated("--set %s: %s is now called %s; the old name will not be read by the next version", path, done, now)
		}
	}
	at.pose = in
	return at, item, nil
}

// nextKey cuts the first key off a path. Names of items may have dots: the longest name that the mapping has is
// the key. Where any name may come in, below which nothing stands, it is all of the path.
func nextKey(at field, path string) (key, rest string, more bool) {
	if at.IsValid() {
		if m, ok := at.Addr().Interface().(named); ok {
			if _, all := openNames(m, ""); all {
				return path, "", false
			}
			for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
				if m.get(path[:end]) != nil {
					return path[:end], strings.TrimPrefix(path[end:], "."), end < len(path)
				}
			}
		}
	}
	return strings.Cut(path, ".")
}

// poseAt returns a pose of a kind's parameters as the file or an earlier override writes it; false where the
// value is none. One that the file leaves out becomes the identity.
func (f *File) poseAt(at field) (*partOfPose, bool) {
	v := at.Value
	if v.Kind() == reflect.Pointer && v.Type().Elem() == transformType {
		if v.IsNil() {
			v.Set(reflect.ValueOf(new(r3.PoseIdentity())))
		}
		v = v.Elem()
	}
	if v.Type() != transformType {
		return nil, false
	}
	x := v.Addr().Interface().(*r3.Pose)
	p, ok := f.poses[x]
	if !ok {
		// not from a text: a default, or parameters that a change of the kind has moved
		p = Pose{XYZ: x.P}
		if q := [4]float64(x.R.Quat()); x.R != r3.Identity() {
			p.Quaternion = &q
		}
	}
	return &partOfPose{x, &p}, true
}

// openNames lists the names that may come into a mapping by an override though the
// file leaves them out; all reports that any name may. The default material serves what names
// no other, a kind of machine part has its parameters, and the joints and packages of
// a robot have their names from elsewhere.
func openNames(m named, done string) (names []string, all bool) {
	switch m.(type) {
	// the material that serves all shapes
	case *Named[Material]:
		return []string{"default"}, false
	case *Named[Numbers]:
		return partKeys(done[strings.LastIndexByte(done, '.')+1:]), false // the path ends with the kind of the part
	// joints of a robot file, folders of packages
	case *Named[float64], *Named[string]:
		return nil, true
	}
	return nil, false
}

// child steps into one key of a value; done is the path so far. Paths follow the file: a kind's
// name is a step where parameters stand below it, and none where they stand beside the key.
func child(v field, key, done string) (field, error) {
	if v.choice != nil {
		return v, fmt.Errorf("%s is a single value: nothing stands below it", done)
	}
	if m, ok := v.Addr().Interface().(named); ok {
		// an item of the file
		if item := m.get(key); item != nil {
			return field{Value: reflect.ValueOf(item).Elem()}, nil
		}
		names, all := openNames(m, done)
		// permitted although the file has no such item
		if all || slices.Contains(names, key) {
			return field{Value: reflect.ValueOf(m.add(key)).Elem()}, nil
		}
		// nearest among present and permitted names
		for _, name := range m.names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return v, fmt.Errorf("%s has no %q%s", orScene(done), key, kinds.Suggest(key, names))
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			// an optional value that the file leaves out
			v.Set(reflect.New(v.Type().Elem()))
		}
		return child(v.of(v.Elem()), key, done)
	case reflect.Interface:
		return kindChild(v, key, done)
	case reflect.Struct:
		return structChild(v, key, done)
	case reflect.Slice, reflect.Array:
		// lists are not lengthened: an index beyond the end is a mistake of counting
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= v.Len() {
			return v, fmt.Errorf("%s has %d items, counted from 0: %q is not one of their numbers", done, v.Len(), key)
		}
		return v.of(v.Index(i)), nil
	}
	return v, fmt.Errorf("%s is a single value: nothing stands below it", done)
}

// structChild steps into a key of a structure: the name of an item's kind, a field, or a
// parameter of an item's kind. An item without a kind takes the one that key names.
// The order decides: a key that names the kind, then fields, then kinds that are excluded.
func structChild(v field, key, done string) (field, error) {
	items := itemsOf(v.Value)
	for _, it := range items {
		if it.key != "" && (it.key == key || slices.Contains(it.earlier, key)) {
			return field{choice: it.item, param: kinds.Param{Key: it.key}}, nil
		}
		// a path through a kind chooses it where none is
		if current, ok := it.seam().Current(key); ok && it.key == "" && it.name() == "" {
			it.set(current, Pos{})
		}
	}
	fields := fieldsOf(v.Value)
	f, ok := fields[key]
	// to change the kind takes a value: a path could lose the parameters of the present one unseen
	for _, it := range items {
		if _, isKind := it.seam().Current(key); !ok && isKind && it.key == "" {
			return v, fmt.Errorf("%s is of kind %s, which excludes %s: set %s={%s: …} to change its kind", done, it.name(), key, done, key)
		}
	}
	if !ok {
		return v, fmt.Errorf("unknown path %s%s", join(done, key), kinds.Suggest(key, choices(items, fields)))
	}
	// the default of a parameter is that of its kind, not zero
	if v.usual.IsValid() && !f.usual.IsValid() {
		f.usual = fieldsOf(v.usual)[key].Value
	}
	return f, nil
}

// kindChild steps into a value of a seam, such as a motion: a parameter of its kind, or
// the name of a kind, which it then becomes.
func kindChild(v field, key, done string) (field, error) {
	it := itemField{item: &looseItem{in: kinds.Of(v.Type())}}
	// the kind that the value has now, by the type of its parameters
	if !v.IsNil() {
		for _, k := range it.seam().Kinds() {
			if reflect.TypeOf(it.seam().Make(k.Name)) == v.Elem().Type() {
				it.item = &looseItem{it.seam(), k.Name, v.Elem().Interface()}
			}
		}
	}
	// a motion that is a number becomes a sine by target.sine.amplitude
	if name, ok := it.seam().Current(key); ok && name != it.name() {
		it.set(name, Pos{})
		v.Set(it.parameters().Addr())
	}
	if f, ok := it.fields()[key]; ok {
		return f, nil
	}
	return v, fmt.Errorf("unknown path %s%s", join(done, key), kinds.Suggest(key, append(keysOf(it.fields()), it.seam().Names()...)))
}
