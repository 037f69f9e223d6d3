package robot

import "slices"

// MaxExcludedPairs is the largest number of pairs of links that a file may exclude
// from contact: about all pairs of a robot of a thousand links.
const MaxExcludedPairs = 1 << 19

// CollisionGroup is a collision filter group, as in drake:collision_filter_group:
// its links do not touch the links of the groups that it ignores. A group may
// ignore itself.
type CollisionGroup struct {
	// Name is the name of the group, by which other groups refer to it.
	Name string
	// Tag is the name of the element, for messages.
	Tag string
	// Line is where the file describes the group.
	Line int
	// Members are names of links.
	Members []NameRef
	// Groups are names of groups whose members are members of this one.
	Groups []NameRef
	// Ignores are names of groups.
	Ignores []NameRef
}

// NameRef is a name that a file refers to.
type NameRef struct {
	// Name is the name that the file refers to.
	Name string
	// Line is the line of the reference.
	Line int
}

// ExcludePairs sets ExcludedPairs of a robot from its collision groups. The numbers of
// links by name are in links. Unknown names, names given twice and too many pairs are
// faults.
func (r *Reader) ExcludePairs(groups []CollisionGroup, m *Robot, links map[string]int) {
	members := r.members(groups, links)
	for _, g := range groups {
		for _, other := range g.Ignores {
			ignored, ok := members[other.Name]
			if !ok {
				r.Fail(other.Line, "<%s> %q: there is no group %q", g.Tag, g.Name, other.Name)
			}
			if r.Err != nil {
				return
			}
			if !m.exclude(members[g.Name], ignored) {
				r.Fail(other.Line, "<%s> %q ignores too many pairs of links: %d are allowed", g.Tag, g.Name, MaxExcludedPairs)
				return
			}
		}
	}
	slices.SortFunc(m.ExcludedPairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	m.ExcludedPairs = slices.Compact(m.ExcludedPairs)
}

// members returns the links of each group by its name.
func (r *Reader) members(groups []CollisionGroup, links map[string]int) map[string][]int {
	all := map[string][]int{}
	for _, g := range groups {
		if _, twice := all[g.Name]; twice {
			r.Fail(g.Line, "a second <%s> is called %q: names must differ", g.Tag, g.Name)
		}
		numbers := []int{}
		for _, l := range g.Members {
			i, ok := links[l.Name]
			if !ok {
				r.Fail(l.Line, "<%s> %q: there is no link %q", g.Tag, g.Name, l.Name)
			}
			numbers = append(numbers, i)
		}
		all[g.Name] = numbers
	}
	// Members of groups in groups are added round by round, one for each depth.
	for range groups {
		grown := false
		for _, g := range groups {
			for _, inner := range g.Groups {
				other, ok := all[inner.Name]
				if !ok {
					r.Fail(inner.Line, "<%s> %q: there is no group %q", g.Tag, g.Name, inner.Name)
				}
				for _, i := range other {
					if !slices.Contains(all[g.Name], i) {
						all[g.Name], grown = append(all[g.Name], i), true
					}
				}
			}
		}
		if !grown || r.Err != nil {
			break
		}
	}
	return all
}

// exclude appends the pairs of a link of a and one of b. It returns false when there
// are too many.
func (m *Robot) exclude(a, b []int) bool {
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
