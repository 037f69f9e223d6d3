package main

import (
	"fmt"
	"path/filepath"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// pictureFile is the picture in a run folder.
const pictureFile = "picture.png"

// pictureOf draws the picture of a run folder with the settings of its scene, at the time
// given there or at the end.
func pictureOf(dir string) error {
	rec, err := record.ReadRun(dir)
	if err != nil {
		return err
	}
	defer rec.Close()
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return err
	}
	p, err := render.NewPainter(rec, opt)
	if err != nil {
		return fmt.Errorf("picture of %s: %w", dir, err)
	}
	return writePicture(filepath.Join(dir, pictureFile), rec, p, pictureTime(rec, &opt))
}

// writePicture draws the picture of a time and writes it, unless a frame is damaged.
func writePicture(path string, rec *record.Recording, p *render.Painter, t float64) error {
	img := p.Picture(t)
	if err := rec.Err(); err != nil {
		return fail(exitInput, err)
	}
	return fail(exitOutput, render.WritePNG(path, img))
}

// exitOf is the exit code of an error while a recording is processed: that of an invalid
// input if the recording is damaged, else the given one.
func exitOf(rec *record.Recording, code int) int {
	if rec.Err() != nil {
		return exitInput
	}
	return code
}

// openRun opens the recording of a run folder, which the caller closes, and warns if it is
// incomplete.
func (a *app) openRun(dir string) (*record.Recording, error) {
	rec, err := record.ReadRun(dir)
	if err != nil {
		return nil, fail(exitInput, err)
	}
	if err := rec.Valid(); err != nil {
		rec.Close()
		return nil, fail(exitInput, err)
	}
	if !rec.Complete() {
		fmt.Fprintf(a.stderr, "warning: the recording is incomplete: it is read up to %.6g s\n", rec.Time(rec.Len()-1))
	}
	return rec, nil
}

// pictureTime is the time of the picture of a run: that of the options, or the end.
func pictureTime(rec *record.Recording, opt *render.Options) float64 {
	if opt.Picture != nil {
		return *opt.Picture
	}
	return rec.Time(rec.Len() - 1)
}
