package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/curlfree/curlfree/r3"
)

// logged is a message as read back.
type logged struct {
	ns      uint64
	content map[string]any
}

// readMCAP reads all messages, which stand in the order of time, by topic, and the schemas of topics.
// Each message must have the form that its schema states.
func readMCAP(b []byte) (map[string][]logged, map[string]map[string]any, error) {
	r, err := mcap.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		return nil, nil, err
	}
	for _, c := range info.ChunkIndexes {
		if c.Compression != mcap.CompressionZSTD {
			return nil, nil, fmt.Errorf("a chunk packed by %q", c.Compression)
		}
	}
	it, err := r.Messages(mcap.InOrder(mcap.FileOrder))
	if err != nil {
		return nil, nil, err
	}
	messages, schemas, n := map[string][]logged{}, map[string]map[string]any{}, uint64(0)
	last := uint64(0)
	err = mcap.Range(it, func(s *mcap.Schema, c *mcap.Channel, m *mcap.Message) error {
		n++
		if m.LogTime < last {
			return fmt.Errorf("%s: a message at %d ns after one at %d", c.Topic, m.LogTime, last)
		}
		last = m.LogTime
		if s == nil || s.Encoding != "jsonschema" || c.MessageEncoding != "json" {
			return fmt.Errorf("%s is no JSON with a schema", c.Topic)
		}
		var schema, content map[string]any
		if err := errors.Join(json.Unmarshal(s.Data, &schema), json.Unmarshal(m.Data, &content)); err != nil {
			return err
		}
		if schema["title"] != s.Name {
			return fmt.Errorf("%s: title %v of schema %s", c.Topic, schema["title"], s.Name)
		}
		if int(m.Sequence) != len(messages[c.Topic]) {
			return fmt.Errorf("%s: message %d is number %d", c.Topic, len(messages[c.Topic]), m.Sequence)
		}
		messages[c.Topic], schemas[c.Topic] = append(messages[c.Topic], logged{m.LogTime, content}), schema
		return follows(c.Topic, schema, content)
	})
	if err == nil && n != info.Statistics.MessageCount {
		err = fmt.Errorf("%d messages, the index says %d", n, info.Statistics.MessageCount)
	}
	return messages, schemas, err
}

// follows returns an error for a value that has not the form of a schema.
func follows(where string, schema map[string]any, v any) error {
	ok := false
	switch x := v.(type) {
	case map[string]any:
		ok = schema["type"] == "object"
		properties, _ := schema["properties"].(map[string]any)
		for k, y := range x {
			p, known := properties[k].(map[string]any)
			if !known {
				return fmt.Errorf("%s.%s is not in the schema", where, k)
			}
			if err := follows(where+"."+k, p, y); err != nil {
				return err
			}
		}
	case []any:
		ok = schema["type"] == "array"
		items, _ := schema["items"].(map[string]any)
		for _, y := range x {
			if err := follows(where+"[]", items, y); err != nil {
				return err
			}
		}
	case float64:
		ok = schema["type"] == "number" || schema["type"] == "integer" && x == math.Trunc(x) && x >= 0
	case string:
		ok = schema["type"] == "string"
	case bool:
		ok = schema["type"] == "boolean"
	}
	if !ok {
		return fmt.Errorf("%s is %T, its schema says %v", where, v, schema["type"])
	}
	return nil
}

func validMCAP(b []byte) error {
	messages, _, err := readMCAP(b)
	if err == nil && (len(messages["/tf"]) == 0 || len(messages["/scene"]) != 1) {
		err = errors.New("a log without poses, or without one message of shapes")
	}
	return err
}

// at returns what is in a message below keys and indices.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

// floatsAt returns the numbers of an object with these keys.
func floatsAt(v any, keys ...string) []float64 {
	var out []float64
	for _, k := range keys {
		out = append(out, at(v, k).(float64))
	}
	return out
}

// turn rotates v by the quaternion x, y, z, w.
func turn(q []float64, v r3.Vec) r3.Vec {
	u := r3.Vec{q[0], q[1], q[2]}
	t := u.Cross(v).Scale(2)
	return v.Add(t.Scale(q[3])).Add(u.Cross(t))
}

