package run

import (
	"slices"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// Counts of unseen supports survive a checkpoint, and begin with the first one.
func TestUnseenSupportsAreCounted(t *testing.T) {
	var u unseenSupports
	u.add(&sim.UnseenSupport{}, 0.1)
	if w := u.warning(nil); w != "" {
		t.Errorf("a warning without cause: %s", w)
	}
	u.add(&sim.UnseenSupport{Drive: "d", Link: 3, Body: 4}, 0.2)
	u.add(&sim.UnseenSupport{Drive: "d", Link: 5, Body: 6}, 0.3)
	if m := u.appendTo([]float64{7}); unseenSupportsOf(m[1:]) != (unseenSupports{2, 0.2, 3, 4}) || !slices.Equal(m, []float64{7, 2, 0.2, 3, 4}) {
		t.Errorf("%+v stored as %v", u, m)
	}
}
