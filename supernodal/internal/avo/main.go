// Command avo writes the assembly of package supernodal's dense kernels, for
// AVX-512 and for AVX2 with FMA, from one description of each. It is a module of
// its own so that the product does not depend on the generator. Run it by hand:
//
//	cd supernodal/internal/avo && go run .
//
// All matrices are column-major. Tiles of C live in registers while the common
// dimension runs; edges are masked, so no operand is packed or padded.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	for name, value := range map[string]string{
		"out":   "../../kernels_amd64.s",
		"stubs": "../../kernels_amd64.go",
		"pkg":   "supernodal",
	} {
		flag.Set(name, value)
	}
	ConstraintExpr("!purego")
	for _, v := range []*isa{avx2(), avx512()} {
		update(v)
		solve(v)
		factor(v)
		dots(v)
		axpys(v)
		extend(v)
	}
	Generate()
}
