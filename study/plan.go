package study

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/internal/textcell"
	"github.com/curlfree/curlfree/record"
)

// A plan is a study folder whose cases any number of processes can run, on machines that share the
// folder or have copies of it:
//
//	DIR/plan.json    the study file, the program, and digests of what follows
//	DIR/plan.csv     one row for each case: its index, its name, its hash, its values
//	DIR/bundle/      copies of all files that the cases read
//	DIR/cases/NAME/  results, as in every study folder
//
// The hash of a case covers the content of its scene, of every file that the scene reads, its values
// and the program (fingerprint.go). A plan never changes; which of its cases have a result follows from
// the results alone.

// Names of the files of a plan.
const (
	planFile     = "plan.json"
	planTable    = "plan.csv"
	bundleFolder = "bundle"
)

// planFormat is the version of the files of a plan.
const planFormat = 1

// Errors of plans.
var (
	// ErrPlanChanged is the error of a case whose files are not those that the plan was made of.
	ErrPlanChanged = errors.New("the inputs are not those of the plan: restore them, or plan the study again into another folder")
	// ErrNoPlan is the error of a folder without a plan.
	ErrNoPlan = errors.New("has no plan: make one with curlfree study plan FILE -o DIR")
)

// planNote is the content of plan.json.
type planNote struct {
	Plan    int    `json:"plan"`    // planFormat
	Study   string `json:"study"`   // study file in the bundle, relative to the plan
	Version string `json:"version"` // version of the program
	Program string `json:"program"` // digest of the program
	// Cases is the number of rows of plan.csv.
	Cases int `json:"cases"`
	// Table is the SHA-256 of plan.csv; it finds a table that was edited.
	Table string       `json:"table_sha256"`
	Files []bundleFile `json:"files"` // the bundle
}

// bundleFile is one file of a bundle.
type bundleFile struct {
	Name   string `json:"name"` // relative to the plan, with slashes
	SHA256 string `json:"sha256"`
}

// Plan is a table of cases in a folder, to be run by any number of processes.
type Plan struct {
	// Dir is the folder.
	Dir string
	// Cases are all cases, each once, by their index.
	Cases []Case

	// note is plan.json as it was read or will be written.
	note planNote
}

// isPlan reports whether a folder has a plan.
func isPlan(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, planFile))
	return err == nil
}

// MakePlan writes the plan of a study, whose cases were checked (Study.Check), into a folder. A plan of
// the same inputs that is there already is left as it is; another one is an error, unless opt.Force
// is set. Of opt, Dir, Version, Program and Force count.
func (s *Study) MakePlan(opt Options) (*Plan, error) {
	// searches choose later cases by the results of earlier ones
	if s.File.Refine != nil || s.File.Pareto != nil {
		return nil, errSearchPlanned
	}
	if err := os.MkdirAll(opt.Dir, 0o777); err != nil {
		return nil, err
	}
	// files of others are refused before any file is written
	if err := s.mayPlan(opt); err != nil {
		return nil, err
	}
	unlock, err := record.LockFolder(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("study folder %s: %w", opt.Dir, err)
	}
	defer unlock()
	// what the plan consists of
	b, err := s.bundle()
	if err != nil {
		return nil, err
	}
	program := cmp.Or(opt.Program, programDigest())
	p := &Plan{Dir: opt.Dir}
	// cases with equal values share a name and a folder, and run once
	for _, i := range s.once() {
		c := s.Cases[i]
		// the hash says later whether a result is one of these inputs
		c.planned = fingerprint(c.inputs, program)
		// cases run from the copies, which nobody edits by chance
		c.Scene = b.inBundle(c.Scene)
		p.Cases = append(p.Cases, c)
	}
	table, err := s.planRows(p.Cases)
	if err != nil {
		return nil, err
	}
	p.note = planNote{
		Plan: planFormat, Study: b.inBundle(s.Path), Version: opt.Version, Program: program,
		Cases: len(p.Cases), Table: digestOf(table), Files: b.files,
	}
	// a second call with the same inputs changes nothing
	if done, err := p.already(opt.Force); done || err != nil {
		return p, err
	}
	return p, s.writePlan(p, b, table)
}

// mayPlan refuses folders that a plan must not be written to.
func (s *Study) mayPlan(opt Options) error {
	if opt.Force {
		return nil
	}
	// files of the study, then those that only plans have
	foreign := s.ForeignFiles(opt.Dir)
	for _, name := range []string{planFile, planTable} {
		path := filepath.Join(opt.Dir, name)
		if authorship.Foreign(path) && !(name == planTable && isPlan(opt.Dir)) {
			foreign = append(foreign, path)
		}
	}
	// files in a bundle have no mark: without the mark of a study the folder is of somebody else
	bundle, mark := filepath.Join(opt.Dir, bundleFolder), filepath.Join(opt.Dir, studyFile)
	if _, err := os.Lstat(bundle); err == nil && (authorship.Foreign(mark) || !exists(mark)) {
		foreign = append(foreign, bundle)
	}
	return authorship.Refuse(foreign)
}

