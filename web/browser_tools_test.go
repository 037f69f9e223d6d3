package web

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/goccy/go-yaml"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/web/webtest"
)

// brightness is the mean of the colours of a region that shows nothing but the background, 0 to 255.
func brightness(img image.Image, r image.Rectangle) float64 {
	sum := 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			sum += (float64(c.R) + float64(c.G) + float64(c.B)) / 3
		}
	}
	return sum / float64(r.Dx()*r.Dy())
}

// Pages are light or dark as a whole, picture and panels, with the same bodies; the choice outlives the page. A picture
// that is saved has the pixels of the canvas, and a copied camera gives the same view in a scene file.
func TestPagesHaveThemesPicturesAndCameras(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	run := browserRun(t)
	s := served(t, run)
	p.Open(s.URL)
	checkThemes(t, p)
	checkSavedPicture(t, p)
	checkCamera(t, p, run)
	// on a phone the keys of squares and forces stand apart
	p.Do(chromedp.EmulateViewport(390, 844), chromedp.Sleep(200*time.Millisecond))
	if n := p.Number(`(() => { document.getElementById('forces').firstElementChild.style.width = '160px' // the longest arrow of a key
		const [a, b] = ['squares', 'forces'].map(id => document.getElementById(id).getBoundingClientRect())
		return a.width > 0 && b.width > 0 ? Number(a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top) : -1 })()`); n != 0 {
		t.Errorf("the keys of squares and forces overlap, or are not there: %g", n)
	}
	p.NoFaults()
}

