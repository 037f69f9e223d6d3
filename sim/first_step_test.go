package sim

import "testing"

// What contacts of deformables need is made with the stepper: the geometry of the end of a step is there before
// the first step, and its first step makes no other.
func TestSteppersHaveTheirSurfacesBeforeTheFirstStep(t *testing.T) {
	m := struck(t)
	s, x := start(t, m, 1)
	at := s.faces.at
	if at == nil {
		t.Fatal("the geometry of the end of a step waits for a step")
	}
	if err := s.Step(x, 2e-3); err != nil {
		t.Fatal(err)
	}
	if s.faces.at != at {
		t.Error("the first step made the geometry again")
	}
}
