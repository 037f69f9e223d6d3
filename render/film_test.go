package render

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// filmOf is a GIF of a rate with a palette of a few greys.
func filmOf(path string, rate float64, greys int) *GIF {
	g := &GIF{path: path, part: partial(path, ".gif"), rate: rate, skip: max(1, int(math.Ceil(rate/50-1e-9))), nearest: make([]int16, 1<<18)}
	for i := range g.nearest {
		g.nearest[i] = -1
	}
	for k := range greys {
		y := uint8(255 * k / (greys - 1))
		g.colors = append(g.colors, [3]int{int(y), int(y), int(y)})
		g.palette = append(g.palette, color.NRGBA{y, y, y, 255})
	}
	g.palette = append(g.palette, color.NRGBA{})
	return g
}

// played closes a film and decodes it.
func played(t *testing.T, g *GIF) *gif.GIF {
	t.Helper()
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(g.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	film, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return film
}

// flat is a picture of one grey.
func flat(w, h int, y uint8) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{y, y, y, 255}), image.Point{}, draw.Src)
	return img
}

// The thresholds of the dither are all multiples of 1/64, once each, about zero; those
// of any 2×2 block have nearly no mean.
func TestThresholdsOfTheDitherAreEven(t *testing.T) {
	seen := map[float64]bool{}
	sum := 0.0
	for _, x := range bayer {
		seen[x] = true
		sum += x
	}
	if len(seen) != 64 || math.Abs(sum) > 1e-12 {
		t.Errorf("%d thresholds with the sum %g", len(seen), sum)
	}
	for y := 0; y < 8; y += 2 {
		for x := 0; x < 8; x += 2 {
			m := (bayer[8*y+x] + bayer[8*y+x+1] + bayer[8*y+8+x] + bayer[8*y+9+x]) / 4
			if math.Abs(m) > 1./8 {
				t.Errorf("the block at (%d, %d) has the mean %g", x, y, m)
			}
		}
	}
}

// entry finds the palette's colour with the least weighted distance.
func TestEntriesAreTheNearestOfThePalette(t *testing.T) {
	g := filmOf("", 25, 2)
	rng := rand.New(rand.NewPCG(2, 3))
	g.colors = nil
	for range 40 {
		g.colors = append(g.colors, [3]int{rng.IntN(256), rng.IntN(256), rng.IntN(256)})
	}
	for range 500 {
		q := [3]int{rng.IntN(64), rng.IntN(64), rng.IntN(64)}
		distance := func(e int) int {
			d, w := 0, [3]int{3, 6, 1}
			for k := range 3 {
				x := g.colors[e][k] - q[k]*255/63
				d += w[k] * x * x
			}
			return d
		}
		got := int(g.entry(float64(q[0])*255/63, float64(q[1])*255/63, float64(q[2])*255/63))
		for e := range g.colors {
			if distance(e) < distance(got) {
				t.Fatalf("%v gets colour %d at %d, but %d is at %d", q, got, distance(got), e, distance(e))
			}
		}
	}
}

// A frame after the first has the rectangle that changed, transparent where it did not.
func TestFramesHaveWhatChanged(t *testing.T) {
	g := filmOf(filepath.Join(t.TempDir(), "a.gif"), 25, 6)
	a, b := flat(20, 16, 0), flat(20, 16, 0)
	for _, p := range []image.Point{{3, 4}, {9, 4}, {5, 11}} {
		b.Set(p.X, p.Y, color.White)
	}
	for k, img := range []*image.RGBA{a, b, b} {
		if err := g.Frame(k, img); err != nil {
			t.Fatal(err)
		}
	}
	film := played(t, g)
	if r := film.Image[0].Rect; r != image.Rect(0, 0, 20, 16) {
		t.Errorf("the first frame has %v", r)
	}
	second := film.Image[1]
	if second.Rect != image.Rect(3, 4, 10, 12) {
		t.Errorf("the second frame has %v, want from (3, 4) to (10, 12)", second.Rect)
	}
	opaque := 0
	for _, p := range second.Pix {
		if int(p) != len(g.palette)-1 {
			opaque++
		}
	}
	if opaque != 3 {
		t.Errorf("%d pixels are drawn again, want 3", opaque)
	}
	if r := film.Image[2].Rect; r.Dx()*r.Dy() != 1 {
		t.Errorf("a frame without a change has %v", r)
	}
}

// The delays of a film add up to its length whatever its rate, and none is below 2/100 s,
// which players would slow down.
func TestDelaysAddUpToTheLength(t *testing.T) {
	for _, rate := range []float64{7, 24, 25, 30, 50, 60, 100, 240} {
		g := filmOf(filepath.Join(t.TempDir(), "a.gif"), rate, 2)
		n := int(3 * rate)
		img := flat(2, 2, 0)
		for k := range n {
			if err := g.Frame(k, img); err != nil {
				t.Fatal(err)
			}
		}
		sum, film := 0, played(t, g)
		for _, d := range film.Delay {
			sum += d
			if d < 2 {
				t.Errorf("rate %g: a delay of %d/100 s", rate, d)
			}
		}
		if math.Abs(float64(sum)-300) > 3 {
			t.Errorf("rate %g: %d/100 s for 3 s", rate, sum)
		}
		if want := (n + g.skip - 1) / g.skip; len(film.Image) != want {
			t.Errorf("rate %g: %d of %d frames, want %d", rate, len(film.Image), n, want)
		}
	}
}

