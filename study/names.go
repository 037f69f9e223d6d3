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

// Names are resolved before any case runs: a misspelled signal must not show after hours of
// simulation. The columns of a run depend only on its scene file, hence one case of each
// scene file is built to list them.

// resolveNames checks the names that expectations, measures and plots use against the
// columns that the runs will write. It builds one case of each scene file to learn
// these columns. All faults are returned together.
func (s *Study) resolveNames() error {
	if err := s.collectColumns(); err != nil {
		return err
	}
	// expectations that every case must meet
	var errs []error
	if s.File.Expect != nil {
		for _, name := range *s.File.Expect {
			if !slices.Contains(s.expected, name) {
				errs = append(errs, s.fail("expect", "expect: the scene has no expectation %q%s", name, kinds.Suggest(name, s.expected)))
			}
		}
	}
	// measures in their order: a formula may use those above it
	for _, name := range s.File.Measures.Keys {
		m, err := s.resolveMeasure(name, s.File.Measures.Get(name))
		errs = append(errs, err...)
		s.measures = append(s.measures, m)
	}
	// plots may use any value and measure
	s.columns = append(slices.Clone(s.Paths), s.File.Measures.Keys...)
	for _, name := range s.File.Plots.Keys {
		f, err := s.resolvePlot(name, s.File.Plots.Get(name))
		errs = append(errs, err...)
		s.plots = append(s.plots, f)
	}
	return errors.Join(errs...)
}

// A study may run several scene files (cases: {scene: [...]}). A name is known if any of them
// has it; cases whose tables lack a column have no value there.

// collectColumns gathers the signals, the columns of steps.csv and the expectations of
// all scene files.
func (s *Study) collectColumns() error {
	// one case of each scene file
	seen := map[string]bool{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if seen[c.Scene] {
			continue
		}
		seen[c.Scene] = true
		sc, err := s.load(c)
		if err != nil {
			return err
		}
		s.collectUnits(sc)
		s.signals = union(s.signals, sc.Signals.Names())
		s.steps = union(s.steps, run.StepColumns(sc))
		for i := range sc.Checks {
			s.expected = union(s.expected, []string{sc.Checks[i].Name})
		}
	}
	return nil
}

// collectUnits adds the units of a scene's signals. A signal of another unit in a scene before has
// none: its column has different quantities.
func (s *Study) collectUnits(sc *scene.Scene) {
	if s.units == nil {
		s.units = map[string]string{}
	}
	units := sc.Signals.Units()
	for _, name := range sc.Signals.Names() {
		if slices.Contains(s.signals, name) && s.units[name] != units[name] {
			delete(s.units, name)
		} else if u, ok := units[name]; ok {
			s.units[name] = u
		}
	}
}

// union appends those elements of b to a that a lacks.
func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// The scene of a case is its file with the overrides of the case applied.

// load builds the scene of a case. A file that changed since the study was loaded is an
// error: a table must not mix results of two scenes.
func (s *Study) load(c *Case) (*scene.Scene, error) {
	sc, err := s.files.Load(c.Scene, c.Set)
	if err != nil {
		return nil, c.wrap(err)
	}
	return sc, nil
}

// maxShownErrors is how many errors of cases Check returns: the cases of a study are
// many and often fail for the same reason.
const maxShownErrors = 5

// Check builds the scene of every case, several at a time, so that a mistake is
// reported before any case has run. It sets Case.Steps, from which Run estimates the
// work of a case. The error joins the first few errors of cases.
func (s *Study) Check() error {
	// workers write the error and the steps of their own cases only
	errs := make([]error, len(s.Cases))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				c := &s.Cases[i]
				sc, err := s.load(c)
				if errs[i] = err; err == nil {
					c.Steps = sc.File.Time.Duration / sc.File.Time.Step
					c.inputs, c.files = sc.Fingerprint, sc.Files
				}
			}
		})
	}
	for i := range s.Cases {
		next <- i
	}
	close(next)
	wg.Wait()
	// the first errors in the order of the table
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	return errors.Join(errs[:min(len(errs), maxShownErrors)]...)
}

// formulaEnv returns the values that a formula over a case can use: those of the case,
// and nil for columns of the table that the case does not have.
func (s *Study) formulaEnv(c *Case) map[string]any {
	// a copy: measures are added to it
	env := cloneTree(c.env).(map[string]any)
	for _, p := range s.Paths {
		if getPath(env, p) == nil {
			setPath(env, p, nil)
		}
	}
	return env
}

// resolveColumn resolves a column of the tables of a run, or a formula over columns.
func (s *Study) resolveColumn(text, file string) (*column, error) {
	// signals.csv has the time besides the signals
	known, kind := append([]string{timeColumn}, s.signals...), "signal"
	if file == record.StepsFile {
		known, kind = s.steps, "column"
	}
	c, err := newColumn(text, known, false)
	// a name that does not exist is reported as such, not as a formula
	if err != nil && isName(text) {
		return nil, errors.New("unknown " + kind + " " + strconv.Quote(text) + kinds.Suggest(text, known))
	}
	return c, err
}

// isName reports whether a text can only be a name, and not as a formula.
func isName(text string) bool {
	return !strings.ContainsAny(text, " +*/()<>=,?[]&|!^%'\"")
}
