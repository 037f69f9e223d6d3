package render

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// An animation shows the instants 0, 1/rate, … of the closed interval.
func TestNumberOfFramesIsFloorOfLengthTimesRatePlusOne(t *testing.T) {
	for _, c := range []struct {
		length, rate float64
		want         int
	}{{3, 25, 76}, {0, 25, 1}, {0.1, 30, 4}, {0.0999, 30, 3}, {1.0 / 3, 3, 2}, {2, 0.4, 1}, {0.1 + 0.2, 10, 4}, {10, 60, 601}} {
		if got := NumFrames(c.length, c.rate); got != c.want {
			t.Errorf("%g s at %g/s: %d frames, want %d", c.length, c.rate, got, c.want)
		}
	}
}

func TestFramesAreAtExactTimes(t *testing.T) {
	rec := grip(11)
	for i := range rec.Frames {
		rec.Frames[i].Time += 5 // recordings may start anywhere
	}
	opt := small(t, rec)
	opt.Rate = 7
	p := painter(t, rec, opt)
	if p.NumFrames() != 8 {
		t.Fatalf("%d frames, want 8", p.NumFrames())
	}
	for k := range 8 {
		want := 5 + float64(k)/7
		if got := frameTime(rec, 7, k); got != want {
			t.Errorf("frame %d at %v, want %v", k, got, want)
		}
		var f record.Frame
		sample(rec, want, &f)
		if math.Abs(f.Time-want) > 1e-15 {
			t.Errorf("sampled at %v, want %v", f.Time, want)
		}
	}
}

// A film 10 times slower than the run has 10 times the frames.
func TestSlowMotionShowsMoreOfARun(t *testing.T) {
	rec := grip(11)
	opt := small(t, rec)
	opt.Rate, opt.Slow = 7, 10
	p := painter(t, rec, opt)
	if p.NumFrames() != 71 {
		t.Errorf("%d frames, want 71", p.NumFrames())
	}
	if !slices.Equal(p.Frame(35).Pix, p.Picture(rec.Time(0)+0.5).Pix) {
		t.Error("frame 35 of 70 does not show half of the time")
	}
}

func TestGIFHasEveryFrameAndItsTime(t *testing.T) {
	rec := grip(5)
	opt := small(t, rec)
	opt.Rate = 7
	p := painter(t, rec, opt)
	path := filepath.Join(t.TempDir(), "a.gif")
	if err := p.Animate(context.Background(), []Sink{p.NewGIF(path)}, nil); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, d := range g.Delay {
		total += d
	}
	if len(g.Image) != 8 || total != 114 || g.LoopCount != 0 {
		t.Errorf("%d frames, %d/100 s, loops %d; want 8, 114 (8/7 s), 0", len(g.Image), total, g.LoopCount)
	}
	// frames laid over each other give the pictures, up to the palette
	sum := image.NewRGBA(image.Rect(0, 0, 160, 120))
	for k, f := range g.Image {
		draw.Draw(sum, f.Rect, f, f.Rect.Min, draw.Over)
		want := p.Frame(k)
		worst, mean := 0, 0.0
		for i := range want.Pix {
			d := int(math.Abs(float64(want.Pix[i]) - float64(sum.Pix[i])))
			worst, mean = max(worst, d), mean+float64(d)/float64(len(want.Pix))
		}
		if mean > 3.5 || worst > 90 {
			t.Errorf("frame %d differs by %.2g in the mean and %d at worst", k, mean, worst)
		}
	}
}

func TestPaletteOfFewColoursIsExact(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := 0; i < len(img.Pix); i += 4 {
		k := uint8(i / 4 % 16)
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = 16*k, 255-16*k, 8*k, 255
	}
	if p := medianCut([]*image.RGBA{img}, 255); len(p) != 16 {
		t.Errorf("%d colours, want 16", len(p))
	}
}

