package mjcf

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxBodies bounds the pairs of bodies that masks and filters are asked for.
const maxBodies = 4096

// body is what contact filters know of a body. Those without joints are one with
// what they are fixed on.
type body struct {
	link   int
	parent int // body
	welded int // first body of those that are one
	masks  map[mask]bool
}

// mask says what a shape may touch.
type mask struct{ is, touches uint32 }

// item is an element in a body, through frames around it.
type item struct {
	e     *robot.Element
	X_BI  r3.Pose // of the innermost frame around it, in the body
	class string
}

// pending is a body yet to be read.
type pending struct {
	item
	parent int // body
}

// world reads the bodies of the file and hangs them together.
func (r *reader) world(root *robot.Element) {
	sections := root.All("worldbody")
	if len(sections) == 0 {
		r.Fail(root.Line, "the model has no <worldbody>, hence no bodies")
		return
	}
	var items []item
	for _, w := range sections {
		class, _ := w.Attr("childclass")
		r.names(w)
		items = r.contents(items, w, r3.PoseIdentity(), class)
	}
	ground := robot.Link{Name: "world", Line: sections[0].Line}
	r.bodies = []body{{link: -1, masks: map[mask]bool{}}}
	r.byName["world"] = 0
	var tops []item
	for _, it := range items {
		switch it.e.Name {
		case "geom":
			r.geom(&ground, it, 0, nil)
		case "body":
			tops = append(tops, it)
		case "joint", "freejoint":
			r.Fail(it.e.Line, "<%s> in <worldbody>: the world does not move: put it into a body", it.e.Name)
		}
	}
	r.mixed(&ground)
	shaped := len(ground.Visuals)+len(ground.Collisions) > 0
	if len(tops) == 0 && !shaped && r.Err == nil {
		r.Fail(sections[0].Line, "<worldbody> has no bodies")
	}
	if r.Err != nil {
		return
	}
	if shaped || len(tops) != 1 || r.hangs(tops[0]) {
		r.bodies[0].link = r.link(ground)
		if len(tops) > 1 || shaped && len(tops) > 0 {
			r.Warn(sections[0].Line, "the bodies of the world are one robot, whose links touch each other only with self_collision: true in the scene")
		}
	}
	r.m.Root = 0
	for _, it := range tops {
		r.trees(it)
	}
}

// names takes in the names that bodies and joints are given, before others are
// made up.
func (r *reader) names(e *robot.Element) {
	r.named["world"] = true
	for _, c := range e.Children {
		name, ok := c.Attr("name")
		switch {
		case !ok:
		case c.Name == "body":
			r.named[name] = true
		case c.Name == "joint" || c.Name == "freejoint":
			r.given[name] = true
		}
		r.names(c)
	}
}

// hangs reports whether a body of the world is held by a joint.
func (r *reader) hangs(it item) bool {
	for _, in := range r.contents(nil, it.e, r3.PoseIdentity(), it.class) {
		if in.e.Name == "joint" && r.view(in.e, "joint", in.class).text("type", "hinge") != "free" {
			return true
		}
	}
	return false
}

// contents appends the elements in a body, those in frames too, in their order.
func (r *reader) contents(items []item, e *robot.Element, X r3.Pose, class string) []item {
	if c, ok := e.Attr("childclass"); ok {
		r.classOf(e, c)
		class = c
	}
	e.Attr("name")
	for _, c := range e.Children {
		switch c.Name {
		case "frame":
			e.All("frame")
			items = r.contents(items, c, X.Mul(r.pose(view{c})), class)
		case "body", "geom", "joint", "freejoint", "inertial":
			e.All(c.Name)
			items = append(items, item{c, X, class})
		case "replicate", "attach", "composite":
			r.Fail(c.Line, "<%s>: bodies are not made here: write out the bodies that it makes; MuJoCo saves models so", c.Name)
		}
	}
	return items
}

// link takes in a link and returns its number.
func (r *reader) link(l robot.Link) int {
	r.m.Links = append(r.m.Links, l)
	return len(r.m.Links) - 1
}

// free returns a name that no link has yet, made of this.
func (r *reader) free(name string) string {
	for i, wanted := 2, name; r.named[name]; i++ {
		name = fmt.Sprintf("%s_%d", wanted, i)
	}
	r.named[name] = true
	return name
}

// trees reads a body of the world and all that hang on it.
func (r *reader) trees(top item) {
	stack := []pending{{top, 0}}
	for len(stack) > 0 && r.Err == nil {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		inner := r.body(p)
		for i := len(inner) - 1; i >= 0; i-- { // in the order of the file
			stack = append(stack, inner[i])
		}
	}
}

