package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Each class of bytes of a file, when it is damaged, has one outcome: the file is
// refused, frames are found without the index, or one frame is reported.
func TestDamageOfEachPartOfAFile(t *testing.T) {
	whole := encoded(t, swing())
	c := back(t, swing()).file.c
	head, frame := c.header.at-headSize, c.frames[2].at-headSize
	index := c.end
	end := int64(len(whole))
	for _, d := range []struct {
		name     string
		at       int64
		frames   int // that remain; −1: the file is refused
		complete bool
		fault    string // of reading them
	}{
		{"the program's name", 2, -1, false, "not a recording of curlfree"},
		{"the version", int64(len(magic)) - 2, -1, false, "version of curlfree wrote this recording"},
		{"the header's kind", head, -1, false, "damaged"},
		{"the header's length", head + 2, -1, false, "damaged"},
		{"the header's checksum", head + 14, -1, false, "damaged"},
		{"the header's text", c.header.at + 5, -1, false, "damaged"},
		{"a frame's kind", frame, 5, true, "checksum"},
		{"a frame's length", frame + 1, 5, true, "checksum"},
		{"a frame's time", frame + 8, 5, true, "checksum"},
		{"a frame's checksum", frame + 13, 5, true, "checksum"},
		{"a frame's data", frame + headSize + 4, 5, true, "checksum"},
		{"the index' kind", index, 5, false, ""},
		{"the index' length", index + 1, 5, false, ""},
		{"a length in the index", index + headSize, 5, false, ""},
		{"a time in the index", index + headSize + indexSize + 5, 5, false, ""},
		{"the offset of the index", end - int64(endSize), 5, false, ""},
		{"the end mark", end - 1, 5, false, ""},
	} {
		b := bytes.Clone(whole)
		b[d.at] ^= 0x15
		r, err := open(b)
		if d.frames < 0 {
			if err == nil || !strings.Contains(err.Error(), d.fault) {
				t.Errorf("%s: %v, want %q", d.name, err, d.fault)
			}
			continue
		}
		if err != nil || r.Len() != d.frames || r.Complete() != d.complete {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		for k := range r.Len() {
			r.At(k)
		}
		if err := r.Err(); (err != nil) != (d.fault != "") || err != nil && !(strings.Contains(err.Error(), d.fault) && strings.Contains(err.Error(), "frame 2 ")) {
			t.Errorf("%s: %v, want %q", d.name, err, d.fault)
		}
	}
	// with the index gone, a damaged frame ends the recording
	b := bytes.Clone(whole[:end-3])
	b[frame+headSize] ^= 1
	if r, err := open(b); err != nil || r.Len() != 2 || r.Complete() {
		t.Errorf("a damaged frame without an index: %v", err)
	}
}

// The checksum is the CRC-32C of the head without it and of the data, so that other
// programs can verify files.
func TestChecksumsAreCRC32C(t *testing.T) {
	b := encoded(t, swing())
	c := back(t, swing()).file.c
	for _, block := range append(slices.Clone(c.frames), c.header) {
		from := block.at - headSize
		crc := ^uint32(0)
		for _, x := range append(bytes.Clone(b[from:from+13]), b[block.at:block.end()]...) {
			crc ^= uint32(x)
			for range 8 {
				crc = crc>>1 ^ 0x82f63b78*(crc&1)
			}
		}
		if got := binary.LittleEndian.Uint32(b[from+13:]); got != ^crc {
			t.Errorf("%c at %d: %08x, want %08x", block.kind, from, got, ^crc)
		}
	}
}

// The keys of the header are part of the file format.
func TestHeadersKeepTheirKeys(t *testing.T) {
	st := swing().Static
	st.Geoms = append(slices.Clone(st.Geoms), st.Geoms[1]) // a second shape of the same mesh
	b, err := json.Marshal(st.once())
	var m map[string]any
	if err := errors.Join(err, json.Unmarshal(b, &m)); err != nil {
		t.Fatal(err)
	}
	has := func(m map[string]any, keys string) {
		t.Helper()
		for _, k := range strings.Fields(keys) {
			if _, ok := m[k]; !ok {
				t.Errorf("no key %s in %v", k, m)
			}
		}
	}
	has(m, "Title Gravity Bodies Geoms Soft NumQ NumV")
	geoms := m["Geoms"].([]any)
	has(geoms[0].(map[string]any), "Name Body X_BG Surface Color Hidden Ground")
	has(geoms[len(geoms)-1].(map[string]any), "Like")
	has(m["Soft"].([]any)[0].(map[string]any), "Name Color Rest Tets Tris")
	st2, err := parseHeader(b)
	if err != nil || len(st2.Deformables) != 1 || st2.Geoms[3].Mesh != st2.Geoms[1].Mesh || st2.Geoms[3].SameMeshAs != 0 {
		t.Errorf("read back: %v", err)
	}
}

// FrameSize is the length of a frame without contacts.
func TestFrameSizeIsThatOfAFrame(t *testing.T) {
	rec := swing()
	for i := range rec.Frames {
		rec.Frames[i].Contacts = nil
	}
	r := back(t, rec)
	for k := range r.Len() {
		if err := r.file.inflate(&r.file.c.frames[k], r.Static.FrameSize()); err != nil {
			t.Fatal(err)
		}
		// counts of Q, V, poses, deformables, contacts and surfaces, four bytes each
		if n := len(r.file.raw); n < r.Static.FrameSize() || n > r.Static.FrameSize()+24 {
			t.Errorf("frame %d has %d bytes, FrameSize is %d", k, n, r.Static.FrameSize())
		}
	}
}

// failing is a stream that takes so many bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// A stream that fails at any write is an error of that write.
func TestWritersReportFailures(t *testing.T) {
	rec := swing()
	size := len(encoded(t, rec))
	for left := 0; left < size; left += size / 40 {
		err := func() error {
			w, err := NewWriter(&failing{left}, &rec.Static)
			if err != nil {
				return err
			}
			for i := range rec.Frames {
				if err := w.Frame(&rec.Frames[i]); err != nil {
					return err
				}
			}
			return w.End()
		}()
		if !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("after %d of %d bytes: %v", left, size, err)
		}
	}
}

