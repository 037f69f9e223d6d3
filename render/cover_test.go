package render

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// sheets are n rectangles of the given height across the view of a camera that looks along −z, each as two
// triangles, from which opt looks at them.
func sheets(n int, height float64) (*record.Recording, Options) {
	m := &meshes.Tri{}
	for i := range n {
		z := -1e-3 * float64(i)
		for _, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			m.Verts = append(m.Verts, r3.Vec{2 * height * c[0], height * c[1] / 2, z})
		}
		k := int32(4 * i)
		m.Tris = append(m.Tris, [3]int32{k, k + 1, k + 2}, [3]int32{k, k + 2, k + 3})
	}
	rec := &record.Recording{Frames: []record.Frame{{Poses: []r3.Pose{r3.PoseIdentity()}}}}
	rec.Static.Bodies = []string{"sheets"}
	rec.Static.Geoms = []record.Geom{{Name: "sheets", X_BG: r3.PoseIdentity(), Mesh: m, Color: "#8fa3b8"}}
	rec.Static.Gravity = r3.Vec{0, -1, 0}
	eye, target := r3.Vec{0, 0, 10}, r3.Vec{}
	return rec, Options{Size: [2]int{320, 240}, FOV: 30, Rate: 25, Slow: 1, Camera: &eye, Target: &target}
}

// Sheets wider than the picture cover it once each, those of half its height half, and what lies beside the picture
// or behind the camera does not. A thousand sheets are refused at once, with the way out, and drawn where the limit
// is raised.
func TestPicturesOfManyLargeTrianglesAreRefused(t *testing.T) {
	tall := 2 * 10 * math.Tan(math.Pi/12) // the height of the view at the target
	for _, c := range []struct {
		height, shift, want float64
	}{{4 * tall, 0, 40}, {tall / 2, 0, 20}, {tall, 20 * tall, 0}, {tall, 0, 40}} {
		rec, opt := sheets(40, c.height)
		rec.Static.Geoms[0].X_BG.P[1] = c.shift
		opt.MaxCover = 1e-9
		_, err := NewPainter(rec, opt)
		var heavy *CoverError
		switch {
		case c.want == 0 && err == nil:
		case !errors.As(err, &heavy) || math.Abs(heavy.Cover-c.want) > 0.02*c.want:
			t.Errorf("height %g: %v, want a cover of %g", c.height, err, c.want)
		}
	}
	rec, opt := sheets(1000, 4*tall)
	if _, err := NewPainter(rec, opt); err == nil || !strings.Contains(err.Error(), "--max-cover") {
		t.Errorf("a thousand sheets: %v", err)
	}
	opt.MaxCover, opt.Samples = 2000, 1
	if _, err := NewPainter(rec, opt); err != nil {
		t.Error(err)
	}
	opt.MaxCover = math.NaN()
	if _, err := NewPainter(rec, opt); err == nil {
		t.Error("a limit that is no number is taken")
	}
	// the camera looks away
	opt.MaxCover, opt.Target = 1e-9, &r3.Vec{0, 0, 20}
	if _, err := NewPainter(rec, opt); err != nil {
		t.Errorf("sheets behind the camera: %v", err)
	}
}
