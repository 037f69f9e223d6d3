package live

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/web/webtest"
)

// leaves waits until a session has that many viewers, at most 10 s after began and two more for a machine with much to
// do.
func leaves(t testing.TB, s *Session, viewers int, began time.Time) {
	t.Helper()
	for s.board.watched() != viewers {
		if time.Since(began) > 12*time.Second {
			t.Fatalf("%d viewers after %v, want %d", s.board.watched(), time.Since(began), viewers)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Logf("%d viewers after %v", viewers, time.Since(began))
}

// A page whose scripts stand still, as behind a dialog or where a tab is frozen, loses its place though its browser
// answers for the connection; one that works stays, however little it has to show.
func TestFrozenPagesLoseTheirPlaces(t *testing.T) {
	t.Parallel()
	s, _ := started(t, bench, Options{Threads: 1, Paused: true})
	_, address, _ := served(t, s, ServerOptions{})
	alive := webtest.New(t, 300, 300)
	alive.Open(address)
	frozen := webtest.New(t, 300, 300)
	frozen.Open(address)
	if n := s.board.watched(); n != 2 {
		t.Fatalf("%d viewers", n)
	}
	began := time.Now()
	frozen.Do(chromedp.Evaluate(`setTimeout(() => alert('still'))`, nil))
	leaves(t, s, 1, began)
	if alone := time.Since(began); alone < silence-idlePeriod {
		t.Errorf("a page is left after %v", alone)
	}
	// the one that works is there for longer than any silence
	time.Sleep(time.Until(began.Add(silence + 2*idlePeriod)))
	alive.Until(`!document.body.classList.contains('closed') && curlfree.liveStatus.paused`)
	alive.NoFaults()
	// the other one finds out when it continues
	frozen.Do(page.HandleJavaScriptDialog(true))
	frozen.Until(`document.body.classList.contains('closed')`)
}
