package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
)

// A film shows the instants k/(rate · slow) of the run, k = 0, 1, …; a sink plays or stores rate frames for
// each second. Frames are drawn a few at a time and given to all sinks, so that memory does not grow with the
// length of a film. Files of films appear under their name only when they are whole; what an interrupt leaves plays
// too.
//
// Times are exact: frames are drawn from the recording between its own frames, interpolated.

// NumFrames is the number of frames of the painter's animation.
func (p *Painter) NumFrames() int { return NumFrames(length(p.rec), p.pace()) }

// pace is the number of frames for each second of the run.
func (p *Painter) pace() float64 { return p.opt.Rate * p.opt.Slow }

// Frame draws frame k of the animation, at its exact time.
func (p *Painter) Frame(k int) *image.RGBA {
	return p.Picture(frameTime(p.rec, p.pace(), k))
}

// Sink writes an animation in one format. It takes the frames one by one, in order.
type Sink interface {
	// Frame takes frame k. The image is not used after the call.
	Frame(k int, img *image.RGBA) error
	// Close ends the animation and writes the rest of it.
	Close() error
	// Interrupt ends the animation early and keeps the frames so far, in a file or folder that it returns; an empty
	// name where there is none.
	Interrupt() (string, error)
	// Abort ends the animation early, after a fault, and removes incomplete files.
	Abort()
}

// partial is the name of a film while it is written; the extension stays the last.
func partial(path, ext string) string { return strings.TrimSuffix(path, ext) + ".partial" + ext }

// InterruptError says that an animation was ended early by its context.
type InterruptError struct {
	// Done and All are the number of frames that were drawn and of those of the whole animation.
	Done, All int
	// Kept are the files and folders with the frames that were drawn.
	Kept []string
	err  error
}

// Error implements error.
func (e *InterruptError) Error() string {
	if len(e.Kept) == 0 {
		return fmt.Sprintf("interrupted after %d of %d frames", e.Done, e.All)
	}
	return fmt.Sprintf("interrupted after %d of %d frames, which are in %s", e.Done, e.All, strings.Join(e.Kept, ", "))
}

// Unwrap returns the error of the context.
func (e *InterruptError) Unwrap() error { return e.err }

