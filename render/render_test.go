package render

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// small are options for quick pictures of a recording.
func small(t *testing.T, rec *record.Recording) Options {
	t.Helper()
	opt, err := RecordedOptions(&rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	opt.Size, opt.Samples = [2]int{160, 120}, 1
	return opt
}

func painter(t *testing.T, rec *record.Recording, opt Options) *Painter {
	t.Helper()
	p, err := NewPainter(rec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSampleKeepsRecordedFramesAndTurnsHalfwayBetween(t *testing.T) {
	rec := grip(3)
	rec.Frames[0].Poses[0].R = r3.RotExp(r3.Vec{0, 0, 0.2})
	rec.Frames[1].Poses[0].R = r3.RotExp(r3.Vec{0, 0, 1.0})
	var f record.Frame
	sample(rec, rec.Frames[1].Time, &f)
	if f.Poses[0] != rec.Frames[1].Poses[0] || &f.Verts[0][0] != &rec.Frames[1].Verts[0][0] {
		t.Error("a recorded instant is not shown as recorded")
	}
	mid := (rec.Frames[0].Time + rec.Frames[1].Time) / 2
	sample(rec, mid, &f)
	want := r3.RotExp(r3.Vec{0, 0, 0.6})
	if d := f.Poses[0].R.Sub(want).Norm2(); d > 1e-28 {
		t.Errorf("rotation is not halfway: %g", math.Sqrt(d))
	}
	p := rec.Frames[0].Verts[1][17].Lerp(rec.Frames[1].Verts[1][17], 0.5)
	if f.Verts[1][17].Sub(p).Norm() > 1e-15 {
		t.Error("vertex is not halfway")
	}
	s := (rec.Frames[0].VonMises[0][9] + rec.Frames[1].VonMises[0][9]) / 2
	if math.Abs(float64(f.VonMises[0][9]-s)) > 1e-6*float64(s) {
		t.Error("stress is not halfway")
	}
	sample(rec, -1, &f)
	if f.Time != rec.Frames[0].Time {
		t.Error("before the start is not the start")
	}
	sample(rec, 99, &f)
	if f.Time != rec.Frames[2].Time {
		t.Error("after the end is not the end")
	}
}

// different counts the pixels that differ by more than a shade.
func different(a, b *image.RGBA) int {
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		d := 0
		for k := range 3 {
			d = max(d, int(a.Pix[i+k])-int(b.Pix[i+k]), int(b.Pix[i+k])-int(a.Pix[i+k]))
		}
		if d > 4 {
			n++
		}
	}
	return n
}

func TestPictureShowsWhatMoves(t *testing.T) {
	rec := grip(6)
	p := painter(t, rec, small(t, rec))
	a, b := p.Picture(0), p.Picture(1)
	if n := different(a, b); n < 160*120/50 {
		t.Errorf("only %d pixels differ between the start and the end", n)
	}
	if n := different(a, p.Picture(0)); n != 0 {
		t.Errorf("%d pixels differ between two pictures of one instant", n)
	}
	empty := grip(6)
	empty.Static.Geoms, empty.Static.Deformables = empty.Static.Geoms[:1], nil
	for i := range empty.Frames {
		f := &empty.Frames[i]
		f.Verts, f.Vels, f.VonMises, f.Contacts = nil, nil, nil, nil
	}
	eye, target := p.view.eye, p.view.target
	opt := small(t, empty)
	opt.Camera, opt.Target, opt.Field = &eye, &target, "none"
	if n := different(a, painter(t, empty, opt).Picture(0)); n < 160*120/20 {
		t.Errorf("the bodies make only %d pixels", n)
	}
}

func TestPictureIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	rec := grip(6)
	opt := small(t, rec)
	opt.Size = [2]int{200, 200} // several bands
	many := painter(t, rec, opt).Picture(0.5)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := painter(t, rec, opt).Picture(0.5)
	if !bytes.Equal(many.Pix, one.Pix) {
		t.Error("bits differ")
	}
}

func TestHiddenGeomsAreNotDrawn(t *testing.T) {
	rec, without := grip(3), grip(3)
	without.Static.Geoms = without.Static.Geoms[:4]
	a := painter(t, rec, small(t, rec)).Picture(0.5)
	b := painter(t, without, small(t, rec)).Picture(0.5)
	if !bytes.Equal(a.Pix, b.Pix) {
		t.Error("a hidden geom changes the picture")
	}
}

func TestArrowsAndFieldsShowInThePicture(t *testing.T) {
	rec := grip(6)
	opt := small(t, rec)
	with := painter(t, rec, opt).Picture(1)
	no := false
	opt.Forces = &no
	if n := different(with, painter(t, rec, opt).Picture(1)); n < 20 {
		t.Errorf("arrows make only %d pixels", n)
	}
	opt.Field = "none"
	if n := different(with, painter(t, rec, opt).Picture(1)); n < 160*120/40 {
		t.Errorf("the field makes only %d pixels", n)
	}
}

// The automatic camera keeps every vertex of every frame inside the picture.
func TestAutomaticCameraSeesEverythingThatMoves(t *testing.T) {
	for _, g := range []r3.Vec{{0, 0, -9.81}, {0, -9.81, 0}, {}} {
		rec := grip(6)
		rec.Static.Gravity = g
		p := painter(t, rec, small(t, rec))
		for i := range rec.Frames {
			for b := range rec.Frames[i].Verts {
				for _, v := range rec.Frames[i].Verts[b] {
					c := p.view.matrix.MulPositionW(vector(v))
					if c.W <= 0 || math.Abs(c.X) > c.W || math.Abs(c.Y) > c.W {
						t.Fatalf("gravity %v, frame %d: a vertex is outside the picture", g, i)
					}
				}
			}
		}
	}
}

func TestCameraIsWhereItWasAskedFor(t *testing.T) {
	rec := grip(3)
	opt := small(t, rec)
	opt.Camera, opt.Target = &r3.Vec{0.3, 0.3, 0.2}, &r3.Vec{0, 0.01, 0.1}
	v := painter(t, rec, opt).view
	if v.eye != *opt.Camera || v.target != *opt.Target {
		t.Error("camera or target moved")
	}
	c := v.matrix.MulPositionW(vector(*opt.Target))
	if math.Abs(c.X/c.W) > 1e-12 || math.Abs(c.Y/c.W) > 1e-12 {
		t.Error("the target is not in the middle")
	}
	opt.Camera = &r3.Vec{0, 0.01, 3} // along up
	img := painter(t, rec, opt).Picture(0)
	for _, x := range img.Pix[:40] {
		if x == 0 {
			t.Error("a view from straight above fails")
		}
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	rec := grip(2)
	same := &r3.Vec{1, 2, 3}
	for want, change := range map[string]func(*Options){
		`did you mean "von_mises"`:        func(o *Options) { o.Field = "vonmises" },
		"at least 16":                     func(o *Options) { o.Size = [2]int{3, 3} },
		"million":                         func(o *Options) { o.Size = [2]int{1 << 20, 1 << 20} },
		"angle of view":                   func(o *Options) { o.FOV = math.NaN() },
		"rate must be positive":           func(o *Options) { o.Rate = 0 },
		"same point":                      func(o *Options) { o.Camera, o.Target = same, same },
		"finite":                          func(o *Options) { o.Up = &r3.Vec{math.NaN(), 0, 0} },
		"#rrggbb":                         func(o *Options) { o.Background = "blue" },
		"field maximum":                   func(o *Options) { o.FieldMax = -1 },
		"samples":                         func(o *Options) { o.Samples = 99 },
		"contact_pressure, slip, none":    func(o *Options) { o.Field = "zzzzzzzzzzzz" },
		`no field "presure"`:              func(o *Options) { o.Field = "presure" },
		"16, and the whole at most 64 mi": func(o *Options) { o.Size = [2]int{100, -100} },
	} {
		opt := small(t, rec)
		change(&opt)
		if _, err := NewPainter(rec, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	rec.Frames[1].Verts[0][3][1] = math.NaN()
	if _, err := NewPainter(rec, small(t, rec)); err == nil || !strings.Contains(err.Error(), "frame 1") {
		t.Errorf("a number that is not finite: %v", err)
	}
	if _, err := NewPainter(&record.Recording{}, Options{}); err == nil {
		t.Error("a recording without frames is drawn")
	}
}

func TestLegendNumbers(t *testing.T) {
	for _, c := range []struct {
		top  float64
		want string
	}{
		{50, "0 10 20 30 40 50"}, {1, "0.0 0.2 0.4 0.6 0.8 1.0"}, {2.5, "0.0 0.5 1.0 1.5 2.0 2.5"},
		{1.2, "0.0 0.2 0.4 0.6 0.8 1.0 1.2"}, {300, "0 50 100 150 200 250 300"}, {8, "0 2 4 6 8"}, {17, "0 5 10 15"},
	} {
		var s []string
		for _, k := range ticksOf(c.top) {
			s = append(s, k.label)
			if x := k.at * c.top; k.label != fmt.Sprintf("%.*f", decimals(roundStep(c.top/5)), x) {
				t.Errorf("mark %s is at %g", k.label, x)
			}
		}
		if got := strings.Join(s, " "); got != c.want {
			t.Errorf("0 to %g: %s, want %s", c.top, got, c.want)
		}
	}
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{47e3, "Pa", "47 kPa"}, {2.5e6, "Pa", "2.5 MPa"}, {1e9, "Pa", "1 GPa"}, {5, "N", "5 N"}, {0.02, "N", "20 mN"},
		{0.02, "m", "20 mm"}, {5e-5, "m", "50 µm"}, {2, "m", "2 m"}, {999, "Pa", "999 Pa"},
	} {
		if got := quantity(c.x, c.unit); got != c.want {
			t.Errorf("%g %s is written %q, want %q", c.x, c.unit, got, c.want)
		}
	}
	for x, want := range map[float64]float64{0: 1, 1: 1, 1.01: 1.2, 47.4: 50, 0.07: 0.08, 9: 10, 1e6: 1e6, math.Inf(1): 1} {
		if got := roundUp(x); math.Abs(got-want) > 1e-12*want {
			t.Errorf("roundUp(%g) = %g, want %g", x, got, want)
		}
	}
}

// A rigid motion displaces but does not deform; u = |x − x(0)| is known.
func TestRigidMotionDoesNotDeform(t *testing.T) {
	rec := grip(2)
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.4, -1.1, 2}), P: r3.Vec{1, 2, 3}}
	rest := rec.Static.Deformables[0].Rest
	for j := range rest {
		rec.Frames[0].Verts[0][j] = rest[j]
		rec.Frames[1].Verts[0][j] = X.Point(rest[j])
	}
	for j, u := range deformation(rec, &rec.Frames[1], 0) {
		if u > 1e-13 {
			t.Fatalf("vertex %d deforms by %g m", j, u)
		}
	}
	for j, u := range displacement(rec, &rec.Frames[1], 0) {
		if math.Abs(u-X.Point(rest[j]).Sub(rest[j]).Norm()) > 1e-15 {
			t.Fatalf("vertex %d is displaced by %g m", j, u)
		}
	}
	rec.Frames[1].Verts[0][5] = rec.Frames[1].Verts[0][5].Add(r3.Vec{1e-3, 0, 0})
	if u := deformation(rec, &rec.Frames[1], 0)[5]; math.Abs(u-1e-3) > 1e-5 {
		t.Errorf("a vertex pulled by 1 mm deforms by %g m", u)
	}
}

