package record_test

import (
	"bytes"
	"fmt"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A recording of a body that falls is written and read again.
func Example() {
	var file bytes.Buffer
	w, _ := record.NewWriter(&file, &record.Static{Title: "fall", Bodies: []string{"stone"}})
	for k := range 3 {
		t := 0.1 * float64(k)
		_ = w.Frame(&record.Frame{Time: t, Poses: []r3.Pose{{R: r3.Identity(), P: r3.Vec{0, 0, 1 - 9.81/2*t*t}}}})
	}
	_ = w.End()

	rec, err := record.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	fmt.Println(rec.Len(), "frames, complete:", rec.Complete(), err)
	fmt.Printf("%s at %.4f m\n", rec.Static.Bodies[0], rec.At(2).Poses[0].P[2])
	// Output:
	// 3 frames, complete: true <nil>
	// stone at 0.8038 m
}
