package mjcf

// Bodies. They nest in the file; links are numbered in the order in which their bodies begin.
// The world is body 0. It becomes a link where something is fixed to it or moves against it:
//
// 	in the world                     links
// 	one body without joints          that body is the root, fixed
// 	one body with a free joint       that body is the root, floating
// 	anything else                    the world is the root, called world
//
// A body with n joints becomes n links: each joint but the last moves a link without mass.
//
// With X_PB the pose that pos and an orientation give to a body, n joints with frames M_1 … M_n
// act one after the other from the parent on:
//
//	X = X_PB · move_1(q_1) · move_2(q_2) … move_n(q_n)
//
// where move_i turns about the axis of joint i as it lies in B, or shifts along it, from its ref. So the first link of
// the chain is placed by X_PB in the parent, and all others by the identity in the link before.
// <frame> elements place the elements in them: their poses multiply, and no link is made.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxBodies bounds the number of bodies, and so the pairs of them that are compared.
const maxBodies = 4096

// body is a body of the file, numbered in their order; 0 is the world.
type body struct {
	link   int           // number of its link; −1 of a world that is none
	parent int           // number of the body that it is in
	X_WB   r3.Pose       // its pose with all joints at their references
	welded int           // first of the bodies that are fixed to each other
	masks  map[mask]bool // of its shapes that take part in contact
}

// mask are contype and conaffinity of a shape: two shapes touch where contype of one
// and conaffinity of the other have a common bit.
type mask struct{ is, touches uint32 }

// item is an element in a body, directly or in <frame>s.
type item struct {
	e     *robot.Element
	X_BI  r3.Pose // pose of the innermost frame around it in the body
	class string  // childclass that applies to it
}

// pending is a body that has yet to be read.
type pending struct {
	item
	parent int // body
	// settings are those of the attached file that it is from; nil: of the file itself.
	settings *compiler
}

// world reads all bodies. Where the world has shapes, several bodies or one on a joint,
// it is itself the root link, called world; else the one body is.
func (r *reader) world(root *robot.Element) {
	// Several <worldbody> sections, as from included files, are one.
	sections := root.All("worldbody")
	if len(sections) == 0 {
		r.Fail(root.Line, "the model has no <worldbody>, hence no bodies")
		return
	}
	// Elements of the world and of frames in it, with their poses in the world.
	var items []item
	for _, w := range sections {
		class, _ := w.Attr("childclass")
		r.names(w)
		items = r.contents(items, w, r3.PoseIdentity(), class)
	}
	ground := robot.Link{Name: "world", Line: sections[0].Line}
	r.bodies = []body{{link: -1, X_WB: r3.PoseIdentity(), masks: map[mask]bool{}}}
	r.byName["world"] = 0
	// Shapes and bodies of the world decide whether it is a link.
	tops := r.onWorld(items, &ground)
	shaped := len(ground.Visuals)+len(ground.Collisions) > 0
	// a file of planes alone is a world without links
	if len(tops) == 0 && !shaped && r.planes.count == 0 && r.Err == nil {
		r.Fail(sections[0].Line, "<worldbody> has no bodies")
	}
	if r.Err != nil {
		return
	}
	// A world with shapes, with no body or several, or with a body on a joint is a link.
	if shaped || len(tops) != 1 || r.hangs(tops[0]) {
		r.bodies[0].link = r.link(ground)
		if len(tops) > 1 || shaped && len(tops) > 0 {
			r.Warn(sections[0].Line, "the bodies of the world are one robot: bodies that move freely touch others, links that joints connect only with self_contact: true in the scene")
		}
	}
	r.m.Root = 0
	for _, it := range tops {
		r.trees(it)
	}
}

// onWorld reads the shapes of the world into the link ground, and returns the bodies in
// it.
func (r *reader) onWorld(items []item, ground *robot.Link) (tops []item) {
	// Planes and height fields of the world are no shapes of the link.
	for _, it := range items {
		switch it.e.Name {
		case "geom":
			r.inSettings(it.e, func() { r.geom(ground, it, 0, nil) })
		case "body":
			tops = append(tops, it)
		case "joint", "freejoint":
			r.Fail(it.e.Line, "<%s> in <worldbody>: the world does not move: put it into a body", it.e.Name)
		}
	}
	r.mixed(ground)
	return tops
}

