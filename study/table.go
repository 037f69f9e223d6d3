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

	"curlfree/internal/whole"
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

// expectations says how a case stands to what its scene expects: "ok", the names of
// what is not met, or nothing where nothing is expected.
func (r *Row) expectations() string {
	if len(r.Summary.Checks) == 0 {
		return ""
	}
	return cmp.Or(strings.Join(r.Summary.Unmet(), ", "), "ok")
}

// writeTable writes one row a case: its name, values, measures, its reference,
// what it was expected to be and what became of it.
func (s *Study) writeTable(path string, rows []Row) error {
	return whole.Write(path, func(out io.Writer) error {
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
			err = errors.Join(err, w.Write(append(line, r.expectations(), r.Status)))
		}
		w.Flush()
		return errors.Join(err, w.Error())
	})
}