// Animate draws all frames into the sinks and closes them. After an error it aborts them; when ctx ends, it keeps what
// was drawn and returns an InterruptError. As many frames are drawn at the same time, and in memory, as there are
// processors; sinks get them in order. It calls progress, which may be nil, after each frame.
func (p *Painter) Animate(ctx context.Context, sinks []Sink, progress func(done, all int)) (err error) {
	// done is also the number of the frame that the sinks get next: frames come in order
	n, done := p.NumFrames(), 0
	defer func() {
		for _, s := range sinks {
			if err != nil {
				s.Abort()
			}
		}
	}()
	frames, stop := p.ahead(n)
	defer stop()
	for frame := range frames {
		img := <-frame
		if ctx.Err() != nil {
			kept := sinks
			sinks = nil // nothing to abort
			return interrupt(kept, done, n, ctx.Err())
		}
		// a damaged recording shows when one of its frames is read
		if err := p.rec.Err(); err != nil {
			return err
		}
		for _, s := range sinks {
			if err := s.Frame(done, img); err != nil {
				return err
			}
		}
		done++
		if progress != nil {
			progress(done, n)
		}
	}
	// sinks that are closed have written their files; the first error aborts all of them
	for _, s := range sinks {
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

// ahead draws frames 0 to n−1, as many at a time as there are processors, and returns them in order. stop ends it
// and waits for the frames that were begun.
func (p *Painter) ahead(n int) (frames <-chan chan *image.RGBA, stop func()) {
	var drawing sync.WaitGroup
	quit := make(chan struct{})
	// one frame waits for its sinks, the others in the queue are drawn
	queue := make(chan chan *image.RGBA, max(1, runtime.GOMAXPROCS(0)-1))
	drawing.Go(func() {
		defer close(queue)
		for k := range n {
			frame := make(chan *image.RGBA, 1)
			select {
			case queue <- frame:
			case <-quit:
				return
			}
			drawing.Go(func() { frame <- p.Frame(k) })
		}
	})
	return queue, func() {
		close(quit)
		drawing.Wait()
	}
}

// interrupt ends all sinks with what they have.
func interrupt(sinks []Sink, done, all int, cause error) error {
	// a fault while a sink ends counts more than the interrupt: its file may not play
	e := &InterruptError{Done: done, All: all, err: cause}
	var faults error
	for _, s := range sinks {
		name, err := s.Interrupt()
		faults = errors.Join(faults, err)
		if name != "" && err == nil && done > 0 {
			e.Kept = append(e.Kept, name)
		}
	}
	if faults != nil {
		return faults
	}
	return e
}

// WritePNG writes a picture as a PNG file, whole or not at all.
func WritePNG(path string, img image.Image) error {
	return atomicfile.Write(path, func(w io.Writer) error { return encodePNG(w, img) })
}

// PNGs writes each frame as DIR/frame_00000.png.
type PNGs struct {
	// Dir is the folder, which exists.
	Dir string
}

// frameName is a name that Frame gives. Other pictures in the folder have other names.
var frameName = regexp.MustCompile(`^frame_[0-9]{5,}\.png$`)

// NewPNGs creates the folder and removes the frames of an earlier film from it.
// Other files stay, also those with the name of a frame that this program did not
// write.
func NewPNGs(dir string) (PNGs, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return PNGs{}, err
	}
	var err error
	for _, path := range FramesIn(dir) {
		if !authorship.Foreign(path) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return PNGs{dir}, err
}

// FramesIn lists the files of a folder whose names are those of frames.
func FramesIn(dir string) []string {
	// the folder is listed instead of a pattern expanded: brackets and stars in its path
	// would be patterns of other folders
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // a folder that does not exist has none; writing reports other faults
	}
	var paths []string
	for _, e := range entries {
		if frameName.MatchString(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// Frame writes one file.
func (s PNGs) Frame(k int, img *image.RGBA) error {
	return WritePNG(filepath.Join(s.Dir, fmt.Sprintf("frame_%05d.png", k)), img)
}

// Close does nothing, because each frame is a whole file.
func (s PNGs) Close() error { return nil }

// Interrupt keeps the frames written so far.
func (s PNGs) Interrupt() (string, error) { return s.Dir, nil }

// Abort keeps the frames written so far.
func (s PNGs) Abort() {}

// ErrNoFFmpeg is the error of NewMP4 where ffmpeg is not installed.
var ErrNoFFmpeg = errors.New("ffmpeg is not in the PATH: install it for MP4, or use --gif or --png")

// MP4 pipes frames into the program ffmpeg, which writes H.264. The film has a
// temporary name until it is complete.
type MP4 struct {
	// path is the name of the whole film, part its name until then.
	path, part string
	// cmd is the running program.
	cmd *exec.Cmd
	// in is the standard input of ffmpeg: frames of width × height × 4 bytes, RGBA.
	in io.WriteCloser
	// said are the messages of ffmpeg.
	said strings.Builder
}

// NewMP4 starts ffmpeg for a film of the given frame size and rate.
func NewMP4(path string, size [2]int, rate float64) (*MP4, error) {
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, ErrNoFFmpeg
	}
	// ffmpeg gets the format from the extension
	m := &MP4{path: path, part: partial(path, ".mp4")}
	m.cmd = exec.Command(program, "-y", "-loglevel", "error",
		"-f", "rawvideo", "-pixel_format", "rgba", "-video_size", fmt.Sprintf("%dx%d", size[0], size[1]),
		"-framerate", strconv.FormatFloat(rate, 'g', -1, 64), "-i", "-",
		// players expect even sides and 4:2:0 colours
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18",
		"-movflags", "+faststart", "file:"+m.part) // a name may look like an option or an address
	// what ffmpeg says is part of the error, if there is one
	m.cmd.Stderr = &m.said
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := m.cmd.Start(); err != nil {
		return nil, fmt.Errorf("ffmpeg: %w", err)
	}
	return m, nil
}

// Frame pipes one frame.
func (m *MP4) Frame(_ int, img *image.RGBA) error {
	// rows of an image of the painter follow each other without gaps
	if _, err := m.in.Write(img.Pix); err != nil {
		m.in.Close()
		_ = m.cmd.Wait() // its error output, which is reported, says more
		return fmt.Errorf("ffmpeg stopped: %w: %s", err, strings.TrimSpace(m.said.String()))
	}
	return nil
}

// Close waits for ffmpeg to finish the film.
func (m *MP4) Close() error {
	if err := m.end(); err != nil {
		return err
	}
	return os.Rename(m.part, m.path)
}

// end waits for ffmpeg to finish what it got.
func (m *MP4) end() error {
	m.in.Close()
	if err := m.cmd.Wait(); err != nil {
		os.Remove(m.part)
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(m.said.String()))
	}
	if err := markMP4(m.part); err != nil {
		os.Remove(m.part)
		return err
	}
	return nil
}

// Interrupt lets ffmpeg finish the frames so far.
func (m *MP4) Interrupt() (string, error) { return m.part, m.end() }

// Abort ends ffmpeg and removes its file.
func (m *MP4) Abort() {
	m.in.Close()
	// ffmpeg still runs: end it, and wait until it has closed the file
	if m.cmd.ProcessState == nil {
		_ = m.cmd.Process.Kill()
		_ = m.cmd.Wait()
	}
	os.Remove(m.part)
}
