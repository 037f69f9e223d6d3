package stuffing

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// A plate of 1 mm is refused with far too few vertices, and meshed with those that the error asks for.
func TestTooFewVerticesForWalls(t *testing.T) {
	plate := samples.Moved(samples.GridBox(r3.Vec{0.01, 0.012, 0.0005}, 1), r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
	for _, midpoints := range []bool{false, true} {
		opt := TetOptions{Method: "stuffing", Vertices: 100, Midpoints: midpoints}
		_, _, err := Tetrahedralize(plate, opt)
		var few *tooFewError
		if !errors.As(err, &few) || !few.whole {
			t.Fatalf("midpoints %v: %v", midpoints, err)
		}
		if few.wall < 0.9999e-3 || few.wall > 1.0001e-3 || !strings.Contains(err.Error(), "100 vertices are too few: 2 cells across walls of 1 mm need") {
			t.Error(err)
		}
		_, advice, _ := strings.Cut(err.Error(), "ask for ")
		if _, err := fmt.Sscan(advice, &opt.Vertices); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Tetrahedralize(plate, opt); err != nil {
			t.Errorf("midpoints %v: %d vertices: %v", midpoints, opt.Vertices, err)
		}
	}
}
