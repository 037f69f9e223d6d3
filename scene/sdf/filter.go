package sdf

import "github.com/curlfree/curlfree/scene/robot"

// filters reads the elements drake:collision_filter_group.
func (r *reader) filters(e *robot.Element) []robot.CollisionGroup {
	var filters []robot.CollisionGroup
	for _, c := range e.All("drake:collision_filter_group") {
		f := robot.CollisionGroup{Name: r.RequiredText(c, "name"), Tag: c.Name, Line: c.Line}
		for _, m := range c.All("drake:member") {
			f.Members = append(f.Members, robot.NameRef{Name: m.Content(), Line: m.Line})
		}
		for _, g := range c.All("drake:ignored_collision_filter_group") {
			f.Ignores = append(f.Ignores, robot.NameRef{Name: g.Content(), Line: g.Line})
		}
		filters = append(filters, f)
	}
	return filters
}
