package formats

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// The conformance suite of mesh formats: each test runs over all registered ones.

// eachFormat runs a subtest for each registered format.
func eachFormat(t *testing.T, do func(t *testing.T, name string, f Format)) {
	for _, k := range Formats.Entries() {
		t.Run(k.Name, func(t *testing.T) { do(t, k.Name, k.New()) })
	}
}

func TestFormatsAreDescribed(t *testing.T) {
	if err := kinds.Check(Formats); err != nil {
		t.Error(err)
	}
	owner := map[string]string{}
	eachFormat(t, func(t *testing.T, name string, f Format) {
		for _, ext := range f.Extensions() {
			if ext != strings.ToLower(ext) || !strings.HasPrefix(ext, ".") {
				t.Errorf("the extension %q is not in lower case with a dot", ext)
			}
			if owner[ext] != "" {
				t.Errorf("the extension %s belongs to %s, too", ext, owner[ext])
			}
			owner[ext] = name
			for _, spelled := range []string{ext, strings.ToUpper(ext)} {
				if got, g := FormatByExtension(spelled); got != name || g == nil {
					t.Errorf("%s is the extension of %q", spelled, got)
				}
			}
		}
		if _, ok := f.(VolumeWriter); ok && !f.Volumes() {
			t.Error("the format writes volumes that it says it cannot represent")
		}
	})
}

func TestExtensionsNameTheFormatsThatCanBeWritten(t *testing.T) {
	surfaces, volumes := Extensions(false), Extensions(true)
	for ext, want := range map[string][2]bool{".msh": {true, true}, ".obj": {true, false}, ".stl": {true, false}, ".vtk": {true, true}, ".vtu": {true, true}, ".docx": {}} {
		if got := [2]bool{slices.Contains(surfaces, ext), slices.Contains(volumes, ext)}; got != want {
			t.Errorf("%s: surfaces and volumes %v, want %v", ext, got, want)
		}
	}
	if name, f := FormatByExtension(".docx"); name != "" || f != nil {
		t.Errorf(".docx: %s %v", name, f)
	}
}

// singlePrecision reports that a format rounds coordinates to 24 bits.
func singlePrecision(f Format) bool { _, ok := f.(*stlFormat); return ok }

// Random surfaces come back with the same triangles; coordinates to the last bit, or
// to single precision where the format has no more.
func TestFormatsRoundTripRandomSurfaces(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		w, ok := f.(SurfaceWriter)
		if !ok {
			t.Skip("the format does not write surfaces")
		}
		r := samples.NewRand(t, 101)
		for _, s := range prisms.RandomSolids(t, r) {
			var b bytes.Buffer
			if err := w.WriteTri(&b, s.M); err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			if f.Recognize(b.Bytes()) == NoMatch {
				t.Errorf("%s: the format does not recognize its own file", s.Name)
			}
			raw, err := f.Read(b.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			if len(raw.Tris) != len(s.M.Tris) || len(raw.Tets) != 0 || len(raw.skipped) != 0 {
				t.Fatalf("%s: %d triangles became %d", s.Name, len(s.M.Tris), len(raw.Tris))
			}
			for i, tri := range s.M.Tris {
				for k, v := range tri {
					p, q := s.M.Verts[v], raw.Verts[raw.Tris[i][k]]
					if singlePrecision(f) {
						p = r3.Vec{float64(float32(p[0])), float64(float32(p[1])), float64(float32(p[2]))}
					}
					if p != q {
						t.Fatalf("%s: corner %d of triangle %d: %v became %v", s.Name, k, i, p, q)
					}
				}
			}
		}
	})
}

// The whole way through a file: a closed surface stays closed with its volume, and
// reports no faults.
func TestFormatsKeepSolidsWatertight(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		r := samples.NewRand(t, 102)
		dir := t.TempDir()
		for _, s := range prisms.RandomSolids(t, r) {
			path := filepath.Join(dir, "solid"+f.Extensions()[0])
			if err := WriteTri(path, s.M); errors.Is(err, ErrFormat) {
				t.Skip("the format does not write surfaces")
			} else if err != nil {
				t.Fatal(err)
			}
			file, rep, err := Read(path, ReadOptions{})
			if err != nil || file.Format != name || file.Tri == nil || file.Tet != nil {
				t.Fatalf("%s: read as %q: %v", s.Name, file.Format, err)
			}
			if err := repair.Watertight(file.Tri); err != nil || len(rep.Warnings()) > 0 {
				t.Errorf("%s: %v\n%s", s.Name, err, rep.String())
			}
			if v, want := file.Tri.Volume(), s.M.Volume(); math.Abs(v-want) > 1e-5*want {
				t.Errorf("%s: volume %g, want %g", s.Name, v, want)
			}
		}
	})
}

func TestFormatsRoundTripRandomVolumes(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		w, ok := f.(VolumeWriter)
		if !ok {
			err := WriteTet(filepath.Join(t.TempDir(), "a"+f.Extensions()[0]), samples.GridTets(1, 1))
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), strings.Join(Extensions(true), ", ")) {
				t.Errorf("writing volumes: %v", err)
			}
			return
		}
		r := samples.NewRand(t, 103)
		for shape, m := range prisms.RandomTets(t, r) {
			var b bytes.Buffer
			if err := w.WriteTet(&b, m); err != nil {
				t.Fatal(err)
			}
			got, rep, err := ReadTetFrom(bytes.NewReader(b.Bytes()), f.Extensions()[0], ReadOptions{})
			if err != nil || len(rep.Warnings()) > 0 {
				t.Fatalf("%s: %v\n%s", shape, err, rep.String())
			}
			// of a mesh with cells these are read, and filled again
			if same := slices.Equal(got.Tets, m.Tets); !slices.Equal(got.Verts, m.Verts) || m.Cells == nil && !same {
				t.Errorf("%s: the mesh changed", shape)
			}
			if c := m.Cells; c != nil && (got.Cells == nil || !slices.Equal(got.Cells.Hexes, c.Hexes) || !slices.Equal(got.Cells.Wedges, c.Wedges)) {
				t.Errorf("%s: the cells changed", shape)
			}
			surface, _, err := ReadTriFrom(&b, f.Extensions()[0], ReadOptions{})
			if err != nil || math.Abs(surface.Volume()-samples.VolumeOf(m)) > 1e-12 {
				t.Errorf("%s: the boundary: %v", shape, err)
			}
		}
	})
}

