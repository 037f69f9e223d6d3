package study

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// lookUp checks the names of measures and plots against the columns that there
// will be, by the first case of every scene.
func (s *Study) lookUp() error {
	seen := map[string]bool{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if seen[c.Scene] {
			continue
		}
		seen[c.Scene] = true
		sc, err := c.load()
		if err != nil {
			return err
		}
		s.signals = union(s.signals, sc.Signals.Names())
		s.steps = union(s.steps, run.StepColumns(sc))
		for i := range sc.Checks {
			s.expected = union(s.expected, []string{sc.Checks[i].Name})
		}
	}
	var errs []error
	if s.File.Expect != nil {
		for _, name := range *s.File.Expect {
			if !slices.Contains(s.expected, name) {
				errs = append(errs, s.fail("expect", "expect: the scene expects no %q%s", name, kinds.Suggest(name, s.expected)))
			}
		}
	}
	for _, name := range s.File.Measures.Keys {
		m, err := s.newMeasure(name, s.File.Measures.Get(name))
		errs = append(errs, err...)
		s.measures = append(s.measures, m)
	}
	s.columns = append(slices.Clone(s.Paths), s.File.Measures.Keys...)
	for _, name := range s.File.Plots.Keys {
		f, err := s.newFigure(name, s.File.Plots.Get(name))
		errs = append(errs, err...)
		s.plots = append(s.plots, f)
	}
	return errors.Join(errs...)
}

func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// load builds the case's scene.
func (c *Case) load() (*scene.Scene, error) {
	sc, err := scene.Load(c.Scene, c.Set)
	if err != nil {
		return nil, c.wrap(err)
	}
	return sc, nil
}

// Check loads the scene with the values of every case, several at a time, so that
// a mistake shows before hours are spent; it also estimates how long cases take
// in proportion to each other.
func (s *Study) Check() error {
	errs := make([]error, len(s.Cases))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				c := &s.Cases[i]
				sc, err := c.load()
				if errs[i] = err; err == nil {
					c.Steps = sc.File.Time.Duration / sc.File.Time.Step
				}
			}
		})
	}
	for i := range s.Cases {
		next <- i
	}
	close(next)
	wg.Wait()
	// cases are many and often wrong in the same way
	const shown = 5
	var out []error
	for _, err := range errs {
		if err != nil && len(out) < shown {
			out = append(out, err)
		}
	}
	return errors.Join(out...)
}

// formulaEnv returns what a formula over the table of cases can name: values of
// the case, and all columns.
func (s *Study) formulaEnv(c *Case) map[string]any {
	env := clone(c.env).(map[string]any)
	for _, p := range s.Paths {
		if get(env, p) == nil {
			put(env, p, nil)
		}
	}
	return env
}

// newMeasure reads a measure. Its faults are all returned.
func (s *Study) newMeasure(name string, m *Measure) (measure, []error) {
	var errs []error
	at := "measures/" + name
	fail := func(format string, args ...any) {
		errs = append(errs, s.fail(at, "measures."+name+format, args...))
	}
	out := measure{Measure: m, name: name, scale: 1}
	chosen := 0
	for _, given := range []bool{m.Signal != "", m.Steps != "", m.Run != "", m.RMS != nil, m.Max != nil,
		m.First != "", m.Last != "", m.Count != "", m.Expr != ""} {
		if given {
			chosen++
		}
	}
	if chosen != 1 {
		fail(": exactly one of signal, steps, run, rms_difference, max_difference, first, last, count and expr is wanted")
		return out, errs
	}
	if slices.Contains(s.Paths, name) || name == "sweep" || name == "case" {
		fail(": another column of the table has this name")
	}
	var err error
	switch {
	case m.Signal != "":
		out.file = record.SignalsFile
		if out.column, err = s.oneColumn(m.Signal, out.file); err != nil {
			fail(".signal: %v", err)
		}
	case m.Steps != "":
		out.file = record.StepsFile
		if out.column, err = s.oneColumn(m.Steps, out.file); err != nil {
			fail(".steps: %v", err)
		}
	case m.Run != "":
		if !slices.Contains(record.Numbers(), record.NumberName(m.Run)) {
			fail(".run: unknown %q%s", m.Run, kinds.Suggest(m.Run, record.Numbers()))
		}
	case m.Expr != "":
		env := s.formulaEnv(&s.Cases[0])
		for k := range s.measures {
			env[s.measures[k].name] = 0.0
		}
		if out.expr, err = compile(m.Expr, env); err != nil {
			fail(".expr: %v", err)
		}
	case m.First+m.Last+m.Count != "":
		text := m.First + m.Last + m.Count
		out.file = record.SignalsFile
		if out.column, err = newColumn(text, append([]string{"time_s"}, s.signals...), true); err != nil {
			var other error
			if out.column, other = newColumn(text, s.steps, true); other == nil {
				out.file = record.StepsFile
			} else {
				fail(": %v", err)
			}
		}
	default:
		s.checkDifference(&out, fail)
	}
	if m.Stat != "" && m.Signal == "" && m.Steps == "" {
		fail(".stat: only signal and steps have one")
	} else if m.Stat != "" && !slices.Contains(record.Stats, m.Stat) {
		fail(".stat: unknown %q%s", m.Stat, kinds.Suggest(m.Stat, record.Stats))
	}
	if m.Over != nil && !(m.Over[0] <= m.Over[1]) {
		fail(".over: [%g, %g] holds no time", m.Over[0], m.Over[1])
	}
	if m.RelativeTo != "" && m.RMS == nil && m.Max == nil {
		fail(".relative_to: only differences have one")
	}
	return out, errs
}

// checkDifference reads what is particular to differences from the reference.
func (s *Study) checkDifference(m *measure, fail func(format string, args ...any)) {
	for _, n := range append(slices.Clone(m.RMS), m.Max...) {
		if !slices.Contains(s.signals, n) {
			fail(": unknown signal %q%s", n, kinds.Suggest(n, s.signals))
		}
	}
	if !slices.ContainsFunc(s.Cases, func(c Case) bool { return c.Reference != "" }) {
		fail(": a difference wants a reference: give its values under reference")
	}
	switch m.RelativeTo {
	case "", "rms", "range":
	default:
		x, ok := number(m.RelativeTo)
		if !ok || !(x > 0) {
			fail(".relative_to: rms, range or a number above 0 is wanted, not %q", m.RelativeTo)
			return
		}
		m.scale = x
	}
}

// oneColumn reads a column of a table, or a formula over its columns.
func (s *Study) oneColumn(text, file string) (*column, error) {
	known := append([]string{"time_s"}, s.signals...)
	if file == record.StepsFile {
		known = s.steps
	}
	c, err := newColumn(text, known, false)
	if err != nil && isWord(text) {
		what := map[string]string{record.SignalsFile: "signal", record.StepsFile: "column"}[file]
		return nil, errors.New("unknown " + what + " " + strconv.Quote(text) + kinds.Suggest(text, known))
	}
	return c, err
}

// isWord reports whether a text can only be meant as a name.
func isWord(text string) bool {
	return !strings.ContainsAny(text, " +*/()<>=,?[]&|!^%'\"")
}
