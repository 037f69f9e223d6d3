package web

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/curlfree/curlfree/render"
)

// A run as one file. Where it would exceed the size that is asked for, detail is given up
// in this order, until it fits:
//
//	1  fields that are not shown first
//	2  digits of positions: the step of the grid times 8, 2⁻¹³ of the largest body
//	3  frames: every 2nd, 4th, 8th … is kept

// Detail says what a file of a run has.
type Detail struct {
	// Bytes is the size of the file.
	Bytes int `json:"bytes"`
	// Frames is the number of frames.
	Frames int `json:"frames"`
	// Stride is the number of recorded frames for one in the file.
	Stride int `json:"stride"`
	// Quantum is the step of the grid of positions, m.
	Quantum float64 `json:"quantum_m"`
	// Fields are the fields that the file has.
	Fields []string `json:"fields"`
}

// HTML writes a run as one page that needs no other file and no server, of at most
// maxBytes, 0 for any size. It returns what the file has, and an error for a damaged
// recording or where even the smallest file is larger.
func HTML(w io.Writer, r *Run, maxBytes int) (*Detail, error) {
	// copies: the caller's run keeps its detail
	full, fullScene := *r, *r.Scene
	for level := 0; ; level++ {
		// the run with the detail of this level
		try, scene := full, fullScene
		try.Scene = &scene
		if level >= 1 {
			scene.Fields = shownFirst(&fullScene)
		}
		if level >= 2 {
			scene.Quantum *= 8
		}
		if level >= 3 {
			try.stride = 1 << (level - 2)
		}
		page, err := embedded(&try)
		if err != nil {
			return nil, err
		}
		// the size of the text, base64 included: what somebody has to send
		size := page.size()
		// two frames are the least that show a motion
		if maxBytes > 0 && size > maxBytes {
			if try.Len() > 2 {
				continue
			}
			return nil, fmt.Errorf("the smallest file has %s, more than %s: the meshes of the scene and the page alone have %s",
				megabytes(size), megabytes(maxBytes), megabytes(size-page.frames))
		}
		// what was given up is reported, so that a reader sees how exact the numbers are
		d := &Detail{Bytes: size, Frames: try.Len(), Stride: try.stride, Quantum: scene.Quantum, Fields: []string{}}
		for _, f := range scene.Fields {
			d.Fields = append(d.Fields, f.Name)
		}
		return d, page.write(w)
	}
}

func megabytes(n int) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

// shownFirst returns the field that a page shows at first.
func shownFirst(s *Scene) []Field {
	// the field that the scene's render section names, as in pictures
	opt, err := render.RecordedOptions(s.static)
	name := opt.Field
	if err != nil || name == "" {
		name = "von_mises"
	}
	fields := []Field{}
	// the one field, or none where the scene names a field that this run does not have
	for _, f := range s.Fields {
		if f.Name == name {
			fields = append(fields, f)
		}
	}
	return fields
}

// embeddedPage is a page with the data of a run.
type embeddedPage struct {
	config any
	blocks []block
	frames int // bytes of the blocks of frames
}

// embedded packs the data of a run.
func embedded(r *Run) (*embeddedPage, error) {
	// times stand apart from frames, so that a page finds a frame without unpacking others
	p := &embeddedPage{config: struct {
		Kind  string    `json:"kind"`
		Chunk int       `json:"chunk"`
		Times []float64 `json:"times"`
	}{"embedded", ChunkFrames, r.Times()}}
	scene, err := json.Marshal(r.Scene)
	if err != nil {
		return nil, err
	}
	signals, err := json.Marshal(r.Signals)
	if err != nil {
		return nil, err
	}
	p.blocks = []block{{"curlfree-scene", packed(scene)}, {"curlfree-signals", packed(signals)}}
	// chunks are packed one by one: a page unpacks those that it shows
	for j := range r.Chunks() {
		chunk, err := r.Chunk(j)
		if err != nil {
			return nil, err
		}
		b := block{fmt.Sprintf("curlfree-chunk-%d", j), packed(chunk)}
		p.blocks, p.frames = append(p.blocks, b), p.frames+len(b.data)
	}
	return p, nil
}

// write writes the page.
func (p *embeddedPage) write(w io.Writer) error { return writePage(w, p.config, p.blocks) }

// size returns the number of bytes that write writes.
func (p *embeddedPage) size() int {
	// written twice, but never stored twice in memory
	var n counter
	if err := p.write(&n); err != nil {
		return math.MaxInt
	}
	return int(n)
}

// counter counts bytes.
type counter int

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
