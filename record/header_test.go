package record

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A bin of balls has the same surface many times: written once, it is shared, and what
// packs that well is not taken for damage.
func TestSurfacesThatAreTheSameAreKeptOnce(t *testing.T) {
	ball := geometry.Sphere{Radius: 0.1}
	box := geometry.Box{Half: r3.Vec{1, 1, 1}}
	st := Static{Bodies: []string{"bin"}, Geoms: []Geom{{Name: "ground", Body: -1, X_BG: r3.Pose{R: r3.Identity()}}}}
	for range 300 {
		st.Geoms = append(st.Geoms, Geom{Name: "ball", X_BG: r3.Pose{R: r3.Identity()}, Mesh: ball.SurfaceMesh()})
	}
	st.Geoms = append(st.Geoms, Geom{Name: "box", X_BG: r3.Pose{R: r3.Identity()}, Mesh: box.SurfaceMesh()})
	var out bytes.Buffer
	w, err := NewWriter(&out, &st)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 60_000 {
		t.Errorf("%d bytes", out.Len())
	}
	r, err := open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r.Static, st) {
		t.Error("read back otherwise than written")
	}
	if g := r.Static.Geoms; g[1].Mesh != g[300].Mesh {
		t.Error("surfaces are not shared")
	}
	for _, like := range []int{-1, 2, 400} {
		bad := st
		bad.Geoms = slices.Clone(st.Geoms[:2])
		bad.Geoms[1].Mesh, bad.Geoms[1].SameMeshAs = nil, like
		text, _ := json.Marshal(&bad)
		if _, err := parseHeader(text); err == nil {
			t.Errorf("a shape like number %d of two is taken", like)
		}
	}
}
