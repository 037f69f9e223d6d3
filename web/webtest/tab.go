// Package webtest opens pages of this program in a real browser, without a display and with light that software
// computes. Tests that use it are skipped where there is no chromium; CI installs it.
package webtest

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is a tab of a browser that remembers what went wrong in its page. Its methods end the test where they fail.
type Tab struct {
	context.Context
	// T is the test that faults are reported to; subtests of one tab replace it.
	T testing.TB

	mu     sync.Mutex // events come on goroutines of the browser
	faults []string
}

const (
	// patience is the time within which a page does what it was asked for: much, since tests share few cores.
	patience = 20 * time.Second
	// life bounds the time of a tab, so that a browser that hangs ends with a message and not with the test's own
	// limit.
	life = 2 * time.Minute
)

// New starts a browser with a window of that many pixels, which ends with the test.
func New(t testing.TB, width, height int) *Tab {
	t.Helper()
	// machines of developers may have none
	path := browser()
	if path == "" {
		t.Skip("no chromium here: install it to test the page, apt-get install chromium")
	}
	// swiftshader computes WebGL without a card; pages of root's containers cannot have a sandbox
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu", false), chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	// one tab a browser: those behind another are not drawn, and wait for ever
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	// the last context is that of actions; cleaning up goes from the tab to the browser
	ctx, cancel = context.WithTimeout(ctx, life)
	t.Cleanup(cancel)
	// listening begins before the first page, so that no fault of loading is missed
	p := &Tab{Context: ctx, T: t}
	chromedp.ListenTarget(ctx, p.hear)
	// the window's own frame is no part of the page: the viewport has the pixels that tests count
	p.Do(chromedp.EmulateViewport(int64(width), int64(height)), log.Enable())
	return p
}

// browser returns the path of a browser; empty where there is none.
func browser() string {
	// Debian, Ubuntu and Google name it differently
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	return ""
}

// hear keeps exceptions, and errors and warnings of the console.
func (p *Tab) hear(event any) {
	// events come while an action waits
	p.mu.Lock()
	defer p.mu.Unlock()
	// an exception ends a handler without a trace on the page, and a missing file leaves only a line in the console
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.faults = append(p.faults, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, a := range e.Args {
				p.faults = append(p.faults, string(a.Value)+a.Description)
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.faults = append(p.faults, e.Entry.Text)
		}
	}
}

// Faults returns what the page complained about so far.
func (p *Tab) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	// what is left are faults of this program
	var out []string
	// all but what software rendering says of itself
	for _, f := range p.faults {
		// reading pixels back from a card that software stands for is slow, and said so
		if !strings.Contains(f, "GPU stall due to ReadPixels") {
			out = append(out, f)
		}
	}
	return out
}

// NoFaults reports errors and warnings of the page.
func (p *Tab) NoFaults() {
	// a fault is shown at the line of the test that called
	p.T.Helper()
	// all of them: the first is often the consequence of another
	for _, f := range p.Faults() {
		p.T.Errorf("the page reports: %s", f)
	}
}

// Do runs actions.
func (p *Tab) Do(actions ...chromedp.Action) {
	p.T.Helper()
	// a script that failed says more than the browser's own error
	if err := chromedp.Run(p, actions...); err != nil {
		p.T.Fatalf("%v\nfaults of the page: %q", err, p.Faults())
	}
}

// Until does what a reader does and waits until an expression of the page is true.
func (p *Tab) Until(expression string, actions ...chromedp.Action) {
	p.T.Helper()
	p.Do(actions...)
	if err := chromedp.Run(p, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(patience))); err != nil {
		var state string // what live pages and recordings have; empty where the page did not even begin
		chromedp.Run(p, chromedp.Evaluate(`JSON.stringify([curlfree.liveStatus, curlfree.frame?.time, document.getElementById('note').textContent])`, &state))
		p.T.Fatalf("%s: %v; the page has %s\nfaults of the page: %q", expression, err, state, p.Faults())
	}
}

// Open opens an address and waits for the first frame.
func (p *Tab) Open(url string) {
	p.T.Helper()
	// the page sets the class when its first frame is drawn
	p.Do(chromedp.Navigate(url), chromedp.WaitReady("body.ready", chromedp.ByQuery))
}

// Run runs a script of the page, and waits for its promise.
func (p *Tab) Run(script string) {
	p.T.Helper()
	p.Do(chromedp.Evaluate(script, nil, awaited))
}

// Number evaluates an expression of the page, or what its promise gives.
func (p *Tab) Number(expression string) (x float64) {
	p.T.Helper()
	p.Do(chromedp.Evaluate(expression, &x, awaited))
	return x
}

// Text evaluates an expression of the page that is a text, or what its promise gives.
func (p *Tab) Text(expression string) (s string) {
	p.T.Helper()
	p.Do(chromedp.Evaluate(expression, &s, awaited))
	return s
}

// awaited lets an evaluation wait for a promise.
func awaited(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }

// Picture returns what the window shows. With the environment variable CURLFREE_PICTURES, the name of a folder,
// pictures are kept there for eyes.
func (p *Tab) Picture(name string) image.Image {
	p.T.Helper()
	// a frame that was asked for is on the screen two refreshes later
	p.Run("curlfree.view.draw(); new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
	// the window as a reader sees it, with panels; the canvas alone would lack the legend
	var b []byte
	p.Do(chromedp.CaptureScreenshot(&b))
	p.keep(name, b)
	// lossless: tests compare colours
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		p.T.Fatal(err)
	}
	return img
}

// Keep keeps a picture for eyes alone, as Picture does; without CURLFREE_PICTURES it does nothing.
func (p *Tab) Keep(name string) {
	p.T.Helper()
	// pictures cost half a second each where software draws
	if os.Getenv("CURLFREE_PICTURES") != "" {
		p.Do(chromedp.Sleep(300 * time.Millisecond)) // notes and panels move in
		p.Picture(name)
	}
}

// keep writes a picture into the folder of CURLFREE_PICTURES.
func (p *Tab) keep(name string, b []byte) {
	// tests count pixels; eyes see what no test asked for
	if dir := os.Getenv("CURLFREE_PICTURES"); dir != "" {
		// a folder that is not there is a fault of who named it
		if err := os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644); err != nil {
			p.T.Error(err)
		}
	}
}

// Number writes a number as scripts take it.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Press holds a key down, by its name and its place on the keyboard ("J", "KeyJ").
func Press(name, code string) chromedp.Action { return key(input.KeyDown, name, code) }

// Release lets a key go.
func Release(name, code string) chromedp.Action { return key(input.KeyUp, name, code) }

func key(kind input.KeyType, name, code string) chromedp.Action {
	// both are needed: the page reads letters for words and places for motion
	return input.DispatchKeyEvent(kind).WithKey(name).WithCode(code)
}
