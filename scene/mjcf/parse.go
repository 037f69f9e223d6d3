package mjcf

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Reading takes these steps, whatever the order of the sections in the file:
//
//  1. splice puts included elements in place, and counts lines on from file to file;
//  2. compile and defaults read the settings that the meaning of all attributes depends on;
//  3. assets reads meshes and materials, by name;
//  4. world reads bodies with their joints and geoms, outer bodies first;
//  5. equalities, actuators and contacts read the sections that refer to joints and bodies;
//  6. FindRoot checks that the links are one tree, and weigh bounds and scales masses;
//  7. WarnUnread lists every element and attribute that none of these has marked as read.
//
// The first fault ends reading: after it functions return values without meaning, and r.Err is
// the result. Warnings that would repeat for each element are counted (lines) and given once.

// reader interprets the elements of one model.
type reader struct {
	robot.Reader
	open  robot.Open      // reads other files; may be nil
	parts robot.Parts     // included files so far
	read  map[string]bool // included files by name

	settings      map[*robot.Element]*compiler // of bodies of attached files
	dirs          map[*robot.Element]string    // folders of meshes of attached files
	folders       map[*robot.Element]string    // folders of included files, of elements that name files
	attachedCount int                          // of <attach> so far
	attachedSize  int                          // elements that they made
	copied        int                          // elements that refer to copies
	modelCount    int                          // of attached files so far
	modelDepth    int                          // of files that attach others, at hand

	compiler  compiler
	classes   map[string]*class
	materials map[string]paint
	meshes    map[string]*mesh
	hfields   map[string]*robot.Mesh
	solids    map[*mesh]*geometry.MassProperties // for 1 kg/m³, see solid

	m           *robot.Robot
	bodies      []body
	named       map[string]bool    // names of links, in the file and generated
	given       map[string]bool    // names of joints in the file
	looped      map[string]bool    // names of loops and couplings
	driven      map[string]bool    // names of actuators
	byName      map[string]int     // numbers of bodies
	joints      map[string]int     // numbers of joints
	refs        []float64          // positions of joints in the file
	freed       string             // name of the free joint of the root
	tendons     map[string]*tendon // fixed ones, by name
	controls    []control          // of the actuators of the file, in its order
	flexes      []string           // names of <flexcomp>
	oscillators []oscillator       // joints with springdamper
	ratios      []int              // actuators whose damping is a ratio
	shown       []robot.Geometry   // collision shapes of the body at hand that pictures show

	softened lines   // elements with parameters of MuJoCo's soft constraints
	planes   lines   // planes
	fixed    lines   // joints of type fixed
	cones    lines   // shapes with friction of other dimensions than sliding
	loose    lines   // ranges that limit nothing
	hinges   lines   // hinges with limits
	widest   float64 // largest limit of these, as written
}

// lines counts occurrences that one warning speaks of.
type lines struct{ first, count int }

// add counts an occurrence in a line.
func (l *lines) add(line int) {
	if l.count++; l.count == 1 || line < l.first {
		l.first = line
	}
}

// Parse reads the model of an MJCF file. The parameter name stands for the file in
// messages; open reads included files, and meshes where masses follow from shapes. The
// error is a *robot.Error with file, line, fault and remedy. The warnings list all elements
// that were ignored and all assumptions, sorted by line; the lines of included files are
// numbered on, see Robot.Where. Where the world has shapes, several bodies or one on a
// joint, the root is a link called world.
func Parse(in io.Reader, name string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	// The whole text, since its lines are counted on for included files.
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, nil, &robot.Error{File: name, Line: 1, Msg: err.Error()}
	}
	root, err := robot.ReadElements(bytes.NewReader(text), name, "MJCF", "mujoco")
	if err != nil {
		return nil, nil, err
	}
	r := &reader{
		Reader: robot.Reader{File: name}, open: open, parts: robot.NewParts(text),
		read:      map[string]bool{filepath.Base(name): true},
		materials: map[string]paint{}, meshes: map[string]*mesh{}, hfields: map[string]*robot.Mesh{}, solids: map[*mesh]*geometry.MassProperties{},
		named: map[string]bool{}, byName: map[string]int{}, joints: map[string]int{}, given: map[string]bool{}, looped: map[string]bool{},
		driven: map[string]bool{}, tendons: map[string]*tendon{},
	}
	if root.Name != "mujoco" {
		return nil, nil, &robot.Error{File: name, Line: root.Line, Msg: fmt.Sprintf("the root element is <%s>: an MJCF file begins with <mujoco>", root.Name)}
	}
	// Included elements first, then attached ones, then the model as one file.
	r.settings = map[*robot.Element]*compiler{}
	r.dirs, r.folders = map[*robot.Element]string{}, map[*robot.Element]string{}
	r.splice(root, "")
	if r.Err == nil {
		r.model(root)
	}
	// Faults are reported in the file that they are in.
	if e, ok := r.Err.(*robot.Error); ok {
		e.File, e.Line = robot.Where(r.parts.Files, name, e.Line)
		return nil, nil, e
	}
	// Everything that was not read.
	r.WarnUnread(flat(root))
	r.m.Includes = r.parts.Files
	return r.m, r.Warnings, nil
}

