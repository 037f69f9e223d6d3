package live

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// The page of a live run in a real browser without a display, skipped where there is no chromium.

// tab is a tab of a browser.
type tab struct {
	context.Context
	t      *testing.T
	faults chan string
}

// newTab starts a browser that ends with the test.
func newTab(t *testing.T) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here: install it to test the page, apt-get install chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("disable-gpu", false), chromedp.WindowSize(1280, 720))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	p := &tab{ctx, t, make(chan string, 100)}
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			select {
			case p.faults <- e.ExceptionDetails.Error():
			default:
			}
		}
	})
	p.do(chromedp.EmulateViewport(1280, 720))
	return p
}

// do runs actions.
func (p *tab) do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p, actions...); err != nil {
		p.t.Fatalf("%v (%d faults of the page)", err, len(p.faults))
	}
}

// until does what a reader does and waits until an expression of the page is true.
func (p *tab) until(expression string, actions ...chromedp.Action) {
	p.t.Helper()
	p.do(actions...)
	if err := chromedp.Run(p, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		var state string
		chromedp.Run(p, chromedp.Evaluate(`JSON.stringify([curlfree.liveStatus, curlfree.frame?.time, document.getElementById('note').textContent])`, &state))
		p.t.Fatalf("%s: %v; the page has %s", expression, err, state)
	}
}

// number evaluates an expression of the page.
func (p *tab) number(expression string) (x float64) {
	p.t.Helper()
	p.do(chromedp.Evaluate(expression, &x))
	return x
}

// keep keeps a picture for eyes in the folder CURLFREE_PICTURES.
func (p *tab) keep(name string) {
	dir := os.Getenv("CURLFREE_PICTURES")
	if dir == "" {
		return
	}
	var b []byte
	p.do(chromedp.Sleep(300*time.Millisecond), chromedp.CaptureScreenshot(&b))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644); err != nil {
		p.t.Error(err)
	}
}

// key presses or releases a key by its place on the keyboard.
func key(kind input.KeyType, name, code string) chromedp.Action {
	return input.DispatchKeyEvent(kind).WithKey(name).WithCode(code)
}

