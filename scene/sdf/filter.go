package sdf

import "github.com/curlfree/curlfree/scene/robot"

// filters reads the elements drake:collision_filter_group.
func (r *reader) filters(e *robot.Element) []robot.CollisionGroup {
	var filters []robot.CollisionGroup
	// A group has a name; its members are links, written as the text of the elements.
	for _, c := range e.All("drake:collision_filter_group") {
		f := robot.CollisionGroup{Name: r.full(r.RequiredText(c, "name")), Tag: c.Name, Line: c.Line}
		for _, m := range c.All("drake:member") {
			f.Members = append(f.Members, robot.NameRef{Name: r.full(m.Content()), Line: m.Line})
		}
		for _, m := range c.All("drake:member_group") {
			f.Groups = append(f.Groups, robot.NameRef{Name: r.full(m.Content()), Line: m.Line})
		}
		// Groups that are ignored are given by name and may be defined later, or be the group itself.
		for _, g := range c.All("drake:ignored_collision_filter_group") {
			f.Ignores = append(f.Ignores, robot.NameRef{Name: r.full(g.Content()), Line: g.Line})
		}
		filters = append(filters, f)
	}
	return filters
}
