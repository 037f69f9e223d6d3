package web

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// The server of a recorded run, for one machine. It answers with the page, the run's
// scene, its signals and its frames in chunks, and with nothing else: no request names a
// file. Pages of other sites get no answer: browsers say in Origin who asks, and in Host
// whom they believe to ask.

// view serves a run.
type view struct {
	mu  sync.Mutex // one chunk is encoded at a time
	run *Run
}

// NewView returns a handler that serves a run, for a listener on a loopback address. The
// run is read while the handler answers; frames are read when they are asked for.
func NewView(r *Run) (http.Handler, error) {
	v, mux := &view{run: r}, http.NewServeMux()
	page, err := NewPage(map[string]string{"kind": "http"})
	if err != nil {
		return nil, err
	}
	mux.Handle("GET /{$}", page)
	// made once: what does not change is answered from memory
	for path, of := range map[string]any{"/scene.json": r.Scene, "/signals.json": r.Signals, "/run.json": struct {
		Chunk int       `json:"chunk"`
		Times []float64 `json:"times"`
	}{ChunkFrames, r.Times()}} {
		text, err := json.Marshal(of)
		if err != nil {
			return nil, err
		}
		mux.HandleFunc("GET "+path, constant("application/json", text))
	}
	mux.HandleFunc("GET /frames/{chunk}", v.frames)
	return Loopback(mux), nil
}

// frames answers with a chunk.
func (v *view) frames(w http.ResponseWriter, r *http.Request) {
	// a number and nothing else, so that no path is read
	j, err := strconv.Atoi(r.PathValue("chunk"))
	if err != nil || j < 0 || j >= v.run.Chunks() {
		http.Error(w, "no such frames", http.StatusNotFound)
		return
	}
	v.mu.Lock()
	chunk, err := v.run.Chunk(j)
	v.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, r, "application/octet-stream", chunk)
}

// Loopback passes on requests of this machine's own pages: those whose Host is a loopback
// address or localhost, from pages of the same host and port, see OwnPages. Others are answered
// with 403: pages of other sites, and names of other sites that lead to this machine.
func Loopback(next http.Handler) http.Handler {
	return OwnPages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsLoopback(r.Host) {
			refuse(w)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// IsLoopback reports whether a host, with or without a port, is this machine by an
// address or as localhost.
func IsLoopback(host string) bool {
	// addresses in brackets are those of IPv6
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	// names besides localhost may lead anywhere, whatever they resolve to now
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// SameOrigin reports whether a request comes from a page of the same host and port, or
// from no page.
func SameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	// "null", of pages from disk and sandboxes, has no host
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && u.Host == r.Host
}
