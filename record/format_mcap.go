package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/r3"
)

var _ = register("mcap", "One MCAP log of frames, shapes, contact forces and signals, for Foxglove.",
	"Messages are JSON with schemas in the file; times are those of the run. Topics: /tf has the poses of rigid bodies (foxglove.FrameTransforms), "+
		"/scene their shapes, /deformables the surfaces of deformables and /contacts arrows of forces (foxglove.SceneUpdate), "+
		"/signals a message for each row of the run's signals, with units in the schema. Fields and contact surfaces are left out.",
	mcapFormat{})

// The topics of the log. All lengths are in m, in the frame that an entity names.
//
//	/tf           each frame   X_WB of all rigid bodies, as float64
//	/scene        once         visible shapes in the frames of their bodies, as lists of triangles
//	/deformables  each frame   boundaries in the world, vertices as float32
//	/contacts     each frame   an arrow for each force on body B, from the contact point
//	/signals      each row     columns of signals.csv; numbers that are not finite are left out
//
// Shapes have a topic of their own because a viewer that jumps to a time loads the last message of
// each topic before it: in the topic of what moves, shapes that are sent once would be lost.

// mcapFormat implements Format.
type mcapFormat struct{}

// mcapFile is the one file of the format.
const mcapFile = "run.mcap"

// Channels of the log, in the order of their numbers.
const (
	transformChannel uint16 = iota + 1
	shapeChannel
	deformableChannel
	contactChannel
	signalChannel
)

// longestArrow is the length of the arrow of the largest force over the extent of the scene.
const longestArrow = 0.2

// Files implements Format.
func (mcapFormat) Files() []ExportedFile {
	return []ExportedFile{{mcapFile, "poses, shapes, deformables, contact forces and signals over time, in chunks packed by Zstandard"}}
}

// Write writes frames and rows of signals in the order of their times.
func (mcapFormat) Write(rec *Recording, dir string) ([]string, error) {
	// Times of a log are unsigned numbers of nanoseconds.
	if first, last := rec.Time(0), rec.Time(rec.Len()-1); first < 0 || last > 1e10 {
		return nil, fmt.Errorf("frames from %g s to %g s: MCAP has times from 0 to 10¹⁰ s", first, last)
	}
	signals, units, err := rec.signals()
	if err != nil {
		return nil, err
	}
	err = atomicfile.Write(filepath.Join(dir, mcapFile), func(w io.Writer) error {
		l, err := newMCAPLog(w, signals, units)
		if err != nil {
			return err
		}
		l.scene(rec, signals)
		// A frame that could not be read must not end up in a file.
		return errors.Join(rec.Err(), l.err, l.w.Close())
	})
	return []string{mcapFile}, err
}

// signals returns the table of signals of the run folder that the recording was read from, and
// their units; an empty table for a recording without a folder or signals.
func (r *Recording) signals() (*Table, map[string]string, error) {
	none := &Table{Columns: []string{"time_s"}, Data: [][]float64{nil}}
	if r.dir == "" {
		return none, nil, nil
	}
	t, err := ReadColumns(r.dir, SignalsFile, nil)
	switch {
	case errors.Is(err, os.ErrNotExist): // a recording alone
		return none, nil, nil
	case err != nil:
		return nil, nil, err
	case t.Columns[0] != "time_s":
		return nil, nil, fmt.Errorf("%s: its first column is %q, not time_s", filepath.Join(r.dir, SignalsFile), t.Columns[0])
	}
	// Rows need a time that a log can have.
	for k, s := range t.Data[0] {
		if !(s >= 0 && s <= 1e10) {
			return nil, nil, fmt.Errorf("%s, line %d: time_s is %g: MCAP has times from 0 to 10¹⁰ s", filepath.Join(r.dir, SignalsFile), k+2, s)
		}
	}
	return t, SignalUnits(r.dir), nil
}

// mcapLog writes messages to a log and keeps the first error.
type mcapLog struct {
	w        *mcap.Writer
	sequence [signalChannel + 1]uint32 // messages so far, by channel
	err      error
}

