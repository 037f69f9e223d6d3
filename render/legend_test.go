package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// pressed is a deformable bar with a given uniform stress (Pa), seen with a scale up to
// top.
func pressed(t *testing.T, stress float32, top float64) *Painter {
	t.Helper()
	rec := grip(2)
	for k := range rec.Frames {
		for i := range rec.Frames[k].VonMises {
			for j := range rec.Frames[k].VonMises[i] {
				rec.Frames[k].VonMises[i][j] = stress
			}
		}
	}
	opt := small(t, rec)
	opt.Size, opt.Field, opt.FieldMax = [2]int{640, 480}, "von_mises", top
	return painter(t, rec, opt)
}

// The bar of the scale shows the colour map from its bottom to its top.
func TestScaleShowsTheColourMap(t *testing.T) {
	p := pressed(t, 50, 100)
	img := p.Picture(0)
	size := p.opt.legendSize()
	x := int(640 - 4.7*size)
	y0, y1 := 0.30*480, 0.70*480
	for _, u := range []float64{0.05, 0.3, 0.5, 0.8, 0.95} {
		c := img.RGBAAt(x, int(480-(y0+u*(y1-y0))))
		want := colormap(u)
		if d := math.Abs(float64(c.R)-float64(want.R)) + math.Abs(float64(c.G)-float64(want.G)) + math.Abs(float64(c.B)-float64(want.B)); d > 12 {
			t.Errorf("at %g of the scale: %v, want %v", u, c, want)
		}
	}
}

// Uniform stress has one hue, that of its place on the scale.
func TestFieldsHaveTheHueOfTheirValue(t *testing.T) {
	for _, x := range []float32{10, 50, 90} {
		p := pressed(t, x, 100)
		f := p.rec.At(0)
		var at placement
		p.place(&at, f)
		b := p.bodies(&board{light: lighting{quality: final}}, f, &at, p.values(f))
		seen := 0
		for i := range b {
			if y := b[i].V1.Texture.Y; y >= 0 {
				seen++
				if math.Abs(y-float64(x)/100) > 1e-6 {
					t.Fatalf("a stress of %g of 100 is at %g of the scale", x, y)
				}
			}
		}
		if seen == 0 {
			t.Error("no triangle shows the field")
		}
	}
}

// The key's arrow is as long as the arrow of that force at the target's distance.
func TestArrowKeyHasTheLengthOfItsForce(t *testing.T) {
	rec := still(0, body{mesh: box(r3.Vec{1, 1, 1})}, body{mesh: box(r3.Vec{0.01, 0.01, 0.01}), at: r3.Vec{0, 0, 0.6}})
	rec.Frames[0].Contacts = []record.Contact{{A: 0, B: 1, Pos_W: r3.Vec{0, -0.6, 0}, Normal_W: r3.Vec{0, 0, 1}, Force_W: r3.Vec{0, 0, 5}}}
	opt := seenFrom(t, rec, r3.Vec{0, -6, 0}, r3.Vec{}, 400)
	p := painter(t, rec, opt)
	if p.force != 5 {
		t.Fatalf("the key is of %g N", p.force)
	}
	want, _ := parseColor(arrowColor)
	img := p.Picture(0)
	longest := 0
	for y := 360; y < 400; y++ { // the key is at the bottom
		run := 0
		for x := range 400 {
			if c := img.RGBAAt(x, y); math.Abs(float64(c.R)-float64(want.R))+math.Abs(float64(c.G)-float64(want.G)) < 30 {
				run++
				longest = max(longest, run)
			} else {
				run = 0
			}
		}
	}
	if got := float64(longest); math.Abs(got-50) > 2 { // an eighth of the picture
		t.Errorf("the key is %g pixels long, want 50", got)
	}
}

