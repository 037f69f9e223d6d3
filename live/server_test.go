package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/curlfree/curlfree/web"
)

// served serves a session as curlfree live does, and returns the address of its page, with the token, and what ends the
// server.
func served(t testing.TB, s *Session, opt ServerOptions) (v *Server, address string, end func()) {
	t.Helper()
	return servedWith(t, s, opt, nil)
}

// servedWith is served, and records what becomes of each connection.
func servedWith(t testing.TB, s *Session, opt ServerOptions, state func(net.Conn, http.ConnState)) (v *Server, address string, end func()) {
	t.Helper()
	v, err := NewServer(s, opt)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewUnstartedServer(nil)
	h.Config = web.NewServer(v.Handler())
	h.Config.ConnState = state
	h.Start()
	end = sync.OnceFunc(func() {
		v.Close()
		h.Close()
	})
	t.Cleanup(end)
	address = h.URL + "/"
	if v.Token() != "" {
		address += "?token=" + v.Token()
	}
	return v, address, end
}

// socket is the address of the WebSocket of a page.
func socket(page string) string {
	return strings.Replace(strings.Replace(page, "http", "ws", 1), "/?", "/ws?", 1)
}

// client is a page of a test.
type client struct {
	*websocket.Conn
	t     testing.TB
	scene map[string]any
}

// dial connects a page and reads the scene.
func dial(t testing.TB, address string) *client {
	t.Helper()
	c, _, err := websocket.Dial(context.Background(), socket(address), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(1 << 24)
	t.Cleanup(func() { c.CloseNow() })
	p := &client{c, t, nil}
	_, b := p.read()
	if err := json.Unmarshal(b, &p.scene); err != nil {
		t.Fatal(err)
	}
	return p
}

// read reads a message, and answers pings.
func (c *client) read() (websocket.MessageType, []byte) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		kind, b, err := c.Read(ctx)
		if err != nil {
			c.t.Fatal(err)
		}
		if bytes.Equal(b, ping) {
			c.write(`{"do": "pong"}`)
			continue
		}
		return kind, b
	}
}

