package scene

// Load makes a model of a scene in the order in which sections depend on each other:
//
//	settings → tables → materials → meshes → robots, bodies → deformables
//	         → pairs → constraints → drives → signals │ expectations → model → pictures, checks
//
// What is before the bar gives the builder its items; programs may edit these before the rest (draft.go).
//
// Tables come before materials because they only add bodies to the file. Robots come before
// bodies, and both before deformables, because bodies are numbered in the order in which they
// are added, and results depend on it in their last bits. Pairs come after robots, whose files
// add variants of materials.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// Scene is a scene file with the model built from it, ready to run.
type Scene struct {
	// Path is the path of the scene file, as it was given.
	Path string
	// File is the file as written, with overrides and the bodies of tables.
	File *File
	// Model is immutable: any number of runs may share it.
	Model *sim.Model
	// Signals are evaluated at every recorded step; their reference values belong to the run,
	// see NewMemory.
	Signals *Signals
	// Checks are the expectations, which determine the exit code at the end of the run.
	Checks []record.Check
	// Static is the header of recordings: shapes, undeformed positions, render settings.
	Static *record.Static
	// Warnings are probable mistakes, each once, with position and remedy.
	Warnings []string
	// Fingerprint is the digest of all inputs on which results depend; see inputs. It is empty for a draft that a
	// program has edited without saying so in Draft.Edits: its runs cannot be resumed.
	Fingerprint string
	// Files are the paths of the files that the fingerprint covers, each once: whoever has copies of
	// them that lie alike can build the same scene.
	Files []string

	// Contacts are estimates for each pair of materials of rigid bodies that can meet.
	Contacts []check.ContactEstimate
	// DeformableContacts are the estimates of deformables.
	DeformableContacts []check.DeformableEstimate
	// Bending are the estimated discretization errors of the deformables.
	Bending []check.BendingEstimate
}

// Load reads a scene file, applies overrides ("time.step=0.002") and builds it. The
// error lists every fault found, each with its position and remedy. Open does the same in two parts, between which a
// program can edit the scene.
func Load(path string, overrides []string) (*Scene, error) { return loadWith(path, overrides, nil) }

// loadWith is Load, and compares the files that are read with a snapshot unless that is nil.
func loadWith(path string, overrides []string, snapshot *Snapshot) (*Scene, error) {
	text, err := readInput(path)
	if err != nil {
		return nil, err
	}
	return loadBytes(path, text, overrides, snapshot)
}

// loadBytes is loadWith of a file that is read.
func loadBytes(path string, text []byte, overrides []string, snapshot *Snapshot) (*Scene, error) {
	l, err := translate(path, text, overrides, snapshot)
	if err != nil {
		return nil, err
	}
	return l.finish()
}

// translate gives the items of a scene to a builder. Faults of items are kept for finish, which may find more.
func translate(path string, text []byte, overrides []string, snapshot *Snapshot) (*loader, error) {
	f := defaults()
	f.Dir = filepath.Dir(path)
	outdated, err := parse(path, text, f)
	if err != nil {
		// a study has keys that a scene does not have: say what it is
		if hasKey(text, "scene") && !hasKey(text, "time") {
			return nil, fmt.Errorf("%s is a study: run it with curlfree study %s", path, path)
		}
		return nil, err
	}
	f.written = f.Time.Duration
	for _, o := range overrides {
		if err := f.Override(o); err != nil {
			return nil, err
		}
	}
	l := newLoader(path, f)
	l.warnings = append(outdated, f.outdated...)
	// overrides count as inputs: another value is another run
	l.snapshot = snapshot
	l.digestFile(path, text)
	for _, o := range overrides {
		l.digest([]byte(o))
	}
	return l, l.addItems()
}

