package urdf

import "slices"

// maxPairs bounds the links that a file can keep apart: a robot of a thousand
// links, all of them from each other.
const maxPairs = 1 << 19

// filters reads drake:collision_filter_group: the links of a group do not touch
// those of the groups it ignores, often itself.
func (r *reader) filters(root *element, robot *Robot, links map[string]int) {
	elements := root.all("drake:collision_filter_group")
	groups := map[string][]int{}
	for _, e := range elements {
		name := r.text(e, "name")
		if _, twice := groups[name]; twice {
			r.fail(e.line, "a second <%s> is called %q: names must differ", e.name, name)
		}
		members := []int{}
		for _, m := range e.all("drake:member") {
			link := r.text(m, "link")
			i, ok := links[link]
			if !ok {
				r.fail(m.line, "<%s> %q: there is no link %q", e.name, name, link)
			}
			members = append(members, i)
		}
		groups[name] = members
	}
	for _, e := range elements {
		name, _ := e.attr("name")
		for _, g := range e.all("drake:ignored_collision_filter_group") {
			other := r.text(g, "name")
			members, ok := groups[other]
			if !ok {
				r.fail(g.line, "<%s> %q: there is no group %q", e.name, name, other)
			}
			if r.err != nil {
				return
			}
			if !robot.keepApart(groups[name], members) {
				r.fail(g.line, "<%s> %q ignores too many pairs of links: %d are allowed", e.name, name, maxPairs)
				return
			}
		}
	}
	slices.SortFunc(robot.NoContact, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	robot.NoContact = slices.Compact(robot.NoContact)
}

// keepApart appends the pairs of a link of a and one of b; it returns false when
// there are too many.
func (robot *Robot) keepApart(a, b []int) bool {
	if len(a) > 0 && len(b) > (maxPairs-len(robot.NoContact))/len(a) {
		return false
	}
	for _, i := range a {
		for _, j := range b {
			if i != j {
				robot.NoContact = append(robot.NoContact, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	return true
}
