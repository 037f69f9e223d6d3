package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// fallingBox is a run folder with a recording of a box that falls for 0.2 s, and
// its signals.
func fallingBox(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	m := &meshes.Tri{
		Verts: []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}},
		Tris:  [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	at := 0.1
	wishes, err := json.Marshal(map[string]any{"Size": []int{96, 64}, "FOV": 30, "Rate": 25, "Picture": &at})
	if err != nil {
		t.Fatal(err)
	}
	st := &record.Static{
		Title: "fall", Gravity: r3.Vec{0, 0, -9.81}, Bodies: []string{"box"}, Render: wishes,
		Geoms: []record.Geom{{Name: "box", X_BG: r3.PoseIdentity(), Mesh: m}},
	}
	f, err := os.Create(filepath.Join(dir, record.RecordingFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := record.NewWriter(f, st)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		s := float64(k) * 0.05
		fr := record.Frame{Time: s, Poses: []r3.Pose{{R: r3.Identity(), P: r3.Vec{0, 0, -9.81 / 2 * s * s}}}}
		if err := w.Frame(&fr); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	table := "time_s,box_z,table_N\n0,0,0\n0.1,-0.05,1\n0.2,-0.2,2\n"
	if err := os.WriteFile(filepath.Join(dir, record.SignalsFile), []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPicturesChartsAndExportsOfARun(t *testing.T) {
	dir := fallingBox(t)
	out := filepath.Join(t.TempDir(), "deep", "out")
	t.Setenv("PATH", "") // no ffmpeg
	for _, c := range []struct {
		args   string
		code   int
		says   string   // on either stream
		writes []string // below out or, with a slash, below the run
	}{
		{"render RUN", 0, "picture.png", []string{"/picture.png"}},
		{"render RUN -o OUT --time 0.2", 0, "picture.png", []string{"picture.png"}},
		{"render RUN -o OUT/one.png --camera 1,1,1 --target 0,0,0 --up 0,1,0 --fov 20", 0, "one.png", []string{"one.png"}},
		{"render RUN -o OUT --gif --png --rate 10", 0, "movie.gif", []string{"movie.gif", "frames/frame_00002.png"}},
		{"render RUN -o OUT --gif --rate 10 --slow 2 --json", 0, `"frames": 5`, []string{"movie.gif"}},
		{"render RUN -o OUT --gif --slow -1", 2, "from 0.001 to 10000", nil},
		{"render RUN -o OUT --mp4 --rate 5 --json", 0, `"frames": 2`, []string{"movie.gif", "frames/frame_00001.png"}},
		{"render RUN -o OUT/film.gif --gif --rate 10", 0, "film.gif", []string{"film.gif"}},
		{"render RUN -o OUT/film.mp4 --mp4 --rate 10", 0, "film.gif", []string{"film.gif", "frames/frame_00002.png"}},
		{"render RUN -o OUT/film.mp4", exitUsage, "give --mp4", nil},
		{"render RUN -o OUT/film.gif --gif --mp4", exitUsage, "names one film", nil},
		{"render RUN --field vonmises", exitUsage, `did you mean "von_mises"`, nil},
		{"render RUN --time 3", exitUsage, "covers 0 to 0.2 s", nil},
		{"render RUN --size big", exitUsage, "960x720", nil},
		{"render RUN --camera 1,2", exitUsage, "x,y,z", nil},
		{"render RUN --cut 0,0,0:0,1,0 --contact-surfaces -o OUT/cut.png", 0, "cut.png", []string{"cut.png"}},
		{"render RUN --cut 0,0,0", exitUsage, "x,y,z:nx,ny,nz", nil},
		{"render RUN --cut 0,0,0:0,0,0", exitUsage, "normal not zero", nil},
		{"render OUT", exitInput, "no recording here", nil},
		{"plot RUN", 0, "signals.png", []string{"/signals.png"}},
		{"plot RUN table_N -o OUT/a.svg --json", 0, `"rows": 3`, []string{"a.svg"}},
		{"plot RUN table", exitUsage, `did you mean "table_N"`, nil},
		{"plot RUN table_N --over 5:6", exitUsage, "over: no row lies between 5 and 6 s: the last one is at 0.2 s", nil},
		{"plot RUN -o OUT/a.doc", exitUsage, ".pdf", nil},
		{"plot RUN table_N --fft", exitUsage, "3 samples are too few", nil},
		{"plot RUN table_N --mark 5=x", exitUsage, "it needs --fft", nil},
		{"plot RUN table_N --fft --x box_z", exitUsage, "is the frequency in Hz", nil},
		{"plot OUT", exitInput, "signals.csv", nil},
		{"export RUN --to vtk", 0, "recording.pvd", []string{"/vtk/recording.pvd", "/vtk/rigid_00004.vtu"}},
		{"export RUN --to csv -o OUT --json", 0, `"frames": 5`, []string{"poses.csv"}},
		{"export RUN --to gltf -o OUT", 0, "scene.glb", []string{"scene.glb"}},
		{"export RUN --to mcap -o OUT", 0, "run.mcap", []string{"run.mcap"}},
		{"export RUN --to html", 0, "run.html (", []string{"/html/run.html"}},
		{"export RUN --to html -o OUT/fall.html --max-size 2MB --json", 0, `"frames": 5`, []string{"fall.html"}},
		{"export RUN --to html --max-size 1kB", exitOutput, "the smallest file has", nil},
		{"export RUN --to html --max-size lots", exitUsage, "not a size: write 20MB or 500kB", nil},
		{"export RUN --to csv --max-size 1MB", exitUsage, "--max-size is for --to html", nil},
		{"view OUT", exitInput, "no recording here", nil},
		{"view RUN --port 70000", exitUsage, "--port 70000", nil},
		{"export RUN --to step", exitUsage, "no such format", nil},
		{"export RUN", exitUsage, "to", nil},
		{"export OUT --to csv", exitInput, "no recording here", nil},
	} {
		args := strings.Fields(strings.NewReplacer("RUN", dir, "OUT", out).Replace(c.args))
		var stdout, stderr bytes.Buffer
		code := newApp(&stdout, &stderr).execute(t.Context(), args)
		if code != c.code || !strings.Contains(stdout.String()+stderr.String(), c.says) {
			t.Errorf("%s: code %d, want %d; it says\n%s%s", c.args, code, c.code, &stdout, &stderr)
		}
		if strings.Contains(c.args, "--json") && !json.Valid(stdout.Bytes()) {
			t.Errorf("%s: not one JSON value:\n%s", c.args, &stdout)
		}
		for _, f := range c.writes {
			path := filepath.Join(out, f)
			if strings.HasPrefix(f, "/") {
				path = filepath.Join(dir, f)
			}
			if st, err := os.Stat(path); err != nil || st.Size() == 0 {
				t.Errorf("%s: %s is not written", c.args, path)
			}
			os.Remove(path)
		}
		if c.args == "render RUN -o OUT --mp4 --rate 5 --json" {
			if left, _ := filepath.Glob(filepath.Join(out, "frames", "*.png")); len(left) != 1 {
				t.Errorf("frames of an earlier film are left: %v", left)
			}
		}
	}
	if err := pictureOf(dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, record.RecordingFile), []byte("junk"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := pictureOf(dir); err == nil || !strings.Contains(err.Error(), "not a recording") {
		t.Errorf("a damaged recording: %v", err)
	}
}

func TestCutRecordingsWarnAndDamagedOnesEndInAnError(t *testing.T) {
	dir := fallingBox(t)
	path := filepath.Join(dir, record.RecordingFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := bytes.Clone(whole)
	spoiled[len(spoiled)-100] ^= 1 // the last frame's: the index takes 93
	for name, c := range map[string]struct {
		bytes []byte
		code  int
		says  string
	}{
		"cut":     {whole[:len(whole)-100], 0, "warning: the recording is incomplete"},
		"damaged": {spoiled, exitInput, "frame 4 of the recording"},
	} {
		if err := os.WriteFile(path, c.bytes, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{"render RUN", "render RUN --gif", "export RUN --to csv"} {
			var stdout, stderr bytes.Buffer
			code := newApp(&stdout, &stderr).execute(t.Context(), strings.Fields(strings.ReplaceAll(args, "RUN", dir)))
			if code != c.code || !strings.Contains(stderr.String(), c.says) {
				t.Errorf("%s, %s: code %d, want %d; it says\n%s", name, args, code, c.code, &stderr)
			}
		}
	}
}

// A film has the name that -o gives it, and makes no folder of that name.
func TestFilmsHaveTheirNames(t *testing.T) {
	dir, out := fallingBox(t), t.TempDir()
	bin := t.TempDir()
	// stands for ffmpeg: it writes what it is given to the last argument
	if err := os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\nfor last; do :; done\nexec /bin/cat >\"${last#file:}\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	path := filepath.Join(out, "film.mp4")
	if code, stdout, stderr := call(t, dir, "render DIR --mp4 --rate 5 -o "+path); code != 0 || strings.TrimSpace(stdout) != path {
		t.Fatalf("%d: %s%s", code, stdout, stderr)
	}
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() == 0 {
		t.Errorf("%v, %v", st, err)
	}
	if list, err := os.ReadDir(out); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// Numbers of a mesh leave no file; a picture is drawn where it is asked for.
func TestMeshInfoWritesNothingUnasked(t *testing.T) {
	dir := bench(t)
	names := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	before := names()
	for _, line := range []string{"mesh info DIR/part.stl", "mesh info DIR/part.stl --json", "mesh info DIR/part.stl --no-picture"} {
		if code, _, stderr := call(t, dir, line); code != 0 || !slices.Equal(names(), before) {
			t.Errorf("%s: %d, %s: the folder has %v, and had %v", line, code, stderr, names(), before)
		}
	}
	if code, _, stderr := call(t, dir, "mesh info DIR/part.stl -o DIR/asked.png"); code != 0 || len(names()) != len(before)+1 {
		t.Errorf("%d, %s: the folder has %v", code, stderr, names())
	}
}
