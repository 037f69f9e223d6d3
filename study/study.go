// Package study runs a scene over a table of parameters: every combination of
// values is a case, cases run in parallel, each leaves a run folder, and one table
// holds what was asked of each. A study that was interrupted goes on where it was.
package study

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"curlfree/record"
	"curlfree/scene"
)

// File is a study file as written.
type File struct {
	Title     string                `yaml:"title"`
	Scene     string                `yaml:"scene"`     // scene file, relative to the study
	Set       scene.Named[string]   `yaml:"set"`       // values for all cases, by path
	Cases     scene.Named[[]string] `yaml:"cases"`     // values to combine, by path
	Reference *scene.Named[string]  `yaml:"reference"` // values of one more case, which others are measured against
	Measures  scene.Named[Measure]  `yaml:"measures"`
	Plots     scene.Named[Plot]     `yaml:"plots"`
}

// Measure is one number of each case: exactly one of signal, run, steps and
// rms_difference.
type Measure struct {
	scene.Pos
	Signal string      `yaml:"signal"`         // column of signals.csv
	Steps  string      `yaml:"steps"`          // column of steps.csv
	Run    string      `yaml:"run"`            // number of run.json
	RMS    []string    `yaml:"rms_difference"` // signals: √(time mean of |difference from the reference|²)
	Stat   string      `yaml:"stat"`           // of signal and steps: last, mean, max, …
	Over   *[2]float64 `yaml:"over"`           // s
}

// Plot is a chart of the table.
type Plot struct {
	scene.Pos
	X     string  `yaml:"x"`     // path of a varied value, or a measure
	Y     string  `yaml:"y"`     // measure; or a column over time with steps or signals
	Group string  `yaml:"group"` // path of the value that tells lines apart
	LogX  bool    `yaml:"log_x"`
	LogY  bool    `yaml:"log_y"`
	Order float64 `yaml:"order"` // draws a guide line of this order, on logarithmic axes
	XName string  `yaml:"x_label"`
	YName string  `yaml:"y_label"`
}

// Case is one combination of values.
type Case struct {
	Name   string   // of its run folder
	Values []string // of Study.Paths
	Set    []string // overrides
	Ref    bool     // the reference
}

// Study is a study file ready to run.
type Study struct {
	Path  string
	File  *File
	Paths []string // of the values that vary
	Cases []Case   // the reference, if any, last
	scene string
}

// maxCases bounds a study.
const maxCases = 100_000

// Load reads a study file and makes its cases; the scene is checked with the
// values of every case, so that a mistake shows before hours are spent.
func Load(path string) (*Study, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file", path)
	} else if err != nil {
		return nil, err
	}
	f := new(File)
	if err := scene.Decode(path, text, f); err != nil {
		return nil, err
	}
	s := &Study{Path: path, File: f}
	if f.Scene == "" {
		return nil, fmt.Errorf("%s: scene is wanted: the file to run", path)
	}
	s.scene = filepath.Join(filepath.Dir(path), filepath.FromSlash(f.Scene))
	s.Paths = f.Cases.Keys
	if err := s.combine(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, s.check()
}

// combine makes the cases, the last path varying fastest.
func (s *Study) combine() error {
	total := 1
	for _, p := range s.Paths {
		n := len(*s.File.Cases.Get(p))
		if n == 0 {
			return fmt.Errorf("cases.%s has no values", p)
		}
		if total *= n; total > maxCases {
			return fmt.Errorf("more than %d cases", maxCases)
		}
	}
	var common []string
	for _, p := range s.File.Set.Keys {
		common = append(common, p+"="+*s.File.Set.Get(p))
	}
	for i := range total {
		c := Case{Set: slices.Clone(common)}
		rest := i
		values := make([]string, len(s.Paths))
		for k := len(s.Paths) - 1; k >= 0; k-- {
			v := *s.File.Cases.Get(s.Paths[k])
			values[k] = v[rest%len(v)]
			rest /= len(v)
		}
		for k, p := range s.Paths {
			c.Set = append(c.Set, p+"="+values[k])
		}
		c.Values = values
		s.Cases = append(s.Cases, c)
	}
	if r := s.File.Reference; r != nil {
		c := Case{Ref: true, Set: slices.Clone(common), Values: make([]string, len(s.Paths))}
		for _, p := range r.Keys {
			c.Set = append(c.Set, p+"="+*r.Get(p))
			if k := slices.Index(s.Paths, p); k >= 0 {
				c.Values[k] = *r.Get(p)
			}
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		h := sha256.Sum256([]byte(strings.Join(c.Set, "\n")))
		c.Name = fmt.Sprintf("%04d-%s", i, hex.EncodeToString(h[:4]))
		if c.Ref {
			c.Name = "reference-" + hex.EncodeToString(h[:4])
		}
	}
	return nil
}

// check loads the scene with the values of every case and looks the measures'
// and plots' names up.
func (s *Study) check() error {
	var errs []error
	var first *scene.Scene
	for i := range s.Cases {
		sc, err := scene.Load(s.scene, s.Cases[i].Set)
		if err != nil {
			return fmt.Errorf("case %s (%s): %w", s.Cases[i].Name, strings.Join(s.Cases[i].Set, ", "), err)
		}
		first = cmp.Or(first, sc)
	}
	fail := func(p scene.Pos, format string, args ...any) {
		errs = append(errs, &scene.Error{File: s.Path, Pos: p, Msg: fmt.Sprintf(format, args...)})
	}
	signals := first.Signals.Names()
	for _, name := range s.File.Measures.Keys {
		m := s.File.Measures.Get(name)
		kinds := 0
		for _, given := range []bool{m.Signal != "", m.Steps != "", m.Run != "", m.RMS != nil} {
			if given {
				kinds++
			}
		}
		if kinds != 1 {
			fail(m.Pos, "measures.%s: exactly one of signal, steps, run and rms_difference is wanted", name)
		}
		for _, n := range append(slices.Clone(m.RMS), m.Signal) {
			if n != "" && !slices.Contains(signals, n) {
				fail(m.Pos, "measures.%s: unknown signal %q%s", name, n, record.Suggest(n, signals))
			}
		}
		if m.RMS != nil && s.File.Reference == nil {
			fail(m.Pos, "measures.%s: a difference wants a reference: give its values under reference", name)
		}
		if m.Stat != "" && !slices.Contains(record.Stats, m.Stat) {
			fail(m.Pos, "measures.%s.stat: unknown %q%s", name, m.Stat, record.Suggest(m.Stat, record.Stats))
		}
		if m.Run != "" && !slices.Contains(record.Numbers(), m.Run) {
			fail(m.Pos, "measures.%s.run: unknown %q%s", name, m.Run, record.Suggest(m.Run, record.Numbers()))
		}
	}
	columns := append(slices.Clone(s.Paths), s.File.Measures.Keys...)
	for _, name := range s.File.Plots.Keys {
		p := s.File.Plots.Get(name)
		for _, c := range []string{p.X, p.Y} {
			if !slices.Contains(columns, c) {
				fail(p.Pos, "plots.%s: unknown column %q%s", name, c, record.Suggest(c, columns))
			}
		}
		if p.Group != "" && !slices.Contains(s.Paths, p.Group) {
			fail(p.Pos, "plots.%s.group: %q is not varied%s", name, p.Group, record.Suggest(p.Group, s.Paths))
		}
	}
	return errors.Join(errs...)
}

// number reads a value as a number, for axes.
func number(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