// The numbers of all tables are those of the frames, bit for bit.
func TestTablesHaveTheNumbersOfTheFrames(t *testing.T) {
	rec := swing()
	s := pressedBall(t, 0.03, r3.PoseIdentity())
	s.A, s.B = -1, 0
	rec.Frames[2].ContactSurfaces = []ContactSurface{s}
	dir := t.TempDir()
	if _, err := Export(rec, "csv", dir); err != nil {
		t.Fatal(err)
	}
	check := func(name string, row int, want ...float64) {
		t.Helper()
		rows := readCSV(t, filepath.Join(dir, name))
		cells := rows[1+row]
		from := len(cells) - len(want)
		for i, x := range want {
			if got := parsed(t, cells[from+i]); got != x {
				t.Errorf("%s, row %d, %s: %g, want %g", name, row, rows[0][from+i], got, x)
			}
		}
	}
	for k := range rec.Frames {
		f := &rec.Frames[k]
		X, q := f.Poses[0], f.Poses[0].R.Quat()
		check("poses.csv", k, X.P[0], X.P[1], X.P[2], q[0], q[1], q[2], q[3])
		var mean r3.Vec
		u, v := 0.0, 0.0
		for j, p := range f.Verts[0] {
			mean = mean.Add(p)
			u, v = math.Max(u, p.Sub(rec.Frames[0].Verts[0][j]).Norm()), math.Max(v, f.Vels[0][j].Norm())
		}
		mean = mean.Scale(1 / float64(len(f.Verts[0])))
		check("deformables.csv", k, mean[0], mean[1], mean[2], u, v, float64(20*k))
		if k > 0 {
			c := &f.Contacts[0]
			check("contacts.csv", k-1, c.Pos_W[0], c.Pos_W[1], c.Pos_W[2], 0, 0, 1, c.Force_W[0], c.Force_W[1], c.Force_W[2], c.Phi, c.Area, c.Slip_W.Norm())
		}
	}
	check("contact_surfaces.csv", 0, s.Area, s.Normal, s.MeanPressure(), s.MaxPressure, s.Slip, s.MaxSlip,
		s.Center_W[0], s.Center_W[1], s.Center_W[2], s.Force_W[0], s.Force_W[1], s.Force_W[2], s.Moment_W[0], s.Moment_W[1], s.Moment_W[2])
	for k := range s.Faces {
		face := &s.Faces[k]
		check("faces.csv", k, face.Area, face.Pressure, face.Traction_W[0]*face.Area, face.Traction_W[1]*face.Area, face.Traction_W[2]*face.Area,
			face.Slip_W[0], face.Slip_W[1], face.Slip_W[2])
		if k == 20 {
			break
		}
	}
}
