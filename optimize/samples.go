package optimize

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// The cost of unknowns is that of signals s of a run, at the times t_i of samples,
//
//	F = Σ_terms w Σ_i (s(t_i) − z_i)²   +   Σ_terms w/n Σ_i s(t_i)                      (4)
//	        norm square                        norm mean
//
// with s linear between steps. A term of norm square has the residuals √w (s(t_i) − z_i).

// samples are those of a term.
type samples struct {
	term   *Term
	signal int       // its number in the scene
	times  []float64 // t_i, s, ascending
	target []float64 // z_i; nil: norm mean
	weight float64   // √w, or w/n for norm mean
}

// timeSlack is the rounding of times of records, s.
const timeSlack = 1e-9

// makeSamples makes the samples of all terms.
func (t *Task) makeSamples() error {
	// unknowns first: without a start there is no run
	for _, name := range t.File.Unknowns.Keys {
		if err := t.File.Unknowns.Get(name).check(); err != nil {
			return fmt.Errorf("unknowns.%s: %w", name, err)
		}
	}
	// in the order of the file, in which residuals follow each other
	for _, name := range t.File.Loss.Keys {
		s, err := t.makeTerm(t.File.Loss.Get(name))
		if err != nil {
			return fmt.Errorf("loss.%s: %w", name, err)
		}
		t.samples = append(t.samples, s)
	}
	if err := t.checkResiduals(); err != nil {
		return err
	}
	// paths of unknowns are checked once here, by name, and not in the first of many runs
	y := make([]float64, len(t.File.Unknowns.Keys))
	for i := range y {
		y[i] = t.unknown(i).y(t.unknown(i).Start)
	}
	_, err := t.load(t.overrides(y))
	return err
}

// checkResiduals verifies that the least-squares method has residuals of all terms, at least as many as unknowns.
func (t *Task) checkResiduals() error {
	if t.File.Method != "gauss_newton" {
		return nil // the other methods need the cost alone
	}
	n := 0
	for _, s := range t.samples {
		if s.target == nil {
			return errors.New("method gauss_newton: norm mean is no sum of squares: take bfgs, adam, nelder_mead or cma_es")
		}
		n += len(s.times)
	}
	if m := len(t.File.Unknowns.Keys); n < m {
		return fmt.Errorf("%d samples do not determine %d unknowns: record more times", n, m)
	}
	return nil
}

// makeTerm makes the samples of a term.
func (t *Task) makeTerm(term *Term) (samples, error) {
	s := samples{term: term, signal: slices.Index(t.Scene.Signals.Names(), term.Signal)}
	if err := t.checkTerm(&s); err != nil {
		return s, err
	}
	// times and targets of a record, or the end of each step with one target
	if term.Record != "" {
		if err := t.readRecord(term, &s); err != nil {
			return s, err
		}
	} else {
		target := 0.0 // of norm mean, which has none
		if term.Target != nil {
			target = term.Target[0]
		}
		for k := 1; k <= t.steps; k++ {
			s.times = append(s.times, float64(k)*t.h)
			s.target = append(s.target, target)
		}
	}
	// what lies outside the run or the interval has no signal, or does not count
	s.keep(t.interval(term))
	if len(s.times) == 0 {
		return s, errors.New("no sample lies within the run: see over, and the times of the record")
	}
	// weights as they enter residuals, or the mean
	w := term.Weight
	if w == 0 {
		w = 1
	}
	// residuals have the root, since their squares are summed
	if s.weight = math.Sqrt(math.Abs(w)); term.Norm == "mean" {
		s.target, s.weight = nil, w/float64(len(s.times))
	}
	return s, nil
}

// checkTerm refuses terms that have no samples, or no cost.
func (t *Task) checkTerm(s *samples) error {
	// faults by their likely order: what kind of term, which signal, which times, which target
	switch term := s.term; {
	case term.Body != "" || len(term.Joints) > 0 || term.Rate != 0 || term.AtEnd != 0 || term.RateAtEnd != 0:
		return errors.New("unknowns have signals as terms: give signal, with record or target, and weight")
	case s.signal < 0:
		return fmt.Errorf("there is no signal %q%s", term.Signal, kinds.Suggest(term.Signal, t.Scene.Signals.Names()))
	case term.Over != nil && (len(term.Over) != 2 || !(term.Over[0] <= term.Over[1])):
		return errors.New("over: give two times in ascending order, s")
	case term.Norm == "mean" && (term.Record != "" || term.Target != nil):
		return errors.New("norm mean has no target: leave out record and target")
	case term.Norm != "mean" && (term.Record == "") == (len(term.Target) != 1):
		return errors.New("give a record, or a target of one number, and not both")
	case term.Norm != "mean" && term.Weight < 0:
		return errors.New("the weight of a square must not be negative")
	}
	return nil
}

