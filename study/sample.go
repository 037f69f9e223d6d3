package study

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// Samples (design of experiments). A sample of n points of m values is n points u of the unit cube
// [0, 1)^m, of which a kind of sample makes the points and distributions make the values,
//
//	x_j = F_j⁻¹(u_j)                                                               (1)
//
// with the cumulative distribution F_j of value j. The points depend on the seed alone; values stand in
// the plan and in cases.csv with all digits.

// Sample is a set of cases whose values are drawn together. They count as rows: each is combined with
// every row of the study and with every combination of the values under cases.
type Sample struct {
	// Pos is the position of the sample in the study file.
	scene.Pos

	// Kind is one of Samplers.
	Kind string `key:"kind"`

	// Cases is the number n of points.
	Cases int `key:"cases"`

	// Seed chooses the points.
	Seed int `key:"seed"`

	// Replicates is the number of samples that are drawn one after the other, each with a seed of its
	// own; the variable replicate counts them from 0. Their spread is the error of a mean. 0: one sample,
	// without the variable.
	Replicates int `key:"replicates"`

	// Values are the distributions, by path or variable.
	Values scene.Named[Distribution] `key:"values"`
}

// sampler fills in points of the unit cube: u[i][j] is value j of point i.
type sampler struct {
	fill func(u [][]float64, r *rand.Rand)
	// most is the largest number of values; 0: any.
	most int
}

// samplers are the kinds of samples by name; each has a file of its own.
var samplers = map[string]sampler{
	"latin_hypercube": {fill: latinHypercube},
	"sobol":           {fill: scrambledSobol, most: len(sobolPolynomials) + 1},
	"monte_carlo":     {fill: monteCarlo},
}

// Samplers lists the kinds of samples.
func Samplers() []string { return slices.Sorted(maps.Keys(samplers)) }

// replicateName is the variable that counts replicates.
const replicateName = "replicate"

// checkSample returns the first fault of a sample that stands at a position of the file.
func (s *Study) checkSample(m *Sample, at string) error {
	at += "sample"
	name := dottedPath(at)
	kind, known := samplers[m.Kind]
	switch {
	case !known:
		return s.fail(at, "%s.kind: unknown %q%s", name, m.Kind, kinds.Suggest(m.Kind, Samplers()))
	case m.Cases < 1:
		return s.fail(at, "%s.cases is %d: give the number of points, 1 or more", name, m.Cases)
	case m.Replicates < 0:
		return s.fail(at, "%s.replicates is %d: give 1 or more", name, m.Replicates)
	case len(m.Values.Keys) == 0:
		return s.fail(at, "%s.values is missing: give a distribution for each value that varies", name)
	case kind.most > 0 && len(m.Values.Keys) > kind.most:
		return s.fail(at, "%s: %s has at most %d values, not %d: take latin_hypercube", name, m.Kind, kind.most, len(m.Values.Keys))
	}
	for _, path := range m.Values.Keys {
		if err := m.Values.Get(path).check(); err != nil {
			return s.fail(at+"/values/"+path, "%s.values.%s: %v", name, path, err)
		}
	}
	return nil
}

// unitPoints returns the points of replicate k in the unit cube.
func (m *Sample) unitPoints(k int) [][]float64 {
	u := make([][]float64, m.Cases)
	for i := range u {
		u[i] = make([]float64, len(m.Values.Keys))
	}
	samplers[m.Kind].fill(u, newRandom(m.Seed, k))
	return u
}

// newRandom returns the random numbers of a seed and of the number of a part that uses it.
func newRandom(seed, part int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), uint64(part))) }

// uniform returns a number of [0, 1) of 53 random bits. The generator's own method is not guaranteed to
// stay the same from one version of Go to the next, its bits are.
func uniform(r *rand.Rand) float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// points returns the values of all points as rows.
func (m *Sample) points() []assignments {
	var rows []assignments
	for k := range max(1, m.Replicates) {
		for _, u := range m.unitPoints(k) {
			row := m.values(u)
			if m.Replicates > 0 {
				row = append(row, assignment{replicateName, strconv.Itoa(k)})
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// values returns (1) for a point.
func (m *Sample) values(u []float64) assignments {
	row := make(assignments, len(u))
	for j, path := range m.Values.Keys {
		row[j] = assignment{path, m.Values.Get(path).text(u[j])}
	}
	return row
}

// combineRows returns each row of a, combined with each of b; an empty list is one empty row.
func combineRows(a, b []assignments) []assignments {
	if len(a) == 0 {
		return b
	}
	var rows []assignments
	for _, x := range a {
		for _, y := range b {
			rows = append(rows, x.with(y...))
		}
	}
	return rows
}

// expandSample adds the points of the sample to the rows. maxCases bounds their number.
func (s *Study) expandSample(w *resolvedSweep, most int) error {
	m := w.sample
	if m == nil {
		return nil
	}
	if n := float64(m.Cases) * float64(max(1, m.Replicates)) * float64(max(1, len(w.rows))); n > float64(most) {
		return s.fail("sample", "%.0f cases or more, the limit is %d: give fewer points, or raise max_cases", n, most)
	}
	w.rows = combineRows(w.rows, m.points())
	return nil
}

// paths lists the paths that a sample gives.
func (m *Sample) paths() []string {
	if m == nil {
		return nil
	}
	if m.Replicates > 0 {
		return append(slices.Clone(m.Values.Keys), replicateName)
	}
	return m.Values.Keys
}
