package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene"
)

// assignment gives a path a value.
type assignment struct{ path, text string }

// assignments are ordered; each path stands once.
type assignments []assignment

func (a assignments) get(path string) (string, bool) {
	for _, v := range a {
		if v.path == path {
			return v.text, true
		}
	}
	return "", false
}

// with returns a copy with more values, later ones in place of earlier ones.
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

func listed(n *scene.Named[string]) assignments {
	var a assignments
	if n == nil {
		return nil
	}
	for _, k := range n.Keys {
		a = append(a, assignment{k, *n.Get(k)})
	}
	return a
}

// axis is a list of values of a path.
type axis struct {
	path   string
	values []string
}

// formula is a derived value.
type formula struct{ path, text, at string }

// sweep is a Sweep with what it inherits.
type sweep struct {
	name      string
	scene     string
	set       assignments
	axes      []axis
	rows      []assignments
	derive    []formula
	reference assignments // nil: none
}

// resolve merges a sweep with what the study says for all. It returns the first
// fault.
func (s *Study) resolve(name string, own *Sweep) (*sweep, error) {
	at := ""
	if name != "" {
		at = "sweeps/" + name + "/"
	}
	w := &sweep{name: name, scene: s.File.Scene, set: listed(&s.File.Set)}
	layers := []struct {
		at string
		*Sweep
	}{{"", &s.File.Sweep}}
	if name != "" {
		layers = append(layers, struct {
			at string
			*Sweep
		}{at, own})
	}
	for _, l := range layers {
		if l.Scene != "" {
			w.scene = l.Scene
		}
		w.set = w.set.with(listed(&l.Set)...)
		for _, p := range l.Cases.Keys {
			v := *l.Cases.Get(p)
			if len(v) == 0 {
				return nil, s.fail(l.at+"cases/"+p, "%scases.%s has no values", dotted(l.at), p)
			}
			if k := slices.IndexFunc(w.axes, func(a axis) bool { return a.path == p }); k >= 0 {
				w.axes[k].values = v
			} else {
				w.axes = append(w.axes, axis{p, v})
			}
		}
		if len(l.Rows) > 0 {
			w.rows = nil
			for i := range l.Rows {
				w.rows = append(w.rows, listed(&l.Rows[i]))
			}
		}
		for _, p := range l.Derive.Keys {
			f := formula{p, *l.Derive.Get(p), l.at + "derive/" + p}
			if k := slices.IndexFunc(w.derive, func(g formula) bool { return g.path == p }); k >= 0 {
				w.derive[k] = f
			} else {
				w.derive = append(w.derive, f)
			}
		}
		if l.Reference != nil {
			w.reference = assignments{}.with(listed(l.Reference)...)
		}
	}
	return w, s.checkPaths(w, at)
}

func dotted(at string) string { return strings.ReplaceAll(at, "/", ".") }

// sceneKeys are the keys at the top of a scene.
var sceneKeys = func() []string {
	var keys []string
	t := reflect.TypeFor[scene.File]()
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}()

// checkPaths refuses keys that mean nothing.
func (s *Study) checkPaths(w *sweep, at string) error {
	check := func(item, path string) error {
		switch {
		case path == "" || strings.HasPrefix(path, ".") || strings.HasSuffix(path, "."):
			return s.fail(item, "%q is not the path of a value", path)
		case path == "sweep" || path == "reference":
			return s.fail(item, "%q has a meaning of its own in tables and charts: choose another name", path)
		case !strings.Contains(path, ".") && slices.Contains(sceneKeys, path):
			return s.fail(item, "%s is a section of the scene: give the path of a value in it, such as %s.…", path, path)
		}
		return nil
	}
	for _, v := range w.set {
		if err := check(at+"set/"+v.path, v.path); err != nil {
			return err
		}
	}
	for _, a := range w.axes {
		if err := check(at+"cases/"+a.path, a.path); err != nil {
			return err
		}
		if slices.ContainsFunc(w.rows, func(r assignments) bool { _, ok := r.get(a.path); return ok }) {
			return s.fail(at+"cases/"+a.path, "%s stands in cases and in rows", a.path)
		}
	}
	for i, r := range w.rows {
		for _, v := range r {
			if err := check(fmt.Sprintf("%srows/%d/%s", at, i, v.path), v.path); err != nil {
				return err
			}
		}
	}
	for _, f := range w.derive {
		if err := check(f.at, f.path); err != nil {
			return err
		}
	}
	for _, v := range w.reference {
		if err := check(at+"reference/"+v.path, v.path); err != nil {
			return err
		}
	}
	return nil
}

// variedPaths lists what varies or is derived, in the order of the file.
func variedPaths(sweeps []*sweep) []string {
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
	}
	for _, w := range sweeps {
		for _, f := range w.derive {
			add(f.path)
		}
	}
	return paths
}

// same compares values as numbers where they are.
func same(a, b string) bool {
	x, ok1 := number(a)
	y, ok2 := number(b)
	return a == b || ok1 && ok2 && x == y
}

// brief lists the values in a message.
func (a assignments) brief() string {
	parts := make([]string, len(a))
	for i, v := range a {
		parts[i] = v.path + "=" + v.text
	}
	return strings.Join(parts, ", ")
}