// newMCAPLog writes the head of a log: its schemas and channels.
func newMCAPLog(w io.Writer, signals *Table, units map[string]string) (*mcapLog, error) {
	// One thread packs, so that the bytes are the same on any machine.
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out, err := mcap.NewWriter(w, &mcap.WriterOptions{
		Chunked: true, IncludeCRC: true, OverrideLibrary: true,
		Compressor: mcap.NewCustomCompressor(mcap.CompressionZSTD, pack),
	})
	if err != nil {
		return nil, err
	}
	// The library's name is the place of the mark: readers show it and require nothing of it.
	err = out.WriteHeader(&mcap.Header{Library: authorship.Mark})
	// Schemas, by number from 1 on.
	for i, s := range []map[string]any{
		jsonSchema(reflect.TypeFor[frameTransforms]()), jsonSchema(reflect.TypeFor[sceneUpdate]()), signalSchema(signals, units),
	} {
		name := []string{"foxglove.FrameTransforms", "foxglove.SceneUpdate", "curlfree.Signals"}[i]
		s["title"] = name
		text, fault := json.Marshal(s)
		err = errors.Join(err, fault, out.WriteSchema(&mcap.Schema{ID: uint16(i + 1), Name: name, Encoding: "jsonschema", Data: text}))
	}
	// Each channel has a topic and one of these schemas.
	for _, c := range []mcap.Channel{
		{ID: transformChannel, Topic: "/tf", SchemaID: 1},
		{ID: shapeChannel, Topic: "/scene", SchemaID: 2},
		{ID: deformableChannel, Topic: "/deformables", SchemaID: 2},
		{ID: contactChannel, Topic: "/contacts", SchemaID: 2},
		{ID: signalChannel, Topic: "/signals", SchemaID: 3},
	} {
		c.MessageEncoding = "json"
		err = errors.Join(err, out.WriteChannel(&c))
	}
	return &mcapLog{w: out}, err
}

// message writes a message of a channel at a time, s.
func (l *mcapLog) message(channel uint16, time float64, content any) {
	text, err := json.Marshal(content)
	if l.err == nil && err == nil {
		// The nearest nanosecond: truncation would put 0.3 s before its step.
		ns := uint64(math.Round(time * 1e9))
		err = l.w.WriteMessage(&mcap.Message{ChannelID: channel, Sequence: l.sequence[channel], LogTime: ns, PublishTime: ns, Data: text})
		l.sequence[channel]++
	}
	// The first fault is kept; Write returns it.
	if l.err == nil {
		l.err = err
	}
}

// scene writes the shapes, then frames and rows of signals by time.
func (l *mcapLog) scene(rec *Recording, signals *Table) {
	st := &rec.Static
	l.message(shapeChannel, rec.Time(0), sceneUpdate{Entities: shapeEntities(rec)})
	scale := arrowScale(rec)
	row := 0
	for k := range rec.Len() {
		f := rec.At(k)
		// Rows up to this frame come first: readers prefer logs in the order of time.
		for ; row < len(signals.Data[0]) && signals.Data[0][row] <= f.Time; row++ {
			l.row(signals, row)
		}
		// Poses of all bodies, those at rest too.
		at := stamp(f.Time)
		tf := frameTransforms{Transforms: []frameTransform{}}
		for b, X := range f.Poses {
			p := poseOf(X)
			tf.Transforms = append(tf.Transforms, frameTransform{at, "world", st.bodyName(b), p.Position, p.Orientation})
		}
		l.message(transformChannel, f.Time, tf)
		// Deformables replace those of the frame before, which have the same names.
		soft := []entity{}
		for i := range st.Deformables {
			d := &st.Deformables[i]
			e := newEntity(f.Time, "world", d.Name)
			e.Triangles = append(e.Triangles, triangleList(r3.PoseIdentity(), f.Verts[i], d.Tris, shownColor(d.Color, len(st.Bodies)+i)))
			soft = append(soft, e)
		}
		l.message(deformableChannel, f.Time, sceneUpdate{Entities: soft})
		l.message(contactChannel, f.Time, sceneUpdate{Entities: []entity{forceEntity(f, scale)}})
	}
	// Signals may continue after the last frame.
	for ; row < len(signals.Data[0]); row++ {
		l.row(signals, row)
	}
}

