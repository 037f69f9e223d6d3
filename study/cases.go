package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Cases form a grid. Let a sweep have R rows and lists of values of lengths n_1 … n_m.
// Its cases are numbered
//
//	i = ((r n_1 + k_1) n_2 + k_2) … n_m + k_m,    0 ≤ r < R,  0 ≤ k_j < n_j        (1)
//
// and case i has row r and value k_j of each list j. The values of a case, from the
// weakest to the strongest, are those of set, of the row and of the lists; its reference
// adds those of reference.

// Case is one set of values, to be simulated once.
type Case struct {
	// Name is the name of the run folder, unique for the values of the case. Cases
	// with the same scene and the same values share one folder.
	Name string

	// Sweep is the sweep that the case belongs to; empty in a study without sweeps.
	Sweep string

	// Scene is the path of the scene file.
	Scene string

	// Values are the values of Study.Paths as text; empty where there is none.
	Values []string

	// Set are the overrides of the scene, "path=value".
	Set []string

	// Reference is the name of the case that differences are measured against, or
	// empty.
	Reference string

	// IsReference marks a case that is no case of the table and only serves as a
	// reference.
	IsReference bool

	// Steps is the number of time steps, duration/step. Study.Check computes it.
	Steps float64

	// of are the values that the study gives for the case, without derived ones.
	of assignments

	// planned is the hash that a plan has for the case; empty without a plan.
	planned string
	// inputs is the fingerprint of the scene, and files those that it reads; set by Study.Check.
	inputs string
	files  []string

	// env is the tree of the values of the case, for formulas of plots and measures. It also
	// has the name of the sweep and whether the case is a reference.
	env map[string]any
}

// Messages about a case give its overrides, since the name of its folder is abbreviated.

// wrap adds the case to an error of its scene.
func (c *Case) wrap(err error) error {
	return fmt.Errorf("case %s (%s): %w", c.Name, strings.Join(c.Set, ", "), err)
}

// makeCases makes the cases of all sweeps, followed by the references that are no
// cases themselves.
func (s *Study) makeCases() error {
	// a study without sweeps has a single one without a name
	var sweeps []*resolvedSweep
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
	// the columns must be known before cases are made: cases have a value for each
	s.Paths = variedPaths(sweeps)
	s.sweep = sweeps[0]
	if s.File.Pareto != nil {
		s.Paths = append(s.Paths, generationName)
		s.sweep.set = s.sweep.set.with(assignment{generationName, "0"})
	}
	var refs []Case
	for _, w := range sweeps {
		more, err := s.sweepCases(w)
		if err != nil {
			return err
		}
		refs = append(refs, more...)
	}
	// a reference that is also a case of the table runs once
	have := map[string]bool{}
	for i := range s.Cases {
		have[s.Cases[i].Name] = true
	}
	for _, r := range refs {
		if !have[r.Name] {
			have[r.Name] = true
			s.Cases = append(s.Cases, r)
		}
	}
	return nil
}

// sweepCases appends the cases of a sweep to the study and returns their references,
// each once. Rows vary slowest and the last list of values fastest.
func (s *Study) sweepCases(w *resolvedSweep) (refs []Case, err error) {
	most := s.maxCases()
	if err := s.expandSample(w, most); err != nil {
		return nil, err
	}
	// without rows, the combinations of the lists are the cases
	rows := w.rows
	if len(rows) == 0 {
		rows = []assignments{nil}
	}
	// the size of the grid; the bound is checked before each product can overflow
	total := len(rows)
	for _, a := range w.axes {
		total = min(total*len(a.values), math.MaxInt32)
	}
	if len(s.Cases)+total > most {
		return nil, s.fail("cases", "%d cases or more, the limit is %d: give fewer values, or raise max_cases", len(s.Cases)+total, most)
	}
	known := map[string]bool{} // names of refs
	for i := range total {
		// values of the lists replace those of the row, and these the values of set
		choice, r := w.combination(i)
		c, err := s.makeCase(w, w.set.with(rows[r]...).with(choice...))
		if err != nil {
			return nil, err
		}
		// cases that differ only in values that the reference replaces share one reference
		if w.reference != nil {
			ref, err := s.makeReference(w, rows[r], choice)
			if err != nil {
				return nil, err
			}
			c.Reference = ref.Name
			if !known[ref.Name] {
				known[ref.Name] = true
				refs = append(refs, ref)
			}
		}
		s.Cases = append(s.Cases, c)
	}
	return refs, nil
}

// combination inverts (1): it returns the values k_j of the lists and the row r of case
// i. The digits of this number with mixed radix are split off from the last one on.
func (w *resolvedSweep) combination(i int) (choice assignments, row int) {
	choice = make(assignments, len(w.axes))
	for k := len(w.axes) - 1; k >= 0; k-- {
		a := w.axes[k]
		choice[k] = assignment{a.path, a.values[i%len(a.values)]}
		i /= len(a.values)
	}
	return choice, i
}

// References. Each case of a sweep with references has one, which need not be unique: cases that
// differ only in values that the reference replaces, such as the time step, share it.

