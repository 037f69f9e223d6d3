package study

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene"
)

// Case is one set of values.
type Case struct {
	Name        string   // of its run folder; cases with the same inputs share one
	Sweep       string   // that it belongs to; empty in a study without sweeps
	Scene       string   // file
	Values      []string // of Study.Paths; empty where there is none
	Set         []string // overrides of the scene
	Reference   string   // name of the case that it is measured against, or empty
	IsReference bool     // there only as reference

	Steps float64 // how many it takes, by Study.Check

	env map[string]any // its values, for formulas of plots and measures
}

// wrap names the case in an error of its scene.
func (c *Case) wrap(err error) error {
	return fmt.Errorf("case %s (%s): %w", c.Name, strings.Join(c.Set, ", "), err)
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
			r.IsReference, r.Reference, c.Reference = true, r.Name, r.Name
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