// row writes a row of signals.
func (l *mcapLog) row(t *Table, k int) {
	values := map[string]float64{}
	for j, name := range t.Columns {
		// JSON has no numbers that are not finite: a missing key stands for them.
		if x := t.Data[j][k]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			values[name] = x
		}
	}
	l.message(signalChannel, t.Data[0][k], values)
}

// shapeEntities are the visible shapes in the frames of their bodies.
func shapeEntities(rec *Recording) []entity {
	all := []entity{}
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		verts, tris := geomSurface(g)
		// Hidden shapes take part in contact only.
		if g.Hidden || len(tris) == 0 {
			continue
		}
		// Names of shapes need not differ, those of entities must.
		e := newEntity(rec.Time(0), rec.Static.bodyName(g.Body), g.Name+"/"+strconv.Itoa(i))
		e.Triangles = append(e.Triangles, triangleList(g.X_BG, verts, tris, shownColor(g.Color, max(0, g.Body))))
		all = append(all, e)
	}
	return all
}

// triangleList is a surface with its vertices in the frame X.
func triangleList(X r3.Pose, verts []r3.Vec, tris [][3]int32, rgb [3]uint8) triangles {
	t := triangles{Pose: poseOf(X), Points: []point{}, Color: colorOf(rgb), Colors: none{}, Indices: flatten(tris)}
	for _, v := range verts {
		t.Points = append(t.Points, point{float32(v[0]), float32(v[1]), float32(v[2])})
	}
	return t
}

// arrowScale returns the length of arrows for a force, m/N: the largest force of the
// recording is as long as longestArrow says. It is 0 without forces.
func arrowScale(rec *Recording) float64 {
	// The extent at the start: origins of bodies with the shapes on them, and vertices.
	start := rec.At(0)
	points := slices.Concat(start.Verts...)
	for i := range rec.Static.Geoms {
		if g := &rec.Static.Geoms[i]; g.Mesh != nil {
			X_WG := g.X_BG
			if g.Body >= 0 {
				X_WG = start.Poses[g.Body].Mul(g.X_BG)
			}
			for _, v := range g.Mesh.Verts {
				points = append(points, X_WG.Point(v))
			}
		}
	}
	// A scene of nothing but planes has the extent 1 m.
	extent, largest := 0.0, 0.0
	for _, p := range points {
		extent = max(extent, p.Sub(points[0]).Norm())
	}
	if extent == 0 {
		extent = 1
	}
	for k := range rec.Len() {
		for i := range rec.At(k).Contacts {
			largest = max(largest, rec.At(k).Contacts[i].Force_W.Norm())
		}
	}
	if largest == 0 {
		return 0
	}
	return longestArrow * extent / largest
}

// forceEntity has an arrow for each contact force of a frame, of a length of scale m/N.
func forceEntity(f *Frame, scale float64) entity {
	e := newEntity(f.Time, "world", "contact forces")
	// Whoever measures an arrow needs the scale.
	e.Metadata = append(e.Metadata, keyValue{"metres_per_newton", number(scale)})
	for i := range f.Contacts {
		c := &f.Contacts[i]
		long := scale * c.Force_W.Norm()
		if long == 0 {
			continue
		}
		// An arrow points along the x axis of its pose; the head is a quarter of it.
		x := c.Force_W.Unit()
		y, z := r3.Basis(x)
		e.Arrows = append(e.Arrows, arrow{
			Pose:        poseOf(r3.Pose{R: r3.FromColumns(x, y, z), P: c.Pos_W}),
			ShaftLength: 0.75 * long, ShaftDiameter: 0.06 * long, HeadLength: 0.25 * long, HeadDiameter: 0.15 * long,
			Color: color{0.85, 0.1, 0.1, 1},
		})
	}
	return e
}

// signalSchema describes rows of signals. The description of a column is its unit; a
// column of a run without a summary has none.
func signalSchema(t *Table, units map[string]string) map[string]any {
	properties := map[string]any{}
	for _, name := range t.Columns {
		p := map[string]any{"type": "number"}
		// The summary states units of signals, not that of the time.
		if u := units[name]; name == "time_s" {
			p["description"] = "s"
		} else if u != "" {
			p["description"] = u
		}
		properties[name] = p
	}
	return map[string]any{"type": "object", "properties": properties}
}
