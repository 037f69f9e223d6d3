package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/inputfile"
)

// historyColumns are the columns of a history.
// A history outlives versions of the program: columns are never reordered.
var historyColumns = []string{
	"date", "version", "cpu", "cores", "go", "scene", "threads", "kernel", "dofs", "steps", "repeat",
	"median_ms", "p95_ms", "mean_ms", "cpu_ms", "newton", "contacts", "factor_gflop_per_s", "heap_MB", "allocations", "noise", "state_hash",
}

// AppendHistory appends results to a table of tab-separated values, one line each. The file is
// created if it does not exist; a file with other columns is an error.
// Rows of a history are compared by people and by spreadsheets: text with tabs serves both, and version
// control shows what a change of the program did to times.
func AppendHistory(path string, when time.Time, results []*Result) error {
	text, err := inputfile.Read(path)
	// the header says whether a file is a history of this form
	head := strings.Join(historyColumns, "\t")
	switch {
	// the first measurement begins the history
	case errors.Is(err, fs.ErrNotExist):
		text = []byte(head + "\n")
	case err != nil:
		return err
	}
	// other columns would put numbers below the wrong names
	if first, _, _ := strings.Cut(string(text), "\n"); first != head {
		return fmt.Errorf("%s: the columns are not those of a history: give another file, or remove this one", path)
	}
	// written again as a whole: a measurement that is cut short leaves the old file
	return atomicfile.Write(path, func(w io.Writer) error {
		b := append([]byte(nil), text...)
		// editors may have dropped the last line end
		if len(b) > 0 && b[len(b)-1] != '\n' {
			b = append(b, '\n')
		}
		for _, r := range results {
			b = append(b, r.line(when)...)
		}
		_, err := w.Write(b)
		return err
	})
}

// line returns the row of a result.
func (r *Result) line(when time.Time) string {
	cells := []any{
		// in the order of historyColumns
		when.UTC().Format(time.DateOnly), r.Version, r.Machine.CPU, r.Machine.Cores, r.Machine.Go, r.Scene, r.Threads, r.Kernel,
		r.Dofs, r.Steps, r.Repeat, rounded(r.StepMs.Median), rounded(r.StepMs.P95), rounded(r.StepMs.Mean), rounded(r.CPUMs),
		rounded(r.Newton.Mean), rounded(r.Contacts.Mean), rounded(r.Factor.GFlops), rounded(r.HeapMB), r.Allocations, rounded(r.Noise), r.StateHash,
	}
	text := make([]string, len(cells))
	for i, c := range cells {
		// names of processors may have tabs
		text[i] = strings.ReplaceAll(fmt.Sprint(c), "\t", " ")
	}
	return strings.Join(text, "\t") + "\n"
}

// rounded writes a number with four digits.
// Noise of times is some percent, so that four digits keep more than is known.
func rounded(x float64) string { return fmt.Sprintf("%.4g", x) }
