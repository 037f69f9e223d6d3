package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// Pareto fronts of measures, by NSGA-II (nsga2.go) on the simulator itself. The cases of the study's
// sample are generation 0; each further generation has as many cases as the population, which are made
// from the best cases of all earlier ones. Genes are the points of the unit cube from which the sample's
// distributions make values, so that bounds, logarithmic and whole values are those of the sample.

// Pareto asks for cases near the front of measures that contradict each other.
type Pareto struct {
	// Pos is the position of the search in the study file.
	scene.Pos

	// Minimize names the measures of which less is better.
	Minimize []string `key:"minimize"`
	// Maximize names the measures of which more is better.
	Maximize []string `key:"maximize"`

	// Require is a condition over values and measures that designs must meet; empty: none.
	Require string `key:"require"`

	// Population is the number of cases of a generation. 0: that of the sample.
	Population int `key:"population"`

	// Generations is the number of generations after the sample. 0: none, only the front of the sample
	// is found.
	Generations int `key:"generations"`

	// Seed chooses the random numbers.
	Seed int `key:"seed"`
}

// generationName is the variable that counts generations.
const generationName = "generation"

// paretoSearch is the search of a front.
type paretoSearch struct {
	*Pareto
	sample *Sample
	// generation is the number of the last generation that was made; 0: the sample.
	generation int
	// parents are the best designs of all that have results, at most a population.
	parents []*design
	genes   map[string][]float64 // of cases whose results are not in parents yet, by name
	seen    int                  // rows that were looked at
}

// newParetoSearch checks the search of the study.
func (s *Study) newParetoSearch() (searcher, error) {
	f := s.File.Pareto
	m := s.sweep.sample
	switch {
	case m == nil || m.Replicates > 0 || len(s.sweep.axes) > 0 || len(s.File.Rows) > 0:
		return nil, s.fail("pareto", "pareto searches the values of a sample: give sample, without replicates, rows and cases")
	case len(f.Minimize)+len(f.Maximize) < 2:
		return nil, s.fail("pareto", "pareto: give two measures or more under minimize and maximize")
	case f.Population < 0 || f.Generations < 0:
		return nil, s.fail("pareto", "pareto: population and generations must not be below 0")
	}
	// a misspelled measure would make all designs infeasible
	for _, name := range append(slices.Clone(f.Minimize), f.Maximize...) {
		if !slices.Contains(s.File.Measures.Keys, name) {
			return nil, s.fail("pareto", "pareto: unknown measure %q%s", name, kinds.Suggest(name, s.File.Measures.Keys))
		}
	}
	if f.Require != "" {
		if err := s.checkCondition("pareto/require", f.Require); err != nil {
			return nil, err
		}
	}
	// the cases of the sample and their genes are in one order
	p := &paretoSearch{Pareto: f, sample: m, genes: map[string][]float64{}}
	for i, u := range m.unitPoints(0) {
		if name := s.Cases[i].Name; p.genes[name] == nil {
			p.genes[name] = u
		}
	}
	return p, nil
}

// next implements searcher: it selects the best of all designs so far and makes a generation of them.
func (p *paretoSearch) next(s *Study, rows []Row) ([]assignments, error) {
	all := p.parents
	// rows of earlier calls are among the parents already, or were dropped
	for i := range rows[p.seen:] {
		d, err := s.newDesign(p.Pareto, &rows[p.seen+i])
		if err != nil {
			return nil, err
		}
		// a row without genes shares its folder with one that was counted
		if d.genes = p.genes[rows[p.seen+i].Case.Name]; d.genes != nil {
			delete(p.genes, rows[p.seen+i].Case.Name)
			all = append(all, d)
		}
	}
	p.seen = len(rows)
	n := p.Population
	if n == 0 {
		n = p.sample.Cases
	}
	p.parents = selectDesigns(all, n)
	// a generation of known designs alone is followed by the next one
	for p.generation < p.Generations {
		p.generation++
		var more []assignments
		for _, u := range offspring(p.parents, n, newRandom(p.Seed, p.generation)) {
			a := s.sweep.set.with(p.sample.values(u)...).with(assignment{generationName, strconv.Itoa(p.generation)})
			c, err := s.makeCase(s.sweep, a)
			if err != nil {
				return nil, err
			}
			// a design that was run, or is in this generation, brings nothing new
			if slices.ContainsFunc(s.Cases, func(d Case) bool { return d.Name == c.Name }) || p.genes[c.Name] != nil {
				continue
			}
			p.genes[c.Name] = u
			more = append(more, a)
		}
		if len(more) > 0 {
			return more, nil
		}
	}
	return nil, nil
}

// newDesign returns the objectives of a row, all to be minimized.
func (s *Study) newDesign(f *Pareto, r *Row) (*design, error) {
	// a case without a result is infeasible
	d := &design{feasible: r.Done()}
	add := func(names []string, sign float64) {
		for _, name := range names {
			x := math.NaN()
			if k := slices.Index(s.File.Measures.Keys, name); k < len(r.Values) {
				// the sign makes less the better for every objective
				x = sign * r.Values[k]
			}
			d.objectives = append(d.objectives, x)
			d.feasible = d.feasible && !math.IsNaN(x)
		}
	}
	add(f.Minimize, 1)
	add(f.Maximize, -1)
	if f.Require != "" {
		ok, err := s.holds(f.Require, r)
		if err != nil {
			return nil, fmt.Errorf("pareto.require: %w", err)
		}
		d.feasible = d.feasible && ok
	}
	return d, nil
}

// onFront reports for each row whether no other one dominates it; false for all of a study without
// pareto.
func (s *Study) onFront(rows []Row) ([]bool, error) {
	front := make([]bool, len(rows))
	if s.File.Pareto == nil {
		return front, nil
	}
	// the whole table counts, not only the last population
	designs := make([]*design, len(rows))
	for i := range rows {
		var err error
		if designs[i], err = s.newDesign(s.File.Pareto, &rows[i]); err != nil {
			return nil, err
		}
	}
	for i, d := range designs {
		front[i] = d.feasible && !slices.ContainsFunc(designs, func(other *design) bool { return other.dominates(d) })
	}
	return front, nil
}
