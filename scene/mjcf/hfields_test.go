package mjcf

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// The same hill from the file itself, a PNG image and MuJoCo's binary format is one closed solid: its
// heights are scaled to their range, as MuJoCo 3.12.0 has them (hfield_data of this elevation is 0.6 0.8 1
// 0 0.2 0.4), and the volume is that of the trapezia: half of each cell's triangles.
func TestHeightFieldsAreSolids(t *testing.T) {
	var bin bytes.Buffer
	for _, x := range []any{int32(2), int32(3), []float32{4, 5, 6, 1, 2, 3}} {
		if err := binary.Write(&bin, binary.LittleEndian, x); err != nil {
			t.Fatal(err)
		}
	}
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	for i := range 6 {
		img.SetGray(i%3, i/3, color.Gray{Y: uint8(10 * (i + 1))})
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, img); err != nil {
		t.Fatal(err)
	}
	open := files(map[string]string{"m/h.bin": bin.String(), "m/h.png": picture.String()})
	for _, attr := range []string{`nrow="2" ncol="3" elevation="1 2 3 4 5 6"`, `file="h.bin"`, `file="h.png"`} {
		text := `<mujoco><compiler meshdir="m"/><asset><hfield name="h" size="1 2 0.5 0.1" ` + attr + `/></asset><worldbody><geom type="hfield" hfield="h" pos="0 0 1"/></worldbody></mujoco>`
		m, warnings, err := Parse(strings.NewReader(text), "a.xml", open)
		if err != nil || len(warnings) > 0 {
			t.Fatal(attr, err, warnings)
		}
		g := m.Links[0].Collisions[0]
		tri := g.Mesh.Triangles
		for i, want := range []r3.Vec{{-1, -2, 0.3}, {0, -2, 0.4}, {1, -2, 0.5}, {-1, 2, 0}, {0, 2, 0.1}, {1, 2, 0.2}} {
			if tri.Verts[i].Sub(want).Norm() > 1e-12 {
				t.Errorf("%s: point %d at %v, want %v", attr, i, tri.Verts[i], want)
			}
		}
		// 8 m² of ground at a mean height of 0.25 m above a depth of 0.1 m: the field is a plane
		if v := tri.Volume(); math.Abs(v-8*0.35) > 1e-12 || g.X_LG.P != (r3.Vec{0, 0, 1}) || g.Mesh.ConvexHull {
			t.Errorf("%s: volume %g at %v", attr, v, g.X_LG)
		}
		// every edge is shared by two triangles, once in each direction
		edges := map[[2]int32]int{}
		for _, k := range tri.Tris {
			for i := range 3 {
				edges[[2]int32{k[i], k[(i+1)%3]}]++
			}
		}
		for e, n := range edges {
			if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
				t.Fatalf("%s: edge %v", attr, e)
			}
		}
	}
}

// Height fields that cannot be read are warned of with their cause, and left out.
func TestHeightFieldsThatCannotBeRead(t *testing.T) {
	for attr, want := range map[string]string{
		`size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3"`: "3 numbers of elevation for 2 × 2 points",
		`size="1 1 1 1" nrow="1" ncol="2"`:                   "it has 1 × 2 points",
		`size="1 1 1 1" nrow="100000" ncol="100000"`:         "it has 100000 × 100000 points",
		`size="1 1 0 1" nrow="2" ncol="2"`:                   "four positive lengths",
		`size="1 1 1 1" file="none.png"`:                     "none.png: there is no such file",
	} {
		_, warnings := model(t, `<asset><hfield name="h" `+attr+`/></asset>`+world(`<geom size="1"/><geom type="hfield" hfield="h"/>`))
		if len(warnings) != 2 || !strings.Contains(warnings[0].Text, want) || !strings.Contains(warnings[1].Text, `no height field "h"`) {
			t.Errorf("%s: %+v", attr, warnings)
		}
	}
	damaged := files(map[string]string{"a.bin": "short", "b.bin": "\x02\x00\x00\x00\x02\x00\x00\x00123", "c.png": "no image"})
	for file, want := range map[string]string{"a.bin": "5 bytes", "b.bin": "11 bytes for 2 × 2", "c.png": "unknown format", "d.bin": "no such file"} {
		text := `<mujoco><asset><hfield name="h" size="1 1 1 1" file="` + file + `"/></asset><worldbody><geom size="1"/></worldbody></mujoco>`
		_, warnings, err := Parse(strings.NewReader(text), "a.xml", damaged)
		if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, want) {
			t.Errorf("%s: %v, %+v, want %s", file, err, warnings, want)
		}
	}
}
