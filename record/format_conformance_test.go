package record

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// The conformance suite of export formats. Each registered format writes a recording
// with rigid bodies, deformables, contacts and contact surfaces, and recordings that
// lack some of them. Each file must be one of those that the format describes, and
// must parse as what its extension says.

// readable checks files by their extension.
var readable = map[string]func(b []byte) error{
	".csv":  func(b []byte) error { return tidy(b) },
	".vtu":  wellFormed,
	".pvd":  wellFormed,
	".glb":  validGLTF,
	".gltf": validGLTF,
	".mcap": validMCAP,
}

// tidy wants rows as long as the header, and numbers that are finite in columns with
// a unit.
func tidy(b []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0][0] != "time_s" {
		return errors.New("no header that starts with time_s")
	}
	return nil
}

func wellFormed(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// validGLTF wants a document whose nodes, meshes, accessors and buffer views exist
// and lie within their buffers.
func validGLTF(b []byte) error {
	var doc gltf.Document
	if err := gltf.NewDecoder(bytes.NewReader(b)).Decode(&doc); err != nil {
		return err
	}
	for _, n := range doc.Nodes {
		if n.Mesh != nil && *n.Mesh >= len(doc.Meshes) {
			return errors.New("a node without its mesh")
		}
		for _, c := range n.Children {
			if c >= len(doc.Nodes) {
				return errors.New("a child that is no node")
			}
		}
	}
	for _, v := range doc.BufferViews {
		if v.ByteOffset+v.ByteLength > doc.Buffers[v.Buffer].ByteLength {
			return errors.New("a view beyond its buffer")
		}
	}
	for _, a := range doc.Animations {
		for _, c := range a.Channels {
			if c.Sampler >= len(a.Samplers) || *c.Target.Node >= len(doc.Nodes) {
				return errors.New("a channel of nothing")
			}
		}
	}
	return nil
}

// variants are recordings that lack something, by name.
func variants(t *testing.T) map[string]*Recording {
	full := swing()
	full.Frames[2].ContactSurfaces = []ContactSurface{pressedBall(t, 0.03, r3.PoseIdentity())}
	full.Frames[2].ContactSurfaces[0].A, full.Frames[2].ContactSurfaces[0].B = -1, 0
	one := swing()
	one.Frames = one.Frames[:1]
	rigid := swing()
	rigid.Static.Deformables = nil
	for i := range rigid.Frames {
		f := &rigid.Frames[i]
		f.Verts, f.Vels, f.VonMises, f.Contacts = nil, nil, nil, nil
	}
	still := swing()
	for i := range still.Frames {
		still.Frames[i].Poses, still.Frames[i].Verts = still.Frames[0].Poses, still.Frames[0].Verts
	}
	world := &Recording{Frames: []Frame{{Time: 0}, {Time: 0.1}}}
	return map[string]*Recording{"full": full, "one frame": one, "rigid": rigid, "at rest": still, "nothing": world}
}

func TestExportFormatsConform(t *testing.T) {
	if err := kinds.Check(Formats); err != nil {
		t.Fatal(err)
	}
	for _, k := range Formats.Entries() {
		if len(k.New().Files()) == 0 {
			t.Errorf("%s describes no files", k.Name)
		}
		written := map[string]bool{} // patterns of which some variant has a file
		for name, rec := range variants(t) {
			dir := filepath.Join(t.TempDir(), "made", "here")
			first, err := Export(rec, k.Name, dir)
			if err != nil || len(first) == 0 {
				t.Errorf("%s, %s: %v, %v", k.Name, name, first, err)
				continue
			}
			for _, f := range first {
				if _, err := os.Stat(filepath.Join(dir, f)); err != nil {
					t.Errorf("%s, %s: to open first, but not there: %v", k.Name, name, err)
				}
			}
			checkFiles(t, k.Name+", "+name, k.New().Files(), dir, written)
		}
		for _, f := range k.New().Files() {
			if !written[f.Name] {
				t.Errorf("%s: no recording makes it write %s", k.Name, f.Name)
			}
			if f.Doc == "" {
				t.Errorf("%s: %s has no documentation", k.Name, f.Name)
			}
		}
	}
}

// checkFiles reads all files of a folder and matches them with their descriptions.
func checkFiles(t *testing.T, where string, files []ExportedFile, dir string, written map[string]bool) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		i := slices.IndexFunc(files, func(f ExportedFile) bool { ok, _ := filepath.Match(f.Name, e.Name()); return ok })
		if i < 0 {
			t.Errorf("%s: %s is not described", where, e.Name())
			continue
		}
		written[files[i].Name] = true
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		check := readable[filepath.Ext(e.Name())]
		if check == nil {
			t.Errorf("%s: nothing here reads %s: add it to readable", where, e.Name())
		} else if err := check(b); err != nil {
			t.Errorf("%s: %s: %v", where, e.Name(), err)
		}
	}
}

// Two exports of one recording have the same bytes.
func TestExportsAreTheSameAgain(t *testing.T) {
	rec := variants(t)["full"]
	for _, format := range Formats.Names() {
		var dirs [2]string
		for i := range dirs {
			dirs[i] = t.TempDir()
			if _, err := Export(rec, format, dirs[i]); err != nil {
				t.Fatal(err)
			}
		}
		entries, _ := os.ReadDir(dirs[0])
		for _, e := range entries {
			a, _ := os.ReadFile(filepath.Join(dirs[0], e.Name()))
			b, err := os.ReadFile(filepath.Join(dirs[1], e.Name()))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: %s differs: %v", format, e.Name(), err)
			}
		}
	}
}

// A recording without frames, or one with a number that is not finite, is refused
// before any file is made.
func TestExportsOfUnusableRecordingsLeaveNothing(t *testing.T) {
	bad := swing()
	bad.Frames[1].Poses[0].P[2] = math.NaN()
	for want, rec := range map[string]*Recording{"no frames": {}, "not finite": bad} {
		for _, format := range Formats.Names() {
			dir := filepath.Join(t.TempDir(), "new")
			if _, err := Export(rec, format, dir); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", format, err, want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s made a folder", format)
			}
		}
	}
}

// A folder that cannot be made, or written into, is an error.
func TestExportsSayWhereTheyCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats.Names() {
		if _, err := Export(swing(), format, file); err == nil {
			t.Errorf("%s writes into a file", format)
		}
		dir := t.TempDir()
		for _, f := range Formats.Entry(format).New().Files() { // folders in the place of all files
			_ = os.MkdirAll(filepath.Join(dir, strings.ReplaceAll(f.Name, "*", "00000"), "x"), 0o777)
		}
		if _, err := Export(swing(), format, dir); err == nil {
			t.Errorf("%s replaces folders", format)
		}
	}
}
