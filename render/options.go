package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Options are the settings of pictures: camera, colours, forces, sections. A recording
// stores them as JSON, as the scene gave them; the names of the fields are part of its
// format.
type Options struct {
	// Size is the width and height of a picture, pixels.
	Size [2]int
	// Camera is the position of the camera, m, in world axes; nil: chosen so that the
	// subject fills the picture.
	Camera *r3.Vec
	// Target is the point that the camera looks at, m; nil: the middle of the moving bodies.
	Target *r3.Vec
	// Up is the direction that is upright in the picture; nil: against gravity.
	Up *r3.Vec
	// FOV is the vertical angle of view, degrees.
	FOV float64
	// Field is the scalar that deformables are coloured by, one of FieldNames; empty:
	// von_mises where there are deformables.
	Field string
	// FieldMax is the value at the top of the colour scale, SI; 0: chosen from the
	// recording.
	FieldMax float64
	// Forces reports whether contact forces are drawn as arrows; nil: they are.
	Forces *bool
	// ContactSurfaces reports whether the faces of contact surfaces of pressure fields
	// are drawn; nil: they are with the field contact_pressure.
	ContactSurfaces *bool
	// Cut shows bodies cut open; nil: they are whole.
	Cut *Cut
	// Rate is the number of frames per second of an animation.
	Rate float64
	// Slow is the number of seconds that an animation takes for one second of the run (slow
	// motion); 0: 1.
	Slow float64
	// Picture is the time of the run's picture, s; nil: the end.
	Picture *float64
	// Background is #rrggbb; empty: a light gradient.
	Background string
	// Quality is one of QualityNames; empty: final, which is for single pictures. Films are drawn as draft.
	Quality string
	// Hide are names of bodies that are not drawn and throw no shadow; * in a name stands for any letters and ? for
	// one.
	Hide []string
	// Samples is the number of samples of a pixel in each direction, 1 to 8; 0: 3, and 2 of a draft.
	Samples int
	// MaxCover is the number of times that triangles may cover the picture, hidden ones included, which bounds the
	// time that it takes; 0: 150, some 10 s of a core.
	MaxCover float64
	// Letters is the height of letters over the usual one; 0: 1. Pictures that are shown small need larger ones. It is
	// no part of recordings.
	Letters float64 `json:"-"`
	// Captioned leaves out title and time, which a caption beside the picture has. It is no part of recordings.
	Captioned bool `json:"-"`
}

// RecordedOptions returns the options of the recorded scene, with defaults for those
// that it does not give. It returns an error for a damaged header.
func RecordedOptions(st *record.Static) (Options, error) {
	opt := Options{Size: [2]int{1280, 960}, FOV: 30, Rate: 25, Slow: 1}
	if len(st.Render) > 0 {
		// older recordings spell a key differently; both are read from the same JSON
		former := struct{ Patches *bool }{} // former name of ContactSurfaces in recordings
		if err := errors.Join(json.Unmarshal(st.Render, &former), json.Unmarshal(st.Render, &opt)); err != nil {
			return opt, fmt.Errorf("the recording's render section: %w", err)
		}
		if opt.ContactSurfaces == nil {
			opt.ContactSurfaces = former.Patches
		}
	}
	return opt, nil
}

// maxSamples is the largest number of samples of a pixel in each direction.
const maxSamples = 8

// maxPixels is the largest number of pixels of a picture.
const maxPixels = 1 << 26

// complete fills in defaults that depend on the recording, and returns an error for
// values out of range that says which are valid.
func (o *Options) complete(st *record.Static) error {
	if err := o.completeNumbers(); err != nil {
		return err
	}
	// an empty background is a light gradient
	if o.Background != "" {
		if _, err := parseColor(o.Background); err != nil {
			return fmt.Errorf("background: %w", err)
		}
	}
	if err := o.checkCamera(); err != nil {
		return err
	}
	// the field, and what it is shown on
	if o.Field == "" {
		o.Field = "none"
		if len(st.Deformables) > 0 {
			o.Field = "von_mises"
		}
	}
	if o.Cut != nil {
		if err := o.Cut.check(st); err != nil {
			return err
		}
	}
	if err := o.checkHide(st); err != nil {
		return err
	}
	if fieldByName(o.Field) == nil {
		return fmt.Errorf("no field %q%s", o.Field, kinds.Suggest(o.Field, FieldNames()))
	}
	return nil
}

