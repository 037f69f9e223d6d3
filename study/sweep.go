package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene"
)

// Inheritance of sweeps. A study file defines values at its top level and, for each sweep,
// below sweeps. For one sweep the result is
//
//	set, derive                merged value by value
//	cases                      merged path by path: a list replaces a list
//	scene, rows, sample, reference   replaced as a whole
//
// A sweep that gives nothing is the study at its top level; sweeps do not inherit from each other.

// assignment gives the value at a path as text.
type assignment struct{ path, text string }

// assignments are an ordered list of values in which each path occurs once.
type assignments []assignment

// get returns the value of a path.
func (a assignments) get(path string) (string, bool) {
	for _, v := range a {
		if v.path == path {
			return v.text, true
		}
	}
	return "", false
}

// with returns a copy with more values. A path that exists keeps its position and gets
// the new value.
func (a assignments) with(more ...assignment) assignments {
	out := slices.Clone(a)
	for _, m := range more {
		if k := slices.IndexFunc(out, func(v assignment) bool { return v.path == m.path }); k >= 0 {
			out[k].text = m.text
		} else {
			out = append(out, m)
		}
	}
	return out
}

// describe lists the values in a message: "a=1, b=2".
func (a assignments) describe() string {
	parts := make([]string, len(a))
	for i, v := range a {
		parts[i] = v.path + "=" + v.text
	}
	return strings.Join(parts, ", ")
}

// assignmentsOf converts a mapping of the study file; nil stays nil.
func assignmentsOf(n *scene.Named[string]) assignments {
	var a assignments
	if n == nil {
		return nil
	}
	for _, k := range n.Keys {
		a = append(a, assignment{k, *n.Get(k)})
	}
	return a
}

// axis is one dimension of the grid of cases: a path and its values.
type axis struct {
	path string
	// values are in the order of the file, as text.
	values []string
}

// formula is a derived value: its path, its text and its position in the file.
type formula struct{ path, text, at string }

// resolvedSweep is a Sweep together with what it inherits.
type resolvedSweep struct {
	// name is the key of the sweep; empty in a study without sweeps.
	name string
	// scene is the scene file as written; empty if it is a varied value.
	scene string
	// set are the values of all cases.
	set assignments
	// axes are the lists of values to combine.
	axes []axis
	// rows are the sets of values that belong together.
	rows []assignments
	// sample are the values that are drawn; nil: none. Its points are added to rows.
	sample *Sample
	// derive are the formulas in the order of evaluation.
	derive []formula
	// reference are the values in which references differ; nil: no references.
	reference assignments
}

// resolve merges a sweep with the common definitions of the study: set and derive are
// merged value by value, lists of cases path by path; scene, rows and reference are
// replaced as a whole. It returns the first fault.
func (s *Study) resolve(name string, own *Sweep) (*resolvedSweep, error) {
	// first the common definitions, then those of this sweep
	w := &resolvedSweep{name: name}
	at := ""
	if err := s.merge(w, &s.File.Sweep, at); err != nil {
		return nil, err
	}
	if name != "" {
		at = "sweeps/" + name + "/"
		if err := s.merge(w, own, at); err != nil {
			return nil, err
		}
	}
	return w, s.checkPaths(w, at)
}

// merge puts the definitions of a sweep, which stand at a position of the file, over
// those that w has.
func (s *Study) merge(w *resolvedSweep, l *Sweep, at string) error {
	if l.Scene != "" {
		w.scene = l.Scene
	}
	// values: those of the sweep replace or extend the common ones
	w.set = w.set.with(assignmentsOf(&l.Set)...)
	// lists of values: a list for a path replaces the common list
	for _, p := range l.Cases.Keys {
		v := *l.Cases.Get(p)
		if len(v) == 0 {
			return s.fail(at+"cases/"+p, "%scases.%s has no values", dottedPath(at), p)
		}
		if k := slices.IndexFunc(w.axes, func(a axis) bool { return a.path == p }); k >= 0 {
			w.axes[k].values = v
		} else {
			w.axes = append(w.axes, axis{p, v})
		}
	}
	// rows: they belong together and are replaced as a whole
	if len(l.Rows) > 0 {
		w.rows = nil
		for i := range l.Rows {
			w.rows = append(w.rows, assignmentsOf(&l.Rows[i]))
		}
	}
	if l.Sample != nil {
		if err := s.checkSample(l.Sample, at); err != nil {
			return err
		}
		w.sample = l.Sample
	}
	// formulas: a formula for a path keeps the place of the common one
	for _, p := range l.Derive.Keys {
		f := formula{p, *l.Derive.Get(p), at + "derive/" + p}
		if k := slices.IndexFunc(w.derive, func(g formula) bool { return g.path == p }); k >= 0 {
			w.derive[k] = f
		} else {
			w.derive = append(w.derive, f)
		}
	}
	if l.Reference != nil {
		w.reference = assignments{}.with(assignmentsOf(l.Reference)...)
	}
	return nil
}

