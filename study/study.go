// Package study runs a scene over tables of parameters. Combinations of values,
// rows of values that go together and formulas make the cases; cases run in
// parallel and leave a run folder each; one table holds what was asked of them,
// and charts show it. A study that was interrupted goes on where it was.
package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/scene"
)

// File is a study file as written. A key of set, cases, rows, derive and
// reference is the path of a value in the scene; without a dot it names a value
// of the study itself, for formulas, tables and charts; "scene" is the scene
// file.
type File struct {
	Title    string               `yaml:"title"`
	Sweep                         // what all sweeps have in common, or the only one
	Sweeps   scene.Named[Sweep]   `yaml:"sweeps"` // tables of their own, which inherit what they do not say
	Expect   *[]string            `yaml:"expect"` // those of the scenes' expectations that all cases must meet
	Labels   scene.Named[string]  `yaml:"labels"` // what charts call a value, a path or a column
	Measures scene.Named[Measure] `yaml:"measures"`
	Plots    scene.Named[Plot]    `yaml:"plots"`
}

// Sweep is a table of cases.
type Sweep struct {
	Scene     string                `yaml:"scene"`     // scene file, relative to the study
	Set       scene.Named[string]   `yaml:"set"`       // values for all cases
	Cases     scene.Named[[]string] `yaml:"cases"`     // values to combine
	Rows      []scene.Named[string] `yaml:"rows"`      // values that go together, one case each, combined with cases
	Derive    scene.Named[string]   `yaml:"derive"`    // formulas over other values of the case and of the scene
	Reference *scene.Named[string]  `yaml:"reference"` // what a case's reference has instead of its own values
}

// Study is a study file ready to run.
type Study struct {
	Path  string
	File  *File
	Paths []string // of the values that vary or are derived: columns of the table
	Cases []Case   // those that only serve as reference last

	places   place
	columns  []string // that plots of the table can show: Paths and measures
	signals  []string // of all the scenes
	steps    []string // columns of steps.csv
	expected []string // names of what any of the scenes expects
	measures []measure
	plots    []figure
	trees    map[string]map[string]any // of scene files
	names    map[string]string         // of cases, by their inputs
}

// maxCases bounds a study.
const maxCases = 100_000

// Load reads a study file, makes its cases and looks up every name in it, with
// the scene of the first case. Check does the rest.
func Load(path string) (*Study, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file", path)
	} else if st, serr := os.Stat(path); serr == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name the study file in it", path)
	} else if err != nil {
		return nil, err
	}
	f := new(File)
	if err := scene.Decode(path, text, f); err != nil {
		if scene.IsScene(text) {
			return nil, fmt.Errorf("%s is a scene: run it with curlfree run %s, or name it as the scene of a study", path, path)
		}
		return nil, err
	}
	s := &Study{Path: path, File: f, places: places(text)}
	if err := s.combine(); err != nil {
		return nil, err
	}
	return s, s.lookUp()
}

// fail returns a fault of the study file at an item.
func (s *Study) fail(at, format string, args ...any) error {
	return &scene.Error{File: s.Path, Pos: s.places.of(at), Msg: fmt.Sprintf(format, args...)}
}

// file resolves a name against the study's folder.
func (s *Study) file(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(s.Path), name)
}
