package sdf

// The graph of frames. Links, joints, <frame>s and the model each have a frame with two
// references to others:
//
//   - up: the frame that the pose is measured in (relative_to). Following it leads to the
//     outermost model M. The pose in the model is the product of all poses on the way.
//   - on: the frame that it is attached to: a joint to its child, a <frame> to what
//     attached_to names, the model to its canonical link. Following it leads to a link, with
//     which it moves.
//
// Both graphs must be free of cycles, but a pose may lead through frames that are attached to
// other links: poses are those at the start, where all joints are at zero.

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// frame is the frame of a link, a joint, a <frame> or the model itself. Poses may be
// relative to any of them.
type frame struct {
	tag, name string // of its element
	line      int
	up        named   // frame that its pose is measured in
	on        named   // frame that it is attached to, not of links
	X_UF      r3.Pose // pose in the frame up
	X_MF      r3.Pose // pose in the model
	depth     int     // number of frames between it and the model
	link      string  // name of the link that it moves with
}

// named is a frame by the name that a line of the file gives.
type named struct {
	name string
	line int
	at   *frame // nil until it is resolved
}

// modelName is the name of the model's own frame in the format.
const modelName = "__model__"

// worldName is the name of the world in the format.
const worldName = "world"

// declare finds the frames of all models, and resolves their poses in the outermost and the
// links that they move with.
func (r *reader) declare() {
	var all []*frame
	for _, m := range r.models {
		if all = r.declareModel(m, all); r.Err != nil {
			return
		}
	}
	// All children that have a frame, in the order of the file.
	for _, m := range r.models {
		r.now = m
		if m.parsed != nil {
			all = r.declareRobot(m, all)
			continue
		}
		// Joints and links are read later, frames only here.
		m.e.All("frame")
		r.rename(m)
		for _, c := range m.e.Children {
			if c.Name == "link" || c.Name == "joint" || c.Name == "frame" {
				all = append(all, r.frame(c))
			}
		}
	}
	if r.Err == nil {
		r.resolvePoses(all)
	}
	if r.Err == nil {
		r.resolveLinks(all)
	}
}

// frame declares a child of a model.
func (r *reader) frame(e *robot.Element) *frame {
	own := r.RequiredText(e, "name")
	f := &frame{tag: e.Name, name: r.full(own), line: e.Line}
	// Links, joints and frames share one set of names, some of which are reserved.
	switch first := r.frames[f.name]; {
	case own == worldName && f.tag != "link" || strings.HasPrefix(own, "__") && strings.HasSuffix(own, "__"):
		r.Fail(e.Line, "<%s> %q: the format reserves this name: choose another", f.tag, own)
	case first != nil:
		r.Fail(e.Line, "a second <%s> is called %q (the first, a %s, is in line %d): names of links, joints and frames must differ",
			f.tag, f.name, first.tag, first.line)
	// Bullet's files describe the world as a link.
	case own == worldName:
		r.Repair(e.Line, "<link> %q: the format reserves this name: taken as a link like others", f.name)
		r.frames[f.name] = f
	default:
		r.frames[f.name] = f
	}
	to := modelName // frame that a pose is measured in where it names none
	// What it is attached to is also the frame of its pose, unless that says otherwise.
	switch e.Name {
	case "joint":
		if to = r.name(e, "child"); to == worldName {
			r.Fail(e.Line, "the child of joint %q is the world, which nothing moves: swap parent and child", f.name)
		}
		f.on = named{name: r.full(to), line: e.Line}
	case "frame":
		if s, _ := e.Attr("attached_to"); s != "" {
			to = s
		}
		f.on = named{name: r.full(to), line: e.Line}
	}
	// The pose is measured in relative_to, else in the frame that this kind of element has by default.
	X, relativeTo, line := r.pose(e)
	if relativeTo == "" {
		relativeTo = to
	}
	f.X_UF, f.up = X, named{name: r.full(relativeTo), line: line}
	return f
}

// at resolves the frame of a full name that a line names; nil after a fault.
func (r *reader) at(what string, n named) *frame {
	f := r.frames[n.name]
	// The world is outside of the model.
	switch {
	case f != nil:
	case n.name == r.now.scope+worldName:
		r.Fail(n.line, "%s names the world: inside a model write %s", what, modelName)
	default:
		r.Fail(n.line, "%s names %q: there is no such link, joint or frame", what, n.name)
	}
	return f
}

// resolvePoses computes the poses of all frames in the model.
func (r *reader) resolvePoses(all []*frame) {
	for _, f := range all {
		// The model's own frame is the root of the poses.
		if f == r.models[0].frame {
			continue
		}
		what := fmt.Sprintf("the pose of %s %q", f.tag, f.name)
		if f.tag == "joint" && f.up.name == f.on.name {
			what = fmt.Sprintf("the child of joint %q", f.name)
		}
		if f.up.at = r.at(what, f.up); f.up.at == nil {
			return
		}
	}
	if r.placeModels(all); r.Err != nil {
		return
	}
	r.resolve(all, func(f *frame) *named { return &f.up }, "its pose is relative to", func(f *frame) {
		f.X_MF, f.depth = f.up.at.X_MF.Mul(f.X_UF), f.up.at.depth+1
	})
}

