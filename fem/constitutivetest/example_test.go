package constitutivetest_test

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/fem/constitutivetest"
)

// A test of a constitutive law is one call.
func ExampleCheck() {
	t := new(testing.T) // that of your test function
	law, _ := fem.NewNeoHookean(1e6, 0.4)
	constitutivetest.Check(t, law)
	fmt.Println("failed:", t.Failed())
	// Output: failed: false
}