// body reads one body and returns those in it.
func (r *reader) body(p pending) (inner []pending) {
	number, name := r.enter(p)
	if r.Err != nil {
		return nil
	}
	l := robot.Link{Name: name, Line: p.e.Line}
	items := r.contents(nil, p.e, r3.PoseIdentity(), p.class)
	inertial := r.ownInertia(items, name)
	var total geometry.MassProperties
	weigh := &total
	if inertial != nil || r.compiler.fromGeoms == "false" {
		weigh = nil
	}
	var joints []item
	for _, it := range items {
		switch it.e.Name {
		case "geom":
			r.geom(&l, it, number, weigh)
		case "body":
			inner = append(inner, pending{it, number})
		case "joint", "freejoint":
			joints = append(joints, it)
		}
	}
	r.mixed(&l)
	switch {
	case inertial != nil:
		l.Inertial = r.inertial(*inertial, name)
	case total.Mass > 0:
		l.Inertial = &robot.Inertial{Mass: total.Mass, Com: total.Com, Inertia: total.Inertia}
	}
	X_PB := p.X_BI.Mul(r.pose(view{p.e}))
	if r.Err != nil {
		return nil
	}
	r.hang(l, number, X_PB, joints)
	return inner
}

// enter takes in a body by its name, or one made up.
func (r *reader) enter(p pending) (number int, name string) {
	number = len(r.bodies)
	name, _ = p.e.Attr("name")
	if name == "" {
		name = r.free(fmt.Sprintf("body%d", number))
	}
	first, twice := r.byName[name]
	switch {
	case twice && first == 0:
		r.Fail(p.e.Line, "a body is called world, as that around all is: choose another name")
	case twice:
		line := r.line(r.m.Links[r.bodies[first].link].Line)
		r.Fail(p.e.Line, "a second body is called %q (the first is in line %d): names must differ", name, line)
	case number >= maxBodies:
		r.Fail(p.e.Line, "the file has too many bodies to be a robot: %d are allowed", maxBodies)
	}
	r.byName[name] = number
	r.bodies = append(r.bodies, body{parent: p.parent, welded: number, masks: map[mask]bool{}})
	return number, name
}

// ownInertia returns the inertia that a body is given, nil when it has none or shapes
// count instead.
func (r *reader) ownInertia(items []item, body string) (inertial *item) {
	for i := range items {
		switch e := items[i].e; {
		case e.Name != "inertial":
		case r.compiler.fromGeoms == "true":
			e.MarkRead()
		case inertial != nil:
			r.Fail(e.Line, "a second <inertial> in body %q: keep one", body)
		default:
			inertial = &items[i]
		}
	}
	return inertial
}

// mixed shows what collides beside what is only seen, as MuJoCo does with the
// groups 0 to 2; a link of which nothing is only seen is shown as it collides.
func (r *reader) mixed(l *robot.Link) {
	if len(l.Visuals) > 0 {
		l.Visuals = append(l.Visuals, r.shown...)
	}
	r.shown = r.shown[:0]
}

// hang makes the link of a body, and the joints that hold it: several of one body
// are a chain with massless links between.
func (r *reader) hang(l robot.Link, number int, X_PB r3.Pose, joints []item) {
	b := &r.bodies[number]
	parent := r.bodies[b.parent].link
	if len(joints) == 0 {
		b.welded = r.bodies[b.parent].welded
	}
	free := r.floats(l.Name, joints, b.parent == 0)
	b.link = -1
	switch {
	case r.Err != nil:
		return
	case parent < 0: // the root
		r.m.X_FR, r.m.Floating = X_PB, free
		if free {
			r.freed = r.jointName(joints[0].e, l.Name)
		}
		b.link = r.link(l)
	case free:
		b.link = r.link(l)
		r.joint(r.plain(joints[0].e.Line, r.jointName(joints[0].e, l.Name), robot.Floating, parent, b.link, X_PB), 0)
	case len(joints) == 0:
		b.link = r.link(l)
		r.joint(r.plain(l.Line, r.spare(r.m.Links[parent].Name+"_"+l.Name), robot.Fixed, parent, b.link, X_PB), 0)
	default:
		X := X_PB
		for i, it := range joints {
			child := l
			if i < len(joints)-1 {
				child = robot.Link{Name: r.free(fmt.Sprintf("%s_%d", l.Name, i+1)), Line: it.e.Line}
			}
			b.link = r.link(child)
			r.hinge(it, l.Name, parent, b.link, X)
			parent, X = b.link, r3.PoseIdentity()
		}
	}
}

// plain returns a joint without an axis of its own.
func (r *reader) plain(line int, name string, kind robot.JointType, parent, child int, X_PF r3.Pose) robot.Joint {
	inf := math.Inf(1)
	return robot.Joint{
		Name: name, Line: line, Type: kind, Parent: parent, Child: child, X_PF: X_PF, X_CM: r3.PoseIdentity(),
		Axis: r3.Vec{1, 0, 0}, Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf,
	}
}