// No content is certain to be of two formats.
func TestSignaturesAreUnique(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		var b bytes.Buffer
		if err := writeTriTo(&b, f.Extensions()[0], samples.TorusTri(9)); err != nil {
			t.Skip("the format does not write surfaces")
		}
		for _, k := range Formats.Entries() {
			if k.Name != name && k.New().Recognize(b.Bytes()) == Certain {
				t.Errorf("%s takes the file for its own", k.Name)
			}
		}
		for _, k := range Formats.Entries() { // under any name it is read as what it is
			m, _, err := ReadTriFrom(bytes.NewReader(b.Bytes()), k.New().Extensions()[0], ReadOptions{})
			if err != nil || len(m.Tris) != 162 {
				t.Errorf("named %s: %v", k.New().Extensions()[0], err)
			}
		}
	})
}

// A file that is cut short gives an error or a smaller mesh, never a panic; and an
// error has the package's name once.
func TestFormatsSurviveCuts(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		data := sampleFile(t, f)
		for n := 0; n < len(data); n += 1 + len(data)/400 {
			_, _, err := ReadTriFrom(bytes.NewReader(data[:n]), f.Extensions()[0], ReadOptions{})
			if err != nil && strings.Count(err.Error(), "meshes:") != 1 {
				t.Fatalf("cut at byte %d of %d: %v", n, len(data), err)
			}
		}
	})
}

// Bytes changed at random give an error or a mesh that is sound by judge.
func TestFormatsSurviveDamage(t *testing.T) {
	eachFormat(t, func(t *testing.T, name string, f Format) {
		r := samples.NewRand(t, 104)
		whole := sampleFile(t, f)
		for range 150 {
			data := slices.Clone(whole)
			for range 1 + r.IntN(4) {
				switch i := r.IntN(len(data)); r.IntN(3) {
				case 0:
					data[i] = byte(r.IntN(256))
				case 1:
					data = slices.Delete(data, i, min(len(data), i+1+r.IntN(20)))
				default:
					data[i] = "0123456789-.e \n"[r.IntN(15)]
				}
				if len(data) == 0 {
					break
				}
			}
			judge(t, data, f.Extensions()[0])
		}
	})
}

// sampleFile is a small file of the format, with tets where it has them.
func sampleFile(t testing.TB, f Format) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch f := f.(type) {
	case VolumeWriter:
		err = f.WriteTet(&b, samples.GridTets(2, 0.1))
	case SurfaceWriter:
		err = f.WriteTri(&b, samples.TorusTri(6))
	default:
		t.Skip("the format writes nothing")
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzFormats gives any bytes to every registered format.
func FuzzFormats(f *testing.F) {
	var seeds [][]byte
	for _, k := range Formats.Entries() {
		// formats that are only read have targets of their own
		switch ext := k.New().Extensions()[0]; k.New().(type) {
		case VolumeWriter, SurfaceWriter:
			seeds = append(seeds, written(f, ext))
		}
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) (said string) {
		for _, k := range Formats.Entries() {
			said += judge(t, data, k.New().Extensions()[0])
		}
		return said
	})
}

// A writer that fails is reported by every format, wherever it fails.
func TestFormatsReportFaultsOfTheWriter(t *testing.T) {
	full := errors.New("no space left on device")
	eachFormat(t, func(t *testing.T, name string, f Format) {
		size := len(sampleFile(t, f))
		for _, room := range []int{0, size / 2} {
			if err := writeTriTo(&limitedWriter{room, full}, f.Extensions()[0], samples.TorusTri(60)); !errors.Is(err, full) {
				t.Errorf("surface with room for %d bytes: %v", room, err)
			}
			if _, ok := f.(VolumeWriter); !ok {
				continue
			}
			if err := writeTetTo(&limitedWriter{room, full}, f.Extensions()[0], samples.GridTets(9, 0.1)); !errors.Is(err, full) {
				t.Errorf("volume with room for %d bytes: %v", room, err)
			}
		}
	})
}

// limitedWriter takes so many bytes, then fails.
type limitedWriter struct {
	room int
	err  error
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > w.room {
		n := w.room
		w.room = 0
		return n, w.err
	}
	w.room -= len(b)
	return len(b), nil
}

// readers counts on reads that fail: the fault is passed on.
func TestReadersPassFaultsOfTheStreamOn(t *testing.T) {
	broken := errors.New("connection lost")
	for _, ext := range Extensions(true) {
		if _, _, err := ReadTriFrom(failingReader{broken}, ext, ReadOptions{}); !errors.Is(err, broken) {
			t.Errorf("surface %s: %v", ext, err)
		}
		if _, _, err := ReadTetFrom(failingReader{broken}, ext, ReadOptions{}); !errors.Is(err, broken) {
			t.Errorf("volume %s: %v", ext, err)
		}
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
