package scene

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/r3"
)

const tray = `time: {step: 0.01, duration: 0.1}
tables:
  parts:
    file: parts.csv
    kinds:
      ball: {shapes: [{sphere: {radius: 0.1}, color: "#112233"}], pose: {xyz: [0, 0, 5]}, mass: 2}
      cube: {shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}
`

// loadTable loads a scene with a table of this text.
func loadTable(t testing.TB, text, csv string, set ...string) (*Scene, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "parts.csv"), []byte(csv), 0o666); err != nil {
		t.Fatal(err)
	}
	return load(t, dir, text, set...)
}

func TestTablesPlaceABodyForEachRow(t *testing.T) {
	sc, err := loadTable(t, tray, "\ufeff# from the cell's planner\nkind, x,y,z,mass,qw,qx,qy,qz,vx,wz,shapes.0.color\n"+
		"ball,1,0,0.5,,,,,,0.25,,#445566\ncube,2,0,,3,0.6,0,0,0.8,,7,\n"+
		"ball,3,0,,,,,,,,,\n")
	if err != nil {
		t.Fatal(err)
	}
	m := sc.Model
	if n := m.Rigid.NumLinks(); n != 3 {
		t.Fatalf("%d bodies", n)
	}
	for i, want := range []struct {
		name  string
		mass  float64
		p_WB  r3.Vec
		qw    float64
		vx    float64
		wz    float64
		color string
	}{
		{"parts_1", 2, r3.Vec{1, 0, 0.5}, 1, 0.25, 0, "#445566"},
		{"parts_2", 3, r3.Vec{2, 0, 0}, 0.6, 0, 7, ""},
		{"parts_3", 2, r3.Vec{3, 0, 5}, 1, 0, 0, "#112233"}, // a row leaves its kind as it was
	} {
		q, v := m.Start.Q[m.Rigid.QStart(i):], m.Start.V[m.Rigid.VStart(i):]
		if got := m.Rigid.LinkName(i); got != want.name {
			t.Errorf("body %d is called %s, want %s", i, got, want.name)
		}
		if got := m.Rigid.Link(i).Mass; got != want.mass {
			t.Errorf("%s weighs %g kg, want %g", want.name, got, want.mass)
		}
		if got := (r3.Vec{q[4], q[5], q[6]}); got != want.p_WB || math.Abs(q[0]-want.qw) > 1e-12 {
			t.Errorf("%s is at %v, qw %g, want %v and %g", want.name, got, q[0], want.p_WB, want.qw)
		}
		if v[3] != want.vx || v[2] != want.wz {
			t.Errorf("%s moves at %g m/s, %g rad/s, want %g, %g", want.name, v[3], v[2], want.vx, want.wz)
		}
		if got := sc.Static.Geoms[i].Color; got != want.color {
			t.Errorf("%s is %q, want %q", want.name, got, want.color)
		}
	}
}

func TestRowsAreNamedByColumns(t *testing.T) {
	text := strings.Replace(tray, "    file: parts.csv\n", "    file: parts.csv\n    name: \"{shape}-{tray}-{row}\"\n    kind: shape\n    ignore: [note]\n", 1)
	sc, err := loadTable(t, text, "shape,tray,note\ncube,A,\"first, of two\"\nball,B,\n")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := sc.Model.Rigid.LinkName(0), sc.Model.Rigid.LinkName(1); a != "cube-A-1" || b != "ball-B-2" {
		t.Errorf("%s and %s", a, b)
	}
	if sc, err = loadTable(t, tray, "kind,name\ncube,left\n"); err != nil || sc.Model.Rigid.LinkName(0) != "left" {
		t.Errorf("a column name does not name: %v", err)
	}
}

// One kind needs no column that says which; what the scene says of a table can
// be overridden; another table is another scene.
func TestTablesTakeOverrides(t *testing.T) {
	text := strings.Replace(tray, "      cube: {shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n", "", 1)
	a, err := loadTable(t, text, "x\n1\n", "tables.parts.kinds.ball.mass=9")
	if err != nil {
		t.Fatal(err)
	}
	if m := a.Model.Rigid.Link(0).Mass; m != 9 {
		t.Errorf("mass %g, want 9", m)
	}
	b, err := loadTable(t, text, "x\n2\n", "tables.parts.kinds.ball.mass=9")
	if err != nil || a.Fingerprint == b.Fingerprint {
		t.Errorf("another table has the same fingerprint (%v)", err)
	}
}

func TestFaultsOfTablesHaveTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, csv, want string }{
		{"number", "kind,x\nball,1\ncube,wide\n", `parts.csv:3:6: column x: a number is expected, not "wide"`},
		{"nan", "kind,x\nball,nan\n", `parts.csv:2:6: column x: a number is expected, not "nan"`},
		{"infinite", "kind,mass\nball,1e999\n", `parts.csv:2:6: column mass: a number is expected`},
		{"kind", "kind,x\nbal,1\n", `parts.csv:2:1: unknown kind "bal": did you mean "ball"`},
		{"column", "kind,x,mas\nball,1,2\n", `parts.csv:1:8: column mas: unknown path mas: did you mean "mass"`},
		{"group", "kind,pose.xyz\nball,1\n", `parts.csv:1:6: column pose.xyz: pose.xyz has several values`},
		{"twice", "kind,x,x\nball,1,2\n", `parts.csv:1:8: the column x is given twice`},
		{"shape", "kind,shapes.1.color\nball,\"#112233\"\n", `parts.csv:2:6: column shapes.1.color: shapes has 1 items`},
		{"quaternion", "kind,qw\nball,0.5\n", `parts.csv:2:1: the quaternion [0.5 0 0 0] has the norm 0.5`},
		{"ragged", "kind,x\nball\n", `parts.csv:2:1: 1 cells, but the first line names 2 columns`},
		{"quote", "kind,x\n\"ball,1\n", `parts.csv:2:`},
		{"semicolons", "kind;x\nball;1\n", `parts.csv:1:1: one column only, "kind;x": separate cells by commas`},
		{"no kind", "x\n1\n", `no column kind, which names the kind of each body`},
		{"empty", "\n# nothing\n", `the table is empty`},
		{"name", "kind,name\nball,a\nball,a\n", `parts.csv:3:1: a body is called "a" already`},
		{"many", "kind,x\n" + strings.Repeat("ball,?\n", 25), `and 15 more faults`},
	} {
		_, err := loadTable(t, tray, c.csv)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"file", "file: parts.csv", "file: gone.csv", `scene.yaml:3:3: tables.parts.file: `},
		{"no file", "file: parts.csv", "name: a", `tables.parts.file is required`},
		{"ignore", "file: parts.csv", "file: parts.csv\n    ignore: [nots]", `has no column "nots"`},
		{"no kinds", "    kinds:", "    kinds: {}\n  other:\n    file: parts.csv\n    kinds:", `tables.parts.kinds: at least one kind is required`},
	} {
		_, err := loadTable(t, strings.Replace(tray, c.from, c.to, 1), "kind,x\nball,1\n")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// FuzzTable: a table makes bodies or is refused with its place.
func FuzzTable(f *testing.F) {
	seeds := mutation.Texts(
		"kind,x,y,z\nball,1,2,3\ncube,0x1p-2,,\n", "kind,shapes.0.box.size.0\ncube,-1\n", "\ufeffkind\r\nball\r\n",
		"kind,joint.type,joint.axis.2\nball,revolute,1\n", "kind,\"na\nme\"\nball,a\n", "kind,fixed\ncube,yes\n",
	)
	dir := f.TempDir()
	file := defaults()
	file.Dir = dir
	if _, err := parse("scene.yaml", []byte(tray), file); err != nil {
		f.Fatal(err)
	}
	if len(file.Bodies.Keys) > 0 {
		f.Fatal("bodies of an earlier table cannot be distinguished from those of the scene")
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, csv []byte) string {
		if len(csv) > 2048 {
			return "long"
		}
		if err := os.WriteFile(filepath.Join(dir, "parts.csv"), csv, 0o666); err != nil {
			t.Fatal(err)
		}
		// the scene around the table is parsed once only
		file.Bodies = Named[Body]{}
		l := newLoader("scene.yaml", file)
		if err := l.addItems(); err != nil {
			return err.Error()
		}
		sc, err := l.finish()
		if err != nil {
			return err.Error()
		}
		if sc.Model.Validate() != nil {
			t.Error("a table without a fault makes no model")
		}
		return ""
	})
}