// swingFolder is a run folder of swing with signals, rows of which have no frame, or no finite number.
func swingFolder(t *testing.T, table string) string {
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		RecordingFile: encoded(t, swing()),
		SignalsFile:   []byte(table),
		SummaryFile:   []byte(`{"signal_units": {"force": "N"}}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const swingSignals = "time_s,force,gap_m\n0,0.1,nan\n0.0157,-1.2345678901234567e-7,2\n0.1,3,+Inf\n0.4,1e300,4\n0.45,5,6\n"

// exportedMCAP exports a run folder and reads the log back.
func exportedMCAP(t *testing.T, dir string) (map[string][]logged, map[string]map[string]any) {
	t.Helper()
	rec, err := ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	names, err := Export(rec, "mcap", dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	messages, schemas, err := readMCAP(b)
	if err != nil {
		t.Fatal(err)
	}
	return messages, schemas
}

func TestMCAPHasPosesAndSurfaces(t *testing.T) {
	rec := swing()
	messages, _ := exportedMCAP(t, swingFolder(t, swingSignals))
	for topic, n := range map[string]int{"/tf": 5, "/scene": 1, "/deformables": 5, "/contacts": 5, "/signals": 5} {
		if len(messages[topic]) != n {
			t.Errorf("%s: %d messages, want %d", topic, len(messages[topic]), n)
		}
	}
	for k := range rec.Frames {
		f := &rec.Frames[k]
		for _, topic := range []string{"/tf", "/deformables", "/contacts"} {
			if ns := messages[topic][k].ns; ns != uint64(k)*1e8 {
				t.Errorf("%s: message %d at %d ns", topic, k, ns)
			}
		}
		tf := at(messages["/tf"][k].content, "transforms", 0)
		if at(tf, "parent_frame_id") != "world" || at(tf, "child_frame_id") != "box" || at(tf, "timestamp", "nsec") != float64(k)*1e8 {
			t.Errorf("frames of %v", tf)
		}
		p, q := floatsAt(at(tf, "translation"), "x", "y", "z"), floatsAt(at(tf, "rotation"), "x", "y", "z", "w")
		for _, v := range []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
			if d := turn(q, v).Add(r3.Vec(p)).Sub(f.Poses[0].Point(v)).Norm(); d > 1e-12 {
				t.Errorf("frame %d: the pose moves %v by %g m too far", k, v, d)
			}
		}
		e := at(messages["/deformables"][k].content, "entities", 0)
		if at(e, "id") != "wedge" || at(e, "frame_id") != "world" {
			t.Errorf("a deformable that is %v in %v", at(e, "id"), at(e, "frame_id"))
		}
		sameSurface(t, at(e, "triangles", 0), f.Verts[0], rec.Static.Deformables[0].Tris)
	}
	// the ground and the shell, whose pose is 0.5 m along x; the hull is hidden
	shapes := at(messages["/scene"][0].content, "entities").([]any)
	if len(shapes) != 2 || at(shapes[0], "frame_id") != "world" || at(shapes[1], "frame_id") != "box" {
		t.Fatalf("shapes: %v", shapes)
	}
	shell := at(shapes[1], "triangles", 0)
	sameSurface(t, shell, rec.Static.Geoms[1].Mesh.Verts, rec.Static.Geoms[1].Mesh.Tris)
	if p := floatsAt(at(shell, "pose", "position"), "x", "y", "z"); !slices.Equal(p, []float64{0.5, 0, 0}) {
		t.Errorf("the shell is at %v", p)
	}
	if c := floatsAt(at(shell, "color"), "r", "g", "b", "a"); !slices.Equal(c, []float64{1, 0, 0, 1}) {
		t.Errorf("the shell has the colour %v", c)
	}
}

// sameSurface compares a list of triangles with a surface, to float32.
func sameSurface(t *testing.T, list any, verts []r3.Vec, tris [][3]int32) {
	t.Helper()
	points, indices := at(list, "points").([]any), at(list, "indices").([]any)
	if len(points) != len(verts) || len(indices) != 3*len(tris) {
		t.Fatalf("%d points and %d indices, want %d and %d", len(points), len(indices), len(verts), 3*len(tris))
	}
	for i, v := range verts {
		for a, x := range floatsAt(points[i], "x", "y", "z") {
			if float32(x) != float32(v[a]) {
				t.Errorf("vertex %d: %g, want %g", i, x, v[a])
			}
		}
	}
	for i, x := range indices {
		if x != float64(tris[i/3][i%3]) {
			t.Errorf("corner %d of triangle %d: %v", i%3, i/3, x)
		}
	}
}

// Arrows point along forces; their lengths are the forces times the scale that the entity states.
func TestMCAPDrawsContactForces(t *testing.T) {
	messages, _ := exportedMCAP(t, swingFolder(t, swingSignals))
	first := at(messages["/contacts"][0].content, "entities", 0)
	if n := len(at(first, "arrows").([]any)); n != 0 {
		t.Errorf("%d arrows before the first step: they must go when a viewer returns", n)
	}
	e := at(messages["/contacts"][3].content, "entities", 0)
	var scale float64
	if _, err := fmt.Sscan(at(e, "metadata", 0, "value").(string), &scale); err != nil || scale <= 0 {
		t.Fatalf("scale %v", at(e, "metadata"))
	}
	a := at(e, "arrows", 0)
	tail := floatsAt(at(a, "pose", "position"), "x", "y", "z")
	along := turn(floatsAt(at(a, "pose", "orientation"), "x", "y", "z", "w"), r3.Vec{1, 0, 0})
	long := at(a, "shaft_length").(float64) + at(a, "head_length").(float64)
	force := r3.Vec{0.5, 0, 2}
	if d := along.Scale(long / scale).Sub(force).Norm(); d > 1e-7 || r3.Vec(tail).Sub(r3.Vec{0.3, 0.3, 0}).Norm() > 1e-12 {
		t.Errorf("an arrow from %v along %v of %g m at %g m/N, want %v N", tail, along, long, scale, force)
	}
}

// Signals are those of the table, row by row; numbers that are not finite are missing.
func TestMCAPHasSignals(t *testing.T) {
	messages, schemas := exportedMCAP(t, swingFolder(t, swingSignals))
	want := []map[string]any{
		{"time_s": 0., "force": 0.1}, {"time_s": 0.0157, "force": -1.2345678901234567e-7, "gap_m": 2.},
		{"time_s": 0.1, "force": 3.}, {"time_s": 0.4, "force": 1e300, "gap_m": 4.}, {"time_s": 0.45, "force": 5., "gap_m": 6.},
	}
	for k, ns := range []uint64{0, 157e5, 1e8, 4e8, 45e7} {
		if m := messages["/signals"][k]; m.ns != ns || fmt.Sprint(m.content) != fmt.Sprint(want[k]) {
			t.Errorf("row %d: %v at %d ns, want %v at %d", k, m.content, m.ns, want[k], ns)
		}
	}
	for name, unit := range map[string]any{"force": "N", "time_s": "s", "gap_m": nil} {
		if u := at(schemas["/signals"], "properties", name, "description"); u != unit {
			t.Errorf("%s has the unit %v, want %v", name, u, unit)
		}
	}
	// Foxglove uses these names of its fields.
	entity := at(schemas["/scene"], "properties", "entities", "items", "properties").(map[string]any)
	for _, name := range strings.Fields("timestamp frame_id id lifetime frame_locked metadata arrows cubes spheres cylinders lines triangles texts models") {
		if entity[name] == nil {
			t.Errorf("entities have no %s", name)
		}
	}
}

// Tables that a log cannot represent are refused with their line, and leave no file.
func TestMCAPRefusesSignalsWithoutTimes(t *testing.T) {
	for table, want := range map[string]string{
		"force\n1\n":                 `first column is "force"`,
		"time_s,force\n0,1\nnan,2\n": "line 3",
		"time_s,force\n-1,1\n":       "line 2",
		"time_s,force\n0,1\n0,x\n":   "not a number",
	} {
		dir := swingFolder(t, table)
		rec, err := ReadRun(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Export(rec, "mcap", dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", table, err, want)
		}
		rec.Close()
		if _, err := os.Stat(filepath.Join(dir, mcapFile)); err == nil {
			t.Errorf("%q left a file", table)
		}
	}
	early := swing()
	early.Frames[0].Time = -0.1
	if _, err := Export(early, "mcap", t.TempDir()); err == nil || !strings.Contains(err.Error(), "-0.1 s") {
		t.Errorf("frames before 0: %v", err)
	}
}
