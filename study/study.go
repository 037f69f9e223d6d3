package study

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/scene"
)

// File is the content of a study file.
//
// A key of set, cases, rows, derive, reference and the values of sample is the path of a value in the
// scene, such as time.step or bodies.ball.mass. A key without a dot names a
// variable of the study itself, for formulas, tables and charts; the key "scene"
// is the scene file.
type File struct {
	// Title describes the study; it is not interpreted.
	Title string `key:"title"`

	// Sweep has what all sweeps have in common, or the only sweep of the study.
	Sweep
	// Sweeps are tables of cases of their own. Each inherits from Sweep what it
	// does not define.
	Sweeps scene.Named[Sweep] `key:"sweeps"`

	// Refine adds cases along the boundary of a condition. nil: none.
	Refine *Refine `key:"refine"`

	// Pareto adds cases near the front of measures that contradict each other. nil: none.
	Pareto *Pareto `key:"pareto"`

	// Expect lists the expectations of the scenes that every case must meet, by
	// name. nil: all of them are evaluated, and none makes the study fail.
	Expect *[]string `key:"expect"`

	// Labels are the texts with which charts show a value, a path or a column.
	Labels scene.Named[string] `key:"labels"`

	// Measures are the numbers computed for every case, one column each.
	Measures scene.Named[Measure] `key:"measures"`

	// Plots are the figures to draw; the key is the file name without extension.
	Plots scene.Named[Plot] `key:"plots"`

	// MaxCases is the largest number of cases that a study may have; 0: 10,000.
	MaxCases int `key:"max_cases"`
}

// Sweep is a parameter sweep, a table of cases: the rows, each combined with every combination of
// the values under cases. The number of cases is
//
//	max(1, len(Rows)) · Π_k len(Cases[k])
type Sweep struct {
	// Scene is the scene file, relative to the folder of the study file.
	Scene string `key:"scene"`

	// Set gives values that all cases share.
	Set scene.Named[string] `key:"set"`

	// Cases lists, for each path, the values to combine. The last path varies
	// fastest.
	Cases scene.Named[[]string] `key:"cases"`

	// Rows are sets of values that are changed together. Rows vary slowest.
	Rows []scene.Named[string] `key:"rows"`

	// Sample draws values that are changed together, as further rows. nil: none.
	Sample *Sample `key:"sample"`

	// Derive gives values as formulas over the other values of the case and of
	// the scene. Formulas are evaluated in the order of the file and may use the
	// results of earlier ones.
	Derive scene.Named[string] `key:"derive"`

	// Reference gives the values in which the reference of a case differs from the
	// case, such as a finer time step. nil: no references.
	Reference *scene.Named[string] `key:"reference"`
}

// Study is a study file whose cases are made and whose names are resolved.
type Study struct {
	// Path is the study file as given to Load.
	Path string

	// File is the content of the study file.
	File *File

	// Paths are the values that vary or are derived, in the order of the file.
	// Each is a column of the table.
	Paths []string

	// Cases are the cases of all sweeps in the order of the table, followed by
	// those that only serve as a reference.
	Cases []Case

	// positions are those of items in the study file, for messages.
	positions positions
	// columns are Paths and the measures: what plots of the table can show.
	columns []string
	// signals are those of all scenes, each once.
	signals []string
	// units are the SI units of signals; those that scenes scale, or that differ between scenes,
	// are missing.
	units map[string]string
	// steps are the columns of the steps.csv of all scenes, each once.
	steps []string
	// expected are the names of the expectations of all scenes, each once.
	expected []string
	// measures are in the order of File.Measures.
	measures []resolvedMeasure
	// plots are in the order of File.Plots.
	plots []resolvedPlot
	// files remembers the files that the scenes read.
	files *scene.Snapshot
	// trees are the contents of scene files, by path.
	trees map[string]map[string]any
	// names are the names of cases, by their scene and values.
	names map[string]string

	// sweep is the only sweep of a study that makes cases from results, and given the number of cases
	// that the file gives.
	sweep *resolvedSweep
	given int
}

// defaultMaxCases is the largest number of cases unless the study raises it. More are most
// likely a mistake in the study file: each is a scene to build, some milliseconds to check.
const defaultMaxCases = 10_000

// Load reads a study file, makes its cases and resolves every name in it against
// the columns that the scenes of the cases will write.
//
// Only one case of each scene file is built here; Check builds the others. Faults
// of the file are returned as *scene.Error, with file, line and column.
func Load(path string) (*Study, error) {
	text, err := scene.ReadInput(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", path)
	} else if st, serr := os.Stat(path); serr == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name the study file in it", path)
	} else if err != nil {
		return nil, err
	}
	f := new(File)
	if err := scene.Decode(path, text, f); err != nil {
		// a scene given in place of a study has many unknown keys: name the mistake instead
		if scene.IsScene(text) {
			return nil, fmt.Errorf("%s is a scene: run it with curlfree run %s, or name it as the scene of a study", path, path)
		}
		return nil, err
	}
	s := &Study{Path: path, File: f, positions: findPositions(text), files: new(scene.Snapshot)}
	if err := s.makeCases(); err != nil {
		return nil, err
	}
	if err := s.resolveNames(); err != nil {
		return nil, err
	}
	_, err = s.newSearch()
	return s, err
}

// maxCases is the largest number of cases of the study.
func (s *Study) maxCases() int { return cmp.Or(s.File.MaxCases, defaultMaxCases) }

// fail returns a fault at an item of the study file. The item is given by its keys
// from the top, joined with slashes.
func (s *Study) fail(at, format string, args ...any) error {
	return &scene.Error{File: s.Path, Pos: s.positions.of(at), Msg: fmt.Sprintf(format, args...)}
}

// file resolves a file name relative to the folder of the study file.
func (s *Study) file(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(s.Path), name)
}
