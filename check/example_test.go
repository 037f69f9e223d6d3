package check_test

import (
	"fmt"

	"github.com/curlfree/curlfree/check"
)

func ExampleWarning() {
	w := check.Warning{
		Kind: check.Overlap, Where: []string{"bodies.cube", "bodies.table"},
		Message: "they overlap by 3 mm at the start, and contact will push them apart", Remedy: "start them apart",
	}
	fmt.Println(w)
	// Output:
	// bodies.cube and bodies.table: they overlap by 3 mm at the start, and contact will push them apart; start them apart
}
