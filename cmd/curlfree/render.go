package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// renderFlags are the flags of render.
type renderFlags struct {
	out                string
	gif, mp4, png      bool
	film               string // name of films without the extension
	time               float64
	strip              string
	size               string
	camera, target, up string
	fov, rate, top     float64
	slow               float64
	field, background  string
	noForces, surfaces bool
	cut                string
	maxCover           float64
	quality            string
	hide               []string
}

// renderResult is the JSON object of render.
type renderResult struct {
	Files  []string  `json:"files"`
	Frames int       `json:"frames"`            // of the animation
	Rate   float64   `json:"frames_per_s"`      //
	Time   *float64  `json:"time_s,omitempty"`  // of the single picture
	Strip  []float64 `json:"strip_s,omitempty"` // times of a film strip
}

func (a *app) renderCommand() *cobra.Command {
	var r renderFlags
	cmd := &cobra.Command{
		Use:   "render RUN",
		Short: "Draw pictures and movies of a run, without a display",
		Long: `Draw a run from its recording. Drawing needs no display and no graphics card.

Without --gif, --mp4 and --png, one picture is drawn: at --time, or at the time that the scene
gives, or at the end; with --strip, a film strip of pictures at several times. Movies show the times k/(rate slow) of the run, interpolated between
recorded frames. A movie that is interrupted keeps the frames drawn so far, as movie.partial.gif or .mp4. Settings that are not given are those of the scene's render section.

Fields: ` + strings.Join(render.FieldNames(), ", ") + `.`,
		Example: `  curlfree render runs/finray-grasp --time 1.2
  curlfree render runs/finray-grasp --gif --size 640x480 --field contact_pressure
  curlfree render runs/finray-grasp --strip 0,0.4,0.8,1.2 --size 640x480 -o strip.png
  curlfree render runs/finray-grasp --hide cylinder --field contact_pressure -o face.png
  curlfree render runs/finray-grasp -o film.mp4 --mp4 --rate 50`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVarP(&r.out, "output", "o", "", "folder to write into, or the file for one picture (.png) or one film (.gif, .mp4) (default RUN)")
	f.Float64Var(&r.time, "time", 0, "draw one picture at this time, `s`")
	f.StringVar(&r.strip, "strip", "", "draw pictures at these times side by side, `s,s,...`")
	f.BoolVar(&r.gif, "gif", false, "write movie.gif")
	f.BoolVar(&r.mp4, "mp4", false, "write movie.mp4, with ffmpeg")
	f.BoolVar(&r.png, "png", false, "write every frame as frames/frame_NNNNN.png")
	f.Float64Var(&r.rate, "rate", 25, "frames per second of movies")
	f.Float64Var(&r.slow, "slow", 1, "slow motion: seconds of the movie for one second of the run")
	f.StringVar(&r.size, "size", "", "size of the picture in pixels, `WxH`")
	f.StringVar(&r.field, "field", "", "field that colours deformables, see above")
	f.Float64Var(&r.top, "field-max", 0, "upper end of the colour scale, in SI units (default chosen)")
	f.BoolVar(&r.noForces, "no-forces", false, "do not draw arrows of contact forces")
	f.BoolVar(&r.surfaces, "contact-surfaces", false, "draw the contact surfaces of pressure fields (default with the field contact_pressure)")
	f.StringVar(&r.cut, "cut", "", "cut bodies open at a plane `x,y,z:nx,ny,nz`: a point in m, and the normal towards the part that is removed; none: no cut")
	f.StringVar(&r.camera, "camera", "", "position of the camera, `x,y,z` in m")
	f.StringVar(&r.target, "target", "", "point that the camera looks at, `x,y,z` in m")
	f.StringVar(&r.up, "up", "", "direction that is up in the picture, `x,y,z`")
	f.Float64Var(&r.fov, "fov", 30, "vertical angle of view, degrees")
	f.StringVar(&r.background, "background", "", "colour, #rrggbb (default a light gradient)")
	f.Float64Var(&r.maxCover, "max-cover", 150, "number of times that triangles may cover the picture, which takes some 10 s for every 150")
	f.StringVar(&r.quality, "quality", "", "of light and edges: "+strings.Join(render.QualityNames(), ", ")+" (default draft for movies, final for pictures)")
	f.StringSliceVar(&r.hide, "hide", nil, "do not draw these bodies, `NAME,NAME,...`, such as part,finger_*")
	warn := a.renamedFlag(cmd, &r.surfaces, "patches", "contact-surfaces")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		warn()
		return a.renderRun(cmd, args[0], &r)
	}
	return cmd
}

