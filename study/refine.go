package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene"
)

// Refinement of a boundary between success and failure. Cases that differ in the value of one path alone
// lie on a line; where neighbours on a line differ in success and are farther apart than the tolerance,
//
//	s(x_i) ≠ s(x_{i+1}),  x_{i+1} − x_i > τ   →   a case at (x_i + x_{i+1})/2
//
// so that each line is bisected wherever it crosses the boundary. Every path with a tolerance has its
// lines, through all cases. A boundary that is crossed twice between two neighbours is not seen: the
// values under cases must be fine enough to show each region.

// Refine asks for more cases along the boundary of a condition.
type Refine struct {
	// Pos is the position of the refinement in the study file.
	scene.Pos

	// Success is the condition over values and measures. A case that failed does not meet it.
	Success string `key:"success"`

	// Tolerance is how near cases on both sides must come, for each path to bisect, in its unit.
	Tolerance scene.Named[float64] `key:"tolerance"`
}

// refinement is the search of a boundary.
type refinement struct{ *Refine }

// newRefinement checks the refinement of the study.
func (s *Study) newRefinement() (searcher, error) {
	f := s.File.Refine
	if f.Success == "" {
		return nil, s.fail("refine", "refine.success is missing: give a condition over measures, such as drop < 0.01")
	}
	if err := s.checkCondition("refine/success", f.Success); err != nil {
		return nil, err
	}
	if len(f.Tolerance.Keys) == 0 {
		return nil, s.fail("refine", "refine.tolerance is missing: give it for each path to bisect")
	}
	for _, path := range f.Tolerance.Keys {
		at := "refine/tolerance/" + path
		if tol := *f.Tolerance.Get(path); !(tol > 0) {
			return nil, s.fail(at, "refine.tolerance.%s is %g: give a number above 0", path, tol)
		}
		for i := range s.Cases {
			if text, ok := s.Cases[i].of.get(path); !ok {
				return nil, s.fail(at, "%s is not varied: list its values under cases", path)
			} else if _, ok := parseNumber(text); !ok {
				return nil, s.fail(at, "%s has the value %s: only numbers can be bisected", path, text)
			}
		}
	}
	return refinement{f}, nil
}

// next implements searcher: it bisects every line that crosses the boundary.
func (f refinement) next(s *Study, rows []Row) ([]assignments, error) {
	success := make([]bool, len(rows))
	for i := range rows {
		var err error
		if success[i], err = s.holds(f.Success, &rows[i]); err != nil {
			return nil, fmt.Errorf("refine.success: %w", err)
		}
	}
	var more []assignments
	for _, path := range f.Tolerance.Keys {
		lines := f.lines(rows, path)
		for _, key := range sortedNames(lines) {
			line := lines[key]
			for k := 1; k < len(line); k++ {
				a, b := line[k-1], line[k]
				if success[a.row] == success[b.row] || b.x-a.x <= *f.Tolerance.Get(path)*(1+1e-9) {
					continue
				}
				mid := assignment{path, fmt.Sprint(a.x + (b.x-a.x)/2)}
				more = append(more, rows[a.row].Case.of.with(mid))
			}
		}
	}
	return more, nil
}

// pointOnLine is a case on a line.
type pointOnLine struct {
	x   float64
	row int
}

// lines returns the cases that differ in one path alone, by ascending values of it. Their key has all
// other values.
func (f refinement) lines(rows []Row, path string) map[string][]pointOnLine {
	lines := map[string][]pointOnLine{}
	for i := range rows {
		var key strings.Builder
		x := 0.0
		for _, v := range rows[i].Case.of {
			if v.path == path {
				x, _ = parseNumber(v.text)
				continue
			}
			// 0.5 and 5e-1 are one value
			fmt.Fprintf(&key, "%s=%v\n", v.path, parseValue(v.text))
		}
		lines[key.String()] = append(lines[key.String()], pointOnLine{x, i})
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b pointOnLine) int { return cmp.Compare(a.x, b.x) })
	}
	return lines
}

// sortedNames lists the keys of a map in their order.
func sortedNames[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
