package scene

// A draft is a scene between two parts of Load: its items are in the builder, and nothing is built. A program edits
// them there by their names, then Load builds the model, resolves outputs and expectations and inspects the result, all
// of the items as they are then:
//
//	Open: file → items of the builder   program: edits   Load: items → model, pictures, checks, messages
//
// The file has two readers. What describes the model was given to the builder by Open, and a change of it there would
// have no effect: it is refused. What describes the run is read by Load. The digest of inputs covers files and
// overrides; what a program does to a draft it cannot see, so an edited draft has none unless the program names its
// edits. Parameters that the builder has handed out count as edited: they may change at any time, unseen.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/sim"
)

// Draft is a scene that is read and not built. Its items may be edited, added and removed in Builder, and the
// description of the run in File, before Load and between several calls of it.
type Draft struct {
	// Builder has the items of the scene under their names in the file: bodies.ball is the body "ball", links and
	// joints of robots are called ROBOT.LINK and ROBOT.JOINT, their actuators ROBOT.ACTUATOR. Its Meshes are those of
	// the file by name.
	Builder *sim.Builder
	// File is the file as written, with overrides and the bodies of tables. Load reads Title, Time, Output, Render,
	// Expect, the keys since and scale of Signals, and threads and allow_unconverged of Solver; the step of Time
	// becomes Builder.TimeStep. All else describes the model and is in Builder: a change of it in File is an error of
	// Load.
	File *File
	// Edits names what the program has changed, such as "gripper 2", and becomes part of Scene.Fingerprint, so that
	// runs of the same edits can be resumed: the program states another name for other edits. Empty: an edited draft
	// has no Fingerprint.
	Edits string

	l *loader
	// as Open has left them, to find edits
	read     *File
	settings []any // fields of the builder
	revision int
	step     float64 // that Load has given to the builder last, s
	edited   bool
}

// Open reads a scene file as Load does, without building it. The error lists every fault found, as that of Load;
// faults that only building finds, such as a name that no item has, are not among them if the file has no others.
func Open(path string, overrides []string) (*Draft, error) {
	text, err := readInput(path)
	if err != nil {
		return nil, err
	}
	l, err := translate(path, text, overrides, nil)
	if err != nil {
		return nil, err
	}
	// faults of items make a draft incomplete: all are reported, with those of building
	if len(l.errs) > 0 {
		_, err := l.finish()
		return nil, err
	}
	l.builder.Meshes = draftMeshes{l}
	d := &Draft{Builder: l.builder, File: l.f.clone(), l: l, read: l.f.clone(), step: l.builder.TimeStep}
	d.settings, d.revision = settingsOf(l.builder), l.builder.Revision()
	return d, nil
}

// Load builds the scene of the draft as it is now: model, outputs, expectations, pictures, warnings and estimates. It
// may be called again after more edits; scenes that it has returned do not change. Errors of items name their place in
// the file, or kind and name of those that the program has added.
func (d *Draft) Load() (*Scene, error) {
	d.edited = d.edited || d.Builder != d.l.builder || d.Builder.Revision() != d.revision || !reflect.DeepEqual(settingsOf(d.Builder), d.settings)
	if err := d.checkFile(); err != nil {
		return nil, err
	}
	// a loader with faults of its own, which has the places of the file
	l, f := *d.l, *d.File
	l.builder, l.f, l.faults.f, l.warnings = d.Builder, &f, &f, slices.Clip(l.warnings)
	if l.checkForm(); len(l.errs) == 0 {
		l.checkTimes()
	}
	for _, name := range d.Builder.Names("signal") {
		if fault := faultOfColumn(name); fault != "" {
			l.fail(Pos{}, "signals%s", fault)
		}
	}
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	d.step = f.Time.modelStep()
	d.Builder.TimeStep = d.step
	// what runs read of the model's settings, and say of them
	f.Solver.ConditionNumber = d.Builder.ConditionNumber
	if !reflect.DeepEqual(d.Builder.Contact, d.l.law) {
		f.Solver.Contact.Name = strings.TrimPrefix(fmt.Sprintf("%T", d.Builder.Contact), "*")
	}
	sc, err := l.finish()
	// the loader has looked at all items: no edits, and nor is the step
	d.settings, d.revision = settingsOf(d.Builder), d.Builder.Revision()
	switch {
	case err != nil:
		return nil, err
	case d.Edits != "":
		l.digest([]byte(d.Edits))
		sc.Fingerprint = l.fingerprint()
	case d.edited:
		sc.Fingerprint = ""
	}
	return sc, nil
}

// checkFile notes edits of the file, and refuses those without effect, and a step that the run would not take.
func (d *Draft) checkFile() error {
	now, read := reflect.ValueOf(d.File).Elem(), reflect.ValueOf(d.read).Elem()
	model, was := reflect.ValueOf(d.File.model()).Elem(), reflect.ValueOf(d.read.model()).Elem()
	var sections []string
	for i := range now.NumField() {
		field := now.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		d.edited = d.edited || !reflect.DeepEqual(now.Field(i).Interface(), read.Field(i).Interface())
		if !reflect.DeepEqual(model.Field(i).Interface(), was.Field(i).Interface()) {
			sections = append(sections, field.Name)
		}
	}
	if len(sections) > 0 {
		return fmt.Errorf("%s: Draft.File.%s was changed after Open, which has given it to the builder: edit Draft.Builder, or give Open an override", d.l.path, strings.Join(sections, " and Draft.File."))
	}
	if h := d.Builder.TimeStep; h != d.step && h != d.File.Time.modelStep() {
		return fmt.Errorf("%s: Draft.Builder.TimeStep is %g s, and runs take steps of Draft.File.Time.Step, %g s: set that one", d.l.path, h, d.File.Time.Step)
	}
	return nil
}

// model returns the part of the file that describes the model: the rest is zero.
func (f *File) model() *File {
	m := *f
	m.Title, m.Time, m.Output, m.Render, m.Expect = "", Time{Equilibrium: f.Time.Equilibrium}, Output{}, Render{}, Named[Expectation]{}
	m.Solver.Threads, m.Solver.AllowUnconverged = 0, false
	m.Signals.Item = map[string]*Signal{}
	for name, s := range f.Signals.Item {
		if s != nil {
			signal := *s
			signal.Since, signal.Scale = nil, nil
			m.Signals.Item[name] = &signal
		}
	}
	return &m
}

// fieldsOf returns the values of the fields of a builder.
func settingsOf(b *sim.Builder) (values []any) {
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			values = append(values, v.Field(i).Interface())
		}
	}
	return values
}
