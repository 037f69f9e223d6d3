package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// During a run its files are partial, and can be read as far as they are
// flushed. Finish names them.
func TestFoldersAppearWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs", "new")
	rec := swing()
	f, err := Create(dir, &rec.Static, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(f.Recorded(), -1) {
		t.Errorf("recorded up to %g s before the first frame", f.Recorded())
	}
	writeRun(t, f, rec, 0, 3)
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	table, err := f.ReadColumns(SignalsFile, []string{"a_m"})
	if err != nil || !slices.Equal(table.Column("a_m"), []float64{0, 1, math.Sqrt2}) || table.Column("time_s") != nil {
		t.Errorf("the table so far: %+v, %v", table, err)
	}
	running, err := ReadRun(dir)
	if err != nil || running.Len() != 3 || running.Complete() {
		t.Fatalf("the recording so far: %v", err)
	}
	if err := running.Close(); err != nil {
		t.Error(err)
	}
	if names, err := ReadHeader(dir, StepsFile); err != nil || !slices.Equal(names, columns) {
		t.Errorf("header %v, %v", names, err)
	}
	for _, name := range resultFiles {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there before the end", name)
		}
	}
	writeRun(t, f, rec, 3, 5)
	if err := f.Finish(&Summary{Scene: "x.yaml"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range resultFiles {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	done, err := ReadRun(dir)
	if err != nil || done.Len() != 5 || !done.Complete() {
		t.Fatalf("the recording: %v", err)
	}
	defer done.Close()
	if done.Time(4) != rec.Frames[4].Time || done.Valid() != nil {
		t.Errorf("last frame at %g s", done.Time(4))
	}
}

// A second run replaces the results and nothing else.
func TestOtherFilesOfAFolderAreListedAndKept(t *testing.T) {
	dir, rec := t.TempDir(), swing()
	if names := OtherFiles(dir); names != nil {
		t.Errorf("an empty folder has %v", names)
	}
	for range 2 {
		f, err := Create(dir, &rec.Static, columns, columns)
		if err != nil {
			t.Fatal(err)
		}
		writeRun(t, f, rec, 0, 2)
		if err := f.Finish(&Summary{}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "picture.png"), []byte("p"), 0o600), os.MkdirAll(filepath.Join(dir, "vtk"), 0o777)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(OtherFiles(dir), " "); got != "picture.png vtk/" {
			t.Errorf("other files %q", got)
		}
	}
	if OtherFiles(filepath.Join(dir, "none")) != nil {
		t.Error("a folder that does not exist has files")
	}
}

// A run that fails leaves no half-written files, unless a checkpoint can complete them.
func TestFailedRunsCleanUp(t *testing.T) {
	for _, saved := range []bool{false, true} {
		dir, rec := t.TempDir(), swing()
		f, err := Create(dir, &rec.Static, columns, columns)
		if err != nil {
			t.Fatal(err)
		}
		writeRun(t, f, rec, 0, 2)
		if saved {
			if err := f.Checkpoint(stateAt(2), "m", 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		f.recFile.Close() // the disk is gone
		err = f.Frame(&rec.Frames[2])
		if err == nil || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "--resume") != saved {
			t.Errorf("checkpoint %t: %v", saved, err)
		}
		entries, _ := os.ReadDir(dir)
		if (len(entries) > 0) != saved {
			t.Errorf("checkpoint %t: %d files are left", saved, len(entries))
		}
	}
}

func TestFoldersThatCannotBeMadeAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(file, "run"), &Static{}, columns, columns); err == nil || !strings.Contains(err.Error(), "run folder") {
		t.Error(err)
	}
	for _, name := range []string{StepsFile, SignalsFile, RecordingFile} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, name+partial, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(dir, &Static{}, columns, columns); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is a folder: %v", name, err)
		}
	}
	if _, err := ReadRun(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is this the folder that curlfree run -o wrote") {
		t.Error(err)
	}
	if _, err := ReadColumns(t.TempDir(), StepsFile, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := ReadHeader(t.TempDir(), StepsFile); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Statistics of a summary are those of the columns of steps.csv.
func TestSummariesAreThoseOfTheirSteps(t *testing.T) {
	table := &Table{
		Columns: []string{"time_s", "wall_ms", "newton_iterations", "contacts", "penetration_m", "converged", "solve_ms", FreeMotionUnconvergedColumn},
		Data: [][]float64{
			{1, 2, 3, 4}, {10, 20, 30, 40}, {1, 5, 2, 2}, {0, 8, 8, 0}, {0, 1e-3, 2e-3, 0}, {1, 0, 1, 1}, {4, 8, 12, 16}, {0, 2, 0, 1},
		},
	}
	var s Summary
	s.FromSteps(table, []string{"solve", "place"})
	want := Summary{
		Steps: 4, StepMs: StepMs{25, 20, 40, 40}, StageMs: map[string]float64{"solve": 10, "place": 0},
		Newton: Iterations{2.5, 5, 5}, Contacts: Contacts{4, 8}, Unconverged: 1, FreeMotionUnconverged: 2, Penetration: 2e-3,
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
	s = Summary{}
	if s.FromSteps(&Table{}, nil); s.Steps != 0 || s.StepMs.Max != 0 {
		t.Errorf("of no steps: %+v", s)
	}
}

// All numbers that checks may name stand in run.json under that path; former paths
// mean the present ones.
func TestNumbersStandInTheJSON(t *testing.T) {
	s := Summary{
		Steps: 1, Unconverged: 2, FreeMotionUnconverged: 3, Penetration: 4, FrictionLag: FrictionLag{5, 6, 22, 23, 24, nil}, Contacts: Contacts{7, 8},
		Newton: Iterations{9, 10, 11}, Vertices: 12, Tetrahedra: 13, Wall: 14, RealTime: 15, StepMs: StepMs{16, 17, 18, 19}, EnergyGained: 20, RelativePenetration: 21,
	}
	b, err := json.Marshal(&s)
	var m map[string]any
	if err := errors.Join(err, json.NewDecoder(bytes.NewReader(b)).Decode(&m)); err != nil {
		t.Fatal(err)
	}
	for _, path := range Numbers() {
		at := any(m)
		for _, key := range strings.Split(path, ".") {
			at = at.(map[string]any)[key]
		}
		if x, ok := s.Number(path); !ok || at != x || x == 0 {
			t.Errorf("%s is %g, in run.json %v", path, x, at)
		}
	}
	for old, now := range renamedNumbers {
		x, ok := s.Number(old)
		if y, known := s.Number(now); !ok || !known || x != y || NumberName(old) != now || NumberName(now) != now {
			t.Errorf("%s is %g, %s is %g", old, x, now, y)
		}
	}
}

// Stress at a vertex is the mean of the tetrahedra around it, weighted by volume; a
// uniform stress stays what it is.
func TestVertexStressIsTheWeightedMean(t *testing.T) {
	rec := &Recording{Static: Static{Deformables: []Deformable{{
		Rest: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -3}},
		Tets: [][4]int32{{0, 1, 2, 3}, {0, 2, 1, 4}},
	}}}}
	s := VertexStress(rec, &Frame{VonMises: [][]float32{{8, 4}}}, 0)
	for i, want := range []float64{5, 5, 5, 8, 4} { // volumes 1/6 and 3/6: (8 + 3·4)/4
		if math.Abs(s[i]-want) > 1e-12 {
			t.Errorf("vertex %d: %g, want %g", i, s[i], want)
		}
	}
	for i, x := range VertexStress(rec, &Frame{VonMises: [][]float32{{7, 7}}}, 0) {
		if math.Abs(x-7) > 1e-12 {
			t.Errorf("uniform stress: %g at vertex %d", x, i)
		}
	}
}

// Names of signals that begin as formulas do stand behind an apostrophe in the file, and read back as they are.
func TestHeadersOfTablesAreNoFormulas(t *testing.T) {
	names := []string{"time_s", "=1+1", "+a", "-b", "@c", "'=d", "e"}
	dir := t.TempDir()
	f, err := Create(dir, &Static{}, []string{"time_s"}, names)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.Signals([]float64{0, 1, 2, 3, 4, 5, 6}), f.Flush()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, SignalsFile+partial))
	if want := "time_s,'=1+1,'+a,'-b,'@c,''=d,e\n"; err != nil || !strings.HasPrefix(string(b), want) {
		t.Errorf("%q, want %q (%v)", b, want, err)
	}
	head, err := ReadHeader(dir, SignalsFile)
	if err != nil || !slices.Equal(head, names) {
		t.Errorf("the header reads back as %q, %v", head, err)
	}
	table, err := ReadColumns(dir, SignalsFile, names[1:3])
	if err != nil || !slices.Equal(table.Columns, names[1:3]) || table.Column("+a")[0] != 2 {
		t.Errorf("%+v, %v", table, err)
	}
}
