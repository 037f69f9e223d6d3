package web

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/web/webtest"
)

// inPage says how the parts of a page lie: widths and heights of the picture and of both panels, 0 where they are not
// shown, and whether the title is cut.
const inPage = `(() => {
	const size = id => { const r = document.getElementById(id).getBoundingClientRect(); return { width: r.width, height: r.height, left: r.left, top: r.top } }
	const title = document.getElementById('title')
	return { stage: size('stage'), left: size('left'), right: size('right'), cut: title.scrollWidth > title.clientWidth }
})()`

type box struct{ Width, Height, Left, Top float64 }

// Phones show the picture above one panel of the page's full width, or beside it where they lie on their side; the
// buttons choose the panel, or close it. The keys of colours, squares and forces have a ground of their own.
func TestPhonesShowThePictureWithOnePanel(t *testing.T) {
	p := webtest.New(t, 390, 844)
	p.Open(onDisk(t, browserRun(t)))
	measure := func(panel string) (stage, shown, hidden box) {
		t.Helper()
		var at struct {
			Stage, Left, Right box
			Cut                bool
		}
		p.Do(chromedp.Evaluate(inPage, &at))
		if at.Cut {
			t.Error("the title is cut")
		}
		if panel == "left" {
			return at.Stage, at.Left, at.Right
		}
		return at.Stage, at.Right, at.Left
	}
	upright := func(panel string) {
		t.Helper()
		if stage, shown, hidden := measure(panel); stage.Width != 390 || stage.Height < 300 || shown.Width != 390 || shown.Height < 300 || shown.Top < stage.Top+stage.Height || hidden.Width > 0 {
			t.Errorf("picture %v, %s panel %v, the other %v", stage, panel, shown, hidden)
		}
	}
	upright("right")
	p.Keep("phone")
	p.Until(`document.getElementById('left').clientWidth > 0`, key("b"))
	upright("left")
	// the same key closes the panel
	p.Until(`document.getElementById('left').clientWidth === 0`, key("b"))
	if stage, _, _ := measure("left"); stage.Height < 600 {
		t.Errorf("the picture alone is %v", stage)
	}
	p.Until(`document.getElementById('right').clientWidth > 0`, key("s"))
	upright("right")
	p.Do(chromedp.EmulateViewport(844, 390), chromedp.Sleep(200*time.Millisecond))
	if stage, shown, _ := measure("right"); stage.Width < 400 || shown.Width < 300 || shown.Left < stage.Width || shown.Height < 200 {
		t.Errorf("on its side: picture %v, panel %v", stage, shown)
	}
	for _, id := range []string{"legend", "squares", "forces"} {
		if n := p.Number(`(() => { const c = getComputedStyle(document.getElementById('` + id + `')).backgroundColor
			return Number(c.match(/[\d.]+(?=\)$)/)[0]) })()`); n < 0.7 {
			t.Errorf("the ground of %s has an opacity of %g", id, n)
		}
	}
	p.NoFaults()
}
