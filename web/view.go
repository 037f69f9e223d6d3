package web

import (
	"bytes"
	"compress/gzip"
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
	mu     sync.Mutex // one chunk is encoded at a time
	run    *Run
	scene  []byte
	signal []byte
	index  []byte
	page   []byte
}

// NewView returns a handler that serves a run, for a listener on a loopback address. The
// run is read while the handler answers; frames are read when they are asked for.
func NewView(r *Run) (http.Handler, error) {
	v := &view{run: r}
	var page bytes.Buffer
	if err := WritePage(&page, map[string]string{"kind": "http"}); err != nil {
		return nil, err
	}
	// made once: what does not change is answered from memory
	v.page = page.Bytes()
	for _, part := range []struct {
		to *[]byte
		of any
	}{{&v.scene, r.Scene}, {&v.signal, r.Signals}, {&v.index, struct {
		Chunk int       `json:"chunk"`
		Times []float64 `json:"times"`
	}{ChunkFrames, r.Times()}}} {
		text, err := json.Marshal(part.of)
		if err != nil {
			return nil, err
		}
		*part.to = text
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", v.send("text/html; charset=utf-8", v.page))
	mux.HandleFunc("GET /run.json", v.send("application/json", v.index))
	mux.HandleFunc("GET /scene.json", v.send("application/json", v.scene))
	mux.HandleFunc("GET /signals.json", v.send("application/json", v.signal))
	mux.HandleFunc("GET /frames/{chunk}", v.frames)
	return Loopback(mux), nil
}

// send answers with the same bytes.
func (v *view) send(kind string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { answer(w, r, kind, body) }
}

// answer writes a body, packed for browsers that unpack.
func answer(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(body) // an error means that the reader is gone
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // fails for levels that do not exist
	z.Write(body)
	z.Close()
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
// address or localhost and whose Origin, where there is one, has the same host and port.
// Others are answered with 403: pages of other sites, and names of other sites that lead
// to this machine. No answer is kept, guessed at or shown within other pages.
func Loopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsLoopback(r.Host) || !SameOrigin(r) {
			http.Error(w, "only pages of this program may ask", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		// a page of another site must not lay its own buttons over this one
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
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
