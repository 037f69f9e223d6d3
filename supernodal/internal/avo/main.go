// Command avo writes the assembly of package supernodal's dense kernels, and of
// package fem's elements, for AVX-512 and for AVX2 with FMA, from one description of
// each. It is a module of its own so that the product does not depend on the
// generator. Run it by hand:
//
//	cd supernodal/internal/avo && go run . supernodal && go run . fem
//
// All matrices are column-major. Tiles of C stay in registers while the common
// dimension runs; edges are masked, so no operand is packed or padded.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	folder := map[string]string{"supernodal": "../../", "fem": "../../../fem/"}
	if len(os.Args) != 2 || folder[os.Args[1]] == "" {
		fmt.Fprintln(os.Stderr, "usage: go run . supernodal | fem")
		os.Exit(2)
	}
	pkg := os.Args[1]
	os.Args = os.Args[:1]
	for name, value := range map[string]string{
		"out":   folder[pkg] + "kernels_amd64.s",
		"stubs": folder[pkg] + "kernels_amd64.go",
		"pkg":   pkg,
	} {
		flag.Set(name, value)
	}
	ConstraintExpr("!purego")
	emit(pkg, []*isa{avx2(), avx512()})
	Generate()
}

// emit emits the kernels of a package for all sets of instructions.
func emit(pkg string, sets []*isa) {
	if pkg == "fem" {
		for _, v := range sets {
			elements(v)
			energies(v)
			adjointFrames(v)
			adjointBars(v)
			cellFrames(v)
			cellForces(v)
			cellModels(v)
		}
		blocks(sets[0])
		sums(sets[0])
		gather(sets[0])
	} else {
		for _, v := range sets {
			update(v)
			solve(v)
			factor(v)
			dots(v)
			axpys(v)
			extend(v)
		}
	}
}
