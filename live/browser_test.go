package live

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/web/webtest"
)

// The page of a live run in a real browser without a display, skipped where there is no chromium.

// servedToBrowsers is served for pages that may stand still for a minute, as where software draws on a machine with
// much else to do: TestFrozenPagesLoseTheirPlaces shows what becomes of them else.
func servedToBrowsers(t testing.TB, s *Session) (v *Server, address string, end func()) {
	t.Helper()
	v, address, end = served(t, s, ServerOptions{})
	v.silence = time.Minute
	return v, address, end
}

// A person with a browser: pause, step, back to the start, slider, drag with the mouse and robot by the keyboard do
// what they say, and a run of the inputs ends with the same bits.
func TestABrowserPlaysARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, bench, Options{Threads: 1, Speed: 1, InputsLog: path})
	_, address, end := servedToBrowsers(t, s)
	p := webtest.New(t, 1280, 720)
	p.Open(address)
	p.Until(`curlfree.frame?.time > 0.3 && curlfree.liveStatus && !curlfree.liveStatus.paused`)
	// pause, one step, play
	p.Until(`curlfree.liveStatus.paused`, chromedp.Click("#live-play"))
	at := p.Number(`curlfree.frame.step`)
	p.Until(`curlfree.frame.step === window.before + 1`, chromedp.Evaluate(`window.before = curlfree.frame.step`, nil), chromedp.Click("#live-step"))
	if now := p.Number(`curlfree.frame.step`); now != at+1 {
		t.Errorf("a step leads from %g to %g", at, now)
	}
	// a button that has the focus keeps the space key for itself
	p.Until(`curlfree.liveStatus.paused === false`, chromedp.Evaluate(`document.activeElement.blur()`, nil), webtest.Press(" ", "Space"), webtest.Release(" ", "Space"))
	// the slider lifts the stage by 0.25 m
	stage := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('stage') + 2]`
	p.Until(`Math.abs(`+stage+` - 0.45) < 1e-3`, chromedp.Evaluate(`{ const s = document.getElementById('live-value-0'); s.value = 0.25; s.dispatchEvent(new Event('input')) }`, nil))
	// the mouse drags the ball
	ball := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('ball') + 2]`
	p.Do(chromedp.Click("#live-drag"))
	// the highest that the ball and the number beside the chart were since the page drags: it began at 100 mm and fell
	// to 30
	p.Do(chromedp.Evaluate(`{ window.highest = { ball: 0, chart: 0 }
		curlfree.onFrame.push(() => {
			highest.ball = Math.max(highest.ball, `+ball+`)
			highest.chart = Math.max(highest.chart, parseFloat(document.querySelector('.u-legend tr:nth-child(2) .u-value, .u-legend .u-series:nth-child(2) .u-value').textContent) || 0)
		}) }`, nil))
	var x, y float64
	held(t, p, `highest.ball > 0.06 && highest.chart > 60`, func() {
		var place []float64
		p.Do(chromedp.Evaluate(`(() => { const b = curlfree.view.bodies.find(b => b.name === 'ball'), r = curlfree.view.canvas.getBoundingClientRect(),
			v = b.group.position.clone().project(curlfree.view.camera); return [r.left + (v.x + 1) / 2 * r.width, r.top + (1 - v.y) / 2 * r.height] })()`, &place))
		x, y = place[0], place[1]
		p.Until(`!!curlfree.dragged()`, chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseMoved, x, y-60, chromedp.ButtonLeft))
	}, func() { p.Do(chromedp.MouseEvent(input.MouseReleased, x, y-60, chromedp.ButtonLeft)) })
	p.Keep("live-drag")
	p.Until(ball+` < 0.035`, chromedp.MouseEvent(input.MouseReleased, x, y-60, chromedp.ButtonLeft))
	// the keyboard turns the arm while the switch is held, and not without it
	arm := `Math.abs(curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('arm') + 6])` // sine of half of the angle
	p.Do(webtest.Press("j", "KeyJ"), chromedp.Sleep(300*time.Millisecond), webtest.Release("j", "KeyJ"))
	if z := p.Number(arm); z > 1e-3 {
		t.Errorf("the arm turned to %g without the switch", z)
	}
	held(t, p, arm+` > 0.05`, func() { p.Do(webtest.Press("Shift", "ShiftLeft"), webtest.Press("J", "KeyJ")) },
		func() { p.Do(webtest.Release("J", "KeyJ"), webtest.Release("Shift", "ShiftLeft")) })
	p.Do(webtest.Release("J", "KeyJ"), webtest.Release("Shift", "ShiftLeft"), chromedp.Sleep(500*time.Millisecond))
	z := p.Number(arm)
	p.Do(chromedp.Sleep(300 * time.Millisecond))
	if now := p.Number(arm); now-z > 1e-3 || z-now > 1e-3 {
		t.Errorf("the arm continues from %g to %g without the switch", z, now)
	}
	p.Keep("live-teleop")
	// the session ends, and its inputs repeat it
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	end()
	p.Until(`document.body.classList.contains('closed')`)
	p.NoFaults()
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

// held holds a body or a switch until an expression of the page is true. A browser that software draws for can be
// silent for longer than the deadline on a machine with much else to do: then it lets go and holds again, as a person
// would.
func held(t *testing.T, p *webtest.Tab, expression string, hold, release func()) {
	t.Helper()
	const letGo = `document.getElementById('note').textContent.includes('let go')`
	for range 8 {
		p.Do(chromedp.Evaluate(`document.getElementById('note').textContent = ''`, nil))
		hold()
		p.Until(`(` + expression + `) || ` + letGo)
		if p.Number(`Number(`+expression+`)`) == 1 {
			return
		}
		release()
	}
	t.Fatalf("%s: the page was let go again and again", expression)
}

// The button goes back to the start.
func TestABrowserResetsARun(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 0})
	_, address, _ := servedToBrowsers(t, s)
	p := webtest.New(t, 1280, 720)
	p.Open(address)
	p.Until(`curlfree.liveStatus?.saved.length > 1`)
	p.Until(`curlfree.liveStatus.paused`, chromedp.Click("#live-play"))
	p.Until(`curlfree.frame.step === 0`, chromedp.Click("#live-reset"))
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
	_, address, end := servedToBrowsers(t, s)
	p := webtest.New(t, 1280, 720)
	p.Open(address)
	tool := `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('panda.panda_hand') + 2]`
	p.Do(chromedp.Evaluate(`window.before = `+tool, nil), webtest.Press("Shift", "ShiftLeft"), webtest.Press("Q", "KeyQ"))
	p.Until(tool + ` < window.before - 0.03`)
	p.Keep("peg-live")
	p.Do(webtest.Release("Q", "KeyQ"), webtest.Release("Shift", "ShiftLeft"), chromedp.Evaluate(`curlfree.setTheme(true)`, nil),
		chromedp.Evaluate(`document.querySelectorAll('#right details').forEach(d => { d.open = true })`, nil), chromedp.Sleep(time.Second))
	p.Keep("peg-live-dark")
	p.NoFaults()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	end()
}