// checkCamera returns an error for a camera that looks nowhere.
func (o *Options) checkCamera() error {
	for _, v := range []*r3.Vec{o.Camera, o.Target, o.Up} {
		if v != nil && !v.IsFinite() {
			return errors.New("camera, target and up must be finite numbers")
		}
	}
	if o.Camera != nil && o.Target != nil && *o.Camera == *o.Target {
		return errors.New("camera and target are the same point: move one of them")
	}
	return nil
}

// completeNumbers fills in defaults of single numbers and checks their ranges.
func (o *Options) completeNumbers() error {
	if o.Size[0] < 16 || o.Size[1] < 16 || o.Size[0] > maxPixels/o.Size[1] {
		return fmt.Errorf("a picture of %d×%d pixels: both sides must be at least 16, and the whole at most %d million", o.Size[0], o.Size[1], maxPixels>>20)
	}
	if !(o.FOV >= 1 && o.FOV <= 150) {
		return fmt.Errorf("an angle of view of %g degrees: it must be from 1 to 150", o.FOV)
	}
	if err := o.completeFilm(); err != nil {
		return err
	}
	if !(o.FieldMax >= 0) || o.FieldMax > 1e300 {
		return fmt.Errorf("a field maximum of %g: it must be positive, or 0 to choose it", o.FieldMax)
	}
	q, err := qualityByName(o.Quality)
	if err != nil {
		return err
	}
	if o.Samples == 0 {
		o.Samples = q.samples
	}
	if !(o.MaxCover >= 0) {
		return fmt.Errorf("triangles that cover the picture %g times at most: a positive number, or 0 for %d", o.MaxCover, defaultCover)
	}
	if o.Letters == 0 {
		o.Letters = 1
	}
	if !(o.Letters >= 0.5 && o.Letters <= 4) {
		return fmt.Errorf("letters %g times as large as usual: from 0.5 to 4", o.Letters)
	}
	if o.Samples < 1 || o.Samples > maxSamples {
		return fmt.Errorf("%d samples per pixel and direction: from 1 to %d", o.Samples, maxSamples)
	}
	return nil
}

// completeFilm does so for the time of films.
func (o *Options) completeFilm() error {
	if !(o.Rate > 0 && o.Rate <= 1e4) {
		return fmt.Errorf("%g frames per second: the rate must be positive and at most 10000", o.Rate)
	}
	// recordings without the key are shown in real time
	if o.Slow == 0 {
		o.Slow = 1
	}
	if !(o.Slow >= 1e-3 && o.Slow <= 1e4) {
		return fmt.Errorf("a film %g times slower than the run: from 0.001 to 10000", o.Slow)
	}
	return nil
}

// Check returns an error for options that NewPainter would refuse for a recording with
// this header.
func (o Options) Check(st *record.Static) error { return o.complete(st) }

// forces reports whether arrows of contact forces are drawn.
func (o *Options) forces() bool { return o.Forces == nil || *o.Forces }

// quality returns the numbers of the quality, which complete has checked.
func (o *Options) quality() *quality {
	q, _ := qualityByName(o.Quality)
	return q
}

// FieldNames lists the fields that deformables can be coloured by: von_mises (stress,
// Pa), displacement (from the start, m), deformation (from the best rigid fit of the
// undeformed body, m), contact_pressure (Pa), slip (sliding speed, m/s) and none.
func FieldNames() []string {
	var s []string
	for i := range fields {
		s = append(s, fields[i].name)
	}
	return s
}

// title returns the first line of a scene's title.
func title(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
