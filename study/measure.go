package study

import (
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// Measure is one number computed for each case. Exactly one of the keys signal, steps,
// run, rms_difference, max_difference, of_reference, first, last, count and expr defines it.
type Measure struct {
	// Pos is the position of the measure in the study file.
	scene.Pos

	// Signal is a column of signals.csv, or a formula over its columns. Stat reduces it
	// to a number.
	Signal string `key:"signal"`

	// Steps is a column of steps.csv, or a formula over its columns. Stat reduces it to
	// a number.
	Steps string `key:"steps"`

	// Run is a number of run.json, such as steps or step_ms.mean.
	Run string `key:"run"`

	// RMS lists signals. The measure is the root mean square, over rows, of the norm of
	// their difference from the reference; see difference.go.
	RMS []string `key:"rms_difference"`

	// Max lists signals. The measure is their largest absolute difference from the
	// reference.
	Max []string `key:"max_difference"`

	// OfReference is a measure above it. The measure is the value that the reference of the case
	// has, so that expr can relate both: the error of an event, or of a statistic.
	OfReference string `key:"of_reference"`

	// First is a condition over columns. The measure is the first time at which it
	// is true (s); NaN if it never is.
	First string `key:"first"`

	// Last is a condition over columns. The measure is the last time at which it is true
	// (s); NaN if it never is.
	Last string `key:"last"`

	// Count is a condition over columns. The measure is the number of rows in which it
	// is true.
	Count string `key:"count"`

	// Expr is a formula over the values of the case and the measures above it.
	Expr string `key:"expr"`

	// Stat is the statistic of signal and steps, one of record.Stats; default last.
	Stat string `key:"stat"`

	// Over restricts the rows to a window of time [from, to], s. nil: all rows.
	Over *[2]float64 `key:"over,inf"`

	// RelativeTo divides a difference by a property of the reference over the same
	// rows, rms or range (largest less smallest value), or by a positive number.
	RelativeTo string `key:"relative_to"`
}

// Each measure is a column of the table. A measure of a case that failed, or whose run lacks a
// column, is NaN; charts leave it out.

// resolvedMeasure is a Measure whose names are resolved.
type resolvedMeasure struct {
	*Measure
	name string
	// column is that of signal and steps, or the condition of first, last and count.
	column *column
	// file is the table that column belongs to.
	file string
	// expr is the formula of expr.
	expr *expression
	// reference is the number of the measure of of_reference.
	reference int
	// scale is the divisor of differences; 1 unless relative_to is a number.
	scale float64
}

// kinds counts the keys that define the measure.
func (m *Measure) kinds() int {
	n := 0
	for _, given := range []bool{m.Signal != "", m.Steps != "", m.Run != "", m.RMS != nil, m.Max != nil,
		m.OfReference != "", m.First != "", m.Last != "", m.Count != "", m.Expr != ""} {
		if given {
			n++
		}
	}
	return n
}

// failFunc notes a fault of an item of the study file.
type failFunc func(format string, args ...any)

// resolveMeasure resolves the names of a measure and returns all of its faults.
func (s *Study) resolveMeasure(name string, m *Measure) (resolvedMeasure, []error) {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, s.fail("measures/"+name, "measures."+name+format, args...))
	}
	out := resolvedMeasure{Measure: m, name: name, scale: 1}
	// without a single kind there is nothing to resolve
	if m.kinds() != 1 {
		fail(": give exactly one of signal, steps, run, rms_difference, max_difference, of_reference, first, last, count and expr")
		return out, errs
	}
	// the names of columns are the names of formulas: they must differ
	if slices.Contains(s.Paths, name) || name == "sweep" || name == "case" {
		fail(": another column of the table has this name")
	}
	s.resolveKind(&out, fail)
	out.checkOptions(fail)
	return out, errs
}

