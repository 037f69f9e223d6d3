package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes/repair"
)

// What counts as sound by construction is so by examination, and fields as flat as round-off are examined.
func TestHeightFieldsAreSound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f := &HeightField{Rows: 2 + r.IntN(20), Cols: 2 + r.IntN(20), HalfX: 1 + r.Float64(), HalfY: math.Exp(3 * r.NormFloat64())}
		high := math.Exp(3 * r.NormFloat64())
		for range f.Rows * f.Cols {
			f.Heights = append(f.Heights, high*math.Floor(3*r.Float64())/2) // plateaus, cliffs and pits
		}
		f.Bottom = -0.01 - r.Float64()
		m := f.Mesh()
		if !m.Sound {
			t.Fatalf("a field of %v m counts as unsound", m.Triangles.Bounds().Size())
		}
		d := repair.Diagnose(m.Triangles)
		if err := repair.Watertight(m.Triangles); err != nil || len(d.SelfIntersections) > 0 || !d.SelfIntersectionsChecked || d.Components != 1 || d.Genus != 0 {
			t.Fatalf("%d × %d points: %v, %d cuts, %d pieces, genus %d", f.Rows, f.Cols, err, len(d.SelfIntersections), d.Components, d.Genus)
		}
	}
	flat := &HeightField{Rows: 2, Cols: 2, HalfX: 1, HalfY: 1, Heights: make([]float64, 4), Bottom: -1e-9}
	if flat.Mesh().Sound {
		t.Error("a sheet of 1e-9 of its width counts as sound")
	}
}