// model reads all sections. Settings and defaults come first, then assets and bodies,
// then what refers to bodies and joints, whatever the order in the file is.
func (r *reader) model(root *robot.Element) {
	// Links that a joint connects may touch in MJCF: contacts of parents are excluded one by one.
	r.m = &robot.Robot{X_FR: r3.PoseIdentity(), AdjacentContact: true}
	r.m.Name, _ = root.Attr("model")
	r.compile(root)
	r.expandWorld(root, "")
	r.defaults(root)
	// Parameters of soft constraints are counted over the whole file.
	r.soft(root)
	for _, a := range root.All("asset") {
		r.assets(a)
	}
	r.world(root)
	if r.Err != nil {
		return
	}
	// Sections that refer to bodies and joints by name; equalities and actuators refer to tendons.
	r.tendonSections(root)
	if r.Err != nil {
		return
	}
	r.equalities(root)
	r.actuators(root)
	r.contacts(root)
	r.gravity(root)
	r.keyframes(root)
	// The tree, then masses, which all links must have for the total.
	r.FindRoot(r.m)
	r.weigh()
	r.dampByRatio()
	r.setSprings()
	r.checkSums()
	r.warnRanges()
	r.warnLeftOut()
}

// warnLeftOut warns once of each kind of parts that have no counterpart.
func (r *reader) warnLeftOut() {
	if n := r.softened.count; n > 0 {
		r.Warn(r.softened.first, "ignored: solref and solimp%s: they soften MuJoCo's constraints and have no exact twin in physics: give stiffness and dissipation to materials of the scene", times(n))
	}
	if n := r.cones.count; n > 0 {
		r.Warn(r.cones.first, "ignored: condim other than 3%s: friction is against sliding and nothing else: what has none, condim 1, wants a material of the scene", times(n))
	}
	if n := r.fixed.count; n > 0 {
		r.Repair(r.fixed.first, "a <joint> of type fixed%s is left out, as a body without a joint is fixed", times(n))
	}
	if n := r.planes.count; n > 0 {
		r.Warn(r.planes.first, "ignored: a <geom> of type plane%s: give the scene a body with a half_space", times(n))
	}
}

// warnRanges warns of ranges that limit nothing, and of limits in degrees that look like
// radians.
func (r *reader) warnRanges() {
	if n := r.loose.count; n > 0 {
		r.Warn(r.loose.first, "a range limits nothing%s: its second number must exceed the first, and where autolimits is false limited must be true", times(n))
	}
	if c := &r.compiler; r.hinges.count > 0 && !c.radians && !c.degrees && r.widest < 2*math.Pi+1e-3 {
		r.Warn(r.hinges.first, "hinges%s reach %.3g degrees at most: are these radians? then write <compiler angle=\"radian\"/>, else angle=\"degree\"", times(r.hinges.count), r.widest)
	}
}

// gravity reads the gravity that the model is designed for.
func (r *reader) gravity(root *robot.Element) {
	for _, o := range root.All("option") {
		// Where several <option> elements give it, the last counts.
		if _, ok := o.Attr("gravity"); ok {
			g := r.Vec(o, "gravity", r3.Vec{})
			r.m.Gravity = &g
		}
	}
}

// soft counts the elements with parameters of soft constraints, those whose friction has other
// dimensions than sliding, and marks these parameters as read.
func (r *reader) soft(e *robot.Element) {
	any := false
	// solref is a time constant and damping ratio, solimp an impedance; both have no counterpart.
	for _, name := range []string{"solref", "solimp", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "solreffix", "solimpfix"} {
		if _, ok := e.Attr(name); ok {
			any = true
		}
	}
	if any {
		r.softened.add(e.Line)
	}
	// condim 1 is without friction, 4 adds torsional, 6 rolling friction; 3 is sliding alone.
	if s, ok := e.Attr("condim"); ok && s != "3" {
		r.cones.add(e.Line)
	}
	for _, c := range e.Children {
		r.soft(c)
	}
}

// flat returns a root in which bodies, frames and classes do not nest, so that parts of
// one kind in them are listed once, whatever their depth.
func flat(root *robot.Element) *robot.Element {
	top := &robot.Element{Name: root.Name, Line: root.Line}
	var hoist func(e *robot.Element)
	hoist = func(e *robot.Element) {
		// A nested element is put beside the one around it.
		own := e.Children
		e.Children = nil
		top.Children = append(top.Children, e)
		for _, c := range own {
			switch c.Name {
			case "body", "frame", "default":
				hoist(c)
			default:
				top.Children = append(top.Children, c)
			}
		}
	}
	// Only bodies and classes nest.
	for _, c := range root.Children {
		if c.Name == "worldbody" || c.Name == "default" {
			hoist(c)
		} else {
			top.Children = append(top.Children, c)
		}
	}
	return top
}
