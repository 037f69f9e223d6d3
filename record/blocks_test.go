package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/qmuntal/gltf"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/r3"
)

// open opens a recording of these bytes.
func open(b []byte) (*Recording, error) { return Open(bytes.NewReader(b), int64(len(b))) }

// opened is open for those who want every frame to be sound.
func opened(b []byte) (*Recording, error) {
	r, err := open(b)
	if err != nil {
		return nil, err
	}
	for k := range r.Len() {
		r.At(k)
	}
	return r, r.Valid()
}

// version2 returns a recording as the second version wrote it.
func version2(t testing.TB, rec *Recording) []byte {
	r := back(t, rec)
	c := r.file.c
	z, _ := zstd.NewWriter(nil)
	out := []byte(magic2)
	head, err := json.Marshal(&rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(head, nil)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(packed))), packed...)
	for i := range c.frames {
		b := &c.frames[i]
		data, err := c.read(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(b.size))
		out = append(binary.LittleEndian.AppendUint64(out, math.Float64bits(b.time)), data...)
	}
	return out
}

func TestRecordingsOfOtherVersionsAreReadOrRefused(t *testing.T) {
	rec := swing()
	want := back(t, rec)
	old := version2(t, rec)
	r, err := opened(old)
	if err != nil || r.Len() != 5 {
		t.Fatal(err)
	}
	for k := range 5 {
		if !reflect.DeepEqual(r.At(k), want.At(k)) {
			t.Errorf("frame %d of the second version differs", k)
		}
	}
	if r, err := opened(old[:len(old)-1]); err != nil || r.Len() != 4 {
		t.Errorf("of the second version, cut: %v", err)
	}
	for text, word := range map[string]string{
		"curlfree recording 1\n": "earlier version",
		"curlfree recording 4\n": "later version",
		"curlfree recording":     "not a recording",
		"junk":                   "not a recording",
		"":                       "not a recording",
		magic:                    "damaged",
	} {
		if _, err := open([]byte(text)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: got %v, want %q in it", text, err, word)
		}
	}
}

// Frames come in any order, one or many times, and the same.
func TestFramesAreUnpackedInAnyOrder(t *testing.T) {
	rec := swing()
	r := back(t, rec)
	for _, k := range []int{4, 0, 3, 3, 1, 2, 0, 4, 1} {
		f, w := r.At(k), &rec.Frames[k]
		if f.Time != w.Time || f.Q[0] != w.Q[0] || len(f.Contacts) != len(w.Contacts) || f.Verts[0][4].Sub(w.Verts[0][4]).Norm() > 1e-6 {
			t.Fatalf("frame %d: %+v", k, f)
		}
	}
}

// Wherever a file is cut, the frames before are there and sound, and it is known
// not to be whole.
func TestCutRecordingsKeepTheirWholeFrames(t *testing.T) {
	whole := encoded(t, swing())
	want := back(t, swing())
	c := want.file.c
	if !want.Complete() {
		t.Error("a recording with its end is not whole")
	}
	for n := range whole {
		frames := 0
		for frames < 5 && c.frames[frames].end() <= int64(n) {
			frames++
		}
		r, err := opened(whole[:n])
		if int64(n) < c.header.end() {
			if err == nil {
				t.Fatalf("cut to %d bytes: opened without a header", n)
			}
			continue
		}
		if frames == 0 {
			if r == nil || r.Len() != 0 || err == nil || !strings.Contains(err.Error(), "no frames") {
				t.Fatalf("cut to %d bytes: %v", n, err)
			}
			continue
		}
		if err != nil || r.Len() != frames || r.Complete() || r.Time(frames-1) != want.Time(frames-1) {
			t.Fatalf("cut to %d bytes: %v, want %d frames", n, err, frames)
		}
		// as a disk leaves what it had no time to write
		if r, err := opened(append(bytes.Clone(whole[:n]), make([]byte, 1000)...)); err != nil || r.Len() != frames {
			t.Fatalf("cut to %d bytes and filled up with zeros: %v", n, err)
		}
	}
}

// Whichever byte is wrong, a frame is as it was written or there is an error.
func TestWrongBitsAreNoticed(t *testing.T) {
	whole := encoded(t, swing())
	want := back(t, swing())
	c := want.file.c
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		r, err := open(b)
		if err != nil {
			continue
		}
		bad := -1
		for k := range r.Len() {
			f := r.At(k)
			if r.Err() != nil && bad < 0 {
				bad = k
			}
			if k != bad && !reflect.DeepEqual(f, want.At(k)) {
				t.Fatalf("byte %d: frame %d differs", i, k)
			}
		}
		if bad < 0 {
			if r.Complete() {
				t.Errorf("byte %d: not noticed", i)
			}
			continue
		}
		place := int64(i) >= c.frames[bad].at-headSize && int64(i) < c.frames[bad].end()
		if says := r.Err().Error(); !place || !strings.Contains(says, fmt.Sprintf("frame %d ", bad)) || !strings.Contains(says, "checksum") {
			t.Errorf("byte %d: %s", i, says)
		}
	}
}

