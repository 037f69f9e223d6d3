package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/web/webtest"
)

// Every answer has the headers that bind a browser, refusals included; packed pages are those that are not packed.
func TestAnswersBindTheBrowser(t *testing.T) {
	s := served(t, browserRun(t))
	get := func(path, encoding, origin string) (*http.Response, []byte) {
		t.Helper()
		r, err := http.NewRequest("GET", s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", encoding)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'; script-src 'sha256-",
		} {
			if got := answer.Header.Get(name); !strings.HasPrefix(got, want) || strings.Contains(got, "unsafe") {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		return answer, b
	}
	for _, path := range []string{"/", "/run.json", "/scene.json", "/signals.json", "/frames/0"} {
		_, plain := get(path, "identity", "")
		answer, packed := get(path, "gzip", "")
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil || answer.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s is not packed: %v", path, err)
		}
		if text, err := io.ReadAll(z); err != nil || !bytes.Equal(text, plain) {
			t.Errorf("%s: packed it is another: %v", path, err)
		}
		if answer, _ := get(path, "gzip", "http://evil.example"); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s from another page: %s", path, answer.Status)
		}
	}
	if answer, _ := get("/go.mod", "gzip", ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a file: %s", answer.Status)
	}
}

// The policy of a page lets its own script and styles work, and nothing that somebody brings into it: no other script,
// style or picture, and no request to others.
func TestThePolicyAppliesInABrowser(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	p.Open(served(t, browserRun(t)).URL)
	// a dialog closes by its button, which is that of a form
	p.Until(`!!document.querySelector('dialog[open]')`, key("?"))
	p.Until(`!document.querySelector('dialog')`, chromedp.Click(`dialog button`))
	p.NoFaults()
	if n := p.Number(`document.querySelector('.dot').getBoundingClientRect().width`); n == 0 || p.Text(`getComputedStyle(document.querySelector('.dot')).backgroundColor`) == "rgba(0, 0, 0, 0)" {
		t.Error("the dots of bodies have no colour")
	}
	p.Run(`window.refused = []
		document.addEventListener('securitypolicyviolation', e => refused.push(e.effectiveDirective))
		for (const html of ['<img src="x" onerror="window.hacked = 1">', '<p style="color: red">text</p>', '<style>body { display: none }</style>'])
			document.body.insertAdjacentHTML('beforeend', html)
		document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = 2' }))
		document.body.append(Object.assign(document.createElement('script'), { src: 'data:text/javascript,window.hacked = 3' }))
		setTimeout(() => { try { eval('window.hacked = 4') } catch { refused.push('eval') } }) // later: the debugger's own scripts may
		fetch('http://127.0.0.1:9/').catch(() => refused.push('fetch'))`)
	for _, what := range []string{"img-src", "style-src-attr", "style-src-elem", "script-src-elem", "eval", "fetch", "connect-src"} {
		p.Until(`refused.includes('` + what + `')`)
	}
	if n := p.Number(`window.hacked ?? 0`); n != 0 {
		t.Errorf("a script of somebody ran: %g", n)
	}
	if p.Text(`getComputedStyle(document.body).display`) == "none" {
		t.Error("a style of somebody counts")
	}
}