// renderRun draws a run folder with the settings of its scene and the flags.
func (a *app) renderRun(cmd *cobra.Command, run string, r *renderFlags) error {
	rec, err := a.openRun(run)
	if err != nil {
		return err
	}
	defer rec.Close()
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return fail(exitInput, err)
	}
	if err := r.apply(cmd, &opt); err != nil {
		return fail(exitUsage, err)
	}
	p, err := render.NewPainter(rec, opt)
	if err != nil {
		return fail(exitOf(rec, exitUsage), err)
	}
	return a.render(cmd, run, r, rec, &opt, p)
}

// apply replaces settings of the scene by those that were given as flags.
func (r *renderFlags) apply(cmd *cobra.Command, opt *render.Options) error {
	given := cmd.Flags().Changed
	if given("size") {
		w, h, ok := strings.Cut(strings.ToLower(r.size), "x")
		x, err1 := strconv.Atoi(w)
		y, err2 := strconv.Atoi(h)
		if !ok || err1 != nil || err2 != nil {
			return fmt.Errorf("--size %q: write WIDTHxHEIGHT in pixels, such as 960x720", r.size)
		}
		opt.Size = [2]int{x, y}
	}
	if err := r.applyView(given, opt); err != nil {
		return err
	}
	if given("contact-surfaces") || given("patches") {
		opt.ContactSurfaces = &r.surfaces
	}
	if given("cut") {
		if err := r.applyCut(opt); err != nil {
			return err
		}
	}
	for _, v := range []struct {
		flag string
		from float64
		to   *float64
	}{{"rate", r.rate, &opt.Rate}, {"slow", r.slow, &opt.Slow}, {"fov", r.fov, &opt.FOV}, {"max-cover", r.maxCover, &opt.MaxCover}} {
		if given(v.flag) {
			*v.to = v.from
		}
	}
	r.applyColours(given, opt)
	// frames of films are many, small, and soon gone
	opt.Quality = r.quality
	if !given("quality") && r.films() {
		opt.Quality = "draft"
	}
	opt.Hide = append(opt.Hide, r.hide...)
	if r.noForces {
		no := false
		opt.Forces = &no
	}
	if given("time") && given("strip") {
		return errors.New("--time and --strip: give one of both; a strip of one time is one picture")
	}
	if given("time") {
		opt.Picture = &r.time
	}
	return nil
}

// applyView applies the vectors of the camera.
func (r *renderFlags) applyView(given func(string) bool, opt *render.Options) error {
	for _, v := range []struct {
		flag, text string
		to         **r3.Vec
	}{{"camera", r.camera, &opt.Camera}, {"target", r.target, &opt.Target}, {"up", r.up, &opt.Up}} {
		if given(v.flag) {
			p, err := parseVec(v.text)
			if err != nil {
				return fmt.Errorf("--%s %q: %w", v.flag, v.text, err)
			}
			*v.to = &p
		}
	}
	return nil
}

// applyColours applies field, colour scale and background.
func (r *renderFlags) applyColours(given func(string) bool, opt *render.Options) {
	if given("field") {
		opt.Field = r.field
		opt.FieldMax = 0 // that of the scene belongs to the field of the scene
	}
	if given("field-max") {
		opt.FieldMax = r.top
	}
	if given("background") {
		opt.Background = r.background
	}
}

