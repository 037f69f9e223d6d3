package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// How pages are served: with a limit on every wait, and with headers that forbid browsers all that a page does not
// need.

// Patience is how long a server waits for the next word of a request, for its whole, for a reader that takes nothing,
// and for the next request of a connection.
const Patience = 10 * time.Second

// NewServer returns a server in which no request and no silence is longer than Patience. WebSockets, which a handler
// takes over, have limits of their own.
func NewServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, MaxHeaderBytes: 1 << 16,
		ReadHeaderTimeout: Patience, ReadTimeout: Patience, WriteTimeout: Patience, IdleTimeout: Patience,
	}
}

// pieces of an answer, bytes, each of which a reader has to take within Patience.
const pieces = 1 << 16

// patientWriter writes an answer whose reader may be slow, but not silent: the time that the server allows for a whole
// answer begins again with each piece.
type patientWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newPatientWriter(w http.ResponseWriter) *patientWriter {
	return &patientWriter{w, http.NewResponseController(w)}
}

// Write implements io.Writer.
func (p *patientWriter) Write(b []byte) (n int, err error) {
	for err == nil && n < len(b) {
		// writers of tests have no deadlines
		_ = p.control.SetWriteDeadline(time.Now().Add(Patience))
		var k int
		k, err = p.w.Write(b[n:min(len(b), n+pieces)])
		n += k
	}
	return n, err
}

// unpacks reports whether a browser unpacks gzip.
func unpacks(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") }

// constant returns a handler that answers with the same bytes, packed once for browsers that unpack.
func constant(kind string, body []byte) http.HandlerFunc {
	packed := sync.OnceValue(func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(body) // a buffer takes everything
		z.Close()
		return b.Bytes()
	})
	return func(w http.ResponseWriter, r *http.Request) {
		b := body
		w.Header().Set("Content-Type", kind)
		if unpacks(r) {
			w.Header().Set("Content-Encoding", "gzip")
			b = packed()
		}
		newPatientWriter(w).Write(b) // an error means that the reader is gone
	}
}

// answer writes a body, packed for browsers that unpack.
func answer(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	out := newPatientWriter(w)
	if !unpacks(r) {
		out.Write(body) // an error means that the reader is gone
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z, _ := gzip.NewWriterLevel(out, gzip.BestSpeed) // fails for levels that do not exist
	z.Write(body)
	z.Close()
}

// NewPage returns a handler that answers with the page, see WritePage.
func NewPage(config any) (http.Handler, error) {
	var page bytes.Buffer
	if err := WritePage(&page, config); err != nil {
		return nil, err
	}
	return constant("text/html; charset=utf-8", page.Bytes()), nil
}

// policy is the Content-Security-Policy of pages: the script and the styles of the bundle, known by their digests, and
// what this server answers; nothing else is run, loaded or asked, and no other page may show this one.
var policy = sync.OnceValue(func() string {
	return "default-src 'none'; script-src " + source(`<script type="module">`, "</script>") + "; style-src " + source("<style>", "</style>") +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

// source names the text between two tags of the bundle by its digest, as policies do.
func source(begin, end string) string {
	// the last one: comments of the bundle stand before it
	_, text, _ := bytes.Cut(bundle[bytes.LastIndex(bundle, []byte(begin)):], []byte(begin))
	text, _, _ = bytes.Cut(text, []byte(end))
	digest := sha256.Sum256(text)
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(digest[:]))
}

// OwnPages passes on requests whose Origin, where there is one, has the host and port that they ask; pages of other
// sites are answered with 403. No answer is kept, guessed at or shown within other pages, and pages do only what policy
// allows.
func OwnPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy())
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		// a page of another site must not lay its own buttons over this one
		h.Set("X-Frame-Options", "DENY")
		// the address may have a token
		h.Set("Referrer-Policy", "no-referrer")
		if !SameOrigin(r) {
			refuse(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse answers a request of another site.
func refuse(w http.ResponseWriter) {
	http.Error(w, "only pages of this program may ask", http.StatusForbidden)
}