// exists reports whether there is something at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// already reports whether the folder has this plan; another plan is an error unless it may be
// replaced.
func (p *Plan) already(replace bool) (bool, error) {
	old, err := OpenPlan(p.Dir)
	switch {
	// with Force even a damaged plan is replaced
	case errors.Is(err, ErrNoPlan) || replace:
		return false, nil
	case err != nil:
		return false, err
	case old.note.Table != p.note.Table || old.note.Program != p.note.Program || !slices.Equal(old.note.Files, p.note.Files):
		return false, fmt.Errorf("%s has a plan of other inputs or of another program: choose another folder with -o, or replace it with --force, which keeps results of cases that are in both", p.Dir)
	}
	return true, nil
}

// writePlan writes the files of a plan; plan.json comes last, and without it there is no plan.
func (s *Study) writePlan(p *Plan, b *bundle, table []byte) error {
	// while files are replaced there is no plan
	if err := os.Remove(filepath.Join(p.Dir, planFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// the mark by which later calls see that the folder is ours
	if err := record.WriteJSON(filepath.Join(p.Dir, studyFile), struct {
		Study string `json:"study"`
	}{p.note.Study}); err != nil {
		return err
	}
	if err := b.write(p.Dir); err != nil {
		return err
	}
	if err := s.verifyBundle(p); err != nil {
		return err
	}
	err := atomicfile.Write(filepath.Join(p.Dir, planTable), func(w io.Writer) error {
		_, err := w.Write(table)
		return err
	})
	if err != nil {
		return err
	}
	return record.WriteJSON(filepath.Join(p.Dir, planFile), p.note)
}

// once lists the indices of cases with different names, in the order of the table.
func (s *Study) once() []int {
	// the first case of each name stands for the others
	var list []int
	seen := map[string]bool{}
	for i := range s.Cases {
		if !seen[s.Cases[i].Name] {
			seen[s.Cases[i].Name] = true
			list = append(list, i)
		}
	}
	return list
}

// planColumns are the columns of plan.csv, before the values for people to read.
var planColumns = []string{"index", "case", "hash", "steps", "scene", "set"}

// planRows returns plan.csv. The column set has the overrides of the scene as a JSON list.
func (s *Study) planRows(cases []Case) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	err := w.Write(textcell.EscapeAll(append(slices.Clone(planColumns), s.Paths...)))
	for i := range cases {
		c := &cases[i]
		set, jerr := json.Marshal(c.Set)
		// the shortest text that reads back as the same number of steps
		row := []string{strconv.Itoa(i), c.Name, c.planned, strconv.FormatFloat(c.Steps, 'g', -1, 64), c.Scene, string(set)}
		err = errors.Join(err, jerr, w.Write(textcell.EscapeAll(append(row, c.Values...))))
	}
	w.Flush()
	return out.Bytes(), errors.Join(err, w.Error())
}

// OpenPlan reads the plan in a folder. A table that was changed is ErrPlanChanged.
func OpenPlan(dir string) (*Plan, error) {
	p := &Plan{Dir: dir}
	// a folder without a plan is distinguished from one with a damaged plan
	if !isPlan(dir) {
		return nil, fmt.Errorf("%s %w", dir, ErrNoPlan)
	}
	path := filepath.Join(dir, planFile)
	if err := readJSON(path, &p.note); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// other formats have other columns, which must not be guessed
	if p.note.Plan != planFormat {
		return nil, fmt.Errorf("%s: the plan has format %d, this program reads %d: plan the study again", path, p.note.Plan, planFormat)
	}
	path = filepath.Join(dir, planTable)
	text, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	// an edited table would run cases that have the hash of others
	if digestOf(text) != p.note.Table {
		return nil, fmt.Errorf("%s: %w", path, ErrPlanChanged)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// the digest is that of rows as planRows writes them
	for _, cells := range rows[1:] {
		r := textcell.UnescapeAll(cells)
		c := Case{Name: r[1], planned: r[2], Scene: filepath.Join(dir, filepath.FromSlash(r[4])), Values: r[len(planColumns):]}
		c.Steps, _ = strconv.ParseFloat(r[3], 64)
		if err := json.Unmarshal([]byte(r[5]), &c.Set); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.Cases = append(p.Cases, c)
	}
	return p, nil
}

// digestOf returns the SHA-256 of a text, in hexadecimal.
func digestOf(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}