// CheckRobot reads a robot file with all the files that it names, as a scene with this robot would. It
// returns the robot, and warnings of all elements that are ignored or probably wrong. The error lists
// every fault; if strict is set, also every fault that was corrected, and what moves the robot in
// other programs and is left out here. Materials are those of the program: contact parameters of the
// file are checked on top of these.
func CheckRobot(path string, strict bool) (m *robot.Robot, warnings []string, err error) {
	f := defaults()
	// a scene around the robot; the time does not matter
	f.Time = Time{Step: 0.01, Duration: 1}
	l := newLoader(path, f)
	l.addMaterials()
	m = l.robot("robot", &Robot{File: path, Strict: strict})
	// a robot that is fixed as a whole is sound, though nothing moves
	if len(l.errs) == 0 {
		if _, err := l.builder.Build(); err != nil && !errors.Is(err, sim.ErrNothingMoves) {
			l.failBuild(err)
		}
	}
	return m, l.warnings, errors.Join(l.errs...)
}

// loader turns a scene file into the calls of a sim.Builder, and what is not of the model into
// the rest of a Scene. Steps of loading share this one value in place of long lists of arguments;
// each step is a method in the file of its section.
type loader struct {
	faults
	inputs
	f       *File
	builder *sim.Builder

	// what sections pass to later ones: see the head of the file for their order
	materials materialTable
	meshes    map[string]*meshData
	pictures  pictures
	robots    robotFacts
	// robotMeshes are those of all robots
	robotMeshes map[sharedMesh]*robotMesh
	law         constraints.ContactModel // of the solver section
	// nonlinear reports a deformable with a law that the midpoint rule does not integrate.
	nonlinear bool
}

// newLoader returns a loader of a decoded file with an empty builder.
func newLoader(path string, f *File) *loader {
	return &loader{
		faults: newFaults(path, f), inputs: inputs{dir: f.Dir}, f: f, builder: sim.NewBuilder(),
		materials: newMaterialTable(), meshes: map[string]*meshData{}, pictures: newPictures(), robots: newRobotFacts(), robotMeshes: map[sharedMesh]*robotMesh{},
	}
}

// addItems gives the builder what the scene has, in the order of the file's sections. Each step adds the
// faults that it finds; the error is of what overrides broke, because the rest relies on complete items.
func (l *loader) addItems() error {
	if l.checkForm(); len(l.errs) > 0 {
		return errors.Join(l.errs...)
	}
	// settings, then items in the order of their dependence
	l.checkTimes()
	l.setSolver()
	l.readTables()
	l.checkNames()
	l.addMaterials()
	l.loadMeshes()
	l.addBodies()
	l.addDeformables()
	l.addPairs()
	l.addConstraints()
	l.addDrives()
	l.addLoads()
	l.addLiveValues()
	l.addSignals()
	l.chooseRule()
	return nil
}

// finish builds the model of the builder's items, and what a scene has beside it.
func (l *loader) finish() (*Scene, error) {
	// expectations need signals only
	checks := l.checksOf(l.signalNames())
	// names are resolved and bodies numbered here
	model, err := l.builder.Build()
	if err != nil {
		l.failBuild(err)
	}
	// what changed explains the other errors
	if err := l.unchanged(); err != nil {
		return nil, err
	}
	if err := errors.Join(l.errs...); err != nil {
		return nil, err
	}
	// warnings only of scenes that can run
	l.warnBuild()
	// everything beside the model
	sc := &Scene{
		Path: l.path, File: l.f, Model: model, Checks: checks, Signals: newSignals(l.f, model),
		Fingerprint: l.fingerprint(), Files: unique(l.files),
	}
	// after the model, which numbers bodies
	if sc.Static, err = l.static(model); err != nil {
		return nil, err
	}
	if err := l.checkModel(sc); err != nil {
		return nil, err
	}
	sc.Warnings = unique(l.warnings)
	return sc, nil
}

// hasKey reports whether a line of a YAML text begins with a key. The text may be faulty YAML, so
// that keys are found by lines, not by decoding.
func hasKey(text []byte, key string) bool {
	if plain, err := inputfile.Text(text); err == nil {
		text = plain
	}
	return bytes.HasPrefix(text, []byte(key+":")) || bytes.Contains(text, []byte("\n"+key+":"))
}

// IsScene reports whether a text has the keys of a scene rather than of a study.
func IsScene(text []byte) bool {
	// a study names the scene that it runs
	return hasKey(text, "time") && !hasKey(text, "scene")
}

// unique returns texts in their order, each once: the builder and package check warn of
// some things both.
func unique(texts []string) []string {
	var out []string
	for _, s := range texts {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// exists reports whether there is a file or folder at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