// names collects the names that the file gives to bodies and joints, so that generated
// ones differ from them.
func (r *reader) names(e *robot.Element) {
	// the link of the world
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

// hangs reports whether a body in the world is connected to it by a joint.
func (r *reader) hangs(it item) bool {
	// A hinge, slide or ball on a body of the world; a free joint connects to nothing.
	for _, in := range r.contents(nil, it.e, r3.PoseIdentity(), it.class) {
		if in.e.Name == "joint" && r.view(in.e, "joint", in.class).text("type", "hinge") != "free" {
			return true
		}
	}
	return false
}

// contents appends the elements in a body in their order, those in <frame>s included.
func (r *reader) contents(items []item, e *robot.Element, X r3.Pose, class string) []item {
	// A childclass applies to all elements in this one.
	if c, ok := e.Attr("childclass"); ok {
		r.classOf(e, c)
		class = c
	}
	e.Attr("name") // frames may have one, which nothing refers to
	for _, c := range e.Children {
		switch c.Name {
		case "frame":
			e.All("frame")
			// The pose of a frame in the body is the product of those around it.
			r.inSettings(c, func() { items = r.contents(items, c, X.Mul(r.pose(view{c})), class) })
		// The elements that are read; cameras, lights and sites are listed as ignored.
		case "body", "geom", "joint", "freejoint", "inertial":
			e.All(c.Name)
			// Bullet's way to write that a body has no joint.
			if kind, _ := c.Attr("type"); c.Name == "joint" && kind == "fixed" {
				c.MarkRead()
				r.fixed.add(c.Line)
				continue
			}
			items = append(items, item{c, X, class})
		case "flexcomp":
			if name, ok := c.Attr("name"); ok {
				r.flexes = append(r.flexes, name)
			}
		case "composite":
			r.Fail(c.Line, "<%s>: bodies are not made here: write out the bodies that it makes; MuJoCo saves models so", c.Name)
		}
	}
	return items
}

// link adds a link to the robot and returns its number.
func (r *reader) link(l robot.Link) int {
	r.m.Links = append(r.m.Links, l)
	return len(r.m.Links) - 1
}

// free returns the name, with a number appended if a link has it already.
func (r *reader) free(name string) string {
	for i, wanted := 2, name; r.named[name]; i++ {
		// body_2, body_3 and so on
		name = fmt.Sprintf("%s_%d", wanted, i)
	}
	r.named[name] = true
	return name
}

// trees reads a body in the world and all bodies in it, in the order of the file. It
// keeps a stack of its own, since ropes nest deeply.
func (r *reader) trees(top item) {
	own := r.compiler
	stack := []pending{{top, 0, r.settings[top.e]}}
	for len(stack) > 0 && r.Err == nil {
		// The last body of the stack is read, and those in it are put on top.
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		// units of angles and rules of masses are those of the file that the body is from
		if r.compiler = own; p.settings != nil {
			r.compiler = *p.settings
		}
		inner := r.body(p)
		r.compiler = own
		for i := len(inner) - 1; i >= 0; i-- { // the first is read first
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
	// Collect the elements of the body, those in frames included.
	l := robot.Link{Name: name, Line: p.e.Line, WeightCompensation: r.Number(p.e, "gravcomp", 0)}
	items := r.contents(nil, p.e, r3.PoseIdentity(), p.class)
	inertial := r.ownInertia(items, name)
	// The shapes have mass unless the body has an inertial.
	var total geometry.MassProperties
	sum := &total
	if inertial != nil || r.compiler.fromGeoms == "false" {
		sum = nil
	}
	var joints []item
	for _, it := range items {
		switch it.e.Name {
		case "geom":
			// The mass of a geom counts where sum is not nil.
			r.inSettings(it.e, func() { r.geom(&l, it, number, sum) })
		case "body":
			// what is in an attached body is from the same file, unless another <attach> put it there
			settings := p.settings
			if s := r.settings[it.e]; s != nil {
				settings = s
			}
			inner = append(inner, pending{it, number, settings})
		case "joint", "freejoint":
			joints = append(joints, it)
		}
	}
	r.mixed(&l)
	// An <inertial> counts before the shapes; a body with neither has no mass.
	if inertial != nil {
		l.Inertial = r.inertial(*inertial, name)
	} else if total.Mass > 0 {
		l.Inertial = &robot.Inertial{Mass: total.Mass, Com: total.Com, Inertia: total.Inertia}
	}
	// X_PB includes the frames around the body.
	X_PB := p.X_BI.Mul(r.pose(view{p.e}))
	if r.Err != nil {
		return nil
	}
	r.hang(l, number, X_PB, joints)
	return inner
}

// enter numbers a body and returns its name, a generated one where it has none.
func (r *reader) enter(p pending) (number int, name string) {
	number = len(r.bodies)
	name, _ = p.e.Attr("name")
	if name == "" {
		name = r.free(fmt.Sprintf("body%d", number))
	}
	// Names must differ, and the world has one.
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
	// A body is fixed to none but itself until its joints are known.
	r.bodies = append(r.bodies, body{parent: p.parent, welded: number, masks: map[mask]bool{}})
	return number, name
}

// ownInertia returns the <inertial> of a body, nil where it has none or inertias follow
// from shapes.
func (r *reader) ownInertia(items []item, body string) (inertial *item) {
	for i := range items {
		switch e := items[i].e; {
		case e.Name != "inertial":
		case r.compiler.fromGeoms == "true":
			// Where masses follow from shapes, an <inertial> is read without effect.
			e.MarkRead()
		case inertial != nil:
			r.Fail(e.Line, "a second <inertial> in body %q: keep one", body)
		default:
			inertial = &items[i]
		}
	}
	return inertial
}

// mixed adds collision shapes to the visuals of a link that has shapes for pictures only,
// because MuJoCo shows both where they are in the groups 0 to 2. A link without visuals
// is shown by its collision shapes anyway.
func (r *reader) mixed(l *robot.Link) {
	if len(l.Visuals) > 0 {
		l.Visuals = append(l.Visuals, r.shown...)
	}
	r.shown = r.shown[:0]
}

// hang adds the link of a body and the joints that connect it to its parent. Several
// joints of one body become a chain with massless links between them.
func (r *reader) hang(l robot.Link, number int, X_PB r3.Pose, joints []item) {
	b := &r.bodies[number]
	parent := r.bodies[b.parent].link
	b.X_WB = r.bodies[b.parent].X_WB.Mul(X_PB)
	// A body without joints is one with its parent, as far as contact is concerned.
	if len(joints) == 0 {
		b.welded = r.bodies[b.parent].welded
	}
	free := r.floats(l.Name, joints, b.parent == 0)
	b.link = -1
	// Four cases: the root, a free body beside others, a fixed body, a body with joints.
	switch {
	case r.Err != nil:
	case parent < 0: // the root
		r.m.X_FR, r.m.Floating = X_PB, free
		if free {
			r.freed = r.jointName(joints[0].e, l.Name) // actuators that name it are left out
		}
		b.link = r.link(l)
	case free:
		b.link = r.link(l)
		r.joint(r.plain(joints[0].e.Line, r.jointName(joints[0].e, l.Name), robot.Floating, parent, b.link, X_PB), 0)
	case len(joints) == 0:
		b.link = r.link(l)
		r.joint(r.plain(l.Line, r.spare(r.m.Links[parent].Name+"_"+l.Name), robot.Fixed, parent, b.link, X_PB), 0)
	default:
		r.chain(b, l, parent, X_PB, joints)
	}
}

// chain adds a link with several joints, each but the last of which moves a massless
// link.
func (r *reader) chain(b *body, l robot.Link, parent int, X_PB r3.Pose, joints []item) {
	for i, it := range joints {
		child := l
		// The links in front have no mass, and the last is the body.
		if i < len(joints)-1 {
			child = robot.Link{Name: r.free(fmt.Sprintf("%s_%d", l.Name, i+1)), Line: it.e.Line}
		}
		b.link = r.link(child)
		r.hinge(it, l.Name, parent, b.link, X_PB)
		// The next joint starts at the frame of the link before it, which has the axes of the body.
		parent, X_PB = b.link, r3.PoseIdentity()
	}
}

// plain returns a joint without limits whose axis has no meaning yet.
func (r *reader) plain(line int, name string, kind robot.JointType, parent, child int, X_PF r3.Pose) robot.Joint {
	inf := math.Inf(1)
	return robot.Joint{
		Name: name, Line: line, Type: kind, Parent: parent, Child: child, X_PF: X_PF, X_CM: r3.PoseIdentity(),
		Axis: r3.Vec{1, 0, 0}, Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf,
	}
}
