package mjcf

// Pairs of links that do not touch. MuJoCo filters them by body: bodies that are fixed to
// each other count as one, a body does not touch its parent, and shapes touch where contype of
// one and conaffinity of the other have a common bit. Robot.ExcludedPairs is by links, so a
// pair of bodies is excluded only where no two of their shapes touch.
//
//	pair of bodies                            touches
//	named by <exclude>                        no
//	fixed to each other                       no, which models do not list
//	parent and child                          no, unless the parent is the world
//	no two shapes match by their masks        no
//	any other                                 yes

import (
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// contacts sets the pairs of links that do not touch:
//
//   - those that <exclude> names;
//   - a body and its parent, where bodies that are fixed to each other count as one, except the
//     world. Those that are fixed to each other never touch anyway: of a thousand they would be half
//     a million pairs;
//   - those of which no two shapes match by contype and conaffinity.
func (r *reader) contacts(root *robot.Element) {
	var pairs [][2]int
	// A body without a link, which only the world can be, has no pair.
	exclude := func(a, b int) { // bodies
		if x, y := r.bodies[a].link, r.bodies[b].link; x >= 0 && y >= 0 && x != y {
			pairs = append(pairs, [2]int{min(x, y), max(x, y)})
		}
	}
	r.namedPairs(root, exclude)
	if r.Err != nil {
		return
	}
	// Compare all pairs of bodies with shapes.
	shaped := r.shapedBodies()
	for i, a := range shaped {
		for _, b := range shaped[:i] {
			if r.bodies[a].welded == r.bodies[b].welded {
				continue
			}
			if r.related(a, b) || !touch(r.bodies[a].masks, r.bodies[b].masks) {
				exclude(a, b)
			}
		}
		if len(pairs) > robot.MaxExcludedPairs {
			r.Fail(root.Line, "the file keeps too many pairs of bodies apart: %d are allowed", robot.MaxExcludedPairs)
			return
		}
	}
	// The pairs in order, each once.
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	r.m.ExcludedPairs = slices.Compact(pairs)
}

// namedPairs calls exclude for the pairs of bodies that the file names. The element <pair>, which adds
// contacts, is listed as ignored elsewhere.
func (r *reader) namedPairs(root *robot.Element, exclude func(a, b int)) {
	for _, c := range root.All("contact") {
		for _, e := range c.All("exclude") {
			e.Attr("name")
			a, b := r.bodyOf(e, "body1"), r.bodyOf(e, "body2")
			if r.Err != nil {
				return
			}
			exclude(a, b)
		}
	}
}

// shapedBodies returns the bodies that have shapes which take part in contact.
func (r *reader) shapedBodies() (shaped []int) {
	for i := range r.bodies {
		if len(r.bodies[i].masks) > 0 {
			shaped = append(shaped, i)
		}
	}
	return shaped
}

// bodyOf returns the number of the body that an attribute names.
func (r *reader) bodyOf(e *robot.Element, name string) int {
	s := r.RequiredText(e, name)
	i, ok := r.byName[s]
	if !ok {
		r.Fail(e.Line, "<%s %s=%q>: there is no such body", e.Name, name, s)
	}
	return i
}

// related reports whether two bodies are fixed to each other, or one is the parent of the
// other and not the world.
func (r *reader) related(a, b int) bool {
	// Bodies that are fixed to each other are reported by the first of them; 0 is the world.
	a, b = r.bodies[a].welded, r.bodies[b].welded
	above := func(x int) int { return r.bodies[r.bodies[x].parent].welded }
	return a == b || a != 0 && b != 0 && (above(a) == b || above(b) == a)
}

// touch reports whether any shape of one body matches any of the other: contype of one
// and conaffinity of the other have a common bit.
func touch(a, b map[mask]bool) bool {
	// The test is symmetric: either mask may meet the other.
	for x := range a {
		for y := range b {
			if x.is&y.touches != 0 || y.is&x.touches != 0 {
				return true
			}
		}
	}
	return false
}
