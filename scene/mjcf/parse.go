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

// reader interprets the elements of one model.
type reader struct {
	robot.Reader
	open  robot.Open           // reads other files; may be nil
	parts []robot.IncludedFile // included files so far
	next  int                  // first line number that no file has
	read  map[string]bool      // included files by name

	compiler  compiler
	classes   map[string]*class
	materials map[string]paint
	meshes    map[string]*mesh
	solids    map[*mesh]*geometry.MassProperties // for 1 kg/m³, see solid

	m      *robot.Robot
	bodies []body
	named  map[string]bool  // names of links, in the file and generated
	given  map[string]bool  // names of joints in the file
	byName map[string]int   // numbers of bodies
	joints map[string]int   // numbers of joints
	refs   []float64        // positions of joints in the file
	freed  string           // name of the free joint of the root
	shown  []robot.Geometry // collision shapes of the body at hand that pictures show

	softened lines   // elements with parameters of MuJoCo's soft constraints
	planes   lines   // planes
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
// error is a *robot.Error, which names file and line, what is wrong and how to mend it. The
// warnings list everything that was ignored or assumed, sorted by line; the lines of
// included files are numbered on, see Robot.Where. Where the world has shapes, several
// bodies or one on a joint, the root is a link called world.
func Parse(in io.Reader, name string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, nil, &robot.Error{File: name, Line: 1, Msg: err.Error()}
	}
	root, err := robot.ReadElements(bytes.NewReader(text), name, "MJCF", "mujoco")
	if err != nil {
		return nil, nil, err
	}
	r := &reader{
		Reader: robot.Reader{File: name}, open: open, next: 2 + bytes.Count(text, []byte("\n")),
		read:      map[string]bool{filepath.Base(name): true},
		materials: map[string]paint{}, meshes: map[string]*mesh{}, solids: map[*mesh]*geometry.MassProperties{},
		named: map[string]bool{}, byName: map[string]int{}, joints: map[string]int{}, given: map[string]bool{},
	}
	if root.Name != "mujoco" {
		return nil, nil, &robot.Error{File: name, Line: root.Line, Msg: fmt.Sprintf("the root element is <%s>: an MJCF file begins with <mujoco>", root.Name)}
	}
	// Included elements first, then the model as one file.
	r.splice(root, "")
	if r.Err == nil {
		r.model(root)
	}
	// Faults are told in the file that they are in.
	if e, ok := r.Err.(*robot.Error); ok {
		e.File, e.Line = robot.Where(r.parts, name, e.Line)
		return nil, nil, e
	}
	// Everything that was not read.
	r.WarnUnread(flat(root))
	r.m.Includes = r.parts
	return r.m, r.Warnings, nil
}

// model reads all sections. Settings and defaults come first, then assets and bodies,
// then what refers to bodies and joints, whatever the order in the file is.
func (r *reader) model(root *robot.Element) {
	r.m = &robot.Robot{X_FR: r3.PoseIdentity(), AdjacentContact: true}
	r.m.Name, _ = root.Attr("model")
	r.compile(root)
	r.defaults(root)
	r.soft(root)
	for _, a := range root.All("asset") {
		r.assets(a)
	}
	r.world(root)
	if r.Err != nil {
		return
	}
	r.equalities(root)
	r.actuators(root)
	r.contacts(root)
	r.gravity(root)
	r.FindRoot(r.m)
	r.weigh()
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
		if _, ok := o.Attr("gravity"); ok {
			g := r.Vec(o, "gravity", r3.Vec{})
			r.m.Gravity = &g
		}
	}
}

// soft counts the elements with parameters of soft constraints, and those whose friction
// has other dimensions than sliding, and marks these parameters as read.
func (r *reader) soft(e *robot.Element) {
	any := false
	for _, name := range []string{"solref", "solimp", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "solreffix", "solimpfix"} {
		if _, ok := e.Attr(name); ok {
			any = true
		}
	}
	if any {
		r.softened.add(e.Line)
	}
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
	for _, c := range root.Children {
		if c.Name == "worldbody" || c.Name == "default" {
			hoist(c)
		} else {
			top.Children = append(top.Children, c)
		}
	}
	return top
}
