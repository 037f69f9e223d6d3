package bvh_test

import (
	"fmt"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Ten unit cubes in a row along x, two apart: those that meet a box around x = 4.
func ExampleTree_Query() {
	var boxes []r3.Box
	for i := range 10 {
		x := 2 * float64(i)
		boxes = append(boxes, r3.Box{Min: r3.Vec{x, 0, 0}, Max: r3.Vec{x + 1, 1, 1}})
	}
	t := bvh.Build(boxes)
	fmt.Println(t.Query(r3.Box{Min: r3.Vec{3.5, 0, 0}, Max: r3.Vec{6.5, 1, 1}}, nil))
	// Output: [2 3]
}