func TestFramesAreFoundWithoutTheIndexToo(t *testing.T) {
	whole := encoded(t, swing())
	by := back(t, swing()).file.c
	r, err := open(whole[:by.end])
	if err != nil || r.Complete() {
		t.Fatal(err)
	}
	if got := r.file.c; !reflect.DeepEqual(got.frames, by.frames) || got.header != by.header || got.end != by.end {
		t.Errorf("found %+v, the index has %+v", got.frames, by.frames)
	}
}

// A recording that continues after a cut is the one that was never cut.
func TestWritersContinueWhereARecordingWasCut(t *testing.T) {
	rec := swing()
	whole := encoded(t, rec)
	first := back(t, rec).file.c.frames[2].end()
	c, err := openContainer(bytes.NewReader(whole[:first+11]), first+11)
	if err != nil || c.end != first {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.Write(whole[:first])
	w, err := appendWriter(&b, c)
	if err != nil {
		t.Fatal(err)
	}
	for k := 3; k < 5; k++ {
		if err := w.Frame(&rec.Frames[k]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), whole) {
		t.Error("other bytes")
	}
}

// A file that shrinks while it is read gives an error, and frames all the same.
func TestFilesMayShrinkWhileTheyAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), RecordingFile)
	if err := os.WriteFile(path, encoded(t, swing()), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRun(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, r.file.c.frames[3].at+2); err != nil {
		t.Fatal(err)
	}
	if f := r.At(2); f.Time != 0.2 || r.Err() != nil {
		t.Errorf("frame 2 at %g s: %v", f.Time, r.Err())
	}
	if f := r.At(4); f == nil || r.Err() == nil || !strings.Contains(r.Err().Error(), "frame 4 ") {
		t.Errorf("a frame that is gone: %v", r.Err())
	}
	for _, format := range Formats.Names() {
		if _, err := Export(r, format, t.TempDir()); err == nil {
			t.Errorf("exported as %s", format)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// A file cannot unpack to much more than what its header and its own bytes
// explain, and its sizes must be those of the header.
func TestHostileRecordingsAreRefused(t *testing.T) {
	var out bytes.Buffer
	rec := swing()
	w, err := NewWriter(&out, &rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Frames {
		if err := w.Frame(&rec.Frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	zeros := make([]byte, 1<<28)
	if err := w.block(kindFrame, 9, zeros); err != nil {
		t.Fatal(err)
	}
	bomb := bytes.Clone(w.b)
	r, err := open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	r.At(5)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "frame 5") {
		t.Errorf("a frame that unpacks to 256 MB: %v", err)
	}
	if n := cap(r.file.raw); n > 16<<20 {
		t.Errorf("%d bytes were unpacked", n)
	}
	sealHead(bomb, kindHeader, 0)
	if _, err := open(append([]byte(magic), bomb...)); err == nil {
		t.Error("a header of 256 MB is read")
	}
	if err := w.block(kindFrame, 10, make([]byte, maxBlock+1)); err == nil || !strings.Contains(err.Error(), "coarsen") {
		t.Errorf("a frame longer than can be read is written: %v", err)
	}

	for name, spoil := range map[string]func(r *Recording){
		"2 positions":  func(r *Recording) { r.Static.NumQ = 1 },
		"1 velocities": func(r *Recording) { r.Static.NumV = 3 },
	} {
		rec := swing()
		spoil(rec)
		if _, err := opened(encoded(t, rec)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rec = swing()
	rec.Static.NumQ = 1 << 40
	if _, err := open(encoded(t, rec)); err == nil {
		t.Error("a header of a trillion positions is read")
	}
}

func TestHeadersHaveNoMoreThanTheirText(t *testing.T) {
	for _, text := range []string{
		`{"Geoms":[` + strings.Repeat("null,", 100000) + `null]}`,
		`{"Soft":[` + strings.Repeat("{},", 100000) + `{}]}`,
		`{"Bodies":3}`, `[]`, ``, `{"Geoms":[{"Name":"` + strings.Repeat("x", 100) + `","Body":true}]}`,
	} {
		before := allocated()
		if _, err := parseHeader([]byte(text)); err == nil {
			t.Errorf("%.20s… is read", text)
		}
		if n := allocated() - before; n > 4<<20 {
			t.Errorf("%.20s… takes %d bytes", text, n)
		}
	}
	// the least that is written is read
	least := Static{Geoms: make([]Geom, 1), Deformables: make([]Deformable, 1), Bodies: []string{""}}
	rec := &Recording{Static: least, Frames: []Frame{{
		Poses: []r3.Pose{r3.PoseIdentity()}, Verts: make([][]r3.Vec, 1), Vels: make([][]r3.Vec, 1), VonMises: make([][]float32, 1),
	}}}
	if _, err := opened(encoded(t, rec)); err != nil {
		t.Errorf("an empty shape and an empty deformable: %v", err)
	}
}

// allocated is what has been allocated so far, bytes.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// held is what is in use after a collection, bytes.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Neither writing nor reading takes more for a thousand frames than for two
// hundred, but for some forty bytes a frame of index.
func TestMemoryDoesNotGrowWithARecording(t *testing.T) {
	rec := swing()
	// 60 kB a frame: a thousand would be 60 MB
	s := &rec.Static.Deformables[0]
	for len(s.Rest) < 2500 {
		s.Rest = append(s.Rest, r3.Vec{float64(len(s.Rest))})
	}
	f := &rec.Frames[0]
	f.Verts[0], f.Vels[0] = append([]r3.Vec(nil), s.Rest...), append([]r3.Vec(nil), s.Rest...)
	dir := t.TempDir()
	folder, err := Create(dir, &rec.Static, []string{"a"}, []string{"time_s"})
	if err != nil {
		t.Fatal(err)
	}
	at := map[int]int64{}
	for k := range 1001 {
		f.Time = float64(k)
		for i := range f.Verts[0] {
			f.Verts[0][i][1] = math.Sin(float64(i * (k + 1)))
			f.Vels[0][i][2] = math.Cos(float64(i * (k + 1)))
		}
		if err := folder.Frame(f); err != nil {
			t.Fatal(err)
		}
		if k == 200 || k == 1000 {
			at[k] = held()
		}
	}
	if grown := at[1000] - at[200]; grown > 200<<10 {
		t.Errorf("writing takes %d bytes more after 1000 frames than after 200", grown)
	}
	// what is there can be read though the run continues
	if r, err := ReadRun(dir); err != nil || r.Len() != 1001 || r.Complete() {
		t.Errorf("while the run continues: %v", err)
	} else {
		r.Close()
	}
	if err := folder.Finish(&Summary{}); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRun(dir)
	if err != nil || r.Len() != 1001 || !r.Complete() {
		t.Fatal(err)
	}
	defer r.Close()
	for k := range r.Len() {
		r.At(k)
		if k == 200 || k == 1000 {
			at[k] = held()
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if grown := at[1000] - at[200]; grown > 200<<10 {
		t.Errorf("reading takes %d bytes more after 1000 frames than after 200", grown)
	}
	runtime.KeepAlive(folder)
}

// sealed returns the bytes with the checks that they should have, as one who means
// harm would write them.
func sealed(b []byte) []byte {
	b = bytes.Clone(b)
	for at := len(magic); at+headSize <= len(b); {
		head := parseHead(b[at:], int64(at+headSize))
		if head.end() > int64(len(b)) {
			break
		}
		sealHead(b[at:head.end()], head.kind, head.time)
		at = int(head.end())
	}
	return b
}

// brief is a recording of few bytes with all parts: a fuzzer shortens what it finds in a time that
// grows with the square of the length, so that long seeds keep it from searching.
func brief() *Recording {
	rec := swing()
	st := &rec.Static
	st.Title, st.Geoms, rec.Frames = "", st.Geoms[:2], rec.Frames[:2]
	d := &st.Deformables[0]
	d.Rest, d.Tets, d.Tris = d.Rest[:4], d.Tets[:1], [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
	for i := range rec.Frames {
		f := &rec.Frames[i]
		f.Verts[0], f.Vels[0], f.VonMises[0] = f.Verts[0][:4], make([]r3.Vec, 4), f.VonMises[0][:1]
	}
	rec.Frames[1].ContactSurfaces = []ContactSurface{{A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 1}}
	return rec
}

// Whatever the bytes, reading and exporting end in a result or an error.
func FuzzOpen(f *testing.F) {
	rec := brief()
	if err := rec.Valid(); err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{version2(f, rec)}
	whole := encoded(f, rec)
	if len(whole) > 1000 {
		f.Fatalf("%d bytes are no short seed", len(whole))
	}
	seeds = append(seeds, whole, whole[:len(whole)-7], whole[:len(magic)+3], []byte(magic), nil)
	for _, i := range []int{len(magic), len(magic) + 9, len(whole) / 2, len(whole) - 20, len(whole) - 3} {
		b := bytes.Clone(whole)
		b[i] ^= 0x41
		seeds = append(seeds, b)
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, b []byte) (said string) {
		for _, b := range [][]byte{b, sealed(b)} {
			r, err := open(b)
			if err == nil {
				err = r.Valid()
			}
			if err != nil {
				said += err.Error()
				continue
			}
			for i := range r.Len() {
				deformableGrid(r, r.At(i))
				rigidGrid(r, r.At(i))
				contactGrid(r, r.At(i))
			}
			(&glb{rec: r, doc: gltf.NewDocument()}).build()
		}
		return said
	})
}
