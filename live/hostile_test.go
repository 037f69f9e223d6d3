package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/curlfree/curlfree/web"
)

// rawClients opens connections, sends a text on each and reads nothing; their buffers are small, so that little waits
// in them.
func rawClients(t *testing.T, n int, host, text string) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.(*net.TCPConn).SetReadBuffer(2048)
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
	}
}

// counted is served, with what counts the connections of requests that the server keeps, those of WebSockets not among
// them.
func counted(t *testing.T, s *Session) (v *Server, address string, end func(), open func() int) {
	t.Helper()
	var mu sync.Mutex
	states := map[net.Conn]http.ConnState{}
	v, address, end = servedWith(t, s, ServerOptions{}, func(c net.Conn, state http.ConnState) {
		// a page is more than the buffers of small networks take
		if state == http.StateNew {
			c.(*net.TCPConn).SetWriteBuffer(1 << 14)
		}
		mu.Lock()
		defer mu.Unlock()
		states[c] = state
	})
	return v, address, end, func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, state := range states {
			if state != http.StateClosed && state != http.StateHijacked {
				n++
			}
		}
		return n
	}
}

// A live run that is visited at once by 200 requests whose bodies never come, 300 readers that do not read, 50 who say
// nothing and 50 who say half a word, 50 who stay after their answer, and 16 silent watchers serves others meanwhile,
// and is rid of all of them after 10 s; who answers stays.
func TestLiveRunsOutliveHostileClients(t *testing.T) {
	t.Parallel()
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	_, address, _, open := counted(t, s)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	watch := func() (*websocket.Conn, int) {
		c, answer, err := websocket.Dial(t.Context(), socket(address), nil)
		if err != nil {
			return nil, answer.StatusCode
		}
		t.Cleanup(func() { c.CloseNow() })
		c.SetReadLimit(1 << 24)
		return c, 0
	}
	// the one who answers
	good, _ := watch()
	frames := make(chan int, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		n := 0
		defer func() { frames <- n }()
		for {
			kind, b, err := good.Read(ctx)
			switch {
			case err != nil:
				return
			case kind == websocket.MessageBinary:
				n++
			case bytes.Contains(b, []byte(`"ping"`)):
				good.Write(ctx, websocket.MessageText, []byte(`{"do": "pong"}`))
			}
		}
	}()
	request := func(method, rest string) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s", method, u.RequestURI(), u.Host, rest)
	}
	began := time.Now()
	rawClients(t, 200, u.Host, request("POST", "Content-Length: 1000\r\n\r\n"))
	rawClients(t, 300, u.Host, request("GET", "\r\n"))
	rawClients(t, 50, u.Host, "")
	rawClients(t, 50, u.Host, request("GET", "Accept: "))
	rawClients(t, 50, u.Host, request("HEAD", "\r\n"))
	var silent []*websocket.Conn
	for range 15 {
		c, code := watch()
		if c == nil {
			t.Fatalf("watcher %d: %d", len(silent)+2, code)
		}
		silent = append(silent, c)
	}
	if _, code := watch(); code != http.StatusServiceUnavailable {
		t.Errorf("one watcher more than there may be: %d", code)
	}
	connected := time.Now()
	// others are served meanwhile
	for range 3 {
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !bytes.HasPrefix(page, []byte("<!doctype html>")) {
			t.Errorf("the page: %v, %.40s", err, page)
		}
	}
	// places of silent ones are free within 10 s, and two more for a machine with much to do
	for code := http.StatusServiceUnavailable; code != 0; time.Sleep(50 * time.Millisecond) {
		if _, code = watch(); time.Since(connected) > 12*time.Second {
			t.Fatalf("no place is free after %v: %d", time.Since(connected), code)
		}
	}
	t.Logf("a place after %v", time.Since(connected))
	http.DefaultClient.CloseIdleConnections() // those of this test's own requests
	// readers that do not read have their time from the last piece that the network took
	if n := open(); n < 600 && time.Since(began) < web.Patience-time.Second/2 {
		t.Errorf("%d requests wait: the test is too small", n)
	}
	for open() > 0 {
		if time.Since(connected) > web.Patience+3*time.Second {
			t.Fatalf("%d requests are there after %v", open(), time.Since(began))
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("no request after %v", time.Since(began))
	cancel()
	// 40 frames a second for twelve, less what a busy machine leaves out
	if n := <-frames; n < 50 {
		t.Errorf("who answers got %d frames", n)
	} else {
		t.Logf("who answers got %d frames in %v", n, time.Since(began))
	}
}