// An arrow starts at its tail, ends at its length along its direction, and is closed.
func TestArrowsReachFromTailToHead(t *testing.T) {
	tail, dir := r3.Vec{1, 2, 3}, r3.Vec{1, -2, 2}.Unit()
	for _, length := range []float64{0.05, 0.5, 4} {
		lo, hi, wide := math.Inf(1), math.Inf(-1), 0.0
		m := &meshes.Tri{}
		id := map[r3.Vec]int32{}
		for _, tri := range appendArrow(nil, tail, dir, length, 0.028, fauxgl.Color{}) {
			var v [3]int32
			for k, x := range [3]*fauxgl.Vertex{&tri.V1, &tri.V2, &tri.V3} {
				d := vec(x.Position).Sub(tail)
				lo, hi = math.Min(lo, d.Dot(dir)), math.Max(hi, d.Dot(dir))
				wide = math.Max(wide, d.Sub(dir.Scale(d.Dot(dir))).Norm())
				key := r3.Vec{math.Round(d[0] * 1e9), math.Round(d[1] * 1e9), math.Round(d[2] * 1e9)}
				if _, ok := id[key]; !ok {
					id[key] = int32(len(m.Verts))
					m.Verts = append(m.Verts, d)
				}
				v[k] = id[key]
			}
			if v[0] != v[1] && v[1] != v[2] && v[2] != v[0] {
				m.Tris = append(m.Tris, v)
			}
		}
		if math.Abs(lo) > 1e-12 || math.Abs(hi-length) > 1e-12 || wide > length {
			t.Errorf("an arrow of %g m from %g to %g, %g m wide", length, lo, hi, 2*wide)
		}
		if !closed(m) || m.Volume() <= 0 {
			t.Errorf("an arrow of %g m is open or inside out: volume %g", length, m.Volume())
		}
	}
}

// Arrows longer than 2.5 of the scale's are cut, small ones left out.
func TestArrowsAreBounded(t *testing.T) {
	reach := func(force float64) float64 {
		most := 0.0
		for _, tri := range drawArrows(nil, []arrow{{force: r3.Vec{0, 0, force}}}, 10, 1) {
			most = max(most, tri.V1.Position.Z, tri.V2.Position.Z, tri.V3.Position.Z)
		}
		return most
	}
	for force, want := range map[float64]float64{0.1: 0, 5: 0.5, 10: 1, 25: 2.5, 1e6: 2.5} {
		if got := reach(force); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g N has an arrow of %g m, want %g", force, got, want)
		}
	}
}

// A PNG file has the size and the pixels of the picture.
func TestPNGsHaveThePicture(t *testing.T) {
	rec := grip(2)
	img := painter(t, rec, small(t, rec)).Picture(0.3)
	path := filepath.Join(t.TempDir(), "a.png")
	if err := WritePNG(path, img); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := png.Decode(f)
	if err != nil || got.Bounds() != image.Rect(0, 0, 160, 120) {
		t.Fatal(got.Bounds(), err)
	}
	for y := range 120 {
		for x := range 160 {
			if color.RGBAModel.Convert(got.At(x, y)) != img.At(x, y) {
				t.Fatalf("pixel (%d, %d) differs", x, y)
			}
		}
	}
	if err := WritePNG(filepath.Join(t.TempDir(), "none", "a.png"), img); err == nil {
		t.Error("written into a folder that does not exist")
	}
}

// Frames of an earlier film are removed, other files are not.
func TestFramesOfEarlierFilmsAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "frames")
	s, err := NewPNGs(dir)
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for k := range 3 {
		if err := s.Frame(k, img); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewPNGs(dir); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 || left[0].Name() != "notes.txt" || s.Close() != nil {
		t.Errorf("%d files are left", len(left))
	}
}

