package web

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/web/webtest"
)

// magenta counts the pixels of a picture that are magenta: those of the block, in a page that
// has nothing else of that colour: no scale of colours has it.
func magenta(img image.Image) (count int, center image.Point) {
	const left, right = 240, 660 // between the panels
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := left; x < right; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if int(c.R) > int(c.G)+60 && int(c.B) > int(c.G)+60 {
				count++
				center = center.Add(image.Pt(x, y))
			}
		}
	}
	if count > 0 {
		center = center.Div(count)
	}
	return count, center
}

// browserRun writes a run folder: a magenta block that moves 0.1 m along x in 1 s over 51
// frames beside a deformable, with a contact force and a signal.
func browserRun(t *testing.T) *Run {
	t.Helper()
	return opened(t, browserRecording(func(u float64) r3.Vec { return r3.Vec{0.1 * u, 0, 0.02} }))
}

// browserRecording is the recording of browserRun with the block's centre (m) as a function of the time (s).
func browserRecording(place func(u float64) r3.Vec) *record.Recording {
	st := testStatic()
	st.Geoms = []record.Geom{
		{Name: "table", Body: -1, X_BG: r3.PoseIdentity(), Ground: 0.5, Color: "#c9c4b8"},
		{Name: "block", Body: 0, X_BG: r3.PoseIdentity(), Mesh: cube(0.04), Color: "#c000c0"},
	}
	st.Bodies = []string{"block"}
	st.Deformables[0].Rest = st.Deformables[0].Rest[:5]
	for i := range st.Deformables[0].Rest {
		st.Deformables[0].Rest[i] = st.Deformables[0].Rest[i].Add(r3.Vec{0, 0.1, 0})
	}
	rec := &record.Recording{Static: *st}
	for k := range 51 {
		u := float64(k) / 50
		f := record.Frame{
			Time: u, Poses: []r3.Pose{{R: r3.Identity(), P: place(u)}},
			VonMises: [][]float32{{float32(1e5 * u), 2e5}},
			Contacts: []record.Contact{{A: 0, B: -1, Pos_W: r3.Vec{0.1 * u, 0, 0}, Normal_W: r3.Vec{0, 0, -1}, Force_W: r3.Vec{0, 0, -3}}},
		}
		if k%2 == 1 { // a contact surface of two faces
			f.ContactSurfaces = []record.ContactSurface{{
				A: 0, B: -1, Area: 1e-4, Normal: 2, MaxPressure: 3e4, MaxSlip: 0.1, Force_W: r3.Vec{0.5, 0, -2}, Center_W: r3.Vec{0.1 * u, 0, 0},
				Verts_W: []r3.Vec{{0, 0, 0}, {0.02, 0, 0}, {0.02, 0.02, 0}, {0, 0.02, 0}, {0, 0.02, 0}, {0.02, 0.02, 0}, {0.01, 0.03, 0}},
				Faces:   []record.Face{{Lo: 0, Hi: 4, Pressure: 3e4, Slip_W: r3.Vec{0.1, 0, 0}}, {Lo: 4, Hi: 7, Pressure: 1e4 * u}},
			}}
		}
		f.Verts = [][]r3.Vec{make([]r3.Vec, 5)}
		for i, x := range st.Deformables[0].Rest {
			f.Verts[0][i] = x.Add(r3.Vec{0, 0, 0.02 * u * math.Sin(float64(i))})
		}
		rec.Frames = append(rec.Frames, f)
	}
	return rec
}

// opened is the run of a recording in a folder of its own, with the signal push_N = 3 t.
func opened(t *testing.T, rec *record.Recording) *Run {
	t.Helper()
	table := []byte("time_s,push_N\n")
	for k := range rec.Len() {
		table = fmt.Appendf(table, "%g,%g\n", rec.Time(k), 3*rec.Time(k))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, record.SignalsFile), table, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRun(dir, rec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// onDisk writes the page of a run into a file, and returns its address.
func onDisk(t *testing.T, run *Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := HTML(f, run, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// cube is a cube with the edge a, m.
func cube(a float64) *meshes.Tri {
	m := &meshes.Tri{}
	for k := range 8 {
		v := r3.Vec{-a / 2, -a / 2, -a / 2}
		for i := range 3 {
			v[i] += a * float64(k>>i&1)
		}
		m.Verts = append(m.Verts, v)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Tris = append(m.Tris, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// key presses a key as a reader does.
func key(k string) chromedp.Action { return chromedp.KeyEvent(k) }

// A page draws the run, plays, seeks, shows what is picked and hides bodies, without a word
// of complaint: as a file from disk, and over a server that reads frames when they are
// asked for.
func TestPagesDrawPlayAndSeek(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	run := browserRun(t)
	s := served(t, run)
	for name, url := range map[string]string{"from disk": onDisk(t, run), "served": s.URL} {
		t.Run(name, func(t *testing.T) {
			p.T = t
			p.Open(url)
			checkPage(t, p)
			checkFrames(t, p, run)
			p.NoFaults()
		})
	}
}

// checkPage checks a page of browserRun.
func checkPage(t *testing.T, p *webtest.Tab) {
	t.Helper()
	// it opens at the end of a run whose scene names no time; the start is one key away
	if x := p.Number("curlfree.frame.time"); x != 1 {
		t.Errorf("opened at %g s, want 1", x)
	}
	end, atEnd := magenta(p.Picture("end"))
	p.Until("curlfree.timeline.k === 0", key(kb.Home))
	if x := p.Number("curlfree.frame.time"); x != 0 {
		t.Errorf("Home leads to %g s", x)
	}
	start, atStart := magenta(p.Picture("start"))
	if end < 500 || start < 500 {
		t.Errorf("the block has %d pixels at the start and %d at the end", start, end)
	}
	// x points to the right for the camera that the page chooses
	if atEnd.X < atStart.X+30 {
		t.Errorf("the block moved from %v to %v", atStart, atEnd)
	}
	// playing continues by itself
	p.Until("curlfree.frame.time > 0.2", key(" "))
	p.Until("!curlfree.timeline.playing", key(" "))
	// what is picked says its name and place
	p.Until("curlfree.timeline.k === 50", key(kb.End))
	p.Until("!!curlfree.picked", chromedp.MouseClickXY(float64(atEnd.X), float64(atEnd.Y)))
	var text string
	p.Do(chromedp.Text("#right .panel", &text, chromedp.ByQuery))
	if !strings.Contains(text, "block") || !strings.Contains(text, "100, 0, 20 mm") || !strings.Contains(text, "0, 0, 3 N") {
		t.Errorf("the picked block says %q", text)
	}
	// and hides
	p.Do(chromedp.Click(`button[aria-label="Show block"]`, chromedp.ByQuery))
	if n, _ := magenta(p.Picture("hidden")); n > 20 {
		t.Errorf("%d pixels of a hidden block", n)
	}
}
