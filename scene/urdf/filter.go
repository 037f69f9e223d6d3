package urdf

import "github.com/curlfree/curlfree/scene/robot"

// filters reads drake:collision_filter_group.
func (r *reader) filters(root *robot.Element) []robot.Filter {
	var filters []robot.Filter
	for _, e := range root.All("drake:collision_filter_group") {
		f := robot.Filter{Name: r.Text(e, "name"), Tag: e.Name, Line: e.Line}
		for _, m := range e.All("drake:member") {
			f.Members = append(f.Members, robot.Named{Name: r.Text(m, "link"), Line: m.Line})
		}
		for _, g := range e.All("drake:ignored_collision_filter_group") {
			f.Ignores = append(f.Ignores, robot.Named{Name: r.Text(g, "name"), Line: g.Line})
		}
		filters = append(filters, f)
	}
	return filters
}
