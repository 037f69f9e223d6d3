package web

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// Charts of many rows keep each column's peaks, in their order in time.
func TestChartsKeepPeaks(t *testing.T) {
	const n = 100_000
	table := &record.Table{Columns: []string{"time_s", "force_N", "angle"}, Data: make([][]float64, 3)}
	for i := range n {
		force := 1.0
		switch i {
		case 33_333:
			force = 50
		case 77_777:
			force = -20
		}
		table.Data[0] = append(table.Data[0], float64(i)*1e-3)
		table.Data[1] = append(table.Data[1], force)
		table.Data[2] = append(table.Data[2], math.Sin(float64(i)*1e-3))
	}
	c := newColumns(table, map[string]string{"angle": "rad"})
	if len(c.Time) > chartRows+2 || len(c.Time) != len(c.Values[0]) || len(c.Time) != len(c.Values[1]) {
		t.Fatalf("%d rows of %d", len(c.Time), n)
	}
	if c.Columns[0] != (Signal{"force_N", "N"}) || c.Columns[1] != (Signal{"angle", "rad"}) {
		t.Errorf("columns %v", c.Columns)
	}
	var top, low float32
	for i, v := range c.Values[0] {
		if v == 50 && math.Abs(float64(c.Time[i])-33.333) > 0.08 {
			t.Errorf("the peak stands at %g s", c.Time[i])
		}
		top, low = max(top, v), min(low, v)
		if i > 0 && c.Time[i] < c.Time[i-1] {
			t.Fatalf("time runs back at row %d", i)
		}
	}
	if top != 50 || low != -20 {
		t.Errorf("from %g to %g, want -20 to 50", low, top)
	}
}

// Few rows are given as they are.
func TestShortChartsAreComplete(t *testing.T) {
	c := newColumns(&record.Table{Columns: []string{"time_s", "x"}, Data: [][]float64{{0, 1, 2}, {5, 7, 6}}}, nil)
	if len(c.Time) != 3 || c.Values[0][1] != 7 || c.Values[0][2] != 6 {
		t.Errorf("%v %v", c.Time, c.Values)
	}
}

// Every chunk begins with a key frame and has the frames of the recording.
func TestChunksAreReadByThemselves(t *testing.T) {
	r := browserRun(t)
	k := 0
	for j := range r.Chunks() {
		chunk, err := r.Chunk(j)
		if err != nil {
			t.Fatal(err)
		}
		dec := newDecoder(r.Scene)
		for len(chunk) > 0 {
			n := binary.LittleEndian.Uint32(chunk)
			f, err := dec.Decode(chunk[4 : 4+n])
			if err != nil {
				t.Fatal(err)
			}
			if f.Time != r.Times()[k] {
				t.Fatalf("frame %d at %g s", k, f.Time)
			}
			compareBodies(t, r.Scene, r.rec.At(k), f)
			chunk, k = chunk[4+n:], k+1
		}
	}
	if k != 51 {
		t.Errorf("%d frames", k)
	}
}

// A page gives up fields, then digits, then frames, and says what it has; where the page
// and the scene alone are larger, it says so.
func TestPagesStayBelowTheSizeAskedFor(t *testing.T) {
	r := browserRun(t)
	write := func(limit int) (*Detail, int, error) {
		var n counter
		d, err := HTML(&n, r, limit)
		return d, int(n), err
	}
	full, size, err := write(0)
	if err != nil || full.Bytes != size || full.Frames != 51 || full.Stride != 1 || len(full.Fields) != len(r.Scene.Fields) {
		t.Fatalf("%+v of %d bytes: %v", full, size, err)
	}
	// limits between the largest page and the smallest
	_, _, err = write(1000)
	if err == nil || !strings.Contains(err.Error(), "the smallest file has") {
		t.Fatalf("a page of 1000 bytes: %v", err)
	}
	last := full
	for limit := size - 1; ; limit = last.Bytes - 1 {
		d, size, err := write(limit)
		if err != nil {
			break
		}
		if size > limit || d.Bytes != size || d.Frames > last.Frames || len(d.Fields) > len(last.Fields) || d.Quantum < last.Quantum {
			t.Fatalf("limit %d: %+v, %d bytes", limit, d, size)
		}
		last = d
	}
	if last.Frames > 2 || len(last.Fields) != 1 || last.Fields[0] != "von_mises" {
		t.Errorf("the smallest page is %+v", last)
	}
	if r.stride != 1 || len(r.Scene.Fields) == 1 {
		t.Error("the run was changed")
	}
}

// The server answers its own page alone: other hosts, other origins, other methods and
// names of files get nothing.
func TestViewsAnswerOwnPagesOnly(t *testing.T) {
	h, err := NewView(browserRun(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, host, origin string
		want                       int
	}{
		{"GET", "/", "127.0.0.1:80", "", 200},
		{"GET", "/scene.json", "localhost:80", "http://localhost:80", 200},
		{"GET", "/frames/1", "[::1]:80", "", 200},
		{"GET", "/frames/2", "127.0.0.1:80", "", 404},
		{"GET", "/frames/-1", "127.0.0.1:80", "", 404},
		{"GET", "/frames/x", "127.0.0.1:80", "", 404},
		{"GET", "/run.html", "127.0.0.1:80", "", 404},
		{"GET", "/frames/..%2f..%2fetc%2fpasswd", "127.0.0.1:80", "", 404},
		{"POST", "/scene.json", "127.0.0.1:80", "", 405},
		{"GET", "/scene.json", "evil.example:80", "", 403},
		{"GET", "/scene.json", "127.0.0.1.evil.example", "", 403},
		{"GET", "/scene.json", "127.0.0.1:80", "http://evil.example", 403},
		{"GET", "/scene.json", "127.0.0.1:80", "http://127.0.0.1:81", 403},
		{"GET", "/scene.json", "127.0.0.1:80", "null", 403},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s %s at %s from %q: %d, want %d", c.method, c.path, c.host, c.origin, w.Code, c.want)
		}
	}
}

// Answers are packed for readers that say they unpack, and the same without.
func TestAnswersArePackedForThoseWhoUnpack(t *testing.T) {
	run := browserRun(t)
	s := served(t, run)
	want, err := run.Chunk(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, plain := range []bool{false, true} {
		client := &http.Client{Transport: &http.Transport{DisableCompression: plain}}
		answer, err := client.Get(s.URL + "/frames/0")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !bytes.Equal(got, want) || answer.Uncompressed == plain {
			t.Errorf("plain %v: %d bytes, want %d, unpacked %v: %v", plain, len(got), len(want), answer.Uncompressed, err)
		}
	}
}

// served returns a server of the pages of a run.
func served(t *testing.T, run *Run) *httptest.Server {
	h, err := NewView(run)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
