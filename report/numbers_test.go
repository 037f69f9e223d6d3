package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// Numbers have four digits and powers of ten as in print; those with a unit have a prefix.
func TestNumbersAreThoseOfPrint(t *testing.T) {
	for _, c := range []struct {
		x          float64
		unit, want string
	}{
		{5.81894e-08, "", "5.819×10⁻⁸"}, {-2.93833e-05, "", "−2.938×10⁻⁵"}, {0.0182373, "", "0.01824"}, {255750, "", "255750"}, {1.5e6, "", "1.5×10⁶"},
		{99.996, "", "100"}, {0, "", "0"}, {5.81894e-08, "m", "58.19 nm"}, {2.93833e-05, "m", "29.38 µm"}, {-0.0136, "J", "−13.6 mJ"}, {1e4, "Pa", "10 kPa"},
		{0.0163, "s", "16.3 ms"}, {14.5, "s", "14.5 s"}, {5e-6, "s", "5 µs"}, {0.568275, "mm", "0.5683 mm"}, {5.8e-5, "mm", "58 nm"}, {0.0081, "kg", "8.1 g"},
		{1e-17, "J", "1×10⁻¹⁷ J"}, {1e9, "Pa", "1 GPa"}, {2e5, "m", "200000 m"}, {2.5e-5, "m²", "2.5×10⁻⁵ m²"},
	} {
		got := quantity(c.x, c.unit)
		if got != c.want {
			t.Errorf("%g %s is written %q, want %q", c.x, c.unit, got, c.want)
		}
		if !isNumber(got) {
			t.Errorf("%q stands left in its column", got)
		}
	}
}

// A value has the unit of its bound, and digits enough to say the same as the verdict.
func TestValuesCompareWithTheirBounds(t *testing.T) {
	for _, c := range []struct {
		x                                 float64
		bound, unit, wantValue, wantBound string
		holds                             bool
	}{
		{8.66563e-06, "<= 0.0001", "m", "8.666 µm", "≤ 100 µm", true},
		{2.93833e-05, "<= 0.000125", "m", "29.38 µm", "≤ 125 µm", true},
		{5.8e-8, "<= 0.02", "m", "58 nm", "≤ 20 mm", true},
		{0.0134165, "<= 0.1", "J", "0.01342 J", "≤ 0.1 J", true},
		{-280.239, ">= -280.535 and <= -279.935", "N", "−280.2 N", "≥ −280.535 and ≤ −279.935 N", true},
		{100.004, "<= 100", "N", "100.004 N", "≤ 100 N", false},
		{0.99996, "<= 1 and >= 0.999", "", "1", "≤ 1 and ≥ 0.999", true},
		{9.9996, "<= 9.9998", "m", "9.9996 m", "≤ 9.9998 m", true},
		{0, "<= 0", "J", "0 J", "≤ 0 J", true},
		{3e-9, "<= 0", "J", "3 nJ", "≤ 0 nJ", false},
	} {
		if value, bound := compared(c.x, c.bound, c.unit, c.holds); value != c.wantValue || bound != c.wantBound {
			t.Errorf("%g %s: %q, %q, want %q, %q", c.x, c.bound, value, bound, c.wantValue, c.wantBound)
		}
	}
}

// Tables of bodies have the masses of the scene that ran, none of bodies that no force moves, and none at all once the
// scene has changed.
func TestBodiesHaveTheirMasses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.yaml")
	text := func(mass string) []byte {
		return []byte("time: {step: 0.01, duration: 0.02}\nmaterials: {default: {}}\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n  ball: {mass: " + mass + ", pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}\n")
	}
	write := func(mass string) {
		t.Helper()
		if err := os.WriteFile(path, text(mass), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("0.025")
	sc, err := scene.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "run")
	if _, err := run.Run(context.Background(), sc, run.Options{Dir: out}); err != nil {
		t.Fatal(err)
	}
	// a run elsewhere, by paths that mean another file or none in the present folder: the scene is found from the run
	t.Chdir(dir)
	elsewhere := filepath.Join(t.TempDir(), "a", "run")
	if sc, err = scene.Load("scene.yaml", nil); err != nil {
		t.Fatal(err)
	}
	summary, err := run.Run(context.Background(), sc, run.Options{Dir: elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "scene.yaml"), text("7"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"/", other} {
		t.Chdir(from)
		if got := sceneFile(elsewhere, summary); got != path {
			t.Errorf("from %s the scene is %s, not %s", from, got, path)
		}
	}
	// the scene by its name alone is found above the run
	if got := sceneFile(out, &record.Summary{Scene: "scene.yaml"}); got != path {
		t.Errorf("the scene is %s, not %s", got, path)
	}
	for mass, want := range map[string]string{"0.025": "25 g", "2": "1"} { // without masses the shapes come next
		write(mass)
		d, err := Run(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Sections {
			if s.Title != "What was simulated" {
				continue
			}
			got := map[string]string{}
			for _, r := range s.Tables[0].Rows {
				got[r.Cells[0]] = r.Cells[1]
			}
			if got["ball"] != want || mass == "0.025" && got["floor"] != "" && got["floor"] != "–" {
				t.Errorf("with %s kg in the scene: %v, note %q", mass, got, s.Note)
			}
		}
	}
}

// The fonts of PDFs have all signs of numbers: others would be boxes.
func TestFontsOfPDFsHaveTheSignsOfNumbers(t *testing.T) {
	for name, ttf := range map[string][]byte{"regular": liberationsansregular.TTF, "bold": liberationsansbold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range lowered.Replace("0123456789.−×^⁻⁰¹²³⁴⁵⁶⁷⁸⁹µ°≥≤–% ") {
			if k, err := f.GlyphIndex(nil, r); err != nil || k == 0 {
				t.Errorf("the %s font has no %q", name, r)
			}
		}
	}
}

// Exponents of PDFs are raised digits of the font: no sign that the font lacks is set, in one line or in several, and a
// number is as wide as its letters.
func TestExponentsOfPDFsAreDigits(t *testing.T) {
	p := newPDFWriter()
	p.SetCompression(false)
	p.font("", 9, Plain)
	if got, least := p.GetStringWidth("1×10⁻⁸"), p.GetStringWidth("1×10"); got <= least || got >= p.GetStringWidth("1×10−8") {
		t.Errorf("1×10⁻⁸ is %g mm wide, 1×10 %g mm", got, least)
	}
	y := p.GetY()
	p.MultiCell(60, 4, "6.744×10⁻⁸ m²", "", "R", false)
	if p.GetY() != y+4 || p.GetX() != border {
		t.Errorf("a line of 4 mm ends at %g, %g, begun at %g", p.GetX(), p.GetY(), y)
	}
	p.MultiCell(12, 4, "largest velocity, 3×10⁻⁶ in mm²", "", "L", false)
	var b bytes.Buffer
	if err := p.Output(&b); err != nil {
		t.Fatal(err)
	}
	// letters of own fonts have two bytes
	for _, r := range "⁻⁸⁶" {
		if bytes.Contains(b.Bytes(), []byte{byte(r >> 8), byte(r), ')'}) {
			t.Errorf("%q is set", r)
		}
	}
}
