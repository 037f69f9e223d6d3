package render

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// extent is the part of the picture, from −1 to 1, that some points take.
func extent(v *view, pts []r3.Vec) rect {
	e := rect{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, p := range pts {
		c := v.matrix.MulPositionW(vector(p))
		x, y := c.X/c.W, c.Y/c.W
		e = rect{math.Min(e.left, x), math.Max(e.right, x), math.Min(e.bottom, y), math.Max(e.top, y)}
	}
	return e
}

// automatic is the automatic camera for a recording.
func automatic(t *testing.T, rec *record.Recording, size [2]int) *Painter {
	t.Helper()
	opt := small(t, rec)
	opt.Size = size
	return painter(t, rec, opt)
}

// The automatic camera makes the subject as large as the frame allows: it touches two
// opposite sides and stays inside of the others.
func TestAutomaticCameraFillsThePicture(t *testing.T) {
	for _, size := range []r3.Vec{{1, 1, 1}, {4, 0.2, 0.2}, {0.2, 0.2, 3}, {1e-3, 2e-3, 1e-3}, {300, 200, 50}} {
		for _, pixels := range [][2]int{{1280, 960}, {640, 640}, {400, 900}} {
			rec := still(100*size.Norm(), body{mesh: box(size), at: r3.Vec{3, -2, 7}})
			rec.Static.Title = "A box"
			p := automatic(t, rec, pixels)
			f := pictureFrame(rec, &p.opt)
			var pts []r3.Vec
			for _, v := range box(size).Verts {
				pts = append(pts, v.Add(r3.Vec{3, -2, 7}))
			}
			e := extent(p.view, pts)
			const tol = 1e-6
			if e.left < f.left-tol || e.right > f.right+tol || e.bottom < f.bottom-tol || e.top > f.top+tol {
				t.Errorf("%v in %v: the box is at %+v, outside of %+v", size, pixels, e, f)
			}
			wide := math.Abs(e.left-f.left) < tol && math.Abs(e.right-f.right) < tol
			high := math.Abs(e.bottom-f.bottom) < tol && math.Abs(e.top-f.top) < tol
			if !wide && !high {
				t.Errorf("%v in %v: the box is at %+v, room is %+v", size, pixels, e, f)
			}
		}
	}
}

// Ground does not change what the automatic camera shows.
func TestAutomaticCameraIgnoresGround(t *testing.T) {
	with, without := still(1000, body{mesh: icosphere(1)}), still(0, body{mesh: icosphere(1)})
	a, b := automatic(t, with, [2]int{320, 240}).view, automatic(t, without, [2]int{320, 240}).view
	if a.eye != b.eye || a.target != b.target {
		t.Errorf("eye %v, without ground %v", a.eye, b.eye)
	}
	bare := still(2)
	if v := automatic(t, bare, [2]int{320, 240}).view; !v.eye.IsFinite() || v.eye.Norm() > 100 {
		t.Errorf("ground alone is seen from %v", v.eye)
	}
}

// moving returns a recording in which the first body moves by d, the others stand.
func moving(d r3.Vec, bodies ...body) *record.Recording {
	rec := still(0, bodies...)
	next := rec.Frames[0]
	next.Time = 1
	next.Poses = slices.Clone(next.Poses)
	next.Poses[0].P = next.Poses[0].P.Add(d)
	rec.Frames = append(rec.Frames, next)
	return rec
}

// Of bodies at rest the automatic camera frames those near what moves.
func TestAutomaticCameraFramesWhatMovesAndWhatIsNear(t *testing.T) {
	mover, near, far := body{mesh: icosphere(1)}, body{mesh: box(r3.Vec{1, 1, 1}), at: r3.Vec{0, 0, -1.5}}, body{mesh: box(r3.Vec{90, 90, 1}), at: r3.Vec{0, 0, -3}}
	rec := moving(r3.Vec{1, 0, 0}, mover, near, far)
	wanted := subject(rec)
	for i, want := range []bool{true, true, false} {
		if got := wanted(&rec.Static.Geoms[i]); got != want {
			t.Errorf("body %d is part of the subject: %t, want %t", i, got, want)
		}
	}
	if wanted := subject(still(0, mover, far)); !wanted(&rec.Static.Geoms[0]) || !wanted(&rec.Static.Geoms[2]) {
		t.Error("where nothing moves, a body is no part of the subject")
	}
	// the whole path is in the picture
	v := automatic(t, rec, [2]int{320, 240}).view
	var pts []r3.Vec
	for _, p := range icosphere(1).Verts {
		pts = append(pts, p, p.Add(r3.Vec{1, 0, 0}))
	}
	if e := extent(v, pts); e.left < -1 || e.right > 1 || e.bottom < -1 || e.top > 1 {
		t.Errorf("the path takes %+v", e)
	}
}

// A scale of colours takes room at the right, a title at the top.
func TestLegendsTakeRoomFromTheSubject(t *testing.T) {
	rec := grip(3)
	opt := small(t, rec)
	opt.Size = [2]int{1280, 960}
	p := painter(t, rec, opt)
	with := pictureFrame(rec, &p.opt)
	p.opt.Field = "none"
	without := pictureFrame(rec, &p.opt)
	if !(with.right < without.right-0.1) || with.top != without.top {
		t.Errorf("with a scale %+v, without %+v", with, without)
	}
	rec.Static.Title = ""
	if bare := pictureFrame(rec, &p.opt); !(bare.top > without.top) {
		t.Errorf("without a title %+v, with one %+v", bare, without)
	}
}

// The extremes of a cloud of points bound it in all directions within a few percent.
func TestExtremesBoundTheirPoints(t *testing.T) {
	m := icosphere(3)
	e := extremes(m.Verts)
	if len(e) > 98 {
		t.Errorf("%d extremes", len(e))
	}
	for _, d := range m.Verts {
		most := 0.0
		for _, p := range e {
			most = math.Max(most, p.Dot(d))
		}
		if most < 0.955 {
			t.Errorf("towards %v the extremes reach %g of 1", d, most)
		}
	}
	if few := box(r3.Vec{1, 1, 1}).Verts; len(extremes(few)) != 8 {
		t.Error("few points are not all extremes")
	}
}

// Views along up, of one point and from the target still give pictures.
func TestDegenerateViewsAreCorrected(t *testing.T) {
	for name, rec := range map[string]*record.Recording{
		"a point": still(0, body{mesh: &meshes.Tri{Verts: []r3.Vec{{}, {}, {}}, Tris: [][3]int32{{0, 1, 2}}}}),
		"a box":   still(0, body{mesh: box(r3.Vec{1, 1, 1})}),
	} {
		up := r3.Vec{0, 0, 1}
		for _, change := range []func(*Options){
			func(*Options) {}, func(o *Options) { o.Camera = &r3.Vec{0, 0, 9} }, func(o *Options) { o.Target = &r3.Vec{0, 0, 0} },
			func(o *Options) { o.Camera = &r3.Vec{} }, func(o *Options) { o.Up = &up; o.Camera = &r3.Vec{0, 0, -5} },
		} {
			opt := small(t, rec)
			change(&opt)
			v := painter(t, rec, opt).view
			c := v.matrix.MulPositionW(vector(v.target))
			if !v.eye.IsFinite() || v.eye == v.target || math.Abs(c.X) > 1e-9 || math.Abs(c.Y) > 1e-9 || !(c.W > 0) {
				t.Errorf("%s: eye %v, target %v at %v", name, v.eye, v.target, c)
			}
		}
	}
}

// Options of recordings of earlier versions are read; damaged ones are an error.
func TestRecordedOptionsAreRead(t *testing.T) {
	for text, want := range map[string]func(Options) bool{
		``:                               func(o Options) bool { return o.Size == [2]int{1280, 960} && o.FOV == 30 && o.Rate == 25 && o.Slow == 1 },
		`{"Size":[64,48],"FOV":20}`:      func(o Options) bool { return o.Size == [2]int{64, 48} && o.FOV == 20 },
		`{"Patches":true}`:               func(o Options) bool { return o.ContactSurfaces != nil && *o.ContactSurfaces },
		`{"ContactSurfaces":false}`:      func(o Options) bool { return o.ContactSurfaces != nil && !*o.ContactSurfaces },
		`{"Patches":null,"Picture":0.5}`: func(o Options) bool { return o.ContactSurfaces == nil && *o.Picture == 0.5 },
	} {
		opt, err := RecordedOptions(&record.Static{Render: json.RawMessage(text)})
		if err != nil || !want(opt) {
			t.Errorf("%s: %+v, %v", text, opt, err)
		}
	}
	if _, err := RecordedOptions(&record.Static{Render: json.RawMessage(`{"Size":"big"}`)}); err == nil || !strings.Contains(err.Error(), "render section") {
		t.Error(err)
	}
}
