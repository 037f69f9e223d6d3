package scene

// Bodies, links of robots and deformables share one space of names, because drives, signals,
// attachments and constraints refer to all of them by name alone. A dot separates the name of a
// robot from that of its link, so names contain none. Names of other sections are spaces of their
// own.

import "strings"

// world is the name of the world among bodies. Joints, attachments, constraints and signals may
// name it as a body.
const world = "world"

// checkNames refuses names that could mean two things: bodies, robots and
// deformables share one space of names.
func (l *loader) checkNames() {
	// who has a name, for the message
	taken := map[string]string{world: "that of what never moves"}
	check := func(kind, name string, p Pos) {
		// two items of one name, of any of the three sections
		if owner := taken[name]; owner != "" {
			l.fail(p, "%s.%s: the name is taken, it is %s: choose another", kind, name, owner)
		}
		if name == "" || strings.Contains(name, ".") {
			l.fail(p, "%s: %q cannot be a name: names contain letters and no dot, which separates a robot from its link", kind, name)
		}
		taken[name] = "one of " + kind
	}
	// in the order in which bodies are numbered
	for _, n := range l.f.Robots.Keys {
		check("robots", n, l.f.Robots.Get(n).Pos)
	}
	for _, n := range l.f.Bodies.Keys {
		check("bodies", n, l.f.Bodies.Get(n).Pos)
	}
	for _, n := range l.f.Deformables.Keys {
		check("deformables", n, l.f.Deformables.Get(n).Pos)
	}
}
