package scene

import (
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// checkNames refuses names that could mean two things: bodies, robots and
// deformables share one space of names.
func (b *builder) checkNames() {
	taken := map[string]string{"world": "that of what never moves"}
	check := func(kind, name string, p Pos) {
		if owner := taken[name]; owner != "" {
			b.fail(p, "%s.%s: the name is taken, it is %s: choose another", kind, name, owner)
		}
		if name == "" || strings.Contains(name, ".") {
			b.fail(p, "%s: %q cannot be a name: names have letters and no dots, which part a robot from its link", kind, name)
		}
		taken[name] = "one of " + kind
	}
	for _, n := range b.f.Robots.Keys {
		check("robots", n, b.f.Robots.Get(n).Pos)
	}
	for _, n := range b.f.Bodies.Keys {
		check("bodies", n, b.f.Bodies.Get(n).Pos)
	}
	for _, n := range b.f.Deformables.Keys {
		check("deformables", n, b.f.Deformables.Get(n).Pos)
	}
}

// spoilt reports whether a body that there is no link of is one of the scene, or of
// a robot of it, in which a fault was found: that has been said, and is enough.
func (b *builder) spoilt(name string) bool {
	if b.f.Bodies.Get(name) != nil {
		return true
	}
	robot, _, ok := strings.Cut(name, ".")
	return ok && b.f.Robots.Get(robot) != nil && slices.Contains(b.badRobots, robot)
}

// rigidBody returns a rigid body by name: "body" or "robot.link"; the world for
// no name.
func (b *builder) rigidBody(p Pos, name string) (int, bool) {
	if name == "" || name == "world" {
		return geometry.World, true
	}
	i, ok := b.links[name]
	switch {
	case ok:
	case b.f.Deformables.Get(name) != nil:
		b.fail(p, "%s is deformable: a rigid body is wanted here", name)
	default:
		b.fail(p, "unknown body %q%s", name, kinds.Suggest(name, keysOf(b.links)))
	}
	return i, ok
}

// anyBody returns a scene body by name: rigid or deformable.
func (b *builder) anyBody(p Pos, name string) (int, bool) {
	if i, ok := b.softs[name]; ok {
		return b.model.Rigid.NumLinks() + i, true
	}
	if _, ok := b.links[name]; !ok && name != "" && name != "world" {
		b.fail(p, "unknown body %q%s", name, kinds.Suggest(name, slices.Concat(keysOf(b.links), keysOf(b.softs))))
		return 0, false
	}
	return b.rigidBody(p, name)
}

// anyBodies returns scene bodies by name.
func (b *builder) anyBodies(p Pos, names []string) (list []int, ok bool) {
	ok = true
	for _, name := range names {
		i, known := b.anyBody(p, name)
		list, ok = append(list, i), ok && known
	}
	return list, ok
}

// dof is a one-degree-of-freedom joint.
type dof struct{ link int }

// dof returns a one-degree-of-freedom joint by name: "body" or "robot.joint".
func (b *builder) dof(p Pos, name string) (int, bool) {
	d, ok := b.dofs[name]
	if !ok {
		b.fail(p, "unknown joint %q%s", name, kinds.Suggest(name, keysOf(b.dofs)))
		return 0, false
	}
	return b.model.Rigid.VStart(d.link), true
}
