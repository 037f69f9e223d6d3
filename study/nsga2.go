package study

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// NSGA-II (nondominated sorting genetic algorithm), for objectives that are minimized. Design a dominates
// b if it meets the constraints and b does not, or if both do and
//
//	f_k(a) ≤ f_k(b) for all k, and < for one                                       (1)
//
// Rank 0 is the front of Pareto, which nothing dominates; rank r + 1 is the front of what ranks 0 … r
// leave. Within a rank, designs with distant neighbours along the front are better (crowding distance):
//
//	d_i = Σ_k (f_k(i+1) − f_k(i−1))/(max f_k − min f_k),  ∞ at the ends            (2)
//
// Source: Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm:
// NSGA-II", 2002. Crossover and mutation: Deb and Agrawal 1995 (simulated binary), Deb and Goyal 1996
// (polynomial).

// design is a point of the unit cube with its objectives.
type design struct {
	genes      []float64 // in [0, 1)
	objectives []float64 // to be minimized; NaN where the case failed
	feasible   bool      // it meets the constraints and has all objectives
	rank       int
	crowding   float64
}

// dominates is (1). Designs that do not meet the constraints do not dominate each other.
func (a *design) dominates(b *design) bool {
	if !a.feasible || !b.feasible {
		return a.feasible && !b.feasible
	}
	better := false
	for k, x := range a.objectives {
		if x > b.objectives[k] {
			return false
		}
		better = better || x < b.objectives[k]
	}
	return better
}

// rankDesigns sets rank and crowding of all designs.
func rankDesigns(all []*design) {
	// how many dominate a design, and whom it dominates
	above, below := make([]int, len(all)), make([][]int, len(all))
	for i, a := range all {
		for j, b := range all {
			if a.dominates(b) {
				below[i] = append(below[i], j)
				above[j]++
			}
		}
	}
	// fronts are taken off one after the other
	var front []int
	for i := range all {
		if above[i] == 0 {
			front = append(front, i)
		}
	}
	for rank := 0; len(front) > 0; rank++ {
		var next []int
		members := make([]*design, len(front))
		for k, i := range front {
			members[k] = all[i]
			all[i].rank = rank
			for _, j := range below[i] {
				if above[j]--; above[j] == 0 {
					next = append(next, j)
				}
			}
		}
		crowd(members)
		slices.Sort(next) // the order of designs, whatever dominates them
		front = next
	}
}

// crowd sets (2) for the designs of a front.
func crowd(front []*design) {
	for _, d := range front {
		d.crowding = 0
	}
	for k := range front[0].objectives {
		by := slices.Clone(front)
		slices.SortStableFunc(by, func(a, b *design) int { return cmp.Compare(a.objectives[k], b.objectives[k]) })
		first, last := by[0], by[len(by)-1]
		first.crowding, last.crowding = math.Inf(1), math.Inf(1)
		width := last.objectives[k] - first.objectives[k]
		// designs without objectives, or with equal ones, have no distances
		if !(width > 0) {
			continue
		}
		for i := 1; i+1 < len(by); i++ {
			by[i].crowding += (by[i+1].objectives[k] - by[i-1].objectives[k]) / width
		}
	}
}

// compareDesigns orders designs, the better first: by rank, then by distance to neighbours.
func compareDesigns(a, b *design) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.crowding, a.crowding))
}

// selectDesigns returns the n best designs, ranked among all of them.
func selectDesigns(all []*design, n int) []*design {
	rankDesigns(all)
	best := slices.Clone(all)
	slices.SortStableFunc(best, compareDesigns)
	return best[:min(n, len(best))]
}

// Parameters of crossover and mutation, those of the paper.
const (
	crossoverShare = 0.9
	crossoverIndex = 15
	mutationIndex  = 20
)

// offspring returns the genes of n new designs from ranked parents: tournaments of two choose parents,
// crossover mixes them, mutation changes one value of each child on average.
func offspring(parents []*design, n int, r *rand.Rand) [][]float64 {
	pick := func() *design {
		a, b := parents[int(uniform(r)*float64(len(parents)))], parents[int(uniform(r)*float64(len(parents)))]
		if compareDesigns(a, b) <= 0 {
			return a
		}
		return b
	}
	var children [][]float64
	for len(children) < n {
		x, y := slices.Clone(pick().genes), slices.Clone(pick().genes)
		if uniform(r) < crossoverShare {
			for j := range x {
				if uniform(r) < 0.5 {
					x[j], y[j] = cross(x[j], y[j], uniform(r))
				}
			}
		}
		for _, child := range [][]float64{x, y} {
			for j := range child {
				if uniform(r)*float64(len(child)) < 1 {
					child[j] += mutate(uniform(r))
				}
				// values beyond a bound stay at it; 1 itself is outside of [0, 1)
				child[j] = math.Min(math.Max(child[j], 0), 1-1./(1<<53))
			}
			children = append(children, child)
		}
	}
	return children[:n]
}

// cross returns two values about those of the parents, as far apart as β says (simulated binary
// crossover): their mean is that of the parents.
func cross(x, y, u float64) (float64, float64) {
	beta := math.Pow(2*u, 1./(crossoverIndex+1))
	if u > 0.5 {
		beta = math.Pow(1/(2*(1-u)), 1./(crossoverIndex+1))
	}
	return ((1+beta)*x + (1-beta)*y) / 2, ((1-beta)*x + (1+beta)*y) / 2
}

// mutate returns a change between −1 and 1, most often a small one (polynomial mutation).
func mutate(u float64) float64 {
	if u < 0.5 {
		return math.Pow(2*u, 1./(mutationIndex+1)) - 1
	}
	return 1 - math.Pow(2*(1-u), 1./(mutationIndex+1))
}
