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
	"golang.org/x/term"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// renderFlags are what render was asked for.
type renderFlags struct {
	out                string
	gif, mp4, png      bool
	time               float64
	size               string
	camera, target, up string
	fov, rate, top     float64
	slow               float64
	field, background  string
	noForces, patches  bool
	cut                string
}

// renderResult is what render prints as JSON.
type renderResult struct {
	Files  []string `json:"files"`
	Frames int      `json:"frames"`           // of the animation
	Rate   float64  `json:"frames_per_s"`     //
	Time   *float64 `json:"time_s,omitempty"` // of the single picture
}

func (a *app) renderCommand() *cobra.Command {
	var r renderFlags
	cmd := &cobra.Command{
		Use:   "render RUN",
		Short: "Draw pictures and films of a run, without a display",
		Long: `Draw a run from its recording, on the CPU: no display and no graphics card is needed.
Without --gif, --mp4 and --png, one picture is drawn: at --time, or when the scene says, or
at the end. Films show every instant k/(rate slow) of the run, interpolated between recorded frames.
What is not given here is as the scene's render section says.

Fields: ` + strings.Join(render.FieldNames(), ", ") + `.`,
		Example: `  curlfree render runs/finray-grasp --time 1.2
  curlfree render runs/finray-grasp --gif --size 640x480 --field contact_pressure
  curlfree render runs/finray-grasp -o film --mp4 --rate 50`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := a.openRun(args[0])
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
			return a.render(cmd, args[0], &r, rec, &opt, p)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&r.out, "output", "o", "", "folder to write into, or a .png file for one picture (default RUN)")
	f.Float64Var(&r.time, "time", 0, "draw one picture at this time, `s`")
	f.BoolVar(&r.gif, "gif", false, "write movie.gif")
	f.BoolVar(&r.mp4, "mp4", false, "write movie.mp4, by ffmpeg")
	f.BoolVar(&r.png, "png", false, "write every frame as frames/frame_NNNNN.png")
	f.Float64Var(&r.rate, "rate", 25, "frames per second of films")
	f.Float64Var(&r.slow, "slow", 1, "slow motion: seconds of a film for one of the run")
	f.StringVar(&r.size, "size", "", "size of the picture in pixels, `WxH`")
	f.StringVar(&r.field, "field", "", "colours of deformables, see above")
	f.Float64Var(&r.top, "field-max", 0, "top of the colour scale in SI units (default chosen)")
	f.BoolVar(&r.noForces, "no-forces", false, "draw no arrows of contact forces")
	f.BoolVar(&r.patches, "patches", false, "draw the faces of pressure fields (default with the field contact_pressure)")
	f.StringVar(&r.cut, "cut", "", "cut bodies open at a plane `x,y,z:nx,ny,nz`: point in m, and normal towards what is taken away; none: not")
	f.StringVar(&r.camera, "camera", "", "position of the camera, `x,y,z` in m")
	f.StringVar(&r.target, "target", "", "point that the camera looks at, `x,y,z` in m")
	f.StringVar(&r.up, "up", "", "direction that is up in the picture, `x,y,z`")
	f.Float64Var(&r.fov, "fov", 30, "vertical angle of view, degrees")
	f.StringVar(&r.background, "background", "", "colour, #rrggbb (default a light gradient)")
	return cmd
}

// apply puts what was given over the scene's wishes.
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
	if given("patches") {
		opt.ContactSurfaces = &r.patches
	}
	if given("cut") {
		if err := r.applyCut(opt); err != nil {
			return err
		}
	}
	if given("rate") {
		opt.Rate = r.rate
	}
	if given("slow") {
		opt.Slow = r.slow
	}
	if given("fov") {
		opt.FOV = r.fov
	}
	if given("field") {
		opt.Field = r.field
		opt.FieldMax = 0 // the scene's is for the scene's field
	}
	if given("field-max") {
		opt.FieldMax = r.top
	}
	if given("background") {
		opt.Background = r.background
	}
	if r.noForces {
		no := false
		opt.Forces = &no
	}
	if given("time") {
		opt.Picture = &r.time
	}
	return nil
}

// applyCut reads POINT:NORMAL; the bodies are the scene's.
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
		return fmt.Errorf("--cut %q: write x,y,z:nx,ny,nz, a point of the plane and the direction of what is taken away", r.cut)
	}
	opt.Cut = c
	return nil
}

// parseVec reads x,y,z.
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

// render writes what was asked for.
func (a *app) render(cmd *cobra.Command, run string, r *renderFlags, rec *record.Recording, opt *render.Options, p *render.Painter) error {
	films := r.gif || r.mp4 || r.png
	single := !films || cmd.Flags().Changed("time")
	dir, picture := run, pictureFile
	if r.out != "" {
		dir = r.out
		if strings.EqualFold(filepath.Ext(r.out), ".png") && !films {
			dir, picture = filepath.Split(r.out)
		}
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fail(exitOutput, err)
		}
	}
	res := renderResult{Rate: opt.Rate}
	if single {
		t := pictureTime(rec, opt)
		first, last := rec.Time(0), rec.Time(rec.Len()-1)
		if cmd.Flags().Changed("time") && !(t >= first-1e-9 && t <= last+1e-9) {
			return fail(exitUsage, fmt.Errorf("--time %g: the recording is from %g to %g s", t, first, last))
		}
		path := filepath.Join(dir, picture)
		if err := writePicture(path, rec, p, t); err != nil {
			return err
		}
		res.Files, res.Time = append(res.Files, path), &t
	}
	if films {
		if err := a.films(cmd.Context(), dir, r, rec, opt, p, &res); err != nil {
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

// films draws the animation once, into all files asked for.
func (a *app) films(ctx context.Context, dir string, r *renderFlags, rec *record.Recording, opt *render.Options, p *render.Painter, res *renderResult) error {
	var sinks []render.Sink
	wantGIF, wantPNG := r.gif, r.png
	if r.mp4 {
		path := filepath.Join(dir, "movie.mp4")
		m, err := render.NewMP4(path, opt.Size, opt.Rate)
		switch {
		case errors.Is(err, render.ErrNoFFmpeg):
			fmt.Fprintf(a.stderr, "warning: %v; writing a GIF and the frames as PNG instead\n", err)
			wantGIF, wantPNG = true, true
		case err != nil:
			return fail(exitOutput, err)
		default:
			sinks, res.Files = append(sinks, m), append(res.Files, path)
		}
	}
	if wantPNG {
		frames := filepath.Join(dir, "frames")
		pngs, err := render.NewPNGs(frames)
		if err != nil {
			return fail(exitOutput, err)
		}
		sinks, res.Files = append(sinks, pngs), append(res.Files, frames)
	}
	if wantGIF {
		path := filepath.Join(dir, "movie.gif")
		sinks, res.Files = append(sinks, p.NewGIF(path)), append(res.Files, path)
	}
	progress, done := drawingBar(a)
	ctx, stop := interruptible(ctx)
	defer stop()
	err := p.Animate(ctx, sinks, progress)
	done()
	if errors.Is(err, context.Canceled) {
		return fail(exitInterrupted, errors.New("interrupted: frames so far are kept, films are not"))
	}
	res.Frames = p.NumFrames()
	return fail(exitOf(rec, exitOutput), err)
}

// drawingBar shows how many frames are drawn: a bar on terminals, elsewhere a
// line now and then.
func drawingBar(a *app) (progress func(done, all int), end func()) {
	if f, ok := a.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
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
