// Package mjcf reads robots in MJCF, the XML of MuJoCo, as plain data. It checks
// what it reads and lists what it ignores.
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
	open  robot.Open
	parts []robot.IncludedFile
	next  int             // first number of a line that no file has
	read  map[string]bool // files that are included

	compiler  compiler
	classes   map[string]*class
	materials map[string]paint
	meshes    map[string]*mesh
	solids    map[*mesh]*geometry.MassProperties

	m        *robot.Robot
	bodies   []body
	named    map[string]bool  // names of links that are given or taken
	byName   map[string]int   // numbers of bodies
	joints   map[string]int   // numbers of joints
	refs     []float64        // of joints: where they stand in the file
	freed    string           // name of the joint that frees the root
	given    map[string]bool  // names that joints are given
	shown    []robot.Geometry // of the body at hand, what collides and is seen
	softened lines            // parameters of MuJoCo's soft constraints
	planes   lines            // that are left out
	cones    lines            // shapes whose friction is not of sliding alone
	loose    lines            // ranges that limit nothing
	hinges   lines            // that are limited
	widest   float64          // of their limits, as written
}

// lines counts what is warned of once.
type lines struct{ first, count int }

func (l *lines) add(line int) {
	if l.count++; l.count == 1 || line < l.first {
		l.first = line
	}
}

// Parse reads the model of an MJCF file. name stands for the file in messages;
// open reads the files that it includes, and meshes where masses come from
// shapes. The error names file, line, what is wrong and how to mend it; warnings
// list everything that was ignored. Lines of included files are numbered on, see
// Robot.Where. Where the world has shapes or several bodies, or a joint hangs on
// it, the world is the root link, called world.
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
	r.splice(root, "")
	if r.Err == nil {
		r.model(root)
	}
	if e, ok := r.Err.(*robot.Error); ok {
		e.File, e.Line = robot.Where(r.parts, name, e.Line)
		return nil, nil, e
	}
	r.WarnUnread(flat(root))
	r.m.Includes = r.parts
	return r.m, r.Warnings, nil
}

// model reads all sections, whatever their order.
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
	r.doubt()
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

// doubt warns of limits that may be meant otherwise.
func (r *reader) doubt() {
	if n := r.loose.count; n > 0 {
		r.Warn(r.loose.first, "a range limits nothing%s: its second number must exceed the first, and where autolimits is false limited must be true", times(n))
	}
	if c := &r.compiler; r.hinges.count > 0 && !c.radians && !c.degrees && r.widest < 2*math.Pi+1e-3 {
		r.Warn(r.hinges.first, "hinges%s reach %.3g degrees at most: are these radians? then write <compiler angle=\"radian\"/>, else angle=\"degree\"", times(r.hinges.count), r.widest)
	}
}

// gravity notes what the model is meant for; the scene's holds.
func (r *reader) gravity(root *robot.Element) {
	for _, o := range root.All("option") {
		if _, ok := o.Attr("gravity"); ok {
			g := r.Vec(o, "gravity", r3.Vec{})
			r.m.Gravity = &g
		}
	}
}

// soft marks the parameters of soft constraints and dimensions of friction, whose
// one warning each counts the elements that have some.
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

// flat returns a root in which bodies, frames and classes do not nest, so that
// what is ignored in them is listed once, however deep it lies.
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