// A person with a browser: pause, step, back to the start, slider, drag with the mouse and robot by the keyboard do what
// they say, and a run of the inputs ends with the same bits.
func TestABrowserPlaysARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, bench, Options{Threads: 1, Speed: 1, InputsLog: path})
	_, address, end := served(t, s, false)
	p := newTab(t)
	p.do(chromedp.Navigate(address), chromedp.WaitReady("body.ready", chromedp.ByQuery))
	p.until(`curlfree.frame?.time > 0.3 && curlfree.liveStatus && !curlfree.liveStatus.paused`)
	// pause, one step, play
	p.until(`curlfree.liveStatus.paused`, chromedp.Click("#live-play"))
	at := p.number(`curlfree.frame.step`)
	p.until(`curlfree.frame.step === window.before + 1`, chromedp.Evaluate(`window.before = curlfree.frame.step`, nil), chromedp.Click("#live-step"))
	if now := p.number(`curlfree.frame.step`); now != at+1 {
		t.Errorf("a step leads from %g to %g", at, now)
	}
	// a button that has the focus keeps the space key for itself
	p.until(`curlfree.liveStatus.paused === false`, chromedp.Evaluate(`document.activeElement.blur()`, nil), key(input.KeyDown, " ", "Space"), key(input.KeyUp, " ", "Space"))
	// the slider lifts the stage by 0.25 m
	stage := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('stage') + 2]`
	p.until(`Math.abs(`+stage+` - 0.45) < 1e-3`, chromedp.Evaluate(`{ const s = document.getElementById('live-value-0'); s.value = 0.25; s.dispatchEvent(new Event('input')) }`, nil))
	// the mouse drags the ball
	ball := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('ball') + 2]`
	p.do(chromedp.Click("#live-drag"))
	var place []float64
	p.do(chromedp.Evaluate(`(() => { const b = curlfree.view.bodies.find(b => b.name === 'ball'), r = curlfree.view.canvas.getBoundingClientRect(),
		v = b.group.position.clone().project(curlfree.view.camera); return [r.left + (v.x + 1) / 2 * r.width, r.top + (1 - v.y) / 2 * r.height] })()`, &place))
	x, y := place[0], place[1]
	p.until(`!!curlfree.dragged()`, chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseMoved, x, y-60, chromedp.ButtonLeft))
	p.until(ball + ` > 0.06`)
	p.keep("live-drag")
	p.until(ball+` < 0.035`, chromedp.MouseEvent(input.MouseReleased, x, y-60, chromedp.ButtonLeft))
	// the keyboard turns the arm while the switch is held, and not without it
	arm := `Math.abs(curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('arm') + 6])` // sine of half of the angle
	p.do(key(input.KeyDown, "j", "KeyJ"), chromedp.Sleep(300*time.Millisecond), key(input.KeyUp, "j", "KeyJ"))
	if z := p.number(arm); z > 1e-3 {
		t.Errorf("the arm turned to %g without the switch", z)
	}
	p.until(arm+` > 0.05`, key(input.KeyDown, "Shift", "ShiftLeft"), key(input.KeyDown, "J", "KeyJ"))
	p.do(key(input.KeyUp, "J", "KeyJ"), key(input.KeyUp, "Shift", "ShiftLeft"), chromedp.Sleep(500*time.Millisecond))
	z := p.number(arm)
	p.do(chromedp.Sleep(300 * time.Millisecond))
	if now := p.number(arm); now-z > 1e-3 || z-now > 1e-3 {
		t.Errorf("the arm goes on from %g to %g without the switch", z, now)
	}
	p.keep("live-teleop")
	// the session ends, and its inputs repeat it
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	end()
	p.until(`document.body.classList.contains('closed')`)
	for range len(p.faults) {
		t.Errorf("the page reports: %s", <-p.faults)
	}
	in, err := record.ReadInputs(path)
	if err != nil || len(in.List) < 5 {
		t.Fatalf("%+v, %v", in, err)
	}
	sc := load(t, bench)
	if err := run.Replay(sc, in); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Run(context.Background(), sc, run.Options{Dir: t.TempDir(), Inputs: in}); err != nil {
		t.Error(err)
	}
}

// The button goes back to the start.
func TestABrowserResetsARun(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 0})
	_, address, _ := served(t, s, false)
	p := newTab(t)
	p.do(chromedp.Navigate(address), chromedp.WaitReady("body.ready", chromedp.ByQuery))
	p.until(`curlfree.liveStatus?.saved.length > 1`)
	p.until(`curlfree.liveStatus.paused`, chromedp.Click("#live-play"))
	p.until(`curlfree.frame.step === 0`, chromedp.Click("#live-reset"))
}

// The page of examples/finray-peg is drawn while it runs. CURLFREE_PICTURES keeps the picture for eyes.
func TestABrowserShowsThePeg(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("finray-peg in a browser: CURLFREE_LONG=1 runs it")
	}
	sc, err := scene.Load("../examples/finray-peg/live.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(sc, Options{Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	_, address, end := served(t, s, false)
	p := newTab(t)
	p.do(chromedp.Navigate(address), chromedp.WaitReady("body.ready", chromedp.ByQuery))
	tool := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('panda.panda_hand') + 2]`
	p.do(chromedp.Evaluate(`window.before = `+tool, nil), key(input.KeyDown, "Shift", "ShiftLeft"), key(input.KeyDown, "Q", "KeyQ"))
	p.until(tool + ` < window.before - 0.03`)
	p.keep("peg-live")
	p.do(key(input.KeyUp, "Q", "KeyQ"), key(input.KeyUp, "Shift", "ShiftLeft"), chromedp.Evaluate(`curlfree.setTheme(true)`, nil),
		chromedp.Evaluate(`document.querySelectorAll('#right details').forEach(d => { d.open = true })`, nil), chromedp.Sleep(time.Second))
	p.keep("peg-live-dark")
	for range len(p.faults) {
		t.Errorf("the page reports: %s", <-p.faults)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	end()
}
