package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// hostile is a name that would be markup if it were not escaped.
const hostile = `</title><script>alert("a")</script><img src=x onerror='alert(1)'>{{.Title}}`

// runOf is a run folder of a box that falls, whose title, bodies, checks, warnings and scene have the given name.
func runOf(t *testing.T, name string, ok bool) string {
	t.Helper()
	dir := t.TempDir()
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, Tris: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	wishes, _ := json.Marshal(map[string]any{"Size": []int{96, 64}, "FOV": 30, "Rate": 25})
	st := &record.Static{Title: name, Gravity: r3.Vec{0, 0, -9.81}, Bodies: []string{name}, Render: wishes, Geoms: []record.Geom{{Name: name, X_BG: r3.PoseIdentity(), Mesh: m}}}
	f, err := os.Create(filepath.Join(dir, record.RecordingFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := record.NewWriter(f, st)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		s := 0.1 * float64(k)
		if err := w.Frame(&record.Frame{Time: s, Poses: []r3.Pose{{R: r3.Identity(), P: r3.Vec{0, 0, -9.81 / 2 * s * s}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	scene := filepath.Join(dir, "scene.yaml")
	text, _ := json.Marshal(map[string]any{"materials": map[string]any{name: map[string]any{"friction": 0.3, "note": name}}})
	sum := record.Summary{Scene: scene, Version: name, Steps: 20, Duration: 0.2, TimeStep: 0.01, Warnings: []string{name}, Checks: []record.CheckResult{{Name: name, Value: 1.25, Bound: "<= 2", OK: ok}}, StageMs: map[string]float64{"solve": 3, "collide": 1}}
	js, _ := json.Marshal(&sum)
	for file, b := range map[string][]byte{scene: text, filepath.Join(dir, record.SummaryFile): js, filepath.Join(dir, record.SignalsFile): []byte("time_s,z\n0,0\n0.1,-0.05\n0.2,-0.2\n")} {
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Names from files are text in the page: none becomes an element, an attribute or a template. The page asks for nothing
// outside of itself, and a PDF of them is written.
func TestNamesFromFilesAreText(t *testing.T) {
	d, err := Run(runOf(t, hostile, true))
	if err != nil {
		t.Fatal(err)
	}
	var page, pdf bytes.Buffer
	if err := d.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, bad := range []string{"<script", "<img src=x", "onerror='", "http://", "https://", "{{"} {
		// the name itself has braces, which stay as they are
		if n := strings.Count(text, bad); n > 0 && bad != "{{" {
			t.Errorf("%d times %q", n, bad)
		}
	}
	// title, heading, version, check, body, material and its note, warning
	if n := strings.Count(text, "&lt;script&gt;alert("); n < 7 {
		t.Errorf("the name is shown %d times", n)
	}
	if n := strings.Count(text, "{{.Title}}"); n < 7 {
		t.Errorf("braces of the name are left %d times", n)
	}
	if !strings.Contains(text, authorship.Mark) || !strings.Contains(text, "data:image/png;base64,") {
		t.Error("no mark or no picture")
	}
	if err := d.WritePDF(&pdf); err != nil || !bytes.HasPrefix(pdf.Bytes(), []byte("%PDF")) || !bytes.Contains(pdf.Bytes(), []byte(authorship.Mark)) {
		t.Errorf("PDF of %d bytes: %v", pdf.Len(), err)
	}
}

// Warnings stand in the head of the page, before the first section, and on the first page of a PDF.
func TestWarningsStandBesideTheVerdict(t *testing.T) {
	d, err := Run(runOf(t, "fall", true))
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := d.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(page.String(), "</header>")
	_, after, found := strings.Cut(head, "all 1 checks are met")
	if !found || !strings.Contains(after, "1 warning<") || !strings.Contains(after, "<li>fall</li>") {
		t.Errorf("the head of the page has %q", after)
	}
}

// The verdict follows the checks, numbers are those of the files, and pictures can be decoded.
func TestReportsHaveTheNumbersOfTheRun(t *testing.T) {
	for _, ok := range []bool{true, false} {
		d, err := Run(runOf(t, "fall", ok))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]State{true: Good, false: Bad}[ok]; d.State != want {
			t.Errorf("state %q, want %q: %s", d.State, want, d.Verdict)
		}
		var titles []string
		for _, s := range d.Sections {
			titles = append(titles, s.Title)
			for _, f := range s.Figures {
				if _, _, err := image.DecodeConfig(bytes.NewReader(f.PNG)); err != nil {
					t.Errorf("%s: %v", s.Title, err)
				}
			}
			if s.Title == "Checks" && (s.Tables[0].Rows[0].Cells[2] != "1.25" || s.Tables[0].Rows[0].Cells[3] != "≤ 2") {
				t.Errorf("check %v", s.Tables[0].Rows[0])
			}
			if s.Title == "Time" && s.Tables[0].Rows[1].Cells[2] != "75 %" {
				t.Errorf("stages %v", s.Tables[0].Rows)
			}
		}
		if got := strings.Join(titles, ", "); got != "Pictures, Checks, Signals, What was simulated, Health of the solver, Time" {
			t.Errorf("sections %s", got)
		}
	}
	if _, err := Run(t.TempDir()); err == nil {
		t.Error("a report of an empty folder")
	}
	if _, err := Study(t.TempDir()); err == nil {
		t.Error("a report of a study that is not there")
	}
}

// An axis has its values in rising order, and edges halfway between them; over more than a decade and a half it is
// logarithmic. A column of words, or of one value, is none.
func TestAxesOfMaps(t *testing.T) {
	c := &cases{head: []string{"mu", "load", "law", "one", "expectations", "status"}, rows: [][]string{
		{"0.4", "1", "sap", "3", "ok", "done"}, {"0.2", "100", "lagged", "3", "grip", "done"}, {"0.2", "1", "sap", "3", "ok", "failed"}, {"0.4", "100", "sap", "3", "", "done"},
	}}
	if a := c.newAxis("mu"); a == nil || a.log || len(a.values) != 2 || a.values[0] != 0.2 || !near(a.edges, []float64{0.1, 0.3, 0.5}) {
		t.Errorf("%+v", a)
	}
	if a := c.newAxis("load"); a == nil || !a.log || !near(a.edges, []float64{0.1, 10, 1000}) {
		t.Errorf("%+v", a)
	}
	if c.newAxis("law") != nil || c.newAxis("one") != nil {
		t.Error("words or one value make an axis")
	}
	for i, want := range []State{Good, Bad, Bad, Plain} {
		if got := c.state(i); got != want {
			t.Errorf("case %d is %q, want %q", i, got, want)
		}
	}
	if s, err := c.success([]string{"mu", "load", "law", "one"}, nil); err != nil || s == nil || len(s.Figures) != 1 {
		t.Errorf("the map over two values: %v, %v", s, err)
	}
	if s, _ := c.success([]string{"mu", "law"}, nil); s != nil {
		t.Error("a map over one number")
	}
	if least, largest := c.ends("load"); least != 0 || largest != 1 {
		t.Errorf("ends %d and %d", least, largest)
	}
}

func near(a, b []float64) bool {
	for i := range a {
		if d := a[i]/b[i] - 1; d > 1e-9 || d < -1e-9 {
			return false
		}
	}
	return len(a) == len(b)
}

// Checks say what was compared, and in which unit: that of the signal, or that which the name of a number says.
func TestChecksHaveUnits(t *testing.T) {
	s := &record.Summary{SignalUnits: map[string]string{"lift": "m", "count": "1"}, Checks: []record.CheckResult{
		{Name: "a", Signal: "lift", Stat: "abs_max", Value: -0.1486, Bound: ">= -0.2 and <= -0.1", OK: true},
		{Name: "b", Signal: "count", Value: 3, Bound: "<= 4", OK: true},
		{Name: "c", Signal: "lift", Stat: "relative_std", Value: 0.5, Bound: "<= 1", OK: true},
		{Name: "d", Run: "energy_gained_J", Value: 0, Bound: "<= 0", OK: true},
		{Name: "e", Signal: "gap_mm", Stat: "mean", Value: 2, Bound: "<= 3", OK: true},
		{Name: "f", Value: 1, Bound: "<= 2", OK: true},
	}}
	want := [][]string{
		{"a", "lift, abs max", "−0.1486 m", "≥ −0.2 and ≤ −0.1 m", "holds"}, {"b", "count, last", "3", "≤ 4", "holds"}, {"c", "lift, relative std", "0.5", "≤ 1", "holds"},
		{"d", "energy_gained_J", "0 J", "≤ 0 J", "holds"}, {"e", "gap_mm, mean", "2 mm", "≤ 3 mm", "holds"}, {"f", "–", "1", "≤ 2", "holds"},
	}
	for i, r := range checks(s).Tables[0].Rows {
		if !slices.Equal(r.Cells, want[i]) {
			t.Errorf("%q, want %q", r.Cells, want[i])
		}
	}
}

// Values of materials have the units of the manual, however YAML reads them; colours are left out.
func TestMaterialsHaveUnits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	text := "materials:\n  rubber: {youngs_modulus: 2.5e6, density: 1000, stiffness_damping: 0.01, friction: 0.8, color: \"#d9822b\"}\n  soft: {youngs_modulus: 1e4, hydroelastic_modulus: 1e9}\n  blue: {color: blue}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tables, _ := sceneParts(path)
	want := []string{"youngs_modulus: 2.5 MPa, density: 1000 kg/m³, stiffness_damping: 10 ms, friction: 0.8", "youngs_modulus: 10 kPa, hydroelastic_modulus: 1 GPa", "as default"}
	for i, r := range tables[0].Rows {
		if r.Cells[1] != want[i] {
			t.Errorf("%q, want %q", r.Cells[1], want[i])
		}
	}
}

// A value that a formula derives from another spans no map with it, and a table that continues over pages has its head
// on each.
func TestStudyReportsWithoutDerivedValues(t *testing.T) {
	dir := t.TempDir()
	rows := "mu,pairs.1.friction,speed,expectations,status\n"
	for k := range 90 {
		rows += fmt.Sprintf("%g,%g,%d,ok,done\n", 0.01*float64(k%9+1), 0.01*float64(k%9+1), k)
	}
	study, err := os.ReadFile("../examples/incline/study.yaml")
	if err != nil {
		t.Fatal(err)
	}
	scene, err := filepath.Abs("../examples/incline/scene.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// as curlfree study leaves it: the table, and the path of the study file
	file := filepath.Join(dir, "study.yaml")
	for path, text := range map[string]string{
		filepath.Join(dir, "cases.csv"): rows, file: strings.Replace(string(study), "scene: scene.yaml", "scene: "+scene, 1),
		filepath.Join(dir, "study.json"): fmt.Sprintf(`{"study": %q}`, file),
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Study(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Sections {
		if strings.HasPrefix(s.Title, "Map over") {
			t.Errorf("%s, of which one follows from the other", s.Title)
		}
	}
	p := newPDFWriter()
	p.tables(d.Sections[len(d.Sections)-1].Tables[:1])
	var b bytes.Buffer
	p.SetCompression(false)
	if err := p.Output(&b); err != nil {
		t.Fatal(err)
	}
	// letters of own fonts have two bytes
	head := []byte("\x00" + strings.Join(strings.Split("expectations", ""), "\x00"))
	if heads, pages := bytes.Count(b.Bytes(), head), p.PageCount(); pages < 2 || heads != pages {
		t.Errorf("%d heads on %d pages", heads, pages)
	}
}

// Captions, axes and tables of studies state the units of what varies, from the manual, and of measures, from their
// names.
func TestStudiesHaveUnits(t *testing.T) {
	for path, want := range map[string]string{"materials.rubber.youngs_modulus": "Pa", "time.step": "s", "solver.stiction_tolerance": "m/s", "solver.contact": "", "bodies.puck.pose.xyz.2": "", "mu": ""} {
		if got := unitOfPath(path); got != want {
			t.Errorf("%s is in %q, want %q", path, got, want)
		}
	}
	if got := withUnit("2.5e6", unitOfPath("materials.rubber.youngs_modulus")); got != "2.5 MPa" {
		t.Errorf("a value is %q", got)
	}
	c := &cases{head: []string{"time.step", "depth_m", "status"}, rows: [][]string{{"0.01", "0.1234567", "done"}, {"0.02", "0.2", "done"}}}
	if got := c.measured(0, "depth_m"); got != "0.1235 m" {
		t.Errorf("a measure is %q", got)
	}
	table := c.table([]string{"time.step"}, []string{"depth_m"}).Tables[0]
	if table.Head[0] != "time.step (ms)" || table.Head[1] != "depth_m" || table.Rows[0].Cells[0] != "10" {
		t.Errorf("%q, %q", table.Head, table.Rows[0].Cells)
	}
}

// Names that are too wide for their column are broken behind points and underscores, not within words.
func TestNamesAreBrokenAtTheirParts(t *testing.T) {
	p := newPDFWriter()
	p.font("B", 8.5, Plain)
	width := p.GetStringWidth("tolerance ")
	if got := p.brokenName("solver.stiction_tolerance (m/s)", width); got != "solver.\nstiction_\ntolerance \n(m/s)" {
		t.Errorf("%q", got)
	}
	if got := p.brokenName("a.b", width); got != "a.b" {
		t.Errorf("%q", got)
	}
}

// Cells of pages may break at the parts of their names only, and numbers not at all.
func TestCellsBreakAtThePartsOfNames(t *testing.T) {
	d := Document{Sections: []*Section{{Title: "Checks", Tables: []*Table{{
		Head: []string{"a.check_of"}, Rows: []TableRow{{Cells: []string{"friction_lag.largest_share"}}, {Cells: []string{"a.b<c_d"}}, {Cells: []string{"−0.0117 m"}}},
	}}}}}
	var page bytes.Buffer
	if err := d.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">a.<wbr>check_<wbr>of</th>", ">friction_<wbr>lag.<wbr>largest_<wbr>share</td>", ">a.<wbr>b&lt;c_<wbr>d</td>", ">−0.0117 m</td>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in %s", want, page.String())
		}
	}
}

// Where all cases are as expected, the map shows the first measure: one of a single colour would show nothing.
func TestMapsOfSuccessShowDifferences(t *testing.T) {
	for _, status := range []string{"ok", "grip"} {
		c := &cases{head: []string{"mu", "load", "x_m", "slip_m", "expectations", "status"}, rows: [][]string{
			{"0.1", "1", "-1", "0.5", "ok", "done"}, {"0.2", "1", "2", "0.7", status, "done"}, {"0.1", "2", "1", "0.3", "ok", "done"}, {"0.2", "2", "1", "0.9", "ok", "done"},
		}}
		s, err := c.success([]string{"mu", "load"}, []string{"x_m", "slip_m"})
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		// x is negative in a case, so that no scale from 0 shows it
		if got := c.someBad(); got != (status == "grip") {
			t.Errorf("with %q: some bad %t", status, got)
		}
		if bytes.Contains(s.Figures[0].SVG, []byte(">cases as expected<")) != (status == "grip") || bytes.Contains(s.Figures[0].SVG, []byte(">slip<")) != (status == "ok") {
			t.Errorf("with %q the map shows %.200s", status, s.Figures[0].SVG)
		}
	}
}

// The report of a grasp with two deformable fingers takes three pages, of which none but the last ends above its last
// quarter.
func TestReportsHaveNoHalfEmptyPages(t *testing.T) {
	sc, err := scene.Load("../examples/finray-grasp/scene.yaml", []string{"time.duration=0.4"})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := run.Run(context.Background(), sc, run.Options{Dir: out}); err != nil {
		t.Fatal(err)
	}
	d, err := Run(out)
	if err != nil {
		t.Fatal(err)
	}
	p := d.pdf()
	if err := p.Error(); err != nil || p.PageCount() != 3 {
		t.Errorf("%d pages (%v), want 3", p.PageCount(), err)
	}
	for i, y := range p.ends {
		if y < 0.75*pageHeight {
			t.Errorf("page %d ends at %.0f of %.0f mm", i+1, y, pageHeight)
		}
	}
}