// Names of folders are literal: a folder whose name is a pattern does not match others.
func TestFramesOfOtherFoldersStay(t *testing.T) {
	top := t.TempDir()
	var others []string
	for _, name := range []string{"run1", "run2", "a", "ab", "g/one", "g/two"} {
		file := filepath.Join(top, name, "frames", "frame_00000.png")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		others = append(others, file)
	}
	for _, name := range []string{"run[12]", "*", "?", "g/*", "a*", `run\1`, "[", "g/[a-z]*"} {
		dir := filepath.Join(top, filepath.FromSlash(name), "frames")
		for range 2 { // the second time it has a frame of its own
			s, err := NewPNGs(dir)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%s contains %d files (%v)", name, len(left), err)
			}
			if err := s.Frame(0, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, file := range others {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("removed: %v", err)
		}
	}
}

// A dark background has light text, a light one dark text.
func TestTextStandsOutFromTheBackground(t *testing.T) {
	for _, c := range []struct {
		background string
		light      bool
	}{{"#101010", true}, {"#fafafa", false}} {
		rec := still(0, body{mesh: box(r3.Vec{1, 1, 1})})
		rec.Static.Title = "MMMMMMMMMM"
		opt := small(t, rec)
		opt.Size, opt.Background = [2]int{400, 300}, c.background
		img := painter(t, rec, opt).Picture(0)
		text := img.SubImage(image.Rect(5, 4, 120, 24)).(*image.RGBA)
		light := count(text, func(c color.RGBA) bool { return c.G > 190 })
		dark := count(text, func(c color.RGBA) bool { return c.G < 90 })
		if light < 50 || dark < 50 {
			t.Errorf("on %s: %d light and %d dark pixels", c.background, light, dark)
		}
	}
}

// A picture with a caption beside it has neither title nor time, and letters as large as asked for.
func TestPicturesWithCaptionsLeaveOutTitleAndTime(t *testing.T) {
	for _, captioned := range []bool{false, true} {
		rec := grip(2)
		opt := small(t, rec)
		opt.Size, opt.Captioned, opt.Letters = [2]int{640, 480}, captioned, 2
		p := painter(t, rec, opt)
		if got, want := p.opt.legendSize(), 2*640./46; math.Abs(got-want) > 1e-9 {
			t.Errorf("letters of %g pixels, want %g", got, want)
		}
		title, clock := 0, 0
		for _, w := range p.writeFixed(0) {
			if w.at.Min.Y < 60 {
				title++
			}
		}
		// the time alone differs where nothing moves
		a, b := image.NewRGBA(image.Rect(0, 0, 640, 480)), image.NewRGBA(image.Rect(0, 0, 640, 480))
		p.annotate(a, 1, 0)
		p.annotate(b, 2, 0)
		for i := range a.Pix {
			if a.Pix[i] != b.Pix[i] {
				clock++
			}
		}
		if (title > 0) == captioned || (clock > 0) == captioned {
			t.Errorf("captioned %t: %d rows of title, %d bytes of the time", captioned, title, clock)
		}
	}
}

// Without a title nothing is written above, not even the ground of one.
func TestPicturesWithoutATitleHaveNoPlateForOne(t *testing.T) {
	rec := grip(2)
	rec.Static.Title = ""
	opt := small(t, rec)
	opt.Size = [2]int{640, 480}
	for _, w := range painter(t, rec, opt).writeFixed(0) {
		if w.at.Min.Y < 60 {
			t.Errorf("words at %v", w.at)
		}
	}
}

// Words stand out from whatever is behind them: over a picture of one dark or pale colour, most pixels of the place of
// the scale's name are of its ground, and letters differ from them.
func TestWordsHaveAGroundOfTheirOwn(t *testing.T) {
	for _, behind := range []color.RGBA{{28, 52, 120, 255}, {120, 130, 150, 255}, {250, 250, 250, 255}} {
		p := pressed(t, 50, 100)
		img := image.NewRGBA(image.Rect(0, 0, 640, 480))
		draw.Draw(img, img.Rect, image.NewUniform(behind), image.Point{}, draw.Src)
		p.annotate(img, 0, 0)
		size := p.opt.legendSize()
		y := int(480 - 0.70*480 - 1.5*size)
		for name, r := range map[string]image.Rectangle{
			"name": image.Rect(int(640-8*size), y-int(0.5*size), int(640-1.2*size), y+int(0.5*size)),
			"time": image.Rect(int(1.2*size), int(480-1.6*size), int(6*size), int(480-0.8*size)),
		} {
			part := img.SubImage(r).(*image.RGBA)
			luma := func(c color.RGBA) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }
			ground := count(part, func(c color.RGBA) bool { return luma(c) > 180 })
			letters := count(part, func(c color.RGBA) bool { return luma(c) < 100 })
			if n := r.Dx() * r.Dy(); ground < n/2 || letters < n/30 {
				t.Errorf("over %v the %s has %d pixels of ground and %d of letters, of %d", behind, name, ground, letters, n)
			}
		}
	}
}