// applyCut parses POINT:NORMAL; the bodies to cut are those of the scene.
func (r *renderFlags) applyCut(opt *render.Options) error {
	if r.cut == "none" {
		opt.Cut = nil
		return nil
	}
	point, normal, ok := strings.Cut(r.cut, ":")
	c := new(render.Cut)
	if opt.Cut != nil {
		c.Bodies = opt.Cut.Bodies
	}
	var err error
	if c.Point, err = parseVec(point); err == nil && ok {
		c.Normal, err = parseVec(normal)
	}
	if err != nil || !ok {
		return fmt.Errorf("--cut %q: write x,y,z:nx,ny,nz, a point of the plane and its normal towards the part that is removed", r.cut)
	}
	opt.Cut = c
	return nil
}

// parseVec parses x,y,z.
func parseVec(s string) (v r3.Vec, err error) {
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return v, errors.New("write three numbers as x,y,z")
	}
	for i, t := range parts {
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(t), 64); err != nil {
			return v, fmt.Errorf("%q is not a number: write x,y,z", t)
		}
	}
	return v, nil
}

// render writes the picture and the movies that the flags request.
func (a *app) render(cmd *cobra.Command, run string, r *renderFlags, rec *record.Recording, opt *render.Options, p *render.Painter) error {
	timeGiven := cmd.Flags().Changed("time")
	dir, picture, err := r.place(run, timeGiven)
	if err != nil {
		return err
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fail(exitOutput, err)
		}
	}
	res := renderResult{Rate: opt.Rate}
	if !r.films() || timeGiven || r.strip != "" {
		path := filepath.Join(dir, picture)
		if err := a.mayWrite(path); err != nil {
			return err
		}
		draw := func() error { return writeAt(path, timeGiven, rec, opt, p, &res) }
		if r.strip != "" {
			draw = func() error { return writeStrip(path, r.strip, rec, p, &res) }
		}
		if err := draw(); err != nil {
			return err
		}
		res.Files = append(res.Files, path)
	}
	if r.films() {
		if err := a.movies(cmd.Context(), dir, r, rec, opt, p, &res); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(res)
	}
	for _, f := range res.Files {
		a.say("%s", f)
	}
	return nil
}

// films reports whether films or their frames are requested.
func (r *renderFlags) films() bool { return r.gif || r.mp4 || r.png }

// place returns the folder to write into and the file of the picture there, and sets the name of films.
func (r *renderFlags) place(run string, timeGiven bool) (dir, picture string, err error) {
	r.film = "movie"
	if r.out == "" {
		return run, pictureFile, nil
	}
	switch ext := strings.ToLower(filepath.Ext(r.out)); {
	case ext == ".png" && !r.films():
		dir, picture = filepath.Split(r.out)
		return dir, picture, nil
	case ext == ".gif" || ext == ".mp4":
		// one file was named: others beside it would be a surprise
		if r.gif != (ext == ".gif") || r.mp4 != (ext == ".mp4") || r.png || timeGiven || r.strip != "" {
			return "", "", fail(exitUsage, fmt.Errorf("-o %s names one film: give --%s and no other kind of picture, or name a folder", r.out, ext[1:]))
		}
		dir, name := filepath.Split(r.out)
		r.film = strings.TrimSuffix(name, filepath.Ext(name))
		return dir, pictureFile, nil
	}
	return r.out, pictureFile, nil
}

// writeAt writes the picture at the time of the options. given: the time is that of a flag.
func writeAt(path string, given bool, rec *record.Recording, opt *render.Options, p *render.Painter, res *renderResult) error {
	t := pictureTime(rec, opt)
	if given {
		if err := covered("time", t, rec); err != nil {
			return err
		}
	}
	res.Time = &t
	return writePicture(path, rec, p, t)
}

// writeStrip writes a film strip of the times of a flag.
func writeStrip(path, flag string, rec *record.Recording, p *render.Painter, res *renderResult) error {
	for _, text := range strings.Split(flag, ",") {
		t, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return fail(exitUsage, fmt.Errorf("--strip: %q is not a number: write times in s, such as 0,0.5,1", text))
		}
		if err := covered("strip", t, rec); err != nil {
			return err
		}
		res.Strip = append(res.Strip, t)
	}
	img, err := p.Strip(res.Strip)
	if err != nil {
		return fail(exitUsage, err)
	}
	if err := rec.Err(); err != nil {
		return fail(exitInput, err)
	}
	return fail(exitOutput, render.WritePNG(path, img))
}

