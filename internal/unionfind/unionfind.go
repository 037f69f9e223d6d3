// Package unionfind finds connected components by union-find: disjoint sets of the numbers
// 0 … n−1 that are merged pair by pair, by union with the smallest member as the
// root and path halving (Tarjan, "Efficiency of a good but not linear set union
// algorithm", J. ACM 22(2), 1975). Results do not depend on the order of unions.
package unionfind

// Sets has disjoint sets of the numbers 0 … len−1. Entry i is a member of the
// set of i that is closer to its root; the root is the smallest member.
type Sets []int32

// New returns n sets of one number each.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find returns the smallest member of the set of i.
func (s Sets) Find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Union merges the sets of i and j.
func (s Sets) Union(i, j int32) {
	i, j = s.Find(i), s.Find(j)
	s[max(i, j)] = min(i, j)
}

// Labels numbers the sets in the order of their smallest members. labels[i] is
// the number of the set of i, n the number of sets.
func (s Sets) Labels() (labels []int32, n int) {
	labels = make([]int32, len(s))
	for i := range s {
		if r := s.Find(int32(i)); int(r) == i {
			labels[i] = int32(n)
			n++
		} else {
			labels[i] = labels[r]
		}
	}
	return labels, n
}