// write sends a text.
func (c *client) write(text string) {
	c.t.Helper()
	if err := c.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// until reads until a message is as wanted.
func (c *client) until(good func(kind websocket.MessageType, b []byte) bool) {
	c.t.Helper()
	for {
		if good(c.read()) {
			return
		}
	}
}

// has reports whether a text message has a part.
func has(part string) func(websocket.MessageType, []byte) bool {
	return func(kind websocket.MessageType, b []byte) bool {
		return kind == websocket.MessageText && strings.Contains(string(b), part)
	}
}

// Two pages see the scene with its controls, frames and the status of the same run; what is wrong with a message of one
// is reported to it alone.
func TestPagesSeeOneRun(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	_, address, _ := served(t, s, ServerOptions{})
	p, q := dial(t, address), dial(t, address)
	live := p.scene["live"].(map[string]any)
	if len(live["values"].([]any)) != 1 || len(live["teleops"].([]any)) != 1 || live["step"] != 0.005 {
		t.Errorf("controls %v", live)
	}
	frame := func(kind websocket.MessageType, b []byte) bool { return kind == websocket.MessageBinary && b[0] == 'F' }
	p.until(frame)
	q.until(frame)
	p.write(`{"do": "pause"}`)
	q.until(has(`"paused":true`))
	p.write(`{"do": "fly"}`)
	p.until(has(`unknown command \"fly\"`))
	q.write(`{"input": {"set": {"name": "height", "value": 0.25}}}`)
	p.until(has(`"values":[0.25]`))
	p.write(`{"do": "fields", "fields": ["von_mises"]}`)
	p.write(`{"do": "step"}`)
	p.until(frame)
}

// The page and the WebSocket answer this machine's own pages alone; nothing else is there.
func TestStrangersGetNoAnswer(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	v, address, _ := served(t, s, ServerOptions{})
	token := "?token=" + v.Token()
	get := func(path string, change func(r *http.Request)) int {
		r, err := http.NewRequest("GET", strings.TrimSuffix(address, "/"+token)+path+token, nil)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	for _, path := range []string{"/", "/ws"} {
		if c := get(path, func(r *http.Request) { r.Host = "evil.example" }); c != http.StatusForbidden {
			t.Errorf("%s by another name: %d", path, c)
		}
		if c := get(path, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }); c != http.StatusForbidden {
			t.Errorf("%s from another page: %d", path, c)
		}
	}
	if c := get("/", func(*http.Request) {}); c != http.StatusOK {
		t.Errorf("the page: %d", c)
	}
	for _, path := range []string{"/scene.yaml", "/../go.mod", "/etc/passwd", "//etc/passwd", "/%2e%2e/go.mod", "/page/main.js"} {
		if c := get(path, func(*http.Request) {}); c != http.StatusNotFound && c != http.StatusMovedPermanently && c != http.StatusTemporaryRedirect {
			t.Errorf("%s: %d", path, c)
		}
	}
	_, _, err := websocket.Dial(context.Background(), socket(address), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://evil.example"}}})
	if err == nil {
		t.Error("a page of another site has a WebSocket")
	}
}

// A server wants its token for everything, for a network and for this machine; without a token only this machine's own
// names are answered, and never others.
func TestAddressesNeedTheToken(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	status := func(address, host string) int {
		t.Helper()
		r, err := http.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	seen := map[string]bool{}
	for name, opt := range map[string]ServerOptions{"this machine": {}, "a network": {Open: true}} {
		v, address, _ := served(t, s, opt)
		seen[v.Token()] = true
		bare := strings.TrimSuffix(address, "?token="+v.Token())
		for path, want := range map[string]int{
			"": http.StatusForbidden, "ws": http.StatusForbidden, "?token=" + v.Token()[1:]: http.StatusForbidden, "ws?token=": http.StatusForbidden,
			"?token=": http.StatusForbidden, "?token=" + v.Token(): http.StatusOK,
		} {
			if got := status(bare+path, ""); got != want {
				t.Errorf("%s, %s: %d, want %d", name, path, got, want)
			}
		}
		if got := status(address, "robot.example"); (got == http.StatusOK) != opt.Open {
			t.Errorf("%s, by another name of its host: %d", name, got)
		}
		dial(t, address)
	}
	if len(seen) != 2 {
		t.Errorf("tokens are used again: %v", seen)
	}
	_, address, _ := served(t, s, ServerOptions{NoToken: true})
	if got, other := status(address, ""), status(address, "robot.example"); got != http.StatusOK || other != http.StatusForbidden {
		t.Errorf("without a token: %d, and by another name %d", got, other)
	}
	if _, err := NewServer(s, ServerOptions{Open: true, NoToken: true}); err == nil {
		t.Error("a server for a network without a token")
	}
}

// Messages that are too large or too many end their connection, and nothing else.
func TestHostilePagesAreLeft(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 1})
	_, address, _ := served(t, s, ServerOptions{})
	good := dial(t, address)
	ends := func(c *client, what string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		for {
			if _, _, err := c.Read(ctx); err != nil {
				if ctx.Err() != nil {
					t.Errorf("%s: the connection stays open", what)
				}
				return
			}
		}
	}
	large := dial(t, address)
	large.Write(context.Background(), websocket.MessageText, make([]byte, MaxMessage+1))
	ends(large, "a large message")
	fast := dial(t, address)
	go func() {
		for fast.Write(context.Background(), websocket.MessageText, []byte(`{"do": "nothing"}`)) == nil {
		}
	}()
	ends(fast, "many messages")
	binary := dial(t, address)
	binary.Write(context.Background(), websocket.MessageBinary, []byte{1, 2, 3})
	binary.until(has("commands are text"))
	// as many pages as there may be
	for range maxViewers - 2 {
		dial(t, address)
	}
	if _, resp, err := websocket.Dial(context.Background(), socket(address), nil); err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one page more than there may be: %v", err)
	}
	good.until(func(kind websocket.MessageType, b []byte) bool { return kind == websocket.MessageBinary })
}

// What a client of the WebSocket itself sends counts as messages do: a flood of its pings ends its connection.
func TestPingsOfClientsAreCounted(t *testing.T) {
	t.Parallel()
	s, _ := started(t, bench, Options{Threads: 1, Paused: true})
	_, address, _ := served(t, s, ServerOptions{})
	c := dial(t, address)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	go func() {
		for {
			if _, _, err := c.Read(ctx); err != nil {
				return
			}
		}
	}()
	// answered while they are few
	if err := c.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 * burst {
		go c.Ping(ctx)
	}
	began := time.Now()
	leaves(t, s, 0, began)
	if took := time.Since(began); took > silence/2 {
		t.Errorf("it ends after %v", took)
	}
}

// A page that reads nothing does not slow the run: its network fills, and frames for it are left out.
func TestAStalledPageSlowsNothing(t *testing.T) {
	s, _ := started(t, bench, Options{Threads: 1, Speed: 0, FrameRate: MaxFrameRate})
	_, address, _ := served(t, s, ServerOptions{})
	stalled := dial(t, address)
	_ = stalled // it reads no more
	p := join(t, s)
	from := p.until("a frame", func(s *Snapshot) bool { return s.Step > 0 })
	began := time.Now()
	to := p.until("many steps", func(s *Snapshot) bool { return s.Step > from.Step+1000 })
	rate := float64(to.Step-from.Step) / time.Since(began).Seconds()
	if rate < 200 {
		t.Errorf("%g steps a second", rate)
	}
}

