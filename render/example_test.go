package render_test

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// A picture of a recording with one triangle.
func ExamplePicture() {
	tri := &meshes.Tri{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 0, 1}}, Tris: [][3]int32{{0, 1, 2}}}
	rec := &record.Recording{
		Static: record.Static{Geoms: []record.Geom{{Name: "sail", Body: -1, X_BG: r3.PoseIdentity(), Mesh: tri}}},
		Frames: []record.Frame{{}},
	}
	opt, _ := render.RecordedOptions(&rec.Static)
	opt.Size = [2]int{64, 48}
	img, err := render.Picture(rec, 0, opt)
	fmt.Println(img.Bounds().Max, err)
	// Output: (64,48) <nil>
}

func ExampleAxisTitle() {
	fmt.Println(render.AxisTitle("force, N"))
	// Output: force (N)
}
