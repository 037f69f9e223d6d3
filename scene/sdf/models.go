package sdf

// Models in models. A nested <model>, and a file that is included, have names of their own. From
// outside they are written with the model's name in front, arm::gripper::finger; so are they in
// the robot. Here the outer model is called o, the nested one n:
//
//	frame n of o          the frame __model__ of n; it moves with the canonical link of n
//	pose of n             measured in o, or in a frame of o by relative_to; that of the <include>,
//	                      where it has one, replaces that of the file
//	placement_frame P     is at this pose instead of n:  X_ON = X_OP X_NP⁻¹                 (1)
//	<include merge>       links, joints and frames of n have no prefix; __model__ in n stays n
//
// A world whose models are joined by joints of the world is read as such an outer model, whose
// frame is the world.

import (
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// modelNode is a <model>, or a <world> with joints.
type modelNode struct {
	// e is the element whose children are read.
	e *robot.Element
	// at is the element that places it: itself, or the <include>.
	at *robot.Element
	// parsed is a robot that another format has read, whose links and joints are those of the
	// model; nil for models of SDFormat.
	parsed *robot.Robot
	// given is its name where an <include> gives one.
	given string
	// file and text are those that it is read from; empty for a model in a file of others.
	file  string
	text  []byte
	scope string // what stands before names in it: empty, or such as arm::
	frame *frame
	outer *modelNode // nil for the outermost

	static bool   // nothing of it moves
	merged bool   // its names have no prefix
	minor  int    // its file has the version 1.minor: the frame of axes and the rules of names differ
	dir    string // folder of its file, in which it names others; empty: that of the robot's file
}

// maxModels bounds the models of a file, which may include others many times.
const maxModels = 4096

// outermost makes the outermost model of an element, which is a model, an <include> or a world.
func (r *reader) outermost(e *robot.Element) {
	m := &modelNode{e: e, at: e, minor: r.minor, file: r.File, text: r.text}
	if e.Name == "include" {
		m = r.include(e, nil)
	}
	r.add(m)
}

// add adds a model with all that it contains and includes, outer ones first.
func (r *reader) add(m *modelNode) {
	// includes that double at each level would take all memory
	if len(r.models) >= maxModels {
		r.Fail(m.at.Line, "the file has or includes more than %d models", maxModels)
	}
	if r.Err != nil {
		return
	}
	r.models = append(r.models, m)
	r.nameModel(m)
	m.static = r.isStatic(m)
	// in the order of the file, nested ones and included ones mixed; All marks them as read
	for _, c := range m.e.Children {
		switch c.Name {
		case "model":
			m.e.All("model")
			r.add(&modelNode{e: c, at: c, outer: m, minor: m.minor, dir: m.dir})
		case "include":
			m.e.All("include")
			r.add(r.include(c, m))
		}
		if r.Err != nil {
			return
		}
	}
}

// isStatic reports whether a model is static. A flag of the <include> applies instead of that of the file.
func (r *reader) isStatic(m *modelNode) bool {
	static := r.flag(m.e, "static")
	if m.at != m.e {
		static = r.flagOr(m.at, "static", static)
	}
	// what stands in a static model is static
	return static || m.outer != nil && m.outer.static
}

// nameModel makes the frame of a model and the prefix of names in it.
func (r *reader) nameModel(m *modelNode) {
	name := m.given
	m.e.Attr("name") // the <include> has another
	if name == "" || m.at == m.e {
		name = r.RequiredText(m.e, "name")
	}
	m.frame = &frame{tag: "model", name: modelName, line: m.at.Line, X_UF: r3.PoseIdentity(), X_MF: r3.PoseIdentity()}
	// its frame has the name of the model, in the scope of the outer one
	switch o := m.outer; {
	case o == nil && m.e.Name == "world":
		m.frame.tag, m.frame.name = "world", worldName
	case o == nil:
	case m.merged:
		m.scope, m.frame.name = o.scope, o.scope+"_merged__"+name+"__model__"
	default:
		m.scope, m.frame.name = o.scope+name+"::", o.scope+name
	}
}

// full returns the name of a frame as the robot has it, of the name in the model at hand.
func (r *reader) full(name string) string {
	// arm::__model__ is the frame of arm
	name = strings.TrimSuffix(name, "::"+modelName)
	switch name {
	case "":
		return ""
	case modelName:
		return r.now.frame.name
	}
	return r.now.scope + name
}

// isWorld reports whether a name in the model at hand is that of the world, or of a frame on it.
func (r *reader) isWorld(name string) bool {
	f := r.frames[r.full(name)]
	return f == nil && name == worldName || f != nil && f.link == ""
}

// declareModel declares the frame of a model; all are those so far.
func (r *reader) declareModel(m *modelNode, all []*frame) []*frame {
	r.now = m
	f := m.frame
	// it moves with the canonical link: the one that is named, else the first of it or of its models
	links := m.e.All("link")
	canonical, _ := m.e.Attr("canonical_link")
	switch inner := r.inner(m); {
	case m.parsed != nil:
		canonical = r.full(m.parsed.Links[m.parsed.Root].Name)
	case canonical != "":
		canonical = r.full(canonical)
	case len(links) > 0:
		canonical = r.full(r.RequiredText(links[0], "name"))
	case inner != nil:
		canonical = inner.frame.name
	default:
		r.Fail(m.at.Line, "the model has no links")
		return nil
	}
	// the world moves with nothing
	if f.tag != "world" {
		f.on = named{name: canonical, line: m.e.Line}
	}
	if first := r.frames[f.name]; first != nil {
		r.Fail(m.at.Line, "a second <model> is called %q (the first, a %s, is in line %d): names of links, joints, frames and models must differ", f.name, first.tag, first.line)
	}
	r.frames[f.name] = f
	// The outermost is placed in the world, see place; its own frame is the origin of all poses.
	if m.outer != nil && r.Err == nil {
		// names in its pose are those of the outer model
		X, relativeTo, line := r.modelPose(m)
		r.now = m.outer
		if relativeTo = r.full(relativeTo); relativeTo == "" {
			relativeTo = m.outer.frame.name
		}
		r.now = m
		f.X_UF, f.up = X, named{name: relativeTo, line: line}
	}
	return append(all, f)
}

// inner returns the first model in a model, nil where there is none.
func (r *reader) inner(m *modelNode) *modelNode {
	for _, c := range r.models {
		if c.outer == m {
			return c
		}
	}
	return nil
}

// modelPose reads the pose of a model: that of the <include> where it has one, else that of the
// included file, which is relative to whatever includes it.
func (r *reader) modelPose(m *modelNode) (X r3.Pose, relativeTo string, line int) {
	// read in any case, so that it is not listed as ignored
	X, relativeTo, line = r.pose(m.e)
	switch {
	case m.at == m.e:
		return X, relativeTo, line
	case r.One(m.at, "pose") == nil:
		return X, "", m.at.Line
	}
	return r.pose(m.at)
}

// placement returns the full name of the frame of a model that its pose places, empty for its own.
func (r *reader) placement(m *modelNode) string {
	// that of the <include> applies instead of that of the file
	name, _ := m.e.Attr("placement_frame")
	if m.at != m.e {
		if s := r.content(m.at, "placement_frame"); s != "" {
			name = s
		}
	}
	r.now = m
	return r.full(name)
}

// placeModels moves nested models such that their placement frames are at their poses, inner
// models first: see (1).
func (r *reader) placeModels(all []*frame) {
	for i := len(r.models) - 1; i > 0 && r.Err == nil; i-- {
		m := r.models[i]
		name := r.placement(m)
		if name == "" || name == m.frame.name {
			continue
		}
		f := r.at("placement_frame", named{name: name, line: m.at.Line})
		// X_NP along the poses from P to N
		X_NP := r3.PoseIdentity()
		for range all {
			if f == nil || f == m.frame {
				break
			}
			X_NP, f = f.X_UF.Mul(X_NP), f.up.at
		}
		if f != m.frame {
			r.Fail(m.at.Line, "placement_frame %q is not placed in model %q", name, m.frame.name)
			return
		}
		m.frame.X_UF = m.frame.X_UF.Mul(X_NP.Inv())
	}
}