// resolveLinks finds the links that frames move with.
func (r *reader) resolveLinks(all []*frame) {
	// The chain of a frame that is attached to a model ends at its canonical link.
	for _, m := range r.models {
		if f := r.frames[m.frame.on.name]; m.frame.tag != "world" && (f == nil || f.tag != "link" && f.tag != "model") {
			r.Fail(m.e.Line, "canonical_link=%q: there is no such link", m.frame.on.name)
			return
		}
	}
	for _, f := range all {
		// A link moves with itself; all others move with the frame that they are attached to.
		if f.tag == "link" {
			f.link = f.name
		} else if f.tag == "world" {
			continue
		} else if f.on.at = r.at(fmt.Sprintf("%s %q", f.tag, f.name), f.on); f.on.at == nil {
			return
		}
	}
	r.resolve(all, func(f *frame) *named { return &f.on }, "it moves with", func(f *frame) { f.link = f.on.at.link })
}

// resolve calls done for every frame that refers to another by next, first for the one
// that is referred to. Cycles are faults; how describes what the reference means.
func (r *reader) resolve(all []*frame, next func(*frame) *named, how string, done func(*frame)) {
	const open, closed = 1, 2 // on the path at hand; resolved
	// Walk from each frame along its references, up to one that is resolved.
	state := map[*frame]int{}
	var path []*frame
	for _, f := range all {
		path = path[:0]
		for f != nil && state[f] == 0 {
			state[f] = open
			path = append(path, f)
			f = next(f).at
		}
		if f != nil && state[f] == open {
			r.Fail(next(f).line, "%s %q: %s %q, which leads back to it: one of them must be relative to the model or to a link", f.tag, f.name, how, next(f).name)
			return
		}
		// Resolve the path from its end.
		for i := len(path) - 1; i >= 0; i-- {
			state[path[i]] = closed
			if next(path[i]).at != nil {
				done(path[i])
			}
		}
	}
}

// nearby bounds the frames between two that are related through their common frame;
// frames farther apart are related through the model.
const nearby = 64

// relative returns X_AB of two frames. It multiplies only the poses on the way between
// them, so that the pose of a frame relative to its neighbour has no round-off.
func relative(a, b *frame) r3.Pose {
	// Go up from the deeper one of both until they meet.
	X_UA, X_VB := r3.PoseIdentity(), r3.PoseIdentity()
	// u is an ancestor of a or a itself, with X_UA; v likewise of b, with X_VB.
	u, v := a, b
	for range nearby {
		switch {
		case u == v && u == a:
			return X_VB
		case u == v && v == b:
			return X_UA.Inv()
		case u == v:
			return X_UA.Inv().Mul(X_VB)
		case u.depth >= v.depth:
			X_UA, u = u.X_UF.Mul(X_UA), u.up.at
		default:
			X_VB, v = v.X_UF.Mul(X_VB), v.up.at
		}
	}
	// X_AB = X_MA⁻¹ X_MB
	return a.X_MF.Inv().Mul(b.X_MF)
}

// in returns the pose of an element on a link in that link's frame, whatever frame the
// file measures it in.
func (r *reader) in(on *frame, e *robot.Element) r3.Pose {
	X, relativeTo, line := r.pose(e)
	// Without relative_to the pose is measured in the link.
	if relativeTo == "" || r.Err != nil {
		return X
	}
	f := r.at(fmt.Sprintf("the pose of <%s>", e.Name), named{name: r.full(relativeTo), line: line})
	if f == nil {
		return X
	}
	// X_LE = X_LF X_FE, with F the frame that the pose is measured in
	return relative(on, f).Mul(X)
}

// worldFrame returns the pose in the world of a <frame> of the world, by which a line places the model.
func (r *reader) worldFrame(name string, line int) r3.Pose {
	X_WF, first := r3.PoseIdentity(), name
	frames := map[string]*robot.Element{}
	if name != "" && r.around != nil {
		for _, f := range r.around.All("frame") {
			own, _ := f.Attr("name")
			frames[own] = f
		}
	}
	// from frame to frame up to the world; a circle has no end
	for range nearby {
		if name == "" || name == worldName {
			return X_WF
		}
		f := frames[name]
		if f == nil {
			break
		}
		X, relativeTo, _ := r.pose(f)
		if name, _ = f.Attr("attached_to"); relativeTo != "" {
			name = relativeTo
		}
		X_WF = X.Mul(X_WF)
	}
	r.Fail(line, "the model's pose is relative to %q, which is not placed by frames of its world alone: give its pose in the world", first)
	return X_WF
}

// place reads the pose of the model in the world: that of its own frame, or of the
// placement frame.
func (r *reader) place(m *modelNode) {
	X, relativeTo, line := r.modelPose(m)
	X = r.worldFrame(relativeTo, line).Mul(X)
	r.X_WM = X
	// With F the placement frame, X_WM X_MF is the pose that is given.
	if name := r.placement(m); name != "" && r.Err == nil {
		if f := r.at("placement_frame", named{name: name, line: m.at.Line}); f != nil {
			r.X_WM = X.Mul(relative(f, m.frame))
		}
	}
}
