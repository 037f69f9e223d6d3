// Package render draws recordings: lit pictures of bodies, fields and contact
// forces, animations of them, and charts of the tables of a run. Everything is
// drawn on the CPU, needs no display, and is made from the recording alone.
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

// Options say how pictures are taken. Their names are those under which a
// recording keeps the scene's wishes.
type Options struct {
	Size            [2]int   // pixels
	Camera          *r3.Vec  // position, m; nil: chosen
	Target          *r3.Vec  // where the camera looks, m; nil: the middle of what moves
	Up              *r3.Vec  // nil: against gravity
	FOV             float64  // vertical angle of view, degrees
	Field           string   // colours of deformables: one of FieldNames
	FieldMax        float64  // top of the colour scale, SI; 0: chosen from the recording
	Forces          *bool    // arrows at contacts; nil: yes
	ContactSurfaces *bool    // faces of pressure fields; nil: with the field contact_pressure
	Cut             *Cut     // nil: bodies are whole
	Rate            float64  // frames per second of animations
	Slow            float64  // seconds that animations take for one of the run; 0: 1
	Picture         *float64 // time of the run's picture, s; nil: the end
	Background      string   // #rrggbb; empty: a light gradient
	Samples         int      // per pixel and direction; 0: 3
}

// RecordedOptions returns the options that the recorded scene asks for, completed by
// defaults.
func RecordedOptions(st *record.Static) (Options, error) {
	opt := Options{Size: [2]int{1280, 960}, FOV: 30, Rate: 25, Slow: 1}
	if len(st.Render) > 0 {
		former := struct{ Patches *bool }{} // what recordings of earlier versions call ContactSurfaces
		if err := errors.Join(json.Unmarshal(st.Render, &former), json.Unmarshal(st.Render, &opt)); err != nil {
			return opt, fmt.Errorf("the recording's render section: %w", err)
		}
		if opt.ContactSurfaces == nil {
			opt.ContactSurfaces = former.Patches
		}
	}
	return opt, nil
}

// maxPixels bounds a picture's memory.
const maxPixels = 1 << 26

// complete checks the options and fills in defaults.
func (o *Options) complete(st *record.Static) error {
	if o.Size[0] < 16 || o.Size[1] < 16 || o.Size[0] > maxPixels/o.Size[1] {
		return fmt.Errorf("a picture of %d×%d pixels: both sides must be at least 16, and the whole at most %d million", o.Size[0], o.Size[1], maxPixels>>20)
	}
	if !(o.FOV >= 1 && o.FOV <= 150) {
		return fmt.Errorf("an angle of view of %g degrees: it must be from 1 to 150", o.FOV)
	}
	if !(o.Rate > 0 && o.Rate <= 1e4) {
		return fmt.Errorf("%g frames per second: the rate must be positive and at most 10000", o.Rate)
	}
	if o.Slow == 0 {
		o.Slow = 1
	}
	if !(o.Slow >= 1e-3 && o.Slow <= 1e4) {
		return fmt.Errorf("a film %g times slower than the run: from 0.001 to 10000", o.Slow)
	}
	if !(o.FieldMax >= 0) || o.FieldMax > 1e300 {
		return fmt.Errorf("a field maximum of %g: it must be positive, or 0 to choose it", o.FieldMax)
	}
	if o.Samples == 0 {
		o.Samples = 3
	}
	if o.Samples < 1 || o.Samples > 8 {
		return fmt.Errorf("%d samples per pixel and direction: from 1 to 8", o.Samples)
	}
	if o.Background != "" {
		if _, err := parseColor(o.Background); err != nil {
			return fmt.Errorf("background: %w", err)
		}
	}
	for _, v := range []*r3.Vec{o.Camera, o.Target, o.Up} {
		if v != nil && !v.IsFinite() {
			return errors.New("camera, target and up must be finite numbers")
		}
	}
	if o.Camera != nil && o.Target != nil && *o.Camera == *o.Target {
		return errors.New("camera and target are the same point: move one of them")
	}
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
	if fieldByName(o.Field) == nil {
		return fmt.Errorf("no field %q%s", o.Field, kinds.Suggest(o.Field, FieldNames()))
	}
	return nil
}

// Check reports what is wrong with the options for a recording that starts so.
func (o Options) Check(st *record.Static) error { return o.complete(st) }

func (o *Options) forces() bool { return o.Forces == nil || *o.Forces }

// FieldNames lists the fields that deformables can be coloured by.
func FieldNames() []string {
	var s []string
	for i := range fields {
		s = append(s, fields[i].name)
	}
	return s
}

// title shortens a scene's title to one line of a picture.
func title(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
