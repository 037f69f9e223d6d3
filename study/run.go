package study

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"curlfree/internal/whole"
	"curlfree/record"
	"curlfree/run"
	"curlfree/scene"
)

// Options of a study.
type Options struct {
	Dir      string // study folder
	Jobs     int    // cases at a time
	Version  string
	Progress func(done, total int, share float64) // share of the whole, 0 to 1; may be nil
}

// Row is what became of a case.
type Row struct {
	Case    Case
	Status  string // done, or why not
	Summary record.Summary
	Values  []float64 // of the measures; NaN where there is none
}

// TableFile is the study's table within its folder.
const TableFile = "cases.csv"

// fingerprintFile notes in a case's folder which inputs it belongs to.
const fingerprintFile = "fingerprint"

// Run runs the cases that have no result yet and writes the table. A case that
// fails is a row that says so; the error is for what stops the study.
func (s *Study) Run(ctx context.Context, opt Options) ([]Row, error) {
	if err := os.MkdirAll(opt.Dir, 0o777); err != nil {
		return nil, err
	}
	rows := make([]Row, len(s.Cases))
	p := &progress{total: len(s.Cases), shares: make([]float64, len(s.Cases)), report: opt.Progress}
	// the reference is the longest: first
	queue := make(chan int)
	var wg sync.WaitGroup
	for range max(1, opt.Jobs) {
		wg.Go(func() {
			for i := range queue {
				rows[i] = s.one(ctx, opt, i, p)
				p.set(i, 1)
			}
		})
	}
	for _, i := range s.order() {
		if ctx.Err() != nil {
			break
		}
		queue <- i
	}
	close(queue)
	wg.Wait()
	if ctx.Err() != nil {
		return nil, run.ErrInterrupted
	}
	if err := s.measure(opt.Dir, rows); err != nil {
		return rows, err
	}
	if err := s.writeTable(filepath.Join(opt.Dir, TableFile), rows); err != nil {
		return rows, err
	}
	return rows, s.plots(opt.Dir, rows)
}

// order puts the reference first.
func (s *Study) order() []int {
	order := make([]int, 0, len(s.Cases))
	for i := len(s.Cases) - 1; i >= 0; i-- {
		if s.Cases[i].Ref {
			order = append(order, i)
		}
	}
	for i := range s.Cases {
		if !s.Cases[i].Ref {
			order = append(order, i)
		}
	}
	return order
}

// one runs a case, or takes the result that is there.
func (s *Study) one(ctx context.Context, opt Options, i int, p *progress) Row {
	c := s.Cases[i]
	row := Row{Case: c, Status: "done"}
	dir := filepath.Join(opt.Dir, "cases", c.Name)
	sc, err := scene.Load(s.scene, c.Set)
	if err != nil {
		row.Status = err.Error()
		return row
	}
	if summary, ok := finished(dir, sc.Fingerprint); ok {
		row.Summary = summary
		return row
	}
	if err := os.RemoveAll(filepath.Join(dir, fingerprintFile)); err != nil {
		row.Status = err.Error()
		return row
	}
	ropt := run.Options{
		Dir: dir, Threads: 1, Resume: true, Version: opt.Version,
		Progress: func(t, duration float64) { p.set(i, t/duration) },
	}
	summary, err := run.Run(ctx, sc, ropt)
	if errors.Is(err, run.ErrResume) { // the checkpoint is of other inputs: start over
		ropt.Resume = false
		summary, err = run.Run(ctx, sc, ropt)
	}
	if err != nil {
		row.Status = err.Error()
		return row
	}
	row.Summary = *summary
	err = whole.Write(filepath.Join(dir, fingerprintFile), func(w io.Writer) error {
		_, err := io.WriteString(w, sc.Fingerprint+"\n")
		return err
	})
	if err != nil {
		row.Status = err.Error()
	}
	return row
}

// finished returns the summary of a case that was run with the same inputs.
func finished(dir, fingerprint string) (s record.Summary, ok bool) {
	have, err := os.ReadFile(filepath.Join(dir, fingerprintFile))
	if err != nil || string(have) != fingerprint+"\n" {
		return s, false
	}
	b, err := os.ReadFile(filepath.Join(dir, record.SummaryFile))
	return s, err == nil && json.Unmarshal(b, &s) == nil
}

