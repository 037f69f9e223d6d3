package sim

import (
	"testing"

	"github.com/curlfree/curlfree/timestep"
)

// trace steps n times and returns the hash after each.
func trace(t testing.TB, s *Stepper, x *State, n int) (hashes []string) {
	for range n {
		if err := s.Step(x, 2e-3); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, x.Hash())
	}
	return hashes
}

func busyModel(t testing.TB, rule timestep.Rule) *Model {
	w := newScaffold(t)
	w.Rule = rule
	busy(w)
	return w.model()
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: step %d differs", what, i+1)
			return
		}
	}
}

const traced = 200

// The bits of a run depend on the model, the start and the step: not on the
// workers, nor on earlier steps of the stepper.
func TestRunsRepeatBitByBit(t *testing.T) {
	for _, rule := range bothRules {
		t.Run("rule"+rule.name, func(t *testing.T) { runsRepeatBitByBit(t, rule.rule) })
	}
}

func runsRepeatBitByBit(t *testing.T, rule timestep.Rule) {
	m := busyModel(t, rule)
	s, x := start(t, m, 1)
	want := trace(t, s, x, traced)
	if n := len(s.Report.Contacts()); n < 8 {
		t.Fatalf("only %d contacts", n)
	}
	for i, h := range want[1:] {
		if h == want[i] {
			t.Fatal("nothing moves")
		}
	}
	x = m.Start.Clone()
	same(t, "rerun of one stepper", trace(t, s, x, traced), want)
	for _, n := range []int{1, 2, 4} {
		s, x := start(t, m, n)
		same(t, "threads", trace(t, s, x, traced), want)
	}
	s2, x2 := start(t, busyModel(t, rule), 1)
	same(t, "model built again", trace(t, s2, x2, traced), want)
}

// A state is everything: a copy continues in a new stepper as the original does.
func TestRestoredStatesContinueBitByBit(t *testing.T) {
	for _, rule := range bothRules {
		t.Run("rule"+rule.name, func(t *testing.T) { restoredStatesContinueBitByBit(t, rule.rule) })
	}
}

func restoredStatesContinueBitByBit(t *testing.T, rule timestep.Rule) {
	m := busyModel(t, rule)
	s, x := start(t, m, 1)
	want := trace(t, s, x, traced)
	s, x = start(t, m, 1)
	for _, at := range []int{1, 57, 130} {
		trace(t, s, x, at-x.Step)
		saved := x.Clone()
		fresh, _ := start(t, m, 1)
		same(t, "new stepper", trace(t, fresh, saved, traced-at), want[at:])
		if x.Hash() != want[at-1] {
			t.Error("the copy shares memory with the original")
		}
	}
}

// Two steppers of one model do not affect each other, and reading between steps changes
// nothing.
func TestSteppersOfOneModelAreIndependent(t *testing.T) {
	for _, rule := range bothRules {
		t.Run("rule"+rule.name, func(t *testing.T) { steppersOfOneModelAreIndependent(t, rule.rule) })
	}
}

func steppersOfOneModelAreIndependent(t *testing.T, rule timestep.Rule) {
	m := busyModel(t, rule)
	s, x := start(t, m, 1)
	want := trace(t, s, x, traced)
	a, xa := start(t, m, 1)
	b, xb := start(t, m, 1)
	trace(t, b, xb, 41)
	for i := range traced - 41 {
		same(t, "first", trace(t, a, xa, 1), want[i:])
		same(t, "second", trace(t, b, xb, 1), want[41+i:])
		a.Place(xb, 1)
		a.ContactsAt(xb, 0.01)
		energy(a, xb)
	}
}