// interval returns the times between which samples of a term count.
func (t *Task) interval(term *Term) (from, to float64) {
	// the run itself bounds it
	from, to = 0, float64(t.steps)*t.h
	if term.Over != nil {
		from, to = max(from, term.Over[0]), min(to, term.Over[1])
	}
	return from, to
}

// readRecord reads the times and targets of a term.
func (t *Task) readRecord(term *Term, s *samples) error {
	// tables of runs name their columns by signals
	column := term.Column
	if column == "" {
		column = term.Signal
	}
	// all columns, so that a misspelled one can be compared with those there are
	path := t.file(term.Record)
	table, err := record.ReadColumns(filepath.Dir(path), filepath.Base(path), nil)
	if err != nil {
		return err
	}
	// both are needed; the messages differ, since either may be misspelled
	times, values := table.Column("time_s"), table.Column(column)
	if times == nil {
		return fmt.Errorf("%s has no column time_s: name the column of times so", path)
	}
	if values == nil {
		return fmt.Errorf("%s has no column %q%s", path, column, kinds.Suggest(column, table.Columns))
	}
	for i, x := range times {
		// the row is that of the file, behind its header
		if bad := math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(values[i]) || math.IsInf(values[i], 0); bad || i > 0 && x <= times[i-1] {
			return fmt.Errorf("%s:%d: times must ascend, and times and values be finite", path, i+2)
		}
	}
	s.times, s.target = times, values
	return nil
}

// keep removes the samples outside an interval.
func (s *samples) keep(from, to float64) {
	// new lists: those of a record may be shared with another term
	var times, target []float64
	for i, x := range s.times {
		if x >= from-timeSlack && x <= to+timeSlack {
			times, target = append(times, x), append(target, s.target[i])
		}
	}
	s.times, s.target = times, target
}

// signalsAt runs the scene with unknowns y up to the last sample and returns the signal of each term at its samples.
func (t *Task) signalsAt(y []float64) ([][]float64, error) {
	// a model and a stepper of its own: runs at several y run at a time
	sc, err := t.load(t.overrides(y))
	if err != nil {
		return nil, err
	}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	// as an ordinary run steps
	take := s.Step
	if sc.File.Time.Equilibrium {
		take = s.Equilibrium
	}
	// signals of the step before and of this one, between which samples lie
	x, memory := sc.Model.Start.Clone(), sc.Signals.NewMemory()
	s.Place(x, t.h)
	before := sc.Signals.Evaluate(s, x, memory, nil)
	now := slices.Clone(before)
	out := make([][]float64, len(t.samples))
	// samples at the start itself
	t.collect(out, 0, before, now)
	for k := 1; k <= t.lastStep(); k++ {
		err := take(x, t.h)
		if err != nil && !(errors.Is(err, sim.ErrNotConverged) && sc.File.Solver.AllowUnconverged) {
			return nil, fmt.Errorf("the run fails at t = %.6g s: %w", x.Time, err)
		}
		// a product: rounding of sums would shift later samples
		x.Time = float64(k) * t.h
		s.Place(x, t.h)
		before, now = now, sc.Signals.Evaluate(s, x, memory, before[:0])
		t.collect(out, k, before, now)
	}
	return out, nil
}

// lastStep returns the step after which no sample follows.
func (t *Task) lastStep() int {
	// of all terms
	last := 0.0
	for _, s := range t.samples {
		last = max(last, s.times[len(s.times)-1])
	}
	return min(t.steps, int(math.Ceil(last/t.h-timeSlack/t.h)))
}

// collect appends the samples up to the end of step k, between the signals before and after it.
func (t *Task) collect(out [][]float64, k int, before, now []float64) {
	// several samples may lie in a step, or none
	end := float64(k) * t.h
	for i := range t.samples {
		// those after the last one that was collected, up to the end of the step
		s := &t.samples[i]
		for n := len(out[i]); n < len(s.times) && s.times[n] <= end+timeSlack; n++ {
			// 1 at the end of the step
			f := 1.0
			if k > 0 {
				f = min(1, 1-(end-s.times[n])/t.h)
			}
			out[i] = append(out[i], (1-f)*before[s.signal]+f*now[s.signal])
		}
	}
}