// Dithering keeps the mean brightness between two greys of a fine palette.
func TestDitherKeepsTheMean(t *testing.T) {
	for _, y := range []uint8{100, 101, 103, 130, 200} {
		g := filmOf(filepath.Join(t.TempDir(), "a.gif"), 25, 33) // greys about 8 apart, which the dither bridges
		if err := g.Frame(0, flat(64, 64, y)); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range played(t, g).Image[0].Pix {
			sum += float64(g.colors[p][0])
		}
		if mean := sum / (64 * 64); math.Abs(mean-float64(y)) > 2.5 {
			t.Errorf("grey %d has the mean %.2f", y, mean)
		}
	}
}

// Close writes the film, Abort drops it, and a folder that is missing is an error.
func TestFilmsAreWrittenOrDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gif")
	g := filmOf(path, 25, 2)
	if err := g.Frame(0, flat(4, 4, 255)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a film is there before it is whole")
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	film, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil || len(film.Image) != 1 || film.Image[0].At(1, 1) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the film is %+v, %v", film, err)
	}
	other := filmOf(filepath.Join(filepath.Dir(path), "b.gif"), 25, 2)
	if err := other.Frame(0, flat(4, 4, 255)); err != nil {
		t.Fatal(err)
	}
	other.Abort()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("after an abort there are %v", left)
	}
	lost := filmOf(filepath.Join(t.TempDir(), "none", "a.gif"), 25, 2)
	if lost.Frame(0, flat(4, 4, 0)) == nil {
		t.Error("a film is written into a folder that is missing")
	}
}

// Colours of a palette lie within those of the pictures, and more of them come nearer to
// a ramp of greys.
func TestPalettesFitTheirPictures(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 256, 1))
	for x := range 256 {
		img.Set(x, 0, color.NRGBA{uint8(x), uint8(x), uint8(x), 255})
	}
	last := math.Inf(1)
	for _, n := range []int{2, 4, 8, 16, 32, 64} {
		p := medianCut([]*image.RGBA{img}, n)
		if len(p) != n {
			t.Fatalf("%d colours, want %d", len(p), n)
		}
		sum := 0.0
		for x := range 256 {
			best := math.Inf(1)
			for _, c := range p {
				best = min(best, math.Abs(float64(c.(color.NRGBA).R)-float64(x)))
			}
			sum += best * best / 256
		}
		if sum >= last {
			t.Errorf("%d colours have the error %g, fewer had %g", n, sum, last)
		}
		last = sum
	}
	// 64 cells of four greys, each shown by its middle: a variance of 5/4 and a bias of ½
	if last > 1.6 {
		t.Errorf("64 greys have the error %g", last)
	}
}

// The axis of a box is that along which its colours spread most, by the weighted sum of
// squares.
func TestBoxesMeasureTheirSpread(t *testing.T) {
	b := measure([]shade{{[3]uint8{10, 0, 7}, 1}, {[3]uint8{14, 1, 7}, 3}})
	if b.axis != 0 || math.Abs(b.spread-12) > 1e-12 { // mean 13: 1·9 + 3·1
		t.Errorf("axis %d, spread %g; want 0, 12", b.axis, b.spread)
	}
	if m := b.mean(); m != (color.NRGBA{54, 5, 30, 255}) { // 4·13 + 2, 4·¾ + 2, 4·7 + 2
		t.Errorf("mean %v", m)
	}
	if one := measure([]shade{{[3]uint8{1, 2, 3}, 5}}); one.spread != 0 {
		t.Errorf("one colour spreads by %g", one.spread)
	}
}

// ffmpeg gets the size, the rate and the format of the frames, and even sides.
func TestFFmpegGetsTheFormat(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	script := "#!/bin/sh\nfor f in \"$@\"; do echo \"$f\" >> " + filepath.Join(dir, "args") + "; done\n/bin/cat > /dev/null\necho done > \"${f#file:}\"\n"
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "film.mp4")
	m, err := NewMP4(out, [2]int{33, 17}, 12.5)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Frame(0, image.NewRGBA(image.Rect(0, 0, 33, 17))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a film is there before it is whole")
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "args"))
	args := strings.Split(strings.TrimSpace(string(b)), "\n")
	for option, want := range map[string]string{"-video_size": "33x17", "-framerate": "12.5", "-pixel_format": "rgba", "-pix_fmt": "yuv420p", "-c:v": "libx264"} {
		if i := slices.Index(args, option); i < 0 || args[i+1] != want {
			t.Errorf("%s is not %s in %q", option, want, args)
		}
	}
	if text, err := os.ReadFile(out); err != nil || !strings.HasPrefix(string(text), "done\n") {
		t.Errorf("the film is %q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.partial.mp4")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Abort ends ffmpeg, even twice, and leaves no file; a program that is gone makes Frame
// an error with its message.
func TestFilmsAreAborted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	write := func(script string) {
		if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "a.mp4")
	write("for f in \"$@\"; do :; done; exec /bin/cat > \"${f#file:}\"")
	m, err := NewMP4(out, [2]int{4, 4}, 25)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Frame(0, flat(4, 4, 0)); err != nil {
		t.Fatal(err)
	}
	m.Abort()
	m.Abort()
	if left, _ := filepath.Glob(filepath.Join(dir, "*.mp4")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	write("echo no such codec >&2; exit 1")
	if m, err = NewMP4(out, [2]int{600, 600}, 25); err != nil {
		t.Fatal(err)
	}
	for k := 0; err == nil && k < 100; k++ { // until the pipe is closed
		err = m.Frame(k, flat(600, 600, 0))
	}
	if err == nil || !strings.Contains(err.Error(), "no such codec") {
		t.Errorf("frames for a program that is gone: %v", err)
	}
}
