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
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
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

func TestGIFHoldsEveryFrameAndItsTime(t *testing.T) {
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
