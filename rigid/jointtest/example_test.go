package jointtest_test

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/rigid/jointtest"
)

// A test of a joint is one call.
func ExampleCheck() {
	t := new(testing.T) // that of your test function
	jointtest.Check(t, rigid.Universal{Axes: [2]r3.Vec{{1, 0, 0}, {0, 1, 0}}})
	fmt.Println("failed:", t.Failed())
	// Output: failed: false
}
