// Command avo writes the assembly that evaluates a contact surface's faces, for AVX-512 and
// for AVX2 with FMA, from one description. It is a module of its own so that the
// product does not depend on the generator. Run it by hand:
//
//	cd constraints/internal/avo && go run .
//
// Both sets do the same operations in the same order on each of eight lanes, AVX2
// in two halves, so that their results are the same bits.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	for name, value := range map[string]string{
		"out":   "../../surface_law_kernels_amd64.s",
		"stubs": "../../surface_law_kernels_amd64.go",
		"pkg":   "constraints",
	} {
		flag.Set(name, value)
	}
	ConstraintExpr("!purego")
	for _, s := range []*isa{{name: "AVX2"}, {name: "AVX512", wide: true}} {
		faces(s, true)
		faces(s, false)
		flat(s, true)
		flat(s, false)
	}
	Generate()
}
