package sim

import (
	"errors"
	"reflect"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A step, a divided one too, and a search for rest end where they are asked to, with the state before them, and can
// then be taken.
func TestInterruptedStepsLeaveTheStateAsItWas(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.049), r3.Vec{0, 0, -3}, mat)
	for _, rest := range []bool{false, true} {
		s, x := w.build()
		want := x.Clone()
		take := s.Step
		if rest {
			take = s.Equilibrium
		}
		for _, after := range []int{0, 1, 3} {
			asked := 0
			s.InterruptIf(func() bool { asked++; return asked > after })
			if err := take(x, 0.02); !errors.Is(err, ErrInterrupted) {
				t.Fatalf("asked %d times: %v", asked, err)
			}
			if !reflect.DeepEqual(x.Q, want.Q) || !reflect.DeepEqual(x.V, want.V) || x.Time != want.Time || x.Step != want.Step {
				t.Errorf("after %d: the state has changed", after)
			}
		}
		s.InterruptIf(nil)
		if err := take(x, 0.02); err != nil && !errors.Is(err, ErrNotConverged) {
			t.Error(err)
		}
	}
}

// A stepper takes the same step after one that was interrupted, wherever that was.
func TestStepsAfterInterruptedOnesAreTheSame(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.049), r3.Vec{0, 0, -3}, mat)
	s, x := w.build()
	want := x.Clone()
	asked := 0
	s.InterruptIf(func() bool { asked++; return false })
	if err := s.Step(want, 0.02); err != nil {
		t.Fatal(err)
	}
	for after := range asked {
		at := x.Clone()
		k := 0
		s.InterruptIf(func() bool { k++; return k > after })
		err := s.Step(at, 0.02)
		// what is asked last may come too late: the step is whole then
		if late := err == nil && at.Hash() == want.Hash(); late {
			at = x.Clone()
		} else if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("interrupted after %d of %d questions: %v", after, asked, err)
		}
		s.InterruptIf(nil)
		if err := s.Step(at, 0.02); err != nil || at.Hash() != want.Hash() {
			t.Fatalf("the step after one that was interrupted after %d of %d questions: error %v, hash %s, want %s", after, asked, err, at.Hash(), want.Hash())
		}
	}
}