// covered refuses times of a flag outside the recording.
func covered(flag string, t float64, rec *record.Recording) error {
	first, last := rec.Time(0), rec.Time(rec.Len()-1)
	if !(t >= first-1e-9 && t <= last+1e-9) {
		return fail(exitUsage, fmt.Errorf("--%s %g: the recording covers %g to %g s", flag, t, first, last))
	}
	return nil
}

// movies draws the frames of a movie once and writes them to all files that the flags request
// for.
func (a *app) movies(ctx context.Context, dir string, r *renderFlags, rec *record.Recording, opt *render.Options, p *render.Painter, res *renderResult) error {
	if err := a.mayFilm(dir, r); err != nil {
		return err
	}
	sinks, err := a.sinks(dir, r, opt, p, res)
	if err != nil {
		return fail(exitOutput, err)
	}
	progress, done := drawingBar(a)
	ctx, stop := a.interruptible(ctx)
	defer stop()
	err = p.Animate(ctx, sinks, progress)
	done()
	if errors.Is(err, context.Canceled) {
		return fail(a.exitInterrupted(), err)
	}
	res.Frames = p.NumFrames()
	return fail(exitOf(rec, exitOutput), err)
}

// mayFilm refuses to replace films and frames that this program did not write.
func (a *app) mayFilm(dir string, r *renderFlags) error {
	var paths []string
	if r.mp4 {
		paths = append(paths, filepath.Join(dir, r.film+".mp4"), filepath.Join(dir, r.film+".partial.mp4"))
	}
	// without ffmpeg they take the place of the MP4
	if r.gif || r.mp4 {
		paths = append(paths, filepath.Join(dir, r.film+".gif"), filepath.Join(dir, r.film+".partial.gif"))
	}
	if r.png || r.mp4 {
		paths = append(paths, render.FramesIn(filepath.Join(dir, framesFolder))...)
	}
	return a.mayWrite(paths...)
}

// framesFolder has the frames of a film in the folder of the film.
const framesFolder = "frames"

// sinks opens the files of a movie. Without ffmpeg, a GIF and frames take the place of the
// MP4.
func (a *app) sinks(dir string, r *renderFlags, opt *render.Options, p *render.Painter, res *renderResult) ([]render.Sink, error) {
	var sinks []render.Sink
	wantGIF, wantPNG := r.gif, r.png
	if r.mp4 {
		path := filepath.Join(dir, r.film+".mp4")
		m, err := render.NewMP4(path, opt.Size, opt.Rate)
		switch {
		case errors.Is(err, render.ErrNoFFmpeg):
			fmt.Fprintf(a.stderr, "warning: %v; a GIF and the frames as PNG are written instead\n", err)
			wantGIF, wantPNG = true, true
		case err != nil:
			return nil, err
		default:
			sinks, res.Files = append(sinks, m), append(res.Files, path)
		}
	}
	if wantPNG {
		frames := filepath.Join(dir, framesFolder)
		pngs, err := render.NewPNGs(frames)
		if err != nil {
			return nil, err
		}
		sinks, res.Files = append(sinks, pngs), append(res.Files, frames)
	}
	if wantGIF {
		path := filepath.Join(dir, r.film+".gif")
		sinks, res.Files = append(sinks, p.NewGIF(path)), append(res.Files, path)
	}
	return sinks, nil
}

// drawingBar shows how many frames are drawn: as a bar on terminals, else as a line every
// 10 s.
func drawingBar(a *app) (progress func(done, all int), end func()) {
	if f, ok := terminal(a.stderr); ok {
		b := progressbar.NewOptions(1,
			progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("drawing"),
			progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		return func(done, all int) { b.ChangeMax(all); _ = b.Set(done) }, func() { _ = b.Finish() }
	}
	last := time.Now()
	return func(done, all int) {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(a.stderr, "drew %d of %d frames\n", done, all)
		}
	}, func() {}
}
