package sdf

import "github.com/curlfree/curlfree/scene/robot"

// filters reads drake:collision_filter_group.
func (r *reader) filters(e *robot.Element) []robot.Filter {
	var filters []robot.Filter
	for _, c := range e.All("drake:collision_filter_group") {
		f := robot.Filter{Name: r.Text(c, "name"), Tag: c.Name, Line: c.Line}
		for _, m := range c.All("drake:member") {
			f.Members = append(f.Members, robot.Named{Name: m.Content(), Line: m.Line})
		}
		for _, g := range c.All("drake:ignored_collision_filter_group") {
			f.Ignores = append(f.Ignores, robot.Named{Name: g.Content(), Line: g.Line})
		}
		filters = append(filters, f)
	}
	return filters
}
