package live

// A server shows a session to browsers. It answers with the page and with a WebSocket, and with nothing else: no
// request names a file. What it refuses:
//
//	hosts      names that lead to this machine but are not its own (DNS rebinding), web.Loopback
//	origins    pages of other sites, for the page and the WebSocket alike
//	strangers  without the token of the address, other programs and users of this machine among them
//	messages   larger than MaxMessage, or more than maxRate in a second: the connection is closed
//	silence    of longer than the constant of this name: pages answer pings, frozen ones do not
//	viewers    more than maxViewers
//
// A viewer has two goroutines: one reads commands, one writes frames. The latter takes the newest snapshot whenever the
// network took the last one and the viewer has answered the last ping, so that a slow network or page costs frames and
// no step. Pings are messages of their own, {"ping": true}, not those of the WebSocket, which a browser answers for a
// page that is frozen.

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/web"
)

const (
	// maxRate is the number of messages a second that a viewer may send on average, and burst that at once.
	maxRate, burst = 240, 480
	// writeTimeout ends the connection of a viewer whose network takes nothing.
	writeTimeout = 10 * time.Second
	// silence ends the connection of a viewer that says nothing, though it is asked every idlePeriod or more often: its
	// place is free within 10 s, also where the silence began just after a word.
	silence    = 9 * time.Second
	idlePeriod = time.Second
	// pingPeriod is the least time between two pings. A viewer that has not answered for maxLead gets no frames until
	// it does: else those that a slow page cannot take would wait in buffers of the network, seconds of them, with the
	// ping behind.
	pingPeriod = 100 * time.Millisecond
	maxLead    = 250 * time.Millisecond
	// tokenBytes are unguessable.
	tokenBytes = 18
)

// Server shows a session to browsers.
type Server struct {
	session *Session
	token   string // that addresses must have; empty: none
	open    bool   // to any host
	// silence is that of the constant; tests of other things give browsers more.
	silence time.Duration
	// page is the same for all viewers.
	page  http.Handler
	hello []byte // scene, the first message
	// scene names what frames carry, in the order of the encoder.
	scene *web.Scene
	// viewers counts open connections, for Close; mu keeps it from counting on after Close.
	viewers sync.WaitGroup
	mu      sync.Mutex
	// close ends ctx, from which the contexts of connections come
	close context.CancelFunc
	ctx   context.Context
}

// ServerOptions are the settings of a server.
type ServerOptions struct {
	// Open takes requests by any name of host, of whoever reaches the listener, who needs the token. Else only this
	// machine's own names are answered.
	Open bool
	// NoToken answers requests without a token; not together with Open.
	NoToken bool
}

// NewServer returns a server of a session.
func NewServer(s *Session, opt ServerOptions) (*Server, error) {
	if opt.Open && opt.NoToken {
		return nil, errors.New("a server that others can reach needs a token: they could steer the run")
	}
	names, units := s.scene.Signals.Names(), s.scene.Signals
	// live pages have no table: their signals come with each frame
	var signals []web.Signal
	for i, name := range names {
		signals = append(signals, web.Signal{Name: name, Unit: chartUnit(name, units.Unit(i))})
	}
	v := &Server{session: s, open: opt.Open, silence: silence, scene: web.NewScene(s.scene.Static, &s.first, signals, StatNames())}
	// other users and programs of this machine can reach the address, too: only who has the token may steer
	if !opt.NoToken {
		b := make([]byte, tokenBytes)
		rand.Read(b) // never fails
		v.token = base64.RawURLEncoding.EncodeToString(b)
	}
	var err error
	// made once, since all viewers get the same scene
	if v.hello, err = s.hello(v.scene); err != nil {
		return nil, err
	}
	if v.page, err = web.NewPage(map[string]string{"kind": "live"}); err != nil {
		return nil, err
	}
	v.ctx, v.close = context.WithCancel(context.Background())
	return v, nil
}

// chartUnit returns the unit of a signal in charts. The scene scaled a signal without a unit, so that its name alone
// can say, as insertion_mm does; pure numbers have none.
func chartUnit(name, unit string) string {
	if unit == "" || unit == "1" {
		unit, _ = render.Unit(name)
	}
	return unit
}

// Token is what the query of the page's address must have as token; empty: nothing.
func (v *Server) Token() string { return v.token }

// Close ends the connections of all viewers.
func (v *Server) Close() {
	v.mu.Lock()
	v.close()
	v.mu.Unlock()
	v.viewers.Wait()
}

// Handler answers the requests of browsers.
func (v *Server) Handler() http.Handler {
	// two addresses, and 404 for all others
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", v.page)
	mux.HandleFunc("GET /ws", v.connect)
	var handler http.Handler = mux
	if v.token != "" {
		handler = v.guarded(mux)
	}
	if v.open {
		return web.OwnPages(handler)
	}
	return web.Loopback(handler)
}

