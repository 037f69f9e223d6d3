package scene

// Settings are those of no single item: times, rates, tolerances, the contact law. A contact law is
// made of a normal law and a law of friction,
//
//	normal_law → normal model ┐
//	contact    → friction     ┴→ contact model
//
// each with the parameters that the section solver gives; sap has a normal law of its own. A lag of
// friction is a choice of the step, not of the law, but only lagged laws read it.

import (
	"math"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// MaxSteps bounds the length of a run: more steps are likely an error of units.
const MaxSteps = 1_000_000_000

// checkTimes checks step, duration and rates.
func (l *loader) checkTimes() {
	t, o := &l.f.Time, l.f.Output
	// one state at rest, unless a path is asked for
	if t.Equilibrium && t.Duration == 0 {
		t.Duration = 1
	}
	if t.Equilibrium && t.Step == 0 {
		t.Step = t.Duration
	}
	key := "time.step"
	if t.Step == 0 || t.Accuracy != 0 {
		key = "time.max_step"
	}
	// one message about times is enough: the first explains the others
	switch {
	case !l.setStepControl():
	case !(t.Duration > 0):
		l.fail(t.Pos, "time.duration is %g s: it must be positive", t.Duration)
	case !(t.Step > 0):
		l.fail(t.Pos, "time.step is %g s: it must be positive, such as 0.01, or left out for steps that control their error", t.Step)
	case t.Duration < t.Step:
		l.fail(t.Pos, "time.duration of %g s is shorter than one %s of %g s", t.Duration, key, t.Step)
	case t.Duration/t.Step > MaxSteps:
		l.fail(t.Pos, "time.duration/%s is %.3g steps: at most %.0e", key, t.Duration/t.Step, float64(MaxSteps))
	}
	// rates and periods of output; 0 has a meaning for two of them
	if !(o.Rate > 0) {
		l.fail(o.Pos, "output.rate is %g frames per second: it must be positive", o.Rate)
	}
	if o.TableRate < 0 {
		l.fail(o.Pos, "output.table_rate is %g rows per second: it must not be negative (0: every step)", o.TableRate)
	}
	if o.Checkpoint < 0 {
		l.fail(o.Pos, "output.checkpoint is %g s: it must not be negative (0: every 30 s of wall time)", o.Checkpoint)
	}
}

// DefaultAccuracy is time.accuracy of a scene without a step.
const DefaultAccuracy = 1e-3

// mostStep is the longest step with accuracy unless max_step is given, s.
const mostStep = 0.01

// setStepControl checks the keys of steps that control their error, and makes step the longest of them. It is false
// after an error.
func (l *loader) setStepControl() (ok bool) {
	t := &l.f.Time
	fail := func(format string, args ...any) bool {
		l.fail(t.Pos, format, args...)
		return false
	}
	if t.Step == 0 && t.Accuracy == 0 && !t.Equilibrium {
		t.Accuracy = DefaultAccuracy
	}
	control := sim.StepControl{Accuracy: t.Accuracy, MinStep: t.MinStep}
	err := control.Check()
	switch {
	case err != nil:
		return fail("time: %v", err)
	case t.Accuracy == 0 && (t.MaxStep != 0 || t.MinStep != 0):
		return fail("time.max_step and time.min_step bound steps that control their error, and time.step is given: leave it out, or these")
	case t.Accuracy == 0:
		return true
	case t.Equilibrium:
		return fail("time.accuracy has no meaning for states at rest: leave it out, or equilibrium")
	case t.Step != 0 && t.Step != t.MaxStep:
		return fail("time.step and time.accuracy are both given: with accuracy steps have the length that it asks for; leave step out, or name it max_step")
	case !(t.MaxStep >= 0) || math.IsInf(t.MaxStep, 0):
		return fail("time.max_step is %g s: it must be positive", t.MaxStep)
	}
	if t.MaxStep == 0 && l.f.Output.Rate > 0 {
		period := 1 / l.f.Output.Rate
		t.MaxStep = math.Min(period/math.Ceil(period/mostStep-1e-9), t.Duration)
	}
	l.builder.Control = control
	if t.Step = t.MaxStep; t.MinStep > t.MaxStep {
		return fail("time.min_step of %g s is longer than time.max_step of %g s", t.MinStep, t.MaxStep)
	}
	return true
}

// chooseRule sets the rule of integration. Without one it is that of Euler, or the midpoint rule where steps control
// their error: its steps are many times as long at the same error.
func (l *loader) chooseRule() {
	t := &l.f.Time
	if t.Rule == "" {
		t.Rule = "euler"
		if t.Accuracy > 0 && !l.nonlinear {
			t.Rule = "midpoint"
		}
	}
	l.builder.Rule.Midpoint = t.Rule == "midpoint"
}

// frictionLags are the choices of solver.friction_lag.
var frictionLags = map[string]sim.FrictionLag{"auto": sim.FrictionLagAuto, "geometry": sim.FrictionLagGeometry, "previous": sim.FrictionLagPrevious, "sweep": sim.FrictionLagSweep}

// setSolver checks the solver's settings and makes the contact law.
func (l *loader) setSolver() {
	s, b := l.f.Solver, l.builder
	// negated, so that NaN is refused
	if !(s.Tolerance > 0 && s.Tolerance < 1) {
		l.fail(s.Pos, "solver.tolerance is %g: a relative tolerance between 0 and 1 is required, such as 1e-5", s.Tolerance)
	}
	if s.MaxIterations < 1 {
		l.fail(s.Pos, "solver.max_iterations is %d: at least 1", s.MaxIterations)
	}
	if s.Threads < 0 {
		l.fail(s.Pos, "solver.threads is %d: 0 means all cores", s.Threads)
	}
	if s.SpeculativeMargin < 0 {
		l.fail(s.Pos, "solver.speculative_margin is %g m: it must not be negative (0: the distance of free fall in a step)", s.SpeculativeMargin)
	}
	b.Rule = timestep.Rule{Damping: l.f.Time.NumericalDamping}
	if err := b.Rule.Check(); err != nil {
		l.fail(l.f.Time.Pos, "time.numerical_damping: %v", err)
	}
	b.Gravity, b.TimeStep = r3.Vec(l.f.Gravity), l.f.Time.modelStep()
	b.RelTol, b.MaxIterations, b.SpeculativeMargin = s.Tolerance, s.MaxIterations, s.SpeculativeMargin
	if s.MaxTreeDofs < 1 {
		l.fail(s.Pos, "solver.max_tree_dofs is %d: at least 1", s.MaxTreeDofs)
	}
	b.MaxTreeDofs = s.MaxTreeDofs
	b.ConditionNumber, b.HydroelasticMargin = s.ConditionNumber, s.HydroelasticMargin
	l.setContactLaw(&s)
}

// setContactLaw makes the contact law from its parts by their names.
func (l *loader) setContactLaw(s *Solver) {
	plain := func(err error) string { return strings.TrimPrefix(err.Error(), "constraints: ") }
	// the normal law first: contact laws are made with it
	normal, err := s.NormalLaw.Spec.Make()
	if err != nil {
		l.fail(s.Pos, "solver.normal_law: %s", plain(err))
		return
	}
	// then the law around it, which may refuse the normal law
	law, err := s.Contact.Spec.Make(normal)
	if err != nil {
		l.fail(s.Pos, "solver.contact: %s", plain(err))
		return
	}
	l.builder.Contact, l.law = law, law
	switch {
	case constraints.IsLagged(law):
		l.builder.FrictionLag = frictionLags[s.FrictionLag]
	case s.FrictionLag == "previous" || s.FrictionLag == "sweep":
		// the builder, which keeps its default, would report it again without a place
		l.fail(s.Pos, "solver.friction_lag: %s is for the contact laws lagged and lagged_regularized: the friction of %s is not lagged", s.FrictionLag, s.Contact.Name)
	}
}
