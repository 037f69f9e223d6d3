package constrainttest_test

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/constraints/constrainttest"
)

// A test of a constraint needs a world in which its error is zero.
func ExampleCheck() {
	t := new(testing.T) // that of your test function
	w := constrainttest.NewWorld()
	ball, _ := (&constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "ball", B: "box"}}}).Make(w)
	constrainttest.Check(t, ball, w)
	constrainttest.CheckNormal(t, constraints.Hertz{Overlap: 1e-4})
	fmt.Println("failed:", t.Failed())
	// Output: failed: false
}
