package sdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// slope is an image of 3 × 2 points, white at the right.
func slope(t *testing.T) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	for i, y := range []uint8{0, 51, 255, 0, 102, 255} {
		img.SetGray(i%3, i/3, color.Gray{Y: y})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func mapFiles(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

func heightMap(inside string) string {
	return "<sdf version='1.11'><model name='m'><link name='a'>" + body + "\n<collision name='k'><pose>0 0 1 0 0 0</pose><geometry>\n<heightmap>" + inside +
		"</heightmap></geometry></collision></link></model></sdf>"
}

// Black is z = 0 and white the height of the size, whatever values the image has, as Gazebo reads it; the top of the
// image lies at +y, and pos moves the map.
func TestHeightMapsAreSolids(t *testing.T) {
	open := mapFiles(map[string]string{"media/slope.png": slope(t)})
	m, warnings, err := Parse(strings.NewReader(heightMap("<uri>media/slope.png</uri><size>2 4 0.5</size><pos>1 0 -2</pos><texture><size>1</size></texture><sampling>2</sampling>")), "m.sdf", open)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		if strings.Contains(w.Text, "heightmap") {
			t.Errorf("%d: %s", w.Line, w.Text)
		}
	}
	g := m.Links[0].Collisions[0]
	for i, want := range []r3.Vec{{-1, -2, 0}, {0, -2, 0.2}, {1, -2, 0.5}, {-1, 2, 0}, {0, 2, 0.1}, {1, 2, 0.5}} {
		if g.Mesh.Triangles.Verts[i].Sub(want).Norm() > 1e-12 {
			t.Errorf("point %d at %v, want %v", i, g.Mesh.Triangles.Verts[i], want)
		}
	}
	if d := g.X_LG.P.Sub(r3.Vec{1, 0, -1}); d.Norm() > 1e-12 || g.Mesh.ConvexHull || !g.Mesh.Sound {
		t.Errorf("at %v, %+v", g.X_LG.P, g.Mesh)
	}
	if low := g.Mesh.Triangles.Bounds().Min[2]; math.Abs(low+0.4) > 1e-12 {
		t.Errorf("the solid ends at z = %g, a tenth of its longer side is 0.4 m", low)
	}
}

// Maps that cannot be read say so, and the model is read without them.
func TestHeightMapsThatCannotBeRead(t *testing.T) {
	one := image.NewGray(image.Rect(0, 0, 1, 1))
	var b bytes.Buffer
	if err := png.Encode(&b, one); err != nil {
		t.Fatal(err)
	}
	open := mapFiles(map[string]string{"slope.png": slope(t), "dot.png": b.String(), "bad.png": "no image"})
	for inside, want := range map[string]string{
		"":                                       "it has no <uri>",
		"<uri>slope.png</uri><size>1 1 0</size>": "needs three positive lengths",
		"<uri>slope.png</uri><size>1 1 -2</size>":    "needs three positive lengths",
		"<uri>slope.png</uri><size>1e300 1 1</size>": "is more than",
		"<uri>slope.tif</uri>":                       "slope.tif is no PNG image",
		"<uri>none.png</uri>":                        "none.png",
		"<uri>bad.png</uri>":                         "bad.png: image: unknown format",
		"<uri>dot.png</uri>":                         "1 × 1 pixels",
	} {
		m, warnings, err := Parse(strings.NewReader(heightMap(inside)), "m.sdf", open)
		if err != nil || len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %v, %+v", inside, err, m)
			continue
		}
		found := false
		for _, w := range warnings {
			found = found || w.Repaired && w.Line == 3 && strings.Contains(w.Text, "a <heightmap> is left out: ") && strings.Contains(w.Text, want)
		}
		if !found {
			t.Errorf("%q: %+v, want %q", inside, warnings, want)
		}
	}
}