// makeReference makes the reference of the case with a row and a combination: it has
// the values of the case, except for those that the study gives under reference.
func (s *Study) makeReference(w *resolvedSweep, row, choice assignments) (Case, error) {
	refRow, err := s.referenceRow(w, row)
	if err != nil {
		return Case{}, err
	}
	// the values under reference come last and replace all others
	r, err := s.makeCase(w, w.set.with(refRow...).with(choice...).with(w.reference...))
	r.IsReference, r.Reference = true, r.Name
	return r, err
}

// referenceRow returns the row that the reference of a case in the given row has.
//
// The values of a row belong together. Where the reference names values of rows, its
// row is one with these values; among several, the one that shares most values with
// the row of the case. Otherwise the reference has the row of the case.
func (s *Study) referenceRow(w *resolvedSweep, row assignments) (assignments, error) {
	// the best row so far; a tie with it is an error unless a better row follows
	best, bestScore, tie := row, -1, false
	for _, r := range w.rows {
		mentioned, fits, score := compareRow(r, row, w.reference)
		switch {
		case !mentioned || !fits:
		case score > bestScore:
			best, bestScore, tie = r, score, false
		case score == bestScore:
			tie = true
		}
	}
	if tie {
		return nil, s.fail("reference", "reference: several rows have these values and share equally many with the row of the case: give more values")
	}
	return best, nil
}

// compareRow reports whether the reference gives a value of the row r at all, whether
// r has all values that it gives, and how many of the other values r shares with the
// row of a case.
func compareRow(r, row, reference assignments) (mentioned, fits bool, score int) {
	fits = true
	for _, v := range r {
		if want, ok := reference.get(v.path); ok {
			mentioned = true
			fits = fits && equalValues(want, v.text)
		} else if mine, ok := row.get(v.path); ok && equalValues(mine, v.text) {
			score++
		}
	}
	return mentioned, fits, score
}

// makeCase makes the case with the given values: it evaluates the formulas, separates
// overrides of the scene from variables of the study, and names the case.
func (s *Study) makeCase(w *resolvedSweep, a assignments) (Case, error) {
	c := Case{Sweep: w.name, of: a}
	// the scene file may be a varied value
	name := w.scene
	if file, ok := a.get("scene"); ok {
		name = file
	}
	if name == "" {
		return c, fmt.Errorf("%s: the key scene is missing: the scene file to run", s.Path)
	}
	c.Scene = s.file(name)
	// formulas can use any value that the scene file states
	base, err := s.sceneTree(c.Scene)
	if err != nil {
		return c, err
	}
	if a, err = s.derive(w, a, base); err != nil {
		return c, err
	}
	// the values of the case, for formulas; those with a dot are overrides of the scene
	c.env = map[string]any{"sweep": c.Sweep, "reference": false}
	for _, v := range a {
		setPath(c.env, v.path, parseValue(v.text))
		if strings.Contains(v.path, ".") {
			c.Set = append(c.Set, v.path+"="+v.text)
		}
	}
	c.Name = s.caseName(name, s.fillValues(&c, w, a, base), c.Set, a)
	return c, nil
}

// fillValues fills in the values of a case for the columns of the table, and returns
// those that the sweep gives and does not derive.
func (s *Study) fillValues(c *Case, w *resolvedSweep, a assignments, base map[string]any) (own []string) {
	c.Values = make([]string, len(s.Paths))
	for k, p := range s.Paths {
		if text, ok := a.get(p); ok {
			c.Values[k] = text
			if !slices.ContainsFunc(w.derive, func(f formula) bool { return f.path == p }) {
				own = append(own, text)
			}
			continue
		}
		// a value that only other sweeps vary is here as in the scene
		v := getPath(base, p)
		if text, err := formatValue(v); v != nil && err == nil {
			c.Values[k] = text
			setPath(c.env, p, v)
		}
	}
	return own
}

// caseName returns the folder name of a case. Cases whose overrides have equal values,
// such as 0.01 and 1e-2, get the name of the first of them.
func (s *Study) caseName(scene string, own, set []string, a assignments) string {
	// the key has the parsed values, so that 0.01 and 1e-2 give the same key
	name := folderName(own, scene+"\n"+strings.Join(set, "\n"))
	key := scene
	for _, v := range a {
		if strings.Contains(v.path, ".") {
			key += fmt.Sprintf("\n%s=%v", v.path, parseValue(v.text))
		}
	}
	if have, ok := s.names[key]; ok {
		return have
	}
	if s.names == nil {
		s.names = map[string]string{}
	}
	s.names[key] = name
	return name
}

// maxFolderName is the length of the readable part of a folder name, bytes.
const maxFolderName = 60

// folderName returns the name of a case's folder: its values, readable, and 8
// hexadecimal digits of the digest of everything that was set. The name therefore does
// not change when cases are added to the study.
func folderName(values []string, inputs string) string {
	// the digest distinguishes cases whose readable parts are cut or equal
	h := sha256.Sum256([]byte(inputs))
	for i, v := range values {
		values[i] = fileSafe(v)
	}
	text := strings.Trim(strings.Join(values, "_"), "_.")
	if len(text) > maxFolderName {
		text = strings.TrimRight(text[:maxFolderName], "_.")
	}
	return strings.TrimPrefix(text+"_"+hex.EncodeToString(h[:4]), "_")
}

// fileSafe replaces every character that a file name cannot have on some system.
func fileSafe(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '+':
			return r
		}
		return '_'
	}, text)
}
