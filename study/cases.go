package study

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"curlfree/scene"
)

// Case is one set of values.
type Case struct {
	Name      string   // of its run folder; cases with the same inputs share one
	Sweep     string   // that it belongs to; empty in a study without sweeps
	Scene     string   // file
	Values    []string // of Study.Paths; empty where there is none
	Set       []string // overrides of the scene
	Reference string   // name of the case that it is measured against, or empty
	Ref       bool     // there only as reference

	Steps float64 // how many it takes, by Study.Check

	env map[string]any // its values, for formulas of plots and measures
}

// wrap names the case in an error of its scene.
func (c *Case) wrap(err error) error {
	return fmt.Errorf("case %s (%s): %w", c.Name, strings.Join(c.Set, ", "), err)
}

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

// combine makes the cases of all sweeps: rows vary slowest, the last list
// fastest; then the references that are no cases themselves.
func (s *Study) combine() error {
	var sweeps []*sweep
	names := s.File.Sweeps.Keys
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		w, err := s.resolve(name, s.File.Sweeps.Get(name))
		if err != nil {
			return err
		}
		sweeps = append(sweeps, w)
	}
	s.Paths = variedPaths(sweeps)
	var refs []Case
	for _, w := range sweeps {
		more, err := s.combineOne(w)
		if err != nil {
			return err
		}
		refs = append(refs, more...)
	}
	// a reference that is also a case runs once
	for _, r := range refs {
		if !slices.ContainsFunc(s.Cases, func(c Case) bool { return c.Name == r.Name }) {
			s.Cases = append(s.Cases, r)
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

// combineOne appends the cases of a sweep and returns their references.
func (s *Study) combineOne(w *sweep) (refs []Case, err error) {
	rows := w.rows
	if len(rows) == 0 {
		rows = []assignments{nil}
	}
	total := len(rows)
	for _, a := range w.axes {
		if total *= len(a.values); total > maxCases {
			return nil, fmt.Errorf("%s: more than %d cases", s.Path, maxCases)
		}
	}
	for i := range total {
		choice := make([]assignment, len(w.axes))
		rest := i
		for k := len(w.axes) - 1; k >= 0; k-- {
			a := w.axes[k]
			choice[k] = assignment{a.path, a.values[rest%len(a.values)]}
			rest /= len(a.values)
		}
		row := rows[rest]
		c, err := s.makeCase(w, w.set.with(row...).with(choice...))
		if err != nil {
			return nil, err
		}
		if w.reference != nil {
			refRow, err := s.referenceRow(w, row)
			if err != nil {
				return nil, err
			}
			r, err := s.makeCase(w, w.set.with(refRow...).with(choice...).with(w.reference...))
			if err != nil {
				return nil, err
			}
			r.Ref, r.Reference, c.Reference = true, r.Name, r.Name
			if !slices.ContainsFunc(refs, func(have Case) bool { return have.Name == r.Name }) {
				refs = append(refs, r)
			}
		}
		s.Cases = append(s.Cases, c)
	}
	return refs, nil
}

// referenceRow returns the values of the row that the reference of a case in row
// has. Values of a row go together: where the reference names some, it has the
// row that they are of; of several the one most like the case's own.
func (s *Study) referenceRow(w *sweep, row assignments) (assignments, error) {
	best, bestScore, tie := row, -1, false
	named := false
	for _, r := range w.rows {
		fits, score := true, 0
		mentioned := false
		for _, v := range r {
			if want, ok := w.reference.get(v.path); ok {
				mentioned = true
				fits = fits && same(want, v.text)
			} else if mine, ok := row.get(v.path); ok && same(mine, v.text) {
				score++
			}
		}
		if !mentioned || !fits {
			continue
		}
		named = true
		switch {
		case score > bestScore:
			best, bestScore, tie = r, score, false
		case score == bestScore:
			tie = true
		}
	}
	if named && tie {
		return nil, s.fail("reference", "reference: several rows have these values and are equally like the row of the case: name more of them")
	}
	return best, nil
}

// same compares values as numbers where they are.
func same(a, b string) bool {
	x, ok1 := number(a)
	y, ok2 := number(b)
	return a == b || ok1 && ok2 && x == y
}

// makeCase derives what is to be derived and sorts values by what they are.
func (s *Study) makeCase(w *sweep, a assignments) (Case, error) {
	c := Case{Sweep: w.name}
	name := w.scene
	if file, ok := a.get("scene"); ok {
		name = file
	}
	if name == "" {
		return c, fmt.Errorf("%s: scene is wanted: the file to run", s.Path)
	}
	c.Scene = s.file(name)
	base, err := s.sceneTree(c.Scene)
	if err != nil {
		return c, err
	}
	if a, err = s.derive(w, a, base); err != nil {
		return c, err
	}
	c.env = map[string]any{"sweep": c.Sweep, "reference": false}
	for _, v := range a {
		put(c.env, v.path, parsed(v.text))
		if strings.Contains(v.path, ".") {
			c.Set = append(c.Set, v.path+"="+v.text)
		}
	}
	c.Values = make([]string, len(s.Paths))
	var mine []string
	for k, p := range s.Paths {
		if text, ok := a.get(p); ok {
			c.Values[k] = text
			if !slices.ContainsFunc(w.derive, func(f formula) bool { return f.path == p }) {
				mine = append(mine, text)
			}
		} else if v := get(base, p); v != nil {
			// what other sweeps vary, this one leaves as the scene has it
			if text, err := written(v); err == nil {
				c.Values[k] = text
				put(c.env, p, v)
			}
		}
	}
	c.Name = slug(mine, name+"\n"+strings.Join(c.Set, "\n"))
	// 0.01 and 1e-2 are one run
	key := name
	for _, v := range a {
		if strings.Contains(v.path, ".") {
			key += fmt.Sprintf("\n%s=%v", v.path, parsed(v.text))
		}
	}
	if s.names == nil {
		s.names = map[string]string{}
	}
	if have, ok := s.names[key]; ok {
		c.Name = have
	}
	s.names[key] = c.Name
	return c, nil
}

// derive evaluates the formulas in their order.
func (s *Study) derive(w *sweep, a assignments, base map[string]any) (assignments, error) {
	if len(w.derive) == 0 {
		return a, nil
	}
	env := clone(base).(map[string]any)
	for _, v := range a {
		put(env, v.path, parsed(v.text))
	}
	for _, f := range w.derive {
		e, err := compile(f.text, env)
		var v any
		if err == nil {
			v, err = e.value(env)
		}
		text := ""
		if err == nil {
			text, err = written(v)
		}
		if err != nil {
			return nil, s.fail(f.at, "derive.%s: %v (with %s)", f.path, err, a.brief())
		}
		put(env, f.path, v)
		a = a.with(assignment{f.path, text})
	}
	return a, nil
}

// brief lists the values in a message.
func (a assignments) brief() string {
	parts := make([]string, len(a))
	for i, v := range a {
		parts[i] = v.path + "=" + v.text
	}
	return strings.Join(parts, ", ")
}

// sceneTree returns what a scene file says, for formulas.
func (s *Study) sceneTree(path string) (map[string]any, error) {
	if t := s.trees[path]; t != nil {
		return t, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the scene %s: there is no such file", s.Path, path)
	} else if err != nil {
		return nil, fmt.Errorf("%s: the scene: %w", s.Path, err)
	}
	// for the faults that it would name
	if err := scene.Decode(path, text, new(scene.File)); err != nil {
		return nil, err
	}
	t, err := tree(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.trees == nil {
		s.trees = map[string]map[string]any{}
	}
	s.trees[path] = t
	return t, nil
}

// slug names a case's folder: its values for people, and a digest of all that
// was set, so that a folder belongs to the same case however the study grows.
func slug(values []string, inputs string) string {
	h := sha256.Sum256([]byte(inputs))
	for i, v := range values {
		values[i] = cleaned(v)
	}
	text := strings.Trim(strings.Join(values, "_"), "_.")
	if len(text) > 60 {
		text = strings.TrimRight(text[:60], "_.")
	}
	return strings.TrimPrefix(text+"_"+hex.EncodeToString(h[:4]), "_")
}

// cleaned keeps of a text what file names can hold everywhere.
func cleaned(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '+':
			return r
		}
		return '_'
	}, text)
}
