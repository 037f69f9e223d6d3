package render

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Options that no picture can be drawn with are refused before a run, by the same words as when it is
// drawn; the bounds themselves are valid.
func TestOptionsOutOfRangeAreNamed(t *testing.T) {
	rec := grip(2)
	for _, c := range []struct {
		set  func(o *Options)
		want string // empty: valid
	}{
		{func(o *Options) {}, ""},
		{func(o *Options) { o.Size = [2]int{16, 16} }, ""},
		{func(o *Options) { o.Size = [2]int{15, 480} }, "a picture of 15×480 pixels: both sides must be at least 16"},
		{func(o *Options) { o.Size = [2]int{480, -1} }, "a picture of 480×-1 pixels"},
		{func(o *Options) { o.Size = [2]int{1 << 40, 1 << 40} }, "at most 64 million"},
		{func(o *Options) { o.FOV = 150 }, ""},
		{func(o *Options) { o.FOV = 0.5 }, "an angle of view of 0.5 degrees: it must be from 1 to 150"},
		{func(o *Options) { o.FOV = math.NaN() }, "an angle of view of NaN degrees"},
		{func(o *Options) { o.Rate = 0 }, "0 frames per second: the rate must be positive"},
		{func(o *Options) { o.Rate = math.Inf(1) }, "+Inf frames per second"},
		{func(o *Options) { o.Slow = 1e-4 }, "a film 0.0001 times slower than the run: from 0.001 to 10000"},
		{func(o *Options) { o.Slow = 1e4 }, ""},
		{func(o *Options) { o.FieldMax = -1 }, "a field maximum of -1: it must be positive, or 0 to choose it"},
		{func(o *Options) { o.FieldMax = math.Inf(1) }, "a field maximum of +Inf"},
		{func(o *Options) { o.Samples = 9 }, "9 samples per pixel and direction: from 1 to 8"},
		{func(o *Options) { o.Samples = -1 }, "-1 samples"},
		{func(o *Options) { o.Background = "#12345g" }, `background: `},
		{func(o *Options) { o.Background = "#102030" }, ""},
		{func(o *Options) { o.Field = "von_mise" }, `no field "von_mise": did you mean "von_mises"?`},
		{func(o *Options) { o.Camera = &r3.Vec{math.NaN(), 0, 0} }, "camera, target and up must be finite numbers"},
		{func(o *Options) { o.Up = &r3.Vec{0, 0, math.Inf(-1)} }, "camera, target and up must be finite numbers"},
		{func(o *Options) { o.Camera, o.Target = &r3.Vec{1, 2, 3}, &r3.Vec{1, 2, 3} }, "camera and target are the same point: move one of them"},
		{func(o *Options) { o.Camera, o.Target = &r3.Vec{1, 2, 3}, &r3.Vec{1, 2, 0} }, ""},
		{func(o *Options) { o.Cut = &Cut{Normal: r3.Vec{}} }, "cut: point and normal must be finite numbers, and the normal not zero"},
		{func(o *Options) { o.Cut = &Cut{Normal: r3.Vec{0, 1, 0}, Bodies: []string{"prt"}} }, `did you mean "part"?`},
		{func(o *Options) { o.Cut = &Cut{Normal: r3.Vec{0, 1, 0}, Bodies: []string{"part", "left", "table"}} }, ""},
	} {
		opt := small(t, rec)
		c.set(&opt)
		err := opt.Check(&rec.Static)
		_, drawn := NewPainter(rec, opt)
		switch {
		case (err == nil) != (drawn == nil):
			t.Errorf("Check says %v, NewPainter %v", err, drawn)
		case c.want == "" && err != nil:
			t.Errorf("a valid option: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	// checking fills in no defaults of the caller's options
	opt := small(t, rec)
	opt.Slow, opt.Samples, opt.Field = 0, 0, ""
	if err := opt.Check(&rec.Static); err != nil || opt.Slow != 0 || opt.Samples != 0 || opt.Field != "" {
		t.Errorf("after Check: %v, %+v", err, opt)
	}
}