// resolveKind resolves the key that defines a measure.
func (s *Study) resolveKind(m *resolvedMeasure, fail failFunc) {
	// columns of tables, numbers of run.json, formulas, events or differences
	var err error
	switch {
	case m.Signal != "":
		m.file = record.SignalsFile
		if m.column, err = s.resolveColumn(m.Signal, m.file); err != nil {
			fail(".signal: %v", err)
		}
	case m.Steps != "":
		m.file = record.StepsFile
		if m.column, err = s.resolveColumn(m.Steps, m.file); err != nil {
			fail(".steps: %v", err)
		}
	case m.Run != "":
		if !slices.Contains(record.Numbers(), record.NumberName(m.Run)) {
			fail(".run: unknown %q%s", m.Run, kinds.Suggest(m.Run, record.Numbers()))
		}
	case m.Expr != "":
		// the first case shows which values there are; measures above are numbers
		env := s.formulaEnv(&s.Cases[0])
		for k := range s.measures {
			env[s.measures[k].name] = 0.0
		}
		if m.expr, err = compile(m.Expr, env); err != nil {
			fail(".expr: %v", err)
		}
	case m.OfReference != "":
		s.resolveOfReference(m, fail)
	case m.First+m.Last+m.Count != "":
		s.resolveCondition(m, fail)
	default:
		s.resolveDifference(m, fail)
	}
}

// resolveCondition resolves the condition of first, last and count: over signals, or
// over columns of steps.csv where that fails.
func (s *Study) resolveCondition(m *resolvedMeasure, fail failFunc) {
	text := m.First + m.Last + m.Count
	var err, other error
	m.file = record.SignalsFile
	if m.column, err = newColumn(text, append([]string{timeColumn}, s.signals...), true); err == nil {
		return
	}
	if m.column, other = newColumn(text, s.steps, true); other != nil {
		fail(": %v", err)
		return
	}
	m.file = record.StepsFile
}

// resolveDifference resolves the signals of a difference from the reference and its
// scale.
func (s *Study) resolveDifference(m *resolvedMeasure, fail failFunc) {
	// differences are between signals themselves, not between formulas
	for _, n := range append(slices.Clone(m.RMS), m.Max...) {
		if !slices.Contains(s.signals, n) {
			fail(": unknown signal %q%s", n, kinds.Suggest(n, s.signals))
		}
	}
	s.needReference(fail)
	switch m.RelativeTo {
	case "", "rms", "range":
	default:
		// a number, in the unit of the signals
		x, ok := parseNumber(m.RelativeTo)
		if !ok || !(x > 0) {
			fail(".relative_to: give rms, range or a number above 0, not %q", m.RelativeTo)
			return
		}
		m.scale = x
	}
}

// resolveOfReference resolves the measure whose value at the reference is taken.
func (s *Study) resolveOfReference(m *resolvedMeasure, fail failFunc) {
	var above []string
	for k := range s.measures {
		above = append(above, s.measures[k].name)
	}
	if m.reference = slices.Index(above, m.OfReference); m.reference < 0 {
		fail(".of_reference: no measure above it is called %q%s", m.OfReference, kinds.Suggest(m.OfReference, above))
	}
	s.needReference(fail)
}

// needReference verifies that some case has a reference; cases without one have no value.
func (s *Study) needReference(fail failFunc) {
	if !slices.ContainsFunc(s.Cases, func(c Case) bool { return c.Reference != "" }) {
		fail(": a difference needs a reference: give its values under reference")
	}
}

// checkOptions refuses options that do not apply to the kind of the measure.
func (m *resolvedMeasure) checkOptions(fail failFunc) {
	switch {
	case m.Stat == "":
	case m.Signal == "" && m.Steps == "":
		fail(".stat: only signal and steps have a statistic")
	case !slices.Contains(record.Stats, m.Stat):
		fail(".stat: unknown %q%s", m.Stat, kinds.Suggest(m.Stat, record.Stats))
	}
	if m.Over != nil && !(m.Over[0] <= m.Over[1]) {
		fail(".over: [%g, %g] contains no time", m.Over[0], m.Over[1])
	}
	if m.RelativeTo != "" && m.RMS == nil && m.Max == nil {
		fail(".relative_to: it applies only to rms_difference and max_difference")
	}
}
