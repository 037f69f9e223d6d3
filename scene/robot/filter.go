package robot

import "slices"

// MaxExcludedPairs bounds the links that a file can keep apart: a robot of a thousand
// links, all of them from each other.
const MaxExcludedPairs = 1 << 19

// CollisionGroup is a group of links that do not touch those of the groups it ignores,
// often itself.
type CollisionGroup struct {
	Name             string
	Tag              string // of its element
	Line             int
	Members, Ignores []NameRef // links, filters
}

// NameRef is a name and the line that it stands in.
type NameRef struct {
	Name string
	Line int
}

// ExcludePairs sets the pairs of links that filters keep apart; links are the numbers
// of links by name.
func (r *Reader) ExcludePairs(filters []CollisionGroup, m *Robot, links map[string]int) {
	groups := map[string][]int{}
	for _, f := range filters {
		if _, twice := groups[f.Name]; twice {
			r.Fail(f.Line, "a second <%s> is called %q: names must differ", f.Tag, f.Name)
		}
		members := []int{}
		for _, l := range f.Members {
			i, ok := links[l.Name]
			if !ok {
				r.Fail(l.Line, "<%s> %q: there is no link %q", f.Tag, f.Name, l.Name)
			}
			members = append(members, i)
		}
		groups[f.Name] = members
	}
	for _, f := range filters {
		for _, other := range f.Ignores {
			members, ok := groups[other.Name]
			if !ok {
				r.Fail(other.Line, "<%s> %q: there is no group %q", f.Tag, f.Name, other.Name)
			}
			if r.Err != nil {
				return
			}
			if !m.keepApart(groups[f.Name], members) {
				r.Fail(other.Line, "<%s> %q ignores too many pairs of links: %d are allowed", f.Tag, f.Name, MaxExcludedPairs)
				return
			}
		}
	}
	slices.SortFunc(m.ExcludedPairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	m.ExcludedPairs = slices.Compact(m.ExcludedPairs)
}

// keepApart appends the pairs of a link of a and one of b; it returns false when
// there are too many.
func (m *Robot) keepApart(a, b []int) bool {
	if len(a) > 0 && len(b) > (MaxExcludedPairs-len(m.ExcludedPairs))/len(a) {
		return false
	}
	for _, i := range a {
		for _, j := range b {
			if i != j {
				m.ExcludedPairs = append(m.ExcludedPairs, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	return true
}
