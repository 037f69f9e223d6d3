package run

import (
	"strings"
	"testing"
)

func TestRunsWarnOfLoopsThatDoNotHold(t *testing.T) {
	var o openLoops
	o.add(0, 0.1)
	if w := o.warning(); w != "" {
		t.Errorf("a warning without cause: %s", w)
	}
	o.add(2, 0.2)
	o.add(1, 0.3)
	if w := o.warning(); !strings.HasPrefix(w, "in 2 steps, first at t = 0.2 s") {
		t.Error(w)
	}
}
