package urdf

import "github.com/curlfree/curlfree/scene/robot"

// filters reads the elements drake:collision_filter_group.
func (r *reader) filters(root *robot.Element) []robot.CollisionGroup {
	var filters []robot.CollisionGroup
	// A group has a name, its members are links.
	for _, e := range root.All("drake:collision_filter_group") {
		f := robot.CollisionGroup{Name: r.RequiredText(e, "name"), Tag: e.Name, Line: e.Line}
		for _, m := range e.All("drake:member") {
			f.Members = append(f.Members, robot.NameRef{Name: r.RequiredText(m, "link"), Line: m.Line})
		}
		for _, m := range e.All("drake:member_group") {
			f.Groups = append(f.Groups, robot.NameRef{Name: r.RequiredText(m, "name"), Line: m.Line})
		}
		// Groups that are ignored are given by name and may be defined later, or be the group itself.
		for _, g := range e.All("drake:ignored_collision_filter_group") {
			f.Ignores = append(f.Ignores, robot.NameRef{Name: r.RequiredText(g, "name"), Line: g.Line})
		}
		filters = append(filters, f)
	}
	return filters
}