func TestEdgesOfBoxesAreSharpAndCylindersSmooth(t *testing.T) {
	b := box(r3.Vec{1, 2, 3})
	s := newSkin(b.Verts, b.Tris)
	if len(s.vert) != 24 || s.open {
		t.Errorf("a box has %d normals (open %v), want 24", len(s.vert), s.open)
	}
	c := cylinder(1, 2, 48)
	s = newSkin(c.Verts, c.Tris)
	// centres of the lids, rims of the lids, rims of the side
	if want := 2 + 2*48 + 2*48; len(s.vert) != want {
		t.Errorf("a cylinder has %d normals, want %d", len(s.vert), want)
	}
	for k, n := range s.normals(c.Verts) {
		p := c.Verts[s.vert[k]]
		axial, radial := math.Abs(n[2]), (n[0]*p[0]+n[1]*p[1])/max(1e-9, math.Hypot(p[0], p[1]))
		if axial < 0.999 && radial < 0.999 {
			t.Fatalf("normal %v at %v", n, p)
		}
	}
	// the same box, each triangle with its own vertices as STL has it
	var soup meshes.Tri
	for _, v := range b.Tris {
		n := int32(len(soup.Verts))
		soup.Verts = append(soup.Verts, b.Verts[v[0]], b.Verts[v[1]], b.Verts[v[2]])
		soup.Tris = append(soup.Tris, [3]int32{n, n + 1, n + 2})
	}
	if s = newSkin(soup.Verts, soup.Tris); len(s.vert) != 24 || s.open {
		t.Errorf("a box of loose triangles has %d normals (open %v), want 24", len(s.vert), s.open)
	}
	if s = newSkin(b.Verts, b.Tris[:10]); !s.open {
		t.Error("a box without a lid counts as closed")
	}
	inside := &meshes.Tri{Verts: b.Verts}
	for _, v := range b.Tris {
		inside.Tris = append(inside.Tris, [3]int32{v[1], v[0], v[2]})
	}
	if outward(inside).Volume() != b.Volume() || outward(b) != b {
		t.Error("a box inside out is not turned")
	}
}

// Many small forces of an area make one arrow of their sum; points keep theirs.
func TestArrowOfAContactSurfaceIsTheSumOfItsForces(t *testing.T) {
	rec := grip(2)
	arrows := arrowsOf(rec, &rec.Frames[1])
	if len(arrows) != 2 {
		t.Fatalf("%d arrows, want one a finger", len(arrows))
	}
	var sum, onPart r3.Vec
	for _, a := range arrows {
		onPart = onPart.Add(a.force)
	}
	for _, c := range rec.Frames[1].Contacts {
		sum = sum.Add(c.Force_W)
	}
	if onPart.Add(sum).Norm() > 1e-12*sum.Norm() {
		t.Errorf("force on the part %v, want %v", onPart, sum.Neg())
	}
	if n := len(arrowsOf(rec, &rec.Frames[0])); n != 4 {
		t.Errorf("%d arrows at 4 points", n)
	}
}
