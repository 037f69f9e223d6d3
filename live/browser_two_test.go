package live

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/web/webtest"
)

// Two pages watch one run: what one does, the other shows, and a page that closes leaves the other alone.
func TestTwoBrowsersShareARun(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	_, address, _ := servedToBrowsers(t, s)
	first := webtest.New(t, 800, 500)
	first.Open(address)
	first.Until(`curlfree.frame?.time > 0`)
	second := webtest.New(t, 400, 600)
	second.Open(address)
	// the first pauses, the second stands at the same step
	first.Until(`curlfree.liveStatus?.paused`, chromedp.Click("#live-play"))
	second.Until(`curlfree.liveStatus?.paused`)
	a, b := first.Number(`curlfree.frame.step`), second.Number(`curlfree.frame.step`)
	if a != b || a == 0 {
		t.Errorf("the pages stand at the steps %g and %g", a, b)
	}
	const poses = `curlfree.frame.poses.join()`
	if first.Text(poses) != second.Text(poses) {
		t.Error("the pages show different poses of one step")
	}
	// a slider of the second is that of the first
	second.Do(chromedp.Evaluate(`{ const s = document.getElementById('live-value-0'); s.value = 0.25; s.dispatchEvent(new Event('input')) }`, nil))
	first.Until(`document.getElementById('live-value-0').value === '0.25'`)
	// the second leaves, the first continues
	second.NoFaults()
	if err := chromedp.Cancel(second); err != nil {
		t.Fatal(err)
	}
	at := first.Number(`curlfree.frame.step`)
	first.Until(`!curlfree.liveStatus.paused`, chromedp.Click("#live-play"))
	first.Until(`curlfree.frame.step > ` + webtest.Number(at) + ` + 10`)
	first.NoFaults()
}
