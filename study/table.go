package study

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/record"
)

// header lists the table's columns.
func (s *Study) header() []string {
	head := []string{"case"}
	if len(s.File.Sweeps.Keys) > 0 {
		head = append(head, "sweep")
	}
	head = append(append(head, s.Paths...), s.File.Measures.Keys...)
	head = append(head, "steps", "wall_s", "unconverged_steps", "state_hash")
	if s.hasReferences() {
		head = append(head, "reference")
	}
	return append(head, "expectations", "status")
}

func (s *Study) hasReferences() bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return c.Reference != "" })
}

// Unmet names the expectations of the scene that a case does not meet, of those that
// the study holds cases to.
func (s *Study) Unmet(r *Row) []string {
	return slices.DeleteFunc(r.Summary.FailedChecks(), func(name string) bool { return !s.holds(name) })
}

// holds reports whether cases are held to an expectation.
func (s *Study) holds(name string) bool {
	return s.File.Expect == nil || slices.Contains(*s.File.Expect, name)
}

// expectations says how a case stands to what is expected of it: "ok", the names of
// what is not met, or nothing where nothing is expected.
func (s *Study) expectations(r *Row) string {
	if !slices.ContainsFunc(r.Summary.Checks, func(c record.CheckResult) bool { return s.holds(c.Name) }) {
		return ""
	}
	return cmp.Or(strings.Join(s.Unmet(r), ", "), "ok")
}

// writeTable writes one row a case: its name, values, measures, its reference,
// what it was expected to be and what became of it.
func (s *Study) writeTable(path string, rows []Row) error {
	return atomicfile.Write(path, func(out io.Writer) error {
		w := csv.NewWriter(out)
		err := w.Write(s.header())
		for i := range rows {
			r := &rows[i]
			line := []string{r.Case.Name}
			if len(s.File.Sweeps.Keys) > 0 {
				line = append(line, r.Case.Sweep)
			}
			line = append(line, r.Case.Values...)
			for _, v := range r.Values {
				line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
			}
			line = append(line, strconv.Itoa(r.Summary.Steps), fmt.Sprintf("%.3f", r.Summary.Wall),
				strconv.Itoa(r.Summary.Unconverged), r.Summary.StateHash)
			if s.hasReferences() {
				line = append(line, r.Case.Reference)
			}
			err = errors.Join(err, w.Write(append(line, s.expectations(r), r.Status)))
		}
		w.Flush()
		return errors.Join(err, w.Error())
	})
}
