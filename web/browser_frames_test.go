package web

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/web/webtest"
)

// pageFrame is a frame as the page's decoder reads it, as plain lists.
type pageFrame struct {
	Time     float64     `json:"time"`
	Poses    []float64   `json:"poses"`
	Verts    []float64   `json:"verts"`
	Fields   [][]float64 `json:"fields"`
	Contacts []struct {
		A, B         int
		Point, Force []float64
	} `json:"contacts"`
	Surfaces []struct {
		A, B                                             int
		Area, Normal, MaxPressure, MaxSlip               float64
		Force, Center, Corners, Pressure, Slip, CountsOf []float64
	} `json:"surfaces"`
}

// plain is the script that makes a pageFrame.
const plain = `curlfree.source.frame(%d).then(f => ({
	time: f.time, poses: [...f.poses], verts: [...f.verts[0]], fields: curlfree.scene.fields.map((_, i) => [...f.fields.get(i)[0]]),
	contacts: f.contacts.map(c => ({A: c.a, B: c.b, Point: [...c.point], Force: [...c.force]})),
	surfaces: f.surfaces.map(s => ({A: s.a, B: s.b, Area: s.area, Normal: s.normal, MaxPressure: s.maxPressure, MaxSlip: s.maxSlip,
		Force: [...s.force], Center: [...s.center], Corners: [...s.corners], Pressure: [...s.pressure], Slip: [...s.slip], CountsOf: [...s.counts]})),
}))`

// checkFrames compares what the page's decoder reads, forwards, backwards and across
// chunks, with what its twin in Go reads.
func checkFrames(t *testing.T, p *webtest.Tab, r *Run) {
	t.Helper()
	var want []*Decoded
	for j := range r.Chunks() {
		chunk, err := r.Chunk(j)
		if err != nil {
			t.Fatal(err)
		}
		for dec := newDecoder(r.Scene); len(chunk) > 0; {
			n := binary.LittleEndian.Uint32(chunk)
			f, err := dec.Decode(chunk[4 : 4+n])
			if err != nil {
				t.Fatal(err)
			}
			want, chunk = append(want, f), chunk[4+n:]
		}
	}
	for _, k := range []int{0, 7, 8, 3, 49, 32, 31, 50} {
		var got pageFrame
		p.Do(chromedp.Evaluate(fmt.Sprintf(plain, k), &got, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
		w := want[k]
		if got.Time != w.Time || len(got.Contacts) != len(w.Contacts) || len(got.Surfaces) != len(w.Surfaces) {
			t.Fatalf("frame %d: %+v, want %+v", k, got, w)
		}
		q := w.Poses[0].R.Quat()
		x := w.Poses[0].P
		same(t, "pose", got.Poses, x[0], x[1], x[2], q[0], q[1], q[2], q[3])
		var verts []float64
		for _, v := range w.Verts[0] {
			verts = append(verts, v[:]...)
		}
		same(t, "vertices", got.Verts, verts...)
		for i, values := range got.Fields {
			same(t, r.Scene.Fields[i].Name, values, w.Fields[i][0]...)
		}
		for i, c := range got.Contacts {
			v := w.Contacts[i]
			same(t, "contact", append(c.Point, c.Force...), append(v.Pos_W[:], v.Force_W[:]...)...)
			same(t, "bodies", []float64{float64(c.A), float64(c.B)}, float64(v.A), float64(v.B))
		}
		for i, s := range got.Surfaces {
			v := w.Surfaces[i]
			same(t, "surface", []float64{float64(s.A), float64(s.B), s.Area, s.Normal, s.MaxPressure, s.MaxSlip}, float64(v.A), float64(v.B), v.Area, v.Normal, v.MaxPressure, v.MaxSlip)
			same(t, "force", append(s.Force, s.Center...), append(v.Force_W[:], v.Center_W[:]...)...)
			same(t, "pressure", s.Pressure, v.Pressure...)
			same(t, "slip", s.Slip, v.Slip...)
			var corners, counts []float64
			for _, face := range v.Corners {
				counts = append(counts, float64(len(face)))
				for _, c := range face {
					corners = append(corners, c[:]...)
				}
			}
			same(t, "corners", s.Corners, corners...)
			same(t, "counts", s.CountsOf, counts...)
		}
	}
}

// same compares lists to the digits of float32.
func same(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-6*math.Max(1e-3, math.Abs(want[i])) {
			t.Fatalf("%s %d: %g, want %g", what, i, got[i], want[i])
		}
	}
}