// checkThemes checks a page that shows browserRun and is light.
func checkThemes(t *testing.T, p *webtest.Tab) {
	t.Helper()
	sky, panel := image.Rect(560, 60, 650, 80), image.Rect(20, 500, 200, 520)
	light := p.Picture("light")
	p.Until(`document.documentElement.dataset.theme === 'dark'`, key("d"))
	p.Until(`document.body.classList.contains('ready')`, chromedp.Reload(), chromedp.WaitReady("body.ready", chromedp.ByQuery))
	if theme := p.Text(`document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("the page comes back %s", theme)
	}
	dark := p.Picture("dark")
	for name, r := range map[string]image.Rectangle{"sky": sky, "panel": panel} {
		if l, d := brightness(light, r), brightness(dark, r); l < 200 || d > 70 {
			t.Errorf("%s: %.0f in light, %.0f in dark", name, l, d)
		}
	}
	l, at := magenta(light)
	d, now := magenta(dark)
	if d < l/2 || now.Sub(at).X > 3 || at.Sub(now).X > 3 {
		t.Errorf("the block has %d pixels about %v in light, %d about %v in dark", l, at, d, now)
	}
	p.Until(`document.documentElement.dataset.theme === 'light'`, key("d"))
}

// checkSavedPicture saves a picture as a reader does.
func checkSavedPicture(t *testing.T, p *webtest.Tab) {
	t.Helper()
	dir := t.TempDir()
	p.Do(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir), key("p"))
	var b []byte
	for began := time.Now(); len(b) == 0; time.Sleep(50 * time.Millisecond) {
		if b, _ = os.ReadFile(filepath.Join(dir, "test-1.000s.png")); len(b) == 0 && time.Since(began) > 20*time.Second {
			there, _ := os.ReadDir(dir)
			t.Fatalf("no picture was saved: %v; %q", there, p.Faults())
		}
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if w, h := p.Number(`curlfree.view.canvas.width`), p.Number(`curlfree.view.canvas.height`); img.Bounds().Dx() != int(w) || img.Bounds().Dy() != int(h) {
		t.Errorf("the picture has %v, the canvas %g × %g", img.Bounds(), w, h)
	}
	if n := brightness(img, image.Rect(5, 5, 30, 30)); n < 200 {
		t.Errorf("the corner of the picture has %.0f", n) // an empty buffer is black
	}
}

// checkCamera turns the camera, copies it, and opens the run with the copied keys in its scene: the same view.
func checkCamera(t *testing.T, p *webtest.Tab, run *Run) {
	t.Helper()
	p.Run(`Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async text => { window.copied = text } } }); curlfree.view.lookFrom([1, -2, 0.4])`)
	p.Until(`!!window.copied`, key("k"))
	var keys struct {
		Render struct {
			Camera, Target r3.Vec
			FOV            float64 `yaml:"fov_deg"`
		}
	}
	text := p.Text(`window.copied`)
	if err := yaml.UnmarshalWithOptions([]byte(text), &keys, yaml.Strict()); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	_, at := magenta(p.Picture("camera"))
	// keys of a scene become the options that its recording has
	options, err := json.Marshal(map[string]any{"Camera": keys.Render.Camera, "Target": keys.Render.Target, "FOV": keys.Render.FOV, "Size": []int{1280, 960}, "Rate": 25})
	if err != nil {
		t.Fatal(err)
	}
	rec := browserRecording(func(u float64) r3.Vec { return r3.Vec{0.1 * u, 0, 0.02} })
	rec.Static.Render = options
	p.Open(onDisk(t, opened(t, rec)))
	p.Until(`document.documentElement.dataset.theme === 'light'`, chromedp.Evaluate(`curlfree.setTheme(false)`, nil))
	if n, now := magenta(p.Picture("camera-keys")); n < 500 || now.Sub(at).X > 2 || at.Sub(now).X > 2 || now.Sub(at).Y > 2 || at.Sub(now).Y > 2 {
		t.Errorf("the block stands at %v, with the copied camera at %v (%d pixels)", at, now, n)
	}
}

// A cut opens what the frame shows, wherever bodies have gone since the start: each half of a block that rose far above
// its place shows about half of its pixels, and what is cut away throws no shadow.
func TestACutHalvesABlockThatHasRisen(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	rec := browserRecording(func(u float64) r3.Vec { return r3.Vec{0, 0, 0.02 + 0.6*u} })
	// the block alone: a cut goes through the middle of all bodies
	rec.Static.Deformables = nil
	for k := range rec.Frames {
		f := &rec.Frames[k]
		f.Verts, f.VonMises, f.Contacts, f.ContactSurfaces = nil, nil, nil, nil
	}
	p.Open(onDisk(t, opened(t, rec)))
	// the camera follows to where the block is, at its height
	p.Run(`{ const v = curlfree.view; v.orbit.target.set(0, 0, 0.62); v.camera.position.set(0, -0.4, 0.62); v.orbit.update() }`)
	whole, _ := magenta(p.Picture("cut-off"))
	choose := func(axis string) chromedp.Action {
		return chromedp.Evaluate(`{ const a = document.getElementById('cut-axis'); a.value = '`+axis+`'; a.dispatchEvent(new Event('change')) }`, nil)
	}
	p.Until(`curlfree.view.clip?.[0] === 'z'`, choose("z"))
	lower, below := magenta(p.Picture("cut-low"))
	p.Until(`curlfree.view.clip[2]`, chromedp.Evaluate(`[...document.querySelectorAll('button')].find(b => b.textContent === 'Other half').click()`, nil))
	upper, above := magenta(p.Picture("cut-high"))
	if lower < whole*2/5 || lower > whole*3/5 || upper < whole*2/5 || upper > whole*3/5 {
		t.Errorf("the block has %d pixels, its halves %d and %d", whole, lower, upper)
	}
	if above.Y >= below.Y-3 {
		t.Errorf("the upper half is at %v, the lower at %v", above, below)
	}
	if text := p.Text(`document.getElementById('cut-value').textContent`); text != "z = 620 mm" {
		t.Errorf("the cut is at %q", text)
	}
	p.Until(`!curlfree.view.clip`, choose(""))
	if n, _ := magenta(p.Picture("cut-none")); n != whole {
		t.Errorf("%d pixels without the cut, %d before it", n, whole)
	}
	p.NoFaults()
}

// A page asks for the frames that it shows, not for a whole recording: in 10 minutes of 50 frames a second, some
// chunks.
func TestSeeksReadAFewChunks(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	rec := browserRecording(func(u float64) r3.Vec { return r3.Vec{0.1 * u, 0, 0.02} })
	short := rec.Frames
	const n = 30_000
	rec.Frames = make([]record.Frame, n)
	for k := range rec.Frames {
		rec.Frames[k] = short[k%len(short)]
		rec.Frames[k].Time = 0.02 * float64(k)
	}
	h, err := NewView(opened(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if strings.HasPrefix(r.URL.Path, "/frames/") {
			asked[r.URL.Path]++
		}
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	defer s.Close()
	p.Open(s.URL)
	for _, k := range []float64{0, 15_000, 29_999, 7_321} {
		p.Run(`curlfree.timeline.seek(` + webtest.Number(k) + `)`)
		if at, want := p.Number(`curlfree.frame.time`), 0.02*k; at < want-1e-9 || at > want+1e-9 {
			t.Errorf("seeking frame %g shows %g s", k, at)
		}
	}
	// charts seek by the time
	p.Until(`Math.abs(curlfree.frame.time - 300) < 0.02`, chromedp.Evaluate(`curlfree.timeline.seekTime(300.004)`, nil))
	p.Until(`curlfree.frame.time === 0`, key(kb.Home))
	mu.Lock()
	defer mu.Unlock()
	// one chunk for each place, and the next one where it is near; all would be 938
	if len(asked) > 10 {
		t.Errorf("%d chunks were read: %v", len(asked), asked)
	}
	for path, n := range asked {
		if n > 1 {
			t.Errorf("%s was read %d times", path, n)
		}
	}
	p.NoFaults()
}