// guarded passes on requests with the token.
func (v *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// a comparison in constant time reveals nothing of the token
		given := r.URL.Query().Get("token")
		if subtle.ConstantTimeCompare([]byte(given), []byte(v.token)) != 1 {
			http.Error(w, "the address of the page has a token: use the one that curlfree live printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// enter counts a connection, unless the server is closed.
func (v *Server) enter() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ctx.Err() != nil {
		return false
	}
	v.viewers.Add(1)
	return true
}

// connect serves a viewer until one of both ends it.
func (v *Server) connect(w http.ResponseWriter, r *http.Request) {
	// the session may refuse a viewer, such as after its end
	viewer, err := v.session.Join()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer viewer.Leave()
	// an encoder for each viewer: differences depend on the frames that it got
	p := &peer{viewer: viewer, silence: v.silence, encoder: web.NewEncoder(v.scene), rate: rate.NewLimiter(maxRate, burst)}
	p.encoder.SetFields()
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	// frames pack little and often: compression would cost more than it saves
	p.conn, err = websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled,
		OnPingReceived: func(context.Context, []byte) bool {
			// the end of ctx closes the connection
			if !p.rate.Allow() {
				cancel()
			}
			return ctx.Err() == nil
		},
	})
	if err != nil {
		return // Accept has answered
	}
	if !v.enter() {
		p.conn.Close(websocket.StatusGoingAway, "the run has ended")
		return
	}
	defer v.viewers.Done()
	defer p.conn.CloseNow()
	p.conn.SetReadLimit(MaxMessage)
	// a page answers when it has the scene: silence before that is not its own
	if p.send(ctx, websocket.MessageText, v.hello) != nil {
		return
	}
	// reading and writing block apart; the first to end stops the other
	go func() {
		defer cancel()
		p.read(ctx)
	}()
	p.write(ctx)
	p.conn.Close(websocket.StatusNormalClosure, "")
}

// peer is the connection of a viewer.
type peer struct {
	viewer *Viewer
	conn   *websocket.Conn
	// rate counts messages, and pings of the WebSocket: a page may catch up after a pause.
	rate *rate.Limiter

	// silence is the longest between two messages of the viewer.
	silence time.Duration
	// waiting is set from a ping to its answer.
	waiting atomic.Bool

	mu      sync.Mutex // of the encoder, whose fields commands choose
	encoder *web.Encoder
}

// read reads commands until the connection ends. What is no command is answered with a notice; who sends more than
// anybody can, or nothing, is left.
func (p *peer) read(ctx context.Context) {
	for {
		kind, message, err := p.next(ctx)
		if err != nil {
			return
		}
		if !p.rate.Allow() {
			p.conn.Close(websocket.StatusPolicyViolation, "too many messages")
			return
		}
		// a hint for who writes a client of his own; the connection stays
		if kind != websocket.MessageText {
			p.viewer.notify("commands are text")
			continue
		}
		if p.hear(ctx, message) != nil {
			return
		}
	}
}

// next reads a message, which comes within the silence that a viewer may keep.
func (p *peer) next(ctx context.Context) (websocket.MessageType, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, p.silence)
	defer cancel()
	return p.conn.Read(ctx)
}

// hear does what a message says. The error is that of a session or connection that has ended.
func (p *peer) hear(ctx context.Context, message []byte) error {
	c, err := ParseCommand(message)
	switch {
	case err != nil:
		p.viewer.notify(err.Error())
		return nil
	// all frames before the ping were taken
	case c.Do == DoPong:
		p.waiting.Store(false)
		p.viewer.wakeUp()
		return nil
	// fields concern only what this viewer is sent, not the session
	case c.Do == DoFields:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.encoder.SetFields(c.Fields...)
		// the next frame needs the new fields as a whole
		p.encoder.Key()
		return nil
	}
	return p.viewer.Send(ctx, c)
}

// ping is what pages answer, see DoPong.
var ping = []byte(`{"ping":true}`)

// write writes frames, notices, changes of the status and pings, until the connection ends.
func (p *peer) write(ctx context.Context) {
	tick := time.NewTicker(pingPeriod)
	defer tick.Stop()
	// the revision of the status that the viewer has
	revision, first := uint64(0), true
	// asked is the time of the last ping; frames have been sent since
	asked, frames := time.Now(), false
	for {
		since := time.Since(asked)
		if !p.waiting.Load() && (since >= idlePeriod || frames && since >= pingPeriod) {
			// set before the answer can come
			p.waiting.Store(true)
			asked, frames, since = time.Now(), false, 0
			if p.send(ctx, websocket.MessageText, ping) != nil {
				return
			}
		}
		// notices first: they explain the frame that follows
		if p.sendNotices(ctx) != nil {
			return
		}
		var shot *Snapshot
		if !p.waiting.Load() || since < maxLead {
			var err error
			if shot, err = p.viewer.newest(); err != nil {
				return
			}
		}
		// nothing new, or nothing that would be taken: sleep until the session or an answer wakes the viewer
		if shot == nil {
			select {
			case <-p.viewer.wake:
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			continue
		}
		status := shot.Status
		// commands may choose other fields meanwhile
		p.mu.Lock()
		frame := p.encoder.Frame(&shot.Frame, &web.Numbers{Step: uint32(shot.Step), Signals: shot.Signals, Stats: shot.Stats})
		p.mu.Unlock()
		// the frame is packed: the snapshot can be filled again
		p.viewer.Release(shot)
		if first || status.revision != revision {
			first, revision = false, status.revision
			if p.sendJSON(ctx, map[string]any{"status": &status}) != nil {
				return
			}
		}
		if p.send(ctx, websocket.MessageBinary, frame) != nil {
			return
		}
		frames = true
	}
}

// sendNotices sends what waits for this viewer.
func (p *peer) sendNotices(ctx context.Context) error {
	for {
		select {
		case text := <-p.viewer.Notices():
			if err := p.sendJSON(ctx, map[string]string{"error": text}); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// sendJSON sends a text.
func (p *peer) sendJSON(ctx context.Context, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.send(ctx, websocket.MessageText, b)
}

// send sends a message within the time that a network may take.
func (p *peer) send(ctx context.Context, kind websocket.MessageType, b []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return p.conn.Write(ctx, kind, b)
}