// progress adds up the shares of cases.
type progress struct {
	mu     sync.Mutex
	total  int
	shares []float64
	report func(done, total int, share float64)
}

func (p *progress) set(i int, share float64) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shares[i] = min(1, share)
	sum, done := 0.0, 0
	for _, x := range p.shares {
		sum += x
		if x == 1 {
			done++
		}
	}
	p.report(done, p.total, sum/float64(p.total))
}

// measure fills the rows' values.
func (s *Study) measure(dir string, rows []Row) error {
	var ref *record.Table
	for i := range rows {
		if rows[i].Case.Ref && rows[i].Status == "done" {
			var err error
			if ref, err = record.ReadTable(filepath.Join(dir, "cases", rows[i].Case.Name), record.SignalsFile); err != nil {
				return err
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		r.Values = make([]float64, len(s.File.Measures.Keys))
		for k := range r.Values {
			r.Values[k] = math.NaN()
		}
		if r.Status != "done" {
			continue
		}
		folder := filepath.Join(dir, "cases", r.Case.Name)
		signals, err := record.ReadTable(folder, record.SignalsFile)
		if err != nil {
			return err
		}
		steps, err := record.ReadTable(folder, record.StepsFile)
		if err != nil {
			return err
		}
		for k, name := range s.File.Measures.Keys {
			m := s.File.Measures.Get(name)
			switch {
			case m.Signal != "":
				r.Values[k] = m.of(signals, m.Signal)
			case m.Steps != "":
				r.Values[k] = m.of(steps, m.Steps)
			case m.Run != "":
				r.Values[k], _ = r.Summary.Number(m.Run)
			case ref != nil:
				r.Values[k] = m.difference(signals, ref)
			}
		}
	}
	return nil
}

// window returns the times that a measure looks at.
func (m *Measure) window() (from, to float64) {
	if m.Over == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return m.Over[0], m.Over[1]
}

func (m *Measure) of(t *record.Table, column string) float64 {
	from, to := m.window()
	c := record.Check{Signal: column, Stat: m.Stat, From: from, To: to}
	return c.Statistic(t)
}

// difference returns √(mean over rows of Σ (x − x_ref)²), the reference
// interpolated linearly at the times of the case; row 0 is the common start.
func (m *Measure) difference(t, ref *record.Table) float64 {
	from, to := m.window()
	time, refTime := t.Column("time_s"), ref.Column("time_s")
	sum, n := 0.0, 0
	for i := 1; i < len(time); i++ {
		if time[i] < from-1e-9 || time[i] > to+1e-9 || time[i] > refTime[len(refTime)-1]+1e-9 {
			continue
		}
		for _, name := range m.RMS {
			d := t.Column(name)[i] - interpolate(refTime, ref.Column(name), time[i])
			sum += d * d
		}
		n++
	}
	return math.Sqrt(sum / float64(n))
}

func interpolate(t, x []float64, at float64) float64 {
	i, _ := slices.BinarySearch(t, at-1e-9)
	switch {
	case i >= len(t):
		return x[len(x)-1]
	case i == 0 || math.Abs(t[i]-at) < 1e-9:
		return x[i]
	}
	return x[i-1] + (x[i]-x[i-1])*(at-t[i-1])/(t[i]-t[i-1])
}

// writeTable writes one row a case: its name, values, measures and status.
func (s *Study) writeTable(path string, rows []Row) error {
	return whole.Write(path, func(out io.Writer) error {
		w := csv.NewWriter(out)
		head := append([]string{"case"}, s.Paths...)
		head = append(head, s.File.Measures.Keys...)
		err := w.Write(append(head, "steps", "wall_s", "unconverged_steps", "state_hash", "status"))
		for i := range rows {
			r := &rows[i]
			line := append([]string{r.Case.Name}, r.Case.Values...)
			for _, v := range r.Values {
				line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
			}
			line = append(line, strconv.Itoa(r.Summary.Steps), fmt.Sprintf("%.3f", r.Summary.Wall),
				strconv.Itoa(r.Summary.Unconverged), r.Summary.StateHash, r.Status)
			err = errors.Join(err, w.Write(line))
		}
		w.Flush()
		return errors.Join(err, w.Error())
	})
}