// dottedPath writes a position of the file as messages do, with dots.
func dottedPath(at string) string { return strings.ReplaceAll(at, "/", ".") }

// sceneKeys are the keys at the top level of a scene file.
var sceneKeys = func() []string {
	// the keys are the tags of scene.File
	var keys []string
	t := reflect.TypeFor[scene.File]()
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("key"); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}()

// The checks below apply to every key that a sweep defines, wherever it stands: it must be the
// path of a value or the name of a variable, and not a section of the scene such as gravity.

// keyed is a key of a sweep and its position in the file.
type keyed struct{ at, path string }

// keys lists all keys of a sweep whose own definitions stand at a position.
func (w *resolvedSweep) keys(at string) []keyed {
	// every place where a study file gives a value
	var all []keyed
	for _, v := range w.set {
		all = append(all, keyed{at + "set/" + v.path, v.path})
	}
	for _, a := range w.axes {
		all = append(all, keyed{at + "cases/" + a.path, a.path})
	}
	for i, r := range w.rows {
		for _, v := range r {
			all = append(all, keyed{fmt.Sprintf("%srows/%d/%s", at, i, v.path), v.path})
		}
	}
	for _, p := range w.sample.paths() {
		all = append(all, keyed{at + "sample/values/" + p, p})
	}
	for _, f := range w.derive {
		all = append(all, keyed{f.at, f.path})
	}
	for _, v := range w.reference {
		all = append(all, keyed{at + "reference/" + v.path, v.path})
	}
	return all
}

// checkPaths refuses keys that cannot be paths or variables, and paths that vary both
// in rows and in lists of values.
func (s *Study) checkPaths(w *resolvedSweep, at string) error {
	// each key by itself
	for _, k := range w.keys(at) {
		if err := s.checkPath(k.at, k.path); err != nil {
			return err
		}
	}
	// a path cannot vary in two ways
	for _, p := range w.sample.paths() {
		if slices.ContainsFunc(w.axes, func(a axis) bool { return a.path == p }) || slices.ContainsFunc(w.rows, func(r assignments) bool { _, ok := r.get(p); return ok }) {
			return s.fail(at+"sample/values/"+p, "%s occurs both in sample and in cases or rows", p)
		}
	}
	for _, a := range w.axes {
		if slices.ContainsFunc(w.rows, func(r assignments) bool { _, ok := r.get(a.path); return ok }) {
			return s.fail(at+"cases/"+a.path, "%s occurs both in cases and in rows", a.path)
		}
	}
	return nil
}

// checkPath refuses a key that is not the path of a value or the name of a variable.
func (s *Study) checkPath(at, path string) error {
	switch {
	case path == "" || strings.HasPrefix(path, ".") || strings.HasSuffix(path, "."):
		return s.fail(at, "%q is not the path of a value", path)
	case path == "sweep" || path == "reference":
		return s.fail(at, "%q is a reserved name in tables and charts: choose another name", path)
	case !strings.Contains(path, ".") && slices.Contains(sceneKeys, path):
		return s.fail(at, "%s is a section of the scene: give the path of a value in it, such as %s.…", path, path)
	}
	return nil
}

// variedPaths lists the paths that vary or are derived in any sweep, in the order of
// the file: rows, lists of values, then formulas.
func variedPaths(sweeps []*resolvedSweep) []string {
	// columns occur once, however many sweeps vary them
	var paths []string
	add := func(p string) {
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	for _, w := range sweeps {
		for _, r := range w.rows {
			for _, v := range r {
				add(v.path)
			}
		}
		for _, a := range w.axes {
			add(a.path)
		}
		for _, p := range w.sample.paths() {
			add(p)
		}
	}
	for _, w := range sweeps {
		for _, f := range w.derive {
			add(f.path)
		}
	}
	return paths
}

// equalValues compares two values as numbers if both are numbers, and else as texts.
func equalValues(a, b string) bool {
	x, ok1 := parseNumber(a)
	y, ok2 := parseNumber(b)
	return a == b || ok1 && ok2 && x == y
}
