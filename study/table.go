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
	"github.com/curlfree/curlfree/internal/textcell"
	"github.com/curlfree/curlfree/record"
)

// The table cases.csv has one row for each case and these columns:
//
//	case                 folder of the case below cases/
//	sweep                in a study with sweeps
//	(paths)              values that vary or are derived
//	(measures)           NaN where a case has none
//	steps                time steps taken
//	wall_s               wall-clock time, s
//	unconverged_steps    steps whose solver did not converge
//	state_hash           of the final state
//	front                in a study with pareto: whether no other case dominates it
//	reference            case that differences are measured against, if any
//	expectations         ok, or the names of those that are not met; empty if none apply
//	                     or the case ends before the windows of all that do
//	status               done, or why the case has no result

// Numbers have all digits that are needed to read back the same value, except for the
// wall-clock time, which has milliseconds. A study that runs all cases again writes
// the same table apart from this column. Names and values that begin as formulas of spreadsheets do, other than
// numbers, stand behind an apostrophe.

// frontColumn is the column that says which cases are on the front of Pareto.
const frontColumn = "front"

// header lists the columns of the table.
func (s *Study) header() []string {
	head := []string{"case"}
	if len(s.File.Sweeps.Keys) > 0 {
		head = append(head, "sweep")
	}
	head = append(append(head, s.Paths...), s.File.Measures.Keys...)
	head = append(head, "steps", "wall_s", "unconverged_steps", "state_hash")
	if s.File.Pareto != nil {
		head = append(head, frontColumn)
	}
	if s.hasReferences() {
		head = append(head, "reference")
	}
	return append(head, "expectations", "status")
}

// line returns the row of a case in the table.
func (s *Study) line(r *Row, front bool) []string {
	// which case it is
	line := []string{r.Case.Name}
	if len(s.File.Sweeps.Keys) > 0 {
		line = append(line, r.Case.Sweep)
	}
	line = append(line, r.Case.Values...)
	// its measures, with all digits
	for _, v := range r.Values {
		line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
	}
	// numbers of its run, zero where it has none
	line = append(line, strconv.Itoa(r.Summary.Steps), fmt.Sprintf("%.3f", r.Summary.Wall),
		strconv.Itoa(r.Summary.Unconverged), r.Summary.StateHash)
	if s.File.Pareto != nil {
		line = append(line, strconv.FormatBool(front))
	}
	if s.hasReferences() {
		line = append(line, r.Case.Reference)
	}
	return append(line, s.expectations(r), r.Status)
}

// hasReferences reports whether any case has a reference.
func (s *Study) hasReferences() bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return c.Reference != "" })
}

// Unmet returns the names of the expectations that a case does not meet, of those that
// apply to the cases of the study.
func (s *Study) Unmet(r *Row) []string {
	return slices.DeleteFunc(r.Summary.FailedChecks(), func(name string) bool { return !s.applies(name) })
}

// Unreached returns the names of the expectations, of those that apply to the cases of the
// study, whose window a case did not reach.
func (s *Study) Unreached(r *Row) []string {
	return slices.DeleteFunc(r.Summary.UnreachedChecks(), func(name string) bool { return !s.applies(name) })
}

// applies reports whether an expectation of the scene applies to the cases.
func (s *Study) applies(name string) bool {
	return s.File.Expect == nil || slices.Contains(*s.File.Expect, name)
}

// expectations returns the text of the column expectations.
func (s *Study) expectations(r *Row) string {
	// a case that decides no applicable expectation is neither ok nor failed
	if !slices.ContainsFunc(r.Summary.Checks, func(c record.CheckResult) bool { return s.applies(c.Name) && !c.NotReached }) {
		return ""
	}
	return cmp.Or(strings.Join(s.Unmet(r), ", "), "ok")
}

// writeTable writes the table; a file that exists is replaced as a whole.
func (s *Study) writeTable(path string, rows []Row) error {
	front, err := s.onFront(rows)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(out io.Writer) error {
		w := csv.NewWriter(out)
		err := w.Write(textcell.EscapeAll(s.header()))
		for i := range rows {
			err = errors.Join(err, w.Write(textcell.EscapeAll(s.line(&rows[i], front[i]))))
		}
		w.Flush()
		return errors.Join(err, w.Error())
	})
}
