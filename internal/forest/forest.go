// Package forest finds what hangs together: numbers that are joined pair by pair, by
// union with the lowest as the root and path halving (Tarjan, "Efficiency of a good but
// not linear set union algorithm", J. ACM 22(2), 1975). Results do not depend on the
// order of joining.
package forest

// Forest holds the numbers 0 … len−1, each with one closer to its tree's root, which is
// its lowest member.
type Forest []int32

// New returns n trees of one number each.
func New(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// Root returns the lowest number that hangs together with i.
func (f Forest) Root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Join makes one tree of those of i and j.
func (f Forest) Join(i, j int32) {
	i, j = f.Root(i), f.Root(j)
	f[max(i, j)] = min(i, j)
}

// Number numbers the trees in the order of their roots: of[i] is that of i's.
func (f Forest) Number() (of []int32, trees int) {
	of = make([]int32, len(f))
	for i := range f {
		if r := f.Root(int32(i)); int(r) == i {
			of[i] = int32(trees)
			trees++
		} else {
			of[i] = of[r]
		}
	}
	return of, trees
}
