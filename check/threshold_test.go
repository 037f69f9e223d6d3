package check_test

import (
	"testing"

	"github.com/curlfree/curlfree/check"
)

// Values at a limit are not beyond it, whatever round-off of units and products makes of them: 3 · 0.1 is
// 0.30000000000000004.
func TestValuesAtALimitAreNotBeyondIt(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		x, limit float64
		beyond   bool
	}{{3 * tenth, 0.3, false}, {0.3, 0.3, false}, {0.3001, 0.3, true}, {0.2999, 0.3, false}, {1e-12, 0, true}, {-1, -2, true}} {
		if got := check.Exceeds(c.x, c.limit); got != c.beyond {
			t.Errorf("%.17g beyond %g: %t", c.x, c.limit, got)
		}
	}
}
