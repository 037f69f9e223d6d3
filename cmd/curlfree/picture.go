package main

import (
	"fmt"
	"path/filepath"

	"curlfree/record"
	"curlfree/render"
)

// pictureFile is the picture of a run within its folder.
const pictureFile = "picture.png"

// pictureOf draws the picture of a run folder as its scene wishes, at the time it
// names or at the end.
func pictureOf(dir string) error {
	rec, err := record.ReadRun(dir)
	if err != nil {
		return err
	}
	opt, err := render.Wishes(&rec.Static)
	if err != nil {
		return err
	}
	p, err := render.NewPainter(rec, opt)
	if err != nil {
		return fmt.Errorf("picture of %s: %w", dir, err)
	}
	return render.WritePNG(filepath.Join(dir, pictureFile), p.Picture(pictureTime(rec, &opt)))
}

// pictureTime is the time of the run's picture: the wished, or the end.
func pictureTime(rec *record.Recording, opt *render.Options) float64 {
	if opt.Picture != nil {
		return *opt.Picture
	}
	return rec.Time(rec.Len() - 1)
}
