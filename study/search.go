package study

import (
	"errors"
	"slices"
)

// A search makes cases from the results of earlier ones, round by round: a refined boundary, or a front
// of Pareto. The cases of a round depend on the study file and on results alone, which have the same
// bits in every run; a search that was interrupted, or is only drawn again, therefore makes the same
// cases from the results that are there, and keeps no state of its own.

// searcher proposes the values of the cases of the next round from the rows of all earlier ones; none
// ends the search. It may return values of cases that exist.
type searcher interface {
	next(s *Study, rows []Row) ([]assignments, error)
}

// newSearch returns the search of the study, nil for none. Its faults are those of the study file.
func (s *Study) newSearch() (searcher, error) {
	// a search makes cases one after another, while sweeps and references need all of them before the first runs
	f := s.File
	switch {
	case f.Refine == nil && f.Pareto == nil:
		return nil, nil
	case f.Refine != nil && f.Pareto != nil:
		return nil, s.fail("pareto", "refine and pareto exclude each other: make two studies")
	case len(f.Sweeps.Keys) > 0 || f.Reference != nil:
		return nil, s.fail(map[bool]string{true: "refine", false: "pareto"}[f.Refine != nil], "a study that makes cases from results has neither sweeps nor a reference")
	case f.Refine != nil:
		return s.newRefinement()
	}
	return s.newParetoSearch()
}

// errSearchPlanned is the error of a plan of a study with a search.
var errSearchPlanned = errors.New("the study makes cases from results (refine, pareto), which a plan cannot list: run it with curlfree study FILE")

// begin removes the cases of an earlier search, and starts a new one.
func (s *Study) begin() (searcher, error) {
	// the number of cases of the file itself, before any search has added to them
	if s.given == 0 {
		s.given = len(s.Cases)
	}
	s.Cases = s.Cases[:s.given]
	return s.newSearch()
}

// extend appends the cases of the next round and reports whether there are any. Those that exist already
// are left out, and no more are added than the study may have.
func (s *Study) extend(search searcher, rows []Row) (bool, error) {
	if search == nil {
		return false, nil
	}
	more, err := search.next(s, rows)
	if err != nil {
		return false, err
	}
	// a name is made of the values, so that equal names are equal cases
	have := map[string]bool{}
	for i := range s.Cases {
		have[s.Cases[i].Name] = true
	}
	before := len(s.Cases)
	for _, a := range more {
		c, err := s.makeCase(s.sweep, a)
		if err != nil {
			return false, err
		}
		if !have[c.Name] {
			have[c.Name] = true
			s.Cases = append(s.Cases, c)
		}
	}
	// checked after the round: the error says how many the search wants
	if most := s.maxCases(); len(s.Cases) > most {
		return false, s.fail("max_cases", "%d cases, the limit is %d: search less finely, or raise max_cases", len(s.Cases), most)
	}
	return len(s.Cases) > before, nil
}

// holds evaluates a condition over the values and measures of a row. A case that failed does not meet it.
func (s *Study) holds(text string, r *Row) (bool, error) {
	if !r.Done() {
		return false, nil
	}
	// compiled for each row: names of measures depend on what the case has
	env := s.whereEnv(r)
	e, err := condition(text, env)
	if err != nil {
		return false, err
	}
	v, err := e.value(env)
	return v == true, err
}

// checkCondition compiles a condition of a search once, for its faults.
func (s *Study) checkCondition(at, text string) error {
	if _, err := condition(text, s.whereEnv(&Row{Case: s.Cases[0]})); err != nil {
		return s.fail(at, "%s: %v", dottedPath(at), err)
	}
	return nil
}

// ran reports whether all rows from one on have results; a search continues from complete rounds only.
func ran(rows []Row) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return r.fault != nil || r.Status == statusMissing || r.lost })
}