func TestFramesGoToFFmpegWhole(t *testing.T) {
	rec := grip(3)
	opt := small(t, rec)
	opt.Rate = 4
	p := painter(t, rec, opt)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	out := filepath.Join(dir, "a.mp4")
	if _, err := NewMP4(out, opt.Size, 4); !errors.Is(err, ErrNoFFmpeg) {
		t.Fatalf("without ffmpeg: %v", err)
	}
	run := func(script string) error {
		if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
		m, err := NewMP4(out, opt.Size, 4)
		if err != nil {
			t.Fatal(err)
		}
		return p.Animate(context.Background(), []Sink{m}, nil)
	}
	if err := run("for f in \"$@\"; do :; done; exec /bin/cat > \"${f#file:}\""); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(out)
	mark := int64(8 + len(authorship.Mark)) // a box behind the film
	if err != nil || st.Size() != 5*160*120*4+mark {
		t.Errorf("ffmpeg got %v, want 5 frames of 160×120×4 bytes", st.Size())
	}
	os.Remove(out)
	if err := run("echo broken codec >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "broken codec") {
		t.Errorf("a failing ffmpeg: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.mp4")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnimationStopsWhenAsked(t *testing.T) {
	rec := grip(3)
	p := painter(t, rec, small(t, rec))
	dir := t.TempDir()
	pngs, err := NewPNGs(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	err = p.Animate(ctx, []Sink{pngs}, func(done, all int) {
		if done == 2 {
			stop()
		}
	})
	files, _ := filepath.Glob(filepath.Join(dir, "*.png"))
	if !errors.Is(err, context.Canceled) || len(files) != 2 {
		t.Errorf("%v, %d files; want 2", err, len(files))
	}
	f, err := os.Open(files[1])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != 160 {
		t.Errorf("frame 1: %v", err)
	}
}

// A film that is interrupted keeps the frames so far: the GIF plays them under the name of a partial film, the film of
// before stays, and frames of a sequence are whole. One that is cut off without its end plays too.
func TestInterruptedFilmsPlay(t *testing.T) {
	rec := grip(6)
	p := painter(t, rec, small(t, rec))
	dir := t.TempDir()
	path := filepath.Join(dir, "a.gif")
	if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	pngs, err := NewPNGs(filepath.Join(dir, "frames"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var cutOff []byte
	err = p.Animate(ctx, []Sink{p.NewGIF(path), pngs}, func(done, _ int) {
		if done == 3 {
			cutOff, _ = os.ReadFile(partial(path, ".gif"))
			stop()
		}
	})
	var broken *InterruptError
	if !errors.As(err, &broken) || !errors.Is(err, context.Canceled) || broken.Done != 3 || broken.All != p.NumFrames() {
		t.Fatalf("the error is %v", err)
	}
	if want := []string{partial(path, ".gif"), pngs.Dir}; !slices.Equal(broken.Kept, want) {
		t.Errorf("kept %v, want %v", broken.Kept, want)
	}
	if b, _ := os.ReadFile(path); string(b) != "before" {
		t.Error("the film of before is gone")
	}
	b, err := os.ReadFile(partial(path, ".gif"))
	if err != nil || authorship.Foreign(partial(path, ".gif")) {
		t.Fatal("the partial film is not there, or has no mark", err)
	}
	if film, err := gif.DecodeAll(bytes.NewReader(b)); err != nil || len(film.Image) != 3 {
		t.Errorf("the partial film: %v", err)
	}
	// what is on the disk after three frames, with nothing but the trailer added
	if film, err := gif.DecodeAll(bytes.NewReader(append(cutOff, 0x3b))); err != nil || len(film.Image) != 3 {
		t.Errorf("the film that was cut off: %v", err)
	}
	if files := FramesIn(pngs.Dir); len(files) != 3 {
		t.Errorf("%d frames", len(files))
	}
	// the whole film takes the place of both
	if err := p.Animate(t.Context(), []Sink{p.NewGIF(path)}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(partial(path, ".gif")); err == nil {
		t.Error("the partial film is left beside the whole one")
	}
}

// A film has the same bytes for any number of processors, frames that are drawn at the same time included.
func TestFilmsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	rec := grip(6)
	opt := small(t, rec)
	opt.Quality, opt.Cut = "draft", &Cut{Normal: r3.Vec{0, 1, 0}} // sections are numbered within a picture
	film := func(processors int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		p, path := painter(t, rec, opt), filepath.Join(t.TempDir(), "a.gif")
		if err := p.Animate(t.Context(), []Sink{p.NewGIF(path)}, nil); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one := film(1)
	for _, n := range []int{2, 5} {
		if !bytes.Equal(one, film(n)) {
			t.Errorf("the film of %d processors has other bytes than that of one", n)
		}
	}
}

// A hidden body is neither drawn nor throws a shadow: the picture is that of a recording without it. A pattern that
// fits no body is refused with the name that was meant.
func TestHiddenBodiesAreAsIfTheyWereNotThere(t *testing.T) {
	rec := grip(3)
	opt := small(t, rec)
	opt.Forces = new(bool)
	whole := painter(t, rec, opt)
	opt.Camera, opt.Target, opt.FieldMax = &whole.view.eye, &whole.view.target, whole.top
	opt.Hide = []string{rec.Static.Deformables[0].Name}
	got := painter(t, rec, opt).Picture(0)
	if n := different(got, whole.Picture(0)); n < 20 {
		t.Fatalf("hiding a finger changes %d pixels", n)
	}
	without := grip(3)
	without.Static.Deformables = without.Static.Deformables[1:]
	for i := range without.Frames {
		f := &without.Frames[i]
		f.Verts, f.Vels, f.VonMises, f.Contacts = f.Verts[1:], f.Vels[1:], f.VonMises[1:], nil
	}
	opt.Hide = nil
	// the palette numbers bodies: the colour of a field does not depend on it
	if n := different(got, painter(t, without, opt).Picture(0)); n > 20 {
		t.Errorf("%d pixels differ from the picture of a recording without it", n)
	}
	opt.Hide = []string{"*"}
	if p := painter(t, rec, opt); len(p.geoms) != 0 || len(p.soft) != 0 {
		t.Error("a star leaves bodies")
	}
	opt.Hide = []string{rec.Static.Deformables[0].Name + "x"}
	if _, err := NewPainter(rec, opt); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("an unknown body: %v", err)
	}
	for pattern, name := range map[string]string{"panda/*": "panda/hand", "panda*": "panda/hand", "finger_?": "finger_1", "a[b": "a[b"} {
		if !matches(pattern, name) {
			t.Errorf("%q does not fit %q", pattern, name)
		}
	}
	if matches("finger", "finger_1") || matches("[", "x") {
		t.Error("a pattern fits a part of a name, or is malformed")
	}
}