// All goroutines end with the server, also those of pages that hang.
func TestServersLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s, stop := started(t, bench, Options{Threads: 1, Speed: 0})
		_, address, end := served(t, s, ServerOptions{})
		for range 3 {
			dial(t, address).read()
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		end()
	}
	http.DefaultClient.CloseIdleConnections()
	for i := 0; runtime.NumGoroutine() > before+9 && i < 200; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	// clients of the test have one goroutine each, until they are closed
	if n := runtime.NumGoroutine(); n > before+9 {
		t.Errorf("%d goroutines more", n-before)
	}
}

// messages are texts as hostile pages may send them: commands with parts replaced, cut, repeated.
func messages(r *rand.Rand) []byte {
	seeds := []string{
		`{"do": "play"}`, `{"do": "jump", "time": 1}`, `{"do": "speed", "speed": 2}`, `{"do": "fields", "fields": ["von_mises"]}`, `{"do":"step"}`, `{"do":"reset"}`,
		`{"input": {"set": {"name": "height", "value": 0.25}}}`, `{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`,
		`{"input": {"drag": {"body": "bar", "vertex": 4, "target": [0, 0, 0.2], "stiffness": 50}}}`, `{"input": {"drag": {}}}`,
		`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5], "gripper": 1}}}`, `{"input": {}}`, `null`, `[]`,
	}
	b := []byte(seeds[r.IntN(len(seeds))])
	for range r.IntN(4) {
		i := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b[i] = byte(r.IntN(256))
		case 1:
			b = b[:i+1]
		case 2:
			b = append(b[:i], append([]byte(`1e308`), b[i:]...)...)
		case 3:
			b = append(b, b[i:]...)
		case 4:
			b = append(b[:i], append([]byte(fmt.Sprint(r.NormFloat64()*1e3)), b[i:]...)...)
		}
	}
	return b
}

// Whatever a page sends, the run continues and no memory is kept. CURLFREE_LONG sends a million messages.
func TestHostileMessagesStopNothing(t *testing.T) {
	n := 20_000
	if os.Getenv("CURLFREE_LONG") != "" {
		n = 1_000_000
	}
	s, stop := started(t, bench, Options{Threads: 1, Speed: 0})
	v, err := NewServer(s, ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{viewer: join(t, s).Viewer, encoder: web.NewEncoder(v.scene)}
	r := rand.New(rand.NewPCG(20261123, 0))
	for range n {
		if err := p.hear(context.Background(), messages(r)); err != nil {
			t.Fatal(err)
		}
		select {
		case <-p.viewer.Notices():
		default:
		}
	}
	q := join(t, s)
	q.say(`{"do": "speed", "speed": 0}`) // any other may have been chosen
	q.say(`{"do": "reset"}`)
	q.say(`{"do": "play"}`)
	q.until("steps", func(s *Snapshot) bool { return s.Step > 3 && s.Status.Failure == "" })
	stop()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 200<<20 {
		t.Errorf("%d MB are in use", m.HeapAlloc>>20)
	}
}

// FuzzCommand lets Go's fuzzer look for messages that a session cannot handle.
func FuzzCommand(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add(messages(r))
	}
	s, err := NewSession(load(f, bench), Options{Threads: 1, Paused: true})
	if err != nil {
		f.Fatal(err)
	}
	v := &Viewer{session: s, wake: make(chan struct{}, 1), notices: make(chan string, 8)}
	f.Fuzz(func(t *testing.T, message []byte) {
		c, err := ParseCommand(message)
		if err != nil {
			return
		}
		s.obey(request{viewer: v, command: c})
		s.begin(s.past.back(0))
		if err := s.stepper.Step(s.x, s.h); err != nil {
			t.Fatalf("%s: %v", message, err)
		}
		s.begin(s.past.back(0))
	})
}

// Signals that a scene scales have the unit that their name says, as in charts of recorded runs; pure numbers have
// none.
func TestScaledSignalsHaveUnits(t *testing.T) {
	s, _ := started(t, strings.Replace(bench, "signals: {z: {body: ball, position: z}}",
		"signals: {z: {body: ball, position: z}, z_mm: {body: ball, position: z, scale: 1000}, touching: {count: contacts}}", 1), Options{Threads: 1, Paused: true})
	_, address, _ := served(t, s, ServerOptions{})
	got := map[string]any{}
	for _, x := range dial(t, address).scene["signals"].([]any) {
		x := x.(map[string]any)
		got[x["name"].(string)] = x["unit"]
	}
	for name, want := range map[string]string{"z": "m", "z_mm": "mm", "touching": ""} {
		if unit, _ := got[name].(string); unit != want {
			t.Errorf("%s is in %q, want %q", name, unit, want)
		}
	}
}
